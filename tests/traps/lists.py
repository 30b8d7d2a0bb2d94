"""Traps of lists: grown, shrunk, aliased, sliced, nested, and written through other names."""
import math

import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])


def append_then_negative(x, n):
    xs = [x]
    for k in range(n):
        xs.append(xs[-1] * x + k)
    return xs[-1] * xs[-2]


case(append_then_negative, 0.7, 3)
case(append_then_negative, 0.7, 1)


def two_names_append(x, y):
    xs = [x]
    ys = xs
    xs.append(y)
    ys.append(x * y)
    xs = [9.0]
    xs.append(x)
    return sum(ys) * xs[-1] * ys[-1]


case(two_names_append, 0.7, 1.3)


def chained_empty(x, y):
    a = b = []
    c = []
    a.append(x)
    b.append(y)
    c.append(a[1])
    return a[0] * b[1] * c[0] * len(a)


case(chained_empty, 0.7, 1.3)


def pop_then_push(x, y):
    xs = [x, y, x * y]
    a = xs.pop()
    xs.append(a * a)
    b = xs.pop(0)
    xs.insert(0, b * a)
    return xs[0] * xs[-1] + len(xs)


case(pop_then_push, 0.7, 1.3)


def pop_all(x, n):
    xs = [x * (k + 1) for k in range(n)]
    total = 1.0
    while len(xs) > 1:
        a, b = xs.pop(), xs.pop()
        xs.append(a * b + x)
        total = total + a
    return total * xs[0]


case(pop_all, 0.7, 4)


def pop_middle(x, y):
    xs = [x, y, x * y, x + y]
    a = xs.pop(1)
    b = xs.pop(-2)
    return a * b + xs[0] * xs[1]


case(pop_middle, 0.7, 1.3)


def insert_negative(x, y):
    xs = [x, 1.0]
    xs.insert(-1, y)
    xs.insert(9, x * y)
    return xs[0] + 2.0 * xs[1] + 3.0 * xs[2] + 4.0 * xs[3]


case(insert_negative, 0.7, 1.3)


def extend_by_itself(x, y):
    xs = [x, y]
    xs.extend(xs)
    xs += xs[:1]
    xs[2] = x * x
    return sum(v * (k + 1) for k, v in enumerate(xs))


case(extend_by_itself, 0.7, 1.3)


def extend_by_array(u, x):
    xs = [x]
    xs.extend(u)
    xs.extend(v * x for v in u[:2])
    return xs[0] * xs[2] + xs[-1] * len(xs)


case(extend_by_array, u4, 0.7)


def augmented_element(x, y):
    xs = [x, y]
    xs[0] += xs[1]
    xs[-1] *= xs[0]
    xs[1] -= xs[1] ** 2
    return xs[0] * xs[1]


case(augmented_element, 0.7, 1.3)


def index_evaluated_once(x):
    xs, seen = [x, 2.0, 3.0], []

    def where():
        seen.append(0)
        return len(seen) - 1
    xs[where()] *= x
    xs[where()] += x
    return xs[0] * xs[1] + len(seen)


case(index_evaluated_once, 0.7)


def element_is_array_augmented(u, x):
    xs = [u.copy(), u * x]
    a = xs[0]
    xs[0] += x
    xs[1] = xs[1] * 2.0
    return np.sum(a * xs[1]) + np.sum(xs[0])


case(element_is_array_augmented, u4, 0.7)


def element_number_augmented(x):
    xs = [x]
    a = xs[0]
    xs[0] += 1.0
    return a * xs[0]


case(element_number_augmented, 0.7)


def array_written_through_list(u, x):
    v = u * 1.0
    rows = [v, u * x]
    rows[0][1] = x
    v[2] = v[1] * x
    w = rows[0]
    w *= 2.0
    return np.sum(v * rows[1]) + rows[0][2]


case(array_written_through_list, u4, 0.7)


def same_array_twice_in_list(u, x):
    v = u.copy()
    rows = [v, v]
    rows[0] *= x
    rows[1][0] = x * x
    return np.sum(rows[0] * rows[1])


case(same_array_twice_in_list, u4, 0.7)


def views_in_list(u, x):
    v = u.copy()
    parts = [v[:2], v[1:3], v[::-1]]
    parts[0] *= x
    parts[1][:] = parts[2][:2]
    return np.sum(v * v) + parts[2][0]


case(views_in_list, u4, 0.7)


def inner_list_aliased(x, y):
    row = [x, y]
    grid = [row, row, [1.0, 2.0]]
    grid[0][1] = x * y
    row.append(x)
    grid[1] = grid[1] + [y]
    grid[1][0] = 7.0
    return grid[0][1] * row[0] * len(grid[0]) + sum(grid[1])


case(inner_list_aliased, 0.7, 1.3)


def multiplied_rows(x):
    grid = [[x] * 2] * 2
    grid[0][0] = x * x
    other = [[x] * 2 for _ in range(2)]
    other[0][0] = 5.0
    return grid[1][0] * grid[0][1] + other[1][0] * other[0][0]


case(multiplied_rows, 0.7)


def sliced_assignment(x, y):
    xs = [x, y, 1.0, 2.0]
    xs[1:3] = [x * y]
    xs[:0] = [y, y]
    xs[-1:] = []
    return sum(v * (k + 1) for k, v in enumerate(xs)) * len(xs)


case(sliced_assignment, 0.7, 1.3)


def extended_slice(x, y):
    xs = [x, y, 1.0, 2.0]
    xs[::2] = xs[1::2]
    ys = xs[::-1]
    xs[0] = 0.0
    return ys[0] * ys[3] + ys[1] * x + xs[2]


case(extended_slice, 0.7, 1.3)


def copies_are_apart(x, y):
    xs = [x, y]
    ys, zs, ws = xs.copy(), xs[:], list(xs)
    xs[0] = x * y
    ys[1] = xs[0]
    zs.append(xs[0])
    return xs[0] * ys[0] * ys[1] + zs[0] * zs[2] * ws[1]


case(copies_are_apart, 0.7, 1.3)


def shallow_copy(x):
    a = [[x], [2.0]]
    b = a[:]
    b[0].append(x * x)
    b[1] = [x]
    return a[0][1] * a[1][0] * b[1][0]


case(shallow_copy, 0.7)


def reversed_and_sorted(x, y):
    xs = [y, x, x * y]
    xs.reverse()
    a = xs[0]
    xs.sort()
    return a * xs[0] + xs[2] * x


case(reversed_and_sorted, 0.7, 1.3)


def cleared(x, y):
    xs = [x, y]
    a = xs[0]
    xs.clear()
    xs.append(a * y)
    return xs[0] * x


case(cleared, 0.7, 1.3)


def deleted_slice(x, y):
    xs = [x, y, x * y, 4.0]
    del xs[1:3]
    del xs[-1]
    return xs[0] * x


case(deleted_slice, 0.7, 1.3)


def membership_and_index(x):
    names = ["a", "b", "c"]
    values = [x, x * x, 2.0]
    return values[names.index("b")] * (values[0] if "c" in names else 1.0)


case(membership_and_index, 0.7)


def grows_while_iterated(x):
    xs = [x, x * x]
    for v in xs:
        if len(xs) < 5:
            xs.append(v * xs[-1] + 1.0)
    return sum(xs)


case(grows_while_iterated, 0.7)


def rebound_while_iterated(x):
    xs = [x, 2.0, x * x]
    total = 0.0
    for v in xs:
        xs = [v * x, v]
        total = total + xs[0] * xs[1]
    return total * xs[0]


case(rebound_while_iterated, 0.7)


def written_while_iterated(x):
    xs = [x, 2.0, 3.0]
    total = 0.0
    for k, v in enumerate(xs):
        xs[(k + 1) % 3] = v * x + k
        total = total + v
    return total + sum(xs)


case(written_while_iterated, 0.7)


def swapped_elements(x, y):
    xs = [x, y, x * y]
    for k in range(3):
        xs[k], xs[k - 1] = xs[k - 1], xs[k] * x
    return xs[0] + 2.0 * xs[1] + 3.0 * xs[2]


case(swapped_elements, 0.7, 1.3)


def list_returned_by_helper(x, y):
    xs = powers(x, 4)
    xs[1] = xs[2] * y
    ys = powers(y, 2) + xs
    return sum(ys) * xs[1]


def powers(v, n):
    found = []
    p = 1.0
    for _ in range(n):
        found.append(p)
        p = p * v
    return found


case(list_returned_by_helper, 0.7, 1.3)


def list_argument_grows(xs, x):
    grow(xs, x)
    grow(xs, xs[-1])
    return sum(v * v for v in xs)


def grow(xs, v):
    xs.append(v * xs[0])
    xs[0] = xs[0] + v


case(list_argument_grows, [0.5, 1.2], 0.7)


def kept_before_growth(x):
    xs = [x]
    n = len(xs)
    first = xs[0]
    xs.append(first * n)
    xs.append(xs[n] * first)
    return xs[len(xs) - 1] * xs[n]


case(kept_before_growth, 0.7)


def tail_of_history(u):
    history = []
    for v in u:
        history.append(v * v)
        if len(history) > 2:
            history.pop(0)
    return history[0] * history[1]


case(tail_of_history, u4)


def mixed_kinds(u, x):
    things = [x, "scale", u, 3, None]
    if things[4] is None:
        things[4] = things[0] * things[3]
    return np.sum(things[2]) * things[4] * len(things[1])


case(mixed_kinds, u4, 0.7)


def compared_lists(x):
    xs, ys = [1, 2], [1, 2]
    if xs == ys and xs is not ys and [x] != [2.0 * x]:
        return x * x
    return math.nan


case(compared_lists, 0.7)
