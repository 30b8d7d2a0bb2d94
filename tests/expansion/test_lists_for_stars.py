"""A list whose items are passed one by one to `*args`: handed on as the list it is."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names, refused_by_names


def logsumexp(*values):
    high = max(values)
    return high + np.log(sum(np.exp(v - high) for v in values))


def total(*args):
    out = 0.0
    for v in args:
        out = out + v * v
    return out


def first_apart(x, y=2.0, *rest):
    return x * len(rest) + y * sum(rest) + (rest[-1] if len(rest) else 0.0)


def asks_for_a_tuple(*args):
    return sum(args) if isinstance(args, tuple) else 0.0


def joins(*args):
    return sum(args + (1.0,))


def keeps(*args):
    held = {"args": args}
    return sum(held["args"]) * len(held)


def smooth_maximum(x, a):
    return logsumexp(*[v * a for v in x]) if len(x) else 0.0 * a


def squares(x, a):
    items = [v * a for v in x]
    return total(*items) + items[0] if items else total(*items) * a


def of_an_array(x, a):
    return total(*x) * a


def of_an_array_behind_a_number(x, a):
    return total(a, 2.0 * a, *(x * a)) + np.sum(total(a, *np.outer(x, x)))


def behind_others(x, a):
    items = [v * a for v in x]
    return first_apart(a, a, *items) + first_apart(a, a, a, *items)


def in_a_loop(x, a):
    out = 0.0
    for k in range(3):
        out = out + total(out, *[v * k for v in x])
    return out * a


FUNCTIONS = [smooth_maximum, squares, of_an_array, of_an_array_behind_a_number,
             behind_others, in_a_loop]


@pytest.mark.parametrize("x", [np.array([0.3, -0.7, 1.1]), np.array([0.5]), np.zeros(0)], ids=len)
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients(f, x):
    with by_names():
        value, (bx, ba) = tl.value_and_grad(f, wrt=("x", "a"))(x, 0.6)
    assert value == f(x, 0.6)
    for k, step in enumerate(1e-6 * np.eye(len(x))):
        assert bx[k] == pytest.approx((f(x + step, 0.6) - f(x - step, 0.6)) / 2e-6, abs=1e-7)
    assert ba == pytest.approx((f(x, 0.6 + 1e-6) - f(x, 0.6 - 1e-6)) / 2e-6, abs=1e-7)


@pytest.mark.parametrize("function", [asks_for_a_tuple, joins, keeps])
def test_what_asks_for_more_than_items_is_not_handed_a_list(function):
    def f(x):
        return function(*[v * v for v in x])

    refused_by_names(tl.UnsupportedSyntaxError, f, np.ones(2))
    value, slope = tl.value_and_grad(f)(np.array([1.0, 3.0]))
    assert value == f(np.array([1.0, 3.0])) and slope.tolist() == [2.0, 6.0]


def test_code_that_is_replaced():
    def late(*args):
        return sum(args)

    def f(x):
        return late(*[v * v for v in x])

    derivative = tl.grad(f)
    assert derivative(np.ones(2)).tolist() == [2.0, 2.0]
    late.__code__ = total.__code__
    assert derivative(np.ones(2)).tolist() == [4.0, 4.0]
