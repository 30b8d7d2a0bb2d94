"""What operators and constructors of scipy.sparse stand for, once SciPy is in use.

The rules say it (`rules/scipy_sparse.py`); who writes code out asks here, and knows no SciPy.
"""
from __future__ import annotations

from typing import Any

_functions: dict[str, Any] = {}
_makers: dict[Any, str] = {}
_methods: set[str] = set()


def for_matrices(**functions: Any) -> None:
    """Declare functions of matrices by what they stand for: `added`, `product`."""
    _functions.update(functions)


def function_for_matrices(name: str) -> Any:
    """The function that stands for an operator of matrices."""
    return _functions[name]


def compute_for_matrices(*methods: str) -> None:
    """Declare methods of matrices that do no more than compute."""
    _methods.update(methods)


def computes_for_matrices(method: str) -> bool:
    """Whether matrices have a method of this name that does no more than compute."""
    return method in _methods


def makes_matrices(form: str, *makers: Any) -> None:
    """Declare what makes matrices, by the form of what they are given: a class, diagonals."""
    _makers.update(dict.fromkeys(makers, form))


def form_of_maker(function: Any) -> str | None:
    """Of which form the arguments of a function are that makes matrices; None of others."""
    try:
        return _makers.get(function)
    except TypeError:
        return None


def name_for_matrices(function: Any) -> str | None:
    """What a function of matrices stands for; None of others."""
    return next((name for name, one in _functions.items() if one is function), None)
