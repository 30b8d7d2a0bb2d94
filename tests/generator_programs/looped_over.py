"""Loops over generators of the user: left early, nested, made anew, zipped, unpacked."""
import itertools
import math

import numpy as np

from tests.generator_programs.shared import program, steps, tail


@program
def looped_over(x):
    total = 0.0
    for v in steps(x, 4):
        total += v * v
    return total


@program
def summed(x):
    return sum(steps(x, 4)) * sum(v * v for v in steps(x, 3))


@program
def listed(x):
    items = list(steps(x, 4))
    return items[0] * items[-1] + len(items)


@program
def zipped(x):
    data = [1.0, 2.0, 3.0]
    total = 0.0
    for v, d in zip(steps(x, 5), data):
        total += v * d
    for d, v in zip(data, steps(x, 5)):
        total += v * d * x
    return total


@program
def two_at_once(x):
    total = 0.0
    for v, w in zip(steps(x, 5), steps(2.0 * x, 3)):
        total += v * w
    return total


def forever(x):
    while True:
        x = 0.5 * x + 0.1 * x * x
        yield x


@program
def left(x):
    total = 0.0
    for v in forever(x):
        total += v * v
        if v < 0.05:
            break
    return total


@program
def zero(x):
    total = x
    for v in steps(x, 0):
        total += v * v
    return total


def twice(x):
    yield x
    yield x * x
    if x > 100.0:
        return
    yield 3.0 * x


@program
def several(x):
    total = 1.0
    for v in twice(x):
        total = total * v
    return total


def march(u, n):
    for _ in range(n):
        u[1:] = u[1:] * u[:-1]
        yield u


@program
def same(x):
    total = 0.0
    for u in march(np.array([x, 2.0 * x, 3.0]), 3):
        total += np.sum(u * u)
    return total


@program
def kept(x):
    items = list(march(np.array([x, 2.0 * x, 3.0]), 3))
    return np.sum(items[0] * items[1])


@program
def changes(x):
    u = np.array([x, 2.0 * x, 3.0])
    total = 0.0
    for v in march(u, 3):
        total += np.sum(v)
        v[0] = v[1] * 0.5
    return total + u[0]


@program
def shadowed(x):
    i = 3.0
    n = 2
    for y in steps(x, 3):
        x = x + y * i
    return x * n * i


@program
def by_hand(x):
    g = steps(x, 5)
    a = next(g)
    b = next(g)
    return a * b * next(g, 0.0)


@program
def gone_through_again(x):
    g = steps(x, 3)
    total = sum(g)
    for v in g:
        total += 100.0 * v
    return total


def walk(tree):
    if tree is not None:
        yield from walk(tree[0])
        yield tree[1]
        yield from walk(tree[2])


@program
def tree(x):
    tree = ((None, x, None), x * x, (None, 3.0 * x, (None, x, None)))
    total = 1.0
    for v in walk(tree):
        total = total * 0.5 + v * v
    return total


@program
def closure(x):
    k = x * x

    def gen(n):
        for i in range(n):
            yield k * i * x
    total = 0.0
    for v in gen(4):
        k = k + v
        total += v
    return total


class Model:
    def __init__(self, a):
        self.a = a

    def states(self, x, n):
        for _ in range(n):
            x = self.a * x
            yield x

    def __iter__(self):
        yield self.a
        yield self.a * self.a


@program
def method(x):
    m = Model(x)
    total = sum(m)
    for s in m.states(x, 3):
        m.a = m.a + 0.1 * s
        total += s
    return total


@program
def largest(x):
    return max(steps(x, 4)) + np.sum(np.fromiter(steps(x, 3), float) ** 2) + min(twice(x))


@program
def returned_from(x):
    for v in forever(x):
        if v < 0.1:
            return v * x
    return x


@program
def given(x):
    def total_of(items):
        t = 0.0
        for v in items:
            t = t + v * v
        return t
    return total_of(steps(x, 3))


@program
def in_comprehension(x):
    return sum([v * w for v in steps(x, 3) for w in twice(v)])


@program
def numbered(x):
    total = 0.0
    for k, v in enumerate(steps(x, 4)):
        total += k * v
    return total * k


@program
def islice(x):
    first = sum(itertools.islice(forever(x), 4))
    return first + sum(itertools.takewhile(lambda v: v > 0.1, forever(x)))


def pairs(n):
    for i in range(n):
        for j in range(i):
            yield i, j


@program
def indices(x):
    p = [x, x * x, 2.0 * x]
    total = 0.0
    for i, j in pairs(3):
        total += p[i] * p[j]
    return total


@program
def asked(x):
    if any(v < 0.1 for v in forever(x)):
        return x * x
    return x


@program
def tried(x):
    total = 0.0
    try:
        for v in forever(x):
            total += math.sqrt(v - 0.1)
    except ValueError:
        total = total * x
    return total


@program
def unpacked(x):
    a, b, c = steps(x, 3)
    p, *rest = steps(x, 4)
    return a * b + c * p * rest[-1] + np.dot([*steps(x, 2)], [1.0, 2.0])


def counted(x, log):
    for i in range(3):
        log.append(x * i)
        yield x + len(log)


@program
def effects(x):
    log = []
    total = 0.0
    for v in counted(x, log):
        log.append(v)
        total += v * len(log) + log[0] * log[-1]
    return total + sum(log)


@program
def nested(x):
    total = 0.0
    for v in steps(x, 3):
        for w in steps(v, 2):
            if w > 1.0:
                break
            total += v * w
        else:
            total += x
    return total


@program
def passed_over(x):
    total = 0.0
    for v in steps(x, 5):
        if v < 0.4:
            continue
        total += v * v * x
    else:
        total *= x
    return total


def empty(x):
    return
    yield x


@program
def never(x):
    total = x * x
    for v in empty(x):
        total += v
    return total + len(list(empty(x)))


@program
def alone(x):
    steps(x, 3)
    return x * x


def running(items):
    total = 0.0
    for v in items:
        total = total + v
        yield total


@program
def chain(x):
    out = 0.0
    for t in running(steps(x, 4)):
        out += t * t
    return out + list(running(running(steps(x, 2))))[-1]


@program
def kept_in_list(x):
    kept = []
    for u in march(np.array([x, 2.0 * x, 3.0]), 3):
        kept.append(u)
    return np.sum(kept[0] * kept[2])


@program
def leftover(x):
    v = 7.0
    for v in steps(x, 3):
        pass
    return v * x


@program
def break_first(x):
    for v in steps(x, 3):
        break
    return v * v


@program
def converged(x):
    def newton(a):
        r = a
        while abs(r * r - a) > 1e-12:
            r = 0.5 * (r + a / r)
            yield r
    last = 0.0
    for r in newton(x):
        last = r
    return last * x


@program
def tailed(x):
    u = np.array([x, 2.0 * x, 0.5])
    total = 0.0
    for v in tail(u, 2):
        total += v * u[0]
        u[1] = u[1] * v
    return total * u[1] * u[0]


@program
def tail_list(x):
    u = np.array([x, 2.0 * x, 0.5])
    items = list(tail(u, 2))
    return items[0] * items[1] * u[1]


@program
def tail_break(x):
    u = np.array([x, 2.0 * x, 0.5])
    total = 0.0
    for v in tail(u, 3):
        total += v * u[0]
        u[0] = u[0] * v
        if total > 0.0:
            break
    return total * u[1] * u[0]
