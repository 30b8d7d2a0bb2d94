"""Programs in which something is None or a number, on all ways, and at calls of other kinds."""
import copy
import warnings

import numpy as np
import pytest

import tangent_lite as tl
from tests.none_programs import PROGRAMS
from tests.programs.judge import bits
from tests.reference.dual import close, numeric_gradient

ARGUMENTS = [(0.3, 5), (0.4, 0), (2.3, 1), (np.float64(0.7), 2), (np.array(0.6), 3), (3.0, 4)]


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.sweep(3)
def test_programs(f):
    for calls in (ARGUMENTS, ARGUMENTS[::-1]):
        derivative = tl.value_and_grad(f)
        for x, n in calls:
            value, slope = derivative(x, n)
            assert bits(value) == bits(f(copy.copy(x), n))      # `y = x; y += 1.0` may write to x
            (wanted,), is_sure = numeric_gradient(f, (x, n), (0,))
            if is_sure:
                assert close(slope, wanted, 1e-6), (x, n)


@pytest.mark.parametrize("f", PROGRAMS[::5])
@pytest.mark.sweep(3)
def test_other_modes(f):
    slope = tl.grad(f)
    for x, n in ARGUMENTS[:4]:
        np.testing.assert_allclose(tl.jvp(f, (x, n), (1.0, None))[1], slope(x, n), rtol=1e-9)
        (wanted,), is_sure = numeric_gradient(slope, (x, n), (0,), rtol=1e-6)
        if is_sure:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert close(tl.grad(lambda t: slope(t, n))(x), wanted, 1e-4)       # noqa: B023
