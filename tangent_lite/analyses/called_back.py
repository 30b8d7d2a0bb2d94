"""Arguments that functions of Python's and of libraries call: `map(f, xs)`, `sorted(xs, key=f)`."""
from __future__ import annotations

import functools
import itertools
import types
from typing import Any

import gast
import numpy as np

from tangent_lite import registry
from tangent_lite.analyses.purity import can_be_hashed
from tangent_lite.modules import module_of

# The place of the argument that is called; behind it may stand others (`piecewise`).
_FIRST = frozenset((
    map, filter, functools.reduce, functools.partial, itertools.starmap, itertools.takewhile,
    itertools.dropwhile, itertools.filterfalse, np.apply_along_axis, np.apply_over_axes,
    np.fromfunction, np.frompyfunc, np.vectorize))
_SECOND = frozenset((itertools.accumulate, itertools.groupby))
_KEYWORDS = frozenset(("key", "func", "function", "pyfunc", "func1d", "fun", "f", "default_factory",
                       "predicate"))
# In these nearly all functions call what comes first.
_CALLING = ("scipy.integrate", "scipy.optimize")


def called_back(call: gast.Call, function: Any) -> list[gast.expr]:
    """The arguments of a call that a function may call; function: which one it is, as far as that
    is known. What a function of the user calls is said by its text.

    >>> from tangent_lite import syntax
    >>> [one.id for one in called_back(syntax.parse_expression("sorted(xs, key=f)"), sorted)]
    ['f']
    >>> [one.id for one in called_back(syntax.parse_expression("map(f, xs)"), map)]
    ['f']
    >>> called_back(syntax.parse_expression("iter(xs)"), iter)
    []
    >>> called_back(syntax.parse_expression("np.hypot(*xs)"), np.hypot)
    []
    >>> [one.value.id for one in called_back(syntax.parse_expression("map(*xs)"), map)]
    ['xs']
    """
    if isinstance(function, (types.FunctionType, type)) and not registry.is_library(function):
        return []
    found = [k.value for k in call.keywords if k.arg in _KEYWORDS or k.arg is None]
    first, *others = call.args or [None]
    if not can_be_hashed(function) or first is None:
        return found
    spread = isinstance(first, gast.Starred)        # which may hold any of them
    if function in _FIRST or (function is iter and (others or spread)) \
            or module_of(function).startswith(_CALLING):
        found.append(first)
    elif function in _SECOND:
        found += call.args[:2] if spread else others[:1]
    elif function is np.piecewise:
        found += call.args if spread else others[1:]
    return found
