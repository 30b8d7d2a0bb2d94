"""Gradients go back into the space of the argument, and share no memory with anything."""

import collections
import dataclasses
from typing import NamedTuple

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.trees import arrays_in, finish, owners


class Pair(NamedTuple):
    left: float
    right: np.ndarray


@dataclasses.dataclass(frozen=True)
class Layer:
    W: np.ndarray
    name: str = "dense"


class Plain:
    def __init__(self, **values):
        vars(self).update(values)


@pytest.mark.parametrize("gradient, argument, want", [
    (2.0, 1.0, 2.0),
    (None, 1.0, 0.0),
    (3, 1.0, 3.0),
    (np.float64(2.0), 1.0, 2.0),
    (np.float32(2.0), 1.0, 2.0),
    (np.array([2.0]), 1.0, 2.0),
    (2.0 + 0.0j, 1.0, 2.0),
    (2.0, 1j, 2.0 + 0j),
    (2.0, np.float32(1.0), np.float32(2.0)),
    (2.0, np.complex64(1.0), np.complex64(2.0)),
], ids=str)
def test_numbers(gradient, argument, want):
    got = finish(gradient, argument, set())
    assert got == want and type(got) is type(want)


@pytest.mark.parametrize("power", [lambda x: x ** 0.5, lambda x: np.power(x, 0.5),
                                   lambda x: 2.0 * x ** 1.5], ids=["**", "power", "more"])
@pytest.mark.parametrize("x", [-2.0, np.float64(-2.0), np.float32(-2.0)], ids=repr)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_powers_of_negative_numbers_are_nan_as_in_arrays(power, x):
    found = tl.grad(power)(x)
    assert np.isnan(found) and type(found) is type(x)
    assert np.isnan(tl.grad(lambda x: np.sum(power(x)))(np.array([x], float))[0])


@pytest.mark.parametrize("argument", [1, True, "text", None, np.int64(3), np.arange(3), len],
                         ids=str)
def test_what_cannot_vary_has_none(argument):
    assert finish(0.0, argument, set()) is None


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.complex64])
def test_arrays_keep_shape_and_dtype(dtype):
    argument = np.ones((2, 3), dtype)
    for gradient in (np.ones((2, 3)), 0.0, None, np.ones((2, 3), dtype), np.ones(3)):
        got = finish(gradient, argument, set())
        assert got.shape == (2, 3) and got.dtype == dtype and got.flags.writeable


def test_a_real_array_has_a_real_gradient():
    got = finish(np.array([1.0 + 2.0j]), np.array([1.0]), set())
    assert got.dtype == float and got.tolist() == [1.0]


def test_a_gradient_is_nobody_elses():
    x = np.ones(3)
    fresh = np.zeros(3)
    assert finish(fresh, x, set()) is fresh
    for gradient, held in [(x, [x]), (x[::-1], [x]), (np.broadcast_to(1.0, 3), []),
                           (fresh[:], [fresh]), (np.zeros(9)[:3], [])]:
        got = finish(gradient, x, owners(held))
        assert got.flags.writeable
        assert not any(np.shares_memory(got, h) for h in held if h is not got)
        assert got.base is None


def test_two_gradients_share_nothing():
    x, held, both = np.ones(3), set(), np.zeros(3)
    first, second = finish(both, x, held), finish(both, x, held)
    assert first is both and not np.shares_memory(first, second)


def test_a_transposed_gradient_is_not_copied():
    made = np.zeros((3, 2)).T
    assert finish(made, np.ones((2, 3)), owners([np.ones((2, 3))])) is made


def test_structures():
    argument = {"a": [1.0, (2.0, 3)], "b": Pair(1.0, np.ones(2))}
    got = finish({"a": [5.0, (6.0, None)], "b": (7.0, np.zeros(2))}, argument, set())
    assert got["a"] == [5.0, (6.0, None)]
    assert type(got["b"]) is Pair and got["b"].left == 7.0 and got["b"].right.tolist() == [0, 0]


def test_one_zero_stands_for_a_whole_structure():
    assert finish(0.0, {"a": (1.0, [2.0])}, set()) == {"a": (0.0, [0.0])}
    assert finish(None, {"a": (1.0, [2.0])}, set()) == {"a": (0.0, [0.0])}


def test_classes_of_containers_are_kept():
    got = finish({"a": 1.0}, collections.OrderedDict(a=2.0), set())
    assert type(got) is collections.OrderedDict
    got = finish({"a": 1.0}, collections.defaultdict(list, a=2.0), set())
    assert type(got) is collections.defaultdict and got.default_factory is list


def test_objects():
    got = finish({"W": np.zeros(2)}, Layer(np.ones(2)), set())
    assert type(got) is Layer and got.W.tolist() == [0.0, 0.0] and got.name is None
    argument = Plain(w=1.0, n=3)
    got = finish(Plain(w=5.0, n=None), argument, set())
    assert type(got) is Plain and (got.w, got.n) == (5.0, None)
    assert (argument.w, argument.n) == (1.0, 3)


def test_arrays_in():
    a, b, c = np.ones(1), np.ones(2), np.ones(3)
    tree = {"a": [a, (b, 1.0)], "layer": Layer(c), "f": np.sin, "none": None}
    assert [x is y for x, y in zip(arrays_in(tree), (a, b, c))] == [True] * 3


class Doubled:
    def __init__(self, x, y):
        vars(self).update(x=x, y=y)

    @property
    def x(self):
        return 2.0 * vars(self)["x"]


class Halved(Doubled):
    @property
    def x(self):
        return 2.0 * vars(self)["x"]

    @x.setter
    def x(self, value):
        vars(self)["x"] = value / 2.0


@pytest.mark.parametrize("cls", [Doubled, Halved])
def test_what_an_object_holds_by_the_name_of_a_property(cls):
    """The property is read by the function, and is not run for the gradient."""
    got = tl.grad(lambda p: p.x ** 2 * p.y)(cls(1.5, 2.0))
    assert type(got) is cls and vars(got) == {"x": 24.0, "y": 9.0}
