"""Elementwise results that are written into an array by `out=`, a keyword that Numba lacks.

    np.multiply(x[1:], c, out=y)        =>      floats_alone(y)
                                                y[...] = np.multiply(x[1:], c)

An assignment reads before it writes where both share memory, and refuses what has no room in y, as
NumPy does where it is given `out=`. But into ints it would cut floats off, which NumPy refuses: y
has to be of float64, into which NumPy writes any real result.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np
from numba import types
from numba.core.errors import TypingError

from tangent_lite import syntax
from tangent_lite.backends.numba_functions import is_array
from tangent_lite.backends.numba_overloads import by_types


@by_types()
def floats_alone(y):
    """Whether a result is written into an array of float64."""
    if not is_array(y) or y.dtype != types.float64:
        raise TypingError("out= is compiled for arrays of float64")
    return lambda y: None


def written_by_out(node: gast.Expr, function: Any,
                   name_of: Callable[[Any, str], str]) -> list[gast.stmt] | None:
    """The statements in place of one that calls a function with `out=`, where it is one of
    elements; name_of: names a function in the module."""
    call: Any = node.value
    if not isinstance(function, np.ufunc) or function.signature is not None or function.nout != 1 \
            or [k.arg for k in call.keywords] != ["out"] or len(call.args) != function.nin \
            or not isinstance(call.keywords[0].value, (gast.Name, gast.Subscript)):
        return None
    target = call.keywords[0].value
    name = name_of(floats_alone, "floats_alone")
    look = syntax.statement(syntax.call(syntax.load(name), syntax.copy(target)))
    whole = syntax.subscript(target, gast.Constant(Ellipsis, None), gast.Store())
    written = syntax.assign(whole, gast.Call(call.func, call.args, []))
    return [syntax.copy_place(made, node) for made in (look, written)]
