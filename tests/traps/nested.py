"""Traps of what stands in what: lists in tuples and dicts, tuples read by an index, and names that
an iteration takes over from the one before."""
import numpy as np

from tests.traps.case import case

x3 = np.array([0.3, 1.2, -0.5])


def list_in_a_tuple(x):
    pair = (x, [2.0 * x[0], x[2]])
    a = pair[1]
    return a[0] * a[0] * a[1]


case(list_in_a_tuple, x3)


def list_in_a_tuple_read_in_a_loop(x):
    pair = (x, [2.0 * x[0]])
    a, total = pair[1], 0.0
    for k in range(len(a)):
        total += a[k] * a[k]
    return total


case(list_in_a_tuple_read_in_a_loop, x3)


def tuple_in_a_dict_read_in_a_loop(x):
    parts = {"a": x, "b": (x[1], x[2] * x[0])}
    a, total = parts["b"], 0.0
    for k in range(len(a)):
        total += a[k] * a[k]
    return total + parts["b"][1]


case(tuple_in_a_dict_read_in_a_loop, x3)


def tuple_under_two_names(x):
    b, total = (x[1], x[2] * 2.0), 0.0
    for k in range(len(b)):
        total += b[k] * b[k]
    a = b
    for k in range(len(a)):
        total += a[k] * x[k]
    return total + a[0] * a[1]


case(tuple_under_two_names, x3)


def lists_and_dicts_in_each_other(x):
    s = {"q": [x[0], x[1] * 2.0], "w": (x[2], [x[1], x[0] * x[1]])}
    return s["q"][0] * s["w"][1][1] + s["w"][1][0] * s["q"][1]


case(lists_and_dicts_in_each_other, x3)


def made_anew_in_a_loop(x):
    total = 0.0
    for i in range(2):
        s = (x[i], [x[1] * x[i], x[2] * total])
        a = s[1]
        for k in range(len(a)):
            total += a[k] * a[k] + s[0] * s[1][0]
    return total


case(made_anew_in_a_loop, x3)


def loops_over_unlike_parts(x):
    total = 0.0
    for part in (x, [2.0 * x[0]], (x[1],)):
        for item in part:
            total += item * item
    return total


case(loops_over_unlike_parts, x3)


def bound_in_the_first_iteration(x):
    total = 0.0
    for k in range(len(x)):
        if k == 0:
            mean = x[k]
        else:
            mean = mean * 0.5 + x[k]
        total += mean * mean
    return total


case(bound_in_the_first_iteration, x3)


def _running(out, x):
    level = 2.0
    out[0] = level
    for k in range(len(x)):
        level = level + x[k]
        out[k + 1] = level


def helper_that_carries_a_name(x):
    out = np.zeros(4)
    _running(out, x)
    return np.sum(out * out)


case(helper_that_carries_a_name, x3)


def tuples_in_lists(x):
    pairs = []
    for k in range(3):
        pairs.append((x[k], k * x[k]))
    total = 0.0
    for a, b in pairs:
        total = total * a + b * b
    return total


case(tuples_in_lists, x3)
