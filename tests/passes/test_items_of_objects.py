"""Objects say themselves what their items are and what they give when they are iterated over: their
tangents and adjoints, which are objects of the same class, are not asked."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names

X = 0.7


class Polar:
    """What it is unpacked to, and its items, are no linear functions of what it holds."""

    def __init__(self, radius, angle):
        self.radius, self.angle = radius, angle

    def __iter__(self):
        return iter([self.radius * np.cos(self.angle), self.radius * np.sin(self.angle)])

    def __getitem__(self, power):
        return self.radius ** (power + 2)


class Named(Polar):
    def __init__(self, radius, name):
        self.radius, self.angle, self.name = radius, 2.0 * radius, name


def either(x, n):
    return Polar(x, x) if n else Named(x, "end")


def one_of_many(x, n):
    if n == 0:
        return Polar(x, x)
    return [x, x * x] if n == 1 else (x, 1.0)


def unpacked(x, n):
    a, b = Polar(x, n * x)
    return a * b


def unpacked_part(x, n):
    points = {"start": [Polar(x, x), Polar(2.0 * x, x)]}
    a, b = points["start"][n]
    return a * b


def unpacked_in_a_loop(x, n):
    return [a * b for a, b in [Polar(x, 1.0), Polar(1.0, x)]][n]


def starred(x, n):
    return [*Polar(x, x)][n]


def starred_in_a_call(x, n):
    return np.array([*Polar(x, x), x])[n] + np.sum([*Polar(x, 1.0)])


def of_two_classes(x, n):
    a, b = either(x, n)
    return a + 2.0 * b


def item_of_two_classes(x, n):
    point = either(x, n)
    return point[n] * x


def starred_of_two_classes(x, n):
    return (*either(x, n), x)[1]


def list_or_object(x, n):
    a, b = one_of_many(x, n)
    return a + 3.0 * b


def item_of_list_or_object(x, n):
    return one_of_many(x, n)[1]


@pytest.mark.parametrize("f", [unpacked, unpacked_part, unpacked_in_a_loop, starred,
                               starred_in_a_call,
                               of_two_classes, item_of_two_classes, starred_of_two_classes,
                               list_or_object, item_of_list_or_object], ids=lambda f: f.__name__)
def test_objects_are_asked(f):
    for n in (0, 1):
        wanted = (f(X + 1e-6, n) - f(X - 1e-6, n)) / 2e-6
        np.testing.assert_allclose(tl.grad(f)(X, n), wanted, rtol=1e-6)
        np.testing.assert_allclose(tl.jvp(f, (X, n), (1.0, None))[1], wanted, rtol=1e-6)


def list_or_array(x, n):
    parts = [x, 2.0 * x] if n else np.array([x, x * x])
    a, b = parts
    return a * b + parts[1]


def test_lists_and_arrays_go_by_names():
    with by_names():
        for n in (0, 1):
            wanted = (list_or_array(X + 1e-6, n) - list_or_array(X - 1e-6, n)) / 2e-6
            np.testing.assert_allclose(
                tl.jvp(list_or_array, (X, n), (1.0, None))[1], wanted, rtol=1e-6)


def test_what_names_do_not_tell():
    reasons = {item_of_two_classes: "what is subscripted here may be an object",
               of_two_classes: "what is unpacked here is not known to be a tuple"}
    for f, reason in reasons.items():
        with by_names(), pytest.raises(tl.TangentError, match=reason):
            tl.grad(f)(X, 1)
