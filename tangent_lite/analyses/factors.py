"""What products are made of, the products that names are short for, and a walk that writes shorter
ones.

>>> from tangent_lite.emit import emit_expression
>>> value = gast.parse("-a * b / (c * d)").body[0].value
>>> is_negative, found = factors_of(value)
>>> is_negative, [("/" if f.is_below else "*") + emit_expression(f.value) for f in found]
(True, ['*a', '*b', '/c', '/d'])
>>> [f.is_below for f in factors_of(value, opens_below=False)[1]]
[False, False, True]
"""
from __future__ import annotations

from typing import Any, NamedTuple

import gast

from tangent_lite.analyses.values import Values, bound_name
from tangent_lite.syntax import COMPOUND, every_statement, names_in

_PRODUCTS = frozenset({gast.Mult, gast.Div})


class Factor(NamedTuple):
    """What something is multiplied with, or divided by."""
    value: gast.expr
    is_below: bool


def is_product(node: Any) -> bool:
    """Whether a node is a product or a quotient."""
    return node.__class__ is gast.BinOp and node.op.__class__ in _PRODUCTS


def has_quotient(node: Any) -> bool:
    """Whether something is divided in a product, at whatever depth."""
    while node.__class__ is gast.UnaryOp and node.op.__class__ is gast.USub:
        node = node.operand
    return is_product(node) and (node.op.__class__ is gast.Div or has_quotient(node.left)
                                 or has_quotient(node.right))


def factors_of(value: gast.expr, opens_below: bool = True,
               is_below: bool = False) -> tuple[bool, list[Factor]]:
    """Whether a product or quotient is negative, and what it is made of, in order; opens_below:
    what it is divided by is taken apart as well; is_below: it stands below itself."""
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        is_negative, found = factors_of(value.operand, opens_below, is_below)
        return not is_negative, found
    if not is_product(value) or (is_below and not opens_below):
        return False, [Factor(value, is_below)]
    one, left = factors_of(value.left, opens_below, is_below)
    other, right = factors_of(value.right, opens_below, is_below != isinstance(value.op, gast.Div))
    return one != other, [*left, *right]


class ShortFor:
    """What names are short for, where all that is in it is what it was."""

    def __init__(self, values: Values) -> None:
        self.values = values
        # The value of a name -> what it was bound to, and the values of the names in that.
        self.known: dict[int, tuple[gast.expr, list[tuple[str, int]]]] = {}

    def note(self, node: Any, name: str, reads: Any) -> None:
        """Go past a statement that binds a name to what it may stand for; reads: the names in it.
        """
        before = [(n, self.values.of_name(n)) for n in reads]
        self.values.passed(node)
        self.known[self.values.of_name(name)] = node.value, before

    def value(self, name: gast.expr) -> gast.expr | None:
        """What a name stands for here, if that is known."""
        if not isinstance(name, gast.Name):
            return None
        value, before = self.known.get(self.values.of_name(name.id), (None, ()))
        return value if all(self.values.of_name(n) == was for n, was in before) else None


class Shortener:
    """Goes past the statements of a body in order, and writes what they compute shorter, but for
    those of the user; changed: whether any was.

    Where nothing in a body looks like it, nothing is gone past; and what names are short for is
    noted of those that such statements read.
    """

    def __init__(self, values: Values) -> None:
        self.values, self.short_for = values, ShortFor(values)
        self.changed = False
        self.found: set[Any] = set()                # statements that may be written shorter,
        self.asked: set[str] = set()                # and the names that are read in them

    def may_shorten(self, value: gast.expr) -> bool:
        """Whether an expression is of the form that may be written shorter: a quick look."""
        raise NotImplementedError

    def shorter(self, value: gast.expr) -> gast.expr | None:
        """A shorter expression for the same; None if there is none."""
        raise NotImplementedError

    def is_noted(self, value: gast.expr) -> bool:
        """Whether a name that is bound to an expression stands for it from there on."""
        raise NotImplementedError

    def shorten(self, body: list[gast.stmt]) -> bool:
        """Write a body shorter, in place; whether that changed anything."""
        self.found = {node for node in every_statement(body) if node.__class__ in _COMPUTING
                      and "lineno" not in node.__dict__ and self.may_shorten(node.value)}
        if self.found:
            self.asked = {name.id for node in self.found for name in names_in(node.value)}
            self.block(body)
        return self.changed

    def block(self, block: list[gast.stmt]) -> None:
        for node in block:
            if node.__class__ in COMPOUND:
                for inner in (node.body, node.orelse):
                    with self.values.inside(node):
                        self.block(inner)
                continue
            if node in self.found:
                shorter = self.shorter(node.value)
                if shorter is not None:
                    node.value, self.changed = shorter, True
                    self.values.mentions.rewritten(node)
            name: Any = bound_name(node)
            if name not in self.asked or not self.is_noted(node.value):
                self.values.passed(node)
            else:
                self.short_for.note(node, name, self.values.mentions[node].reads)


_COMPUTING = frozenset({gast.Assign, gast.AugAssign})
