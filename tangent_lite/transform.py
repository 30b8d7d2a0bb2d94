"""The pipeline: from a function and the kinds of its arguments to the text of its derivative.

Read `prepare` and `differentiate` from top to bottom: each line is one pass.
"""
from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import gast

from tangent_lite import checks, kinds, registry, runtime, syntax
from tangent_lite.adjoints.ledger import Context as ReverseContext
from tangent_lite.adjoints.paths import Path
from tangent_lite.adjoints.seeds import seeds_apart
from tangent_lite.analyses.dict_sites import Mapped
from tangent_lite.analyses.liveness import bound_in, definitions, liveness, written_outside
from tangent_lite.analyses.managers import manager
from tangent_lite.analyses.origins import origins
from tangent_lite.analyses.written_arguments import written_argument
from tangent_lite.calling.collector import resting
from tangent_lite.calling.depth import room_to_write
from tangent_lite.calling.resolve import Resolver
from tangent_lite.checks.defaults import defaults_left
from tangent_lite.checks.duck import writes_next_to_ducks
from tangent_lite.checks.items import generators_left, items_that_change
from tangent_lite.directions.batches import Batches
from tangent_lite.directions.jvps import Jvps
from tangent_lite.errors import TangentError
from tangent_lite.functions.alike_units import merge_alike
from tangent_lite.functions.assemble import Assembler
from tangent_lite.functions.auxiliary import value_in
from tangent_lite.functions.comments import comments
from tangent_lite.functions.copies_on_entry import entry_copy
from tangent_lite.functions.halfway import halfway
from tangent_lite.functions.inlining import Inliner
from tangent_lite.functions.local_functions import functions_in, unused
from tangent_lite.functions.pairs import Pairs, is_one
from tangent_lite.functions.parts_read import helpers_to_write
from tangent_lite.functions.units import Derivative, Prepared, Unit
from tangent_lite.functions.yields import NO_GENERATOR, first_yield, yields_inside
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Kind
from tangent_lite.names import Names
from tangent_lite.passes.activity import Activity, activity
from tangent_lite.passes.alias import alias
from tangent_lite.passes.anf import anf
from tangent_lite.passes.arrays import arrays
from tangent_lite.passes.bind import bind
from tangent_lite.passes.cases import cases
from tangent_lite.passes.closures import closures
from tangent_lite.passes.columns import columns
from tangent_lite.passes.complete import complete
from tangent_lite.passes.compose import compose
from tangent_lite.passes.contexts import contexts
from tangent_lite.passes.decide import decide
from tangent_lite.passes.delete import delete, deleted
from tangent_lite.passes.desugar import desugar
from tangent_lite.passes.diagonals import diagonals
from tangent_lite.passes.distinct import distinct
from tangent_lite.passes.effects import effects
from tangent_lite.passes.enclose import enclose
from tangent_lite.passes.exits import exits
from tangent_lite.passes.expand import DICTS, EFFECTS, MAPS, STRUCTURE, expand, mark
from tangent_lite.passes.expand import Context as Expansion
from tangent_lite.passes.fence import fence
from tangent_lite.passes.fields import fields
from tangent_lite.passes.frame import frame
from tangent_lite.passes.hoist import hoist
from tangent_lite.passes.hold import hold
from tangent_lite.passes.imports import imports
from tangent_lite.passes.in_turn import in_turn
from tangent_lite.passes.infer import infer
from tangent_lite.passes.lengths import lengths
from tangent_lite.passes.lift import lift
from tangent_lite.passes.liken import liken
from tangent_lite.passes.logarithms import logarithms
from tangent_lite.passes.marked import marked
from tangent_lite.passes.merge import merge
from tangent_lite.passes.nest import nest
from tangent_lite.passes.own import own, own_dicts
from tangent_lite.passes.plan import plan
from tangent_lite.passes.prune import ask_when_run, asks, prune
from tangent_lite.passes.put_back import put_back
from tangent_lite.passes.queues import made_queues, queues
from tangent_lite.passes.record import may_move, record
from tangent_lite.passes.recursion import recursion
from tangent_lite.passes.rename import rename
from tangent_lite.passes.reverse import Reversed, reverse
from tangent_lite.passes.settle import settle
from tangent_lite.passes.share import share
from tangent_lite.passes.shifts import shifts
from tangent_lite.passes.stacks import stacks
from tangent_lite.passes.steady import steady
from tangent_lite.passes.supers import supers
from tangent_lite.passes.transposes import transposes
from tangent_lite.passes.twins import twins
from tangent_lite.passes.versions import versions
from tangent_lite.planning import Context as PlanContext
from tangent_lite.planning.bindings import ComputedKey
from tangent_lite.shapes.outside_sizes import SizesOutside
from tangent_lite.source import Source, source_of
from tangent_lite.written.externals import Externals

_Made = TypeVar("_Made")


def derive(function: Any, parameter_kinds: dict[str, Kind], wrt: list[Path], form: str,
           general: bool = False, keep: set[str] | None = None,
           ducks: bool | None = None, outside: SizesOutside | None = None,
           has_aux: bool = False) -> Derivative:
    """The derivative of a function for arguments of these kinds.

    form: "grad", "value_and_grad", "pair", "jvp", "tangent", or "batch" (the function itself, with
    an axis for directions in front of what wrt names); general: the kinds may say too little, so
    guess them; keep: parameters of a jvp that may keep their defaults (None: all that can); ducks:
    whether duck arrays take part (False: DucksOutside is raised if one does after all); outside:
    what may be assumed of the sizes of arrays outside, None: nothing; has_aux: of the pair of a
    function that returns (value, something else), the value alone is differentiated.
    """
    registry.load_rules()
    # Functions that call functions are transformed within each other.
    with room_to_write(function.__name__), resting():
        return _derive(function, parameter_kinds, wrt, form, general, keep, ducks, outside, has_aux)


def _derive(function: Any, parameter_kinds: dict[str, Kind], wrt: list[Path], form: str,
            general: bool, keep: set[str] | None, ducks: bool | None,
            outside: SizesOutside | None, has_aux: bool) -> Derivative:
    transformer = Transformer(general)
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


@dataclass
class Stages:
    """What the passes of the back half made of one function."""
    prepared: Prepared
    adjoints: dict[str, str]
    plan: Any
    records: Any
    context: ReverseContext
    written: Reversed
    activity: Activity


class Transformer:
    """Builds one derivative: the function itself and the pairs of what it calls."""

    def __init__(self, general: bool = False) -> None:
        self.general = general
        self.forward = False                # whether tangents are to live beside the values
        self.ducks: bool | None = None      # whether duck arrays take part
        self.outside: SizesOutside | None = None        # what is assumed of arrays outside
        self.has_aux = False                # whether the outermost function returns (value, aux),
        self.seeds_value = False            # and the seed is that of the value alone
        self.batched = False                # whether arrays are to get a leading axis, and no more
        # For lint: what is read in the place of a function, and who is told of what was written.
        self.repaired: Callable[[Source], Source] = lambda source: source
        self.written: Callable[[Stages], None] = lambda stages: None
        self.units: list[Unit] = []
        self.resolvers: list[Resolver] = []
        self.unit_names = Names()
        self.pairs = Pairs(self.prepare, self.differentiate, self.units, self.resolvers)
        self.batches = Batches(self.prepare, self.units)
        self.jvps = Jvps(self.prepare, self.pairs, self.units, self.transposed)

    def transposed(self, function: Any, parameter_kinds: dict[str, Kind],
                   active: tuple[str, ...]) -> Any:
        """The pair of a function, where what is written is in forward mode."""
        other = Transformer()
        other.ducks, other.outside = self.ducks, self.outside
        other.repaired, other.written = self.repaired, self.written
        other.unit_names, other.resolvers = self.unit_names, self.resolvers
        other.pairs.resolvers = self.resolvers
        made = other.pairs.pair(function, parameter_kinds, active)
        self.units += other.units
        return made

    def managers(self, tree: gast.FunctionDef, resolver: Resolver,
                 parameter_kinds: dict[str, Kind]) -> Callable[[gast.expr], str | None]:
        """What is known of the context managers of a function."""
        bound = _bound_anywhere(tree)
        known = {n: k for n, k in parameter_kinds.items() if n not in bound}
        typer = Typer(known, lambda name: NO_OBJECT if name in bound else resolver.free(name))
        typer.asked = resolver.asked
        return lambda node: manager(node, typer, tree)

    def prepare(self, function: Any, parameter_kinds: dict[str, Kind], outermost: bool,
                mapped: Mapped | None = None) -> Prepared:
        """The front half: the function in normal form, and the facts about it; mapped: dicts that
        are read by computed keys."""
        source, tree, resolver = self.read(function, parameter_kinds)
        found = first_yield(source.tree)
        if found is not None:
            raise source.refuse(found, *NO_GENERATOR)
        parameters = checks.parameters(source)
        names = Names()
        tree = closures(tree, names, source, source.refuse)     # takes all names of the tree
        plain = self.normal(tree, names)
        bound = set(parameters) | bound_in(plain.body)

        def external(thing: Any, wish: str) -> gast.expr:
            return syntax.load(resolver.name_for(thing, wish, names, bound))

        nested: set[str] = set()        # lists of lists of which elements of the inner ones change
        exact = False           # whether it matters how exactly what is copied lies in memory

        def copy(name: str) -> gast.expr:
            kind = parameter_kinds[name] if name in parameter_kinds else \
                kinds.kind_of(resolver.free(name))
            return entry_copy(name, kind, exact, name in nested, external)

        if self.general:
            parameter_kinds = _guessed(parameter_kinds, plain)
        typer = Typer({}, resolver.free)
        typer.asked, typer.ducks = resolver.asked, self.ducks
        typer.mapped = replace(mapped or Mapped(), versions=names.versions)
        if self.outside is not None:
            typer.with_sizes = functools.partial(self.outside.sized, source)
        typer.user_call = self.pairs.kind_of_call
        typer.user_origins = self.pairs.origins_of_call

        def own_outer() -> None:
            own_dicts(plain, names, lambda name: type(resolver.free(name)) is dict)

        own_outer()
        while asks(plain):
            numbered = versions(plain, names)
            facts = infer(numbered, parameter_kinds, typer)
            if not prune(plain, numbered, facts, typer, settled=False):
                break
        expansion = Expansion(typer, names, Inliner(
            names, resolver, source,
            lambda tree, around, shared: self.normal(tree, names, around, shared),
            lambda tree, source: closures(tree, names, source, source.refuse), self.read),
            source.refuse, self.pairs.by_itself(typer, source.place))
        if syntax.all_of(plain, gast.Lambda):
            unused(plain)
        if self.ducks:
            numbered = versions(plain, names)
            decide(plain, numbered, infer(numbered, parameter_kinds, typer), typer)
        if made_queues(plain, typer):
            self.expanded(plain, parameter_kinds, expansion, own_outer)
        spots = mark(plain)
        wanted: list[gast.expr] = []    # what is to be written out, as lists become columns
        taken: list[str] = []           # parameters that became columns
        framed = frame(plain, names)
        outside = written_outside(framed)
        tree = own(framed, [], names, copy, True, outside)
        asked = False
        copied: list[str] = []
        bound_again = False
        held: set[str] = set()
        looked = False
        while True:         # again, where the facts show that more has to be written out
            numbered = versions(tree, names)
            facts = infer(numbered, parameter_kinds, typer)
            if not outermost and not looked:        # before anything is written out in it
                looked = True
                argument = written_argument(numbered, facts, typer, self.pairs.written_in(typer))
                if argument is not None:
                    raise checks.helper_writes(source, argument)
            for call in wanted:
                spots[call.mark].value.must_be_written = True
            if expand(plain, spots, numbered, facts, expansion, (EFFECTS, DICTS, STRUCTURE, MAPS)) \
                    or wanted or (asks(plain) and not asked):
                asked = True
                wanted.clear()
                taken.clear()
                self.expanded(plain, parameter_kinds, expansion, own_outer)
                spots = mark(plain)
                framed = frame(plain, names)
                outside = written_outside(framed)
                tree = own(framed, [], names, copy, True, outside)
                copied, bound_again = [], False
                continue
            deleted(numbered, source.refuse)
            generators_left(numbered, facts, source)
            checks.loops(numbered, facts, typer, source, self.general)
            checks.supers_left(numbered, source)
            checks.attributes(numbered, facts, source)
            checks.functions_as_values(numbered, plain, facts, source)
            checks.callees(numbered, facts, source)
            checks.methods_as_values(numbered, facts, typer, source)
            checks.unseen_changes(numbered, facts, typer, source)
            defaults_left(numbered, facts, typer, source)
            checks.special_methods(numbered, facts, typer, source)
            checks.attributes_in_place(numbered, source)
            writes_next_to_ducks(numbered, facts, typer, source)
            if settle(tree, numbered, facts, typer, names) \
                    or fields(tree, numbered, facts, typer, names, wanted) \
                    or columns(tree, numbered, facts, typer, names, external, wanted,
                               taken if outermost else None) \
                    or hoist(tree, numbered, facts, typer, names) \
                    or rename(tree, numbered, facts, typer, source.names) \
                    or nest(tree, numbered, facts, typer, source.names) \
                    or merge(tree, numbered, facts, typer, source.names):
                continue
            if not bound_again and bind(tree, numbered, facts, _is_ours(source)):
                bound_again = True
                continue
            if effects(tree, numbered, facts, typer, names, external):
                outside += [n for n in written_outside(tree) if n not in outside]
                tree = own(tree, [], names, copy, in_place=True)
                continue
            if arrays(tree, numbered, facts, typer, names, external, source.refuse):
                continue
            if not self.forward and steady(tree, numbered, facts, typer, names, held):
                continue
            aliases = alias(numbered, facts, typer, source.place, parameters,
                            self.forward or self.batched, self.batched)
            checks.rebound(numbered, facts, aliases, source, outermost)
            items_that_change(numbered, facts, aliases, source)
            if not self.forward:
                checks.nested_alike(numbered, facts, source)
            checks.keys_of_dicts(numbered, facts, source)
            checks.keys_that_vary(numbered, facts, source)
            checks.overlapping(numbered, aliases, source)
            if not outermost:
                checks.helper_updates(source, parameters, aliases)
            if aliases.decided and not exact:
                exact = True
                for node in tree.body:
                    if getattr(node, "is_entry_copy", None):
                        node.value = gast.copy_location(copy(node.is_entry_copy), node.value)
                continue
            written = [p for p in parameters if (aliases.is_written(p) or aliases.is_resized(p))
                       and p not in copied and p not in aliases.spared
                       and not isinstance(parameter_kinds[p], (kinds.Number, kinds.Nothing))]
            if not written:
                break
            nested |= aliases.nested
            checks.can_be_copied(written, parameter_kinds, source)
            if not outermost:
                raise checks.helper_writes(source, written[0])
            copied += written
            tree = own(tree, written, names, copy, in_place=True)
        if not outermost:
            checks.helper_writes_outside(numbered, source)
        handed_on = None if outermost else origins(numbered, facts, typer)      # nobody calls it
        handed_out = {aliases.find(name) for node in syntax.statements(numbered.body)
                      if isinstance(node, gast.Return) for name in syntax.read_names(node)}
        events = {aliases.find(name) for _, name in aliases.events}
        changed = [p for p in parameters if (aliases.find(p) in events or p in taken)
                   and not isinstance(parameter_kinds[p], (kinds.Number, kinds.Array))]
        in_place = [p for p in changed if aliases.find(p) in aliases.in_place]
        lengths(numbered, facts, aliases, parameters, source.names)
        self.pairs.purity.mark(numbered, facts.callees)
        share(numbered, facts, typer, aliases.may_change, source.names | set(names.versions),
              lambda name: aliases.find(name) in handed_out)
        return Prepared(source, numbered, parameters, parameter_kinds, facts, aliases, names,
                        resolver, typer, copied, outside, self.pairs.purity, changed, handed_on,
                        in_place)

    def read(self, function: Any, parameter_kinds: dict[str, Kind] | None = None) \
            -> tuple[Source, gast.FunctionDef, Resolver]:
        """A function as it stands in its file, if nothing in it is refused at first sight, with
        `match`, `del` and `with` settled."""
        source = self.repaired(source_of(function))
        resolver = Resolver(source)
        self.resolvers += [resolver, *getattr(function, "rests_on", ())]
        tree = imports(source.tree, resolver.now, source.globals.get("__package__"),
                       resolver.imports)
        tree = recursion(tree, source, resolver.injected)
        tree = marked(tree, resolver.now, source.refuse)
        tree = lift(tree, source, resolver.now, resolver.injected,
                    Names(source.names))
        owner = source.cells.get("__class__")
        tree = supers(tree, None if owner is None else owner.cell_contents, resolver.free,
                      Typer({}, resolver.free).object_of)
        tree = fence(tree, source, resolver.free)
        tree = yields_inside(tree, source.refuse, Names(source.names))
        tree = cases(tree, lambda node: Typer({}, resolver.free).object_of(node), source.refuse)
        names = Names(source.names)
        tree = in_turn(tree, names, resolver.free)
        tree = stacks(tree, names, lambda: resolver.free("len") is len)
        tree = delete(tree, source.refuse)
        tree = contexts(tree, self.managers(tree, resolver, parameter_kinds or {}), source.refuse)
        return source, tree, resolver

    def normal(self, tree: gast.FunctionDef, names: Names,
               around: set[str] | frozenset[str] = frozenset(),
               shared: set[str] | frozenset[str] = frozenset()) -> gast.FunctionDef:
        """A function in normal form: one exit, no short forms, one operation a statement; around:
        the variables of the function that it stands in; shared: those of them that calls may bind
        anew."""
        single = exits(tree, names)             # a copy, which the next passes may change
        inside = functions_in(single)
        rebound = shared.union(*(function.bound for function in inside))
        seen = rebound.union(*(function.captured for function in inside))
        held = hold(enclose(single, names), rebound, names)
        plain = desugar(held, names, rebound, seen, in_place=True)
        return anf(plain, names, around, in_place=True)

    def expanded(self, plain: gast.FunctionDef, parameter_kinds: dict[str, Kind],
                 expansion: Expansion, own_outer: Callable[[], None]) -> None:
        """Write out in the tree, in place, until there is nothing left to write out."""
        settled = False
        phases: tuple[str, ...] = (EFFECTS,)
        wanted: list[gast.expr] = []
        while True:
            own_outer()
            spots = mark(plain)
            numbered = versions(plain, expansion.names)
            # What is yet to be written out is taken to leave dicts and objects as they are, until
            # nothing else is left.
            expansion.typer.settled = settled
            facts = infer(numbered, parameter_kinds, expansion.typer)
            if asks(plain) and prune(plain, numbered, facts, expansion.typer, settled):
                continue
            if expand(plain, spots, numbered, facts, expansion, phases):
                settled, phases = False, (EFFECTS,)
            elif settled:
                known = plain, numbered, facts, expansion.typer
                if not (complete(*known) or queues(*known, expansion.names)
                        or fields(*known, expansion.names, wanted)
                        or rename(*known, expansion.inliner.source.names)):
                    break
                for call in wanted:
                    spots[call.mark].value.must_be_written = True
                wanted.clear()
                settled, phases = False, (EFFECTS,)
            elif not put_back(plain, numbered, facts, expansion.typer):
                settled, phases = True, (EFFECTS, DICTS, STRUCTURE, MAPS)
        unused(plain)

    def differentiate(self, function: Any, parameter_kinds: dict[str, Kind], wrt: list[Path],
                      form: str, outermost: bool) -> tuple[Prepared, list[Unit]]:
        """Both halves, and the functions that come of them."""
        def back(prepared: Prepared) -> tuple[Prepared, list[Unit]]:
            return prepared, self.finished(function, parameter_kinds, prepared, wrt, form,
                                           outermost)
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
                 wrt: list[Path], form: str, outermost: bool) -> list[Unit]:
        """The back half, and the functions that come of it."""
        if form == "pair" and checks.is_run_again(prepared):
            checks.runs_twice(prepared)
        name = prepared.source.name
        external = Externals.of(prepared)
        seed = prepared.names.fresh(f"b{name}")
        counts = value_in(prepared.tree.body[-1].value, prepared.facts) \
            if outermost and self.has_aux else None
        self.seeds_value = self.seeds_value or counts is not None
        stages = self.write(prepared, wrt, seed, external, form != "grad", counts)
        parts = Assembler(prepared, name, stages.written, stages.context, wrt, seed, external.known)
        own = self.pairs.of_itself(function, parameter_kinds, tuple(p[0] for p in wrt)) \
            if form != "pair" and all(len(p) == 1 for p in wrt) else None
        if own is not None:
            units = [parts.by_pair(own, form == "value_and_grad")]
        elif form == "grad":
            units = [parts.gradient()]
        elif form == "value_and_grad":
            units = [parts.value_and_gradient()]
        else:
            units = parts.pair(self.unit_names)
        self.units += units
        return units

    def write(self, prepared: Prepared, wrt: list[Path], seed: str, external: Externals,
              with_value: bool, counts: gast.expr | None = None) -> Stages:
        """The back half: the forward pass with its records, and the backward pass.

        with_value: whether what the function returns is asked for beside the gradients; counts:
        what is differentiated of it, None: all.
        """
        source, tree, names = prepared.source, prepared.tree, prepared.names
        facts, aliases, typer = prepared.facts, prepared.aliases, prepared.typer
        counts = tree.body[-1].value if counts is None else counts
        ask_when_run(tree, facts.mentions, external)
        typer.free = external.knowing(typer.free)

        def pair(function: Any, arguments: list[gast.expr], keywords: dict[str, gast.expr],
                 node: gast.expr, active: set[str]) -> Any:
            return self.pairs.pair_at(function, arguments, keywords, node, active, source, typer,
                                      external)

        def check_pure(node: gast.Call, function: Any) -> None:
            error = self.pairs.by_itself(typer, source.place)(node, function, [])
            if error is not None:
                raise error

        distinct(tree, facts, aliases, typer)
        logarithms(tree, facts, aliases, typer, self.pairs.probability_of(typer))
        found = activity(syntax.statements(tree.body), facts, aliases, typer,
                         {path[0] for path in wrt}, syntax.read_names(counts),
                         shifts(tree, facts, aliases, typer))
        inside, anywhere = helpers_to_write(tree, facts, typer, found.active,
                                            self.pairs.parts_read_in(typer))
        known = typer.mapped
        if not (inside <= known.inside | known.anywhere | known.beside
                and anywhere <= known.anywhere | known.beside):
            raise _ReadsParts(inside, anywhere)
        checks.arrays_of_objects(tree, facts, aliases, found.active, source)
        adjoints = _adjoints(prepared, found.active, seed, counts)
        adjoint_kinds = {b: facts.names[v] for v, b in adjoints.items() if v in facts.names}
        checks.loops_run_twice(prepared)
        twin_names = twins(tree, facts, aliases, found.active, found.operands, adjoints, external,
                           names.fresh, source.place)
        planned = plan(tree, PlanContext(facts, aliases, found, typer, adjoints, names.fresh,
                                         external, source.place, pair, check_pure,
                                         prepared.origins is not None,
                                         hasattr(source.function, "rests_on")))
        compose(tree, planned, facts, aliases, adjoints,
                external(runtime.unbroadcast, "unbroadcast").id)
        diagonals(tree, planned, facts, aliases, adjoints, external)
        transposes(tree, planned.steps, facts, aliases)
        liken(tree, planned.steps, facts, aliases, external, with_value)
        checks.changed_by_calls(planned.steps, tree, aliases, source)
        body = tree.body[:-1]
        live = liveness(tree.body, prepared.parameters, facts.mentions)
        halfway(tree, planned.steps, facts, aliases, found.active, live, source,
                names.versions)
        shadows = {n: adjoints[n] for n in twin_names}
        records = record(body, planned.steps, facts, aliases, live, prepared.parameters, shadows)
        checks.checkpoints_hold_all(prepared, records)
        context = ReverseContext(
            planned.steps, records, facts, aliases, live, found.active, adjoints,
            {**adjoint_kinds, **planned.kinds}, typer, names.fresh, external, comments(source),
            twin_names, planned.listed, names.versions)
        if may_move(body, found.active | {path[0] for path in wrt}, facts, aliases):
            # Where the backward pass makes zeros shows when it is written; what shape they have
            # has to be recorded. So it is written once to see that.
            draft_names = names.copy()
            draft = reverse(body, counts, seed, wrt, replace(
                context, fresh=draft_names.fresh, external=external.copy(draft_names)))
            context.records = record(body, planned.steps, facts, aliases, live,
                                     prepared.parameters, shadows, draft.zeroed)
            checks.checkpoints_hold_all(prepared, context.records)
            written = reverse(body, counts, seed, wrt, context)
            assert written.zeroed == draft.zeroed, "the draft is what is written"
        else:
            written = reverse(body, counts, seed, wrt, context)
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


def _is_ours(source: Source) -> Callable[[gast.stmt], bool]:
    """Whether a statement stands in text that was emitted."""
    return lambda node: hasattr(getattr(node, "origin", source).function, "rests_on")


def _bound_anywhere(tree: gast.AST) -> set[str]:
    """Names that a function binds, itself or in what is defined in it."""
    return {n.id for n in syntax.names_in(tree) if isinstance(n.ctx, (gast.Store, gast.Del))}


def _guessed(parameter_kinds: dict[str, Kind], tree: gast.FunctionDef) -> dict[str, Kind]:
    """The kinds of the parameters, where what arithmetic is done with counts as numeric."""
    operands = _arithmetic(tree)
    return {name: kinds.Numeric(None) if kind == kinds.UNKNOWN and name in operands else kind
            for name, kind in parameter_kinds.items()}


def _arithmetic(tree: gast.FunctionDef) -> set[str]:
    """Names that are certainly numbers or arrays: operands of what lists cannot do."""
    found: set[str] = set()
    for node in syntax.all_of(tree, gast.BinOp, gast.UnaryOp, gast.Call):
        if isinstance(node, gast.BinOp) and not isinstance(node.op, gast.Add):
            parts = [node.left, node.right]
            if isinstance(node.op, gast.Mult):
                parts = [p for p, other in ((node.left, node.right), (node.right, node.left))
                         if not isinstance(other, gast.Constant) or isinstance(other.value, float)]
        elif isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            parts = [node.operand]
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and isinstance(
                node.func.value, gast.Name) and node.func.value.id in ("np", "numpy", "math") \
                and len(node.args) == 1:
            parts = node.args
        else:
            continue
        found |= {p.id for p in parts if isinstance(p, gast.Name)}
    return found
