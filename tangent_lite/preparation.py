"""One function on its way through the front half: its normal form, and the facts about it.

Read `prepared` and `change` of `Preparation` from top to bottom: each line is one pass, and all run
again where the facts of one round show that more has to be written out.
"""
from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import gast

from tangent_lite import checks, kinds, refusals, syntax
from tangent_lite.analyses.aggregates import can_be_written
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.dict_sites import Mapped
from tangent_lite.analyses.guessed import guessed
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in, written_outside
from tangent_lite.analyses.origins import origins
from tangent_lite.analyses.parts_changed import changes_arrays
from tangent_lite.analyses.steady_masks import steady_masks
from tangent_lite.analyses.sums_in_place import sums_of_one_shape, sums_of_ours
from tangent_lite.analyses.written_arguments import written_argument
from tangent_lite.errors import AliasError, UnsupportedSyntaxError
from tangent_lite.functions.copies_on_entry import entry_copy
from tangent_lite.functions.custom import own_derivative
from tangent_lite.functions.inlining import Inliner
from tangent_lite.functions.local_functions import bound_around, unused
from tangent_lite.functions.units import Prepared
from tangent_lite.functions.yields import NO_GENERATOR, YIELDS, first_yield
from tangent_lite.inference import Typer
from tangent_lite.kinds import Kind
from tangent_lite.names import Names
from tangent_lite.passes.alias import SharedByCall, alias
from tangent_lite.passes.arrays import arrays
from tangent_lite.passes.bind import bind
from tangent_lite.passes.closures import closures
from tangent_lite.passes.columns import columns
from tangent_lite.passes.complete import complete
from tangent_lite.passes.decide import decide
from tangent_lite.passes.effects import effects
from tangent_lite.passes.empty_loops import empty_loops
from tangent_lite.passes.expand import DICTS, EFFECTS, MAPS, PLACES, STRUCTURE, expand, mark
from tangent_lite.passes.expand import Context as Expansion
from tangent_lite.passes.fields import fields
from tangent_lite.passes.fit import fit
from tangent_lite.passes.frame import frame
from tangent_lite.passes.hoist import hoist
from tangent_lite.passes.infer import infer
from tangent_lite.passes.lengths import lengths
from tangent_lite.passes.listed import mark_views
from tangent_lite.passes.merge import merge
from tangent_lite.passes.nest import nest
from tangent_lite.passes.of_classes import of_classes
from tangent_lite.passes.one_object import one_object
from tangent_lite.passes.own import own, own_containers
from tangent_lite.passes.own_parts import own_parts, parts_to_own
from tangent_lite.passes.parts_of_lists import parts_of_lists
from tangent_lite.passes.prune import asks, asks_what_is_none, prune
from tangent_lite.passes.put_back import put_back
from tangent_lite.passes.queues import made_queues, queues
from tangent_lite.passes.rename import rename
from tangent_lite.passes.settle import settle
from tangent_lite.passes.share import share
from tangent_lite.passes.steady import steady
from tangent_lite.passes.tupled import tupled
from tangent_lite.passes.versions import versions

# What is written out in which stage, where nothing is left in those in front of it: calls; calls
# of what objects and lists hold; what takes all parts of dicts and objects.
_CALLS, _HELD, _PARTS = range(3)
_WRITTEN = ((EFFECTS,), (EFFECTS,), (EFFECTS, DICTS, STRUCTURE, MAPS))


class Preparation:
    """One function on its way through the front half.

    Three trees of it: `plain` is its normal form, in which calls and containers are written out;
    `tree` is that with its loops framed and copies on entry, which the passes behind change;
    `numbered` is `tree` with a name for each version of a variable, which the facts are about.
    """

    # Made by each `begin`.
    tree: gast.FunctionDef
    spots: dict[int, Any]           # where calls stand in `plain`, by their marks
    outside: list[str]              # names from outside whose arrays the function writes to
    copied: list[str]               # parameters that are copied on entry
    is_bound_again: bool            # whether sums in place became bindings where they may be
    # Found in each round.
    numbered: gast.FunctionDef
    facts: Inferred
    aliases: Aliases

    def __init__(self, half: Any, function: Any, parameter_kinds: dict[str, Kind],
                 outermost: bool, mapped: Mapped | None,
                 owned: dict[str, set[Any]] | None = None, as_lists: bool = False) -> None:
        self.half, self.outermost = half, outermost
        self.tells_items = outermost and half.tells_items
        self.given = half, function, parameter_kinds, outermost, mapped
        self.source, tree, self.resolver = half.read(function, parameter_kinds, outermost)
        source, resolver = self.source, self.resolver
        found = first_yield(source.tree) if source.has(*YIELDS) else None
        if found is not None:
            raise source.refuse(found, *NO_GENERATOR)
        self.parameters = checks.parameters(source)
        self.names = names = Names()
        tree = closures(tree, names, source, source.refuse)     # takes all names of the tree
        # What is left behind its block, and not where that fails, as nothing goes on then.
        # A name beside the attribute: what knows this would be known by it.
        left = self.left = list[gast.AST]()
        self.plain = half.normal(tree, names, meaning=resolver.now, left=self.left,
                                 refuse=source.refuse)
        self.bound = set(self.parameters) | bound_in(self.plain.body)
        self.parameter_kinds = guessed(parameter_kinds, self.plain) if half.general \
            else parameter_kinds
        self.typer = typer = Typer({}, resolver.free)
        typer.asked, typer.ducks = resolver.asked, half.ducks
        typer.mapped = replace(mapped or Mapped(), versions=names.versions)
        if half.outside is not None:
            typer.with_sizes = functools.partial(half.outside.sized, source)
        typer.user_call = half.pairs.kind_of_call
        typer.user_origins = half.pairs.origins_of_call
        self.expansion = Expansion(typer, names, Inliner(
            names, resolver, source,
            lambda tree, around, shared: half.normal(tree, names, around, shared, resolver.now,
                                                     left, source.refuse),
            lambda tree, source: closures(tree, names, source, source.refuse), half.read,
            half.managing),
            source.refuse, half.pairs.by_itself(typer, source.place),
            half.pairs.call_themselves.__contains__, half.pairs.building,
            works_in_place=half.pairs.in_python and not half.forward and not half.batched)
        # What rounds before this one have found.
        self.is_exact = False           # it matters how exactly what is copied lies in memory
        self.is_looked_through = False  # a helper: whether it writes to what it is given
        self.nested: set[str] = set()   # lists of lists of which elements of the inner ones change
        self.wanted: list[gast.expr] = []   # what is to be written out, as lists become columns
        self.taken: list[str] = []          # parameters that became columns
        self.views: list[tuple[Any, AliasError]] = []   # calls of which it matters what they return
        self.tried: set[int] = set()        # the marks of those that were such before
        self.held: set[str] = set()         # what steady put into names of its own
        # Parameters, and names from outside, of which the parts are copied on entry, with the keys
        # of such arrays.
        self.owned = owned or {}
        copies = own_parts(self.plain, self.owned, self.known_kinds(self.owned), names,
                           self.external)
        self.expansion.owned |= {n: own for n, own in copies.items() if n not in self.parameters}
        # No call in it has been looked at yet, and any may change what others read.
        typer.settled = self.expansion.settled = False
        if self.source.has(gast.Nonlocal):
            typer.bound_by_calls = bound_around(self.plain)
        told = [one for one in syntax.all_of(self.plain, gast.List) if hasattr(one, "is_told")] \
            if copies else []
        self.tells_lists = bool(told)
        for one in told:
            one.is_told = not as_lists
        # Written out again for the sake of branches that ask, and of queues.
        self.is_asked = False

    def prepared(self) -> Prepared:
        """All of the front half, top to bottom."""
        self.decide_branches()
        if self.tells_items:
            self.write_out()
        self.begin()
        try:
            while self.change():
                pass
            return self.finished()
        except (AliasError, UnsupportedSyntaxError) as error:
            if hasattr(self, "facts"):
                checks.note_result(error, self.source, self.facts.result)
            raise

    def parts_to_own(self) -> list[dict[str, set[Any]]]:
        """What else may be copied on entry, by its parts, if that is done here."""
        owned = self.expansion.owned
        return parts_to_own(self.plain, self.known_kinds(owned), owned) \
            if self.outermost and not self.half.batched else []

    def again(self, owned: dict[str, set[Any]], as_lists: bool = False) -> Preparation:
        """The same with what is copied on entry by its parts; as_lists: where lists of which the
        items are told may come to have others."""
        return Preparation(*self.given, owned, as_lists)

    def known_kinds(self, outer: Iterable[str]) -> dict[str, Kind]:
        """The kinds of the parameters, and of what some names mean outside."""
        found = {name: self.resolver.free(name) for name in outer
                 if name not in self.parameter_kinds}
        return {**{name: self.typer.with_sizes(name, kinds.kind_of(thing), thing)
                   for name, thing in found.items()}, **self.parameter_kinds}

    # Writing out ------------------------------------------------------------------------------
    def decide_branches(self) -> None:
        """Leave out the branches that kinds decide, in front of all else."""
        self.own_outer()
        self.drop_loops()
        while asks(self.plain) or asks_what_is_none(self.plain, self.parameter_kinds):
            numbered = versions(self.plain, self.names)
            facts = infer(numbered, self.parameter_kinds, self.typer)
            if not prune(self.plain, numbered, facts, self.typer, settled=False):
                break
            self.drop_loops()       # also those over lists that such a branch would have filled
        if syntax.all_of(self.plain, gast.Lambda):
            unused(self.plain)
        if self.half.ducks:
            numbered = versions(self.plain, self.names)
            decide(self.plain, numbered, infer(numbered, self.parameter_kinds, self.typer),
                   self.typer)

    def write_out(self) -> None:
        """Write out in `plain`, in place, until there is nothing left to write out."""
        plain, expansion, typer = self.plain, self.expansion, self.typer
        stage = _CALLS
        is_known = False            # whether the facts are those of this tree, in this stage too
        wanted: list[gast.expr] = []
        while True:
            # What is yet to be written out is taken to leave dicts and objects as they are, until
            # nothing else is left; then come functions that objects and lists hold.
            settled = stage == _PARTS
            typer.settled = expansion.settled = stage != _CALLS
            typer.is_growing = stage == _HELD
            typer.bound_by_calls = () if settled else bound_around(plain)
            if not is_known:
                versions_before = len(self.names.versions)
                self.own_outer()
                self.drop_loops()
                spots = mark(plain)
                numbered = versions(plain, self.names)
                typer.goes_by_stage = False
                facts = infer(numbered, self.parameter_kinds, typer)
            is_known = False
            if self.asks(numbered, facts) and prune(plain, numbered, facts, typer, settled):
                continue
            if self.tells_items and tupled(plain, numbered, facts, typer):
                continue
            if expand(plain, spots, numbered, facts, expansion, _WRITTEN[stage]):
                stage = _CALLS
            elif settled:
                known = plain, numbered, facts, typer
                if not (complete(*known, self.names) or queues(*known, self.names)
                        or fields(*known, self.names, wanted)
                        or one_object(*known, self.names, self.source.names)
                        or rename(*known, self.source.names)
                        or (self.tells_items and expand(plain, spots, numbered, facts, expansion,
                                                        (PLACES,)))):
                    break
                for call in wanted:
                    spots[call.mark].value.must_be_written = True
                wanted.clear()
                stage = _CALLS
            elif not put_back(plain, numbered, facts, typer):
                is_known = not typer.goes_by_stage
                after = _PARTS if is_known and not expansion.waits else stage + 1
                if is_known:        # numbers of names count the looks at a tree
                    self.names.versions_again(versions_before, after - stage)
                stage, expansion.waits = after, False
        expansion.waits = typer.is_growing = False
        unused(plain)
        if self.tells_lists:
            self.refuse_told_lists()

    def refuse_told_lists(self) -> None:
        """Where a list of which the items are told did not become a tuple, it may come to have
        other items than those by which it was written out."""
        for one in syntax.all_of(self.plain, gast.List):
            if getattr(one, "is_told", False):
                raise self.source.refuse(one, "a list of objects comes to have other items here",
                                         "make another list")

    def asks(self, numbered: gast.FunctionDef, facts: Inferred) -> bool:
        """Whether a branch asks what the kinds may say."""
        return asks(self.plain) or asks_what_is_none(numbered, {}, facts)

    def drop_loops(self) -> None:
        empty_loops(self.plain, self.parameter_kinds, self.resolver.free,
                    lambda: versions(self.plain, self.names), self.names.versions)

    def own_outer(self) -> None:
        own_containers(self.plain, self.expansion.owned, self.names,
                       self.resolver.free, self.external)

    def begin(self) -> None:
        """Make `tree` of `plain` as it is now."""
        self.spots = mark(self.plain)
        framed = frame(self.plain, self.names)
        arrays = [name for name in written_outside(framed) if name not in self.expansion.owned]
        self.outside = [*self.expansion.owned, *arrays]
        self.tree = own(framed, [], self.names, self.copy, True, arrays)
        # What is done in an array that is another's stays there.
        self.copied, self.is_bound_again = [], hasattr(self.source.function, "changes")

    # One round --------------------------------------------------------------------------------
    def change(self) -> bool:
        """Find the facts about `tree`, and let the first pass change it that has to; whether one
        did. If none did, these are the facts."""
        self.numbered = versions(self.tree, self.names)
        self.facts = infer(self.numbered, self.parameter_kinds, self.typer)
        if not self.outermost and not self.is_looked_through:   # before anything is written out
            self.is_looked_through = True
            self.refuse_written_argument()
        if self.write_out_more() \
                or of_classes(self.tree, self.numbered, self.facts, self.typer, self.external):
            return True
        refusals.by_kinds(self)
        if self.change_forms() or self.change_writes():
            return True
        aliases = self.found_aliases()
        if aliases is None:
            return True
        self.aliases = aliases
        refusals.by_aliases(self)
        return self.copy_exactly() or self.copy_on_entry()

    def write_out_more(self) -> bool:
        """Write out what may be written out by now, and start again from there; whether there was
        anything."""
        for call in self.wanted:
            self.spots[call.mark].value.must_be_written = True
        for call, error in self.views:
            self.spots[call.mark].value.must_be_written = error
        self.wanted += [call for call, _ in self.views]
        self.views.clear()
        known = self.plain, self.spots, self.numbered, self.facts, self.expansion
        found = expand(*known, (EFFECTS,)) or self.wanted or self.expansion.waits \
            or (not self.is_asked and (self.asks(self.numbered, self.facts)
                                       or made_queues(self.plain, self.typer)))
        if not found and (self.typer.settled or not self.typer.goes_by_stage):
            self.typer.settled = self.expansion.settled = True  # as what is known is the same
            if not (expand(*known, (DICTS, STRUCTURE, MAPS)) or self.expansion.waits):
                return False
        self.is_asked = True
        self.wanted.clear()
        self.taken.clear()
        self.write_out()
        self.begin()
        return True

    def change_forms(self) -> bool:
        """Bring containers, objects and loops into forms of their own; whether one changed."""
        tree, names = self.tree, self.names
        known = self.numbered, self.facts, self.typer
        return settle(tree, *known, names) \
            or parts_of_lists(tree, *known, names, self.external) \
            or fields(tree, *known, names, self.wanted) \
            or columns(tree, *known, names, self.external, self.wanted,
                       self.taken if self.outermost else None) \
            or hoist(tree, *known, names) \
            or rename(tree, *known, self.source.names) \
            or nest(tree, *known, self.source.names, self.names) \
            or merge(tree, *known, self.source.names)

    def change_writes(self) -> bool:
        """Write what is done to arrays in place as plain statements, or as bindings; whether there
        was anything."""
        tree, names = self.tree, self.names
        known = self.numbered, self.facts, self.typer
        if not self.is_bound_again and bind(
                tree, self.numbered, self.facts, sums_of_ours(self.source, self.facts, self.typer),
                sums_of_one_shape(self.facts, self.typer)):
            self.is_bound_again = True
            return True
        if effects(tree, *known, names, self.external):
            self.outside += [n for n in written_outside(tree) if n not in self.outside]
            self.tree = own(tree, [], names, self.copy, in_place=True)
            return True
        return arrays(tree, *known, names, self.external, self.source.refuse) \
            or (not self.half.forward and steady(tree, *known, names, self.held))

    def found_aliases(self) -> Any:
        """Which names may share memory; None if a call has to be written out to know that."""
        half = self.half
        try:
            return alias(self.numbered, self.facts, self.typer, self.source.place, self.parameters,
                         half.forward or half.batched, half.batched)
        except SharedByCall as error:
            plain_error = AliasError(error.reason, error.place, error.fix)
            if error.call is None or not can_be_written(error.call, self.facts) \
                    or error.call.mark in self.tried \
                    or own_derivative(self.facts.callees[id(error.call)][0]) is not None:
                raise plain_error from None
            self.tried.add(error.call.mark)
            self.views.append((error.call, plain_error))
            return None

    # What is copied on entry ------------------------------------------------------------------
    def copy_exactly(self) -> bool:
        """Make the copies on entry exact, once it turns out that it matters how they lie in memory;
        whether they were not."""
        if not self.aliases.decided or self.is_exact:
            return False
        self.is_exact = True
        for node in self.tree.body:
            if getattr(node, "is_entry_copy", None) and not isinstance(
                    self.facts.names.get(node.targets[0].id), kinds.RecordKind):
                node.value = gast.copy_location(self.copy(node.is_entry_copy), node.value)
        return True

    def copy_on_entry(self) -> bool:
        """Copy the parameters that the function writes to; whether one was not copied yet."""
        aliases = self.aliases
        written = [p for p in self.parameters if (aliases.is_written(p) or aliases.is_resized(p))
                   and p not in self.copied and p not in aliases.spared
                   and not isinstance(self.parameter_kinds[p], (kinds.Number, kinds.Nothing))]
        if not written:
            return False
        self.nested |= aliases.nested
        checks.can_be_copied(written, self.parameter_kinds, self.source)
        if not self.outermost:
            raise checks.helper_writes(self.source, written[0])
        self.copied += written
        self.tree = own(self.tree, written, self.names, self.copy, in_place=True)
        return True

    def copy(self, name: str) -> gast.expr:
        kind = self.parameter_kinds[name] if name in self.parameter_kinds else \
            kinds.kind_of(self.resolver.free(name))
        return entry_copy(name, kind, self.is_exact, name in self.nested, self.external)

    def external(self, thing: Any, wish: str) -> gast.expr:
        """A name by which the function knows something from outside."""
        return syntax.load(self.resolver.name_for(thing, wish, self.names, self.bound))

    # What is refused --------------------------------------------------------------------------
    def refuse_written_argument(self) -> None:
        argument = written_argument(self.numbered, self.facts, self.typer,
                                    self.half.pairs.written_in(self.typer))
        if argument is not None:
            raise checks.helper_writes(self.source, argument, self.facts.result)

    def may_change_arrays(self) -> bool:
        """Whether the function may change an array in place: as it is by now, or as it is written,
        where sums in place have not become bindings."""
        if self.aliases.written or self.aliases.mutated:
            return True
        numbered = versions(self.plain)
        return changes_arrays(numbered, infer(numbered, self.parameter_kinds, self.typer),
                              self.typer)

    # The end ----------------------------------------------------------------------------------
    def finished(self) -> Prepared:
        """What rests on all that is known by now: masks, shapes and lengths."""
        numbered, typer, aliases, source = self.numbered, self.typer, self.aliases, self.source
        facts, parameters, purity = self.facts, self.parameters, self.half.pairs.purity
        if not self.outermost:
            checks.helper_writes_outside(self.outside, source)
        typer.masks = steady_masks(numbered, facts, aliases)
        if typer.masks:
            facts = infer(numbered, self.parameter_kinds, typer)
        handed_on = None if self.outermost else origins(numbered, facts, typer)  # nobody calls it
        handed_out = {aliases.find(name) for node in syntax.statements(numbered.body)
                      if isinstance(node, gast.Return) for name in syntax.read_names(node)}
        events = {aliases.find(name) for _, name in aliases.events}
        changed = [p for p in parameters if (aliases.find(p) in events or p in self.taken)
                   and not isinstance(self.parameter_kinds[p], (kinds.Number, kinds.Array))]
        changed += [p for p in parameters if p in self.owned and p not in changed]
        in_place = {p: self.owned.get(p) for p in changed if aliases.find(p) in aliases.in_place
                    or (p in self.owned and self.may_change_arrays())}
        outside: dict[str, set[Any] | None] = dict.fromkeys(self.outside)
        for name in self.owned.keys() & outside.keys():
            outside[name] = self.owned[name] if self.may_change_arrays() else set()
        may_not_fit = fit(numbered, facts, typer)
        mark_views(numbered, facts)
        lengths(numbered, facts, aliases, parameters, source.names)
        purity.mark(numbered, facts)
        share(numbered, facts, typer, aliases.may_change, source.names | set(self.names.versions),
              lambda name: aliases.find(name) in handed_out)
        return Prepared(source, numbered, parameters, self.parameter_kinds, facts, aliases,
                        self.names, self.resolver, typer, self.copied, outside, purity,
                        changed, handed_on, in_place, may_not_fit)
