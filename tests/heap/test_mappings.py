"""Mappings that are objects: ChainMap, and classes on collections.abc.MutableMapping."""
from collections import ChainMap
from collections.abc import MutableMapping

import pytest

import tangent_lite as tl
from tests.heap.referee import agrees_with_differences


class Doubling(MutableMapping):
    def __init__(self, **given):
        self._held = dict(given)

    def __getitem__(self, key):
        return self._held[key]

    def __setitem__(self, key, value):
        self._held[key] = value * 2.0

    def __delitem__(self, key):
        del self._held[key]

    def __iter__(self):
        return iter(self._held)

    def __len__(self):
        return len(self._held)


def chained(x, y):
    base = {"a": x, "b": y}
    settings = ChainMap({"a": x * y}, base)
    settings["c"] = settings["a"] * 2
    total = settings["a"] ** 2 + settings["b"] + settings.get("d", 1.0) * x
    total += ("c" in settings) * y + len(settings) * x
    base["b"] = x * 3
    for key in settings:
        total += settings[key]
    for key, value in settings.items():
        total += value * len(key)
    child = settings.new_child({"a": y})
    child["z"] = child["a"] * child["b"]
    total += sum(child.values()) + child.parents["a"] + dict(child)["z"]
    total += settings.pop("c") + sum(dict(settings).values())
    try:
        settings["nope"]
    except KeyError:
        total *= 1.1
    return total


def of_the_user(x, y):
    p = Doubling(a=x, b=y)
    p["c"] = x * y
    p.update({"d": y})
    total = sum(p.values()) + p.get("z", 2.0) * x
    for _, value in p.items():
        total += value * value
    copied = dict(p)
    p["b"] = 0.0
    total += p.pop("a") * ("a" in p or 3.0) + p.setdefault("e", x) + copied["b"] * copied["c"]
    return total * len(p)


@pytest.mark.parametrize("f", [chained, of_the_user])
def test_against_differences(f):
    agrees_with_differences(f, 1.2, 0.7)


def test_a_chain_that_is_given():
    def f(settings, x):
        settings["a"] = x * settings["b"]
        return settings["a"]
    given = ChainMap({"a": 1.0}, {"b": 2.0})
    assert tl.grad(f, wrt="x")(given, 0.7) == 2.0
    assert given["a"] == 1.0
