"""Tapes of compiled code: Numba's lists, with an append and a pop that do no more than they must.

Those of Numba keep a list at its size, which costs more than the step of a recurrence. Here a list
that is full doubles, and never shrinks. The pass of `numba_checks` puts them in place of Numba's.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils
from numba.core.extending import lower_builtin
from numba.core.imputils import impl_ret_new_ref
from numba.core.typing.templates import AbstractTemplate
from numba.cpython.listobj import ListInstance
from numba.extending import intrinsic, overload

from tangent_lite import syntax


class Push(AbstractTemplate):
    """`tape.append(x)`; its types were found when it was still Numba's."""

    key = "tangent_lite.push"


class Pop(AbstractTemplate):
    """`tape.pop()`."""

    key = "tangent_lite.pop"


def instead_of(bound: Any, count: int) -> Any:
    """What takes the place of a method of a list that is called with so many arguments."""
    template = {("list.append", 1): Push, ("list.pop", 0): Pop}.get((bound.typing_key, count))
    return None if template is None or not isinstance(bound.this, types.List) \
        or bound.this.reflected else types.BoundFunction(template, bound.this)


@lower_builtin(Push.key, types.List, types.Any)
def _push(context, builder, sig, args):
    items = ListInstance(context, builder, sig.args[0], args[0])
    count = items.size
    with builder.if_then(builder.icmp_signed("==", count, items._payload.allocated),
                         likely=False):
        half = builder.ashr(count, llvm.Constant(count.type, 1))
        items.resize(builder.add(count, builder.add(half, llvm.Constant(count.type, 8))))
    items._payload.size = builder.add(count, llvm.Constant(count.type, 1))
    items.inititem(count, args[1], incref=True)
    return context.get_dummy_value()


@lower_builtin(Pop.key, types.List)
def _pop(context, builder, sig, args):
    items = ListInstance(context, builder, sig.args[0], args[0])
    count = items.size
    cgutils.guard_zero(context, builder, count, (IndexError, "pop from empty list"))
    last = builder.sub(count, llvm.Constant(count.type, 1))
    found = items.getitem(last)             # what the list held is the caller's now
    items._payload.size = last
    if context.data_model_manager[items.dtype].contains_nrt_meminfo():
        items.zfill(last, count)
    return impl_ret_new_ref(context, builder, sig.return_type, found)


# Room for a whole loop ----------------------------------------------------------------------------
@intrinsic
def _grow(typingctx, items, count):
    """Let an empty list of numbers have room for so many of them."""
    def generate(context, builder, signature, args):
        made = ListInstance(context, builder, signature.args[0], args[0])
        made.resize(args[1])
        made._payload.size = llvm.Constant(args[1].type, 0)
        return context.get_dummy_value()
    return types.void(items, types.intp), generate


def reserve(items: Any, count: Any) -> None:
    """Give an empty tape room for so many records."""


@overload(reserve)
def _reserve(items, count):
    if isinstance(items, types.List) and not items.reflected \
            and isinstance(items.dtype, (types.Float, types.Integer)):
        def run(items, count):
            if count > 0 and len(items) == 0:
                _grow(items, count)
        return run
    return lambda items, count: None


def reserve_tapes(tree: gast.FunctionDef, reserver: Callable[[], str]) -> None:
    """Say in front of loops how many records they put on a tape: `for i in range(n)`, one each.

    reserver: gives the name of `reserve` in the module. Loops that may be left early say nothing.
    """
    for block in syntax.all_blocks(tree):
        fresh = {node.targets[0].id for node in block
                 if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
                 and isinstance(node.value, gast.List) and not node.value.elts}
        for node in [one for one in block if isinstance(one, gast.For)]:
            head: Any = node.iter
            if not fresh or not isinstance(head, gast.Call) or len(head.args) != 1 \
                    or not isinstance(head.func, gast.Name) or head.func.id != "range" \
                    or not isinstance(head.args[0], gast.Name) or syntax.may_leave(node.body):
                continue
            tapes = [call.func.value.id for one in node.body if isinstance(one, gast.Expr)
                     for call in [one.value] if isinstance(call, gast.Call)
                     and isinstance(call.func, gast.Attribute) and call.func.attr == "append"
                     and isinstance(call.func.value, gast.Name) and call.func.value.id in fresh]
            made = [syntax.statement(syntax.call(syntax.load(reserver()), syntax.load(tape),
                                                 syntax.copy(head.args[0])))
                    for tape in dict.fromkeys(tapes)]
            syntax.serve(made, node)
            at = next(k for k, one in enumerate(block) if one is node)
            block[at:at] = made
            fresh -= set(tapes)
