"""What a step multiplies an adjoint by, formed before the adjoint is there.

    brx = bx * t                            brx = bx * t
    bx = -bx * rx + brx * r         =>      bx = bx * (-rx + t * r)
    br += brx * x                           br += brx * x

Each step of the loop that goes back waits for the adjoint of the step before it: for two products
and a sum on the left, for one product on the right. The rest does not wait, and the processor does
it in the meantime. That is what one writes by hand, the slope of the step, and what tools do that
form the derivative of a statement first.

It is done for adjoints, never for values of the user's function, whose last digits are its own.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax

MOST = 60                       # parts of an expression that are looked at


def form_factors(tree: gast.FunctionDef, names_of_user: set[str],
                 meant: Callable[[gast.expr], Any]) -> None:
    """Rewrite the loops of a function in place.

    names_of_user: the names that are no adjoints; meant: the function that an expression names.
    """
    for node in syntax.statements(tree.body):
        if isinstance(node, (gast.For, gast.While)) and _writes_nothing(node, meant):
            _Loop(node).rewrite(names_of_user)


def _writes_nothing(loop: gast.For | gast.While, meant: Callable[[gast.expr], Any]) -> bool:
    """Whether a loop binds names and uses tapes only: what names mean does not change otherwise."""
    for node in syntax.walk(loop):
        if isinstance(node, (gast.Subscript, gast.Attribute)) \
                and not isinstance(node.ctx, gast.Load):
            return False
        if isinstance(node, gast.Call):
            function = node.func
            if isinstance(function, gast.Attribute) and function.attr in ("append", "pop") \
                    and isinstance(function.value, gast.Name):
                continue
            if isinstance(function, gast.Name) and function.id in ("range", "abs"):
                continue
            if not getattr(meant(function), "__name__", "").startswith("math_"):
                return False
    return True


class _Loop:
    """One loop: which names are bound once in it, and where."""

    def __init__(self, loop: gast.For | gast.While) -> None:
        self.body = loop.body
        self.counts: dict[str, int] = {}
        for node in syntax.walk(loop):
            if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
                self.counts[node.id] = self.counts.get(node.id, 0) + 1
        self.at: dict[str, int] = {}            # what is bound once, by a statement of the loop
        self.values: dict[str, gast.expr] = {}
        for number, node in enumerate(loop.body):
            for target in node.targets if isinstance(node, gast.Assign) else ():
                for name in syntax.bound_names(target):
                    if self.counts[name] == 1:
                        self.at[name] = number
                        if isinstance(target, gast.Name):
                            self.values[name] = node.value

    def rewrite(self, names_of_user: set[str]) -> None:
        for name in [one for one in self.values if one not in names_of_user]:
            # It is bound once, so who reads it before that reads what the step before has left.
            self.adjoint, self.sums, self.looks = name, 0, 0
            factor = self.factor_of(self.values[name], self.at[name])
            if factor is not None and self.sums:
                statement: Any = self.body[self.at[name]]
                statement.value = syntax.binary(syntax.load(name), "*", factor)
                self.values[name] = statement.value

    def is_steady(self, node: gast.expr, before: int) -> bool:
        """Whether an expression of names and numbers, without the adjoint, means the same at all
        statements from one on."""
        if isinstance(node, gast.Constant):
            return type(node.value) in (int, float)
        if isinstance(node, gast.Name):
            return node.id != self.adjoint and (
                node.id not in self.counts or self.at.get(node.id, before) < before) \
                and not self.depends(node.id)
        if isinstance(node, gast.UnaryOp):
            return isinstance(node.op, gast.USub) and self.is_steady(node.operand, before)
        return isinstance(node, gast.BinOp) and isinstance(
            node.op, (gast.Add, gast.Sub, gast.Mult)) \
            and self.is_steady(node.left, before) and self.is_steady(node.right, before)

    def depends(self, name: str) -> bool:
        """Whether what a name of the loop is bound to is made of the adjoint."""
        seen: set[str] = set()
        todo = [name]
        while todo:
            one = todo.pop()
            if one in seen or one not in self.values:
                continue
            seen.add(one)
            reads = syntax.read_names(self.values[one])
            if self.adjoint in reads:
                return True
            todo += reads
        return False

    def factor_of(self, node: gast.expr, before: int) -> gast.expr | None:
        """What an expression is, divided by the adjoint; None where it is no multiple of it, or
        where that is long: what several terms share would be written out for each."""
        self.looks += 1
        if self.looks > MOST:
            return None
        if isinstance(node, gast.Name):
            if node.id == self.adjoint:
                return gast.Constant(1.0, None)
            at = self.at.get(node.id, before)
            if node.id in self.values and at < before:
                return self.factor_of(self.values[node.id], at)
            return None
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            inner = self.factor_of(node.operand, before)
            return None if inner is None else syntax.minus(inner)
        if not isinstance(node, gast.BinOp):
            return None
        if isinstance(node.op, gast.Mult):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                factor = self.factor_of(one, before) if self.is_steady(other, before) else None
                if factor is not None:
                    return syntax.copy(other) if _is_one(factor) else \
                        syntax.binary(factor, "*", syntax.copy(other))
        if isinstance(node.op, (gast.Add, gast.Sub)):
            left, right = (self.factor_of(one, before) for one in (node.left, node.right))
            if left is not None and right is not None:
                self.sums += 1
                return gast.BinOp(left, node.op, right)
        return None


def _is_one(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value == 1.0
