"""What emitted code calls where users bring derivatives of their own, or change adjoints."""
from __future__ import annotations

import linecache

import numpy as np

from tangent_lite.errors import OutputError, Place
from tangent_lite.runtime import zeros_like
from tangent_lite.runtime.tangents import is_record


def own_part(bx, x, name, file, line):
    """What a user's adjoint returned for an argument x; zeros in the shape of x for None.

    For an object it is an object like it, or a dict of its attributes.

    OutputError, with the file and line of that function, where it has another shape than x.
    """
    if bx is None:
        return zeros_like(x)
    if is_record(x) and not isinstance(bx, dict):
        return vars(bx)                 # emitted code keeps the adjoint of an object as a dict
    if isinstance(x, (float, complex, np.ndarray, np.generic)) and np.shape(bx) != np.shape(x):
        raise _wrong(f"the adjoint of {name} has shape {np.shape(bx)}, {name} has {np.shape(x)}",
                     file, line, f"return it in the shape of {name}")
    return bx


def own_tangent_of(dy, y, file, line):
    """What a user's tangent returned; OutputError where it has another shape than the result."""
    if isinstance(y, (float, complex, np.ndarray, np.generic)) and np.shape(dy) != np.shape(y):
        raise _wrong(f"the tangent has shape {np.shape(dy)}, the result {np.shape(y)}", file, line,
                     "return it in the shape of the result")
    return dy


def in_shape_of(dx, x, what):
    """What a user's rule gives for x, its argument or result; what: "d[x] of rule (file.py:5)".

    OutputError where it has another shape than x.
    """
    try:
        if dx.shape == x.shape:         # most often so, and then quick
            return dx
    except AttributeError:
        pass
    if isinstance(x, (float, complex, np.ndarray, np.generic)) and np.shape(dx) != np.shape(x):
        raise _final(f"{what} has shape {np.shape(dx)}, where {np.shape(x)} is needed",
                     "give it that shape: unbroadcast and unreduce of tangent_lite.runtime do")
    return dx


def hooked(dy, fun):
    """What a hook makes of an adjoint; the adjoint itself where it returns None. OutputError where
    it returns another shape."""
    found = fun(dy)
    if found is None or not isinstance(dy, (float, complex, np.ndarray, np.generic)):
        return dy if found is None else found
    if np.shape(found) != np.shape(dy):
        raise _final(f"a hook returned shape {np.shape(found)} for an adjoint of shape "
                     f"{np.shape(dy)}", "return an adjoint of that shape, or None")
    if isinstance(dy, np.ndarray) and not isinstance(found, np.ndarray):
        return np.asarray(found, dy.dtype)
    return found


def _wrong(reason, file, line, fix):
    text = linecache.getline(file, line)
    start = len(text) - len(text.lstrip())
    place = Place(file, line, text.rstrip("\n"), start, len(text.rstrip())) if text else None
    return OutputError(reason, place, fix)


def _final(reason, fix):
    """An error of the user's code, which no other way of differentiating would mend."""
    error = OutputError(reason, None, fix)
    error.is_final = True
    return error
