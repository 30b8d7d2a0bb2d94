"""Values that the contributions of one rule share, in the backward pass.

    t = bz / y                          bx = bz / y
    bx = t                      =>      by = -bx * z
    by = -t * z

The adjoint that begins as such a value is its name, if nobody else can come to hold the array: it
may be added to in place later.
"""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.syntax import assign, load


def add_all(ledger: Any, locals_: list[tuple[str, gast.expr]], contributions: list[Any]) -> None:
    """Compute the shared values, and add the contributions to the adjoints."""
    start(ledger, locals_)
    begun = [local for local, _ in locals_]
    rest = list(contributions)
    while rest:
        contribution = rest.pop(0)
        ledger.add(contribution)
        if not begun or len(ledger.out) < 2 or contribution.steps:
            continue
        local, adjoint = begun[-1], ledger.context.adjoints[contribution.name]
        first, second = ledger.out[-2:]
        if _is(first, local, None) and _is(second, adjoint, local) and _only_operand(local, rest):
            ledger.out[-2:] = [assign(adjoint, first.value)]
            ledger.state[(contribution.name,)] = ledger.is_fresh(first.value)
            rest = [replace(one, value=syntax.substitute(one.value, {local: load(adjoint)}))
                    for one in rest]
            begun.pop()


def start(ledger: Any, locals_: list[tuple[str, gast.expr]]) -> None:
    """Compute the shared values."""
    ledger.out += [assign(name, value) for name, value in locals_]


def _is(node: Any, name: str, value: str | None) -> bool:
    """Whether a statement binds a name, to the value of another one if that is given."""
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
        and node.targets[0].id == name and (
            value is None or (isinstance(node.value, gast.Name) and node.value.id == value))


def _only_operand(name: str, contributions: list[Any]) -> bool:
    """Whether contributions read a name as operand of arithmetic only, which makes new arrays."""
    for contribution in contributions:
        operands = [operand for node in syntax.walk(contribution.value)
                    for operand in _operands(node)]
        reads = [node for node in syntax.walk(contribution.value)
                 if isinstance(node, gast.Name) and node.id == name]
        if any(all(one is not read for one in operands) for read in reads):
            return False
    return True


def _operands(node: gast.AST) -> list[gast.expr]:
    if isinstance(node, gast.BinOp):
        return [node.left, node.right]
    return [node.operand] if isinstance(node, gast.UnaryOp) else []
