"""Names that are bound on some ways only: compiled code asks for them where they are read."""
import warnings

import numpy as np
import pytest

import tangent_lite as tl

numba = pytest.importorskip("numba")


def inner_condition(b, x, y):
    """The way back asks `x <= -0.32 and cond`, of which the second is bound where the first is."""
    if x <= -0.32:
        if x * y <= x:
            y *= np.tanh(x + y)
        b = 0.33 * y - b
    y = y * 2.0
    return x * x + y + 0.0 * b


def in_and(x, y, n):
    if n > 2:
        c = x > y
    if n > 1 and c:
        x = x * x
    return x * x * y


def in_or(x, y, n):
    if n <= 2:
        k = 2.0 * x
    z = x if n > 2 else k * x
    while n > 2 or k > y:
        y = 2.0 * y + z * x
        n -= 1
        k = x
    return y


@pytest.mark.parametrize("function, args", [
    *((inner_condition, (0.2, x, y)) for x in (1.2, -1.2, np.nan) for y in (0.6, 1.6)),
    *((in_and, (0.6, y, n)) for y in (0.3, 0.9) for n in (1, 3)),
    *((in_or, (0.6, 0.3, n)) for n in (2, 3, 4))])
def test_what_is_not_read_need_not_be_bound(function, args):
    with warnings.catch_warnings():
        warnings.simplefilter("error")              # it does not stop, to run in Python
        value, gradient = tl.value_and_grad(function, wrt=(0, 1), backend="numba")(*args)
    assert np.array_equal(value, function(*args), equal_nan=True)
    assert np.array_equal(gradient, tl.grad(function, wrt=(0, 1))(*args), equal_nan=True)
    for spot in range(2) if np.isfinite(value) else ():
        above, below = (function(*args[:spot], args[spot] + step, *args[spot + 1:])
                        for step in (1e-6, -1e-6))
        assert np.isclose(gradient[spot], (above - below) / 2e-6, rtol=1e-6, atol=1e-8)


@pytest.mark.filterwarnings("ignore:.*the compiled derivative stopped:RuntimeWarning")
def test_what_is_read_has_to_be_bound():
    with pytest.raises(UnboundLocalError, match="'c'"):
        tl.grad(in_and, backend="numba")(0.6, 0.3, 2)


def test_from_compiled_code():
    gradient = tl.grad(inner_condition, wrt=(1, 2), backend="numba")

    @numba.njit
    def caller(b, x, y):
        return gradient(b, x, y)

    assert caller(0.2, 1.2, 0.6) == (2.4, 2.0)
