"""Objects: attributes, properties, operators of their own, and how they come to be."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names
from tests.heap.referee import held

HEAD = """
import collections
import copy
import dataclasses
import functools
from types import SimpleNamespace
from typing import NamedTuple

class Body:
    count = 0
    table = np.ones(2)
    def __init__(self, x, v=2.0):
        self.x, self.v = x, v
    @property
    def energy(self):
        return self.x * self.v
    @energy.setter
    def energy(self, e):
        self.v = e / self.x
    @functools.cached_property
    def square(self):
        return self.x * self.x
    def move(self, by):
        self.x = self.x + by * self.v
        return self
    @classmethod
    def at(cls, x):
        return cls(x, v=x * x)
    @staticmethod
    def twice(x):
        return 2.0 * x
    def __call__(self, y):
        return self.x * y
    def __add__(self, other):
        return Body(self.x + other.x, self.v)
    def __radd__(self, other):
        return Body(self.x + other, self.v)
    def __mul__(self, k):
        return Body(self.x * k, self.v)
    __rmul__ = __mul__
    def __iadd__(self, other):
        self.x = self.x + other
        return self
    def __neg__(self):
        return Body(-self.x, self.v)
    def __lt__(self, other):
        return self.x < other.x
    def __bool__(self):
        return self.x > 0.0
    def __float__(self):
        return self.x * 1.0
    def __abs__(self):
        return abs(self.x)
    def __getitem__(self, k):
        return (self.x, self.v)[k]
    def __setitem__(self, k, value):
        setattr(self, "xv"[k], value)
    def __len__(self):
        return 2
    def __contains__(self, k):
        return k == 2

class Heavy(Body):
    def __init__(self, x, m):
        super().__init__(x)
        self.m = m
    @property
    def energy(self):
        return super().energy * self.m
    def move(self, by):
        super().move(by)
        self.m = self.m * 2.0
        return self

class Slots:
    __slots__ = ("a", "b")
    def __init__(self, a):
        self.a = a

class Lazy:
    def __init__(self, x):
        self.x = x
    def __getattr__(self, name):
        return self.x * len(name)

class Logged:
    def __init__(self, x):
        self.x = x
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2.0)

class Unit:
    def __init__(self, k):
        self.k = k
    def __get__(self, owner, kind):
        return owner.x * self.k

class Measured:
    third = Unit(3.0)
    def __init__(self, x):
        self.x = x

@dataclasses.dataclass
class Point:
    x: float
    y: float = 2.0
    tags: list = dataclasses.field(default_factory=list)
    area: float = dataclasses.field(init=False)
    def __post_init__(self):
        self.area = self.x * self.y

@dataclasses.dataclass(frozen=True)
class Fixed:
    x: float
    def scaled(self, k):
        return dataclasses.replace(self, x=self.x * k)

class Pair(NamedTuple):
    a: float
    b: float = 2.0
    def area(self):
        return self.a * self.b

def f(x, y):
"""
BODIES = [
    "b = Body(x)\nreturn b.energy * b.x", "b = Body(x)\nb.energy = y\nreturn b.v * b.v",
    "b = Body(x)\nc = b\nc.x = y * y\nreturn b.x * x", "return Body(x).move(y).move(x).x",
    "b = Body(x)\nreturn b.square * b.square + b.x", "return Body.at(x).energy * Body.twice(y)",
    "b = Body(x)\nm = b.move\nm(y)\nm(x)\nreturn b.x * b.x", "return Body(x)(y) * Body(y)(x)",
    "return (Body(x) + Body(y)).x * y", "return sum([Body(x), Body(y)], 0.0).x * x",
    "return (2.0 * Body(x) * y).x", "b = Body(x)\nc = b\nb += y\n"
    "return c.x * b.x", "return (-Body(x)).x * y",
    "b = max(Body(x), Body(y))\n"
    "return b.x * y", "return x * y if Body(x) else y", "return float(Body(x)) * y",
    "return abs(Body(-x)) * y", "b = Body(x)\nb[0] = b[0] * b[1] * y\nreturn b.x + b[1]",
    "p, q = Body(x)[0], Body(y)[1]\n"
    "return p * p * q", "return x * len(Body(x)) * (2 in Body(x)) * y",
    "h = Heavy(x, y).move(y)\nreturn h.energy * h.m", "s = Slots(x)\ns.b = s.a * y\n"
    "return s.b * s.a",
    "return Lazy(x).abc * y", "o = Logged(x)\no.y = y\n"
    "return o.x * o.y", "return Measured(x).third * y",
    "p = Point(x, y)\nreturn p.area * p.x", "p = Point(x, tags=[y])\np.tags.append(x)\n"
    "return p.area * p.tags[1]",
    "p = dataclasses.replace(Point(x), y=y) if False else Point(x, y=y)\nreturn p.area * y",
    "return Fixed(x).scaled(y).scaled(x).x", "return Pair(x).area() * Pair(y, x).area()",
    "p = Pair(a=x, b=y)\nm = p.area\na, b = p\nreturn m() * a * p[1] * p._replace(a=b).a",
    "n = SimpleNamespace(a=x)\nn.b = n.a * y\ndel n.a\nreturn n.b * n.b",
    "b = Body(x)\nc = copy.copy(b)\nb.x = y\nreturn c.x * b.x", "b = Body(np.ones(2) * x)\n"
    "c = copy.copy(b)\n"
    "b.x[0] = y\nreturn np.sum(c.x * b.x)", "b = Body(np.ones(2) * x)\nc = copy.deepcopy(b)\n"
    "b.x[0] = y\n"
    "return np.sum(c.x * b.x)", "b = Body(x)\nsetattr(b, 'x', y)\n"
    "return getattr(b, 'x') * getattr(b, 'z', x)",
    "b = Body(x)\ndelattr(b, 'v')\n"
    "return b.x * hasattr(b, 'v') + b.x", "a, b = Body(x), Body(y)\na.next, b.next = b, a\n"
    "a.next.next.x = y * y\nreturn a.x * b.next.x", "bodies = [Body(x), Body(y)]\n"
    "last = bodies[-1]\n"
    "for b in bodies:\n    b.move(0.5)\nlast.x = last.x * bodies[0].x\nreturn bodies[1].x",
    "b = Body(x)\nb.x += y\nb.v *= b.x\nb.v **= 2\nreturn b.v", "b = Body(x)\nb.count += 1\n"
    "return b.x * b.count * y",
    "b = Body(x)\nb.history = [b.x]\nb.history.append(y)\nreturn b.history[0] * b.history[1]",
    "match Point(x, y):\n    case Point(x=p, y=q):\n        return p * p * q\nreturn x",
]


@pytest.mark.parametrize("body", BODIES, ids=lambda v: v.split("\n")[0])
@pytest.mark.sweep(8)
def test_objects(body):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    held(HEAD + lines, "1.3, 0.7", wrt=(0, 1))


@pytest.mark.parametrize("body", [
    "b.x = b.x * b.v\nreturn b.x * b.x", "c = b\nc.x = 3.0 * c.v\nreturn b.x * b.v",
    "b.move(0.5)\nreturn b.energy", "b.w = b.x\nb.x = 1.0\nreturn b.w * b.w"])
def test_arguments_that_are_objects(body):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    held(HEAD.replace("def f(x, y):", "def f(b):") + lines, "Body(1.3, 0.7)")


class Guarded:
    """Its attributes are read and written as Python does where nothing is said."""

    def __init__(self, value):
        object.__setattr__(self, "value", value)

    @property
    def double(self):
        return 2.0 * self.value

    def __getattr__(self, name):
        if name == "fallback":
            return super().__getattribute__("value") ** 4
        raise AttributeError(name)

    def read(self, name):
        return super().__getattribute__(name)


class Filled:
    def __init__(self, value):
        self.__dict__["value"] = value


def in_its_dict(x):
    return Filled(2.0 * x).value ** 2


def plainly(x):
    return object.__getattribute__(Guarded(x), "value") ** 2


def written_plainly(x):
    return Guarded(2.0 * x).value ** 2


def by_super(x):
    guarded = Guarded(x)
    return guarded.read("value") * guarded.read("double")


def by_its_method(x):
    guarded = Guarded(x)
    guarded.__dict__.update(other=x * x)
    return guarded.__getattribute__("other") * guarded.fallback


def that_are_missing(x):
    try:
        return object.__getattribute__(Guarded(x), "fallback")
    except AttributeError:
        return 3.0 * x


@pytest.mark.parametrize("f", [plainly, in_its_dict, written_plainly, by_super,
                               by_its_method, that_are_missing], ids=lambda f: f.__name__)
def test_attributes_are_read_as_object_does(f):
    wanted = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    np.testing.assert_allclose(tl.grad(f)(0.7), wanted, rtol=1e-6)
    np.testing.assert_allclose(tl.jvp(f, (0.7,), (1.0,))[1], wanted, rtol=1e-6)
    with by_identity():
        np.testing.assert_allclose(tl.grad(f)(0.7), wanted, rtol=1e-6)


def test_attributes_of_numbers():
    def f(x):
        y = np.sin(x)
        return y.T * y.real

    def iterated(x):
        return np.sin(x).flat[0]

    with by_identity():
        np.testing.assert_allclose(tl.grad(f)(0.7), np.sin(1.4))
        with pytest.raises(tl.UnsupportedSyntaxError, match="x.flat"):
            tl.grad(iterated)(0.7)


def test_of_an_argument():
    def f(guarded):
        return object.__getattribute__(guarded, "value") ** 2

    with by_identity():
        assert tl.grad(f)(Guarded(3.0)).value == 6.0


def test_tangents_do_not_know_the_dict_of_an_object_by_name():
    with by_names(), pytest.raises(tl.TangentError,
                                   match="writing to an attribute is not handled yet"):
        tl.jvp(in_its_dict, (0.7,), (1.0,))
