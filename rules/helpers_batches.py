"""Rules of the helpers in runtime/batches.py that are linear maps: of what takes all directions of
a Hessian or Jacobian at once, where that is differentiated (see directions/called_inside.py)."""
from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import scalar_int
from tangent_lite.result_kinds.batches import (
    like_batch_of_first,
    like_first,
    like_spread,
    spread_to_second,
)
from tangent_lite.runtime.batches import (
    count_of,
    each_like,
    match_each,
    reduce_each,
    spread,
    spread_back,
    unbroadcast_each,
    unreduce_each,
)


@adjoint(unbroadcast_each, kind=like_batch_of_first, view="maybe")
def unbroadcast_each_(y, dy, x):
    d[dy] = each_like(d[y], dy)
    d[x] = None


@tangent(unbroadcast_each)
def unbroadcast_each_tangent(y, dy, x):
    d[y] = unbroadcast_each(d[dy], x)
    d[x] = None


@adjoint(match_each, kind=spread_to_second, view="maybe")
def match_each_(y, dx, x):
    d[dx] = each_like(d[y], dx)
    d[x] = None


@tangent(match_each)
def match_each_tangent(y, dx, x):
    d[y] = match_each(d[dx], x)
    d[x] = None


@adjoint(each_like, kind=like_first, view="maybe")
def each_like_(y, dz, dx):
    d[dz] = each_like(d[y], dz)
    d[dx] = None


@tangent(each_like)
def each_like_tangent(y, dz, dx):
    d[y] = each_like(d[dz], dx)
    d[dx] = None


@adjoint(unreduce_each, kind=like_batch_of_first, view="maybe", constant=("axis", "keepdims"))
def unreduce_each_(y, dy, x, axis=None, keepdims=False):
    d[dy] = reduce_each(d[y], dy, x, axis, keepdims)
    d[x] = None


@tangent(unreduce_each, constant=("axis", "keepdims"))
def unreduce_each_tangent(y, dy, x, axis=None, keepdims=False):
    d[y] = unreduce_each(d[dy], x, axis, keepdims)
    d[x] = None


@adjoint(reduce_each, kind=like_first, view="maybe", constant=("axis", "keepdims"))
def reduce_each_(y, dz, dy, x, axis=None, keepdims=False):
    d[dz] = unreduce_each(d[y], x, axis, keepdims)
    d[dy] = None
    d[x] = None


@tangent(reduce_each, constant=("axis", "keepdims"))
def reduce_each_tangent(y, dz, dy, x, axis=None, keepdims=False):
    d[y] = reduce_each(d[dz], dy, x, axis, keepdims)
    d[dy] = None
    d[x] = None


@adjoint(spread, kind=like_spread, constant=("count",))
def spread_(y, x, count):
    d[x] = spread_back(d[y])


@tangent(spread, constant=("count",))
def spread_tangent(y, x, count):
    d[y] = spread(d[x], count)


nondifferentiable(count_of, kind=scalar_int)
