"""Methods that are made and called by hand: M.n.__get__(o), g.__call__(x), types.MethodType."""
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.heap.referee import check, world

_HEAD = """
import functools, types

class Model:
    def __init__(self, w):
        self.w = w

    def scaled(self, v):
        return self.w * v * v

    @property
    def tripled(self):
        return self.w * 3.0

def other(self, v):
    return self.w * v * 7.0

def square(v):
    return v * v
"""


@pytest.mark.parametrize("value", [
    "Model.scaled.__get__(o)(x)", "Model.scaled.__get__(o, Model)(x) + o.scaled(x)",
    "Model.tripled.__get__(o) + Model.tripled.fget(o) * x", "other.__get__(o)(x)",
    "other.__get__(None, Model)(o, x)", "square.__call__(x)", "o.scaled.__call__(x)",
    "Model.__call__(x * x).w", "functools.partial(other, o).__call__(x)",
    "types.MethodType(other, o)(x) * types.MethodType(other, o).__self__.w",
    "x if square.__eq__(square) else 0.0"])
def test_made_by_hand(value):
    def make():
        text = f"def f(x):\n    o = Model(3.0 * x)\n    return {value}\n"
        return world(_HEAD + text)["f"], (1.3,)
    check(make)


def test_kept_in_the_object():
    def make():
        return world(_HEAD + """
def f(x):
    o = Model(3.0 * x)
    o.scaled = other.__get__(o)
    return o.scaled(x) + Model.scaled(o, x)
""")["f"], (1.3,)
    check(make)


def test_numbers_are_refused():
    f = world(_HEAD + "def f(x):\n    made = types.MethodType(square, x)\n    return made()\n")["f"]
    with by_identity(), pytest.raises(tl.TangentError, match="of what is no object"):
        tl.grad(f)(1.3)
