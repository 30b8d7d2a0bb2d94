"""Arrays made of what is written out, `np.array([[c, -s], [s, c]])`, and indices that are lists.

Numba makes arrays of lists of one type. Here a list that is written out comes as a tuple, so that
its parts may be ints and floats in turn, rows or tuples; what is written for it allocates the array
and puts the parts where they belong. A list of things as an index, `x[[j, i]]`, is such an array.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy as np
from numba import types
from numba.core.errors import NumbaError
from numba.core.typing.npydecl import parse_dtype
from numba.np.numpy_support import as_dtype

from tangent_lite import syntax
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_containers import is_dict
from tangent_lite.backends.numba_functions import (
    ORIGINALS,
    REPLACED,
    instead_of,
    is_array,
    is_integer,
    is_none,
    is_number,
    written_function,
)
from tangent_lite.backends.numba_overloads import compiled_for
from tangent_lite.backends.numba_shapes import np_asarray, np_ascontiguousarray
from tangent_lite.runtime import shapes as runtime_shapes


def made_array(object: Any, dtype: Any = None) -> Any:
    """np.array(object, dtype) of tuples, and tuples in them, of numbers and arrays."""
    return np.array(object, dtype)


ORIGINALS[made_array] = np.array


def as_tuple(node: gast.expr) -> gast.expr:
    """A list that is written out, and the lists in it, as tuples."""
    if not isinstance(node, (gast.List, gast.Tuple)):
        return node
    return syntax.copy_place(gast.Tuple(list(map(as_tuple, node.elts)), gast.Load()), node)


def with_arrays(index: gast.expr, maker: Callable[[], str]) -> gast.expr:
    """An index with the lists in it as arrays: `x[[j, i]]`; maker: gives the name of made_array."""
    if isinstance(index, gast.Tuple):
        index.elts = [with_arrays(part, maker) for part in index.elts]
    elif isinstance(index, gast.List) and index.elts:
        return syntax.copy_place(syntax.call(syntax.load(maker()), as_tuple(index)), index)
    return index


@overload(made_array)
def _made_array(object, dtype=None):
    if not isinstance(object, types.BaseTuple) or is_dict(object):
        return None
    sizes, kind = [], object
    while isinstance(kind, types.BaseTuple):
        sizes.append(len(kind))
        kind = kind.types[0] if len(kind) else types.float64
    leaves = [leaf for leaf in _leaves(object, sizes, "object", ()) if leaf is not None]
    if len(leaves) != len(list(_leaves(object, sizes, "object", ()))):
        return None                         # of several depths, or of rows of several lengths
    kinds = [leaf for _, _, leaf in leaves]
    ranks = {leaf.ndim if is_array(leaf) else 0 for leaf in kinds}
    if not all(is_number(leaf) or is_array(leaf) for leaf in kinds) or len(ranks) > 1:
        return None
    dtype = _dtype(dtype, kinds)
    if dtype is None:
        return None
    rank = ranks.pop() if ranks else 0
    first = next((text for text, _, leaf in leaves if is_array(leaf)), "")
    inner = [f"{first}.shape[{k}]" for k in range(rank)]
    lines = ["def made(object, dtype=None):",
             f"    out = empty(({', '.join(map(str, [*sizes, *inner]))},), kind)"]
    for text, path, leaf in leaves:
        spot = ", ".join(map(str, path))
        if rank:
            lines += [f"    if {text}.shape != {first}.shape:",
                      "        raise ValueError('arrays of several shapes')",
                      f"    out[{spot}{', ...' if len(path) > 1 else ''}] = {text}"]
            continue
        value = f"{text}[()]" if is_array(leaf) else text
        if dtype.kind in "iu" and not is_integer(getattr(leaf, "dtype", leaf)):
            value = f"to_int({value})"
        lines.append(f"    out[{spot}] = {value}")
    return written_function([*lines, "    return out"],
                            {"empty": np.empty, "kind": dtype, "to_int": REPLACED[int]})


def _leaves(kind: Any, sizes: list[int], text: str, path: tuple[int, ...]) \
        -> Iterator[tuple[str, tuple[int, ...], Any] | None]:
    """The text, place and type of each part that is no tuple; None where a tuple has another
    length, or stands for a number."""
    depth = len(path)
    is_tuple = isinstance(kind, types.BaseTuple)
    if is_tuple != (depth < len(sizes)) or (is_tuple and len(kind) != sizes[depth]):
        yield None
    elif not is_tuple:
        yield text, path, kind
    else:
        for number, part in enumerate(kind.types):
            yield from _leaves(part, sizes, f"{text}[{number}]", (*path, number))


def _dtype(asked: Any, kinds: list[Any]) -> Any:
    """The dtype that is asked for, or that NumPy gives to such parts; None for others."""
    if not is_none(asked):
        try:
            asked = parse_dtype(asked)
        except NumbaError:
            return None
        dtype = None if asked is None else as_dtype(asked)
    else:
        of_parts = [as_dtype(types.unliteral(getattr(kind, "dtype", kind))) for kind in kinds]
        dtype = np.result_type(*of_parts) if of_parts else np.dtype(np.float64)
    return dtype if dtype is not None and dtype.char in "dlq?" else None


# Numba makes an array at once of what it sees to be filled and given to np.array, and forgets that
# the list is read again: it must not see it.
@compiled_for(np.array)
def np_array(object, dtype=None):
    if isinstance(object, types.BaseTuple):
        return lambda object, dtype=None: made_array(object, dtype)
    if not is_none(dtype):
        if is_array(object):
            return lambda object, dtype=None: object.astype(dtype)
        return lambda object, dtype=None: np.array(object, dtype)
    if is_array(object):
        return lambda object, dtype=None: object.copy()
    if not isinstance(object, types.List) or not is_array(object.dtype):
        return lambda object, dtype=None: np.array(object)
    rank = object.dtype.ndim
    if not rank:
        return None
    sizes = ", ".join(f"object[0].shape[{k}]" for k in range(rank))
    return written_function(
        ["def run(object, dtype=None):", "    if len(object) == 0:",
         "        raise ValueError('of no arrays')",
         f"    out = empty((len(object), {sizes}), kind)",
         "    for k in range(len(object)):",
         "        if object[k].shape != object[0].shape:",
         "            raise ValueError('arrays of several shapes')",
         "        out[k] = object[k]", "    return out"],
        {"empty": np.empty, "kind": as_dtype(object.dtype.dtype)})


@compiled_for(np.result_type)
def np_result_type(*numbers):
    kinds = [getattr(types.unliteral(one), "dtype", one) for one in numbers]
    if not kinds or not all(map(is_number, kinds)):
        return None
    found = _dtype(None, kinds)
    return None if found is None else lambda *numbers: found


MAKERS: tuple[Any, ...] = (np_array, np_asarray, np_ascontiguousarray)


@overload(runtime_shapes.parts_like)
def _parts_like(dy, x):
    if is_array(dy) and is_array(x):
        return lambda dy, x: dy
    if is_number(dy) and is_number(x):
        return lambda dy, x: dy
    if is_array(dy) and is_number(x) and not dy.ndim:
        return lambda dy, x: dy[()]
    if not is_array(dy) or not dy.ndim or not isinstance(x, (types.List, types.UniTuple)):
        return None
    inner = x.dtype
    if is_number(inner) and dy.ndim == 1:
        return lambda dy, x: [dy[k] for k in range(len(x))]
    if is_array(inner) and inner.ndim == dy.ndim - 1:
        return lambda dy, x: [dy[k].copy() for k in range(len(x))]
    parts_like = runtime_shapes.parts_like
    if isinstance(inner, (types.List, types.UniTuple)) and dy.ndim > 1:
        return lambda dy, x: [parts_like(dy[k], x[k]) for k in range(len(x))]
    return None


@instead_of(methods=("tolist",))
def listed(x: Any) -> Any:
    """`x.tolist()`: lists of numbers, as deep as x has axes; of no axes, the number."""
    return x.tolist()


@overload(listed)
def _listed(x):
    if is_number(x):
        return lambda x: x
    if not is_array(x):
        return None
    if not x.ndim:
        return lambda x: x[()]
    if x.ndim == 1:
        return lambda x: [x[k] for k in range(len(x))]
    return lambda x: [listed(x[k]) for k in range(len(x))]
