"""Calls of what keeps something or is called from outside, and the order of evaluation."""
import contextlib
import functools
import itertools
from functools import lru_cache

import numpy as np
import scipy.integrate
import scipy.optimize

from tests.traps.case import case


def brentq_closure(x):
    return scipy.optimize.brentq(lambda z: z - x, 0, 1) * 2.0


case(brentq_closure, 0.7)


def quad_closure(x):
    return scipy.integrate.quad(lambda z: z * x, 0, 1)[0]


case(quad_closure, 0.7)


def vectorize_closure(x):
    g = np.vectorize(lambda n: n * x)
    return np.sum(g(np.arange(3)))


case(vectorize_closure, 0.7)


def apply_along(x):
    return np.sum(np.apply_along_axis(lambda r: r * x, 0, np.arange(3)))


case(apply_along, 0.7)


def fromfunction_closure(x):
    return np.sum(np.fromfunction(lambda i: i * x, (3,)))


case(fromfunction_closure, 0.7)


def fromiter_map(x):
    return np.sum(np.fromiter(map(lambda v: v * x, [1.0, 2.0]), float))


case(fromiter_map, 0.7)


@lru_cache(maxsize=None)
def cached_buf(n):
    return np.zeros(n)


def lru_mutated(x):
    b = cached_buf(3)
    b[0] = x
    return cached_buf(3)[0] * x


case(lru_mutated, 0.7)


def lru_inside(x):

    @lru_cache
    def g(n):
        return x if n < 2 else g(n - 1) * g(n - 2) + x
    return g(9)


case(lru_inside, 0.7)


def lru_of_any_size_inside(x):

    @lru_cache(None)
    def g(n):
        return x if n < 2 else g(n - 1) * g(n - 2) + x

    @lru_cache(maxsize=2, typed=True)
    def h(n):
        return x * n
    return g(9) * h(2) + h(3) + functools.cache(lambda n: n * x)(4)


case(lru_of_any_size_inside, 0.7)


def deep_recursion(x):

    def g(n, v):
        return v if n == 0 else g(n - 1, v * 0.999) + 0.001 * v
    return g(300, x)


case(deep_recursion, 0.7)


def rec(n, v):
    if n == 0:
        return v
    return rec(n - 1, v * 0.999) + 0.001 * v


def deep_recursion_global(x):
    return rec(500, x)


case(deep_recursion_global, 0.7)


def while_walrus_order(x):
    i = 0
    s = 0.0
    while i + (i := (i + 1)) < 10:
        s += x * i
    return s


case(while_walrus_order, 0.7)


def for_walrus_order(x):
    y = x
    s = 0.0
    for v in [y, (y := (y * 2.0)), y]:
        s = s * x + v
    return s


case(for_walrus_order, 0.7)


def while_walrus_float(x):
    y = 1.0
    n = 0
    while (y := (y * x)) > 0.1 and y + (y := (y * x)) > 0.05:
        n += 1
    return y * n


case(while_walrus_float, 0.7)


def walrus_args(x):

    def g(a, b, c=1.0):
        return a * 2.0 + b * 3.0 + c
    y = x
    return g(y, (y := (y * x)), c=(y := (y + 1.0))) + y


case(walrus_args, 0.7)


def walrus_dict(x):
    d = {}
    d[(k := "a")] = (k := "b") and x
    return d["a"] if "a" in d else d["b"] * 2.0


case(walrus_dict, 0.7)


def walrus_comp(x):
    y = x
    v = [(y := (y * z)) for z in (2.0, 3.0)]
    return v[0] + v[1] * y


case(walrus_comp, 0.7)


def walrus_boolop(x):
    y = x
    if (y := (y * 2.0)) > 5.0 or ((y := (y + 1.0)) > 1.0 and (z := (y * y)) > 0.0):
        return y * z
    return y


case(walrus_boolop, 0.7)


def walrus_with(x):
    y = x
    with contextlib.nullcontext((y := (y * 2.0))) as z, contextlib.nullcontext(y + 1.0) as w:
        return y * z * w


case(walrus_with, 0.7)


def cond_expr_order(x):
    y = x
    v = y + ((y := (y * 2.0)) if y > 0 else (y := (y * 3.0))) * y
    return v


case(cond_expr_order, 0.7)

X3 = np.array([0.5, -1.2, 0.8])


def aug_index_walrus(x):
    k = 0
    x[k] += (k := 1) * x[1]
    return np.sum(x * x)


case(aug_index_walrus, X3)

MODSTATE = 1.0


def a3helper(v):
    global MODSTATE
    MODSTATE = v * 2.0


def global_then_read(x):
    a3helper(x)
    return MODSTATE * x


case(global_then_read, 0.7)


def methods_kept(x):
    xs = []
    push = xs.append
    for k in range(3):
        push(x * k)
    get = {"a": x}.get
    return sum(xs) * get("a") * get("b", x)


case(methods_kept, 0.7)


def closures_late(x):
    fs = []
    for k in range(3):
        fs.append(lambda v: v * x + k)
    return sum((f(x) for f in fs))


case(closures_late, 0.7)


def closures_default(x):
    fs = [lambda v, k=k, y=x * k: v * y + k for k in range(3)]
    return sum((f(x) for f in fs))


case(closures_default, 0.7)


def counter_closure(x):
    n = 0.0

    def inc(v):
        nonlocal n
        n += v * x
        return n
    return inc(1.0) * inc(2.0) + n


case(counter_closure, 0.7)


def default_mutable(x):

    def g(v, acc=[]):
        acc.append(v)
        return sum(acc)
    return g(x) * g(x * 2.0) * g(x, [1.0])


case(default_mutable, 0.7)


@contextlib.contextmanager
def cm(d):
    d["a"] = 1.0
    yield d
    d["a"] = 2.0


def contextmanager_writes(x):
    d = {}
    with cm(d) as e:
        y = e["a"] * x
    return y * d["a"]


case(contextmanager_writes, 0.7)


def suppress_(x):
    y = x
    with contextlib.suppress(ValueError):
        y = x * 2.0
    return y


case(suppress_, 0.7)


def starmap_(x):
    return sum(itertools.starmap(lambda a, b: a * b, [(x, 2.0), (3.0, x * x)]))


case(starmap_, 0.7)


def chain_from(x):
    return sum(itertools.chain.from_iterable([[x, 2.0], [3.0, x * x]]))


case(chain_from, 0.7)


def cycle_repeat(x):
    s = 0.0
    for v, k in zip(itertools.cycle([x, 2.0]), range(5)):
        s = s * x + v
    for v in itertools.repeat(x, 3):
        s += v
    for k, v in zip(itertools.count(1), [x, x]):
        s += k * v
    return s


case(cycle_repeat, 0.7)
