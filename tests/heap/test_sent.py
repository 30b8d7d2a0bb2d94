"""Generators that are sent values, and those that return one to `yield from`."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import UnsupportedSyntaxError
from tests.heap.referee import agrees_with_differences


def averages(weight):
    total, count, mean = 0.0, 0, None
    while True:
        value = yield mean
        total += weight * value
        count += 1
        mean = total / count


def running_mean(xs):
    means = averages(xs[0])
    next(means)
    out = 0.0
    for x in xs:
        out = 0.5 * out + means.send(x) ** 2
    return out


def filtered(xs):
    def lowpass(rate):
        state = 0.0
        while True:
            got = (yield state * 2.0) or 0.0
            state += rate * (got - state)
    stages = [lowpass(x) for x in xs[:3]]
    for stage in stages:
        stage.send(None)
    total = 0.0
    for x in xs:
        for stage in stages:
            x = stage.send(x)
        total += x * x
        next(stages[0])
    return total


def partial_sums(v):
    s = 0.0
    for part in v:
        s += part * part
        yield s
    return s


def nested(v):
    first = yield from partial_sums(v)
    second = yield from partial_sums([first * part for part in v])
    yield first * second
    rest = yield from [first, second]
    return math.sin(first) if rest is None else rest


def returned(xs):
    def outer():
        out = yield from nested(xs)
        yield out * xs[1]
    return sum(outer())


def in_an_expression(xs):
    def whole():
        yield 2.0 * (yield from partial_sums(xs)) + xs[0]
    return sum(v * v for v in whole())


def in_a_branch(xs):
    def tree(lo, hi):
        if hi - lo == 1:
            yield xs[lo]
            return xs[lo] ** 2
        middle = (lo + hi) // 2
        left = yield from tree(lo, middle)
        if left > 10.0:
            return left
        right = yield from tree(middle, hi)
        yield left - right
        return left * right

    def root():
        last = yield from tree(0, len(xs))
        yield last
    total = 0.0
    for k, v in enumerate(root()):
        total += (k + 1) * v * v
    return total


def writes_into_an_array(xs):
    def cells(work):
        k = 0
        while k < len(work):
            work[k] += yield work[k] * k
            k += 1
        yield work @ work
    work = np.array([1.0, 2.0, 0.5])
    writer = cells(work)
    out = next(writer)
    for x in xs[:3]:
        out += writer.send(x) * work[0]
    return out


PROGRAMS = [running_mean, filtered, returned, in_an_expression, in_a_branch,
            writes_into_an_array]
XS = [0.3, 0.9, 1.2, 0.7]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_against_differences(f):
    agrees_with_differences(f, XS)


def last(x):
    seen = []

    def keep():
        seen.append((yield 1.0))
    keeper = keep()
    total = next(keeper)
    try:
        keeper.send(x)
    except StopIteration:
        total += 1.0
    return total * seen[0]


def through_another(x):
    def inner():
        got = yield 1.0
        yield got * 2.0

    def outer():
        yield from inner()
    items = outer()
    return next(items) + items.send(x)


def by_an_exception(x):
    def squares():
        yield x
        return x * x
    items = squares()
    total = next(items)
    try:
        next(items)
    except StopIteration as end:
        total += end.value
    return total


def closed(x):
    items = partial_sums([x, x])
    total = next(items)
    items.close()
    return total


def dropped(x):
    return sum(v for v in partial_sums([x, x]))


@pytest.mark.parametrize("f, reason", [
    (last, "fails after it has changed something"),
    (through_another, "while it hands out the items of another"),
    (by_an_exception, "a generator that returns a value, which whoever loops over it drops"),
    (dropped, "a generator that returns a value, which whoever loops over it drops"),
    (closed, "the method close of an iterator")])
def test_what_is_refused(f, reason):
    with pytest.raises(UnsupportedSyntaxError) as caught:
        tl.grad(f)(0.7)
    assert reason in str(getattr(caught.value, "by_identity", caught.value))
