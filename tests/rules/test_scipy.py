"""scipy.special."""
import numpy as np
import pytest

from tests.rules.support import check, pairs, variants

sp = pytest.importorskip("scipy.special")

UNARY = [
    ("erf", -2, 2), ("erfc", -2, 2), ("erfinv", -0.8, 0.8), ("erfcinv", 0.3, 1.7),
    ("erfcx", -1, 2), ("dawsn", -2, 2), ("gamma", 0.5, 3), ("gammaln", 0.5, 3),
    ("loggamma", 0.5, 3), ("rgamma", 0.5, 3), ("digamma", 0.5, 3), ("psi", 0.5, 3),
    ("expit", -2, 2), ("logit", 0.1, 0.9), ("log_expit", -2, 2), ("ndtr", -2, 2),
    ("ndtri", 0.1, 0.9), ("log_ndtr", -2, 2), ("entr", 0.2, 2), ("j0", -2, 2), ("j1", -2, 2),
    ("y0", 0.5, 2), ("y1", 0.5, 2), ("i0", -2, 2), ("i1", -2, 2), ("i0e", 0.2, 2),
    ("exp1", 0.2, 2), ("expi", 0.2, 2), ("spence", 0.2, 0.8), ("log1p", -0.5, 2), ("expm1", -2, 2),
    ("cosm1", -2, 2), ("cbrt", 0.5, 2), ("exp2", -2, 2), ("exp10", -1, 1), ("exprel", -1, 2),
    ("sindg", -90, 90), ("cosdg", -90, 90), ("tandg", -60, 60),
    ("ellipk", 0.1, 0.8), ("ellipe", 0.1, 0.8), ("k0", 0.5, 2), ("k1", 0.5, 2), ("k0e", 0.5, 2),
    ("k1e", 0.5, 2), ("i1e", 0.2, 2),
]
BINARY = [("beta", 0.5, 2), ("betaln", 0.5, 2), ("xlogy", 0.5, 2), ("xlog1py", 0.5, 2),
          ("rel_entr", 0.5, 2), ("kl_div", 0.5, 2)]


@pytest.mark.parametrize("name, low, high", UNARY)
def test_unary(name, low, high):
    for x in variants(low, high):
        check(getattr(sp, name), x, step=1e-4 if high - low < 2 else 1e-3)


@pytest.mark.parametrize("name, low, high", BINARY)
def test_binary(name, low, high):
    for x, y in pairs(low, high):
        check(getattr(sp, name), x, y)


def test_of_constant_order():
    x = np.array([0.5, 1.2])
    check(sp.polygamma, 1, x)
    check(sp.zeta, 2.0, x, wrt=[1])
    check(sp.jn, 2, x)
    check(sp.yn, 2, x)
    check(sp.iv, 1.5, x, wrt=[1])
    check(sp.gammainc, 1.5, x, wrt=[1])
    check(sp.gammaincc, 1.5, x, wrt=[1])
    check(sp.betainc, 1.5, 2.5, x / 2, wrt=[2])


@pytest.mark.parametrize("options", [{}, {"axis": 0}, {"axis": 1}])
def test_sums_of_exponentials(options):
    x = np.random.default_rng(3).standard_normal((2, 3))
    check(sp.logsumexp, x, **options)
    check(sp.logsumexp, x, keepdims=True, **options)
    check(sp.softmax, x, **options)
    check(sp.log_softmax, x, **options)
