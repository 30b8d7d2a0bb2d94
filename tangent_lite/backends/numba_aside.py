"""What is put on tapes and taken off stands beside a run of statements about arrays, not in it.

    t = f * c                               c_tape.append(c)
    c_tape.append(c)                =>      t = f * c
    c = t + i * g                           c = t + i * g

A run that nothing stands in is one call, and may be one loop (`numba_groups`). What a tape is given
is an array or a number by its name: until the name is bound to something else that is the same.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import gast

from tangent_lite import syntax

_PUTS, _TAKES = ("append", "put"), ("pop", "take")


class _Use(NamedTuple):
    """`tape.append(name)`; or, if it binds it, `name = tape.pop()`."""
    tape: str
    name: str
    binds: bool


def stand_aside(block: list[gast.stmt], can_join: Callable[[gast.stmt], bool]) -> None:
    """Move such statements of a block in front of the run in which they stand, or behind it.

    can_join: whether a statement may be one of a run.
    """
    made: list[gast.stmt] = []
    run: list[gast.stmt] = []
    for node in block:
        if can_join(node) or _use(node) is not None:
            run.append(node)
            continue
        made += [*_sorted(run), node]
        run = []
    block[:] = [*made, *_sorted(run)]


def _sorted(run: list[gast.stmt]) -> list[gast.stmt]:
    front: list[gast.stmt] = []
    rest: list[gast.stmt] = []
    for node in run:
        (front if _can_pass(node, rest) else rest).append(node)
    back: list[gast.stmt] = []
    between: list[gast.stmt] = []
    for node in reversed(rest):
        (back if _can_pass(node, between) else between).append(node)
    return [*front, *reversed(between), *reversed(back)]


def _can_pass(node: gast.stmt, others: list[gast.stmt]) -> bool:
    """Whether a statement is such a one, and may as well stand on the other side of others."""
    use = _use(node)
    if use is None:
        return False
    for other in others:
        beside = _use(other)
        if beside is not None:
            if beside.tape == use.tape or (
                    beside.name == use.name and (beside.binds or use.binds)):
                return False
        elif any(n.id == use.tape or (n.id == use.name and (
                use.binds or not isinstance(n.ctx, gast.Load)))
                for n in syntax.walk(other) if isinstance(n, gast.Name)):
            return False
    return True


def _use(node: Any) -> _Use | None:
    value = getattr(node, "value", None)
    if not isinstance(value, gast.Call) or not isinstance(value.func, gast.Attribute) \
            or not isinstance(value.func.value, gast.Name) or value.keywords:
        return None
    tape, method, args = value.func.value.id, value.func.attr, value.args
    if isinstance(node, gast.Expr) and method in _PUTS and len(args) == 1 \
            and isinstance(args[0], gast.Name):
        return _Use(tape, args[0].id, False)
    if isinstance(node, gast.Assign) and method in _TAKES and not args \
            and len(node.targets) == 1 and isinstance(node.targets[0], gast.Name):
        return _Use(tape, node.targets[0].id, True)
    return None
