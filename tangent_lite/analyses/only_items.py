"""Sequences of which nothing but items is asked, so that it does not matter whether they are lists
or tuples: `for column in zip(*rows)`, where a column is added up, read by places, gone through.

>>> tree = gast.parse('''
... def f(rows):
...     for column in zip(*rows):
...         total = sum(column) * column[0]
...     for column_1 in zip(*rows):
...         print(column_1)
... ''').body[0]
>>> def meaning(node):
...     return {"sum": sum, "print": print}.get(node.id)
>>> [asks_only_items(tree, name, 1, meaning) for name in ("column", "column_1")]
[True, False]
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from tangent_lite.runtime.objects import replaced

# What goes through the items of what it is given, and looks at nothing else of it.
_OF_ITEMS = (len, sum, max, min, list, sorted, enumerate, zip, map, filter, any, all, reversed,
             math.fsum, math.prod, math.dist, np.array, np.asarray, np.sum, np.mean, np.prod,
             np.max, np.min, np.dot, np.std, np.var, np.median)


def asks_only_items(tree: gast.FunctionDef, name: str, depth: int,
                    meaning: Callable[[gast.expr], Any],
                    but: Sequence[gast.expr] = ()) -> bool:
    """Whether nothing but items is asked of what a name is bound to (depth 1), or of what is in the
    list or iterator that it is bound to (2); meaning: what is called; but: what reads the name and
    is not looked at."""
    return _Asking(tree, meaning, but).only_items(name, depth)


# What goes through the members of a set as through the items of a list.
_OF_MEMBERS = (len, sum, max, min, list, tuple, sorted, enumerate, zip, any, all)


def is_only_gone_through(tree: gast.FunctionDef, name: str,
                         meaning: Callable[[gast.expr], Any]) -> bool:
    """Whether a list does as well as the set that a name is bound to: loops go through it, and
    functions that do so, and nobody asks for the item at a place."""
    around = {id(part): node for node in gast.walk(tree) for part in gast.iter_child_nodes(node)}
    for node in gast.walk(tree):
        if isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Load):
            what = around[id(node)]
            if not getattr(what, "iterates", False) and not (
                    isinstance(what, gast.comprehension) and what.iter is node) and not (
                    isinstance(what, gast.Call) and any(node is one for one in what.args)
                    and meaning(what.func) in _OF_MEMBERS):
                return False
    return True


Path = tuple[str | int, ...]
MOST_STEPS = 6          # an object may hold one like itself, `node = replaced(node, next=node)`


class _Asking:
    def __init__(self, tree: gast.FunctionDef, meaning: Callable[[gast.expr], Any],
                 but: Sequence[gast.expr]) -> None:
        self.meaning, self.but = meaning, set(map(id, but))
        self.around: dict[int, Any] = {}            # of each expression, what it is a part of
        self.names: dict[str, list[gast.Name]] = {}
        for node in gast.walk(tree):
            for part in gast.iter_child_nodes(node):
                self.around[id(part)] = node
            if isinstance(node, gast.Name):
                self.names.setdefault(node.id, []).append(node)
        self.found: set[tuple[str, int, Path]] = set()
        self.fields = {key.arg for node in gast.walk(tree) if isinstance(node, gast.Call)
                       and meaning(node.func) is replaced for key in node.keywords}

    def only_items(self, name: str, depth: int, path: Path = ()) -> bool:
        """path: the fields and places through which what is bound leads to the sequence."""
        if (name, depth, path) in self.found:
            return True                             # it is being looked at
        self.found.add((name, depth, path))
        return len(path) <= MOST_STEPS and all(
            self.is_harmless(node, depth, path) for node in self.names.get(name, ()))

    def is_harmless(self, node: gast.expr, depth: int, path: Path = ()) -> bool:
        """What happens to a sequence at one place, or to what holds it."""
        around = self.around[id(node)]
        if id(around) in self.but:
            return True
        if not isinstance(getattr(node, "ctx", gast.Load()), gast.Load):
            return not isinstance(around, (gast.AugAssign, gast.Delete))
        if isinstance(around, gast.Assign) and around.value is node and len(around.targets) == 1 \
                and isinstance(around.targets[0], gast.Name):
            return self.only_items(around.targets[0].id, depth, path)
        if isinstance(around, gast.keyword) and around.arg is not None:
            call = self.around[id(around)]
            return isinstance(call, gast.Call) and self.meaning(call.func) is replaced \
                and self.is_harmless(call, depth, (around.arg, *path))
        if isinstance(around, gast.Tuple) and isinstance(around.ctx, gast.Load):
            if any(isinstance(part, gast.Starred) for part in around.elts):
                return False
            return self.is_harmless(around, depth, (around.elts.index(node), *path))
        if path:
            return self.is_harmless_to_holder(node, around, depth, path)
        if isinstance(around, gast.Subscript) and around.value is node \
                and isinstance(around.slice, gast.Slice):
            return isinstance(around.ctx, gast.Load) and self.is_harmless(around, depth)
        if isinstance(around, gast.Subscript) and around.value is node:
            return isinstance(around.ctx, gast.Load) and not any(isinstance(
                part, gast.Slice) for part in gast.walk(around.slice)) \
                and (depth == 1 or self.is_harmless(around, depth - 1))
        if isinstance(around, gast.Call) and any(node is one for one in around.args):
            function = self.meaning(around.func)
            if function is list and depth > 1:
                return self.is_harmless(around, depth)
            return function is len or (depth == 1 and any(function is one for one in _OF_ITEMS))
        if isinstance(around, (gast.For, gast.comprehension)) and around.iter is node:
            return self.goes_to(around.target, depth - 1)
        if isinstance(around, gast.Assign) and around.value is node and len(around.targets) == 1:
            return self.goes_to(around.targets[0], depth)
        return False

    def is_harmless_to_holder(self, node: gast.expr, around: Any, depth: int, path: Path) -> bool:
        """The same of an object or a tuple that holds the sequence: parts of it are read, and
        others are given to an object."""
        if isinstance(around, gast.Call):
            return self.meaning(around.func) is replaced and around.args[:1] == [node] \
                and self.is_harmless(around, depth, path)
        if isinstance(around, gast.Attribute):
            step: Any = around.attr
            outer = self.around[id(around)]
            if step not in self.fields or (isinstance(outer, gast.Call) and outer.func is around):
                return False                        # a method, which sees all of the object
        elif isinstance(around, gast.Subscript) and around.value is node \
                and isinstance(around.slice, gast.Constant) and type(around.slice.value) is int \
                and around.slice.value >= 0:
            step = around.slice.value
        else:
            return False
        return isinstance(around.ctx, gast.Load) and (
            step != path[0] or self.is_harmless(around, depth, path[1:]))

    def goes_to(self, target: gast.expr, depth: int) -> bool:
        """The same where it is bound to a name, or its items to several."""
        if depth == 0:
            return True
        if isinstance(target, gast.Name):
            return self.only_items(target.id, depth)
        return isinstance(target, gast.Tuple) and all(
            depth == 1 if isinstance(part, gast.Starred) else self.goes_to(part, depth - 1)
            for part in target.elts)
