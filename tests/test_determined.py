"""Results that need not be looked at again: what is told to be determined is so."""

import math

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.determined import is_determined

x, y = np.array([1.0, -2.0, 3.0]), np.array([0.5, 0.25, -4.0])
W = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
TABLE = np.ones(3)


def slope(x):
    return 1.0 / (1.0 + np.exp(-x))


def halved(x, y):
    if x[0] > 0.0:
        return x * y
    return x


def layer(W, x):
    e = W @ x - 1.0
    return np.sum(e * e)


def by_helper(x, y):
    return np.sum(slope(x * y) + slope(y))


def numbers(a, b):
    return a * math.sin(b) + b ** 3 / a


def parts(x, y):
    return x[0] * y[-1] + np.sum(x[1:] ** 2 * y[:-1])


def powers(a, b):
    return a ** b


def masked(x, y):
    return np.sum(x[y > 0.0])


def outside(x, y):
    return np.sum(x * y * TABLE)


def branches(x, y):
    return np.sum(halved(x, y))


def loops(x, y):
    total = 0.0
    for k in range(3):
        total = total + x[k] * y[k]
    return total


@pytest.mark.parametrize("function, args, wanted", [
    (layer, (W, x), True), (by_helper, (x, y), True), (numbers, (2.0, 3.0), True),
    (parts, (x, y), True),
    (powers, (2.0, 3.0), False), (masked, (x, y), False), (outside, (x, y), False),
    (branches, (x, y), False), (loops, (x, y), False)], ids=lambda a: getattr(a, "__name__", ""))
def test_what_is_determined(function, args, wanted):
    variant, _ = tl.grad(function, wrt=(0, 1)).variant_for(args, {})
    assert is_determined(variant.derivative.main) is wanted


def central(function, args, k):
    """Central differences in one argument."""
    at = np.asarray(args[k], float)
    out = np.zeros_like(at)
    for i in np.ndindex(at.shape):
        step = np.zeros_like(at)
        step[i] = 1e-6
        ends = [function(*args[:k], type(args[k])(at + s) if at.ndim == 0 else at + s,
                         *args[k + 1:]) for s in (step, -step)]
        out[i] = (ends[0] - ends[1]) / 2e-6
    return out


@pytest.mark.parametrize("wrt", [0, 1, (0,), (1, 0)], ids=str)
@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
def test_calls_in_turn(operator, wrt):
    """Shapes and types change and come back: what was seen once is asked of nothing else."""
    d = operator(layer, wrt=wrt)
    rng = np.random.default_rng(0)
    for shape in [(2, 3), (2, 3), (2, 3), (4, 1), (2, 3), (1, 1), (2, 3), (0, 3), (2, 3), (2, 3)]:
        for dtype in (float, float, np.float32, int, float):
            args = (3 * rng.normal(size=shape)).astype(float), \
                (3 * rng.normal(size=shape[1])).astype(dtype)
            if dtype is int and wrt != 0 and wrt != (0,):
                with pytest.raises(tl.InputError):
                    d(*args)
                continue
            found = d(*args)
            if operator is tl.value_and_grad:
                assert found[0] == layer(*args)
                found = found[1]
            assert isinstance(found, tuple) == isinstance(wrt, tuple)
            asked = wrt if isinstance(wrt, tuple) else (wrt,)
            for k, part in zip(asked, found if isinstance(wrt, tuple) else (found,)):
                assert type(part) is np.ndarray and part.dtype == args[k].dtype
                assert part.shape == args[k].shape and part.flags.writeable
                assert not any(np.shares_memory(part, a) for a in args)
                tight = dtype is not np.float32
                wanted = central(layer, [a.astype(float) for a in args], k)
                assert np.allclose(part, wanted, *((1e-5, 1e-5) if tight else (1e-3, 1e-2)))


def test_numbers_of_other_types_are_looked_at():
    d = tl.grad(numbers, wrt=(0, 1))
    for _ in range(3):
        for a in (2.0, np.float64(2.0), np.float32(2.0)):
            found = d(a, 3.0)
            assert type(found[0]) is type(a) and type(found[1]) is float
            assert found == pytest.approx((math.sin(3.0) - 27.0 / 4.0,
                                           2.0 * math.cos(3.0) + 27.0 / 2.0), rel=1e-6)


def test_a_name_that_is_gone(monkeypatch):
    d = tl.grad(by_helper)
    for _ in range(3):
        assert d(x, y).shape == (3,)
    monkeypatch.delitem(globals(), "slope")
    with pytest.raises(NameError):
        d(x, y)
