"""Methods of NumPy's universal functions: np.add.reduce, np.multiply.outer and their like.

They go along the first axis where np.sum and np.cumsum take all of them.
"""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, refuse, tangent, written_as
from tangent_lite.result_kinds import (
    reduction,
    reduction_bool,
    reduction_float,
    reduction_same,
    unknown,
)
from tangent_lite.result_kinds.of_numpy import along_first, running
from tangent_lite.runtime import in_dtype, kept, share_ties, through_dtype, unreduce
from tangent_lite.runtime.groups import (
    from_segments,
    in_segments,
    over_segments,
    products_in_groups,
    reduceat_adjoint,
    segment_numbers,
    segments_of,
    shares_in_segments,
    sums_of_segments,
)
from tangent_lite.runtime.places import gathered
from tangent_lite.runtime.reductions import (
    cumprod_adjoint,
    cumprod_tangent,
    ones_outside,
    products_of_others,
    times_initial,
    uncumsum,
)
from tangent_lite.runtime.shapes import scattered
from tangent_lite.runtime.steps import running_places


@adjoint(np.add.reduce, kind=along_first(reduction), constant=("axis",))
def add_reduce(y, array, axis=0, dtype=None, *, keepdims=False, initial=None, where=True):
    d[array] = kept(unreduce(through_dtype(d[y], dtype), array, axis, keepdims), where)
    d[initial] = np.sum(through_dtype(d[y], dtype))


@tangent(np.add.reduce, constant=("axis",))
def add_reduce_tangent(y, array, axis=0, dtype=None, *, keepdims=False, initial=None, where=True):
    d[y] = through_dtype(np.sum(d[array], axis=axis, keepdims=keepdims, where=where), dtype) \
        + unreduce(through_dtype(d[initial], dtype), y)


@adjoint(np.multiply.reduce, kind=along_first(reduction), constant=("axis",))
def multiply_reduce(y, array, axis=0, dtype=None, *, keepdims=False, initial=None, where=True):
    d[array] = kept(times_initial(unreduce(through_dtype(d[y], dtype), array, axis, keepdims),
                                  initial)
                    * products_of_others(ones_outside(in_dtype(array, dtype), where), axis), where)
    d[initial] = np.sum(through_dtype(d[y], dtype)
                        * np.prod(array, axis=axis, keepdims=keepdims, where=where))


@tangent(np.multiply.reduce, constant=("axis",))
def multiply_reduce_tangent(y, array, axis=0, dtype=None, *, keepdims=False, initial=None,
                            where=True):
    others = products_of_others(ones_outside(in_dtype(array, dtype), where), axis)
    d[y] = times_initial(through_dtype(np.sum(kept(d[array] * others, where), axis=axis,
                                              keepdims=keepdims), dtype), initial) \
        + through_dtype(d[initial] * np.prod(array, axis=axis, keepdims=keepdims, where=where),
                        dtype)


@adjoint(np.maximum.reduce, np.minimum.reduce, np.fmax.reduce, np.fmin.reduce,
         kind=along_first(reduction_same), constant=("axis",))
def maximum_reduce(y, array, axis=0, *, keepdims=False, initial=None, where=True):
    d[array] = unreduce(d[y], array, axis, keepdims) \
        * share_ties(y, array, axis, keepdims, initial, where)
    d[initial] = np.sum(d[y] * (1.0 - np.sum(share_ties(y, array, axis, keepdims, initial, where),
                                             axis=axis, keepdims=keepdims)))


@tangent(np.maximum.reduce, np.minimum.reduce, np.fmax.reduce, np.fmin.reduce, constant=("axis",))
def maximum_reduce_tangent(y, array, axis=0, *, keepdims=False, initial=None, where=True):
    share = share_ties(y, array, axis, keepdims, initial, where)
    d[y] = np.sum(d[array] * share, axis=axis, keepdims=keepdims) \
        + d[initial] * (1.0 - np.sum(share, axis=axis, keepdims=keepdims))


@adjoint(np.logaddexp.reduce, kind=along_first(reduction_float), constant=("axis",))
def logaddexp_reduce(y, array, axis=0, *, keepdims=False):
    d[array] = unreduce(d[y], array, axis, keepdims) \
        * np.exp(array - unreduce(y, array, axis, keepdims))


@tangent(np.logaddexp.reduce, constant=("axis",))
def logaddexp_reduce_tangent(y, array, axis=0, *, keepdims=False):
    d[y] = np.sum(d[array] * np.exp(array - unreduce(y, array, axis, keepdims)), axis=axis,
                  keepdims=keepdims)


@adjoint(np.add.accumulate, kind=running(True, 2), constant=("axis",))
def add_accumulate(y, array, axis=0, dtype=None):
    d[array] = uncumsum(through_dtype(d[y], dtype), array, axis)


@tangent(np.add.accumulate, constant=("axis",))
def add_accumulate_tangent(y, array, axis=0, dtype=None):
    d[y] = through_dtype(np.cumsum(d[array], axis=axis), dtype)


@adjoint(np.multiply.accumulate, kind=running(True, 2), constant=("axis",))
def multiply_accumulate(y, array, axis=0, dtype=None):
    d[array] = cumprod_adjoint(through_dtype(d[y], dtype), in_dtype(array, dtype), axis)


@tangent(np.multiply.accumulate, constant=("axis",))
def multiply_accumulate_tangent(y, array, axis=0, dtype=None):
    d[y] = through_dtype(cumprod_tangent(d[array], in_dtype(array, dtype), axis), dtype)


# A running extreme is one of the elements up to here: of equal ones the latest.
@adjoint(np.maximum.accumulate, np.minimum.accumulate, kind=running(False, 2), constant=("axis",))
def maximum_accumulate(y, array, axis=0):
    d[array] = scattered(d[y], running_places(y, array, axis), array)


@tangent(np.maximum.accumulate, np.minimum.accumulate, constant=("axis",))
def maximum_accumulate_tangent(y, array, axis=0):
    d[y] = gathered(d[array], running_places(y, array, axis))


@adjoint(np.add.reduceat, kind=running(True, 3), constant=("indices", "axis"))
def add_reduceat(y, array, indices, axis=0, dtype=None):
    d[array] = reduceat_adjoint(through_dtype(d[y], dtype), array, indices, axis)


@tangent(np.add.reduceat, constant=("indices", "axis"))
def add_reduceat_tangent(y, array, indices, axis=0, dtype=None):
    d[y] = through_dtype(np.add.reduceat(d[array], indices, axis), dtype)


@adjoint(reduceat_adjoint, kind=unknown, constant=("indices", "axis"))
def reduceat_adjoint_(y, dy, x, indices, axis=0):
    d[dy] = np.add.reduceat(d[y], indices, axis)
    d[x] = None


@tangent(reduceat_adjoint, constant=("indices", "axis"))
def reduceat_adjoint_tangent(y, dy, x, indices, axis=0):
    d[y] = reduceat_adjoint(d[dy], x, indices, axis)
    d[x] = None


@adjoint(np.maximum.reduceat, np.minimum.reduceat, np.fmax.reduceat, np.fmin.reduceat,
         kind=running(False, 3), constant=("indices", "axis"))
def maximum_reduceat(y, array, indices, axis=0):
    d[array] = from_segments(shares_in_segments(y, array, indices, axis)
                             * over_segments(d[y], array, indices, axis), array, indices, axis)


@tangent(np.maximum.reduceat, np.minimum.reduceat, np.fmax.reduceat, np.fmin.reduceat,
         constant=("indices", "axis"))
def maximum_reduceat_tangent(y, array, indices, axis=0):
    d[y] = sums_of_segments(shares_in_segments(y, array, indices, axis)
                            * in_segments(d[array], indices, axis), array, indices, axis)


@adjoint(np.multiply.reduceat, kind=running(True, 3), constant=("indices", "axis"))
def multiply_reduceat(y, array, indices, axis=0, dtype=None):
    parts = in_segments(in_dtype(array, dtype), indices, axis)
    d[array] = from_segments(
        products_in_groups(parts, segments_of(array, indices, axis), axis)
        * over_segments(through_dtype(d[y], dtype), array, indices, axis), array, indices, axis)


@tangent(np.multiply.reduceat, constant=("indices", "axis"))
def multiply_reduceat_tangent(y, array, indices, axis=0, dtype=None):
    parts = in_segments(in_dtype(array, dtype), indices, axis)
    d[y] = through_dtype(sums_of_segments(
        products_in_groups(parts, segments_of(array, indices, axis), axis)
        * in_segments(d[array], indices, axis), array, indices, axis), dtype)


nondifferentiable(running_places, segment_numbers, kind=unknown)
nondifferentiable(np.logical_and.reduce, np.logical_or.reduce, np.logical_xor.reduce,
                  kind=along_first(reduction_bool))


# Every element of the one with every element of the other: the function itself, of two arrays that
# broadcast.
def _write_outer(function):
    @written_as(function.outer)
    def outer(a, b):
        return function(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


for _function in (np.add, np.subtract, np.multiply, np.divide, np.power, np.float_power,
                  np.maximum, np.minimum, np.fmax, np.fmin, np.hypot, np.arctan2, np.logaddexp,
                  np.logaddexp2, np.remainder, np.fmod, np.copysign, np.heaviside,
                  np.nextafter, np.ldexp):
    _write_outer(_function)
for _function in (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal,
                  np.floor_divide, np.logical_and, np.logical_or, np.logical_xor):
    nondifferentiable(_function.outer, kind=unknown)

_DECIDED = {
    np.add.reduce, np.multiply.reduce, np.maximum.reduce, np.minimum.reduce, np.fmax.reduce,
    np.fmin.reduce, np.logaddexp.reduce, np.add.accumulate, np.multiply.accumulate,
    np.maximum.accumulate, np.minimum.accumulate, np.add.reduceat, np.multiply.reduceat,
    np.maximum.reduceat, np.minimum.reduceat, np.fmax.reduceat, np.fmin.reduceat,
    np.logical_and.reduce, np.logical_or.reduce, np.logical_xor.reduce}
for _name in sorted(vars(np)):
    _function = getattr(np, _name)
    if not isinstance(_function, np.ufunc) or _function.nin != 2 or _function.nout != 1 \
            or _function.signature is not None:
        continue
    for _method in (_function.reduce, _function.accumulate, _function.reduceat):
        if _method not in _DECIDED:
            refuse(_method, why="it is no sum, product or extreme, whose derivative is known",
                   instead="write a loop")
