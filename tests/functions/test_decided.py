"""Helpers that are told by a word or a number what to do, and take functions: they are written out
where they are called, as what they do there. Functions may be handed on in what they are handed."""
import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.emit import emit
from tangent_lite.functions.decided import take_decided


def integral(f, a, b, n=4, rule="middle"):
    h = (b - a) / n
    if rule == "middle":
        return h * sum(f(a + (k + 0.5) * h) for k in range(n))
    elif rule in ("trapezium", "simpson"):
        inner = sum(f(a + k * h) for k in range(1, n))
        return h * (0.5 * (f(a) + f(b)) + inner) if rule == "trapezium" else h * inner
    raise KeyError(rule)


def repeated(f, x, n, strict=True, most=None):
    for _ in range(n):
        x = f(x)
        if not strict:
            return x
        if most is not None and x > most:
            break
    else:
        if strict:
            x = 2.0 * x
    return x


def two_rules(x):
    return integral(lambda u: np.exp(u * x[0]), 0.0, x[1]) \
        * integral(lambda u: np.sin(u * x[1]), 0.0, 1.0, rule="trapezium")


def a_double_integral(x):
    return integral(lambda u: integral(lambda v: np.exp(u * v * x[0]), 0.0, u + x[1], 2),
                    0.0, 1.0, 3)


def flags(x):
    def step(t):
        return t * x[0] + x[1]

    return repeated(step, 1.0, 3) + repeated(step, x[1], 3, strict=False) \
        * repeated(step, 2.0, 9, most=8.0)


@pytest.mark.parametrize("f", [two_rules, a_double_integral, flags])
def test_what_literals_decide_is_written_out(f):
    x = np.array([1.7, 0.6])
    tl.check_grads(f, (x,), order=2)
    source = tl.grad(f).source_for(x)
    assert "tape.call" not in source and "raise" not in source and '" ==' not in source


def applied(f, x, n):
    return x if n == 0 else applied(f, f(x), n - 1)


def chained(f, n):
    return f(1.0) if n == 0 else chained(lambda t: f(2.0 * t), n - 1)


def in_turn(f, n):
    return f(lambda: in_turn(f, n - 1) if n > 0 else 1.0)


@pytest.mark.parametrize("f", [
    lambda x: applied(lambda t: t * x[0] + x[1], 1.0, 4),
    lambda x: chained(lambda t: t * x[0] + x[1], 3),
    lambda x: in_turn(lambda rest: x[0] + x[1] * rest(), 5)], ids=["itself", "longer", "handed"])
def test_functions_that_call_themselves(f):
    tl.check_grads(f, (np.array([1.7, 0.6]),), order=1)


def test_the_call_is_shown():
    pytest.importorskip("numba")
    slope = tl.grad(lambda x: chained(lambda t: t * x[0], 4), backend="numba")
    with pytest.raises(tl.UnsupportedSyntaxError, match=r"test_decided.py:\d+: chained is given"):
        slope(np.array([1.7, 0.6]))


def test_literals_mean_what_they_mean_in_python():
    tests = ["(1, 2) == [1, 2]", "{2, 1} == {1, 2}", "{1, 2} < {1, 2, 3}", "[1] in ((1,), [1])",
             "1 is True", "None is not False"]
    lines = [f"    n = {k} if {test} else {-k}" for k, test in enumerate(tests, 1)]
    tree = gast.parse("\n".join(["def f():", *lines])).body[0]
    take_decided(tree)
    found = [eval(emit(part.value)) for part in tree.body]
    assert found == [-1, 2, 3, 4, -5, 6]
