"""`dataclasses.replace` and `_replace` of named tuples, and dataclasses with defaults: by name."""
import dataclasses
from collections import namedtuple
from contextlib import nullcontext
from dataclasses import InitVar, dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.heap.referee import world

X = np.array([0.5, 0.8, 1.2])


@dataclass(frozen=True)
class State:
    x: Any
    v: Any
    t: float = 0.0
    owner: float = 1.0          # the names that replace gives its own parameters
    obj: float = 2.0


@dataclass
class Started:
    a: float
    b: float = field(init=False, default=0.0)

    def __post_init__(self):
        self.b = self.a * 2.0


@dataclass(kw_only=True)
class Keywords:
    a: float
    b: float = 2.0
    parts: list = field(default_factory=list)


@dataclass(slots=True)
class Slotted:
    a: float
    b: float = 3.0


class Pair(NamedTuple):
    x: Any
    t: float = 0.1


def in_a_loop(x):
    s = State(x, x * 0.5)
    for _ in range(4):
        s = replace(s, v=s.v - 0.1 * s.x, t=s.t + 0.1)
        s = dataclasses.replace(s, x=s.x + 0.1 * s.v, owner=s.owner * s.x[0], obj=s.x[1])
    return np.sum(s.x ** 2) * s.t * s.owner * s.obj


def started_again(x):
    p = Started(x[0])
    q = replace(p, a=p.b * x[1])
    return q.a * q.b + p.b


def named_tuples(x):
    n = Pair(x)
    for _ in range(3):
        n = n._replace(x=n.x * n.t + x, t=n.t * 1.5)
    return np.sum(n.x)


def by_keyword(x):
    a = Keywords(a=x[0])
    b = replace(a, b=x[1])
    return a.a * b.b + replace(b).a * b.b * a.b + len(a.parts)


def slotted(x):
    a = Slotted(x[0])
    return replace(a, b=x[1]).b * a.b * a.a


def kept_as_it_was(x):
    s = State(x, x)
    t = replace(s, x=x * 2)
    many = [replace(t, v=t.x * k) for k in range(3)]
    return np.sum(many[1].v * many[2].v) + np.sum(s.x)


def step(s, dt):
    return replace(s, x=s.x + dt * s.v, v=s.v - dt * s.x, t=s.t + dt)


def in_a_helper(x):
    s = State(x, x * x)
    while s.t < 0.35:
        s = step(s, 0.1)
    return np.sum(s.x * s.v)


FUNCTIONS = [in_a_loop, started_again, named_tuples, by_keyword, slotted, kept_as_it_was,
             in_a_helper]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.sweep(3)
def test_derivatives(function):
    want = [(function(X + h) - function(X - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    gradient = tl.grad(function)
    np.testing.assert_allclose(gradient(X), want, rtol=1e-7, atol=1e-8)
    assert not gradient._latest.by_identity
    np.testing.assert_allclose(tl.jvp(function, (X,), (np.ones(3),))[1], np.sum(want), rtol=1e-7)
    with by_identity():
        np.testing.assert_allclose(tl.grad(function)(X), want, rtol=1e-7, atol=1e-8)
    direction = np.array([1.0, -0.5, 2.0])
    ends = [gradient(X + h * direction) for h in (1e-6, -1e-6)]
    np.testing.assert_allclose(tl.hvp(function)(X, direction), (ends[0] - ends[1]) / 2e-6,
                               rtol=1e-5, atol=1e-7)


Three = namedtuple("Three", "x y z", defaults=(2.0, 3.0))


class Doubling(Three):
    def __new__(cls, x, y=5.0, z=1.0):
        return super().__new__(cls, x * 2.0, y, z)


class Other(Three):
    def _replace(self, **given):
        return Three(3.0 * given["x"], 2.0, 1.0)


@dataclass
class Setting:
    x: float
    y: float = 1.0

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2.0 if name == "x" else value)


@dataclass
class Getting:
    x: float
    y: float = 1.0

    def __getattribute__(self, name):
        value = object.__getattribute__(self, name)
        return value * 2.0 if name == "x" else value


@dataclass
class Begun:
    x: float
    by: InitVar[float] = 3.0

    def __post_init__(self, by):
        self.x = self.x * by


@pytest.mark.parametrize("made", [
    "Doubling(x)", "Doubling(x, y, 2.0)", "Doubling(x, y, 2.0)._replace(y=x)",
    "Other(x, y, 1.0)._replace(x=y)", "Setting(x)", "Setting(x, y)", "replace(Setting(x, y), y=x)",
    "Getting(x)", "Getting(x, y)", "replace(Begun(x), by=y)", "Begun(x, y)"])
@pytest.mark.parametrize("identity", [False, True])
def test_classes_that_do_more_than_hold_fields(made, identity):
    f = world("from dataclasses import replace\nfrom tests.test_other_fields import *\n"
              f"def f(x, y):\n    s = {made}\n"
              f"    return s.x * s.x * s.{'y' if 'g(' in made else 'x'} * y\n")["f"]
    want = [(f(0.7 + h, 1.3 + k) - f(0.7 - h, 1.3 - k)) / 2e-6 for h, k in 1e-6 * np.eye(2)]
    try:
        with by_identity() if identity else nullcontext():
            found = tl.grad(f, wrt=(0, 1))(0.7, 1.3)
    except tl.TangentError:
        return                      # refused, which is right as well
    np.testing.assert_allclose(found, want, rtol=1e-7, atol=1e-8)


def test_what_is_written():
    text = tl.grad(in_a_helper).source_for(X)
    assert "State(x=s.x + 0.1 * s.v, v=s.v - 0.1 * s.x, t=s.t + 0.1, owner=s.owner" in text


@pytest.mark.parametrize("wrong", ["replace(s, y=1.0)", "State()"])
def test_errors_are_those_of_python(wrong):
    f = world("from dataclasses import replace\nfrom tests.test_other_fields import State\n"
              f"def f(x):\n    s = State(x, x)\n    return {wrong}.x\n")["f"]
    with pytest.raises(TypeError) as expected:
        f(1.0)
    with pytest.raises(TypeError) as found:
        tl.grad(f)(1.0)
    assert str(found.value) == str(expected.value)


class Twice:
    def __init__(self, w):
        self.w = w

    def __getattribute__(self, name):
        value = object.__getattribute__(self, name)
        return value * 2.0 if name == "w" else value


TWICE = Twice(3.0)


def test_objects_that_say_what_is_read_of_them():
    """The adjoint of what is read is not that of what they hold."""
    def of_argument(x, o):
        return x * o.w * o.w

    def of_outside(x):
        return x * TWICE.w

    with pytest.raises(tl.TangentError):
        tl.grad(of_argument, wrt=1)(2.0, TWICE)
    with pytest.raises(tl.TangentError):
        tl.grad(of_argument)(2.0, TWICE)
    assert tl.jvp(of_argument, (2.0, TWICE), (1.0, None)) == (72.0, 36.0)
    assert tl.grad(of_outside)(2.0) == 6.0
