"""A derivative that finds adjoints by identity, in the place of one that knows all names."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tangent_lite import trees
from tangent_lite.calling.collector import resting
from tangent_lite.calling.depth import deep
from tangent_lite.calling.divided import DIVIDED, with_numpys_numbers
from tangent_lite.calling.parameter_kinds import found_kinds
from tangent_lite.calling.read_outside import Then, read_outside
from tangent_lite.calling.request import Request
from tangent_lite.calling.sharing import NOTHING_SHARED
from tangent_lite.directions.given import cotangent_of, fitted, moved_by
from tangent_lite.directions.slopes import along, from_slopes
from tangent_lite.errors import TangentError
from tangent_lite.heap import functions
from tangent_lite.heap.derivatives import as_function, note_refusal, unbound
from tangent_lite.heap.draws import Draws
from tangent_lite.heap.runs import Run, told
from tangent_lite.heap.unknown import Unknown
from tangent_lite.kinds import UNKNOWN
from tangent_lite.variant import Variant
from tangent_lite.variant.inputs import check_inputs
from tangent_lite.variant.running import _held


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
        self.function = request.function
        if request.derived is not None:
            derived = unbound(request.derived)
            note_refusal(derived, refusal)
            self.function = as_function(derived)
        self.paths = self._paths() if values is not None else []
        asked = request.paths() if request.is_forward and values is not None else self.paths
        if values is not None:
            check_inputs(self.request, list(self.kinds), self.paths, values)
        try:
            self.template = functions.template_of(self.function)
            functions.check_returns(self.template)
        except TangentError as error:
            raise told(refusal, error) from error.__cause__
        order = list(self.kinds)
        self.spots = [order.index(path[0]) for path in self.paths]
        self.parts: list[list[tuple[str, ...]]] = [     # of each parameter those asked for
            [tuple([str(step[1]) for step in path[1:]]) for path in asked if path[0] == name]
            for name in order]
        self.single = not isinstance(request.wrt, tuple)
        self.only = None
        self.form = "pair"
        self._text: str | None = None

    def entry_for(self, values: tuple[Any, ...]) -> None:
        return None

    def push_entry_for(self, values: tuple[Any, ...]) -> None:
        return None

    def holds(self) -> bool:
        """It rests on nothing: what names mean is found when they are read. Where it was refused,
        too, the next call asks anew: names may mean by then what can be followed."""
        return not hasattr(self.refusal, "by_identity")

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
    # What a run makes stays until its backward pass is done: a look for garbage finds none of it,
    # and takes a third of the time.
    @deep
    @resting()
    def run(self, values: tuple[Any, ...]) -> Any:
        request = self.request
        call = Run(self.function, values, self.refusal, asked=self.parts)
        value = call.value
        seed = self.seed(self.number_of(value))
        returned = call.detached()
        gradients = self.gradients(
            self._asked(call.pull((seed, None) if request.has_aux else seed)), values,
            _held(values))
        call.heap.close()
        if request.form == "grad":
            return (gradients, returned[1]) if request.has_aux else gradients
        return returned, gradients

    def seed(self, value: Any) -> Any:
        return with_numpys_numbers(super().seed(value))

    def _asked(self, found: list[Any]) -> list[Any]:
        """What was asked for, of the gradients with respect to all arguments."""
        out = []
        for path, spot in zip(self.paths, self.spots):
            part = found[spot]
            for _, attribute in path[1:]:
                part = None if part is None else part.get(attribute)
            self._check_known(part)
            out.append(part)
        return out

    def _check_known(self, part: Any) -> None:
        """Raise what hides in a gradient that no rule says."""
        if isinstance(part, Unknown):
            raise told(self.refusal, part.error)
        if isinstance(part, (list, dict)):
            for one in part.values() if isinstance(part, dict) else part:
                self._check_known(one)

    def gradients(self, found: Any, values: tuple[Any, ...],
                  held: list[Any] | None = None, whole: Any = None) -> Any:
        parts = tuple(found)
        return super().gradients(parts if len(parts) != 1 else parts[0], values, held, whole)

    @deep
    @resting()
    def pull_back(self, values: tuple[Any, ...], ran: Any = None, later: bool = False) \
            -> tuple[Any, Callable[[Any], Any]]:
        call = Run(self.function, values, self.refusal, asked=self.parts)
        value = call.detached()
        wrt = self.request.wrt
        names = list(self.kinds)[len(self.request.bound):]
        kept = call.given

        @deep
        @resting()
        def pullback(cotangent: Any) -> Any:
            seed = with_numpys_numbers(fitted(cotangent_of(cotangent, value), value))
            held = _held(values) + trees.arrays_in(value) + trees.arrays_in(seed)
            found: Any = self.gradients(self._asked(call.pull(seed)), kept, held) \
                if self.paths else ()
            if wrt is not None:
                return found if isinstance(wrt, tuple) else found[0]
            by_name = {path[0]: part for path, part in zip(self.paths, found)}
            return tuple(by_name.get(name) for name in names)

        pullback.__qualname__ = "pullback"
        return value, pullback

    def outside_now(self) -> Then:
        """What was read outside is on the tape; but of arrays, which arrays these are."""
        return Then(read_outside(self.function), self.request.name).with_arrays()

    @deep
    def push_forward(self, values: tuple[Any, ...], tangents: list[Any],
                     draws: Draws | None = None) -> tuple[Any, Any]:
        """One run of which all numbers and arrays carry tangents along; draws: see Run."""
        draws = draws or Draws()
        given = dict(zip(self.kinds, values))
        moved = moved_by(self.request.paths(), given, tangents)
        try:
            run = Run(self.function, values, self.refusal, 1,
                      [[moved[name]] if name in moved else None for name in self.kinds], False,
                      draws=draws, asked=self.parts)
            value, tangent = run.detached(), run.tangent(1)
            run.heap.close()
        except (TangentError, *DIVIDED):
            # A function may have no tangent rule, but an adjoint rule.
            value, tangent = self._push_by_pulls(values, moved, draws)
        return tangent if self.request.form == "tangent" else (value, tangent)

    def pushing(self) -> Callable[..., Any]:
        return functools.partial(self.push_forward, draws=Draws())

    def _push_by_pulls(self, values: tuple[Any, ...], moved: dict[str, Any],
                       draws: Draws) -> tuple[Any, Any]:
        """The same by one run backward for each number of the value."""
        run = Run(self.function, values, self.refusal, draws=draws, asked=self.parts)

        def pulled(seed: Any) -> Any:
            return self.gradients(self._asked(run.pull(with_numpys_numbers(seed))), run.given,
                                  []) if self.paths else ()

        value = run.detached()
        tangents = [moved[path[0]] for path in self.paths]
        return value, from_slopes(value, lambda seed: along(pulled(seed), tangents))

    def settled(self, found: Any, values: tuple[Any, ...], held: list[Any]) -> Any:
        raise self.refusal
