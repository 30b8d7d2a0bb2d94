"""Expressions that choose what is evaluated, as statements in front of the one they stand in:
conditional expressions, `and` and `or`, chains of comparisons; and walruses, which bind.

    y = f(a) if a > 0 else b            if a > 0:
                                            t = f(a)
                                        else:
                                            t = b
                                        y = t
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.operands import at, is_held, operands, put
from tangent_lite.analyses.short_forms import (
    calls_others,
    has_short_form,
    is_boolean,
    moves,
    stops_early,
)
from tangent_lite.structures.by_position import ByPosition
from tangent_lite.syntax import assign, load, store


class Choices(ByPosition):
    """The part of a pass that writes expressions that choose; `place` is where what is added in
    front of the statement stands for."""

    place: Any

    def test(self, node: gast.expr) -> gast.expr:
        """A condition: only its truth counts, so `and`, `or` and `not` may stay."""
        if isinstance(node, gast.BoolOp) and not any(map(moves, node.values[1:])):
            first = node.values[0]
            if calls_others(first):             # it is always computed, and so may be looked at
                node.values[0] = self.temporary("t", self.expression(first))
            node.values = [self.test(v) for v in node.values]
            return node
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            node.operand = self.test(node.operand)
            return node
        return self.expression(node)

    def expression(self, node: gast.expr) -> gast.expr:
        """The expression with its short forms moved in front of the statement."""
        if isinstance(node, gast.NamedExpr):
            value = self.expression(node.value)
            self.add(gast.Assign([store(node.target.id)], value, None))
            return gast.copy_location(load(node.target.id), node)
        if isinstance(node, gast.IfExp):
            return self.choose(node, self.names.fresh("t"))
        if stops_early(node):
            return self.chain(node)
        if isinstance(node, gast.BoolOp):
            if is_boolean(node) and not any(map(has_short_form, node.values)) \
                    and not any(map(calls_others, node.values[1:])):
                if calls_others(node.values[0]):
                    node.values[0] = self.temporary("t", self.expression(node.values[0]))
                return node
            return self.short_circuit(node)
        if isinstance(node, (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp,
                             gast.GeneratorExp)):
            return node
        if not has_short_form(node):
            return node
        # What is evaluated before a part that moves in front of the statement moves there first.
        spots = operands(node)
        moves = [has_short_form(at(*spot)) for spot in spots]
        binds = {n.target.id for n in syntax.walk(node) if isinstance(n, gast.NamedExpr)
                 and not is_held(n)}
        for number, (owner, key) in enumerate(spots):
            part = self.expression(at(owner, key))
            path = owner is node and key == "func"
            stays = isinstance(part, gast.Constant) or (
                isinstance(part, gast.Name) and part.id not in binds)
            if any(moves[number + 1:]) and not path and not stays:
                part = self.temporary("t", part)
            put(owner, key, part)
        return node

    def choose(self, node: gast.IfExp, name: str) -> gast.expr:
        """Bind a name to one of two values."""
        test = self.test(node.test)
        branches = []
        place = self.place
        for value in (node.body, node.orelse):
            outer, self.out = self.out, []
            if isinstance(value, gast.IfExp):
                self.choose(value, name)
            elif isinstance(value, gast.Name) and value.id == name:
                self.add(gast.Pass())                   # `x = e if c else x`
            else:
                self.add(assign(name, self.expression(value)))
            self.place = place
            branches.append(self.out)
            self.out = outer
        self.add(gast.If(test, *branches))
        return gast.copy_location(load(name), node)

    def short_circuit(self, node: gast.BoolOp) -> gast.expr:
        name = self.names.fresh("t")
        place = self.place
        self.add(assign(name, self.expression(node.values[0])))
        for value in node.values[1:]:
            outer, self.out = self.out, []
            self.add(assign(name, self.expression(value)))
            self.place = place
            inner, self.out = self.out, outer
            test: gast.expr = load(name)
            if isinstance(node.op, gast.Or):
                test = gast.UnaryOp(gast.Not(), test)
            self.add(gast.If(test, inner, []))
        return gast.copy_location(load(name), node)

    def chain(self, node: gast.Compare) -> gast.expr:
        """`a() < b() < c()`: c is called only if a() < b()."""
        name = self.names.fresh("t")
        place, start = self.place, self.out
        left = self.temporary("t", self.expression(node.left))
        last = len(node.ops) - 1
        for number, (operator, right) in enumerate(zip(node.ops, node.comparators)):
            right = self.expression(right)
            if number < last:
                right = self.temporary("t", right)
            self.add(assign(name, gast.Compare(left, [operator], [right])))
            if number < last:
                inside: list[gast.stmt] = []
                self.add(gast.If(load(name), inside, []))
                self.out, self.place = inside, place
                left = syntax.copy(right)
        self.out = start
        return gast.copy_location(load(name), node)
