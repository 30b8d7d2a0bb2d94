"""copy.deepcopy: all that a thing holds is copied, what is held twice once."""
from __future__ import annotations

import copy
from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap.own import Owner, is_record
from tangent_lite.heap.primitives import Back

COPYING = ("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__",
           "__getnewargs_ex__")


class DeepCopier(Owner):
    """Copies as copy.deepcopy makes them: each array has memory of its own."""

    def _array(self, value: np.ndarray) -> np.ndarray:
        return copy.deepcopy(value)

    def _object(self, value: Any) -> Any:
        special = special_of(value, ("__deepcopy__", *COPYING))
        if special is not None:
            raise UnsupportedSyntaxError(f"{type(value).__name__} says in {special} how it is "
                                         "copied, which cannot be followed", None,
                                         "write a method that makes the copy")
        return super()._object(value)


def special_of(value: Any, names: tuple[str, ...]) -> str | None:
    """The first of some methods that the class of a value defines in Python."""
    return next((name for name in names
                 if hasattr(getattr(type(value), name, None), "__code__")), None)


def deep_copy(tape: Any, x: Any) -> tuple[Any, Back | None]:
    """copy.deepcopy(x)"""
    if is_record(x) and hasattr(type(x), "__deepcopy__"):
        value, made = tape.called(type(x).__deepcopy__, (x, {}), {})
        return value, None if made is None else (lambda adjoint: (made(adjoint) or (None,))[:1])
    owner = DeepCopier()
    made = owner.own(x)
    pairs = owner.pairs()
    tape.heap.shared.tie(pairs)
    tangents = tape.heap.tangents
    for original, copied in pairs:
        tape.heap.ours(copied)
        if isinstance(original, np.ndarray) and tape.heap.order and tangents.moves(original):
            tangents.put(copied, [tangents.of(original, which)
                                  for which in range(1, tangents.count)])

    def back(adjoint: Any) -> Any:
        adjoints = tape.adjoints
        for original, copied in pairs:
            if original is copied:
                continue
            if isinstance(copied, np.ndarray):
                moves = tape.heap.order and tangents.moves(copied)
                for which in range(tangents.count if moves else 1):
                    found = adjoints.take_known_or_not(tangents.of(copied, which))
                    if found is not None:
                        adjoints.add(tangents.of(original, which), found)
            else:
                slots = adjoints.slots(copied)
                for key in list(slots):
                    adjoints.add_slot(original, key, slots.pop(key))
        return (adjoint,)

    return made, back
