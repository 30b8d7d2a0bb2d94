"""Derivatives of powers at zero, of any order, with exponents that the text does not say."""

import numpy as np
import pytest

import tangent_lite as tl


def term_by_term(x, c):
    y = 0.0
    for k in range(len(c)):
        y = y + c[k] * x ** k
    return y


def horner(x, c):
    y = 0.0
    for k in range(len(c) - 1, -1, -1):
        y = y * x + c[k]
    return y


@pytest.mark.parametrize("x", [0.0, -1.3, 2.0])
def test_a_polynomial_has_all_its_derivatives(x):
    c = np.array([3.0, -2.0, 0.5, 1.5, -0.25])
    one, other = term_by_term, horner
    for _ in range(4):
        one, other = tl.grad(one), tl.grad(other)
        assert one(x, c) == pytest.approx(other(x, c), rel=1e-12, abs=1e-12)
    assert tl.hessian(term_by_term)(x, c) == pytest.approx(tl.hessian(horner)(x, c), rel=1e-12)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 0.0, 1.0, 2.0, 3.0])
def test_powers_of_arrays_with_zeros(n):
    def f(x, n):
        return np.sum(x ** n)

    x = np.array([-1.3, 0.0, 2.0])
    coefficients = n * (n - 1)
    expected = coefficients * x ** max(n - 2, 0) if coefficients else np.zeros(3)
    np.testing.assert_allclose(np.diag(tl.hessian(f)(x, n)), expected, rtol=1e-12)


def test_second_derivatives_in_the_exponent():
    def f(x, y):
        return x ** y

    x, y = 1.7, 2.3
    log = np.log(x)
    (xx, xy), (yx, yy) = tl.hessian(f, wrt=(0, 1))(x, y)
    assert xx == pytest.approx(y * (y - 1.0) * x ** (y - 2.0))
    assert xy == pytest.approx(x ** (y - 1.0) * (1.0 + y * log))
    assert yx == pytest.approx(xy)
    assert yy == pytest.approx(x ** y * log * log)
    third = tl.grad(tl.grad(tl.grad(f)), wrt=1)(x, y)
    assert third == pytest.approx(x ** (y - 2.0) * ((2.0 * y - 1.0) + y * (y - 1.0) * log))


def test_compiled():
    pytest.importorskip("numba")
    c = np.array([3.0, -2.0, 0.5, 1.5])

    def slope(x, c):
        return tl.grad(term_by_term)(x, c)

    for x in (0.0, -1.3):
        assert tl.grad(slope, backend="numba")(x, c) == pytest.approx(
            tl.grad(slope)(x, c), rel=1e-12)
