"""What one iteration binds and the others read is of the kind that it is bound to."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names


def a_number(x, a):
    total = 0.0
    for k in range(len(x)):
        if k == 0:
            h = x[k] * a
        else:
            h = 0.5 * h + x[k]
        total += h * h
    return total


def an_int_at_first(x, a):
    total = 0.0
    for k in range(len(x)):
        if k == 0:
            h = 1
        else:
            h = h * x[k] + a
        total += h
    return total


def an_array(x, a):
    total = 0.0
    for k in range(len(x)):
        if k == 0:
            h = np.zeros(2)
            h[0] = a
        else:
            h[1] += x[k] * h[0]
            h = np.tanh(h)
        total += h[0] * h[1]
    return total


def the_one_before(x, a):
    total = 0.0
    for k in range(len(x)):
        if k > 0:
            total += (x[k] * a - before) ** 2       # noqa: F821 (bound by the iteration before)
        before = x[k] * a
    return total


def in_a_while_loop(x, a):
    k = 0
    while k < len(x):
        if k == 0:
            low, high = x[0], x[0] * a
        else:
            low, high = min(low, x[k]), max(high, x[k] * a)     # noqa: F821
        k += 1
    return high - low if len(x) else 0.0 * a


FUNCTIONS = [a_number, an_int_at_first, an_array, the_one_before, in_a_while_loop]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [np.array([0.3, -0.7, 1.1]), np.array([0.5]), np.zeros(0)], ids=len)
def test_gradients(f, x):
    with by_names():
        value, (bx, ba) = tl.value_and_grad(f, wrt=("x", "a"))(x, 0.6)
    assert value == f(x, 0.6)
    for k, step in enumerate(1e-6 * np.eye(len(x))):
        assert bx[k] == pytest.approx((f(x + step, 0.6) - f(x - step, 0.6)) / 2e-6, abs=1e-7)
    assert ba == pytest.approx((f(x, 0.6 + 1e-6) - f(x, 0.6 - 1e-6)) / 2e-6, abs=1e-7)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_text_needs_no_helpers_for_what_is_not_known(f):
    text = tl.grad(f, wrt=("x", "a")).source_for(np.ones(3), 0.6)
    assert "unbroadcast" not in text and "sum_of_structures" not in text


def test_what_is_not_bound_raises():
    def f(x, n):
        for k in range(n):
            if k > 5:
                h = x
            if k > 1:
                x = x * h
        return x

    assert tl.grad(f)(2.0, 2) == 1.0
    with pytest.raises((UnboundLocalError, TypeError)):
        tl.grad(f)(2.0, 4)
