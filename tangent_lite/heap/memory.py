"""Adjoints found by identity: of the memory of arrays, and of the slots of containers.

An array has no adjoint of its own. The memory that it lies in has one, as large and laid out alike,
and the adjoint of an array is the part of it where the array lies: so two views overlap exactly
where their adjoints do. Of a list, dict, object or cell each slot that holds a number (or a tuple)
has an adjoint; what holds an array or a container has none, since that has its own.

An adjoint is None as long as nothing has been added to it. Those of tuples are `Parts`.
"""
from __future__ import annotations

import types
from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap.unknown import Unknown
from tangent_lite.runtime.sparse import is_sparse
from tangent_lite.runtime.tangents import attributes, is_record


class Cell:
    """A variable that several functions see."""
    __slots__ = ("heap", "owner", "value")
    heap: Any               # of the run that follows it
    owner: Any              # the code of the function whose variable it is
    value: Any


class Parts(dict[Any, Any]):
    """The adjoint of a tuple: those of its items that have one."""


class Adjoints:
    """The adjoints of one backward pass."""

    def __init__(self, spaces: dict[int, tuple[Any, Any]] | None = None) -> None:
        # The dict of an object -> it, and the object.
        self._spaces = {} if spaces is None else spaces
        # Of memory: what owns it, its adjoint as it lies there and laid out like it, the address.
        self._memory: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray, int]] = {}
        self._slots: dict[int, tuple[Any, dict[Any, Any]]] = {}
        self._unknown: dict[int, tuple[np.ndarray, Unknown]] = {}       # of memory, by id

    # Arrays -----------------------------------------------------------------------------------
    def has(self, array: np.ndarray) -> bool:
        """Whether anything was added to the adjoint of the memory of an array."""
        root = id(root_of(array))
        return root in self._memory or root in self._unknown

    def unknown_of(self, array: np.ndarray) -> Unknown | None:
        """The adjoint of the memory of an array, where no rule says it."""
        found = self._unknown.get(id(root_of(array)))
        return None if found is None else found[1]

    def of(self, array: np.ndarray) -> np.ndarray:
        """The adjoint of an array of floats that is no part of complex numbers: a view of that of
        its memory."""
        adjoint, sign = self.part(array)
        assert sign == 1
        return adjoint

    def part(self, array: np.ndarray) -> tuple[np.ndarray, int]:
        """The same of any array, and a sign: the adjoint of x.imag is that part of the adjoint,
        negated."""
        root = root_of(array)
        unknown = self.unknown_of(root)
        if unknown is not None:
            unknown.fail()
        found = self._memory.get(id(root))
        if found is None:
            start, end = byte_bounds(root)
            flat = np.zeros(-(-(end - start) // root.itemsize), root.dtype)
            whole = flat[:0].reshape(root.shape) if root.size == 0 else np.ndarray(
                root.shape, root.dtype, flat, root.__array_interface__["data"][0] - start,
                root.strides)
            found = self._memory[id(root)] = root, flat, whole, start
        if array.size == 0:
            return np.zeros(array.shape, array.dtype), 1
        _, flat, whole, start = found
        if array is root:
            return whole, 1
        offset = array.__array_interface__["data"][0] - start
        sign = 1
        if array.dtype != root.dtype:
            if root.dtype.kind != "c" or array.dtype != root.real.dtype \
                    or any(s % root.itemsize for s in array.strides):
                raise UnsupportedSyntaxError(
                    f"memory of {root.dtype} is looked at as {array.dtype} and changes", None,
                    "pass a copy, which has memory of its own")
            flat = flat.view(array.dtype)
            sign = 1 if offset % root.itemsize == 0 else -1
        return np.ndarray(array.shape, array.dtype, flat, offset, array.strides), sign

    def add(self, array: np.ndarray, contribution: Any) -> None:
        """Add to the adjoint of an array."""
        if contribution is None or array.dtype.kind not in "fc" or array.size == 0:
            return
        root = root_of(array)
        if isinstance(contribution, Unknown):
            self._unknown[id(root)] = root, contribution
        if id(root) in self._unknown:
            return
        adjoint, sign = self.part(array)
        if np.iscomplexobj(contribution) and adjoint.dtype.kind == "f":
            contribution = np.real(contribution)
        if sign < 0:
            contribution = -contribution
        if overlaps_itself(adjoint):
            flat, spots = self._spots(array)
            np.add.at(flat, spots, np.broadcast_to(contribution, array.shape))
        else:
            adjoint += contribution

    def add_item(self, array: np.ndarray, index: Any, contribution: Any) -> None:
        """Add to the adjoint of one number of an array."""
        if isinstance(contribution, Unknown):
            self.add(array, contribution)
        if self.unknown_of(array) is not None:      # and it stays so, whatever is added
            return
        spots, sign = self.part(array)
        if sign < 0:
            contribution = -contribution
        spots[index] += contribution if spots.dtype.kind == "c" else np.real(contribution)

    def copied(self, array: np.ndarray, index: Any = ...) -> Any:
        """The adjoint of a part of an array as it is now, or Unknown."""
        unknown = self.unknown_of(array)
        if unknown is not None:
            return unknown
        spots, sign = self.part(array)
        return sign * np.array(spots[index])

    def _spots(self, array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The adjoint of the memory of an array, and where in it the array's elements lie."""
        _, memory, _, start = self._memory[id(root_of(array))]
        flat, size = memory.view(array.dtype), np.dtype(np.intp).itemsize
        offset = (array.__array_interface__["data"][0] - start) // flat.itemsize * size
        return flat, np.ndarray(array.shape, np.intp, np.arange(flat.size), offset,
                                [s // flat.itemsize * size for s in array.strides])

    def take(self, array: np.ndarray) -> np.ndarray | None:
        """The adjoint of an array that comes to be here: nothing before this knows its memory."""
        root = root_of(array)
        if id(root) in self._unknown:
            self._unknown[id(root)][1].fail()
        if id(root) not in self._memory or array.dtype.kind not in "fc":
            return None
        adjoint, sign = self.part(array)
        if root is array:
            del self._memory[id(root)]
            return adjoint
        found = sign * adjoint
        if overlaps_itself(adjoint):       # what lies at one place has its adjoint once, together
            once = np.zeros(array.size, bool)
            once[np.unique(self._spots(array)[1], return_index=True)[1]] = True
            found = np.where(once.reshape(array.shape), found, 0.0)
        adjoint[...] = 0.0
        return found

    def take_known_or_not(self, array: np.ndarray) -> Any:
        """The same, or Unknown."""
        root = root_of(array)
        unknown = self.unknown_of(root)
        if unknown is None:
            return self.take(array)
        if root is array:
            del self._unknown[id(root)]
            self._memory.pop(id(root), None)
        return unknown

    # Containers -------------------------------------------------------------------------------
    def slots(self, container: Any) -> dict[Any, Any]:
        """The adjoints of the slots of a container, by key, position or name."""
        if id(container) in self._spaces:
            container = self._spaces[id(container)][1]
        found = self._slots.get(id(container))
        if found is None:
            found = self._slots[id(container)] = (container, {})
        return found[1]

    def add_slot(self, container: Any, key: Any, contribution: Any) -> None:
        """Add to the adjoint of a slot."""
        if contribution is not None:
            slots = self.slots(container)
            before = slots.get(key)
            slots[key] = contribution if before is None else add(before, contribution)

    def known(self, container: Any) -> dict[Any, Any]:
        """The same, to be read only."""
        found = self._slots.get(id(container))
        return found[1] if found is not None else {}


def add(adjoint: Any, contribution: Any) -> Any:
    """The sum of two adjoints, either of which may be None."""
    if adjoint is None:
        return contribution
    if contribution is None:
        return adjoint
    if isinstance(adjoint, Parts) and isinstance(contribution, Unknown):
        return contribution
    if isinstance(adjoint, Parts):
        for key, part in contribution.items():
            adjoint[key] = add(adjoint.get(key), part)
        return adjoint
    return adjoint + contribution


class Seen:
    """A container and what it held at some moment: the backward pass puts arrays back as they were,
    but not lists and objects, so what looks into these has to keep what it saw."""
    __slots__ = ("container", "items")

    def __init__(self, container: Any, items: dict[Any, Any]) -> None:
        self.container, self.items = container, items


# What values most often are.
_HOLD_NOTHING = frozenset((float, int, complex, np.float64, np.ndarray))


def seen(value: Any) -> Any:
    """A value in which each container that may change later is Seen."""
    if type(value) in _HOLD_NOTHING:
        return value
    if isinstance(value, tuple):
        items = [seen(item) for item in value]
        if all(a is b for a, b in zip(items, value)):
            return value
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, dict):
        return Seen(value, {key: seen(item) for key, item in value.items()})
    if isinstance(value, list):
        return Seen(value, {key: seen(item) for key, item in enumerate(value)})
    if is_record(value) and not isinstance(value, (np.ndarray, types.ModuleType)) \
            and not is_sparse(value):
        return Seen(value, {key: seen(item) for key, item in attributes(value).items()})
    return value


def spread(adjoints: Adjoints, value: Any, contribution: Any) -> Any:
    """Add to the adjoints of what a value holds; what is left for the value itself.

    value: as it was seen when it was used; contribution: a structure like it.
    """
    if contribution is None:
        return None
    if isinstance(value, Seen):
        for key, item in value.items.items():
            adjoints.add_slot(value.container, key, spread(
                adjoints, item, part_of_seen(value.container, contribution, key)))
        return None
    if isinstance(value, np.ndarray):
        adjoints.add(value, contribution)
        return None
    if isinstance(value, tuple):
        parts = Parts()
        for key, item in enumerate(value):
            part = spread(adjoints, item, part_of(contribution, key))
            if part is not None:
                parts[key] = part
        return parts or None
    if not can_vary(value):
        return None
    return contribution if isinstance(value, (complex, np.complexfloating)) else contribution.real


def part_of_seen(container: Any, contribution: Any, key: Any) -> Any:
    """What one item of a container, or one attribute of an object, gets of a contribution."""
    if isinstance(contribution, Unknown):
        return contribution
    if isinstance(contribution, dict):
        return contribution.get(key)
    if isinstance(container, (dict, list)):
        return part_of(contribution, key)
    return None if isinstance(contribution, float) else getattr(contribution, key, None)


def part_of(contribution: Any, key: Any) -> Any:
    """One part of a structure; a number stands for a structure of zeros."""
    if contribution is None or isinstance(contribution, float):
        return None
    return contribution if isinstance(contribution, Unknown) else contribution[key]


def taken(adjoints: Adjoints, value: Any, adjoint: Any) -> Any:
    """The adjoint of a value that comes to be here, and of all it holds, as a structure like the
    value (as it was seen then); None where nothing was added to any of it."""
    if isinstance(value, np.ndarray):
        return adjoints.take_known_or_not(value)
    if not isinstance(value, (tuple, Seen)):
        return adjoint
    if isinstance(value, tuple):
        if isinstance(adjoint, Unknown):
            adjoint = dict.fromkeys(range(len(value)), adjoint)
        items, slots = dict(enumerate(value)), adjoint or {}
    else:
        items, slots = value.items, adjoints.slots(value.container)
    parts = {key: taken(adjoints, item, slots.pop(key, None)) for key, item in items.items()}
    if all(part is None for part in parts.values()):
        return None
    for part in parts.values():
        if isinstance(part, Unknown):
            return part
    made = {key: zero_of(items[key]) if part is None else part for key, part in parts.items()}
    if isinstance(value, Seen) and not hasattr(value.container, "append"):
        return made                             # of a dict or an object
    kind: Any = type(value) if isinstance(value, tuple) else list
    return kind(*made.values()) if hasattr(kind, "_fields") else kind(made.values())


def zero_of(value: Any) -> Any:
    """Zeros in the structure of a value, for a formula that needs all of it."""
    if isinstance(value, np.ndarray):
        return np.zeros_like(value) if value.dtype.kind in "fc" else np.zeros(value.shape)
    if isinstance(value, tuple):
        made = [zero_of(item) for item in value]
        return type(value)(*made) if hasattr(value, "_fields") else tuple(made)
    if isinstance(value, Seen):
        zeros = {key: zero_of(item) for key, item in value.items.items()}
        return list(zeros.values()) if hasattr(value.container, "append") else zeros
    return 0.0


def can_vary(value: Any) -> bool:
    """Whether a value is a number that may vary."""
    return isinstance(value, (float, complex, np.inexact))


# Memory ---------------------------------------------------------------------------------------
def root_of(array: np.ndarray) -> np.ndarray:
    """The array that owns the memory in which an array lies."""
    base: Any = array.base
    while base is not None:
        if not isinstance(base, np.ndarray):
            # What as_strided makes, and what was made of a memoryview of an array
            base = base.obj if isinstance(base, memoryview) else getattr(base, "base", None)
            if not isinstance(base, np.ndarray):
                break
        array, base = base, base.base
    return array


def byte_bounds(array: np.ndarray) -> tuple[int, int]:
    """The lowest address of an array, and the first one behind it."""
    start = array.__array_interface__["data"][0]
    if array.size == 0:
        return start, start
    steps = [(n - 1) * s for n, s in zip(array.shape, array.strides)]
    return (start + sum(s for s in steps if s < 0),
            start + sum(s for s in steps if s > 0) + array.itemsize)


def lowest_address(array: np.ndarray) -> int:
    """The lowest address of an array."""
    return byte_bounds(array)[0]


def overlaps_itself(array: np.ndarray) -> bool:
    """Whether two elements may lie at one place, as in what np.broadcast_to returns."""
    if array.flags.forc:
        return False
    reach = array.itemsize
    for stride, count in sorted((abs(s), n) for s, n in zip(array.strides, array.shape) if n > 1):
        if stride < reach:
            return True
        reach += stride * (count - 1)
    return False
