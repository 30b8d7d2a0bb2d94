"""Programs with generators of the user: each takes a number and gives one."""
import itertools
import math
from functools import reduce

import numpy as np

PROGRAMS = {}


def program(f):
    """Enter a program."""
    assert f.__name__ not in PROGRAMS
    PROGRAMS[f.__name__] = f
    return f


def steps(x, n):
    for i in range(n):
        x = x * x * 0.5 + x * 0.3
        yield x


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


def tail(u, n):
    for k in range(n):
        yield u[k]
        u[0] = u[0] * u[1]          # behind each yield, at the end too
    u[1] = u[0] * u[0]


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


def stops(x):
    while True:
        x = x * 0.7
        if x < 0.2:
            return
        if x < 0.5:
            yield x * x
            continue
        for k in range(2):
            yield x * k
            if k == 0 and x > 0.6:
                break


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
