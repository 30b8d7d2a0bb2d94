"""Traps of iteration: comprehensions, generators, zip, map, filter, sorted, any, star targets."""
import functools
import itertools
import math

import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])


def generator_into_sum(u, x):
    return sum(v * x for v in u) * max(v * v for v in u) + min(x * v for v in u)


case(generator_into_sum, u4, 0.7)


def generator_is_lazy(u, x):
    g = (v * x for v in u)
    x = 5.0 * x
    return sum(g) * x


case(generator_is_lazy, u4, 0.7)


def list_is_eager(u, x):
    g = [v * x for v in u]
    x = 5.0 * x
    return sum(g) * x


case(list_is_eager, u4, 0.7)


def sum_with_start(u, x):
    return sum((v for v in u), x) * sum([[x], [x * x]], [])[1]


case(sum_with_start, u4, 0.7)


def walrus_leaks(u, x):
    kept = [last := v * x for v in u if v > 0.0]
    return sum(kept) * last


case(walrus_leaks, u4, 0.7)


def shadowed_variable(u):
    v = 3.0
    w = [v * v for v in u]
    x = {v: k for k, v in enumerate("ab")}
    return v * w[0] * w[-1] + len(x)


case(shadowed_variable, u4)


def first_source_is_outside(u):
    v = u
    w = [v * 2.0 for v in v]
    return sum(w) * v[0]


case(first_source_is_outside, u4)


def two_loops_and_conditions(u, x):
    return sum(a * b * x for k, a in enumerate(u) if a > 0.0 for b in u[:k] if b * a < 0.0)


case(two_loops_and_conditions, u4, 0.7)


def nested_lists(u, x):
    grid = [[a * b + x for b in u] for a in u[:2]]
    return sum(grid[i][j] * (i + j) for i in range(2) for j in range(4)) * len(grid[0])


case(nested_lists, u4, 0.7)


def transposed_by_zip(x, y):
    rows = [[x, y], [x * y, 2.0], [y, x]]
    first, second = zip(*rows)
    return sum(first) * sum(second) * first[1]


case(transposed_by_zip, 0.7, 1.3)


def unequal_lengths(u, x):
    total = x
    for a, b, k in zip(u, [x, x * x], itertools.count(1)):
        total = total * a + b * k
    return total


case(unequal_lengths, u4, 0.7)


def enumerated_pairs(u, x):
    total = x
    for k, (a, b) in enumerate(zip(u, u[1:]), start=2):
        total = total + a * b * k
    return total * k


case(enumerated_pairs, u4, 0.7)


def map_is_lazy(u, x):
    m = map(lambda v: v * x, u)
    x = 2.0 * x
    return sum(m) * x


case(map_is_lazy, u4, 0.7)


def map_and_filter(u, x):
    positive = list(filter(lambda v: v > 0.0, map(lambda v: v * x, u)))
    return sum(map(math.sin, positive)) * len(positive) + list(map(max, u, u[::-1]))[0]


case(map_and_filter, u4, 0.7)


def filter_truth(x):
    values = list(filter(None, [x, 0.0, x * x, 0]))
    return values[0] * values[1] * len(values)


case(filter_truth, 0.7)


def sorted_by_key(u, x):
    order = sorted(range(4), key=lambda k: u[k])
    by_size = sorted([(abs(v), v * x) for v in u], reverse=True)
    return u[order[0]] * by_size[0][1] * by_size[-1][0]


case(sorted_by_key, u4, 0.7)


def sort_is_stable(x):
    rows = [(1, x), (0, x * x), (1, 3.0 * x), (0, 2.0)]
    rows = sorted(rows, key=lambda r: r[0])
    return rows[0][1] * 2.0 + rows[2][1] * 3.0 + rows[3][1] * rows[1][1]


case(sort_is_stable, 0.7)


def reversed_list(x, y):
    xs = [x, y, x * y]
    total = 1.0
    for v in reversed(xs):
        total = total * v + x
    return total * list(reversed(xs))[0]


case(reversed_list, 0.7, 1.3)


def any_and_all(u, x):
    if any(v * x > 1.0 for v in u) and not all(v > 0.0 for v in u):
        return x * u[0]
    return x


case(any_and_all, u4, 0.7)


def best_of(u, x):
    k = max(range(4), key=lambda k: u[k] * x)
    a, b = min(((v * x, v) for v in u), key=lambda p: p[0])
    return u[k] * a * b


case(best_of, u4, 0.7)


def star_in_middle(u, x):
    first, *middle, last = u
    a, *b = [x]
    (p, *q), r = [first, last, x], x * x
    return first * last * sum(middle) + a * len(b) + p * q[0] * r


case(star_in_middle, u4, 0.7)


def star_target_in_loop(x, y):
    total = 0.0
    for head, *tail in [(x, y, 1.0), (y,), (x, x)]:
        total = total + head * (sum(tail) if tail else x)
    return total


case(star_target_in_loop, 0.7, 1.3)


def display_with_stars(u, x):
    xs = [*u, x, *[v * x for v in u[:2]]]
    t = (*xs[:2], x)
    return xs[-1] * xs[4] * t[2] * len({*range(3)})


case(display_with_stars, u4, 0.7)


def dict_comprehension(u, x):
    d = {k: v * x for k, v in enumerate(u) if k % 2 == 0}
    e = {key: {"v": d[key] * x} for key in d}
    return d[0] * d[2] + e[2]["v"]


case(dict_comprehension, u4, 0.7)


def next_of_iterator(u, x):
    it = iter(u)
    first = next(it)
    rest = sum(v * x for v in it)
    return first * rest * next(it, x)


case(next_of_iterator, u4, 0.7)


def rows_of_matrix(A, x):
    total = 0.0
    for row in A:
        row *= x
        total = total + row[0] * row[-1]
    for (a, b, c), k in zip(A, range(5)):
        total = total + a * b * c * k
    return total


case(rows_of_matrix, np.arange(6.0).reshape(2, 3) * 0.3 + 0.2, 0.7)


def products(u, x):
    total = 0.0
    for a, b in itertools.product(u[:2], [x, 2.0]):
        total = total + a * b
    for a, b in itertools.combinations(u, 2):
        total = total + a * b * x
    return total * list(itertools.accumulate(u))[-1]


case(products, u4, 0.7)


def text_in_loop(x, word):
    values = {"a": x, "b": x * x}
    total = 0.0
    for letter in word:
        total = total * x + values[letter]
    return total


case(text_in_loop, 0.7, "abba")


def enumerate_from(u, x):
    total = 0.0
    for n in range(len(u)):
        for k, v in enumerate(u[1:], start=1):
            if n - k < 0:
                break
            total = total - k * v * x * u[n - k]
    return total


case(enumerate_from, u4, 0.7)


def zip_is_strict(u, x):
    total = sum(k * a * b for k, (a, b) in enumerate(zip(u, x * u[::-1], strict=True), start=2))
    try:
        for a, b in zip(u, u[1:], strict=True):
            total = total * a * b
    except ValueError:
        total = total + x * x
    for a, b in zip(u, u[1:], strict=False):
        total = total + a * b
    return total


case(zip_is_strict, u4, 0.7)


def reversed_in_calls(u, x):
    total = functools.reduce(lambda total, v: total * x + v, reversed(u), 0.0)
    for k, v in enumerate(itertools.accumulate(reversed(u), lambda total, v: v + x * total)):
        total = total + k * v
    p, q = reversed((x, u[0]))
    rows = list(reversed(np.outer(u, u)))
    return total + p / q + rows[0][1] * x + max(reversed([x, u[1]])) + sum(
        v * x ** k for k, v in enumerate(reversed(u)))


case(reversed_in_calls, u4, 0.7)


def reversed_is_used_up(u, x):
    items = [x, u[0], x * u[1]]
    backwards = reversed(items)
    items[0] = 3.0 * x
    total = next(backwards)
    for v in backwards:
        total = total * x + v
    for v in backwards:
        total = total * 100.0
    return total


case(reversed_is_used_up, u4, 0.7)


def reversed_looks_into_what_changes(u, x):
    y = u * x
    numbers = list(reversed(y))
    rows = [y * x, y + x]
    for row in list(reversed(rows)):
        row *= x
    last = reversed(y)
    y[0] = 5.0 * x * x
    return numbers[3] * rows[0] @ rows[1] + functools.reduce(lambda a, b: a * x + b, last)


case(reversed_looks_into_what_changes, u4, 0.7)
