"""np.vectorize calls its function once more, for the first elements: that shows in what the
function counts, and in the type of the result."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity


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


def told_by_texts(x):
    signs = np.vectorize(lambda a: "up" if a > 0.4 else "d")(x)
    return np.sum(np.where(signs == "up", x, 3.0 * x))


def with_texts(x):
    squares, signs = np.vectorize(lambda a: (a * a, "up" if a > 0.4 else "d"))(x)
    return np.sum(np.where(signs == "up", squares, 3.0 * squares))


def told_by_none(x):
    return np.sum(x) if np.vectorize(lambda a: None)(x)[0] is None else 3.0 * np.sum(x)


def of_one_part(x):
    return np.sum(x * np.vectorize(lambda a: (1,))(x)[0])


@pytest.mark.parametrize("f", [told_by_texts, with_texts, told_by_none])
def test_results_that_are_no_numbers(f):
    """Their type is not read of them as one that a text names ("d": floats)."""
    test_against_differences(f)
    with by_identity():
        test_against_differences(f)


def test_tuples_of_one_part_make_no_array():
    for f in (of_one_part, tl.grad(of_one_part)):
        with pytest.raises((TypeError, ValueError)):
            f(X)
    with by_identity(), pytest.raises((TypeError, ValueError)):
        tl.grad(of_one_part)(X)


def test_numbers_are_handed_over_as_they_are():
    """A float32 stays one, and rounds the products; a bool of NumPy's has methods."""
    def f(x, s):
        return np.sum(np.vectorize(lambda a, b: a * b)(x, s))

    for s in (np.float32(2.3), np.bool_(True), True, np.array([True, False, True]), range(3)):
        with by_identity():
            value, gradient = tl.value_and_grad(f)(X, s)
        assert value == f(X, s)
        np.testing.assert_allclose(gradient, np.broadcast_to(s, 3).astype(float), rtol=1e-6)
