"""Places in lists of lists, `rows[i][j]`, and items that change places: one index of one list.

The passes know what changes by a name and an index. An element of a list of lists has both as
soon as its two indices are one: inside the compiler that is a tuple with a mark, which no list of
Python's takes as an index, and in what is written it is two indices again. Two items that change
places are `xs[i, j] = xs[j, i]` in this way: the list holds what it held. And what is appended to
an item of a dict is written behind it, `groups[key,] = v`: the dict holds the lists that it held.

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
from tangent_lite.kinds import UNKNOWN, Array


def joined(first: gast.expr, second: gast.expr) -> gast.Tuple:
    """The index of `rows[first][second]`; each of them may be such an index itself."""
    index = gast.Tuple([*places(first), *places(second)], gast.Load())
    index.is_nested = True
    return index


MARKS = frozenset({"is_nested", "is_swap", "is_grown"})      # on indices


def is_nested(index: Any) -> bool:
    """Whether an index goes into lists in a list."""
    return getattr(index, "is_nested", False)


def places(index: gast.expr) -> list[gast.expr]:
    """The indices one after the other, the outermost list's first."""
    return index.elts if isinstance(index, gast.Tuple) and is_nested(index) else [index]


def container(kind: Any, index: Any) -> Any:
    """The kind of what the last index is one of; kind: of the outermost list."""
    for _ in places(index)[:-1]:
        kind = getattr(kind, "item", UNKNOWN)
    return kind


def put_at(kind: Any, index: Any) -> Any:
    """The kind of what a place holds, `:` all that its list does; kind: of the outermost list."""
    for one in places(index):
        kind = kind if syntax.is_colon(one) else getattr(kind, "item", UNKNOWN)
    return kind


def is_in_array(kind: Any, index: Any) -> bool:
    """Whether a place is a part of an array that a list holds; kind: of the list."""
    return is_nested(index) and isinstance(container(kind, index), Array)


def outer(spot: gast.Subscript) -> tuple[gast.expr, gast.expr]:
    """What the last index is one of, and that index: `rows[i]` and `j` of `rows[i, j]`."""
    owner = spot.value
    *first, last = places(spot.slice)
    for index in first:
        owner = syntax.copy_place(syntax.subscript(owner, index), spot)
    return owner, last


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


def grown(owner: gast.expr, key: gast.expr, value: gast.expr) -> gast.Assign:
    """The statement that appends a value to a list in a dict or in a list; key: where that is."""
    index = gast.Tuple([syntax.copy(key)], gast.Load())
    index.is_grown = True
    return gast.Assign([gast.Subscript(syntax.copy(owner), index, gast.Store())], value, None)


def is_grown(index: Any) -> bool:
    """Whether an index is the place behind the last item of a list in a dict or in a list."""
    return getattr(index, "is_grown", False)


def levels(index: gast.expr) -> int:
    """How many containers lie around the one in which an index is the place of an item."""
    return len(places(index.elts[0])) if is_grown(index) else len(places(index)) - 1


def written_out(body: list[gast.stmt]) -> list[gast.stmt]:
    """The statements with one index for each list, as Python has it; changed in place."""
    for block in syntax.blocks_in(body):
        block[:] = [_appended(node) for node in block]
    for node in body:
        if not syntax.all_of(node, gast.Subscript):
            continue
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


def _appended(node: gast.stmt) -> gast.stmt:
    """`groups[key].append(v)`, of the write that stands for it."""
    target = node.targets[0] if isinstance(node, gast.Assign) else None
    if not isinstance(target, gast.Subscript) or not is_grown(target.slice):
        return node
    spot = syntax.subscript(target.value, target.slice.elts[0])
    return syntax.copy_place(syntax.statement(syntax.method(spot, "append", node.value)), node)
