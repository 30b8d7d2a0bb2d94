"""Helpers that return None on some ways: compiled code would take it for a value."""
import numpy as np
import pytest

import tangent_lite as tl

pytest.importorskip("numba")


def root(x):
    if x > 1.0:
        return None
    return x * x


def asked(x):
    total = 0.0
    for k in range(len(x)):
        found = root(x[k])
        if found is not None:
            total = total + found * x[0]
        else:
            total = total * 2.0 + x[k]
    return total


def given_another_name(x):
    total, last = x[0], None
    for k in range(len(x)):
        found = root(x[k])
        last = found
        if last is None:
            total = total * 2.0
    return total


def within(x):
    best = None
    for k in range(len(x)):
        y = (x[k] - 0.3) ** 2
        if best is None or y < best:
            best = y
    return best


X = np.array([0.93, 1.1, 0.7, 1.3])


@pytest.mark.parametrize("f", [asked, given_another_name])
def test_results_that_may_be_none(f):
    with pytest.raises(tl.UnsupportedSyntaxError, match="what a helper returns is None"):
        tl.grad(f, backend="numba")(X)


def test_variables_of_the_function_itself():
    np.testing.assert_allclose(tl.grad(within, backend="numba")(X), tl.grad(within)(X))
