"""The functions that `numba_loops` knows by what they do to elements."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import runtime
from tangent_lite.backends.numba_memory import apart
from tangent_lite.backends.numba_multiplying import dot_times, times
from tangent_lite.backends.numba_numpy import np_sum, np_where, np_zeros_like
from tangent_lite.backends.numba_products import np_dot

# Means(expression of a function) is the function that it means, or None.
Means = Callable[[gast.expr], Any]

_OF_NUMPY = ("exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "sin", "cos", "tan", "arcsin",
             "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "square",
             "absolute", "fabs", "sign", "floor", "ceil", "rint", "maximum", "minimum", "arctan2",
             "hypot")

# Functions that do to arrays what they do to each element, with the number of their arguments.
ELEMENTWISE: dict[Any, int] = {getattr(np, name): getattr(np, name).nin for name in _OF_NUMPY}
ELEMENTWISE |= {runtime.where_larger: 3, runtime.of_larger: 4, runtime.where_positive: 2,
                runtime.divide_or_zero: 2, runtime.log_or_zero: 1, runtime.abs_slope: 1,
                runtime.power_slope: 2, np.round: 1}
# Those of which loops have their own, the names of `numba_exponentials`.
QUICK: dict[Any, str] = {np.exp: "exponential", np.tanh: "hyperbolic_tangent"}
WHERE, SUM = np_where, np_sum
DOTS = {np_dot, dot_times, times}       # of vectors they are sums of products
# Functions that give what they are given the shape of something.
UNBROADCAST, UNREDUCE = runtime.unbroadcast, runtime.unreduce
BROADCAST = runtime.broadcast           # what has a shape and no elements
ZEROS = (np_zeros_like, runtime.zeros_like)
ADD_AT, APART = runtime.add_at, apart
KNOWN = {*ELEMENTWISE, WHERE, SUM, *DOTS, UNBROADCAST, UNREDUCE, BROADCAST, *ZEROS, ADD_AT, APART}


def add_elementwise(function: Any, count: int) -> None:
    """Loops may call a function of so many numbers for each element."""
    ELEMENTWISE[function] = count
    KNOWN.add(function)
