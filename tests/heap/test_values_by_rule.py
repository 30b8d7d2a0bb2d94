"""Functions with a rule that are given the values of a dict, by identity."""
import math

import numpy as np
import pytest

import tangent_lite as tl


def product(p):
    *items, _ = p
    return math.prod(dict(zip(("a", "b"), items)).values())


def total(p):
    *items, _ = p
    return math.fsum(dict(zip(("a", "b"), items)).values()) * p[2]


@pytest.mark.parametrize("f, wanted", [(product, [0.2, 0.7, 0.0]), (total, [1.1, 1.1, 0.9])])
def test_values_by_rule(f, wanted):
    p = np.array([0.7, 0.2, 1.1])
    np.testing.assert_allclose(tl.grad(f)(p), wanted, rtol=1e-14)
    np.testing.assert_allclose(tl.jacfwd(f)(p), wanted, rtol=1e-14)
