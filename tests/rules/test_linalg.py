"""Linear algebra: norms, determinants, solutions, inverses."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import registry
from tests.rules.support import check
from tests.rules.values import of_hermitian

rng = np.random.default_rng(9)
START = rng.bit_generator.state
NUMPY_2 = hasattr(np.linalg, "vecdot")
needs_numpy_2 = pytest.mark.skipif(not NUMPY_2, reason="names of NumPy 2")


@pytest.fixture(autouse=True)
def same_numbers():
    """Each test draws the same numbers, whatever runs before it."""
    rng.bit_generator.state = START


def draw(*shape):
    return rng.uniform(-1.0, 1.0, shape)


def away(*shape):
    """Numbers away from 0, whose powers are smooth."""
    return draw(*shape) + np.where(draw(*shape) < 0.0, -1.5, 1.5)


def complex_draw(*shape):
    return draw(*shape) + 1j * draw(*shape)


def complex_away(*shape):
    return away(*shape) + 1j * draw(*shape)


def regular(*shape):
    return draw(*shape) + 2.0 * np.eye(shape[-1])


A = regular(3, 3)
SQUARE = [A, regular(1, 1), regular(2, 3, 3), A.T, A + 0.3j * draw(3, 3),
          regular(2, 2, 2) + 0.3j * draw(2, 2, 2), A.astype(np.float32), A[::-1, ::-1],
          np.zeros((0, 2, 2))]


@pytest.mark.parametrize("a", SQUARE)
def test_square(a):
    check(np.linalg.inv, a)
    check(np.linalg.det, a)
    check(np.linalg.slogdet, a)
    if a.size:
        for n in (3, 1, 0, -1, -2, 6):
            check(np.linalg.matrix_power, a, n, rtol=1e-4)


@pytest.mark.parametrize("a", [
    np.array([[1.0, 2.0], [2.0, 4.0]]), np.diag([1.0, 2.0, 0.0]), np.zeros((2, 2)),
    np.array([[[1.0, 2.0], [2.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]]),
    np.outer(complex_draw(3), complex_draw(3)), np.zeros((1, 1)),
])
def test_determinants_of_singular_matrices(a):
    check(np.linalg.det, a)
    tl.check_grads(lambda x: np.sum(np.real(np.linalg.det(x) * (1.0 + 1j))), (a,), order=2,
                   modes=("fwd", "rev"))


@pytest.mark.parametrize("a, b", [
    (A, draw(3)), (A, draw(3, 2)), (regular(2, 3, 3), draw(2, 3, 2)), (regular(2, 3, 3), draw(3)),
    (A, draw(2, 3, 2)), (A + 0.2j, draw(3)), (A, complex_draw(3)), (A, draw(3, 0)),
    (A.astype(np.float32), draw(3).astype(np.float32)), (regular(1, 3, 3), draw(2, 3, 2)),
])
def test_solve(a, b):
    check(np.linalg.solve, a, b)


@pytest.mark.parametrize("shape, axes", [
    ((2, 3, 6), None), ((6, 2, 3), None), ((2, 6, 3), (1,)), ((3, 2, 6), (0, 1)), ((6, 3, 2), (2,))
])
def test_tensorsolve(shape, axes):
    a = rng.standard_normal(shape)
    kept = [n for k, n in enumerate(shape) if axes is None or k not in {i % 3 for i in axes}]
    rows = kept[:1] if kept[0] == 6 else kept[:2]
    check(np.linalg.tensorsolve, a, draw(*rows), axes, rtol=1e-4)
    check(np.linalg.tensorsolve, a + 0.3j * draw(*shape), complex_draw(*rows), axes=axes,
          rtol=1e-4)


@pytest.mark.parametrize("shape, ind", [((2, 3, 6), 2), ((6, 2, 3), 1), ((2, 3, 3, 2), 2)])
def test_tensorinv(shape, ind):
    check(np.linalg.tensorinv, rng.standard_normal(shape), ind=ind, rtol=1e-4)
    check(np.linalg.tensorinv, rng.standard_normal(shape) + 1j * draw(*shape), ind, rtol=1e-4)


@pytest.mark.parametrize("a", [draw(3, 2), draw(2, 3), A, draw(2, 3, 2), complex_draw(3, 2),
                               complex_draw(2, 2, 3), draw(3, 1)])
def test_pinv(a):
    check(np.linalg.pinv, a, rtol=1e-4)


@pytest.mark.parametrize("a", [A + A.T, A + A.T + 1j * (A - A.T)])
def test_pinv_of_symmetric_matrices(a):
    check(np.linalg.pinv, a, hermitian=True,
          compare=of_hermitian(np.linalg.pinv, hermitian=True))


def test_pinv_of_constant_rank():
    """Along directions that keep the rank."""
    u, v = draw(4, 2), draw(2, 3)
    tl.check_grads(lambda u, v: np.sum(np.sin(np.linalg.pinv(u @ v, 1e-10))), (u, v), order=2,
                   modes=("fwd", "rev"))


@pytest.mark.parametrize("a, b", [
    (draw(5, 3), draw(5)), (draw(5, 3), draw(5, 2)), (draw(3, 5), draw(3)), (A, draw(3, 2)),
    (complex_draw(5, 3), complex_draw(5, 2)), (complex_draw(3, 5), complex_draw(3)),
    (draw(5, 3), complex_draw(5)),
])
@pytest.mark.parametrize("rcond", [None, 1e-12])
def test_lstsq(a, b, rcond):
    if np.iscomplexobj(a) == np.iscomplexobj(b):
        check(np.linalg.lstsq, a, b, rcond, wrt=[0, 1], rtol=1e-4)
    check(np.linalg.lstsq, a, b, rcond=rcond, wrt=[1], rtol=1e-4)


def test_lstsq_of_low_rank():
    def f(u, v, b):
        x, rest, rank, s = np.linalg.lstsq(u @ v, b, rcond=1e-10)
        return np.sum(x ** 3) + np.sum(s ** 2) + rank * np.sum(rest)

    tl.check_grads(f, (draw(5, 2), draw(2, 3), draw(5)), order=2, modes=("fwd", "rev"))


# Norms ------------------------------------------------------------------------------------------
VECTOR_ORDERS = [None, 1, 2, 3, 0.5, -1, -2, np.inf, -np.inf]
MATRIX_ORDERS = [None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf]


@pytest.mark.parametrize("order", VECTOR_ORDERS)
def test_vector_norms(order):
    for x in (away(4), complex_away(4), away(1), away(4)[::-2]):
        check(np.linalg.norm, x, order, wrt=[0])
    for x in (away(3, 4), complex_away(3, 4)):
        for axis in (0, -1):
            check(np.linalg.norm, x, order, axis, wrt=[0])
            check(np.linalg.norm, x, ord=order, axis=axis, keepdims=True)


@pytest.mark.parametrize("order", MATRIX_ORDERS)
def test_matrix_norms(order):
    for x in (away(3, 4), away(4, 3), complex_away(3, 2), away(3, 1)):
        check(np.linalg.norm, x, order, wrt=[0])
        check(np.linalg.norm, x, order, keepdims=True, wrt=[0])
    for axis in ((0, 1), (-1, 0), (2, 1)):
        check(np.linalg.norm, away(2, 3, 4), order, axis, wrt=[0])
        check(np.linalg.norm, complex_away(2, 3, 4), order, axis, True, wrt=[0])


def test_norms_of_more_dimensions():
    check(np.linalg.norm, away(2, 3, 4))
    check(np.linalg.norm, away(2, 3, 4), keepdims=True)


@needs_numpy_2
@pytest.mark.parametrize("order", [1, 2, 3, np.inf, -1])
def test_vector_norm(order):
    for axis in (None, 0, (0, 1), (-1, 0), (1,)):
        check(np.linalg.vector_norm, away(2, 3, 4), ord=order, axis=axis)
        check(np.linalg.vector_norm, complex_away(2, 3), ord=order, axis=axis, keepdims=True)
    check(np.linalg.vector_norm, away(3), ord=order)


@needs_numpy_2
@pytest.mark.parametrize("order", MATRIX_ORDERS)
def test_matrix_norm(order):
    check(np.linalg.matrix_norm, away(3, 2), ord=order)
    check(np.linalg.matrix_norm, complex_away(2, 3, 2), ord=order, keepdims=True)


@pytest.mark.parametrize("p", [None, 2, -2, "fro", "nuc", 1, -1, np.inf, -np.inf])
def test_cond(p):
    check(np.linalg.cond, A, p, wrt=[0])
    check(np.linalg.cond, regular(2, 3, 3), p, wrt=[0])
    check(np.linalg.cond, A + 0.3j * away(3, 3), p, wrt=[0])
    if p in (None, 2, -2):
        check(np.linalg.cond, away(4, 3), p, wrt=[0])


@needs_numpy_2
def test_diagonals():
    for x in (away(3, 3), away(2, 3, 4), complex_away(3, 2)):
        for offset in (0, 1, -1):
            check(np.linalg.diagonal, x, offset=offset)
            check(np.linalg.trace, x, offset=offset)
    check(np.linalg.trace, away(2, 3, 3), dtype=complex)


@pytest.mark.parametrize("shapes", [
    [(2, 3), (3, 4)], [(2, 3), (3, 4), (4, 2)], [(3,), (3, 4), (4,)], [(2, 3), (3,)],
    [(3,), (3, 2)], [(3,), (3,)], [(2, 3), (3, 4), (4, 5), (5, 2)],
])
def test_multi_dot(shapes):
    check(np.linalg.multi_dot, [away(*s) for s in shapes])
    check(np.linalg.multi_dot, tuple(complex_away(*s) for s in shapes))
    check(np.linalg.multi_dot, [away(*s).astype(np.float32) for s in shapes])


# Through the public interface -------------------------------------------------------------------
def solved(x):
    return np.sum(np.linalg.solve(x, np.cos(x)) ** 2) * np.linalg.det(x)


def inverted(x):
    y = np.linalg.inv(x @ x.T + np.eye(3))
    return np.trace(y @ x) + np.linalg.slogdet(y).logabsdet + np.linalg.slogdet(y)[1] ** 2


def logarithm(x):
    sign, logarithm = np.linalg.slogdet(x)
    return sign * logarithm ** 2


def complex_determinant(x):
    sign, logarithm = np.linalg.slogdet(x + 1j * np.sin(x) @ x)
    return sign.real * logarithm + np.linalg.det(x + 1j * x @ x).imag


def powers(x):
    return np.sum(np.sin(np.linalg.matrix_power(x, 3))) + np.sum(np.linalg.matrix_power(x, -2))


def chain(x):
    return np.sum(np.linalg.multi_dot([x, x.T, np.sin(x)]) ** 2) \
        + np.linalg.multi_dot((x[0], x, x[1]))


def pseudoinverse(x):
    return np.sum(np.linalg.pinv(x[:, :2]) ** 3) + np.sum(np.linalg.pinv(x[:2]) * x[:, :2])


def fitted_line(x):
    found = np.linalg.lstsq(x[:, :2], np.sin(x[:, 2]), rcond=None)
    return np.sum(found[0] ** 3) + np.sum(found[1]) + np.sum(found[3] ** 2)


def fitted_unpacked(x):
    coefficients, rest, rank, values = np.linalg.lstsq(x[:, :2], x, rcond=None)
    return np.sum(coefficients ** 2) + np.sum(rest ** 2) + np.sum(values) * rank


def tensors(x):
    a = np.reshape(np.outer(x, np.sin(x)) + np.diag(np.arange(1.0, 10.0)), (3, 3, 3, 3))
    return np.sum(np.linalg.tensorsolve(a, x) ** 2) + np.sum(np.linalg.tensorinv(a) ** 2)


def norms(x):
    total = np.linalg.norm(x) * np.linalg.norm(x, 1) + np.linalg.norm(x, 2) * np.linalg.norm(x, -2)
    total = total + np.linalg.norm(x, "nuc") ** 2 + np.linalg.norm(x[0]) * np.linalg.norm(x[1], 3)
    return total + np.sum(np.linalg.norm(x, axis=0) ** 3) + np.linalg.norm(x, np.inf) ** 2


def conditions(x):
    return np.linalg.cond(x) + np.linalg.cond(x, "fro") + np.linalg.cond(x, -2) ** 2


def kalman(x):
    """Predictions and corrections in a loop, the gain from a helper."""
    mean, spread = x[0], x @ x.T + np.eye(3)
    for k in range(3):
        mean, spread = x @ mean, x @ spread @ x.T + 0.1 * np.eye(3)
        weights = gain(spread)
        mean = mean + weights @ (np.sin(mean[:2]) - mean[:2])
        spread = spread - weights @ spread[:2]
    return np.sum(mean ** 2) + np.linalg.slogdet(spread)[1]


def gain(spread):
    return np.linalg.solve(spread[:2, :2] + np.eye(2), spread[:2]).T


@pytest.mark.parametrize("f", [
    solved, inverted, logarithm, complex_determinant, powers, chain, pseudoinverse, fitted_line,
    fitted_unpacked, tensors, norms, conditions, kalman], ids=lambda f: f.__name__)
@pytest.mark.sweep(10)
def test_second_order(f):
    x = regular(3, 3)
    tl.check_grads(f, (x,), order=2, modes=("fwd", "rev"))


@pytest.mark.parametrize("f", [solved, powers, pseudoinverse, norms, chain, fitted_unpacked],
                         ids=lambda f: f.__name__)
def test_single_precision_stays(f):
    gradient = tl.grad(f)(regular(3, 3).astype(np.float32))
    assert gradient.dtype == np.float32


def test_what_is_written():
    source = tl.grad(lambda x: np.linalg.slogdet(x)[1]).source_for(A)
    assert "np.linalg.inv(x).T" in source and "slogdet_weight" not in source


@pytest.mark.parametrize("module", [np.linalg, np.fft], ids=lambda m: m.__name__)
def test_every_name_is_decided(module):
    """Each function has a derivative, or is declared to have none."""
    for name in dir(module):
        function = getattr(module, name)
        if name.startswith("_") or not callable(function) or name in ("LinAlgError", "test"):
            continue
        entry = registry.lookup(function)
        assert entry is not None and (entry.constant or (entry.adjoint and entry.tangent)), name
