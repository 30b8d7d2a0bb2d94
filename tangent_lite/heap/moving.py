"""Numbers and arrays that carry tangents, so that forward mode and all higher orders need no names.

A number carries its tangents with it, wherever it is put: into lists, objects, variables that
functions share. The tangents of an array lie in memory of their own, found by the identity of the
memory that the array lies in and laid out alike, so that of a view is a view. What moves numbers
and views about therefore moves their tangents; only what computes has to know of them.

With k directions there is a tangent for each set of directions but the empty one, which stands for
the value: along the first, along the second, along both, and so on. A set is written as a number of
k bits, and a value and its tangents are its *components*, of which there are 2 ** k.
"""
from __future__ import annotations

import collections
import copy
import functools
import types
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap.memory import (
    Adjoints,
    Parts,
    Seen,
    byte_bounds,
    can_vary,
    part_of,
    part_of_seen,
    root_of,
    spread,
    taken,
    zero_of,
)
from tangent_lite.heap.own import Owner, is_record, keep
from tangent_lite.leaves import replaced
from tangent_lite.runtime.objects import blank
from tangent_lite.runtime.tangents import attributes


def _lost(*_: Any) -> Any:
    raise _losing()


def _losing() -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError("an operation was met that does not take tangents along", None,
                                  "see the limitations of derivatives by identity")


class Moving:
    """A number with tangents, one for each set of directions but the empty one."""
    __slots__ = ()
    tangents: tuple[Any, ...]
    plain: type


# What computes with one as with a plain number is refused: the tangents would be lost.
_LOSING = dict.fromkeys([f"__{prefix}{name}__" for prefix in ("", "r")
                         for name in ("add", "sub", "mul", "truediv", "pow")]
                        + ["__neg__", "__abs__"], _lost)


@functools.lru_cache(None)
def _moving(kind: type) -> Any:
    # The numbers of NumPy have to come first among the classes: it looks no further for theirs.
    return type(kind.__name__, (kind, Moving), {
        "__slots__": ("tangents",), "plain": kind, "__module__": kind.__module__, **_LOSING})


def moving(value: Any, tangents: Sequence[Any]) -> Any:
    """A number with tangents; None among them means zero."""
    kind = value.plain if isinstance(value, Moving) else type(value)
    made = _moving(kind)(value)
    made.tangents = tuple([_number(kind, 0.0 if t is None else t) for t in tangents])
    return made


def _number(kind: type, tangent: Any) -> Any:
    if np.iscomplexobj(tangent) and not issubclass(kind, (complex, np.complexfloating)):
        tangent = np.real(tangent)
    if isinstance(tangent, np.ndarray):
        tangent = tangent[()] if tangent.shape == () else tangent.reshape(-1)[0]
    return kind(tangent)


class Moved:
    """The adjoint of a number with tangents: one for each component, or None."""
    __slots__ = ("parts",)
    __array_ufunc__ = None

    def __init__(self, parts: list[Any]) -> None:
        self.parts = parts

    def __add__(self, other: Any) -> Moved:
        if not isinstance(other, Moved):
            raise _losing()
        return Moved([a if b is None else b if a is None else a + b
                      for a, b in zip(self.parts, other.parts)])

    __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __neg__ = _lost


class Tangents:
    """The tangents of the memory of arrays, along several directions."""

    def __init__(self, order: int = 0) -> None:
        self.order = order
        self.count = 2 ** order
        self._memory: dict[int, tuple[Any, list[np.ndarray], int]] = {}

    def has(self, array: np.ndarray) -> bool:
        """Whether the memory of an array has tangents; if not, they are zero."""
        return id(root_of(array)) in self._memory

    def make(self, array: np.ndarray) -> bool:
        """See to it that the memory of an array has tangents; False if it cannot."""
        root = root_of(array)
        if root.dtype.kind not in "fc":
            return False
        if id(root) not in self._memory:
            start, end = byte_bounds(root)
            size, key = -(-(end - start) // root.itemsize), id(root)
            self._memory[key] = (weakref.ref(root, lambda _: self._memory.pop(key, None)),
                                 [np.zeros(size, root.dtype) for _ in range(self.count - 1)], start)
        return True

    def of(self, array: np.ndarray, which: int) -> np.ndarray:
        """A component of an array whose memory has tangents: the array itself, or a view."""
        if which == 0:
            return array
        root = root_of(array)
        _, flats, start = self._memory[id(root)]
        flat = flats[which - 1]
        if array.size == 0:
            return np.zeros(array.shape, array.dtype)
        if array.dtype != root.dtype:
            if root.dtype.kind != "c" or array.dtype != root.real.dtype:
                raise UnsupportedSyntaxError(
                    f"memory of {root.dtype} is looked at as {array.dtype} and varies", None,
                    "pass a copy, which has memory of its own")
            flat = flat.view(array.dtype)
        return np.ndarray(array.shape, array.dtype, flat,
                          array.__array_interface__["data"][0] - start, array.strides)

    def moves(self, value: Any, above: tuple[int, ...] = ()) -> bool:
        """Whether there are tangents in a value."""
        if isinstance(value, Moving):
            return True
        if isinstance(value, np.ndarray):
            return value.dtype.kind in "fc" and self.has(value)
        if isinstance(value, Seen):
            return any(self.moves(part, above) for part in value.items.values())
        if id(value) in above or isinstance(value, (int, float, complex, str, type(None))):
            return False
        above = (*above, id(value))
        if isinstance(value, (tuple, list, set, collections.deque)):
            return any(self.moves(part, above) for part in value)
        if isinstance(value, dict):
            return any(self.moves(part, above) for part in value.values())
        return is_record(value) and any(
            self.moves(part, above) for part in attributes(value).values())

    def components(self, values: Sequence[Any], which: int,
                   made: dict[int, Any] | None = None) -> list[Any]:
        """One component of each of several values; what is one container stays one. made: takes
        what was made of each container, by its id."""
        made = {} if made is None else made
        return [self._component(value, which, made) for value in values]

    def component(self, value: Any, which: int) -> Any:
        """One component of a value, in its structure: the value as it is without tangents, or one
        of these, with zeros where there is none."""
        return self._component(value, which, {})

    def _component(self, value: Any, which: int, made: dict[int, Any]) -> Any:
        if can_vary(value):
            if isinstance(value, Moving):
                return value.plain(value) if which == 0 else value.tangents[which - 1] \
                    if which <= len(value.tangents) else value.plain(0.0)
            return value if which == 0 else type(value)(0.0)
        if isinstance(value, np.ndarray):
            if which == 0:
                return value
            if value.dtype.kind in "fc" and self.has(value):
                return self.of(value, which)
            return np.zeros(value.shape, value.dtype if value.dtype.kind in "fc" else float)
        if isinstance(value, tuple):
            parts = [self._component(part, which, made) for part in value]
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        if id(value) in made:
            return made[id(value)]
        if isinstance(value, (list, collections.deque)):
            items: Any = [] if which or isinstance(value, list) \
                else collections.deque(maxlen=value.maxlen)
            made[id(value)] = items
            items += [self._component(part, which, made) for part in value]
            return items
        if isinstance(value, dict):
            found = made[id(value)] = {} if which else copy.copy(value)
            for key, part in value.items():
                found[key] = self._component(part, which, made)
            return found
        if is_record(value):
            bare = made[id(value)] = blank(type(value))
            for name, part in attributes(value).items():
                keep(value, bare, name, self._component(part, which, made))
            return bare
        if self.moves(value):
            raise _losing()
        if which == 0:
            return self._callable(value, made)
        return 0.0 if isinstance(value, (int, np.integer, np.bool_)) else None

    def _callable(self, value: Any, made: dict[int, Any]) -> Any:
        """Of a method its function, bound to what was made of its object; of a partial likewise."""
        if isinstance(value, (types.MethodType, types.BuiltinMethodType)):
            owner = self._component(value.__self__, 0, made)
            if owner is value.__self__:
                return value
            return types.MethodType(value.__func__, owner) if isinstance(value, types.MethodType) \
                else getattr(owner, value.__name__)
        if isinstance(value, functools.partial):
            args, keywords = self.components([value.args, value.keywords], 0, made)
            return functools.partial(value.func, *args, **keywords)
        return value

    def put(self, value: Any, tangents: list[Any]) -> Any:
        """A value that carries tangents: they are given in its structure, None for zero. Containers
        are changed, numbers and tuples are made anew."""
        return self._put(value, tangents, set()) if tangents else value

    def _put(self, value: Any, tangents: list[Any], done: set[int]) -> Any:
        if can_vary(value):
            return moving(value, tangents)
        if isinstance(value, np.ndarray):
            if self.make(value) and value.dtype.kind in "fc":
                for number, tangent in enumerate(tangents, 1):
                    if tangent is not None:
                        view = self.of(value, number)
                        view[...] = tangent if view.dtype.kind == "c" else np.real(tangent)
            return value
        if isinstance(value, tuple):
            made = [self._put(part, [part_of(t, key) for t in tangents], done)
                    for key, part in enumerate(value)]
            return type(value)(*made) if hasattr(value, "_fields") else type(value)(made)
        if id(value) in done or isinstance(value, (int, str, type(None))):
            return value
        done.add(id(value))
        if isinstance(value, (list, collections.deque)):
            for key in range(len(value)):
                value[key] = self._put(value[key], [part_of(t, key) for t in tangents], done)
        elif isinstance(value, dict):
            for key in value:
                value[key] = self._put(value[key], [part_of(t, key) for t in tangents], done)
        elif is_record(value):
            for name, part in attributes(value).items():
                keep(value, value, name, self._put(
                    part, [part_of_seen(value, t, name) for t in tangents], done))
        return value

    def detached(self, value: Any) -> Any:
        """The value without tangents, sharing nothing with it."""
        return _Plain().own(value)

    def tangent(self, value: Any, which: int) -> Any:
        """One tangent of a value, in its structure with None for what cannot vary."""
        return replaced(value, lambda leaf: np.array(self.component(leaf, which))
                        if isinstance(leaf, np.ndarray) else self.component(leaf, which))


class _Plain(Owner):
    """Copies without tangents."""

    def own(self, value: Any) -> Any:
        return value.plain(value) if isinstance(value, Moving) else super().own(value)


# Adjoints of values with tangents -----------------------------------------------------------------
def part(adjoint: Any, which: int) -> Any:
    """A component of the adjoint of a number."""
    if isinstance(adjoint, Moved):
        return adjoint.parts[which]
    return adjoint if which == 0 else None


def taken_all(tape: Any, value: Any, adjoint: Any) -> list[Any]:
    """The adjoints of the components of a value that comes to be here, each a structure like it or
    None; see memory.taken."""
    tangents: Tangents = tape.heap.tangents
    adjoints: Adjoints = tape.adjoints
    count = tangents.count
    if count == 1:
        return [taken(adjoints, value, adjoint)]
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "fc" or not tangents.has(value):
            return [None] * count
        return [adjoints.take(tangents.of(value, which)) for which in range(count)]
    if not isinstance(value, (tuple, Seen)):
        return [part(adjoint, which) for which in range(count)]
    if isinstance(value, tuple):
        items, slots = dict(enumerate(value)), adjoint or {}
    else:
        items, slots = value.items, adjoints.slots(value.container)
    found = {key: taken_all(tape, item, slots.pop(key, None)) for key, item in items.items()}
    out: list[Any] = []
    for which in range(count):
        if all(one[which] is None for one in found.values()):
            out.append(None)
            continue
        made = {key: zero_of(items[key]) if one[which] is None else one[which]
                for key, one in found.items()}
        if isinstance(value, Seen) and not hasattr(value.container, "append"):
            out.append(made)                        # of a dict or an object
        else:
            kind: Any = type(value) if isinstance(value, tuple) else list
            out.append(kind(*made.values()) if hasattr(kind, "_fields") else kind(made.values()))
    return out


def spread_all(tape: Any, value: Any, contributions: list[Any]) -> Any:
    """Add to the adjoints of what a value holds, component by component; what is left for the value
    itself. See memory.spread. What carries no tangents does not vary, and gets nothing."""
    tangents: Tangents = tape.heap.tangents
    adjoints: Adjoints = tape.adjoints
    if all(one is None for one in contributions):
        return None
    if tangents.count == 1:
        return spread(adjoints, value, contributions[0])
    if isinstance(value, Seen):
        for key, item in value.items.items():
            adjoints.add_slot(value.container, key, spread_all(
                tape, item, [part_of_seen(value.container, c, key) for c in contributions]))
        return None
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "fc" and tangents.has(value):
            for which, one in enumerate(contributions):
                adjoints.add(tangents.of(value, which), one)
        return None
    if isinstance(value, tuple):
        parts = Parts()
        for key, item in enumerate(value):
            found = spread_all(tape, item, [part_of(c, key) for c in contributions])
            if found is not None:
                parts[key] = found
        return parts or None
    if not isinstance(value, Moving):
        return None
    is_complex = isinstance(value, (complex, np.complexfloating))
    return Moved([one if one is None or is_complex else np.real(one)
                  for one in contributions])


def merged(found: list[Any], operands: Sequence[Any], tangents: Tangents) -> Any:
    """What the backward passes of the components of one operation give their operands, together."""
    out: list[Any] = []
    for number, operand in enumerate(operands):
        parts = [None if one is None or number >= len(one) else one[number] for one in found]
        out.append(None if all(p is None for p in parts) or not tangents.moves(operand)
                   else Moved(parts))
    return out


def componentwise(tape: Any, operation: Callable[..., Any], operands: Sequence[Any]) -> Any:
    """A linear operation that writes into its first operand: on the values, and likewise on each
    tangent. operation(tape, *operands) gives what takes the adjoint to the other operands."""
    tangents: Tangents = tape.heap.tangents
    target = operands[0]
    backs = [operation(tape, tangents.of(target, which),
                       *[tangents.component(one, which) for one in operands[1:]])
             for which in reversed(range(tangents.count))]

    def back(_: Any) -> Any:
        # The arrays themselves are put back last: where they lie is all that the others need.
        found = [one(None) for one in backs]
        found.reverse()
        return merged(found, operands[1:], tangents)
    return back
