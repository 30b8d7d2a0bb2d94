"""Records that are made and taken apart in one function: variables, and no tuple.

    saved = (t, y)
    u, v = saved            =>      x = t * y
    x = u * v

So what one half of a pair hands over to the other is known by one name, once both are written out
where they are called (`numba_inlining`).
"""
from __future__ import annotations

from collections import Counter

import gast

from tangent_lite import syntax


def hand_over(tree: gast.FunctionDef) -> None:
    """Take such tuples out of a function, in place, and second names of what has one."""
    while _Handing(tree).is_changed:
        pass


class _Handing:
    """One walk through a function."""

    def __init__(self, tree: gast.FunctionDef) -> None:
        self.is_changed = False
        self.bindings = Counter(syntax.parameter_names(tree.args)) + _bindings(tree.body)
        self.uses = _uses(tree.body)
        self.tuples: dict[str, list[gast.expr]] = {}    # of those that mean the same from here on
        self.block(tree.body, Counter(syntax.parameter_names(tree.args)))

    def block(self, block: list[gast.stmt], before: Counter[str]) -> None:
        """before: how often names were bound on the way to a block."""
        before = Counter(before)
        made: list[gast.stmt] = []
        for at, node in enumerate(list(block)):
            if isinstance(node, syntax.COMPOUND):
                inside = before + Counter(syntax.bound_names(node.target)) \
                    if isinstance(node, gast.For) else before
                known = dict(self.tuples)
                for inner in (node.body, node.orelse):
                    self.block(inner, inside)
                    self.tuples = dict(known)
                made.append(node)
            else:
                made += self.statement(node, block[at + 1:], before)
            before.update(_bindings([node]))
        block[:] = made or (block and [gast.Pass()])

    def statement(self, node: gast.stmt, behind: list[gast.stmt], before: Counter[str]) \
            -> list[gast.stmt]:
        """A statement, or what stands in its place."""
        if not isinstance(node, gast.Assign) or len(node.targets) != 1:
            return [node]
        target, value = node.targets[0], node.value
        if isinstance(target, gast.Tuple) and isinstance(value, gast.Name) \
                and len(self.tuples.get(value.id, ())) == len(target.elts) \
                and all(isinstance(one, gast.Name) for one in target.elts):
            parts = [syntax.copy(one) for one in self.tuples[value.id]]
            names = [one.id for one in target.elts]
            if not set(names) & {name for part in parts for name in syntax.read_names(part)}:
                self.is_changed = True
                made: list[gast.stmt] = [syntax.assign(*pair) for pair in zip(names, parts)]
                syntax.serve(made, node)
                return made
        if not isinstance(target, gast.Name) or self.bindings[target.id] != 1 \
                or self.uses[target.id] != 1 + _uses(behind)[target.id]:
            return [node]
        parts = syntax.shown_parts(value)
        if not all(isinstance(one, gast.Constant) or (
                isinstance(one, gast.Name) and before[one.id] == self.bindings[one.id] > 0)
                for one in parts):
            return [node]
        if isinstance(value, gast.Tuple):
            if self.uses[target.id] == 1:
                self.is_changed = True
                return []
            self.tuples[target.id] = value.elts
        elif isinstance(value, gast.Name):
            rename = syntax.Rename({target.id: value.id})
            for one in behind:
                rename.visit(one)
            self.is_changed = True
            return []
        return [node]


def _bindings(block: list[gast.stmt]) -> Counter[str]:
    """How often names are bound in a block."""
    return Counter(name.id for node in block for name in syntax.walk(node)
                   if isinstance(name, gast.Name) and isinstance(name.ctx, gast.Store))


def _uses(block: list[gast.stmt]) -> Counter[str]:
    """How often names stand in a block."""
    return Counter(name.id for node in block for name in syntax.walk(node)
                   if isinstance(name, gast.Name))
