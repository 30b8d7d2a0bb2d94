"""Masked arrays, matrices and the like have operations of their own: outside as in arguments."""
import types

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import UnsupportedSyntaxError
from tests.heap.forced import refused_by_names

MASKED = np.ma.masked_array(np.ones(3), [1, 0, 0])
MATRIX = np.eye(3).view(np.recarray)
NAMED = {"weights": MASKED}
MODULE = types.SimpleNamespace(weights=[MASKED])
OUTSIDE = types.ModuleType("outside")
OUTSIDE.weights = MASKED


class Holder:
    weights = MASKED

    def __init__(self):
        self.scale = 1.0

    def get(self):
        return MASKED


HOLDER = Holder()


def helper(t):
    return t * MASKED


PROGRAMS = [
    lambda x: np.sum(x * MASKED),
    lambda x: np.sum(MATRIX * x[:, None]),
    lambda x: np.sum(x * NAMED["weights"]),
    lambda x: np.sum(x * MODULE.weights[0]),
    lambda x: np.sum(x * OUTSIDE.weights),
    lambda x: np.sum(x * Holder.weights),
    lambda x: np.sum(x * HOLDER.get()),
    lambda x: np.sum(helper(x)),
    lambda x: np.sum(x * np.ma.masked_array(np.ones(3), [1, 0, 0])),
    lambda x: np.sum(np.ones((3, 3)).view(np.matrix) * x[:, None]),
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_they_are_refused(f):
    refused_by_names(UnsupportedSyntaxError, f, np.ones(3), match="not those of plain arrays")
    with pytest.raises(tl.TangentError):
        tl.grad(f)(np.ones(3))


def test_to_ask_for_them_is_not():
    def f(x):
        return np.sum(x * x) if not isinstance(x, (np.matrix, np.ma.MaskedArray)) else 0.0

    np.testing.assert_allclose(tl.grad(f)(np.ones(3)), np.full(3, 2.0))
