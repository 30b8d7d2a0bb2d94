"""Adjoints that are diagonals are not made matrices, and the derivatives are what they were."""
import numpy as np
import pytest

import tangent_lite as tl


def trace(a, b):
    return np.trace(a @ b) ** 2


def method(a, b):
    return np.exp(0.1 * a.dot(b).trace())


def diagonal(a, b):
    d = np.diagonal(np.matmul(a, b))
    return np.sum(d * d)


def diag(a, b):
    return np.sum(np.sin(np.diag(a @ b)))


def twice(a, b):
    return np.trace(a @ b @ a @ b)


def with_itself(a, b):
    return np.trace(a @ a.T) * np.sum(b)


def in_a_loop(a, b):
    total, d = 0.0, np.ones(min(a.shape[0], b.shape[1]))
    for k in range(3):
        d = np.diag(a @ b) * d
        total = total + np.trace(a @ b) * k + np.sum(d)
    return total


def in_a_branch(a, b):
    t = a @ b
    if a.shape[0] > 2:
        y = np.trace(t)
    else:
        y = np.sum(t * t)
    return y * y


def also_read(a, b):
    t = a @ b
    return np.trace(t) * float(t.shape[0]) + np.sum(np.diag(t)) * np.sum(t)


def written(a, b):
    t = a @ b
    t[0, 0] = 2.0 * t[0, 0] * t[0, 0]
    return np.trace(t)


def offset(a, b):
    return np.trace(a @ b, 1) + np.sum(np.diag(a @ b, -1) ** 2)


FUNCTIONS = (trace, method, diagonal, diag, twice, with_itself, in_a_loop, in_a_branch, also_read,
             written, offset)
SHAPES = ((3, 2, 3), (2, 3, 4), (4, 3, 2), (1, 3, 1), (3, 1, 2), (2, 0, 2), (1, 1, 3))


def numeric(f, args, h=1e-6):
    found = []
    for spot, x in enumerate(args):
        g = np.zeros_like(x)
        for place in np.ndindex(x.shape):
            sides = []
            for sign in (1, -1):
                moved = [np.array(a, order="K") for a in args]
                moved[spot][place] += sign * h
                sides.append(f(*moved))
            g[place] = (sides[0] - sides[1]) / (2 * h)
        found.append(g)
    return found


@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("f", FUNCTIONS)
def test_against_differences(f, sizes):
    if f is twice and sizes[0] != sizes[2]:
        pytest.skip("a @ b @ a needs the sizes")
    rng = np.random.default_rng(sum(sizes))
    n, k, m = sizes
    args = rng.normal(size=(n, k)), np.asfortranarray(rng.normal(size=(k, m)))
    kept = [x.copy() for x in args]
    d = tl.grad(f, wrt=("a", "b"))
    for found, expected, x in zip(d(*args), numeric(f, args), args):
        assert found.shape == x.shape and found.dtype == x.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
    assert all(np.array_equal(x, y) for x, y in zip(args, kept))


@pytest.mark.parametrize("f", [trace, diagonal, diag, in_a_loop])
@pytest.mark.parametrize("sizes", [(2, 3, 2), (3, 2, 4)])
@pytest.mark.sweep(3)
def test_second_order(f, sizes):
    rng = np.random.default_rng(7)
    n, k, m = sizes
    tl.check_grads(f, (rng.normal(size=(n, k)), rng.normal(size=(k, m))), order=2)


def test_float32_stays():
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    for f in (trace, diagonal):
        assert tl.grad(f)(a, a.T.copy()).dtype == np.float32


def test_the_product_is_not_computed():
    def f(a, b):
        return np.trace(a @ b)

    square = tl.grad(f).source_for(np.ones((2, 3)), np.ones((3, 2)))
    assert "ba = bf * b.T\n" in square and "=" not in square.split("Backward pass")[0].replace(
        "bf=1.0", "").replace("==", "")
    wide = tl.grad(f).source_for(np.ones((2, 3)), np.ones((3, 4)))
    assert "diagonal_matmul" in wide and "a @ b" not in wide.split("Backward pass")[0]


@pytest.mark.parametrize("f", [trace, diagonal])
def test_sizes_that_do_not_fit_are_errors_without_the_product_too(f):
    with pytest.raises(ValueError, match="matmul"):
        tl.grad(f, wrt=("a", "b"))(np.ones((2, 3)), np.ones((4, 2)))


def test_an_adjoint_that_changes_between():
    """The adjoint of the diagonal is what it was at the diagonal's own statement."""
    def f(a, b):
        t = a @ b
        d = np.diag(t)
        d = d * np.sum(a)
        d = d + np.sum(b) * d
        return np.sum(d * d)
    rng = np.random.default_rng(3)
    args = rng.normal(size=(3, 2)), rng.normal(size=(2, 3))
    for found, expected in zip(tl.grad(f, wrt=("a", "b"))(*args), numeric(f, args)):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("function", [
    lambda W: np.trace(W @ W.T), lambda W: np.sum(np.diagonal(W @ W.T) ** 2),
    lambda W: np.sum(np.diag(W.T @ W) ** 2)])
@pytest.mark.sweep(2)
def test_matrices_of_other_shapes_in_each_iteration(function):
    def total(ws):
        found = 0.0
        for W in ws:
            found = found + function(W)
        return found

    tl.check_grads(total, ([np.arange(6.0).reshape(3, 2), np.ones((1, 2)), np.ones((2, 4))],))


def test_compiled():
    pytest.importorskip("numba")
    d = tl.grad(trace, wrt=("a", "b"), backend="numba")
    rng = np.random.default_rng(5)
    for n, k, m in ((3, 2, 3), (2, 3, 4), (4, 3, 2)):
        args = rng.normal(size=(n, k)), rng.normal(size=(k, m))
        for found, expected in zip(d(*args), tl.grad(trace, wrt=("a", "b"))(*args)):
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def of_a_vector(v):
    a = np.diag(v)
    b = np.diag(v[1:], -1)
    return np.sum(a @ a * np.arange(9.0).reshape(3, 3)) + np.sum(np.sin(b)) * v[0]


def test_the_adjoint_of_a_vector_on_a_diagonal_is_a_diagonal():
    v = np.array([0.3, -0.5, 0.9])
    tl.check_grads(of_a_vector, (v,))
    assert "undiag" not in tl.grad(of_a_vector).source_for(v)
    found = tl.grad(lambda v: np.sum(np.diag(v) * 2.0))(v)
    assert found.tolist() == [2.0] * 3 and found.flags.writeable and found.base is None
    seed = np.ones((3, 3))
    found, = tl.vjp(np.diag, v)[1](seed)
    found[0] = 7.0
    assert seed[0, 0] == 1.0
