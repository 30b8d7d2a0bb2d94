"""What emitted code may call: the few things that NumPy has no single call for.

Here is what most derivatives need, be it that runtime/slopes.py holds it; runtime/products.py,
runtime/shapes.py, runtime/linalg.py and others hold the rest. Only NumPy is imported, so that the
source of a helper can be copied into a saved derivative. Each helper has rules of its own
(rules/helpers*.py), so that derivatives can be differentiated again.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime.duck import is_duck, no_text, size_of_duck, spread_like, zeros_of_duck
from tangent_lite.runtime.extremes import (  # noqa: F401
    largest_back,
    largest_part,
    largest_tangent,
    smallest_back,
    smallest_part,
    smallest_tangent,
)
from tangent_lite.runtime.held import (  # noqa: F401
    MISSING,
    add_items,
    add_parts,
    copied,
    copied_lists,
    copied_parts,
    put_back,
    sum_of_structures,
)
from tangent_lite.runtime.rows import add_rows
from tangent_lite.runtime.slopes import (  # noqa: F401
    DOUBLE,
    ZERO,
    abs_slope,
    abs_slope_adjoint,
    abs_slope_tangent,
    angle_slope,
    bessel_moment,
    clip_high,
    clip_inner,
    clip_low,
    divide_or_zero,
    imag_adjoint,
    is_finite,
    log_or_zero,
    of_larger,
    over_complex_log,
    over_log,
    polygamma,
    power_slope,
    power_slope_in_exponent,
    power_slopes,
    sinc_curve,
    sinc_slope,
    where_larger,
    where_positive,
)
from tangent_lite.runtime.sparse import is_sparse
from tangent_lite.runtime.tangents import attributes, is_fraction


def unbroadcast(dy, x):
    """Sum dy over the axes along which x was broadcast; the result has the shape of x, and is a
    number if x is one, which nobody changes in place.

    dy: an array or number whose shape x can be broadcast to; x: an array or a number.
    """
    try:
        if dy.shape == x.shape:         # most often so, and then quick
            if type(x) is np.ndarray:
                return dy
            return dy if dy.shape else like_number(dy)
    except AttributeError:
        if isinstance(dy, (float, complex)) and isinstance(x, (float, int, complex)):
            return dy
    if is_matrix(dy):                   # no rule for it is asked here what is to be summed
        return dy
    if is_sparse(x):
        return dy
    shape = np.shape(x)
    if np.shape(dy) == shape:
        return dy if shape or type(x) is np.ndarray else like_number(dy)
    extra = np.ndim(dy) - len(shape)
    if extra > 0:
        dy = np.sum(dy, axis=tuple(range(extra)) if extra > 1 else 0)
        if np.shape(dy) == shape:
            return dy
    elif extra < 0:
        return spread_like(dy, x) if is_duck(x) else stretched(dy, shape)
    wide = tuple([i for i, n in enumerate(shape) if n == 1 and np.shape(dy)[i] != 1])
    if wide:
        dy = np.sum(dy, axis=wide, keepdims=True)
    if np.shape(dy) == shape:
        return dy
    return spread_like(dy, x) if is_duck(x) else stretched(dy, shape)


def is_matrix(x):
    """Whether x is a matrix of scipy.sparse, or the adjoint of one."""
    return hasattr(type(x), "is_of_matrix") or is_sparse(x)


def like_number(dy):
    """An array without dimensions as a number."""
    return dy[()] if type(dy) is np.ndarray else dy


def match(dx, y):
    """dx spread to the shape that it and y have together, as in dx + y; may be a read-only view."""
    if is_duck(dx) or is_duck(y):
        return spread_like(dx, dx + y)
    shape = np.broadcast_shapes(np.shape(dx), np.shape(y))
    return dx if np.shape(dx) == shape else np.broadcast_to(dx, shape)


def broadcast(*arrays):
    """What has the shape that arrays have when they are spread together, and no elements."""
    return np.broadcast(*arrays)


def unreduce(dy, x, axis=None, keepdims=False):
    """Spread dy back over the axes of x that a reduction removed; the result has the shape of x,
    and is a number if x is one.

    The result may be a read-only view of dy (np.broadcast_to).
    """
    try:
        shape = x.shape
    except AttributeError:
        shape = np.shape(x)
    if shape == () and type(x) is not np.ndarray and np.shape(dy) == ():
        return like_number(dy)
    if axis is not None and not keepdims and np.ndim(dy) < len(shape):
        axis, rank = axis if isinstance(axis, tuple) else (axis,), len(shape)
        if len(axis) == 1 and type(dy) is np.ndarray and -rank <= axis[0] < rank:
            at = axis[0] % rank
            dy = dy.reshape(dy.shape[:at] + (1,) + dy.shape[at:])
        else:
            # An axis that x does not have is an error here as in the reduction.
            dy = np.expand_dims(dy, tuple([a % rank if -rank <= a < rank else a for a in axis]))
    if type(x) is not np.ndarray:
        if is_duck(x):
            return spread_like(dy, x)
        if is_sparse(x):
            raise NotImplementedError("the derivative of this with a matrix of scipy.sparse that "
                                      "varies; use A.sum()")
    return stretched(dy, shape)


def stretched(dy, shape):
    """np.broadcast_to(dy, shape), which for small arrays takes longer than what is done to them."""
    if type(dy) is float or type(dy) is np.float64:
        filled = np.empty(shape)
        if filled.size <= 2_000:       # a number for each element, where these are read quickly
            filled.fill(dy)
            return filled
    if type(dy) is np.ndarray or type(dy) is float or type(dy) is np.float64:
        dy = np.asarray(dy)
        fits = dy.ndim == 0 or (dy.ndim == len(shape) and dy.flags.c_contiguous and all(
            n == m or n == 1 for n, m in zip(dy.shape, shape)))
        if fits and dy.dtype.kind in "fc":
            strides = [s if n == m else 0 for s, n, m in zip(dy.strides, dy.shape, shape)] \
                if dy.ndim else [0] * len(shape)
            wide = np.ndarray(shape, dy.dtype, dy, 0, strides)
            wide.flags.writeable = False
            return wide
    return np.broadcast_to(dy, shape)


def reduced_size(x, axis=None, where=True, keepdims=False):
    """How many elements of x go into one element of a reduction over axis; for each of them where
    only some count."""
    if where is not True:
        return np.sum(np.broadcast_to(where, np.shape(x)), axis=axis, keepdims=keepdims)
    if type(x) is not np.ndarray and is_duck(x):
        return size_of_duck(x, axis, keepdims)
    if axis is None:
        return np.size(x)
    shape = np.shape(x)
    size = 1
    for a in axis if isinstance(axis, tuple) else (axis,):
        size *= shape[a]
    return size


def mean_size(x, axis=None, where=True, keepdims=False):
    """The number of elements that a mean over axis is of; 1 where there are none to get a share."""
    size = reduced_size(x, axis, where, keepdims)
    return max(size, 1) if isinstance(size, int) else np.maximum(size, 1)


def share_ties(y, x, axis=None, keepdims=False, initial=None, where=True):
    """Where x equals the extreme y of a reduction: equal shares that sum to 1; shape of x.

    initial takes its share as one more element; where is false elements take none.
    """
    hit = x == unreduce(y, x, axis, keepdims)
    if where is True and initial is None and isinstance(hit, np.ndarray) \
            and np.count_nonzero(hit) == np.size(y) and not np.any(np.isnan(y)):
        return hit.astype(np.real(x).dtype)             # one each: there are no ties
    if where is not True:
        hit = hit & where
    count = np.sum(hit, axis=axis, keepdims=True)
    if initial is not None:
        count = count + np.all(unreduce(y, x, axis, keepdims) == initial, axis=axis, keepdims=True)
    share = hit / count
    return share.astype(np.real(x).dtype, copy=False) if isinstance(x, np.ndarray) else share


def kept(dx, where=True):
    """dx, and 0 where a reduction leaves the element out; shape of both together."""
    return dx if where is True else np.where(where, dx, np.zeros((), np.asarray(dx).dtype))


def kept_of_mean(dx, dy, where=True, axis=None, keepdims=False):
    """dx, and 0 where a mean over axis leaves the element out, but NaN where it leaves out all, as
    the mean is, unless its adjoint dy is 0; shape of dx."""
    if where is True:
        return dx
    none = ~np.any(np.broadcast_to(where, np.shape(dx)), axis=axis, keepdims=True)
    outside = np.where(none & (unreduce(dy, dx, axis, keepdims) != 0), np.nan, 0.0)
    return np.where(where, dx, outside.astype(np.asarray(dx).dtype))


def through_dtype(dy, dtype):
    """The adjoint or tangent dy of a conversion to dtype: zero if that is an integer type, real if
    it is a real one."""
    no_text(dtype)
    if dtype is None or np.dtype(dtype).kind in "cO":
        return dy
    return np.real(dy) if np.dtype(dtype).kind == "f" else 0.0 * dy


def is_left_out(x):
    """Whether an option is None; rules ask so, and the code that is written has the answer."""
    return x is None


def in_dtype(x, dtype=None):
    """x as a reduction with that dtype reads it: without its imaginary part if dtype is real."""
    return np.real(x) if dtype is not None and np.dtype(dtype).kind == "f" else x


def fitted(whole, part):
    """What `part += v` leaves in part, where whole is part + v: an array keeps its shape and its
    type, and what does not fit into it is the error that it is for NumPy."""
    if not isinstance(part, np.ndarray):
        return whole
    if type(whole) is np.ndarray and whole.shape == part.shape and whole.dtype == part.dtype:
        return whole
    if np.shape(whole) != part.shape:
        raise ValueError(f"non-broadcastable output operand with shape {part.shape} doesn't match "
                         f"the broadcast shape {np.shape(whole)}")
    made = np.empty_like(part)
    np.copyto(made, whole, casting="same_kind")
    return made


# Products -------------------------------------------------------------------------------------
def matmul_adjoint_left(dz, x, y):
    """Adjoint of x in z = x @ y, for every pair of ranks; the result has the shape of x.

    x: (..., n, k) or (k,); y: (..., k, m) or (k,), or a sparse matrix; dz: the shape of x @ y.
    """
    if is_sparse(x):
        from tangent_lite.runtime.sparse import of_product  # which saved files do without
        return of_product(dz, y, x.shape)
    if is_sparse(y):
        return dz @ y.T
    x_rank, y_rank = np.ndim(x), np.ndim(y)
    if x_rank == 1 and y_rank == 1:
        return dz * y
    if y_rank == 1:
        return unbroadcast(np.expand_dims(dz, -1) * y, x)
    if x_rank == 1:
        return unbroadcast(np.matmul(y, np.expand_dims(dz, -1))[..., 0], x)
    return unbroadcast(np.matmul(dz, np.swapaxes(y, -1, -2)), x)


def matmul_adjoint_right(dz, x, y):
    """Adjoint of y in z = x @ y, for every pair of ranks; the result has the shape of y."""
    if is_sparse(y):
        from tangent_lite.runtime.sparse import of_product
        return of_product(np.transpose(x), np.transpose(dz), y.shape)
    if is_sparse(x):
        return x.T @ dz
    x_rank, y_rank = np.ndim(x), np.ndim(y)
    if x_rank == 1 and y_rank == 1:
        return dz * x
    if x_rank == 1:
        return unbroadcast(np.expand_dims(x, -1) * np.expand_dims(dz, -2), y)
    if y_rank == 1:
        return unbroadcast(np.matmul(np.swapaxes(x, -1, -2), np.expand_dims(dz, -1))[..., 0], y)
    return unbroadcast(np.matmul(np.swapaxes(x, -1, -2), dz), y)


# Sequences ------------------------------------------------------------------------------------
def gathered_over(by, dy):
    """Adjoint of dy in spread_over(dy, xs): the sum of all parts; shape of dy."""
    if isinstance(by, np.ndarray):
        return unbroadcast(by, dy)
    return sum(unbroadcast(part, dy) for part in by)


def spread_over(dy, xs):
    """Adjoint of xs in y = sum(xs): dy for each part of a list, tuple or array."""
    if isinstance(xs, np.ndarray):
        return np.broadcast_to(dy, np.shape(xs))
    return [unbroadcast(dy, x) for x in xs]


def repeated_parts(dys, xs):
    """Adjoint of a list xs in xs * n: what each item receives of all its copies."""
    found = [zeros_like(x) for x in xs]
    for k, dy in enumerate(dys):
        found[k % len(xs)] = sum_of_structures(found[k % len(xs)], dy)
    return found


def scaled_parts(dy, factors, xs):
    """dy times each factor, as a list if xs is a list or tuple: an adjoint of xs."""
    parts = dy * np.asarray(factors)
    return parts if isinstance(xs, np.ndarray) else list(parts)


def sum_of_products(xs, ys):
    """The sum of x * y over two sequences."""
    return sum(x * y for x, y in zip(xs, ys))


# Elements and structures -----------------------------------------------------------------------
def add_at(bx, index, dy):
    """bx[index] += dy with repeated positions added up; bx is changed in place.

    bx: an array, or a list or dict of adjoints (then index names one part).
    """
    if isinstance(bx, np.ndarray):
        if bx.ndim > 1 and isinstance(index, np.ndarray) and index.dtype.kind in "iu" \
                and bx.flags.c_contiguous and type(dy) is np.ndarray and dy.size \
                and dy.shape == index.shape + bx.shape[1:]:
            add_rows(bx, index, dy)
        else:
            np.add.at(bx, index, dy)
    else:
        bx[index] = sum_of_structures(bx[index], dy)


def copy_as_it_lies(x):
    """A copy of x with the strides of x, so that what is a view of x is a view of the copy."""
    if not isinstance(x, np.ndarray):
        return x
    made = zeros_as_it_lies(x)
    made[...] = x
    return made


def zeros_as_it_lies(x):
    """Zeros with the shape of x that lie in memory as x does: in the order and the directions of
    its strides, dense where it is, with gaps where it has some."""
    if x.flags.forc or 0 in x.strides or x.size == 0 or x.dtype.hasobject:
        return np.zeros_like(x)
    strides, was, now = list(x.strides), x.itemsize, x.itemsize     # of dense ones, there and here
    for k in sorted(range(x.ndim), key=lambda k: abs(strides[k])):
        if x.shape[k] == 1:
            continue
        step = abs(strides[k])
        if step < was:                  # elements lie over each other
            strides = list(x.strides)
            break
        # A gap is one element wide: a column of a large matrix takes no more room than two.
        step_now = now if step == was else now + x.itemsize
        strides[k] = step_now if strides[k] > 0 else -step_now
        was, now = x.shape[k] * step, x.shape[k] * step_now
    steps = [(n - 1) * s for n, s in zip(x.shape, strides)]
    below = -sum(s for s in steps if s < 0)
    space = np.zeros(below + sum(s for s in steps if s > 0) + x.itemsize, np.uint8)
    return np.ndarray(x.shape, x.dtype, space, below, strides)


def shadow_view(bv, bx, v, x):
    """The adjoint array of v, of which only the run can tell whether it is a view of x: bv, which
    is a view of bx, if v is one of x; else zeros of their own."""
    if not np.may_share_memory(v, x):
        return np.zeros_like(bv)
    if not np.may_share_memory(bv, bx):
        raise ValueError("an adjoint does not lie in memory as its array does")
    return bv


def shadow_back(by, v, x):
    """Adjoint of bv in shadow_view(bv, bx, v, x): by where v is a view of x, else zeros."""
    return by if np.may_share_memory(v, x) else np.zeros_like(by)


def last_written(bx, index):
    """bx[index], with zero wherever a later part of the index names the same element again.

    `x[[0, 0]] = v` keeps v[1] only, so v[0] gets no adjoint.
    """
    taken = np.array(bx[index])
    winner = np.zeros(np.shape(bx), dtype=int)
    numbers = np.arange(taken.size).reshape(taken.shape)
    winner[index] = numbers
    return np.where(winner[index] == numbers, taken, 0)


def placed(dy, bx, index):
    """Zeros of the shape of bx with dy at index; of positions named twice the last one stays.

    The adjoint of last_written.
    """
    out = np.zeros(np.shape(bx), np.result_type(dy))
    out[index] = dy
    return out


def zeros_like(x):
    """Zeros with the structure of x: a number, an array, or a tuple, list or dict of them.

    Tuples become lists, so that parts can be added to in place.
    """
    # Where there are many small ones, asking what it is and np.zeros_like are what takes the time.
    kind = type(x)
    if kind is np.ndarray and x.dtype.kind in "fc" and x.flags.c_contiguous:
        return np.zeros(x.shape, x.dtype)
    if kind is tuple or kind is list or isinstance(x, (tuple, list)):
        return [zeros_like(part) for part in x]
    if isinstance(x, dict):
        return {key: zeros_like(part) for key, part in x.items()}
    if isinstance(x, np.ndarray):
        if x.dtype.kind in "fc":
            return np.zeros_like(x)
        return np.zeros(x.shape) if x.dtype.kind != "O" else np.zeros(x.shape, dtype=object)
    if isinstance(x, (int, float, complex)) or is_fraction(x):
        return 0.0                              # also one that knows more, as by identity
    if is_duck(x):
        return zeros_of_duck(x)
    if is_matrix(x):
        return 0.0
    if (hasattr(x, "__dict__") or hasattr(kind, "__slots__")) \
            and not isinstance(x, (type, type(np), type(zeros_like))):
        return {name: zeros_like(part) for name, part in attributes(x).items()}
    return 0.0


def zero_at(bd, key, d):
    """Zero for the value of d at key in the dict bd of adjoints, if d has one."""
    if key in d:
        bd[key] = zeros_like(d[key])


def term_of_sum(dz, a):
    """Adjoint of a in sum_of_structures(a, b): dz, summed to the shapes of a."""
    if isinstance(a, dict):
        return {key: term_of_sum(dz[key], a[key]) for key in a}
    if isinstance(a, (list, tuple)):
        return [term_of_sum(x, y) for x, y in zip(dz, a)]
    return dz if a is None else unbroadcast(dz, a)


def stop_gradient(x):
    """x itself; its derivative is taken to be zero."""
    return x


def grad_hook(x, fun):
    """x itself; the backward pass calls fun(adjoint) there, and what it returns goes on.

    None leaves the adjoint as it is: print it, look at it, stop in a debugger. In the function
    itself, and in forward mode, fun is not called.
    """
    return x
