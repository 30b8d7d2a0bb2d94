"""From a function to its normal form: one exit, no short forms, one operation a statement.

Read `read` and `normal` from top to bottom: each line is one pass. Nothing is known of kinds yet.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.managers import manager
from tangent_lite.analyses.own_managers import LATER, OwnManager, own_manager
from tangent_lite.calling.resolve import Resolver
from tangent_lite.functions.local_functions import functions_in
from tangent_lite.functions.yields import YIELDS, yields_inside
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Kind, Number, RecordKind, kind_of
from tangent_lite.names import Names
from tangent_lite.passes.anf import anf
from tangent_lite.passes.cases import cases
from tangent_lite.passes.contexts import contexts
from tangent_lite.passes.counted import counted
from tangent_lite.passes.cursors import cursors
from tangent_lite.passes.delete import delete
from tangent_lite.passes.desugar import desugar
from tangent_lite.passes.enclose import enclose
from tangent_lite.passes.exits import exits
from tangent_lite.passes.fence import fence
from tangent_lite.passes.first_items import first_items
from tangent_lite.passes.flagged import flagged
from tangent_lite.passes.generics import generics
from tangent_lite.passes.hold import hold
from tangent_lite.passes.imports import imports
from tangent_lite.passes.in_turn import in_turn
from tangent_lite.passes.kept_or_none import kept_or_none
from tangent_lite.passes.keyed import keyed
from tangent_lite.passes.lift import lift
from tangent_lite.passes.made_in_loops import made_in_loops
from tangent_lite.passes.marked import marked
from tangent_lite.passes.ordered import ordered
from tangent_lite.passes.other_ranges import other_ranges
from tangent_lite.passes.recursion import recursion
from tangent_lite.passes.remembered import remembered
from tangent_lite.passes.shadowing import calls_under_other_names, shadowing
from tangent_lite.passes.stacks import stacks
from tangent_lite.passes.supers import supers
from tangent_lite.source import Source, source_of
from tangent_lite.source.outer_variables import with_outer_variables
from tangent_lite.source.variables import Variables


class NormalForm:
    """Reads functions and brings them into a form in which every statement is one operation."""

    def __init__(self) -> None:
        # For lint: what is read in the place of a function.
        self.repaired: Callable[[Source], Source] = lambda source: source
        self.resolvers: list[Resolver] = []
        # What was lifted out of functions: that of one function stays the same thing, however often
        # the front half is run for it.
        self.lifted: dict[Any, Any] = {}
        # Generator functions that are context managers, and are written out as such.
        self.managing: set[Any] = set()
        # The variables around the outermost function that it has for itself here.
        self.variables: Variables | None = None

    def read(self, function: Any, parameter_kinds: dict[str, Kind] | None = None,
             outermost: bool = False) -> tuple[Source, gast.FunctionDef, Resolver]:
        """A function as it stands in its file, if nothing in it is refused at first sight, with
        `match`, `del` and `with` settled; outermost: no other one is to see what it binds around
        it."""
        source = self.repaired(source_of(function))
        if outermost:
            source, self.variables = with_outer_variables(source)
        elif self.variables is not None and self.variables.mentioned(source.function):
            raise source.refuse(source.tree, f"{source.name} mentions a variable that a function "
                                "that calls it binds", "hand it over, and return the new value")
        shadowing(source.tree)
        resolver = Resolver(source)
        self.resolvers.append(resolver)         # that of the outermost function is the first
        if outermost and self.variables is not None:
            self.resolvers += resolver.stand_inside(self.variables.inside)
        self.resolvers += getattr(function, "rests_on", ())
        tree = imports(source.tree, resolver.now, source.globals.get("__package__"),
                       resolver.imports)
        tree = generics(tree, resolver.now, resolver.free, lambda cls: resolver.inject(
            cls, cls.__name__, Names(source.names)))
        tree = calls_under_other_names(tree, resolver.now, resolver.free, lambda twin:
                                       resolver.inject(twin, twin.__name__, Names(source.names)))
        if source.has(gast.FunctionDef):
            tree = remembered(tree, resolver.free, source.names)
        tree = recursion(tree, source, resolver.injected)
        if source.has(gast.For, gast.comprehension):
            tree = other_ranges(tree, resolver.now, resolver.free)
            tree = marked(tree, resolver.now, source.refuse)
        tree = lift(tree, source, resolver.now, resolver.injected,
                    Names(source.names), self.lifted)
        owner = source.cells.get("__class__")
        if "super" in source.names:
            tree = supers(tree, None if owner is None else owner.cell_contents, resolver.free,
                          Typer({}, resolver.free).object_of)
        tree = fence(tree, source, resolver.free)
        if source.has(*YIELDS):
            tree = yields_inside(tree, source.refuse, Names(source.names),
                                 source.function in self.managing)
        tree = cases(tree, lambda node: Typer({}, resolver.free).object_of(node), source.refuse)
        names = Names(source.names)
        if not source.names.isdisjoint(("iter", "next")):
            tree = first_items(cursors(tree, names, resolver.free), names, resolver.free)
        tree = kept_or_none(tree, names, resolver.free, {
            name for name, kind in (parameter_kinds or {}).items() if isinstance(kind, Number)})
        tree = keyed(ordered(tree, resolver.free), names, resolver.free)
        tree = in_turn(tree, names, resolver.free)
        tree = made_in_loops(tree, names, Typer({}, resolver.free).object_of)
        tree = stacks(tree, names, lambda: resolver.free("len") is len)
        tree = delete(tree, source.refuse)
        if source.has(gast.With):
            tree = contexts(tree, self.managers(tree, resolver, parameter_kinds or {}),
                            source.refuse)
        return source, tree, resolver

    def managers(self, tree: gast.FunctionDef, resolver: Resolver,
                 parameter_kinds: dict[str, Kind]) \
            -> Callable[[gast.expr], str | OwnManager | None]:
        """What is known of the context managers of a function."""
        bound = _bound_anywhere(tree)
        known = {n: k for n, k in parameter_kinds.items() if n not in bound}
        typer = Typer(known, lambda name: NO_OBJECT if name in bound else resolver.free(name))
        typer.asked = resolver.asked

        def known_of(node: gast.expr) -> str | OwnManager | None:
            found: Any = manager(node, typer, tree) or own_manager(node, typer, tree)
            if isinstance(found, OwnManager) and found.function not in (None, LATER):
                self.managing.add(found.function)
                name = resolver.inject(found.function, found.function.__name__,
                                       Names(syntax.all_names(tree) | bound))
                return replace(found, function=name)
            return found
        return known_of

    def normal(self, tree: gast.FunctionDef, names: Names,
               around: set[str] | frozenset[str] = frozenset(),
               shared: set[str] | frozenset[str] = frozenset(),
               meaning: Callable[[str], Any] = lambda name: NO_OBJECT,
               left: list[gast.AST] | None = None,
               refuse: Callable[..., Exception] | None = None) -> gast.FunctionDef:
        """A function in normal form: one exit, no short forms, one operation a statement; around:
        the variables of the function that it stands in; shared: those of them that calls may bind
        anew; meaning: what a name from outside means; left: gets what is left behind its block,
        and not where that fails (see `enclose`); refuse:
        makes the error for what cannot be written."""
        single = exits(tree, names)             # a copy, which the next passes may change
        inside = functions_in(single)
        rebound = shared.union(*(function.bound for function in inside))
        seen = rebound.union(*(function.captured for function in inside))
        bound = _bound_anywhere(single).union(syntax.parameter_names(single.args), around)
        held = hold(enclose(single, names, left), rebound, names, lambda name: name not in bound
                    and isinstance(kind_of(meaning(name)), RecordKind))
        plain = desugar(held, names, rebound, seen, in_place=True)
        steps = flagged(anf(plain, names, around, in_place=True), names, around, meaning,
                        refuse)
        return counted(steps, names, seen)


def _bound_anywhere(tree: gast.AST) -> set[str]:
    """Names that a function binds, itself or in what is defined in it."""
    return {n.id for n in syntax.names_in(tree) if isinstance(n.ctx, (gast.Store, gast.Del))}
