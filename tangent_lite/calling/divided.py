"""Numbers of NumPy's in the place of Python's, for derivatives in which one is divided by zero.

`np.log(0.0)` is -inf, and its derivative, `1.0 / x` of a number of Python's, a ZeroDivisionError,
where NumPy has inf. What the function itself does stays Python's; where it has a value, what is
computed back from there is computed once more with NumPy's numbers.
"""
from __future__ import annotations

from typing import Any

import numpy as np

# What arithmetic of Python's numbers raises where NumPy's gives inf or nan.
DIVIDED = (ZeroDivisionError, OverflowError)


def with_numpys_numbers(tree: Any) -> Any:
    """The structure with each number of Python's as one of NumPy's; objects, and what cannot vary,
    as they are.

    >>> with_numpys_numbers((1.0, [2.0, 3], "text"))
    (np.float64(1.0), [np.float64(2.0), 3], 'text')
    """
    return _visit(tree, {})


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
            made = type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
        known[id(tree)] = made
    return known[id(tree)]
