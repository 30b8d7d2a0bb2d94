"""x.flat[key] of an array, read and written: the places of its elements in the array itself."""
from __future__ import annotations

from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import arrays, classes
from tangent_lite.heap.primitives import Back


class Flat:
    """What stands for x.flat of an array where it is subscripted, and nowhere else.

    However the array lies in memory, its elements have the places that `places` gives: what is read
    there is a copy, as that of x.flat is, and what is written there is in the array.
    """
    __slots__ = ("array",)

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def places(self, key: Any) -> Any:
        """The index into the array for a key into the row of its elements."""
        x = self.array
        spots = np.arange(x.size)[key]
        if not x.size:
            return (np.zeros(np.shape(spots), int),) * x.ndim
        return np.unravel_index(spots, x.shape)


def flat(tape: Any, x: Any) -> tuple[Any, Back | None]:
    """x.flat in `x.flat[key]`"""
    if isinstance(x, np.ndarray) and x.ndim:
        return Flat(x), None
    return classes.get(tape, x, "flat")


def got(tape: Any, x: Flat, key: Any) -> tuple[Any, Back | None]:
    """x.flat[key]"""
    return arrays.get(tape, x.array, x.places(key))


def wrote(tape: Any, x: Flat, key: Any, value: Any) -> Back:
    """x.flat[key] = value, where there are as many values as places: fewer would be taken again
    and again."""
    places = x.places(key)
    if np.ndim(value) and np.shape(value) != np.shape(places[0]):
        raise UnsupportedSyntaxError(
            "x.flat[key] is given more or fewer values than it has places, or such with axes",
            tape.place(), "give it a number, or an array of one axis with as many")
    arrays.check_turns(tape, x.array, places, value)
    return arrays.set_(tape, x.array, places, value)
