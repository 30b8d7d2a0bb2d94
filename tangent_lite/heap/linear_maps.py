"""vjp and linearize in functions that are followed: a run, and the linear map that belongs to it.

`y, pullback = vjp(f, x)` runs f once, on what x is then; y is the value of that run. Each call of
the map afterwards is an operation of its own: a backward pass of the same run, or a run with
tangents. Its adjoint with respect to what it was called with goes there at once, that with
respect to x to the map itself, which hands all of it on where vjp stands: what x is made of may
have changed in between.
"""
from __future__ import annotations

import copy
import functools
import inspect
import types
from collections.abc import Callable, Sequence
from typing import Any

from tangent_lite import registry
from tangent_lite.api import derivative
from tangent_lite.calling.request import derivative_of
from tangent_lite.directions.acting import acts
from tangent_lite.directions.given import cotangent_of, direction, fitted
from tangent_lite.errors import InputError, TangentError, UnsupportedSyntaxError
from tangent_lite.heap import classes, derivatives
from tangent_lite.heap.foreign import check_closed, is_closed_but_for_cells
from tangent_lite.heap.memory import Cell, add, part_of, seen
from tangent_lite.heap.moving import spread_all, taken_all
from tangent_lite.heap.own import Owner, is_record
from tangent_lite.heap.primitives import Back
from tangent_lite.leaves import leaves

# What takes the adjoint of an argument: an operand of the call, or a slot of what brought it.
Giver = int | tuple[Any, Any] | None


def makes_map(function: Any) -> bool:
    """Whether a function is vjp or linearize."""
    return hasattr(function, "makes_map")


def call(tape: Any, operator: Any, args: tuple[Any, ...],
         keywords: dict[str, Any]) -> tuple[Any, Back]:
    """vjp(fun, *primals, wrt=None, **keywords) and linearize(fun, *primals)"""
    asked = keywords.get("wrt")
    refusal = UnsupportedSyntaxError(
        f"tangent_lite.{operator.__name__} cannot be followed here", tape.place(),
        "use grad, value_and_grad, jvp or hvp there")
    given = _Given(tape, args, {k: v for k, v in keywords.items() if k not in ("wrt", "debug")},
                   list(keywords))
    try:
        check_closed(tape, given.fun, list(given.values), operator.__name__)
    except UnsupportedSyntaxError:
        functions = [one for one in given.values if isinstance(one, types.FunctionType)]
        if not all(is_closed_but_for_cells(tape.heap, one) for one in (given.fun, *functions)):
            raise
    kind = Pullback if operator.makes_map == "pullback" else Linear
    made = kind(tape, operator, given, asked, refusal)
    tape.heap.ours(made)
    return (made.value, made), functools.partial(made.settle, tape, len(args) + len(keywords))


class _Given:
    """The function that a map belongs to, with what methods and partials bring as arguments."""

    def __init__(self, tape: Any, args: tuple[Any, ...], keywords: dict[str, Any],
                 every: list[str]) -> None:
        self.outer, *given = args
        self.count = len(given)
        fun: Any = self.outer
        count = len(args)
        positional: list[tuple[Any, Giver]] = [(v, k) for k, v in enumerate(given, 1)]
        named: dict[str, tuple[Any, Giver]] = {
            name: (value, count + every.index(name)) for name, value in keywords.items()}
        while not _has_rule(fun):
            if isinstance(fun, functools.partial):
                fun = tape.heap.own(fun)
                positional[:0] = [(v, (fun, k)) for k, v in enumerate(fun.args)]
                named = {**{n: (v, (fun, n)) for n, v in fun.keywords.items()}, **named}
                fun = fun.func
            elif isinstance(fun, types.MethodType) and isinstance(fun.__func__, types.FunctionType):
                fun = tape.heap.own(fun) if is_record(fun.__self__) else fun
                positional.insert(0, (fun.__self__, (fun, "__self__")))
                fun = fun.__func__
            elif is_record(fun) and derivative_of(fun) is None and not hasattr(fun, "of_columns") \
                    and isinstance(classes.on_class(type(fun), "__call__"), types.FunctionType):
                fun = tape.heap.own(fun)
                positional.insert(0, (fun, None))
                fun = type(fun).__call__
            else:
                break
        if isinstance(fun, types.FunctionType) and tape.heap.is_ours(fun):
            fun = self._without_defaults(fun, len(positional), named)
        self.fun = fun
        self.args = tuple(value for value, _ in positional)
        self.keywords = {name: value for name, (value, _) in named.items()}
        self.givers = [giver for _, giver in (*positional, *named.values())]

    def _without_defaults(self, fun: types.FunctionType, count: int,
                          named: dict[str, tuple[Any, Giver]]) -> types.FunctionType:
        """A function that was defined in this run, its defaults given by name: they may vary."""
        missing = [one for one in list(inspect.signature(fun).parameters.values())
                   if one.default is not one.empty and one.name not in named]
        left = fun.__code__.co_varnames[count:]
        named.update({one.name: (one.default, (fun, one.name)) for one in missing
                      if one.kind is one.KEYWORD_ONLY or one.name in left})
        made = types.FunctionType(fun.__code__, fun.__globals__, fun.__name__, None,
                                  fun.__closure__)
        made.__qualname__ = fun.__qualname__
        return made

    @property
    def values(self) -> tuple[Any, ...]:
        return (*self.args, *self.keywords.values())


def _with_values(function: Any, plain: Callable[[Any], Any]) -> Any:
    """A function that holds the values of the variables of this run that it captures."""
    if derivative_of(function) is function:
        inner = _with_values(function.primal, plain)
        return function if inner is function.primal else function.of_primal(inner)
    if not isinstance(function, types.FunctionType) or not any(
            isinstance(_held(cell), Cell) for cell in function.__closure__ or ()):
        return function
    cells = []
    for cell in function.__closure__ or ():
        value = _held(cell)
        if isinstance(value, Cell):
            own = Cell()
            own.value = _with_values(value.value, plain) if callable(value.value) \
                else Owner().own(plain(value.value))
            value = own
        cells.append(types.CellType(value))
    made = types.FunctionType(function.__code__, function.__globals__, function.__name__,
                              function.__defaults__, tuple(cells))
    made.__kwdefaults__, made.__qualname__ = function.__kwdefaults__, function.__qualname__
    return made


def _held(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _has_rule(fun: Any) -> bool:
    try:
        return registry.lookup(fun) is not None
    except TypeError:
        return False


class LinearMap(derivatives.Derivative):
    """What both maps have in common: the run that gives the value, and where adjoints go."""
    __name__ = "map"

    def __init__(self, tape: Any, given: _Given, form: str, wrt: Any,
                 refusal: TangentError) -> None:
        variant, inputs, plain, captured = derivatives.prepared(
            tape, derivative(form, given.fun, wrt, True), given.args, given.keywords, refusal,
            False)
        self.givers, self.operands = given.givers, inputs.operands
        super().__init__(tape, variant, inputs, plain, captured)
        self.sources = [seen(value) for value in inputs.primals]
        self.ran = self.run([], True)
        # What was given may change before the map is used.
        self.plain, self.before = self.ran.given, Owner().own(self.before)
        self.plain_value = self.ran.detached()
        self.value = self.tangents.put(self.ran.detached(), [
            self.ran.tangent(which) for which in range(1, self.count)])
        self.result = seen(self.value)

    def by_names(self, given: _Given, operator: Any, wrt: Any) -> Any:
        """The map of the same function and arguments as it is outside of differentiated code,
        written with names, for its results to the last bit; None where names do not do, or where
        the function may not be run once more."""
        plain = functools.partial(self.tangents.component, which=0)
        fun = _with_values(given.fun, plain)
        args, keywords = Owner().own((tuple(map(plain, given.args)),
                                      {n: plain(v) for n, v in given.keywords.items()}))
        try:
            variant, _ = derivative("vjp", fun, wrt, True).variant_for(args, keywords)
            if variant.by_identity or acts(variant.derivative):
                return None
            asked = {} if wrt is None else {"wrt": wrt}
            return operator(fun, *args, **keywords, **asked)[1]
        except TangentError:
            return None

    def call(self, tape: Any, *args: Any) -> tuple[Any, Back]:
        """The map of something."""
        raise NotImplementedError

    def __call__(self, *args: Any) -> Any:
        raise UnsupportedSyntaxError("a map that vjp or linearize gave is called by what cannot be "
                                     "looked into", None, "call it in a loop")

    def hand_on(self, tape: Any, contributions: list[list[Any]]) -> None:
        """Keep what a call of the map adds to the arguments until the call of vjp is reached."""
        slots = tape.adjoints.slots(self)
        slots["calls"] = [*slots.get("calls", ()), contributions]

    def settle(self, tape: Any, count: int, adjoint: Any) -> Any:
        """The adjoints of the operands of vjp or linearize."""
        every = tape.adjoints.slots(self).pop("calls", [])
        found = taken_all(tape, self.result, (adjoint or {}).get(0))
        if any(part is not None for part in found):
            pulled = self.ran.pull_all(found, range(len(self.plain)))
            every.append([one if may else [None] * self.count
                          for one, may in zip(pulled, self.may_vary)])
        out: list[Any] = [None] * count

        def give(place: int, part: Any) -> None:
            giver = self.givers[place]
            if isinstance(giver, tuple):
                tape.adjoints.add_slot(*giver, part)
            elif giver is not None:
                out[giver] = add(out[giver], part)

        for contributions in every:
            for operand, source, one in zip(self.operands, self.sources, contributions):
                part = spread_all(tape, source, one)
                if isinstance(operand, Cell):
                    tape.adjoints.add_slot(operand, "value", part)
                elif isinstance(operand, tuple):
                    for number, place in enumerate(operand):
                        give(place, None if part is None else part.get(number))
                elif isinstance(operand, dict):
                    slots = tape.adjoints.slots(source.container)
                    for name, place in operand.items():
                        give(place, slots.pop(name, None))
                elif operand is not None:
                    give(operand, part)
        return out


class Pullback(LinearMap):
    """The pullback of vjp."""
    __name__ = "pullback"

    def __init__(self, tape: Any, operator: Any, given: _Given, wrt: Any,
                 refusal: TangentError) -> None:
        outer = derivative("vjp", given.outer, wrt, True).request
        # One cotangent per primal; where all goes by name, these are the primals. rest: how many of
        # them go to a parameter that takes any number, the last one that is left then.
        self.visible, self.rest = list(outer.visible), 0
        if wrt is None and given.count:
            if outer.star is not None and given.count > outer.star:
                self.rest = given.count - outer.star
            del self.visible[given.count - max(self.rest - 1, 0):]
        self.wrt = wrt
        many = wrt if isinstance(wrt, tuple) or wrt is None else (wrt,)
        named = many and tuple(outer.visible[one] if isinstance(one, int) else one for one in many)
        super().__init__(tape, given, "vjp", named, refusal)
        self.exact = self.by_names(given, operator, named)

    def call(self, tape: Any, *cotangents: Any) -> tuple[Any, Back]:
        """pullback(cotangent)"""
        if len(cotangents) != 1:
            raise TypeError(f"pullback() takes one cotangent, not {len(cotangents)}")
        one = copy.copy(self)
        return one.called(tape, cotangents[0], self)

    def called(self, tape: Any, cotangent: Any, whole: Pullback) -> tuple[Any, Back]:
        source = seen(cotangent)
        self.seeds = [fitted(cotangent_of(self.tangents.component(cotangent, which),
                                          self.plain_value), self.plain_value)
                      for which in range(self.count)]
        if self.exact is None or self.count > 1:
            pulled = self.ran.pull_all(
                [self.seeds[self.all - which] for which in range(self.count)],
                range(len(self.plain)))
            made = [self.arranged([one[self.all - which] for one in pulled])
                    for which in range(self.count)]
        else:
            made = [None]
        if self.exact is not None:
            made[0] = self.of_visible(self.exact(self.tangents.component(cotangent, 0)))
        value = self.tangents.put(made[0], made[1:])
        result = seen(value)

        def back(adjoint: Any) -> Any:
            found = taken_all(tape, result, adjoint)
            if all(part is None for part in found):
                return None
            *contributions, of_cotangent = self.adjoints(found)
            whole.hand_on(tape, contributions)
            return (spread_all(tape, source, of_cotangent),)
        return value, back

    def arranged(self, pulled: list[Any]) -> Any:
        """What the pullback returns, of the gradients with respect to all arguments."""
        found: Any = self.variant.gradients(self.variant._asked(pulled), self.plain, []) \
            if self.asked else ()
        if self.wrt is not None:
            return found if isinstance(self.wrt, tuple) else found[0]
        by_name = {path[0]: part for path, part in zip(self.asked, found)}
        return self.each(tuple(by_name.get(name) for name in self.visible))

    def each(self, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """Cotangents of parameters as those of primals."""
        if not self.rest:
            return found
        return *found[:-1], *(found[-1] or [None] * self.rest)

    def of_visible(self, found: Any) -> Any:
        """What the pullback returns, of what that of the function without a method or partial
        around it does."""
        if self.wrt is not None:
            return found if isinstance(self.wrt, tuple) else found[0]
        by_name = dict(zip(self.request.visible, found))
        return self.each(tuple(by_name[name] for name in self.visible))

    def parts(self, one: Any) -> list[Any]:
        """The entries of something arranged so, for what is asked for."""
        if self.wrt is not None:
            return [part_of(one, k) for k in range(len(self.asked))] \
                if isinstance(self.wrt, tuple) else [one]
        return [self.part(one, path[0]) if path[0] in self.visible else None
                for path in self.asked]

    def part(self, one: Any, name: str) -> Any:
        """The entry of a parameter, or the entries of all that it takes."""
        first = self.visible.index(name)
        if not self.rest or first < len(self.visible) - 1:
            return part_of(one, first)
        parts = tuple(part_of(one, first + k) for k in range(self.rest))
        return None if all(part is None for part in parts) else parts

    def adjoints(self, found: list[Any]) -> list[list[Any]]:
        """Of the arguments, and of the cotangent: see derivatives."""
        along = [self.directions(self.parts(found[self.all - which]))
                 for which in range(self.count)]
        run = self.run(along, True)
        seeds = [*[None] * self.count, *(self.seeds[self.all - which]
                                         for which in range(self.count))]
        # Read before the backward pass undoes what the function wrote into arrays.
        of_cotangent = [run.tangent(self.count | (self.all - which)) for which in range(self.count)]
        pulled = run.pull_all(seeds, range(len(self.plain)))
        return [*(one[:self.count] if may else [None] * self.count
                  for one, may in zip(pulled, self.may_vary)), of_cotangent]


class Linear(LinearMap):
    """The linear map of linearize."""
    __name__ = "along"

    def __init__(self, tape: Any, operator: Any, given: _Given, wrt: Any,
                 refusal: TangentError) -> None:
        request = derivative("tangent", given.fun, (), True).request
        self.primals, self.star = given.args, request.star
        self.first = len(given.args) - given.count      # so many are those of a method or partial
        self.moving = tuple(k for k, one in self._by_parameter(given.args).items()
                            if k >= min(self.first, len(given.args)) and _moves(one))
        super().__init__(tape, given, "tangent", self.moving, refusal)
        self.exact = None if given.keywords else self.by_names(given, operator, None)

    def _by_parameter(self, each: Sequence[Any]) -> dict[int, Any]:
        """What belongs to each argument, by parameters: a tuple for one with a star."""
        found: dict[int, Any] = dict(enumerate(each[:self.star]))
        if self.star is not None:
            found[self.star] = tuple(each[self.star:])
        return found

    @property
    def asked(self) -> Any:
        return self.request.paths()

    def call(self, tape: Any, *tangents: Any) -> tuple[Any, Back]:
        """along(*tangents)"""
        count = len(self.primals) - self.first
        if len(tangents) != count:
            raise InputError(f"the linear map takes {count} tangents, not {len(tangents)}",
                             tape.place(), "pass None for what does not vary")
        every = (*[None] * self.first, *tangents)
        for number, (tangent, primal) in enumerate(zip(every, self.primals)):
            if tangent is not None and not _moves(primal):
                direction(tangent, primal, f"primal {number - self.first}")
        given = self._by_parameter(every)
        source = seen(tuple(given[k] for k in self.moving))
        run = self.run([self.directions([self._component(given[k], which) for k in self.moving])
                        for which in range(self.count)], tape.heap.records)
        made = [run.tangent(which) for which in range(self.count, 2 * self.count)]
        if self.exact is not None:
            made[0] = self.exact(*[self._component(one, 0) for one in every])
        value = self.tangents.put(made[0], made[1:])
        result = seen(value)

        def back(adjoint: Any) -> Any:
            found = taken_all(tape, result, adjoint)
            if all(part is None for part in found):
                return None
            pulled = run.pull_all([*[None] * self.count, *found], range(len(self.plain)))
            self.hand_on(tape, [one[:self.count] if may else [None] * self.count
                                for one, may in zip(pulled, self.may_vary)])
            named = dict(zip(self.variant.kinds, pulled))
            of_tangents = [named[path[0]][self.count:] for path in self.asked]
            parts = spread_all(tape, source, [tuple(one[which] for one in of_tangents)
                                              for which in range(self.count)]) or {}
            out: list[Any] = [None] * len(every)
            for number, k in enumerate(self.moving):
                if k == self.star:
                    for place, part in (parts.get(number) or {}).items():
                        out[k + place] = part
                else:
                    out[k] = parts.get(number)
            return out[self.first:]
        return value, back

    def _component(self, tangent: Any, which: int) -> Any:
        """One component of a tangent; None, or a tuple in which some are None, for zeros."""
        if isinstance(tangent, tuple):
            return tuple([self._component(one, which) for one in tangent])
        return None if tangent is None else self.tangents.component(tangent, which)


def _moves(primal: Any) -> bool:
    return any(True for _ in leaves(primal))
