"""Helpers that write into arrays of their own, of which nobody looks again at what was overwritten:
their backward halves go on from the arrays, and do not run the helpers again."""
import math

import numpy as np
import pytest

import tangent_lite as tl

N = 6


def steps(a, n):
    x = np.zeros(n)
    x[0] = a
    for i in range(1, n):
        x[i] = x[i - 1] + 0.1 * np.sin(x[i - 1])
    return x


def rows(a, n):
    x = np.zeros((n, 2))
    x[0] = a
    for i in range(1, n):
        x[i] = x[i - 1] + 0.1 * np.sin(x[i - 1]) * a
    return x


def swept_twice(a, n):
    x = np.zeros(n)
    for k in range(2):
        x[0] = a * (k + 1.0)
        for i in range(1, n):
            x[i] = x[i - 1] + 0.1 * np.sin(x[i - 1]) * x[i]
    return x


def one_element_again(a, n):
    x = np.zeros(n)
    x[0] = a
    for i in range(1, n - 1):
        x[i] = x[i - 1] * a
    x[2] = x[1] * a * x[2]
    return x


def through_a_view(a, n):
    x = np.zeros(n)
    x[0] = a
    v = x[1:]
    for i in range(1, n):
        v[i - 1] = x[i - 1] + 0.1 * np.sin(x[i - 1])
    return x


def keeps_it(a, n, kept):
    x = np.zeros(n)
    x[0] = a
    for i in range(1, n):
        x[i] = x[i - 1] + 0.1 * np.sin(x[i - 1])
    kept.append(x)
    return np.sum(x * x)


GOES_ON, RUNS_AGAIN = [steps, rows], [swept_twice, one_element_again]


def summed(helper):
    def f(a):
        return np.sum(helper(a, N) ** 2)
    return f


def written_to(helper):
    def f(a):
        x = helper(a, N)
        s = np.sum(x ** 3)
        x[2] = a * a
        x[3:] = 0.5
        return s + np.sum(x * x)
    return f


def in_a_loop(helper):
    def f(a):
        s = 0.0
        for k in range(3):
            x = helper(a * (k + 1.0), N)
            s = s + np.sum(x * x)
            x[1] = s
            s = s + np.sum(x[0] * x[1])
        return s
    return f


def under_other_names(helper):
    def f(a):
        x = helper(a, N)
        y = x
        y[1] = a * x[2]
        z = x.T
        z[0] = 2.0 * a
        return np.sum(y ** 2 * x)
    return f


def in_a_list(helper):
    def f(a):
        xs = [helper(a * k, N) for k in (1.0, 2.0)]
        xs[0][1] = xs[1][2] * a
        return np.sum(xs[0] * xs[1])
    return f


def kept_elsewhere(a):
    kept = []
    s = keeps_it(a, N, kept)
    s = s + np.sum(kept[0] ** 3)
    kept[0][2] = a * s
    return s * np.sum(kept[0])


USES = [summed, written_to, in_a_loop, under_other_names, in_a_list]


def check(f, a=0.7):
    h = 1e-6
    expected = (f(a + h) - f(a - h)) / (2.0 * h)
    assert math.isclose(tl.grad(f)(a), expected, rel_tol=1e-6)
    value, pullback = tl.vjp(f, a)
    assert value == f(a)
    assert math.isclose(pullback(1.0)[0], expected, rel_tol=1e-6)
    assert math.isclose(pullback(2.0)[0], 2.0 * expected, rel_tol=1e-6)
    slope = tl.grad(f)
    second = (slope(a + h) - slope(a - h)) / (2.0 * h)
    assert math.isclose(tl.grad(slope)(a), second, rel_tol=1e-6)
    assert math.isclose(tl.jvp(slope, (a,), (1.0,))[1], second, rel_tol=1e-6)


@pytest.mark.parametrize("helper, use", [
    *((steps, use) for use in USES), (rows, written_to), (rows, in_a_list),
    *((helper, written_to) for helper in (*RUNS_AGAIN, through_a_view))])
def test_against_differences(helper, use):
    check(use(helper))


def test_what_others_keep():
    check(kept_elsewhere)


@pytest.mark.parametrize("helper, again", [*((h, False) for h in GOES_ON),
                                           *((h, True) for h in RUNS_AGAIN)])
def test_whether_it_runs_again(helper, again):
    text = tl.grad(summed(helper)).source_for(0.7)
    backward = text[text.index(f"def {helper.__name__}_bwd"):]
    assert ("np.zeros(" in backward[:backward.index("\n\n\n")]) is again


@pytest.mark.parametrize("helper", [*GOES_ON, *RUNS_AGAIN])
def test_who_asked_may_write_into_the_value(helper):
    y, pullback = tl.vjp(helper, 0.7, N)
    weights = np.cos(np.arange(float(y.size))).reshape(y.shape)
    h = 1e-6
    expected = np.sum(weights * (helper(0.7 + h, N) - helper(0.7 - h, N))) / (2.0 * h)
    for _ in range(2):
        assert math.isclose(pullback(weights)[0], expected, rel_tol=1e-6)
        y[:] = 9.0


@pytest.mark.parametrize("use", [summed, written_to, in_a_loop])
@pytest.mark.sweep(2)
def test_compiled(use):
    pytest.importorskip("numba")
    f = use(steps)
    assert math.isclose(tl.grad(f, backend="numba")(0.7), tl.grad(f)(0.7), rel_tol=1e-12)
