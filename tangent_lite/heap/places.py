"""The places of an argument, and the gradient at each of them.

A gradient has the structure of the argument, and each array in it what comes back to its own
place: with respect to `{"a": w, "b": w}` the adjoint of what the function reads as "a", and that of
what it reads as "b". Adjoints belong to memory, so arrays that lie on top of each other are copied
into memory of their own on entry, as far as they are asked for. Lists, dicts and objects may
change, and be seen to change at all their places; they stay one thing.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from tangent_lite.heap.memory import Parts, can_vary, lowest_address, overlaps_itself, root_of
from tangent_lite.heap.moving import part
from tangent_lite.heap.own import Owner, Shared, copied_memory, lying
from tangent_lite.heap.unknown import Unknown
from tangent_lite.runtime.tangents import attributes


class _Layer:
    """A copy of a memory, in which no two arrays that are asked for overlap."""

    def __init__(self, value: np.ndarray, root: np.ndarray) -> None:
        self.root = root
        self.copied, self.shift = copied_memory(value, root)
        self._arrays: list[np.ndarray] = []
        self._taken: np.ndarray | None = None       # which bytes; made for a second array

    def has_room(self, value: np.ndarray) -> bool:
        """Whether an array overlaps none that lies here already."""
        if self._taken is None:
            self._taken = np.zeros(self.copied.nbytes, bool)
            for one in self._arrays:
                self._bytes(one)[...] = True
        return not self._bytes(value).any()

    def put(self, value: np.ndarray) -> np.ndarray:
        """The array here that lies as the given one lies in the memory."""
        self._arrays.append(value)
        if self._taken is not None:
            self._bytes(value)[...] = True
        return lying(value, self.root, self.copied, self.shift)

    def _bytes(self, value: np.ndarray) -> Any:
        start = value.__array_interface__["data"][0] - lowest_address(self.root) + self.shift
        return np.ndarray((*value.shape, value.itemsize), bool, self._taken,
                          start if value.size else 0, (*value.strides, 1))


class OwnerOfArgument(Owner):
    """Copies of an argument, in which arrays that are asked for share no memory."""
    _is_asked = False

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._layers: dict[int, list[_Layer]] = {}
        self._at: dict[tuple[int, str], Any] = {}       # object and attribute -> its copy

    def own_asked(self, value: Any, paths: list[tuple[str, ...]]) -> Any:
        """The copy of an argument of which the derivative is with respect to some parts, each given
        as the names of the attributes that lead to it; () leads to all."""
        for path in paths:
            owner, found = None, value
            for name in path:
                owner, found = found, getattr(found, name)
            self._is_asked = True
            copied = self.own(found)
            self._is_asked = False
            if not path:
                return copied
            self._at[id(owner), path[-1]] = copied
        return self.own_argument(value)

    def own(self, value: Any) -> Any:
        if self._is_asked and id(value) not in self.shared.made and (
                isinstance(value, tuple) or (isinstance(value, np.ndarray)
                                             and value.dtype.kind in "fc")):
            return self._copy(value)            # at each place another one
        return super().own(value)

    def own_attribute(self, owner: Any, name: str, value: Any) -> Any:
        key = id(owner), name
        return self._at[key] if key in self._at else super().own_attribute(owner, name, value)

    def _keep(self, value: Any, made: Any) -> Any:
        if not self._is_asked or not isinstance(value, (np.ndarray, tuple)):
            return super()._keep(value, made)
        self.shared.made[id(made)] = made
        self.shared.note_stands_for(value, made)
        return made

    def _array(self, value: np.ndarray) -> np.ndarray:
        if not self._is_asked or value.dtype.kind not in "fc":
            return super()._array(value)
        root = root_of(value)
        if overlaps_itself(value):              # each element has a derivative of its own
            made = value.copy()
            self.shared.note_array(value, root, object(), made)
            return made
        layers = self._layers.setdefault(id(root), [])
        layer = next((one for one in layers if one.has_room(value)), None)
        if layer is None:
            layer = _Layer(value, root)
            layers.append(layer)
        self.shared.note_array(value, root, layer, layer.copied)
        return layer.put(value)


class Place:
    """Where a value stands in an argument: its copy as it was on entry, and the places in it by
    their keys, None for what has none."""
    __slots__ = ("given", "is_list", "owned", "parts")

    def __init__(self, given: Any, owned: Any) -> None:
        self.given, self.owned = given, owned           # given: it lives as long as its id is used
        self.parts: dict[Any, Place] | None = None
        self.is_list = isinstance(given, (list, tuple))


def place_of(given: Any, owned: Any, known: dict[int, Place]) -> Place:
    """The place of a value whose copy was just made; known: those of lists, dicts and objects."""
    if id(given) in known and not isinstance(given, tuple):
        return known[id(given)]
    made = Place(given, owned)
    items: list[tuple[Any, Any, Any]]
    if isinstance(given, (list, tuple)):
        items = [(key, a, b) for key, (a, b) in enumerate(zip(given, owned))]
    elif isinstance(given, dict):
        items = [(key, a, b) for (key, a), b in zip(given.items(), owned.values())]
    elif owned is given or isinstance(given, np.ndarray) or can_vary(given):
        return made
    else:
        copies = attributes(owned)
        items = [(name, one, copies.get(name, one)) for name, one in attributes(given).items()]
    if not isinstance(given, tuple):
        known[id(given)] = made
    made.parts = {key: place_of(a, b, known) for key, a, b in items}
    return made


def gradient(heap: Any, place: Place, adjoint: Any, which: int,
             above: set[int] | None = None) -> Any:
    """The gradient of what stands at a place, in its structure: a component of it; None for zero,
    and for what refers to itself where it does; above: the places around it, by id."""
    adjoints, tangents, owned = heap.adjoints, heap.tangents, place.owned
    if isinstance(owned, np.ndarray):
        if owned.dtype.kind not in "fc" or (which and not tangents.has(owned)):
            return None
        array = tangents.of(owned, which)
        unknown = adjoints.unknown_of(array)
        if unknown is not None:
            return unknown
        return adjoints.of(array) if adjoints.has(array) else None
    if place.parts is None:
        return adjoint if isinstance(adjoint, Unknown) else part(adjoint, which)
    above = set() if above is None else above
    if id(place) in above:
        return None
    if isinstance(place.given, tuple):
        slots = dict.fromkeys(place.parts, adjoint) if isinstance(adjoint, Unknown) \
            else adjoint if isinstance(adjoint, Parts) else {}
    else:
        slots = adjoints.known(owned)
    above.add(id(place))
    found = {key: gradient(heap, one, slots.get(key), which, above)
             for key, one in place.parts.items()}
    above.discard(id(place))
    return list(found.values()) if place.is_list else found
