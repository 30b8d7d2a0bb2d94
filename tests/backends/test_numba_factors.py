"""What a step multiplies an adjoint by, formed first."""
import ast

import gast
import numpy as np
import pytest

import tangent_lite as tl

pytest.importorskip("numba")

from tangent_lite.backends.numba_factors import form_factors  # noqa: E402
from tangent_lite.emit import emit  # noqa: E402


def rewritten(loop, users=("x", "r", "t", "u")):
    tree = gast.parse("def f(bx, bu):\n    for i in range(n):\n" + "".join(
        f"        {line}\n" for line in loop.splitlines()) + "    return bx").body[0]
    form_factors(tree, set(users), lambda function: None)
    return emit(tree.body[0]).splitlines()[1:]


def body(text):
    return [f"    {line}" for line in text.splitlines()]


def test_a_factor_of_two_terms():
    found = rewritten("t = 1.0 - x\nb = bx * t\nbx = r * b - bx * r * x\nbr += b * x")
    assert found == body("t = 1.0 - x\nb = bx * t\nbx = bx * (t * r - r * x)\nbr += b * x")
    assert rewritten("\n".join(line.strip() for line in found)) == found       # and no more


@pytest.mark.parametrize("loop", [
    "bx = bx * t",                                  # one product is one product
    "bx = bx * t + u",                              # no multiple of itself
    "bx = bx * t + bx * bx",
    "bx = bx * t + bx / r",                         # a quotient may overflow where it did not
    "x = x * t + x * r",                            # a value of the user's
    "b = bx * t\nt = 2.0 * t\nbx = b + bx * t",     # t is another one by then
    "b = bx * t\nbx = b + bx\nbx = bx + b",         # bound twice
    "b = bx * t\nif t > 0.0:\n    bx = b + bx * r",
    "b = bx * t\nif t > 0.0:\n    b = 0.0\nbx = b + bx * r",
    "b = bx * t\nt[0] = 1.0\nbx = b + bx * t",      # what is written to
    "b = bx * t\nchange(t)\nbx = b + bx * t",
    "s = bx * t\nbx = s + bx * s",
    "bx = bx * t[i] + bx * r",
    "bx = x @ bx + bx * r",
    "bx += bx * t"])
def test_what_stays(loop):
    before = [line[4:] for line in ast.unparse(ast.parse(
        "if 1:\n" + "".join(f"    {line}\n" for line in loop.splitlines()))).splitlines()[1:]]
    assert [line[4:] for line in rewritten(loop)] == before


def test_what_is_made_of_each_other_and_of_what_came_before():
    # a reads b of the step before, and b reads a.
    found = rewritten("a = b * t\nb = a * r\nbx = bx * a + bx * b")
    assert found == body("a = b * t\nb = a * r\nbx = bx * (a + b)")
    # Written out, the terms would be as many as the numbers of Fibonacci.
    chain = ["x0 = {0}", "x1 = x0 * r", *(f"x{k} = x{k - 1} + x{k - 2}" for k in range(2, 60))]
    for start, last in (("t + r", "bx = bx * x59 + bx * t"), ("bx * t", "bx = x59 + x58")):
        text = "\n".join([*chain, last]).format(start)
        found = rewritten(text)
        assert len(found) == 61 and len(found[-1]) < 60


def coupled(x, y, a, n):
    for _ in range(n):
        x = a * x * (1.0 - x) + 0.1 * y
        y = y * y * (a - 3.0) - y * x
    return x + y


def by_while(x, a):
    k = 0
    while k < 12:
        k += 1
        if x > 0.9:
            x = x * 0.5
            continue
        x = x * (a - x) + x * x * 0.25
    return x


def polynomial(x, c):
    y = 0.0
    for k in range(c.shape[0]):
        y = y * x + y * y * c[k] + c[k]
    return y


@pytest.mark.parametrize("function, args", [
    (coupled, (0.3, 0.2, 3.1, 7)), (coupled, (0.3, 0.2, 3.1, 0)), (by_while, (0.3, 1.6)),
    (polynomial, (0.5, np.linspace(0.1, 0.4, 4)))])
def test_gradients_are_those_of_python(function, args):
    wrt = tuple(k for k, a in enumerate(args) if not isinstance(a, int))
    value, found = tl.value_and_grad(function, wrt=wrt, backend="numba")(*args)
    assert value == function(*args)                 # to the last bit
    for one, expected in zip(found, tl.grad(function, wrt=wrt)(*args)):
        np.testing.assert_allclose(one, expected, rtol=1e-13)
