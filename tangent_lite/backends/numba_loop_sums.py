"""Sums in loops: over all elements, which give numbers, and over rows or columns.

A sum with keepdims, and what `unbroadcast` makes of a matrix for one, is made as a vector: its axis
of one item is stretched wherever it is read.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.backends import numba_words
from tangent_lite.backends.numba_loop_ranks import (
    NUMBER,
    Array,
    ByStatement,
    NextLoop,
    axis_of,
)
from tangent_lite.backends.numba_loop_writing import LoopWriter
from tangent_lite.backends.numba_thin import kept_axis
from tangent_lite.emit import emit_expression


def _at(axis: int, part: gast.expr) -> gast.expr:
    """`[:, part]` for the second axis, `[part, :]` for the first."""
    whole = gast.Slice(None, None, None)
    return gast.Tuple([whole, part] if axis else [part, whole], gast.Load())


class SumWriter(LoopWriter):
    """What statements with sums add to a loop."""

    def is_joined(self, node: gast.stmt) -> bool:
        """Put a statement into the loop that is open, or into the next; whether that is done."""
        raise NotImplementedError           # where all kinds of statements are known

    # Rows and columns -------------------------------------------------------------------------
    def summing(self, node: gast.stmt, name: str, value: gast.expr, axis: int,
                like: gast.expr | None = None) -> None:
        """`name = np.sum(value, axis)` of a matrix, or what `unbroadcast` makes of it.

        like: what has the shape of the sum: a vector, or the name of a matrix with that axis thin.
        """
        draft = self.draft(2)
        if draft.rank_of(value) != 2 or not -2 <= axis < 2:
            raise ByStatement
        row, column = draft.indices
        text = draft.element(value, draft.indices)
        if like is not None and draft.rank_of(like) == 2:
            draft.spans_array(self.known(like.id), draft.indices)
        elif like is not None:
            draft.has_shape(like, [column])
        made = Array(1, self.fresh(name), stored=False, origin="fresh")
        if axis % 2:
            total = self.fresh("total")
            draft.rows.append(f"{total} = 0.0")
            draft.inner.append(f"{total} += {text}")
            draft.row_ends.append(f"{self.word('put')}({made.owner}, {total}, {row})")
            draft.allocated.append(f"{made.owner} = {self.word('empty')}({{0}})")
        else:
            draft.inner.append(f"{self.word('put')}({made.owner}, {self.word('item')}("
                               f"{made.owner}, {column}) + {text}, {column})")
            draft.allocated.append(f"{made.owner} = {self.word('zeros')}({{1}})")
        draft.made.append(made)
        self.join(draft, node)
        self.bind(name, made)

    def summed_like(self, node: gast.stmt, name: str, call: gast.Call) -> None:
        """`name = unbroadcast(value, like)[:, 0]`, where like has one item on that axis."""
        if self.means(call.func) is not numba_words.UNBROADCAST \
                or not isinstance(call.args[1], gast.Name):
            raise ByStatement
        like = self.known(call.args[1].id)
        if like is NUMBER or not like.stored or len(like.thin) != 1:
            raise ByStatement
        self.summing(node, name, call.args[0], min(like.thin), call.args[1])

    def in_vectors(self, node: Any) -> bool:
        """`s = np.sum(x, axis=1, keepdims=True)` and `bs = unbroadcast(bx, s)`: a matrix of one
        column, or of one row, is made as a vector; whether it is one."""
        try:
            found = self.as_vector(node)
        except (ByStatement, NextLoop):
            return False
        if found is None:
            return False
        vector, axis = found
        name, part = node.targets[0].id, self.fresh("part")
        first = syntax.assign(part, vector)
        self.families[id(first)] = self.families.get(id(node))
        self.kept.add(part)
        if not self.is_joined(first):
            return False
        self.close()
        shape = f"{part}.size, 1" if axis else f"1, {part}.size"
        view = syntax.subscript(syntax.load(part), _at(axis, syntax.constant(None)))
        self.line(name, f"{name} = {part}.reshape(({shape}))",
                  Array(2, name, origin="fresh", view=view, thin=frozenset({axis})))
        return True

    def as_vector(self, node: Any) -> tuple[gast.expr, int] | None:
        """The vector, and the axis of one item, of a statement that binds such a matrix."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name) \
                or not isinstance(node.value, gast.Call):
            return None
        call, function = node.value, self.means(node.value.func)
        axis = kept_axis(call, self.means)
        if axis is not None and function is numba_words.SUM:
            if self.draft(1).rank_of(call.args[0]) != 2 or not -2 <= axis < 2:
                return None
            vector = syntax.call(call.func, call.args[0])
            vector.keywords = [gast.keyword("axis", syntax.constant(axis % 2))]
            return vector, axis % 2
        if function is numba_words.UNBROADCAST and isinstance(call.args[1], gast.Name):
            like = self.known(call.args[1].id)
            if like is not NUMBER and like.rank == 2 and len(like.thin) == 1 \
                    and self.draft(1).rank_of(call.args[0]) == 2 \
                    and not self.is_thin(call.args[0]):
                axis = min(like.thin)
                return syntax.subscript(call, _at(axis, syntax.constant(0))), axis
        return None

    def is_thin(self, node: gast.expr) -> bool:
        """Whether all arrays of an expression have an axis of one item."""
        arrays = [self.env.get(name) for name in syntax.read_names(node)]
        return all(known.thin for known in arrays if isinstance(known, Array))

    # Numbers ----------------------------------------------------------------------------------
    def number(self, node: gast.stmt, name: str, operator: str | None, value: gast.expr) -> None:
        """`name = value` for numbers, with sums over arrays among them."""
        sums: list[tuple[str, gast.expr, gast.expr | None]] = []
        rest = self.without_sums(syntax.copy(value), sums)
        draft = self.draft(1)
        if not sums:
            plain = emit_expression(draft.plain_number(rest))
            self.settled([array for array, _ in draft.reads])
            self.line(name, f"{name} {operator or ''}= {plain}", NUMBER)
            return
        ranks = {max(draft.rank_of(one), draft.rank_of(other) if other is not None else 0)
                 for _, one, other in sums}
        if len(ranks) != 1:
            raise ByStatement
        draft = self.draft(ranks.pop())
        for total, one, other in sums:
            text = draft.element(one, draft.indices)
            if other is not None:
                text = f"{text} * {draft.element(other, draft.indices)}"
            draft.hoisted.append(f"{total} = 0.0")
            draft.inner.append(f"{total} += {text}")
        behind = emit_expression(draft.plain_number(rest))
        if any(place == "one" for _, place in draft.reads):
            raise ByStatement
        draft.names |= syntax.read_names(rest)
        draft.behind.append(f"{name} {operator or ''}= {behind}")
        draft.pending.append(name)
        self.join(draft, node)
        self.bind(name, NUMBER)

    def without_sums(self, node: gast.expr, sums: list[Any]) -> gast.expr:
        """An expression with names in place of the sums in it, which go to a list."""
        writer = self

        class Sums(gast.NodeTransformer):
            def visit_Call(self, call: gast.Call) -> Any:
                function = writer.means(call.func)
                draft = writer.draft(1)
                if function is numba_words.SUM:
                    rank = draft.rank_of(call.args[0])
                    axis = axis_of(call)
                    if rank > 0 and (axis is None or (rank == 1 and axis in (0, -1))):
                        return self.total(call.args[0], None)
                if function is numba_words.UNBROADCAST and draft.rank_of(call.args[1]) == 0 \
                        and draft.rank_of(call.args[0]) > 0:
                    return self.total(call.args[0], None)
                if function in numba_words.DOTS:
                    return self.product(call, call.args[0], call.args[1])
                return self.generic_visit(call)

            def visit_BinOp(self, operation: gast.BinOp) -> Any:
                if isinstance(operation.op, gast.MatMult):
                    return self.product(operation, operation.left, operation.right)
                return self.generic_visit(operation)

            def product(self, whole: Any, left: gast.expr, right: gast.expr) -> Any:
                draft = writer.draft(1)
                if (draft.rank_of(left), draft.rank_of(right)) != (1, 1):
                    raise ByStatement
                return self.total(left, right)

            def total(self, one: gast.expr, other: gast.expr | None) -> gast.expr:
                name = writer.fresh("total")
                writer.env[name] = NUMBER
                sums.append((name, one, other))
                return syntax.load(name)

        return Sums().visit(node)
