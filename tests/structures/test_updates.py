"""Dicts and objects that change: against differences."""

from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.structures.updates import is_descriptor
from tests.heap.forced import refused_by_names


def sim(x, v, n):
    s = {"x": x, "v": v}
    for i in range(n):
        s["v"] = s["v"] - 0.1 * np.sin(s["x"])
        s["x"] = s["x"] + 0.1 * s["v"]
    return s["x"] * s["v"]


def simaug(s, n):
    for i in range(n):
        s["v"] -= 0.1 * np.sin(s["x"])
        s["x"] += 0.1 * s["v"]
    return s["x"] * s["v"]


class Body:
    def __init__(self, x, v, m=2.0):
        self.x = x
        self.v = v
        self.m = m
        self.log = []

    def kick(self, dt):
        self.v = self.v - dt * self.x / self.m

    def drift(self, dt):
        self.x += dt * self.v

    def energy(self):
        return 0.5 * self.m * self.v**2 + 0.5 * self.x**2

    @property
    def p(self):
        return self.m * self.v


def leap(x, v, n):
    b = Body(x, v)
    for i in range(n):
        b.kick(0.1)
        b.drift(0.2)
    return b.energy() * b.p


def leaparg(b, n):
    for i in range(n):
        b.kick(0.1)
        b.drift(0.2)
    return b.energy()


@dataclass
class P:
    a: float
    b: float = 3.0
    c: list = field(default_factory=list)


@dataclass
class Q:
    a: float
    b: float

    def __post_init__(self):
        self.s = self.a * self.b


def dc(x):
    p = P(x, b=x * x)
    p.a = p.a * p.b
    q = Q(p.a, x)
    return q.s * p.b


Pt = namedtuple("Pt", "x y")


def nt(x):
    p = Pt(x, y=x * x)
    p = p._replace(x=2 * p.y) if False else Pt(p.y * 2, p.x)
    return p.x * p.y


def step(state, dt):
    state["x"] = state["x"] * state["x"] * dt


def helperw(x):
    s = {"x": x, "t": 0.0}
    for i in range(3):
        step(s, 1.1)
        s["t"] += s["x"]
    return s["t"]


def nested(p, x):
    p["l"]["W"] = p["l"]["W"] * x
    p["l"]["b"] += p["l"]["W"]
    return p["l"]["W"] * p["l"]["b"]


def upd(x):
    d = {"a": x, "b": 2.0}
    d.update({"b": x * x, "c": x})
    d.update(z=x)
    e = d.pop("a")
    f = d.setdefault("q", 3 * x)
    g = d.get("nope", x)
    t = 0.0
    for k, v in d.items():
        t = t + v
    for k in d:
        t = t + d[k]
    return t * e * f * g + sum(d.values())


def comp(p, g):
    p = {k: p[k] - 0.1 * g[k] * p[k] for k in p}
    q = {k: v * v for k, v in p.items()}
    return np.sum(q["W"]) + q["b"]


def al(x):
    d = {"a": x}
    e = d if x > 0.0 else {"a": 0.0}
    d["a"] = x * x
    return e["a"]


def objal(x):
    b = Body(x, x * x)
    c = b if x > 0.0 else Body(0.0, 0.0)
    b.x = 3 * x
    return c.x


class Model:
    def __init__(self, W, b):
        self.W = W
        self.b = b
        self.cache = None

    def forward(self, x):
        self.cache = x @ self.W
        return np.tanh(self.cache + self.b)

    def loss(self, x):
        y = self.forward(x)
        return np.sum(y * y) + np.sum(self.cache)


def modelloss(m, x):
    return m.loss(x)


class Net:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for l in self.layers:
            x = l.forward(x)
        return np.sum(x)


def netloss(W, x):
    n = Net([Model(W, 0.1), Model(W * 2, 0.2)])
    return n(x)


def tupleslot(x):
    acc = [x, 0.0]

    def add(v):
        acc[1] = acc[1] + v * acc[0]

    for i in range(3):
        add(x * i)
    return acc[1]


A = np.array([0.5, 0.7])
M = np.array([[0.3, 0.2], [0.1, 0.6]])

PROGRAMS = [
    (sim, (0.5, 0.3, 3)),
    (simaug, ({"x": 0.5, "v": 0.4}, 3)),
    (leap, (0.5, 0.4, 3)),
    (leaparg, (Body(0.5, 0.4), 3)),
    (dc, (1.5,)),
    (helperw, (0.9,)),
    (nested, ({"l": {"W": 2.0, "b": 3.0}}, 1.5)),
    (upd, (1.5,)),
    (comp, ({"W": A, "b": 0.3}, {"W": A * 2, "b": 0.5})),
    (modelloss, (Model(M, A), A)),
    (netloss, (M, A)),
    (tupleslot, (1.5,)),
]


@pytest.mark.parametrize("function, args", PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_right(function, args):
    tl.check_grads(function, args, order=1, modes=("rev",))


@pytest.mark.parametrize("function, args", [(al, (1.5,)), (objal, (1.5,))])
def test_two_names_of_what_changes(function, args):
    """What changes is found by what it is."""
    refused_by_names(tl.AliasError, function, *args, match="may be one object")
    tl.check_grads(function, args, order=1)


def test_what_is_passed_in_stays_as_it_was():
    state = {"x": 0.5, "v": 0.4}
    tl.grad(simaug)(state, 3)
    assert state == {"x": 0.5, "v": 0.4}
    body = Body(0.5, 0.4)
    tl.grad(leaparg)(body, 3)
    assert vars(body) == {"x": 0.5, "v": 0.4, "m": 2.0, "log": []}


class _Named(type):
    @property
    def width(cls):
        return 3.0


class _Slotted:
    __slots__ = ("height",)


class _Box(_Slotted, metaclass=_Named):
    def __init__(self, width):
        self.width = width

    @property
    def area(self):
        return self.width * self.width

    def grow(self):
        return self.width


class _Larger(_Box):
    pass


@pytest.mark.parametrize("name, expected", [
    ("area", True), ("height", False), ("grow", False), ("missing", False),
    ("width", False),           # a property of the class itself: of its objects it is an attribute
])
def test_descriptors_are_those_of_the_objects(name, expected):
    assert is_descriptor(_Larger, name) is expected


def test_attribute_that_is_a_property_of_the_class_itself():
    def f(x):
        box = _Larger(x)
        box.width = box.width * x
        return box.width * x

    assert tl.grad(f)(1.5) == pytest.approx(3.0 * 1.5 ** 2)


def area_of(box, x):
    return box.width * x * x


def has_width(box, x):
    return x * 5.0 if hasattr(box, "width") else x * x


class _Bare(metaclass=_Named):
    def __init__(self):
        self.height = 1.0


def test_property_of_the_class_itself_is_not_read_of_an_argument():
    # The attribute, not the property, and no attribute where there is none.
    assert tl.grad(area_of, wrt="x")(_Larger(2.0), 1.5) == pytest.approx(6.0)
    assert tl.grad(area_of, wrt="box")(_Larger(2.0), 1.5).width == pytest.approx(2.25)
    assert tl.grad(has_width, wrt="x")(_Bare(), 1.5) == pytest.approx(3.0)
    assert tl.grad(has_width, wrt="x")(_Larger(2.0), 1.5) == pytest.approx(5.0)
