"""Which operations on numbers cost more than a record, where machine code runs them.

    e = math.exp(a * t)         recorded: 5 to 20 nanoseconds, one or two for a record
    s = math.sqrt(a * t)        computed again: an instruction

In Python a call costs what a record does, and a record takes memory besides.
"""
from __future__ import annotations

import math
from typing import Any

import gast
import numpy as np

from tangent_lite.modules import package_of

_NAMES = [
    "exp", "expm1", "exp2", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "sinh", "cosh",
    "tanh", "asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh", "arcsin", "arccos",
    "arctan", "arctan2", "arcsinh", "arccosh", "arctanh", "hypot", "pow", "power", "cbrt", "erf",
    "erfc", "gamma", "lgamma", "logaddexp", "logaddexp2"]
_DEAR = {getattr(module, name) for module in (math, np) for name in _NAMES
         if hasattr(module, name)}


def is_dear(value: gast.expr, callee: Any) -> bool:
    """Whether an operation on numbers is a function beyond roots and extremes, or a power whose
    exponent is no whole number that the text says; callee: what is called, if something is."""
    if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Pow):
        exponent = value.right.operand if isinstance(value.right, gast.UnaryOp) else value.right
        return not (isinstance(exponent, gast.Constant) and isinstance(exponent.value, int))
    if not isinstance(value, gast.Call):
        return False
    try:
        return callee in _DEAR or package_of(callee) == "scipy"
    except TypeError:                       # what has no hash
        return False
