"""numpy.polynomial: values, derivatives and integrals of series."""
import numpy as np
import pytest
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

import tangent_lite as tl
from tangent_lite.errors import MissingRuleError
from tests.rules.support import check

rng = np.random.default_rng(22)
C, X, TABLE = rng.uniform(-1.0, 1.0, 5), rng.uniform(-0.9, 0.9, 3), rng.uniform(-0.9, 0.9, (2, 3))
FAMILIES = [(polynomial, "poly"), (chebyshev, "cheb"), (legendre, "leg"), (hermite, "herm"),
            (hermite_e, "herme"), (laguerre, "lag")]
families = pytest.mark.parametrize("module, name", FAMILIES, ids=[n for _, n in FAMILIES])


@families
def test_series(module, name):
    value, slope, integral, powers = (getattr(module, name + end)
                                      for end in ("val", "der", "int", "vander"))
    for x in (X, TABLE, 0.3, np.array(0.4), TABLE.T, X[:0]):
        check(value, x, C)
        check(powers, x, 3)
    check(value, X, C[:1])
    check(value, X + 0.2j, C + 0.1j)
    check(slope, C)
    check(slope, C, 2, 0.5, wrt=[0])
    check(slope, C[:2], 3)
    check(integral, C)
    check(slope, 0.7)
    check(integral, np.array(0.7))
    check(integral, C, 2, [0.5, 1.0], 0.25, 2.0, wrt=[0])
    check(powers, X, 0)


def fitted(x, c):
    slopes = legendre.legval(x, legendre.legder(c))
    return np.sum(chebyshev.chebval(x, c) ** 2) + np.sum(slopes ** 3)


def rows(x, c):
    return np.sum(polynomial.polyval(x, c))


def evaluated(x, c):
    return np.sum(np.polynomial.Polynomial(c)(x))


def test_second_order():
    tl.check_grads(fitted, (X, C))


def test_several_series_are_refused():
    with pytest.raises(NotImplementedError, match="one after the other"):
        tl.grad(rows)(X, np.ones((3, 2)))


def test_objects_are_refused():
    with pytest.raises(tl.TangentError, match="chebval"):
        tl.grad(evaluated, wrt="c")(X, C)


@pytest.mark.parametrize("kind, value", [
    (np.polynomial.Polynomial, polynomial.polyval), (np.polynomial.Chebyshev, chebyshev.chebval),
    (np.polynomial.HermiteE, hermite_e.hermeval)])
def test_objects_are_refused_with_what_gives_the_same(kind, value):
    p = kind([1.0, 2.0, 3.0], domain=[-2.0, 3.0])
    offset, scale = p.mapparms()
    x = np.array([0.3, -0.7])
    for derivative in (tl.grad(lambda x: np.sum(p(x))),
                       lambda x: tl.jvp(lambda x: np.sum(p(x)), (x,), (x,))):
        with pytest.raises(MissingRuleError, match=rf"{value.__name__}\(offset \+ scale"):
            derivative(x)
    np.testing.assert_array_equal(value(offset + scale * x, p.coef), p(x))
    found = tl.elementwise_grad(lambda x: value(offset + scale * x, p.coef))(x)
    np.testing.assert_allclose(found, p.deriv()(x), rtol=1e-12)
