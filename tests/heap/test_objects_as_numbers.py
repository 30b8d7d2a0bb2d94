"""Objects where a number is asked for: what `__float__` or `__pow__` gives comes of the object, and
so does its adjoint; where NumPy asks in C, that is refused, and never forgotten."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names


class Length:
    def __init__(self, value):
        self.value = value

    def __float__(self):
        return float(self.value)

    def __pow__(self, other, modulus=None):
        return self.value * (other if modulus is None else modulus)


class Pair:
    def __init__(self, first, second):
        self.parts = first, second

    def __len__(self):
        return 2

    def __getitem__(self, k):
        return self.parts[k]

    def __radd__(self, other):
        return self.parts[0] * other


def test_powers_of_three():
    with by_identity():
        assert tl.grad(lambda x: pow(Length(x), 2, 5))(3.0) == 5.0


def written(x):
    y = np.zeros(2)
    y[0] = Length(x)
    return np.sum(y)


def several_written(x):
    y = np.zeros(2)
    y[:] = [Length(x), 2.0]
    return np.sum(y)


def copied(x):
    y = np.zeros(2)
    np.copyto(y, Length(x), casting="unsafe")
    return np.sum(y)


@pytest.mark.parametrize("f", [
    written, several_written, copied,
    lambda x: np.float64(Length(x)) * 2.0,
    lambda x: np.sum(np.array([Length(x), Length(x)], dtype=float)),
    lambda x: np.sum(np.array([x, Length(x)], dtype=float)),
    lambda x: math.fsum([Length(x), Length(x)]),
])
def test_what_numpy_asks_is_refused(f):
    with by_identity(), pytest.raises(tl.TangentError):
        tl.grad(f)(3.0)
    with by_names(), pytest.raises(tl.TangentError):
        tl.grad(f)(3.0)


def test_numbers_of_numpy_make_arrays_of_sequences():
    def f(x):
        return x[0] + Pair(x[1], x[2])

    with pytest.raises(tl.TangentError, match="NumPy makes arrays of objects"):
        tl.grad(f)(np.ones(3))


def test_numbers_of_python_do_not():
    with by_names():
        assert tl.grad(lambda x: 2.0 + Pair(x, x))(3.0) == 2.0
