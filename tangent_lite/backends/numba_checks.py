"""Arithmetic of ints as Python's: where a result is no int64, compiled code stops.

A pass over Numba's typed code: it gives each addition, product or power of ints a function of ours,
which looks at the overflow flag of the processor. Numbers that cannot be large (positions in
arrays, trips of loops, ints just beside them) are left alone, so that loops over elements stay as
fast as they are. An int that becomes a float on the way to a variable or a list must be one that a
float can hold; a power of floats stops where Python gives a complex number, inf or an error.
"""
from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np
from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils, ir, ir_utils, typing
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError
from numba.core.extending import lower_builtin
from numba.core.typed_passes import PreLowerStripPhis
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.core.untyped_passes import DeadBranchPrune

from tangent_lite.backends.numba_borrowing import BorrowingCompiler, LoweringOfMainThatBorrows
from tangent_lite.backends.numba_empty_tapes import BEHIND, BranchesThatFill, NothingOnTapes
from tangent_lite.backends.numba_functions import LIMIT, is_array
from tangent_lite.backends.numba_in_place import FittingInPlace
from tangent_lite.backends.numba_list_items import ItemsFit
from tangent_lite.backends.numba_narrow import NarrowNumbers
from tangent_lite.backends.numba_powers import power_of_ints
from tangent_lite.backends.numba_remainders import REMAINDERS, is_near, quick_remainder
from tangent_lite.backends.numba_tapes import LocalTapes
from tangent_lite.backends.numba_whole_powers import whole_power
from tangent_lite.backends.numba_written_views import WrittenViews

_APPENDING = ("list.append", "tangent_lite.put")
_OFFSETS = 62               # bits that a number may have which is not looked at


def checked_add(x, y):
    return x + y


def checked_sub(x, y):
    return x - y


def checked_mul(x, y):
    return x * y


def checked_power(x, y):
    return x ** y


def checked_shift(x, y):
    return x << y


def checked_float(x):
    return float(x)


CHECKED = {operator.add: checked_add, operator.iadd: checked_add, operator.sub: checked_sub,
           operator.isub: checked_sub, operator.mul: checked_mul, operator.imul: checked_mul,
           operator.pow: checked_power, operator.ipow: checked_power,
           operator.lshift: checked_shift, operator.ilshift: checked_shift}


class _Typed(AbstractTemplate):
    """Any two numbers; the types were found when the operator was still Python's."""

    def generic(self, args, kws):
        if len(args) == 1:
            return typing.signature(types.float64, types.int64)
        kind = types.float64 if types.float64 in args else types.int64
        return typing.signature(kind, *args)


for _function in (checked_add, checked_sub, checked_mul, checked_power, checked_shift,
                  checked_float):
    infer_global(_function)(type(f"Typed_{_function.__name__}", (_Typed,), {"key": _function}))


def refuse_truth_values(function: np.ufunc, kinds: Iterable[Any], spot: Any = None) -> None:
    """TypingError where NumPy computes a function of truth values in half precision."""
    if all(_is_bool(kind) for kind in kinds) and _is_half(function):
        raise TypingError(f"of truth values NumPy computes np.{function.__name__} in half "
                          "precision", loc=spot)


@functools.cache
def _is_half(function: np.ufunc) -> bool:
    """Whether a function of truth values gives numbers in half precision."""
    try:
        with np.errstate(all="ignore"):
            return bool(function(*[np.True_] * function.nin).dtype == np.float16)
    except (TypeError, AttributeError):             # of none, or several results
        return False


def _is_bool(kind: Any) -> bool:
    return types.unliteral(getattr(kind, "dtype", kind)) == types.boolean


def _stop(context: Any, builder: Any, words: str) -> None:
    context.call_conv.return_user_exc(builder, OverflowError, (words,))


def _with_overflow(name: str) -> Any:
    def lower(context, builder, sig, args):
        width = args[0].type.width
        flagged = getattr(builder, f"s{name}_with_overflow")(args[0], args[1])
        with builder.if_then(builder.extract_value(flagged, 1), likely=False):
            _stop(context, builder, f"an int of more than {width} bits")
        return builder.extract_value(flagged, 0)
    return lower


for _function, _name in ((checked_add, "add"), (checked_sub, "sub"), (checked_mul, "mul")):
    lower_builtin(_function, types.int64, types.int64)(_with_overflow(_name))


@lower_builtin(checked_shift, types.int64, types.int64)
def _lower_shift(context, builder, sig, args):
    def shift(x, y):
        if y < 0 or y > 62 or abs(x) > (1 << (62 - y)):
            raise OverflowError("an int of more than 64 bits")
        return x << y
    return context.compile_internal(builder, shift, sig, args)


@lower_builtin(checked_power, types.int64, types.int64)
def _lower_power(context, builder, sig, args):
    def power(x, y):
        if y < 0:
            raise OverflowError("a power of ints that is a float")
        size = abs(float(x)) ** y
        if not size < LIMIT:
            raise OverflowError("an int of more than 64 bits")
        result = 1
        for _ in range(y if size > 1.0 else y % 2 + 2 * min(y // 2, 1)):
            result *= x
        return result
    return context.compile_internal(builder, power, sig, args)


@lower_builtin(checked_power, types.float64, types.int64)
def _lower_whole_power(context, builder, sig, args):
    return _finite(context, builder, whole_power(builder, *args), args[:1])


@lower_builtin(checked_power, types.float64, types.float64)
def _lower_float_power(context, builder, sig, args):
    pow_of = context.get_function(operator.pow, sig)
    return _finite(context, builder, pow_of(builder, args), args)


def _finite(context: Any, builder: Any, z: Any, args: Any) -> Any:
    """A power z; stops if it is not finite: an error, a complex number, or an operand that was not
    finite, which is none."""
    zero = llvm.Constant(z.type, 0.0)
    finite = builder.fcmp_ordered("==", builder.fsub(z, z), zero)
    with cgutils.if_unlikely(builder, builder.not_(finite)):
        for x in args:
            one = builder.fcmp_ordered("==", builder.fsub(x, x), zero)
            finite = builder.or_(finite, builder.not_(one))
        with cgutils.if_unlikely(builder, builder.not_(finite)):
            context.call_conv.return_user_exc(
                builder, ArithmeticError, ("a power that is no float",))
    return z


@lower_builtin(checked_float, types.int64)
def _lower_float(context, builder, sig, args):
    limit = llvm.Constant(args[0].type, int(LIMIT))
    shifted = builder.add(args[0], limit)
    twice = llvm.Constant(args[0].type, 2 * int(LIMIT))
    with builder.if_then(builder.icmp_unsigned(">", shifted, twice), likely=False):
        _stop(context, builder, "an int that no float holds")
    return builder.sitofp(args[0], llvm.DoubleType())


@register_pass(mutates_CFG=False, analysis_only=False)
class CheckedIntegers(FunctionPass):
    """Puts the functions above where the types ask for them."""

    _name = "tangent_lite_checked_integers"
    bits_of_arguments = 64

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        self.typemap, self.calltypes = state.typemap, state.calltypes
        # Numba looks up only what was asked for by these types before.
        state.typingctx.resolve_function_type(checked_float, (types.int64,), {})
        state.typingctx.resolve_function_type(quick_remainder, (types.int64,) * 2, {})
        self.bits = _Bits(state.func_ir, state.typemap, self.bits_of_arguments)
        for block in state.func_ir.blocks.values():
            body: list[Any] = []
            for node in block.body:
                if isinstance(node, ir.Assign):
                    self.assign(node, block.scope, body)
                body.append(node)
            block.body = body
        return True

    def assign(self, node: Any, scope: Any, before: list[Any]) -> None:
        """Change what an assignment does; what has to be done first goes into `before`."""
        value = node.value
        if isinstance(value, ir.Var) or (isinstance(value, ir.Expr) and value.op == "cast"):
            source = value if isinstance(value, ir.Var) else value.value
            if self.loses(self.typemap[source.name], self.typemap[node.target.name]) \
                    and self.bits.of(source.name) > 53:
                node.value = self.as_float(source)
            return
        if not isinstance(value, ir.Expr):
            return
        if value.op == "call":
            self.call(value, scope, before)
        elif value.op in ("binop", "inplace_binop") and value.fn in REMAINDERS:
            if all(_is_int(t) for t in self.calltypes[value].args) \
                    and is_near(value, self.bits.values):
                self.replace(value, quick_remainder, (types.int64,) * 2)
        elif value.op in ("binop", "inplace_binop") and value.fn in CHECKED:
            checked = CHECKED[value.fn]
            args = self.calltypes[value].args
            if checked is checked_power:
                if any(map(is_array, args)) and not any(_is_float(t) for t in args):
                    self.power_of_arrays(value, args)
                    return
                if all(_is_int(t) for t in args) or args == (types.float64, types.float64):
                    self.replace(value, checked, args)
                elif args == (types.float64, types.int64):
                    self.replace(value, checked, args, args)
            elif all(_is_int(t) for t in args) and self.bits.of_expression(value) > _OFFSETS:
                self.replace(value, checked, args)

    def call(self, value: Any, scope: Any, before: list[Any]) -> None:
        """`tape.append(x)`: an int on a tape of floats must be one that a float holds."""
        kind = self.typemap[value.func.name]
        if isinstance(kind, types.Function) and isinstance(kind.typing_key, np.ufunc):
            refuse_truth_values(
                kind.typing_key, [self.typemap[one.name] for one in value.args], value.loc)
        if not isinstance(kind, types.BoundFunction) or kind.typing_key not in _APPENDING:
            return
        for number, argument in enumerate(value.args):
            if self.loses(self.typemap[argument.name], kind.this.dtype) \
                    and self.bits.of(argument.name) > 53:
                made = ir.Var(scope, ir_utils.mk_unique_var("checked"), value.loc)
                self.typemap[made.name] = types.float64
                before.append(ir.Assign(self.as_float(argument), made, value.loc))
                value.args[number] = made

    def loses(self, kind: Any, target: Any) -> bool:
        """Whether an int becomes a float; TypingError if one does inside a tuple."""
        if isinstance(kind, types.BaseTuple) and isinstance(target, types.BaseTuple):
            if kind != target and any(self.loses(a, b) for a, b in zip(kind, target)):
                raise TypingError("an int that is a float elsewhere, in a tuple")
            return False
        return isinstance(kind, types.Integer) and isinstance(target, types.Float)

    def as_float(self, source: Any) -> Any:
        made = ir.Expr.unary(checked_float, source, source.loc)
        self.calltypes[made] = typing.signature(types.float64, types.int64)
        return made

    def power_of_arrays(self, value: Any, args: Any) -> None:
        """Of ints: as NumPy's, which has no negative powers. Numba has, and in place of bools."""
        if value.op == "inplace_binop" or not all(
                getattr(t, "dtype", t) == types.int64 or isinstance(t, types.IntegerLiteral)
                for t in args):
            raise TypingError("a power of an array of ints in place, or of bools", loc=value.loc)
        kind = self.calltypes[value].return_type
        value.fn = power_of_ints
        value.static_lhs = value.static_rhs = ir.UNDEFINED
        del self.calltypes[value]
        self.calltypes[value] = typing.signature(kind, *map(types.unliteral, args))

    def replace(self, value: Any, checked: Any, args: Any, operands: Any = None) -> None:
        """operands: their types, if they are not to be of the type of the result."""
        kind = types.float64 if types.float64 in args else types.int64
        value.fn = checked
        if value.op == "inplace_binop":
            value.immutable_fn = checked
        # A literal must not choose another function than the one that looks.
        value.static_lhs = value.static_rhs = ir.UNDEFINED
        del self.calltypes[value]
        self.calltypes[value] = typing.signature(kind, *(operands or (kind, kind)))


def _is_int(kind: Any) -> bool:
    return isinstance(kind, (types.Integer, types.Boolean))


def _is_float(kind: Any) -> bool:
    return isinstance(getattr(kind, "dtype", kind), (types.Float, types.Complex))


class _Bits:
    """How many bits the ints of a function may have: 64 where nothing is known."""

    def __init__(self, func_ir: Any, typemap: Any, of_arguments: int) -> None:
        self.typemap, self.of_arguments = typemap, of_arguments
        self.values: dict[str, list[Any]] = {}
        for block in func_ir.blocks.values():
            for node in block.body:
                if isinstance(node, ir.Assign):
                    self.values.setdefault(node.target.name, []).append(node.value)
        self.known: dict[str, int] = {}

    def of(self, name: str) -> int:
        found = self.known.get(name)
        if found is None:
            self.known[name] = 64                   # what is made of itself may grow
            found = max((self.of_value(v) for v in self.values.get(name, [None])), default=64)
            self.known[name] = found
        return found

    def of_value(self, value: Any) -> int:
        if isinstance(value, ir.Const):
            return value.value.bit_length() if isinstance(value.value, int) else 64
        if isinstance(value, ir.Var):
            return self.of(value.name)
        if isinstance(value, ir.Expr):
            return self.of_expression(value)
        return self.of_arguments if isinstance(value, ir.Arg) else 64

    def of_expression(self, value: Any) -> int:
        if value.op in ("binop", "inplace_binop"):
            left, right = self.of(value.lhs.name), self.of(value.rhs.name)
            checked = CHECKED.get(value.fn, value.fn)
            if checked in (checked_add, checked_sub):
                return max(left, right) + 1
            if checked is checked_mul:
                return left + right
            if checked in (operator.floordiv, operator.mod, quick_remainder):
                return max(left, right)
            return 64
        if value.op == "unary":
            return self.of(value.value.name)
        if value.op == "cast":
            return self.of(value.value.name)
        if value.op == "pair_first":                # the next item of a range
            return self.of(value.value.name)
        if value.op in ("iternext", "getiter"):
            return self.of(value.value.name)
        if value.op == "call":
            return self._of_call(value)
        if value.op in ("static_getitem", "exhaust_iter") or value.op == "getattr":
            return self._of_part(value)
        return 64

    def _of_call(self, value: Any) -> int:
        kind = self.typemap[value.func.name]
        key = getattr(kind, "typing_key", None)
        if key is len:
            return 48
        if key is min or key is max:
            return max(self.of(one.name) for one in value.args)
        if key is range:
            # Who counts from a small number never gets far enough.
            start = [a.name for a in value.args[:1]] if len(value.args) > 1 else []
            counts_up = len(value.args) < 3
            bounds = start if counts_up else [a.name for a in value.args]
            return max((self.of(name) for name in bounds), default=53)
        return 64

    def _of_part(self, value: Any) -> int:
        """Of `x.shape[0]`, `x.size`: an array has fewer than 2 ** 48 elements."""
        if value.op == "getattr":
            is_array = isinstance(self.typemap[value.value.name], types.Array)
            return 48 if is_array and value.attr in ("shape", "size", "ndim") else 64
        return self.of(value.value.name)


@register_pass(mutates_CFG=False, analysis_only=False)
class CheckedIntegersOfMain(CheckedIntegers):
    """The same for a function whose ints were looked at when it was called."""

    _name = "tangent_lite_checked_integers_of_main"
    bits_of_arguments = 53


@register_pass(mutates_CFG=False, analysis_only=False)
class InlinedIfMarked(FunctionPass):
    """Lets LLVM write a function out where it is called, if it is marked with `is_inlined`.

    Numba's option `forceinline` does that to all that the function calls too, down to the last
    helper, and compiling takes twice the time. Here those are compiled already.
    """

    _name = "tangent_lite_inlined_if_marked"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        if getattr(state.func_id.func, "is_inlined", False):
            state.flags.forceinline = True
        return False


class InliningCompiler(BorrowingCompiler):
    """That compiler with some of the passes above behind its typing."""

    passes: tuple[Any, ...] = (InlinedIfMarked,)

    def define_pipelines(self) -> list[Any]:
        manager = self.borrowing()
        manager.passes = [(BranchesThatFill if one is DeadBranchPrune else one, words)
                          for one, words in manager.passes]
        manager.add_pass_after(NothingOnTapes, BEHIND)
        for one in reversed(self.passes):
            manager.add_pass_after(one, PreLowerStripPhis)
        manager.finalize()
        return [manager]


class CheckedCompiler(InliningCompiler):
    """With a look at the integers, at arrays that are changed in place, and at items of lists."""

    passes = (ItemsFit, NarrowNumbers, CheckedIntegers, FittingInPlace, WrittenViews,
              LocalTapes, InlinedIfMarked)


class CheckedCompilerOfMain(CheckedCompiler):
    """The same for the derivative itself."""

    lowering = LoweringOfMainThatBorrows
    passes = (ItemsFit, NarrowNumbers, CheckedIntegersOfMain, FittingInPlace, WrittenViews,
              LocalTapes, InlinedIfMarked)
