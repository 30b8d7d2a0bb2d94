"""Several results of one call."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names


def thirds(v):
    a, b, c = np.split(v, 3)
    return np.sum(a * b + c)


def at_places(v):
    a, b = np.split(v, [2])
    return np.sum(a) * np.sum(b ** 2)


def in_rows(v):
    h = v.reshape(2, 3)
    a, b = np.vsplit(h, 2)
    left, right = np.hsplit(h, [1])
    return np.sum(a * b) + np.sum(left * right)


def one_is_not_used(v):
    a, _, c = np.split(v, 3)
    return np.sum(a * c)


def in_branches_and_loops(v):
    total = 0.0
    for row in [v, v * v]:
        a, b = np.split(row, [1])
        if a[0] > 0.5:
            total = total + np.sum(b) * a[0]
        else:
            a, b = [a, a * b]
        total = total + np.sum(b) * a[0]
    return total


def of_a_list_that_is_read_again(v):
    parts = np.split(v, 2)
    a, b = parts
    return np.sum(a * b) * np.sum(parts[0])


def shared(v):
    a, b = [v, v]
    return np.sum(a + b) + np.sum(a * 2.0)


@pytest.mark.parametrize("scale", [0.3, 0.7])
@pytest.mark.parametrize("function", [thirds, at_places, in_rows, one_is_not_used,
                                      in_branches_and_loops, of_a_list_that_is_read_again, shared])
def test_gradients(function, scale):
    v = np.arange(1.0, 7.0) * scale
    want = [(function(v + h) - function(v - h)) / 2e-6 for h in 1e-6 * np.eye(6)]
    gradient = tl.grad(function)
    np.testing.assert_allclose(gradient(v), want, rtol=1e-6)
    assert not gradient._latest.by_identity
    np.testing.assert_allclose(tl.jvp(function, (v,), (np.ones(6),))[1], np.sum(want), rtol=1e-6)
    with by_identity():
        np.testing.assert_allclose(tl.grad(function)(v), want, rtol=1e-6)


def test_what_is_written():
    assert "bv = np.concatenate([ba, bb, bc])" in tl.grad(thirds).source_for(np.ones(6))


def test_gradients_of_a_list_are_two_arrays():
    def total(xs):
        a, b = xs
        return np.sum(a + b)

    first, second = tl.grad(total)([np.ones(2), np.ones(2)])
    assert not np.shares_memory(first, second)


def rounded_down(v):
    y = 1
    s = 0.0
    for k in range(6):
        y = y * v[k] + 0.5
        s += y
        y //= 0.3
        s += y * v[k]
    return s


def an_empty_list_by_its_name(v):
    parts = list()
    left = tuple()
    for k in range(3):
        parts.append(v[k] * v[k + 3])
    left = (*left, parts[0])
    return parts[2] * parts[1] + left[0]


@pytest.mark.parametrize("function", [rounded_down, an_empty_list_by_its_name])
def test_by_names(function):
    v = np.arange(1.0, 7.0) * 0.37
    want = [(function(v + h) - function(v - h)) / 2e-6 for h in 1e-6 * np.eye(6)]
    with by_names():
        np.testing.assert_allclose(tl.grad(function)(v), want, rtol=1e-6)
        np.testing.assert_allclose(tl.jvp(function, (v,), (v,))[1], want @ v, rtol=1e-6)
    with by_identity():
        np.testing.assert_allclose(tl.grad(function)(v), want, rtol=1e-6)
