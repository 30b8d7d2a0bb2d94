"""Traps of local functions that call themselves: what they capture, how they are handed on."""
import math

import numpy as np

from tests.traps.case import case

x3 = np.array([0.3, 1.2, -0.5])


def local_rec(x):

    def p(t, n):
        if n == 0:
            return 1.0
        return t * p(t, n - 1)
    return p(x[0], 3)


case(local_rec, x3)


def local_rec_cap(x):
    a = x[1]

    def p(t, n):
        if n == 0:
            return a
        return t * p(t, n - 1) * x[2]
    return p(x[0], 3)


case(local_rec_cap, x3)


def local_rec_tree(x):

    def s(lo, hi):
        if hi - lo == 1:
            return x[lo] ** 2
        mid = (lo + hi) // 2
        return s(lo, mid) * 0.5 + s(mid, hi)
    return s(0, 3)


case(local_rec_tree, x3)


def local_mutual(x):

    def ev(n):
        return 1.0 if n == 0 else od(n - 1) * x[0]

    def od(n):
        return x[1] if n == 0 else ev(n - 1) * x[2]
    return ev(4)


case(local_mutual, x3)


def called_twice(x):

    def p(t, n):
        if n == 0:
            return 1.0
        return t * p(t, n - 1)
    return p(x[0], 3) + p(x[1], 2)


case(called_twice, x3)


def of_integers(x):

    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)
    return x[0] * fib(6)


case(of_integers, x3)


def captured_is_rebound(x):
    k = 2.0

    def s(lo, hi=3):
        if hi - lo == 1:
            return k * x[lo] ** 2
        mid = (lo + hi) // 2
        return s(lo, mid) * 0.5 + s(mid, hi)
    t = s(0)
    k = x[1]
    return t * s(1)


case(captured_is_rebound, x3)


def calls_another(x):

    def helper(v):
        return v * x[0]

    def p(n):
        return 1.0 if n == 0 else helper(p(n - 1)) + x[1]
    return p(3) * helper(2.0)


case(calls_another, x3)


def fills_a_list(x):
    out = []

    def walk(n):
        if n < 3:
            out.append(x[n])
            walk(n + 1)
    walk(0)
    return sum(out)


case(fills_a_list, x3)


def remembers(x):
    memo = {}

    def f(n):
        if n < 2:
            return x[n]
        if n not in memo:
            memo[n] = f(n - 1) * f(n - 2)
        return memo[n]
    return f(4)


case(remembers, x3)


def in_a_comprehension(x):

    def p(v, n):
        return v if n == 0 else p(math.sin(v), n - 1)
    return sum([p(a, 2) for a in x])


case(in_a_comprehension, x3)


def in_a_lambda(x):
    c = x[2]

    def p(v, n):
        return v if n == 0 else p(c * v, n - 1)
    return sum((p(a, 2) for a in x)) + sum(map(lambda q: p(q, 1), x))


case(in_a_lambda, x3)
