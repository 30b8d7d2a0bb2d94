"""Holds derivatives of functions with effects against the functions: value to the bit, what is
printed, which exceptions come through, the gradient against central differences."""
import contextlib
import copy
import io

import numpy as np

import tangent_lite as tl


def outcome(function, args):
    """What a call gives, or the exception that it raises; and what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            found = function(*copy.deepcopy(args))
        except tl.TangentError:
            raise
        except Exception as error:
            return (type(error).__name__, str(error)), printed.getvalue(), True
    return found, printed.getvalue(), False


def differences(function, args, step=1e-6):
    """The gradient by the first argument, a number or an array."""
    x = np.asarray(args[0], float)
    found = np.zeros_like(x)
    for index in np.ndindex(*x.shape):
        values = []
        for sign in (1.0, -1.0):
            moved = x.copy()
            moved[index] += sign * step
            given = float(moved) if x.ndim == 0 else moved
            values.append(outcome(function, (given, *args[1:]))[0])
        found[index] = (values[0] - values[1]) / (2.0 * step)
    return found


def holds(function, *args):
    """AssertionError if the derivative does anything that the function does not."""
    value, printed, failed = outcome(function, args)
    found, seen, stopped = outcome(tl.value_and_grad(function), args)
    assert (seen, stopped) == (printed, failed), f"{function.__name__}{args}: {found}"
    if failed:
        assert found == value
        return
    assert np.array_equal(found[0], value), f"{function.__name__}{args}: {found[0]} != {value}"
    wanted = differences(function, args)
    assert np.allclose(found[1], wanted, rtol=1e-5, atol=1e-6), \
        f"{function.__name__}{args}: {found[1]} != {wanted}"
