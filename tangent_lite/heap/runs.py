"""One run of a function by identity: forward, and backward as often as is asked for."""
from __future__ import annotations

import inspect
import os
import threading
import types
from collections.abc import Sequence
from typing import Any

from tangent_lite.calling.depth import room
from tangent_lite.errors import AliasError, MissingRuleError, TangentError
from tangent_lite.heap import functions
from tangent_lite.heap.draws import Draws
from tangent_lite.heap.heap import Heap
from tangent_lite.heap.memory import Cell, seen
from tangent_lite.heap.moving import spread_all
from tangent_lite.heap.own import Owner, Shared
from tangent_lite.heap.places import OwnerOfArgument, gradient, place_of
from tangent_lite.heap.tape import Tape

_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Run:
    """A run of a function on private copies of its arguments.

    refusal: why the derivative cannot be written with names alone. tangents: of each argument those
    for all sets of directions but the empty one (see moving), None for an argument that does not
    vary; the backward pass is for all components then, records says whether there will be one.
    cells: variables that the function captures, those of one value together; the values stand
    behind the arguments. every: all of them, and those that hold functions. draws: what earlier
    runs for the same derivative drew; around: the heap of the run that this one is a step of.
    asked: the parts of each argument that derivatives are with respect to, as the names of
    attributes that lead there; None for all.
    """

    def __init__(self, function: Any, values: tuple[Any, ...], refusal: TangentError,
                 order: int = 0, tangents: list[list[Any] | None] | None = None,
                 records: bool = True, cells: Sequence[list[Cell]] = (),
                 every: Sequence[Cell] = (), draws: Draws | None = None,
                 around: Heap | None = None,
                 asked: Sequence[list[tuple[str, ...]]] | None = None) -> None:
        self.cells = cells
        self.values, self.refusal = values, refusal
        self.heap = heap = Heap(order, records, draws, around)
        for cell in every:
            cell.heap = heap
        self.given = _Kept().keep(values)
        try:
            count = len(values) - len(cells)
            paths: Sequence[list[tuple[str, ...]]] = [[()]] * len(values) if asked is None \
                else asked
            owned = [OwnerOfArgument(heap.shared).own_asked(value, some) if some
                     else Owner(heap.shared).own_argument(value)
                     for value, some in zip(values, paths)]
            self.places = [place_of(value, copied, {}) for value, copied in zip(values, owned)]
            for number, given in enumerate(tangents or ()):
                if given is not None:
                    owned[number] = heap.tangents.put(owned[number], given)
            self.pair = functions.pair_of(function)
            functions.check_returns(self.pair.template)
            self.tape = heap.current = Tape(heap, function, functions.place)
            self.tape.lines = self.pair.lines
            self.order = _in_the_pair(function.__code__, len(owned))
            for ours, value in zip(cells, owned[count:]):
                for cell in ours:
                    cell.value = value
            with room(), heap.draws.run():
                self.value = self.pair.forward(self.tape, *[owned[k] for k in self.order[:count]])
        except TangentError as error:
            raise self._refused(error) from error.__cause__
        self.is_done = False
        self.lock = threading.Lock()

    def _refused(self, error: TangentError) -> TangentError:
        if error.place is None:
            error.place = functions.place_of(error)
        return told(self.refusal, error)

    def detached(self) -> Any:
        """The value, sharing nothing with what the run holds."""
        return self.heap.tangents.detached(self.value)

    def tangent(self, which: int) -> Any:
        """A tangent of the value, in its structure, with None for what cannot vary."""
        return self.heap.tangents.tangent(self.value, which)

    def pull(self, seed: Any) -> list[Any]:
        """The gradients with respect to the arguments, as structures to be finished."""
        found = self.pull_all([seed], range(len(self.values)))
        return [one[0] for one in found]

    def pull_all(self, seeds: list[Any], spots: Any) -> list[list[Any]]:
        """The same for seeds of all components of the value: of each argument in spots the adjoints
        of all components."""
        with self.lock:                         # a pullback may be called by several threads
            return self._pull(seeds, spots)

    def _pull(self, seeds: list[Any], spots: Any) -> list[list[Any]]:
        if self.is_done:
            self.heap.again()
        self.is_done = True
        try:
            adjoint = spread_all(self.tape, seen(self.value), seeds)
            with room():
                found = [*self.pair.backward(self.tape.rewind(), adjoint),
                         *(self.heap.adjoints.slots(ours[0]).get("value")
                           for ours in self.cells)]
        except TangentError as error:
            raise self._refused(error) from error.__cause__
        found = [found[self.order.index(k)] for k in range(len(found))]
        return [[gradient(self.heap, self.places[spot], found[spot], which)
                 for which in range(self.heap.tangents.count)] for spot in spots]


def _in_the_pair(code: types.CodeType, count: int) -> list[int]:
    """The positions of the parameters as the pair takes them: those with stars behind the others.
    """
    order = list(range(count))
    if code.co_flags & inspect.CO_VARARGS:
        star = order.pop(code.co_argcount)
        order.insert(code.co_argcount + code.co_kwonlyargcount, star)
    return order


class _Kept:
    """The arguments as they were given: what the structure of gradients is made like."""

    def keep(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        shared = Shared()
        owner = Owner(shared)
        kept = tuple(owner.own(value) for value in values)
        shared.close()
        return kept


def told(refusal: TangentError, error: TangentError) -> TangentError:
    """Which error the user is shown, where neither way leads to a derivative.

    What stops this one is what has to be rewritten, wherever that is; the other is its cause. At
    one place both say the same, and the refusal says it better, since it knows the names; but that
    memory is shared is what has to be rewritten, wherever it shows, and that a rule is missing says
    why nothing is known of what comes out, and why nothing can be done with it: but not what the
    refusal says of a part of the statement.
    """
    refusal.by_identity = error                                 # type: ignore[attr-defined]
    ours, theirs = error.place, refusal.place
    if error.is_final:
        error.__cause__ = refusal
        return error
    is_shared = isinstance(error, AliasError)
    lacks_rule = isinstance(error, MissingRuleError) and (
        ours is None or theirs is None or (ours.file, ours.line) != (theirs.file, theirs.line)
        or theirs.column <= ours.column)
    if (refusal.is_on_purpose and not lacks_rule) or error.is_told_better_by_names:
        return refusal
    if ours is None or os.path.dirname(ours.file).startswith(_HOME) or (
            theirs is not None and (ours.file, ours.line) == (theirs.file, theirs.line)
            and not refusal.is_told_better_by_identity
            and isinstance(refusal, (AliasError, MissingRuleError)) >= lacks_rule
            and isinstance(refusal, AliasError) >= is_shared):
        return refusal
    if theirs is None and isinstance(refusal, AliasError) and is_shared:
        refusal.place = ours                    # it knows the names, this one the place
        return refusal
    error.__cause__ = refusal
    return error
