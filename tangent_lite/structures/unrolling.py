"""Loops over the parts of a tuple or the keys of a dict, one part after the other.

    for name, W in (("W", params["W"]), ("b", params["b"])):     =>     total = total + np.sum(W)
        total = total + np.sum(params[name])                            total = total + np.sum(b)

The parts may be of different kinds, and a key has to be known to say which part of a dict it names;
so the body stands once for each part.
"""
from __future__ import annotations

import contextlib
import operator
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.inference import Typer
from tangent_lite.kinds import DictKind, Kind, TupleKind
from tangent_lite.names import Names
from tangent_lite.shapes.sizes import NotAssumed, Size, Sizes

MOST_PARTS = 64
_SUMS: dict[type, Any] = {gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: operator.mul,
                         gast.Mod: operator.mod}


def unroll(node: gast.For, plain: gast.For, typer: Typer, facts: Inferred,
           names: Names) -> tuple[list[gast.stmt], None] | None:
    """The bodies of a loop one behind the other, if the parts that it runs over differ.

    node: the loop whose kinds are known; plain: the same in the tree that is changed.
    """
    found = _numbers(node, plain, typer, facts)
    if found is None or len(found[0]) > MOST_PARTS:
        return None
    numbers, beside = found
    counter = plain.target.id
    left = names.fresh("left") if syntax.may_leave(plain.body) else None
    out: list[gast.stmt] = [] if left is None else [syntax.assign(left, gast.Constant(False, None))]
    counts = [names.fresh("count") for _ in beside]
    for count, name in zip(counts, beside):
        length = syntax.call(syntax.copy(plain.iter.args[0].args[0].func), syntax.load(name))
        out.append(syntax.assign(count, length))
    dicts = _dicts(node, typer, facts, plain)
    stored = [n.id for n in syntax.names_in(plain) if isinstance(n.ctx, gast.Store)]
    late = syntax.lazily_read(plain)
    keys = {one.targets[0].id: one.value.value.id for one in iterating(plain)
            if isinstance(one.targets[0], gast.Name) and one.value.value.id in dicts
            and stored.count(one.targets[0].id) == 1 and one.targets[0].id not in late}
    for turn, number in enumerate(numbers):
        renamer = _AtPart(counter, number, dicts, keys)
        body = [renamer.visit(s) for s in syntax.copy(plain.body)]
        for part in syntax.statements(body):
            if isinstance(part, gast.If) and isinstance(part.test, (
                    gast.Compare, gast.Call, gast.BoolOp, gast.UnaryOp)):
                part.test.asks = True               # which turn it is, it may be
        for part in (p for s in body for p in syntax.walk(s)):
            if hasattr(part, "mark"):
                del part.mark
        body.append(gast.copy_location(syntax.assign(counter, gast.Constant(number, None)), plain))
        if left is not None:
            # A break leaves out all that follows.
            body = [body[-1], *leaving(body[:-1], left)]
        for count in counts:
            test = gast.Compare(syntax.constant(number), [gast.Lt()], [syntax.load(count)])
            body = [gast.If(test, body, [])]
        if left is not None and turn:
            body = [gast.If(gast.UnaryOp(gast.Not(), syntax.load(left)), body, [])]
        out += body
    for statement in out:
        syntax.place_within(statement, plain)
    return out, None


def _numbers(node: gast.For, plain: gast.For, typer: Typer,
             facts: Inferred) -> tuple[range, list[str]] | None:
    """The values of the counter of a loop over parts that differ, and what else it goes through
    that may have fewer."""
    over = iterated(node, typer, facts)
    # In the later tree the bound of the loop may have a name of its own.
    names = _names(plain)
    told = [kind for kind in over if isinstance(kind, (TupleKind, DictKind))]
    if told and _runs_over_all(plain, set(names)) and len(over) == len(names):
        others = [(kind, name) for kind, name in zip(over, names) if kind not in told]
        count = min(len(_items(kind)) for kind in told)
        if not all(isinstance(kind, (kinds.ListKind, kinds.Array)) for kind, _ in others) \
                or (count and not any(map(differ, told))):
            return None
        return range(count), [name for kind, name in others if not _has_as_many(kind, count)]
    found = _counted(node, plain, typer, facts)
    return None if found is None else (found, [])


def _has_as_many(kind: Kind, count: int) -> bool:
    """Whether an array has so many rows, which is assumed where it may be."""
    shape = getattr(kind, "shape", None)
    if not isinstance(shape, Sizes) or not shape.axes or shape.axes[0].is_free \
            or shape.axes[0].assumed is None:
        return False
    with contextlib.suppress(NotAssumed):
        return shape.axes[0].is_at_least(Size(count))
    return False


def _counted(node: gast.For, plain: gast.For, typer: Typer, facts: Inferred) -> range | None:
    """The same of `for i in range(len(layers))` where the body reads parts by numbers made of i."""
    # A call that is yet to be written out may bind what the bounds are made of (`nonlocal n`).
    if not typer.settled or typer.is_growing or not isinstance(node.target, gast.Name) \
            or plain.target.id in bound_in(plain.body):
        return None
    if not any(_reads_part(part, statement, node.target.id, typer, facts)
               for statement in syntax.statements(node.body)
               if gast.Subscript in facts.mentions[statement].classes
               and not isinstance(statement, syntax.COMPOUND)
               for part in syntax.all_of(statement, gast.Subscript)):
        return None
    typer.names = facts.before[id(node)]
    call: Any = node.iter
    if typer.callee(call)[0] is not range or call.keywords:
        return None
    bounds = [int_of(one, typer) for one in call.args]
    return range(*bounds) if all(type(one) is int for one in bounds) \
        and 0 not in bounds[2:] else None


def int_of(node: gast.expr, typer: Typer) -> Any:
    """The int that an expression is, where lengths of tuples and literals tell."""
    if isinstance(node, gast.BinOp) and type(node.op) in _SUMS:
        sides = [int_of(node.left, typer), int_of(node.right, typer)]
        return _SUMS[type(node.op)](*sides) if all(type(one) is int for one in sides) \
            and (sides[1] or not isinstance(node.op, gast.Mod)) else None
    return kinds.value_of(typer.kind(node))


def _reads_part(part: gast.Subscript, statement: gast.stmt, counter: str, typer: Typer,
                facts: Inferred) -> bool:
    """Whether one of the parts of a tuple, which differ, is read by a number made of a counter."""
    if not isinstance(part.value, gast.Name) or counter not in syntax.read_names(part.slice):
        return False
    typer.names = facts.before[id(statement)]
    kind = typer.kind(part.value)
    return isinstance(kind, TupleKind) and differ(kind)


class _AtPart(syntax.Transformer):
    """A loop's body at one value of its counter; keys: what is bound to the keys of which dict."""

    def __init__(self, counter: str, number: int, dicts: dict[str, tuple[Any, ...]],
                 keys: dict[str, str]) -> None:
        self.counter, self.number, self.dicts, self.keys = counter, number, dicts, keys

    def visit_Name(self, node: gast.Name) -> gast.expr:
        if node.id == self.counter and isinstance(node.ctx, gast.Load):
            return gast.copy_location(gast.Constant(self.number, None), node)
        return node

    def visit_BinOp(self, node: gast.BinOp) -> gast.expr:
        self.generic_visit(node)
        sides = [getattr(one, "value", None) for one in (node.left, node.right)]
        if type(node.op) not in _SUMS or not all(type(one) is int for one in sides) \
                or (isinstance(node.op, gast.Mod) and not sides[1]):
            return node
        return gast.copy_location(gast.Constant(_SUMS[type(node.op)](*sides), None), node)

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        if getattr(node, "iterates", False) and isinstance(node.value, gast.Name) \
                and node.value.id in self.dicts \
                and getattr(node.slice, "id", "") == self.counter:      # and of no loop inside
            key = self.dicts[node.value.id][self.number]
            return gast.copy_location(gast.Constant(key, None), node)
        self.generic_visit(node)
        if isinstance(node.slice, gast.Name) and node.slice.id in self.keys:
            key = self.dicts[self.keys[node.slice.id]][self.number]
            node.slice = gast.copy_location(gast.Constant(key, None), node.slice)
        return node


def iterating(node: gast.For) -> list[gast.Assign]:
    """The statements of a body that take the items of what the loop runs over."""
    return [s for s in syntax.statements(node.body) if isinstance(s, gast.Assign)
            and getattr(s.value, "iterates", False) and isinstance(s.value.value, gast.Name)
            and isinstance(s.value.slice, gast.Name) and s.value.slice.id == node.target.id]


def iterated(node: gast.For, typer: Typer, facts: Inferred) -> list[Kind]:
    """The kinds of what a loop takes the parts of, be it one of the module."""
    found: list[Kind] = []
    for one in iterating(node):
        typer.names = facts.before[id(one)]
        found.append(typer.kind(one.value.value))
    return found


def _names(node: gast.For) -> list[str]:
    return [one.value.value.id for one in iterating(node)]


def _dicts(node: gast.For, typer: Typer, facts: Inferred,
           plain: gast.For) -> dict[str, tuple[Any, ...]]:
    """Names (in the tree that is changed) of the dicts that a loop runs over, and their keys."""
    found = {}
    for one, other in zip(iterating(node), iterating(plain)):
        typer.names = facts.before[id(one)]
        kind = typer.kind(one.value.value)
        if isinstance(kind, DictKind):
            found[other.value.value.id] = kind.keys
    return found


def _items(kind: Kind) -> tuple[Any, ...]:
    return kind.items if isinstance(kind, (TupleKind, DictKind)) else ()


def differ(kind: Kind) -> bool:
    """Whether it matters which part of a tuple is meant: keys, tuples, functions, other kinds; or
    parts with names, as those of a named tuple, whose adjoint has them too."""
    if isinstance(kind, DictKind) or getattr(kind, "type", tuple) is not tuple:
        return True
    items = _items(kind)
    return any(isinstance(i, (kinds.Text, TupleKind, DictKind, kinds.RecordKind, kinds.ListKind,
                              kinds.Known)) for i in items) or len(set(items)) > 1


def _runs_over_all(node: gast.For, names: set[str]) -> bool:
    """Whether the bound of a loop is the length of what it takes the items of."""
    if len(node.iter.args) != 1:
        return False
    bound = node.iter.args[0]
    read = syntax.read_names(bound) - {"len", "min"}
    calls = all(isinstance(n, (gast.Call, gast.Name, gast.Load)) for n in gast.walk(bound))
    return calls and isinstance(bound, gast.Call) and read <= names


def leaving(block: list[gast.stmt], left: str) -> list[gast.stmt]:
    """A block in which a break is noted; nothing stands behind one."""
    out: list[gast.stmt] = []
    for node in block:
        if isinstance(node, gast.Break):
            out.append(syntax.assign(left, gast.Constant(True, None)))
        else:
            if isinstance(node, gast.If):
                node.body, node.orelse = leaving(node.body, left), leaving(node.orelse, left)
            out.append(node)
    return out
