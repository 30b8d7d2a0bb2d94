"""Callables of Python's library that hold what they call: partials, getters, cached functions."""
from __future__ import annotations

import collections
import functools
import operator
from typing import Any

import numpy as np

from tangent_lite.calling.read_outside import reads_constants
from tangent_lite.heap import classes, containers, methods, special
from tangent_lite.heap.memory import add, can_vary
from tangent_lite.heap.primitives import Back, varies
from tangent_lite.modules import LIBRARIES, package_of


def call_getter(tape: Any, function: Any, x: Any) -> tuple[Any, Back | None]:
    """operator.itemgetter(key), attrgetter(name), methodcaller(name, ...)"""
    reduced: Any = function.__reduce__()
    kind, given = reduced[:2]
    if isinstance(function, operator.methodcaller):
        if isinstance(kind, functools.partial):             # it was made with keywords
            return methods.call(tape, x, kind.args[0], given, kind.keywords)
        return methods.call(tape, x, given[0], given[1:], {})
    steps = [tape.got(x, key) if isinstance(function, operator.itemgetter)
             else _along(tape, x, key.split(".")) for key in given]
    if len(steps) == 1:
        return steps[0]
    backs = [back for _, back in steps]

    def back(adjoint: Any) -> Any:
        out = None
        for k in range(len(backs) - 1, -1, -1):
            one = backs[k]
            found = one((adjoint or {}).get(k)) if one is not None else None
            if found is not None:
                out = add(out, found[0])
        return (out,)
    return tuple(value for value, _ in steps), back


def _along(tape: Any, x: Any, path: list[str]) -> tuple[Any, Back | None]:
    """x.a.b.c"""
    backs = []
    for name in path:
        x, back = classes.get(tape, x, name)
        backs.append(back)

    def along(adjoint: Any) -> Any:
        for one in reversed(backs):
            found = one(adjoint) if one is not None else None
            adjoint = None if found is None else found[0]
        return (adjoint,)
    return x, along


def make_partial(tape: Any, args: tuple[Any, ...],
                 keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """functools.partial(function, ...): what it was given has slots."""
    made: functools.partial[Any] = functools.partial(args[0], *args[1:], **keywords)
    first = len(args) - 1
    start = len(made.args) - first

    def back(_: Any) -> Any:
        slots = tape.adjoints.slots(made)
        if not slots:
            return None
        out = [None, *(slots.pop(start + k, None) for k in range(first)),
               *(slots.pop(name, None) for name in keywords)]
        for key in list(slots):                 # what a partial inside was given
            tape.adjoints.add_slot(args[0], key, slots.pop(key))
        return out
    tape.heap.ours(made)
    return made, back


def call_partial(tape: Any, function: functools.partial[Any], args: tuple[Any, ...],
                 keywords: dict[str, Any], inner: Any = None) -> tuple[Any, Back | None]:
    """A call of a partial, or of inner in the place of the function that it calls."""
    merged = {**function.keywords, **keywords}
    inner = function.func if inner is None else inner
    value, back = tape.called(inner, (*function.args, *args), merged)
    if back is None:
        return value, None

    def split(adjoint: Any) -> Any:
        found = back(adjoint)
        if found is None:
            return None
        found = [*found, *[None] * (len(function.args) + len(args) + len(merged) - len(found))]
        for k in range(len(function.args)):
            tape.adjoints.add_slot(function, k, found[k])
        after = found[len(function.args) + len(args):]
        out = list(found[len(function.args):len(function.args) + len(args)])
        by_name = dict(zip(merged, after))
        for name in function.keywords:
            if name not in keywords:
                tape.adjoints.add_slot(function, name, by_name[name])
        return out + [by_name[name] for name in keywords]
    return value, split


class Kept:
    """What a cached function gave for some arguments, in this run."""
    __slots__ = ("given", "value")

    def __init__(self, value: Any, given: tuple[Any, ...]) -> None:
        self.value, self.given = value, given


def call_cached(tape: Any, function: Any, args: tuple[Any, ...],
                keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """A function under functools.lru_cache. For plain values it gives what it has kept, which may
    have been written into since. What it gives for numbers that vary is computed anew: equal
    numbers may come from different places. An object or a function may hold what varies, so what
    they are kept for is one of this run; if they vary, it has to be the same one."""
    wrapped = function.__wrapped__
    settings = function.cache_parameters()
    key = functools._make_key(args, keywords, settings["typed"])    # 1 and 1.0 are two of them
    given = *args, *keywords.values()
    special.hashed(tape, *given)
    hash(key)                                   # raises what Python raises
    known = tape.heap.kept.setdefault(function, collections.OrderedDict())
    if any(map(_is_number_that_varies, given)):
        value, back = tape.called(wrapped, args, keywords)
        _keep(known, key, known.get(key), settings["maxsize"])
        return value, back
    if all(map(_is_settled, given)) and reads_constants(wrapped):
        return tape.heap.own(function(*args, **keywords)), None
    kept = known.get(key)
    if kept is not None and (not any(map(varies, given)) or _are_the_same(kept.given, given)):
        known.move_to_end(key)
        return kept.value, containers.read(tape, kept, "value") \
            if containers.holds(kept.value) else None
    value, back = tape.called(wrapped, args, keywords)
    first = Kept(value, given)
    _keep(known, key, kept or first, settings["maxsize"])
    if kept is not None:
        return value, back

    def both(adjoint: Any) -> Any:
        slot = tape.adjoints.slots(first).pop("value", None)
        return back(add(adjoint, slot)) if back is not None else None
    return value, both


def _keep(known: collections.OrderedDict[Any, Kept | None], key: Any, kept: Kept | None,
          maxsize: int | None) -> None:
    """Keep a result, as the last one that was asked for, and no more of them than the cache keeps:
    what it forgets is computed anew from what is captured then. None: the result for numbers that
    vary, which only takes a place."""
    known[key] = kept
    known.move_to_end(key)
    if maxsize is not None and len(known) > maxsize:
        known.popitem(last=False)


def _is_number_that_varies(value: Any) -> bool:
    return any(map(_is_number_that_varies, value)) if isinstance(value, (tuple, frozenset)) \
        else can_vary(value)


def _is_settled(value: Any) -> bool:
    """Whether nothing that a value holds can vary or change: objects may, and what functions
    capture."""
    if isinstance(value, (tuple, frozenset)):
        return all(map(_is_settled, value))
    return isinstance(value, (int, float, complex, str, bytes, np.generic, type(None))) \
        or (callable(value) and package_of(value) in LIBRARIES)


def _are_the_same(ones: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    """Whether the objects among two sets of arguments, which are equal, are the same ones."""
    return all(_are_the_same(a, b) if isinstance(a, tuple) and isinstance(b, tuple)
               else a is b or _is_settled(a) for a, b in zip(ones, others))
