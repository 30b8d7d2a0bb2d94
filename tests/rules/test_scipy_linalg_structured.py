"""scipy.linalg: Hankel, circulant and Toeplitz matrices."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.rules.support import check

sl = pytest.importorskip("scipy.linalg")
rng = np.random.default_rng(21)
C, R, X = rng.uniform(0.1, 1.0, 4), rng.uniform(0.1, 1.0, 4), rng.uniform(-1.0, 1.0, (4, 2))
C[0] += 3.0


def test_matrices():
    check(sl.hankel, C)
    check(sl.hankel, C, R)
    check(sl.hankel, C[:3], R)
    check(sl.hankel, C, R[:2])
    check(sl.hankel, C[:1])
    check(sl.hankel, C + 0.5j * R, R)
    check(sl.circulant, C)
    check(sl.circulant, C[::-2])


@pytest.mark.parametrize("fun", [sl.matmul_toeplitz, sl.solve_toeplitz])
def test_toeplitz_systems(fun):
    check(fun, C, R)
    check(fun, C, X)
    check(fun, (C, R), X)
    check(fun, (C, R), R)
    check(fun, (C + 0.2j * R, R), X + 0.5j)
    check(fun, C + 0.0j, R + 0.5j)


def test_toeplitz_of_a_rectangle():
    check(sl.matmul_toeplitz, (C, R[:2]), X[:2])
    check(sl.matmul_toeplitz, (C[:2], R), X)


def solved(c, r, b):
    return np.sum(sl.solve_toeplitz((c, r), b) ** 3)


def filled(c, r):
    return np.sum(sl.hankel(c, r) ** 3) + np.sum(sl.circulant(c) ** 3)


def test_second_order():
    tl.check_grads(filled, (C, R))
    tl.check_grads(solved, (C, R, X[:, 0]), order=1)


def polar_of(a):
    return np.sum(sl.polar(a)[0])


def triangular_of(a):
    return np.sum(sl.schur(a)[0])


@pytest.mark.parametrize("fun, word", [(polar_of, "np.linalg.svd"), (triangular_of, "eigh")])
def test_refused(fun, word):
    with pytest.raises(tl.TangentError, match=word):
        tl.grad(fun)(np.outer(C, R) + np.eye(4))
