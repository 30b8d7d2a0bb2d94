"""Arguments that hold lists: what compiled code makes of what it was passed.

A list comes as `Listed(items)`, a tuple of a length and of types that Numba sees (`packed`). It is
opened before the derivative is called: into a list of Numba, if its items are of one type. Arrays
of one rank are, once Numba knows them as arrays that may lie in any order. A list of things of
different types, `[W, b]`, becomes a tuple of a class of its own: that can be read, and who writes
to it is refused.
"""
from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_new_ref
from numba.cpython.listobj import ListInstance
from numba.extending import intrinsic

from tangent_lite.backends.numba_containers import Listed, tuple_class
from tangent_lite.backends.numba_functions import is_array, is_number


@functools.cache
def _list_class(count: int) -> Any:
    """The class of tuples that stand for lists of so many things of different types."""
    made = tuple_class(f"ListOf{count}", [f"part_{number}" for number in range(count)])
    made.is_list = True
    return made


def is_list_of_several(kind: Any) -> bool:
    """Whether a type is that of a list of things of different types."""
    return isinstance(kind, types.BaseNamedTuple) and hasattr(kind.instance_class, "is_list")


def is_listed(kind: Any) -> bool:
    return isinstance(kind, types.BaseNamedTuple) and kind.instance_class is Listed


def items_of(kind: Any) -> tuple[Any, ...]:
    """The types of the items of a list that was passed."""
    return tuple(kind.types[0].types)


def common(kinds: Iterable[Any]) -> Any:
    """The type that values of all these types can be given without a change, or None."""
    first, *others = dict.fromkeys(kinds)
    for other in others:
        first = _common(first, other)
        if first is None:
            return None
    return first


def _common(a: Any, b: Any) -> Any:
    if a == b:
        return a
    if is_array(a) and is_array(b) and (a.dtype, a.ndim) == (b.dtype, b.ndim):
        return types.Array(a.dtype, a.ndim, a.layout if a.layout == b.layout else "A",
                           readonly=not (a.mutable and b.mutable),
                           aligned=a.aligned and b.aligned)
    if isinstance(a, types.List) and isinstance(b, types.List):
        item = _common(a.dtype, b.dtype)
        return None if item is None else types.List(item)
    if isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple) and len(a) == len(b) \
            and getattr(a, "instance_class", None) is getattr(b, "instance_class", None):
        parts = [_common(x, y) for x, y in zip(a.types, b.types)]
        return None if None in parts else like_tuple(a, parts)
    return None


def like_tuple(kind: Any, parts: Any) -> Any:
    """The type of a tuple of the same class with other parts."""
    return types.BaseTuple.from_types(tuple(parts), getattr(kind, "instance_class", None))


@functools.cache
def meaning(kind: Any) -> Any:
    """The type that an argument has in compiled code."""
    if is_listed(kind):
        parts = [meaning(item) for item in items_of(kind)]
        one = common(parts)
        if one is not None:
            return types.List(one)
        if not any(map(_is_no_index, parts)):
            # x[[0, True]] and x[(0, True)] are not the same.
            raise TypingError(f"a list of things of different types: {', '.join(map(str, parts))}")
        return types.BaseTuple.from_types(tuple(parts), _list_class(len(parts)))
    if isinstance(kind, types.BaseTuple):
        return like_tuple(kind, map(meaning, kind.types))
    return kind


def _is_no_index(kind: Any) -> bool:
    """Whether an array can certainly not be indexed by a tuple with such a part."""
    if is_array(kind):
        return isinstance(kind.dtype, types.Float)
    return not is_number(kind) or isinstance(kind, types.Float)


@intrinsic
def opened(typingctx, x):
    """An argument as compiled code computes with it."""
    target = meaning(x)

    def generate(context, builder, signature, args):
        made = _converted(context, builder, args[0], x, target)
        return impl_ret_new_ref(context, builder, target, made)
    return target(x), generate


def _converted(context: Any, builder: Any, value: Any, kind: Any, target: Any) -> Any:
    """A value of another type, with a reference of its own.

    It is written in place: a function that is given the tuple would be given each of its parts.
    """
    if kind == target or is_array(kind):
        made = context.cast(builder, value, kind, target)
        context.nrt.incref(builder, target, made)
        return made
    if is_listed(kind):
        value, = cgutils.unpack_tuple(builder, value, 1)
        kind = kind.types[0]
    is_list = isinstance(target, types.List)
    targets = [target.dtype] * len(kind) if is_list else target.types
    parts = [_converted(context, builder, part, own, other) for part, own, other in zip(
        cgutils.unpack_tuple(builder, value, len(kind)), kind.types, targets)]
    if not is_list:
        return context.make_tuple(builder, target, parts)
    made = ListInstance.allocate(context, builder, target, len(parts))
    made.size = context.get_constant(types.intp, len(parts))
    for number, part in enumerate(parts):
        made.inititem(context.get_constant(types.intp, number), part, incref=False)
    return made.value
