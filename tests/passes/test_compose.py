"""Sums to shapes that are left out change no derivative, whatever is spread to what."""
import itertools

import numpy as np
import pytest

import tangent_lite as tl
from tests.any_shapes import for_any_shapes


def plus(x, y, z):
    return np.sum(np.sin(x * y + z))


def chain(x, y, z):
    return np.sum(np.tanh((x + y) * z - x / (2.0 + y * y)))


def relu(x, y, z):
    return np.sum(np.maximum(x * y + z, 0.0) * z)


def used_twice(x, y, z):
    t = x * y
    return np.sum((t + z) * t)


def negated(x, y, z):
    return np.sum(-(-(x - y) * z) / (3.0 + z))


def in_a_loop(x, y, z):
    for _ in range(3):
        t = x * y + z
        x = np.sin(t) + 0.0 * x
    return np.sum(x * x)


def in_a_branch(x, y, z):
    t = x + y
    if np.size(x) > 2:
        u = t * z
    else:
        u = t - z
    return np.sum(u * u)


def written(x, y, z):
    u = np.zeros(np.broadcast_shapes(np.shape(x), np.shape(y), np.shape(z)))
    u[...] = x * y + z
    return np.sum(u * u)


def thin(x, y, z):
    s = np.sum(x + y + z, axis=-1, keepdims=True)
    return np.sum((s * y) * z + x)


FUNCTIONS = (plus, chain, relu, used_twice, negated, in_a_loop, in_a_branch, written, thin)
SHAPES = ((3,), (1,), (2, 3), (2, 1), (1, 3), (0, 3), (1, 1))


def some(shape, seed):
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.sweep(3)
def test_reverse_is_forward(f):
    for shapes in itertools.product(SHAPES, repeat=3):
        try:
            whole = np.broadcast_shapes(*shapes)
        except ValueError:
            continue
        if f is in_a_loop and shapes[0] != whole:
            continue                    # what a loop carries keeps its shape here
        args = [some(shape, k) for k, shape in enumerate(shapes)]
        gradients = tl.grad(f, wrt=(0, 1, 2))(*args)
        along = [some(shape, k + 9) for k, shape in enumerate(shapes)]
        slope = tl.jvp(f, tuple(args), tuple(along))[1]
        assert [g.shape for g in gradients] == list(shapes)
        total = sum(np.sum(g * d) for g, d in zip(gradients, along))
        assert np.isclose(total, slope, rtol=1e-10, atol=1e-12), (f.__name__, shapes)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_numbers_and_dtypes(f):
    x, y, z = some((2, 3), 0), some((3,), 1), some((2, 1), 2)
    want = tl.grad(f, wrt=(0, 1, 2))(x, y, z)
    single = tl.grad(f, wrt=(0, 1, 2))(*[a.astype(np.float32) for a in (x, y, z)])
    for a, b in zip(single, want):
        assert a.dtype == np.float32 and np.allclose(a, b, rtol=2e-3, atol=1e-4)
    if f is not thin:
        bx, by = tl.grad(f, wrt=(0, 1))(x, 0.5, z)
        full = tl.grad(f, wrt=(0, 1))(x, np.full((2, 3), 0.5), z)
        assert np.allclose(bx, full[0]) and np.isclose(by, np.sum(full[1]))


def source_of(f, *args, wrt=0):
    with for_any_shapes():
        return tl.grad(f, wrt=wrt).source_for(*args)


def test_what_is_left_out():
    one = np.ones(3)
    source = source_of(plus, one, one, one, wrt=(0, 1, 2))
    assert source.count("unbroadcast(") == 3            # x, y and z; not x * y
    source = source_of(used_twice, one, one, one)
    assert source.count(", t)") == 2                    # two sums, each to the shape of t


def test_smaller_arrays_are_summed_first():
    source = source_of(thin, np.ones((2, 3)), np.ones(3), np.ones(3), wrt=(0, 1, 2))
    assert "keepdims" in source
    rows, columns = np.ones((2, 3)), np.ones(3)
    source = source_of(plus, columns, columns, rows, wrt=(0, 1, 2))
    assert "unbroadcast(bt, xy)" in source              # (3,) before it meets (2, 3)


def test_nothing_is_recorded_for_a_shape_that_nobody_needs():
    def f(x, w, b, n):
        for _ in range(n):
            x = np.tanh(x * w + b)
        return np.sum(x)

    one = np.ones(3)
    source = source_of(f, one, one, one, 2, wrt=(1, 2))
    assert "xw" not in source.replace("x * w", "")
