"""What globals hold may change: it is told quickly, and never wrongly, that it is of the kinds of
before."""
import collections
import dataclasses
import enum
import types

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.calling import resolve
from tangent_lite.calling.keys import key_of
from tangent_lite.calling.unchanged import told_quickly


@dataclasses.dataclass
class Settings:
    rate: float = 1.0
    W: np.ndarray = dataclasses.field(default_factory=lambda: np.ones(2))


class Model:
    def __init__(self):
        self.parts, self.inner = [np.ones(2), np.ones(3)], Settings()


class Slotted:
    __slots__ = ("rate",)

    def __init__(self):
        self.rate = 1.0


def settings():
    return {"rate": 0.1, "W": np.ones((2, 2)), "names": ["a", "b"], "pair": (1.0, np.ones(2)),
            "inner": {"x": 1.0}}


def put(key, value):
    return lambda held: held.__setitem__(key, value)


def of_attribute(name, value):
    return lambda held: setattr(held, name, value)


CHANGES = {
    "another number": (settings, put("rate", 0.3), True),
    "an int": (settings, put("rate", 1), False),
    "an array of this kind": (settings, put("W", np.zeros((3, 1))), True),
    "another rank": (settings, put("W", np.ones(4)), False),
    "another type": (settings, put("W", np.ones((2, 2), np.float32)), False),
    "no array": (settings, put("W", 1.0), False),
    "one key more": (settings, put("more", 1.0), False),
    "one key less": (settings, lambda d: d.pop("rate"), False),
    "another order": (settings, lambda d: d.update(rate=d.pop("rate")), False),
    "an item in a list": (settings, lambda d: d["names"].append(1.0), False),
    "a text in a list": (settings, lambda d: d["names"].append("c"), True),
    "an empty list": (settings, lambda d: d["names"].clear(), False),
    "inside": (settings, lambda d: d["inner"].update(x=2), False),
    "inside the same": (settings, lambda d: d["inner"].update(x=2.5), True),
    "a dict put into its place": (settings, put("inner", {"x": 2}), False),
    "a tuple put into its place": (settings, put("pair", (1, np.ones(2))), False),
    "an array in a tuple": (settings, lambda d: setattr(d["pair"][1], "shape", (2, 1)), False),
    "a field": (Settings, of_attribute("rate", 2.0), True),
    "a field of another type": (Settings, of_attribute("rate", np.ones(2)), False),
    "a field more": (Settings, of_attribute("more", 2.0), False),
    "a class": (Settings, of_attribute("__class__", Model), False),
    "a dict of attributes": (Settings, of_attribute("__dict__", {"rate": 1}), False),
    "an array in a list": (Model, lambda m: m.parts.append(np.ones((2, 2))), False),
    "of an object in it": (Model, lambda m: setattr(m.inner, "rate", 1), False),
    "an object put into its place": (Model, of_attribute("inner", Settings(1)), False),
    "a space of names": (lambda: types.SimpleNamespace(a=1.0), of_attribute("a", 1), False),
    "a counter": (lambda: collections.Counter("ab"), lambda c: c.update("c"), False),
    "a list": (lambda: [1.0, 2.0], put(0, 1), False),
    "numbers": (lambda: [1.0, 2.0], lambda x: x.extend([3.0] * 10), True),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_yes_means_the_same_key(change):
    make, act, stays = CHANGES[change]
    value = make()
    told, before = told_quickly([value], lambda v: False), key_of(value)
    assert told is not None and told.same()
    act(value)
    assert told.same() is stays
    assert bool(eval(" and ".join(told.texts) or "True", told.space)) is stays
    assert not stays or key_of(value) == before


@pytest.mark.parametrize("value", [Slotted(), [1.0, 2], [[1.0] for _ in range(100)]])
def test_what_cannot_be_told(value):
    assert told_quickly([value], lambda v: False) is None


PARAMETERS = {"rate": 2.0, "inner": {"W": 3.0}}
MIXED = [2.0, 3]


class Kind(enum.Enum):
    SPRING = "spring"
    GRAVITY = "gravity"


def of_parameters(x):
    return np.sum(PARAMETERS["rate"] * x * PARAMETERS["inner"]["W"])


@pytest.mark.parametrize("times", [3, 30])
def test_what_is_put_in_is_seen(times):
    derivative, x = tl.grad(of_parameters), np.ones(2)
    for k in range(times):
        PARAMETERS["inner"] = {"W": np.array([1.0, k]) if k % 2 else float(k)}
        PARAMETERS["rate"] = k
        np.testing.assert_array_equal(derivative(x), k * PARAMETERS["inner"]["W"] * x)


def test_globals_that_are_bound_anew_are_not_written_about(monkeypatch):
    written = []

    def noted(*given):
        written.append(given)
        return told_quickly(*given)

    monkeypatch.setattr(resolve, "told_quickly", noted)
    derivative, x = tl.grad(of_parameters), np.ones(2)
    for k in range(30):
        monkeypatch.setitem(globals(), "PARAMETERS", {"rate": float(k), "inner": {"W": 2.0}})
        np.testing.assert_array_equal(derivative(x), 2.0 * k * x)
    assert len(written) < 5


def test_a_class_with_another_way_to_read():
    class Odd:
        def __init__(self):
            self.rate = 2.0

    odd = Odd()

    def f(x):
        return odd.rate * x * x

    derivative = tl.grad(f)
    assert derivative(1.0) == 4.0
    odd.rate = 3
    assert derivative(1.0) == 6.0
    Odd.rate = property(lambda self: 5.0)
    assert f(1.0) == 5.0 and derivative(1.0) == 10.0


def test_members_of_an_enum_are_constants():
    def f(x):
        return x * x if Kind.SPRING is not Kind.GRAVITY else x

    derivative = tl.grad(f)
    assert derivative(3.0) == 6.0
    watched = next(iter(derivative._variants.values()))[0].watched
    assert not watched.changeable


def test_numbers_of_numpy_become_pythons():
    row = np.array([2.0, 3.0])
    derivative = tl.grad(lambda x: x * row[1])
    assert derivative(1.0) == 3.0 and type(derivative(1.0)) is type(derivative(2.0)) is float
