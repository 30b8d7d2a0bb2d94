"""Builtins, loops and calls that ask the class of what they are given what they mean."""
import bisect
import functools
import math
from collections import namedtuple

import numpy as np

from tests.traps.case import case


class Point(namedtuple("Point", "x y")):
    """A tuple with operators of its own."""

    __slots__ = ()

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __round__(self, digits=0):
        return self.x * 8.0

    def __float__(self):
        return self.x * self.y

    def __divmod__(self, other):
        return self.x * 2.0, self.y * other

    def __call__(self, t):
        return self.x * t + self.y

    def __lt__(self, other):
        return self.x > other.x


def absolute(x, y):
    return abs(Point(x, y)) * sum(map(abs, [Point(x, y), Point(y, y)]))


case(absolute, 0.3, 0.4)


def rounded(x, y):
    return round(Point(x, y)) * y


case(rounded, 0.3, 0.4)


def made_a_float(x, y):
    return float(Point(x, y)) * y


case(made_a_float, 0.3, 0.4)


def divided_with_rest(x, y):
    whole, rest = divmod(Point(x, y), 3.0)
    return whole * rest


case(divided_with_rest, 0.3, 0.4)


def called(x, y):
    line = Point(x, y)
    lines = {"a": line, "b": Point(y, x)}
    return line(0.5) * lines["b"](y) + sum(each(2.0) for each in lines.values())


case(called, 0.3, 0.4)


class Holder:
    def __init__(self, line):
        self.line = line


def called_as_an_attribute(x, y):
    holder = Holder(Point(x, y))
    return holder.line(3.0) * holder.line(y)


case(called_as_an_attribute, 0.3, 0.4)


def compared_by_the_other_operator(x, y):
    # max asks `>`, which is that of tuples.
    return max(Point(x, y), Point(y, x)).x * min(Point(x, y), Point(y, x)).y


case(compared_by_the_other_operator, 0.3, 0.4)


def largest_of_tuples(u, x):
    points = [(u[k], x * k) for k in range(3)]
    other = max((x, 1.0), (x * x, 2.0))
    return max(points)[1] * min(points)[0] + sorted(points)[1][0] * other[0]


case(largest_of_tuples, np.array([0.3, 0.4, -0.5]), 0.2)


class Gauge:
    """A class that says in Python what builtins make of it."""

    def __init__(self, value):
        self.value = value

    def __abs__(self):
        return self.value

    def __float__(self):
        return self.value * 2.0

    def __round__(self, digits=0):
        return self.value * 3.0

    def __len__(self):
        return 3

    def __floor__(self):
        return self.value * 4.0


def measured(x, y):
    gauges = [Gauge(x), Gauge(y)]
    return sum(map(abs, gauges)) * float(gauges[0]) + round(gauges[1], 2) * len(gauges[0]) \
        + math.floor(gauges[0]) + max(gauges, key=float).value


case(measured, 0.3, 0.4)


class Series:
    """A class whose loop and whose items are not in one order."""

    def __init__(self, *terms):
        self.terms = terms

    def __len__(self):
        return len(self.terms)

    def __getitem__(self, k):
        return self.terms[k]

    def __iter__(self):
        return iter(self.terms[::-1])


def looped_over(x, y):
    series, total = Series(x, y, x * y), 0.0
    for term in series:
        total = total * 0.5 + term
    return total


case(looped_over, 0.3, 0.8)


def taken_apart(x, y):
    first, *rest = Series(x, y, x * y)
    low, high = Series(x, y)
    return first * low + rest[1] * high


case(taken_apart, 0.3, 0.8)


def handed_to_builtins(x, y):
    series = Series(x, y, x * y)
    listed, fixed = list(series), tuple(series)
    return listed[0] * fixed[1] + max(series) * sum(series) + math.prod(series) + sorted(series)[0]


case(handed_to_builtins, 0.3, 0.8)


def handed_on_with_a_star(x, y):
    def of_three(a, b, c):
        return a * a * b + c

    series = Series(x, y, x * y)
    return of_three(*series) + [*series, 1.0][0] * np.sum(np.array(list(series)))


case(handed_on_with_a_star, 0.3, 0.8)


def place_in_a_table(xs, ys, t):
    j = min(max(bisect.bisect_right(xs, t), 1), len(xs) - 1)
    w = (t - xs[j - 1]) / (xs[j] - xs[j - 1])
    return (1.0 - w) * ys[j - 1] + w * ys[j]


case(place_in_a_table, [0.0, 1.0, 1.8, 3.1], [0.3, 2.0, -1.0, 0.5], 1.2)
case(place_in_a_table, np.array([0.0, 1.0, 1.8]), np.array([0.3, 2.0, -1.0]), 1.2)


def running_median(u):
    seen, total = [], 0.0
    for v in u:
        bisect.insort(seen, v * v)
        total += seen[len(seen) // 2] * len(seen)
    return total


case(running_median, np.array([0.5, -1.2, 0.8, 1.7, 0.3]))


# Arrays of objects ------------------------------------------------------------------------------
def array_in_a_box(x, u):
    box = np.empty(2, dtype=object)
    box[1] = u
    box[1][0] = x * 2.0
    return np.sum(box[1])


case(array_in_a_box, 0.4, np.array([0.5, -1.2, 0.8]))


def number_in_a_box(x):
    box = np.array([x, None], dtype=object)
    box[1] = x * x
    return box[0] * box[1]


case(number_in_a_box, 0.4)


def numbers_as_objects(x):
    box = np.empty(2, dtype=object)
    box[:] = [x, x * x]
    return float(np.sum(box) * x)


case(numbers_as_objects, 0.4)


def labels(x, u):
    names = np.array(["a", None, "b"], dtype=object)
    return np.sum(u[names == "b"]) * x * len(names[0])


case(labels, 0.4, np.array([0.5, -1.2, 0.8]))


# The same array again ---------------------------------------------------------------------------
def same_dtype_without_a_copy(u, x):
    u.astype(float, copy=False)[0] = x
    apart = np.array(u, copy=True)
    apart[1] = x * x
    u.astype(np.float64, copy=False)[1] *= apart[0]
    return u @ apart


case(same_dtype_without_a_copy, np.array([0.5, -1.2, 0.8]), 0.4)


def sorted_by_comparison(u):
    def compare(a, b):
        return (abs(a) > abs(b)) - (abs(a) < abs(b))

    ranked = sorted(u, key=functools.cmp_to_key(compare), reverse=True)
    return sum((k + 1) * v for k, v in enumerate(ranked))


case(sorted_by_comparison, [0.5, -1.2, 0.8, 1.7, 0.3])


def array_without_a_copy(u, x):
    np.array(u, copy=None)[0] = x
    again = np.array(u, copy=None)
    again[1] = x * x
    return u @ u


if np.lib.NumpyVersion(np.__version__) >= "2.0.0":      # where copy=None means: if need be
    case(array_without_a_copy, np.array([0.5, -1.2, 0.8]), 0.4)


# Iterators --------------------------------------------------------------------------------------
class Reader:
    """An iterator that begins anew whenever it is asked for an iterator."""

    def __init__(self, rows):
        self.rows, self.k = rows, 0

    def __iter__(self):
        self.k = 0
        return self

    def __next__(self):
        if self.k >= len(self.rows):
            raise StopIteration
        self.k += 1
        return self.rows[self.k - 1]


R = np.array([[0.5, 1.0], [0.7, 0.3], [-0.2, 0.4], [0.1, 0.9]])


def read_in_pairs(rows):
    reader = Reader(rows)
    return sum((k + 1) * a[0] * b[1] for k, (a, b) in enumerate(zip(reader, reader)))


case(read_in_pairs, R)


def begun_anew(rows):
    reader = Reader(rows)
    lines = iter(reader)
    total = next(lines)[0]
    for row in lines:
        total = total * 0.5 + row[0] * row[1]
    return total


case(begun_anew, R)


def begun_anew_behind_a_star(rows):
    first, second, *rest = Reader(rows)
    return first[0] * second[1] * len(rest) + rest[0][1]


case(begun_anew_behind_a_star, R)


def asked_before_the_first_item(rows):
    reader = Reader(rows)
    numbered = enumerate(reader)
    number, row = next(numbered)
    other = next(iter(reader))
    again = next(numbered)
    return row[0] * other[1] * again[1][1] + number


case(asked_before_the_first_item, R)


def iterator_of_a_tuple(x, y):
    steps = iter(Series(x, y))
    first = next(steps)
    second, = steps
    pairs = zip(Series(x, y), iter(Series(y, x)))
    a, b = next(pairs)
    return first * second + a * b * x + sum(p * q * q for p, q in pairs)


case(iterator_of_a_tuple, 0.3, 0.8)
