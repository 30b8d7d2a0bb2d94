"""Which expressions have one value, so that what was computed under a name need not be again.

>>> from tangent_lite.syntax import parse_expression
>>> key = value_key(parse_expression("np.hypot(x, 2.0)"), np.hypot)
>>> key == value_key(parse_expression("hypot(x, 2.0)"), np.hypot), operands_of(key)
(True, {'x'})
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gast
import numpy as np

from tangent_lite import registry, syntax
from tangent_lite.modules import module_of

# What computes a value, and of which operands: two expressions with one key have one value, where
# their names mean the same.
Key = tuple[Any, ...]


def value_key(node: Any, function: Any) -> Key | None:
    """What a call of a function computes, or a power, of names and constants: element by element,
    as a number or an array that is made anew each time."""
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Pow):
        return _of_operands(gast.Pow, [node.left, node.right])
    if not isinstance(node, gast.Call) or node.keywords or not (
            len(node.args) == function.nin if isinstance(function, np.ufunc)
            else module_of(function) in ("math", "cmath")):
        return None
    entry = registry.lookup(function)
    return _of_operands(function, node.args) if entry is not None and (
        entry.adjoint is not None or entry.constant) else None


def _of_operands(what: Any, operands: list[gast.expr]) -> Key | None:
    if not all(isinstance(one, (gast.Name, gast.Constant)) for one in operands):
        return None
    return (what, *(("name", one.id) if isinstance(one, gast.Name) else (
        type(one.value), repr(one.value)) for one in operands))


def operands_of(key: Key) -> set[str]:
    return {one[1] for one in key[1:] if one[0] == "name"}


class KnownValues:
    """The names that values have at one place in a function."""

    def __init__(self, names: Mapping[Key, str] | None = None) -> None:
        self.names: dict[Any, str] = {}
        self.about: dict[str, list[Key]] = {}       # by what they are made of, and by their names
        for key, name in (names or {}).items():
            self.add(key, name)

    def add(self, key: Key, name: str) -> None:
        """A statement has bound a name to a value; it may have another one already."""
        if self.names.setdefault(key, name) == name:
            for one in (name, *operands_of(key)):
                self.about.setdefault(one, []).append(key)

    def forget(self, bound: Iterable[str]) -> None:
        """Names are bound anew."""
        for name in bound:
            for key in self.about.pop(name, ()):
                self.names.pop(key, None)

    def without(self, bound: Iterable[str]) -> KnownValues:
        """A copy from which names are forgotten."""
        made = KnownValues(self.names)
        made.forget(bound)
        return made


class Reader(syntax.Transformer):
    """Puts names in the place of what they are known to be: of operands alone, of which an operator
    makes something new. Else an array would have two names where there were two arrays."""

    def __init__(self, instead: Callable[[gast.expr], str | None]) -> None:
        self.instead = instead
        self.names: set[str] = set()            # those that it has put there

    def read(self, expression: gast.expr) -> gast.expr:
        if all(self.instead(node) is None
               for node in syntax.all_of(expression, gast.Call, gast.BinOp)):
            return expression
        made: gast.expr = self.visit(syntax.copy(expression))
        return made

    def operand(self, node: gast.expr) -> gast.expr:
        name = self.instead(node)
        if name is None:
            return node
        self.names.add(name)
        return syntax.load(name)

    def visit_BinOp(self, node: gast.BinOp) -> gast.expr:
        node.left, node.right = self.operand(node.left), self.operand(node.right)
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: gast.UnaryOp) -> gast.expr:
        node.operand = self.operand(node.operand)
        return self.generic_visit(node)
