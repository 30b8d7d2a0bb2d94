"""What is written out in a call of a function is known in the function, for that call alone."""
import numpy as np
import pytest

import tangent_lite as tl


def power(x, n):
    return x ** n


def part(owner, key):
    return owner[key]


def rest(owner, start):
    return owner[start:]


def mixed(x, names, swap):
    a, b = x[names[0]], x[names[1]]
    if swap:
        a, b = b, a
    return a * b ** 2


def chain(x, depth, exponent):
    if depth == 0:
        return x ** exponent
    return x ** exponent * chain(np.sin(x), depth - 1, 3)


def powers(x):
    return power(x[0], 2) + power(x[1], 3) + power(x[2], 0) + power(x[3], -1)


def powers_in_a_helper(x):
    def both(a, n):
        return power(a, n) * power(a, 3)
    return both(x[0], 2) + both(x[1], 1)


def parts(x):
    t = (x[0], x[1] * x[2], x[3])
    return part(t, 0) * part(t, 1) ** 2 * part(t, -1) ** 3


def parts_of_a_list(x):
    t = [x[0], x[1] * x[2], x[3]]
    return part(t, 0) * part(t, 1) ** 2 * part(t, -1) ** 3


def parts_by_name(x):
    t = {"a": x[0], "b": x[1] * x[2]}
    return part(t, "a") * part(t, "b") ** 2


def rests(x):
    return rest(x, 1)[0] * rest(x, 2)[0] ** 2 * rest(x, -1)[0] ** 3


def rests_of_a_tuple(x):
    t = (x[0], x[1] * x[2], x[3])
    return rest(t, 1)[0] * rest(t, 0)[0] ** 2


def literals_in_a_tuple(x):
    t = {"a": x[0], "b": x[1] * x[2]}
    return mixed(t, ("a", "b"), True) + 3.0 * mixed(t, ("b", "a"), True) \
        + 5.0 * mixed(t, ("a", "b"), False)


def signed_zeros(x):
    return power(x[0], 0.0) + power(x[1], -0.0) + power(x[0], True) + power(x[1], 1)


def more_than_are_kept(x):
    return power(x[0], 1) + power(x[1], 2) + power(x[0], 3) + power(x[1], 4) + power(x[0], 5) \
        + power(x[1], 6) + power(x[0], 7) + power(x[1], 8) + power(x[0], 9) + power(x[1], 10) \
        + power(x[0], 11) + power(x[1], 12) + power(x[0], 13) + power(x[1], 14) \
        + power(x[0], 15) + power(x[1], 16) + power(x[0], 17) + power(x[1], 18) + power(x[0], 19)


def recursive(x):
    return chain(x[0], 2, 2) + chain(x[1], 0, 4) * chain(x[3], 1, 1)


@pytest.mark.parametrize("fun", [
    powers, powers_in_a_helper, parts, parts_of_a_list, parts_by_name, rests, rests_of_a_tuple,
    literals_in_a_tuple, signed_zeros, more_than_are_kept, recursive])
def test_each_call_has_its_own(fun):
    tl.check_grads(fun, (np.array([0.7, 1.3, 0.4, 0.9]),), order=2)


class Pair:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __getitem__(self, number):
        return (self.x, self.y)[number]


def test_items_of_an_object():
    def f(x):
        pair = Pair(x[0], x[1])
        return pair[0] * pair[1] ** 2
    tl.check_grads(f, (np.array([0.7, 1.3]),), order=2)
