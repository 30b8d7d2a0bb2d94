"""What emitted code may call: the few things that NumPy has no single call for.

Here is what most derivatives need; runtime_products.py, runtime_shapes.py and runtime_linalg.py
hold the rest. Only NumPy is imported, so that the source of a helper can be copied into a saved
derivative. Each helper has rules of its own (rules/helpers.py), so that derivatives can be
differentiated again.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime_duck import (
    is_duck,
    no_text,
    size_of_duck,
    spread_like,
    zeros_of_duck,
)
from tangent_lite.runtime_rows import add_rows
from tangent_lite.runtime_tangents import attributes


def unbroadcast(dy, x):
    """Sum dy over the axes along which x was broadcast; the result has the shape of x, and is a
    number if x is one, which nobody changes in place.

    dy: an array or number whose shape x can be broadcast to; x: an array or a number.
    """
    try:
        if dy.shape == x.shape:         # most often so, and then quick
            return dy if dy.shape or type(x) is np.ndarray else like_number(dy)
    except AttributeError:
        if isinstance(dy, (float, complex)) and isinstance(x, (float, int, complex)):
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
        axis = axis if isinstance(axis, tuple) else (axis,)
        if type(dy) is np.ndarray and len(axis) == 1:
            at = axis[0] % len(shape)
            dy = dy.reshape(dy.shape[:at] + (1,) + dy.shape[at:])
        else:
            dy = np.expand_dims(dy, tuple(a % len(shape) for a in axis))
    if type(x) is not np.ndarray and is_duck(x):
        return spread_like(dy, x)
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


def through_dtype(dy, dtype):
    """The adjoint or tangent dy of a conversion to dtype: zero if that is an integer type, real if
    it is a real one."""
    no_text(dtype)
    if dtype is None or np.dtype(dtype).kind in "cO":
        return dy
    return np.real(dy) if np.dtype(dtype).kind == "f" else 0.0 * dy


def in_dtype(x, dtype=None):
    """x as a reduction with that dtype reads it: without its imaginary part if dtype is real."""
    return np.real(x) if dtype is not None and np.dtype(dtype).kind == "f" else x


# Elementwise ----------------------------------------------------------------------------------
def power_slope(x, y):
    """Derivative of x ** y with respect to x: y * x ** (y - 1), and 0 where y is 0."""
    if isinstance(y, (int, float)):
        return y * x ** (y - 1) if y != 0 else 0.0 * x
    return np.where(y == 0, 0.0, y * np.power(x, np.where(y == 0, 1, y - 1)))[()]


def log_or_zero(x):
    """log(x), and 0 where x is 0: the factor of x ** y in its derivative with respect to y."""
    return np.where(x == 0, 0.0, np.log(np.where(x == 0, 1, x)))[()]


def divide_or_zero(x, y):
    """x / y, and 0 where y is 0: for slopes of norms at zero."""
    zero = np.equal(y, 0)
    return np.where(zero, 0.0, np.divide(x, np.where(zero, 1, y)))[()]


ZERO = np.zeros(())          # compared with sooner than a number, which NumPy first makes an array
DOUBLE = np.dtype(float)


def is_finite(x):
    """Whether the squares of an array's numbers add up to something finite, so that each is."""
    return np.isfinite(np.vdot(x, x))


def where_larger(dz, x, y):
    """dz where x is larger than y, half of it where both are equal, else 0.

    The adjoint of x in z = maximum(x, y), and of y in z = minimum(x, y) with x and y exchanged.
    """
    below = x < y
    if type(dz) is type(below) is np.ndarray and below.shape == dz.shape:
        if dz.size > 2048 and is_finite(dz):
            # A product has no branches to guess; 0 times what is not finite would be NaN.
            dx = dz * ~below
        else:
            dx = dz.copy()
            np.putmask(dx, below, 0.0)
        equal = x == y
        if np.count_nonzero(equal):
            np.putmask(dx, equal, 0.5 * dz)
        return dx
    dx = np.where(below, 0.0, np.where(x == y, 0.5 * dz, dz))
    return dx if dx.ndim else dx[()]


def where_positive(dz, x):
    """dz where x is positive, half of it where x is 0, else 0; both are arrays.

    The adjoint of x in z = maximum(x, 0.0), that is in z = relu(x).
    """
    size = x.size
    if not dz.size == size <= 2048 or dz.dtype is not DOUBLE:
        return where_larger(dz, x, 0.0)
    dx = dz.copy()
    if size < 64:               # few numbers are found sooner by their places
        try:
            dx[x < ZERO] = ZERO
        except IndexError:      # dz has an axis more, of length 1
            return where_larger(dz, x, 0.0)
        has_zeros = len(x.nonzero()[0]) != size
    else:
        np.putmask(dx, x < ZERO, ZERO)
        has_zeros = np.count_nonzero(x) != size
    if has_zeros:
        np.putmask(dx, x == ZERO, 0.5 * dz)
    return dx


def abs_slope(x):
    """Derivative of abs(x): the sign of x, conj(x) / abs(x) for complex x, and 0 at 0."""
    return np.conj(np.sign(x))


def imag_adjoint(dy, x):
    """Adjoint of x in y = imag(x): -1j dy, and 0 for real x."""
    return -1j * np.real(dy) if np.iscomplexobj(x) else 0.0 * np.real(dy)


def angle_slope(x, deg=False):
    """The factor of dy in the adjoint of angle(x): -1j / x, 0 for real x and at 0."""
    if not np.iscomplexobj(x):
        return 0.0 * x
    return divide_or_zero(-180j / np.pi if deg else -1j, x)


def clip_inner(dz, x, low=None, high=None, low_2=None, high_2=None):
    """Adjoint of x in clip(x, low, high) before unbroadcasting; half of dz at a bound."""
    low = low_2 if low is None else low
    high = high_2 if high is None else high
    if high is not None:
        dz = where_larger(dz, high, x if low is None else np.maximum(x, low))
    return dz if low is None else where_larger(dz, x, low)


def clip_low(dz, x, low, high=None):
    """Adjoint of low in clip(x, low, high) before unbroadcasting."""
    if high is not None:
        dz = where_larger(dz, high, np.maximum(x, low))
    return where_larger(dz, low, x)


def clip_high(dz, x, low, high):
    """Adjoint of high in clip(x, low, high) before unbroadcasting."""
    return where_larger(dz, x if low is None else np.maximum(x, low), high)


def sinc_slope(x):
    """Derivative of sinc(x) = sin(pi x) / (pi x); by its series near 0."""
    u = np.pi * np.asarray(x)
    small = np.abs(u) < 0.06
    t = np.where(small, 1.0, u)
    series = u * (-1 / 3 + u * u * (1 / 30 - u * u * (1 / 840 - u * u / 45360)))
    return (np.pi * np.where(small, series, (np.cos(t) - np.sin(t) / t) / t))[()]


def sinc_curve(x):
    """Second derivative of sinc(x); by its series near 0."""
    u = np.pi * np.asarray(x)
    small = np.abs(u) < 0.06
    t = np.where(small, 1.0, u)
    series = -1 / 3 + u * u * (1 / 10 - u * u * (1 / 168 - u * u / 6480))
    exact = (-np.sin(t) - 2.0 * np.cos(t) / t + 2.0 * np.sin(t) / (t * t)) / t
    return (np.pi * np.pi * np.where(small, series, exact))[()]


def abs_slope_adjoint(dy, x):
    """Adjoint of x in y = abs_slope(x): 0 for real x."""
    if not np.iscomplexobj(x):
        return 0.0 * x
    size = np.abs(x)
    return divide_or_zero(np.conj(dy), size) \
        - divide_or_zero(np.real(dy * np.conj(x)) * np.conj(x), size ** 3)


def abs_slope_tangent(dx, x):
    """Tangent of abs_slope(x) = conj(x) / abs(x) along dx: 0 for real x."""
    if not np.iscomplexobj(x):
        return 0.0 * x
    size = np.abs(x)
    return divide_or_zero(np.conj(dx), size) \
        - divide_or_zero(np.conj(x) * np.real(np.conj(x) * dx), size ** 3)


def power_slope_in_exponent(x, y):
    """Derivative of power_slope(x, y) = y * x ** (y - 1) with respect to y; 0 where x is 0."""
    zero = np.equal(x, 0)
    t = np.where(zero, 1, x)
    return np.where(zero, 0.0, np.power(t, y - 1.0) * (1.0 + y * np.log(t)))[()]


def over_log(x, base=None):
    """x / log(base): what the base of a logarithm adds to its derivative; base e by default."""
    return x if base is None else x / np.log(base)


def over_complex_log(x, base=None):
    """x / log(base) for a complex logarithm; base e by default."""
    return x if base is None else x / np.log(base + 0j)


def polygamma(n, x):
    """Derivative number n + 1 of the logarithm of the gamma function, for real x.

    The recurrence goes up to where the asymptotic series is exact to rounding.
    """
    factorial = 1.0
    for k in range(1, n + 1):
        factorial *= k
    sign = -1.0 if n % 2 else 1.0
    x = np.array(x, dtype=float)[()]
    total = np.zeros(np.shape(x))[()]
    is_number = np.ndim(x) == 0
    while is_number and x < 16 + n:         # masks would take ten times as long
        total -= sign * factorial / x ** (n + 1)
        x += 1.0
    while not is_number and np.any(x < 16 + n):
        low = x < 16 + n
        total -= np.where(low, sign * factorial / np.where(low, x, 1.0) ** (n + 1), 0.0)
        x = np.where(low, x + 1.0, x)
    bernoulli = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
    if n == 0:
        total += np.log(x) - 0.5 / x
        for k, b in enumerate(bernoulli, 1):
            total -= b / (2 * k * x ** (2 * k))
        return total
    series = factorial / n / x ** n + 0.5 * factorial / x ** (n + 1)
    for k, b in enumerate(bernoulli, 1):
        rising = 1.0                # (2k + n - 1)! / (2k)!
        for i in range(2 * k + 1, 2 * k + n):
            rising *= i
        series += b * rising / x ** (2 * k + n)
    return total - sign * series


def bessel_moment(x, k):
    """The mean of exp(x cos t) cos(t) ** k over t in (0, pi): for k = 0 the Bessel function i0(x),
    and derivative number k of it.

    The trapezoidal rule is exact to rounding for periodic functions.
    """
    n = 64 + 32 * int(np.max(np.abs(x), initial=0.0) ** 0.5)
    cosine = np.cos((np.arange(n) + 0.5) * (np.pi / n))
    moment = np.mean(np.exp(np.multiply.outer(x, cosine)) * cosine ** k, axis=-1)
    return moment.astype(np.result_type(x, 0.0))


# Reductions -----------------------------------------------------------------------------------
# Products -------------------------------------------------------------------------------------
def matmul_adjoint_left(dz, x, y):
    """Adjoint of x in z = x @ y, for every pair of ranks; the result has the shape of x.

    x: (..., n, k) or (k,); y: (..., k, m) or (k,), or a sparse matrix; dz: the shape of x @ y.
    """
    if hasattr(y, "tocsr"):
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
    if hasattr(x, "tocsr"):                 # of scipy.sparse
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
def largest_part(dy, k, xs):
    """Adjoint of xs[k] in y = max(*xs), ties sharing equally; of one sequence, of its parts."""
    if len(xs) == 1:
        items = xs[0]
        top = max(items)
        hit = [bool(x == top or x != x) for x in items]
        parts = [dy / sum(hit) if h else 0.0 * dy for h in hit]
        return np.array(parts) if isinstance(items, np.ndarray) else parts
    top = max(xs)
    if xs[k] < top:
        return 0.0 * dy
    hit = [bool(x == top or x != x) for x in xs]
    return dy / sum(hit) if hit[k] else 0.0 * dy


def smallest_part(dy, k, xs):
    """Adjoint of xs[k] in y = min(*xs), as largest_part."""
    if len(xs) == 1:
        return largest_part(dy, 0, ([-x for x in xs[0]] if not isinstance(xs[0], np.ndarray)
                                    else -xs[0],))
    return largest_part(dy, k, [-x for x in xs])


def largest_tangent(dxs, xs):
    """Tangent of max(*xs) along dxs: the mean of those where xs is largest."""
    if len(xs) == 1:
        dxs, xs = dxs[0], xs[0]
    top = max(xs)
    taken = [dx for dx, x in zip(dxs, xs) if x == top or x != x]
    return sum(taken) / len(taken)


def smallest_tangent(dxs, xs):
    """Tangent of min(*xs) along dxs, as largest_tangent."""
    if len(xs) == 1:
        dxs, xs = dxs[0], xs[0]
    bottom = min(xs)
    taken = [dx for dx, x in zip(dxs, xs) if x == bottom or x != x]
    return sum(taken) / len(taken)


def largest_back(by, k, xs):
    """Adjoint of dy in largest_part(dy, k, xs), which is linear in dy."""
    return largest_tangent((by,), xs) if len(xs) == 1 else largest_part(by, k, xs)


def smallest_back(by, k, xs):
    """Adjoint of dy in smallest_part(dy, k, xs)."""
    return smallest_tangent((by,), xs) if len(xs) == 1 else smallest_part(by, k, xs)


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
    """Zeros with the shape and the strides of x."""
    if x.flags.forc or 0 in x.strides or x.size == 0:
        return np.zeros_like(x)
    steps = [(n - 1) * s for n, s in zip(x.shape, x.strides)]
    below = -sum(s for s in steps if s < 0)
    space = np.zeros(below + sum(s for s in steps if s > 0) + x.itemsize, np.uint8)
    return np.ndarray(x.shape, x.dtype, space, below, x.strides)


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
    if is_duck(x):
        return zeros_of_duck(x)
    if (hasattr(x, "__dict__") or hasattr(kind, "__slots__")) \
            and not isinstance(x, (type, type(np), type(zeros_like))):
        return {name: zeros_like(part) for name, part in attributes(x).items()}
    return 0.0


MISSING = "no such key"      # told apart by identity


def copied(x):
    """A copy of a list or dict; None, which stands for what was never bound, stays None."""
    return None if x is None else x.copy()


def copied_lists(x):
    """A copy of a list or dict and of the lists in it, which may be None too; they hold what they
    held."""
    if isinstance(x, dict):
        made = x.copy()
        for key in x:
            made[key] = copied_lists(x[key])
        return made
    return [copied_lists(part) for part in x] if type(x) is list else x


def copied_parts(x):
    """A list or dict of copies of the arrays in x, and of lists and dicts of such."""
    if isinstance(x, dict):
        return {key: copied_parts(part) for key, part in x.items()}
    if isinstance(x, (list, tuple)):
        return [copied_parts(part) for part in x]
    return x.copy() if isinstance(x, np.ndarray) else x


def put_back(d, key, old):
    """Let d[key] be what it was; old is MISSING if there was no such key."""
    if old is MISSING:
        del d[key]
    else:
        d[key] = old


def zero_at(bd, key, d):
    """Zero for the value of d at key in the dict bd of adjoints, if d has one."""
    if key in d:
        bd[key] = zeros_like(d[key])


def add_parts(bx, index, by):
    """Add a list of adjoints to those of bx at the positions of a slice; bx is changed in place."""
    for position, part in zip(range(len(bx))[index], by):
        bx[position] = sum_of_structures(bx[position], part)


def add_items(bx, by):
    """Add a dict of adjoints to those of bx, key by key; bx is changed in place."""
    for key in by:
        bx[key] = sum_of_structures(bx[key], by[key])


def sum_of_structures(a, b):
    """a + b for numbers, arrays, and lists and dicts of them."""
    if isinstance(b, dict):
        return {key: sum_of_structures(a[key], b[key]) for key in b}
    if isinstance(b, (list, tuple)):
        return [sum_of_structures(x, y) for x, y in zip(a, b)]
    return a if b is None else a + b


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
