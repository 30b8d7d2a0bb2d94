"""Remainders of ints that are mostly what is divided: neighbours in a ring, `u[(i + 1) % n]`.

A division takes as long as dozens of sums, and a look whether there is anything to divide takes
none, where it nearly always says the same. Of products nobody knows what it says.
"""
from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils, ir, typing
from numba.core.extending import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global

REMAINDERS = (operator.mod, operator.imod)
_SUMS = (operator.add, operator.iadd, operator.sub, operator.isub)
_DEEP = 8


def quick_remainder(x, y):
    """`x % y` for ints."""
    return x % y


@infer_global(quick_remainder)
class _Typed(AbstractTemplate):
    def generic(self, args, kws):
        return typing.signature(types.int64, types.int64, types.int64)


@lower_builtin(quick_remainder, types.int64, types.int64)
def _lowered(context, builder, sig, args):
    number, divisor = args
    is_positive = builder.icmp_signed(">", divisor, llvm.Constant(divisor.type, 0))
    # What is below zero is large without its sign.
    is_below = builder.icmp_unsigned("<", number, divisor)
    found = cgutils.alloca_once_value(builder, number)
    with cgutils.if_unlikely(builder, builder.not_(builder.and_(is_positive, is_below))):
        divided = context.get_function(operator.mod, sig)
        builder.store(divided(builder, args), found)
    return builder.load(found)


def is_near(value: Any, values: dict[str, list[Any]]) -> bool:
    """Whether what a remainder is taken of is a name, or sums of names, and what it is divided by
    is no number in the text, of which the compiler makes products itself; values: what is assigned
    to each name of Numba's."""
    return not _are(values.get(value.rhs.name, []), values, _is_number, 0) \
        and _are(values.get(value.lhs.name, []), values, _is_sum, 0)


def _are(assigned: list[Any], values: dict[str, list[Any]], is_so: Any, depth: int) -> bool:
    """Whether something holds of all that a name is assigned, or of what that is a name of."""
    return depth < _DEEP and all(
        _are(values[one.name], values, is_so, depth + 1)
        if isinstance(one, ir.Var) and values.get(one.name) else is_so(one, values)
        for one in assigned)


def _is_number(value: Any, values: dict[str, list[Any]]) -> bool:
    return isinstance(value, (ir.Const, ir.Global, ir.FreeVar))


def _is_sum(value: Any, values: dict[str, list[Any]]) -> bool:
    if not isinstance(value, ir.Expr):
        return True                             # a parameter, a number
    if value.op in ("binop", "inplace_binop"):
        return value.fn in _SUMS
    return value.op != "call"                   # a step of a loop, an item
