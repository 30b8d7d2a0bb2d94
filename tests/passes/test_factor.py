"""Numbers by which both terms of a sum of arrays are multiplied."""

import numpy as np
import pytest

import tangent_lite as tl

P = np.array([0.2, 0.7, 0.9])


def entropy(p, y):
    return -np.sum(y * np.log(p) + (1.0 - y) * np.log(1.0 - p))


def difference(p, y):
    return np.sum(y * np.log(p)) - np.sum(y * y * np.sqrt(p))


def small_numbers(p, y):
    return np.sum(p * y) + np.sum(p * y)


def masks(p, y):
    return np.sum(p * (y > 0)) + np.sum(p * (y > 1)) - np.sum(p * (y > 100))


@pytest.mark.parametrize("function", (entropy, difference, small_numbers, masks))
@pytest.mark.parametrize("y", (
    np.array([1.0, 0.0, 1.0]), np.array([200, 100, 255], np.uint8), np.array([True, False, True]),
    np.array([1, 0, 1]), np.array([[1.0, 0.0, 1.0], [0.5, 0.5, 0.25]])))
@pytest.mark.sweep(5)
def test_derivatives(function, y):
    if function is entropy and y.dtype == bool:
        y = y.astype(int)
    tl.check_grads(lambda p: function(p, y), (P,), order=2)
    assert np.allclose(tl.grad(function)(P, y), tl.jacfwd(function)(P, y), rtol=1e-12)


def test_one_factor():
    text = tl.grad(entropy).source_for(P, P)
    assert "bentropy * ((1.0 - y) / (1.0 - p) - y / p)" in text
    # A sum of truth values would be another thing; of small integers it may be too large.
    text = tl.grad(masks).source_for(P, P)
    assert "> 0) + (y" not in text and "> 0) - (y" not in text
