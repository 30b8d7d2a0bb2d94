"""Numbers that are spread to arrays for nothing but arithmetic stay numbers."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.linspace(0.1, 2.0, 5)
ROWS = np.linspace(-1.0, 1.5, 10).reshape(5, 2)


def gauss(a, b, x, rows):
    s = np.exp(b)
    return -np.sum(0.5 * ((x - a) / s) ** 2 + b + 0.5 * np.log(2.0 * np.pi))


def mean_of_terms(a, b, x, rows):
    r = x - rows @ np.array([a, b])
    s2 = np.exp(2.0 * b)
    return np.mean(r ** 2 / s2 + 2.0 * b)


def gamma(a, b, x, rows):
    return np.sum(a * np.log(b) + (a - 1.0) * np.log(x) - b * x)


def student(a, b, x, rows):
    return np.sum(np.log(b) - (b + 1.0) / 2.0 * np.log(1.0 + (x - a) ** 2 / b))


def by_rows(a, b, x, rows):
    return np.mean(a * rows + b * rows ** 2 + a * b) + np.sum(x * b + a / b)


def shape_bound_anew(a, b, x, rows):
    total = 0.0
    for k in range(3):
        x = np.append(x, a)
        total = total + np.sum(a * x / b + b)
    return total


def sums_of_adjoints(a, b, x, rows):
    mu, ls = rows @ np.array([a, 0.2]), x * b
    return np.mean(0.5 * ((x - mu) / np.exp(ls)) ** 2 + ls) + np.sum(ls - np.exp(ls))


def added_in_place(a, b, x, rows):
    y = a * x
    z = np.sum(y * b + a * y + b)
    y[1:] += b
    return z * np.sum(y * y + a)


def mean_in_a_loop(a, b, x, rows):
    total = 0.0
    for k in range(2):
        x = x * a + b
        total = total + np.mean(x / b + a) * total + b
    return total


@pytest.mark.parametrize("fun", [gauss, mean_of_terms, gamma, student, by_rows, shape_bound_anew,
                                 sums_of_adjoints,
                                 added_in_place, mean_in_a_loop], ids=lambda f: f.__name__)
def test_by_complex_steps(fun):
    given = (1.3, 0.7, X, ROWS)
    found = tl.grad(fun, wrt=(0, 1))(*given)
    h = 1e-30
    wanted = [complex(fun(1.3 + 1j * h * (k == 0), 0.7 + 1j * h * (k == 1),
                          X.astype(complex), ROWS)).imag / h for k in range(2)] \
        if fun not in (mean_of_terms, sums_of_adjoints) else \
        [(fun(*(v + 1e-6 * (i == k) for i, v in enumerate(given[:2])), X, ROWS)
          - fun(*(v - 1e-6 * (i == k) for i, v in enumerate(given[:2])), X, ROWS)) / 2e-6
         for k in range(2)]
    assert np.allclose(found, wanted, rtol=1e-7)
    assert np.allclose(tl.vjp(fun, *given, wrt=(0, 1))[1](1.0), wanted, rtol=1e-7)


@pytest.mark.parametrize("fun", [gauss, mean_of_terms, gamma, student], ids=lambda f: f.__name__)
def test_nothing_is_spread(fun):
    assert "unreduce" not in tl.grad(fun, wrt=(0, 1)).source_for(1.3, 0.7, X, ROWS)


@pytest.mark.parametrize("fun", [gauss, gamma, student], ids=lambda f: f.__name__)
def test_second_order(fun):
    tl.check_grads(lambda a, b: fun(a, b, X, ROWS), (1.3, 0.7))


def test_an_array_that_is_handed_out_is_one():
    def f(x, b):
        return np.sum(x + b)
    found = tl.grad(f, wrt=(0, 1))(X, 0.3)
    assert found[0].shape == X.shape and found[0].flags.writeable and found[1] == 5.0
