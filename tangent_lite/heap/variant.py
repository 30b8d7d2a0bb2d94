"""A derivative that finds adjoints by identity, in the place of one that knows all names."""
from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangent_lite import trees
from tangent_lite.depth import room
from tangent_lite.directions import cotangent_of, described, direction_at, fitted
from tangent_lite.errors import AliasError, OutputError, TangentError
from tangent_lite.heap import functions
from tangent_lite.heap.memory import Parts, seen, spread
from tangent_lite.heap.own import Owner
from tangent_lite.heap.tape import Heap, Tape
from tangent_lite.kinds import UNKNOWN
from tangent_lite.leaves import leaves, leaves_beside, replaced
from tangent_lite.request import Request
from tangent_lite.runtime_tangents import attributes
from tangent_lite.sharing import NOTHING_SHARED
from tangent_lite.variant import Variant, _held, found_kinds

_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class HeapVariant(Variant):
    """A variant for arguments of any kind.

    refusal: why the derivative cannot be written with names alone; raised again where this cannot
    follow the function either.
    """
    by_identity = True
    pushed = None
    sharing = NOTHING_SHARED            # what is shared shows when something is written to

    def __init__(self, request: Request, values: tuple[Any, ...] | None,
                 refusal: TangentError) -> None:
        self.request, self.refusal = request, refusal
        self.kinds = found_kinds(request, values) if values is not None else \
            dict.fromkeys(request.names, UNKNOWN)
        self.general = self.is_called = False
        if request.derived is not None:
            raise refusal
        self.function = request.function
        self.paths = self._paths() if values is not None else []
        if values is not None:
            self._check_inputs(values)
        try:
            self.template = functions.template_of(self.function)
        except TangentError as error:
            raise told(refusal, error) from error.__cause__
        order = list(self.kinds)
        self.spots = [order.index(path[0]) for path in self.paths]
        self.single = not isinstance(request.wrt, tuple)
        self.only = None
        self.form = "pair"
        self._text: str | None = None

    def entry_for(self, values: tuple[Any, ...]) -> None:
        return None

    def holds(self) -> bool:
        """It rests on nothing: what names mean is found when they are read."""
        return True

    @property
    def main(self) -> Callable[..., Any]:                       # type: ignore[override]
        return functions.pair_of(self.function).forward

    @property
    def text(self) -> str:
        """The source to read: the passes of the function, and of the helpers that it names."""
        if self._text is None:
            self._text = "\n\n".join(one.text for one in functions.helpers_of(self.template))
        return self._text

    @property
    def lines(self) -> dict[int, tuple[str, int]]:
        return functions.line_map(functions.helpers_of(self.template))

    @property
    def emitted(self) -> Callable[..., Any]:
        raise self.refusal

    def standalone(self) -> str:
        raise TangentError("a derivative that finds adjoints by identity cannot be written to a "
                           "file", None, "see the limitations: " + str(self.refusal.fix))

    # Running ----------------------------------------------------------------------------------
    def run(self, values: tuple[Any, ...]) -> Any:
        request = self.request
        call = Call(self, values)
        value = call.value
        first = value
        if request.has_aux:
            if not isinstance(value, tuple) or len(value) != 2:
                raise OutputError(f"{request.name}: has_aux=True needs a result (value, aux), not "
                                  f"{described(value)}")
            first = value[0]
        seed = self._seed(first)
        returned = call.detached()
        gradients = self._gradients(
            call.pull((seed, None) if request.has_aux else seed), values, _held(values))
        if request.form == "grad":
            return (gradients, returned[1]) if request.has_aux else gradients
        return returned, gradients

    def _gradients(self, found: Any, values: tuple[Any, ...], held: list[Any]) -> Any:
        parts = tuple(found)
        return super()._gradients(parts if len(parts) != 1 else parts[0], values, held)

    def pull_back(self, values: tuple[Any, ...], ran: Any = None) \
            -> tuple[Any, Callable[[Any], Any]]:
        call = Call(self, values)
        value = call.detached()
        wrt = self.request.wrt
        names = list(self.kinds)[len(self.request.bound):]
        kept = call.given

        def pullback(cotangent: Any) -> Any:
            seed = fitted(cotangent_of(cotangent, value), value)
            held = _held(values) + trees.arrays_in(value) + trees.arrays_in(seed)
            found: Any = self._gradients(call.pull(seed), kept, held) if self.paths else ()
            if wrt is not None:
                return found if isinstance(wrt, tuple) else found[0]
            by_name = {path[0]: part for path, part in zip(self.paths, found)}
            return tuple(by_name.get(name) for name in names)

        return value, pullback

    def push_forward(self, values: tuple[Any, ...], tangents: list[Any]) -> tuple[Any, Any]:
        """One run forward, and one backward for each number of the value: each gives the derivative
        of that number along the tangents. For complex numbers the second part takes another."""
        call = Call(self, values)
        value = call.detached()
        given = dict(zip(self.kinds, values))
        moved: dict[str, Any] = {}
        for path, tangent in zip(self.request.paths(), tangents):
            moved[path[0]] = direction_at(tangent, given[path[0]], path, moved.get(path[0]))

        def along(seed: Any) -> float:
            found = self._gradients(call.pull(seed), call.given, []) if self.paths else ()
            return sum((np.real(np.sum(g * t)) for path, part in zip(self.paths, found)
                        for g, t in zip(leaves(part), leaves_beside(moved[path[0]], part))), 0.0)

        slopes = iter([along(seed) if not is_turned else -along(seed)
                       for seed, is_turned in _unit_seeds(value)])
        return value, _filled(value, slopes)

    def settled(self, found: Any, values: tuple[Any, ...], held: list[Any]) -> Any:
        raise self.refusal


def told(refusal: TangentError, error: TangentError) -> TangentError:
    """Which error the user is shown, where neither way leads to a derivative.

    What stops this one is what has to be rewritten, wherever that is; the other is its cause. At
    one place both say the same, and the refusal says it better, since it knows the names.
    """
    refusal.by_identity = error                                 # type: ignore[attr-defined]
    ours, theirs = error.place, refusal.place
    if ours is None or os.path.dirname(ours.file).startswith(_HOME) or (
            theirs is not None and (ours.file, ours.line) == (theirs.file, theirs.line)):
        return refusal
    if theirs is None and isinstance(refusal, AliasError) and isinstance(error, AliasError):
        refusal.place = ours                    # it knows the names, this one the place
        return refusal
    error.__cause__ = refusal
    return error


class Call:
    """One run of a function, of which the backward pass may be run again and again."""

    def __init__(self, variant: HeapVariant, values: tuple[Any, ...]) -> None:
        self.variant, self.values = variant, values
        self.heap = heap = Heap()
        self.given = _Kept().keep(values)
        try:
            self.owners = [Owner(heap.shared) for _ in values]
            owned = [owner.own(value) for owner, value in zip(self.owners, values)]
            self.pair = functions.pair_of(variant.function)
            self.tape = Tape(heap, variant.function, functions.place)
            with room():
                self.value = self.pair.forward(self.tape, *owned)
        except TangentError as error:
            raise self._refused(error) from error.__cause__
        self.owned = owned
        self.is_done = False
        self.lock = threading.Lock()

    def _refused(self, error: TangentError) -> TangentError:
        if error.place is None:
            error.place = functions.place_of(error)
        return told(self.variant.refusal, error)

    def detached(self) -> Any:
        """The value, sharing nothing with what the run holds."""
        return Owner().own(self.value)

    def pull(self, seed: Any) -> list[Any]:
        """The gradients with respect to all paths, as structures to be finished."""
        with self.lock:                         # a pullback may be called by several threads
            return self._pull(seed)

    def _pull(self, seed: Any) -> list[Any]:
        if self.is_done:
            self.heap.again()
        self.is_done = True
        try:
            adjoint = _seeded(self, self.value, seed)
            with room():
                found = self.pair.backward(self.tape.rewind(), adjoint)
        except TangentError as error:
            raise self._refused(error) from error.__cause__
        names = list(self.variant.kinds)
        out = []
        for path in self.variant.paths:
            spot = names.index(path[0])
            part = self._structure(self.values[spot], self.owned[spot], found[spot], set(),
                                   self.owners[spot].known)
            for _, attribute in path[1:]:
                part = None if part is None else part.get(attribute)
            out.append(part)
        return out

    def _structure(self, given: Any, owned: Any, adjoint: Any, above: set[int],
                   known: Callable[[Any], Any]) -> Any:
        """The gradient of an argument, in the structure in which it was given."""
        adjoints = self.heap.adjoints
        if isinstance(owned, np.ndarray):
            return adjoints.of(owned) if owned.dtype.kind in "fc" and adjoints.has(owned) else None
        if isinstance(given, tuple):
            parts = adjoint if isinstance(adjoint, Parts) else {}
            return [self._structure(item, known(item), parts.get(k), above, known)
                    for k, item in enumerate(given)]
        if id(given) in above:
            return None
        above = above | {id(given)}
        if isinstance(given, list):
            slots = adjoints.known(owned)
            return [self._structure(item, known(item), slots.get(k), above, known)
                    for k, item in enumerate(given)]
        if isinstance(given, dict):
            slots = adjoints.known(owned)
            return {key: self._structure(item, known(item), slots.get(key), above, known)
                    for key, item in given.items()}
        if owned is not given:
            slots = adjoints.known(owned)
            return {key: self._structure(item, known(item), slots.get(key), above, known)
                    for key, item in attributes(given).items()}
        return adjoint


class _Kept:
    """The arguments as they were given: what the structure of gradients is made like."""

    def keep(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        owner = Owner()
        return tuple(owner.own(value) for value in values)


def _unit_seeds(value: Any) -> Iterator[tuple[Any, bool]]:
    """One for each number of a value, and zero for the others; for a complex number i as well."""
    for number, leaf in enumerate(leaves(value)):
        for spot in np.ndindex(np.shape(leaf)):
            for unit in (1.0, 1j) if np.iscomplexobj(leaf) else (1.0,):
                yield _with_one(value, number, spot, unit), unit == 1j


def _with_one(value: Any, number: int, spot: tuple[int, ...], unit: Any) -> Any:
    counter = itertools.count()

    def make(leaf: Any) -> Any:
        here = next(counter) == number
        if not isinstance(leaf, np.ndarray):
            return unit if here else 0.0
        made = np.zeros_like(leaf)
        if here:
            made[spot] = unit
        return made
    return replaced(value, make)


def _filled(value: Any, slopes: Iterator[float]) -> Any:
    """The structure of a value with these numbers, None for what cannot vary."""
    def make(leaf: Any) -> Any:
        count = np.size(leaf) * (2 if np.iscomplexobj(leaf) else 1)
        numbers = np.array(list(itertools.islice(slopes, count)), float)
        if np.iscomplexobj(leaf):
            numbers = numbers[::2] + 1j * numbers[1::2]
        if isinstance(leaf, np.ndarray):
            return numbers.reshape(leaf.shape).astype(leaf.dtype)
        return type(leaf)(numbers[0])
    return replaced(value, make)


def _seeded(call: Call, value: Any, seed: Any) -> Any:
    """Give the adjoint of the value to what it holds; what is left for itself."""
    return spread(call.heap.adjoints, seen(value), seed) if seed is not None else None

