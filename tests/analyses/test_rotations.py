"""Buffers that change places in a loop: the backward pass changes them back, without records."""
import numpy as np
import pytest

import tangent_lite as tl


def swapped(x, n):
    u, v = x.copy(), np.zeros_like(x)
    for t in range(n):
        for i in range(x.shape[0]):
            v[i] = np.sin(u[i]) + 0.5 * v[i] * u[i]
        u, v = v, u
    return np.sum(u ** 2) + np.sum(v)


def swapped_sometimes(x, n):
    u, v = x.copy(), 0.5 * x
    for t in range(n):
        v[...] = u * u + 0.1 * v
        if t % 2 == 0:
            u, v = v, u
        u *= 0.9
    return np.sum(u * v)


def left_early(x, n):
    u, v = x.copy(), np.ones_like(x)
    for t in range(n):
        v[:] = u * 1.1 + v * 0.1
        u, v = v, u
        if np.sum(u) > 10.0:
            break
    return np.sum(u ** 3) + v[0]


def three_in_loops(x, n):
    u, v, w, t = x.copy(), np.zeros_like(x), 2.0 * x, 0
    while t < n:
        for s in range(2):
            w[1:] = u[:-1] * v[1:] + u[1:]
            u, v, w = w, u, v
        u, v = v, u
        t += 1
    return np.sum(u * v * w)


def rows(x, n):
    A = np.outer(x, x)
    B = np.zeros_like(A)
    r, s = A[0], B[1]
    for t in range(n):
        s[:] = r * r + 0.3 * s
        r, s = s, r
    return np.sum(A) + np.sum(B * B)


def numbers(x, n):
    a, b, c = x[0], x[1], x[2]
    for t in range(n):
        c = a * b + np.sin(c)
        a, b, c = b, c, a
    return a * b * c


def by_hand(x, n):
    u, v = x.copy(), np.ones_like(x)
    for t in range(n):
        v[:] = u * u + 0.1 * v
        kept = u
        u = v
        v = kept
    return np.sum(u) + (np.sum(kept) if n else 0.0)


def in_fields(x, n):
    p = {"u": x.copy(), "v": np.zeros_like(x)}
    for t in range(n):
        p["v"][:] = p["u"] ** 2 + 0.1 * p["v"]
        p["u"], p["v"] = p["v"], p["u"]
    return np.sum(p["u"])


def differences(f, x, h=1e-6):
    return np.array([(f(x + h * e) - f(x - h * e)) / (2.0 * h) for e in np.eye(len(x))])


@pytest.mark.parametrize("f", [swapped, swapped_sometimes, left_early, three_in_loops, rows,
                               numbers, by_hand, in_fields])
def test_gradient(f):
    x, direction = np.array([0.7, 0.4, 0.9]), np.array([1.0, 2.0, -1.0])
    for n in (0, 1, 2, 5):
        found = tl.grad(f)(x, n)
        np.testing.assert_allclose(found, differences(lambda x: f(x, n), x), rtol=1e-5, atol=1e-7)
        along = tl.jvp(f, (x, n), (direction, None))[1]
        np.testing.assert_allclose(along, found @ direction, rtol=1e-9, atol=1e-12)
    tl.check_grads(lambda x: f(x, 2), (x,), order=2)


def test_nothing_is_recorded_of_names():
    source = tl.grad(three_in_loops).source_for(np.ones(3), 2)
    assert source.count("_tape = []") == 1              # of what is written over
    assert "u, v, w = w, u, v" in source and "bu, bv, bw = bv, bw, bu" in source


def test_a_pullback_runs_twice():
    y, pullback = tl.vjp(lambda x: swapped(x, 3), np.array([0.7, 0.4, 0.9]))
    np.testing.assert_array_equal(pullback(1.0)[0], pullback(1.0)[0])


def in_segments(x, n):
    u, v = x.copy(), np.zeros_like(x)
    for t in tl.checkpoint(range(n)):
        v[:] = np.sin(u) + 0.5 * v * u
        u, v = v, u
    return np.sum(u ** 2) + np.sum(v)


@pytest.mark.parametrize("n", [0, 1, 5, 8])
def test_with_checkpoints(n):
    x = np.array([0.7, 0.4, 0.9])
    np.testing.assert_allclose(tl.grad(in_segments)(x, n), tl.grad(swapped)(x, n), rtol=1e-12)
