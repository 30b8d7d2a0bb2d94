"""Powers by ints that no text says, and slopes made of powers, against Python."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import runtime

numba = pytest.importorskip("numba")

from tangent_lite.backends import numba as backend  # noqa: E402
from tangent_lite.backends.numba_checks import CheckedCompiler  # noqa: E402
from tangent_lite.backends.numba_whole_powers import power  # noqa: E402


@numba.njit
def compiled_power(x, n):
    return power(x, n)


@numba.njit
def compiled_slope(x, n):
    return runtime.power_slope(x, n)


NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.3, -2.7, 1e-200, 1e200, math.inf, -math.inf, math.nan, 5e-324]
EXPONENTS = [0, 1, 2, 3, 7, 8, 9, 63, 64, 1001, 70001, -1, -2, -3, -9, -70001]


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_powers_by_ints(exponent):
    with np.errstate(all="ignore"):
        for x in NUMBERS:
            np.testing.assert_allclose(compiled_power(x, exponent),
                                       np.power(x, float(exponent)), rtol=1e-12)


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_powers_by_ints_in_the_text(exponent):
    def apart(x, n):
        return x ** n

    def told(x):
        return x ** exponent                    # a constant of compiled code

    options = {"pipeline_class": CheckedCompiler, "error_model": "python"}
    by_text, by_number = (numba.njit(**options)(f) for f in (told, apart))
    for x in [0.3, -2.7, 1.0, 0.9999, 12.5]:
        try:
            wanted = by_number(x, exponent)
        except ArithmeticError:
            with pytest.raises(ArithmeticError):
                by_text(x)
            continue
        assert by_text(x) == wanted, x
    text = next(iter(by_text.inspect_llvm().values()))
    assert ("call double @tangent_lite.whole_power" in text) == (abs(exponent) > 0x10000)


@pytest.mark.parametrize("exponent", [*EXPONENTS, 0.0, 0.5, 1.5, -0.7, 2.0, 1e-3, -300.5])
def test_slopes(exponent):
    with np.errstate(all="ignore"):
        for x in NUMBERS:
            # Between numbers that are not normal and zero nothing is promised.
            np.testing.assert_allclose(compiled_slope(x, exponent),
                                       runtime.power_slope(np.float64(x), exponent),
                                       rtol=1e-12, atol=1e-290)


@numba.njit
def compiled_slopes(x, n, order):
    return runtime.power_slopes(x, n, order)


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 7, -1, -2, 0.0, 0.5, 1.0, -0.7, 2.0])
@pytest.mark.parametrize("order", [2, 3])
def test_slopes_of_slopes(exponent, order):
    with np.errstate(all="ignore"):
        for x in NUMBERS:
            np.testing.assert_allclose(
                compiled_slopes(x, exponent, order),
                runtime.power_slopes(np.float64(x), exponent, order), rtol=1e-12, atol=1e-290)


def test_a_slope_where_the_power_is_no_number():
    # 1e-300 ** 1.5 is zero, and its slope is not; 1e200 ** 2 is infinite, and its slope is not.
    assert math.isclose(compiled_slope(1e-300, 1.5), 1.5e-150, rel_tol=1e-12)
    assert math.isclose(compiled_slope(1e200, 2), 2e200, rel_tol=1e-12)
    assert compiled_slope(0.0, 1) == 1.0 and compiled_slope(0.0, 1.0) == 1.0
    assert compiled_slope(0.0, 0) == 0.0 and compiled_slope(2.0, True) == 1.0


def reactions(k, orders, stoich, c0, n, h):
    c = c0.copy()
    n_reactions, n_species = orders.shape
    for step in range(n):
        change = np.zeros(n_species)
        for r in range(n_reactions):
            rate = k[r]
            for s in range(n_species):
                rate *= c[s] ** orders[r, s]
            for s in range(n_species):
                change[s] += stoich[r, s] * rate
        for s in range(n_species):
            c[s] += h * change[s]
    return np.sum(c ** 2)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("steps", [0, 1, 4])
def test_rates_that_are_products_of_powers(whole, steps):
    rng = np.random.default_rng(0)
    orders = rng.integers(0, 4, (5, 4))
    args = [rng.uniform(0.1, 1.0, 5), orders if whole else orders + 0.5,
            rng.integers(-1, 2, (5, 4)).astype(float), rng.uniform(0.5, 1.0, 4), steps, 1e-2]
    gradients = tl.grad(reactions, wrt=("k", "c0"), backend="numba")(*args)
    for spot, gradient in zip((0, 3), gradients):
        v = rng.normal(size=gradient.shape)

        def moved(h, spot=spot, v=v):
            return reactions(*[a + h * v if k == spot else a for k, a in enumerate(args)])
        np.testing.assert_allclose(np.sum(gradient * v), (moved(1e-6) - moved(-1e-6)) / 2e-6,
                                   rtol=1e-6, atol=1e-8)
    args[3] = np.array([0.0, 0.7, 0.0, 1.0])                # slopes at zero
    for got, expected in zip(tl.grad(reactions, wrt=("k", "c0"), backend="numba")(*args),
                             tl.grad(reactions, wrt=("k", "c0"))(*args)):
        np.testing.assert_allclose(got, expected, rtol=1e-12)


@pytest.fixture
def made(monkeypatch):
    """The modules that are compiled."""
    found, make = [], backend.Compiled._make

    def noting(self, how):
        make(self, how)
        found.append(self)
    monkeypatch.setattr(backend.Compiled, "_make", noting)
    return found


def elements(p, x):
    total = 0.0
    for i in range(x.shape[0]):
        t = np.exp(-p["k"] * x[i, 0])
        total += np.maximum(t, x[i, 1]) ** p["n"]
    return total


def rows(p, x):
    total = 0.0
    for i in range(x.shape[0]):
        t = np.exp(-p["k"] * x[i])
        total += np.sum(np.maximum(t, 0.2) ** p["n"])
    return total


def halves(p, x):
    return elements(p, x) + elements({"k": p["k"], "n": 2}, x)


@pytest.mark.parametrize("f", [elements, rows, halves])
def test_statements_about_elements_stay_where_they_are(f, made):
    p, x = {"k": 0.7, "n": 3}, np.random.default_rng(0).uniform(0.0, 2.0, (6, 5))
    got, expected = (tl.grad(f, wrt=("p", "x"), backend=one)(p, x) for one in ("numba", "python"))
    np.testing.assert_allclose(got[0]["k"], expected[0]["k"], rtol=1e-12)
    np.testing.assert_allclose(got[1], expected[1], rtol=1e-12)
    inside = [group for group in made[-1].lowered.groups if group.is_inside]
    assert bool(inside) == (f is rows)


def filled(A, x, n):
    m = x.shape[0]
    for t in range(n):
        y = np.zeros(m)
        for i in range(m):
            for j in range(m):
                y[i] += A[i, j] * x[j]
        x = x + 0.1 * y
    return np.sum(x * x)


def test_zeros_that_are_filled_are_no_record(made):
    A, x = np.random.default_rng(0).normal(size=(2, 3, 3))
    got = tl.grad(filled, backend="numba")(A, x[0], 4)
    np.testing.assert_allclose(got, tl.grad(filled)(A, x[0], 4), rtol=1e-12)
    assert "y_tape" not in made[-1].text
