"""Names of a function that may mean one piece of memory, and which of these change.

    y = y0                  y, y0 and row may share memory; y changes, so y0 and row do, if they are
    row = y[1]              read behind that
    y += h * rates
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.analyses.liveness import live_around
from tangent_lite.analyses.mentions import head
from tangent_lite.backends import numba_words as words
from tangent_lite.backends.numba_functions import OWN, limited
from tangent_lite.backends.numba_fusing import is_pure
from tangent_lite.backends.numba_lists import list_of
from tangent_lite.backends.numba_making import MAKERS, made_array
from tangent_lite.backends.numba_number_names import IsKind
from tangent_lite.backends.numba_shapes import copy_of

_FRESH = {*words.ELEMENTWISE, words.SUM, *words.DOTS, *words.ZEROS, made_array, MAKERS[0], copy_of,
          np.zeros, np.ones, np.full, np.empty, np.eye, np.identity}
# What they give is their first argument, or made of it: of the second one they ask the shape.
_OF_FIRST = (words.APART, words.UNBROADCAST, words.UNREDUCE)
_FRESH_METHODS = {"copy", "astype", "tolist"}
_LIST_METHODS = {"append", "pop", "room", "put", "hold", "take"}


class _Edge(NamedTuple):
    """A statement behind which a name may mean memory that another one means, or holds."""
    node: gast.stmt
    source: str
    target: str


class Sharing:
    """What is known of the names of one function.

    written: for functions of the module, by their names, the positions of the arguments into which
    they may write.
    """

    def __init__(self, tree: gast.FunctionDef, meant: Callable[[gast.expr], Any],
                 is_number: IsKind, written: Mapping[str, frozenset[int]],
                 is_array: IsKind = lambda node: False) -> None:
        self.tree, self.meant, self.is_number, self.written = tree, meant, is_number, written
        self.is_array = is_array                # which takes copies of what is put into it
        self.parameters = syntax.parameter_names(tree.args)
        self.inside = {id(one) for node in syntax.statements(tree.body)
                       if isinstance(node, (gast.For, gast.While))
                       for block in syntax.blocks_of(node) for one in syntax.statements(block)}
        self.heads: dict[str, str] = {}
        self.edges: list[_Edge] = []
        self.changed: set[str] = set()
        for node in syntax.statements(tree.body):
            self._read(node)

    def is_inside(self, node: gast.stmt) -> bool:
        """Whether a statement stands in a loop."""
        return id(node) in self.inside

    def changing(self, names: Iterable[str]) -> set[str]:
        """Those of the names that may change by way of another name, or show a change of their own
        by it."""
        changed = {self._head(name) for name in self.changed}
        mine = [name for name in names if self._head(name) in changed]
        groups = {self._head(name) for name in mine}
        edges = [edge for edge in self.edges if self._head(edge.source) in groups]
        shown = {self._head(edge.source) for edge, is_live in zip(edges, self._live(edges))
                 if is_live or edge.source in self.parameters or self._has_several(edge.node)}
        return {name for name in mine if self._head(name) in shown}

    def _has_several(self, node: Any) -> bool:
        """Whether a statement gives several names what may be one array: `a, b = both`."""
        names = [name for target in getattr(node, "targets", ())
                 for name in syntax.bound_names(target)]
        return sum(not self.is_number(syntax.load(name)) for name in names) > 1

    def written_arguments(self) -> frozenset[int]:
        """The positions of the parameters into which the function may write."""
        changed = {self._head(name) for name in self.changed}
        return frozenset(k for k, name in enumerate(self.parameters)
                         if self._head(name) in changed)

    def may_share(self, node: Any) -> set[str]:
        """The names whose memory the value of an expression may be, or hold."""
        if isinstance(node, gast.Name):
            return {node.id}
        if isinstance(node, (gast.Constant, gast.BinOp, gast.UnaryOp, gast.Compare)) \
                or (isinstance(node, gast.expr) and self.is_number(node)):
            return set()
        if isinstance(node, gast.Subscript):
            return self.may_share(node.value)
        if isinstance(node, gast.Attribute):
            return set() if node.attr in ("shape", "size", "ndim") else self.may_share(node.value)
        if isinstance(node, gast.Call):
            function = self.meant(node.func)
            if function is not None and any(function is one for one in (*_FRESH, *OWN.values())):
                return set()
            if function in _OF_FIRST:
                return self.may_share(node.args[0])
            if isinstance(node.func, gast.Attribute) and node.func.attr in _FRESH_METHODS:
                return set()
        found: set[str] = set()
        for part in gast.iter_child_nodes(node):
            found |= self.may_share(part) if not (
                isinstance(node, gast.Call) and part is node.func
                and not isinstance(part, gast.Attribute)) else set()
        return found

    def written_in(self, node: Any) -> set[str]:
        """The names that calls in a statement may write into."""
        found: set[str] = set()
        for call in gast.walk(node):
            if isinstance(call, gast.Call):
                for argument in self._written_by(call):
                    found |= self.may_share(argument)
        return found

    # Reading ----------------------------------------------------------------------------------
    def _read(self, node: Any) -> None:
        self.changed |= self.written_in(head(node))
        value = getattr(node, "value", None)
        for target in [*getattr(node, "targets", ()), getattr(node, "target", None)]:
            if isinstance(target, (gast.Subscript, gast.Attribute)):
                self.changed.update(syntax.written_roots(target))
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name) \
                and not self.is_number(node.target):
            self.changed.add(node.target.id)
        if isinstance(node, gast.For):
            self._join(node, node.target, self.may_share(node.iter))
        if isinstance(node, gast.Assign) and not self.is_number(value):
            for target in node.targets:
                if not isinstance(target, gast.Subscript) or not self.is_array(target.value):
                    self._join(node, target, self.may_share(value))
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name) \
                and not self.is_array(node.target):
            self._join(node, node.target, self.may_share(value))        # items of a list
        if isinstance(node, gast.Expr) and isinstance(value, gast.Call) \
                and isinstance(value.func, gast.Attribute) and value.func.attr == "append":
            for source in self.may_share(value.args[0]) if value.args else ():
                self._join(node, value.func.value, {source})

    def _join(self, node: gast.stmt, target: gast.expr, sources: set[str]) -> None:
        # What is taken from a list is held there no longer.
        is_taken = list_of(getattr(node, "value", None), "pop", 0) is not None
        names = syntax.bound_names(target) or [
            name for name in [syntax.root_name(target)] if name is not None]
        sources = {name for name in sources if not self.is_number(syntax.load(name))}
        for name in names:
            for source in sources - {name} if not self.is_number(syntax.load(name)) else ():
                self.heads[self._head(source)] = self._head(name)
                if not is_taken:
                    self.edges.append(_Edge(node, source, name))

    def _head(self, name: str) -> str:
        """Of names that may mean one array, always the same one."""
        while self.heads.setdefault(name, name) != name:
            name = self.heads[name]
        return name

    def _written_by(self, call: gast.Call) -> list[gast.expr]:
        """The arguments of a call into which it may write."""
        function = self.meant(call.func)
        if function is words.ADD_AT:
            return call.args[:1]
        if function is not None and (is_pure(function) or function is limited):
            return []
        if isinstance(call.func, gast.Attribute) and call.func.attr in (
                _LIST_METHODS | _FRESH_METHODS):
            return []
        if isinstance(call.func, gast.Name):
            if call.func.id in self.written:
                return [one for k, one in enumerate(call.args) if k in self.written[call.func.id]]
            if function is None and call.func.id in ("range", "len", "float", "int", "abs"):
                return []
        receiver = [call.func.value] if isinstance(call.func, gast.Attribute) else []
        return [*receiver, *call.args, *(one.value for one in call.keywords)]

    def _live(self, edges: list[_Edge]) -> list[bool]:
        """For each edge whether its source is read behind it."""
        if not edges:
            return []
        markers = {id(edge.node): gast.Pass() for edge in edges}
        blocks = syntax.all_blocks(self.tree)
        for block in blocks:
            made: list[gast.stmt] = []
            for node in block:
                marker = markers.get(id(node))
                made.append(node)
                if marker is not None and isinstance(node, gast.For):
                    node.body.insert(0, marker)
                elif marker is not None:
                    made.append(marker)
            block[:] = made
        live = live_around(self.tree.body, {id(marker) for marker in markers.values()})
        gone = {id(marker) for marker in markers.values()}
        for block in blocks:
            block[:] = [node for node in block if id(node) not in gone]
        return [edge.source in live[id(markers[id(edge.node)])] for edge in edges]


def written_by_functions(trees: list[gast.FunctionDef], meant: Callable[[gast.expr], Any],
                         is_number: Callable[[str], IsKind],
                         is_array: Callable[[str], IsKind]) -> dict[str, frozenset[int]]:
    """For each function of a module, callees first, the positions of the arguments into which it
    may write; of those that call one another, all."""
    found: dict[str, frozenset[int]] = {}
    for tree in trees:
        found[tree.name] = Sharing(tree, meant, is_number(tree.name), found,
                                   is_array(tree.name)).written_arguments()
    return found
