"""Compiled code that calls other compiled code by its address.

What Numba compiles holds a copy of all that it calls, which LLVM optimises once more. A few lines
around a long derivative then take half as long to compile as the derivative. A call by address
takes none of it in, and costs what any call costs. Addresses mean nothing to another process: what
is kept on disk calls by a symbol, which each process gives the address that it means there. Numba
never gives machine code back, so an address stays good.
"""
from __future__ import annotations

from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.core import cgutils, imputils
from numba.core.typing import signature
from numba.extending import intrinsic


def by_address(main: Any, kinds: tuple[Any, ...], symbol: str | None = None) -> Any:
    """A function for compiled code that calls what `main` was compiled to for these types.

    symbol: by which it is called where the caller is kept on disk; nothing else may have it.
    """
    compiled = main.overloads[kinds]
    result = compiled.signature.return_type
    address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    asked = signature(result, *kinds)
    if symbol is not None:
        llvmlite.binding.add_symbol(symbol, address)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        convention = context.call_conv
        kind = convention.get_function_type(result, kinds)
        function = builder.inttoptr(ir.Constant(cgutils.intp_t, address), kind.as_pointer()) \
            if symbol is None else cgutils.get_or_insert_function(builder.module, kind, symbol)
        status, found = convention.call_function(builder, function, result, kinds, args)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        found = imputils.fix_returning_optional(context, builder, asked, status, found)
        return imputils.impl_ret_new_ref(context, builder, result, found)

    names = ", ".join(f"a{k}" for k in range(len(kinds)))
    space: dict[str, Any] = {"signature": asked, "generate": generate}
    exec(f"def call(typingctx, {names}):\n    return signature, generate", space)
    return intrinsic(space["call"])


@intrinsic
def not_on_disk(typingctx):
    """Nothing but a mark: compiled callers of the function in which it stands are not kept on disk.

    `numba.njit(cache=True)` looks whether the file of the caller has changed, and would go on with
    the derivative of a function that has changed in another file; what a derivative calls by a
    symbol, such as the loops of NumPy's functions, has an address in this process only. Numba keeps
    nothing that has a global of such a name in it, and says so.
    """
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        name, word = "numba.dynamic.globals.tangent_lite", ir.IntType(8)
        mark = builder.module.globals.get(name)
        if mark is None:
            mark = cgutils.add_global_variable(builder.module, word, name)
            mark.linkage = "linkonce"
            mark.initializer = ir.Constant(word, 0)
        # Read, so that LLVM leaves it in.
        builder.asm(ir.FunctionType(ir.VoidType(), [mark.type]), "", "r", [mark], True)
        return context.get_dummy_value()
    return types.none(), generate
