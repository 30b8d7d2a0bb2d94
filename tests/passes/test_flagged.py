"""Functions, objects and None that are read where not every way has bound them: as in Python."""
# ruff: noqa: F821, F823, E731 - what is read before it is bound is what this is about
import math

import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names


def scale(v):
    return 100.0 * v


class Gain:
    def __init__(self, v):
        self.v = v

    def of(self):
        return self.v


def defined_in_a_branch(x, n):
    if n > 0:
        def scale(v):
            return v * v
    return scale(x)


def defined_for_some(x, n):
    if n == 1:
        def scale(v):
            return v * v
    elif n == 2:
        def scale(v):
            return 3.0 * v
    return scale(x) * x


def defined_in_a_loop(x, n):
    for k in range(n):
        def scale(v):
            return v * k + v
    return scale(x)


def a_lambda(x, n):
    if n > 0:
        scale = lambda v: v * n
    y = x * x
    return scale(y)


def another_name(x, n):
    for _ in range(n):
        g = scale
    return g(x) * x


def an_object(x, n):
    for _ in range(n):
        g = Gain(x)
    return g.of() * x


def nothing(x, n):
    if n > 0:
        c = None
    return x if c is None else x * x


def behind_an_attempt(x, n):
    try:
        if n < 1:
            raise ValueError
        def scale(v):
            return v * v
    except ValueError:
        x = x + 1.0
    return scale(x)


def in_a_loop_again(x, n):
    for k in range(3):
        if k >= n:
            x = scale(x)
        else:
            def scale(v):
                return v * v
    return x


BY_NAMES = [defined_in_a_branch, defined_for_some, defined_in_a_loop, a_lambda, another_name,
            an_object, nothing, behind_an_attempt, in_a_loop_again]


def defined_behind(x, n):
    y = scale(x)

    def scale(v):
        return 2.0 * v
    return y if n == 0 else y * x


def defined_behind_and_calls_itself(x, n):
    y = math.sin(x) if n > 0 else power(x, 2)

    def power(v, k):
        return 1.0 if k == 0 else v * power(v, k - 1)
    return y * power(x, 2)


def read_by_a_comprehension(x, n):
    if n > 0:
        scale = lambda v: v * n
    return sum([scale(v) for v in (x, x * x)])


def read_by_another(x, n):
    def outer(v):
        return scale(v) * v
    if n > 0:
        def scale(v):
            return 2.0 * v
    return outer(x)


OTHERS = [defined_behind, defined_behind_and_calls_itself, read_by_a_comprehension, read_by_another]


def same(function, n):
    try:
        function(1.5, n)
    except NameError:
        with pytest.raises(NameError):
            tl.grad(function)(1.5, n)
        with pytest.raises(NameError):
            tl.jvp(function, (1.5, n), (1.0, None))
        return
    step = 1e-6
    slope = (function(1.5 + step, n) - function(1.5 - step, n)) / (2.0 * step)
    value, gradient = tl.value_and_grad(function)(1.5, n)
    assert value == function(1.5, n) and gradient == pytest.approx(slope, rel=1e-7)
    assert tl.jvp(function, (1.5, n), (1.0, None))[1] == pytest.approx(slope, rel=1e-7)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize("function", BY_NAMES, ids=lambda f: f.__name__)
def test_by_names(function, n):
    with by_names():
        same(function, n)


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize("function", [*BY_NAMES, *OTHERS], ids=lambda f: f.__name__)
def test_whichever_way(function, n):
    same(function, n)
    with by_identity():
        same(function, n)


def test_no_flag_where_all_ways_bind():
    def f(x, n):
        if n > 0:
            def g(v):
                return v * v
        else:
            def g(v):
                return 2.0 * v
        for k in range(n):
            def h(v):
                return v * k
            x = x + h(x)
        return g(x)
    assert "_is_bound" not in tl.grad(f).source_for(1.5, 2)
    with by_names():
        same(f, 2)
