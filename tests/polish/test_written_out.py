"""Short functions written out where they are called: the numbers, the names, and what stays a call.
"""
import ast
import dis
import traceback

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.polish.written_out import write_out_calls

X = np.array([0.3, 0.8, 1.3])


def rates(x, y, k):
    t = y - x
    return k * t, x * t - k * y


def halves(v):
    w = np.sin(v)
    return w, v * w


def scaled(t, k):
    if k > 1.0:
        t = t * k
    else:
        s = t * t
        t = s + k
    return t


def spread(v, n):
    for _ in range(n):
        v = v * 1.1
    return v


def outer(v):
    a, b = halves(v * 2.0)
    return a * b


def first(x):
    a, b = rates(x[0], x[1], x[2])
    for _ in range(3):
        a, b = rates(a, b, x[2])
    return a * b


def swapped(x):
    a, b = x[0], x[1]
    for _ in range(3):
        b, a = rates(a, b, x[2])
    return a + b * b


def same_name(x):
    t = x[0] * 2.0                      # halves and rates have variables of that name
    w, v = halves(x)
    t2, k = rates(t, x[1], x[2])
    return np.sum(w * v) * t + t2 * k


def branches(x):
    total = 0.0
    for t in x:
        total = total + scaled(t, t * 1.3) * scaled(total + t, 0.4)
    return total


def in_straight_code(x):
    return scaled(np.sum(x), 3.0) * scaled(x[0], 0.5)


def with_a_loop(x):
    total = 0.0
    for t in x:
        total = total + spread(t, 3)
    return total


def nested(x):
    total = 0.0
    for t in x:
        total = total + outer(t) * outer(total + t)
    return total


def to_itself(x):
    for _ in range(4):
        x, y = halves(x)
        x = x + y
    return np.sum(x)


def handed_back(v):
    return v


def handed_back_in_a_loop(x):
    y = x * 2.0
    for _ in range(2):
        y = handed_back(y)
    return np.sum(y * y)


def one_result_twice(x):
    a, b = halves(x)
    a, c = halves(a + b)
    return np.sum(a * b * c)


def written_to(x):
    a, b = halves(x)
    a[0] = 2.0 * b[1]
    c, d = halves(a)
    c *= 3.0
    return np.sum(a * c * d)


def recursive(t, n):
    return t if n == 0 else t * recursive(t * 1.1, n - 1)


def recursion(x):
    return recursive(x[0], 3) * x[1]


def np_is_a_variable(x):
    np = x[0]
    y = x[1]
    for _ in range(2):
        y = outer(y) + np
    return y * np


def reads_rate(t):
    s = np.sin(t * rate)
    return s * t * rate


def has_a_rate(t):
    rate = 3.0 * t
    s = np.cos(rate) * t
    return s * rate * np.sin(s)


rate = 2.0


def a_variable_like_a_global_of_another_helper(x):
    return has_a_rate(reads_rate(x[0]) * x[1]) * x[2]


def in_turn(x):
    y = x[0]
    for k in range(4):
        if k % 2 == 1:
            y = reads_rate(y) + x[1]
        else:
            y = has_a_rate(y) + x[2]
    return y


def reads_outer(v):
    return outer(v) * rate


def has_an_outer(v):
    outer = 2.0 * v
    return outer * np.sin(outer)


def a_variable_like_a_helper_of_another_helper(x):
    return has_an_outer(reads_outer(x[0]) * x[1]) * x[2]


PROGRAMS = [first, swapped, same_name, branches, in_straight_code, with_a_loop, nested, to_itself,
            handed_back_in_a_loop, one_result_twice, written_to, recursion, np_is_a_variable,
            a_variable_like_a_global_of_another_helper, in_turn,
            a_variable_like_a_helper_of_another_helper]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.sweep(5)
def test_numbers(f):
    expected = np.array([(f(X + 1e-6 * e) - f(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)])
    derivative = tl.value_and_grad(f)
    for _ in range(2):
        value, gradient = derivative(X.copy())
        np.testing.assert_allclose(value, f(X.copy()), rtol=1e-12)
        np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)
    _, pullback = tl.vjp(f, X.copy())
    np.testing.assert_allclose(pullback(1.0)[0], expected, rtol=1e-6, atol=1e-8)
    tangents = [tl.jvp(f, (X.copy(),), (e,))[1] for e in np.eye(3)]
    np.testing.assert_allclose(tangents, expected, rtol=1e-6, atol=1e-8)
    hessian = np.array([(tl.grad(f)(X + 1e-6 * e) - tl.grad(f)(X - 1e-6 * e)) / 2e-6
                        for e in np.eye(3)])
    np.testing.assert_allclose(tl.hessian(f)(X.copy()), hessian, rtol=1e-5, atol=1e-6)


def run_of(f):
    """The function that runs when the derivative of f is called."""
    derivative = tl.grad(f)
    derivative(X.copy())
    return derivative.variant_for((X.copy(),), {})[0].main


def calls_of(f):
    """The emitted functions that it calls."""
    code = run_of(f).__code__
    return {i.argval for i in dis.get_instructions(code)
            if isinstance(i.argval, str) and i.argval.endswith(("_fwd", "_bwd"))}


@pytest.mark.parametrize("f", [first, swapped, same_name, branches, nested, to_itself, written_to],
                         ids=lambda f: f.__name__)
def test_nothing_is_called(f):
    assert calls_of(f) == set()
    assert "_fwd(" in tl.grad(f).source_for(X)      # the text is what it was


def test_the_closure_knows_what_the_text_names():
    assert {"rates_fwd", "rates_bwd"} <= set(run_of(first).__code__.co_freevars)


def test_what_branches_is_called_in_straight_code():
    assert calls_of(in_straight_code) == {"scaled_fwd", "scaled_bwd"}


def test_what_loops_or_calls_itself_is_called():
    assert calls_of(with_a_loop) == {"spread_fwd", "spread_bwd"}
    assert "recursive_fwd" in calls_of(recursion)


def test_a_name_of_the_helper_that_means_something_else_here():
    assert any(name.startswith("outer") for name in calls_of(np_is_a_variable))


def root(t):
    return 1.0 / t


def of_zero(x):
    return root(x[0]) * x[1]


def test_a_traceback_names_the_line_of_the_helper():
    derivative = tl.grad(lambda x, y: of_zero((x, y)))
    derivative(1.0, 2.0)
    with pytest.raises(ZeroDivisionError) as caught:
        derivative(0.0, 2.0)
    assert "1.0 / " in traceback.extract_tb(caught.value.__traceback__)[-1].line


# The rewriting itself -----------------------------------------------------------------------------
def test_units_without_calls_are_left():
    tree = ast.parse("def f(x):\n    return x\n").body[0]
    unit = type("Unit", (), {"name": "f", "external": {}, "tree": None})()
    assert write_out_calls([unit], {"f": tree}) == {"f": {}}
    assert ast.unparse(tree) == "def f(x):\n    return x"
