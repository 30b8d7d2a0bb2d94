"""What was unpacked is unpacked again in the backward pass, where none of the names has changed."""

import numpy as np
import pytest

import tangent_lite as tl

PAIRS = [(np.array([1.5, 2.0]), np.array([0.5, 0.7])), (np.array([0.4, -0.3]),
                                                        np.array([-0.2, 0.6]))]
X = np.array([0.3, 0.4])


def once(pairs, x):
    for a, b in pairs:
        x = np.tanh(a * x + b)
    return np.sum(x * x)


def bound_anew(pairs, x):
    for a, b in pairs:
        x = np.tanh(a * x)
        if np.sum(b) > 0:
            a = b * x
        x = np.sin(x * a)
    return np.sum(x)


def other_bound_anew(pairs, x):
    for a, b in pairs:
        if np.sum(a) > 0:
            b = a * x
        x = np.sin(x * b)
    return np.sum(x)


def in_a_loop(pairs, x):
    for a, b in pairs:
        k = 0
        while k < 2:
            b = b * x
            k = k + 1
        x = np.sin(a * b + x)
    return np.sum(x)


def item_bound_anew(pairs, x):
    for item in pairs:
        a, b = item
        x = np.sin(a * x)
        item = (b, a)
        c, d = item
        x = np.cos(c * x + d)
    return np.sum(x)


def rows(pairs, x):
    table = np.stack([pairs[0][0] * x, pairs[0][1] * x, pairs[1][0] * x])
    total = 1.0
    for row in table:
        a, b = row
        total = np.sin(total * a)
        if total > -5.0:
            a = b * total
        total = total * a
    return total


def written(pairs, x):
    table = np.stack([pairs[0][0] * x, pairs[0][1] * x])
    total = 1.0
    for k in range(2):
        a, b = table[k]
        total = np.sin(total * a) * b
        table[k, 0] = total
        total = total * table[k, 0] * a
    return total


FUNCTIONS = [once, bound_anew, other_bound_anew, in_a_loop, item_bound_anew, rows, written]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_against_differences(function):
    tl.check_grads(function, (PAIRS, X), order=1)


def test_no_tape_holds_what_is_unpacked():
    text = tl.grad(once).source_for(PAIRS, X)
    assert "for a, b in pairs:" in text and "a, b = pairs[k]" in text and "a_tape" not in text
