"""Functions for batches: what forward or reverse mode wrote, along many directions at once.

    y, dy = f_jvp(x, dx)      =>      y, dy = f_jvp_batch(x, dx)

where dx and dy have an axis in front, with one place for each direction.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.directions.batching import Mark, Value
from tangent_lite.errors import TangentError, UnsupportedSyntaxError
from tangent_lite.functions.default_values import passed_default
from tangent_lite.functions.units import Prepared, Unit
from tangent_lite.inference import Typer
from tangent_lite.kinds import Kind
from tangent_lite.passes.batch import Context, batch
from tangent_lite.passes.fit import written_out
from tangent_lite.passes.prune import ask_when_run
from tangent_lite.passes.unclose import unclose
from tangent_lite.runtime.batches import count_of
from tangent_lite.shapes.layouts import alone, key_of
from tangent_lite.source import Source, whereabouts
from tangent_lite.tidy import Written, tidy_plain
from tangent_lite.written.externals import Externals


class Batches:
    """The functions for batches of one derivative; prepare: the front half of the pipeline."""

    def __init__(self, prepare: Callable[..., Prepared], units: list[Unit]) -> None:
        self.prepare, self.units = prepare, units
        self.made: dict[Any, tuple[Unit, Mark]] = {}
        self.building: list[Any] = []

    def outermost(self, function: Any, parameter_kinds: dict[str, Kind],
                  batched: list[str]) -> tuple[Prepared, Unit, Mark]:
        """The function that is called from outside, and which parts of its result are batches."""
        prepared = self.prepare(function, parameter_kinds, True)
        unit, mark = self.write(prepared, dict.fromkeys(batched, True))
        self.units.append(unit)
        return prepared, unit, mark

    def at_call(self, node: gast.Call, function: Any, nodes: list[gast.expr],
                values: dict[int, Value], typer: Typer, source: Source,
                external: Callable[[Any, str], gast.expr]) -> Value:
        """A call of a user function with batches among its arguments."""
        def refuse(why: str) -> TangentError:
            return UnsupportedSyntaxError(why, source.place(node))

        if registry.is_ours(function):
            raise refuse("this call has no form for batches")
        bound = inspect.signature(function).bind(*nodes, **{
            k.arg: k.value for k in node.keywords})
        bound.apply_defaults()
        given, arguments = {}, []
        batched: dict[str, Mark] = {}
        for name, argument in bound.arguments.items():
            if not isinstance(argument, gast.AST):
                given[name] = kinds.kind_of(argument)
                arguments.append(passed_default(argument, name, source.place(node)))
                continue
            given[name] = typer.kind(argument)
            made, mark = values[id(argument)]
            if mark is not False:
                batched[name] = mark
            arguments.append(made)
        names = typer.names
        unit, mark = self.batch(function, given, batched, refuse)
        typer.names = names
        return gast.Call(external(unit, unit.name), arguments, []), mark

    def batch(self, function: Any, parameter_kinds: dict[str, Kind], batched: dict[str, Mark],
              refuse: Callable[[str], TangentError]) -> tuple[Unit, Mark]:
        """The batch of a function, for these kinds and batched parameters; made once."""
        parameter_kinds = alone(parameter_kinds)
        key = (*key_of(function, parameter_kinds), tuple(batched.items()))
        if key not in self.made:
            if function in self.building:
                raise refuse(f"{function.__name__} calls itself")
            self.building.append(function)
            prepared = self.prepare(function, parameter_kinds, False)
            self.made[key] = self.write(prepared, batched)
            self.building.pop()
            self.units.append(self.made[key][0])
        return self.made[key]

    def write(self, prepared: Prepared, batched: dict[str, Mark]) -> tuple[Unit, Mark]:
        """The function, and which parts of its result are batches."""
        source, names = prepared.source, prepared.names
        external = Externals.of(prepared)
        body, mark = self.body(prepared, batched, external)
        last = body.pop()
        user_names = set(source.names)
        context = Written({}, prepared.aliases, prepared.typer, prepared.facts, {},
                          names.versions, False)
        if prepared.may_not_fit:
            written_out(body, external)
        body = tidy_plain(body, last, prepared.parameters, user_names, context, external.known)
        _drop_copies(body)
        title = f"{whereabouts(source)}, with an axis for directions in front of " \
                f"{', '.join(batched)}."
        arguments = syntax.function_def("f", prepared.parameters, []).args
        name = f"{source.name}_batch"
        return Unit.of_body(name, arguments, title, unclose(body, names), source, external.known,
                            ()), mark

    def body(self, prepared: Prepared, batched: dict[str, Mark],
             external: Externals) -> tuple[list[gast.stmt], Mark]:
        """The body for batches, before it is tidied, and which parts of its result are batches."""
        source, tree, names = prepared.source, prepared.tree, prepared.names
        ask_when_run(tree, prepared.facts.mentions, external)
        counted = names.fresh("count")

        def count() -> gast.expr:
            return syntax.load(counted)

        def refuse(node: gast.AST, why: str) -> TangentError:
            return UnsupportedSyntaxError(why, source.place(node))

        def user_call(node: gast.Call, function: Any, nodes: list[gast.expr],
                      values: dict[int, Value], typer: Typer) -> Value:
            return self.at_call(node, function, nodes, values, typer, source, external)

        body, mark = batch(tree.body, Context(
            prepared.facts, prepared.aliases, prepared.typer, prepared.parameters, batched,
            external, count, refuse, user_call))
        name = next(iter(batched))
        first, kind = _first(syntax.load(name), batched[name], prepared.kinds[name])
        length = syntax.load("len") if isinstance(kind, (kinds.Number, kinds.Array)) \
            else external(count_of, "count_of")
        return [syntax.assign(counted, syntax.call(length, first)), *body], mark


def _drop_copies(body: list[gast.stmt]) -> None:
    """A copy of elements that stands in arithmetic is read at once, and needs not be made."""
    for node in body:
        for part in syntax.walk(node):
            if isinstance(part, (gast.BinOp, gast.UnaryOp)):
                for side in ("left", "right", "operand"):
                    copied: Any = getattr(part, side, None)
                    if hasattr(copied, "of_element"):
                        setattr(part, side, copied.func.value)


def _first(node: gast.expr, mark: Mark, kind: Kind) -> tuple[gast.expr, Kind]:
    """The first part of a parameter that is a batch throughout, and its kind."""
    if not isinstance(mark, tuple):
        return node, kind
    items = kind.items if isinstance(kind, kinds.TupleKind) else (kinds.UNKNOWN,) * len(mark)
    number = next(k for k, part in enumerate(mark) if part is not False)
    return _first(syntax.subscript(node, syntax.constant(number)), mark[number], items[number])
