"""Loops over the parts of a tuple or the keys of a dict, one part after the other.

    for name, W in (("W", params["W"]), ("b", params["b"])):     =>     total = total + np.sum(W)
        total = total + np.sum(params[name])                            total = total + np.sum(b)

The parts may be of different kinds, and a key has to be known to say which part of a dict it names;
so the body stands once for each part.
"""
from __future__ import annotations

import operator
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.inference import Typer
from tangent_lite.kinds import DictKind, Kind, TupleKind
from tangent_lite.names import Names

MOST_PARTS = 64
_SUMS: dict[type, Any] = {gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: operator.mul}


def unroll(node: gast.For, plain: gast.For, typer: Typer, facts: Inferred,
           names: Names) -> tuple[list[gast.stmt], None] | None:
    """The bodies of a loop one behind the other, if the parts that it runs over differ.

    node: the loop whose kinds are known; plain: the same in the tree that is changed.
    """
    numbers = _numbers(node, plain, typer, facts)
    if numbers is None or len(numbers) > MOST_PARTS:
        return None
    counter = plain.target.id
    left = names.fresh("left") if syntax.may_leave(plain.body) else None
    out: list[gast.stmt] = [] if left is None else [syntax.assign(left, gast.Constant(False, None))]
    for turn, number in enumerate(numbers):
        renamer = _AtPart(counter, number, _dicts(node, typer, facts, plain))
        body = [renamer.visit(s) for s in syntax.copy(plain.body)]
        for part in syntax.statements(body):
            if isinstance(part, gast.If) and isinstance(part.test, (
                    gast.Compare, gast.Call, gast.BoolOp, gast.UnaryOp)):
                part.test.asks = True               # which turn it is, it may be
        for part in (p for s in body for p in gast.walk(s)):
            if hasattr(part, "mark"):
                del part.mark
        body.append(gast.copy_location(syntax.assign(counter, gast.Constant(number, None)), plain))
        if left is None:
            out += body
            continue
        # A break leaves out all that follows.
        body = [body[-1], *leaving(body[:-1], left)]
        out += body if not turn else [gast.If(gast.UnaryOp(gast.Not(), syntax.load(left)), body,
                                                [])]
    for statement in out:
        syntax.place_within(statement, plain)
    return out, None


def _numbers(node: gast.For, plain: gast.For, typer: Typer, facts: Inferred) -> range | None:
    """The values of the counter of a loop over parts that differ."""
    over = iterated(node, typer, facts)
    # In the later tree the bound of the loop may have a name of its own.
    if over and _runs_over_all(plain, set(_names(plain))):
        count = min(len(_items(kind)) for kind in over)
        return range(count) if not count or any(map(_differ, over)) else None
    return _counted(node, plain, typer, facts)


def _counted(node: gast.For, plain: gast.For, typer: Typer, facts: Inferred) -> range | None:
    """The same of `for i in range(len(layers))` where the body reads parts by numbers made of i."""
    # A call that is yet to be written out may bind what the bounds are made of (`nonlocal n`).
    if not typer.settled or typer.is_growing or not isinstance(node.target, gast.Name) \
            or plain.target.id in bound_in(plain.body):
        return None
    if not any(_reads_part(part, statement, node.target.id, typer, facts)
               for statement in syntax.statements(node.body)
               if not isinstance(statement, syntax.COMPOUND)
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
        return _SUMS[type(node.op)](*sides) if all(type(one) is int for one in sides) else None
    return kinds.value_of(typer.kind(node))


def _reads_part(part: gast.Subscript, statement: gast.stmt, counter: str, typer: Typer,
                facts: Inferred) -> bool:
    """Whether one of the parts of a tuple, which differ, is read by a number made of a counter."""
    if not isinstance(part.value, gast.Name) or counter not in syntax.read_names(part.slice):
        return False
    typer.names = facts.before[id(statement)]
    kind = typer.kind(part.value)
    return isinstance(kind, TupleKind) and _differ(kind)


class _AtPart(syntax.Transformer):
    """A loop's body at one value of its counter."""

    def __init__(self, counter: str, number: int, dicts: dict[str, tuple[Any, ...]]) -> None:
        self.counter, self.number, self.dicts = counter, number, dicts

    def visit_Name(self, node: gast.Name) -> gast.expr:
        if node.id == self.counter and isinstance(node.ctx, gast.Load):
            return gast.copy_location(gast.Constant(self.number, None), node)
        return node

    def visit_BinOp(self, node: gast.BinOp) -> gast.expr:
        self.generic_visit(node)
        sides = [getattr(one, "value", None) for one in (node.left, node.right)]
        if type(node.op) not in _SUMS or not all(type(one) is int for one in sides):
            return node
        return gast.copy_location(gast.Constant(_SUMS[type(node.op)](*sides), None), node)

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        if getattr(node, "iterates", False) and isinstance(node.value, gast.Name) \
                and node.value.id in self.dicts \
                and getattr(node.slice, "id", "") == self.counter:      # and of no loop inside
            key = self.dicts[node.value.id][self.number]
            return gast.copy_location(gast.Constant(key, None), node)
        self.generic_visit(node)
        return node


def iterating(node: gast.For) -> list[gast.Assign]:
    """The statements of a body that take the items of what the loop runs over."""
    return [s for s in syntax.statements(node.body) if isinstance(s, gast.Assign)
            and getattr(s.value, "iterates", False) and isinstance(s.value.value, gast.Name)
            and isinstance(s.value.slice, gast.Name) and s.value.slice.id == node.target.id]


def iterated(node: gast.For, typer: Typer, facts: Inferred) -> list[Kind]:
    """The kinds of the tuples and dicts that a loop takes the parts of, be it one of the module;
    none if it takes others."""
    found: list[Kind] = []
    for one in iterating(node):
        typer.names = facts.before[id(one)]
        kind = typer.kind(one.value.value)
        if not isinstance(kind, (TupleKind, DictKind)):
            return []
        found.append(kind)
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


def _differ(kind: Kind) -> bool:
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
