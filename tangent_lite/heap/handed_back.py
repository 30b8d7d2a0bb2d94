"""What a call hands back of what it was given, where its derivative is another than that of a view.

Adjoints of arrays belong to their memory, and those of lists to their slots. So `z = x[1:]` needs
no step back: what is added to the adjoint of z is in that of x. But so would be that of
`z = stop_gradient(x)`, which is x itself, and of `z = reversed_gradient(x)`, a function of the user
that returns x and has a rule of its own. There z goes on as a copy, of which the rule tells the
adjoint. That it is a copy does not show as long as neither is written to, which is refused.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tangent_lite import registry
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.functions.custom import own_derivative
from tangent_lite.heap.memory import can_vary, root_of
from tangent_lite.heap.moving import Moving
from tangent_lite.heap.own import is_record
from tangent_lite.runtime import copy_as_it_lies
from tangent_lite.runtime.tangents import attributes


def is_by_memory(function: Any) -> bool:
    """Whether the derivative of what a function returns of the memory of its arguments is that of
    a view. It is for methods of arrays (None) and functions with our rules: these say what is
    true. Derivatives hand on what a function returns beside its value, which may be an argument."""
    if function is None:
        return True
    if hasattr(type(function), "emitted_for"):
        return False
    entry = registry.lookup(function)
    return own_derivative(function) is None and (
        entry is None or (not entry.constant and registry.has_our_rules(function)))


def apart(tape: Any, function: Any, value: Any, given: Any, seen: Any = None) -> Any:
    """A value in which nothing lies in the memory, or is a container, of what was given.

    seen: the same as the call saw it, where lists are copies.

    UnsupportedSyntaxError for objects and containers whose classes say what a copy of them is.
    """
    if isinstance(value, Moving):
        return value.plain(value)
    if not isinstance(value, np.ndarray) and not _holds(value):
        return value
    known = {id(one): one for one in _parts(given, set())}
    if seen is not None:
        known.update(_pairs(given, seen))
    return _apart(tape, function, value, known, {})


def _apart(tape: Any, function: Any, value: Any, known: dict[int, Any],
           copies: dict[int, Any]) -> Any:
    """The same; known: what was given, by its id; copies: what stands for what holds it."""
    watch = tape.heap.shared.watch
    name = getattr(function, "__name__", "the function")
    told = f"what {name} was given, and handed back, is changed afterwards", \
        f"give it a copy: {name}(x.copy())"
    if isinstance(value, Moving):
        return value.plain(value)
    if isinstance(value, np.ndarray):
        root = root_of(value)
        if id(root) not in known:
            return value
        made: Any = copy_as_it_lies(value)
        watch(*told, root, made)
        return made
    if isinstance(value, tuple):
        parts = [_apart(tape, function, part, known, copies) for part in value]
        if all(a is b for a, b in zip(parts, value)):
            return value
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if not _holds(value):
        return value
    if id(value) not in known:
        return _holding(tape, function, value, known, copies)
    if type(value) is list:
        made = [_apart(tape, function, part, known, copies) for part in value]
    elif type(value) is dict:
        made = {key: _apart(tape, function, part, known, copies) for key, part in value.items()}
    elif _varies(value):
        raise UnsupportedSyntaxError(
            f"{name} hands back a {type(value).__name__} that it was given, whose parts have "
            "adjoints of their own", tape.place(), "call it for the numbers or arrays in it")
    else:
        made = value
    watch(*told, known[id(value)], made)
    return made


def _holding(tape: Any, function: Any, value: Any, known: dict[int, Any],
             copies: dict[int, Any]) -> Any:
    """What a call made, with copies of what it was given in the place of that."""
    if id(value) in copies:
        return copies[id(value)]
    copies[id(value)] = value
    parts = _items(value)
    apart = [_apart(tape, function, part, known, copies) for part in parts]
    if all(a is b for a, b in zip(apart, parts)):
        return value
    if type(value) is list:
        copies[id(value)] = apart
    elif type(value) is dict:
        copies[id(value)] = dict(zip(value, apart))
    else:
        raise UnsupportedSyntaxError(
            f"{getattr(function, '__name__', 'the function')} hands back a "
            f"{type(value).__name__} that holds what it was given", tape.place(),
            "hand back a tuple, a list or a dict")
    return copies[id(value)]


def _holds(value: Any) -> bool:
    """Whether a value may hold others."""
    return (hasattr(value, "__iter__") and not isinstance(value, (str, bytes))) or is_record(value)


def _items(thing: Any) -> list[Any]:
    if isinstance(thing, dict):
        return list(thing.values())
    if isinstance(thing, (list, tuple, set, frozenset)) or hasattr(thing, "rotate"):
        return list(thing)
    return list(attributes(thing).values()) if is_record(thing) else []


def _parts(thing: Any, above: set[int]) -> Iterator[Any]:
    """The memory of arrays, and the containers, in a thing, and itself."""
    if isinstance(thing, np.ndarray):
        yield root_of(thing)
    elif _holds(thing) and id(thing) not in above:
        above.add(id(thing))
        yield thing
        for part in _items(thing):
            yield from _parts(part, above)


def _pairs(given: Any, seen: Any) -> Iterator[tuple[int, Any]]:
    """Copies of lists and dicts, by their ids, and what they were copied of."""
    if type(seen) in (list, dict, tuple):
        yield id(seen), given
        for one, other in zip(_items(given), _items(seen)):
            yield from _pairs(one, other)


def _varies(thing: Any) -> bool:
    return any(part.dtype.kind in "fc" if isinstance(part, np.ndarray)
               else any(map(can_vary, _items(part))) for part in _parts(thing, set()))
