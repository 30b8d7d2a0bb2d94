"""Attributes of classes from outside that change: objects that are counted, numbered and kept."""
import pytest

import tangent_lite as tl
from tests.heap.referee import check, world

_HEAD = """
from scipy import integrate

class Layer:
    count = 0
    total = 0.0
    made = []

    def __init__(self, w):
        type(self).count += 1
        Layer.total = Layer.total + w
        self.made.append(w)
        self.w, self.number = w, Layer.count

    @classmethod
    def number_of(cls):
        return cls.count

    def __call__(self, x):
        return self.w * x * self.count

    def of_t(self, t):
        return t * self.count

class Wide(Layer):
    count = 0

    def twice(self):
        return super().total * 2.0 + super().count

class Only:
    one = None

    def __init__(self):
        self.value = 1.0

    @classmethod
    def get(cls):
        if cls.one is None:
            cls.one = cls()
        return cls.one

class Named:
    size = 2

    def __str__(self):
        return "a" * self.size

    def __len__(self):
        return Named.size

SIZE = 2

class Other:
    def __str__(self):
        return "a" * SIZE

def grow():
    global SIZE
    SIZE += 3

def of_layers(t):
    return t * Layer.count
"""
_PROGRAMS = [
    ("a, b = Layer(x), Layer(x * x)",
     "y = a(x) + b(2.0 * x) * a.number",
     "return y + Layer.total * Layer.number_of() + a.total * len(b.made)"),
    ("a, b, c = Layer(x), Wide(x * x), Wide(3.0 * x)",
     "return a(x) + b(x) * Wide.number_of() + c.twice() * b.total + getattr(Wide, 'total')"),
    ("a = Layer(x)", "a.count = 7", "b = Layer(x)", "return a(x) + b(x) * Layer.count"),
    ("Only.get().value += x", "Only.get().value *= x", "return Only.get().value * x"),
    ("Named.size += 3", "n = Named()", "return x * len(n) + x * x * len(str(n)) + len(f'{n}')"),
    ("y = x", "while Layer(y).total < 5.0:", "    y = y * 1.5", "return y * Layer.made[1]"),
]


def _text(*lines):
    return _HEAD + "def f(x):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize("lines", _PROGRAMS)
def test_they_change(lines):
    def make():
        return world(_text(*lines))["f"], (1.3,)
    check(make)


def test_the_class_is_as_before():
    made = world(_text("Layer(x)", "return x * Layer.total"))
    assert tl.grad(made["f"])(1.3) == pytest.approx(2.6)
    assert (made["Layer"].count, made["Layer"].total, made["Layer"].made) == (0, 0.0, [])


@pytest.mark.parametrize(("lines", "match"), [
    (("a = Layer(x)", "return x * integrate.quad(of_layers, 0.0, 1.0)[0]"), "reads what may vary"),
    (("a = Layer(2.0)", "return x * integrate.quad(a.of_t, 0.0, 1.0)[0]"), ""),
    (("Named.size += 3", "return x * len('%s' % Named())"), "Named.__str__ reads what has changed"),
    (("o = Other()", "grow()", "return x * len('%s' % o)"), "Other.__str__ reads what has changed"),
    (("Layer.more = x", "return x * Layer.more"), ""),
    (("Layer.of_t = lambda self, t: t * x", "return Layer(x).of_t(2.0)"), ""),
])
def test_refused(lines, match):
    with pytest.raises(tl.TangentError, match=match):
        tl.grad(world(_text(*lines))["f"])(1.3)
