"""Generators that are handed on: to helpers, to other generators, with defaults."""
import math
from functools import reduce

import numpy as np

from tests.generator_programs.shared import program, tail


def consume(items, u):
    t = 0.0
    for v in items:
        u[0] = u[0] * v
        t = t + v * u[1]
    u[0] = u[0] * u[1]
    return t


@program
def handed_on(x):
    u = np.array([x, 2.0 * x, 0.5])
    t = consume(tail(u, 2), u)
    return t * u[0] * u[1]


@program
def half_handed(x):
    u = np.array([x, 2.0 * x, 0.5])
    g = tail(u, 3)
    a = next(g)
    u[0] = u[0] * a
    t = consume(g, u)
    u[1] = u[1] * t
    return t * a * u[0] * u[1]


def fails(x):
    yield x
    yield math.sqrt(x - 10.0)
    yield x * x


@program
def failing(x):
    total = x
    try:
        for v in fails(x):
            total = total * v
    except ValueError:
        total = total * 3.0
    return total * x


@program
def fails_after(x):
    g = fails(x)
    total = x
    try:
        total = total * next(g)
        total = total * next(g)
    except ValueError:
        total = total * 3.0
    return total * x + sum(g)


@program
def list_write(x):
    def grow(items):
        for k in range(3):
            items.append(items[-1] * x)
            yield items
    t = 0.0
    for items in grow([x]):
        items[0] = items[0] * items[-1]
        t += sum(items)
    return t


@program
def changed_dict(x):
    def update(d):
        for k in range(3):
            d["a"] = d["a"] * d["b"]
            yield k
            d["b"] = d["b"] + x
    d = {"a": x, "b": 2.0 * x}
    t = 0.0
    for k in update(d):
        t += d["a"] * k
        d["a"] = d["a"] + t
    return t * d["b"]


@program
def zip_end(x):
    u = np.array([x, 2.0 * x, 0.5])
    t = 0.0
    for v, w in zip(tail(u, 3), [1.0, 2.0]):
        t += v * w * u[0]
    return t * u[0] * u[1]


@program
def zip_end2(x):
    u = np.array([x, 2.0 * x, 0.5])
    t = 0.0
    for w, v in zip([1.0, 2.0], tail(u, 3)):
        t += v * w * u[0]
    return t * u[0] * u[1]


@program
def mapped(x):
    u = np.array([x, 2.0 * x, 0.5])
    t = sum(map(lambda v: v * v * u[0], tail(u, 2)))
    return t * u[0] * u[1]


@program
def generator_expr(x):
    u = np.array([x, 2.0 * x, 0.5])
    t = sum(v * u[1] for v in tail(u, 2))
    return t * u[0] * u[1]


@program
def reduced(x):
    u = np.array([x, 2.0 * x, 0.5])
    return reduce(lambda a, b: a * b + u[0], tail(u, 2)) * u[1]


def outer(u):
    for v in tail(u, 2):
        u[2] = u[2] * v
        yield u[2]
    u[0] = u[0] + u[2]


@program
def through(x):
    u = np.array([x, 2.0 * x, 0.5])
    t = 0.0
    for w in outer(u):
        t += w * u[0]
        u[1] = u[1] + w
    return t * u[0] * u[1]


@program
def interleave(x):
    u = np.array([x, 2.0 * x, 0.5])
    g, h = tail(u, 2), tail(u, 3)
    t = next(g) * next(h)
    t += next(h) * u[0]
    u[1] = u[1] * t
    t += next(g) * u[1]
    t += sum(h)
    return t * u[0] * u[1] + len(list(g))


def shadow(x, t, total):
    for k in range(3):
        t = t * x
        total = total + t
        x = x + 0.1
        yield total * x


@program
def shadowed_again(x):
    total, t, k = 1.0, 2.0, 5.0
    for v in shadow(x, x, x * x):
        total = total + v * t * k
        t = t + v
        x = x * 0.9
    return total * t * k * x


@program
def args_rebound(x):
    n, a = 3, x * x
    g = shadow(a, x, x)
    a = 7.0
    x = x * 3.0
    return sum(g) * a * x


@program
def nested_same(x):
    t = 0.0
    for v in shadow(x, x, x):
        for w in shadow(v, x, x):
            t += v * w
            if w > 5.0:
                break
        if v > 9.0:
            break
    return t


@program
def in_loop(x):
    t = 0.0
    for k in range(3):
        for v in shadow(x, k * x, t):
            t += 0.1 * v
            if k == 1:
                continue
            t *= 0.9
    return t


def two_dims(x):
    a = np.array([[x, 1.0], [0.5, x * x]])
    for k in range(2):
        a = a @ a * 0.3
        yield a, k


@program
def tuples(x):
    t = 0.0
    for a, k in two_dims(x):
        t += np.sum(a * a) * (k + 1)
    return t


@program
def same_sum(x):
    def march(u):
        for _ in range(3):
            u *= x
            yield u
    s = sum(march(np.array([1.0, 2.0])))
    return np.sum(s * s)


@program
def same_zip(x):
    def march(u):
        for _ in range(3):
            u *= x
            yield u
    rows = [u * w for u, w in zip(march(np.array([1.0, 2.0])), [1.0, 2.0, 3.0])]
    same = [u for u, w in zip(march(np.array([1.0, 2.0])), [1.0, 2.0, 3.0])]
    return np.sum(rows[0] * rows[2]) + np.sum(same[0] * same[1])


@program
def max_same(x):
    def march(u):
        for _ in range(3):
            u[0] = u[0] * x
            yield u[0]
    return max(march(np.array([2.0]))) * min(march(np.array([2.0])))


def gen_default(x, n=3, *, k=2.0):
    for i in range(n):
        yield x * k + i


@program
def defaults(x):
    return sum(gen_default(x)) * sum(gen_default(x, k=x)) * sum(gen_default(n=2, x=x))
