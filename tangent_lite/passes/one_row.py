"""An adjoint that is zero but in one row is made where that row ends, and not before.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, Array, new_shape
>>> tree = gast.parse('''
... def f(end, paths, logs, steps):
...     bpaths = np.zeros_like(paths)
...     bpaths[-1] += end[-1]
...     blogs = 100.0 * bpaths * logs
...     bsteps = uncumsum(blogs, steps, 0)
...     return np.sum(bsteps * steps)
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> matrix = Array(2, "float", new_shape())
>>> known = {**dict.fromkeys(["bpaths", "paths", "blogs", "logs", "bsteps", "steps"], matrix),
...          "end": matrix}
>>> memory = SameMemory(tree.body, ["end", "paths", "logs", "steps"],
...                     Typer({}, {"np": np, "uncumsum": uncumsum}.get), known)
>>> one_row(tree.body, memory, known, lambda thing, name: syntax.load(name))
>>> print(emit(tree), end="")
def f(end, paths, logs, steps):
    bpaths = end[-1]
    blogs = 100.0 * bpaths * logs[-1]
    bsteps = unreduce(blogs, steps, 0)
    return np.sum(bsteps * steps)

So it is where a function reads the end of what it computes, `paths[-1]`. Products and quotients are
taken of the row alone; the sum over all rows up to the last is the row itself, in each.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, runtime, syntax
from tangent_lite.analyses.mentions import Mentions
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.analyses.values import bound_name
from tangent_lite.kinds import Array, Kind, Number
from tangent_lite.runtime.reductions import cumprod_adjoint, products_of_others, uncumsum
from tangent_lite.syntax import COMPOUND, is_comment

# How emitted code spells an object.
External = Callable[[Any, str], gast.expr]


def one_row(body: list[gast.stmt], memory: SameMemory, adjoint_kinds: dict[str, Kind],
            external: External, mentions: Mentions | None = None) -> None:
    """Do so in a body, in place; memory: which names may hold the same, and kinds; adjoint_kinds:
    those of adjoints, which change here, as does what the statements mention."""
    rows = _Rows(body, memory, adjoint_kinds, external,
                 Mentions() if mentions is None else mentions)
    for block in syntax.blocks_in(body):
        number = 0
        while number + 1 < len(block):
            number += not rows.move(block, number)


class _Rows:
    def __init__(self, body: list[gast.stmt], memory: SameMemory, adjoint_kinds: dict[str, Kind],
                 external: External, mentions: Mentions) -> None:
        self.body, self.memory, self.external = body, memory, external
        self.mentions = mentions
        self.adjoint_kinds = adjoint_kinds

    def move(self, block: list[gast.stmt], number: int) -> bool:
        """Let the zeros of which a statement makes one row be made by the statement that reads
        them; whether they were."""
        name, like = self.zeros(block[number])
        if name is None or like is None:
            return False
        spot = next((i for i in range(number + 1, len(block)) if not is_comment(block[i])), None)
        put: Any = None if spot is None else block[spot]
        index = None if put is None else self.row(put, name, like)
        readers = [i for i in range(number + 1, len(block)) if i != spot
                   and any(n.id == name for n in syntax.names_in(block[i]))]
        if spot is None or index is None or not readers or readers[0] < spot:
            return False
        count = sum(n.id == name for node in self.body for n in syntax.names_in(node))
        reads = sum(n.id == name for i in readers for n in syntax.names_in(block[i]))
        if count != 2 + reads or any(hasattr(block[i], "lineno") or isinstance(block[i], COMPOUND)
                                     for i in readers):
            return False
        made = [self.of_row(block[i], name, like, index) for i in readers]
        if None in made:
            return reads == 1 and all(map(is_comment, block[spot + 1:readers[0]])) \
                and self.put_more(put, block[readers[0]], name, like, index)
        self.adjoint_kinds[name] = self.memory.kind(put.value)
        self.memory.forget()
        for i, statements in zip(reversed(readers), reversed(made)):
            for one in statements or ():
                syntax.serve([one], block[i])
            block[i:i + 1] = statements or ()
        block[spot] = syntax.copy_place(syntax.assign(name, put.value), put)
        del block[number]
        return True

    def zeros(self, node: Any) -> tuple[str | None, gast.Name | None]:
        """b and x of `b = np.zeros_like(x)`, where x has rows."""
        name = bound_name(node)
        if name is None or hasattr(node, "lineno") or not isinstance(node.value, gast.Call) \
                or len(node.value.args) != 1 or node.value.keywords \
                or not isinstance(node.value.args[0], gast.Name) \
                or self.memory.object_of(node.value.func) is not np.zeros_like:
            return None, None
        kind, like = self.memory.known.get(name), node.value.args[0]
        known = self.memory.known.get(like.id)
        return (name, like) if isinstance(kind, Array) and kind.dtype == "float" \
            and (kind.ndim or 0) > 1 and isinstance(known, Array) and known.dtype == "float" \
            and known.ndim == kind.ndim else (None, None)

    def row(self, node: Any, name: str, like: gast.Name) -> gast.expr | None:
        """The index of the row that a statement puts into zeros, or adds to them."""
        if hasattr(node, "lineno") or not isinstance(node, (gast.Assign, gast.AugAssign)):
            return None
        target: Any = syntax.target_of(node)
        if not isinstance(target, gast.Subscript) or getattr(target.value, "id", "") != name \
                or (isinstance(node, gast.AugAssign) and not isinstance(node.op, gast.Add)):
            return None
        number = target.slice.operand if isinstance(target.slice, gast.UnaryOp) \
            and isinstance(target.slice.op, gast.USub) else target.slice
        if not isinstance(number, gast.Constant) or type(number.value) is not int:
            return None
        kind = self.memory.kind(node.value)
        whole = self.memory.kind(syntax.subscript(syntax.copy(like), syntax.copy(target.slice)))
        is_one = isinstance(kind, Array) and kind.dtype == "float" \
            and kinds.same_shape(kind, whole) and name not in syntax.read_names(node.value)
        return target.slice if is_one else None

    def of_row(self, node: Any, name: str, like: gast.Name,
               index: gast.expr) -> list[gast.stmt] | None:
        """What a statement does with the row alone."""
        if not isinstance(node, (gast.Assign, gast.AugAssign)):
            return None
        target = bound_name(node)
        if target is not None and target != name and self.is_array(target, like):
            row = self.taken(node.value, name, like, index)
            if row is not None:
                put = gast.Assign([syntax.subscript(syntax.load(target), syntax.copy(index),
                                                    gast.Store())], row, None)
                return [syntax.assign(target, syntax.call(
                    syntax.attribute(self.external(np, "np"), "zeros_like"), syntax.copy(like))),
                    put]
        if any(n.id == name for n in syntax.names_in(syntax.target_of(node))):
            return None
        value = self.added_up(node.value, name, like, index)
        # What is spread is nobody's own to write into.
        if value is None or (target is not None and self.is_call(node.value, uncumsum)
                             and not self.is_only_read(target)):
            return None
        made = syntax.copy_place(syntax.copy(node), node)
        made.value = value
        return [made]

    def summed(self, call: gast.Call, name: str, like: gast.Name,
               index: gast.expr) -> gast.expr | None:
        """The adjoint of what is added up, or multiplied, from the first row to each, of that of
        the last one: the row itself in each, or times the product of all others."""
        row, of = self.taken(call.args[0], name, like, index), call.args[1]
        if row is None or not self.is_last(index) or not isinstance(of, gast.Name) \
                or self.memory.kind(of) is None or getattr(call.args[2], "value", None) != 0:
            return None
        if self.is_call(call, uncumsum):
            return syntax.call(self.external(runtime.unreduce, "unreduce"), row, of,
                               syntax.constant(0))
        if self.is_call(call, cumprod_adjoint) and kinds.same_shape(
                self.memory.kind(of), self.memory.kind(like)):
            others = syntax.call(self.external(products_of_others, "products_of_others"), of,
                                 syntax.constant(0))
            return gast.BinOp(row, gast.Mult(), others)
        return None

    def is_call(self, value: Any, function: Any) -> bool:
        return isinstance(value, gast.Call) and self.memory.object_of(value.func) is function

    def added_up(self, value: Any, name: str, like: gast.Name,
                 index: gast.expr) -> gast.expr | None:
        """An expression in which all that is read of an adjoint are sums of multiples of it."""
        if name not in syntax.read_names(value):
            return value
        if isinstance(value, gast.Call) and len(value.args) == 3 and not value.keywords:
            return self.summed(value, name, like, index)
        if self.is_call(value, np.sum) and len(value.args) == 1 and not value.keywords:
            row = self.taken(value.args[0], name, like, index)
            return None if row is None else syntax.call(syntax.copy(value.func), row)
        if isinstance(value, gast.UnaryOp):
            inner = self.added_up(value.operand, name, like, index)
            return None if inner is None else gast.UnaryOp(value.op, inner)
        if isinstance(value, gast.BinOp):
            left, right = (self.added_up(side, name, like, index)
                           for side in (value.left, value.right))
            return None if left is None or right is None else gast.BinOp(left, value.op, right)
        return None

    def put_more(self, put: Any, node: Any, name: str, like: gast.Name,
                 index: gast.expr) -> bool:
        """Let what a call is given of the adjoint be put into it, if that is a multiple of it; the
        zeros are made where they were."""
        call = getattr(node, "value", None)
        if isinstance(call, gast.Call) and call.args and isinstance(call.args[0], gast.BinOp):
            row = self.taken(call.args[0], name, like, index)
            if row is not None:
                put.value = syntax.Substitute({name: put.value}).visit(row)
                call.args[0] = syntax.load(name)
                self.mentions.rewritten(put)
                self.mentions.rewritten(node)
        return False

    def is_array(self, name: str, like: gast.Name) -> bool:
        kind = self.memory.known.get(name)
        return isinstance(kind, Array) and kind.dtype == "float" \
            and kind.ndim == getattr(self.memory.known.get(like.id), "ndim", None)

    def is_last(self, index: gast.expr) -> bool:
        return isinstance(index, gast.UnaryOp) and getattr(index.operand, "value", None) == 1

    def is_only_read(self, name: str) -> bool:
        """Whether an array is bound once, and all else is computed of it: a sum, or a product with
        something."""
        reads = 0
        for part in (part for node in self.body for part in syntax.walk(node)):
            if isinstance(part, gast.BinOp):
                reads += sum(getattr(side, "id", "") == name for side in (part.left, part.right))
            elif isinstance(part, gast.Call) and self.memory.object_of(part.func) is np.sum:
                reads += sum(getattr(one, "id", "") == name for one in part.args)
        return sum(n.id == name for node in self.body for n in syntax.names_in(node)) == reads + 1

    def taken(self, value: Any, name: str, like: gast.Name, index: gast.expr) -> gast.expr | None:
        """A product or quotient of an adjoint that is zero but in one row, in that row."""
        if isinstance(value, gast.Name) and value.id == name:
            return syntax.load(name)
        if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
            inner = self.taken(value.operand, name, like, index)
            return None if inner is None else syntax.minus(inner)
        if not isinstance(value, gast.BinOp) or not isinstance(value.op, (gast.Mult, gast.Div)):
            return None
        left = self.taken(value.left, name, like, index)
        if left is not None:
            right = self.part(value.right, like, index)
            return None if right is None else gast.BinOp(left, value.op, right)
        right = self.taken(value.right, name, like, index) \
            if isinstance(value.op, gast.Mult) else None
        left = None if right is None else self.part(value.left, like, index)
        return None if left is None else gast.BinOp(left, value.op, right)

    def part(self, value: gast.expr, like: gast.Name, index: gast.expr) -> gast.expr | None:
        """The row of what is computed element by element of arrays of one shape."""
        kind = self.memory.kind(value)
        if isinstance(value, gast.Constant) or isinstance(kind, Number):
            return value
        if isinstance(value, gast.Name):
            return syntax.subscript(syntax.copy(value), syntax.copy(index)) \
                if kinds.same_shape(kind, self.memory.kind(like)) else None
        if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
            inner = self.part(value.operand, like, index)
            return None if inner is None else syntax.minus(inner)
        if isinstance(value, gast.BinOp) and not isinstance(value.op, gast.MatMult):
            left, right = self.part(value.left, like, index), self.part(value.right, like, index)
            return None if left is None or right is None else gast.BinOp(left, value.op, right)
        return None
