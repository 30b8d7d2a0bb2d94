"""Functions that put several arrays together.

The arrays may be written out in the call, `np.stack((a, b))`, or come as one list.
"""
import warnings

import numpy as np

from tangent_lite.registry import adjoint, same_as, tangent
from tangent_lite.result_kinds.shapes import append_kind, joined_at_least
from tangent_lite.result_kinds.shapes import concatenate as concatenate_kind
from tangent_lite.result_kinds.shapes import split as split_kind
from tangent_lite.result_kinds.shapes import stack as stack_kind
from tangent_lite.runtime.shapes import (
    append_part,
    concatenated_part,
    concatenated_parts,
    joined_part,
    joined_parts,
    stacked_part,
    stacked_parts,
)


@adjoint(np.concatenate, kind=concatenate_kind, constant=("axis",))
def concatenate(y, arrays, axis=0):
    for k, x in enumerate(arrays):
        d[x] = concatenated_part(d[y], k, arrays, axis)
    d[arrays] = concatenated_parts(d[y], arrays, axis)


@tangent(np.concatenate, constant=("axis",))
def concatenate_tangent(y, arrays, axis=0):
    d[y] = np.concatenate(d[arrays], axis)


@adjoint(np.stack, kind=stack_kind, constant=("axis",))
def stack(y, arrays, axis=0):
    for k, x in enumerate(arrays):
        d[x] = stacked_part(d[y], k, axis)
    d[arrays] = stacked_parts(d[y], arrays, axis)


@tangent(np.stack, constant=("axis",))
def stack_tangent(y, arrays, axis=0):
    d[y] = np.stack(d[arrays], axis)


@adjoint(np.vstack, kind=joined_at_least(2))
def vstack(y, tup):
    for k, x in enumerate(tup):
        d[x] = joined_part(d[y], k, tup, "v")
    d[tup] = joined_parts(d[y], tup, "v")


@tangent(np.vstack)
def vstack_tangent(y, tup):
    d[y] = np.vstack(d[tup])


@adjoint(np.hstack, kind=joined_at_least(1))
def hstack(y, tup):
    for k, x in enumerate(tup):
        d[x] = joined_part(d[y], k, tup, "h")
    d[tup] = joined_parts(d[y], tup, "h")


@tangent(np.hstack)
def hstack_tangent(y, tup):
    d[y] = np.hstack(d[tup])


@adjoint(np.dstack, kind=joined_at_least(3))
def dstack(y, tup):
    for k, x in enumerate(tup):
        d[x] = joined_part(d[y], k, tup, "d")
    d[tup] = joined_parts(d[y], tup, "d")


@tangent(np.dstack)
def dstack_tangent(y, tup):
    d[y] = np.dstack(d[tup])


@adjoint(np.column_stack, kind=joined_at_least(2))
def column_stack(y, tup):
    for k, x in enumerate(tup):
        d[x] = joined_part(d[y], k, tup, "c")
    d[tup] = joined_parts(d[y], tup, "c")


@tangent(np.column_stack)
def column_stack_tangent(y, tup):
    d[y] = np.column_stack(d[tup])


@adjoint(np.append, kind=append_kind)
def append(y, arr, values, axis=None):
    d[arr] = append_part(d[y], 0, arr, values, axis)
    d[values] = append_part(d[y], 1, arr, values, axis)


@tangent(np.append)
def append_tangent(y, arr, values, axis=None):
    d[y] = np.append(d[arr], d[values], axis)


# One array taken apart: the result is a list of views.
@adjoint(np.split, np.array_split, kind=split_kind, view="maybe",
         constant=("indices_or_sections", "axis"))
def split(y, ary, indices_or_sections, axis=0):
    d[ary] = np.concatenate(d[y], axis)


@tangent(np.split, np.array_split, constant=("indices_or_sections", "axis"))
def split_tangent(y, ary, indices_or_sections, axis=0):
    d[y] = np.array_split(d[ary], indices_or_sections, axis)


@adjoint(np.vsplit, kind=split_kind, view="maybe", constant=("indices_or_sections",))
def vsplit(y, ary, indices_or_sections):
    d[ary] = np.concatenate(d[y], 0)


@tangent(np.vsplit, constant=("indices_or_sections",))
def vsplit_tangent(y, ary, indices_or_sections):
    d[y] = np.vsplit(d[ary], indices_or_sections)


@adjoint(np.hsplit, kind=split_kind, view="maybe", constant=("indices_or_sections",))
def hsplit(y, ary, indices_or_sections):
    d[ary] = np.hstack(d[y])


@tangent(np.hsplit, constant=("indices_or_sections",))
def hsplit_tangent(y, ary, indices_or_sections):
    d[y] = np.hsplit(d[ary], indices_or_sections)


if hasattr(np, "row_stack"):                    # the old name, deprecated in NumPy 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same_as(np.vstack, np.row_stack)
