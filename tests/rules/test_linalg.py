"""Linear algebra."""
import numpy as np
import pytest

from tests.rules.support import check, evaluate, registry, syntax, template

rng = np.random.default_rng(9)


def draw(*shape):
    return rng.uniform(-1.0, 1.0, shape)


def regular(*shape):
    return draw(*shape) + 2.0 * np.eye(shape[-1])


def symmetric(*shape):
    a = draw(*shape)
    return a + np.swapaxes(a, -1, -2) + 3.0 * np.diag(np.arange(1.0, shape[-1] + 1))


A, S = regular(3, 3), symmetric(3, 3)


@pytest.mark.parametrize("a", [A, regular(1, 1), regular(2, 3, 3), A.T, A + 0.3j * draw(3, 3)])
def test_square(a):
    check(np.linalg.inv, a)
    check(np.linalg.det, a)
    check(np.linalg.matrix_power, a, 3)
    check(np.linalg.matrix_power, a, 0)
    check(np.linalg.matrix_power, a, -2)
    if not np.iscomplexobj(a):
        check(np.linalg.slogdet, a)


@pytest.mark.parametrize("a, b", [
    (A, draw(3)), (A, draw(3, 2)), (regular(2, 3, 3), draw(2, 3, 2)), (regular(2, 3, 3), draw(3)),
    (A, draw(2, 3, 2)), (A + 0.2j, draw(3)),
])
def test_solve(a, b):
    check(np.linalg.solve, a, b)


def lower_from(function):
    """A function of a symmetric matrix, differences taken along symmetric directions."""
    return lambda a: function(0.5 * (a + np.swapaxes(a, -1, -2)))


@pytest.mark.parametrize("a", [S, symmetric(2, 3, 3) + 2 * np.eye(3)])
def test_symmetric(a):
    a = a @ np.swapaxes(a, -1, -2) + np.eye(3) * np.arange(1.0, 4.0)
    check(np.linalg.cholesky, a, modes=["reverse"], compare=lower_from(np.linalg.cholesky))
    check(np.linalg.eigvalsh, a, modes=["reverse"], compare=lower_from(np.linalg.eigvalsh))
    check(np.linalg.eigh, a, modes=["reverse"], compare=lower_from(np.linalg.eigh))


@pytest.mark.parametrize("fun", [np.linalg.cholesky, np.linalg.eigh])
def test_symmetric_forward(fun):
    a, da, h = S @ S.T, symmetric(3, 3), 1e-5
    rule = registry.lookup(fun).tangent
    bound = template.bind(rule, [syntax.load("a")], {})
    names = {}
    filled = template.fill(rule, bound, {"y": syntax.load("y")}, {"a": syntax.load("da")},
                           lambda *_: True,
                           lambda thing, name: names.setdefault(name, thing) and syntax.load(name),
                           lambda name: name, lambda f, call: call)
    found = evaluate(filled.contributions[0][2], {**names, "a": a, "da": da, "y": fun(a)})
    plus, minus = fun(a + h * da), fun(a - h * da)
    expected = [(p - m) / (2 * h) for p, m in zip(plus, minus)]
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("a", [draw(3, 2), draw(2, 3), A, draw(2, 3, 2)])
def test_pinv(a):
    check(np.linalg.pinv, a, rtol=1e-4)


@pytest.mark.parametrize("a", [draw(3, 2), draw(2, 3), A, draw(2, 3, 2)])
def test_svd(a):
    check(np.linalg.svd, a, full_matrices=False, rtol=1e-4)
    check(np.linalg.svd, a, compute_uv=False, rtol=1e-4)


def test_full_svd_is_refused():
    with pytest.raises(NotImplementedError, match="full_matrices=False"):
        check(np.linalg.svd, draw(3, 2))


@pytest.mark.parametrize("shapes", [
    [(2, 3), (3, 4)], [(2, 3), (3, 4), (4, 2)], [(3,), (3, 4), (4,)], [(2, 3), (3,)],
    [(3,), (3, 2)],
])
def test_multi_dot(shapes):
    check(np.linalg.multi_dot, [draw(*s) for s in shapes])
