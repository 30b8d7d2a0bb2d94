"""What `infer` finds out about a function: the facts that most passes and analyses are given."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import Mentions
from tangent_lite.kinds import UNKNOWN, Kind, Number, is_pending, without_pending

Environment = dict[str, Kind]
_NOTHING: Environment = {}
# What is noted on a statement of arithmetic, and on its operation: where it stands, and by what
# `expand` finds it again. Whatever else is noted there means something to some pass.
_PLACE = frozenset({"lineno", "col_offset", "end_lineno", "end_col_offset", "spot", "origin",
                    "mark"})
_ASSIGN = _PLACE.union(gast.Assign._fields)
_OPERATION = _PLACE.union(gast.BinOp._fields, gast.UnaryOp._fields)


@dataclass(eq=False, repr=False)
class Inferred:
    """Kinds at statements (by id) and objects of calls (by id), and what statements mention."""
    before: dict[int, Environment] = field(default_factory=dict)    # names read, in front of it
    after: dict[int, Environment] = field(default_factory=dict)     # names bound, behind it
    names: Environment = field(default_factory=dict)                # all that a name may be
    callees: dict[int, tuple[Any, gast.expr | None]] = field(default_factory=dict)
    result: Kind = UNKNOWN
    mentions: Mentions = field(default_factory=Mentions)
    # A tree, the ids of its statements that are arithmetic, and the others, once somebody asks.
    _sorted: tuple[gast.FunctionDef, frozenset[int], list[gast.stmt]] | None = None

    def arithmetic(self, tree: gast.FunctionDef) -> frozenset[int]:
        """The ids of the statements that bind a name to what an operator gives for numbers: these
        call nothing and change nothing, and what they bind shares nothing. Nothing is asked of them
        by who looks for calls, containers, arrays, or marks of passes. tree: what the facts are
        about."""
        return self._sort(tree)[1]

    def beside_arithmetic(self, tree: gast.FunctionDef) -> list[gast.stmt]:
        """All other statements of the tree, in order."""
        return self._sort(tree)[2]

    def _sort(self, tree: gast.FunctionDef) \
            -> tuple[gast.FunctionDef, frozenset[int], list[gast.stmt]]:
        if self._sorted is None or self._sorted[0] is not tree:
            found: set[int] = set()
            others: list[gast.stmt] = []
            for node in syntax.every_statement(tree.body):
                if self._is_arithmetic(node):
                    found.add(id(node))
                else:
                    others.append(node)
            self._sorted = tree, frozenset(found), others
        return self._sorted

    def _is_arithmetic(self, node: Any) -> bool:
        if node.__class__ is not gast.Assign or not node.__dict__.keys() <= _ASSIGN:
            return False
        value, target = node.value, node.targets[0]
        kind = value.__class__
        if kind is gast.BinOp:
            operands = [value.left, value.right]
        elif kind is gast.UnaryOp:
            operands = [value.operand]
        else:
            return False
        if not value.__dict__.keys() <= _OPERATION or target.__class__ is not gast.Name \
                or len(node.targets) > 1:
            return False
        names, before = self.names, self.before.get(id(node), _NOTHING)
        for one in operands:
            if one.__class__ is gast.Name:
                if before.get(one.id).__class__ is not Number \
                        or names.get(one.id).__class__ is not Number:
                    return False
            elif one.__class__ is not gast.Constant:
                return False
        return names.get(target.id).__class__ is Number \
            and self.after[id(node)].get(target.id).__class__ is Number

    def is_open(self) -> bool:
        """Whether it is left open what some value is."""
        known = {id(kind): kind for environments in (self.before, self.after)
                 for environment in environments.values() for kind in environment.values()}
        return any(map(is_pending, known.values()))         # many names are of one kind

    def close(self) -> None:
        """Let nothing be known of what was left open."""
        for environments in (self.before, self.after):
            for environment in environments.values():
                for name, kind in environment.items():
                    environment[name] = without_pending(kind)
        self.result = without_pending(self.result)
