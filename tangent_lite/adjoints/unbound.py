"""Tests of names that are None before anything is bound to them: to read such a name is an error.

A name that may not be bound yet where it is recorded is None at first.

    h = None
    for k, v in enumerate(x):
        h_tape.append(h)
        if k == 0:
            h = v
        else:
            h = h * h
    if h is None:
        raise UnboundLocalError("h is read before it is bound")

Behind the loops each read has a test. Within one a test would cost as much as the step: what
Python refuses to do with None says so itself there, by a TypeError: `h * h`, `h[0]`, `h < 3`,
`np.sin(h)`. A test is written in front of what takes None for a value, as a list does; what is
handed to a function of the user goes without.
"""
from __future__ import annotations

import types
from collections.abc import Callable, Set
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions
from tangent_lite.inference import NO_OBJECT
from tangent_lite.kinds import Array, Number
from tangent_lite.modules import module_of
from tangent_lite.names import stem

_ORDER = (gast.Lt, gast.LtE, gast.Gt, gast.GtE)
_NEVER_NONE = (Number, Array, kinds.Numeric, kinds.ListKind, kinds.TupleKind, kinds.DictKind,
               kinds.MapKind, kinds.RecordKind)


def is_never_none(kind: kinds.Kind | None) -> bool:
    """Whether the function itself never binds None to what is of a kind."""
    return isinstance(kind, _NEVER_NONE)


def tests_of_unbound(forward: list[gast.stmt], last: gast.stmt, names: set[str],
                     is_own: Callable[[gast.stmt], bool], facts: Inferred) -> list[gast.stmt]:
    """The forward pass with tests of the names that are None at first; last: the return behind it;
    is_own: whether a statement is one of the function, and none that records."""
    if not names:
        return forward
    guard = _Guard(names, is_own, facts)
    bound: set[str] = set()
    made = guard.block(forward, bound)
    return made + guard.tests(guard.reads(last) - bound, None)


class _Guard:
    """Goes through the forward pass with the names that are certainly bound."""

    def __init__(self, names: set[str], is_own: Callable[[gast.stmt], bool],
                 facts: Inferred) -> None:
        self.names, self.is_own, self.facts = names, is_own, facts
        self.loops = 0

    def block(self, block: list[gast.stmt], bound: set[str]) -> list[gast.stmt]:
        """A block with tests in it; bound: names that are bound in front, and then behind."""
        out: list[gast.stmt] = []
        for node in block:
            if isinstance(node, syntax.COMPOUND):
                head = getattr(node, "test", None)
                out += self.tested(self.quiet(head), bound, node)
                ends = [set(bound), set(bound)]
                is_loop = not isinstance(node, gast.If)
                self.loops += is_loop
                node.body = self.block(node.body, ends[0])
                self.loops -= is_loop
                node.orelse = self.block(node.orelse, ends[1])
                if not is_loop:
                    ends = [end for end, part in zip(ends, (node.body, node.orelse))
                            if not (part and isinstance(part[-1], (gast.Break, gast.Raise)))]
                    bound |= set.intersection(*ends) if ends else self.names
                out.append(node)
                continue
            if self.is_own(node):
                out += self.tested(self.reads(node), bound, node)
                bound.update(definitions(node))
            elif not _binds_none(node):
                bound.update(self.names.intersection(definitions(node)))
            out.append(node)
        return out

    def tested(self, names: Set[str], bound: set[str], node: gast.stmt) -> list[gast.stmt]:
        """Tests of those names that are not bound for certain; behind them they are."""
        made = self.tests(names - bound, node)
        bound |= names
        return made

    def tests(self, names: Set[str], node: gast.stmt | None) -> list[gast.stmt]:
        made: list[gast.stmt] = []
        for name in sorted(names):
            test = gast.Compare(syntax.load(name), [gast.Is()], [syntax.constant(None)])
            said = syntax.constant(f"{stem(name)} is read before it is bound")
            made.append(gast.If(test, [gast.Raise(
                syntax.call(syntax.load("UnboundLocalError"), said), None)], []))
        if node is not None:
            syntax.serve(made, node)
        return made

    def reads(self, node: gast.stmt) -> set[str]:
        """The names that a statement may read while they are None, and go on."""
        value = getattr(node, "value", None)
        found = self.quiet(value)
        if isinstance(node, gast.AugAssign) and isinstance(value, gast.Name) and self.loops:
            found = set()
        for target in getattr(node, "targets", None) or [getattr(node, "target", None)]:
            if isinstance(target, gast.Subscript):
                found |= self.quiet(target.slice)
                if not self.loops and isinstance(target.value, gast.Name):
                    found |= {target.value.id} & self.names
            elif isinstance(node, gast.AugAssign) and not self.loops:
                found |= {target.id} & self.names
        return found

    def quiet(self, node: Any) -> set[str]:
        """The names in an expression that may be None there without an error."""
        if node is None or isinstance(node, gast.Constant):
            return set()
        if isinstance(node, gast.Name):
            return {node.id} & self.names
        if isinstance(node, gast.BoolOp):       # what stands behind may not be reached
            return self.quiet(node.values[0])
        if isinstance(node, gast.IfExp):
            return self.quiet(node.test)
        if isinstance(node, (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp,
                             gast.GeneratorExp)):
            return set()
        loud: list[Any] = []
        if not self.loops:
            pass                                # where each read has a test
        elif isinstance(node, gast.BinOp) or (isinstance(node, gast.UnaryOp)
                                            and not isinstance(node.op, gast.Not)):
            loud = [getattr(node, "left", None), getattr(node, "right", None),
                    getattr(node, "operand", None)]
        elif isinstance(node, gast.Compare) and all(isinstance(op, _ORDER) for op in node.ops):
            loud = [node.left, *node.comparators]
        elif isinstance(node, (gast.Subscript, gast.Attribute)):
            loud = [node.value]
        elif isinstance(node, gast.Call) and self.refuses_none(node):
            loud = [*node.args]
        taken = {id(one) for one in loud if isinstance(one, gast.Name)}
        return {name for part in gast.iter_child_nodes(node) if id(part) not in taken
                for name in self.quiet(part)}

    def refuses_none(self, node: gast.Call) -> bool:
        """Whether a function takes numbers and arrays alone; of functions of the user, in a loop,
        it is taken to be so."""
        function, _ = self.facts.callees.get(id(node), (NO_OBJECT, None))
        return isinstance(function, np.ufunc) or module_of(function) in ("math", "cmath") or (
            self.loops > 0 and (function is NO_OBJECT or (
                isinstance(function, types.FunctionType) and registry.lookup(function) is None)))


def _binds_none(node: gast.stmt) -> bool:
    return isinstance(node, gast.Assign) and isinstance(node.value, gast.Constant) \
        and node.value.value is None
