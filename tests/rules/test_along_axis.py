"""`np.apply_along_axis` by names: of numbers, lines, lists and matrices, along each axis."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names


def shares(line):
    return line / np.sum(np.abs(line))


def numbers(x, a):
    return np.sum(np.apply_along_axis(lambda r: np.sum(r * r) * a, 0, np.outer(x, x)))


def lines(x, a):
    return np.sum(np.apply_along_axis(shares, 1, np.outer(x, x * x) + a) ** 2 * x)


def shorter_lines(x, a):
    return np.sum(np.apply_along_axis(np.convolve, 0, np.outer(x, x), np.array([1.0, a]), "valid")
                  * x)


def lists(x, a):
    return np.sum(np.apply_along_axis(lambda r: [r[0], a * r[1], 1.0], 1, np.outer(x, x)) ** 2)


def matrices(x, a):
    cubes = np.apply_along_axis(lambda r: np.outer(r, r) * a, -1, np.outer(x, x))
    return np.sum(cubes * np.arange(27.0).reshape(3, 3, 3))


def of_a_vector(x, a):
    return np.apply_along_axis(lambda r: np.sum(r ** 2) * a, 0, x) * x[0]


def with_arguments(x, a):
    def f(r, p, q=2.0):
        if r[0] > 0.0:
            return r[0] * p * q
        return math.sin(r[1])
    return np.sum(np.apply_along_axis(f, 1, np.outer(x, x), a, q=a) * x)


def lines_written_to(x, a):
    table = np.outer(x, x)

    def f(r):
        r[0] = a
        return np.sum(r * r)
    return np.sum(np.apply_along_axis(f, 0, table)) + table[0, 1] * x[0]


def first_is_an_int(x, a):
    return np.sum(np.apply_along_axis(lambda r: r[0] * a if r[0] < 0.0 else 0, 0, np.outer(x, x))
                  * x)


def argument_returned(x, a):
    """What NumPy gives is a copy, also where the function gives what it is given."""
    y = x * a
    z = np.apply_along_axis(lambda r: r, 0, y)
    z[0] = y[1] * a
    return np.sum(y * y) + np.sum(z * z * z)


def views_returned(x, a):
    table = np.outer(x, x)
    parts = np.apply_along_axis(lambda r: r[1:], 1, table)
    table[1] *= a
    return np.sum(parts ** 3) + np.sum(table ** 2)


def one_buffer(x, a):
    buffer = np.zeros(3)

    def f(r):
        buffer[:] = r * a
        return buffer
    return np.sum(np.apply_along_axis(f, 1, np.outer(x, x)) ** 3) + np.sum(buffer)


def in_a_loop(x, a):
    table = np.outer(x, x)
    for axis in range(2):
        table = np.apply_along_axis(shares, axis, table + a)
    return np.sum(table ** 2)


def of_constants(x, a):
    w = np.apply_along_axis(shares, 0, np.ones((2, 3)))
    return np.sum(x * w[0]) * a


@pytest.mark.parametrize("f", [numbers, lines, shorter_lines, lists, matrices, of_a_vector,
                               with_arguments, lines_written_to, first_is_an_int, in_a_loop,
                               of_constants, argument_returned, views_returned])
def test_against_differences(f):
    x, a, h = np.array([0.3, -0.9, 1.4]), 1.3, 1e-6
    with by_names():
        value, (bx, ba) = tl.value_and_grad(f, wrt=("x", "a"))(x, a)
    assert value == f(x, a)
    wanted = [(f(x + h * e, a) - f(x - h * e, a)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(bx, wanted, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(ba, (f(x, a + h) - f(x, a - h)) / (2 * h), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("axes", [2, 3])
def test_a_buffer_that_is_returned_each_time(axes):
    def f(x, a):
        if axes == 2:
            return one_buffer(x, a)
        buffer = np.zeros(3)

        def filled(r):
            buffer[:] = r * a
            return buffer
        cube = np.multiply.outer(np.outer(x, x), x)
        return np.sum(np.apply_along_axis(filled, 2, cube) ** 3)
    x, h = np.array([0.3, -0.9, 1.4]), 1e-6
    value, ba = tl.value_and_grad(f, wrt="a")(x, 1.3)
    same, along = tl.jvp(f, (x, 1.3), (None, 1.0))
    assert value == same == f(x, 1.3)
    np.testing.assert_allclose([ba, along], (f(x, 1.3 + h) - f(x, 1.3 - h)) / (2 * h), rtol=1e-6)


def test_no_lines_are_an_error_as_with_numpy():
    with pytest.raises(ValueError, match="0"), by_names():
        tl.grad(numbers)(np.zeros(0), 1.0)
