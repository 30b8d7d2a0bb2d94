"""Defaults of helpers that are no numbers: by names, right, and what they were when defined."""
import math
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.functions.default_values import passed_default
from tests.closeness import slope
from tests.heap.forced import refused_by_names
from tests.held_to_both import is_by_names, is_right

WEIGHTS = np.array([0.5, -1.5, 2.0, 0.3, 1.1, -0.2, 0.9])


def square(x):
    return x * x


def clipped(x, bounds=(-0.85, 1.05)):
    low, high = bounds
    return min(max(x, low), high) * x


def affine(x, *, steps=((2.0, 1.0), (0.5, -1.0))):
    for scale, shift in steps:
        x = scale * x + shift
    return x


def activated(x, act=np.tanh):
    return act(x) * x


def shaped(x, act=square, /, weights=WEIGHTS, options={"gain": 2.0}):
    return np.sum(act(x) * weights) * options["gain"]


class Controller:
    def __init__(self, gain, limits=(-1.0, 1.5), act=math.atan):
        self.gain, self.limits, self.act = gain, limits, act
        self.total, self.last = 0.0, None

    def __call__(self, error, scales=(0.5, 2.0)):
        self.total += error
        change = 0.0 if self.last is None else error - self.last
        self.last = error
        low, high = self.limits
        made = self.gain * self.act(error) + scales[0] * self.total + scales[1] * change
        if made > high:
            self.total -= error
            return high
        return max(made, low)


def tuples(x):
    total = 0.0
    for k in range(len(x)):
        total += clipped(x[k]) * affine(x[k])
    return total


def functions(x):
    return np.sum(activated(x)) + sum(activated(v, act=math.sin) for v in x)


def arrays(x):
    return shaped(x) + shaped(np.sin(x), np.exp, options={"gain": 0.5})


def controlled(x):
    controller, place, cost = Controller(x[0]), 0.0, 0.0
    for k in range(6):
        place += 0.3 * controller(x[k] - place)
        cost += place * place
    return cost


@pytest.mark.parametrize("function", [tuples, functions, arrays, controlled])
def test_defaults_of_helpers(function):
    is_right(function)
    is_by_names(function)


def test_a_default_is_read_as_a_person_would_write_it():
    assert "clipped_fwd(x, (-0.85, 1.05))" in tl.grad(lambda x: clipped(x)).source_for(2.0)


def test_a_default_array_may_change_inside():
    kept = WEIGHTS.copy()
    try:
        derivative = tl.grad(lambda x: shaped(x))
        before = derivative(kept)
        WEIGHTS[:] *= 2.0
        np.testing.assert_allclose(derivative(kept), 2.0 * before)
    finally:
        WEIGHTS[:] = kept


def counted(x, seen=[0.0]):
    seen[0] += x
    return seen[0] * x


def test_what_is_written_into_a_default_is_no_business_of_names():
    def twice(x):
        return counted(x) * counted(x)

    refused_by_names(tl.AliasError, twice, 1.5)
    assert tl.value_and_grad(twice)(1.5) == pytest.approx((1.5 ** 2 * 2 * 1.5 ** 2, 8 * 1.5 ** 3))
    assert counted.__defaults__ == ([0.0],)


def test_a_default_that_is_no_literal_goes_by_no_other_way():
    with pytest.raises(tl.UnsupportedSyntaxError, match="the default of w is no literal"):
        passed_default(WEIGHTS, "w", None)


# Names that now mean something else ---------------------------------------------------------------
def test_a_default_is_not_what_has_its_name_now(monkeypatch):
    derivative = tl.value_and_grad(boxed)
    assert derivative(3.0) == (6.0, 2.0)
    monkeypatch.setitem(globals(), "limits", (0.0, 5.0))
    monkeypatch.setitem(globals(), "scale", np.float64(7.0))
    assert derivative(3.0) == (6.0, 2.0) == (boxed(3.0), 2.0)


limits, scale = (0.0, 1.0), np.float64(2.0)


@dataclass
class Box:
    x: float
    limits: tuple = limits
    scale: float = scale


def boxed(x):
    box = Box(x)
    return box.x * box.limits[1] * box.scale


class Model:
    def __init__(self, weight):
        self.weight = weight

    def predict(self, x):
        return np.sum(self.weight * x)


model = Model(3.0)
predict = model.predict
half = partial(lambda owner, x: 0.5 * np.sum(owner.weight * x), model)
DATA = [3.0]


def weighted(x, data=DATA):
    return np.sum(data[0] * x)


def by_method(x):
    return predict(x) * x


def by_partial(x):
    return half(x) * x


def by_default(x):
    return weighted(x) * x


def test_a_method_belongs_to_its_object(monkeypatch):
    derivative = tl.grad(by_method)
    assert derivative(2.0) == pytest.approx(12.0)
    monkeypatch.setitem(globals(), "model", Model(9.0))
    assert derivative(2.0) == pytest.approx(12.0) == pytest.approx(slope(by_method, 2.0))


@pytest.mark.parametrize("function", [by_method, by_partial, by_default])
def test_what_functions_hold_may_come_to_be_of_another_kind(function, monkeypatch):
    derivative = tl.value_and_grad(function)
    for weight in (3.0, np.array([1.0, 2.0]), np.ones((2, 2)), 0.5):
        monkeypatch.setattr(model, "weight", weight)
        DATA[0] = weight
        value, gradient = derivative(2.0)
        assert value == function(2.0)
        assert gradient == pytest.approx(slope(function, 2.0))
