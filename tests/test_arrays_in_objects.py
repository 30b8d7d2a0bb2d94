"""Arrays in objects that are changed whole, `self.field += v`, next to lists that grow."""
import numpy as np
import pytest

from tests.held_to_both import is_by_names, is_right


class Line:
    """A line of cells with what was seen of it."""

    def __init__(self, x):
        self.field, self.flux = np.zeros(len(x)), np.zeros(len(x) - 1)
        self.speed = x
        self.seen, self.steps = [], 0

    def step(self, source):
        self.flux += 0.5 * (self.field[1:] - self.field[:-1])
        self.field[1:-1] += 0.5 / (2.0 + self.speed[1:-1] ** 2) * np.diff(self.flux)
        self.field[2] += source
        self.flux *= np.cos(self.flux)
        self.steps += 1

    def look(self, place=-3):
        self.seen.append(self.field[place])


def waves(x):
    line = Line(x)
    for k in range(7):
        line.step(x[k])
        line.look()
    return np.sum((np.array(line.seen) - x) ** 2) + line.steps


def seen_by_another_name(x):
    line = Line(x)
    flux, part = line.flux, line.field[1:4]
    for k in range(3):
        line.flux += x[k]
        line.flux -= flux * flux * 0.1
        line.field *= x[k + 1]
        line.field += x
        line.seen.append(flux[0] * part[1])
    return sum(line.seen)


def given_an_array(x):
    line = Line(x)
    line.flux = x * x
    held = line.flux
    for k in range(3):
        line.flux /= 1.0 + x[k] ** 2
        line.seen.append(held[k])
    return sum(line.seen) + np.sum(line.flux * held)


def of_two_objects(x):
    one, other = Line(x), Line(x)
    other.field = one.field
    for k in range(3):
        one.field += x * x[k]
        other.field *= 0.5
        one.seen.append(other.field[k])
    return sum(one.seen) * one.field[0]


def read_in_between(x):
    line = Line(x)
    for k in range(3):
        line.field += x * line.field[k] + np.sum(line.field) * x[k] + x
        line.seen.append(line.field[0])
    return sum(line.seen)


@pytest.mark.parametrize("function", [
    waves, seen_by_another_name, given_an_array, of_two_objects, read_in_between])
def test_an_array_that_is_changed_whole(function):
    is_right(function)
    is_by_names(function)


def kept_in_a_list(x):
    line = Line(x)
    for k in range(3):
        line.field += x * x[k]
        line.seen.append(line.field)
    return sum(one[0] * one[1] for one in line.seen)


def test_one_array_many_times_in_a_list():
    is_right(kept_in_a_list)
