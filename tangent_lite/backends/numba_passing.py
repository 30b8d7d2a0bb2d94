"""Arguments that hold lists: what compiled code makes of what it was passed.

A list comes as `Listed(items)`, a tuple of a length and of types that Numba sees (`packed`). Inside
it is a list of Numba again, if its items are of one type; arrays of one rank are, once Numba knows
them as arrays that may lie in any order. A list of things of different types, `[W, b]`, becomes a
tuple: that can be read, and who writes to it is refused.
"""
from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed
from numba.cpython.listobj import build_list
from numba.extending import intrinsic, overload

from tangent_lite.backends.numba_containers import Listed
from tangent_lite.backends.numba_functions import is_array, is_number, written_function


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
        return types.BaseTuple.from_types(tuple(parts))
    if isinstance(kind, types.BaseTuple):
        return like_tuple(kind, map(meaning, kind.types))
    return kind


def _is_no_index(kind: Any) -> bool:
    """Whether an array can certainly not be indexed by a tuple with such a part."""
    if is_array(kind):
        return isinstance(kind.dtype, types.Float)
    return not is_number(kind) or isinstance(kind, types.Float)


def opened(x: Any) -> Any:
    """An argument as compiled code computes with it."""
    return x


@overload(opened)
def _opened(x):
    opening = _opening(x, meaning(x))
    return lambda x: opening(x)


@functools.cache
def _opening(kind: Any, target: Any) -> Any:
    """The function that makes of what was passed a value of the type that it means."""
    if kind == target:
        return written_function(["def same(x):", "    return x"], {})
    if is_array(kind):
        return _cast_to(target)
    listed = is_listed(kind)
    items = items_of(kind) if listed else kind.types
    is_list = isinstance(target, types.List)
    targets = [target.dtype] * len(items) if is_list else target.types
    space: dict[str, Any] = {f"open_{k}": _opening(*pair)
                             for k, pair in enumerate(zip(items, targets))}
    at = "x.items" if listed else "x"
    if is_list and len(set(items)) == 1:
        space["as_list"] = as_list
        made = f"as_list({at})" if items[0] == target.dtype else \
            f"[open_0(item) for item in {at}]"
        return written_function(["def opening(x):", f"    return {made}"], space)
    parts = ", ".join(f"open_{k}({at}[{k}])" for k in range(len(items)))
    if is_list:
        made = f"[{parts}]"
    elif isinstance(target, types.BaseNamedTuple):
        space["record"] = target.instance_class
        made = f"record({parts})"
    else:
        made = f"({parts},)"
    return written_function(["def opening(x):", f"    return {made}"], space)


@intrinsic
def as_list(typingctx, items):
    """The items of a tuple as a list, made at its full length."""
    kind = types.List(items.dtype)

    def generate(context, builder, signature, args):
        parts = cgutils.unpack_tuple(builder, args[0], items.count)
        return build_list(context, builder, kind, parts)
    return kind(items), generate


def _cast_to(target: Any) -> Any:
    @intrinsic
    def cast(typingctx, x):
        def generate(context, builder, signature, args):
            made = context.cast(builder, args[0], signature.args[0], target)
            return impl_ret_borrowed(context, builder, target, made)
        return target(x), generate
    return cast
