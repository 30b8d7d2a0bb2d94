"""Calls: resolved when they are made; what cannot be looked into is refused or leaves all alone."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.heap.referee import held

HEAD = """
import copy
import functools
import operator
import random
import tangent_lite as tl

table = np.ones(3)
factor = 3.0

def square(v):
    return v * v

def cubed(v):
    return v ** 3

def scaled(v, k=2.0, *more, w=1.0, **rest):
    return v * k * w * sum(more, 1.0) * rest.get("z", 1.0)

def writes(a, v):
    a[0] = v * v
    return a

def even(n, v):
    return 1.0 if n == 0 else v * odd(n - 1, v)

def odd(n, v):
    return 1.0 if n == 0 else v + even(n - 1, v)

@functools.lru_cache(None)
def cached(n):
    return n * 2.0

@functools.wraps(square)
def wrapped(*a, **k):
    return square(*a, **k)

def f(x, y):
"""
RIGHT = [
    "return square(x) * scaled(y, x, 1.0, y, w=x, z=y)", "return scaled(*(x, y), **{'w': y, 'z': "
    "x})",
    "return scaled(w=x, v=y)", "a = [x, y]\nwrites(a, y)\nreturn a[0] * x",
    "w = np.ones(2) * x\nv = writes(w[:1], y)\n"
    "return np.sum(w * v)", "return even(4, x) * odd(3, y)",
    "h = lambda v: v * x\ng = lambda v, *, w=x: v * w\nreturn h(y) + g(x)",
    "g = {'a': square, 'b': cubed}['b' if x > y else 'a']\nreturn g(x) * y",
    "p = functools.partial(scaled, x, w=y)\n"
    "return p(y) * p(2.0, w=x) * functools.partial(p, x)(w=1.0)",
    "return operator.mul(x, y) * operator.add(x, operator.neg(y))", "return x * cached(2) * "
    "cached(2) * y",
    "return wrapped(x) * y", "return operator.itemgetter(1, 0)((x, y))[0] * x",
    "g = operator.methodcaller('copy')\nd = g({'a': x})\nreturn d['a'] * y",
    "return math.sqrt(x) * math.hypot(x, y) * math.pow(x, y)", "return "
    "np.linalg.norm(np.array([x, y])) * x",
    "return float(np.float64(x)) * np.sqrt(y)", "r = random.Random(3)\nreturn x * r.random() * y",
    "rng = np.random.default_rng(3)\nreturn x * rng.normal() + y * rng.random()",
    "print(x)\nreturn x * y", "return tl.checkpoint(square)(x) * y", "a = np.ones(2) * x\n"
    "return np.sum(a.dot(a)) * y",
    "return pow(x, y) * divmod(7, 2)[0] * round(1.2) * int(x)", "global factor\n"
    "factor = factor * x\nreturn factor * y",
    "table[0] = x\nreturn np.sum(table) * y", "return np.sum(np.vectorize(lambda k: k * "
    "2.0)(np.arange(3))) * x * y",
    "return tl.grad(lambda v: v * x * v)(y)",
    "return tl.grad(functools.partial(scaled, x))(y)",
    "return tl.grad(cubed)(x) * y", "return sum(map(tl.grad(cubed), [x, y]))",
    "a = copy.deepcopy([np.ones(2) * x] * 2)\na[0][0] = y\nreturn np.sum(a[1]) * x",
    "return np.where(x > y, x, y) * np.maximum(x, 0.0) * y", "return np.einsum('i,i->', "
    "np.ones(2) * x, np.ones(2) * y)",
]


@pytest.mark.parametrize("body", RIGHT, ids=lambda v: v.split("\n")[0])
@pytest.mark.sweep(8)
def test_right(body):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    held(HEAD + lines, "1.3, 0.7", wrt=(0, 1))


REFUSED = [
    ("reads what may vary", "table[0] = x\ndef g(v):\n    return v * table[0]\n"
     "return tl.grad(g)(y)"),
    ("changes what it is given", "import struct\nw = np.array([3, 1, 2])\n"
     "struct.pack_into('q', w, 0, 7)\nreturn w[0] * x * y"),
    ("no adjoint rule for np.emath.sqrt", "return np.sum(np.emath.sqrt(np.ones(2) * x)) * y"),
    ("several outputs", "a, b = np.ones(2) * x, np.ones(2) * y\nnp.modf(a, a, b)\n"
     "return np.sum(b)"),
    ("lies where out= writes", "a = np.ones(2) * x\nnp.concatenate((a[1:], a[:1]), out=a)\n"
     "return np.sum(a) * y"),
    ("numbers are added up", "import collections\nc = collections.Counter()\n"
     "c.update({'a': x})\nreturn c['a'] * y"),
    ("numbers are added up", "import collections\nc = collections.Counter()\nc['a'] = x\n"
     "c += collections.Counter(b=2)\nreturn c['a'] * y"),
]


@pytest.mark.parametrize("reason, body", REFUSED)
def test_refused(reason, body):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    with pytest.raises(tl.TangentError, match=reason) as told:
        held(HEAD + lines, "1.3, 0.7", wrt=(0, 1))
    assert told.value.place is not None and told.value.fix


@pytest.mark.parametrize("call", ["square()", "square(x, y)", "square(v=x, q=y)", "scaled(x, v=y)",
                                  "undefined(x)", "[x][3]", "{'a': x}['b']", "x.nothing", "x()"])
def test_errors_are_those_of_the_function(call):
    text = HEAD + f"    return {call}\n"
    from tests.heap.forced import by_identity
    from tests.heap.referee import world
    f = world(text.lstrip())["f"]
    with pytest.raises(Exception) as natural:  # noqa: PT011 - whatever it is
        f(1.3, 0.7)
    with by_identity(), pytest.raises(type(natural.value)) as told:
        tl.grad(f)(1.3, 0.7)
    assert str(told.value) == str(natural.value)


def test_helpers_of_derivatives_that_write_into_lists():
    """What has no rule among the helpers is Python like any other, and may change its arguments."""
    from tangent_lite.runtime import add_parts, zeros_like

    def f(v):
        helpers = {1: add_parts}
        held = [v[0], v[1] * v[0]]
        sums = zeros_like(held)
        helpers[1](sums, np.s_[:], held)
        add_parts(sums, np.s_[:], held)
        return sums.pop() * 3.0 + sums.pop()

    x = np.array([0.3, 0.5])
    expected = [(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(2)]
    np.testing.assert_allclose(tl.grad(f)(x), expected, rtol=1e-6)
    np.testing.assert_allclose([tl.jvp(f, (x,), (e,))[1] for e in np.eye(2)], expected, rtol=1e-6)


def as_they_come(x, **options):
    total = np.sum(x)
    for name in options:
        total = total * options[name] + x[0]
    return total


def options_in_between(x):
    first, second = {"a": x[1], "b": 3.0}, {"u": x[2], "v": 2.0}
    return as_they_come(x, c=x[2], **first, d=x[0] * 2.0, **second, e=1.5)


def test_keywords_come_in_the_order_of_the_call():
    x = np.array([0.3, 0.8, 1.2])
    with by_identity():
        value, gradient = tl.value_and_grad(options_in_between)(x)
    assert value == options_in_between(x)
    wanted = [(options_in_between(x + 1e-6 * e) - options_in_between(x - 1e-6 * e)) / 2e-6
              for e in np.eye(3)]
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6)
