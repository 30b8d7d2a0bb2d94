"""A function that raises StopIteration ends the iterator that calls it, be it map or filter."""
import contextlib

import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names
from tests.special_method_programs import differences, refused, world

_HEAD = """
import itertools

def g(v):
    if v > 2.0:
        raise StopIteration
    return v * v

def holds(v):
    if v > 2.0:
        raise StopIteration
    return True

def g2(a, b):
    if a > 2.0:
        raise StopIteration
    return a * b

"""
_PROGRAMS = ["""
def f(x):
    return sum(map(g, [x, 2.0 * x, 3.0])) + x
""", """
def f(x):
    total = x
    for w in map(g, [x, 1.1 * x, 3.0, x]):
        total = total + w
    return total * len(list(map(g, [x, 3.0, 1.0])))
""", """
def f(x):
    return sum(filter(holds, [x, 3.0, x])) * sum(itertools.takewhile(holds, [x, 3.0, x])) \\
        + sum(itertools.dropwhile(holds, [x, 3.0, x]))
""", """
def f(x):
    return sum(itertools.starmap(g2, [(x, x), (3.0, x), (x, x)])) \\
        + sum(itertools.accumulate([x, x, 3.0, x], g2))
""", """
def f(x):
    total = 0.0
    for a, b in zip(map(g, [x, 3.0, x]), [x, 2.0, 3.0]):
        total += a * b
    for k, a in enumerate(map(g, [x, 3.0, x])):
        total += a * (k + 1)
    return total
""", """
def f(x):
    def inner(v):
        if v > 2.0:
            raise StopIteration
        return v * x
    total = 0.0
    for a in map(inner, [x, x, 3.0, x]):
        total += a
    return total
""", """
def f(x):
    it = map(g, [x, 3.0, x])
    return next(it) + next(it, 5.0 * x)
""", """
def f(x):
    it = map(g, [x, 3.0, x])
    return next(it) + next(it, 5.0 * x) + next(it, 7.0)
"""]
_LOST = """
def f(x):
    seen = [x]

    def h(v):
        seen[0] = seen[0] * x
        if v > 2.0:
            raise StopIteration
        return v
    return sum(map(h, [x, 3.0])) * seen[0]
"""


@pytest.mark.parametrize("text", _PROGRAMS)
@pytest.mark.parametrize("context", [contextlib.nullcontext, by_identity])
def test_it_ends(text, context):
    assert refused(_HEAD + text, context()) is None


@pytest.mark.parametrize("text", _PROGRAMS)
def test_by_names(text):
    with by_names(), pytest.raises(tl.TangentError):
        tl.grad(world(_HEAD + text)["f"])(1.3)


def test_by_names_says_why():
    with by_names(), pytest.raises(tl.TangentError, match="StopIteration ends the iterator that"):
        tl.grad(world(_HEAD + _PROGRAMS[0])["f"])(1.3)


def test_refused():
    differences(_HEAD + _LOST)                  # Python goes on
    with pytest.raises(tl.TangentError, match="before it raises StopIteration is lost"):
        tl.grad(world(_HEAD + _LOST)["f"])(1.3)
