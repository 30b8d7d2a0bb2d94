"""Functions that pick, sort or interpolate elements."""
import numpy as np

from tangent_lite.registry import adjoint, same_as, tangent
from tangent_lite.result_kinds import unknown
from tangent_lite.runtime import unreduce
from tangent_lite.runtime_shapes import (
    interp_slope,
    interp_tangent,
    interp_values,
    sort_tangent,
    trapezoid_points,
    trapezoid_weights,
    undiff,
    unsort,
    untake,
    untake_along,
)
from tangent_lite.shape_kinds import (
    interp_kind,
    less_rank_or_number,
    same_rank,
    some_array,
    sort_kind,
)
from tangent_lite.shape_kinds import take as take_kind


@adjoint(np.take, kind=take_kind, constant=("indices",))
def take(y, a, indices, axis=None, *, mode="raise"):
    d[a] = untake(d[y], a, indices, axis, mode)


@tangent(np.take, constant=("indices",))
def take_tangent(y, a, indices, axis=None, *, mode="raise"):
    d[y] = np.take(d[a], indices, axis, mode=mode)


@adjoint(np.take_along_axis, kind=some_array, constant=("indices", "axis"))
def take_along_axis(y, arr, indices, axis=-1):
    d[arr] = untake_along(d[y], arr, indices, axis)


@tangent(np.take_along_axis, constant=("indices", "axis"))
def take_along_axis_tangent(y, arr, indices, axis=-1):
    d[y] = np.take_along_axis(d[arr], indices, axis)


@adjoint(np.sort, kind=sort_kind, constant=("axis",))
def sort(y, a, axis=-1, kind=None, *, stable=None):
    d[a] = unsort(d[y], a, axis)


@tangent(np.sort, constant=("axis",))
def sort_tangent_(y, a, axis=-1, kind=None, *, stable=None):
    d[y] = sort_tangent(d[a], a, axis)


@adjoint(np.diff, kind=same_rank, constant=("n", "axis"))
def diff(y, a, n=1, axis=-1):
    d[a] = undiff(d[y], n, axis)


@tangent(np.diff, constant=("n", "axis"))
def diff_tangent(y, a, n=1, axis=-1):
    d[y] = np.diff(d[a], n, axis)


@adjoint(np.interp, kind=interp_kind, constant=("xp",))
def interp(y, x, xp, fp, left=None, right=None):
    d[x] = d[y] * interp_slope(x, xp, fp)
    d[fp] = interp_values(d[y], x, xp, fp, left, right)


@tangent(np.interp, constant=("xp",))
def interp_tangent_(y, x, xp, fp, left=None, right=None):
    d[y] = d[x] * interp_slope(x, xp, fp) + interp_tangent(d[fp], x, xp, left, right)


if hasattr(np, "trapezoid"):                # NumPy 2
    @adjoint(np.trapezoid, kind=less_rank_or_number, constant=("dx", "axis"))
    def trapezoid(z, y, x=None, dx=1.0, axis=-1):
        d[y] = unreduce(d[z], y, axis) * trapezoid_weights(y, x, dx, axis)
        d[x] = trapezoid_points(d[z], y, x, axis)

    @tangent(np.trapezoid, constant=("dx", "axis"))
    def trapezoid_tangent(z, y, x=None, dx=1.0, axis=-1):
        d[z] = np.trapezoid(d[y], x, dx, axis) + np.trapezoid(y, d[x], dx, axis)


@adjoint(np.bincount, kind=unknown, constant=("x", "minlength"))
def bincount(y, x, weights=None, minlength=0):
    d[weights] = d[y][x]


@tangent(np.bincount, constant=("x", "minlength"))
def bincount_tangent(y, x, weights=None, minlength=0):
    d[y] = np.bincount(x, d[weights], minlength)


same_as(np.take, np.ndarray.take)
