"""What functions that are defined inside are called, and variables that are bound nowhere."""
# ruff: noqa: F401, F821, F823, F841, E731, B009 - names that are bound where nothing gets
import functools
import inspect
import logging
import sys
import traceback

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

rate = 5.0


def as_it_is(function):
    return function


def noted(notes):
    def decorate(function):
        @functools.wraps(function)
        def inner(*args):
            notes[function.__name__] = notes.get(function.__name__, 0) + 1
            return function(*args)
        return inner
    return decorate


def decorated(x):
    @as_it_is
    def g(v):
        return v * v
    return g(x) * len(g.__name__)


def a_lambda(x):
    g = lambda v: v * v
    return g(x) * len(g.__name__)


def wrapped(x):
    notes = {}

    @noted(notes)
    def square(v):
        """The square."""
        return v * v
    y = square(square(x))
    return y * notes["square"] * len(square.__name__) * len(square.__doc__)


def calls_itself(x):
    def power(v):
        return power(v - 1.0) * v if v > 1.0 else v
    return power(x) * len(power.__name__)


def handed_back(x):
    def g(v):
        return v * v

    def h():
        return g
    return h()(x) * len(h().__qualname__)


def in_a_table(x):
    def g(v):
        return v * v
    table = {f.__name__: f for f in (g, np.sin)}
    return table["g"](x) + table["sin"](x)


def one_of_two(x):
    def g(v):
        return v * v

    def longer(v):
        return v * 3.0
    f = g if x > 1.0 else longer
    return f(x) * len(f"{f.__name__}")


def bound_anew(x):
    def g(v):
        return v * v

    def longer(v):
        return v * v * v

    def change():
        nonlocal g
        g = longer
    y = g(x) * len(g.__name__)
    change()
    return y * g(x) * len(g.__name__)


def asked_by_getattr(x):
    def g(v):
        return v * v
    return g(x) * len(getattr(g, "__name__")) * getattr(g, "rate", 4.0)


@pytest.mark.parametrize("f", [decorated, a_lambda, wrapped, calls_itself, handed_back, in_a_table,
                               one_of_two, bound_anew, asked_by_getattr], ids=lambda f: f.__name__)
def test_they_are_called_as_before(f):
    step = 1e-6
    slope = (f(1.3 + step) - f(1.3 - step)) / (2.0 * step)

    def hold():
        value, gradient = tl.value_and_grad(f)(1.3)
        assert value == f(1.3) and gradient == pytest.approx(slope, rel=1e-7)
    hold()
    with by_identity():
        hold()


# What is bound where nothing gets is a variable, whatever is called alike outside.
def behind_a_return(x):
    if x > 0.0:
        return x * rate
        rate = 2.0
    return x


def behind_a_loop(x):
    while True:
        x = x * 2.0
        if x > 5.0:
            return x * rate
        continue
        rate = 3.0


def defined_behind(x):
    return rate(x)

    def rate(v):
        return v


def imported_behind(x):
    for k in range(3):
        if k == 1:
            x = x * rate
            break
            import math as rate
    return x


def inside(x):
    def g():
        if x > 0.0:
            return x * rate
        return x
        rate = 4.0
    return g()


def seen_inside(x):
    def g():
        return x * rate
    return g()
    rate = 4.0


@pytest.mark.parametrize("f", [behind_a_return, behind_a_loop, defined_behind, imported_behind,
                               inside, seen_inside], ids=lambda f: f.__name__)
def test_it_is_not_bound(f):
    with pytest.raises(NameError):
        f(1.3)
    with pytest.raises(NameError):
        tl.grad(f)(1.3)
    with by_identity(), pytest.raises(NameError):
        tl.grad(f)(1.3)


def test_what_is_caught_goes_another_way():
    def f(x):
        try:
            return x * rate
        except NameError:
            return x * 3.0
        rate = 2.0
    assert f(1.3) == pytest.approx(3.9)
    assert tl.value_and_grad(f)(1.3) == (f(1.3), pytest.approx(3.0))


# Who calls
@pytest.mark.parametrize("ask", [lambda: sys._getframe(1).f_lineno,
                                 lambda: len(inspect.stack()[0].function),
                                 lambda: len(traceback.extract_stack())])
def test_nobody_tells_who_calls(ask):
    def f(x):
        return x * ask()
    with pytest.raises(tl.TangentError):
        tl.grad(f)(1.3)
    with by_identity(), pytest.raises(tl.TangentError):
        tl.grad(f)(1.3)


def test_loggers_may_ask(caplog):
    def f(x):
        logging.getLogger("model").warning("at %s", x)
        return x * x
    with by_identity():
        assert tl.grad(f)(1.5) == 3.0
    assert caplog.messages == ["at 1.5"]
