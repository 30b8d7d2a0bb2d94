"""try in forward mode: a tangent that fails is no failure of what stands in the try."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names
from tests.passes.test_enclose import (
    binds_in_both,
    exits_with_finally,
    helper_fails,
    keeps_the_old_value,
    several_handlers,
)


def slope_fails(x):
    try:
        y = math.sqrt(x)
        z = y * 2.0
    except (ValueError, ZeroDivisionError):
        z = 7.0 * x
    else:
        z = z + x
    return z


def test_no_handler_sees_a_tangent_fail():
    with np.errstate(divide="ignore"):
        assert tl.jvp(slope_fails, (0.0,), (1.0,)) == (0.0, math.inf)
    assert tl.jvp(slope_fails, (-1.0,), (1.0,)) == (-7.0, 7.0)


@pytest.mark.parametrize("function", [exits_with_finally, several_handlers])
def test_forward_mode(function):
    value, slope = tl.jvp(function, (2.0,), (1.0,))
    assert (value, pytest.approx(slope)) == tl.value_and_grad(function)(2.0)


def bound_anew(x):
    for k in range(3):
        try:
            x = math.sqrt(x + k)
        except ValueError:
            raise TypeError("negative") from None
    return x


@pytest.mark.parametrize("function", [keeps_the_old_value, helper_fails, binds_in_both, bound_anew])
def test_a_tangent_must_not_fail_in_a_try(function):
    """It stands behind that, where it can; else the tangent is that of the backward pass."""
    with by_names():
        if function in (helper_fails, bound_anew):
            with pytest.raises(tl.UnsupportedSyntaxError, match="computes an active value"):
                tl.jvp(function, (2.0,), (1.0,))
        else:
            tl.jvp(function, (2.0,), (1.0,))
    value, slope = tl.jvp(function, (2.0,), (1.0,))
    numbers = (function(2.0 + 1e-6) - function(2.0 - 1e-6)) / 2e-6
    assert value == function(2.0) and slope == pytest.approx(numbers, rel=1e-8)
