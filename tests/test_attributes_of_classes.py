"""What objects have of their classes, read by names: `self.rate` of `class Cell: rate = 2.0`."""
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import tangent_lite as tl
from tests.closeness import slope
from tests.heap.forced import refused_by_names
from tests.held_to_both import is_by_names, is_right


class Membrane:
    """Constants of the class, and a state."""
    leak, pump = 0.3, 1.2
    rest: float = -0.4
    gates = (("m", 0.5, 1.5), ("h", -0.7, 0.8))
    weights = np.array([0.5, -1.0, 2.0])
    act = np.tanh
    table = {"slow": 0.1, "fast": 0.9}
    count, last, seen = 0, None, ()

    def __init__(self, voltage):
        self.voltage = voltage
        self.states = {name: start for name, start, _ in self.gates}

    def current(self, drive):
        total = self.leak * (self.voltage - self.rest) - self.pump * drive
        for name, _, speed in self.gates:
            total += speed * self.states[name] * self.voltage
        return total

    def step(self, drive, dt=0.1):
        for name, _, speed in self.gates:
            self.states[name] += dt * speed * (self.act(self.voltage) - self.states[name])
        self.voltage -= dt * self.current(drive)
        self.count += 1
        if self.last is not None:
            self.voltage += self.table["slow"] * (self.voltage - self.last)
        self.last = self.voltage


class Leaky(Membrane):
    leak = 0.7

    def current(self, drive):
        return super().current(drive) + np.sum(self.weights * drive)


class Law:
    """No state at all."""
    strength, exponent = 1.5, 3

    def force(self, x):
        return -self.strength * x ** self.exponent

    def energy(self, x):
        return self.force(x) * x / (self.exponent + 1)


@dataclass
class Body:
    place: float
    speed: float = 0.0
    drag: ClassVar[float] = 0.2
    law: ClassVar[Law] = Law()

    def move(self, dt=0.1):
        self.speed += dt * (self.law.force(self.place) - self.drag * self.speed)
        self.place += dt * self.speed


law, membrane = Law(), Membrane(0.3)


def simulated(x):
    total = 0.0
    for cell in (Membrane(x[0]), Leaky(x[1])):
        for k in range(4):
            cell.step(x[k])
        total += cell.voltage * cell.count
    return total


class Cable:
    """Nothing of its class changes."""
    leak, pump, rest = 0.3, 1.2, -0.4
    weights, act, order = np.array([0.5, -1.0, 2.0]), np.tanh, 3

    def __init__(self, voltage):
        self.voltage = voltage

    def step(self, drive, dt=0.1):
        current = self.leak * (self.voltage - self.rest) - self.pump * self.act(drive)
        self.voltage -= dt * current * np.sum(self.weights * drive)


def of_constants(x):
    cell = Cable(x[0])
    cell.leak = Cable.leak * x[1]
    for k in range(7):
        cell.step(x[k])
    return cell.voltage ** cell.order * cell.pump


def hidden_by_the_object(x):
    cell = Membrane(x[0])
    cell.leak = Membrane.leak * x[1]
    if x[2] > 0.0:
        cell.pump = x[2] ** 2
    for k in range(3):
        cell.step(x[k])
        if k == 1:
            cell.rest = x[3] * cell.rest
    return cell.voltage * cell.leak


def of_no_state(x):
    return sum(law.energy(v) for v in x) + law.strength * x[0] + Law().force(x[1])


def of_dataclasses(x):
    bodies = [Body(v) for v in x[:3]]
    for _ in range(3):
        for body in bodies:
            body.move()
    return sum(body.place * body.speed * body.drag for body in bodies)


def from_outside(x):
    return membrane.current(x[0]) * membrane.leak + np.sum(membrane.weights * x[:3])


@pytest.mark.parametrize("function", [
    simulated, of_constants, hidden_by_the_object, of_no_state, of_dataclasses, from_outside])
def test_what_classes_say(function):
    is_right(function)


@pytest.mark.parametrize("function", [of_constants, of_no_state, of_dataclasses, from_outside])
def test_by_names(function):
    is_by_names(function)


def written_to(x):
    cell = Membrane(x[0])
    cell.weights[0] *= x[1]
    cell.table["fast"] = x[2]
    return np.sum(cell.weights) * Membrane.weights[0] * cell.table["fast"]


def test_what_is_written_into_what_the_class_holds():
    kept = Membrane.weights.copy()
    x = np.array([0.7, 1.3, 0.4])
    value, gradient = tl.value_and_grad(written_to)(x)
    np.testing.assert_array_equal(Membrane.weights, kept)
    assert Membrane.table == {"slow": 0.1, "fast": 0.9}
    # w0 = 0.5 x1, value = (w0 + 1) w0 x2
    w0 = 0.5 * x[1]
    assert value == pytest.approx((w0 + 1.0) * w0 * x[2])
    np.testing.assert_allclose(
        gradient, [0.0, 0.5 * (2.0 * w0 + 1.0) * x[2], (w0 + 1.0) * w0], rtol=1e-12)


def read_live(x):
    return law.energy(x) * membrane.leak + membrane.act(x) + np.sum(x * membrane.weights)


def test_classes_are_read_when_the_derivative_runs(monkeypatch):
    derivative = tl.value_and_grad(read_live)
    for owner, name, value in [
            (Law, "strength", 2.5), (Law, "strength", np.float64(0.5)), (Law, "exponent", 2.0),
            (Membrane, "act", staticmethod(math.exp)), (Membrane, "weights", np.ones((2, 2))),
            (Membrane, "leak", np.ones(1)), (Membrane, "weights", 3.0), (membrane, "leak", 0.1),
            (law, "strength", 4.0), (Law, "force", lambda self, x: x * self.strength)]:
        monkeypatch.setattr(owner, name, value, raising=False)
        for _ in range(2):
            found, gradient = derivative(0.7)
            assert found == read_live(0.7)
            assert gradient == pytest.approx(slope(lambda x: float(np.sum(read_live(x))), 0.7))


class Asked:
    rate = 2.0

    def __getattribute__(self, name):
        return 5.0 if name == "rate" else object.__getattribute__(self, name)


def test_an_object_that_is_asked_for_everything():
    def f(x):
        asked = Asked()
        return asked.rate * x * x

    assert tl.grad(f)(3.0) == 30.0


# Objects that change their class ------------------------------------------------------------------
class Open(Cable):
    leak = 0.9

    def step(self, drive, dt=0.1):
        self.voltage = self.leak * drive ** 2


def of_another_class(x):
    cell = Cable(x)
    cell.step(x)
    cell.__class__ = Open
    cell.step(cell.voltage)
    return cell.voltage * cell.leak


def test_an_object_changes_its_class():
    refused_by_names(tl.UnsupportedSyntaxError, of_another_class, 0.7,
                     match="__class__ of an object is bound anew")
    value, gradient = tl.value_and_grad(of_another_class)(0.7)
    assert value == of_another_class(0.7)
    assert gradient == pytest.approx(slope(of_another_class, 0.7))


class Counted:
    total = np.zeros(2)

    def __init__(self, v):
        self.v = v


def counted(x):
    c = Counted(x)
    c.total += x * x
    return np.sum(c.total * Counted.total)


def test_an_array_of_a_class_that_an_object_changes_in_place():
    def fresh(x):
        Counted.total = np.zeros(2)
        return counted(x)

    slope = (fresh(2.0 + 1e-6) - fresh(2.0 - 1e-6)) / 2e-6
    Counted.total = np.zeros(2)
    value, gradient = tl.value_and_grad(counted)(2.0)
    assert value == fresh(2.0) == 32.0 and np.isclose(gradient, slope, rtol=1e-8)
    Counted.total = np.zeros(2)


class Answering(type):
    rate = property(lambda cls: 7.0)


class Answered(metaclass=Answering):
    rate = 2.0


def test_a_metaclass_says_something_else_of_the_class():
    def f(thing, x):
        return x * x * thing.rate

    assert f(Answered(), 1.0) == 2.0 and tl.grad(f, wrt=1)(Answered(), 1.0) == 4.0


class Doubled:
    """What it stores is read back as twice of it."""

    def __init__(self):
        self.held = 1.0

    @property
    def value(self):
        return 2.0 * self.held

    @value.setter
    def value(self, v):
        self.held = v


DOUBLED = Doubled()


def test_slopes_of_what_a_property_computes():
    def f(x):
        DOUBLED.value = x * x
        DOUBLED.value = DOUBLED.value + x
        return DOUBLED.value

    assert tl.jvp(f, (3.0,), (1.0,)) == (42.0, 26.0)
    assert tl.grad(f)(3.0) == 26.0 and DOUBLED.held == 1.0
