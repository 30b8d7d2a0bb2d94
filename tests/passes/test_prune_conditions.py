"""Conditions of which the answer is known: only the branch that runs has to have a derivative."""
import types

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.5, 1.0, 3.0])
settings = types.ModuleType("settings")


def by_version(x):
    y = x * x
    return np.trapezoid(y) if hasattr(np, "trapezoid") else np.trapz(y)


def of_no_version(x):
    if hasattr(np, "no_such_function"):
        return np.no_such_function(x)
    return np.sum(x ** 3)


def switched_off(x):
    if False:
        x = np.emath.sqrt(x)
    return np.sum(x * x) if True else np.emath.log(x)


def part_of_a_condition(x):
    total = np.sum(x * x)
    if total > 1.0 and hasattr(np, "sum"):
        total = total * x[0]
    return total


@pytest.mark.parametrize("f", [by_version, of_no_version, switched_off, part_of_a_condition],
                         ids=lambda f: f.__name__)
def test_known_conditions(f):
    wanted = [(f(X + 1e-6 * unit) - f(X - 1e-6 * unit)) / 2e-6 for unit in np.eye(3)]
    np.testing.assert_allclose(tl.grad(f)(X), wanted, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(tl.jvp(f, (X,), (X,))[1], np.dot(wanted, X), rtol=1e-7)
    code = [line for line in tl.grad(f).source_for(X).splitlines() if "#" not in line]
    assert not any(word in line for line in code for word in ("tape.", "emath", "hasattr(np, \"n"))


def never_filled(x):
    squares = []
    if False:
        for v in x:
            squares.append(v * v)
    total = x[0] * x[1]
    for square in squares:
        total = total + square
    return total


def test_a_list_that_only_such_a_branch_fills():
    """Its loop goes too: Numba could not tell what it is a list of."""
    np.testing.assert_array_equal(tl.grad(never_filled)(X), [1.0, 0.5, 0.0])
    value, slope = tl.value_and_grad(never_filled)(X)
    assert value == 0.5 and slope.tolist() == [1.0, 0.5, 0.0]
    assert "squares" not in tl.value_and_grad(never_filled).source_for(X)
    pytest.importorskip("numba")
    assert tl.grad(never_filled, backend="numba")(X).tolist() == [1.0, 0.5, 0.0]


def test_a_module_of_the_user_is_asked_at_each_call():
    def f(x):
        if hasattr(settings, "doubled"):
            return 2.0 * x
        return x

    derivative = tl.grad(f)
    assert derivative(1.0) == 1.0
    settings.doubled = True
    try:
        assert derivative(1.0) == 2.0
    finally:
        del settings.doubled
    assert derivative(1.0) == 1.0
