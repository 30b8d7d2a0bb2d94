"""Programs that read what nothing has bound: derivatives that need no such value raise as well."""

import numpy as np
import pytest

import tangent_lite as tl


def last_of_loop(x, n):
    for k in range(n):
        h = x * k
    return h


def between_bounds(x, n):
    for k in range(1, n):
        h = x * k
    return 3.0 * h


def smoothed(x, n):
    for k in range(n):
        if k == 0:
            h = x * x
        else:
            h = 0.5 * h + x
    return h


def one_way(x, n):
    if n > 1:
        h = x * x
    return h


def some_ways(x, n):
    if n > 5:
        h = x + 1.0
    elif n > 1:
        h = 2.0 * x
    return h + x


def until_none_is_left(x, n):
    while n > 0:
        h = x * x
        n -= 1
    return h


def of_a_list(x, n):
    for v in [x] * n:
        h = v * 2.0
    return h


def two_names(x, n):
    for _ in range(n):
        a = x * x
        b = x + a
    return a + b


def bounds_that_change(x, n):
    for k in range(n):
        n = 0
        h = x * k
    return h


def left_early(x, n):
    for k in range(n):
        if k == 3:
            break
        h = x * x
    return h


def first_binds(x, n):
    for k in range(n):
        h = np.sin(x) if k == 0 else np.sin(h) * x
    return h


def overwritten(x, n):
    for _ in range(n):
        h = x * x
        g = h * h
        h = 2.0 * h
    return h + g


def loop_variable(x, n):
    for k in range(n):
        x = x * 1.5
    return x + k


PROGRAMS = [last_of_loop, between_bounds, smoothed, one_way, some_ways, until_none_is_left,
            of_a_list, two_names, bounds_that_change, left_early, first_binds, overwritten,
            loop_variable]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_what_is_not_bound_raises_in_derivatives_as_well(program):
    with pytest.raises(UnboundLocalError):
        program(1.5, 0)
    for derivative in (tl.grad(program), tl.value_and_grad(program), tl.grad(tl.grad(program)),
                       lambda x, n: tl.vjp(program, x, n),
                       lambda x, n: tl.jvp(program, (x, n), (1.0, None))):
        with pytest.raises(UnboundLocalError):
            derivative(1.5, 0)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_what_is_bound_has_its_derivative(program):
    step = 1e-6
    slope = (program(1.5 + step, 3) - program(1.5 - step, 3)) / (2.0 * step)
    value, gradient = tl.value_and_grad(program)(1.5, 3)
    assert value == program(1.5, 3)
    assert gradient == pytest.approx(slope, rel=1e-7)
    assert tl.grad(program)(1.5, 3) == gradient


def test_what_the_range_tells_costs_no_loop():
    assert tl.grad(smoothed).source_for(1.5, 3).count("for ") == 1


# Nothing is asked where a name is bound in any case -----------------------------------------------
def in_both_ways(x, n):
    if n > 1:
        h = x * x
    else:
        h = 2.0 * x
    return h


def or_it_raises(x, n):
    if n > 1:
        h = x * x
    else:
        raise ValueError(n)
    return h


def three_times(x, n):
    for k in range(3):
        h = x * k
    return h


def endless(x, n):
    while True:
        h = x * x
        n -= 1
        if n < 0:
            break
    return h


def in_each_handler(x, n):
    try:
        h = x * 1.0 / n
    except ZeroDivisionError:
        h = x
    return h


@pytest.mark.parametrize("program", [in_both_ways, or_it_raises, three_times, endless,
                                     in_each_handler], ids=lambda f: f.__name__)
def test_nothing_is_asked_of_what_is_bound_in_any_case(program):
    text = tl.grad(program).source_for(1.5, 2)
    assert "UnboundLocalError" not in text and "raises if" not in text
    step = 1e-6
    slope = (program(1.5 + step, 2) - program(1.5 - step, 2)) / (2.0 * step)
    assert tl.grad(program)(1.5, 2) == pytest.approx(slope, rel=1e-7)


# Names that stand by themselves -------------------------------------------------------------------
def bare_names(x, n):
    y = x * x
    y
    x
    for _ in range(n):
        y
        y = y * x
    return y


def test_names_that_stand_by_themselves_do_nothing():
    text = tl.grad(bare_names).source_for(1.5, 2)
    assert not any(line.strip() in ("x", "y") for line in text.splitlines())
    assert tl.grad(bare_names)(1.5, 2) == pytest.approx(4.0 * 1.5 ** 3)
