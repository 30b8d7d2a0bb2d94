"""The front half of the pipeline: from a function to its normal form and the facts about it.

Read `prepare` from top to bottom: each line is one pass, and some run again where the facts of one
round show that more has to be written out.
"""
from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from tangent_lite import checks, kinds, syntax
from tangent_lite.analyses.aggregates import can_be_written
from tangent_lite.analyses.dict_sites import Mapped
from tangent_lite.analyses.liveness import bound_in, written_outside
from tangent_lite.analyses.managers import manager
from tangent_lite.analyses.origins import origins
from tangent_lite.analyses.steady_masks import steady_masks
from tangent_lite.analyses.written_arguments import written_argument
from tangent_lite.calling.resolve import Resolver
from tangent_lite.checks.defaults import defaults_left
from tangent_lite.checks.duck import writes_next_to_ducks
from tangent_lite.checks.items import generators_left, items_that_change
from tangent_lite.errors import AliasError
from tangent_lite.functions.copies_on_entry import entry_copy
from tangent_lite.functions.custom import own_derivative
from tangent_lite.functions.inlining import Inliner
from tangent_lite.functions.local_functions import functions_in, unused
from tangent_lite.functions.pairs import Pairs
from tangent_lite.functions.units import Prepared
from tangent_lite.functions.yields import NO_GENERATOR, YIELDS, first_yield, yields_inside
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Kind
from tangent_lite.names import Names
from tangent_lite.passes.alias import SharedByCall, alias
from tangent_lite.passes.anf import anf
from tangent_lite.passes.arrays import arrays
from tangent_lite.passes.bind import bind
from tangent_lite.passes.cases import cases
from tangent_lite.passes.closures import closures
from tangent_lite.passes.columns import columns
from tangent_lite.passes.complete import complete
from tangent_lite.passes.contexts import contexts
from tangent_lite.passes.counted import counted
from tangent_lite.passes.cursors import cursors
from tangent_lite.passes.decide import decide
from tangent_lite.passes.delete import delete, deleted
from tangent_lite.passes.desugar import desugar
from tangent_lite.passes.effects import effects
from tangent_lite.passes.enclose import enclose
from tangent_lite.passes.exits import exits
from tangent_lite.passes.expand import DICTS, EFFECTS, MAPS, STRUCTURE, expand, mark
from tangent_lite.passes.expand import Context as Expansion
from tangent_lite.passes.fence import fence
from tangent_lite.passes.fields import fields
from tangent_lite.passes.first_items import first_items
from tangent_lite.passes.fit import fit
from tangent_lite.passes.frame import frame
from tangent_lite.passes.generics import generics
from tangent_lite.passes.hoist import hoist
from tangent_lite.passes.hold import hold
from tangent_lite.passes.imports import imports
from tangent_lite.passes.in_turn import in_turn
from tangent_lite.passes.infer import infer
from tangent_lite.passes.keyed import keyed
from tangent_lite.passes.lengths import lengths
from tangent_lite.passes.lift import lift
from tangent_lite.passes.marked import marked
from tangent_lite.passes.merge import merge
from tangent_lite.passes.nest import nest
from tangent_lite.passes.of_classes import of_classes
from tangent_lite.passes.ordered import ordered
from tangent_lite.passes.own import own, own_dicts
from tangent_lite.passes.prune import asks, prune
from tangent_lite.passes.put_back import put_back
from tangent_lite.passes.queues import made_queues, queues
from tangent_lite.passes.recursion import recursion
from tangent_lite.passes.rename import rename
from tangent_lite.passes.settle import settle
from tangent_lite.passes.shadowing import calls_under_other_names, shadowing
from tangent_lite.passes.share import share
from tangent_lite.passes.stacks import stacks
from tangent_lite.passes.steady import steady
from tangent_lite.passes.supers import supers
from tangent_lite.passes.versions import versions
from tangent_lite.shapes.outside_sizes import SizesOutside
from tangent_lite.source import Source, source_of


class FrontHalf:
    """Reads functions and brings them into a form in which every statement is one operation."""

    pairs: Pairs                            # of the functions that are called

    def __init__(self, general: bool) -> None:
        self.general = general
        self.forward = False                # whether tangents are to live beside the values
        self.ducks: bool | None = None      # whether duck arrays take part
        self.outside: SizesOutside | None = None        # what is assumed of arrays outside
        self.batched = False                # whether arrays are to get a leading axis, and no more
        # For lint: what is read in the place of a function.
        self.repaired: Callable[[Source], Source] = lambda source: source
        self.resolvers: list[Resolver] = []
        # What was lifted out of functions: that of one function stays the same thing, however often
        # the front half is run for it.
        self.lifted: dict[Any, Any] = {}

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
        found = first_yield(source.tree) if source.has(*YIELDS) else None
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
        views: list[tuple[Any, AliasError]] = []    # calls of which it matters what they return
        tried: set[int] = set()
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
                    raise checks.helper_writes(source, argument, facts.result)
            for call in wanted:
                spots[call.mark].value.must_be_written = True
            for call, error in views:
                spots[call.mark].value.must_be_written = error
            wanted += [call for call, _ in views]
            views.clear()
            if expand(plain, spots, numbered, facts, expansion, (EFFECTS, DICTS, STRUCTURE, MAPS)) \
                    or wanted or expansion.waits or (asks(plain) and not asked):
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
            if of_classes(tree, numbered, facts, typer, external):
                continue
            deleted(numbered, source.refuse)
            generators_left(numbered, facts, source)
            checks.loops(numbered, facts, typer, source, self.general)
            checks.supers_left(numbered, facts, source)
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
            if not bound_again and bind(tree, numbered, facts, _is_ours(source, facts, typer),
                                        _keeps_shape(facts, typer)):
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
            try:
                aliases = alias(numbered, facts, typer, source.place, parameters,
                                self.forward or self.batched, self.batched)
            except SharedByCall as error:
                plain_error = AliasError(error.reason, error.place, error.fix)
                if error.call is None or not can_be_written(error.call, facts) \
                        or error.call.mark in tried \
                        or own_derivative(facts.callees[id(error.call)][0]) is not None:
                    raise plain_error from None
                tried.add(error.call.mark)
                views.append((error.call, plain_error))
                continue
            checks.rebound(numbered, facts, aliases, source, outermost)
            items_that_change(numbered, facts, aliases, source)
            if not self.forward:
                checks.nested_alike(numbered, facts, source)
            checks.keys_of_dicts(numbered, facts, source)
            checks.keys_that_vary(numbered, facts, source)
            checks.overlapping(numbered, aliases, source)
            if not outermost:
                checks.helper_updates(source, parameters, aliases, facts.result)
                checks.helper_may_write(source, parameter_kinds, aliases, facts.result)
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
        typer.masks = steady_masks(numbered, facts, aliases)
        if typer.masks:
            facts = infer(numbered, parameter_kinds, typer)
        handed_on = None if outermost else origins(numbered, facts, typer)      # nobody calls it
        handed_out = {aliases.find(name) for node in syntax.statements(numbered.body)
                      if isinstance(node, gast.Return) for name in syntax.read_names(node)}
        events = {aliases.find(name) for _, name in aliases.events}
        changed = [p for p in parameters if (aliases.find(p) in events or p in taken)
                   and not isinstance(parameter_kinds[p], (kinds.Number, kinds.Array))]
        in_place = [p for p in changed if aliases.find(p) in aliases.in_place]
        fit(numbered, facts, typer)
        lengths(numbered, facts, aliases, parameters, source.names)
        self.pairs.purity.mark(numbered, facts)
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
        shadowing(source.tree)
        resolver = Resolver(source)
        self.resolvers += [resolver, *getattr(function, "rests_on", ())]
        tree = imports(source.tree, resolver.now, source.globals.get("__package__"),
                       resolver.imports)
        tree = generics(tree, resolver.now, resolver.free, lambda cls: resolver.inject(
            cls, cls.__name__, Names(source.names)))
        tree = calls_under_other_names(tree, resolver.now, resolver.free, lambda twin:
                                       resolver.inject(twin, twin.__name__, Names(source.names)))
        tree = recursion(tree, source, resolver.injected)
        if source.has(gast.For, gast.comprehension):
            tree = marked(tree, resolver.now, source.refuse)
        tree = lift(tree, source, resolver.now, resolver.injected,
                    Names(source.names), self.lifted)
        owner = source.cells.get("__class__")
        if "super" in source.names:
            tree = supers(tree, None if owner is None else owner.cell_contents, resolver.free,
                          Typer({}, resolver.free).object_of)
        tree = fence(tree, source, resolver.free)
        if source.has(*YIELDS):
            tree = yields_inside(tree, source.refuse, Names(source.names))
        tree = cases(tree, lambda node: Typer({}, resolver.free).object_of(node), source.refuse)
        names = Names(source.names)
        tree = first_items(cursors(tree, names, resolver.free), names, resolver.free)
        tree = keyed(ordered(tree, resolver.free), names, resolver.free)
        tree = in_turn(tree, names, resolver.free)
        tree = stacks(tree, names, lambda: resolver.free("len") is len)
        tree = delete(tree, source.refuse)
        if source.has(gast.With):
            tree = contexts(tree, self.managers(tree, resolver, parameter_kinds or {}),
                            source.refuse)
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
        return counted(anf(plain, names, around, in_place=True), names, seen)

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
            expansion.typer.settled = expansion.settled = settled
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
        expansion.waits = False
        unused(plain)


# Small pieces ---------------------------------------------------------------------------------
def _is_ours(source: Source, facts: Any, typer: Typer) -> Callable[[gast.AugAssign], bool]:
    """Whether a sum in place stands in text that was emitted, and its array has the shape of the
    sum: of what was the user's statement before that may be an error."""
    def is_ours(node: gast.AugAssign) -> bool:
        function = getattr(node, "origin", source).function
        if not hasattr(function, "rests_on"):
            return False
        if node.lineno not in getattr(function, "sums_of_user", frozenset)():
            return True
        typer.names = facts.before[id(node)]
        kind = typer.kind(syntax.load(node.target.id))
        return not isinstance(kind, (kinds.Array, kinds.Numeric)) or keeps_shape(node)

    keeps_shape = _keeps_shape(facts, typer)
    return is_ours


def _keeps_shape(facts: Any, typer: Typer) -> Callable[[gast.AugAssign], bool]:
    """Whether the array of a sum in place has the shape of the sum."""
    def keeps_shape(node: gast.AugAssign) -> bool:
        typer.names = facts.before[id(node)]
        old = syntax.load(node.target.id)
        return kinds.same_shape(typer.kind(old),
                                typer.kind(gast.BinOp(old, node.op, node.value)))
    return keeps_shape


def _bound_anywhere(tree: gast.AST) -> set[str]:
    """Names that a function binds, itself or in what is defined in it."""
    return {n.id for n in syntax.names_in(tree) if isinstance(n.ctx, (gast.Store, gast.Del))}


def _guessed(parameter_kinds: dict[str, Kind], tree: gast.FunctionDef) -> dict[str, Kind]:
    """The kinds of the parameters, where what arithmetic is done with counts as numeric, and what
    is subscripted as a container or an array."""
    operands = _arithmetic(tree)
    subscripted = {name for node in syntax.all_of(tree, gast.Subscript)
                   if (name := getattr(node.value, "id", None)) is not None}

    def guessed(name: str, kind: Kind) -> Kind:
        if kind != kinds.UNKNOWN:
            return kind
        return kinds.Numeric(None) if name in operands else \
            kinds.MIXED if name in subscripted else kind
    return {name: guessed(name, kind) for name, kind in parameter_kinds.items()}


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
