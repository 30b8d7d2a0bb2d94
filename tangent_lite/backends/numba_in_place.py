"""Arrays that are changed in place: what `x += y` adds has to fit into x.

NumPy raises a ValueError where the shapes of both, broadcast, are not that of x. Numba broadcasts
as if there were room, and adds what comes first, or last. A pass over its typed code puts a look at
the shapes in front of each such statement: what stops there goes on in Python, which says what is
wrong.
"""
from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils, ir, ir_utils, typing
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.extending import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.np.arrayobj import make_array


def fits(target, value):
    """Whether an array can be added to another in place; compiled code stops if it cannot."""
    raise NotImplementedError


@infer_global(fits)
class _Fits(AbstractTemplate):
    def generic(self, args, kws):
        return typing.signature(types.boolean, *args)


@lower_builtin(fits, types.Array, types.Array)
def _fits(context, builder, sig, args):
    into, given = (cgutils.unpack_tuple(builder, make_array(kind)(context, builder, one).shape)
                   for kind, one in zip(sig.args, args))
    found = cgutils.true_bit if len(given) <= len(into) else cgutils.false_bit
    for size, one in zip(reversed(into), reversed(given)):
        is_alike = builder.icmp_signed("==", size, one)
        is_stretched = builder.icmp_signed("==", one, llvm.Constant(one.type, 1))
        found = builder.and_(found, builder.or_(is_alike, is_stretched))
    with cgutils.if_unlikely(builder, builder.not_(found)):
        context.call_conv.return_user_exc(
            builder, ValueError, ("an array is changed in place by one that does not fit into it",))
    return found


@register_pass(mutates_CFG=False, analysis_only=False)
class FittingInPlace(FunctionPass):
    """Puts that look in front of the statements."""

    _name = "tangent_lite_fitting_in_place"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        typemap, changed = state.typemap, False
        for block in state.func_ir.blocks.values():
            body: list[Any] = []
            for node in block.body:
                value = getattr(node, "value", None)
                if isinstance(value, ir.Expr) and value.op == "inplace_binop":
                    kinds = typemap[value.lhs.name], typemap[value.rhs.name]
                    if all(isinstance(kind, types.Array) for kind in kinds):
                        state.typingctx.resolve_function_type(fits, kinds, {})
                        look = ir.Expr("binop", value.loc, fn=fits, lhs=value.lhs, rhs=value.rhs,
                                       static_lhs=ir.UNDEFINED, static_rhs=ir.UNDEFINED)
                        state.calltypes[look] = typing.signature(types.boolean, *kinds)
                        made = ir.Var(block.scope, ir_utils.mk_unique_var("fits"), value.loc)
                        typemap[made.name] = types.boolean
                        body.append(ir.Assign(look, made, value.loc))
                        changed = True
                body.append(node)
            block.body = body
        return changed
