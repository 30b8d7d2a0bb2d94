"""Names of which nothing but parts is asked, so that what they mean cannot be None there.

`m, c = out[k]`, where out was `[None] * n`: where nothing was put at that place, Python raises an
error. What is tested, handed on or given another name may be None and nobody notices; so may what
is taken apart only if something else holds.

>>> tree = gast.parse('''
... def f(out, holds):
...     last = out[0]
...     m, c = last
...     first = out[1]
...     speed = first.speed
...     third = out[2]
...     if third is not None:
...         v = third[0]
...     fourth = out[3]
...     if holds:
...         w = fourth[0]
...     return m, speed, v, w
... ''').body[0]
>>> sorted(taken_apart(tree))
['first', 'last', 'out']
"""
from __future__ import annotations

from collections.abc import Iterable

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import definitions


def taken_apart(tree: gast.FunctionDef) -> set[str]:
    """The names of which each read takes a part, or all parts, and one does wherever they are
    bound."""
    apart: dict[int, str] = {}          # the reads that do, by their ids
    others: set[str] = set()
    for node in syntax.all_of(tree, gast.Subscript, gast.Attribute, gast.Assign, gast.AugAssign):
        is_part = isinstance(node, (gast.Subscript, gast.Attribute)) \
            and isinstance(node.ctx, gast.Load)
        if is_part or (isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Tuple)):
            apart[id(node.value)] = getattr(node.value, "id", "")
        elif isinstance(node, gast.AugAssign):
            others.add(getattr(node.target, "id", ""))
    others.update(name.id for name in syntax.names_in(tree)
                  if name.ctx.__class__ is gast.Load and id(name) not in apart)
    found = set(apart.values()) - others - {""}
    if found:
        leaving = _leaving(tree)
        for block in syntax.all_blocks(tree):
            found -= _not_at_once(block, found, leaving)
        found -= _not_at_once(tree.body, found, leaving, syntax.parameter_names(tree.args))
    return found


def _not_at_once(block: list[gast.stmt], names: set[str], leaving: set[int],
                 bound: Iterable[str] = ()) -> set[str]:
    """The names that are bound in a block, or in front of it, and not taken apart for certain in
    the rest of it; leaving: loops and branches after which the rest may not run."""
    found: set[str] = set()
    waiting = names.intersection(bound)
    for node in block:
        if isinstance(node, syntax.COMPOUND):
            if isinstance(node, gast.For):
                found |= names.intersection(syntax.bound_names(node.target))
            if id(node) in leaving:
                found |= waiting
                waiting.clear()
            continue
        if waiting:
            waiting -= syntax.read_names(node)
        again = names.intersection(definitions(node))
        found |= waiting & again
        waiting |= again
    return found | waiting


def _leaving(tree: gast.FunctionDef) -> set[int]:
    """The compound statements, by their ids, that hold a break or a return."""
    found: set[int] = set()
    for node in reversed([one for one in syntax.statements(tree.body)
                          if isinstance(one, syntax.COMPOUND)]):
        if any(isinstance(one, (gast.Break, gast.Return)) or id(one) in found
               for block in syntax.blocks_of(node) for one in block):
            found.add(id(node))
    return found
