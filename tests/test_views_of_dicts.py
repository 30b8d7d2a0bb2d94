"""Views of dicts show what the dict holds when they are read."""
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names


def named(x):
    d = {"a": x, "b": x * x}
    shown = d.values()
    d["c"] = x ** 3
    return sum(shown)


def keys_that_are_added(x):
    d = {"a": x, "b": x * x}
    keys = d.keys()
    d["c"] = x
    return sum([d[k] for k in keys])


def keys_that_go(x):
    d = {"a": x, "b": x * x}
    keys = d.keys()
    del d["a"]
    return len(keys) * d["b"]


def later_items(x):
    d, s = {"a": x, "b": x * x}, 0.0
    for _, v in d.items():
        s += v * v
        d["b"] = s * v
    return s + d["b"]


def beside_others(x):
    d, s = {"a": x, "b": x * x}, 0.0
    for (_, v), w in zip(d.items(), [1.0, x]):
        s += v * v * w
        d["b"] = s * v
    return s


def in_a_function(x):
    d = {"a": x, "b": x * x}

    def step(v):
        d["b"] = v * 3.0
        return v
    return sum([step(v) for v in d.values()])


def in_a_loop(x):
    d = {"a": x}
    shown = d.values()
    for _ in range(2):
        d["a"] = d["a"] * x
        x = x + sum(shown)
    return x


def its_own_item(x):
    d = {"a": x, "b": x * x}
    for k, v in d.items():
        d[k] = v * x
    for k in d.keys():
        d[k] = d[k] * d["a"]
    return sum(d.values())


def made_again(x):
    d = {"a": x, "b": x * x}
    for _ in range(3):
        s = sum(d.values())
        d["a"] = s * d["b"]
    return sum([v * v for v in d.values()])


@pytest.mark.parametrize("function", [
    named, keys_that_are_added, keys_that_go, later_items, beside_others, in_a_function, in_a_loop])
def test_changes_that_are_seen(function):
    assert tl.value_and_grad(function)(1.3)[0] == function(1.3)
    tl.check_grads(function, (1.3,), order=1)
    with by_names(), pytest.raises(tl.TangentError, match="while a view of it is read"):
        tl.grad(function)(1.3)


@pytest.mark.parametrize("function", [its_own_item, made_again])
@pytest.mark.sweep(2)
def test_changes_that_are_not_seen(function):
    tl.check_grads(function, (1.3,), order=2)
    with by_names():
        tl.check_grads(function, (1.3,), order=1)
