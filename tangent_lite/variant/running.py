"""A variant as it runs: the emitted functions called with the arguments, and what they return taken
into the space of the arguments.
"""
from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite import syntax, trees
from tangent_lite.calling import duck_arrays
from tangent_lite.calling.divided import DIVIDED, with_numpys_numbers
from tangent_lite.calling.keys import PLAIN
from tangent_lite.calling.read_outside import Place, Then, read_outside
from tangent_lite.calling.request import Path, Request
from tangent_lite.calling.sharing import detached
from tangent_lite.directions.acting import has_hooks
from tangent_lite.directions.given import cotangent_of, fitted, moved_by, returned, with_dicts
from tangent_lite.errors import OutputError
from tangent_lite.kinds import Kind
from tangent_lite.runtime import zeros_like
from tangent_lite.runtime.duck import is_duck


class Running:
    """The part of a Variant that runs."""

    # What a Variant knows, and where in the arguments stands what is asked for.
    request: Request
    form: str
    kinds: dict[str, Kind]
    derivative: Any
    has_ducks: bool
    main: Callable[..., Any]
    backward: Callable[..., Any]
    call: Callable[..., Any]
    seeds: dict[str, Any]
    renamed: dict[str, str]
    paths: list[Path]
    spots: list[int]
    only: int | None
    single: bool
    asked: list[Path]
    spots_asked: list[int]
    order_of_main: list[int]
    spot_of_gradient: int | None
    is_new = False              # whether it was moved here for the call at hand
    _outside: list[Place] | None = None
    _outside_there: list[Place] | None = None

    @property
    def is_tuple_of_one(self) -> bool:
        """Whether the gradient is a tuple with one part, which emitted code returns bare."""
        return len(self.paths) == 1 and not self.single and not self.request.is_forward

    def run(self, values: tuple[Any, ...]) -> Any:
        """The derivative at these arguments (all of them, what a bound method brings included)."""
        if self.form == "pair":
            return self._run_pair(values)
        if self.only is not None and self.form == "grad":
            return trees.finish(self.call(*values), values[self.only],
                                trees.owners(_held(values)))
        return self.finish(self.call(*values), values)

    def finish(self, found: Any, values: tuple[Any, ...]) -> Any:
        """What the emitted function returned, its gradients in the space of the arguments."""
        with_value = self.form == "value_and_grad"
        gradients = found[1] if with_value else found
        gradients = self.gradients(gradients, values)
        return (found[0], gradients) if with_value else gradients

    def gradients(self, found: Any, values: tuple[Any, ...],
                  held: list[Any] | None = None, whole: Any = None) -> Any:
        """Gradients that the emitted function returned, in the space of the arguments; held: the
        arrays that the caller holds, those in the arguments if nothing is said; whole: what the
        arguments are part of, as `trees.finish` has it."""
        owners = trees.owners(_held(values) if held is None else held)
        if self.has_ducks:
            owners |= {id(duck) for value in values for duck in trees.ducks_in(value)}
        if self.only is not None:
            return trees.finish(found, values[self.only], owners, whole)
        parts = found if len(self.paths) > 1 else (found,)
        out = []
        for part, path, spot in zip(parts, self.paths, self.spots):
            argument = values[spot]
            for _, attribute in path[1:]:
                argument = getattr(argument, attribute)
            out.append(trees.finish(part, argument, owners, whole))
        return out[0] if self.single and self.request.form != "vjp" else tuple(out)

    def _run_pair(self, values: tuple[Any, ...]) -> Any:
        request = self.request
        value, saved = self.main(*values, *self.seeds.values())
        seed = self.seed(self.number_of(value))
        if request.has_aux and not self.derivative.seeds_value:
            seed = (seed, zeros_like(value[1]))
        # What is returned beside gradients is the caller's as well.
        held = _held(values) + trees.arrays_in(value) if request.has_aux else None
        gradients = self.gradients(self.backward(saved, seed), values, held)
        if request.form == "grad":
            return (gradients, value[1]) if request.has_aux else gradients
        return value, gradients

    def number_of(self, value: Any) -> Any:
        """What is differentiated of a result: of (value, aux) the value."""
        if not self.request.has_aux:
            return value
        if not isinstance(value, tuple) or len(value) != 2:
            raise OutputError(f"{self.request.name}: has_aux=True needs a result (value, aux), not "
                              f"{returned(value)}", None, "return both, or leave has_aux out")
        return value[0]

    def seed(self, value: Any) -> Any:
        """One, in the shape of the result; OutputError if the result is no number."""
        name = self.request.name
        if is_duck(value):
            return duck_arrays.seed(value, name, None if self.request.holomorphic
                                    else self._complex_output)
        if isinstance(value, (bool, np.bool_)) or not isinstance(
                value, (int, float, complex, np.ndarray, np.generic)):
            raise OutputError(f"{name} returns {returned(value)}; grad needs one number", None,
                              "write has_aux=True, or use jacobian or vjp"
                              if isinstance(value, tuple) else
                              "return the number: a `return` is missing" if value is None else
                              "return a float" if isinstance(value, (str, bool, np.bool_)) else
                              "return a float, or use jacobian or vjp")
        shape = np.shape(value)
        if np.size(value) != 1:
            raise OutputError(f"{name} returns an array of shape {shape}; grad needs one number",
                              None, "sum it up, or use jacobian or vjp")
        if np.iscomplexobj(value) and not self.request.holomorphic:
            raise self._complex_output()
        if not shape and not isinstance(value, np.ndarray):
            return 1.0
        dtype = np.asarray(value).dtype
        return np.ones(shape, dtype if dtype.kind in "fc" else float)

    def _complex_output(self) -> OutputError:
        return OutputError(f"{self.request.name} returns a complex number", None,
                           "return its real part or modulus, or write holomorphic=True for the "
                           "complex derivative")

    def run_forward(self, values: tuple[Any, ...]) -> tuple[Any, Any]:
        """What the forward half returns: the value, and what the backward half needs."""
        return self.main(*values, *self.seeds.values())

    def pull_back(self, values: tuple[Any, ...], ran: tuple[Any, Any] | None = None,
                  later: bool = False) -> tuple[Any, Callable[[Any], Any]]:
        """The value, and the function that takes its cotangent to those of the arguments; ran: what
        the forward half returned, if it has been run; later: not only at once."""
        raw, saved = self.run_forward(values) if ran is None else ran
        value = self._as_returned(raw, values)
        # The pullback is called later: the caller may have changed arrays by then.
        saved = detached(saved, _held(values) + trees.arrays_in(value)
                         + (self.arrays_outside() if later else []))
        then = self.outside_now()
        wrt = self.request.wrt
        names = list(self.kinds)[len(self.request.bound):]
        held_before = _held(values) + trees.arrays_in(saved) + trees.arrays_in(value)
        given, returned_ = _apart(values), _apart((value,))[0]

        def pullback(cotangent: Any) -> Any:
            then.check()
            seed = with_dicts(cotangent_of(cotangent, returned_), returned_)
            if raw is not value:
                seed = fitted(seed, raw)
            held = held_before + trees.arrays_in(seed)
            found = self.pulled(saved, seed) if self.paths else ()
            parts = self.gradients(found, given, held)
            if wrt is not None:
                return parts if isinstance(wrt, tuple) else parts[0]
            by_name = {path[0]: part for path, part in zip(self.paths, parts)}
            return tuple(by_name.get(name) for name in names)

        pullback.__qualname__ = "pullback"
        pullback.ran = (raw, saved)                                 # type: ignore[attr-defined]
        return value, pullback

    def arrays_outside(self) -> list[Any]:
        """The arrays outside that the forward half reads, and so perhaps keeps."""
        if self._outside_there is None:
            self._outside_there = read_outside(self.main)
        return [one for _, now in self._outside_there for one in trees.arrays_in(now())]

    def outside_now(self) -> Then:
        """What the names that the backward half reads outside mean now."""
        if self._outside is None:
            self._outside = read_outside(self.backward) if self.paths else []
        return Then(self._outside, self.request.name, has_hooks(self.derivative))

    def pulled(self, saved: Any, seed: Any) -> Any:
        """What the backward half returns; where a number of Python's is divided by zero there, by
        NumPy's numbers."""
        try:
            return self.backward(saved, seed)
        except DIVIDED as error:
            if has_hooks(self.derivative):
                raise                           # they are called once
            with contextlib.suppress(*DIVIDED):
                return self.backward(*with_numpys_numbers((saved, seed)))
            raise error

    def push_forward(self, values: tuple[Any, ...], tangents: list[Any]) -> Any:
        """The value, and its derivative along one tangent for each part that wrt names; of the form
        "tangent" the derivative alone."""
        given_at = {path[0]: values[spot] for path, spot in zip(self.asked, self.spots_asked)}
        moved = moved_by(self.asked, given_at, tangents)
        along = [moved[path[0]] for path in self.paths]
        given = [*values, *self.seeds.values(), *along]
        found = self.main(*[given[k] for k in self.order_of_main])
        return self.pushed_forward(found, values, along)

    def pushed_forward(self, found: Any, values: tuple[Any, ...], along: list[Any]) -> Any:
        """What the emitted function returned along tangents, as it is to be returned."""
        held = _held(values) + [a for one in along for a in trees.arrays_in(one)]
        if self.form == "tangent":
            if self.spot_of_gradient is not None:
                return trees.finish(found, values[self.spot_of_gradient], trees.owners(held))
            return self.request.derived.settled(found, values, held)
        value = self._as_returned(found[0], values)
        return value, trees.finish(found[1], value, trees.owners(held))

    def pushing(self) -> Callable[..., Any]:
        """push_forward, for several tangents at the same arguments."""
        return self.push_forward

    def _order_of_main(self) -> list[int]:
        """Which of (the arguments, the seeds, the tangents) the parameters of an emitted jvp are,
        in turn: those of the function, tangents, those that keep their defaults."""
        names = syntax.parameter_names(self.derivative.main.source.tree.args)
        kept = len(self.derivative.main.defaults or ())
        ours = [*self.renamed.values(), *self.seeds]
        order = [ours.index(n) for n in names]
        along = [len(ours) + k for k in range(len(self.paths))]
        return [*order[:len(order) - kept], *along, *order[len(order) - kept:]]

    def _as_returned(self, value: Any, values: tuple[Any, ...]) -> Any:
        """The value of the function that is differentiated, as that returns it: of a derivative,
        in the space of its argument."""
        derived = self.request.derived
        return value if derived is None else derived.settled(value, values)

    def settled(self, found: Any, values: tuple[Any, ...], held: list[Any]) -> Any:
        """What the emitted function returned, as the derivative returns it; see
        GradientFunction.settled."""
        form, has_aux = self.request.form, self.request.has_aux
        held = held or _held(values)
        if form == "jvp":
            return found[0], trees.finish(found[1], found[0], trees.owners(held))

        def gradients(parts: Any) -> Any:
            one = len(self.paths) == 1 and (self.is_tuple_of_one or form == "vjp")
            return self.gradients(parts[0] if one else parts, values, held)

        if form == "value_and_grad":
            return found[0], gradients(found[1])
        if has_aux:
            return gradients(found[0]), found[1]
        return gradients(found)


def _apart(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same arrays and numbers, in lists, dicts and objects that nobody else changes."""
    return values if all(type(one) in PLAIN or type(one) is np.ndarray for one in values) \
        else detached(values, [])


def _held(values: tuple[Any, ...]) -> list[Any]:
    """The arrays that the caller holds."""
    held = []
    for value in values:
        if type(value) is np.ndarray:
            held.append(value)
        elif type(value) not in PLAIN:
            held += trees.arrays_in(value)
    return held
