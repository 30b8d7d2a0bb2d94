"""Rules of functions of polynomials."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.runtime import polynomials as helpers
from tests.rules.support import check

rng = np.random.default_rng(6)


def draw(*shape):
    return rng.uniform(0.4, 1.5, shape)


P, Q, X = draw(4), draw(3), draw(2, 3)
POINTS, VALUES, WEIGHTS = np.linspace(-1.0, 1.5, 7), draw(7), draw(7)
ROOTS = np.array([0.3, -1.2, 2.0])

CASES = [
    (np.polyval, (P, X), {}), (np.polyval, (P, 1.5), {}), (np.polyval, (P[:1], draw(3)), {}),
    (np.polyval, (P + 1j, draw(3)), {}), (np.polyval, (P, draw(3) + 1j), {}),
    (np.polyval, (P.astype(np.float32), draw(3).astype(np.float32)), {}),
    (np.polyval, (P, draw(0)), {}), (np.polyval, (P[::-1], draw(6)[::2]), {}),
    (np.polyder, (P,), {}), (np.polyder, (P, 2), {}), (np.polyder, (P, 0), {}),
    (np.polyder, (P[:1],), {}), (np.polyder, (P.astype(np.float32), 2), {}),
    (np.polyint, (P,), {}), (np.polyint, (P, 2), {}),
    (np.polyint, (P, 2, [1.0, 2.0]), {"wrt": [0]}),
    (np.polyint, (P, 0), {}), (np.polyint, (P.astype(np.float32),), {}), (np.polyint, (P[:1],), {}),
    (np.polyadd, (P, Q), {}), (np.polyadd, (Q, P), {}), (np.polyadd, (P, 2.0), {}),
    (np.polysub, (P, Q), {}), (np.polysub, (Q, P), {}), (np.polysub, (2.0, P), {}),
    (np.polymul, (P, Q), {}), (np.polymul, (P, 2.0), {}), (np.polymul, (P + 1j, Q), {}),
    (np.polymul, (Q.astype(np.float32), P.astype(np.float32)), {}),
    (np.polydiv, (P, Q), {}), (np.polydiv, (Q, P), {}), (np.polydiv, (draw(6), Q), {}),
    (np.polydiv, (P, draw(1)), {}), (np.polydiv, (P, draw(4)), {}), (np.polydiv, (P + 1j, Q), {}),
    (np.poly, (ROOTS,), {}), (np.poly, (draw(1),), {}), (np.poly, (draw(3, 3),), {}),
    (np.poly, (ROOTS + 1j,), {}), (np.poly, (draw(1, 1),), {}),
    (np.roots, (np.array([1.0, -2.0, -1.5, 0.7]),), {}),
    (np.roots, (np.array([1.0, 0.5, 2.0]),), {}),
    (np.roots, (np.array([1.0 + 0.2j, 0.5, 2.0j]),), {}), (np.roots, (np.array([2.0, 0.5]),), {}),
    (np.vander, (Q,), {}), (np.vander, (Q, 5), {}), (np.vander, (Q, 2, True), {}),
    (np.vander, (Q, 1), {}), (np.vander, (Q, 4), {"increasing": True}), (np.vander, (draw(0),), {}),
    (np.vander, (Q.astype(np.float32),), {}), (np.vander, (Q + 1j,), {}), (np.vander, (Q, 0), {}),
    (np.polyfit, (POINTS, VALUES, 2), {}), (np.polyfit, (POINTS, VALUES, 0), {}),
    (np.polyfit, (POINTS, VALUES, 3), {"w": WEIGHTS}), (np.polyfit, (POINTS, draw(7, 2), 1), {}),
    (np.polyfit, (POINTS, draw(7, 2), 2), {"w": WEIGHTS}), (np.polyfit, (POINTS[:3], Q, 2), {}),
    (helpers.tail_like, (P, 1.5), {}), (helpers.in_tail, (Q, Q, P), {}),
    (helpers.in_tail_of, (Q, P), {}), (helpers.trimmed_like, (Q, np.array([0.0, 1.0, 0.0])), {
        "wrt": [0]}),
    (helpers.polyder_adjoint, (draw(3), P), {}), (helpers.polyint_tangent, (Q, 2), {}),
    (helpers.polyint_adjoint, (P, Q), {}),
]


@pytest.mark.parametrize("fun, args, options", CASES,
                         ids=lambda v: getattr(v, "__name__", "") if callable(v) else "")
def test_case(fun, args, options):
    check(fun, *args, **options)


def quotient_and_rest(u, v):
    q, r = np.polydiv(u, v)
    return np.sum(q ** 2) + np.sum(r ** 3)


def along_a_curve(p, x):
    total = 0.0
    for k in range(3):
        total = total + np.polyval(np.polymul(p, np.array([1.0, x[k]])), x[k] * p[0])
    return total


FUNCTIONS = [
    (lambda p, x: np.sum(np.polyval(p, x) ** 2), (P, draw(3))),
    (lambda p: np.sum(np.polyder(p * p, 1) ** 2), (P,)),
    (lambda p: np.sum(np.polyint(p * p) ** 2), (P,)),
    (lambda p, q: np.sum(np.polyadd(p * p, q) ** 2), (P, Q)),
    (lambda p, q: np.sum(np.polysub(p, q * q) ** 3), (P, Q)),
    (lambda p, q: np.sum(np.polymul(p, q) ** 2), (P, Q)),
    (quotient_and_rest, (draw(5), Q)),
    (lambda r: np.sum(np.poly(r) ** 2), (ROOTS,)),
    (lambda a: np.sum(np.poly(a) ** 2), (draw(3, 3),)),
    (lambda p: np.sum(np.abs(np.roots(p)) ** 2), (np.array([1.0, -2.0, 1.5, 0.7]),)),
    (lambda x: np.sum(np.vander(x, 4) ** 2), (Q,)),
    (lambda x, y: np.sum(np.polyfit(x, y, 2) ** 2), (POINTS, VALUES)),
    (lambda x, y, w: np.sum(np.polyfit(x, y, 1, w=w) ** 2), (POINTS, VALUES, WEIGHTS)),
    (along_a_curve, (Q, draw(3))),
]


@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
@pytest.mark.sweep(5)
def test_second_order(number):
    function, args = FUNCTIONS[number]
    tl.check_grads(function, args, order=2, modes=("fwd", "rev"))


def test_leading_zeros_have_no_derivative():
    p = np.array([0.0, 0.0, 1.0, 2.0])
    found = tl.grad(lambda p: np.sum(np.polymul(p, [3.0, 1.0]) ** 2))(p)
    assert found.tolist() == [0.0, 0.0, 2.0 * (3.0 * 3.0 + 7.0), 2.0 * (3.0 * 7.0 + 2.0)]
    assert tl.jvp(lambda p: np.polymul(p, [3.0, 1.0]), (p,), (np.ones(4),))[1].tolist() == [
        3.0, 4.0, 1.0]


def test_points_that_determine_no_polynomial():
    with pytest.raises(NotImplementedError, match="do not determine"), \
            pytest.warns(Warning, match="poorly conditioned"):
        tl.grad(lambda y: np.sum(np.polyfit(np.array([1.0, 1.0, 2.0]), y, 2)))(np.ones(3))


def test_poly1d_is_refused():
    with pytest.raises(tl.MissingRuleError, match="poly1d is not differentiated: a poly1d is"):
        tl.grad(lambda p: np.poly1d(p)(2.0))(P)


@pytest.mark.parametrize("function", [
    lambda p: np.polyval(p, ROOTS[:2]), lambda p: np.polyval(p, 0.5) * p,
    lambda p: np.polyadd(p, p)])
def test_columns_of_coefficients_are_refused(function):
    """`np.polyval(p, x)` of two such columns and two x was the sum over all x for each column."""
    with pytest.raises(NotImplementedError, match="several polynomials at once"):
        tl.grad(lambda p: np.sum(function(p) ** 2))(np.array([[1.0, 2.0], [3.0, 5.0]]))
    with pytest.raises(NotImplementedError, match="several polynomials at once"):
        tl.grad(lambda p: np.sum(np.polyder(p) ** 2))(np.ones((3, 2)))


def test_columns_of_coefficients_in_forward_mode():
    def f(p):
        y = np.polyval(p, 0.5)
        y += 1.0
        return np.sum(y ** 2)

    p, dp = np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([[0.1, 0.4], [-0.3, 0.2]])
    found = (f(p + 1e-6 * dp) - f(p - 1e-6 * dp)) / 2e-6
    assert tl.jvp(f, (p,), (dp,))[1] == pytest.approx(found, rel=1e-6)
