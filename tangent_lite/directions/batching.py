"""Operations on batches: what becomes of a call or an operator when operands get a leading axis.

Elementwise operations stay as they are, once a batch has as many axes behind its first as the
result has; reductions and products of matrices have forms of their own; whatever else a rule covers
is done row by row, which is slow and right.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, runtime, syntax
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array, Number
from tangent_lite.runtime import batches as runtime_batches
from tangent_lite.runtime import tangents as runtime_tangents

# True: every number and array in it has the leading axis; a tuple: one mark for each part.
Mark = Any
Value = tuple[gast.expr, Mark]

SUMS = {np.sum, np.ndarray.sum, np.mean, np.ndarray.mean}
COPIES = {np.ndarray.copy, np.copy, np.ndarray.astype, runtime_tangents.own_tangent,
          runtime.through_dtype, np.real, np.imag, np.zeros_like}
# Helpers that have a twin for batches: the first argument is the batch.
EACH = {runtime.unbroadcast: runtime_batches.unbroadcast_each,
        runtime.match: runtime_batches.match_each,
        runtime.unreduce: runtime_batches.unreduce_each}
# What shares memory with a batch just where it does with each row of it.
MIRRORED = {*EACH, np.transpose}
# Helpers that are elementwise in a batch in front of the arrays that they are made for.
ELEMENTWISE = {np.where, runtime.where_larger, runtime.of_larger, runtime.where_positive,
               runtime.clip_inner, runtime.clip_low, runtime.clip_high, runtime.divide_or_zero}
OF_SHAPE = {"shape", "ndim", "size", "dtype", "itemsize", "nbytes"}
JOINING = {np.concatenate, np.stack}
LIST_METHODS = {list.pop, list.copy, dict.copy, dict.get}


class Operations:
    """What the operations of one function become.

    external: how emitted code spells an object; count: the number of directions, as a node;
    refuse: (node, why) -> the error.
    """

    def __init__(self, typer: Typer, external: Callable[[Any, str], gast.expr],
                 count: Callable[[], gast.expr], refuse: Callable[[gast.AST, str], Exception]) \
            -> None:
        self.typer, self.external, self.count, self.refuse = typer, external, count, refuse

    # Axes -------------------------------------------------------------------------------------
    def rank(self, node: gast.expr) -> int:
        """The number of dimensions of a value, without the leading axis."""
        kind = self.typer.kind(node)
        if isinstance(kind, Number):
            return 0
        if isinstance(kind, Array) and kind.ndim is not None:
            return kind.ndim
        raise self.refuse(node, "how many dimensions this has is not known")

    def lifted(self, made: gast.expr, rank: int, wanted: int) -> gast.expr:
        """A batch of arrays with axes put in behind the first, so that it broadcasts as they do."""
        if rank >= wanted:
            return made
        index: list[gast.expr] = [gast.Slice(None, None, None)]
        index += [gast.Constant(None, None) for _ in range(wanted - rank)]
        return syntax.subscript(made, gast.Tuple(index, gast.Load()))

    def np(self, name: str) -> gast.expr:
        return syntax.attribute(self.external(np, "np"), name)

    def helper(self, function: Any, *args: gast.expr) -> gast.expr:
        return syntax.call(self.external(function, function.__name__), *args)

    def spread(self, made: gast.expr, node: gast.expr) -> gast.expr:
        """A value that is the same for all directions, as a batch."""
        if isinstance(made, gast.Constant) and made.value is None:
            return made
        if isinstance(made, gast.Constant) and made.value == 0.0:
            return syntax.call(self.np("zeros"), self.count())
        if isinstance(made, (gast.List, gast.Tuple)):
            return type(made)([self.spread(p, n) for p, n in zip(made.elts, node.elts)],
                              gast.Load())
        if isinstance(made, gast.Dict):
            return gast.Dict(made.keys, [self.spread(p, n)
                                         for p, n in zip(made.values, node.values)])
        if isinstance(made, gast.Call) and self.typer.callee(made)[0] is np.zeros_like \
                and len(made.args) == 1 and not made.keywords:
            like = made.args[0]
            shape = gast.Tuple([self.count(), gast.Starred(
                syntax.attribute(like, "shape"), gast.Load())], gast.Load())
            return syntax.call(self.np("zeros"), shape,
                               syntax.attribute(syntax.copy(like), "dtype"))
        return self.helper(runtime_batches.spread, made, self.count())

    def whole(self, value: Value, node: gast.expr) -> gast.expr:
        """A value as a batch throughout."""
        made, mark = value
        if mark is True:
            return made
        if mark is False:
            return self.spread(made, node)
        if isinstance(made, gast.Tuple):
            return gast.Tuple([self.whole((m, k), n) for m, k, n in zip(made.elts, mark,
                                                                       node.elts)], gast.Load())
        raise self.refuse(node, "some parts of this depend on the direction, and others do not")

    def one(self, made: gast.expr) -> gast.expr:
        """A batch along the first direction, where only its shape counts."""
        return syntax.subscript(made, syntax.constant(0))

    # Operators --------------------------------------------------------------------------------
    def binary(self, node: gast.BinOp, left: Value, right: Value) -> Value:
        if isinstance(node.op, gast.MatMult):
            return self.product(node, (node.left, *left), (node.right, *right)), True
        listed = [isinstance(self.typer.kind(n), (kinds.ListKind, kinds.TupleKind))
                  for n in (node.left, node.right)]
        if all(listed):
            sides = [self.whole(left, node.left), self.whole(right, node.right)]
            return gast.BinOp(sides[0], node.op, sides[1]), True
        if any(listed):
            return gast.BinOp(left[0], node.op, right[0]), True
        one, other = self.aligned([(node.left, *left), (node.right, *right)])
        return gast.BinOp(one, node.op, other), True

    def aligned(self, operands: list[tuple[gast.expr, gast.expr, Mark]]) -> list[gast.expr]:
        """Operands of an elementwise operation, made to broadcast."""
        ranks = [self.rank(node) for node, _, _ in operands]
        return [self.lifted(made, rank, max(ranks)) if mark else made
                for (_, made, mark), rank in zip(operands, ranks)]

    def product(self, node: gast.expr, left: Any, right: Any) -> gast.expr:
        """`x @ y`, one or both of them batches."""
        (x_node, x, x_mark), (y_node, y, y_mark) = left, right
        ranks = self.rank(x_node), self.rank(y_node)
        if (x_mark and y_mark) or 0 in ranks:
            raise self.refuse(node, "both factors depend on the direction")
        if y_mark and ranks[1] == 1:
            # Each y in A @ y is a row of Y @ A.T; a product of vectors has no order.
            if ranks[0] == 1:
                return gast.BinOp(y, gast.MatMult(), x)
            if ranks[0] == 2:
                turned = isinstance(x, gast.Attribute) and x.attr == "T"
                return gast.BinOp(y, gast.MatMult(),
                                  x.value if turned else syntax.attribute(x, "T"))
            raise self.refuse(node, "a product of this many dimensions has no form for batches")
        if 1 not in ranks:
            x = self.lifted(x, ranks[0], ranks[1]) if x_mark else x
            y = self.lifted(y, ranks[1], ranks[0]) if y_mark else y
        elif (ranks[0] == 1 and x_mark and ranks[1] > 2) or (ranks[1] == 1 and ranks[0] > 2):
            raise self.refuse(node, "a product of this many dimensions has no form for batches")
        return gast.BinOp(x, gast.MatMult(), y)

    # Calls ------------------------------------------------------------------------------------
    def call(self, node: gast.Call, function: Any, receiver: gast.expr | None,
             values: dict[int, Value]) -> Value:
        """A call of a function that has a rule, or of a method; values: of its arguments, by id."""
        nodes = ([receiver] if receiver is not None else []) + list(node.args)
        args = [(n, *values[id(n)]) for n in nodes]
        options = {k.arg: k.value for k in node.keywords}
        if function in LIST_METHODS and receiver is not None:
            return syntax.call(syntax.attribute(args[0][1], node.func.attr),
                               *[a[1] for a in args[1:]]), True
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        if entry is None and function not in COPIES:
            raise self.refuse(node, "this call has no form for batches")
        if any(values[id(v)][1] for v in options.values()):
            raise self.refuse(node, "an argument by keyword depends on the direction")
        if entry is not None and entry.constant and function not in COPIES:
            # Only shapes are asked of it.
            args = [(n, self.one(made) if mark else made, False) for n, made, mark in args]
            return self.called(node, receiver, args), False
        if function in EACH:
            return self.each(node, function, args, options)
        made = self.special(node, function, receiver, args, options)
        if made is not None:
            return made, True
        return self.by_rows(node, receiver, args), True

    def each(self, node: gast.Call, function: Any, args: list[Any],
             options: dict[str, gast.expr]) -> Value:
        rest = [self.one(made) if mark else made for _, made, mark in args[1:]]
        made = gast.Call(self.external(EACH[function], EACH[function].__name__)
                         if args[0][2] else node.func, [args[0][1], *rest],
                         [gast.keyword(k, v) for k, v in options.items()])
        return made, bool(args[0][2])

    def called(self, node: gast.Call, receiver: gast.expr | None, args: list[Any]) -> gast.Call:
        """The same call with these arguments."""
        made = [a[1] for a in args]
        if receiver is None:
            return gast.Call(node.func, made, node.keywords)
        return gast.Call(syntax.attribute(made[0], node.func.attr), made[1:], node.keywords)

    def special(self, node: gast.Call, function: Any, receiver: gast.expr | None, args: list[Any],
                options: dict[str, gast.expr]) -> gast.expr | None:
        """The form for batches of what is met most often; None if there is none."""
        first = args[0][1]
        if isinstance(function, np.ufunc) or function in ELEMENTWISE:
            plain = not isinstance(function, np.ufunc) or (function.nin == len(args)
                                             and function.signature is None)
            if function is np.matmul and len(args) == 2 and not options:
                return self.product(node, *args)
            if options or not plain:
                return None
            # What is None is left out, as bounds of clip are.
            given = [a for a in args if not isinstance(self.typer.kind(a[0]), kinds.Nothing)]
            made = iter(self.aligned(given))
            return gast.Call(node.func, [next(made) if a in given else a[1] for a in args], [])
        if function is float:
            return first
        if function is sum and len(args) == 1:
            listed = self.typer.kind(args[0][0])
            if isinstance(listed, kinds.ListKind) and isinstance(listed.item, Number):
                return self.called(node, receiver, args)
        if not args[0][2] and function not in (np.outer, np.dot) and function not in JOINING:
            return None
        if function in COPIES:
            return self.called(node, receiver, args)
        if function in SUMS:
            return self.reduction(function, args, options)
        if function in JOINING:
            return self.joined(node, args, options)
        if function in (np.outer, np.dot) and not options and len(args) == 2:
            ranks = [self.rank(n) for n, _, _ in args]
            if function is np.dot:
                return self.product(node, *args) if ranks[0] in (1, 2) and ranks[1] in (1, 2) \
                    and not (args[0][2] and args[1][2]) else None
            if ranks != [1, 1]:
                return None
            column = syntax.subscript(first, gast.Tuple(
                [*([gast.Slice(None, None, None)] * (2 if args[0][2] else 1)),
                 gast.Constant(None, None)], gast.Load()))
            return gast.BinOp(column, gast.Mult(), self.lifted(args[1][1], 1, 2)
                              if args[1][2] else args[1][1])
        if function in (np.reshape, np.ndarray.reshape, np.ravel, np.ndarray.ravel,
                        np.ndarray.flatten):
            return self.reshaped(function, args, options)
        if function in (np.transpose, np.ndarray.transpose) and len(args) == 1 and not options:
            return self.transposed(args[0][0], first)
        return None

    def transposed(self, node: gast.expr, made: gast.expr) -> gast.expr:
        """`x.T` of each x."""
        rank = self.rank(node)
        if rank < 2:
            return made
        axes = _literal((0, *range(rank, 0, -1)))
        return syntax.call(self.np("transpose"), made, axes)

    def reshaped(self, function: Any, args: list[Any], options: dict[str, gast.expr]) \
            -> gast.expr | None:
        if options:
            return None
        (_, first, _), *rest = args
        if function not in (np.reshape, np.ndarray.reshape):
            shape: list[gast.expr] = [syntax.constant(-1)]
            rest = []
        elif len(rest) == 1 and isinstance(rest[0][1], gast.Tuple):
            shape = rest[0][1].elts
        elif len(rest) == 1 and isinstance(self.typer.kind(rest[0][0]), kinds.TupleKind):
            shape = [gast.Starred(rest[0][1], gast.Load())]
        elif all(isinstance(self.typer.kind(n), Number) for n, _, _ in rest) and (
                len(rest) == 1 or function is np.ndarray.reshape):
            shape = [made for _, made, _ in rest]
        else:
            return None
        return syntax.call(self.np("reshape"), first,
                           gast.Tuple([self.count(), *shape], gast.Load()))

    def shifted(self, node: gast.expr) -> Any:
        """A literal axis, or several, one further; NO_OBJECT if it is no literal."""
        axis = self.typer.known(node)
        if isinstance(node, gast.Tuple):
            axis = tuple(self.typer.known(e) for e in node.elts)
        if type(axis) is int:
            return axis + (axis >= 0)
        if isinstance(axis, tuple) and all(type(a) is int for a in axis):
            return tuple(a + (a >= 0) for a in axis)
        return NO_OBJECT

    def reduction(self, function: Any, args: list[Any], options: dict[str, gast.expr]) \
            -> gast.expr | None:
        """`np.sum(x, axis)` over the axes behind the first."""
        (x, made, _), *rest = args
        options = dict(options)
        axis = rest[0][0] if rest else options.pop("axis", None)
        if len(rest) > 1 or not options.keys() <= {"keepdims"}:
            return None
        if axis is None or (isinstance(axis, gast.Constant) and axis.value is None):
            rank = self.rank(x)
            if rank == 0:
                return made
            shifted: Any = tuple(range(1, rank + 1)) if rank > 1 else 1
        else:
            shifted = self.shifted(axis)
            if shifted is NO_OBJECT:
                return None
        return gast.Call(self.np(function.__name__), [made], [
            gast.keyword("axis", _literal(shifted)),
            *[gast.keyword(k, v) for k, v in options.items()]])

    def joined(self, node: gast.Call, args: list[Any], options: dict[str, gast.expr]) \
            -> gast.expr | None:
        (parts, made, mark), *rest = args
        axis = rest[0][0] if rest else options.get("axis", syntax.constant(0))
        shifted = self.shifted(axis)
        if type(shifted) is not int or len(rest) > 1 or not options.keys() <= {"axis"}:
            return None
        return gast.Call(node.func, [self.whole((made, mark), parts)],
                         [gast.keyword("axis", _literal(shifted))])

    def by_rows(self, node: gast.Call, receiver: gast.expr | None, args: list[Any]) -> gast.expr:
        """`f(x, y)` for each row of what is a batch."""
        batched = tuple(i for i, (_, _, mark) in enumerate(args) if mark)
        if any(isinstance(n, gast.Starred) for n, _, _ in args):
            raise self.refuse(node, "a call with * has no form for batches")
        if not isinstance(self.typer.kind(node), (Number, Array, kinds.Numeric)):
            raise self.refuse(node, "what this call returns is neither a number nor an array")
        made = [self.whole((made, mark), n) if mark else made for n, made, mark in args]
        function = node.func if receiver is None else self.np(f"ndarray.{node.func.attr}")
        return gast.Call(self.external(runtime_batches.row_by_row, "row_by_row"),
                         [function, _literal(batched), *made], node.keywords)


def _literal(value: Any) -> gast.expr:
    """An integer, or a tuple of them, as a node."""
    if isinstance(value, tuple):
        return gast.Tuple([_literal(v) for v in value], gast.Load())
    return syntax.constant(value)
