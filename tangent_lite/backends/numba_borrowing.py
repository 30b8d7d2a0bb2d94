"""Arguments are borrowed: a function of compiled code counts no reference to what it is passed.

Numba counts one more holder of each array that a function is given when it begins, and one less
behind its last use. Of a function that LLVM does not write out where it is called the two counts
stay, and each of them is an atomic instruction, as long as twenty additions: of the cross product
of two vectors of three they were most of its time. Nobody needs them. Whoever calls holds what is
passed until the call returns; what is returned, or put into a list, is counted there.

The derivative itself takes its arrays as if nobody counted them (`BorrowingLowerOfMain`): slices of
them count nothing either, and an exception, at which Numba gives nothing back that is counted,
leaves them as they were. What it returns may be such an array: who calls it compares and copies.
"""
from __future__ import annotations

from typing import Any

import numba.extending
from numba import types
from numba.core import cgutils, ir, lowering
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

from tangent_lite.backends.numba_strides import stretched_by_strides
from tangent_lite.backends.numba_tapes import keep_apart


class BorrowingLower(lowering.Lower):
    """Numba's way from typed code to LLVM, without counts for names that mean arguments only."""

    _borrowed: set[str]

    def lower_function_body(self) -> Any:
        self._borrowed = set() if self.generator_info else self._names_of_arguments()
        with stretched_by_strides():
            entry = super().lower_function_body()
        keep_apart(self.function)
        return entry

    def _names_of_arguments(self) -> set[str]:
        """The names that one statement binds, to an argument of that very type."""
        bound: dict[str, list[ir.Assign]] = {}
        for block in self.blocks.values():
            for statement in block.find_insts(ir.Assign):
                bound.setdefault(statement.target.name, []).append(statement)
        return {name for name, statements in bound.items()
                if len(statements) == 1 and isinstance(statements[0].value, ir.Arg)
                and isinstance(self.typeof(name), types.Array)
                and self.typeof("arg." + statements[0].value.name) == self.typeof(name)}

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        if inst.target.name in self._borrowed:
            return self.fnargs[inst.value.index]
        return super().lower_assign(ty, inst)

    def delvar(self, name: str) -> None:
        if name not in self._borrowed:
            super().delvar(name)


class BorrowingLowerOfMain(BorrowingLower):
    """The same for the derivative itself, whose arrays are without an owner from the beginning."""

    def extract_function_arguments(self) -> Any:
        given = super().extract_function_arguments()
        self.fnargs = tuple(map(self._without_owner, self.fndesc.argtypes, given))
        return self.fnargs

    def _without_owner(self, kind: Any, value: Any) -> Any:
        """An array, or a tuple with arrays in it, that nobody counts."""
        if isinstance(kind, types.Array):
            array = cgutils.create_struct_proxy(kind)(self.context, self.builder, value=value)
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            return array._getvalue()
        if isinstance(kind, types.BaseTuple):
            parts = cgutils.unpack_tuple(self.builder, value, len(kind))
            return self.context.make_tuple(self.builder, kind, list(
                map(self._without_owner, kind, parts)))
        return value


@register_pass(mutates_CFG=True, analysis_only=False)
class LoweringThatBorrows(NativeLowering):
    """The pass that does so, in place of Numba's."""

    _name = "tangent_lite_lowering_that_borrows"

    @property
    def lowering_class(self) -> Any:
        return BorrowingLower


@register_pass(mutates_CFG=True, analysis_only=False)
class LoweringOfMainThatBorrows(NativeLowering):
    """That pass for the derivative itself."""

    _name = "tangent_lite_lowering_of_main_that_borrows"

    @property
    def lowering_class(self) -> Any:
        return BorrowingLowerOfMain


class BorrowingCompiler(CompilerBase):
    """Numba's compiler with that pass."""

    lowering: Any = LoweringThatBorrows

    def borrowing(self) -> Any:
        """Its passes, to which others may be added."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [(self.lowering, words) if one is NativeLowering else (one, words)
                          for one, words in manager.passes]
        return manager

    def define_pipelines(self) -> list[Any]:
        manager = self.borrowing()
        manager.finalize()
        return [manager]


def overload(function: Any, jit_options: Any = None, **options: Any) -> Any:
    """Numba's, for functions that count no reference to their arguments. Compiled code alone calls
    them, so that nothing is compiled by which C could; of Python, Numba knows by itself."""
    return numba.extending.overload(
        function, jit_options={"pipeline_class": BorrowingCompiler, "no_cfunc_wrapper": True,
                               **(jit_options or {})},
        **options)
