"""Calls of functions that have a rule, and of those of which nothing depends that varies: what
these write into, and what they may not be given, is settled before.
"""
from __future__ import annotations

import collections
import functools
import types
from typing import Any

import numpy as np

from tangent_lite import registry
from tangent_lite.analyses import writers
from tangent_lite.errors import AliasError, MissingRuleError, UnsupportedSyntaxError
from tangent_lite.heap import arrays, handed_back, special, texts
from tangent_lite.heap.foreign import check_closed
from tangent_lite.heap.iteration import Lazy
from tangent_lite.heap.modelled import HANDLERS
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, primitive, varies
from tangent_lite.heap.untouched import untouched
from tangent_lite.modules import module_of, package_of
from tangent_lite.trees import arrays_in

LIBRARY = {"numpy", "scipy", "math", "cmath", "builtins", "operator", "functools", "itertools",
            "copy", "collections", "_operator", "_functools", "numba"}
# Where functions go through what they are given, whatever it is.
_GOING_THROUGH = ("builtins", "math", "statistics")
# What rules know as a list.
_LISTED: tuple[Any, ...] = (collections.deque, type({}.values()))
# What keeps a function, which is followed when it is called.
_WRAPPERS: tuple[Any, ...] = (functools._lru_cache_wrapper, staticmethod, classmethod, property,
                              types.MethodType)


def with_rule(tape: Any, function: Any, args: tuple[Any, ...],
               keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """The value of a call of a function with a rule, or with none, and what takes adjoints back."""
    if tape.heap.writes_text and args and texts.is_text(args[0]):
        texts.followed(tape, function, args, keywords)      # np.array(["0.5"], float)
    if function is np.array and "copy" in keywords:
        if not keywords["copy"]:
            function(*args, **keywords)         # raises what NumPy raises where it has to copy
            function = np.asarray
        keywords = {name: value for name, value in keywords.items() if name != "copy"}
    if any(isinstance(a, Lazy) or is_record(a) for a in args):
        is_python = module_of(function) in _GOING_THROUGH
        args = tuple(tape.listed(a) if isinstance(a, Lazy) or (
            is_python and is_record(a) and hasattr(type(a), "__iter__")) else a for a in args)
    if any(isinstance(a, _LISTED) for a in args):
        return _of_lists(tape, function, args, keywords)
    out = next((value for name, value in keywords.items() if value is not None
                and writers.is_out(name, function)), None)
    if isinstance(out, (type, str, np.dtype)):
        out = None                                  # scipy.ndimage takes a type there as well
    place = None
    if out is None and args and not isinstance(function, type):
        try:
            place = function.nin if isinstance(function, np.ufunc) else writers.out_place(function)
        except TypeError:
            place = None
        if place is not None and place < len(args) and not isinstance(
                args[place], (type, str, np.dtype)):
            out = args[place]
    if out is not None:
        return _into(tape, function, args, keywords, out, place)
    check_closed(tape, function, [args, keywords], name_of(function))
    entry = _entry(function)
    if entry is not None and (entry.writes or writers.is_in(function, writers.FUNCTIONS)):
        raise UnsupportedSyntaxError(f"{name_of(function)} writes into its argument, which is not "
                                     "handled here", tape.place(), "write x[...] = ...")
    if entry is not None and entry.constant and entry.adjoint is None:
        return native(tape, function, args, keywords, True)
    if writers.is_in(function, writers.FUNCTIONS):
        raise UnsupportedSyntaxError(f"{name_of(function)} writes into its argument, which is not "
                                     "handled here", tape.place(), "write x[...] = ...")
    if entry is None and not any(varies(a) for a in (*args, *keywords.values())) \
            and callable(function) is not False:
        return native(tape, function, args, keywords)
    return primitive(tape, function, None, args, keywords)


def _of_lists(tape: Any, function: Any, args: tuple[Any, ...],
              keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """A call that is given deques or values of a dict: rules know lists."""
    steps = [HANDLERS[list](tape, a) if isinstance(a, _LISTED) else (a, None)
             for a in args]
    value, back = with_rule(tape, function, tuple(a for a, _ in steps), keywords)
    if back is None:
        return value, None

    def through(adjoint: Any) -> Any:
        found = back(adjoint)
        for _, copied in steps:
            if copied is not None:
                copied(None)
        return found
    return value, through


def _into(tape: Any, function: Any, args: tuple[Any, ...], keywords: dict[str, Any], out: Any,
          place: int | None) -> tuple[Any, Back | None]:
    """f(..., out=x): x takes what f gives without it."""
    x = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    if not isinstance(x, np.ndarray) or getattr(function, "nout", 1) > 1:
        raise UnsupportedSyntaxError("several outputs are written in place", tape.place(),
                                     "take the results, and write them one by one")
    if function in writers.WITHOUT_OUT:
        raise UnsupportedSyntaxError("a call that may change an active value is not handled yet",
                                     tape.place(), "assign its result, or write x[...] = value")
    if not isinstance(function, np.ufunc) and not writers.is_ufunc_method(function) \
            and function not in writers.CAREFUL and any(
                np.shares_memory(x, read) for read in arrays_in([a for a in args if a is not out])):
        raise AliasError("what this call reads lies where out= writes, and may be written over "
                         "before it is read", tape.place(),
                         "write x[...] = and the call without out=")
    plain = {k: v for k, v in keywords.items()
             if k not in ("where", "casting") and not writers.is_out(k, function)}
    if not isinstance(function, np.ufunc) and "where" in keywords:
        plain["where"] = keywords["where"]
    where = keywords.get("where") if isinstance(function, np.ufunc) else None
    given = args if place is None or place >= len(args) else args[:place]
    with np.errstate(all="ignore"):
        fresh, first = primitive(tape, function, None, given, plain)
    if is_view(fresh, given):
        fresh, first = primitive(tape, np.copy, None, (fresh,), {})
    back = arrays.write_result(tape, x, where, lambda: function(*args, **keywords), fresh, first)
    return out if not isinstance(out, tuple) else x, back


def is_view(value: Any, given: tuple[Any, ...]) -> bool:
    from tangent_lite.heap.primitives import is_view_of
    return is_view_of(value, given)


def native(tape: Any, function: Any, args: tuple[Any, ...], keywords: dict[str, Any],
           is_constant: bool = False) -> tuple[Any, Back | None]:
    """A call of which nothing depends that has a derivative."""
    special.check(tape, special.ALL, *args, *keywords.values())
    if not is_constant:
        for arg in (*args, *keywords.values()):
            if varies(arg):
                if registry.refusal_of(function) is not None:
                    raise registry.missing_rule(function, name_of(function), tape.place(), [])
                raise MissingRuleError(f"no adjoint rule for {name_of(function)}", tape.place(),
                                       "register one with @tangent_lite.adjoint, or declare it "
                                       f"tangent_lite.nondifferentiable({name_of(function)})")
            if isinstance(arg, Lazy) or (is_record(arg) and not isinstance(function, type)):
                raise AliasError(f"what {name_of(function)} does to its arguments is not known",
                                 tape.place(), "write it in Python")
    if function not in _WRAPPERS:
        check_closed(tape, function, [args, keywords], name_of(function))
    if is_constant and _is_of_library(function):
        return texts.followed(tape, function, args, keywords), None
    with untouched(tape, name_of(function), (args, keywords)):
        value = texts.followed(tape, function, args, keywords)
    return handed_back.apart(tape, function, value, [args, keywords]) if is_constant else value, \
        None


def _is_of_library(function: Any) -> bool:
    return isinstance(function, np.ufunc) or \
        package_of(function) in LIBRARY


def _entry(function: Any) -> Any:
    try:
        return registry.lookup(function)
    except TypeError:
        return None


def name_of(function: Any) -> str:
    return str(getattr(function, "__qualname__", None) or getattr(function, "__name__", function))
