"""Sums of whole numbers, as indices and the ends of ranges are made of them: `i - 1`, `n - i + 2`.

Two of them can be subtracted, which says whether one is always the larger.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import syntax


@dataclass
class Sum:
    """number plus, for each term, how often it is added; the terms are names and products."""
    number: int = 0
    terms: dict[Any, tuple[int, gast.expr]] = field(default_factory=dict)

    @classmethod
    def of(cls, node: gast.expr, times: int = 1) -> Sum:
        """The sum that an expression is; what is no sum is one term."""
        found = syntax.constant_int(node)
        if found is not None:
            return cls(times * found)
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            return cls.of(node.operand, -times)
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)):
            sign = 1 if isinstance(node.op, gast.Add) else -1
            return cls.of(node.left, times).plus(cls.of(node.right, times * sign))
        return cls(0, {syntax.key(node): (times, node)})

    def plus(self, other: Sum, times: int = 1) -> Sum:
        """This and another one, which is added so many times."""
        terms = dict(self.terms)
        for key, (count, node) in other.terms.items():
            total = terms.get(key, (0, node))[0] + times * count
            if total:
                terms[key] = total, node
            else:
                terms.pop(key, None)
        return Sum(self.number + times * other.number, terms)

    def without(self, name: str) -> tuple[int, Sum]:
        """How often a name is added, and what is left without it."""
        key = syntax.key(syntax.load(name))
        return self.terms.get(key, (0, None))[0], Sum(
            self.number, {one: term for one, term in self.terms.items() if one != key})

    def names(self) -> set[str]:
        """The names that it is made of."""
        return {name for _, node in self.terms.values() for name in syntax.read_names(node)}

    def written(self) -> gast.expr:
        """The expression, what is added in front of what is subtracted."""
        parts = sorted(self.terms.values(), key=lambda term: term[0] < 0)
        found: gast.expr | None = None
        for count, node in parts:
            part = syntax.copy(node) if abs(count) == 1 else syntax.binary(
                syntax.constant(abs(count)), "*", syntax.copy(node))
            if found is None:
                found = part if count > 0 else syntax.minus(part)
            else:
                found = syntax.binary(found, "+" if count > 0 else "-", part)
        if found is None:
            return number_node(self.number)
        if not self.number:
            return found
        return syntax.binary(found, "+" if self.number > 0 else "-",
                             syntax.constant(abs(self.number)))


def number_node(number: int) -> gast.expr:
    """A whole number as it is written."""
    return syntax.constant(number) if number >= 0 else syntax.minus(syntax.constant(-number))


def plus(node: gast.expr, number: int) -> gast.expr:
    """An expression and a number, with one number."""
    return folded(syntax.binary(syntax.copy(node), "+" if number > 0 else "-",
                                syntax.constant(abs(number))))


def is_negative(node: gast.expr) -> bool:
    """Whether an index is a number below zero."""
    rest, number = split(node)
    return rest is None and number < 0


def folded(node: gast.expr) -> gast.expr:
    """A sum of something and whole numbers, with one number."""
    rest, number = split(node)
    if rest is None:
        return number_node(number)
    if not number:
        return rest
    return syntax.binary(rest, "+" if number > 0 else "-", syntax.constant(abs(number)))


def split(node: gast.expr) -> tuple[gast.expr | None, int]:
    """What is left of a sum without its whole numbers, and these."""
    if isinstance(node, gast.Constant) and type(node.value) is int:
        return None, node.value
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) \
            and isinstance(node.operand, gast.Constant) and type(node.operand.value) is int:
        return None, -node.operand.value
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)):
        right, number = split(node.right)
        left, more = split(node.left)
        sign = 1 if isinstance(node.op, gast.Add) else -1
        if right is None:
            return left, more + sign * number
        if left is None and sign == 1:
            return right, more + number
        if left is not None:
            return gast.BinOp(left, node.op, right), more + sign * number
    return node, 0
