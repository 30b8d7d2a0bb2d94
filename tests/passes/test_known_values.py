"""Adjoints read what the function has computed under a name, where that is still what it was."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names


def beside(x, a):
    c = np.cos(x * a)
    s = np.sin(x * a)
    return np.sum(c * s)


def powers(x, a):
    return np.sum(x ** 3 * a + x ** 2 * np.sin(a) + x ** 4)


def in_one_iteration(x, a):
    total = 0.0
    for v in x:
        c, s = np.cos(v * a), np.sin(v * a)
        total += c * s * s
    return total


def from_the_one_before(x, a):
    """The sine that the cosine's adjoint would read is that of another iteration."""
    total, s = 0.0, a
    for v in x:
        total = total + s * v
        c = np.cos(total)
        total = total + c
        s = np.sin(total)
    return total * s


def after_it_was_bound_anew(x, a):
    u = a
    total = 0.0
    for v in x:
        s = np.sin(u)
        u = u + s * v
        c = np.cos(u)
        total += c * s
    return total * u


def lives_on(x, a):
    total, c = 0.0, 1.0
    for v in x:
        if v > 0.0:
            s = np.sin(a * v)
            c = np.cos(a * v)
            total += s
        total += c * v
    return total


def one_way_only(x, a):
    s = np.sin(x)
    if a > 1.0:
        c = np.cos(x)
        y = c * s
    else:
        y = s * np.cos(x) * 2.0
    return np.sum(y) * a


def written_to(x, a):
    u = x * a
    c = np.cos(u)
    u[:1] = 2.0
    s = np.sin(u)
    s[1:2] = a
    return np.sum(c * s * u)


def left_halfway(x, a):
    try:
        c = math.cos(a)
        if a > 1.0:
            raise ValueError
        y = c * math.sin(a)
    except ValueError:
        y = math.sin(a) * a
    return y * np.sum(x)


def both(x):
    c = np.cos(x)
    s = np.sin(x)
    return c, s


def by_a_helper(x, a):
    total = 0.0
    for _ in range(3):
        c, s = both(x * a)
        c[:1] = 0.5 * total
        total = total + np.sum(c * s)
    return total


def until(x, a):
    k, total = 0, 0.0
    while k < len(x):
        c = math.cos(x[k] * a)
        s = math.sin(x[k] * a)
        if s > 0.9:
            break
        total = total + c * s
        k += 1
    return total * a


FUNCTIONS = [beside, powers, in_one_iteration, from_the_one_before, after_it_was_bound_anew,
             lives_on, one_way_only, written_to, left_halfway, by_a_helper, until]


@pytest.mark.parametrize("a", [0.4, 1.3])
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients(f, a):
    for x in (np.array([0.3, -0.7, 1.1, 0.9]), np.array([2.0]), np.zeros(0)):
        with by_names():
            bx, ba = tl.grad(f, wrt=("x", "a"))(x, a)
        for k, step in enumerate(1e-6 * np.eye(len(x))):
            assert bx[k] == pytest.approx((f(x + step, a) - f(x - step, a)) / 2e-6, abs=1e-7)
        assert ba == pytest.approx((f(x, a + 1e-6) - f(x, a - 1e-6)) / 2e-6, abs=1e-7)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_forward_mode_and_second_derivatives(f):
    x, a = np.array([0.3, -0.7, 1.1]), 1.3
    value, slope = tl.jvp(f, (x, a), (np.ones(3), 1.0))
    assert value == f(x, a)
    assert slope == pytest.approx((f(x + 1e-6, a + 1e-6) - f(x - 1e-6, a - 1e-6)) / 2e-6, abs=1e-7)
    gradient, hessian = tl.grad(f), tl.hessian(f)(x, a)
    for row, step in zip(hessian, 1e-6 * np.eye(3)):
        np.testing.assert_allclose(
            row, (gradient(x + step, a) - gradient(x - step, a)) / 2e-6, atol=1e-6)


def turned(p, angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * p[0] - s * p[1], s * p[0] + c * p[1]])


def test_zeros_stay_arrays_of_their_own():
    """In the tangent of a gradient there are zeros like one thing for two adjoints."""
    def f(x):
        p = np.array([1.0, 0.5])
        for v in x:
            p = turned(p, v)
        return p[0] * p[1]

    x = np.array([0.3, -0.7, 1.1])
    for row, step in zip(tl.hessian(f)(x), 1e-6 * np.eye(3)):
        np.testing.assert_allclose(
            row, (tl.grad(f)(x + step) - tl.grad(f)(x - step)) / 2e-6, atol=1e-7)


@pytest.mark.parametrize("f, calls", [
    (beside, {"cos": 1, "sin": 1}), (in_one_iteration, {"cos": 1, "sin": 1}),
    (powers, {"x ** 3": 1, "x ** 2": 1})], ids=["beside", "in a loop", "powers"])
def test_nothing_is_computed_twice(f, calls):
    text = "".join(line for line in tl.grad(f).source_for(np.ones(3), 0.5).splitlines()
                   if "#" not in line)
    assert {what: text.count(what) for what in calls} == calls


def test_a_pullback_does_not_see_what_became_of_the_results():
    x = np.array([0.3, 0.5])
    results, pullback = tl.vjp(both, x)
    for result in results:
        result[:] = 7.0
    np.testing.assert_allclose(pullback((np.ones(2), np.zeros(2)))[0], -np.sin(x))
