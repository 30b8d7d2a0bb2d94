"""Duck arrays: arrays of other types than NumPy's that take part in its protocols (NEP 13 and 18).

Dask's arrays are such, and CuPy's: NumPy's functions, given one, call what its type says. Helpers
ask nothing of them but that: no conversion to an array of NumPy (which would compute a lazy array),
no shape where an operation finds it by itself (a lazy array may not know its own).
"""
from __future__ import annotations

import numpy as np

from tangent_lite.errors import InputError, OutputError, UnsupportedSyntaxError


def is_duck(x):
    """Whether x is an array of another type than NumPy's that NumPy's functions hand on to."""
    kind = type(x)
    if kind is np.ndarray or kind is float or kind is np.float64 or kind is np.broadcast:
        return False            # most often so, and looking for what is not there takes long
    return hasattr(kind, "__array_function__") and hasattr(kind, "__array_ufunc__") \
        and not isinstance(x, np.ndarray) and hasattr(x, "shape") and hasattr(x, "dtype")


def lies_in_memory(kind):
    """Whether the arrays of a type hold their elements, so that nothing is computed for whoever
    reads one or writes one: they hand their memory out by DLPack, as CuPy's do and lazy ones
    cannot."""
    return hasattr(kind, "__dlpack__") and hasattr(kind, "__setitem__")


def as_array(x):
    """x as an array, of whatever type."""
    return x if is_duck(x) else np.asarray(x)


def zeros_by(dy, shape):
    """Zeros of a shape, of the dtype of dy and in an array of its type."""
    return np.zeros_like(dy, shape=shape) if is_duck(dy) else np.zeros(shape, np.result_type(dy))


def spread_like(dy, x):
    """dy spread over the duck array x: laid out as x is, and x need not know its shape."""
    return np.where(x == x, dy, dy)


def zeros_of_duck(x):
    """Zeros with the shape of a duck array, floats where it holds numbers that cannot vary."""
    return np.zeros_like(x) if x.dtype.kind in "fc" else np.zeros_like(x, dtype=float)


def one_of_duck(x, name):
    """One, of the type of a duck array that is one number and need not be computed for that;
    OutputError, which names the function, for any other."""
    if any(n != 1 for n in x.shape):
        raise OutputError(f"{name} returns an array of shape {x.shape}; grad needs one number",
                          None, "sum it up, or use vjp")
    return np.ones_like(x) if x.dtype.kind in "fc" else np.ones_like(x, dtype=float)


def size_of_duck(x, axis=None, keepdims=False):
    """How many elements of a duck array go into one element of a reduction; a duck array itself
    where the sizes are known only when it is computed."""
    axes = range(len(x.shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    size = 1
    for a in axes:
        size *= x.shape[a]
    return size if size == size else np.sum(spread_like(1, x), axis=axis, keepdims=keepdims)


def added_at(x, index, dy):
    """np.add.at(x, index, dy), for arrays of any type; returned is x, or what has its elements."""
    if not is_duck(x):
        np.add.at(x, index, dy)
        return x
    # CuPy's takes one array as an index, of whatever type, and no tuple or list.
    flat = np.ravel(x)
    places = np.cumsum(np.ones_like(flat, dtype=int)) - 1
    places = np.reshape(places, x.shape)[index]
    np.add.at(flat, np.ravel(places), np.ravel(spread_like(dy, places)))
    return np.reshape(flat, x.shape)


def plus_at(bx, index, dy, repeats=False):
    """bx with dy added at an index; repeats: the index may name an element more than once.

    bx is nobody else's, and written into if its type can be: otherwise an element costs as much as
    all of them.
    """
    if is_duck(dy) and not is_duck(bx):
        bx = np.zeros_like(dy, shape=np.shape(bx), dtype=np.result_type(bx)) + bx
    index, dy = without_new_axes(index, dy, len(bx.shape))
    if not hasattr(type(bx), "__setitem__"):
        return bx + part_back(dy, bx, index, repeats)
    if repeats:
        try:
            bx = added_at(bx, index, dy)
        except TypeError:
            raise InputError(f"the adjoint of this part is added to at indices that may name an "
                             f"element twice, which arrays of type {type(bx).__name__} cannot do",
                             None, "read slices, or pass an array of NumPy") from None
    else:
        bx[index] = bx[index] + dy
    return bx


def part_back(dy, x, index, repeats=False):
    """Zeros of the shape of x with dy at an index: adjoint of x in y = x[index]."""
    zeros = zeros_of_duck(x) if is_duck(x) or not is_duck(dy) else zeros_by(dy, np.shape(x))
    if hasattr(type(zeros), "__setitem__"):
        return plus_at(zeros, index, dy, repeats)
    parts, dy = without_new_axes(index, dy, len(x.shape))
    parts = parts if isinstance(parts, tuple) else (parts,)
    if not all(isinstance(p, (int, slice)) and getattr(p, "step", None) in (None, 1)
               for p in parts) or len(parts) != len(x.shape):
        raise InputError(f"arrays of type {type(zeros).__name__} cannot be written into, and this "
                         "index leaves more out than a beginning and an end", None,
                         "read slices without a step, or pass an array of NumPy")
    spans = [(p % n, p % n + 1, 1) if isinstance(p, int) else p.indices(n)
             for p, n in zip(parts, x.shape)]
    shape = [max(last - first, 0) for first, last, _ in spans]
    widths = [(first, n - max(first, last)) for (first, last, _), n in zip(spans, x.shape)]
    return np.pad(np.reshape(dy, shape), widths)


def without_new_axes(index, dy, rank):
    """The same with a part of the index for each axis, and without the axes that None adds; as they
    are where arrays stand in the index."""
    parts = index if isinstance(index, tuple) else (index,)
    if not all(part is None or part is Ellipsis or isinstance(part, (int, slice)) or
               (hasattr(part, "__index__") and np.ndim(part) == 0) for part in parts):
        return index, dy
    if not any(part is Ellipsis for part in parts):
        parts = (*parts, Ellipsis)
    missing = rank - sum(part is not None and part is not Ellipsis for part in parts)
    at = [part is Ellipsis for part in parts].index(True)
    parts = (*parts[:at], *[slice(None)] * missing, *parts[at + 1:])
    kept = [part for part in parts if part is None or isinstance(part, slice)]
    added = tuple(k for k, part in enumerate(kept) if part is None)
    if added:
        dy = np.squeeze(dy, axis=added)
    return tuple([part for part in parts if part is not None]), dy


def no_text(dtype):
    """Refuse a conversion to a type of texts: a number that is read from one comes from nowhere."""
    if dtype is not None and np.dtype(dtype).kind in "SUV":
        raise UnsupportedSyntaxError("an active number is written into a text from which a number "
                                     "is read again", None, "keep it in an array of floats")
