"""Special methods of the user's classes: called by the tape where it is known that an operation
calls them, so that what they change is seen; where functions written in C call them, they must
leave all as it is.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from tangent_lite import kinds
from tangent_lite.analyses import special_methods
from tangent_lite.analyses.special_methods import PLAIN
from tangent_lite.analyses.special_names import (  # noqa: F401 - what others ask for
    ALL,
    ANY,
    ARRAY,
    ATTRIBUTES,
    END,
    FORMAT,
    HASH,
    ITEMS,
    MAPPING,
    NUMBER,
    OF_CLASS,
    ORDER,
    TEXT,
)
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap.moving import Moving
from tangent_lite.heap.outdated import outdated
from tangent_lite.heap.own import is_record, unseen

_WHOLE = (int, bool, type(None), str, np.int64)


def check(tape: Any, names: frozenset[str], *things: Any) -> None:
    """Refuse what would let one of some special methods change something unseen."""
    for thing in things:
        if type(thing) not in PLAIN:
            found = special_methods.changing_in(things, names)
            if found is not None:
                raise refusal(tape, found)
            if tape.heap.keeps_any:
                found = outdated(tape.heap, things, names)
                if found is not None:
                    raise UnsupportedSyntaxError(
                        f"{found} reads what has changed, and is called unseen here", tape.place(),
                        "call a method of another name")
            return


def check_numbers(tape: Any, *things: Any) -> None:
    """Refuse numbers with which a class of the user's computes: rules are for other ones."""
    for thing in things:
        kind = thing.plain if isinstance(thing, Moving) else type(thing)
        if kind not in PLAIN and kinds.computes_by_itself(kind):
            raise UnsupportedSyntaxError(f"{kind.__name__} decides what this means",
                                         tape.place(), "make it a plain number: float(x)")


def refusal(tape: Any, method: str) -> UnsupportedSyntaxError:
    return unseen(method, tape.place())


def asked(tape: Any, x: Any, *names: str) -> tuple[Any, ...]:
    """What the first one that the class of an object has of some special methods gives, alone in a
    tuple; none if it has none."""
    if is_record(x):
        for name in names:
            method = getattr(type(x), name, None)
            if method is not None:
                return (tape.aside(method, (x,), {}),)
    return ()


def index(tape: Any, key: Any) -> Any:
    """What stands in brackets, with the numbers that objects in it stand for."""
    kind = type(key)
    if kind in _WHOLE:
        return key
    if kind is tuple:
        return tuple([index(tape, part) for part in key])
    if kind is slice:
        return slice(*[whole(tape, part) for part in (key.start, key.stop, key.step)])
    return whole(tape, key)


def whole(tape: Any, x: Any) -> Any:
    """The whole number that an object stands for; all else as it is."""
    if type(x) in _WHOLE or not is_record(x):
        return x
    found = asked(tape, x, "__index__")
    return found[0] if found else x


def hashed(tape: Any, *keys: Any) -> None:
    """Refuse keys that change something as they are looked up."""
    if len(keys) == 1 and (type(keys[0]) in PLAIN or (
            type(keys[0]) is tuple and PLAIN.issuperset(map(type, keys[0])))):
        return
    check(tape, HASH, *keys)


def goes_lazily(x: Any) -> bool:
    """Whether something is an iterator of this run (see `iteration.Lazy`), without a question to
    an object of the user, which might answer by __getattr__."""
    return hasattr(type(x), "moves_on")


def real(tape: Any, x: Any) -> Any:
    """The number that an object stands for where one is asked for that may be a float."""
    found = asked(tape, x, "__float__", "__index__")
    return found[0] if found else x


def says(things: Any, names: frozenset[str]) -> bool:
    """Whether the class of anything in things, at any depth, has some special method in Python."""
    return any(type(one) not in PLAIN and special_methods.says(one, names) for one in things)


def check_classes(tape: Any, x: Any, kinds: Any) -> None:
    """Refuse what changes something as it is asked whether an object is of a class."""
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        if isinstance(kind, type):
            if special_methods.asks_attributes(kind):
                check(tape, ATTRIBUTES | {ANY}, x)
            found = special_methods.changing(type(kind), OF_CLASS) \
                or special_methods.changing(kind, OF_CLASS)
            if found is not None:
                raise refusal(tape, found)
        elif isinstance(kind, tuple):
            check_classes(tape, x, kind)


def check_attributes(tape: Any, x: Any) -> None:
    """Refuse an object that changes something as it is asked for attributes that it has not."""
    found = special_methods.changing(type(x), ATTRIBUTES)
    if found is not None:
        raise refusal(tape, found)


def check_end(tape: Any, kind: type) -> None:
    """Refuse a class whose objects change something as they go."""
    found = special_methods.changing(kind, END)
    if found is not None:
        raise refusal(tape, found)


def check_class_of(tape: Any, x: Any) -> None:
    """Refuse an object that changes something as it is asked for its class."""
    found = special_methods.changing(type(x), OF_CLASS)
    if found is not None:
        raise refusal(tape, found)
