"""Derivatives of functions that are followed by identity, where another derivative meets them.

Gradients, pullbacks and pushforwards are values of their own here, and may carry tangents
themselves: each is computed by one run of the function with tangents. With k directions, x standing
for the arguments, y for the value and `all` for the set of all directions (see moving):

    the component S of the pullback of c is the adjoint of the component `all - S` of x, where the
    components `all - T` of y have the adjoints c[T];

since what is linear in a direction may be asked for with the direction or without. The adjoint of a
pullback along s is therefore that of one run with one direction more, along which x moves by s.
"""
from __future__ import annotations

import inspect
import itertools
import linecache
import types
import weakref
from typing import TYPE_CHECKING, Any

from tangent_lite.calling.request import derivative_of, left_out, spell
from tangent_lite.directions.given import cotangent_of, direction_at, fitted
from tangent_lite.errors import TangentError, UnsupportedSyntaxError
from tangent_lite.heap.containers import holds
from tangent_lite.heap.draws import Draws
from tangent_lite.heap.memory import Cell, Parts, part_of, seen
from tangent_lite.heap.moving import spread_all, taken_all
from tangent_lite.heap.primitives import Back, varies
from tangent_lite.modules import mark_of

if TYPE_CHECKING:
    from tangent_lite.heap.runs import Run  # which needs what calls mean

_refused: weakref.WeakKeyDictionary[Any, TangentError] = weakref.WeakKeyDictionary()
_wrappers: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
_unbound: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
_numbers = itertools.count(1)


def is_derivative(function: Any) -> bool:
    """Whether a function is a derivative, or makes or takes one at its call."""
    return derivative_of(function) is not None \
        or (type(function).__module__ == "tangent_lite.operators" and hasattr(function, "kind")) \
        or mark_of(function, "makes_derivative") == "pushed"


def call(tape: Any, function: Any, args: tuple[Any, ...], keywords: dict[str, Any],
         refusal: TangentError) -> tuple[Any, Back | None]:
    """The value of a call of what `is_derivative`, and its pullback; refusal: why names alone do
    not do."""
    if mark_of(function, "makes_derivative") == "pushed":
        return _push(tape, function, args, keywords, refusal)
    if getattr(function, "kind", None) == "hvp":
        *given, vectors = args or ((),)
        if not isinstance(function.wrt, tuple):
            vectors = (vectors,)
        if not isinstance(vectors, tuple):
            raise refusal
        rest = [] if keywords else _own(tape, left_out(function.primal, len(given)))
        value, back = _step(tape, function._forward, (*given, *rest, *vectors), keywords, refusal)
        if back is None or (not rest and not isinstance(function.wrt, tuple)):
            return value, back
        return value, _with_vectors(back, len(given), len(rest), len(vectors),
                                    isinstance(function.wrt, tuple))
    derivative = derivative_of(function)
    if derivative is None:
        raise UnsupportedSyntaxError(
            f"the {function.kind} of a function that names alone do not tell is taken in a "
            "differentiated function", tape.place(), "take grad, jvp or hvp there") from refusal
    if derivative is function:
        return _step(tape, derivative, args, keywords, refusal)
    value, back = _step(tape, derivative, (function.__self__, *args), keywords, refusal)
    return value, None if back is None else (lambda adjoint: (back(adjoint) or [None])[1:])


def known_refusal(function: Any) -> TangentError | None:
    """Why a derivative cannot be written with names, if that was found out before."""
    derivative = getattr(function, "_forward", None) or derivative_of(function)
    return None if derivative is None else _refused.get(derivative)


def note_refusal(function: Any, refusal: TangentError) -> None:
    """Remember that a derivative could not be written with names, and why."""
    derivative = getattr(function, "_forward", None) or derivative_of(function)
    if derivative is not None:
        _refused[derivative] = refusal


def _own(tape: Any, defaults: dict[str, Any]) -> list[Any]:
    """Defaults as this run has them: in front of tangents they have to be given."""
    return [tape.heap.own(value) for value in defaults.values()]


def _with_vectors(back: Back, before: int, rest: int, count: int, is_tuple: bool) -> Back:
    """The adjoints of vectors that were given as one tuple, or of one; rest: how many defaults
    stand in front of them."""
    def regrouped(adjoint: Any) -> Any:
        found = back(adjoint)
        if found is None:
            return None
        vectors = found[before + rest:before + rest + count]
        if is_tuple:
            vectors = [Parts({k: one for k, one in enumerate(vectors) if one is not None}) or None]
        return [*found[:before], *vectors, *found[before + rest + count:]]
    return regrouped


def _push(tape: Any, jvp: Any, args: tuple[Any, ...], keywords: dict[str, Any],
          refusal: TangentError) -> tuple[Any, Back | None]:
    """jvp(fun, primals, tangents)"""
    bound = inspect.signature(jvp).bind(*args, **keywords).arguments
    if keywords or not isinstance(args[1], tuple) or not isinstance(args[2], tuple):
        raise UnsupportedSyntaxError("jvp is followed here with tuples of primals and tangents",
                                     tape.place(), "write jvp(f, (x,), (dx,))") from refusal
    fun, primals, tangents = bound["fun"], bound["primals"], bound["tangents"]
    if len(primals) != len(tangents):
        raise refusal
    asked = tuple(k for k, one in enumerate(tangents) if one is not None)
    derivative = jvp.pushing.of(fun, asked)
    rest = _own(tape, left_out(fun, len(primals)))
    value, back = _step(tape, derivative, (*primals, *rest, *(tangents[k] for k in asked)), {},
                        refusal)
    if back is None:
        return value, None
    def regrouped(adjoint: Any) -> Any:
        found = back(adjoint)
        if found is None:
            return None
        ours = Parts({k: one for k, one in enumerate(found[:len(primals)]) if one is not None})
        theirs = Parts({k: one for k, one in zip(asked, found[len(primals) + len(rest):])
                        if one is not None})
        return None, ours or None, theirs or None
    return value, regrouped


class Inputs:
    """The arguments of a derivative, as its function takes them, and where they come from.

    is_whole: the tangents, or the cotangent, are among them.
    """

    def __init__(self, tape: Any, derivative: Any, args: tuple[Any, ...],
                 keywords: dict[str, Any], refusal: TangentError, is_whole: bool = True) -> None:
        request = derivative.request
        signature: Any = derivative.__signature__ if is_whole else request.signature
        given = (*args, *keywords.values())
        try:
            places = signature.bind(*range(len(args)), **{
                name: number for number, name in enumerate(keywords, len(args))}).arguments
        except TypeError:
            raise refusal from None
        values: list[Any] = []
        # None: a default, or what a method is bound to; several go to a parameter with stars
        self.operands: list[int | Cell | tuple[int, ...] | dict[str, int] | None] = []
        for name, parameter in signature.parameters.items():
            place = places.get(name, {parameter.VAR_POSITIONAL: (), parameter.VAR_KEYWORD: {}}.get(
                parameter.kind))
            self.operands.append(place)
            values.append(tape.heap.own(parameter.default) if place is None else
                          tuple(given[k] for k in place) if isinstance(place, tuple) else
                          {n: given[k] for n, k in place.items()} if isinstance(place, dict) else
                          given[place])
        self.count = len(given)
        self.primals = [*request.bound, *values[:len(request.visible)]]
        self.operands[:0] = [None] * len(request.bound)
        self.more = values[len(request.visible):]

    def captured(self, cells: list[Cell]) -> None:
        """Enter variables that the function captures as primals."""
        place = len(self.primals)
        self.operands[place:place] = cells
        self.primals += [cell.value for cell in cells]


class Captured:
    """Variables of functions around a function, and cells of its own in their place."""

    def __init__(self) -> None:
        self.outer: list[Cell] = []
        self.inner: list[list[Cell]] = []           # for each, those of the same container
        self.every: list[Cell] = []                 # those that hold functions as well
        self._cells: dict[int, Cell] = {}
        self._functions: dict[int, Any] = {}

    def rebuilt(self, function: Any) -> Any:
        """The function with cells of its own, itself if it captures nothing of this run."""
        known = self._functions.get(id(function))
        if known is not None:
            return known
        derivative = derivative_of(function)
        if derivative is not None and derivative is function:
            primal = self.rebuilt(derivative.primal)
            return function if primal is derivative.primal else derivative.of_primal(primal)
        closure = getattr(function, "__closure__", None) or ()
        if not isinstance(function, types.FunctionType) or not any(
                _holds_cell(cell) for cell in closure):
            return function
        made = types.FunctionType(function.__code__, function.__globals__, function.__name__,
                                  function.__defaults__, tuple(types.CellType() for _ in closure))
        made.__kwdefaults__, made.__qualname__ = function.__kwdefaults__, function.__qualname__
        self._functions[id(function)] = made
        for ours, theirs in zip(made.__closure__ or (), closure):
            ours.cell_contents = self._cell(theirs.cell_contents) if _holds_cell(theirs) \
                else theirs.cell_contents
        return made

    def _cell(self, outer: Cell) -> Cell:
        if id(outer) in self._cells:
            return self._cells[id(outer)]
        cell = self._cells[id(outer)] = Cell()
        self.every.append(cell)
        if isinstance(outer.value, types.FunctionType):
            cell.value = self.rebuilt(outer.value)      # it does not vary itself
            return cell
        for known, cells in zip(self.outer, self.inner):
            if known.value is outer.value and not holds(outer.value):
                cells.append(cell)
                return cell
        self.outer.append(outer)
        self.inner.append([cell])
        return cell


def _holds_cell(cell: types.CellType) -> bool:
    try:
        return isinstance(cell.cell_contents, Cell)
    except ValueError:
        return False


def prepared(tape: Any, derivative: Any, args: tuple[Any, ...], keywords: dict[str, Any],
             refusal: TangentError, is_whole: bool = True) \
        -> tuple[Any, Inputs, tuple[Any, ...], Captured]:
    """What a derivative is computed by: a variant, its inputs, their values without tangents, and
    the variables that its function captures."""
    from tangent_lite.heap.variant import HeapVariant
    captured = Captured()
    derivative = captured.rebuilt(derivative)
    inputs = Inputs(tape, derivative, args, keywords, refusal, is_whole)
    inputs.captured(captured.outer)
    bare: dict[int, Any] = {}
    plain = tuple(tape.heap.tangents.components(inputs.primals, 0, bare))
    for original, made in bare.items():
        tape.heap.shared.bare(original, made)
    variant = HeapVariant(derivative.request, plain[:len(plain) - len(captured.outer)], refusal)
    return variant, inputs, plain, captured


def _step(tape: Any, derivative: Any, args: tuple[Any, ...], keywords: dict[str, Any],
          refusal: TangentError) -> tuple[Any, Back | None]:
    variant, inputs, plain, captured = prepared(tape, derivative, args, keywords, refusal)
    kind = _Pushed if variant.request.is_forward else _Pulled
    one = kind(tape, variant, inputs, plain, captured)
    value = one.value()
    if not tape.heap.records:
        return value, None
    result = seen(value)
    sources = [seen(value) for value in (*inputs.primals, *inputs.more)]

    def back(adjoint: Any) -> Any:
        found = taken_all(tape, result, adjoint)
        if all(part is None for part in found):
            return None
        out: list[Any] = [None] * inputs.count
        for operand, source, contributions in zip(inputs.operands, sources, one.adjoints(found)):
            part = spread_all(tape, source, contributions)
            if isinstance(operand, Cell):
                tape.adjoints.add_slot(operand, "value", part)
            elif isinstance(operand, tuple):
                for number, place in enumerate(operand):
                    out[place] = None if part is None else part.get(number)
            elif isinstance(operand, dict):
                slots = tape.adjoints.slots(source.container)
                for name, place in operand.items():
                    out[place] = slots.pop(name, None)
            elif operand is not None:
                out[operand] = part
        return out
    return value, back


class Derivative:
    """What the two kinds of derivatives have in common."""

    def __init__(self, tape: Any, variant: Any, inputs: Inputs, plain: tuple[Any, ...],
                 captured: Captured) -> None:
        self.tape, self.variant, self.plain, self.captured = tape, variant, plain, captured
        self.names = [*variant.kinds, *map(id, captured.inner)]
        self.request = variant.request
        self.draws = Draws(tape.heap.draws)
        self.tangents = tape.heap.tangents
        self.order, self.count = self.tangents.order, self.tangents.count
        self.all = self.count - 1
        self.may_vary = [varies(value) for value in inputs.primals]
        self.before = [[self.tangents.component(value, which) for which in range(1, self.count)]
                       if may else None for value, may in zip(inputs.primals, self.may_vary)]
        self.more = [[self.tangents.component(value, which) for which in range(self.count)]
                     for value in inputs.more]

    def directions(self, parts: list[Any]) -> dict[Any, Any]:
        """Tangents of what wrt names, as tangents of whole parameters."""
        found: dict[str, Any] = {}
        given = dict(zip(self.variant.kinds, self.plain))
        for path, part in zip(self.asked, parts):
            if len(path) == 1:
                found[path[0]] = part
            elif part is not None:
                found[path[0]] = direction_at(part, given[path[0]], path, found.get(path[0]))
        return found

    @property
    def asked(self) -> Any:
        return self.variant.paths

    def run(self, more: list[dict[Any, Any]], records: bool) -> Run:
        """A run with one direction more; more: its tangents, for all sets that it is added to."""
        from tangent_lite.heap.runs import Run
        tangents = [None if known is None else [*known, *(one.get(name) for one in more)]
                    for name, known in zip(self.names, self.before)]
        return Run(self.variant.function, self.plain, self.variant.refusal,
                   self.order + (1 if more else 0), tangents if self.order or more else None,
                   records, self.captured.inner, self.captured.every, self.draws, self.tape.heap)


class _Pushed(Derivative):
    """A value and its derivative along tangents that are arguments."""

    @property
    def asked(self) -> Any:
        return self.request.paths()

    def value(self) -> Any:
        self.ran = run = self.run(
            [self.directions([one[which] for one in self.more]) for which in range(self.count)],
            self.tape.heap.records)
        parts = [run.detached() if which == 0 else run.tangent(which)
                 for which in range(2 * self.count)]
        if self.request.form == "tangent":
            made = parts[self.count:]
        else:
            made = list(zip(parts[:self.count], parts[self.count:]))
        return self.tangents.put(made[0], made[1:])

    def adjoints(self, found: list[Any]) -> list[list[Any]]:
        if self.request.form == "tangent":
            seeds = [*[None] * self.count, *found]
        else:
            seeds = [part_of(one, 0) for one in found] + [part_of(one, 1) for one in found]
        pulled = self.ran.pull_all(seeds, range(len(self.plain)))
        named = dict(zip(self.variant.kinds, pulled))
        out = [one[:self.count] if may else [None] * self.count
               for one, may in zip(pulled, self.may_vary)]
        for path in self.asked:
            parts = named[path[0]][self.count:]
            for _, attribute in path[1:]:
                parts = [None if one is None else one.get(attribute) for one in parts]
            out.append(parts)
        return out


class _Pulled(Derivative):
    """A gradient, with or without the value, or a pullback of a cotangent that is an argument."""

    def value(self) -> Any:
        run = self.run([], True)
        request, count = self.request, self.count
        value = run.detached()
        if request.form == "vjp":
            cotangent = self.more[0]
            self.seeds = [fitted(cotangent_of(one, value), value) for one in cotangent]
        else:
            seed = self.variant.seed(value[0] if request.has_aux and isinstance(value, tuple)
                                      and len(value) == 2 else value)
            self.seeds = [(seed, None) if request.has_aux else seed, *[None] * self.all]
        pulled = run.pull_all([self.seeds[self.all - which] for which in range(count)],
                              range(len(self.plain)))
        made = []
        for which in range(count):
            parts = self.variant._asked([one[self.all - which] for one in pulled])
            found = self.variant.gradients(parts, self.plain, [])
            made.append(self._arranged(value if which == 0 else run.tangent(which), found))
        return self.tangents.put(made[0], made[1:])

    def _arranged(self, value: Any, gradients: Any) -> Any:
        """What a call of the derivative returns."""
        request = self.request
        if request.form == "value_and_grad":
            return value, gradients
        if request.form == "grad" and request.has_aux:
            return gradients, value[1]
        return gradients

    def adjoints(self, found: list[Any]) -> list[list[Any]]:
        request, count = self.request, self.count
        gradients: list[Any] = found
        values: list[Any] = [None] * count
        if request.form == "value_and_grad":
            gradients, values = ([part_of(one, k) for one in found] for k in (1, 0))
        elif request.has_aux:
            gradients, aux = ([part_of(one, k) for one in found] for k in (0, 1))
            values = [None if one is None else (None, one) for one in aux]
        many = isinstance(request.wrt, tuple) or request.form == "vjp"
        along = []
        for which in range(count):
            one = gradients[self.all - which]
            along.append(self.directions(
                [part_of(one, k) for k in range(len(self.asked))] if many else [one]))
        run = self.run(along, True)
        seeds = values + [self.seeds[self.all - which] for which in range(count)]
        # Read before the backward pass undoes what the function wrote into arrays.
        of_cotangent = [run.tangent(count | (self.all - which)) for which in range(count)] \
            if request.form == "vjp" else None
        pulled = run.pull_all(seeds, range(len(self.plain)))
        out = [one[:count] if may else [None] * count for one, may in zip(pulled, self.may_vary)]
        return out if of_cotangent is None else [*out, of_cotangent]


# Derivatives as functions to be followed ------------------------------------------------------
def unbound(derivative: Any) -> Any:
    """A derivative that takes what the one of a bound method brings: `self` in front."""
    request = derivative.request
    if not request.bound:
        return derivative
    made = _unbound.get(derivative)
    if made is None:
        paths = [spell(path) for path in request.paths()]
        made = _unbound[derivative] = type(derivative)(
            request.form, request.function if request.derived is None else unbound(request.derived),
            tuple(paths) if isinstance(request.wrt, tuple) else paths[0],
            request.has_aux, request.holomorphic, request.debug)
    return made


def as_function(derivative: Any) -> Any:
    """A function of the primal's parameters that calls a derivative, with a text to read."""
    made = _wrappers.get(derivative)
    if made is None:
        signature = derivative.__signature__
        names = list(signature.parameters)
        given = [f"{n}={n}" if p.kind is p.KEYWORD_ONLY else f"*{n}" if p.kind is p.VAR_POSITIONAL
                 else f"**{n}" if p.kind is p.VAR_KEYWORD else n
                 for n, p in signature.parameters.items()]
        called = "derivative"
        while called in names:
            called += "_"
        heads = [p.replace(annotation=p.empty, default=p.empty)
                 for p in signature.parameters.values()]
        text = f"def call{inspect.Signature(heads)}:\n    return {called}({', '.join(given)})\n"
        filename = f"<derivative of tangent_lite {next(_numbers)}>"
        space: dict[str, Any] = {called: derivative, "__name__": "__tangent_lite__"}
        exec(compile(text, filename, "exec"), space)
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
        made = _wrappers[derivative] = space["call"]
    return made


__all__ = ["as_function", "call", "is_derivative", "known_refusal", "note_refusal", "unbound"]
