"""Numbers of NumPy's in the place of Python's, for derivatives in which one is divided by zero.

`np.log(0.0)` is -inf, and its derivative, `1.0 / x` of a number of Python's, a ZeroDivisionError,
where NumPy has inf. What the function itself does stays Python's; where it has a value, what is
computed back from there is computed once more with NumPy's numbers. Of a derivative that is
differentiated, both halves are, if it has the same value then.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from tangent_lite.records import with_parts

# What arithmetic of Python's numbers raises where NumPy's gives inf or nan.
DIVIDED = (ZeroDivisionError, OverflowError)


def with_numpys_numbers(tree: Any) -> Any:
    """The structure with each number of Python's as one of NumPy's; objects, and what cannot vary,
    as they are.

    >>> with_numpys_numbers((1.0, [2.0, 3], "text"))
    (np.float64(1.0), [np.float64(2.0), 3], 'text')
    """
    return _visit(tree, {})


def have_one_value(one: Any, other: Any) -> bool:
    """Whether two structures hold the same numbers, nan being nan.

    >>> have_one_value((1.0, [np.nan]), (np.float64(1.0), [np.nan]))
    True
    >>> have_one_value(np.zeros(2), np.array([0.0, 1.0]))
    False
    """
    from tangent_lite.leaves import leaves  # later: with what emitted code calls
    parts, others = [*leaves(one)], [*leaves(other)]
    return len(parts) == len(others) and all(
        np.array_equal(a, b, equal_nan=True) for a, b in zip(parts, others))


def _visit(tree: Any, known: dict[int, Any]) -> Any:
    if type(tree) is float:
        return np.float64(tree)
    if type(tree) is complex:
        return np.complex128(tree)
    if not isinstance(tree, (tuple, list)) and type(tree) is not dict:
        return tree
    if id(tree) not in known:
        made: Any
        if isinstance(tree, dict):
            made = {key: _visit(part, known) for key, part in tree.items()}
        else:
            parts = [_visit(part, known) for part in tree]
            made = with_parts(tree, parts)
        known[id(tree)] = made
    return known[id(tree)]
