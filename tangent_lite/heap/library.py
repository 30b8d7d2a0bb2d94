"""Handlers of Python's functions: those that make containers or copies, and attributes by name.

The neighbours hold the others: `library_iterators`, `library_folds`, `library_numbers`,
`library_arrays`; who imports this has them all.
"""
from __future__ import annotations

import collections
import copy
import dataclasses
import operator
from typing import Any

import numpy as np

from tangent_lite.adjoints.checkpoints import checkpoint
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.functions.protocols import BY_METHOD
from tangent_lite.heap import (  # noqa: F401
    classes,
    containers,
    dicts,
    library_arrays,
    library_folds,
    library_iterators,
    library_numbers,
    operations,
    special,
)
from tangent_lite.heap.containers import Moves, holds
from tangent_lite.heap.deep import COPYING, deep_copy, special_of
from tangent_lite.heap.giving_up import attempted
from tangent_lite.heap.handlers import HANDLERS, Handler, handles
from tangent_lite.heap.own import is_record, keep
from tangent_lite.heap.primitives import Back, primitive
from tangent_lite.runtime.objects import blank
from tangent_lite.runtime.tangents import attributes


# Containers ------------------------------------------------------------------------------------
@handles(list)
def list_(tape: Any, *xs: Any) -> tuple[Any, Back | None]:
    return _copied(tape, list, xs)


@handles(tuple)
def tuple_(tape: Any, *xs: Any) -> tuple[Any, Back | None]:
    if xs and type(xs[0]) is tuple:
        return xs[0], lambda adjoint: (adjoint,)
    return _copied(tape, tuple, xs)


def _copied(tape: Any, kind: Any, xs: tuple[Any, ...]) -> tuple[Any, Back | None]:
    if not xs:
        return kind(), None
    items = tape.listed(xs[0])
    made = kind(items)
    moves = Moves(tape, made)
    for k, item in enumerate(made):
        if holds(item):
            moves.part(k, 0, items, k)
    return made, moves.back(1)


@handles(collections.deque)
def deque_(tape: Any, *xs: Any, maxlen: Any = None) -> tuple[Any, Back | None]:
    if len(xs) > 1:
        maxlen = xs[1]
    made: Any = collections.deque(maxlen=maxlen)
    if not xs:
        return made, None
    items = tape.listed(xs[0])
    made.extend(items)
    moves = Moves(tape, made)
    for k in range(len(made)):
        if holds(made[k]):
            moves.part(k, 0, items, len(items) - len(made) + k)
    return made, moves.back(len(xs))


@handles(dict)
def dict_(tape: Any, /, *xs: Any, **keywords: Any) -> tuple[Any, Back | None]:
    return filled(tape, {}, xs, keywords)


@handles(collections.OrderedDict)
def ordered_dict_(tape: Any, /, *xs: Any, **keywords: Any) -> tuple[Any, Back | None]:
    return filled(tape, collections.OrderedDict(), xs, keywords)


@handles(dict.fromkeys)
def fromkeys_(tape: Any, keys: Any, value: Any = None) -> tuple[Any, Back | None]:
    keys = tape.listed(keys)
    special.hashed(tape, *keys)
    made = dict.fromkeys(keys, value)
    moves = Moves(tape, made)
    for key in made:
        if holds(value):
            moves.item(key, 1)
    return made, moves.back(2)


@handles(collections.defaultdict)
def defaultdict_(tape: Any, /, *xs: Any, **keywords: Any) -> tuple[Any, Back | None]:
    made: Any = collections.defaultdict(xs[0] if xs else None)
    _, back = filled(tape, made, xs[1:], keywords)
    return made, None if back is None else (
        lambda adjoint: _prefixed(back(adjoint), len(xs[:1])))


def _prefixed(found: Any, count: int) -> Any:
    return None if found is None else [None] * count + list(found)


def filled(tape: Any, made: Any, xs: tuple[Any, ...],
           keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """A dict that is given what `dict` takes."""
    if not xs and not keywords:
        return made, None
    _, back = dicts.update(tape, made, xs, keywords)
    return made, back


@handles(set)
def set_(tape: Any, *xs: Any) -> tuple[Any, Back | None]:
    items = list(tape.listed(xs[0])) if xs else []
    return containers.display(tape, set, tuple(items))[0], None


@handles(frozenset)
def frozenset_(tape: Any, *xs: Any) -> tuple[Any, Back | None]:
    return frozenset(set_(tape, *xs)[0]), None


@handles(checkpoint)
def checkpoint_(tape: Any, function: Any) -> tuple[Any, Back | None]:
    """The function itself: all that the backward pass needs is kept here anyhow."""
    return function, lambda adjoint: (adjoint,)


@handles(len)
def len_(tape: Any, xs: Any) -> tuple[Any, Back | None]:
    return len(xs), None


@handles(id)
def id_(tape: Any, x: Any) -> tuple[Any, Back | None]:
    return id(tape.heap.shared.original(x)), None


HANDLERS[operator.is_] = lambda tape, a, b: (tape.heap.shared.is_one(a, b), None)
HANDLERS[operator.is_not] = lambda tape, a, b: (not tape.heap.shared.is_one(a, b), None)


# Attributes -----------------------------------------------------------------------------------
_LOST = "what is changed before an attribute turns out to be missing is lost"
_ASK = "let it be missing before anything changes"


@handles(hasattr)
def hasattr_(tape: Any, x: Any, name: str) -> tuple[Any, Back | None]:
    if not is_record(x):
        return hasattr(x, name), None
    found = attempted(tape, lambda: classes.get(tape, x, name), AttributeError, _LOST, _ASK)
    if found is None:
        return False, None
    back = found[1]                             # a property may change something
    return True, None if back is None else (lambda _: _padded(back(None)))


@handles(getattr)
def getattr_(tape: Any, x: Any, name: str, *default: Any) -> tuple[Any, Back | None]:
    found = attempted(tape, lambda: classes.get(tape, x, name), AttributeError, _LOST, _ASK) \
        if default else classes.get(tape, x, name)
    if found is None:
        return default[0], lambda adjoint: (None, None, adjoint)
    value, back = found
    return value, None if back is None else (lambda adjoint: _padded(back(adjoint)))


def _padded(found: Any) -> Any:
    return None if found is None else (found[0], None, None)


@handles(object.__getattribute__)
def object_getattribute(tape: Any, x: Any, name: str) -> tuple[Any, Back | None]:
    value, back = classes.get_plainly(tape, x, name)
    return value, None if back is None else (lambda adjoint: _padded(back(adjoint)))


@handles(setattr)
def setattr_(tape: Any, x: Any, name: str, value: Any) -> tuple[Any, Back | None]:
    back = classes.set_(tape, x, name, value)
    return None, _third(back)


@handles(object.__setattr__)
def object_setattr(tape: Any, x: Any, name: str, value: Any) -> tuple[Any, Back | None]:
    return None, _third(classes.set_plainly(tape, x, name, value))


def _third(back: Back | None) -> Back | None:
    if back is None:
        return None

    def third(adjoint: Any) -> Any:
        found = back(adjoint)
        return None if found is None else (None, None, found[0])
    return third


@handles(delattr)
def delattr_(tape: Any, x: Any, name: str) -> tuple[Any, Back | None]:
    return None, classes.delete(tape, x, name)


# Copies ---------------------------------------------------------------------------------------
@handles(copy.copy)
def copy_(tape: Any, x: Any) -> tuple[Any, Back | None]:
    special.check(tape, special.ATTRIBUTES, x)
    if isinstance(x, np.ndarray):
        return primitive(tape, None, "copy", (x,), {})
    if is_record(x):
        if hasattr(type(x), "__copy__"):
            value, back = tape.called(type(x).__copy__, (x,), {})
            return value, back
        method = special_of(x, COPYING)
        if method is not None:
            raise UnsupportedSyntaxError(f"{type(x).__name__} says in {method} how it is copied, "
                                         "which cannot be followed", tape.place(),
                                         "write a method that makes the copy")
        made = blank(type(x))
        moves = Moves(tape, made)
        for name, value in attributes(x).items():
            keep(x, made, name, value)
            if holds(value):
                moves.part(name, 0, x, name)
        tape.heap.ours(made)
        return made, moves.back(1)
    return shallow(tape, x)


def shallow(tape: Any, x: Any) -> tuple[Any, Back | None]:
    """x.copy() of a list, dict or set."""
    if isinstance(x, (tuple, str, int, float, complex, type(None), np.generic)):
        return x, lambda adjoint: (adjoint,)
    made = copy.copy(x)
    moves = Moves(tape, made)
    keys = x if isinstance(x, dict) else range(len(x)) if isinstance(x, containers.LISTS) else ()
    for key in keys:
        if holds(x[key]):
            moves.part(key, 0, x, key)
    return made, moves.back(1)


@handles(copy.deepcopy)
def deepcopy_(tape: Any, x: Any) -> tuple[Any, Back | None]:
    special.check(tape, special.ATTRIBUTES, x)
    return deep_copy(tape, x)


@handles(dataclasses.replace)
def replace_(tape: Any, x: Any, /, **changes: Any) -> tuple[Any, Back | None]:
    kind = type(x)
    names = [f.name for f in dataclasses.fields(x) if f.init]
    values = {name: changes.get(name, getattr(x, name)) for name in names}
    if set(changes) - set(names):
        made = dataclasses.replace(x, **changes)        # raises what Python raises, mostly
        raise UnsupportedSyntaxError(f"dataclasses.replace gives {type(made).__name__} values that "
                                     "are no fields", tape.place(), "call the class itself")
    made, back = tape.called(kind, (), values)

    def split(adjoint: Any) -> Any:
        found = back(adjoint) if back is not None else None
        if found is None:
            return None
        parts = dict(zip(names, found))
        for name in names:
            if name not in changes:
                tape.adjoints.add_slot(x, name, parts.get(name))
        return [None, *(parts.get(name) for name in changes)]
    return made, split


@handles(operator.setitem)
def setitem_(tape: Any, x: Any, key: Any, value: Any) -> tuple[Any, Back | None]:
    return None, _third(tape.wrote(x, key, value))


# Builtins that ask a class: behind all that register handlers of these ----------------------------
def _asking(function: Any, method: str, plain: Handler | None) -> Handler:
    """A builtin that asks the class of its argument for a method (see `protocols`)."""
    def handler(tape: Any, /, *args: Any, **keywords: Any) -> tuple[Any, Back | None]:
        if args and operations.is_overloaded(args[0], method):
            found = getattr(type(args[0]), method, None)
            if found is not None:
                return tape.called(found, args, keywords)
        if plain is not None:
            return plain(tape, *args, **keywords)
        return primitive(tape, function, None, args, keywords)
    return handler


for _function, _name in BY_METHOD:
    HANDLERS[_function] = _asking(_function, _name, HANDLERS.get(_function))
