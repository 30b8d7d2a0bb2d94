"""Functions that move elements along axes, and their adjoints, for Numba.

Where the elements of a result come from is written down axis by axis (`numba_lines`); the adjoint
adds at the same places. All results are new arrays: what NumPy gives as a view is not here.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import (
    is_array,
    is_integer,
    is_number,
    stop,
    value_of,
    written_function,
)
from tangent_lite.backends.numba_lines import (
    adding,
    is_float_array,
    one_axis,
    taking,
)
from tangent_lite.backends.numba_overloads import compiled_for
from tangent_lite.runtime import places as runtime_places
from tangent_lite.runtime import shapes as runtime_shapes


def _is_index(kind: Any) -> bool:
    """Whether a type is that of a vector of ints, or of a tuple of ints that is written out."""
    if isinstance(kind, types.BaseTuple):
        return len(kind.types) > 0 and all(map(is_integer, kind.types))
    return isinstance(kind, types.Array) and kind.ndim == 1 \
        and isinstance(kind.dtype, types.Integer)


def _as_vector(kind: Any) -> Any:
    """What makes a vector of ints of an index."""
    if isinstance(kind, types.BaseTuple):
        return register_jitable(lambda index: np.array(index))
    return register_jitable(lambda index: index)


@register_jitable
def counted(index, n):
    """An index with all of its numbers counted from the front."""
    places = np.empty(index.shape[0], np.int64)
    for k in range(index.shape[0]):
        i = index[k]
        if i < -n or i >= n:
            stop()
        places[k] = i + n if i < 0 else i
    return places


# take -----------------------------------------------------------------------------------------
@compiled_for(np.take, methods=("take",), prefer_literal=True)
def np_take(x, indices, axis=None):
    if is_array(x) and is_integer(indices):
        return _element_taken(x, value_of(axis))
    if not is_array(x) or not _is_index(indices):
        return None
    axis, vector = value_of(axis), _as_vector(indices)
    if axis is None:
        flat = taking(1, 0)
        return lambda x, indices, axis=None: flat(x.flatten(), counted(vector(indices), x.size))
    one = one_axis(axis, x.ndim)
    if one is None:
        return None
    take = taking(x.ndim, one)
    return lambda x, indices, axis=None: take(x, counted(vector(indices), x.shape[one]))


def _element_taken(x, axis):
    """The overload of np.take for one place: the axis goes."""
    if axis is None:
        return lambda x, indices, axis=None: x.flatten()[indices]
    one = one_axis(axis, x.ndim)
    if one is None:
        return None
    index = ", ".join("indices" if k == one else ":" for k in range(x.ndim))
    copy = ".copy()" if x.ndim > 1 else ""
    return written_function(["def run(x, indices, axis=None):",
                             "    counted(np.array([indices]), x.shape[" + str(one) + "])",
                             f"    return x[{index}]{copy}"], {"counted": counted, "np": np})


def _element_put_back(dy, x, axis):
    """The adjoint of it."""
    if axis is None:
        if not is_number(dy):
            return None

        def flat(dy, x, indices, axis=None, mode="raise"):
            total = np.zeros(x.size)
            total[indices] = dy
            return total.reshape(x.shape)
        return flat
    one = one_axis(axis, x.ndim)
    if one is None:
        return None
    index = ", ".join("indices" if k == one else ":" for k in range(x.ndim))
    return written_function(['def run(dy, x, indices, axis=None, mode="raise"):',
                             "    total = np.zeros(x.shape)", f"    total[{index}] = dy",
                             "    return total"], {"np": np})


@overload(runtime_shapes.untake, prefer_literal=True)
def _untake(dy, x, indices, axis=None, mode="raise"):
    if is_array(x) and is_integer(indices) and value_of(mode) == "raise":
        return _element_put_back(dy, x, value_of(axis))
    if not (is_array(dy) and is_array(x) and _is_index(indices)) or value_of(mode) != "raise":
        return None
    axis, vector = value_of(axis), _as_vector(indices)
    if axis is None:
        flat = adding(1, 0)
        return lambda dy, x, indices, axis=None, mode="raise": flat(
            dy, counted(vector(indices), x.size), x.size).reshape(x.shape)
    one = one_axis(axis, x.ndim)
    if one is None or dy.ndim != x.ndim:
        return None
    add = adding(x.ndim, one)
    return lambda dy, x, indices, axis=None, mode="raise": add(
        dy, counted(vector(indices), x.shape[one]), x.shape[one])


# tile, repeat, roll ---------------------------------------------------------------------------
def _repetitions(reps: Any) -> list[str] | None:
    """How often an array is repeated along each axis, as text."""
    if is_integer(reps):
        return ["reps"]
    if isinstance(reps, types.BaseTuple) and all(map(is_integer, reps.types)):
        return [f"reps[{k}]" for k in range(len(reps.types))]
    return None


@register_jitable
def again_and_again(n, times):
    places = np.empty(n * max(times, 0), np.int64)
    for k in range(places.shape[0]):
        places[k] = k % n
    return places


@compiled_for(np.tile)
def np_tile(x, reps):
    counts = _repetitions(reps)
    if not is_array(x) or counts is None or not x.ndim:
        return None
    rank = max(x.ndim, len(counts))
    counts = ["1"] * (rank - len(counts)) + counts
    shape = ", ".join(["1"] * (rank - x.ndim) + [f"x.shape[{k}]" for k in range(x.ndim)])
    text = ["def run(x, reps):", f"    y = np.ascontiguousarray(x).reshape(({shape},))"]
    space: dict[str, Any] = {"np": np, "again": again_and_again}
    for k, count in enumerate(counts):
        space[f"take{k}"] = taking(rank, k)
        if count != "1":
            text.append(f"    y = take{k}(y, again(y.shape[{k}], {count}))")
    return written_function([*text, "    return y"], space)


@overload(runtime_shapes.untile)
def _untile(dy, x, reps):
    counts = _repetitions(reps)
    if not is_array(x) or counts is None or not is_array(dy) or not x.ndim:
        return None
    rank = max(x.ndim, len(counts))
    counts = ["1"] * (rank - len(counts)) + counts
    text, space = ["def run(dy, x, reps):"], {"again": again_and_again}
    for k, count in enumerate(counts):
        if count != "1":
            size = "1" if k < rank - x.ndim else f"x.shape[{k - rank + x.ndim}]"
            space[f"add{k}"] = adding(rank, k)
            text.append(f"    dy = add{k}(dy, again({size}, {count}), {size})")
    return written_function([*text, "    return np.ascontiguousarray(dy).reshape(x.shape)"],
                            {**space, "np": np})


@register_jitable
def one_by_one(n, times):
    if times < 0:
        stop()
    places = np.empty(n * times, np.int64)
    for k in range(places.shape[0]):
        places[k] = k // times
    return places


@register_jitable
def each_so_often(n, times):
    if times.shape[0] != n:
        stop()
    return np.repeat(np.arange(n), times)


def _repeated(repeats: Any) -> Any:
    """What says the places of np.repeat, by the type of how often."""
    if is_integer(repeats):
        return one_by_one
    if _is_index(repeats) and not isinstance(repeats, types.BaseTuple):
        return each_so_often
    if _is_index(repeats):
        return register_jitable(lambda n, times: each_so_often(n, np.array(times)))
    return None


@compiled_for(np.repeat, methods=("repeat",), prefer_literal=True)
def np_repeat(x, repeats, axis=None):
    places, axis = _repeated(repeats), value_of(axis)
    if not is_array(x) or places is None:
        return None
    if axis is None:
        flat = taking(1, 0)
        return lambda x, repeats, axis=None: flat(x.flatten(), places(x.size, repeats))
    one = one_axis(axis, x.ndim)
    if one is None:
        return None
    take = taking(x.ndim, one)
    return lambda x, repeats, axis=None: take(x, places(x.shape[one], repeats))


@overload(runtime_shapes.unrepeat, prefer_literal=True)
def _unrepeat(dy, x, repeats, axis=None):
    places, axis = _repeated(repeats), value_of(axis)
    if not (is_array(x) and is_array(dy)) or places is None:
        return None
    if axis is None:
        flat = adding(1, 0)
        return lambda dy, x, repeats, axis=None: flat(
            dy, places(x.size, repeats), x.size).reshape(x.shape)
    one = one_axis(axis, x.ndim)
    if one is None:
        return None
    add = adding(x.ndim, one)
    return lambda dy, x, repeats, axis=None: add(dy, places(x.shape[one], repeats), x.shape[one])


@register_jitable
def rolled(n, shift):
    places = np.empty(n, np.int64)
    for k in range(n):
        places[k] = (k - shift) % n
    return places


@compiled_for(np.roll, prefer_literal=True)
def np_roll(x, shift, axis=None):
    axis = value_of(axis)
    if not is_array(x) or not x.ndim:
        return None
    if axis is None:
        if not is_integer(shift):
            return None
        flat = taking(1, 0)
        return lambda x, shift, axis=None: flat(x.flatten(), rolled(x.size, shift)).reshape(x.shape)
    axes = axis if isinstance(axis, tuple) else (axis,)
    shifts = ["shift"] * len(axes) if is_integer(shift) else _repetitions(shift)
    if shifts is None or len(shifts) != len(axes):
        return None
    text, space = ["def run(x, shift, axis=None):"], {"rolled": rolled}
    for k, (one, by) in enumerate(zip(axes, shifts)):
        at = one_axis(one, x.ndim)
        if at is None:
            return None
        space[f"take{k}"] = taking(x.ndim, at)
        by = by.replace("reps", "shift")
        text.append(f"    x{k} = take{k}({f'x{k - 1}' if k else 'x'}, rolled(x.shape[{at}], {by}))")
    return written_function([*text, f"    return x{len(axes) - 1}"], space)


@overload(runtime_shapes.roll_back, prefer_literal=True)
def _roll_back(dy, shift, axis=None):
    if not is_array(dy):
        return None
    where = value_of(axis)
    if is_integer(shift):
        return lambda dy, shift, axis=None: np_roll(dy, -shift, where)
    counts = _repetitions(shift)
    if counts is None:
        return None
    back = ", ".join("-" + count.replace("reps", "shift") for count in counts)
    return written_function(["def run(dy, shift, axis=None):",
                             f"    return np_roll(dy, ({back},), {where!r})"],
                            {"np_roll": np_roll})


# pad ------------------------------------------------------------------------------------------
@register_jitable
def padded(n, before, after, mode):
    """The places of a padded line; beyond what NumPy reads once it is done in Python."""
    if before < 0 or after < 0:
        stop()
    most = n - 1 if mode == 2 else n
    if mode > 0 and (n == 0 or (mode > 1 and (before > most or after > most))):
        stop()
    places = np.empty(before + n + after, np.int64)
    for k in range(places.shape[0]):
        i = k - before
        if i < 0 or i >= n:
            if mode == 0:
                i = -1
            elif mode == 1:
                i = 0 if i < 0 else n - 1
            elif mode == 2:
                i = -i if i < 0 else 2 * (n - 1) - i
            elif mode == 3:
                i = -1 - i if i < 0 else 2 * n - 1 - i
            else:
                i = i % n
        places[k] = i
    return places


_MODES = {"constant": 0, "edge": 1, "reflect": 2, "symmetric": 3, "wrap": 4}


def _widths(widths: Any, ndim: int) -> list[tuple[str, str]] | None:
    """How much is put before and behind along each axis, as text."""
    if is_integer(widths):
        return [("widths", "widths")] * ndim
    if not isinstance(widths, types.BaseTuple) or not len(widths.types):
        return None
    if all(map(is_integer, widths.types)):
        if len(widths.types) > 2:
            return None
        return [("widths[0]", f"widths[{len(widths.types) - 1}]")] * ndim
    pairs = []
    for k, pair in enumerate(widths.types):
        if not isinstance(pair, types.BaseTuple) or not 1 <= len(pair.types) <= 2 \
                or not all(map(is_integer, pair.types)):
            return None
        pairs.append((f"widths[{k}][0]", f"widths[{k}][{len(pair.types) - 1}]"))
    return pairs * ndim if len(pairs) == 1 else pairs if len(pairs) == ndim else None


@compiled_for(np.pad, prefer_literal=True)
def np_pad(x, widths, mode="constant", constant_values=0):
    number = _MODES.get(value_of(mode))
    if not is_float_array(x) or number is None or not (
            is_number(constant_values) or value_of(constant_values) == 0):
        return None
    pairs = _widths(widths, x.ndim)
    if pairs is None:
        return None
    text = ['def run(x, widths, mode="constant", constant_values=0):', "    y0 = x"]
    space: dict[str, Any] = {"padded": padded, "np": np}
    for k, (before, after) in enumerate(pairs):
        space[f"take{k}"] = taking(x.ndim, k)
        text.append(f"    y{k + 1} = take{k}(y{k}, padded(x.shape[{k}], {before}, {after}, "
                    f"{number}))")
    if number == 0:
        # What stands around is put on zeros, where no element stands.
        inner = ", ".join(f"{before}:{before} + x.shape[{k}]" for k, (before, _)
                          in enumerate(pairs))
        text += ["    if constant_values != 0:",
                 f"        y{x.ndim}[:] = constant_values", f"        y{x.ndim}[{inner}] = x"]
    return written_function([*text, f"    return y{x.ndim}"], space)


@overload(runtime_shapes.unpad, prefer_literal=True)
def _unpad(dy, x, pad_width, mode="constant"):
    number = _MODES.get(value_of(mode))
    if not (is_array(x) and is_array(dy)) or number is None:
        return None
    pairs = _widths(pad_width, x.ndim)
    if pairs is None:
        return None
    text = ['def run(dy, x, pad_width, mode="constant"):', "    y0 = dy"]
    space: dict[str, Any] = {"padded": padded}
    for k, (before, after) in enumerate(pairs):
        space[f"add{k}"] = adding(x.ndim, k)
        text.append(f"    y{k + 1} = add{k}(y{k}, padded(x.shape[{k}], {before}, {after}, {number})"
                    f", x.shape[{k}])".replace("widths", "pad_width"))
    return written_function([*text, f"    return y{x.ndim}"], space)


# Numbers of elements --------------------------------------------------------------------------
@overload(runtime_shapes.numbered)
def _numbered(x):
    return (lambda x: np.arange(x.size).reshape(x.shape)) if is_array(x) else None


@overload(runtime_shapes.scattered)
def _scattered(by, places, x):
    if not (is_array(by) and is_array(places) and is_array(x)) or by.ndim != places.ndim:
        return None

    def run(by, places, x):
        if by.shape != places.shape:
            stop()
        total = np.zeros(x.size)
        flat, at = by.flatten(), places.flatten()
        for k in range(at.shape[0]):
            total[at[k]] += flat[k]
        return total.reshape(x.shape)
    return run


@overload(runtime_places.gathered_back)
def _gathered_back(dy, places, x):
    if not (is_array(dy) and is_array(places) and is_array(x)) or dy.ndim != places.ndim:
        return None

    def run(dy, places, x):
        if dy.shape != places.shape:
            stop()
        total = np.zeros(x.size)
        flat, at = dy.flatten(), places.flatten()
        for k in range(at.shape[0]):
            if at[k] >= 0:
                total[at[k]] += flat[k]
        return total.reshape(x.shape)
    return run
