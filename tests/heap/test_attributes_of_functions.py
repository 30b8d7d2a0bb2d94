"""Attributes of functions from outside that change: calls that are counted, what was given last."""
import pytest

import tangent_lite as tl
from tests.heap.referee import check, world

_HEAD = """
from scipy import integrate
import functools

def counted(function):
    def inner(*args):
        inner.calls += 1
        inner.total = inner.total + args[0]
        inner.given.append(args[0])
        return function(*args)
    inner.calls, inner.total, inner.given = 0, 0.0, []
    return inner

@counted
def square(v):
    return v * v

def reads(t):
    return t * square.calls
"""


def _text(*lines):
    return _HEAD + "def f(x):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize("lines", [
    ("y = square(x) * square(x)", "return y * square.calls"),
    ("y = square(x) + square(2.0 * x)", "return y * square.total * square.given[1]"),
    ("setattr(square, 'calls', square.calls + 5)", "return x * square.calls"),
    ("y = square(square(x))", "return sum([y * k for k in range(square.calls)])"),
    ("ys = sorted([x, 2.0 * x, 0.5 * x], key=square)", "return ys[0] * square.calls"),
    ("y = x", "while square.total < 5.0:", "    y = y + square(y)", "return y * square.given[-1]"),
])
def test_they_change(lines):
    def make():
        return world(_text(*lines))["f"], (1.3,)
    check(make)


def test_the_function_is_as_before():
    made = world(_text("return square(x) * square.calls"))
    assert tl.grad(made["f"])(1.3) == pytest.approx(2.6)
    square = made["square"]
    assert (square.calls, square.total, square.given) == (0, 0.0, [])


@pytest.mark.parametrize(("lines", "match"), [
    (("y = square(x)", "return y * integrate.quad(reads, 0.0, 1.0)[0]"), "reads what may vary"),
    (("y = square(x)", "return y * functools.wraps(square)(abs).calls"), ""),
    (("y = square(x)", "return y * square.__dict__['calls']"), ""),
    (("square.more = x", "return x * square.more"), ""),
])
def test_refused(lines, match):
    with pytest.raises(tl.TangentError, match=match):
        tl.grad(world(_text(*lines))["f"])(1.3)


def test_what_is_only_read_stays_as_it_is():
    f = world(_HEAD + """
def scaled(t):
    return t * 2.0

scaled.note = 3.0

def f(x, *rest):
    return x * scaled.note * integrate.quad(scaled, 0.0, 1.0)[0]
""")["f"]
    assert tl.grad(f)(1.3) == pytest.approx(3.0)
