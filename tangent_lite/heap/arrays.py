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

from tangent_lite.analyses.overlaps import FIX, REASON, is_torn, is_torn_by_mask, is_torn_in_turn
from tangent_lite.errors import AliasError, UnsupportedSyntaxError, final
from tangent_lite.heap import special
from tangent_lite.heap.memory import can_vary, root_of, seen, spread
from tangent_lite.heap.moving import componentwise, part
from tangent_lite.heap.primitives import Back, of_objects, primitive, varies
from tangent_lite.heap.unknown import Unknown
from tangent_lite.runtime import add_at, fitted, last_written, unbroadcast

# The names of operators that are words of Python.
PLAIN = {"iand": "and_", "ior": "or_"}


def get(tape: Any, x: np.ndarray, index: Any) -> tuple[Any, Back | None]:
    """x[index]"""
    special.check(tape, special.ALL, index)
    value = x[index]
    if x.dtype.kind not in "fc" or (isinstance(value, np.ndarray)
                                    and root_of(value) is root_of(x)):
        return value, None
    if tape.heap.order:
        return _get_moving(tape, x, index, value)
    return value, _read(tape, x, settled(index), value)


def check_turns(tape: Any, array: np.ndarray, index: tuple[np.ndarray, ...], values: Any) -> None:
    """Refuse values of which NumPy overwrites some before it has read them, one by one."""
    if is_torn_in_turn(array, index, values):
        raise AliasError(REASON, tape.place(), "put .copy() behind the values")


def _read(tape: Any, x: np.ndarray, kept: Any, value: Any) -> Back:
    """What takes the adjoint of x[kept], which is no view, to x."""
    def back(adjoint: Any) -> None:
        adjoints = tape.adjoints
        if isinstance(value, np.ndarray):
            adjoint = adjoints.take_known_or_not(value)
        if adjoint is None:
            return
        if not isinstance(value, np.ndarray):
            adjoints.add_item(x, kept, adjoint)
            return
        if isinstance(adjoint, Unknown):
            adjoints.add(x, adjoint)
        if adjoints.unknown_of(x) is not None:
            return
        spots, sign = adjoints.part(x)
        add_at(spots, kept, -adjoint if sign < 0 else adjoint)
    return back


def _get_moving(tape: Any, x: np.ndarray, index: Any, value: Any) -> tuple[Any, Back | None]:
    """The same with tangents, which are read at the same places."""
    tangents = tape.heap.tangents
    if not tangents.has(x):
        return value, None
    kept = settled(index)
    every = range(tangents.count)
    value = tangents.put(value, [tangents.of(x, which)[kept] for which in every[1:]])
    backs = [_read(tape, tangents.of(x, which), kept, tangents.of(value, which)
                   if isinstance(value, np.ndarray) else None) for which in every]

    def back(adjoint: Any) -> None:
        for which, one in enumerate(backs):
            one(part(adjoint, which))
    return value, back


def _set_moving(tape: Any, x: np.ndarray, index: Any, v: Any) -> Back:
    """x[index] = v, and likewise for tangents."""
    v, first = _as_array(tape, v)
    if is_in_matrix(tape, x):
        raise final(_in_matrix(tape))
    tape.heap.tangents.make(x)
    back = componentwise(tape, lambda tape, x, v: _set(tape, x, index, v), (x, v))
    return back if first is None else (lambda _: _through(back, first))


def moves_along(tape: Any, x: np.ndarray, *values: Any) -> bool:
    """Whether tangents have to be written where values are written into x."""
    tangents = tape.heap.tangents
    return bool(tape.heap.order) and x.dtype.kind in "fc" and (
        tangents.has(x) or any(map(tangents.moves, values)))


def set_(tape: Any, x: np.ndarray, index: Any, v: Any) -> Back:
    """x[index] = v"""
    special.check(tape, special.ALL, index, v)
    check_plain(tape, v)
    if root_of(x).dtype.kind == "V" and varies(v):
        raise final(UnsupportedSyntaxError("an array with fields holds what varies", tape.place(),
                                           "use a dict of arrays"))
    return _set_moving(tape, x, settled(index), v) if moves_along(tape, x, v) \
        else _set(tape, x, settled(index), v)


def _set(tape: Any, x: np.ndarray, kept: Any, v: Any) -> Back:
    source = written(v)
    check_overlap(tape, x, kept, v)
    change = Change(tape, x, kept)
    with change:
        x[kept] = v
    return change.back(lambda adjoint: (to_value(tape, source, adjoint),), is_repeating(kept))


def check_plain(tape: Any, v: Any) -> None:
    """Refuse to write an object into an array: the number that it stands for, its class says."""
    if special.says((v,), special.NUMBER | special.ARRAY):
        raise UnsupportedSyntaxError("an object is written into an array, and its class says which "
                                     "number it stands for", tape.place(), "write float(...)")


def check_overlap(tape: Any, x: np.ndarray, index: Any, v: Any) -> None:
    """Refuse to write what NumPy overwrites before it has read it."""
    if isinstance(v, np.ndarray) and v.ndim == 1 and np.may_share_memory(x, v) \
            and (is_torn_by_mask(x, index, v) or is_torn(x[index], v)):
        raise AliasError(REASON, tape.place(), FIX)


def is_in_matrix(tape: Any, x: np.ndarray) -> bool:
    """Whether an array holds the numbers of a sparse matrix."""
    return any(one is root_of(x) for one in tape.heap.in_matrices)


def _in_matrix(tape: Any) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError("numbers in a sparse matrix are changed in place", tape.place(),
                                  "make another matrix of the changed numbers")


def _check_part(tape: Any, x: np.ndarray) -> None:
    """Refuse now, where the place is known, what the backward pass would refuse."""
    try:
        tape.adjoints.part(x)
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
        if x.dtype.hasobject:
            raise of_objects(tape)
        # What a matrix is used for does not come back to the numbers that were put into it.
        self.lost = Unknown(_in_matrix(tape)) if is_in_matrix(tape, x) else None
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
            unknown = adjoints.unknown_of(x)
            if unknown is not None:                 # some of it may be that of what was written
                return rest(unknown)
            spots, sign = adjoints.part(x)
            adjoint = last_written(spots, self.index) if repeating \
                else np.array(spots[self.index])
            spots[self.index] = 0.0
            return rest(sign * adjoint)
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
            tape.adjoints.add(v, _like(adjoint, v))
        return None
    if isinstance(v, Items):
        return spread(tape.adjoints, v.seen, _like(adjoint, v.array))
    return number(adjoint, v)


def _like(adjoint: Any, array: np.ndarray) -> Any:
    """The adjoint of an array of which many were made, or Unknown."""
    return adjoint if isinstance(adjoint, Unknown) else unbroadcast(adjoint, array)


def number(adjoint: Any, v: Any) -> Any:
    """The adjoint of a number, of which an array was made."""
    if not can_vary(v):
        return None
    if isinstance(adjoint, Unknown):
        return adjoint
    found = adjoint if np.ndim(adjoint) == 0 else np.sum(adjoint)
    if not isinstance(v, (complex, np.complexfloating)):
        found = np.real(found)
    return type(v)(found)


def in_place(tape: Any, name: str, x: np.ndarray, v: Any) -> Back:
    """x += v and its like: what is in x is written over."""
    plain = getattr(operator, PLAIN.get(name, name[1:]))
    first: Back | None = None
    fresh: Any = None
    if moves_along(tape, x, v):
        fresh, first = primitive(tape, plain, None, (x, v), {})
        fitted(fresh, x)                    # raises what NumPy raises
        return _written_over(set_(tape, x, ..., fresh), first)
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
            adjoint = tape.adjoints.copied(x)
            return (None, to_value(tape, source, adjoint if name == "iadd" else -adjoint))
        return back
    return change.back(lambda adjoint: passed(tape, first, fresh, adjoint))


def _written_over(back: Back, first: Back | None) -> Back:
    """The adjoint of what was written, taken to what it was computed of."""
    return lambda _: (back(None), None)[1] if first is None else _through(back, first)


def passed(tape: Any, first: Back | None, fresh: Any, adjoint: Any) -> Any:
    """The adjoint of what was written over an array, taken to what it was computed of."""
    if first is None:
        return None
    if isinstance(fresh, np.ndarray):
        tape.adjoints.add(fresh, _like(adjoint, fresh))
        return first(None)
    return first(number(adjoint, fresh))


def write_result(tape: Any, x: np.ndarray, where: Any, native: Callable[[], Any], fresh: Any,
                 first: Back | None) -> Back:
    """f(..., out=x): native writes it; fresh is the value made elsewhere, first takes its adjoint
    to the arguments."""
    if moves_along(tape, x, fresh):
        left = _left_by(native, x)
        mask: Any = ... if where is None else np.broadcast_to(where, x.shape)
        chosen, choosing = get(tape, fresh, mask) \
            if where is not None and isinstance(fresh, np.ndarray) else (fresh, None)
        back = set_(tape, x, mask, chosen)
        x[...] = left                   # in the type of x sums may be others
        return _written_over(back if choosing is None else _written_over(back, choosing), first)
    change = Change(tape, x, ...)
    with change:
        native()

    def rest(adjoint: Any) -> Any:
        if where is None or isinstance(adjoint, Unknown):
            return passed(tape, first, fresh, adjoint)
        mask = np.broadcast_to(where, x.shape)
        found = passed(tape, first, fresh, np.where(mask, adjoint, 0.0))
        tape.adjoints.add(x, np.where(mask, 0.0, adjoint))
        return found

    return change.back(rest)


def _left_by(native: Callable[[], Any], x: np.ndarray) -> np.ndarray:
    """What an array holds when it has been written, which it does not hold yet."""
    before = x.copy()
    native()
    left = x.copy()
    x[...] = before
    return left


def copy_moving(tape: Any, x: np.ndarray, v: Any, where: Any) -> Back:
    """np.copyto(x, v, where=where), with tangents."""
    if where is True:
        back = set_(tape, x, ..., v)
        return lambda adjoint: (None, *(back(adjoint) or ()))
    mask = np.broadcast_to(where, x.shape)
    v, first = _as_array(tape, v)
    if isinstance(v, np.ndarray):
        chosen, choosing = get(tape, np.broadcast_to(v, x.shape), mask)
    else:
        chosen, choosing = v, None
    back = set_(tape, x, mask, chosen)
    if choosing is not None:
        back = _written_over(back, choosing)
    return lambda _: (None, *(_through(back, first) or ()))


def add_in_place_at(tape: Any, ufunc: Any, x: np.ndarray, index: Any, v: Any) -> Back:
    """np.add.at(x, index, v), np.subtract.at"""
    kept = settled(index)
    if not moves_along(tape, x, v):
        return _add_in_place_at(tape, x, ufunc, kept, v)
    v, first = _as_array(tape, v)
    if is_in_matrix(tape, x):
        raise final(_in_matrix(tape))
    tape.heap.tangents.make(x)
    back = componentwise(tape, lambda tape, x, v: _behind(
        _add_in_place_at(tape, x, ufunc, kept, v), 2), (x, v))
    return lambda _: (None, None, *(_through(back, first) or ()))


def _behind(back: Back, count: int) -> Back:
    """What an operation gives its operands behind the first ones."""
    def behind(adjoint: Any) -> Any:
        found = back(adjoint)
        return None if found is None else found[count:]
    return behind


def _as_array(tape: Any, v: Any) -> tuple[Any, Back | None]:
    """What is written, as an array, if it is a list."""
    return primitive(tape, np.array, None, (v,), {}) if isinstance(v, (list, tuple)) else (v, None)


def _through(back: Back, first: Back | None) -> Any:
    """The adjoint of what was written, and if it was computed of something, that of this."""
    found = back(None)
    if first is None:
        return found
    return first(found[0] if found is not None else None)


def _add_in_place_at(tape: Any, x: np.ndarray, ufunc: Any, kept: Any, v: Any) -> Back:
    source = written(v)
    change = Change(tape, x, ...)
    with change:
        ufunc.at(x, kept, v)

    def back(_: Any) -> Any:
        tape.heap.undo(change)
        if x.dtype.kind not in "fc" or not tape.adjoints.has(x):
            return None
        adjoint = tape.adjoints.copied(x, kept)
        return (None, None, to_value(tape, source, adjoint if ufunc is np.add else -adjoint))
    return back


def sort(tape: Any, x: np.ndarray, axis: int = -1, kind: Any = None) -> Back:
    """x.sort()"""
    order = np.argsort(x, axis=axis, kind=kind)
    if moves_along(tape, x):
        fresh, first = primitive(tape, np.take_along_axis, None, (x, order, axis), {})
        back = _written_over(set_(tape, x, ..., fresh), first)
        return lambda _: (back(None), None)[1]
    change = Change(tape, x, ...)
    with change:
        x.sort(axis=axis, kind=kind)

    def rest(adjoint: Any) -> None:
        if isinstance(adjoint, Unknown):
            return
        back = np.zeros_like(adjoint)
        np.put_along_axis(back, order, adjoint, axis)
        tape.adjoints.add(x, back)
    return change.back(rest)


def put(tape: Any, x: np.ndarray, indices: Any, v: Any, mode: Any = "raise") -> Back:
    """np.put(x, indices, v): positions count through the array, values come again and again."""
    check_plain(tape, v)
    if not moves_along(tape, x, v):
        return _put(tape, x, indices, v, mode)
    v, first = _as_array(tape, v)
    if is_in_matrix(tape, x):
        raise final(_in_matrix(tape))
    tape.heap.tangents.make(x)
    back = componentwise(tape, lambda tape, x, v: _behind(_put(tape, x, indices, v, mode), 2),
                         (x, v))
    return lambda _: (None, None, *(_through(back, first) or ()))


def _put(tape: Any, x: np.ndarray, indices: Any, v: Any, mode: Any) -> Back:
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
        unknown = tape.adjoints.unknown_of(x)
        if unknown is not None:
            return (None, None, to_value(tape, source, unknown))
        adjoint, sign = tape.adjoints.part(x)
        taken = sign * last_written(adjoint, spots) if positions.size else np.zeros(0)
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
