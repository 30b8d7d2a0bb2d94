"""What a call writes into: `out=` and its place among the arguments, and functions that write.

>>> import numpy as np
>>> from tangent_lite import syntax
>>> call = syntax.parse_expression("np.clip(x, 0.0, 1.0, y)")
>>> [part.id for part in written(call, np.clip, None)]
['y']
"""
from __future__ import annotations

import random
import types
from typing import Any

import gast
import numpy as np

from tangent_lite import registry
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import module_of, package_of
from tangent_lite.result_kinds.outputs import (  # noqa: F401
    OUT_OF_METHODS,
    WITHOUT_OUT,
    is_image,
    is_numerical,
    is_out,
    is_ufunc_method,
    out_place,
)

# Methods of arrays that write into their array. Others that no rule knows may write as well.
METHODS = {"fill", "sort", "partition", "put", "itemset", "resize", "setflags", "setfield",
           "byteswap", "__setitem__", "__delitem__", "__setstate__",
           *(f"__i{name}__" for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow",
                                         "matmul", "and", "or", "xor", "lshift", "rshift"))}
# Methods that change lists, dicts, sets, deques and arrays.
CHANGING = METHODS | {
    "append", "extend", "insert", "pop", "remove", "clear", "reverse", "update", "setdefault",
    "popitem", "move_to_end", "add", "discard", "appendleft", "extendleft", "popleft", "rotate",
    "difference_update", "intersection_update", "symmetric_difference_update"}
HARMLESS = {"tolist", "tobytes", "tostring", "item", "dump", "dumps", "tofile", "view", "getfield",
            "newbyteorder", "to_device", "choose", "compress"}
# Functions, and methods of generators, that write into their first argument.
SHUFFLES = {np.random.shuffle, np.random.Generator.shuffle, np.random.RandomState.shuffle,
            random.shuffle, random.Random.shuffle}
FUNCTIONS = {np.copyto, np.put, np.place, np.putmask, np.fill_diagonal, np.put_along_axis,
             setattr, delattr, *SHUFFLES}
# Functions that write numbers into files, from which they may be read again.
TO_FILES = {np.save, np.savez, np.savez_compressed, np.savetxt}
# These look for an overlap of `out` with what they read, and copy if there is one, as ufuncs do.
CAREFUL = {getattr(owner, name) for name in (
    "sum", "prod", "mean", "var", "std", "max", "min", "cumsum", "cumprod", "clip", "take",
    "compress", "choose", "round", "trace", "dot", "all", "any", "argmax", "argmin")
    for owner in (np, np.ndarray)} | {
    np.einsum, np.outer, np.median, np.quantile, np.percentile, np.nansum, np.nanmean, np.nanvar,
    np.nanstd, np.nanmax, np.nanmin, np.amax, np.amin, np.around, np.fix}



def _names_a_type(node: gast.expr) -> bool:
    """Whether an expression is the name of a type of numbers, or asks an array for its own."""
    if isinstance(node, gast.Attribute):
        return node.attr == "dtype" or isinstance(getattr(np, node.attr, None), type)
    return isinstance(node, gast.Constant) or getattr(node, "id", "") in ("float", "int", "complex")


def outs(call: gast.Call, function: Any, receiver: gast.expr | None) -> list[gast.expr]:
    """What a call is given as `out`, by name or by its place; a tuple is one of them."""
    found = [k.value for k in call.keywords if is_out(k.arg, function)]
    if function is NO_OBJECT:
        return found
    if not is_numerical(function):
        return []               # a parameter of that name, which means what its function says
    arguments = ([] if receiver is None else [receiver]) + list(call.args)
    if isinstance(function, np.ufunc):
        return found + arguments[function.nin:]
    try:
        place = out_place(function)
    except TypeError:
        place = None
    if place is not None and place < len(arguments):
        found.append(arguments[place])
    return [f for f in found if not (isinstance(f, gast.Constant) and f.value is None)
            and not (is_image(function) and _names_a_type(f))]


def written(call: gast.Call, function: Any, receiver: gast.expr | None) -> list[gast.expr]:
    """The expressions whose arrays a call certainly changes, as far as is known of it."""
    found = outs(call, function, receiver)
    if function is NO_OBJECT:
        return found
    everything = [*call.args, *(k.value for k in call.keywords)]
    first = [receiver] if receiver is not None else everything
    entry = _entry(function)
    if entry is not None and entry.writes:
        found += _named(entry, call, receiver)
    name = getattr(function, "__name__", "")
    if receiver is None and changes_its_first(function):
        return found + (call.args[:1] or everything)
    of_array = function is getattr(np.ndarray, name, None)
    if of_array and (name in METHODS or (
            entry is None and name not in HARMLESS and not name.startswith("__"))):
        found += first
    elif is_ufunc_method(function, "at") or is_in(function, FUNCTIONS) \
            or _writes_in_place(function):
        found += call.args[:1] or everything
    elif (function is np.nan_to_num and len(call.args) > 1) or any(
            _asks_to_overwrite(k, function) for k in call.keywords):
        found += first
    return found


def changes_its_first(function: Any) -> bool:
    """Whether a function is a method that changes its object, asked of a class: `list.append`."""
    return isinstance(function, (types.MethodDescriptorType, types.WrapperDescriptorType)) \
        and function.__objclass__ is not np.ndarray \
        and (function.__name__ in CHANGING or function.__name__ == "__init__")


def may_change(call: gast.Call, function: Any) -> list[gast.expr]:
    """All that a call may change of which nothing is known."""
    if getattr(call, "is_pure", False) or isinstance(call.func, gast.Constant):
        return []                           # a mark is written as a call of a literal
    if function is not NO_OBJECT:
        if is_numerical(function):          # `out` may be among what a star stands for
            return [a for a in call.args if isinstance(a, gast.Starred)] \
                + [k.value for k in call.keywords if k.arg is None]
        if _entry(function) is not None or hasattr(function, "__code__") or isinstance(
                function, (np.ufunc, type, types.MethodDescriptorType)):
            return []
        owner = getattr(function, "__self__", None)
        if isinstance(owner, np.ufunc) or package_of(function) in (
                "numpy", "builtins", "math", "cmath", "operator", "_operator"):
            return []
    return [call.func, *call.args, *(k.value for k in call.keywords)]


def _entry(function: Any) -> Any:
    return registry.lookup(function) if function is not NO_OBJECT else None


def _named(entry: registry.Entry, call: gast.Call,
           receiver: gast.expr | None) -> list[gast.expr]:
    """What a call is given for the parameters that its function writes into: its other arguments
    are only read, and what it adds to a place would seem to change the index otherwise."""
    arguments = ([] if receiver is None else [receiver]) + list(call.args)
    everything = [*arguments, *(k.value for k in call.keywords)]
    if entry.adjoint is None or any(isinstance(a, gast.Starred) for a in call.args) \
            or any(k.arg is None for k in call.keywords):
        return everything
    names = [p.name for p in entry.adjoint.parameters]
    return [a for name, a in zip(names, arguments) if name in entry.writes] \
        + [k.value for k in call.keywords if k.arg in entry.writes]


def is_in(function: Any, functions: Any) -> bool:
    """Whether a function is one of some; what has no hash is none of them."""
    try:
        return function in functions
    except TypeError:
        return False


def _writes_in_place(function: Any) -> bool:
    """operator.iadd and its like."""
    name = getattr(function, "__name__", "")
    return (module_of(function) in ("operator", "_operator") \
        and name.startswith("i") and name not in ("index", "indexOf", "inv", "invert", "is_",
                                                  "is_not", "itemgetter")) \
        or (module_of(function) in ("operator", "_operator")
            and name in ("setitem", "delitem"))


def _asks_to_overwrite(keyword: gast.keyword, function: Any) -> bool:
    """overwrite_input=True, inplace=True; copy=False of nan_to_num."""
    name = keyword.arg or ""
    value = getattr(keyword.value, "value", None) if isinstance(keyword.value, gast.Constant) \
        else None
    if name == "copy" and function is np.nan_to_num:
        return value is not True
    return (name.startswith("overwrite") or name == "inplace") and value is not False
