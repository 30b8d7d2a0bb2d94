"""What an iterator reads while a loop runs over it, and what the loop changes there meanwhile."""
import itertools
import sys
from pathlib import Path

import numpy as np
import pytest

import tangent_lite as tl

sys.path.insert(0, str(Path(__file__).parents[1]))

from object_classes import Body

X = np.arange(5.0) * 1.1 + 0.13


def generator_of_attributes(x):
    L = [Body(v, 1.0, 1.0) for v in x]
    s = 0.0
    for v in (c.x * 2 for c in L):
        for b in L:
            b.x += 0.1 * v
        s += v
    return s + sum((b.x for b in L))


def mapped(x):
    L = [Body(v, 1.0, 1.0) for v in x]
    s = 0.0
    for v in map(lambda c: c.x * c.v, L):
        L[-1].x += 0.1 * v
        s += v
    return s


def generator_of_some(x):
    L = [Body(v, 1.0, 1.0) for v in x]
    s = 0.0
    for b in (c for c in L if c.x > 2.0):
        for d in L:
            d.x += 0.5
        s += b.x
    return s


def filtered(x):
    L = [Body(v, 1.0, 1.0) for v in x]
    s = 0.0
    for b in filter(lambda c: c.x > 2.0, L):
        for d in L:
            d.x += 0.5
        s += b.x
    return s


def in_pairs(x):
    L = [Body(v, 1.0, 1.0) for v in x]
    s = 0.0
    for a, b in itertools.combinations(L, 2):
        a.x += 0.1 * b.x
        s += a.x * b.x
    for a, b in itertools.product(L, L):
        a.x += 0.1 * b.x
    for a, b in itertools.pairwise(L):
        a.x -= b.x
    return s + sum((b.x for b in L))


def counted(x):
    L = [Body(v, 1.0, 1.0) for v in x]
    s = 0.0
    for i, v in enumerate((b.x for b in L)):
        L[(i + 1) % 5].x += v
        s += v
    return s


def kept(x):
    L = [Body(v, 1.0, 1.0) for v in x]
    g = (b.x for b in L)
    for b in L:
        b.x *= 2.0
    return sum(g)


def list_in_a_dict(x):
    st = {"x": [v * 1.0 for v in x], "t": 0.0}
    s = 0.0
    for v in (u * 2 for u in st["x"]):
        st["x"][4] += v
        st["t"] += v
        s += v
    return s + st["t"]


class Held:

    def __init__(self, x):
        self.xs = [v * 1.0 for v in x]
        self.k = 1.0


def list_in_an_object(x):
    w = Held(x)
    s = 0.0
    for v in (u * w.k for u in w.xs):
        w.xs[4] += v
        s += v
    return s


def number_in_an_object(x):
    w = Held(x)
    s = 0.0
    for v in (u * w.k for u in x):
        w.k += 0.1 * v
        w.xs[0] += v
        s += v
    return s


def list_with_two_names(x):
    xs = [v * 1.0 for v in x]
    ys = xs
    s = 0.0
    for v in (u * 2 for u in ys):
        xs[4] += v
        s += v
    return s


def mapped_with_two_names(x):
    w = Held(x)
    ys = w.xs
    s = 0.0
    for v in map(lambda u: u * w.xs[-1], ys):
        w.xs[4] += v
        s += v
    return s


def grows_in_an_object(x):
    w = Held(x[:2])
    s = 0.0
    for v in w.xs:
        if len(w.xs) < 5:
            w.xs.append(v * 1.1)
        s += v
    return s


def grows_in_an_object_with_two_names(x):
    w = Held(x[:2])
    ys = w.xs
    s = 0.0
    for v in ys:
        if len(w.xs) < 5:
            w.xs.append(v * 1.1)
        s += v
    return s


def grows_with_two_names(x):
    xs = [x[0]]
    ys = xs
    s = 0.0
    for v in ys:
        if len(xs) < 5:
            xs.append(v * 1.1)
        s += v
    return s


PROGRAMS = [
    generator_of_attributes, mapped, generator_of_some, filtered, in_pairs, counted, kept,
    list_in_a_dict, list_in_an_object, number_in_an_object, list_with_two_names,
    mapped_with_two_names, grows_in_an_object, grows_in_an_object_with_two_names,
    grows_with_two_names]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.sweep(5)
def test_iterators(f):
    wanted = [(f(X + 1e-6 * unit) - f(X - 1e-6 * unit)) / 2e-6 for unit in np.eye(5)]
    derivative = tl.grad(f)
    np.testing.assert_allclose(derivative(X), wanted, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(tl.jvp(f, (X,), (np.ones(5),))[1], np.sum(wanted), rtol=1e-5)


def test_pairs_are_followed_by_names():
    assert "tape.pull" not in tl.grad(in_pairs).source_for(X)
