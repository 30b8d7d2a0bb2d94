"""Shorter words for what reductions and products of vectors give back."""
import numpy as np
import pytest

import tangent_lite as tl


def rows(x, w):
    return np.sum(np.exp(np.sum(x * x, axis=1)) * w)


def rows_kept(x, w):
    return np.sum(np.sum(x * x, axis=1, keepdims=True) ** 2) * np.sum(w)


def columns(x, w):
    return np.sum(np.sin(np.sum(x * x, axis=0))) + np.sum(w)


def last(x, w):
    return np.sum(np.sin(np.sum(x * x, axis=-1))) + np.sum(w)


def cube(x, w):
    y = np.stack((x, 2.0 * x))
    return np.sum(np.sin(np.sum(y * y, axis=1))) + np.sum(w)


def scaled(x, w):
    s = np.sum(w)
    return np.sum(np.sin(w * s)) * np.sum(x)


def outer(x, w):
    return np.sum(np.tanh(x @ w)) + np.sum(np.tanh(w @ np.ones((len(w), 2))))


def in_a_dict(params, x):
    return np.sum(np.tanh(x @ params["W"] + params["b"]))


def centred(x, w):
    z = (np.tanh(x @ np.ones((len(w), 3))) - w[:3]) @ np.arange(6.0).reshape(3, 2)
    for row in range(2):
        z = z * np.sin(z) + w[row % len(w)]
    return float(len(w)) * np.trace(z.T @ z)


@pytest.mark.parametrize("f", [rows, rows_kept, columns, last, cube, scaled, outer],
                         ids=lambda f: f.__name__)
@pytest.mark.parametrize("n, m", [(4, 3), (1, 3), (3, 1), (1, 1), (3, 0), (3, 3)])
@pytest.mark.parametrize("dtype", [float, np.float32])
def test_reverse_is_forward(f, n, m, dtype):
    if f is rows and m == 0:
        n = 3
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, m)).astype(dtype)
    w = rng.normal(size=m if f is outer else n).astype(dtype)
    along = rng.normal(size=x.shape).astype(dtype), rng.normal(size=w.shape).astype(dtype)
    slope = tl.jvp(f, (x, w), along)[1]
    gradients = tl.grad(f, wrt=(0, 1))(x, w)
    assert [g.shape for g in gradients] == [x.shape, w.shape]
    assert all(g.dtype == dtype for g in gradients)
    total = sum(np.sum(g * d, dtype=float) for g, d in zip(gradients, along))
    assert np.isclose(total, slope, rtol=1e-9 if dtype is float else 2e-4, atol=1e-5)


def test_words():
    x, w = np.ones((4, 3)), np.ones(4)
    assert "[:, None] * x" in " ".join(tl.grad(rows).source_for(x, w).split())
    assert "unreduce" not in tl.grad(rows_kept).source_for(x, w)
    assert "unreduce" not in tl.grad(columns).source_for(x, w)
    source = tl.grad(scaled, wrt=1).source_for(x, w)
    assert " @ w" in source
    source = tl.grad(centred, wrt=1).source_for(np.ones((4, 5)), np.ones(5))
    assert "np.sum(bz, axis=0) @" in source         # the sum of rows, and then one row's product
    source = tl.grad(in_a_dict).source_for({"W": x, "b": np.ones(3)}, np.ones((5, 4)))
    assert '"b": np.sum(bt, axis=0)' in source
    assert "np.outer" not in tl.grad(outer, wrt=1).source_for(x, np.ones(3))


@pytest.mark.parametrize("rows, length", [(4, 3), (1, 3), (0, 3), (4, 1)])
def test_the_sum_of_rows_of_a_product(rows, length):
    """What is subtracted from rows may be a vector as long as they are, or of one item."""
    rng = np.random.default_rng(1)
    x, w = rng.normal(size=(rows, length)), rng.normal(size=length)
    along = rng.normal(size=x.shape), rng.normal(size=w.shape)
    gradients = tl.grad(centred, wrt=(0, 1))(x, w)
    slope = tl.jvp(centred, (x, w), along)[1]
    assert [g.shape for g in gradients] == [x.shape, w.shape]
    assert np.isclose(sum(np.sum(g * d) for g, d in zip(gradients, along)), slope, rtol=1e-10)


def test_complex_products_are_no_dot():
    def f(x, s):
        return np.sum(np.abs(x * s) ** 2)

    x, s = np.array([1.0 + 2.0j, 3.0j]), 0.5 + 0.1j
    assert np.isclose(tl.grad(f, wrt=1)(x, s), 2.0 * np.conj(s) * np.sum(np.abs(x) ** 2))


@pytest.mark.parametrize("rows, width, length", [(5, 3, 3), (1, 3, 3), (5, 3, 1), (0, 3, 3)])
def test_what_is_returned_in_a_dict(rows, width, length):
    rng = np.random.default_rng(2)
    params, x = {"W": rng.normal(size=(4, width)), "b": rng.normal(size=length)}, \
        rng.normal(size=(rows, 4))
    slope = 1.0 - np.tanh(x @ params["W"] + params["b"]) ** 2
    gradient = tl.grad(in_a_dict)(params, x)
    assert np.allclose(gradient["W"], x.T @ slope)
    assert gradient["b"].shape == (length,)
    assert np.allclose(gradient["b"], slope.sum(axis=0) if length == width else slope.sum())


def test_named_tuples_are_not_made_for_one_part():
    def f(k):
        sign, logdet = np.linalg.slogdet(k)
        return 2.0 * logdet

    k = np.eye(3) + 0.1
    assert "SlogdetResult" not in tl.grad(f).source_for(k)
    assert np.allclose(tl.grad(f)(k), 2.0 * np.linalg.inv(k).T)


def test_a_transposed_product_of_two_vectors_is_the_other_product():
    def f(A, u, v):
        return np.sum((A.T @ u) * v) ** 2

    args = np.arange(6.0).reshape(3, 2), np.array([0.5, -1.0, 2.0]), np.array([0.3, 0.7])
    assert ").T" not in tl.grad(f).source_for(*args)
    assert np.allclose(tl.grad(f)(*args), 2.0 * np.sum((args[0].T @ args[1]) * args[2])
                       * np.outer(args[1], args[2]))


def squared(x, a):
    r = a * x
    return np.dot(r, r) + x @ x


def crossed(x, a):
    M = np.outer(x, a * x)
    return np.sum(M @ M + M @ M.T)


def test_both_tangents_of_a_product_of_vectors_are_one():
    """x @ dx is dx @ x; of matrices it is not."""
    x = np.array([0.3, -0.5, 0.7])
    text = tl.jacfwd(squared).source_for(x, 2.0)
    assert "2.0 * (dx @ x)" in text
    assert text.count("@") + text.count("np.dot(") == 4
    for f in (squared, crossed):
        for wrt, v in ((0, np.array([1.0, 0.5, -2.0])), (1, 1.0)):
            tangents = [np.zeros(3), 0.0]
            tangents[wrt] = v
            _, slope = tl.jvp(f, (x, 2.0), tuple(tangents))
            gradient = tl.grad(f, wrt=wrt)(x, 2.0)
            np.testing.assert_allclose(slope, np.sum(gradient * v), rtol=1e-12)
        tl.check_grads(f, (x, 2.0))


def test_half_the_square_of_a_solution():
    """What np.linalg.solve gives shares memory with nothing, so that like terms are one."""
    def energy(A, y):
        z = np.linalg.solve(A, y)
        return 0.5 * z @ z

    args = np.array([[2.0, 0.3], [-0.1, 1.5]]), np.array([0.4, -0.7])
    assert "bz = benergy * z\n" in tl.grad(energy, wrt=(0, 1)).source_for(*args)
    tl.check_grads(energy, args)


def spread_out(x, a):
    s = (x[:, None] - x[None, :]) * a
    p = 1.0 / (1.0 + s ** 2) ** 3
    return np.sum(p ** 2 - p)


def test_negatives_come_second():
    """`-a` and then `+= b`, and `-a + b`, are `b - a`: one array less each."""
    x = np.array([0.3, -0.5, 0.7])
    for dtype in (float, np.float32):
        text = tl.grad(spread_out, wrt=(0, 1)).source_for(x.astype(dtype), 1.5)
        assert "bp = -" not in text and "bx = np.sum(bt, axis=1) - np.sum(bt, axis=0)" in text
        found = tl.grad(spread_out)(x.astype(dtype), 1.5)
        assert found.dtype == dtype
        np.testing.assert_allclose(found, tl.grad(spread_out)(x, 1.5), rtol=1e-5)
    tl.check_grads(spread_out, (x, 1.5))


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("dtype", [float, np.float32, complex])
def test_numbers_stand_in_front_of_sums_of_tangents(n, dtype):
    def energy(x, c):
        r = c * x
        return np.mean(r ** 2) + 3.0 * np.sum(np.real(r) * np.real(x))

    x = (np.linspace(-1.0, 1.5, n) * (1.0 if dtype is not complex else 1.0 - 0.5j)).astype(dtype)
    if dtype is float:
        text = tl.jacfwd(lambda x: np.mean(x ** 2)).source_for(x)
        assert "2.0 * np.mean(dx * x" in text
    v = np.ones_like(x)
    _, slope = tl.jvp(energy, (x, 0.5), (v, None))
    h = 1e-3 if dtype is np.float32 else 1e-6
    wanted = (energy(x + dtype(h) * v, 0.5) - energy(x - dtype(h) * v, 0.5)) / (2.0 * h)
    np.testing.assert_allclose(slope, wanted, rtol=1e-2 if dtype is np.float32 else 1e-6)
