"""Functions that pick, sort or interpolate elements."""
import numpy as np

from tangent_lite.registry import adjoint, refuse, refuse_where, same_as, tangent
from tangent_lite.result_kinds import shaped_like_second, unknown
from tangent_lite.result_kinds.limits import of_line
from tangent_lite.result_kinds.of_numpy import (
    counts,
    gradient_again_kind,
    gradient_kind,
    sort_complex_kind,
    unwrap_kind,
)
from tangent_lite.result_kinds.shapes import (
    differenced,
    interp_kind,
    less_rank_or_number,
    some_array,
    sort_kind,
)
from tangent_lite.result_kinds.shapes import take as take_kind
from tangent_lite.runtime import unbroadcast, unreduce
from tangent_lite.runtime.shapes import (
    diff_along,
    diff_part,
    interp_slope,
    interp_tangent,
    interp_values,
    sort_tangent,
    trapezoid_along,
    trapezoid_pieces,
    trapezoid_points,
    trapezoid_weights,
    unsort,
    untake,
    untake_along,
)
from tangent_lite.runtime.spacings import gradient_along, gradient_spacing
from tangent_lite.runtime.steps import gradient_adjoint, gradient_again


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


@adjoint(np.diff, kind=differenced, constant=("n", "axis"))
def diff(y, a, n=1, axis=-1, prepend=None, append=None):
    d[a] = diff_part(d[y], 1, a, n, axis, prepend, append)
    d[prepend] = diff_part(d[y], 0, a, n, axis, prepend, append)
    d[append] = diff_part(d[y], 2, a, n, axis, prepend, append)


@tangent(np.diff, constant=("n", "axis"))
def diff_tangent(y, a, n=1, axis=-1, prepend=None, append=None):
    d[y] = diff_along(d[a], 1, a, n, axis, prepend, append) \
        + diff_along(d[prepend], 0, a, n, axis, prepend, append) \
        + diff_along(d[append], 2, a, n, axis, prepend, append)


@adjoint(np.interp, kind=interp_kind)
def interp(y, x, xp, fp, left=None, right=None):
    d[x] = d[y] * interp_slope(x, xp, fp)
    # What both points of a piece move by is as if x moved the other way.
    d[xp] = interp_values(-d[y] * interp_slope(x, xp, fp), x, xp, xp)
    d[fp] = interp_values(d[y], x, xp, fp, left, right)
    d[left] = np.sum(np.where(np.less(x, xp[0]), d[y], 0.0))
    d[right] = np.sum(np.where(np.greater(x, xp[-1]), d[y], 0.0))


@tangent(np.interp)
def interp_tangent_(y, x, xp, fp, left=None, right=None):
    d[y] = d[x] * interp_slope(x, xp, fp) - interp_slope(x, xp, fp) * interp_tangent(d[xp], x, xp) \
        + interp_tangent(d[fp], x, xp, left, right) \
        + np.where(np.less(x, xp[0]), d[left], 0.0) \
        + np.where(np.greater(x, xp[-1]), d[right], 0.0)


if hasattr(np, "trapezoid"):                # NumPy 2
    @adjoint(np.trapezoid, kind=less_rank_or_number, constant=("axis",))
    def trapezoid(z, y, x=None, dx=1.0, axis=-1):
        d[y] = unreduce(d[z], y, axis) * trapezoid_weights(y, x, dx, axis)
        d[x] = trapezoid_points(d[z], y, x, axis)
        d[dx] = unbroadcast(trapezoid_pieces(d[z], y, x, axis), dx)

    @tangent(np.trapezoid, constant=("axis",))
    def trapezoid_tangent(z, y, x=None, dx=1.0, axis=-1):
        d[z] = np.trapezoid(d[y], x, dx, axis) + np.trapezoid(y, d[x], dx, axis) \
            + trapezoid_along(d[dx], y, x, axis)

    refuse_where(of_line, np.trapezoid)
    if hasattr(np, "trapz"):                # its old name
        same_as(np.trapezoid, np.trapz)


@adjoint(np.bincount, kind=counts, constant=("x", "minlength"))
def bincount(y, x, weights=None, minlength=0):
    d[weights] = d[y][x]


@tangent(np.bincount, constant=("x", "minlength"))
def bincount_tangent(y, x, weights=None, minlength=0):
    d[y] = np.bincount(x, d[weights], minlength)


same_as(np.take, np.ndarray.take)


# The elements in another order, which is that of NumPy: what stands where is found by sorting both
# the elements and the result.
@adjoint(np.partition, kind=unknown, constant=("kth", "axis"))
def partition(y, a, kth, axis=-1, kind="introselect"):
    d[a] = unsort(sort_tangent(d[y], y, axis), a, axis)


@tangent(np.partition, constant=("kth", "axis"))
def partition_tangent(y, a, kth, axis=-1, kind="introselect"):
    d[y] = unsort(sort_tangent(d[a], a, axis), y, axis)


@adjoint(np.sort_complex, kind=sort_complex_kind)
def sort_complex(y, a):
    d[a] = unsort(d[y], a)


@tangent(np.sort_complex)
def sort_complex_tangent(y, a):
    d[y] = sort_tangent(d[a], a) + 0j


# What is added does not vary: multiples of the period, and of 2 pi, at the jumps.
@adjoint(np.unwrap, kind=unwrap_kind, constant=("axis", "period"))
def unwrap(y, p, discont=None, axis=-1, *, period=6.283185307179586):
    d[p] = d[y]


@tangent(np.unwrap, constant=("axis", "period"))
def unwrap_tangent(y, p, discont=None, axis=-1, *, period=6.283185307179586):
    d[y] = d[p]


@adjoint(np.gradient, kind=gradient_kind, constant={"edge_order": "it is a choice"})
def gradient(y, f, *varargs, axis=None, edge_order=1):
    d[f] = gradient_adjoint(d[y], f, varargs, axis, edge_order)
    for k, s in enumerate(varargs):
        d[s] = gradient_spacing(d[y], k, f, varargs, axis, edge_order)


@tangent(np.gradient, constant={"edge_order": "it is a choice"})
def gradient_tangent(y, f, *varargs, axis=None, edge_order=1):
    d[y] = gradient_along(d[f], f, varargs, d[varargs], axis, edge_order)


SPACINGS = {"varargs": "second derivatives take the spacings of np.gradient as constant: divide "
                       "np.gradient(y) by a spacing that varies, or write the differences out",
            "edge_order": "it is a choice"}
refuse(gradient_spacing, gradient_along,
       why="second derivatives take the spacings of np.gradient as constant",
       instead="divide np.gradient(y) by a spacing that varies, or write the differences out")


@adjoint(gradient_adjoint, kind=shaped_like_second, constant=SPACINGS)
def gradient_adjoint_(z, dy, f, varargs, axis=None, edge_order=1):
    d[dy] = gradient_again(d[z], varargs, axis, edge_order)
    d[f] = None


@tangent(gradient_adjoint, constant=SPACINGS)
def gradient_adjoint_tangent(z, dy, f, varargs, axis=None, edge_order=1):
    d[z] = gradient_adjoint(d[dy], f, varargs, axis, edge_order)
    d[f] = None


@adjoint(gradient_again, kind=gradient_again_kind, constant=SPACINGS)
def gradient_again_(y, df, varargs, axis=None, edge_order=1):
    d[df] = gradient_adjoint(d[y], df, varargs, axis, edge_order)


@tangent(gradient_again, constant=SPACINGS)
def gradient_again_tangent(y, df, varargs, axis=None, edge_order=1):
    d[y] = gradient_again(d[df], varargs, axis, edge_order)
