"""Programs that read what nothing has bound: derivatives that need no such value raise as well."""

from types import SimpleNamespace

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


# Reads in loops and branches ----------------------------------------------------------------------
def added_late(x, n):
    s = 0.0
    for k in range(n):
        if k > 5:
            h = x * k
        s = s + h
    return s


def times_late(x, n):
    s = x
    for k in range(n):
        if k > 5:
            h = x * k
        s = s * h
    return s


def unused_late(x, n):
    for k in range(n):
        if k > 5:
            h = x * k
        t = np.sin(h)
    return x * x


def left_with_it(x, n):
    for _ in range(n):
        for j in range(n):
            if x > j:
                return h * x
            h = x * j
    return x


def in_a_branch(x, n):
    if n > 9:
        h = x * x
    y = x
    if n > 2:
        y = y + h
    return y


def none_is_given(v, h):
    return v if h is None else h * v


def by_a_helper(x, n):
    s = x
    for k in range(n):
        if k > 5:
            h = x * k
        s = s + none_is_given(x, h)
    return s


def whole_number(x, n):
    s = x
    for k in range(n):
        if k > 5:
            h = 2 * k
        idle = h + 1
        s = s + idle
    return s


def helper_of_late(x, n):
    return 2.0 * times_late(x, n)


LATE = [added_late, times_late, unused_late, left_with_it, in_a_branch, by_a_helper, whole_number,
        helper_of_late]


@pytest.mark.parametrize("program", LATE, ids=lambda f: f.__name__)
def test_what_is_not_bound_in_a_loop_raises_in_derivatives_as_well(program):
    with pytest.raises(UnboundLocalError):
        program(1.5, 3)
    for derivative in (tl.grad(program), tl.value_and_grad(program), tl.grad(tl.grad(program)),
                       lambda x, n: tl.vjp(program, x, n), tl.hessian(program),
                       lambda x, n: tl.linearize(program, x, n),
                       lambda x, n: tl.jvp(program, (x, n), (1.0, None))):
        with pytest.raises(UnboundLocalError, match=r"\bh\b"):
            derivative(1.5, 3)
    assert tl.grad(program)(1.5, 0) == pytest.approx(
        (program(1.5 + 1e-6, 0) - program(1.5 - 1e-6, 0)) / 2e-6, abs=1e-8)


def from_the_second_on(x, n):
    s = 0.0
    for k in range(n):
        v = x * (k + 1.0)
        if k > 0 and v > 0.0:
            s = s + 2.0 * (v - last)
        last = v
    return s


def until_it_breaks(x, n):
    for k in range(n):
        if k * x > 1.0:
            y = x * k
            break
    else:
        y = 0.0
    return y + x


def twice_asked(x, n):
    if n > 2:
        b = x * 2.0
    y = x * x
    if n > 2:
        y = y + b
    if not n <= 2:
        y = y + b
    return y


def first_by_a_flag(x, n):
    first = True
    s = 0.0
    for k in range(n):
        if first:
            m = x * k
            first = False
        else:
            m = 0.5 * m + x
        s = s + m
    return s


def two_loops(x, n):
    for k in range(n):
        h = x * k
    s = 0.0
    for _ in range(n):
        s = s + h
    return s


def counted(x, n):
    k = 0
    s = 0.0
    while k < n:
        if k > 0:
            s = s + h
        h = x * k
        k += 1
    return s


@pytest.mark.parametrize("program", [
    from_the_second_on, until_it_breaks, twice_asked, first_by_a_flag, two_loops, counted],
    ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0, 1, 3])
def test_nothing_is_asked_where_the_ways_tell(program, n):
    text = tl.grad(program).source_for(1.5, 2)
    assert "UnboundLocalError" not in text and "raises if" not in text
    step = 1e-6
    slope = (program(1.5 + step, n) - program(1.5 - step, n)) / (2.0 * step)
    assert tl.grad(program)(1.5, n) == pytest.approx(slope, rel=1e-7, abs=1e-8)
    assert tl.jvp(program, (1.5, n), (1.0, None))[1] == pytest.approx(slope, rel=1e-7, abs=1e-8)


def test_the_text_has_a_test_where_none_is_recorded():
    text = tl.grad(times_late).source_for(1.5, 3)
    assert text.count('raise UnboundLocalError("h is read before it is bound")') == 1


def test_what_is_read_in_a_loop_is_read_in_a_derivative_of_the_derivative():
    text = tl.grad(tl.grad(added_late)).source_for(1.5, 3)
    assert "h" in [line.strip() for line in text.splitlines()]


unit = SimpleNamespace(gain=2.0)


def last_of_none(x, units):
    for unit in units:
        x = x * unit.gain
        unit.gain = x
    return x * unit.gain


part = 3.0


def by_numbers_of_none(x):
    parts = (x, "text")
    for part in range(len(parts) - 2):
        x = x * parts[part]
    return x * part


@pytest.mark.parametrize("function, more", [(last_of_none, ([],)), (by_numbers_of_none, ())])
def test_what_a_loop_over_nothing_would_have_bound_is_not_read_outside(function, more):
    with pytest.raises(UnboundLocalError):
        function(1.5, *more)
    with pytest.raises(UnboundLocalError):
        tl.grad(function)(1.5, *more)
    with pytest.raises(UnboundLocalError):
        tl.jvp(function, (1.5, *more), (1.0, *([[]] if more else [])))
