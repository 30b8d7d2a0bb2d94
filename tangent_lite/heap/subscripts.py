"""x[key], read, written and deleted: of an array, a container, an object with methods for it."""
from __future__ import annotations

import collections
import types
from typing import Any

import numpy as np

from tangent_lite.analyses.origins import makes_grids
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import arrays, classes, flat, items, special
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, primitive, varies


def got(tape: Any, x: Any, key: Any) -> tuple[Any, Back | None]:
    """x[key]"""
    if type(x) is list and type(key) is int:
        return items.get(tape, x, key)
    if isinstance(x, (np.ndarray, list, tuple, collections.deque, str, bytes, range)):
        if type(key) is not int:
            key = special.index(tape, key)
        return (arrays if isinstance(x, np.ndarray) else items).get(tape, x, key)
    if isinstance(x, dict):
        _check_plain(tape, x, "__getitem__")
        special.hashed(tape, key)
        if getattr(x, "default_factory", None) is not None and key not in x:
            return items.default(tape, x, key)
        missing = getattr(type(x), "__missing__", None)
        if missing is not None and key not in x:
            value, back = tape.called(missing, (x, key), {})
            return value, back and (lambda adjoint: (back(adjoint) or (None,))[:1])
        return items.get(tape, x, key)
    if isinstance(x, flat.Flat):
        return flat.got(tape, x, special.index(tape, key))
    if is_record(x):
        if _key_varies(key):
            raise UnsupportedSyntaxError("a float is the key of an object", tape.place(),
                                         "use a method")
        if hasattr(type(x), "__getitem__"):
            return tape.called(type(x).__getitem__, (x, key), {})
    if isinstance(x, np.generic) and x.dtype.kind in "fc":
        found: Any = np.asarray(x)[key]     # more axes are put in; x[()] is x
        if not isinstance(found, np.ndarray):
            return x, lambda adjoint: (adjoint,)
        return primitive(tape, np.reshape, None, (x, found.shape), {})
    if _key_varies(_without_counts(key) if makes_grids(x) else key):
        raise UnsupportedSyntaxError(f"what a {type(x).__name__} gives for a key that varies "
                                     "is not known", tape.place(), "call a function")
    return x[key], None


def wrote(tape: Any, x: Any, key: Any, value: Any) -> Back | None:
    """x[key] = value"""
    if isinstance(x, np.ndarray):
        return arrays.set_(tape, x, special.index(tape, key), value)
    if isinstance(x, dict):
        _check_plain(tape, x, "__setitem__")
        special.hashed(tape, key)
        return items.set_(tape, x, key, value)
    if isinstance(x, (list, collections.deque)):
        return items.set_(tape, x, special.index(tape, key), value)
    if isinstance(x, flat.Flat):
        return flat.wrote(tape, x, special.index(tape, key), value)
    if is_record(x) and hasattr(type(x), "__setitem__"):
        _, back = tape.called(type(x).__setitem__, (x, key, value), {})
        return None if back is None else (lambda b: _from(back(b), 2))
    if not hasattr(type(x), "__setitem__"):
        x[key] = value                      # raises what Python raises
    raise UnsupportedSyntaxError(f"an item of a {type(x).__name__} is written", tape.place(),
                                 "use a list, a dict or an array")


def deleted(tape: Any, x: Any, key: Any) -> Back | None:
    """del x[key]"""
    if isinstance(x, (list, dict, collections.deque)):
        if isinstance(x, dict):
            special.hashed(tape, key)
        else:
            key = special.index(tape, key)
        return items.delete(tape, x, key)
    if is_record(x) and hasattr(type(x), "__delitem__"):
        _, back = tape.called(type(x).__delitem__, (x, key), {})
        return back
    del x[key]                                  # raises what Python raises
    return None


def _check_plain(tape: Any, x: dict[Any, Any], method: str) -> None:
    """Refuse a dict the class of which says in Python what its items are, as scipy.sparse has one:
    what is written there need not be what is read."""
    if type(x) is not dict and isinstance(classes.on_class(type(x), method), types.FunctionType):
        raise UnsupportedSyntaxError(f"a {type(x).__name__} is a dict of a kind of its own, which "
                                     "cannot be followed", tape.place(), "use a dict")


def _from(found: Any, first: int) -> Any:
    return None if found is None else found[first:]


def _without_counts(key: Any) -> Any:
    """The slices of np.mgrid[0:1:5j] without the steps that say how many numbers there are."""
    if isinstance(key, tuple):
        return tuple(map(_without_counts, key))
    return slice(key.start, key.stop) if isinstance(key, slice) and isinstance(
        key.step, complex) else key


def _key_varies(key: Any) -> bool:
    """Whether there are numbers that may vary in a key, bounds of slices included."""
    return any(varies((k.start, k.stop, k.step)) if isinstance(k, slice) else varies(k)
               for k in (key if isinstance(key, tuple) else (key,)))
