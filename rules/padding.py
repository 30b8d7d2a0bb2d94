"""np.pad: what is inside, and what is put beside it."""
import numpy as np

from tangent_lite.registry import adjoint, tangent
from tangent_lite.result_kinds.of_numpy import kept_kind
from tangent_lite.result_kinds.shapes import pad_kind, padding_kind
from tangent_lite.runtime.padding import padding, padding_part, ramping, ramping_part
from tangent_lite.runtime.shapes import pad_tangent, parts_like, unpad


@adjoint(np.pad, kind=pad_kind, constant=("pad_width",))
def pad(y, array, pad_width, mode="constant", *, constant_values=0, end_values=0):
    d[array] = unpad(d[y], array, pad_width, mode)
    beside = padding_part(d[y], array, pad_width, constant_values)
    for k, c in parts_in(constant_values):
        d[c] = beside[k]
    d[constant_values] = parts_like(beside, constant_values)
    ends = ramping_part(d[y], array, pad_width, end_values)
    for k, c in parts_in(end_values):
        d[c] = ends[k]
    d[end_values] = parts_like(ends, end_values)


@tangent(np.pad, constant=("pad_width",))
def pad_tangent_(y, array, pad_width, mode="constant", *, constant_values=0, end_values=0):
    d[y] = pad_tangent(d[array], pad_width, mode) \
        + padding(d[constant_values], array, pad_width) \
        + ramping(d[end_values], array, pad_width)


@adjoint(padding_part, kind=kept_kind, constant=("pad_width",))
def padding_part_(z, dy, x, pad_width, values):
    d[dy] = padding(d[z], x, pad_width)
    d[x] = None
    d[values] = None


@tangent(padding_part, constant=("pad_width",))
def padding_part_tangent(z, dy, x, pad_width, values):
    d[z] = padding_part(d[dy], x, pad_width, values)
    d[x] = None
    d[values] = None


@adjoint(padding, kind=padding_kind, constant=("pad_width",))
def padding_(y, dvalues, x, pad_width):
    beside = padding_part(d[y], x, pad_width, dvalues)
    for k, c in parts_in(dvalues):
        d[c] = beside[k]
    d[dvalues] = parts_like(beside, dvalues)
    d[x] = None


@tangent(padding, constant=("pad_width",))
def padding_tangent(y, dvalues, x, pad_width):
    d[y] = padding(d[dvalues], x, pad_width)
    d[x] = None


@adjoint(ramping_part, kind=kept_kind, constant=("pad_width",))
def ramping_part_(z, dy, x, pad_width, values):
    d[dy] = ramping(d[z], x, pad_width)
    d[x] = None
    d[values] = None


@tangent(ramping_part, constant=("pad_width",))
def ramping_part_tangent(z, dy, x, pad_width, values):
    d[z] = ramping_part(d[dy], x, pad_width, values)
    d[x] = None
    d[values] = None


@adjoint(ramping, kind=padding_kind, constant=("pad_width",))
def ramping_(y, dvalues, x, pad_width):
    ends = ramping_part(d[y], x, pad_width, dvalues)
    for k, c in parts_in(dvalues):
        d[c] = ends[k]
    d[dvalues] = parts_like(ends, dvalues)
    d[x] = None


@tangent(ramping, constant=("pad_width",))
def ramping_tangent(y, dvalues, x, pad_width):
    d[y] = ramping(d[dvalues], x, pad_width)
    d[x] = None
