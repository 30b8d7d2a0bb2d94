"""Forward mode of user functions: calls of their jvps, and the functions themselves.

    y = f(x, n)      =>      y, dy = f_jvp(x, n, dx)

A jvp is made for each combination of kinds and varying arguments.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import checks, kinds, syntax
from tangent_lite.adjoints.paths import Path
from tangent_lite.analyses.liveness import definitions, liveness
from tangent_lite.directions.tangents import Tangents
from tangent_lite.functions.call_arguments import bound_call
from tangent_lite.functions.custom import own_derivative
from tangent_lite.functions.default_values import passed_default
from tangent_lite.functions.halfway import halfway
from tangent_lite.functions.own_units import own_jvp
from tangent_lite.functions.pairs import Pairs
from tangent_lite.functions.units import Prepared, Unit
from tangent_lite.inference import Typer
from tangent_lite.kinds import Kind
from tangent_lite.markers import is_attempt
from tangent_lite.passes.activity import activity
from tangent_lite.passes.augment import augment
from tangent_lite.passes.fit import written_out
from tangent_lite.passes.forward import Context, forward
from tangent_lite.passes.prune import ask_when_run
from tangent_lite.passes.shifts import shifts
from tangent_lite.passes.unassigned import unassigned
from tangent_lite.passes.unclose import unclose
from tangent_lite.shapes.layouts import key_of
from tangent_lite.source import Source, whereabouts
from tangent_lite.tidy import Written, tidy_forward
from tangent_lite.written.externals import Externals


class Jvps:
    """The jvps of one derivative; prepare: the front half of the pipeline; pairs: what is known of
    calls, and functions that have been through the front half."""

    def __init__(self, prepare: Callable[..., Prepared], pairs: Pairs, units: list[Unit],
                 transposed: Callable[..., Any], is_general: bool) -> None:
        self.prepare, self.pairs, self.units = prepare, pairs, units
        self.is_general = is_general            # kinds say little: what is shown, not run
        self.transposed = transposed            # makes pairs in reverse mode
        self.made: dict[Any, Unit] = {}

    def outermost(self, function: Any, parameter_kinds: dict[str, Kind],
                  wrt: list[Path], keep: set[str] | None,
                  with_value: bool) -> tuple[Prepared, Unit]:
        """The jvp that is called from outside; keep: parameters that may keep their defaults;
        with_value: whether it returns the value too."""
        prepared = self.prepare(function, parameter_kinds, True)
        keep = set(prepared.parameters) if keep is None else keep
        name = f"{prepared.source.name}_{'jvp' if with_value else 'tangent'}"
        unit = self.write(prepared, [path[0] for path in wrt], name, keep, with_value)
        self.units.append(unit)
        return prepared, unit

    # Calls ------------------------------------------------------------------------------------
    def at_call(self, function: Any, arguments: list[gast.expr], keywords: dict[str, gast.expr],
                node: gast.expr, active: set[str], tangents: Tangents, source: Source,
                typer: Typer, external: Callable[[Any, str], gast.expr]) \
            -> tuple[gast.expr, list[gast.expr]]:
        """The jvp of a function for one call of it, and what it is called with."""
        signature, bound = bound_call(function, arguments, keywords, node, source)
        parameter_kinds = self.pairs.seen(function, {n: typer.kind(a)
                                                     for n, a in bound.arguments.items()})
        varying = tuple(p for p in signature.parameters if p in bound.arguments
                        and syntax.read_names(bound.arguments[p]) & active
                        and kinds.can_vary(parameter_kinds[p]))
        names = typer.names
        unit = self.jvp(function, parameter_kinds, varying)
        typer.names = names
        values = []
        for name, parameter in signature.parameters.items():
            if name in bound.arguments:
                values.append(syntax.copy(bound.arguments[name]))
                continue
            values.append(passed_default(parameter.default, name, source.place(node)))
        values += [tangents.of(bound.arguments[p]) for p in varying]
        return external(unit, unit.name), values

    def jvp(self, function: Any, parameter_kinds: dict[str, Kind],
            varying: tuple[str, ...]) -> Unit:
        """The jvp of a user function for these kinds and varying parameters; made once."""
        key = (*key_of(function, parameter_kinds), varying)
        if key in self.made:
            return self.made[key]
        name = function.__name__ if function.__name__.isidentifier() else "lambda_"
        # A recursive function meets its own jvp, which is filled in when it is done.
        unit = self.made[key] = Unit(f"{name}_jvp", gast.FunctionDef(), None)  # type: ignore[arg-type]
        own = own_derivative(function)
        if own is not None:
            done = own_jvp(function, own, parameter_kinds,
                           self.pairs.result_kind(function, parameter_kinds), varying,
                           self.transposed)
            unit.__dict__.update(done.__dict__)
            self.units.append(unit)
            return unit
        prepared = self.pairs.take_prepared(function, parameter_kinds) \
            or self.prepare(function, parameter_kinds, False)
        self.pairs.layouts.underway.append(function)
        done = self.write(prepared, list(varying), unit.name, set())
        self.pairs.layouts.underway.pop()
        unit.__dict__.update(done.__dict__)
        self.units.append(unit)
        return unit

    # The function -----------------------------------------------------------------------------
    def write(self, prepared: Prepared, wrt: list[str], name: str, keep: set[str],
              with_value: bool = True) -> Unit:
        """`f_jvp(x, n, dx)` returns the value of f and its derivative along dx, `f_tangent` the
        derivative alone."""
        source, names = prepared.source, prepared.names
        external = Externals.of(prepared)
        body, tangents, context = self.body(prepared, wrt, external)
        given = [tangents.get(p) or names.fresh(f"d{p}") for p in wrt]
        last = body.pop()
        if not with_value:
            last.value = last.value.elts[1]
        if prepared.may_not_fit:
            written_out(body, external)
        body = tidy_forward(body, last, [*prepared.parameters, *given],
                            set(source.names), context, external.known)
        augment(body, source.original, context.typer, context.facts.names)
        along = ", ".join(given) or "nothing"
        if len(along) > 50:
            along = f"{len(given)} tangents"
        title = f"Value of {whereabouts(source)} and its derivative along {along}." \
            if with_value else f"Derivative of {whereabouts(source)} along {along}."
        arguments, defaults = _arguments(source, wrt, given, keep)
        return Unit.of_body(name, arguments, title, unclose(body, names), source, external.known,
                            defaults)

    def body(self, prepared: Prepared, wrt: list[str], external: Externals) \
            -> tuple[list[gast.stmt], dict[str, str], Written]:
        """The body with tangents, before it is tidied; the names of the tangents."""
        source, tree, names = prepared.source, prepared.tree, prepared.names
        facts, aliases, typer = prepared.facts, prepared.aliases, prepared.typer
        last = tree.body[-1]
        assert isinstance(last, gast.Return)
        ask_when_run(tree, facts.mentions, external)
        found = activity(syntax.statements(tree.body), facts, aliases, typer, set(wrt),
                         syntax.read_names(last.value) if last.value else set(),
                         shifts(tree, facts, aliases, typer))
        checks.arrays_of_objects(tree, facts, aliases, found.active, source)
        checks.unknown_calls(tree, facts, found, source)
        if any(map(is_attempt, syntax.statements(tree.body))):     # tangents stand behind the body
            halfway(tree, {}, facts, aliases, found.active,
                    liveness(tree.body, prepared.parameters, facts.mentions), source,
                    names.versions)
        tangents = _names(prepared, found.active)
        body = tree.body[:-1]
        unassigned(body, last, None, set(prepared.parameters), source.names | set(names.versions))
        tree.body[:-1] = body

        def jvp(function: Any, arguments: list[gast.expr], keywords: dict[str, gast.expr],
                node: gast.expr, active: set[str], ours: Tangents) -> Any:
            return self.at_call(function, arguments, keywords, node, active, ours, source, typer,
                                external)

        # Of a function that others call: they may write to what they get.
        returned = syntax.read_names(last) if prepared.origins is not None else set()
        body = forward(tree.body, Context(facts, aliases, found, typer, tangents, names.fresh,
                                          external, source.place, jvp,
                                          self.pairs.called_as_pair(typer, source.place),
                                          frozenset(map(aliases.find, returned)),
                                          self.is_general))
        start = Tangents(tangents, typer, external)
        body = [syntax.assign(tangents[p], start.zero(syntax.load(p), prepared.kinds[p]))
                for p in prepared.parameters if p in tangents and p not in wrt] + body
        typer.names = facts.names
        start.know(typer)
        known = {d: typer.names[d] for d, v in start.variables.items() if v in facts.names}
        versions = dict(names.versions)
        for later, first in names.versions.items():
            if later in tangents and first in tangents:
                versions[tangents[later]] = tangents[first]
        return body, tangents, Written(tangents, aliases, typer, facts, known, versions)


def _names(prepared: Prepared, active: set[str]) -> dict[str, str]:
    """The names of the tangents of the active variables, in the order of the variables."""
    order = dict.fromkeys(prepared.parameters)
    for node in syntax.statements(prepared.tree.body):
        if not isinstance(node, (gast.If, gast.While)):
            order.update(dict.fromkeys(syntax.bound_names(node.target)
                                       if isinstance(node, gast.For) else definitions(node)))
    versions = prepared.names.versions
    found: dict[str, str] = {}
    for variable in order:
        if variable in active:
            first = versions.get(variable, variable)
            wish = first if first not in active else variable
            found[variable] = prepared.names.fresh(f"d{wish}")
    return found


def _arguments(source: Source, wrt: list[str], given: list[str], keep: set[str]) \
        -> tuple[gast.arguments, tuple[Any, ...]]:
    """The user's parameters up to the last that varies or must be given, the tangents, and then
    those that keep their literal defaults."""
    made = source.tree.args
    every = [*made.posonlyargs, *made.args, *made.kwonlyargs]
    positional = [*made.posonlyargs, *made.args]
    texts: dict[str, gast.expr] = dict(zip([p.id for p in positional][len(positional)
                                                                      - len(made.defaults):],
                                           made.defaults))
    kept: list[str] = []
    if not made.kwonlyargs:
        for parameter in reversed(positional):
            default = texts.get(parameter.id)
            if parameter.id in wrt or parameter.id not in keep or default is None \
                    or isinstance(default, gast.Name) or not syntax.is_atom(default):
                break
            kept.insert(0, parameter.id)
    names = [p.id for p in every if p.id not in kept] + given + kept
    defaults = [syntax.copy(texts[n]) for n in kept]
    function = syntax.function_def("f", names, [], defaults)
    values = source.function.__defaults__ or ()
    return function.args, tuple(values[len(values) - len(kept):]) if kept else ()
