"""np.array(x, ndmin=n), lists that distributions are given, and fractions beside what varies."""
from fractions import Fraction

import numpy as np
import pytest

import tangent_lite as tl

stats = pytest.importorskip("scipy.stats")
X = np.array([0.3, 1.2, 2.1])


def rows(x):
    return np.sum(np.array(x, ndmin=2) @ np.outer(x, x)) + np.sum(np.array(x[0], ndmin=1) * x)


def densities(x):
    return np.sum(stats.beta.logpdf([0.2, 0.3], x[0], x[1])) \
        + np.sum(stats.norm.logpdf([x[0], x[1]], [1.0, 2.0], scale=[x[2], 1.0]))


def beside_a_fraction(x):
    return max(x[0], Fraction(1, 4)) * x[1]


@pytest.mark.parametrize("f", [rows, densities, beside_a_fraction])
def test_in_both_modes(f):
    tl.check_grads(f, (X,), order=1, modes=("fwd", "rev"))
    assert tl.value_and_grad(f)(X)[0] == f(X)
