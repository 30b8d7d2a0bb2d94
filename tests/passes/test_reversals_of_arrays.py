"""What is read from the end on receives its adjoint from the end on: as a view, not added to zeros,
and as something of its own where anything is written."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.5, -1.2, 0.8, 0.3, 2.5])


def partial_likelihood(x):
    return np.sum(x - np.log(np.cumsum(np.exp(x)[::-1])[::-1]))


def read_twice(x):
    y = x[::-1]
    return np.sum(y * x) + np.sum(np.sin(y) * y[0])


def read_both_ways(x):
    y = np.exp(x)
    return np.sum(y[::-1] * np.arange(len(x))) + np.sum(y[::-1][1:] * y[:-1])


def written_afterwards(x):
    y = x * x
    z = y[::-1]
    y[0] = 2.0 * y[-1]
    return np.sum(z * z * np.arange(len(x)))


def the_view_is_written(x):
    y = x * x
    z = y[::-1]
    z[0] = z[-1] * 3.0
    return np.sum(y * np.arange(len(x)))


def turned_in_a_loop(x):
    for k in range(3):
        x = np.tanh(x[::-1]) * x
    return np.sum(x)


def turned_only(x):
    for k in range(3):
        x = x[::-1]
    return np.sum(x * np.arange(len(x)))


def in_branches(x):
    y = x[::-1] if x[0] > 0.0 else x
    y = y + x[::-1]
    return np.sum(y * y * np.arange(len(x)))


def rows(x):
    m = np.outer(x, np.sin(x))
    return np.sum(m[::-1] * m[:, ::-1] * np.arange(len(x))) + np.sum(m[::-1, ::-1] ** 2 * m)


def columns_left(x):
    m = np.outer(x, x[:2])
    return np.sum(np.cumsum(m[::-1], axis=0)[::-1] ** 2)


def pair(v):
    w = v[::-1]
    return w, w


def by_a_helper(x):
    a, b = pair(x * x)
    return np.sum(a * b * np.arange(len(x)))


def changed_names(x):
    y = x[::-1]
    x, y = y, x
    x = x * y
    return np.sum(x * np.arange(len(x)) + y)


def some_steps(x):
    return np.sum(x[::-2] ** 2) + np.sum(x[3::-1] * 2.0) + np.sum(x[None, ::-1] * x)


CASES = [partial_likelihood, read_twice, read_both_ways, written_afterwards, the_view_is_written,
         turned_in_a_loop, turned_only, in_branches, rows, columns_left, by_a_helper, changed_names,
         some_steps]


@pytest.mark.parametrize("length", [5, 2, 1])
@pytest.mark.parametrize("fun", CASES, ids=lambda f: f.__name__)
def test_derivatives_are_right(fun, length):
    x = X[:length].copy()
    x.flags.writeable = False
    tl.check_grads(fun, (x,), order=2)


@pytest.mark.parametrize("fun", [partial_likelihood, rows, columns_left, turned_in_a_loop])
def test_of_none(fun):
    assert tl.grad(fun)(X[:0]).shape == (0,)


def test_gradients_are_arrays_of_their_own():
    value, pullback = tl.vjp(lambda x: x[::-1], X)
    seed = np.arange(5.0)
    (gradient,) = pullback(seed)
    assert np.array_equal(gradient, seed[::-1]) and not np.shares_memory(gradient, seed)
    assert np.array_equal(value, X[::-1])


def test_the_text():
    text = tl.grad(partial_likelihood).source_for(X)
    assert "zeros" not in text and "[::-1] = " not in text and "[::-1][::-1]" not in text


def test_products_of_paths():
    """The adjoint of a cumulative product, with zeros, with very small and very large products."""
    def last(x):
        return np.sum(np.cumprod(x) * np.arange(1.0, 1.0 + len(x)))

    for x in (X, X[:0], X[:1], np.array([0.5, 0.0, 2.0]), np.array([0.0, 0.0, 2.0]),
              np.array([1e-200, 1e-200, 1e200]), np.full(40, 1e-9), np.full(40, 1e9)):
        found = tl.grad(last)(x)
        wanted = [sum((j + 1.0) * np.prod(np.delete(x[:j + 1], k)) for j in range(k, len(x)))
                  for k in range(len(x))]
        assert np.allclose(found, wanted, rtol=1e-10, atol=1e-300)
