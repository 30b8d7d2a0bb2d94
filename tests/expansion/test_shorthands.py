"""Calls that stand for an attribute, an operator, a class, or a function whose results are kept."""
import copy
import functools
import math
import operator
from typing import NamedTuple

import numpy as np
import pytest

import tangent_lite as tl


class Point(NamedTuple):
    x: float
    y: float = 2.0


class Vector:
    def __init__(self, x):
        self.x, self.y = x, x * x

    def __add__(self, other):
        made = Vector(self.x + other.x)
        made.y = self.y * other.y
        return made


@functools.cache
def rate(t, power=2):
    return math.exp(-t) * t ** power, math.sin(t)


@functools.lru_cache(maxsize=8)
def total_rate(t):
    a, b = rate(t)
    c, _ = rate(t, power=3)
    return a * b + c


def cached(x):
    return sum([total_rate(x * k) for k in range(1, 4)])


def added(x):
    v = functools.reduce(operator.add, [Vector(x), Vector(2.0 * x), Vector(3.0)])
    return v.x * v.y


def multiplied(x):
    return functools.reduce(operator.mul, [x, 2.0 * x, 3.0]) + operator.sub(x, 2.0) ** 2


def made_of_a_tuple(x):
    p = Point._make((x, x * x))
    return p.x * p.y


def made_of_a_list(x):
    p = Point._make([x * k for k in range(1, 3)])
    return p.x * p.y


def made_of_an_array(x):
    p = Point._make(np.array([x, x * x]))
    return p.x * p.y


def as_a_dict(x):
    d = Point(x)._asdict()
    d["x"] = d["y"] * x * x
    return sum(d.values()) * d["x"]


def copies_of_a_list(x):
    xs = [x, x * x]
    ys, zs = copy.copy(xs), copy.deepcopy(xs)
    ys[0] = 3.0 * x
    zs.append(ys[1])
    return xs[0] * ys[0] + ys[1] * zs[2] * len(xs)


def copies_of_a_dict(x):
    d = {"a": x, "b": x * x}
    e, g = copy.copy(d), copy.deepcopy(d)
    e["a"] = 3.0 * x
    g["c"] = e["a"]
    return d["a"] * e["a"] * e["b"] + sum(g.values()) * len(d)


def copies_of_arrays(x):
    a = np.array([x, x * x])
    b = copy.deepcopy(a)
    b[0] = 3.0
    return np.sum(a * b * np.sin(a))


def attributes_of_a_tuple(x):
    v = Vector(x)
    for name in ("x", "y"):
        setattr(v, name, getattr(v, name) * 2.0)
    return v.x * v.y


def attributes_of_a_list(x):
    v = Vector(x)
    return sum([getattr(v, name) ** 2 for name in ["x", "y"]])


def in_pieces(x):
    v = np.array([x, x * x, -x, 2.0])
    a = np.piecewise(v, [v < 0.0, v > 1.5], [lambda w: w * w, 3.0, np.exp])
    b = np.piecewise(v, [v < 0.6], [square, x])
    c = np.piecewise(np.outer(v, a), [np.outer(v, v) < 0.6], [lambda w: x * w])
    return np.sum(a * b) + np.sum(c)


def square(v):
    return v * v


def in_pieces_that_overlap(x):
    v = np.array([x, x * x, -x, 2.0])
    s = 0.0
    for k in range(3):
        s += np.sum(np.piecewise(v, (v < 1.0, v * k < 0.6), (np.sin, lambda w: w * v[k])))
    return s


def in_pieces_without_elements(x):
    v, called = np.array([x, x * x, -x, 2.0]), []

    def noted(w):
        called.append(w[0] * 1.0)
        return w * w
    a = np.piecewise(v, [v > 9.0, v < 0.0], [lambda w: w * np.max(w), noted, noted])
    return np.sum(a) * called[0] * len(called)


def items_of_arrays(x):
    v = np.array([[x, x * x, -x], [2.0, x ** 3, x]])
    s = 0.0
    for k in range(v.size):
        v[k % 2, 0] = v.item(k) * 3.0
        s += v.item(-1 - k) ** 2 * v.item(1, k % 3) + v[0].item(1) * v.item((0, -1))
    return s


@pytest.mark.parametrize("f", [
    items_of_arrays, in_pieces, in_pieces_that_overlap, in_pieces_without_elements, cached, added,
    multiplied, made_of_a_tuple, made_of_a_list,
    made_of_an_array, as_a_dict, copies_of_a_list, copies_of_a_dict, copies_of_arrays,
    attributes_of_a_tuple,
    attributes_of_a_list], ids=lambda f: f.__name__)
@pytest.mark.sweep(2)
def test_by_names(f):
    wanted = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    value, slope = tl.value_and_grad(f)(0.7)
    assert value == f(0.7)
    assert slope == pytest.approx(wanted, rel=1e-7)
    assert tl.jvp(f, (0.7,), (1.0,))[1] == pytest.approx(wanted, rel=1e-7)
    slopes = tl.grad(f)
    wanted = (slopes(0.7 + 1e-6) - slopes(0.7 - 1e-6)) / 2e-6
    assert tl.hessian(f)(0.7) == pytest.approx(wanted, rel=1e-6)
    assert "tape.pull" not in slopes.source_for(0.7)


COUNTS = []


@functools.cache
def counted(x):
    COUNTS.append(1)
    return x * x


@functools.cache
def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


@functools.cache
def both(x):
    return np.array([x, x * x])


@pytest.mark.parametrize("f", [counted, lambda x: power(x, 5), lambda x: np.sum(both(x) ** 2)],
                         ids=["counts", "calls itself", "gives an array"])
def test_what_is_kept_may_be_seen(f):
    """These go by identity, as before: what they keep is a part of what they do."""
    def g(x):
        return f(x) * 2.0
    wanted = (g(0.7 + 1e-6) - g(0.7 - 1e-6)) / 2e-6
    assert tl.grad(g)(0.7) == pytest.approx(wanted, rel=1e-7)


@pytest.mark.parametrize("f", [
    lambda x: Point._make([x, x, x]).x, lambda x: Point._make((x,)).x,
    lambda x: Point._make(np.array([x, x, x])).x], ids=["more", "fewer", "more in an array"])
def test_another_number_of_items(f):
    """Also fewer, where the class has a default for the rest: a TypeError in Python."""
    with pytest.raises(TypeError):
        f(1.0)
    with pytest.raises((TypeError, ValueError, tl.TangentError)):
        tl.grad(f)(1.0)
