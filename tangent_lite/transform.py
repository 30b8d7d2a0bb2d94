"""The pipeline: from a function and the kinds of its arguments to the text of its derivative.

Read `write` from top to bottom: each line is one pass of the back half (see preparation.py for what
comes before).
"""
from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import gast

from tangent_lite import checks, kinds, registry, runtime, syntax
from tangent_lite.adjoints.ledger import Context as ReverseContext
from tangent_lite.adjoints.paths import Path
from tangent_lite.adjoints.seeds import seeds_apart
from tangent_lite.adjoints.unbound import is_never_none
from tangent_lite.analyses.liveness import definitions, liveness
from tangent_lite.analyses.recordings import are_alike
from tangent_lite.analyses.unseen import keeping
from tangent_lite.calling.collector import resting
from tangent_lite.calling.depth import room_to_write
from tangent_lite.directions.batches import Batches
from tangent_lite.directions.jvps import Jvps
from tangent_lite.errors import AliasError, TangentError, UnsupportedSyntaxError
from tangent_lite.front_half import FrontHalf
from tangent_lite.functions.alike_units import merge_alike
from tangent_lite.functions.assemble import Assembler
from tangent_lite.functions.auxiliary import value_in
from tangent_lite.functions.comments import comments
from tangent_lite.functions.halfway import halfway
from tangent_lite.functions.in_place import GivenArrays, given_arrays
from tangent_lite.functions.pairs import Pairs, is_one
from tangent_lite.functions.parts_read import helpers_to_write
from tangent_lite.functions.units import Derivative, Prepared, Unit
from tangent_lite.kinds import Kind
from tangent_lite.names import Names
from tangent_lite.passes.activity import Activity, activity
from tangent_lite.passes.compose import compose
from tangent_lite.passes.diagonals import diagonals
from tangent_lite.passes.distinct import distinct
from tangent_lite.passes.known_values import known_values
from tangent_lite.passes.liken import liken
from tangent_lite.passes.logarithms import logarithms
from tangent_lite.passes.plan import plan
from tangent_lite.passes.prune import ask_when_run
from tangent_lite.passes.record import may_move, record
from tangent_lite.passes.reverse import Reversed, reverse
from tangent_lite.passes.shifts import shifts
from tangent_lite.passes.transposes import transposes
from tangent_lite.passes.twins import twins
from tangent_lite.passes.unassigned import unassigned
from tangent_lite.planning import Context as PlanContext
from tangent_lite.planning.bindings import ComputedKey
from tangent_lite.shapes.outside_sizes import SizesOutside
from tangent_lite.written.externals import Externals

_Made = TypeVar("_Made")


def derive(function: Any, parameter_kinds: dict[str, Kind], wrt: list[Path], form: str,
           general: bool = False, keep: set[str] | None = None,
           ducks: bool | None = None, outside: SizesOutside | None = None,
           has_aux: bool = False,
           form_for: Callable[[Kind], str] | None = None, in_python: bool = True) -> Derivative:
    """The derivative of a function for arguments of these kinds.

    form: "grad", "value_and_grad", "pair", "jvp", "tangent", or "batch" (the function itself, with
    an axis for directions in front of what wrt names); general: the kinds may say too little, so
    guess them; keep: parameters of a jvp that may keep their defaults (None: all that can); ducks:
    whether duck arrays take part (False: DucksOutside is raised if one does after all); outside:
    what may be assumed of the sizes of arrays outside, None: nothing; has_aux: of the pair of a
    function that returns (value, something else), the value alone is differentiated; form_for: the
    form in the place of `form`, where the kind of the result decides; in_python: whether it runs
    in Python, where functions that call themselves may work in arrays of their callers, and numbers
    are computed again rather than recorded.
    """
    registry.load_rules()
    # Functions that call functions are transformed within each other.
    with room_to_write(function.__name__), resting(), keeping() as rests:
        made = _derive(function, parameter_kinds, wrt, form, general, keep, ducks, outside, has_aux,
                       form_for, in_python)
        if made.resolvers:
            made.resolvers[0].unseen = rests()
        return made


def _derive(function: Any, parameter_kinds: dict[str, Kind], wrt: list[Path], form: str,
            general: bool, keep: set[str] | None, ducks: bool | None,
            outside: SizesOutside | None, has_aux: bool,
            form_for: Callable[[Kind], str] | None, in_python: bool,
            tells_items: bool = False) -> Derivative:
    transformer = Transformer(general)
    transformer.pairs.in_python = in_python
    transformer.form_for, transformer.tells_items = form_for, tells_items
    transformer.ducks, transformer.outside, transformer.has_aux = ducks, outside, has_aux
    transformer.pairs.layouts.underway.append(function)
    mark: Any = False
    try:
        if form == "batch":
            transformer.batched = True
            prepared, unit, mark = transformer.batches.outermost(
                function, parameter_kinds, [path[0] for path in wrt])
            units = [unit]
        elif form in ("jvp", "tangent"):
            transformer.forward = True
            prepared, unit = transformer.jvps.outermost(function, parameter_kinds, wrt, keep,
                                                        form == "jvp")
            units = [unit]
        else:
            prepared, units = transformer.differentiate(function, parameter_kinds, wrt, form,
                                                        True)
    except TangentError as error:
        if isinstance(error, (AliasError, UnsupportedSyntaxError)) \
                and transformer.told(parameter_kinds) is not None:
            with contextlib.suppress(TangentError):
                return _derive(function, parameter_kinds, wrt, form, general, keep, ducks, outside,
                               has_aux, form_for, in_python, True)
        # Whether what was read was written by us: then forward mode may do.
        error.second_order = any(                               # type: ignore[attr-defined]
            hasattr(r.source.function, "rests_on") for r in transformer.resolvers)
        raise
    seeds_apart(transformer.units, [p.backward for p in transformer.pairs.pairs.values()])
    merge_alike(transformer.units, units)
    made = Derivative(transformer.units, transformer.resolvers, prepared.facts.result,
                      prepared.copied, prepared.changed, prepared.outside, prepared.in_place,
                      units[0],
                      units[1] if len(units) > 1 else None, form in ("jvp", "tangent"),
                      batched=mark, seeds_value=transformer.seeds_value)
    vars(transformer).clear()       # its parts know it: so that trees go without the collector
    return made


class _ReadsParts(Exception):
    """Functions are to be written out in loops or anywhere, since they read parts of what they are
    given."""

    def __init__(self, inside: set[Any], anywhere: set[Any]) -> None:
        super().__init__()
        self.inside, self.anywhere = inside, anywhere


@dataclass(eq=False, repr=False)
class Stages:
    """What the passes of the back half made of one function."""
    prepared: Prepared
    adjoints: dict[str, str]
    plan: Any
    records: Any
    context: ReverseContext
    written: Reversed
    activity: Activity


class Transformer(FrontHalf):
    """Builds one derivative: the function itself and the pairs of what it calls."""

    def __init__(self, general: bool = False) -> None:
        super().__init__(general)
        self.has_aux = False                # whether the outermost function returns (value, aux),
        self.seeds_value = False            # and the seed is that of the value alone
        # The form of the outermost function, where the kind of its result decides.
        self.form_for: Callable[[Kind], str] | None = None
        # For lint: who is told of what was written.
        self.written: Callable[[Stages], None] = lambda stages: None
        self.units: list[Unit] = []
        self.unit_names = Names()
        self.pairs = Pairs(self.prepare, self.differentiate, self.units, self.resolvers)
        self.batches = Batches(self.prepare, self.units)
        self.jvps = Jvps(self.prepare, self.pairs, self.units, self.transposed, general)

    def transposed(self, function: Any, parameter_kinds: dict[str, Kind],
                   active: tuple[str, ...]) -> Any:
        """The pair of a function, where what is written is in forward mode."""
        other = Transformer()
        other.ducks, other.outside = self.ducks, self.outside
        other.repaired, other.written = self.repaired, self.written
        other.unit_names, other.resolvers = self.unit_names, self.resolvers
        other.pairs.resolvers = self.resolvers
        other.pairs.in_python = self.pairs.in_python
        made = other.pairs.pair(function, parameter_kinds, active)
        self.units += other.units
        return made

    def differentiate(self, function: Any, parameter_kinds: dict[str, Kind], wrt: list[Path],
                      form: str, outermost: bool,
                      adds: tuple[str, ...] = ()) -> tuple[Prepared, list[Unit]]:
        """Both halves, and the functions that come of them; adds: arrays to whose adjoints the
        backward half of a pair adds."""
        def back(prepared: Prepared) -> tuple[Prepared, list[Unit]]:
            asked = self.form_for(prepared.facts.result) if outermost and self.form_for else form
            return prepared, self.finished(function, parameter_kinds, prepared, wrt, asked,
                                           outermost, adds)
        return self.by_halves(
            function, parameter_kinds, outermost, back,
            None if outermost else self.pairs.take_prepared(function, parameter_kinds))

    def by_halves(self, function: Any, parameter_kinds: dict[str, Kind], outermost: bool,
                  back: Callable[[Prepared], _Made], prepared: Prepared | None = None) -> _Made:
        """What `back` makes of the front half (prepared, if it was run before), which is run once
        more where a dict turns out to be read by computed keys, or functions that are called in
        loops to read parts of what they are given."""
        prepared = prepared or self.prepare(function, parameter_kinds, outermost)
        while True:
            try:
                return back(prepared)
            except ComputedKey as read:
                mapped = prepared.typer.mapped.with_dict(read.dict, prepared.facts.names)
                if mapped == prepared.typer.mapped:
                    raise read.refusal from None
                result = prepared.facts.result          # which its callers know
                prepared = self.prepare(function, parameter_kinds, outermost, mapped)
                if not outermost and not is_one(prepared.facts.result, result):
                    raise read.refusal from None
            except _ReadsParts as reading:
                known = prepared.typer.mapped
                before = self.pairs.state()
                try:
                    return self.by_halves(
                        function, parameter_kinds, outermost, back, self.prepare(
                            function, parameter_kinds, outermost,
                            replace(known, inside=known.inside | reading.inside,
                                    anywhere=known.anywhere | reading.anywhere)))
                except TangentError:        # written out they are refused
                    self.pairs.go_back(before)
                    prepared = self.prepare(function, parameter_kinds, outermost, replace(
                        known, beside=known.beside | reading.inside | reading.anywhere))

    def finished(self, function: Any, parameter_kinds: dict[str, Kind], prepared: Prepared,
                 wrt: list[Path], form: str, outermost: bool,
                 adds: tuple[str, ...] = ()) -> list[Unit]:
        """The back half, and the functions that come of it."""
        refusal = None
        given = given_arrays(prepared, adds, prepared.names.fresh) \
            if adds or hasattr(function, "changes") else None
        may_run_again = form == "pair" and checks.may_run_again(prepared) \
            and not (given and given.copies)
        if may_run_again:
            try:
                checks.runs_twice(prepared)
            except TangentError as error:
                refusal = error
        name = prepared.source.name
        external = Externals.of(prepared)
        seed = prepared.names.fresh(f"b{name}")
        counts = value_in(prepared.tree.body[-1].value, prepared.facts) \
            if outermost and self.has_aux else None
        self.seeds_value = self.seeds_value or counts is not None
        stages = self.write(prepared, wrt, seed, external, form != "grad", counts, given)
        pairs = [step.pair for step in stages.plan.steps.values() if step.pair is not None]
        again = may_run_again and checks.is_run_again(prepared, stages.records, pairs,
                                                      stages.written.backward)
        parts = Assembler(prepared, name, stages.written, stages.context, wrt, seed, external.known)
        halves = None
        if again and not checks.must_run_again(prepared, stages.records, pairs):
            halves = parts.nothing_put_back(given)
            again = halves is None
        if refusal is not None and again:   # what is refused in any form says more of the program
            raise refusal
        own = self.pairs.of_itself(function, parameter_kinds, tuple(p[0] for p in wrt)) \
            if form != "pair" and all(len(p) == 1 for p in wrt) else None
        if own is not None:
            units = [parts.by_pair(own, form == "value_and_grad", wrt)]
        elif form == "grad":
            units = [parts.gradient()]
        elif form == "value_and_grad":
            units = [parts.value_and_gradient()]
        else:
            units = parts.pair(self.unit_names, again, given, halves)
        self.units += units
        return units

    def write(self, prepared: Prepared, wrt: list[Path], seed: str, external: Externals,
              with_value: bool, counts: gast.expr | None = None,
              given: GivenArrays | None = None) -> Stages:
        """The back half: the forward pass with its records, and the backward pass.

        with_value: whether what the function returns is asked for beside the gradients; counts:
        what is differentiated of it, None: all; given: arrays in which, or in whose adjoints, it
        works.
        """
        given = given or GivenArrays()
        in_arrays = set(given.copies.values())
        source, tree, names = prepared.source, prepared.tree, prepared.names
        facts, aliases, typer = prepared.facts, prepared.aliases, prepared.typer
        counts = tree.body[-1].value if counts is None else counts
        ask_when_run(tree, facts.mentions, external)
        typer.free = external.knowing(typer.free)

        def pair(function: Any, arguments: list[gast.expr], keywords: dict[str, gast.expr],
                 node: gast.expr, active: set[str]) -> Any:
            return self.pairs.pair_at(function, arguments, keywords, node, active, source, typer,
                                      external)

        distinct(tree, facts, aliases, typer)
        logarithms(tree, facts, aliases, typer, self.pairs.probability_of(typer))
        found = activity(syntax.statements(tree.body), facts, aliases, typer,
                         {path[0] for path in wrt}, syntax.read_names(counts) | in_arrays,
                         shifts(tree, facts, aliases, typer))
        inside, anywhere = helpers_to_write(tree, facts, typer, found.active,
                                            self.pairs.parts_read_in(typer))
        known = typer.mapped
        if not (inside <= known.inside | known.anywhere | known.beside
                and anywhere <= known.anywhere | known.beside):
            raise _ReadsParts(inside, anywhere)
        checks.arrays_of_objects(tree, facts, aliases, found.active, source)
        checks.unknown_calls(tree, facts, found, source)
        checks.returned(counts, found.active, source)
        adjoints = _adjoints(prepared, found.active, seed, counts)
        adjoint_kinds = {b: facts.names[v] for v, b in adjoints.items() if v in facts.names}
        if isinstance(facts.result, kinds.Array) and facts.result.ndim \
                and facts.result.dtype == "float" and counts is tree.body[-1].value:
            adjoint_kinds.setdefault(seed, replace(facts.result, shape=kinds.new_shape()))
        checks.loops_run_twice(prepared)
        twin_names = twins(tree, facts, aliases, found.active, found.operands, adjoints, external,
                           names.fresh, source.place)
        planned = plan(tree, PlanContext(facts, aliases, found, typer, adjoints, names.fresh,
                                         external, source.place, pair,
                                         self.pairs.called_as_pair(typer, source.place),
                                         prepared.origins is not None,
                                         hasattr(source.function, "rests_on"), self.general))
        for node in given.entries.values():
            planned.steps.pop(id(node), None)
        wrt = [path for path in wrt if path[0] not in given.adjoints]
        compose(tree, planned, facts, aliases, adjoints,
                external(runtime.unbroadcast, "unbroadcast").id)
        diagonals(tree, planned, facts, aliases, adjoints, external)
        transposes(tree, planned.steps, facts, aliases)
        live = liveness(tree.body, prepared.parameters, facts.mentions)
        known_values(tree, planned.steps, facts, aliases, typer, live)
        liken(tree, planned.steps, facts, aliases, external, with_value)
        checks.changed_by_calls(planned.steps, tree, aliases, source)
        body = tree.body[:-1]
        halfway(tree, planned.steps, facts, aliases, found.active, live, source,
                names.versions)
        shadows = {n: adjoints[n] for n in twin_names}
        put_back = list(given.entries.values())
        records = record(body, planned.steps, facts, aliases, live, prepared.parameters, shadows,
                         put_back=put_back, records_calls=not self.pairs.in_python)
        work_in = given.active(found.active)
        checks.checkpoints_hold_all(prepared, records)
        context = ReverseContext(
            planned.steps, records, facts, aliases, live, found.active, adjoints,
            {**adjoint_kinds, **planned.kinds}, typer, names.fresh, external, comments(source),
            twin_names, planned.listed, names.versions)
        own = set(map(id, syntax.statements(tree.body)))
        names_before, known_before = names.copy(), dict(external.known)
        written = reverse(body, counts, seed, wrt, context, work_in, prepared.kinds)
        if may_move(body, found.active | {path[0] for path in wrt}, facts, aliases):
            # Where the backward pass makes zeros shows when it is written; what shape they have
            # has to be recorded. So it is written once more where there is more to record.
            records = record(body, planned.steps, facts, aliases, live, prepared.parameters,
                             shadows, written.zeroed, put_back, not self.pairs.in_python)
            checks.checkpoints_hold_all(prepared, records)
            if not are_alike(records, context.records):
                names.go_back(names_before)
                external.go_back(known_before)
                zeroed, context.records = written.zeroed, records
                written = reverse(body, counts, seed, wrt, context, work_in, prepared.kinds)
                assert written.zeroed == zeroed, "what makes zeros is what was written at first"
        none_at_first = {n for n in context.records.undefined
                         if is_never_none(facts.names.get(n))}
        unassigned(written.forward, tree.body[-1], None if with_value else planned.steps,
                   set(prepared.parameters), (source.names | set(names.versions)).difference(
                       set(context.records.undefined) - none_at_first), none_at_first, own)
        made = Stages(prepared, adjoints, planned, context.records, context, written, found)
        self.written(made)
        return made


# Small pieces ---------------------------------------------------------------------------------
_CHANGED_IN_PLACE = (kinds.ListKind, kinds.MapKind)


def _adjoints(prepared: Prepared, active: set[str], seed: str,
              counts: gast.expr | None) -> dict[str, str]:
    """The names of the adjoints of the active variables, in the order of the variables."""
    names = prepared.names
    returned = counts.id if isinstance(counts, gast.Name) else None
    user_names = prepared.source.names
    order = dict.fromkeys(prepared.parameters)
    for node in syntax.statements(prepared.tree.body):
        if not isinstance(node, (gast.If, gast.While)):
            names_bound = syntax.bound_names(node.target) if isinstance(node, gast.For) \
                else definitions(node)
            order.update(dict.fromkeys(names_bound))
    adjoints: dict[str, str] = {}
    for variable in order:
        if variable in active:
            # What is returned, if we named it, needs no adjoint beside the seed; but the adjoint
            # of a list that was built is changed in place, which the seed must not be.
            temporary = variable == returned and variable not in names.versions \
                and variable not in user_names and not prepared.aliases.is_written(variable) \
                and not isinstance(prepared.facts.names.get(variable), _CHANGED_IN_PLACE)
            adjoints[variable] = seed if temporary else names.fresh(f"b{variable}")
    return adjoints
