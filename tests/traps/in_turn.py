"""Iterators whose items are computed one by one, in loops that may be left before they end."""
import itertools
import math
from collections import Counter

import numpy as np

from tests.traps.case import case

xs4 = [1.0, 2.0, 4.0, -1.0]


def root_of_what_is_asked_for(xs):
    total = 0.0
    for v in map(math.sqrt, xs):
        total += v
        if v > 1.5:
            break
    return total


case(root_of_what_is_asked_for, xs4)


def handler_of_what_is_not_reached(xs):
    total = 0.0
    try:
        for v in map(math.sqrt, xs):
            total += v
            if v > 1.5:
                break
    except ValueError:
        total = -total
    return total


case(handler_of_what_is_not_reached, xs4)


def left_by_return(xs):
    for i, r in enumerate((math.sqrt(x) for x in xs), start=2):
        if r > 1.2:
            return r * i
    return 0.0


case(left_by_return, xs4)
case(left_by_return, [0.3, 0.5])


def generator_in_a_name(xs):
    roots = (math.sqrt(x) for x in xs)
    total = 0.0
    for r in roots:
        total += r
        if r > 1.5:
            break
    return total


case(generator_in_a_name, xs4)


def accumulated_roots(xs):
    total = 0.0
    for s in itertools.accumulate(map(math.sqrt, xs)):
        total += s * s
        if s > 3:
            break
    return total


case(accumulated_roots, xs4)


def two_loops_left_at_once(xs, ys):
    total = 1.0
    for p in (x * y for i, x in enumerate(xs) for y in ys[i:] if x != y):
        total += p ** 2 * total
        if p > 3:
            break
    else:
        total = -total
    return total


case(two_loops_left_at_once, xs4, [1.1, 2.9, 0.5])
case(two_loops_left_at_once, [0.1], [1.0, 3.0, 0.5])
case(two_loops_left_at_once, [0.1], [])


def filtered_and_mapped(xs):
    total = 0.0
    for k, r in zip(itertools.count(1), map(math.log, filter(lambda x: x > 0.0, xs))):
        total += k * r * r
        if k == 2:
            break
    return total


case(filtered_and_mapped, xs4)


def as_long_as_it_holds(xs):
    total = 0.0
    for r in itertools.takewhile(lambda v: v > 0, (x * 2 for x in xs)):
        total += r * r
    return total


case(as_long_as_it_holds, xs4)


def names_of_the_generator_are_its_own(xs, v, x):
    total = x
    for v in (x * v for x in xs if x > v):
        total += v * x
        xs = [0.0]
    return total * x + v


case(names_of_the_generator_are_its_own, xs4, 0.5, 0.7)


def what_the_generator_reads_changes(xs, scale):
    total = xs[0]
    for v in (scale * x for x in xs):
        total += v
        scale = scale * 1.5 + v
    return total


case(what_the_generator_reads_changes, xs4, 0.8)


def array_behind_the_generator_changes(x):
    y = x.copy()
    total = 0.0
    for i, v in enumerate(map(lambda q: q * q, y)):
        total += v
        y[(i + 1) % 3] *= v
    return total


case(array_behind_the_generator_changes, np.array([1.0, 0.5, 2.0]))


def squared_aloud(v):
    print("asked for", v)
    return v * v


def what_is_printed_in_between(xs):
    total = 0.0
    for v in (squared_aloud(x) for x in xs):
        print("got", total)
        total += v
        if total > 3:
            break
    return total


case(what_is_printed_in_between, xs4)


# What := binds is bound around the comprehension ------------------------------------------------
def witness(xs):
    y = 0.0
    found = any((y := x * x) > 3 for x in xs)
    return y * 2 if found else 0.0


case(witness, [1.0, 2.0, 3.0])


def counterexample(xs):
    y = 1.0
    if not all((y := y * x) < 4 for x in xs):
        return y
    return 0.0


case(counterexample, [1.0, 2.0, 3.0])


def bound_item_by_item(xs):
    total = 0.0
    for v in (y for x in xs if (y := x * x) > 1.5):
        total += v * y
    return total + y


case(bound_item_by_item, [1.0, 2.0, 3.0])


def carried_along(xs):
    y = total = 0.0
    for v in ((y := y * 0.5 + x) for x in xs):
        total += v * y
        y = y * v
    return total


case(carried_along, [1.0, 2.0, 3.0])


def bound_in_a_set(xs):
    seen = {(z := round(x)) for x in xs}
    return xs[0] * z * len(seen)


case(bound_in_a_set, [1.0, 2.0, 3.0])


# So many groups that nobody could keep them -----------------------------------------------------
def first_of_many_orders(x):
    total = 0.0
    n = 0
    for p in itertools.permutations(range(13)):
        total = total + x * p[-1] * total + x
        n += 1
        if n > 5:
            break
    return total


case(first_of_many_orders, 0.5)


def first_of_many_choices(x):
    total = 1.0
    for chosen in itertools.combinations(range(40), 20):
        total = total * x + chosen[-1]
        if chosen[-1] > 23:
            break
    return total


case(first_of_many_choices, 0.5)


def first_of_many_products(x):
    y = x
    for i, (a, b, *rest) in enumerate(itertools.product(range(9), repeat=9)):
        y = y * x + a * b + rest[-1]
        if i == 8:
            return y
    return y


case(first_of_many_products, 0.5)


# What is counted has no derivative, and decides -------------------------------------------------
def counted_ways(weights):
    ways = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}
    left = Counter(v for vs in ways.values() for v in vs)
    value = dict.fromkeys(ways, 0.0)
    value["a"] = weights[0]
    ready, order = [k for k in ways if not left[k]], []
    while ready:
        u = ready.pop(0)
        order.append(u)
        for number, v in enumerate(ways[u]):
            value[v] = value[v] + math.tanh(value[u] * weights[len(order)] + number)
            left[v] -= 1
            if left[v] == 0:
                ready.append(v)
    return value["d"] * value["b"]


case(counted_ways, [1.0, 0.5, 0.3, 0.8, 0.1])
