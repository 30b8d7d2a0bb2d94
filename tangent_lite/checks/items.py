"""Generators that nobody goes through where they are called, and items that change too late; views
of dicts, which are gone through as lists are.

    sum(march(u))           # u is yielded after each step: each time as it is at that time

A list stands for the items of a generator that is used up at once. It holds an array, and not what
the array held when it was put there.
"""
from __future__ import annotations

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.functions.yields import generates
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.source import Source


def items_that_change(tree: gast.FunctionDef, facts: Inferred, aliases: Aliases,
                      source: Source) -> None:
    """Refuse lists that stand for a generator, of which an item may change later."""
    for node in facts.beside_arithmetic(tree):
        call = node.value if isinstance(node, gast.Expr) else None
        if call is None or not getattr(call, "momentary", False):
            continue
        known = facts.before[id(node)]
        for name in sorted(syntax.read_names(call.args[0])):
            if not _stays(known.get(name, kinds.UNKNOWN)) and (
                    aliases.may_change(name) or isinstance(known.get(name), kinds.TupleKind)):
                raise UnsupportedSyntaxError("an item of a generator may change after it was given",
                                             source.place(node), "yield a copy")


def generators_left(tree: gast.FunctionDef, facts: Inferred, source: Source) -> None:
    """Refuse generators that nobody is known to go through where they are called."""
    for node in facts.beside_arithmetic(tree):
        value = getattr(node, "value", None)
        if isinstance(value, gast.Call) \
                and generates(facts.callees.get(id(value), (None, None))[0]):
            raise UnsupportedSyntaxError("a generator that is kept computes its items later",
                                         source.place(value), "loop over it where it is called, or "
                                                              "make a list: list(...)")


def _stays(kind: kinds.Kind) -> bool:
    """Whether what has this kind cannot change."""
    if isinstance(kind, kinds.TupleKind):
        return all(map(_stays, kind.items))
    return isinstance(kind, (kinds.Number, kinds.Text, kinds.Nothing))


_TELLING = (isinstance, type, hasattr)


def views_asked(tree: gast.FunctionDef, facts: Inferred, typer: Typer, source: Source) -> None:
    """Refuse to ask what a view of a dict is: where its items are taken it is written as a list."""
    for node in facts.beside_arithmetic(tree):
        for call in facts.mentions[node].calls:
            typer.names = facts.before.get(id(node), {})
            kind = typer.kind(call.args[0]) if call.args else None
            if isinstance(kind, kinds.ListKind) and kind.is_view and (
                    hasattr(call, "marker")
                    or facts.callees.get(id(call), (NO_OBJECT, None))[0] in _TELLING):
                raise source.refuse(call, "what a view of a dict is asked for here, a list would "
                                          "not answer", "make a list of it first: list(d.values())")
