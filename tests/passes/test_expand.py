"""Functions in functions, closures, functions as values: against differences."""

import functools

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import refused_by_names


class C:
    pass


def late(x):
    k = 1.0

    def g(t):
        return t * k

    k = x
    return g(2.0) * x


def nonl(x):
    def bump():
        nonlocal x
        x = x * 2

    def g(t):
        bump()
        return t * x

    return g(x)


def counter(x, n):
    def make():
        c = 1.0

        def inc(v):
            nonlocal c
            c = c * v
            return c

        return inc

    a = make()
    b = make()
    s = 0.0
    for i in range(n):
        s = s + a(x) * b(x + 1.0)
    return s


def stale(y, n):
    def make(a):
        return lambda t: a * t

    h = make(1.0)
    for i in range(n):
        g = h
        h = make(y)
        y = g(y)
    return y


def deflt(x, n):
    s = 0.0
    for i in range(n):
        x = x * 1.5

        def g(t, x=x):
            return t * x

        x = x + 1.0
        s = s + g(2.0)
    return s


def early(x, n):
    def find(t):
        for i in range(n):
            if t > 3.0:
                return t * i
            t = t * t
        return -t

    return find(x) + find(x + 1.0)


def mutual(x):
    def a(t):
        return b(t) + t

    def b(t):
        return t * x

    return a(x)


def va(*args, **kw):
    s = 0.0
    for a in args:
        s = s + a * a
    return s * kw["scale"]


def callva(x, y):
    return va(x, y, 2.0, scale=x)


def keyonly(t, *, by=2.0):
    return t * by * t


def callk(x):
    return keyonly(x) + keyonly(x, by=x)


def comp(f, g):
    return lambda t: f(g(t))


def callcomp(x):
    h = comp(np.sin, lambda t: t * t)
    return h(x)


def fact(x, n):
    def rec(k):
        if k == 0:
            return 1.0
        return x * rec(k - 1)

    return rec(n)


def double_write(u, v):
    v[:] = 2 * u
    u[0] = v[1]


def dw(x):
    a = x.copy()
    double_write(a, a[::-1])
    return np.sum(a * a)


W = np.zeros(3)


def rdW():
    return np.sum(W * W)


def wrW(x):
    W[:] = x * x


def gl(x):
    wrW(x)
    return rdW()


def cond(x):
    f = (lambda t: t * t) if x > 1 else (lambda t: t * 3)
    return f(x)


def cond2(x):
    if x > 1:

        def f(t):
            return t * t
    else:

        def f(t):
            return t * 3

    return f(x)


def inloop(x, n):
    fs = 0.0
    for i in range(n):

        def f(t):
            return t * i * x

        fs += f(x)
    return fs


def deep(x):
    def a(t):
        def b(s):
            def c(r):
                return r * x * t * s

            return c(s) + x

        return b(t * x)

    return a(x)


def deco(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return 2.0 * fn(*args, **kwargs)

    return wrapper


@deco
def decorated(x, k=3.0):
    return x * x * k


def calldec(x):
    return decorated(x) + decorated(x, k=x)


def applyall(x):
    fs = {"a": np.sin, "b": np.cos}
    return fs["a"](x) * fs["b"](x)


def par(x):
    g = functools.partial(keyonly, by=x)
    return g(x)


def ifcall(x):
    def ok(t):
        return t > 1.0

    if ok(x) and not ok(x - 1):
        return x * x
    return x


def whilecall(x):
    def small(t):
        return t < 10.0

    while small(x):
        x = x * x
    return x


def sortkey(x):
    xs = [3, 1, 2]
    xs = sorted(xs, key=lambda v: -v)
    return x * xs[0]


A = np.array([0.5, 0.7, 0.9])

PROGRAMS = [
    (late, (2.0,)),
    (nonl, (3.0,)),
    (counter, (1.5, 3)),
    (deflt, (1.5, 3)),
    (early, (1.2, 4)),
    (mutual, (1.3,)),
    (callva, (1.5, 2.0)),
    (callk, (1.5,)),
    (callcomp, (0.7,)),
    (dw, (A,)),
    (gl, (A,)),
    (cond, (1.5,)),
    (cond2, (1.5,)),
    (inloop, (1.5, 3)),
    (deep, (1.2,)),
    (calldec, (1.4,)),
    (applyall, (0.4,)),
    (par, (1.5,)),
    (ifcall, (1.5,)),
    (whilecall, (1.5,)),
    (sortkey, (1.5,)),
    (fact, (1.3, 3)),
]


@pytest.mark.parametrize("function, args", PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_right(function, args):
    tl.check_grads(function, args, order=1, modes=("rev",))


@pytest.mark.parametrize("function, args", [(stale, (1.5, 3))])
def test_right_by_identity(function, args):
    refused_by_names(tl.UnsupportedSyntaxError, function, *args, match="test_expand.py:")
    tl.check_grads(function, args, order=1)
