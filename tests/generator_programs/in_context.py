"""Generators in closures, `while`, `try`, `with` and conditions; names that are bound anew."""
import math

import numpy as np

from tests.generator_programs.shared import program, stops


@program
def stopping(x):
    t = 1.0
    for v in stops(x):
        t = t * 0.5 + v * x
    return t


@program
def run_out(x):
    for v in stops(x):
        if v > 100.0:
            break
    else:
        v = v * 2.0 + x
    return v * x


@program
def iterated(x):
    t = 0.0
    it = iter(stops(x))
    for v in it:
        t += v
    return t * x


@program
def early_return_nested(x):
    for v in stops(x):
        for w in stops(2.0 * x):
            if w > v:
                return w * v
    return x


def prime(x):
    yield x
    x *= 2.0
    yield x


@program
def two_yields_array(x):
    u = np.array([x, 1.0])
    t = 0.0
    for v in prime(u):
        t += np.sum(v * v)
        v[1] = v[0] * v[1]
    return t * u[1]


@program
def in_order(x):
    s = sorted(stops(x), reverse=True)
    return s[0] * 3.0 + s[-1] * x + sorted(stops(x), key=lambda v: -v)[0]


@program
def as_array(x):
    a = np.array(list(stops(x)))
    return np.sum(a * a) + np.array([v for v in stops(x)]) @ a


def grown(u, k):
    for _ in range(3):
        u *= k
        yield u


@program
def sum_of_same(x):
    return np.sum(sum(v for v in grown(np.array([1.0, 2.0]), x)) ** 2)


@program
def sum_of_products(x):
    u = np.array([1.0, 2.0])
    return np.sum(sum(v * u[0] for v in grown(u, x)) ** 2)


@program
def asked_of_arrays(x):
    u = np.array([1.0, 2.0])
    if any(v[0] > 100.0 for v in grown(u, x)):
        return 0.0 * x
    return np.sum(u * u)


@program
def beside_a_dict(x):
    d = {0: 2.0, 1: 3.0, 2: x}
    t = 0.0
    for v, k in zip(grown(np.array([1.0, 2.0]), x), d):
        t += v[0] * d[k]
    return t


@program
def beside_a_tuple(x):
    t = 0.0
    for v, k in zip(grown(np.array([1.0, 2.0]), x), (x, 2.0, x * x)):
        t += v[0] * k
    return t


@program
def beside_a_text(x):
    t = 0.0
    for v, c in zip(grown(np.array([1.0, 2.0]), x), "ab"):
        t += v[0] * len(c)
    return t


@program
def list_grows(x):
    data = [x]
    t = 0.0
    for v, c in zip(grown(np.array([1.0, 2.0]), x), data):
        t += v[0] * c
        if len(data) < 3:
            data.append(t)
    return t


@program
def list_grows_first(x):
    data = [x]
    t = 0.0
    for c, v in zip(data, grown(np.array([1.0, 2.0]), x)):
        t += v[0] * c
        if len(data) < 3:
            data.append(t)
    return t


@program
def mapped_arrays(x):
    u = np.array([1.0, 2.0])
    t = 0.0
    for w in map(lambda v: v[0] * x, grown(u, x)):
        t += w * u[1]
    return t


@program
def left_expression(x):
    u = np.array([1.0, 2.0])
    t = 0.0
    for w in (v[0] * x for v in grown(u, x)):
        t += w * u[1]
        if t > 3.0:
            break
    return t


@program
def infinite_genexp(x):
    def forever(y):
        while True:
            y = y * 0.5
            yield y
    t = 0.0
    for w in (v * x for v in forever(x)):
        t += w
        if w < 0.1:
            break
    return t


@program
def closure_loopvar(x):
    v = 1.0

    def gen():
        for i in range(3):
            yield v * x + i
    t = 0.0
    for v in gen():
        t += v
    return t * v


@program
def bound_around(x):
    k = x

    def gen():
        nonlocal k
        for i in range(3):
            k = k * x
            yield k
    t = 0.0
    for v in gen():
        k = k + v
        t += k
    return t * k


@program
def consumer_reads_gen_var(x):
    i = 10
    t = 0.0

    def gen(n):
        for i in range(n):
            yield i * x
    for v in gen(3):
        t += v * i
    return t * i


@program
def param_written(x):
    def gen(a):
        a[0] = a[0] * x
        yield a[0]
        a[1] = a[0] + x
        yield a[1]
    a = np.array([x, 1.0])
    t = 1.0
    for v in gen(a):
        a[0] += v
        t *= v
    return t * a[0] * a[1]


@program
def zero_while(x):
    def gen(a):
        while a < 0.0:
            yield a
            a = a + 1.0
    t = x
    n = 5
    for n, v in enumerate(gen(x)):
        t += v
    return t * n * x


@program
def enum_after(x):
    def gen(a):
        while a < 3.0:
            yield a
            a = a + 1.0
    n = 0
    for n, v in enumerate(gen(x), 2):
        if v > 2.0:
            break
    return n * v * x


@program
def zip_left(x):
    log = []

    def gen(a):
        for i in range(5):
            log.append(a * i)
            yield a + i
        log.append(100.0)
    t = 0.0
    for v, d in zip(gen(x), [1.0, x]):
        t += v * d
    return t + sum(log) * x


@program
def zip_right(x):
    log = []

    def gen(a):
        for i in range(5):
            log.append(a * i)
            yield a + i
        log.append(100.0)
    t = 0.0
    for d, v in zip([1.0, x], gen(x)):
        t += v * d
    return t + sum(log) * x


@program
def zip_range(x):
    log = []

    def gen(a):
        for i in range(2):
            log.append(a * i)
            yield a + i
        log.append(100.0 * a)
    t = 0.0
    for k, v in zip(range(1, 9), gen(x)):
        t += v * k
    for v, k in zip(gen(x), range(7)):
        t += v * k
    return t + sum(log) * x * k


@program
def twice_same_gen(x):
    def gen(a):
        for i in range(3):
            a = a * x
            yield a
    t = 0.0
    for v in gen(x):
        t += v
    for v in gen(t):
        t += v
    return t + v


@program
def while_consumer(x):
    def gen(a):
        for i in range(4):
            a = a * x
            yield a
    t, n = 0.0, 0
    while n < 3:
        for v in gen(t + x):
            if v > 2.0:
                break
            t += 0.1 * v
        else:
            t += 1.0
        n += 1
    return t


@program
def list_yield(x):
    def gen(a):
        s = [a, x]
        for i in range(3):
            s[0] = s[0] * s[1]
            yield s
    t = 0.0
    for s in gen(x):
        t += s[0] + len(s)
    return t + sum(len(q) * q[0] for q in gen(x))


@program
def try_in_gen(x):
    def gen(a):
        for i in range(3):
            try:
                b = math.sqrt(a - i)
            except ValueError:
                b = a * a
            yield b
    t = 0.0
    for v in gen(x):
        t = t * 0.5 + v
    return t


@program
def with_managers(x):
    def gen(a):
        for i in range(3):
            with np.errstate(all="ignore"):
                b = a * i
            yield b
    t = 0.0
    with np.errstate(all="ignore"):
        for v in gen(x):
            t = t * 0.5 + v * v
            if t > 10.0:
                break
    return t
