"""Calls that rules are not made for, by the kinds of their arguments, are refused; calls beside
them, of which less is known than of the usual ones, have the derivative of numeric differences."""
import operator

import numpy as np
import pytest
import scipy.linalg as sl
import scipy.special as sp

import tangent_lite as tl
from tests.registered import Programs

X = np.array([0.31, 0.62, 0.45])
A = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 2.5]])
STACK = np.stack([A, A + np.diag([0.1, 0.2, 0.5])])
MASK = np.array([True, False, True])
ORDER = np.array([2, 0, 1])
refused, programs = Programs(), Programs()
WHY = {"orders": "several orders of a norm", "line": "the places have more dimensions",
       "vector_for_stack": "one vector stands beside a stack", "columns": "one column and one row",
       "blocks": "one matrix, not for a stack", "packed": "one matrix, not for a stack",
       "packed_vector": "a vector is taken for a matrix", "third": "a number is taken for a matrix",
       "exponential": "a number is taken for a matrix", "root": "a number is taken for a matrix",
       "equation": "a number is taken for a matrix", "taken_off": "makes another list",
       "not_taken_off": "makes another list", "complex_digamma": "made for real numbers",
       "complex_gamma_twice": "made for real numbers", "maybe_taken_off": "makes another list"}


@refused
def orders(x):
    return np.sum(np.linalg.norm(x, [1, 2]))


@refused
def complex_digamma(x):
    return np.sum(sp.digamma(x + 1j).real)


@refused
def complex_gamma_twice(x):
    return np.sum(tl.grad(lambda x: np.sum(sp.gamma(x + 1j).real))(x))


@refused
def line(x):
    return np.sum(np.trapezoid(x, STACK))


@refused
def vector_for_stack(x):
    return np.sum(sl.solve(STACK * x[0], np.ones(3)))


@refused
def columns(x):
    return np.sum(sl.toeplitz(A * x))


@refused
def blocks(x):
    return np.sum(sl.block_diag(x, STACK * x) ** 2)


@refused
def packed(x):
    return np.sum(sl.lu_factor(STACK * x)[0])


@refused
def packed_vector(x):
    return np.sum(sl.lu_factor(x)[0])


@refused
def third(x):
    return np.sum(sl.solve_sylvester(A, A, x[0]))


@refused
def exponential(x):
    return np.sum(sl.expm(x[0]))


@refused
def root(x):
    return np.sum(sl.sqrtm(x[0]) * x)


@refused
def equation(x):
    return np.sum(sl.solve(x[0], x[1]))


@refused
def taken_off(x):
    kept = np.trim_zeros([0.0, x[0], x[1]])
    return kept[0] * kept[1]


@refused
def not_taken_off(x):
    return np.diff([x[0], x[1]], 0)[0]


@refused
def maybe_taken_off(x, n=0):
    return np.diff([x[0], x[1]], n=n)[0]


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("name", refused)
def test_refused(name, mode):
    with pytest.raises(tl.TangentError, match=WHY[name]) as caught:
        tl.grad(refused[name])(X) if mode == "reverse" else tl.jvp(refused[name], (X,), (X,))
    assert f"{__file__.rpartition('/')[2]}:" in str(caught.value)


# Right --------------------------------------------------------------------------------------------
@programs
def values_and_vectors(x):
    w, v = sl.eigh(STACK * x[0] + A * x[1])
    return np.sum(w ** 3)


@programs
def singular(x):
    u, s, vh = sl.svd(STACK * x[0] + A * x[1])
    return np.sum(s ** 3)


@programs
def singular_alone(x):
    return np.sum(sl.svd(STACK * x[0] + A * x[1], compute_uv=False) ** 3)


@programs
def squares(x):
    u = np.square(MASK)
    return np.sum(x * (u * 3 - u))


@programs
def shifted(x):
    u = np.left_shift(MASK, MASK)
    return np.sum((u + u) * x)


@programs
def summed_parts(x):
    u = np.add.reduceat(MASK, [0, 1, 2])
    return np.sum((u + u) * x)


@programs
def differences(x):
    return np.sum(np.diff(MASK, prepend=0) * x) + np.sum(np.diff(ORDER, append=0.5) * x)


@programs
def close(x):
    return np.sum(np.isclose(x[0], 0.3100001, np.array([1e-3, 1e-9, 1.0])) * x)


@programs
def clipped(x):
    return np.sum(ORDER.clip(0, 1, dtype=np.float32) / 3 * x) + np.sum(np.clip(ORDER, 0.5, 2) * x)


@programs
def running(x):
    return np.sum(np.maximum.accumulate(ORDER, dtype=np.float32) / 3 * x)


@programs
def joined(x):
    parts = operator.add([x[0], x[1]], operator.mul(2, [x[2]]))
    return parts[0] * parts[1] * parts[3] * len(parts)


@programs
def inverse_power(x, n=2, k=-1):
    return x[0] * pow(n, -1) + x[1] * operator.pow(n, k)


@programs
def contiguous(x):
    a, b = np.ascontiguousarray(x[0]), np.asfortranarray(x * x)
    return a[0] * a[0] * b[1]


@programs
def repeated(x):
    return np.sum(np.repeat(x[0], 3, 0) * x) + np.repeat(x[1], 1, 0)[0]


@programs
def order_of_one(x):
    return x[np.lexsort(x)] ** 2 + np.sum(x[np.lexsort((x,))] * x)


@programs
def compared(x):
    y = np.zeros(3)
    r = np.less(x, 0.5, y)
    return np.sum((r + r) * x) + np.sum(np.rint(x[0], y) * x)


@programs
def any_into(x):
    y = np.zeros(3)
    r = (A > 1.0).any(0, None, y)
    return np.sum((r + r) * x)


@programs
def products(x):
    y = np.zeros(3)
    r = np.matmul(A, x, y)
    return np.sum(r * x) + np.sum(y * x * x)


@pytest.mark.parametrize("name", programs)
def test_right(name):
    f, h = programs[name], 1e-6
    expected = np.array([(f(X + h * e) - f(X - h * e)) / (2 * h) for e in np.eye(3)])
    value, found = tl.value_and_grad(f)(X)
    assert value == f(X)
    assert np.allclose(found, expected, rtol=1e-5, atol=1e-7)
    for k, e in enumerate(np.eye(3)):
        assert np.allclose(tl.jvp(f, (X,), (e,))[1], expected[k], rtol=1e-5, atol=1e-7)
