"""What names mean where loops are written, and how many axes an expression about arrays has.

A rank is the number of loops inside each other; `numba_loop_parts` says what the elements are.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.backends import numba_words as words

NUMBER: Any = object()          # what is known of a name that means a number


class ByStatement(Exception):
    """A statement that stays as it is."""


class NextLoop(Exception):
    """A statement that does not go into the loop that is open."""


@dataclass(eq=False)
class Places:
    """A name that means an array of ints: a vector of them is an index of rows."""
    rank: int


@dataclass(eq=False)
class Array:
    """An array of floats, or what would be one.

    owner: the name that holds it; stored: whether there is an array; element: of what a loop
    computes, the name of one element in there; access: the expression it is read by, of a part of
    an array that nobody needs as an array; sizes: names of its shape, where it is gone.
    view: the expression that it was made by, if that is a part with an axis of one item more.
    origin: "given" as an argument, "fresh" if it was made here, else "other" (it may be a view).
    thin: axes that have one item, as a sum with keepdims leaves them: they are stretched.
    may_have_steps: whether its elements may lie further apart than those of an array in order.
    """
    rank: int
    owner: str
    stored: bool = True
    element: str = ""
    access: gast.expr | None = None
    view: gast.expr | None = None
    sizes: list[str] = field(default_factory=list)
    origin: str = "other"
    is_mutable: bool = True
    thin: frozenset[int] = frozenset()
    may_have_steps: bool = False


class Ranks:
    """The ranks of expressions, whose names mean what `writer` knows of them."""

    writer: Any

    def rank_of(self, node: gast.expr) -> int:
        """How many axes the value of an expression has."""
        if isinstance(node, gast.Constant):
            if isinstance(node.value, (int, float)):
                return 0
            raise ByStatement
        if isinstance(node, gast.Name):
            known = self.writer.known(node.id)
            if known is NUMBER:
                return 0
            return known.rank
        if isinstance(node, gast.BinOp):
            ranks = self.rank_of(node.left), self.rank_of(node.right)
            if isinstance(node.op, gast.MatMult):
                return self._rank_of_product(ranks)
            return max(ranks)
        if isinstance(node, gast.UnaryOp):
            return self.rank_of(node.operand)
        if isinstance(node, gast.Attribute):
            return self._rank_of_attribute(node)
        if isinstance(node, gast.Subscript):
            return self._rank_of_part(node)
        if isinstance(node, gast.Call):
            return self._rank_of_call(node)
        raise ByStatement

    def _rank_of_product(self, ranks: tuple[int, int]) -> int:
        if 0 in ranks or max(ranks) > 2:
            raise ByStatement
        return sum(ranks) - 2

    def _rank_of_attribute(self, node: gast.Attribute) -> int:
        if node.attr == "size" and isinstance(node.value, gast.Name) \
                and isinstance(self.writer.known(node.value.id), Array):
            return 0
        raise ByStatement

    def _rank_of_part(self, node: gast.Subscript) -> int:
        base = node.value
        if isinstance(base, gast.Attribute) and base.attr == "shape":
            self.rank_of(syntax.attribute(base.value, "size"))
            if isinstance(node.slice, gast.Constant):
                return 0
            raise ByStatement
        if not isinstance(base, gast.Name):
            raise ByStatement
        parts = syntax.shown_parts(node.slice)
        if self.is_place(node):
            return 0
        known = self.writer.known(base.id)
        if not isinstance(known, Array):
            raise ByStatement
        rank = known.rank
        for part in parts:
            if isinstance(part, gast.Slice):
                continue
            if isinstance(part, gast.Constant) and part.value is None:
                rank += 1
            elif isinstance(part, gast.Name) and self.writer.means_places(part.id):
                if len(parts) > 1:
                    raise ByStatement
            elif self.rank_of(part) == 0:
                rank -= 1
            else:
                raise ByStatement
        return rank

    def is_place(self, node: gast.Subscript) -> bool:
        """Whether a part is an int of an array of ints: `users[t]`, `edges[k, 0]`."""
        parts = syntax.shown_parts(node.slice)
        return isinstance(node.value, gast.Name) \
            and self.writer.rank_of_places(node.value.id) == len(parts) and not any(
                isinstance(part, gast.Slice)
                or (isinstance(part, gast.Constant) and part.value is None)
                or (isinstance(part, gast.Name) and self.writer.means_places(part.id))
                for part in parts) and all(self.rank_of(part) == 0 for part in parts)

    def _rank_of_call(self, node: gast.Call) -> int:
        function = self.writer.means(node.func)
        if function in words.ELEMENTWISE:
            if node.keywords or len(node.args) != words.ELEMENTWISE[function]:
                raise ByStatement
            return max(map(self.rank_of, node.args))
        if function is words.WHERE:
            if not isinstance(node.args[0], gast.Compare) or len(node.args) != 3:
                raise ByStatement
            test = node.args[0]
            return max(map(self.rank_of, [test.left, *test.comparators, *node.args[1:]]))
        if function in (words.UNBROADCAST, words.UNREDUCE):
            self.rank_of(node.args[0])
            return self.rank_of(node.args[1])
        if function is words.BROADCAST:
            return max(map(self.rank_of, node.args))
        if function in words.ZEROS:
            return self.rank_of(node.args[0])
        if function is words.APART:
            return self.rank_of(node.args[0])
        if function is words.SUM:
            axis = axis_of(node)
            rank = self.rank_of(node.args[0])
            return 0 if axis is None else rank - 1
        if function in words.DOTS:
            return self._rank_of_product((self.rank_of(node.args[0]), self.rank_of(node.args[1])))
        raise ByStatement


def axis_of(node: gast.Call, position: int = 1) -> int | None:
    """The axis that a call names, None for all; ByStatement for several, and for keepdims."""
    given = dict(enumerate(node.args))
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    keepdims = named.get("keepdims") or given.get(position + 1)
    if (keepdims is not None and not (isinstance(keepdims, gast.Constant)
                                      and keepdims.value is False)) \
            or set(named) - {"axis", "keepdims"}:
        raise ByStatement
    axis = named.get("axis") or given.get(position)
    if axis is None or (isinstance(axis, gast.Constant) and axis.value is None):
        return None
    found = syntax.constant_int(axis)
    if found is None:
        raise ByStatement
    return found
