"""Read of the class what an object has of its class: `self.rate` is `Cell.rate`.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, RecordKind
>>> from tangent_lite.passes.infer import infer
>>> class Cell:
...     __module__ = "cells"
...     rate = 2.0
>>> tree = gast.parse('''
... def f(cell):
...     rate = cell.rate
...     voltage = cell.voltage
...     return rate * voltage
... ''').body[0]
>>> typer = Typer({}, {"Cell": Cell}.get)
>>> facts = infer(tree, {"cell": RecordKind(Cell, ("voltage",), (FLOAT,))}, typer)
>>> of_classes(tree, tree, facts, typer, lambda thing, wish: syntax.load(wish))
True
>>> print(emit(tree), end="")
def f(cell):
    rate = Cell.rate
    voltage = cell.voltage
    return rate * voltage

What the object holds is known by its kind, once all calls that may give it more are written out;
what it does not hold varies with nothing, however the object does. Methods and properties are
written out before (`expand`).
"""
from __future__ import annotations

import abc
import functools
import types
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.mentions import head
from tangent_lite.analyses.other_names import changed_elsewhere
from tangent_lite.inference import NO_OBJECT, Typer


def of_classes(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
               external: Callable[[Any, str], gast.expr]) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.

    external: a name for a thing and a wish for it.
    """
    found = False
    elsewhere = functools.cache(lambda: changed_elsewhere(tree))
    for node, version in zip(syntax.statements(tree.body), syntax.statements(numbered.body),
                             strict=True):
        if gast.Attribute not in facts.mentions[version].classes:
            continue
        typer.names = facts.before.get(id(version), {})
        # All of them first: what is put in may be smaller than what it stands for.
        for plain, seen in zip(syntax.all_of(head(node), gast.Attribute),
                               syntax.all_of(head(version), gast.Attribute), strict=True):
            kind = _said_by(seen, typer)
            if kind is not None and not elsewhere().holds(plain):   # an object may say otherwise
                plain.value = syntax.copy_place(external(kind, kind.__name__), plain.value)
                found = True
    return found


def _said_by(node: gast.Attribute, typer: Typer) -> type | None:
    """The class that says what an expression reads of an object."""
    if not isinstance(node.ctx, gast.Load) or hasattr(node, "behind") \
            or getattr(node, "in_place", False):
        return None         # `c.n += v` writes into what the class holds, and binds it to c
    kind = typer.kind(node.value)
    if not isinstance(kind, (kinds.RecordKind, kinds.Other)) \
            or node.attr in getattr(kind, "fields", ()):
        return None
    owner = kind.type
    # What is asked for everything says what its objects have by itself.
    if registry.is_library(owner) or registry.is_ours(owner) \
            or isinstance(owner.__getattribute__, types.FunctionType) \
            or type(owner) not in (type, abc.ABCMeta):      # which is asked for `D.n` before D is
        return None
    found = typer.of_class(owner, node.attr)
    return None if found is NO_OBJECT or hasattr(type(found), "__get__") else owner
