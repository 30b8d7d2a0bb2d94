"""Tapes of compiled code: Numba's lists, with an append and a pop that do no more than they must.

Those of Numba keep a list at its size, which costs more than the step of a recurrence. Here a list
that is full doubles, and never shrinks. The pass of `numba_checks` puts them in place of Numba's.
"""
from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils
from numba.core.extending import lower_builtin
from numba.core.imputils import impl_ret_new_ref
from numba.core.typing.templates import AbstractTemplate
from numba.cpython.listobj import ListInstance


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
