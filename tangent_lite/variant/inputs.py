"""What a derivative may be given: plain arrays, and numbers that can vary where it is asked for."""
from __future__ import annotations

from typing import Any

import numpy as np

from tangent_lite import kinds, trees
from tangent_lite.calling.request import Path, Request, at_path, spell
from tangent_lite.directions.given import without_floats
from tangent_lite.errors import InputError
from tangent_lite.kinds import Kind
from tangent_lite.records import is_named_tuple


def check_inputs(request: Request, names: list[str], paths: list[Path],
                 values: tuple[Any, ...]) -> None:
    """Refuse arguments of which no derivative is taken, where one is asked for.

    names: of the parameters, in the order of the values; paths: to what the derivative is taken
    with respect to.
    """
    for name, value in zip(names, values):
        for array in trees.arrays_in(value):
            if type(array) not in (np.ndarray, np.memmap):
                raise InputError(
                    f"{request.name}: {name} holds a {type(array).__name__}, whose "
                    "operations are not those of plain arrays", None,
                    f"pass {name}.filled(...), or its numbers and its mask apart"
                    if isinstance(array, np.ma.MaskedArray) else f"pass np.asarray({name})")
    given = dict(zip(names, values))
    for path in request.paths() if request.is_forward else ():
        at_path(given[path[0]], path)           # which move as parts of their parameters
    for path in paths:
        value = at_path(given[path[0]], path)
        kind = kinds.kind_of(value)
        if not has_floats(kind) and not _is_empty(kind):
            name = spell(path)
            raise InputError(f"{request.name}: the argument {name} is "
                             f"{without_floats(value)}, which cannot vary", None,
                             "use a plain namedtuple" if _is_tuple_of_its_own(value) else
                             "pass a float or an array of floats, or "
                             + ("None as its tangent" if request.is_forward else
                                f"leave {name} out of wrt"))


def _is_tuple_of_its_own(value: Any) -> bool:
    """Whether a value is a tuple of a class that says itself how it is made or read."""
    return isinstance(value, tuple) and type(value) is not tuple \
        and not is_named_tuple(type(value))


def has_floats(kind: Kind) -> bool:
    """Whether a value of a kind holds a number that can vary."""
    if isinstance(kind, kinds.ListKind):
        return kind.item is not kinds.EMPTY and has_floats(kind.item)
    if isinstance(kind, (kinds.TupleKind, kinds.DictKind, kinds.RecordKind)):
        return any(map(has_floats, kind.items))
    return kinds.can_vary(kind)


def _is_empty(kind: Kind) -> bool:
    """Whether a value is a container that holds nothing: it is its own gradient."""
    if isinstance(kind, kinds.ListKind):
        return kind.item is kinds.EMPTY or _is_empty(kind.item)
    return isinstance(kind, (kinds.TupleKind, kinds.DictKind)) and all(map(_is_empty, kind.items))
