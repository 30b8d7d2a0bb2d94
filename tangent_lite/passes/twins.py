"""Bind shadows beside buffers, where who shares memory with whom changes as the program runs.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.kinds import INT, Array
>>> from tangent_lite.stages import stages
>>> def f(u, n):
...     old = 2.0 * u
...     new = 3.0 * u
...     for i in range(n):
...         new[0] = old[1] * old[1]
...         old, new = new, old
...     return old[0]
>>> print(emit(stages(f, wrt="u", u=Array(1, "float"), n=INT).prepared.tree), end="")
def f(u, n):
    old_2 = 2.0 * u
    bold = np.zeros_like(old_2)
    old = old_2
    new_1 = 3.0 * u
    bnew = np.zeros_like(new_1)
    new = new_1
    for i in range(n):
        old_1_1 = old[1]
        old_1_2 = old[1]
        new_0 = old_1_1 * old_1_2
        new[0] = new_0
        bold_1 = bnew
        old_1 = new
        bnew = bold
        new = old
        bold = bold_1
        old = old_1
    f_1 = old[0]
    return f_1

A shadow bound so is a variable like any other: what rebinds it is recorded and undone, and the
shadows of two names overlap exactly where their buffers do. It is always there, and only ever
changed in place. The shadow is bound first, so that in the backward pass it is still there when the
adjoint of the binding is taken.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions
from tangent_lite.errors import AliasError


def twins(tree: gast.FunctionDef, facts: Inferred, aliases: Aliases, active: set[str],
          operands: dict[int, list[str]], adjoints: dict[str, str],
          external: Callable[[Any, str], gast.expr], fresh: Callable[[str], str],
          place: Callable[[gast.AST], Any]) -> set[str]:
    """Add the bindings of shadows to the tree, in place; the variables that have such a shadow."""
    names = {n for n in active if aliases.is_twin(n) and n not in aliases.momentary}
    if names:
        _Twins(facts, aliases, active, operands, names, adjoints, external, fresh,
               place).block(tree.body)
    return names


class _Twins:
    def __init__(self, facts: Inferred, aliases: Aliases, active: set[str],
                 operands: dict[int, list[str]], names: set[str], adjoints: dict[str, str],
                 external: Callable[[Any, str], gast.expr], fresh: Callable[[str], str],
                 place: Callable[[gast.AST], Any]) -> None:
        self.facts, self.aliases, self.names = facts, aliases, names
        self.active, self.operands = active, operands
        self.adjoints, self.external, self.place = adjoints, external, place
        self.fresh = fresh
        self.kept: list[gast.stmt] = []

    def block(self, block: list[gast.stmt]) -> None:
        out: list[gast.stmt] = []
        for node in block:
            if isinstance(node, syntax.COMPOUND):
                self.block(node.body)
                self.block(node.orelse)
            bound = [n for n in definitions(node) if n in self.names] \
                if isinstance(node, gast.Assign) else []
            out += self.shadow(node, bound) if bound else [node]
        block[:] = out

    def shadow(self, node: gast.Assign, bound: list[str]) -> list[gast.stmt]:
        if not isinstance(node.targets[0], gast.Name):
            raise AliasError(f"{bound[0]} is unpacked from a value and written to in place",
                             self.place(node), f"copy it: {bound[0]} = {bound[0]}.copy()")
        name = bound[0]
        kind = self.facts.after[id(node)].get(name, kinds.UNKNOWN)
        if isinstance(kind, kinds.Nothing) and isinstance(node.value, gast.Constant):
            # Into what is None nobody writes, nor reads its adjoint.
            self.facts.names.setdefault(self.adjoints[name], self.facts.names[name])
            return [self.binding(node, name, gast.Constant(None, None), kind), node]
        if not isinstance(kind, kinds.Array):
            raise AliasError(f"whether {name} is an array is not known, and it is written to",
                             self.place(node), "keep numbers and arrays in variables of their own")
        if id(node.value) in self.aliases.twin_views:
            shadows = {n: syntax.load(self.adjoints[n]) for n in self.names}
            base = syntax.viewed_name(node.value)
            value = syntax.substitute(node.value, {base: shadows[base]})
            return [self.binding(node, name, value, kind), node]
        # A new array: it gets a name of its own first, then its shadow, then its variable.
        first = self.fresh(name)
        value = syntax.call(syntax.attribute(self.external(np, "np"), "zeros_like"),
                            syntax.load(first))
        self.facts.callees[id(value)] = np.zeros_like, None
        one = syntax.copy_place(syntax.assign(first, node.value), node)
        last = syntax.copy_place(syntax.assign(name, syntax.load(first)), node)
        facts = self.facts
        self.aliases.union(name, first)
        self.aliases.momentary.add(first)
        facts.names[first] = kind
        facts.before[id(one)], facts.after[id(one)] = facts.before[id(node)], {first: kind}
        facts.before[id(last)], facts.after[id(last)] = {first: kind}, facts.after[id(node)]
        self.operands[id(one)] = self.operands.get(id(node), [])
        self.operands[id(last)] = [first]
        if any(n in self.active for n in self.operands[id(one)]):
            self.active.add(first)
            self.adjoints[first] = self.fresh(f"b{first}")
        self.kept.append(node)
        return [one, self.binding(last, name, value, kind), last]

    def binding(self, node: gast.stmt, name: str, value: gast.expr, kind: kinds.Kind) -> gast.stmt:
        made = syntax.copy_place(syntax.assign(self.adjoints[name], value), node)
        self.facts.before[id(made)] = dict(self.facts.before.get(id(node), {}))
        self.facts.after[id(made)] = {self.adjoints[name]: kind}
        self.facts.names.setdefault(self.adjoints[name], kind)
        return made
