"""Functions that show the elements of one array in another shape or order."""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, same_as, tangent
from tangent_lite.result_kinds import (
    item_kind,
    ndim_of,
    shape_of,
    shaped_like_second,
)
from tangent_lite.result_kinds import tolist as tolist_kind
from tangent_lite.result_kinds.bins import windows_kind
from tangent_lite.result_kinds.shapes import array as array_kind
from tangent_lite.result_kinds.shapes import (
    array_with_axis,
    atleast,
    copied,
    copied_by_method,
    flat_unless_axis,
    flattened,
    flipped,
    last_axes_swapped,
    less_rank,
    same_rank,
    same_rank_same_shape,
    some_array,
    transposed,
    triangle,
)
from tangent_lite.result_kinds.shapes import astype as astype_kind
from tangent_lite.result_kinds.shapes import broadcast_to as broadcast_to_kind
from tangent_lite.result_kinds.shapes import diag as diag_kind
from tangent_lite.result_kinds.shapes import expand_dims as expand_dims_kind
from tangent_lite.result_kinds.shapes import reshape as reshape_kind
from tangent_lite.result_kinds.shapes import squeeze as squeeze_kind
from tangent_lite.runtime import through_dtype, unbroadcast
from tangent_lite.runtime.shapes import (
    flat_view,
    order_of,
    parts_like,
    ravel_like,
    reshape_like,
    roll_back,
    sizes,
    transpose_again,
    transpose_back,
    undiag,
    undiagonal,
    unrepeat,
    unresize,
    untile,
    windows_sum,
)


# Order of the axes ------------------------------------------------------------------------------
@adjoint(np.transpose, kind=transposed, view="always")
def transpose(y, a, axes=None):
    d[a] = transpose_back(d[y], axes)


@tangent(np.transpose)
def transpose_tangent(y, a, axes=None):
    d[y] = np.transpose(d[a], axes)


# x.transpose(), x.transpose(1, 0) and x.transpose((1, 0))
@adjoint(np.ndarray.transpose, kind=transposed, view="always", constant=("axes",))
def transpose_method(y, a, *axes):
    d[a] = transpose_back(d[y], axes)


@tangent(np.ndarray.transpose, constant=("axes",))
def transpose_method_tangent(y, a, *axes):
    d[y] = transpose_again(d[a], axes)


@adjoint(np.ndarray.T, kind=transposed, view="always")
def T(y, x):
    d[x] = d[y].T


@tangent(np.ndarray.T)
def T_tangent(y, x):
    d[y] = d[x].T


@adjoint(np.swapaxes, kind=same_rank, view="always", constant=("axis1", "axis2"))
def swapaxes(y, a, axis1, axis2):
    d[a] = np.swapaxes(d[y], axis1, axis2)


@tangent(np.swapaxes, constant=("axis1", "axis2"))
def swapaxes_tangent(y, a, axis1, axis2):
    d[y] = np.swapaxes(d[a], axis1, axis2)


@adjoint(np.moveaxis, kind=same_rank, view="always", constant=("source", "destination"))
def moveaxis(y, a, source, destination):
    d[a] = np.moveaxis(d[y], destination, source)


@tangent(np.moveaxis, constant=("source", "destination"))
def moveaxis_tangent(y, a, source, destination):
    d[y] = np.moveaxis(d[a], source, destination)


# Shape ------------------------------------------------------------------------------------------
@adjoint(np.reshape, kind=reshape_kind, view="maybe", constant=("shape",))
def reshape(y, a, shape, order="C"):
    d[a] = reshape_like(d[y], a, order)


@tangent(np.reshape, constant=("shape",))
def reshape_tangent(y, a, shape, order="C"):
    d[y] = np.reshape(d[a], shape, order=order_of(order, a))


# x.reshape(2, 3) and x.reshape((2, 3))
@adjoint(np.ndarray.reshape, kind=reshape_kind, view="maybe", constant=("shape",))
def reshape_method(y, a, *shape, order="C"):
    d[a] = reshape_like(d[y], a, order)


@tangent(np.ndarray.reshape, constant=("shape",))
def reshape_method_tangent(y, a, *shape, order="C"):
    d[y] = np.reshape(d[a], sizes(shape), order=order_of(order, a))


@adjoint(np.ravel, np.ndarray.ravel, kind=flattened, view="maybe")
def ravel(y, a, order="C"):
    d[a] = reshape_like(d[y], a, order)


@tangent(np.ravel, np.ndarray.ravel)
def ravel_tangent(y, a, order="C"):
    d[y] = ravel_like(d[a], a, order)


@adjoint(flat_view, kind=flattened, view="always")
def flat_view_(y, x):
    d[x] = reshape_like(d[y], x)


@tangent(flat_view)
def flat_view_tangent(y, x):
    d[y] = flat_view(d[x])


@adjoint(np.ndarray.flatten, kind=flattened)
def flatten(y, a, order="C"):
    d[a] = reshape_like(d[y], a, order)


@tangent(np.ndarray.flatten)
def flatten_tangent(y, a, order="C"):
    d[y] = ravel_like(d[a], a, order)


@adjoint(np.squeeze, np.ndarray.squeeze, kind=squeeze_kind, view="always")
def squeeze(y, a, axis=None):
    d[a] = reshape_like(d[y], a)


@tangent(np.squeeze, np.ndarray.squeeze)
def squeeze_tangent(y, a, axis=None):
    d[y] = np.squeeze(d[a], axis)


@adjoint(np.expand_dims, kind=expand_dims_kind, view="always", constant=("axis",))
def expand_dims(y, a, axis):
    d[a] = reshape_like(d[y], a)


@tangent(np.expand_dims, constant=("axis",))
def expand_dims_tangent(y, a, axis):
    d[y] = np.expand_dims(d[a], axis)


@adjoint(np.atleast_1d, kind=atleast(1), view="always")
def atleast_1d(y, a):
    d[a] = reshape_like(d[y], a)


@tangent(np.atleast_1d)
def atleast_1d_tangent(y, a):
    d[y] = np.atleast_1d(d[a])


@adjoint(np.atleast_2d, kind=atleast(2), view="always")
def atleast_2d(y, a):
    d[a] = reshape_like(d[y], a)


@tangent(np.atleast_2d)
def atleast_2d_tangent(y, a):
    d[y] = np.atleast_2d(d[a])


@adjoint(np.atleast_3d, kind=atleast(3), view="always")
def atleast_3d(y, a):
    d[a] = reshape_like(d[y], a)


@tangent(np.atleast_3d)
def atleast_3d_tangent(y, a):
    d[y] = np.atleast_3d(d[a])


@adjoint(np.broadcast_to, kind=broadcast_to_kind, view="always", constant=("shape",))
def broadcast_to(y, array, shape):
    d[array] = unbroadcast(d[y], array)


@tangent(np.broadcast_to, constant=("shape",))
def broadcast_to_tangent(y, array, shape):
    d[y] = np.broadcast_to(d[array], shape)


@adjoint(np.lib.stride_tricks.sliding_window_view, kind=windows_kind, view="always",
         constant=("window_shape", "axis"))
def sliding_window_view(y, x, window_shape, axis=None, *, subok=False, writeable=False):
    d[x] = windows_sum(d[y], x, window_shape, axis)


@tangent(np.lib.stride_tricks.sliding_window_view, constant=("window_shape", "axis"))
def sliding_window_view_tangent(y, x, window_shape, axis=None, *, subok=False, writeable=False):
    d[y] = np.lib.stride_tricks.sliding_window_view(d[x], window_shape, axis)


@adjoint(windows_sum, kind=shaped_like_second, constant=("window_shape", "axis"))
def windows_sum_rule(dx, dy, x, window_shape, axis=None):
    d[dy] = np.lib.stride_tricks.sliding_window_view(d[dx], window_shape, axis)
    d[x] = None


@tangent(windows_sum, constant=("window_shape", "axis"))
def windows_sum_tangent(dx, dy, x, window_shape, axis=None):
    d[dx] = windows_sum(d[dy], x, window_shape, axis)
    d[x] = None


# Copies and conversions -------------------------------------------------------------------------
@adjoint(np.copy, kind=copied)
def copy(y, a, order="K"):
    d[a] = d[y]


@adjoint(np.ndarray.copy, kind=copied_by_method)
def copy_method(y, a, order="C"):
    d[a] = d[y]


@tangent(np.copy, np.ndarray.copy)
def copy_tangent(y, a, order="K"):
    d[y] = np.copy(d[a])


@adjoint(np.array, kind=array_kind)
def array(y, object, dtype=None):
    for k, x in parts_in(object):
        d[x] = parts_like(through_dtype(d[y], dtype)[k], x)
    d[object] = parts_like(through_dtype(d[y], dtype), object)


@tangent(np.array)
def array_tangent(y, object, dtype=None):
    d[y] = through_dtype(np.array(d[object]), dtype)


@adjoint(np.asarray, np.asanyarray, kind=array_kind, view="maybe")
def asarray(y, a, dtype=None):
    for k, x in parts_in(a):
        d[x] = parts_like(through_dtype(d[y], dtype)[k], x)
    d[a] = parts_like(through_dtype(d[y], dtype), a)


@tangent(np.asarray, np.asanyarray)
def asarray_tangent(y, a, dtype=None):
    d[y] = through_dtype(np.asarray(d[a]), dtype)


@adjoint(np.ascontiguousarray, np.asfortranarray, kind=array_with_axis, view="maybe")
def ascontiguousarray(y, a, dtype=None):
    for k, x in parts_in(a):
        d[x] = parts_like(through_dtype(d[y], dtype)[k], x)
    d[a] = parts_like(through_dtype(reshape_like(d[y], a), dtype), a)


@tangent(np.ascontiguousarray, np.asfortranarray)
def ascontiguousarray_tangent(y, a, dtype=None):
    d[y] = through_dtype(np.atleast_1d(np.asarray(d[a])), dtype)


@adjoint(np.ndarray.astype, kind=astype_kind, constant=("dtype",))
def astype(y, x, dtype):
    d[x] = through_dtype(d[y], dtype)


@tangent(np.ndarray.astype, constant=("dtype",))
def astype_tangent(y, x, dtype):
    d[y] = d[x].astype(dtype)


if hasattr(np, "astype"):                       # NumPy 2.1
    same_as(np.ndarray.astype, np.astype)
same_as(np.asarray, np.asarray_chkfinite)


@adjoint(np.require, kind=array_kind, view="maybe")
def require(y, a, dtype=None, requirements=None):
    d[a] = parts_like(through_dtype(d[y], dtype), a)


@tangent(np.require)
def require_tangent(y, a, dtype=None, requirements=None):
    d[y] = through_dtype(np.asarray(d[a]), dtype)


@adjoint(np.ndarray.item, kind=item_kind)
def item(y, x):
    d[x] = reshape_like(d[y], x)


@tangent(np.ndarray.item)
def item_tangent(y, x):
    d[y] = d[x].item()


@adjoint(np.ndarray.tolist, kind=tolist_kind)
def tolist(y, x):
    d[x] = reshape_like(np.array(d[y]), x)      # a list of no rows does not say how long they are


@tangent(np.ndarray.tolist)
def tolist_tangent(y, x):
    d[y] = d[x].tolist()


# Order of the elements --------------------------------------------------------------------------
@adjoint(np.flip, kind=flipped, view="always")
def flip(y, m, axis=None):
    d[m] = np.flip(d[y], axis)


@tangent(np.flip)
def flip_tangent(y, m, axis=None):
    d[y] = np.flip(d[m], axis)


@adjoint(np.fliplr, kind=same_rank_same_shape, view="always")
def fliplr(y, m):
    d[m] = np.fliplr(d[y])


@tangent(np.fliplr)
def fliplr_tangent(y, m):
    d[y] = np.fliplr(d[m])


@adjoint(np.flipud, kind=same_rank_same_shape, view="always")
def flipud(y, m):
    d[m] = np.flipud(d[y])


@tangent(np.flipud)
def flipud_tangent(y, m):
    d[y] = np.flipud(d[m])


@adjoint(np.roll, kind=same_rank_same_shape, constant=("shift",))
def roll(y, a, shift, axis=None):
    d[a] = roll_back(d[y], shift, axis)


@tangent(np.roll, constant=("shift",))
def roll_tangent(y, a, shift, axis=None):
    d[y] = np.roll(d[a], shift, axis)


@adjoint(np.rot90, kind=same_rank, view="always", constant=("k", "axes"))
def rot90(y, m, k=1, axes=(0, 1)):
    d[m] = np.rot90(d[y], -k, axes)


@tangent(np.rot90, constant=("k", "axes"))
def rot90_tangent(y, m, k=1, axes=(0, 1)):
    d[y] = np.rot90(d[m], k, axes)


@adjoint(np.tile, kind=some_array, constant=("reps",))
def tile(y, A, reps):
    d[A] = untile(d[y], A, reps)


@tangent(np.tile, constant=("reps",))
def tile_tangent(y, A, reps):
    d[y] = np.tile(d[A], reps)


@adjoint(np.resize, kind=reshape_kind, constant=("new_shape",))
def resize(y, a, new_shape):
    d[a] = unresize(d[y], a)


@tangent(np.resize, constant=("new_shape",))
def resize_tangent(y, a, new_shape):
    d[y] = np.resize(d[a], new_shape)


@adjoint(np.repeat, np.ndarray.repeat, kind=flat_unless_axis(2), constant=("repeats",))
def repeat(y, a, repeats, axis=None):
    d[a] = unrepeat(d[y], a, repeats, axis)


@tangent(np.repeat, np.ndarray.repeat, constant=("repeats",))
def repeat_tangent(y, a, repeats, axis=None):
    d[y] = np.repeat(d[a], repeats, axis)


# Diagonals and triangles ------------------------------------------------------------------------
@adjoint(np.diag, kind=diag_kind, view="maybe", constant=("k",))
def diag(y, v, k=0):
    d[v] = undiag(d[y], v, k)


@tangent(np.diag, constant=("k",))
def diag_tangent(y, v, k=0):
    d[y] = np.diag(d[v], k)


@adjoint(np.diagonal, np.ndarray.diagonal, kind=less_rank, view="always",
         constant=("offset", "axis1", "axis2"))
def diagonal(y, a, offset=0, axis1=0, axis2=1):
    d[a] = undiagonal(d[y], a, offset, axis1, axis2)


@tangent(np.diagonal, np.ndarray.diagonal, constant=("offset", "axis1", "axis2"))
def diagonal_tangent(y, a, offset=0, axis1=0, axis2=1):
    d[y] = np.diagonal(d[a], offset, axis1, axis2)


@adjoint(np.tril, kind=triangle, constant=("k",))
def tril(y, m, k=0):
    d[m] = unbroadcast(np.tril(d[y], k), m)


@tangent(np.tril, constant=("k",))
def tril_tangent(y, m, k=0):
    d[y] = np.tril(d[m], k)


@adjoint(np.triu, kind=triangle, constant=("k",))
def triu(y, m, k=0):
    d[m] = unbroadcast(np.triu(d[y], k), m)


@tangent(np.triu, constant=("k",))
def triu_tangent(y, m, k=0):
    d[y] = np.triu(d[m], k)


same_as(np.swapaxes, np.ndarray.swapaxes)

if hasattr(np, "matrix_transpose"):             # NumPy 2
    @adjoint(np.matrix_transpose, np.linalg.matrix_transpose, np.ndarray.mT, kind=last_axes_swapped,
             view="always")
    def matrix_transpose(y, x):
        d[x] = np.matrix_transpose(d[y])

    @tangent(np.matrix_transpose, np.linalg.matrix_transpose, np.ndarray.mT)
    def matrix_transpose_tangent(y, x):
        d[y] = np.matrix_transpose(d[x])


nondifferentiable(np.shape, kind=shape_of)
nondifferentiable(np.ndim, kind=ndim_of)
