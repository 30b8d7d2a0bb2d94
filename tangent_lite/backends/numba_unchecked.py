"""Arrays of which loops read and write elements without a look at the index.

Whoever asks for `unchecked(x, indices)` has looked before, by `inside(x, indices)`. Anything that
is no array, and an array that is indexed by something else than a whole number for each axis, stays
what it is, and looks.
"""
from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils, typing
from numba.core.datamodel import models
from numba.core.extending import lower_builtin, lower_cast
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, register_model
from numba.np.arrayobj import load_item, make_array, store_item

from tangent_lite.backends.numba_functions import Unbound


class Unchecked(types.Type):
    """An array, as it is in memory, with other ways to get at its elements; turns: whether indices
    below zero count from the end."""

    def __init__(self, array: Any, turns: bool = False) -> None:
        self.array, self.dtype, self.ndim, self.turns = array, array.dtype, array.ndim, turns
        super().__init__(f"{'turning' if turns else 'unchecked'} {array}")

    def unify(self, typingctx, other):
        if isinstance(other, Unchecked) and other.turns == self.turns:
            array = typingctx.unify_pairs(self.array, other.array)
            return None if array is None else Unchecked(array, self.turns)
        return None

    def can_convert_to(self, typingctx, other):
        if isinstance(other, Unchecked) and other.turns == self.turns:
            return typingctx.can_convert(self.array, other.array)
        return None


@register_model(Unchecked)
class _Model(models.StructModel):
    """What an array is in memory. Nobody counts who holds it: `held` says until when it is there.
    """

    def __init__(self, dmm, fe_type):
        of_array = models.ArrayModel(dmm, fe_type.array)
        members = [(name, types.voidptr if name == "meminfo" else of_array.get_member_fe_type(name))
                   for name in of_array._fields]
        super().__init__(dmm, fe_type, members)


@lower_cast(Unchecked, Unchecked)
def _as_other(context, builder, fromty, toty, value):
    return value                        # an array of one order, as one of any


def _all_are(is_index: Any) -> Any:
    """What asks of all indices whether they are such as the function says."""
    def ask(typingctx, x, indices):
        if _is_unknown(x, indices):
            return None

        def generate(context, builder, signature, args):
            found = llvm.Constant(llvm.IntType(1), 1)
            if not _can_be(x, indices):
                return found
            shape = cgutils.unpack_tuple(builder, make_array(x)(context, builder, args[0]).shape)
            for size, axis in zip(shape, cgutils.unpack_tuple(builder, args[1])):
                for index in cgutils.unpack_tuple(builder, axis):
                    found = builder.and_(found, is_index(builder, index, size))
            return found
        return types.boolean(x, _of_integers(indices)), generate
    return ask


@intrinsic
def inside(typingctx, x, indices):
    """Whether whole numbers, a tuple of them for each axis, are indices of an array that count from
    its start; True for what `unchecked` leaves as it is."""
    # What is below zero is large without its sign.
    return _all_are(lambda builder, index, size: builder.icmp_unsigned("<", index, size))(
        typingctx, x, indices)


@intrinsic
def within(typingctx, x, indices):
    """The same for indices that count from either end."""
    return _all_are(lambda builder, index, size: builder.and_(
        builder.icmp_signed("<", index, size),
        builder.icmp_signed(">=", index, builder.neg(size))))(typingctx, x, indices)


def _as(x: Any, indices: Any, turns: bool) -> Any:
    if _is_unknown(x, indices):
        return None
    kind = Unchecked(x, turns) if _can_be(x, indices) else x

    def generate(context, builder, signature, args):
        return args[0] if kind is not x else impl_ret_borrowed(context, builder, kind, args[0])
    return kind(x, _of_integers(indices)), generate


@intrinsic
def unchecked(typingctx, x, indices):
    """The array, for indices that are inside."""
    return _as(x, indices, False)


@intrinsic
def turning(typingctx, x, indices):
    """The array, for indices that are within it."""
    return _as(x, indices, True)


@intrinsic
def held(typingctx, x):
    """Nothing is done; until here x is held by its name."""
    def generate(context, builder, signature, args):
        return context.get_dummy_value()
    return types.void(x), generate


def _is_unknown(x: Any, indices: Any) -> bool:
    """Whether Numba does not know yet what something is, and asks again when it does: a name that
    something else is bound to later is an `Unbound` until then."""
    found = [one for axis in indices if isinstance(axis, types.BaseTuple) for one in axis]
    return not x.is_precise() or any(isinstance(one, Unbound) for one in found)


def _of_integers(indices: Any) -> Any:
    """The type of tuples of indices, none of them known by its type."""
    return types.unliteral(indices) if not _are_integers(indices) else types.Tuple(
        [types.UniTuple(types.intp, len(axis)) for axis in indices])


def _are_integers(indices: Any) -> bool:
    return isinstance(indices, types.BaseTuple) and all(
        isinstance(axis, types.BaseTuple) and all(
            isinstance(types.unliteral(one), types.Integer) for one in axis) for axis in indices)


def _can_be(x: Any, indices: Any) -> bool:
    return isinstance(x, types.Array) and x.ndim == len(indices) and _are_integers(indices) \
        and isinstance(x.dtype, (types.Number, types.Boolean))


# Reading and writing ------------------------------------------------------------------------------
def _indices(index: Any, count: int) -> Any:
    """The type of an index of an element."""
    kinds = index.types if isinstance(index, types.BaseTuple) else (index,)
    if len(kinds) != count or not all(
            isinstance(types.unliteral(one), types.Integer) for one in kinds):
        return None
    return types.UniTuple(types.intp, count) if isinstance(index, types.BaseTuple) else types.intp


@infer_global(operator.getitem)
class _Read(AbstractTemplate):
    def generic(self, args, kws):
        x, index = args
        if isinstance(x, Unchecked):
            index = _indices(index, x.ndim)
            return None if index is None else typing.signature(x.dtype, x, index)
        return None


@infer_global(operator.setitem)
class _Write(AbstractTemplate):
    def generic(self, args, kws):
        x, index, value = args
        if isinstance(x, Unchecked) and x.array.mutable:
            index = _indices(index, x.ndim)
            if index is not None and self.context.can_convert(value, x.dtype):
                return typing.signature(types.none, x, index, x.dtype)
        return None


def _place(context: Any, builder: Any, kind: Any, x: Any, index: Any, index_kind: Any) -> Any:
    """Where an element lies."""
    array = make_array(kind.array)(context, builder, x)
    indices = cgutils.unpack_tuple(builder, index) if isinstance(
        index_kind, types.BaseTuple) else [index]
    return cgutils.get_item_pointer(context, builder, kind.array, array, indices,
                                    wraparound=kind.turns)


@lower_builtin(operator.getitem, Unchecked, types.Any)
def _read(context, builder, sig, args):
    kind, index = sig.args
    return load_item(context, builder, kind.array,
                     _place(context, builder, kind, args[0], args[1], index))


@lower_builtin(operator.setitem, Unchecked, types.Any, types.Any)
def _write(context, builder, sig, args):
    kind, index, _ = sig.args
    x, place, value = args
    store_item(context, builder, kind.array, value,
               _place(context, builder, kind, x, place, index))
    return context.get_dummy_value()
