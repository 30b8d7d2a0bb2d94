"""Places in lists of lists, `rows[i][j]`, and items that change places: one index of one list.

The passes know what changes by a name and an index. An element of a list of lists has both as
soon as its two indices are one: inside the compiler that is a tuple with a mark, which no list of
Python's takes as an index, and in what is written it is two indices again. Two items that change
places are `xs[i, j] = xs[j, i]` in this way: the list holds what it held.

>>> from tangent_lite.emit import emit_expression
>>> spot = syntax.subscript(syntax.load("rows"), joined(syntax.load("i"), syntax.load("j")))
>>> emit_expression(spot), emit_expression(written_out([gast.Expr(spot)])[0].value)
('rows[i, j]', 'rows[i][j]')
>>> emit_expression(written_out([swap("xs", syntax.load("i"), syntax.load("j"))])[0].value)
'(xs[j], xs[i])'
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax


def joined(first: gast.expr, second: gast.expr) -> gast.Tuple:
    """The index of `rows[first][second]`; each of them may be such an index itself."""
    index = gast.Tuple([*places(first), *places(second)], gast.Load())
    index.is_nested = True
    return index


def is_nested(index: Any) -> bool:
    """Whether an index goes into lists in a list."""
    return getattr(index, "is_nested", False)


def places(index: gast.expr) -> list[gast.expr]:
    """The indices one after the other, the outermost list's first."""
    return index.elts if isinstance(index, gast.Tuple) and is_nested(index) else [index]


def swap(name: str, first: gast.expr, second: gast.expr) -> gast.Assign:
    """The statement that lets two items of a list change places."""
    return gast.Assign([gast.Subscript(syntax.load(name), _both(first, second), gast.Store())],
                       gast.Subscript(syntax.load(name), _both(second, first), gast.Load()), None)


def _both(first: gast.expr, second: gast.expr) -> gast.Tuple:
    index = gast.Tuple([syntax.copy(first), syntax.copy(second)], gast.Load())
    index.is_swap = True
    return index


def is_swap(index: Any) -> bool:
    """Whether an index is that of two items that change places."""
    return getattr(index, "is_swap", False)


def written_out(body: list[gast.stmt]) -> list[gast.stmt]:
    """The statements with one index for each list, as Python has it; changed in place."""
    for node in body:
        for one in syntax.all_of(node, gast.Assign):
            if isinstance(one.targets[0], gast.Subscript) and is_swap(one.targets[0].slice):
                one.targets[0] = _items(one.targets[0], gast.Store())
                one.value = _items(one.value, gast.Load())
        for part in syntax.all_of(node, gast.Subscript):
            if is_nested(part.slice):
                *outer, part.slice = part.slice.elts
                for index in outer:
                    part.value = syntax.copy_place(syntax.subscript(part.value, index), part)
    return body


def _items(both: gast.Subscript, ctx: gast.expr_context) -> gast.Tuple:
    """`xs[i], xs[j]`, of the index that stands for both."""
    return syntax.copy_place(gast.Tuple([syntax.copy_place(gast.Subscript(
        syntax.copy(both.value), index, ctx), both) for index in both.slice.elts], ctx), both)
