"""What is given to a derivative stays as it is, and what it returns is the caller's own."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.api.functions import frozen, same, writes


@pytest.mark.parametrize("layout", [lambda x: x, lambda x: np.asfortranarray(x),
                                    lambda x: np.array([9.0, *x[::-1]])[:0:-1]])
def test_arguments_are_not_written_to(layout):
    x = layout(np.array([1.0, 2.0, 3.0]))
    x.flags.writeable = False
    k = 3.0
    want = np.array([0.0, 8 * 2 * k * k + 8 * 2, 24.0])
    for _ in range(2):
        value, gradient = tl.value_and_grad(writes)(x, k)
        assert value == writes(x.copy(), k)
        same(gradient, want)
        same(tl.grad(writes)(x, k), want)
        y, pullback = tl.vjp(writes, x, k)
        same(pullback(1.0)[0], want)
    assert gradient.flags.writeable


SCRATCH = frozen([7.0, 7.0])


def test_global_arrays_are_not_written_to():
    def f(x):
        SCRATCH[:] = x * x
        return np.sum(SCRATCH * x)

    x = frozen([1.0, 2.0])
    same(tl.grad(f)(x), 3 * x * x)
    assert SCRATCH.tolist() == [7.0, 7.0]


def test_cotangents_are_not_written_to():
    def f(x):
        y = x * 1.0
        y[0] = 0.0
        return y

    w = frozen([1.0, 2.0])
    _, pullback = tl.vjp(f, frozen([3.0, 4.0]))
    for _ in range(2):
        (got,) = pullback(w)
        same(got, np.array([0.0, 2.0]))
        got[:] = np.nan


def test_gradients_share_nothing():
    x = frozen(np.ones(3))
    y, pullback = tl.vjp(lambda a, b: a + b, x, x)
    w = np.ones(3)
    ba, bb = pullback(w)
    assert not any(np.shares_memory(p, q) for p, q in ((ba, bb), (ba, w), (bb, w), (ba, y)))
    first = tl.grad(lambda x: np.sum(x))(x)
    first *= 5.0
    same(tl.grad(lambda x: np.sum(x))(x), np.ones(3))
    p = {"v": frozen([1.0, 2.0])}
    got = tl.grad(lambda p: np.sum(p["v"]))(p)
    assert got["v"].flags.writeable and not np.shares_memory(got["v"], p["v"])


def test_arguments_that_share_memory():
    def f(x, y):
        x[0] = 2.0
        return np.sum(x * y)

    a = np.ones(4)
    same(tl.grad(f)(a[:2], a[2:]), np.array([0.0, 1.0]))
    for x, y in ((a, a), (a[:3], a[1:]), (a, a[::-1])):
        with pytest.raises(tl.AliasError, match=r"f writes into x, which shares memory with y"):
            tl.grad(f)(x[:3], y[:3])
    assert a.tolist() == [1.0] * 4


def _writes_first(x):
    x[0] = x[1] * 2.0
    return np.sum(x * x * x)


@pytest.mark.parametrize("mode", ["c", "r"])
@pytest.mark.parametrize("operator", [
    tl.grad, tl.hessian, tl.elementwise_grad,
    lambda f: lambda x: tl.jvp(f, (x,), (x,))[1],
    lambda f: lambda x: tl.linearize(f, x)[1](x),
    lambda f: lambda x: tl.grad(lambda p: f(p["x"]))({"x": x})["x"]])
def test_arrays_in_files_are_arrays(tmp_path, mode, operator):
    x = np.array([1.0, 2.0, 3.0])
    x.tofile(tmp_path / "x")
    in_file = np.memmap(tmp_path / "x", dtype=float, mode=mode)
    for f in (_writes_first, lambda x: x[0] * x[1] ** 2):
        found, want = operator(f)(in_file), operator(f)(x.copy())
        assert type(found) is type(want)
        same(found, want)
    assert in_file.tolist() == [1.0, 2.0, 3.0]
