"""Loops over the members of enumerations, and over what a Counter has counted."""
import enum
from collections import Counter

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

X = np.array([0.7, 1.3, -0.4])


class Color(enum.Enum):
    RED = 0
    GREEN = 1
    SCARLET = 0                                 # another name of RED: no member of its own


class Planet(enum.Enum):
    MERCURY = (3.3, 2.4)
    EARTH = (5.97, 6.37)

    def __init__(self, mass, radius):
        self.mass, self.radius = mass, radius

    @property
    def gravity(self):
        return self.mass / self.radius ** 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Tenfold(enum.Enum):
    A = 1
    B = 2

    @property
    def value(self):
        return 10 * self._value_


class Half(enum.Enum):
    HALF = 0.5
    WHOLE = 1


def values(x):
    total = 0.0
    for color in Color:
        total += x[color.value] ** 2 * (color.value + 1)
    for k, color in enumerate(Color, start=1):
        total += x[k] * color.value
    return total


def in_comprehensions(x):
    weights = {color: x[color.value] ** 2 for color in Color}
    weights[Color.RED] = weights[Color.RED] * weights[Color.GREEN]
    return sum(weights.values()) + sum(x[color.value] for color in list(Color))


def with_attributes(x):
    total = 0.0
    for planet in Planet:
        total += planet.mass * x[0] ** 2 + planet.gravity * x[1]
    return total


def with_values_of_their_own(x):
    return sum(member.value * x[0] ** 2 for member in Tenfold)


def of_other_numbers(x):
    total = x[2]
    for level in Level:
        total += x[level] ** 2 * level
    for part in Half:
        total *= part.value * x[0]
    return total


def beside_another(x):
    total = 0.0
    for color, v in zip(Color, x):
        for other in Color:
            if other is Color.GREEN:
                break
            total += v * v * x[other.value] * (color.value + 1)
    return total


def by_names(x):
    rates = {"red": x[0], "green": x[1] ** 2}
    return sum(rates[color.name.lower()] * x[2] for color in Color)


def counted_letters(x):
    counts, total = Counter("abca"), 0.0
    for letter, count in counts.items():
        total += count * x[0] ** 2
        total += counts[letter] * x[1]
    counts["a"] = 7
    return total * counts["a"] + counts["missing"]


def changed_as_they_are_read(x):
    counts, total = Counter([2, 1, 2]), 0.0
    for k in counts:
        total += counts[k] * x[k] ** 2
        counts[k] += 1
    return total * counts[2] * sum(counts.values()) * len(counts)


def counted_rounds(x):
    counts = Counter([round(float(v)) for v in x])
    return sum(count * k * x[1] for k, count in counts.items())


def numbers_added(x):
    counts = Counter("abb")
    counts["a"] += x[0] ** 2
    return sum(v * x[1] for v in counts.values()) * counts["b"]


@pytest.mark.parametrize("function", [values, in_comprehensions, with_attributes, by_names,
                                      with_values_of_their_own, of_other_numbers, beside_another,
                                      counted_letters, changed_as_they_are_read, counted_rounds,
                                      numbers_added])
def test_derivatives(function):
    gradient = tl.grad(function)
    found = gradient(X)
    assert not gradient._latest.by_identity
    tl.check_grads(function, (X,))
    assert tl.value_and_grad(function)(X)[0] == function(X)
    with by_identity():
        assert tl.grad(function)(X) == pytest.approx(found)


def test_the_text_knows_the_values():
    def f(x):
        total = 0.0
        for color in Color:
            total += x[color.value] ** 2
        return total
    text = tl.grad(f).source_for(X)
    assert "bx[color.value] += " in text and "unbroadcast" not in text


class Access(enum.Flag):
    READ = 1
    WRITE = 2


@pytest.mark.parametrize("x", [X, -X])
def test_names_of_flags_that_are_joined(x):
    def f(x):
        flags = [Access.READ, Access.READ | Access.WRITE]
        found = flags[int(x[0] > 0.0)]
        return np.sum(x * x) if found.name is None else np.sum(x) * found.value
    np.testing.assert_allclose(tl.grad(f)(x), [
        (f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(3)], rtol=1e-6)


def test_a_counter_in_an_argument():
    def f(p):
        return p["counts"]["a"] ** 2 * p["x"]
    found = tl.grad(f)({"counts": Counter(a=3.0), "x": 2.0})
    assert found == {"counts": {"a": 12.0}, "x": 9.0} and type(found["counts"]) is Counter


def test_a_pullback_that_is_called_twice():
    value, pullback = tl.vjp(numbers_added, X)
    (first,), (second,) = pullback(1.0), pullback(1.0)
    np.testing.assert_array_equal(first, tl.grad(numbers_added)(X))
    np.testing.assert_array_equal(second, first)
