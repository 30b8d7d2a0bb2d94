"""Expressions about arrays, said of one element: what a loop of `numba_loops` has in its body.

A `Draft` is what one statement adds to a loop. It is made apart from the loop, so that a statement
that turns out to need a loop of its own, or none, leaves nothing behind.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.backends import numba_words as words
from tangent_lite.backends.numba_loop_ranks import (
    NUMBER,
    Array,
    ByStatement,
    NextLoop,
    Ranks,
    axis_of,
)
from tangent_lite.emit import emit_expression

_OPERATORS = {gast.Add: "+", gast.Sub: "-", gast.Mult: "*"}


class Draft(Ranks):
    """What a statement adds to a loop.

    writer: knows what names mean; indices: names of the places in the loop, one for each of its
    axes; sizes: how far they go. reads, writes: the places of arrays by their owners.
    """

    def __init__(self, writer: Any, rank: int, number: int) -> None:
        self.writer, self.rank = writer, rank
        self.indices = [writer.word(f"i{number}_{k}") for k in range(rank)]
        self.sizes: list[list[str]] = [[] for _ in range(rank)]
        self.before: list[str] = []             # in front of everything: places, lengths
        self.hoisted: list[str] = []            # in front of the loops
        self.rows: list[str] = []               # for each step of the outer loop
        self.inner: list[str] = []
        self.row_ends: list[str] = []
        self.behind: list[str] = []             # behind the loops
        self.allocated: list[str] = []
        self.made: list[Array] = []
        self.pending: list[str] = []            # names of numbers that are known behind the loops
        self.reads: list[tuple[Array, str]] = []
        self.writes: list[tuple[Array, str]] = []
        self.names: set[str] = set()            # that the loop reads, and so may not change
        self.early_names: dict[str, str] = {}
        self.is_full = False                    # it reads what has the shape of the loop
        self.tests: dict[str, None] = {}        # what else has to hold for the loop

    # Elements ---------------------------------------------------------------------------------
    def element(self, node: gast.expr, index: list[str]) -> str:
        """An expression for one element; index: its place on each axis."""
        if not index:
            return self.number(node)
        if isinstance(node, gast.Name):
            return self._of_array(self.writer.known(node.id), index)
        if isinstance(node, gast.BinOp):
            return self._of_operation(node, index)
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            return f"(-{self.element(node.operand, index)})"
        if isinstance(node, gast.Subscript):
            return self.part(node, index)
        if isinstance(node, gast.Call):
            return self._of_call(node, index)
        raise ByStatement

    def stretched(self, node: gast.expr, index: list[str]) -> str:
        """The same of an operand, which may have fewer axes."""
        rank = self.rank_of(node)
        if 0 < rank < self.rank and any(isinstance(p, gast.Call) for p in gast.walk(node)):
            raise ByStatement               # it would be computed again and again
        return self.element(node, index[len(index) - rank:])

    def _of_array(self, array: Array, index: list[str]) -> str:
        if array.stored and array.view is not None:
            return self.element(array.view, index)
        if array.stored:
            self.spans_array(array, index)
            place = ", ".join("0" if axis in array.thin else i for axis, i in enumerate(index))
            self.reads.append((array, place))
            return f"{self.writer.word('item')}({array.owner}, {place})"
        if array.element:
            if index != self.indices:
                raise NextLoop
            self.is_full = True
            return array.element
        if array.access is not None:
            return self.element(array.access, index)
        raise NextLoop                      # known behind the loop

    def _of_operation(self, node: gast.BinOp, index: list[str]) -> str:
        if isinstance(node.op, gast.MatMult):
            raise ByStatement
        left = self.stretched(node.left, index)
        if isinstance(node.op, gast.Pow):
            power = node.right.value if isinstance(node.right, gast.Constant) else None
            if not isinstance(power, (int, float)):
                raise ByStatement
            if power == 2:
                return f"{self.writer.word('square')}({left})"
            return f"{self.writer.word('power')}({left}, {float(power)!r})"
        right = self.stretched(node.right, index)
        if isinstance(node.op, gast.Div):
            return f"{self.writer.word('divide')}({left}, {right})"
        operator = _OPERATORS.get(type(node.op))
        if operator is None:
            raise ByStatement
        return f"({left} {operator} {right})"

    def _of_call(self, node: gast.Call, index: list[str]) -> str:
        function = self.writer.means(node.func)
        if function in words.ELEMENTWISE:
            args = [self.stretched(a, index) for a in node.args]
            # Python's ints would be another kind of number than the array's elements.
            args = [f"{float(a.value)!r}" if isinstance(a, gast.Constant) else text
                    for a, text in zip(node.args, args)]
            quick = None if self.writer.is_fast else words.QUICK.get(function)
            name = self.writer.word(quick) if quick else emit_expression(node.func)
            return f"{name}({', '.join(args)})"
        if function is words.WHERE:
            return self._of_choice(node, index)
        if function is words.APART:
            return self.element(node.args[0], index)
        if function in words.ZEROS:
            self.has_shape(node.args[0], index)
            return "0.0"
        if function is words.UNBROADCAST:
            rank = self.rank_of(node.args[0])
            if rank not in (0, len(index)):
                raise ByStatement
            self.has_shape(node.args[1], index)
            return self.element(node.args[0], index if rank else [])
        if function is words.UNREDUCE:
            return self._of_spread(node, index)
        raise ByStatement

    def _of_choice(self, node: gast.Call, index: list[str]) -> str:
        test: Any = node.args[0]
        if len(test.ops) != 1:
            raise ByStatement
        sides = [self.stretched(p, index) for p in (test.left, test.comparators[0])]
        operator = {gast.Lt: "<", gast.LtE: "<=", gast.Gt: ">", gast.GtE: ">=", gast.Eq: "==",
                    gast.NotEq: "!="}.get(type(test.ops[0]))
        if operator is None:
            raise ByStatement
        chosen = [f"{self.writer.word('real')}({self.stretched(p, index)})" for p in node.args[1:]]
        return f"({chosen[0]} if {sides[0]} {operator} {sides[1]} else {chosen[1]})"

    def _of_spread(self, node: gast.Call, index: list[str]) -> str:
        axis = axis_of(node, 2)
        rank = self.rank_of(node.args[0])
        self.has_shape(node.args[1], index)
        if rank == 0:
            return self.number(node.args[0])
        if axis is None or rank != len(index) - 1 or not -len(index) <= axis < len(index):
            raise ByStatement
        axis %= len(index)
        return self.element(node.args[0], index[:axis] + index[axis + 1:])

    def has_shape(self, node: gast.expr, index: list[str]) -> None:
        """The loop goes as far as the shape of something says."""
        if isinstance(node, gast.Call) and self.writer.means(node.func) is words.BROADCAST:
            for one in node.args:
                known = self.writer.known(one.id)
                mine = index[len(index) - self.rank_of(one):]
                if known is not NUMBER and known.stored and known.thin:
                    self.spans_array(known, mine)
                elif mine:
                    self.has_shape(one, mine)
            return
        if isinstance(node, gast.Name):
            array = self.writer.known(node.id)
            if array is NUMBER:
                raise ByStatement
            if array.stored:
                if array.thin:
                    raise ByStatement           # smaller than the loop
                self.spans_array(array, index)
                return
            if array.sizes:
                for size, i in zip(array.sizes, index):
                    self.spans(i, size)
                return
        known, was_full = self.sizes, self.is_full
        self.sizes, self.is_full = [[] for _ in known], False
        self.element(node, index)
        found, has_all = self.sizes, self.is_full
        if not has_all and not all(found[self.indices.index(i)] for i in index):
            raise ByStatement                   # an axis of one item, made by None
        self.sizes, self.is_full = known, was_full or has_all
        for i, sizes in zip(self.indices, found):
            for size in sizes:
                self.spans(i, size)

    def spans_array(self, array: Array, index: list[str]) -> None:
        """The loop goes as far as an array, along the axes that are not stretched.

        That those have one item is what the text told (`numba_thin`), which does not know of
        `x[:, None] + v[:, None]` how many axes each has, nor of `x[:, 2:3]` whether it is empty.
        """
        self.names.add(array.owner)
        for axis, i in enumerate(index):
            size = f"{array.owner}.shape[{axis}]"
            if axis in array.thin:
                self.tests[f"{size} == 1"] = None
            else:
                self.spans(i, size)

    def spans(self, i: str, size: str) -> None:
        """A place of the loop goes up to a size."""
        if i in self.indices:
            known = self.sizes[self.indices.index(i)]
            if size not in known:
                known.append(size)

    # Numbers ----------------------------------------------------------------------------------
    def number(self, node: gast.expr) -> str:
        """A number that does not change in the loop: computed in front of it."""
        if isinstance(node, gast.Constant):
            return repr(node.value)
        self.names |= syntax.read_names(node)
        if isinstance(node, gast.Name):
            return node.id
        name = self.writer.fresh("number")
        self.hoisted.append(f"{name} = {emit_expression(self.plain_number(node))}")
        return name

    def plain_number(self, node: gast.expr) -> gast.expr:
        """An expression for a number with no array in it that is none."""
        draft = self

        class Plain(gast.NodeTransformer):
            def visit_Call(self, call: gast.Call) -> Any:
                if draft.writer.means(call.func) in (words.SUM, *words.DOTS, words.UNBROADCAST):
                    raise ByStatement
                return self.generic_visit(call)

            def visit_BinOp(self, operation: gast.BinOp) -> Any:
                if isinstance(operation.op, gast.MatMult):
                    raise ByStatement
                return self.generic_visit(operation)

            def visit_Subscript(self, part: gast.Subscript) -> Any:
                if isinstance(part.value, gast.Attribute):
                    return draft.size(part.value.value, part.slice.value, part)
                if draft.rank_of(part) != 0:
                    raise ByStatement
                if draft.is_place(part):
                    return self.generic_visit(part)
                array = draft.writer.known(part.value.id)
                if not array.stored:
                    raise NextLoop
                draft.reads.append((array, "one"))
                return self.generic_visit(part)

            def visit_Attribute(self, attribute: gast.Attribute) -> Any:
                if attribute.attr == "size" and isinstance(attribute.value, gast.Name):
                    return draft.size(attribute.value, None, attribute)
                return attribute

        return Plain().visit(syntax.copy(node))

    def size(self, node: Any, axis: int | None, whole: gast.expr) -> gast.expr:
        """`x.shape[axis]` or `x.size`, of an array that need not be there."""
        array = self.writer.known(node.id)
        if array.stored:
            return whole
        sizes = [syntax.load(name) for name in array.sizes]
        if not sizes:
            raise NextLoop
        if axis is not None:
            return sizes[axis]
        product: gast.expr = sizes[0]
        for one in sizes[1:]:
            product = syntax.binary(product, "*", one)
        return product

    # Parts of arrays --------------------------------------------------------------------------
    def part(self, node: gast.Subscript, index: list[str], writes: bool = False) -> str:
        """An element of a part of an array, `x[1:-1]`, `x[:, None]`, `U[users]`: read, or the text
        of where it lies."""
        if not isinstance(node.value, gast.Name):
            raise ByStatement
        array = self.writer.known(node.value.id)
        if not isinstance(array, Array) or self.rank_of(node) != len(index):
            raise ByStatement
        if not array.stored:
            raise NextLoop if array.access is None else ByStatement
        base = array.owner
        self.names |= {base} | syntax.read_names(node)
        places: list[str] = []
        left = list(index)
        for part in syntax.shown_parts(node.slice):
            axis = len(places)
            size = f"{base}.shape[{axis}]"
            if isinstance(part, gast.Slice):
                places.append(self._along(part, size, left.pop(0)))
            elif isinstance(part, gast.Constant) and part.value is None:
                left.pop(0)
            elif isinstance(part, gast.Name) and self.writer.means_places(part.id):
                places.append(self.row(part.id, size, left.pop(0)))
            else:
                places.append(self._fixed(part, size))
        for i in left:
            self.spans(i, f"{base}.shape[{len(places)}]")
            places.append(i)
        text = ", ".join(places)
        if writes:
            self.writes.append((array, text))
            return f"{base}, {{}}, {text}"
        self.reads.append((array, text))
        return f"{self.writer.word('item')}({base}, {text})"

    def _along(self, part: gast.Slice, size: str, i: str) -> str:
        """The place of an item of a slice."""
        step = 1 if part.step is None else syntax.constant_int(part.step)
        if not step:
            raise ByStatement
        if part.lower is None and part.upper is None and step == 1:
            self.spans(i, size)
            return i
        start = self._limit(part.lower, "0" if step > 0 else f"{size} - 1", "first_of",
                            [size, str(step)])
        if part.upper is None:
            length = self.early(f"{self.writer.word('length_to_end')}({start}, {size}, {step})")
        else:
            stop = self._bound(part.upper)
            length = self.early(
                f"{self.writer.word('length_from')}({start}, {stop}, {size}, {step})")
        self.spans(i, length)
        if start == "0" and step == 1:
            return i
        if step == 1:
            return f"{self.writer.word('shifted')}({start}, {i})"
        return f"{self.writer.word('stepped')}({start}, {i}, {step})"

    def _limit(self, node: gast.expr | None, default: str, function: str, more: list[str]) -> str:
        if node is None:
            return default if default == "0" else self.early(default)
        text = self._bound(node)
        return self.early(f"{self.writer.word(function)}({', '.join([text, *more])})")

    def _bound(self, node: gast.expr) -> str:
        """An expression for a limit of a slice, or an index: computed in front of the loop."""
        if self.rank_of(node) != 0:
            raise ByStatement
        return emit_expression(self.plain_number(node))

    def _fixed(self, part: gast.expr, size: str) -> str:
        return self.early(f"{self.writer.word('place')}({self._bound(part)}, {size})")

    def row(self, name: str, size: str, i: str) -> str:
        """The place of a row that a vector of ints names."""
        self.spans(i, f"{name}.shape[0]")
        self.names.add(name)
        text = f"{self.writer.word('place')}({self.writer.word('item')}({name}, {i}), {size})"
        if i != self.indices[0]:
            raise ByStatement               # a place out of bounds may not be looked at
        made = self.writer.fresh("row")
        (self.rows if self.rank > 1 else self.inner).append(f"{made} = {text}")
        return made

    def early(self, text: str) -> str:
        """A name for what is computed in front of everything."""
        made = self.writer.early_name(text) or self.early_names.get(text)
        if made is None:
            made = self.early_names[text] = self.writer.fresh("at")
            self.before.append(f"{made} = {text}")
        return made
