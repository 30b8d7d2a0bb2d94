"""A variable that is used for unrelated things becomes several: `x`, `x_1`, ...

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, n):
...     x = x * x
...     x = np.sin(x)
...     for i in range(n):
...         x = x * n
...     return x
... ''').body[0]
>>> print(emit(versions(tree)), end="")
def f(x, n):
    x_1 = x * x
    x_2 = np.sin(x_1)
    for i in range(n):
        x_2 = x_2 * n
    return x_2

Each name afterwards is one web of definitions that reach common uses. What a straight line
overwrites keeps its value, and needs no record.
"""
from __future__ import annotations

from collections.abc import Set

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import Liveness, bound_in, liveness
from tangent_lite.markers import is_attempt, marker_of, where_finally
from tangent_lite.names import Names
from tangent_lite.syntax import COMPOUND, read_names

Environment = dict[str, int]


def versions(tree: gast.FunctionDef, names: Names | None = None) -> gast.FunctionDef:
    """Return a tree in which each name stands for one web; `names` are those taken."""
    tree = syntax.copy(tree)
    webs = _Webs(tree)
    webs.rename(names or Names(syntax.all_names(tree)))
    return tree


class _Webs:
    def __init__(self, tree: gast.FunctionDef) -> None:
        self.parent: list[int] = []
        self.names: list[str] = []
        self.occurrences: list[tuple[gast.Name, int]] = []
        # Asked at compound statements only, where ways meet.
        branches = any(n.__class__ in COMPOUND for n in tree.body)
        self.facts = liveness(tree.body) if branches else Liveness()
        self.leaves: list[list[Environment]] = []
        self.begun: dict[int, tuple[int, Environment]] = {}     # where a try with finally began
        parameters = syntax.parameter_names(tree.args)
        self.parameters = len(parameters)
        environment = {name: self.new(name) for name in parameters}
        self.block(tree.body, environment)

    # Union-find -------------------------------------------------------------------------------
    def new(self, name: str) -> int:
        self.parent.append(len(self.parent))
        self.names.append(name)
        return len(self.parent) - 1

    def find(self, web: int) -> int:
        while self.parent[web] != web:
            self.parent[web] = self.parent[self.parent[web]]
            web = self.parent[web]
        return web

    def union(self, a: int, b: int) -> None:
        a, b = self.find(a), self.find(b)
        self.parent[max(a, b)] = min(a, b)

    # Walk -------------------------------------------------------------------------------------
    def reads(self, node: gast.AST | None, environment: Environment) -> None:
        for part in syntax.names_in(node) if node is not None else ():
            if part.id in environment and isinstance(part.ctx, gast.Load):
                self.occurrences.append((part, environment[part.id]))

    def binds(self, target: gast.AST, environment: Environment) -> None:
        if isinstance(target, gast.Name):
            environment[target.id] = self.new(target.id)
            self.occurrences.append((target, environment[target.id]))
        elif isinstance(target, (gast.Tuple, gast.List)):
            for part in target.elts:
                self.binds(part, environment)
        else:
            self.reads(target, environment)

    def block(self, block: list[gast.stmt], environment: Environment) -> Environment | None:
        """Walk a block; None if its end is never reached."""
        start, stop = 0, len(block)
        while True:
            end, left = self.straight(block, start, stop, environment)
            if stop < len(block):
                left = None
            again = where_finally(block, end) if left is None else None
            if again is None:
                return left
            # What stands there runs all the same, and nothing behind it does.
            start, stop = again
            marker = marker_of(block[start])
            assert marker is not None
            environment = self.begun[marker.region][1]

    def straight(self, block: list[gast.stmt], start: int, stop: int,
                 environment: Environment) -> tuple[int, Environment | None]:
        """Walk a part of a block; where that ends, and what holds there."""
        for number in range(start, stop):
            node = block[number]
            marker = marker_of(node)
            if marker is not None and marker.kind == "begin":
                self.begun[marker.region] = (len(self.parent), dict(environment))
            elif marker is not None and marker.kind == "finally":
                # What stands behind is reached from anywhere in front of it.
                first, began = self.begun[marker.region]
                names = {n for one in block[number + 1:] for n in read_names(one)}
                self.halfway(names, first, began)
            if isinstance(node, gast.If):
                self.reads(node.test, environment)
                first, before = len(self.parent), dict(environment)
                one = self.block(node.body, dict(environment))
                if is_attempt(node):
                    self.halfway(self.facts.orelse[id(node)], first, before)
                    environment = before
                other = self.block(node.orelse, dict(environment))
                if one is None and other is None:
                    return number, None
                if one is None or other is None:
                    environment = one if other is None else other       # type: ignore[assignment]
                else:
                    environment = self.join(one, other, self.facts.after[id(node)])
            elif isinstance(node, (gast.For, gast.While)):
                environment = self.loop(node, environment)
            elif isinstance(node, gast.Break):
                self.leaves[-1].append(environment)
                return number, None
            elif isinstance(node, gast.Assign):
                self.reads(node.value, environment)
                for target in node.targets:
                    self.binds(target, environment)
            elif isinstance(node, gast.AugAssign):
                self.reads(node.value, environment)
                self.reads(node.target, environment)
                if isinstance(node.target, gast.Name):
                    # Whether this binds or writes depends on the value: it stays one variable.
                    if node.target.id not in environment:
                        environment[node.target.id] = self.new(node.target.id)
                    self.occurrences.append((node.target, environment[node.target.id]))
            else:
                self.reads(node, environment)
                if isinstance(node, gast.Raise):
                    return number, None
        return stop, environment

    def halfway(self, names: Set[str], first: int, start: Environment) -> None:
        """Code that was left somewhere may have bound each of its names, or not: all one variable.

        first: the first web of that code; start: what held in front of it.
        """
        for web in range(first, len(self.parent)):
            name = self.names[web]
            if name in names:
                self.union(start.setdefault(name, web), web)

    def loop(self, node: gast.For | gast.While, environment: Environment) -> Environment:
        live = self.facts.head[id(node)]
        if isinstance(node, gast.For):
            self.reads(node.iter, environment)
            for name in getattr(node, "lazily", ()):
                self.reads(name, environment)
        # A name bound in the body and alive at its head is one variable from iteration to
        # iteration: give it its web now, so that all reads in the body agree.
        bound = bound_in(node.body)
        for name in sorted(bound & live):
            if name not in environment:
                environment[name] = self.new(name)      # first bound inside, read a step later
        entry = dict(environment)
        inner = dict(environment)
        if isinstance(node, gast.While):
            self.reads(node.test, inner)
        if isinstance(node, gast.For):
            self.binds(node.target, inner)
            counters = syntax.bound_names(node.target)
        else:
            counters = []
        self.leaves.append([])
        end = self.block(node.body, inner)
        leaves = self.leaves.pop()
        after = self.facts.after[id(node)]
        for name in sorted(bound | set(counters)):
            if name in live and end is not None and name in end and name in entry:
                self.union(entry[name], end[name])
        out = dict(entry)
        for state in [end, *leaves]:
            if state is None:
                continue
            for name, web in state.items():
                known = out.get(name)
                if known is None:
                    out[name] = web
                elif known != web and name in after:
                    self.union(known, web)
        if isinstance(node, gast.While) and isinstance(node.test, gast.Constant) \
                and node.test.value and leaves:
            # `while True` is left by break only.
            first = leaves[0]
            for state in leaves[1:]:
                for name, web in state.items():
                    if name in after and name in first:
                        self.union(first[name], web)
            out = {**out, **first}
        return out

    def join(self, one: Environment, other: Environment, live: Set[str]) -> Environment:
        for name, web in other.items():
            known = one.get(name)
            if known == web:            # as of most names
                continue
            if known is None:
                one[name] = web
            elif name in live:
                self.union(known, web)
        return one

    def rename(self, names: Names) -> None:
        """Give each web a name: the user's for the first of a name, numbered ones for others."""
        chosen: dict[int, str] = {}
        taken: set[str] = set()
        for web in range(len(self.parent)):
            root = self.find(web)
            if root not in chosen:
                name = chosen[root] = self.names[root]
                if name in taken:
                    chosen[root] = names.fresh(name)
                    names.versions[chosen[root]] = name
                taken.add(name)
        for node, web in self.occurrences:
            node.id = chosen[self.find(web)]
