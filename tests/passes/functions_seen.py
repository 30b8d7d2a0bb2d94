"""Programs in which somebody sees the functions in a list, or they differ by what is not held."""
import functools

import numpy as np


def statefulmake(k):
    def g(v):
        nonlocal k
        k += 1.0
        return v * k
    return g


def apply_all(fs, x):
    for g in fs:
        x = g(x)
    return x


def appended_meanwhile(x, ks):
    s, fs = 0.0, []
    for k in ks:
        fs.append(lambda v, k=k: v * k)
        for g in fs:
            s += g(x)
    return s


def two_names(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    hs = fs
    hs.append(lambda v, k=7.0: v * k)
    return sum(g(x) for g in fs)


def array_changed(x, ks):
    w = np.array([x, 2.0, 3.0])
    fs = []
    for k in ks[:4]:
        fs.append(lambda v, w=w, k=k: np.sum(w) * v * k)
    w[0] = 5.0 * x
    return sum(g(x) for g in fs)


def counts(x, ks):
    fs = [statefulmake(k) for k in ks[:3]]
    s = 0.0
    for g in fs:
        s += g(x) + g(x)
    return s


def called_by_its_name(x, ks):
    fs = []
    s = 0.0
    for k in ks[:6]:
        def g(v, k=k):
            return v * k
        fs.append(g)
        s += g(x)
    for g in fs:
        s += g(x)
    return s


def given_a_name(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    s = 0.0
    for g in fs:
        h = g
        s += h(x)
    return s


def grows_under_the_loop(x, ks):
    fs = [lambda v, k=k: v * k for k in ks[:3]]
    for g in fs:
        if len(fs) < 9:
            fs.append(lambda v, k=g(x): v * k)
    return sum(g(x) for g in fs)


def calls_itself(x, ks):
    fs = []
    for k in ks[:5]:
        def g(v, n=2, k=k):
            return v if n == 0 else k * g(v, n - 1)
        fs.append(g)
    return sum(h(x) for h in fs)


def binds_around(x, ks):
    total = 0.0
    fs = []
    for k in ks[:5]:
        def g(v, k=k):
            nonlocal total
            total += v * k
        fs.append(g)
    for h in fs:
        h(x)
    return total


def two_definitions(x, ks):
    fs = []
    for i, k in enumerate(ks):
        if i % 2:
            fs.append(lambda v, k=k: v * k)
        else:
            fs.append(lambda v, k=k: v + k)
    return sum(g(x) for g in fs)


def called_wrongly(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    try:
        return sum(g() for g in fs)
    except TypeError:
        return x * 2.0


def other_literals(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    fs[0] = lambda v, k=x: v * k
    fs[-1] = lambda v, k=2.0: v * k
    i, s = len(fs) - 1, 0.0
    while i >= 0:
        s += fs[i](x)
        i -= 1
    return s


def seen_by_a_function(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    def all_of(x):
        s = 0.0
        for g in fs:
            s += g(x)
        return s
    return all_of(x) * x


def handed_to_reduce(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    return functools.reduce(lambda v, g: g(v), fs, x)


def handed_on(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    return apply_all(fs, x)


def bound_anew(x, ks):
    def pw(a, b): return a * b
    fs = [functools.partial(pw, k) for k in ks]
    def pw(a, b): return a - b
    return sum(g(x) for g in fs)


def computes_first(x, ks):
    def make(k):
        c = k * k
        return lambda v: v * c
    fs = [make(k) for k in ks]
    return sum(g(x) for g in fs)


def bound_to_its_items(x, ks):
    f = [lambda v, k=k: v * k for k in ks]
    s = 0.0
    for f in f:
        s += f(x)
    return s


def a_parameter_like_it(x, ks):
    fs = [lambda g, k=k: g * k for k in ks]
    s = 0.0
    for g in fs:
        s += g(x)
    return s


def walrus(x, ks):
    fs = [lambda v, k=k: (t := v * k) + t for k in ks]
    return sum(g(x) for g in fs)


def compared(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    s = 0.0
    for g in fs:
        if g is fs[0]:
            continue
        s += g(x)
    return s


def enumerates_otherwise(x, ks):
    def enumerate(s):
        return [(2 * i, t) for i, t in zip(range(100), s)]
    fs = [lambda v, k=k: v * k for k in ks]
    s = 0.0
    for i, g in enumerate(fs):
        s += g(x) * i
    return s


def popped(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    s = 0.0
    while fs:
        g = fs.pop()
        s += g(x)
    return s


PROGRAMS = [
    appended_meanwhile, two_names, array_changed, counts, called_by_its_name, given_a_name,
    grows_under_the_loop, calls_itself, binds_around, two_definitions, called_wrongly,
    other_literals, seen_by_a_function, handed_to_reduce, handed_on, bound_anew,
    computes_first, bound_to_its_items, a_parameter_like_it, walrus, compared,
    enumerates_otherwise, popped,
]
