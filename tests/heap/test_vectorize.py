"""np.vectorize calls its function once more, for the first elements: that shows in what the
function counts, and in the type of the result."""
import math

import numpy as np
import pytest

import tangent_lite as tl


def counts(x):
    seen = 0.0

    def weighted(a):
        nonlocal seen
        seen += a
        return a * seen
    return np.vectorize(weighted)(x).sum()


def counts_nothing_more(x):
    seen = [0.0]

    def weighted(a):
        seen[0] += a
        return a * seen[0]
    return np.vectorize(weighted, otypes=[float])(x).sum()


def branches(x):
    return np.vectorize(lambda a, b: a * b if a > b else math.sin(a) + b)(x, x[::-1]).sum()


X = np.array([0.3, 0.9, 0.5])


@pytest.mark.parametrize("f", [counts, counts_nothing_more, branches])
def test_against_differences(f):
    value, gradient = tl.value_and_grad(f)(X)
    assert value == f(X)
    wanted = [(f(X + 1e-6 * e) - f(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6)


@pytest.mark.parametrize("f", [counts, branches])
def test_the_type_is_that_of_the_first_element(f):
    x = X.astype(np.float32)
    value, gradient = tl.value_and_grad(f)(x)
    assert value.dtype == f(x).dtype == gradient.dtype == np.float32
    assert value == f(x)
