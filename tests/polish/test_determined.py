"""Results that need not be looked at again: what is told to be determined is so."""

import math

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.polish.determined import is_determined

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


def over_items(params, x):
    h = x
    for W, b in params[:-1]:
        h = np.maximum(W @ h + b, 0.0)
    W, b = params[-1]
    return np.sum((W @ h + b) ** 2)


def bound_anew(x, y):
    total = 0.0
    for k in range(3):
        total = total + x[k] * y[k]
        k = int(total) % 3
    return total * x[k]


def masked_in_turn(x, y):
    total = 0.0
    for k in range(3):
        total = total + np.sum(x[y > y[k]])
    return total


def until(x, y):
    while np.sum(x) > 0.1:
        x = x * 0.5
    return np.sum(x * y)


def as_long_as(x, y):
    total = 0.0
    for k in range(int(x[0])):
        total = total + np.sum(x) * y[k]
    return total


@pytest.mark.parametrize("function, args, wanted", [
    (layer, (W, x), True), (by_helper, (x, y), True), (numbers, (2.0, 3.0), True),
    (parts, (x, y), True),
    (powers, (2.0, 3.0), False), (masked, (x, y), False), (outside, (x, y), False),
    (branches, (x, y), False), (loops, (x, y), True),
    (over_items, ([(np.eye(3), x), (W, x[:2])], x), True), (bound_anew, (x, y), False),
    (masked_in_turn, (x, y), False), (until, (x, y), False), (as_long_as, (x, y), False)],
    ids=lambda a: getattr(a, "__name__", ""))
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


def in_a_list(params, x):
    h = x
    for W, b in params:
        h = np.tanh(W @ h + b)
    return np.sum(h * h)


def in_a_dict(p, x):
    h = np.tanh(p["W"] @ x + p["b"])
    return np.sum(h * h) * p["scale"]


def nested(p, x):
    h = x
    for layer in p["layers"]:
        h = np.sin(layer["W"] @ h) + layer["b"]
    return np.sum(h) * p["ends"][0] + np.sum(p["ends"][1] ** 2)


def untouched(params, x):
    """Of some, the gradient is zeros that nothing is added to."""
    return np.sum(params[0][0]) * np.sum(x)


def drawn(function, rng, sizes, dtype):
    """Arguments for these functions: as many layers as sizes, less one."""
    layers = [(0.5 * rng.normal(size=(m, n)).astype(dtype), rng.normal(size=m).astype(dtype))
              for n, m in zip(sizes, sizes[1:])]
    x = rng.normal(size=sizes[0]).astype(dtype)
    if function is in_a_dict:
        return {"W": layers[0][0], "b": layers[0][1], "scale": float(rng.normal())}, x
    if function is nested:
        return {"layers": [{"W": W, "b": b} for W, b in layers],
                "ends": (float(rng.normal()), rng.normal(size=2))}, x
    return layers, x


def same_structure(found, given):
    """Whether a gradient has the structure, the types and shapes of an argument, and owns its
    memory."""
    if isinstance(given, dict):
        return type(found) is dict and list(found) == list(given) and all(
            same_structure(found[k], given[k]) for k in given)
    if isinstance(given, (list, tuple)):
        return type(found) is type(given) and len(found) == len(given) and all(
            map(same_structure, found, given))
    if isinstance(given, np.ndarray):
        return type(found) is np.ndarray and found.dtype == given.dtype \
            and found.shape == given.shape and found.flags.writeable
    return type(found) is type(given)


def leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


@pytest.mark.parametrize("wrt", [0, (0,), (0, 1)], ids=str)
@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
@pytest.mark.parametrize("function", [in_a_list, in_a_dict, nested, untouched],
                         ids=lambda f: f.__name__)
def test_calls_in_turn_with_arguments_that_hold_others(function, operator, wrt):
    d = operator(function, wrt=wrt)
    rng = np.random.default_rng(1)
    for sizes in [(2, 3, 2), (2, 3, 2), (2, 3, 2), (3, 3), (3, 3), (2, 3, 2), (2, 3, 2, 4),
                  (1, 1), (1, 1), (0, 2), (0, 2), (2, 3, 2)]:
        for dtype in (float, float, np.float32, float):
            args = drawn(function, rng, sizes, dtype)
            found = d(*args)
            if operator is tl.value_and_grad:
                assert found[0] == function(*args)
                found = found[1]
            asked = wrt if isinstance(wrt, tuple) else (wrt,)
            found = found if isinstance(wrt, tuple) else (found,)
            wanted = tl.vjp(function, *args, wrt=asked)[1](
                np.float32(1.0) if dtype is np.float32 and function is not nested
                and function is not in_a_dict else 1.0)
            assert len(found) == len(asked)
            for k, part, other in zip(asked, found, wanted):
                assert same_structure(part, args[k])
                for a, b in zip(leaves(part), leaves(other)):
                    assert np.allclose(a, b, rtol=1e-4 if dtype is np.float32 else 1e-12)
            arrays = [leaf for leaf in leaves((list(found), list(args)))
                      if isinstance(leaf, np.ndarray)]
            assert not any(np.shares_memory(a, b)
                           for i, a in enumerate(arrays) for b in arrays[:i])


def test_other_structures_in_between():
    d = tl.grad(in_a_list)
    layers, x = drawn(in_a_list, np.random.default_rng(2), (2, 3, 2), float)
    wanted = d(layers, x)
    for _ in range(3):
        for other in (tuple(layers), [list(part) for part in layers], layers, layers[:1]):
            found = d(other, x)
            assert same_structure(found, other)
            if other is not layers[:1] and len(other) == 2:
                assert all(map(np.array_equal, leaves(found), leaves(wanted)))
    with pytest.raises(ValueError):
        d([(layers[0][0], layers[0][1]), layers[0]], x)
    with pytest.raises(ValueError):
        d([layers[0], (layers[1][0], layers[1][1][:, None] * np.ones(3))], x[:1])


def test_ranks_that_change():
    """The shapes of a call are those of another with the dimensions elsewhere."""
    def f(p):
        return np.sum(p["a"]) * np.sum(p["b"] ** 2)

    d = tl.grad(f)
    for a, b in [((2,), (2, 3)), ((2,), (2, 3)), ((2, 3), (2,)), ((2, 3), (2,)), ((2,), (2, 3))]:
        p = {"a": np.ones(a), "b": 2.0 * np.ones(b)}
        found = d(p)
        assert same_structure(found, p)
        assert np.allclose(found["a"], 4.0 * np.prod(b))
        assert np.allclose(found["b"], 4.0 * np.prod(a))
