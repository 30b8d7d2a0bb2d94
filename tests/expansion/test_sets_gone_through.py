"""Loops over the members of a set of constants."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names
from tests.held_to_both import is_by_names, is_right

LABELS = ["a", "b", "a", "c", "b", "a", "c"]


def groups(x):
    total = 0.0
    names = sorted(set(LABELS))
    for k, name in enumerate(names):
        part = [x[i] for i in range(len(x)) if LABELS[i] == name]
        total = total * 0.5 + sum(part) ** 2 / (len(part) + k)
    return total * len(set(LABELS))


def members(x):
    places = np.array([3, 1, 3, 0])
    total = 0.0
    for k in set(places):
        total = total * 0.5 + x[k] ** 2 * np.sum(places == k)
    for n, k in enumerate(set([2, 0, 2])):
        x = x * (x[k] + n)
    return total + np.sum(x[list(set((4, 5, 4)))])


@pytest.mark.parametrize("function", [groups, members])
def test_by_names(function):
    is_right(function)
    is_by_names(function)


def changed_later(x):
    names = set(LABELS)
    total = 0.0
    for name in names:
        total = total + (x[0] if name == "a" else x[1])
    names.add("new")
    return total * len(names)


def of_what_varies(x):
    total = 0.0
    for v in sorted(set(x)):
        total = total * 0.5 + v
    return total


def test_what_is_more_than_gone_through():
    is_right(changed_later)
    for function in (changed_later, of_what_varies):
        with by_names(), pytest.raises(tl.TangentError):
            tl.grad(function)(np.array([0.3, 0.7, 0.2]))
