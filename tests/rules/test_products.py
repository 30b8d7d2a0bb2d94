"""Products of arrays of every pair of ranks."""
import operator

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.runtime.products import einsum_text
from tests.rules.support import check

rng = np.random.default_rng(6)


def draw(*shape):
    return rng.uniform(-1.5, 1.5, shape)


MATMUL = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((5, 2, 3), (3,)),
          ((3,), (5, 3, 4)), ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)), ((5, 2, 3), (5, 3, 4)),
          ((6, 1, 2, 3), (5, 3, 4)), ((1, 2, 3), (5, 3, 4)), ((0, 3), (3, 2)), ((2, 0), (0, 3)),
          ((1,), (1,)), ((1, 1), (1, 1))]
DOT = [*MATMUL[:6], ((), (3,)), ((2, 3), ()), ((), ()), ((5, 2, 3), (4, 3, 2)), ((2, 3), (4, 3, 2)),
       ((0,), (0,))]
INNER = [((3,), (3,)), ((2, 3), (3,)), ((3,), (4, 3)), ((2, 3), (4, 3)), ((5, 2, 3), (4, 3)),
         ((), (3,)), ((3,), ()), ((), ()), ((5, 2, 3), (4, 2, 3))]


@pytest.mark.parametrize("a, b", MATMUL)
def test_matmul(a, b):
    check(np.matmul, draw(*a), draw(*b))
    check(operator.matmul, draw(*a), draw(*b))
    check(np.matmul, draw(*a) + 1j * draw(*a), draw(*b))
    check(np.matmul, draw(*a).astype(np.float32), draw(*b).astype(np.float32))


@pytest.mark.parametrize("a, b", DOT)
def test_dot(a, b):
    check(np.dot, draw(*a), draw(*b))
    if a:
        check(np.ndarray.dot, draw(*a), draw(*b))
    check(np.dot, draw(*a).astype(np.float32), draw(*b).astype(np.float32))


@pytest.mark.parametrize("a, b", INNER)
def test_inner(a, b):
    check(np.inner, draw(*a), draw(*b))


def test_memory_orders():
    check(np.matmul, draw(3, 2).T, draw(4, 3)[:, ::-1].T)
    check(np.dot, draw(3, 2).T, draw(6)[::2])
    check(np.outer, draw(6)[::-2], draw(2))


def test_numbers():
    check(np.dot, 2.0, 3.0)
    check(np.dot, 2.0, draw(3))
    check(np.inner, 2.0, 3.0)


@pytest.mark.parametrize("a, b", [((3,), (2,)), ((2, 2), (3,)), ((), (3,)), ((0,), (2,))])
def test_outer(a, b):
    check(np.outer, draw(*a), draw(*b))


def test_vdot():
    check(np.vdot, draw(3), draw(3))
    check(np.vdot, draw(2, 3), draw(2, 3))
    check(np.vdot, draw(3) + 1j * draw(3), draw(3) + 1j * draw(3))
    check(np.vdot, draw(3) + 1j * draw(3), draw(3))


@pytest.mark.parametrize("a, b, axes", [
    ((2, 3), (3, 4), 1), ((2, 3, 4), (3, 4, 5), 2), ((2, 3), (4, 5), 0),
    ((2, 3, 4), (4, 3, 5), ([1, 2], [1, 0])), ((2, 3, 4), (3, 5), (1, 0)),
    ((2, 3, 4), (2, 5), ((0,), (0,))), ((3,), (3,), 1), ((2, 3, 4), (4, 3, 5), ((-1, 1), (0, -2))),
])
def test_tensordot(a, b, axes):
    check(np.tensordot, draw(*a), draw(*b), axes)
    check(np.tensordot, draw(*a), draw(*b), axes=axes)


@pytest.mark.parametrize("spec, shapes", [
    ("ij,jk->ik", [(2, 3), (3, 4)]), ("ij,jk", [(2, 3), (3, 4)]), ("i,i", [(3,), (3,)]),
    ("ij->ji", [(2, 3)]), ("ii", [(3, 3)]), ("ii->i", [(3, 3)]), ("ij->", [(2, 3)]),
    ("ij->i", [(2, 3)]), ("i,j->ij", [(2,), (3,)]), ("ij,j->i", [(2, 3), (3,)]),
    ("ij,ik->", [(2, 3), (2, 4)]), ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 2)]),
    ("...ij,...jk->...ik", [(5, 2, 3), (5, 3, 4)]), ("...ij,...jk", [(5, 2, 3), (3, 4)]),
    ("i...->...", [(3, 2)]), ("bii->bi", [(2, 3, 3)]), ("iij->j", [(3, 3, 2)]),
    ("i,i,i->i", [(3,), (3,), (3,)]), ("ij , jk -> ik", [(2, 3), (3, 4)]),
    ("ij,kl->ik", [(2, 3), (4, 2)]), ("i,ij->", [(2,), (2, 3)]), ("ij,ij->ij", [(1, 3), (2, 3)]),
    ("ba", [(2, 3)]), ("...,...", [(2, 3), (3,)]), ("i->", [(0,)]),
])
def test_einsum(spec, shapes):
    check(np.einsum, spec, *(draw(*s) for s in shapes))
    check(np.einsum, spec, *(draw(*s) + 1j * draw(*s) for s in shapes), wrt=[1])


@pytest.mark.parametrize("a, b", [((2,), (3,)), ((2, 3), (3, 2)), ((2,), (3, 2)), ((2, 3), (2,)),
                                  ((2, 1, 2), (3, 2))])
def test_kron(a, b):
    check(np.kron, draw(*a), draw(*b))


@pytest.mark.parametrize("a, b", [((3,), (3,)), ((4, 3), (3,)), ((3,), (4, 3)), ((4, 3), (4, 3))])
def test_cross(a, b):
    check(np.cross, draw(*a), draw(*b))


@pytest.mark.skipif(not hasattr(np.linalg, "matmul"), reason="names of NumPy 2")
def test_names_of_linalg():
    check(np.linalg.matmul, draw(2, 3), draw(3, 4))
    check(np.linalg.outer, draw(2), draw(3))
    check(np.linalg.cross, draw(3), draw(3))


@pytest.mark.parametrize("function", [np.convolve, np.correlate])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("n, m", [(5, 3), (3, 5), (4, 2), (2, 3), (4, 5), (1, 1)])
def test_convolutions(function, mode, n, m):
    check(function, draw(n), draw(m), mode)
    a, v = draw(n) + 1j * draw(n), draw(m) + 1j * draw(m)
    check(function, a, v, mode)
    # Each entry of the Jacobian, by differences.
    jacobian = tl.jacobian(lambda x: function(x, v.real, mode))(a.real)
    columns = [function(e, v.real, mode) for e in np.eye(n)]
    assert np.allclose(jacobian, np.array(columns).T)


# The other form of einsum, and options ----------------------------------------------------------
LISTED = [
    ([(2, 3), [0, 1], (3, 4), [1, 2], [0, 2]]), ([(2, 3), [0, 1], (3, 4), [1, 2]]),
    ([(3, 3), [5, 5]]), ([(3, 3), [0, 0], [0]]), ([(2, 3), [1, 0]]), ([(3,), [0], (3,), [0], []]),
    ([(5, 2, 3), [Ellipsis, 0, 1], (3, 4), [1, 2], [Ellipsis, 0, 2]]), ([(2, 3), [27, 2]]),
]


@pytest.mark.parametrize("call", LISTED)
def test_einsum_of_lists(call):
    arguments = [draw(*a) if isinstance(a, tuple) else a for a in call]
    text, xs = einsum_text(arguments)
    np.testing.assert_array_equal(np.einsum(*arguments), np.einsum(text, *xs))
    places = [k for k, a in enumerate(call) if isinstance(a, tuple)]
    check(np.einsum, *arguments, wrt=places)
    check(np.einsum, *(a + 1j * a[::-1] if isinstance(a, np.ndarray) else a for a in arguments),
          wrt=places)


def test_options_of_einsum():
    x, y = draw(2, 3), draw(3, 4)
    for options in ({"optimize": True}, {"optimize": "optimal"}, {"dtype": complex},
                    {"order": "F"}, {"optimize": ["einsum_path", (0, 1)]}):
        check(np.einsum, "ij,jk->ik", x, y, wrt=[1, 2], **options)


CROSSES = [((2,), (3,), {}), ((4, 2), (2,), {}), ((2,), (2,), {}), ((4, 2), (4, 2), {}),
           ((3, 4), (3, 4), {"axis": 0}), ((3, 4), (4, 3), {"axisa": 0}),
           ((4, 3), (3, 4), {"axisb": 0, "axisc": 0}), ((2, 5, 3), (5, 3), {}),
           ((3, 4), (3, 1), {"axis": 0})]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("a, b, options", CROSSES)
def test_cross_of_axes(a, b, options):
    if 2 in (*a[-1:], *b[-1:]) and np.lib.NumpyVersion(np.__version__) >= "2.5.0":
        pytest.skip("of three components only")
    check(np.cross, draw(*a), draw(*b), **options)
    check(np.cross, draw(*a) + 1j * draw(*a), draw(*b) + 1j * draw(*b), **options)


@pytest.mark.skipif(not hasattr(np, "vecdot"), reason="names of NumPy 2")
@pytest.mark.parametrize("a, b, axis", [
    ((3,), (3,), -1), ((2, 3), (3,), -1), ((2, 3), (2, 3), 0), ((5, 1, 3), (2, 3), -1),
    ((2, 3), (5, 2, 3), -2),
])
def test_vecdot(a, b, axis):
    for fun in (np.vecdot, np.linalg.vecdot):
        check(fun, draw(*a), draw(*b), axis=axis)
        check(fun, draw(*a) + 1j * draw(*a), draw(*b) + 1j * draw(*b), axis=axis)
        check(fun, draw(*a).astype(np.float32), draw(*b).astype(np.float32), axis=axis)
    if len(a) == len(b) == 2:
        check(np.linalg.cross, draw(3, 4), draw(3, 4), axis=0)
        check(np.linalg.tensordot, draw(*a), draw(*b), axes=([1], [1]))


@pytest.mark.skipif(not hasattr(np, "matvec"), reason="names of NumPy 2.2")
@pytest.mark.parametrize("n, stack", [((), ()), ((5,), ()), ((), (5,)), ((5, 1), (4,))])
def test_matvec_and_vecmat(n, stack):
    for more in (0.0, 1j):
        def values(*shape):
            return draw(*shape) + more * draw(*shape)

        check(np.matvec, values(*n, 2, 3), values(*stack, 3))
        check(np.vecmat, values(*n, 3), values(*stack, 3, 2))


# Through the public interface -------------------------------------------------------------------
def listed(x):
    y = np.einsum(x, [0, 1], np.sin(x), [1, 2], [0, 2])
    return np.sum(y ** 2) + np.einsum(x, [0, 0])


def of_any_rank(x):
    y = np.einsum("...ij,...jk->...ik", np.stack((x, x * x)), x)
    return np.sum(np.einsum("bii->bi", y) ** 3) + np.einsum("ij,ij", x, x, optimize=True)


def by_a_path(x):
    path = np.einsum_path("ij,jk,kl->il", x, x, x)[0]
    return np.sum(np.einsum("ij,jk,kl->il", x, x, np.sin(x), optimize=path) ** 2)


def crossed(x):
    return np.sum(np.cross(x, np.sin(x[0])) ** 2) + np.cross(x[0], x[1]) @ x[2]


def tensors(x):
    y = np.tensordot(x, np.outer(x, x).reshape(3, 3, 3, 3), axes=([0, 1], [1, 3]))
    return np.sum(np.kron(x, y) ** 2) + np.vdot(x, y) + np.sum(np.inner(x, y) ** 2)


def stacked_vectors(x):
    y = np.vecdot(x, np.sin(x)) + np.matvec(x, x[0]) * np.vecmat(x[1], x)
    return np.sum(y ** 2)


def complex_products(x):
    z = x + 1j * np.sin(x)
    y = np.vecdot(z, np.conj(z) @ z) + np.einsum("ij,jk->i", z, np.conj(z))
    return np.sum(np.abs(y) ** 2) + np.vdot(z[0], z[1]).imag


def attention(x):
    """Queries, keys and values of two heads, the weights from a helper."""
    heads = np.stack((x, np.cos(x)))
    weights = shares(np.einsum("hqd,hkd->hqk", heads, heads))
    return np.sum(np.einsum("hqk,hkd->qd", weights, heads) ** 2)


def shares(scores):
    grown = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return grown / np.sum(grown, axis=-1, keepdims=True)


NEW = [stacked_vectors, complex_products] if hasattr(np, "matvec") else []


@pytest.mark.parametrize("f", [listed, of_any_rank, by_a_path, crossed, tensors, attention, *NEW],
                         ids=lambda f: f.__name__)
@pytest.mark.sweep(3)
def test_second_order(f):
    tl.check_grads(f, (draw(3, 3),), order=2, modes=("fwd", "rev"))


def test_what_is_written():
    source = tl.grad(listed).source_for(draw(3, 3))
    assert 'np.einsum("AC,BC->AB"' in source.replace("'", '"') and "einsum_adjoint" not in source
