"""Context managers that generators are made of, which change what the function computes with."""
import math
from contextlib import contextmanager

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import functions
from tests.heap.referee import agrees_with_differences


class Simulation:
    def __init__(self, dt):
        self.dt, self.x = dt, 1.0

    @contextmanager
    def refined(self, times):
        old, self.dt = self.dt, self.dt / times
        try:
            yield self.dt
        finally:
            self.dt = old


@contextmanager
def scaled(simulation, factor, *, shift=0.0):
    before = simulation.x
    simulation.x *= factor
    yield factor * before
    simulation.x = simulation.x + shift * before


def method(xs):
    s = Simulation(xs[0])
    for x in xs:
        with s.refined(1.0 + x) as dt:
            s.x += x * s.dt * s.x + dt
        s.x += x * s.dt * s.x
    return s.x ** 2


def two_at_once(xs):
    s = Simulation(xs[0])
    with s.refined(xs[1]), scaled(s, xs[2], shift=xs[3]) as given:
        s.x = s.x * s.dt + given
    return s.x


def closure(xs):
    level, total = 0.0, 0.0

    @contextmanager
    def deeper(by):
        nonlocal level, total
        level += by
        yield
        total += level * level
        level -= by

    def walk(depth):
        nonlocal total
        with deeper(xs[depth]):
            total += level
            if depth < 2:
                walk(depth + 1)
    walk(0)
    return total + level * 7.0


def left_early(xs):
    s = Simulation(xs[0])
    for x in xs:
        with s.refined(2.0):
            s.x += s.dt * x
            if s.x > 1.2:
                break
    return s.x * s.dt


def array(xs):
    @contextmanager
    def masked(a, where):
        kept = a[where].copy()
        a[where] = 0.0
        try:
            yield a
        finally:
            a[where] = kept * a.sum()
    work = np.array(xs)
    with masked(work, np.array([True, False, False, True])) as w:
        w += xs[1]
        w *= w
    return work @ work


def fails_in_a_try(xs):
    s = Simulation(xs[0])
    total = 0.0
    for x in xs:
        try:
            with s.refined(2.0) as dt:
                s.x += dt * x
                total += math.sqrt(1.0 - x)
        except ValueError:
            total += s.x * s.dt
    return total * s.x


def a_function_in_a_try(xs):
    s = Simulation(xs[0])

    def step(x):
        with scaled(s, x):
            s.x += x
            return math.sqrt(1.0 - x)
    total = 0.0
    for x in xs:
        try:
            total += step(x)
        except ValueError:
            total += s.x
    return total * s.x


def caught_outside_only(xs):
    @contextmanager
    def counted(log):
        log.append(xs[0])
        try:
            yield log
            log.append(log[-1] * xs[1])
        except ValueError:
            log.append(1.0)
        else:
            log.append(log[-1] + xs[2])
        log.append(2.0 * log[-1])
    log = []
    with counted(log) as l:
        l.append(xs[3])
    return sum(k * v for k, v in enumerate(log))


PROGRAMS = [method, two_at_once, closure, left_early, array, fails_in_a_try, a_function_in_a_try,
            caught_outside_only]
XS = [0.3, 0.9, 1.2, 0.7]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_against_differences(f):
    agrees_with_differences(f, XS)


@pytest.mark.parametrize("f", [closure, caught_outside_only], ids=lambda f: f.__name__)
def test_a_manager_that_each_call_defines_anew_is_written_once(f, monkeypatch):
    d = tl.value_and_grad(f)
    first = d(XS)

    def again(trees, source):
        raise AssertionError(f"{trees[0].name} is written again")

    monkeypatch.setattr(functions, "_compiled", again)
    assert d(XS) == first
    other = [0.8, -0.4, 0.5, 1.1]
    value, gradient = d(other)
    assert value == f(other)
    for k in range(len(other)):
        there, here = list(other), list(other)
        there[k] += 1e-6
        here[k] -= 1e-6
        assert gradient[k] == pytest.approx((f(there) - f(here)) / 2e-6, rel=1e-6, abs=1e-8)


@contextmanager
def forgiving(s):
    s.x *= 2.0
    try:
        yield
    except ValueError:
        s.x *= 3.0


@contextmanager
def in_a_branch(s, x):
    if x > 0.0:
        s.x *= x
        yield
    else:
        yield


def test_what_is_refused():
    def handled(x):
        s = Simulation(x)
        with forgiving(s):
            s.x = math.sqrt(-x)
        return s.x

    def branching(x):
        s = Simulation(x)
        with in_a_branch(s, x):
            s.x *= x
        return s.x
    for f, reason in ((handled, "may handle an exception"), (branching, "cannot be followed")):
        with pytest.raises(UnsupportedSyntaxError) as caught:
            tl.grad(f)(0.7)
        assert reason in str(getattr(caught.value, "by_identity", caught.value))
