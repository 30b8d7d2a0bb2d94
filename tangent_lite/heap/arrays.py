"""What operations on arrays do to adjoints: reading, writing, writing in place.

What is written over is kept and put back in the backward pass, so that all that was computed of the
array before is seen as it was. What is put back is kept as well, so that the forward pass can be
had again (see Tape.again).
"""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite.errors import AliasError, UnsupportedSyntaxError
from tangent_lite.heap.memory import can_vary, root_of, seen, spread
from tangent_lite.heap.primitives import Back, primitive
from tangent_lite.overlaps import FIX, REASON, is_torn
from tangent_lite.runtime import add_at, last_written, unbroadcast

# The names of operators that are words of Python.
PLAIN = {"iand": "and_", "ior": "or_"}


def get(tape: Any, x: np.ndarray, index: Any) -> tuple[Any, Back | None]:
    """x[index]"""
    value = x[index]
    if x.dtype.kind not in "fc" or (isinstance(value, np.ndarray)
                                    and root_of(value) is root_of(x)):
        return value, None
    kept = settled(index)

    def back(adjoint: Any) -> None:
        adjoints = tape.adjoints
        if isinstance(value, np.ndarray):
            adjoint = adjoints.take(value)
        if adjoint is None:
            return
        spots, sign = adjoints.part(x)
        if sign < 0:
            adjoint = -adjoint
        if isinstance(value, np.ndarray):
            add_at(spots, kept, adjoint)
        else:
            spots[kept] += adjoint if spots.dtype.kind == "c" else np.real(adjoint)

    return value, back


def set_(tape: Any, x: np.ndarray, index: Any, v: Any) -> Back:
    """x[index] = v"""
    kept = settled(index)
    source = written(v)
    check_overlap(tape, x, kept, v)
    change = Change(tape, x, kept)
    with change:
        x[kept] = v
    return change.back(lambda adjoint: (to_value(tape, source, adjoint),), is_repeating(kept))


def check_overlap(tape: Any, x: np.ndarray, index: Any, v: Any) -> None:
    """Refuse to write what NumPy overwrites before it has read it."""
    if isinstance(v, np.ndarray) and v.ndim == 1 and np.may_share_memory(x, v) \
            and is_torn(x[index], v):
        raise AliasError(REASON, tape.place(), FIX)


def _check_part(tape: Any, x: np.ndarray) -> None:
    """Refuse now, where the place is known, what the backward pass would refuse."""
    try:
        tape.adjoints.of(x)
    except UnsupportedSyntaxError as error:
        error.place = tape.place()
        raise


class Change:
    """A part of an array that is written over, and back again.

    As a context manager it holds the writing itself: where that fails before it has changed
    anything, it is as if it had not been tried.
    """

    def __init__(self, tape: Any, x: np.ndarray, index: Any) -> None:
        self.tape, self.x, self.index = tape, x, index
        if x.dtype != root_of(x).dtype and x.dtype.kind in "fc":
            _check_part(tape, x)
        self.other = np.array(x[index])
        tape.heap.changes.append(self)
        tape.heap.write(root_of(x))

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, *error: Any) -> None:
        if kind is not None and self.other.tobytes() == np.array(self.x[self.index]).tobytes():
            self.tape.heap.changes.pop()
            self.tape.heap.writes -= 1

    def swap(self) -> None:
        now = np.array(self.x[self.index])
        self.x[self.index] = self.other
        self.other = now

    def back(self, rest: Callable[[Any], Any], repeating: bool = False) -> Back:
        """Put back what was there; the adjoint of the part goes to what was written."""
        def back(_: Any) -> Any:
            self.tape.heap.undo(self)
            adjoints, x = self.tape.adjoints, self.x
            if x.dtype.kind not in "fc" or not adjoints.has(x):
                return None
            spots = adjoints.of(x)
            adjoint = last_written(spots, self.index) if repeating \
                else np.array(spots[self.index])
            spots[self.index] = 0.0
            return rest(adjoint)
        return back


class Items:
    """A list or tuple that is written into an array, as it is then."""
    __slots__ = ("array", "seen")

    def __init__(self, v: Any) -> None:
        self.array, self.seen = np.asarray(v), seen(v)


def written(v: Any) -> Any:
    """What is written into an array, kept for the backward pass."""
    return Items(v) if isinstance(v, (list, tuple)) else v


def to_value(tape: Any, v: Any, adjoint: Any) -> Any:
    """The adjoint of what was written, of which numbers and short arrays fill several places."""
    if isinstance(v, np.ndarray):
        if v.dtype.kind in "fc":
            tape.adjoints.add(v, unbroadcast(adjoint, v))
        return None
    if isinstance(v, Items):
        return spread(tape.adjoints, v.seen, unbroadcast(adjoint, v.array))
    return number(adjoint, v)


def number(adjoint: Any, v: Any) -> Any:
    """The adjoint of a number, of which an array was made."""
    if not can_vary(v):
        return None
    found = np.sum(adjoint)
    if not isinstance(v, (complex, np.complexfloating)):
        found = np.real(found)
    return type(v)(found)


def in_place(tape: Any, name: str, x: np.ndarray, v: Any) -> Back:
    """x += v and its like: what is in x is written over."""
    plain = getattr(operator, PLAIN.get(name, name[1:]))
    first: Back | None = None
    fresh: Any = None
    if x.dtype.kind in "fc" and name not in ("iadd", "isub"):
        fresh, first = primitive(tape, plain, None, (x, v), {})
    source = written(v)
    change = Change(tape, x, ...)
    with change:
        getattr(operator, name)(x, v)
    if name in ("iadd", "isub"):
        def back(_: Any) -> Any:
            tape.heap.undo(change)
            if x.dtype.kind not in "fc" or not tape.adjoints.has(x):
                return None
            adjoint = np.array(tape.adjoints.of(x))
            return (None, to_value(tape, source, adjoint if name == "iadd" else -adjoint))
        return back
    return change.back(lambda adjoint: passed(tape, first, fresh, adjoint))


def passed(tape: Any, first: Back | None, fresh: Any, adjoint: Any) -> Any:
    """The adjoint of what was written over an array, taken to what it was computed of."""
    if first is None:
        return None
    if isinstance(fresh, np.ndarray):
        tape.adjoints.add(fresh, unbroadcast(adjoint, fresh))
        return first(None)
    return first(number(adjoint, fresh))


def write_result(tape: Any, x: np.ndarray, where: Any, native: Callable[[], Any], fresh: Any,
                 first: Back | None) -> Back:
    """f(..., out=x): native writes it; fresh is the value made elsewhere, first takes its adjoint
    to the arguments."""
    change = Change(tape, x, ...)
    with change:
        native()

    def rest(adjoint: Any) -> Any:
        if where is None:
            return passed(tape, first, fresh, adjoint)
        mask = np.broadcast_to(where, x.shape)
        found = passed(tape, first, fresh, np.where(mask, adjoint, 0.0))
        tape.adjoints.add(x, np.where(mask, 0.0, adjoint))
        return found

    return change.back(rest)


def add_in_place_at(tape: Any, ufunc: Any, x: np.ndarray, index: Any, v: Any) -> Back:
    """np.add.at(x, index, v), np.subtract.at"""
    if ufunc not in (np.add, np.subtract):
        raise UnsupportedSyntaxError(f"np.{ufunc.__name__}.at is not handled here", tape.place(),
                                     "write a loop over the positions")
    kept, source = settled(index), written(v)
    change = Change(tape, x, ...)
    with change:
        ufunc.at(x, kept, v)

    def back(_: Any) -> Any:
        tape.heap.undo(change)
        if x.dtype.kind not in "fc" or not tape.adjoints.has(x):
            return None
        adjoint = np.array(tape.adjoints.of(x)[kept])
        return (None, None, to_value(tape, source, adjoint if ufunc is np.add else -adjoint))
    return back


def sort(tape: Any, x: np.ndarray, axis: int = -1, kind: Any = None) -> Back:
    """x.sort()"""
    order = np.argsort(x, axis=axis, kind=kind)
    change = Change(tape, x, ...)
    with change:
        x.sort(axis=axis, kind=kind)

    def rest(adjoint: Any) -> None:
        back = np.zeros_like(adjoint)
        np.put_along_axis(back, order, adjoint, axis)
        tape.adjoints.add(x, back)
    return change.back(rest)


def put(tape: Any, x: np.ndarray, indices: Any, v: Any, mode: Any = "raise") -> Back:
    """np.put(x, indices, v): positions count through the array, values come again and again."""
    positions = np.asarray(indices).ravel()
    if mode == "wrap":
        positions = positions % x.size
    elif mode == "clip":
        positions = np.clip(positions, 0, x.size - 1)
    values, source = np.asarray(v), written(v)
    change = Change(tape, x, ...)
    with change:
        np.put(x, indices, v, mode)
    spots = np.unravel_index(np.where(positions < 0, positions + x.size, positions), x.shape)

    def back(_: Any) -> Any:
        tape.heap.undo(change)
        if x.dtype.kind not in "fc" or not tape.adjoints.has(x):
            return None
        adjoint = tape.adjoints.of(x)
        taken = last_written(adjoint, spots) if positions.size else np.zeros(0)
        adjoint[spots] = 0.0
        into = np.zeros(values.size, adjoint.dtype)
        if values.size:
            np.add.at(into, np.arange(positions.size) % values.size, taken)
        return (None, None, to_value(tape, source, into.reshape(values.shape)))

    return back


# Indices --------------------------------------------------------------------------------------
def settled(index: Any) -> Any:
    """An index that does not change when what it was made of does."""
    if isinstance(index, np.ndarray):
        return index.copy()
    if isinstance(index, list):
        return np.asarray(index) if index else np.asarray(index, int)
    if isinstance(index, tuple):
        # A sequence in a tuple means positions, as an array does.
        return tuple([np.asarray(part) if isinstance(part, (tuple, range)) and len(part)
                      else settled(part) for part in index])
    return index


def is_repeating(index: Any) -> bool:
    """Whether an index may name one element several times."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(part, np.ndarray) and part.dtype.kind in "iu" and part.size > 1
               for part in parts)
