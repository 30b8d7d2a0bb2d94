"""Generators whose items are collected: piped, of objects, in arrays and lists, by itertools."""
import itertools
from functools import reduce

import numpy as np

from tests.generator_programs.shared import program, steps, tail


class Grid:
    def __init__(self, h, w):
        self.h, self.w = h, w
    def cells(self):
        for i in range(2):
            for j in range(3):
                yield i * self.h + j * self.w, self.h


@program
def cells_of_a_grid(x):
    g = Grid(x, x * x)
    t = 0.0
    for c, h in g.cells():
        t += c * h
        g.w = g.w + 0.1 * t
    return t * g.w


@program
def two_nested_breaks(x):
    def gen(a):
        for i in range(3):
            for j in range(3):
                a = a + 0.1 * x
                yield a * (i + 1)
            a = a * 1.5
        yield a * x
    t = 0.0
    for v in gen(x):
        t += v * v
        if t > 6.0:
            break
    return t * v


@program
def with_finally(x):
    def gen(a):
        try:
            a = a * x
        finally:
            a = a + 1.0
        yield a
    return sum(gen(x)) * sum(list(gen(x)))


@program
def complex_items(x):
    def gen(z):
        for i in range(3):
            z = z * z + 0.1
            yield z
    t = 0.0
    for z in gen(complex(x, 0.3)):
        t += abs(z) ** 2
    return t


@program
def del_yield(x):
    def gen(a):
        for i in range(3):
            b = a * x
            yield b
            del b
    t = 0.0
    for v in gen(x):
        t += v
    return t


@program
def default_mutable(x):
    def gen(a, acc=[]):
        for i in range(2):
            acc = acc + [a * i]
            yield sum(acc)
    return sum(gen(x)) + sum(gen(x * x))


@program
def starred(x):
    def gen(*args, scale=2.0):
        for a in args:
            yield a * scale
    t = 0.0
    for v in gen(x, x * x, 3.0, scale=x):
        t += v
    return t


def total_of(items):
    t = 0.0
    for v in items:
        t = t + v * v
    return t


@program
def given_to_a_helper(x):
    return total_of(steps(x, 3)) * x


@program
def given_to_a_local(x):
    def total_of(items):
        t = 0.0
        for v in items:
            t = t + v * v * x
        return t
    return total_of(steps(x, 3))


@program
def with_a_name(x):
    g = steps(x, 4)
    y = x * 2.0
    t = 0.0
    for v in g:
        t += v * y
    return t


@program
def given_twice(x):
    g = steps(x, 4)
    return total_of(g) + total_of(g) * 100.0 + x


@program
def given_and_left(x):
    def first_above(items, bound):
        for v in items:
            if v > bound:
                return v * x
        return x
    return first_above(steps(x, 5), 0.5) + first_above(steps(x, 5), 0.1)


def smooth(items, k):
    s = 0.0
    for v in items:
        s = s + k * (v - s)
        yield s


@program
def piped(x):
    t = 0.0
    for v in smooth(smooth(steps(x, 5), 0.5), x):
        t += v
    return t


@program
def piped_and_summed(x):
    return sum(v * v for v in smooth(steps(x, 5), 0.5)) + max(smooth(steps(x, 3), x))


class Path:
    def __init__(self, x):
        self.x = x
        self.seen = 0.0
    def __iter__(self):
        y = self.x
        for i in range(3):
            y = y * self.x
            self.seen = self.seen + y
            yield y
    def __len__(self):
        return 3


@program
def object_looped_over(x):
    p = Path(x)
    t = 0.0
    for v in p:
        t += v * p.seen
        p.x = p.x + 0.1
    return t * p.seen


@program
def object_gone_through(x):
    p = Path(x)
    return sum(p) * sum(v * v for v in p) * len(p) + max(list(p)) + p.seen


@program
def made_an_array(x):
    total = np.sum(np.fromiter(steps(x, 3), float) ** 2)
    return total + np.sum(np.fromiter((v * v for v in [x, 2.0 * x]), dtype=float) ** 2)


@program
def made_a_short_array(x):
    return np.sum(np.fromiter(steps(x, 5), np.float64, 3) ** 2)


@program
def made_an_array_of_map(x):
    return np.sum(np.fromiter(map(lambda v: v * x, [x, 3.0]), float) ** 3)


def start(x):
    return np.array([x, 2.0 * x, 0.5])


@program
def largest_by_key(x):
    u = start(x)
    return max(tail(u, 3), key=lambda v: v * u[0]) * u[1]


@program
def least_by_key(x):
    u = start(x)
    return min((v * x for v in tail(u, 3)), key=lambda v: -v * u[0]) * u[1]


@program
def accumulate(x):
    u = start(x)
    t = 0.0
    for v in itertools.accumulate(tail(u, 3)):
        t += v * u[0]
    return t


@program
def in_pairs(x):
    u = start(x)
    t = 0.0
    for v, w in itertools.pairwise(tail(u, 3)):
        t += v * w * u[0]
    return t


@program
def filtered(x):
    u = start(x)
    t = 0.0
    for v in filter(lambda v: v > u[2], tail(u, 3)):
        t += v * u[0]
    return t


@program
def zipped_at_once(x):
    u = start(x)
    t = 0.0
    for v, w in list(zip(tail(u, 3), [1.0, 2.0, 3.0])):
        t += v * w * u[0]
    return t


@program
def enumerate_kept(x):
    u = start(x)
    t = 0.0
    pairs = enumerate(tail(u, 3))
    for k, v in pairs:
        t += v * k * u[0]
    return t


@program
def chained(x):
    u = start(x)
    t = 0.0
    for v in itertools.chain(tail(u, 2), tail(u, 1)):
        t += v * u[0]
    return t


@program
def sliced(x):
    u = start(x)
    t = 0.0
    for v in itertools.islice(tail(u, 3), 1, 3):
        t += v * u[0]
    return t * u[1]


@program
def extended(x):
    u = start(x)
    items = [x]
    def gen():
        for k in range(3):
            yield items[-1] * u[k] + len(items)
    items.extend(gen())
    items.extend(v * items[-1] for v in gen())
    items += gen()
    return sum(items)


@program
def starred_twice(x):
    u = start(x)
    def f(a, b, c):
        return a * b + c * u[0]
    return f(*tail(u, 3)) + sum([*tail(u, 2), u[0]])


@program
def in_a_dict(x):
    u = start(x)
    d = {k: v * u[1] for k, v in enumerate(tail(u, 3))}
    return d[0] * d[1] + d[2] * u[0]


@program
def in_lists(x):
    u = start(x)
    a = [v * u[0] for v in tail(u, 3)]
    b = [[w * v for w in tail(u, 2)] for v in tail(u, 2)]
    return np.log(sum(a) * b[0][1]) * x


@program
def genexp_handed(x):
    u = start(x)
    def loop(items):
        t = 0.0
        for v in items:
            t += v * u[0]
            u[0] = u[0] + 0.1
        return t
    return loop(v * 2.0 for v in tail(u, 3)) * u[1]


@program
def reduced_from(x):
    u = start(x)
    return reduce(lambda a, b: a + b * u[0], tail(u, 3), x)


@program
def asked_about(x):
    u = start(x)
    if any(v > 1.0 for v in tail(u, 3)):
        return u[0] * u[1]
    return u[0] * 3.0


@program
def all_name(x):
    u = start(x)
    if all(tail(u, 3)):
        return u[0] * u[1]
    return u[0] * 3.0


@program
def in_order_and_back(x):
    u = start(x)
    t = 0.0
    for v in sorted(tail(u, 3)):
        t += v * u[0]
    for v in reversed(list(tail(u, 2))):
        t += v * u[0]
    return t


@program
def nested_gen_consumer_writes(x):
    u = start(x)
    def outer():
        for v in tail(u, 2):
            u[2] = u[2] + v
            yield v * u[2]
            u[0] = u[0] * 0.9
    t = 0.0
    for w in outer():
        u[1] = u[1] + 0.1 * w
        t += w * u[0]
        if t > 4.0:
            break
    return t * u[0] * u[1] * u[2]


@program
def conditional(x):
    u = start(x)
    t = 0.0
    for v in (tail(u, 2) if x > 1.0 else tail(u, 3)):
        t += v
    return t * u[0]


@program
def rebinding(x):
    u = start(x)
    g = tail(u, 2)
    u = u * 3.0
    t = 0.0
    for v in g:
        t += v * u[0]
        u = u + v
    return t * u[1]


@program
def in_branch(x):
    t = x
    if x > 1.0:
        for v in tail(start(x), 3):
            if v > 2.0:
                continue
            t += v
    else:
        for v in tail(start(x), 2):
            t *= v
    return t


@program
def in_a_condition(x):
    t = 0.0
    k = 0
    while sum(tail(start(x), 2)) * k < 3.0:
        k += 1
        t += max(tail(start(x * k), 2))
    return t


@program
def consumer_raises(x):
    u = start(x)
    t = 0.0
    try:
        for v in tail(u, 3):
            if v > 0.9:
                raise ValueError
            t += v * u[0]
    except ValueError:
        t = t + 10.0
    return t * u[0]


@program
def made_by_a_lambda(x):
    make = lambda n: tail(start(x), n)  # noqa: E731 - a lambda that makes one
    return sum(make(2)) * sum(v * v for v in make(3))


@program
def shadow_builtin(x):
    def gen(n):
        total = 1.0
        for k in range(n):
            total = total * x
            yield total
    total = 0.0
    k = 2.0
    for total_ in gen(3):
        total = total + total_ * k
    return total * k
