"""The spellings of a call that NumPy takes and a rule does not know.

A rule names the parameters of which its formulas speak. A call may give more: options that have
nothing to do with values (`order="F"`, `device="cpu"`), what is left out anyhow (`out=None`,
`full=False`), arguments by position that the rule takes by name (`np.nansum(x, 0, None, None,
True)`) and by names that only NumPy uses (`np.real(val=x)`).
"""
from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds
from tangent_lite.inference import Typer
from tangent_lite.registry import Rule
from tangent_lite.template_defaults import default_of, is_default

# Of ufuncs: how the result is laid out, which casts are allowed, whether subclasses are kept.
WITHOUT_VALUE = {"order", "casting", "subok"}
RENAMED = {"correction": "ddof"}
# Methods of arrays that take their arguments as the functions of NumPy do, and do not say so.
_METHODS = ("sum", "prod", "mean", "std", "var", "max", "min", "cumsum", "cumprod", "ptp")


def as_of_rule(rule: Rule, function: Any, arguments: list[gast.expr],
               keywords: dict[str, gast.expr], typer: Typer) \
        -> tuple[list[gast.expr], dict[str, gast.expr]]:
    """The arguments of a call of a function as its rule takes them; what no rule can leave out is
    left as it is."""
    parameters = rule.parameters
    if (function is max or function is min) and len(arguments) == 1 and not keywords:
        items = arguments[0]                    # max([a, b]) is max(a, b)
        if isinstance(items, (gast.List, gast.Tuple)) and len(items.elts) > 1 and not any(
                isinstance(item, gast.Starred) for item in items.elts):
            arguments = list(items.elts)
    if any(p.star for p in parameters):
        return arguments, _without_options(function, arguments, keywords, typer)
    known = {p.name for p in parameters}
    own = [p.name for p in parameters if not p.keyword_only]
    if len(arguments) <= len(own) and set(keywords) <= known:
        return arguments, keywords
    keywords = _without_options(function, arguments, keywords, typer)
    defaults = _defaults(function)
    names = list(defaults)
    if len(own) < len(arguments) <= len(names):
        keywords = {**dict(zip(names[len(own):], arguments[len(own):])), **keywords}
        arguments = arguments[:len(own)]
    found: dict[str, gast.expr] = {}
    for name, value in keywords.items():
        if name not in known:
            if RENAMED.get(name) in known and name in _all_names(function):
                name = RENAMED[name]
            elif name in names and names.index(name) < len(own) \
                    and own[names.index(name)] not in names:
                name = own[names.index(name)]
            elif _says_nothing(name, value, function):
                continue
        found[name] = value
    return arguments, found


def without_value(function: Any, name: str, value: gast.expr) -> bool:
    """Whether an option of a ufunc changes neither its values nor their type."""
    return isinstance(function, np.ufunc) and (
        name in WITHOUT_VALUE or (name == "where" and _is(value, True))
        or (name in ("out", "dtype") and _is(value, None)))


def _without_options(function: Any, arguments: list[gast.expr], keywords: dict[str, gast.expr],
                     typer: Typer) -> dict[str, gast.expr]:
    """The keywords without options of ufuncs that leave the formula of the derivative as it is."""
    return {name: value for name, value in keywords.items()
            if not without_value(function, name, value)
            and not (name == "dtype" and isinstance(function, np.ufunc)
                     and _is_wide(value, arguments, typer))}


def _is_wide(dtype: gast.expr, arguments: list[gast.expr], typer: Typer) -> bool:
    """Whether what a ufunc with this dtype computes with is what it is given, but for precision:
    real numbers stay real, complex ones complex."""
    asked = kinds.dtype_named(typer.kind(dtype))
    given = [kinds.dtype_of(typer.kind(a)) for a in arguments]
    if asked == "float":
        return all(one in ("float", "int", "bool") for one in given)
    return asked == "complex" and "complex" in given and None not in given


def _says_nothing(name: str, value: gast.expr, function: Any) -> bool:
    """Whether an argument stands for what happens without it."""
    if name == "device":
        return _is(value, None) or _is(value, "cpu")
    if name in ("out", "like"):
        return _is(value, None)
    default = _all_names(function).get(name, inspect.Parameter.empty)
    return default is not inspect.Parameter.empty and is_default(value, default)


def _is(node: gast.expr, value: Any) -> bool:
    return (isinstance(node, gast.Constant) and node.value is value) or (
        isinstance(value, str) and isinstance(node, gast.Constant) and node.value == value)


def _defaults(function: Any) -> dict[str, Any]:
    """The parameters that a function takes by position, with their defaults."""
    return {name: p.default for name, p in _parameters(function)
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)}


def _all_names(function: Any) -> dict[str, Any]:
    return {name: default_of(p) for name, p in _parameters(function)}


@cache
def _parameters(function: Any) -> tuple[tuple[str, inspect.Parameter], ...]:
    name = getattr(function, "__name__", "")
    if name in _METHODS and function is getattr(np.ndarray, name, None):
        function = getattr(np, name)
    if isinstance(function, np.ufunc):
        return ()
    try:
        found = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return ()
    if any(p.kind is p.VAR_POSITIONAL for p in found.values()):
        return ()
    return tuple(found.items())
