"""Shorten the formulas of the backward pass, where that changes no value.

>>> from types import SimpleNamespace
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> tree = gast.parse('''
... def f(x, y, bx, by):
...     bx += 1.0 * by * y
...     by += -x * bx
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> simplify(tree.body, SimpleNamespace(
...     typer=Typer({}, {}.get), facts=SimpleNamespace(names={}), adjoints={},
...     adjoint_kinds={}))
>>> print(emit(tree), end="")
def f(x, y, bx, by):
    bx += by * y
    by -= x * bx

The rules of arithmetic are those of `algebra`; what NumPy spreads itself is not spread by a helper;
signs move into `+=` and `-=`.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.adjoints.ranges import shifted
from tangent_lite.algebra import Algebra
from tangent_lite.analyses.derived import Derived
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.analyses.mentions import Mentions
from tangent_lite.inference import Typer
from tangent_lite.minus import leading_minus
from tangent_lite.once import may_be_one
from tangent_lite.records import is_named_tuple
from tangent_lite.sums import sum_axes
from tangent_lite.syntax import COMPOUND, read_names

OPERATIONS = (gast.BinOp, gast.UnaryOp)


def simplify(block: list[gast.stmt], context: Derived, mentions: Mentions | None = None) -> None:
    """Shorten the formulas of a block in place; statements of the user stay as they are.

    mentions: what the statements mention.
    """
    owners: dict[str, list[str]] = {}
    for variable, adjoint in context.adjoints.items():
        owners.setdefault(adjoint, []).append(variable)
    _simplify(block, context, owners,
              _Known(_floats(context, owners), _numbers(context), _vectors(context)),
              Mentions() if mentions is None else mentions)


class _Known(NamedTuple):
    """What is known of expressions: whether one surely is made of floats, is one number, or is an
    array of one dimension."""
    is_float: Callable[[gast.expr], bool]
    is_number: Callable[[gast.expr], bool]
    is_vector: Callable[[gast.expr], bool]


def _simplify(block: list[gast.stmt], context: Derived, owners: dict[str, list[str]], known: _Known,
              mentions: Mentions) -> None:
    for node in block:
        kind = node.__class__
        if kind in COMPOUND:
            if kind is gast.For and not getattr(node, "lineno", None):
                _count(node, mentions)
            _simplify(node.body, context, owners, known, mentions)
            _simplify(node.orelse, context, owners, known, mentions)
        elif (kind is gast.Assign or kind is gast.AugAssign) and not getattr(node, "lineno", None):
            if node.value.__class__ in _ATOMS or node in mentions.shortest:
                continue
            mentions.shortest.add(node)
            if _shorten(node, context, owners, known):
                mentions.rewritten(node)
            if any(map(_is_sum, mentions[node].calls)):
                _spread(node, context)
                _shorten(node, context, owners, known)
                mentions.rewritten(node)
            if gast.Subscript in mentions[node].classes and any(
                    _part_of_call(part) is not None
                    for part in syntax.all_of(node.value, gast.Subscript)):
                context.typer.names = Scopes(context.facts.names, context.adjoint_kinds)
                node.value = _PartsOfCalls(context).visit(node.value)
                mentions.rewritten(node)
            if gast.Attribute in mentions[node].classes and any(
                    _is_transposed_product(p) for p in syntax.all_of(node.value, gast.Attribute)):
                context.typer.names = Scopes(context.facts.names, context.adjoint_kinds)
                node.value = _Transposed(context.typer).visit(node.value)
                mentions.rewritten(node)
            if hasattr(context, "external") and any(
                    getattr(c.func, "id", "") == "unbroadcast" for c in mentions[node].calls):
                context.typer.names = Scopes(context.facts.names, context.adjoint_kinds)
                sum_axes(node, context.typer, context.external)
                mentions.rewritten(node)
            if kind is gast.AugAssign and isinstance(node.op, (gast.Add, gast.Sub)) \
                    and _sign(node):
                mentions.rewritten(node)
        elif getattr(context, "beside", False):
            _beside(node, context, known)
            mentions.rewritten(node)
        elif kind is gast.Return and hasattr(context, "external") and any(
                getattr(c.func, "id", "") == "unbroadcast" for c in mentions[node].calls):
            context.typer.names = Scopes(context.facts.names, context.adjoint_kinds)
            sum_axes(node, context.typer, context.external)
            mentions.rewritten(node)


_ATOMS = (gast.Name, gast.Constant)


def _count(node: gast.For, mentions: Mentions) -> None:
    """`range(len(u) - 1 - 1, 0, -1)`, from what a bound was computed as, is that from
    `len(u) - 2`."""
    if getattr(getattr(node.iter, "func", None), "id", "") == "range":
        shorter = [shifted(bound, 0) for bound in node.iter.args]
        if not all(map(syntax.same, shorter, node.iter.args)):
            node.iter.args = shorter
            mentions.rewritten(node)


def _shorten(node: gast.Assign | gast.AugAssign, context: Derived, owners: dict[str, list[str]],
             known: _Known) -> bool:
    """Use the rules of arithmetic on the value of a statement; whether that changed anything."""
    rules = Algebra(*known)
    shorter = rules.visit(node.value)
    if isinstance(node, gast.AugAssign):
        shorter = rules.uncopied(shorter)
    # `dx * 1.0` is an array of its own, dx is not.
    if not (isinstance(node.value, OPERATIONS) and not isinstance(shorter, OPERATIONS)
            and isinstance(node, gast.Assign) and _is_written(node, context, owners)):
        node.value = shorter
    return rules.changed


def _floats(context: Derived, owners: Mapping[str, Any]) -> Callable[[gast.expr], bool]:
    """Whether an expression surely is made of floats: an adjoint, a tangent, or by its kind."""
    known = Scopes(context.facts.names, context.adjoint_kinds)

    def is_float(node: gast.expr) -> bool:
        name = syntax.root_name(node)
        if name in owners:
            return True
        context.typer.names = known
        return kinds.dtype_of(context.typer.kind(node)) in ("float", "complex")

    return is_float


def _numbers(context: Derived) -> Callable[[gast.expr], bool]:
    """Whether an expression surely is one number."""
    known = Scopes(context.facts.names, context.adjoint_kinds)

    def is_number(node: gast.expr) -> bool:
        context.typer.names = known
        return isinstance(context.typer.kind(node), kinds.Number)

    return is_number


def _vectors(context: Derived) -> Callable[[gast.expr], bool]:
    """Whether an expression surely is an array of one dimension."""
    known = Scopes(context.facts.names, context.adjoint_kinds)

    def is_vector(node: gast.expr) -> bool:
        context.typer.names = known
        kind = context.typer.kind(node)
        return isinstance(kind, kinds.Array) and kind.ndim == 1

    return is_vector


def _beside(node: gast.stmt, context: Derived, known: _Known) -> None:
    """Tangents that stand in a return, or in a call that changes a list."""
    if isinstance(node, gast.Return) and isinstance(node.value, gast.Tuple):
        tangent = Algebra(*known).visit(node.value.elts[-1])
        context.typer.names = Scopes(context.facts.names, context.adjoint_kinds)
        node.value.elts[-1] = _NumbersOut(context.typer).visit(tangent)
    elif isinstance(node, gast.Expr) and isinstance(node.value, gast.Call) \
            and not getattr(node, "lineno", None):
        node.value.args = [Algebra(*known).visit(a) for a in node.value.args]


def _is_written(node: gast.Assign, context: Derived, owners: dict[str, list[str]]) -> bool:
    """Whether a statement binds the adjoint or tangent of an array that is written to."""
    name = getattr(node.targets[0], "id", "")
    return any(context.aliases.is_written(v) and not isinstance(
        context.facts.names.get(v), kinds.Number) for v in owners.get(name, ()))


def _spread(node: gast.Assign | gast.AugAssign, context: Derived) -> None:
    """`unreduce(s, y) * a` is `s * a` where a has the shape of y: NumPy spreads s itself."""
    typer = context.typer
    known = Scopes(context.facts.names, context.adjoint_kinds)
    # Whatever shape a name has in other statements, in one it has one.
    typer.names = known.new_child({
        name: kinds.with_own_shape(kind) for name in read_names(node.value)
        if isinstance(kind := known.get(name), kinds.Array)})
    node.value = _NumbersOut(typer).visit(node.value)
    _dot(node, typer)
    _sum_rows_first(node.value, typer, getattr(context, "external", None))
    if isinstance(node, gast.AugAssign):
        node.value = _unspread(node.value, typer) or node.value
    for part in syntax.walk(node.value):
        _dot(part, typer)
        if not isinstance(part, gast.BinOp) or not isinstance(part.op, (gast.Mult, gast.Div,
                                                                        gast.Add, gast.Sub)):
            continue
        for side, other in (("left", "right"), ("right", "left")):
            spread = getattr(part, side)
            parents: list[tuple[Any, str]] = [(part, side)]
            while isinstance(spread, gast.BinOp) and isinstance(spread.op, (gast.Mult, gast.Div)):
                left = _has_spread(spread.left, typer)
                parents.append((spread, "left" if left else "right"))
                spread = spread.left if left else spread.right
            shorter = _unspread(spread, typer)
            if shorter is None:
                continue
            like = typer.kind(spread.args[1])
            if kinds.same_shape(typer.kind(getattr(part, other)), like) and \
                    _unspread(getattr(part, other), typer) is None:
                setattr(*parents[-1], shorter)


class _NumbersOut(syntax.Transformer):
    """`np.sum(s * x)` is `s * np.sum(x)` of a number and an array of floats, `np.sum(-x)` is
    `-np.sum(x)`; and so it is with np.mean."""

    def __init__(self, typer: Typer) -> None:
        self.typer = typer

    def visit_Call(self, node: gast.Call) -> gast.expr:
        self.generic_visit(node)
        function = self.typer.object_of(node.func)
        if not (function is np.sum or function is np.mean) or len(node.args) != 1 \
                or any(k.arg not in ("axis", "keepdims") for k in node.keywords):
            return node
        summed = node.args[0]
        if isinstance(summed, gast.UnaryOp) and isinstance(summed.op, gast.USub):
            node.args[0] = summed.operand
            return syntax.minus(self.visit_Call(node))
        if isinstance(summed, gast.BinOp) and kinds.dtype_of(self.typer.kind(summed)) == "float":
            positive = leading_minus(summed)
            if positive is not None:
                node.args[0] = positive
                return syntax.minus(self.visit_Call(node))
        factors = syntax.factors(summed)
        numbers = [f for f in factors if self.is_number(f)]
        arrays = [f for f in factors if not self.is_number(f)]
        if not numbers or not arrays or not all(
                isinstance(kind := self.typer.kind(f), kinds.Array) and kind.dtype == "float"
                for f in arrays):
            return node
        node.args[0] = _product(arrays)
        return _product([*numbers, self.visit_Call(node)])

    def is_number(self, factor: gast.expr) -> bool:
        kind = self.typer.kind(factor)
        return isinstance(factor, (gast.Name, gast.Constant)) and isinstance(kind, kinds.Number) \
            and kind.type == "float"


def _product(factors: list[gast.expr]) -> gast.expr:
    return functools.reduce(lambda left, right: syntax.binary(left, "*", right), factors)


def _is_transposed_product(node: gast.AST) -> bool:
    """Whether a node is `(a.T @ b).T`, `(a @ b.T).T`, `(a[:, None] * b).T` or `np.outer(a, b).T`,
    or the transpose of the negative of one of these."""
    if not isinstance(node, gast.Attribute) or node.attr != "T":
        return False
    product = _without_minus(node.value)
    if isinstance(product, gast.Call):
        return getattr(product.func, "attr", "") == "outer" and len(product.args) == 2 \
            and not product.keywords
    if not isinstance(product, gast.BinOp):
        return False
    left = product.left
    if isinstance(product.op, gast.Mult):
        return isinstance(left, gast.Subscript) and syntax.same(left.slice, _AS_COLUMN) \
            and syntax.is_atom(product.right)
    return isinstance(product.op, gast.MatMult) and any(
        getattr(side, "attr", "") == "T" for side in (left, product.right))


def _without_minus(node: gast.expr) -> gast.expr:
    return node.operand if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) \
        else node


_AS_COLUMN = syntax.parse_expression("v[:, None]").slice


class _Transposed(syntax.Transformer):
    """`(a.T @ b).T` is `b.T @ a` of two matrices, `(a @ b.T).T` is `b @ a.T`; `(a[:, None] * b).T`
    is `b[:, None] * a` of two vectors, and `np.outer(a, b).T` is `np.outer(b, a)`."""

    def __init__(self, typer: Typer) -> None:
        self.typer = typer

    def visit_Attribute(self, node: gast.Attribute) -> gast.expr:
        self.generic_visit(node)
        if not _is_transposed_product(node):
            return node
        product = _without_minus(node.value)
        made = self.outer(product) if isinstance(product, gast.Call) else self.product(product)
        if made is None:
            return node
        return made if product is node.value else syntax.minus(made)

    def outer(self, call: gast.Call) -> gast.expr | None:
        if self.typer.object_of(call.func) is not np.outer:
            return None
        return syntax.call(call.func, *reversed(call.args))

    def product(self, product: gast.BinOp) -> gast.expr | None:
        first, second = product.left, product.right
        if isinstance(product.op, gast.Mult):
            return gast.BinOp(syntax.subscript(second, first.slice), gast.Mult(), first.value) \
                if self.ranks(first.value, second) == {1} else None
        if getattr(first, "attr", "") == "T":
            return gast.BinOp(_turned(second), gast.MatMult(), first.value) \
                if self.ranks(first.value, second) == {2} else None
        return gast.BinOp(second.value, gast.MatMult(), _turned(first)) \
            if self.ranks(first, second.value) == {2} else None

    def ranks(self, *parts: gast.expr) -> set[Any]:
        return {getattr(self.typer.kind(part), "ndim", None) for part in parts}


def _turned(node: gast.expr) -> gast.expr:
    return node.value if getattr(node, "attr", "") == "T" else syntax.attribute(node, "T")


def _part_of_call(node: gast.Subscript) -> int | None:
    """k of `f(a, b)[k]`, where k is one of the arguments, and none of these does more than compute.
    """
    call, number = node.value, getattr(node.slice, "value", None)
    return number if isinstance(call, gast.Call) and type(number) is int \
        and not call.keywords and 0 <= number < len(call.args) \
        and all(map(may_be_one, call.args)) else None


class _PartsOfCalls(syntax.Transformer):
    """`SlogdetResult(s, b)[1]` is `b`: a named tuple that is made for one of its parts."""

    def __init__(self, context: Derived) -> None:
        self.typer = context.typer
        self.known = getattr(getattr(context, "external", None), "known", {})

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        self.generic_visit(node)
        number = _part_of_call(node)
        made = None if number is None else self.known.get(
            getattr(node.value.func, "id", ""), self.typer.object_of(node.value.func))
        return node.value.args[number] if isinstance(made, type) and is_named_tuple(made) else node


def _is_sum(call: gast.Call) -> bool:
    """Whether a call looks like `unreduce(s, y)`, `unbroadcast(a @ b, x)` or `np.sum(a * b)`."""
    return getattr(call.func, "id", None) == "unreduce" or (
        0 < len(call.args) < 3 and isinstance(call.args[0], OPERATIONS))


def _dot(node: gast.AST, typer: Typer) -> None:
    """`np.sum(a * b)` is `a @ b` of two vectors of one length; in the parts of a node."""
    for field, value in list(vars(node).items()):
        for number, part in enumerate(value if isinstance(value, list) else [value]):
            product = _summed_product(part, typer)
            if product is None:
                continue
            made = gast.BinOp(product.left, gast.MatMult(), product.right)
            if isinstance(value, list):
                value[number] = made
            else:
                setattr(node, field, made)


def _sum_rows_first(node: gast.expr, typer: Typer, external: Any) -> None:
    """`unbroadcast(a @ b, x)` is `unbroadcast(np.sum(a, axis=0) @ b, x)` of matrices a and b and a
    vector x: a product of one row in place of all."""
    for part in syntax.walk(node):
        if external is None or not isinstance(part, gast.Call) or len(part.args) != 2 \
                or getattr(part.func, "id", "") != "unbroadcast":
            continue
        product, like = part.args
        if not isinstance(product, gast.BinOp) or not isinstance(product.op, gast.MatMult) \
                or [getattr(typer.kind(n), "ndim", None) for n in (
                    product.left, product.right, like)] != [2, 2, 1]:
            continue
        rows = product.left
        minus = isinstance(rows, gast.UnaryOp) and isinstance(rows.op, gast.USub)
        summed = syntax.call(syntax.attribute(external(np, "np"), "sum"),
                             rows.operand if minus else rows)
        summed.keywords.append(gast.keyword("axis", syntax.constant(0)))
        product.left = syntax.minus(summed) if minus else summed


def _summed_product(node: Any, typer: Typer) -> gast.BinOp | None:
    """a * b where a node is np.sum(a * b), of two vectors of one length."""
    if not isinstance(node, gast.Call) or len(node.args) != 1 or node.keywords \
            or not isinstance(node.args[0], gast.BinOp) \
            or not isinstance(node.args[0].op, gast.Mult) \
            or typer.object_of(node.func) is not np.sum:
        return None
    product = node.args[0]
    left, right = typer.kind(product.left), typer.kind(product.right)
    same = kinds.same_shape(left, right) and all(
        isinstance(k, kinds.Array) and k.ndim == 1 and k.dtype == "float" for k in (left, right))
    return product if same else None


def _has_spread(node: gast.expr, typer: Typer) -> bool:
    return any(_unspread(n, typer) is not None for n in syntax.walk(node))


def _unspread(node: gast.AST, typer: Typer) -> gast.expr | None:
    """What NumPy spreads to what `unreduce(e, y, axis, keepdims)` is, beside an array in the shape
    of y: e itself, or `e[:, None]`; None for all else."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name) \
            or node.func.id != "unreduce" or node.keywords:
        return None
    value, like, *rest = node.args
    if not rest:
        return value if isinstance(typer.kind(value), kinds.Number) else None
    axis = kinds.value_of(typer.kind(rest[0]))
    keepdims = kinds.value_of(typer.kind(rest[1])) if len(rest) == 2 else False
    rank = getattr(typer.kind(like), "ndim", None)
    found = typer.kind(value)
    if type(axis) is not int or type(keepdims) is not bool or rank is None \
            or not isinstance(found, kinds.Array) or found.ndim != rank - (not keepdims):
        return None
    if keepdims or axis % rank == 0:
        return value
    colons = [gast.Slice(None, None, None) for _ in range(axis % rank)]
    return syntax.subscript(value, syntax.tuple_of([*colons, syntax.constant(None)]))


def _sign(node: gast.AugAssign) -> bool:
    """`b += -a * c` is written `b -= a * c`; whether it was."""
    spine, parent = node.value, None
    while isinstance(spine, gast.BinOp) and isinstance(
            spine.op, (gast.Mult, gast.Div, gast.MatMult)):
        parent, spine = spine, spine.left
    if parent is not None and isinstance(spine, gast.Constant) \
            and isinstance(parent.right, gast.UnaryOp) and isinstance(parent.right.op, gast.USub):
        parent.right = parent.right.operand             # 0.5 * -b
        node.op = gast.Sub() if isinstance(node.op, gast.Add) else gast.Add()
        return True
    if isinstance(spine, gast.UnaryOp) and isinstance(spine.op, gast.USub) \
            and not (parent is None and isinstance(spine.operand, gast.Constant)):
        if parent is None:
            node.value = spine.operand
        else:
            parent.left = spine.operand
        node.op = gast.Sub() if isinstance(node.op, gast.Add) else gast.Add()
        return True
    return False
