"""Rules of the helpers in runtime/shapes.py and runtime/linalg.py that are linear maps."""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import shaped_like_second, shaped_like_third, unknown
from tangent_lite.result_kinds.sequences import list_of_parts, parts_of_second
from tangent_lite.result_kinds.shapes import same_rank, same_rank_same_shape, vector
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.linalg import as_matrix_factor, diagonal_sum, transposed
from tangent_lite.runtime.shapes import (
    append_part,
    concatenated_part,
    concatenated_parts,
    diff_along,
    diff_part,
    join_again,
    joined_part,
    joined_parts,
    line_adjoint,
    line_tangent,
    line_weights,
    numbered,
    order_of,
    pad_tangent,
    parts_like,
    ravel_like,
    reshape_back,
    reshape_like,
    roll_back,
    scattered,
    sizes,
    sort_tangent,
    stacked_part,
    stacked_parts,
    trace_adjoint,
    transpose_again,
    transpose_back,
    undiag,
    undiagonal,
    undiff,
    unpad,
    unrepeat,
    unresize,
    unsort,
    untake,
    untake_along,
    untile,
)


@adjoint(reshape_like, kind=shaped_like_second, view="maybe")
def reshape_like_(y, dy, x, order="C"):
    d[dy] = reshape_back(d[y], x, dy, order)
    d[x] = None


@tangent(reshape_like)
def reshape_like_tangent(y, dy, x, order="C"):
    d[y] = reshape_like(d[dy], x, order)
    d[x] = None


@adjoint(transpose_back, kind=same_rank, view="maybe")
def transpose_back_(y, dy, axes=None):
    d[dy] = transpose_again(d[y], axes)


@tangent(transpose_back)
def transpose_back_tangent(y, dy, axes=None):
    d[y] = transpose_back(d[dy], axes)


@adjoint(transpose_again, kind=same_rank, view="maybe")
def transpose_again_(y, dy, axes=None):
    d[dy] = transpose_back(d[y], axes)


@tangent(transpose_again)
def transpose_again_tangent(y, dy, axes=None):
    d[y] = transpose_again(d[dy], axes)


@adjoint(roll_back, kind=same_rank_same_shape, constant=("shift",))
def roll_back_(y, dy, shift, axis=None):
    d[dy] = np.roll(d[y], shift, axis)


@tangent(roll_back, constant=("shift",))
def roll_back_tangent(y, dy, shift, axis=None):
    d[y] = roll_back(d[dy], shift, axis)


@adjoint(concatenated_part, kind=unknown, view="maybe", constant=("k", "axis",))
def concatenated_part_(y, dy, k, arrays, axis=0):
    d[dy] = scattered(d[y], concatenated_part(numbered(dy), k, arrays, axis), dy)
    for x in arrays:
        d[x] = None
    d[arrays] = None


@tangent(concatenated_part, constant=("k", "axis",))
def concatenated_part_tangent(y, dy, k, arrays, axis=0):
    d[y] = concatenated_part(d[dy], k, arrays, axis)
    d[arrays] = None


@adjoint(concatenated_parts, kind=list_of_parts, view="maybe", constant=("axis",))
def concatenated_parts_(y, dy, arrays, axis=0):
    d[dy] = np.concatenate(d[y], axis)
    for x in arrays:
        d[x] = None
    d[arrays] = None


@tangent(concatenated_parts, constant=("axis",))
def concatenated_parts_tangent(y, dy, arrays, axis=0):
    d[y] = concatenated_parts(d[dy], arrays, axis)
    d[arrays] = None


@adjoint(stacked_part, kind=unknown, view="maybe", constant=("k", "axis",))
def stacked_part_(y, dy, k, axis=0):
    d[dy] = scattered(d[y], stacked_part(numbered(dy), k, axis), dy)


@tangent(stacked_part, constant=("k", "axis",))
def stacked_part_tangent(y, dy, k, axis=0):
    d[y] = stacked_part(d[dy], k, axis)


@adjoint(stacked_parts, kind=list_of_parts, view="maybe", constant=("axis",))
def stacked_parts_(y, dy, arrays, axis=0):
    d[dy] = np.stack(d[y], axis)
    for x in arrays:
        d[x] = None
    d[arrays] = None


@tangent(stacked_parts, constant=("axis",))
def stacked_parts_tangent(y, dy, arrays, axis=0):
    d[y] = stacked_parts(d[dy], arrays, axis)
    d[arrays] = None


@adjoint(joined_part, kind=unknown, view="maybe", constant=("k", "how",))
def joined_part_(y, dy, k, arrays, how):
    d[dy] = scattered(d[y], joined_part(numbered(dy), k, arrays, how), dy)
    for x in arrays:
        d[x] = None
    d[arrays] = None


@tangent(joined_part, constant=("k", "how",))
def joined_part_tangent(y, dy, k, arrays, how):
    d[y] = joined_part(d[dy], k, arrays, how)
    d[arrays] = None


@adjoint(joined_parts, kind=list_of_parts, view="maybe", constant=("how",))
def joined_parts_(y, dy, arrays, how):
    d[dy] = join_again(d[y], how)
    for x in arrays:
        d[x] = None
    d[arrays] = None


@tangent(joined_parts, constant=("how",))
def joined_parts_tangent(y, dy, arrays, how):
    d[y] = joined_parts(d[dy], arrays, how)
    d[arrays] = None


@adjoint(append_part, kind=unknown, view="maybe", constant=("k",))
def append_part_(y, dy, k, x, values, axis=None):
    places = np.asarray(append_part(numbered(dy), k, x, values, axis))
    d[dy] = scattered(np.asarray(d[y]), places, dy)
    d[x] = None
    d[values] = None


@tangent(append_part, constant=("k",))
def append_part_tangent(y, dy, k, x, values, axis=None):
    d[y] = append_part(d[dy], k, x, values, axis)
    d[x] = None
    d[values] = None


@adjoint(parts_like, kind=parts_of_second, view="maybe")
def parts_like_(y, dy, x):
    d[dy] = np.asarray(d[y])
    d[x] = None


@tangent(parts_like)
def parts_like_tangent(y, dy, x):
    d[y] = parts_like(d[dy], x)
    d[x] = None


@adjoint(untile, kind=shaped_like_second, constant=("reps",))
def untile_(y, dy, x, reps):
    d[dy] = np.tile(d[y], reps)
    d[x] = None


@tangent(untile, constant=("reps",))
def untile_tangent(y, dy, x, reps):
    d[y] = untile(d[dy], x, reps)
    d[x] = None


@adjoint(unresize, kind=shaped_like_second)
def unresize_(y, dy, x):
    d[dy] = np.resize(d[y], np.shape(dy))
    d[x] = None


@tangent(unresize)
def unresize_tangent(y, dy, x):
    d[y] = unresize(d[dy], x)
    d[x] = None


@adjoint(unrepeat, kind=shaped_like_second, constant=("repeats",))
def unrepeat_(y, dy, x, repeats, axis=None):
    d[dy] = np.repeat(d[y], repeats, axis)
    d[x] = None


@tangent(unrepeat, constant=("repeats",))
def unrepeat_tangent(y, dy, x, repeats, axis=None):
    d[y] = unrepeat(d[dy], x, repeats, axis)
    d[x] = None


@adjoint(unpad, kind=shaped_like_second, constant=("pad_width",))
def unpad_(y, dy, x, pad_width, mode="constant"):
    d[dy] = pad_tangent(d[y], pad_width, mode)
    d[x] = None


@tangent(unpad, constant=("pad_width",))
def unpad_tangent(y, dy, x, pad_width, mode="constant"):
    d[y] = unpad(d[dy], x, pad_width, mode)
    d[x] = None


@adjoint(undiag, kind=shaped_like_second, view="maybe", constant=("k",))
def undiag_(y, dy, x, k=0):
    d[dy] = np.diag(d[y], k)
    d[x] = None


@tangent(undiag, constant=("k",))
def undiag_tangent(y, dy, x, k=0):
    d[y] = undiag(d[dy], x, k)
    d[x] = None


@adjoint(undiagonal, kind=shaped_like_second, constant=("offset", "axis1", "axis2",))
def undiagonal_(y, dy, x, offset=0, axis1=0, axis2=1):
    d[dy] = np.diagonal(d[y], offset, axis1, axis2)
    d[x] = None


@tangent(undiagonal, constant=("offset", "axis1", "axis2",))
def undiagonal_tangent(y, dy, x, offset=0, axis1=0, axis2=1):
    d[y] = undiagonal(d[dy], x, offset, axis1, axis2)
    d[x] = None


@adjoint(trace_adjoint, kind=shaped_like_second, constant=("offset", "axis1", "axis2",))
def trace_adjoint_(y, dy, x, offset=0, axis1=0, axis2=1):
    d[dy] = np.trace(d[y], offset, axis1, axis2)
    d[x] = None


@tangent(trace_adjoint, constant=("offset", "axis1", "axis2",))
def trace_adjoint_tangent(y, dy, x, offset=0, axis1=0, axis2=1):
    d[y] = trace_adjoint(d[dy], x, offset, axis1, axis2)
    d[x] = None


@adjoint(untake, kind=shaped_like_second, constant=("indices",))
def untake_(y, dy, x, indices, axis=None, mode="raise"):
    d[dy] = np.take(d[y], indices, axis, mode=mode)
    d[x] = None


@tangent(untake, constant=("indices",))
def untake_tangent(y, dy, x, indices, axis=None, mode="raise"):
    d[y] = untake(d[dy], x, indices, axis, mode)
    d[x] = None


@adjoint(untake_along, kind=shaped_like_second, constant=("indices", "axis",))
def untake_along_(y, dy, x, indices, axis=-1):
    d[dy] = np.take_along_axis(d[y], indices, axis)
    d[x] = None


@tangent(untake_along, constant=("indices", "axis",))
def untake_along_tangent(y, dy, x, indices, axis=-1):
    d[y] = untake_along(d[dy], x, indices, axis)
    d[x] = None


@adjoint(scattered, kind=shaped_like_third, constant=("places",))
def scattered_(y, dy, places, x):
    d[dy] = np.take(d[y], places)
    d[x] = None


@tangent(scattered, constant=("places",))
def scattered_tangent(y, dy, places, x):
    d[y] = scattered(d[dy], places, x)
    d[x] = None


@adjoint(unsort, kind=shaped_like_second, constant=("axis",))
def unsort_(y, dy, x, axis=-1):
    d[dy] = sort_tangent(d[y], x, axis)
    d[x] = None


@tangent(unsort, constant=("axis",))
def unsort_tangent(y, dy, x, axis=-1):
    d[y] = unsort(d[dy], x, axis)
    d[x] = None


@adjoint(sort_tangent, kind=unknown, constant=("axis",))
def sort_tangent_(y, dx, x, axis=-1):
    d[dx] = unsort(d[y], x, axis)
    d[x] = None


@tangent(sort_tangent, constant=("axis",))
def sort_tangent_tangent(y, dx, x, axis=-1):
    d[y] = sort_tangent(d[dx], x, axis)
    d[x] = None


@adjoint(diff_part, kind=unknown, constant=("k", "n", "axis"))
def diff_part_(y, dy, k, x, n=1, axis=-1, prepend=None, append=None):
    d[dy] = diff_along(d[y], k, x, n, axis, prepend, append)
    d[x] = None
    d[prepend] = None
    d[append] = None


@tangent(diff_part, constant=("k", "n", "axis"))
def diff_part_tangent(y, dy, k, x, n=1, axis=-1, prepend=None, append=None):
    d[y] = diff_part(d[dy], k, x, n, axis, prepend, append)
    d[x] = None
    d[prepend] = None
    d[append] = None


@adjoint(diff_along, kind=unknown, constant=("k", "n", "axis"))
def diff_along_(y, dpart, k, x, n=1, axis=-1, prepend=None, append=None):
    d[dpart] = diff_part(d[y], k, x, n, axis, prepend, append)
    d[x] = None
    d[prepend] = None
    d[append] = None


@tangent(diff_along, constant=("k", "n", "axis"))
def diff_along_tangent(y, dpart, k, x, n=1, axis=-1, prepend=None, append=None):
    d[y] = diff_along(d[dpart], k, x, n, axis, prepend, append)
    d[x] = None
    d[prepend] = None
    d[append] = None


@adjoint(undiff, kind=same_rank, constant=("n", "axis",))
def undiff_(y, dy, n=1, axis=-1):
    d[dy] = np.diff(d[y], n, axis)


@tangent(undiff, constant=("n", "axis",))
def undiff_tangent(y, dy, n=1, axis=-1):
    d[y] = undiff(d[dy], n, axis)


@adjoint(line_adjoint, kind=unknown, constant=("weights", "axis"))
def line_adjoint_(y, dy, weights, axis=0):
    d[dy] = line_tangent(d[y], weights, dy, axis)


@tangent(line_adjoint, constant=("weights", "axis"))
def line_adjoint_tangent(y, dy, weights, axis=0):
    d[y] = line_adjoint(d[dy], weights, axis)


@adjoint(line_tangent, kind=unknown, view="maybe", constant=("weights", "axis"))
def line_tangent_(y, dx, weights, z, axis=0):
    d[dx] = unbroadcast(line_adjoint(d[y], weights, axis), dx)
    d[z] = None


@tangent(line_tangent, constant=("weights", "axis"))
def line_tangent_tangent(y, dx, weights, z, axis=0):
    d[y] = line_tangent(d[dx], weights, z, axis)
    d[z] = None


@adjoint(ravel_like, kind=vector, view="maybe")
def ravel_like_(y, dx, x, order="C"):
    d[dx] = reshape_like(d[y], x, order)
    d[x] = None


@tangent(ravel_like)
def ravel_like_tangent(y, dx, x, order="C"):
    d[y] = ravel_like(d[dx], x, order)
    d[x] = None


@adjoint(pad_tangent, kind=same_rank, constant=("pad_width",))
def pad_tangent_(y, dx, pad_width, mode="constant"):
    d[dx] = unpad(d[y], dx, pad_width, mode)


@tangent(pad_tangent, constant=("pad_width",))
def pad_tangent_tangent(y, dx, pad_width, mode="constant"):
    d[y] = pad_tangent(d[dx], pad_width, mode)


@adjoint(transposed, kind=same_rank, view="maybe")
def transposed_(y, dx):
    d[dx] = transposed(d[y])


@tangent(transposed)
def transposed_tangent(y, dx):
    d[y] = transposed(d[dx])


@adjoint(as_matrix_factor, kind=unknown, view="maybe")
def as_matrix_factor_(y, dx):
    d[dx] = np.sum(d[y], axis=(-2, -1))


@tangent(as_matrix_factor)
def as_matrix_factor_tangent(y, dx):
    d[y] = as_matrix_factor(d[dx])


@adjoint(diagonal_sum, kind=unknown)
def diagonal_sum_(y, dx):
    d[dx] = as_matrix_factor(d[y]) * np.eye(np.shape(dx)[-1])


@tangent(diagonal_sum)
def diagonal_sum_tangent(y, dx):
    d[y] = diagonal_sum(d[dx])


nondifferentiable(numbered, line_weights, order_of, sizes, kind=unknown)
