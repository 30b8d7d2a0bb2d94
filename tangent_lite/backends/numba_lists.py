"""Tapes that loops fill and empty say so in front of the loop, where that is known.

    for i in range(n):                  x_tape.room(n)
        x_tape.append(x)        =>      for i in range(n):
        x = r * x                           x_tape.put(x)
                                            x = r * x

One look at how much room there is, in place of one at each step (`numba_tapes`). Going back, one
look at how many records there are: `x_tape.hold(n)`, and then `x_tape.take()` in place of `pop`.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangent_lite import syntax

_LOOPS = (gast.For, gast.While)


def reserve_tapes(tree: gast.FunctionDef) -> None:
    """Rewrite the loops of a function that run over ranges; those that may be left early, and tapes
    that are used here and there in the loop, stay as they are."""
    tapes = _made_empty(tree)
    if not tapes:
        return
    for block in syntax.all_blocks(tree):
        for node in [one for one in block if isinstance(one, gast.For)]:
            count = trips(node)
            if count is None or leaves(node.body):
                continue
            said = [syntax.statement(syntax.method(syntax.load(tape), method, _times(
                len(calls), count))) for tape, method, calls in _used_once_a_step(node, tapes)]
            syntax.serve(said, node)
            at = next(k for k, one in enumerate(block) if one is node)
            block[at:at] = said


def trips(loop: gast.For) -> gast.expr | None:
    """How many steps a loop over a range of whole numbers has, or a number below zero for none."""
    found = ends(loop)
    if found is None:
        return None
    start, stop, step = found
    if isinstance(start, gast.Constant) and start.value == 0 and step == 1:
        return syntax.copy(stop)
    low, high = (start, stop) if step == 1 else (stop, start)
    return syntax.binary(syntax.copy(high), "-", syntax.copy(low))


def ends(loop: gast.For) -> tuple[gast.expr, gast.expr, int] | None:
    """(start, stop, 1 or -1) of a loop over a range, whose ends can be read again; else None."""
    head = loop.iter
    if not isinstance(head, gast.Call) or not isinstance(head.func, gast.Name) \
            or head.func.id != "range" or head.keywords or loop.orelse \
            or not isinstance(loop.target, gast.Name) \
            or not all(_is_plain(one) for one in head.args):
        return None
    start = head.args[0] if len(head.args) > 1 else gast.Constant(0, None)
    stop = head.args[min(1, len(head.args) - 1)]
    step = syntax.constant_int(head.args[2]) if len(head.args) == 3 else 1
    return (start, stop, step) if step in (1, -1) else None


def leaves(body: list[gast.stmt]) -> bool:
    """Whether some step of a loop may end before the last statement of its body."""
    for node in body:
        if isinstance(node, (gast.Break, gast.Continue, gast.Return)):
            return True
        for block in syntax.blocks_of(node):
            if any(isinstance(one, gast.Return) for one in syntax.statements(block)) \
                    if isinstance(node, _LOOPS) else leaves(block):
                return True
    return False


def list_of(node: Any, name: str, count: int) -> str | None:
    """The name of the list in `list.name(...)`, with so many arguments."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
            and node.func.attr == name and len(node.args) == count and not node.keywords \
            and isinstance(node.func.value, gast.Name):
        return node.func.value.id
    return None


def _is_plain(node: gast.expr) -> bool:
    """Whether an expression is of names, lengths and whole numbers, and may be read twice."""
    if isinstance(node, gast.Constant):
        return type(node.value) is int
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, gast.USub) and _is_plain(node.operand)
    if isinstance(node, gast.BinOp):
        return isinstance(node.op, (gast.Add, gast.Sub, gast.Mult)) \
            and _is_plain(node.left) and _is_plain(node.right)
    if isinstance(node, gast.Subscript):
        return isinstance(node.value, gast.Attribute) and node.value.attr == "shape" \
            and isinstance(node.value.value, gast.Name) \
            and syntax.constant_int(node.slice) is not None
    if isinstance(node, gast.Call):
        return isinstance(node.func, gast.Name) and node.func.id == "len" \
            and len(node.args) == 1 and isinstance(node.args[0], gast.Name)
    return isinstance(node, gast.Name)


def _times(count: int, node: gast.expr) -> gast.expr:
    return node if count == 1 else syntax.binary(syntax.constant(count), "*", node)


def _made_empty(tree: gast.FunctionDef) -> set[str]:
    """The names that mean lists which were empty when they were made."""
    empty, other = set(), {one.id for one in tree.args.args}
    for node in syntax.walk(tree):
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                and isinstance(node.value, gast.List) and not node.value.elts:
            empty.add(node.targets[0].id)
        elif isinstance(node, gast.Assign):
            other.update(name for one in node.targets for name in syntax.bound_names(one))
        elif isinstance(node, gast.For):
            other.update(syntax.bound_names(node.target))
    return empty - other


def _used_once_a_step(loop: gast.For, tapes: set[str]) \
        -> Iterator[tuple[str, str, list[gast.Call]]]:
    """(tape, "room" or "hold", calls) of tapes to which each step appends as often, and from which
    each takes as often; the calls are renamed."""
    steady: dict[tuple[str, str], list[gast.Call]] = {}
    for node in loop.body:
        value = getattr(node, "value", None)
        if isinstance(node, (gast.Expr, gast.Assign)) and isinstance(value, gast.Call):
            use = _use(value)
            if use is not None:
                steady.setdefault(use, []).append(value)
    bound = {one.id for node in loop.body for one in syntax.walk(node)
             if isinstance(one, gast.Name) and not isinstance(one.ctx, gast.Load)}
    for (tape, method), calls in steady.items():
        uses = [one for node in loop.body for one in syntax.walk(node)
                if isinstance(one, gast.Call) and _use(one) == (tape, method)]
        if tape in tapes and tape not in bound and len(uses) == len(calls):
            for one in calls:
                one.func.attr = "put" if method == "append" else "take"
            yield tape, "room" if method == "append" else "hold", calls


def _use(call: gast.Call) -> tuple[str, str] | None:
    """(name, method) of `tape.append(x)` and `tape.pop()`."""
    function = call.func
    if isinstance(function, gast.Attribute) and isinstance(function.value, gast.Name) \
            and (function.attr, len(call.args)) in (("append", 1), ("pop", 0)):
        return function.value.id, function.attr
    return None
