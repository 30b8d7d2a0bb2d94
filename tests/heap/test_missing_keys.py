"""Dicts whose class says what stands for a key that is not there: held to differences."""
import pytest

import tangent_lite as tl
from tangent_lite.errors import UnsupportedSyntaxError
from tests.heap.referee import agrees_with_differences


class Kept(dict):
    def __missing__(self, key):
        value = self[key] = key * 2.0
        return value

    def total(self, weight):
        return sum(v * weight for v in self.values())


class Constant(dict):
    def __missing__(self, key):
        return 0.5


class Fields(dict):
    def __missing__(self, key):
        return 1.0

    def keep(self, x):
        self.scale = x


def kept(x, y):
    d = Kept({1: x})
    d[3] += x * d[4]
    d.update({5: x * y})
    copied = dict(d)
    return d.total(y) + sum(k * v for k, v in d.items()) + d.get(9, 1.0) * x + copied[3] + len(d)


def constant(x, y):
    d = Constant(a=x)
    d["b"] = y + d["c"]
    return d["a"] * d["b"] * d["z"] + (x if "z" in d else y)


def of_the_function(x, y):
    class_ = Kept
    seen = class_()
    for k in (1, 2, 1, 3):
        seen[k] = seen[k] * x + y
    return sum(seen.values())


@pytest.mark.parametrize("f", [kept, constant, of_the_function])
def test_against_differences(f):
    agrees_with_differences(f, 1.2, 0.7)


def test_what_is_refused():
    def attribute(x):
        d = Fields()
        d.keep(x)
        d["scale"] = x * x
        return d.scale * d["scale"]
    with pytest.raises(UnsupportedSyntaxError, match="an attribute of a dict is changed"):
        tl.grad(attribute)(0.7)
    with pytest.raises(UnsupportedSyntaxError, match="a dict of a kind of its own"):
        tl.grad(lambda x, d: d[1] * d[2] * x)(0.7, Kept({1: 0.5}))
