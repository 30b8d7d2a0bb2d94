"""Lists and dicts of real numbers beside complex ones: the gradients of the former are real."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

WEIGHTS = np.array([0.3 - 1.2j, 0.7 + 0.4j, -0.5 + 0.9j])


def as_array(xs):
    return np.array(xs)


def added_up(xs):
    return sum(xs) * (2.0 - 1.0j) * np.ones(3)


def in_a_loop(xs):
    total = 1.0
    for x in xs:
        total = total * x + 1.0j
    return total * np.ones(3)


def by_functions(xs):
    return np.exp(np.cumsum(xs)) * np.dot(xs, xs)


def written(xs):
    y = np.zeros(3, complex)
    y[:] = xs
    y *= y
    return y


FUNCTIONS = [as_array, added_up, in_a_loop, by_functions, written]


def slopes(f, xs):
    """The gradient of the real part of sum(WEIGHTS * f(xs)): d/dRe - i d/dIm, real for reals."""
    def loss(k, step):
        moved = [x + step if j == k else x for j, x in enumerate(xs)]
        return np.real(np.sum(WEIGHTS * f(type(xs)(moved))))

    def slope(k, step):
        return (loss(k, step) - loss(k, -step)) / 2e-6
    return [slope(k, 1e-6) - 1j * slope(k, 1e-6j) if isinstance(x, complex) else slope(k, 1e-6)
            for k, x in enumerate(xs)]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("xs", [[1.3, 0.2 + 1.0j, -0.4], (0.5j, 1.1, 0.7)], ids=["list", "tuple"])
def test_a_real_number_has_a_real_gradient(f, xs):
    expected = slopes(f, xs)
    value, pullback = tl.vjp(f, xs)
    assert np.array_equal(value, f(xs))
    with by_identity():
        other, = tl.vjp(f, xs)[1](WEIGHTS)
    for found in (pullback(WEIGHTS)[0], other):
        assert [type(part) for part in found] == [type(x) for x in xs]
        assert np.allclose(found, expected, rtol=1e-5, atol=1e-7)


def test_in_lists_of_lists_dicts_and_objects():
    def f(p):
        return np.imag(np.sum(np.array(p["rows"]) * p["scale"]))

    found = tl.grad(f)({"rows": [[1.0, 2.0], [1.0j, 3.0 - 1.0j]], "scale": 2.0 + 0.5j})
    assert found["rows"] == [[0.5, 0.5], [0.5 - 2.0j, 0.5 - 2.0j]]
    assert found["scale"] == 0.0 - 6.0j


def test_an_array_of_both_made_in_the_function():
    def transmitted(n, d):
        m = np.eye(2, dtype=complex)
        for index, depth in zip(n, d):
            m = m @ np.array([[np.cos(depth), 1j * np.sin(depth) / index],
                              [1j * index * np.sin(depth), np.cos(depth)]])
        b, c = m @ np.array([1.0, 1.52])
        return np.abs((b - c) / (b + c)) ** 2
    tl.check_grads(transmitted, (np.array([1.38, 2.1]), np.array([0.7, 0.4])), order=2)


def test_real_numbers_and_arrays_in_one_list_by_identity():
    def f(x):
        return np.fft.fft([x, 2.0 * x, 1.0]).imag[1]

    expected = f(np.array(1.0)) - f(np.array(0.0))          # it is linear
    assert np.allclose(tl.grad(f)(np.array(0.7)), expected)
    with by_identity():
        assert np.allclose(tl.grad(f)(np.array(0.7)), expected)
        assert np.allclose(tl.jvp(f, (np.array(0.7),), (np.array(1.0),))[1], expected)
