"""Iterators whose items are computed by what changes something that who takes them reads."""
import functools
import heapq
import itertools

import numpy as np
import pytest

import tangent_lite as tl
from tests.closeness import slope
from tests.heap.forced import by_identity, by_names, refused_by_names

X = np.array([0.7, -1.1, 0.4, 1.3])


class Count:
    """A number that is changed where an item is computed, and where it is taken."""

    def __init__(self):
        self.k = 1.0

    def made(self, t):
        self.k = self.k * 1.5 + 0.01 * t
        return t * self.k

    def taken(self, p, q=1.0):
        self.k = self.k + 0.1 * p
        return p * q + self.k

    def is_kept(self, p):
        self.k = self.k + 0.1 * p
        return p > -1.0


def reduced(a):
    c = Count()
    return functools.reduce(c.taken, map(c.made, a)) + c.k


def reduced_from(a):
    c = Count()
    return functools.reduce(c.taken, (c.made(t) for t in a), 2.0) + c.k


def mapped(a):
    c = Count()
    return sum(map(c.taken, map(c.made, a))) * c.k


def accumulated(a):
    c = Count()
    return sum(itertools.accumulate(map(c.made, a), c.taken)) * c.k


def starred(a):
    c = Count()
    return sum(itertools.starmap(c.taken, zip(map(c.made, a), a))) * c.k


def ends_early(a):
    c = Count()
    return sum(p * q for p, q in zip(map(c.made, a), a[:2])) * c.k


def beside_a_list(a):
    c = Count()
    return sum(p * q for p, q in zip(map(c.made, a), list(map(c.taken, a)))) * c.k


def all_of(a):
    c = Count()
    return all(map(c.is_kept, map(c.made, a))) + c.k


def handed_to_a_helper(a):
    c = Count()
    return helper(map(c.made, a), c) + helper((c.made(t) for t in a), c)


def helper(items, c):
    total = 0.0
    for item in items:
        total += item * c.k
    return total


def of_inner_functions(a):
    k = [a[0]]

    def made(t):
        k[0] = k[0] * 1.5
        return t * k[0]

    def taken(p, q):
        k[0] = k[0] + 0.1 * p
        return p * q + k[0]
    return functools.reduce(taken, map(made, a)) + k[0]


def reads_what_changes(a):
    c = a[0]

    def taken(p, q):
        nonlocal c
        c = c * p
        return p + q * c
    return functools.reduce(taken, (v * c for v in a)) * c


def list_that_grows(a):
    xs = [a[0], a[1]]
    xs.extend(v * xs[-1] for v in a[2:])
    xs.extend(map(lambda v: v * len(xs), a[:2]))
    return sum(v * (i + 1) for i, v in enumerate(xs))


def drawn(a):
    rng = np.random.default_rng(2)
    return functools.reduce(lambda p, q: p * rng.normal() + q, map(lambda t: t * rng.normal(), a))


def passed_over(a):
    """Nothing is asked of what is computed here, but for what it changes."""
    c = Count()
    for _ in itertools.accumulate(map(c.made, a)):
        pass
    return c.k * a[0]


def chosen(a):
    c = Count()
    return sum(itertools.compress(map(c.made, a), map(c.is_kept, a))) * c.k


def chained(a):
    c = Count()
    return sum(itertools.chain.from_iterable(map(lambda t: [t, c.made(t)], a))) * c.k


def smallest(a):
    c = Count()

    def mark(p):
        c.k = c.k + 0.1
        return p
    return sum(heapq.nsmallest(2, map(c.made, a), key=mark)) * c.k


def smallest_of_a_generator(a):
    c = Count()

    def items():
        for v in a:
            yield c.made(v)

    def mark(p):
        c.k = c.k + 0.1
        return p
    return sum(heapq.nsmallest(2, items(), key=mark)) * c.k


def largest_of_a_generator(a):
    k = [1.0]

    def items():
        for v in a:
            k[0] = k[0] * 1.2 + 0.02 * v
            yield v * k[0]

    def mark(p):
        k[0] = k[0] + 0.1
        return p
    return max(items(), key=mark) + k[0] * min(items(), key=mark, default=2.0)


class Path:
    def __init__(self, a, count):
        self.a, self.count = a, count

    def __iter__(self):
        for v in self.a:
            yield self.count.made(v)


def reduced_object(a):
    c = Count()
    return functools.reduce(c.taken, Path(a, c)) + c.k


def reduced_list_that_grows(a):
    xs = [a[0], a[1], a[2]]

    def taken(p, q):
        if len(xs) < 5:
            xs.append(p * q)
        xs[-1] = xs[-1] * q
        return p * q + xs[2]
    return functools.reduce(taken, xs) + xs[-1]


def reduced_array_that_changes(a):
    b = a * 1.0

    def taken(p, q):
        b[3] = b[3] * p
        return p * q + b[2]
    return functools.reduce(taken, b) + b[3] + functools.reduce(taken, b, 2.0)


IN_TURNS = [reduced, reduced_from, mapped, accumulated, starred, ends_early, beside_a_list, all_of,
            handed_to_a_helper, of_inner_functions, reads_what_changes, list_that_grows, drawn]
PROGRAMS = [*IN_TURNS, passed_over, chosen, chained, smallest, smallest_of_a_generator,
            largest_of_a_generator, reduced_object, reduced_list_that_grows,
            reduced_array_that_changes]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("strategy", [None, by_identity])
@pytest.mark.sweep(8)
def test_programs(f, strategy):
    def found():
        return (tl.value_and_grad(f)(X), tl.jvp(f, (X,), (np.cos(X),)))
    if strategy is None:
        (value, gradient), (same, along) = found()
    else:
        with strategy():
            (value, gradient), (same, along) = found()
    wanted = [slope(lambda t: f(X + t * unit), 0.0) for unit in np.eye(4)]
    assert value == same == f(X)
    np.testing.assert_allclose(gradient, wanted, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(along, np.dot(wanted, np.cos(X)), rtol=1e-7)


@pytest.mark.parametrize("f", [reduced_from, of_inner_functions, reads_what_changes,
                               list_that_grows, drawn], ids=lambda f: f.__name__)
def test_names_do_not_do(f):
    refused_by_names(tl.TangentError, f, X, match="in turns|computes its items later")


def only_computes(a):
    k = [a[0]]
    total = functools.reduce(lambda p, q: p * q + k[0], map(lambda t: t * k[0], a))
    return total + max(map(lambda t: t * k[0], a), key=lambda t: -t)


def taken_at_once(a):
    k = [a[0]]

    def made(t):
        k[0] = k[0] * 1.5
        return t * k[0]
    return sum(map(made, a)) * k[0] + sorted(map(made, a))[1]


@pytest.mark.parametrize("f", [only_computes, taken_at_once])
def test_names_do_where_nothing_comes_between(f):
    with by_names():
        gradient = tl.grad(f)(X)
    np.testing.assert_allclose(
        gradient, [slope(lambda t: f(X + t * unit), 0.0) for unit in np.eye(4)], rtol=1e-7)
