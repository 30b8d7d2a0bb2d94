"""Sums of adjoints in any order: the processor adds several at a time.

`bk += t * dt` waits at each step for the step before it, and keeps the loop around it from becoming
vector instructions. Sums of yours are added up in your order; no adjoint is such a sum.
"""
from __future__ import annotations

from collections.abc import Callable

import gast
from numba import types
from numba.extending import intrinsic

from tangent_lite import syntax
from tangent_lite.backends.numba_borrowing import overload


def any_order(total, value):
    """total + value, as part of a sum in any order."""
    return total + value


@intrinsic
def _added(typingctx, total, value):
    def generate(context, builder, signature, args):
        return builder.fadd(*args, flags=("reassoc",))
    return types.float64(types.float64, types.float64), generate


@overload(any_order)
def _any_order(total, value):
    if total == types.float64 and isinstance(value, types.Float):
        return lambda total, value: _added(total, value)
    return lambda total, value: total + value


def sum_in_any_order(block: list[gast.stmt], sums: set[str],
                     name_of: Callable[[str], str]) -> None:
    """`s += x` => `s = any_order(s, x)`, for these names, in all that stands in a block."""
    for inside in syntax.blocks_in(block):
        for at, node in enumerate(inside):
            if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name) \
                    and node.target.id in sums:
                value = syntax.minus(node.value) if isinstance(node.op, gast.Sub) else node.value
                inside[at] = syntax.copy_place(syntax.assign(node.target.id, syntax.call(
                    syntax.load(name_of("any_order")), syntax.load(node.target.id),
                    value)), node)
                syntax.serve([inside[at]], node)
