"""Classes with type parameters are called as they are without."""
import collections
import typing
from dataclasses import dataclass

import numpy as np
import pytest

import tangent_lite as tl
from tests.held_to_both import is_by_names, is_right

T = typing.TypeVar("T")


@dataclass
class Pair(typing.Generic[T]):
    a: T
    b: T


class Stack(typing.Generic[T]):
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)
        return self

    def pop(self):
        return self.items.pop()


Floats = list[float]
PairOfFloats = Pair[float]


def a_dataclass(x):
    pair = Pair[float](x[0], x[1])
    return pair.a * pair.b ** 2


def an_object(x):
    stack = Stack[float]()
    stack.push(x[0])
    stack.push(x[0] * x[1])
    return stack.pop() * stack.pop()


def containers(x):
    both = dict[str, float](a=x[0], b=x[1])
    items = list[float]([x[2], x[0]])
    return both["a"] * both["b"] + items[0] * items[1] ** 2


def by_another_name(x):
    pair = PairOfFloats(a=x[0], b=x[1])
    items = Floats()
    items.append(x[2])
    items.append(pair.a)
    return items[0] * pair.b ** 2 + items[1]


def bound_here(x):
    kind = Pair[float]
    pair = kind(x[0], x[1])
    return pair.a * pair.b ** 2


def in_a_queue(x):
    queue = collections.deque[float]([x[0], x[1]], maxlen=2)
    queue.append(x[0] * x[1])
    return queue[0] * queue[1]


@pytest.mark.parametrize("function", [a_dataclass, an_object, containers, by_another_name,
                                      bound_here, in_a_queue])
def test_they_are_followed(function):
    is_right(function)


@pytest.mark.parametrize("function", [a_dataclass, an_object, containers, by_another_name])
def test_by_names(function):
    is_by_names(function)


def test_names_are_live(monkeypatch):
    d = tl.grad(a_dataclass)
    x = np.array([0.5, 2.0])
    np.testing.assert_allclose(d(x), [4.0, 2.0])

    @dataclass
    class Other(typing.Generic[T]):
        b: T
        a: T

    monkeypatch.setitem(globals(), "Pair", Other)
    np.testing.assert_allclose(d(x), [2.0, 0.25])


class Meta(type):
    def __getitem__(cls, scale):
        return lambda x: scale * x


class Scaled(metaclass=Meta):
    pass


def what_the_user_wrote(x):
    return Scaled[3.0](x)


class Kept:
    def __class_getitem__(cls, scale):
        return lambda x: scale * x


def what_the_user_wrote_in_a_class(x):
    return Kept[3.0](x)


@pytest.mark.parametrize("function", [what_the_user_wrote, what_the_user_wrote_in_a_class])
def test_what_the_user_wrote_is_not_dropped(function):
    try:
        assert tl.grad(function)(2.0) == 3.0
    except tl.TangentError:
        pass
