"""Kinds of names are true while a function runs; of functions that call themselves, and of lists
and dicts of ints which come to hold floats."""
import collections

import numpy as np
import pytest

import tangent_lite as tl
from tests.inference.observed import recorded
from tests.reference.dual import numeric_gradient


# Recursion that ends with a literal --------------------------------------------------------------
def tower(x, n):
    if n == 0:
        return 2.0
    power = tower(x, n - 1)
    return x ** power


def many_towers(x, n):
    if n == 0:
        return 0.0
    total = 0.0
    for _ in range(2):
        total = total + many_towers(x * 0.9, n - 1) * x + x ** many_towers(x, n - 1)
    return total


def squares(x, n):
    if n == 0:
        return 1.0
    half = squares(x, n // 2)
    return half * half * x if n % 2 == 1 else half * half


def asks_for_zero(x, n):
    if n == 0:
        return 0.0
    y = asks_for_zero(x, n - 1)
    if y == 0.0:
        return x
    return y * x + x


def in_a_list(x, n):
    if n == 0:
        return [2, 1.0]
    power, base = in_a_list(x, n - 1)
    return [base * x, x ** power]


def first_of_list(x, n):
    return in_a_list(x, n)[1]


def to_another(x, n):
    if n == 0:
        return 2.0
    return back_again(x, n - 1)


def back_again(x, n):
    if n == 0:
        return 3.0
    power = to_another(x, n - 1)
    return x ** power


def literals_as_arguments(x, n, power=2):
    if n == 0:
        return x ** power
    return literals_as_arguments(x, n - 1, 3) * x


# Ints at first ------------------------------------------------------------------------------------
def best_of_all(x, n):
    best = (0, 0)
    for i in range(n):
        y = x * (i + 0.5)
        if y > best[0]:
            best = (y, i)
    return best[0] ** 2 * best[1]


def on_a_stack(x, n):
    stack, total = [(0, 1)], 0
    while stack:
        a, k = stack.pop()
        total += a * x
        if k < n:
            stack.append((a + x, k + 1))
    return total


def with_default(x, n):
    parts = collections.defaultdict(int)
    for k in range(n):
        parts[k % 2] += x ** k
    return parts[0] - 2 * parts[1]


def turned_around(x, n):
    a = b = c = 0
    for k in range(n):
        a, b, c = b, c, x * k + a * b + 1
    return a * b * c + c


PROGRAMS = [tower, many_towers, squares, asks_for_zero, first_of_list, to_another, back_again,
            literals_as_arguments, best_of_all, on_a_stack, with_default, turned_around]


@pytest.mark.parametrize("function", PROGRAMS)
def test_kinds_are_true(function):
    with recorded() as looks:
        gradient = tl.grad(function)
        gradient.source_for(1.3, 3)
    last = {look.name: look for look in looks}[function.__name__]   # what was found in the end
    for n in (0, 1, 3):
        arguments = {"power": 2} if function is literals_as_arguments else {}
        assert last.false_of({"x": 1.3, "n": n, **arguments}) == []
        (expected,), is_smooth = numeric_gradient(function, (1.3, n), (0,))
        assert is_smooth
        np.testing.assert_allclose(gradient(1.3, n), expected, rtol=1e-6)
