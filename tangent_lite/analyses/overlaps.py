"""Parts of one array that are copied onto each other.

NumPy copies first what overlaps with the place where it goes, with one exception: between vectors
that run in one direction, at whatever strides, elements are copied one after the other. Where the
strides differ, as in `u[::2] = u[:3]`, some are overwritten before they are read, and the array
does not get what stood on the right (array_assign_array.c of NumPy, seen in 2.2 to 2.5). What is
written where a mask holds is never copied first (array_assign_boolean_subscript), nor what
`np.place` and `np.fill_diagonal` put into one place after the other.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.momentary import roots_of
from tangent_lite.errors import AliasError
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array
from tangent_lite.runtime.shapes import flat_view
from tangent_lite.structures.nested import places

REASON = "what is written overlaps with where it goes, and NumPy overwrites some of it unread"
FIX = "write a copy: x[::2] = y.copy()"


def is_row(node: gast.Assign, facts: Inferred) -> bool:
    """Whether an assignment binds what `x.flat` stands for where it is written to."""
    return facts.callees.get(id(node.value), (NO_OBJECT, None))[0] is flat_view


def check(tree: gast.FunctionDef, facts: Inferred, typer: Typer, aliases: Aliases,
          place: Callable[[gast.AST], Any]) -> None:
    """Refuse what is read while it is written over, by names that may share memory."""
    assigned = [node for node in facts.beside_arithmetic(tree) if isinstance(node, gast.Assign)]
    _check_turns(assigned, aliases, place)
    _check_rows(assigned, facts, typer, aliases, place)


def _check_turns(assigned: list[gast.Assign], aliases: Aliases,
                 place: Callable[[gast.AST], Any]) -> None:
    """Refuse values that `np.place` and `np.fill_diagonal` read while they write, where these may
    lie in the array itself: what was written out reads them all at once (`np.resize`)."""
    turns = [node for node in assigned if hasattr(node, "in_turn")]
    values = {node.targets[0].id: node.value for node in assigned
              if turns and isinstance(node.targets[0], gast.Name)}
    for node in turns:
        read = values.get(getattr(node.value, "id", None))
        name = syntax.root_name(node.targets[0])
        given = roots_of(read.args[0]) if isinstance(read, gast.Call) else []
        if name is not None and any(aliases.find(one) == aliases.find(name) for one in given):
            raise AliasError(REASON, place(node), "put .copy() behind the values")


def _check_rows(assigned: list[gast.Assign], facts: Inferred, typer: Typer, aliases: Aliases,
                place: Callable[[gast.AST], Any]) -> None:
    """Refuse arrays that are written to `x.flat` and may share its memory: NumPy copies nothing
    first there, while it does so where the view is written to that stands for it."""
    rows = {node.targets[0].id for node in assigned if is_row(node, facts)}
    for node in assigned if rows else ():
        name: Any = getattr(getattr(node.targets[0], "value", None), "id", None)
        typer.names = facts.before.get(id(node), {})
        if name in rows and not isinstance(typer.kind(node.value), kinds.Number) \
                and any(aliases.find(one) == aliases.find(name) for one in roots_of(node.value)):
            raise AliasError(REASON, place(node), "write a copy: x.flat = y.copy()")


def in_step(target: gast.Subscript, value: gast.expr | None, part: kinds.Kind,
            is_int: Callable[[gast.expr], bool]) -> bool:
    """Whether certainly all of value is read as it was, when it is written to a part of an array
    that it shares memory with; value: how its name was bound, if that is known; is_int: whether
    an expression is certainly an int."""
    if isinstance(part, Array) and part.ndim is not None and part.ndim > 1:
        return True
    if not isinstance(value, gast.Subscript) or not isinstance(value.value, gast.Name) \
            or not isinstance(target.value, gast.Name) or value.value.id != target.value.id:
        return False
    is_row = isinstance(part, Array) and part.ndim == 1     # `...` stands for its one axis
    # Two arrays in one list share no memory, or are one.
    (*lists, written), (*rest, read) = places(target.slice), places(value.slice)
    if len(lists) != len(rest):
        return False
    one = _slices(written, is_row) or _row(written, is_int)
    other = _slices(read, is_row) or _row(read, is_int)
    if one is None or other is None or one[0] != other[0]:
        return False
    return one[1] == other[1] or one[1] * other[1] < 0


def _slices(index: gast.expr, is_row: bool) -> tuple[int, int] | None:
    """At which place an index has its one slice, and the step of that; is_row: whether `...` is
    one as well."""
    parts = syntax.shown_parts(index)
    if is_row:
        parts = [gast.Slice(None, None, None) if getattr(part, "value", 0) is Ellipsis else part
                 for part in parts]
    found = [(number, part) for number, part in enumerate(parts) if isinstance(part, gast.Slice)]
    rest = [part for part in parts if not isinstance(part, gast.Slice)]
    if len(found) != 1 or not all(
            isinstance(part, (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp))
            and getattr(part, "value", 0) is not Ellipsis for part in rest):
        return None
    number, part = found[0]
    step = part.step
    if isinstance(step, gast.UnaryOp) and isinstance(step.op, gast.USub) \
            and isinstance(step.operand, gast.Constant) and type(step.operand.value) is int:
        return number, -step.operand.value
    if step is None:
        return number, 1
    if isinstance(step, gast.Constant) and type(step.value) is int:
        return number, step.value
    return None


def _row(index: gast.expr, is_int: Callable[[gast.expr], bool]) -> tuple[int, int] | None:
    """The same for an index of ints, `B[i]`, of an array that has one axis more."""
    parts = syntax.shown_parts(index)
    return (len(parts), 1) if all(map(is_int, parts)) else None


def is_torn(target: Any, value: Any) -> bool:
    """Whether some of value is overwritten before it is read, when it is written to target."""
    if not (isinstance(value, np.ndarray) and isinstance(target, np.ndarray)
            and target.ndim == value.ndim == 1 and min(target.size, value.size) > 1
            and target.strides != value.strides and target.strides[0] * value.strides[0] > 0
            and np.may_share_memory(target, value)):
        return False
    return _is_out_of_step(_addresses(target), _addresses(value))


def is_torn_by_mask(array: Any, index: Any, value: Any) -> bool:
    """Whether the index is a mask, and some of value is overwritten before it is read, when it is
    written to array[index].

    >>> x = np.arange(3.0)
    >>> is_torn_by_mask(x, np.array([False, True, True]), x[:2])
    True
    >>> is_torn_by_mask(x, np.array([True, True, False]), x[:2])
    False
    """
    mask = index[0] if isinstance(index, tuple) and len(index) == 1 else index
    if not (isinstance(mask, np.ndarray) and mask.dtype == bool and mask.ndim == array.ndim > 0
            and mask.shape == array.shape and value.ndim == 1 and value.size > 1
            and np.may_share_memory(array, value)):
        return False
    places = array.__array_interface__["data"][0] + sum(
        place * step for place, step in zip(np.nonzero(mask), array.strides))
    return _is_out_of_step(places, _addresses(value))


def is_torn_in_turn(array: Any, index: tuple[np.ndarray, ...], values: Any) -> bool:
    """Whether some of the values is overwritten before it is read, when array[index] takes them one
    by one, and again from the first when there are no more.

    >>> x = np.arange(4.0)
    >>> is_torn_in_turn(x, (np.array([1, 2, 3]),), x[:2])
    True
    >>> is_torn_in_turn(x, (np.array([0, 1, 2]),), x[1:])
    False
    """
    if not (isinstance(array, np.ndarray) and isinstance(values, np.ndarray) and values.size
            and np.may_share_memory(array, values)):
        return False
    read = values.__array_interface__["data"][0] + sum(
        place * step for place, step in zip(np.indices(values.shape), values.strides))
    written = array.__array_interface__["data"][0] + sum(
        place * step for place, step in zip(index, array.strides))
    turns = {int(address): turn for turn, address in enumerate(written)}
    return any(turns.get(int(address), turn) < turn
               for turn, address in enumerate(np.resize(read, len(written))))


def _is_out_of_step(target: np.ndarray, value: np.ndarray) -> bool:
    """Whether one of the places is read at another turn than it is written."""
    _, one, other = np.intersect1d(target, value, return_indices=True)
    return bool(np.any(one != other))


def _addresses(vector: np.ndarray) -> np.ndarray:
    return vector.__array_interface__["data"][0] + vector.strides[0] * np.arange(vector.size)
