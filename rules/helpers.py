"""Rules of the helpers in `runtime`, so that derivatives have derivatives.

Helpers without an entry are differentiated through their source, as functions of the user are.
"""
import numpy as np

from tangent_lite.registry import adjoint, entry_for, nondifferentiable, tangent
from tangent_lite.result_kinds import (
    kept_in_place,
    matched,
    numeric,
    scalar_bool,
    scalar_int,
    shaped_like_second,
    shaped_like_third,
    summed_like_second,
    unknown,
    zeros_of,
)
from tangent_lite.result_kinds.shapes import copied
from tangent_lite.runtime import (
    add_at,
    copy_as_it_lies,
    fitted,
    in_dtype,
    is_left_out,
    last_written,
    match,
    matmul_adjoint_left,
    matmul_adjoint_right,
    placed,
    shadow_back,
    shadow_view,
    through_dtype,
    unbroadcast,
    unreduce,
    zeros_as_it_lies,
    zeros_like,
)
from tangent_lite.runtime.objects import varies, which_of
from tangent_lite.runtime.patterns import is_mapping, is_sequence


# Broadcasting -----------------------------------------------------------------------------------
@adjoint(unbroadcast, kind=summed_like_second, view="maybe")
def unbroadcast_(y, dy, x):
    d[dy] = unbroadcast(d[y], dy)
    d[x] = None


@tangent(unbroadcast)
def unbroadcast_tangent(y, dy, x):
    d[y] = unbroadcast(d[dy], x)
    d[x] = None


@adjoint(match, kind=matched, view="maybe")
def match_(y, dx, x):
    d[dx] = unbroadcast(d[y], dx)
    d[x] = None


@tangent(match)
def match_tangent(y, dx, x):
    d[y] = match(d[dx], x)
    d[x] = None


@adjoint(unreduce, kind=shaped_like_second, view="maybe")
def unreduce_(y, dy, x, axis=None, keepdims=False):
    d[dy] = np.sum(d[y], axis=axis, keepdims=keepdims)
    d[x] = None


@tangent(unreduce)
def unreduce_tangent(y, dy, x, axis=None, keepdims=False):
    d[y] = unreduce(d[dy], x, axis, keepdims)
    d[x] = None


@adjoint(through_dtype, kind=numeric, view="maybe")
def through_dtype_(y, dy, dtype=None):
    d[dy] = through_dtype(d[y], dtype)


@tangent(through_dtype)
def through_dtype_tangent(y, dy, dtype=None):
    d[y] = through_dtype(d[dy], dtype)


@adjoint(in_dtype, kind=numeric, view="maybe")
def in_dtype_(y, x, dtype=None):
    d[x] = in_dtype(d[y], dtype)


@tangent(in_dtype)
def in_dtype_tangent(y, x, dtype=None):
    d[y] = in_dtype(d[x], dtype)


@adjoint(fitted, kind=kept_in_place, view="maybe")
def fitted_(y, whole, part):
    d[whole] = d[y]
    d[part] = None


@tangent(fitted)
def fitted_tangent(y, whole, part):
    d[y] = d[whole]
    d[part] = None


# Products ---------------------------------------------------------------------------------------
@adjoint(matmul_adjoint_left, kind=shaped_like_second)
def matmul_adjoint_left_(bx, dz, x, y):
    d[dz] = d[bx] @ y
    d[x] = None
    d[y] = matmul_adjoint_right(dz, d[bx], y)


@tangent(matmul_adjoint_left)
def matmul_adjoint_left_tangent(bx, dz, x, y):
    d[bx] = matmul_adjoint_left(d[dz], x, y) + matmul_adjoint_left(dz, x, d[y])
    d[x] = None


@adjoint(matmul_adjoint_right, kind=shaped_like_third)
def matmul_adjoint_right_(by, dz, x, y):
    d[dz] = x @ d[by]
    d[x] = matmul_adjoint_left(dz, x, d[by])
    d[y] = None


@tangent(matmul_adjoint_right)
def matmul_adjoint_right_tangent(by, dz, x, y):
    d[by] = matmul_adjoint_right(d[dz], x, y) + matmul_adjoint_right(dz, d[x], y)
    d[y] = None


# Elements ---------------------------------------------------------------------------------------
@adjoint(add_at, constant=("index",))
def add_at_(y, bx, index, dy):
    d[bx] = None
    d[dy] = d[bx][index]


entry_for(add_at).writes = ("bx",)


@adjoint(copy_as_it_lies, kind=copied)
def copy_as_it_lies_(y, x):
    d[x] = d[y]


@tangent(copy_as_it_lies)
def copy_as_it_lies_tangent(y, x):
    d[y] = copy_as_it_lies(d[x])


nondifferentiable(zeros_as_it_lies, kind=zeros_of)


@adjoint(shadow_view, kind=unknown, view="maybe")
def shadow_view_(y, bv, bx, v, x):
    d[bv] = shadow_back(d[y], v, x)
    d[bx] = None
    d[v] = None
    d[x] = None


@tangent(shadow_view)
def shadow_view_tangent(y, bv, bx, v, x):
    d[y] = shadow_view(d[bv], d[bx], v, x)
    d[v] = None
    d[x] = None


@adjoint(shadow_back, kind=unknown, view="maybe")
def shadow_back_(y, by, v, x):
    d[by] = shadow_back(d[y], v, x)
    d[v] = None
    d[x] = None


@tangent(shadow_back)
def shadow_back_tangent(y, by, v, x):
    d[y] = shadow_back(d[by], v, x)
    d[v] = None
    d[x] = None


@adjoint(last_written, kind=unknown, constant=("index",))
def last_written_(y, bx, index):
    d[bx] = placed(d[y], bx, index)


@tangent(last_written, constant=("index",))
def last_written_tangent(y, bx, index):
    d[y] = last_written(d[bx], index)


@adjoint(placed, kind=shaped_like_second, constant=("index",))
def placed_(y, dy, bx, index):
    d[dy] = last_written(d[y], index)
    d[bx] = None


@tangent(placed, constant=("index",))
def placed_tangent(y, dy, bx, index):
    d[y] = placed(d[dy], bx, index)
    d[bx] = None


nondifferentiable(zeros_like, kind=zeros_of)
nondifferentiable(which_of, kind=scalar_int)
nondifferentiable(is_left_out, is_sequence, is_mapping, varies, kind=scalar_bool)
