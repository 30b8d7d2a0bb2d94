"""What the code of a derivative with debug="nan" calls."""
from __future__ import annotations

import linecache

import numpy as np

from tangent_lite.errors import NonFiniteError, Place


def finite(value, name, file, line, *operands):
    """The value itself; NonFiniteError where it holds nan or inf, and no operand does.

    name, file, line: what the value is called, and where the statement stands that it serves.
    """
    if not is_finite(value) and all(map(is_finite, operands)):
        text = linecache.getline(file, line)
        start = len(text) - len(text.lstrip())
        kind = "nan" if _holds_nan(value) else "inf"
        raise NonFiniteError(f"{name} becomes {kind} here",
                             Place(file, line, text.rstrip("\n"), start, len(text.rstrip())),
                             "look at what this line is given: it may be at the edge of where the "
                             "line is defined")
    return value


def is_finite(value):
    """Whether no number in a value, or in what it contains, is nan or inf."""
    if isinstance(value, float):
        return value - value == 0.0
    if isinstance(value, (np.ndarray, complex, np.generic)):
        return np.asarray(value).dtype.kind not in "fc" or bool(np.isfinite(value).all())
    if isinstance(value, dict):
        return all(map(is_finite, value.values()))
    if isinstance(value, (tuple, list)):
        return all(map(is_finite, value))
    return True


def _holds_nan(value):
    if isinstance(value, dict):
        return any(map(_holds_nan, value.values()))
    if isinstance(value, (tuple, list)):
        return any(map(_holds_nan, value))
    return not is_finite(value) and bool(np.isnan(value).any())
