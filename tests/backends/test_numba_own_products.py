"""Products of arrays in compiled code, against NumPy, bit for bit."""
import numba
import numpy as np
import pytest

from tangent_lite.backends import numba as _registered  # noqa: F401
from tangent_lite.backends.numba_own_products import (
    own_dot,
    own_einsum,
    own_inner,
    own_product,
    own_tensordot,
)

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(40, 30)), RNG.normal(size=(30, 35))
STACK = RNG.normal(size=(3, 20, 30))


@pytest.mark.parametrize("own, plain", [(own_product, np.matmul), (own_dot, np.dot)])
def test_vectors_and_matrices(own, plain):
    run = numba.njit(lambda x, y: own(x, y))
    for x, y in ((A[0], A[1]), (A[:, 0], A[:, 1]), (A[0, ::-1], B[:, 0]), (A, B), (A, B[:, 3]),
                 (A[0], B), (A.T, A), (A[::2, 3:9], B[3:9]), (STACK, B), (np.arange(30), B)):
        assert np.array_equal(run(x, y), plain(x, y)), (x.shape, y.shape)


@pytest.mark.parametrize("call, plain, args", [
    (lambda x, y: own_inner(x, y), np.inner, (A, B.T.copy())),
    (lambda x, y: own_tensordot(x, y, 1), lambda x, y: np.tensordot(x, y, 1), (A, B)),
    (lambda x, y: own_einsum("ij,jk->ik", x, y), lambda x, y: np.einsum("ij,jk->ik", x, y), (A, B)),
    (lambda x: own_einsum("bij->b", x), lambda x: np.einsum("bij->b", x), (STACK,))])
def test_products_by_letters(call, plain, args):
    assert np.array_equal(numba.njit(call)(*args), plain(*args))
