"""Whether the gradients that a function returns are arrays of its own, each another one.

    be = 2.0 * bf * e                       made here
    bb = unbroadcast(be, b)                 be itself, or made here, perhaps as a view
    bW = unbroadcast(be, We)[:, None] * h   made here
    return bW, bb                           two arrays that nobody else has

Then nothing has to be asked about that when it has been called. What can be told at a glance is
told: operations on arrays make new ones; all else may be anything.
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import runtime, syntax

OTHER = -1                  # where an array comes from that may be somebody else's
# Functions of NumPy that always make a new array, or a number.
MAKERS = {"zeros_like", "zeros", "sum", "exp", "log", "sqrt", "sin", "cos", "tanh"}


def fresh_results(unit: Any) -> list[bool] | None:
    """For the parts of what a unit returns last, all of them arrays of their own (or no arrays),
    whether they surely own memory that may be written to. None if some may be somebody else's."""
    found = _Origins(unit)
    last = unit.tree.body[-1]
    if not isinstance(last, gast.Return):
        return None
    value = last.value
    parts = value.elts if isinstance(value, gast.Tuple) else [value]
    if parts and isinstance(parts[-1], gast.Tuple):         # f, (bx, by)
        parts = parts[-1].elts
    seen: set[int] = set()
    own = []
    for part in parts:
        origins = found.of(part, set())
        if OTHER in origins or origins & seen:
            return None
        seen |= origins
        own.append(not origins & found.spread)
    return own


class _Origins:
    """Which expressions make the arrays that names hold, by id."""

    def __init__(self, unit: Any) -> None:
        self.unit = unit
        self.spread: set[int] = set()           # calls that may make a view, spread to more
        self.bound: dict[str, list[gast.AST | None]] = {
            name: [None] for name in syntax.parameter_names(unit.tree.args)}
        for node in syntax.walk(unit.tree):
            if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
                self.bound.setdefault(node.id, [])
        known: dict[str, int] = {}
        for node in syntax.statements(unit.tree.body):
            if isinstance(node, gast.Assign) and len(node.targets) == 1 \
                    and isinstance(node.targets[0], gast.Name):
                name, value = node.targets[0].id, node.value
            elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
                name, value = node.target.id, node
            else:
                continue
            self.bound[name].append(value)
            known[name] = known.get(name, 0) + 1
        # What is bound in other ways (by loops, by unpacking) may hold anything.
        stores: dict[str, int] = {}
        for node in syntax.walk(unit.tree):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
                stores[node.id] = stores.get(node.id, 0) + 1
        for name, count in stores.items():
            if count != known.get(name, 0):
                self.bound[name].append(None)

    def of(self, node: gast.AST | None, seen: set[str]) -> set[int]:
        if isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Constant, gast.AugAssign)):
            return {id(node)}
        if isinstance(node, gast.Name):
            if node.id in seen:
                return set()
            bound = self.bound.get(node.id, [None])
            return set().union(*(self.of(b, seen | {node.id}) for b in bound))
        if isinstance(node, gast.Call):
            helper = self.means(node.func)
            if helper is runtime.unbroadcast and len(node.args) == 2:
                self.spread.add(id(node))
                return {id(node)} | self.of(node.args[0], seen)
            if helper is runtime.where_larger:
                return {id(node)}
            if isinstance(node.func, gast.Attribute) \
                    and {k.arg for k in node.keywords} <= {"axis", "keepdims"}:
                if node.func.attr == "copy" and not node.args:
                    return {id(node)}
                if node.func.attr in MAKERS and self.means(node.func.value) is np:
                    return {id(node)}
        return {OTHER}

    def means(self, node: gast.AST) -> Any:
        """What a name of the function's surroundings means."""
        if not isinstance(node, gast.Name) or node.id in self.bound:
            return None
        found = self.unit.external.get(node.id)
        return found if found is not None else self.unit.source.globals.get(node.id)
