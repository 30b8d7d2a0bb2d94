"""Arguments that say what the default of their parameter says: they are not written."""
from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import gast
import numpy as np

_NONE: Any = object()
# What arguments mean that have no value (np._NoValue) unless they are given one.
_UNSAID = {"keepdims": False, "where": True}
# Functions whose defaults only newer versions of NumPy tell.
_UNTOLD = {id(np.concatenate): {"arrays": _NONE, "axis": 0}}


def leave_defaults_out(node: gast.Call, function: Any) -> gast.Call:
    """Drop arguments at the end of a call, and keywords, that equal the function's defaults."""
    try:
        defaults = _defaults(function)
    except TypeError:
        return node                 # a function without a hash, as those of ctypes
    if not defaults:
        return node
    names = list(defaults)
    node.keywords = [k for k in node.keywords if not is_default(k.value, defaults.get(
        k.arg, True if k.arg == "where" else _NONE))]
    if not node.keywords:
        while node.args and len(node.args) <= len(names) and \
                is_default(node.args[-1], defaults[names[len(node.args) - 1]]):
            node.args.pop()
    return node


@cache
def _defaults(function: Any) -> dict[str, Any]:
    if id(function) in _UNTOLD:
        return _UNTOLD[id(function)]
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return {}
    return {p.name: _NONE if p.default is p.empty else default_of(p) for p in parameters}


def default_of(parameter: inspect.Parameter) -> Any:
    """What a parameter means that is not given."""
    return _UNSAID.get(parameter.name, _NONE) if parameter.default is np._NoValue \
        else parameter.default


def is_default(node: gast.expr, default: Any) -> bool:
    """Whether an argument is a literal that says what the default says."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) \
            and isinstance(default, int):
        return is_default(node.operand, -default)          # axis=-1
    if isinstance(node, gast.Tuple) and isinstance(default, tuple):
        return len(node.elts) == len(default) and all(map(is_default, node.elts, default))
    return (isinstance(node, gast.Constant) and type(node.value) is type(default)
            and node.value == default)
