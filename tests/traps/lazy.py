"""Traps of iterators: what they read may change while they are looped over (a refusal is right)."""
import numpy as np

from tests.traps.case import case

x3 = np.array([1.0, 2.0, 3.0])


def rebound_under_a_map(x, k):
    total = 0.0
    for v in map(lambda w: w * k, x):
        total += v
        k = k + 1.0
    return total


case(rebound_under_a_map, x3, 1.0)


def rebound_under_a_generator(x, k):
    total = 0.0
    for v in (w * k for w in x):
        total += v
        k = 5.0
    return total * k


case(rebound_under_a_generator, x3, 1.0)


def array_written_under_a_generator(x):
    y, total = x * 1.0, 0.0
    z = y[1:]
    for v in (w * 2.0 for w in y):
        total += v
        z[1] = 5.0 * v
    return total


case(array_written_under_a_generator, x3)


def list_grown_under_a_generator(x):
    items, total = [x[0], x[1]], 0.0
    for v in (w * 2.0 for w in items):
        total += v
        if len(items) < 4:
            items.append(v)
    return total


case(list_grown_under_a_generator, x3)


def generator_of_a_generator(x, k):
    inner = (w * k for w in x)
    total = 0.0
    for v in map(lambda w: w * w, inner):
        total += v
        k = k + 1.0
    return total


case(generator_of_a_generator, x3, 1.0)


def nothing_changes(x, k):
    total = 0.0
    for v, w in zip((a * k for a in x), map(lambda b: b * b, x)):
        total = total * v + w
    return total


case(nothing_changes, x3, 1.0)


def rebound_before_it_is_used(x, k):
    scaled = (k * v for v in x)
    k = 3.0
    return sum(scaled) * k


case(rebound_before_it_is_used, x3, 1.0)


def kept_for_a_while(x, k):
    scaled = (k * v for v in x)
    total = 0.0
    for v in scaled:
        total = total + v * v
    return total * k


case(kept_for_a_while, x3, 1.0)
