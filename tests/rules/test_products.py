"""Products of arrays of every pair of ranks."""
import operator

import numpy as np
import pytest

import tangent_lite as tl
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
