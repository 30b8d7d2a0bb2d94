"""Conditions that ask a set, a list, a deque or a dict which changes afterwards.

The backward pass takes the branches that the forward pass took, whatever the container holds by
then. The reference is a central difference.
"""
import collections

import numpy as np
import pytest

from tangent_lite import grad, jvp, value_and_grad


def a_set(x):
    seen, total = {0}, 0.0
    for i in range(3):
        if i in seen:
            total = total + x[i] ** 2
        seen.add(i + 1)
        if i in seen:
            total = total + x[i] ** 3
        seen.discard(i)
    return total


def a_list(x):
    seen, total = [0], 0.0
    for i in range(3):
        if i in seen:
            total = total + x[i] ** 2
        seen.append(i + 1)
        if i + 1 in seen:
            total = total + x[i] ** 3
        seen.remove(i)
    return total


def a_dict(x):
    seen, total = {0: 1}, 0.0
    for i in range(3):
        if i in seen:
            total = total + x[i] ** 2
        seen[i + 1] = 2
        if i + 1 in seen:
            total = total + x[i] ** 3
        del seen[i]
    return total


def a_deque(x):
    waiting, total = collections.deque([0]), 0.0
    for i in range(3):
        if i in waiting:
            total = total + x[i] ** 2
        waiting.append(i + 1)
        if i + 1 in waiting:
            total = total + x[i] ** 3
        waiting.popleft()
    return total


def chosen_by_expression(x):
    seen, total = {0}, 0.0
    for i in range(3):
        total = total + (x[i] ** 2 if i in seen else x[i])
        seen.symmetric_difference_update({i, i + 1})
    return total


def under_another_name(x):
    seen, total = {0}, 0.0
    same = seen
    for i in range(3):
        if i in seen:
            total = total + x[i] ** 2
        same.add(i + 1)
        same.discard(i)
    return total


def put(seen, i):
    seen.add(i)
    return 1.0


def by_a_helper(x):
    seen, total = set(), 0.0
    for i in (0, 1, 0, 2):
        if i not in seen:
            total = total + x[i] ** 2
        total = total * put(seen, i)
    return total


class Visited:
    def __init__(self):
        self.places = set()

    def see(self, i):
        self.places.add(i)


def in_an_object(x):
    visited, total = Visited(), 0.0
    for i in (0, 1, 0, 2):
        if i not in visited.places:
            total = total + x[i] ** 2
        visited.see(i)
    return total


def by_the_class(x):
    seen, total = {0}, 0.0
    for i in range(3):
        if i in seen and x[i] > 0:
            total = total + x[i] ** 2
        total = total * x[1] if i + 1 not in seen else total
        set.add(seen, i + 1)
    return total


def without_a_loop(x):
    seen = [0]
    if 1 in seen:
        total = x[0] * x[1]
    else:
        total = x[2] ** 2
    seen.append(1)
    if 1 in seen:
        total = total * x[0] * x[1]
    seen.remove(1)
    return total


def whether_there_is_any(x):
    waiting, total = collections.deque(), 0.0
    for i in range(3):
        if waiting:
            total = total + x[i] ** 2
        else:
            total = total + x[i]
        waiting.append(i)
    return total


def in_a_loop_with_a_test(x):
    seen, total, i = set(), 0.0, 0
    while 2 not in seen:
        if seen:
            total = total + x[i] ** 2
        seen.add(i)
        i += 1
    return total


def equal_to_another(x):
    seen, total = {0}, 0.0
    for i in range(3):
        if seen == {i}:
            total = total + x[i] ** 2
        if {i} <= seen:
            total = total * x[0]
        seen.add(i + 1)
        seen.remove(i)
    return total


ALL = [a_set, a_list, a_dict, a_deque, chosen_by_expression, under_another_name, by_a_helper,
       in_an_object, by_the_class, without_a_loop, whether_there_is_any, in_a_loop_with_a_test,
       equal_to_another]


def by_differences(function, x, step=1e-6):
    return np.array([(function(x + step * e) - function(x - step * e)) / (2 * step)
                     for e in np.eye(len(x))])


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_the_branches_are_those_that_were_taken(function):
    x = np.array([1.1, 2.0, 0.7])
    derivative = grad(function)
    for _ in range(2):
        np.testing.assert_allclose(derivative(x), by_differences(function, x), rtol=1e-7, atol=1e-8)
    value, gradient = value_and_grad(function)(x)
    assert value == function(x)
    direction = np.array([0.3, -1.0, 2.0])
    np.testing.assert_allclose(jvp(function, (x,), (direction,))[1], gradient @ direction)


@pytest.mark.parametrize("function", [a_set, a_deque, by_a_helper], ids=lambda f: f.__name__)
def test_second_order(function):
    x = np.array([1.1, 2.0, 0.7])
    second = grad(lambda x: np.sum(grad(function)(x) ** 2))
    np.testing.assert_allclose(second(x), by_differences(
        lambda x: np.sum(grad(function)(x) ** 2), x), rtol=1e-6)


def test_what_was_asked_is_recorded():
    derivative = grad(a_set)
    derivative(np.ones(3))
    assert "if i in seen" not in derivative.source.partition("Backward pass")[2]
    assert "tape" in derivative.source
