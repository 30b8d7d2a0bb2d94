"""Functions that take parts out of arrays, put parts in, choose among arrays, or make grids."""
import numpy as np

from tangent_lite.registry import adjoint, same_as, tangent
from tangent_lite.result_kinds import unknown
from tangent_lite.result_kinds.bins import block_kind
from tangent_lite.result_kinds.of_numpy import (
    broadcast_kind,
    broadcast_tangent_kind,
    distinct_kind,
    extracted,
    grids,
    joined_in_brackets,
    open_grid,
    picked_kind,
    select_kind,
    square_of_vector,
    trimmed_kind,
)
from tangent_lite.result_kinds.shapes import flat_unless_axis, same_rank, vector
from tangent_lite.result_kinds.shapes import split as split_kind
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.grids import (
    block_of,
    block_parts,
    block_spots,
    broadcast_tangent,
    grid_part,
    only_axis,
    open_grid_tangent,
    unrollaxis,
)
from tangent_lite.runtime.places import (
    choose_hits,
    chosen_parts,
    chosen_tangent,
    ediff1d_adjoint,
    ediff1d_inner,
    end_part,
    end_tangent,
    gathered,
    gathered_back,
    inserted_part,
    inserted_tangent,
    joined_columns,
    joined_rows,
    joined_spots,
    joined_tangent,
    picked_part,
    picked_places,
    picked_tangent,
    places_outside,
    select_hits,
    trimmed_places,
)
from tangent_lite.runtime.shapes import numbered, reshape_like, scattered


# Taken out --------------------------------------------------------------------------------------
@adjoint(np.delete, kind=flat_unless_axis(2), constant=("obj",))
def delete(y, arr, obj, axis=None):
    d[arr] = scattered(d[y], np.delete(numbered(arr), obj, axis), arr)


@tangent(np.delete, constant=("obj",))
def delete_tangent(y, arr, obj, axis=None):
    d[y] = np.delete(d[arr], obj, axis)


@adjoint(np.compress, kind=extracted(2))
def compress(y, condition, a, axis=None):
    d[a] = scattered(d[y], np.compress(condition, numbered(a), axis), a)
    d[condition] = None


@tangent(np.compress)
def compress_tangent(y, condition, a, axis=None):
    d[y] = np.compress(condition, d[a], axis)
    d[condition] = None


@adjoint(np.ndarray.compress, kind=flat_unless_axis(2))
def compress_method(y, a, condition, axis=None):
    d[a] = scattered(d[y], np.compress(condition, numbered(a), axis), a)
    d[condition] = None


@tangent(np.ndarray.compress)
def compress_method_tangent(y, a, condition, axis=None):
    d[y] = np.compress(condition, d[a], axis)
    d[condition] = None


@adjoint(np.extract, kind=extracted(None))
def extract(y, condition, arr):
    d[arr] = scattered(d[y], np.extract(condition, numbered(arr)), arr)
    d[condition] = None


@tangent(np.extract)
def extract_tangent(y, condition, arr):
    d[y] = np.extract(condition, d[arr])
    d[condition] = None


# Which zeros stand at the ends does not change with small changes of what is none.
@adjoint(np.trim_zeros, kind=trimmed_kind, view="maybe")
def trim_zeros(y, filt, trim="fb", axis=None):
    d[filt] = scattered(d[y], trimmed_places(filt, trim, axis), filt)


@tangent(np.trim_zeros)
def trim_zeros_tangent(y, filt, trim="fb", axis=None):
    d[y] = gathered(d[filt], trimmed_places(filt, trim, axis))


@adjoint(np.ediff1d, kind=vector)
def ediff1d(y, ary, to_end=None, to_begin=None):
    d[ary] = ediff1d_adjoint(d[y], ary, to_end, to_begin)
    d[to_end] = end_part(d[y], to_end, False)
    d[to_begin] = end_part(d[y], to_begin, True)


@tangent(np.ediff1d)
def ediff1d_tangent(y, ary, to_end=None, to_begin=None):
    d[y] = ediff1d_inner(d[ary], to_end, to_begin) + end_tangent(d[to_end], to_end, y, False) \
        + end_tangent(d[to_begin], to_begin, y, True)


# What these make of arrays are elements of them, in another order.
@adjoint(np.unique, kind=distinct_kind)
def unique(y, ar, *, equal_nan=True, sorted=True):
    d[ar] = scattered(d[y], picked_places(y, ar), ar)


@tangent(np.unique)
def unique_tangent(y, ar, *, equal_nan=True, sorted=True):
    d[y] = gathered(d[ar], picked_places(y, ar))


@adjoint(np.union1d, kind=picked_kind)
def union1d(y, ar1, ar2):
    places = picked_places(y, ar1, ar2)
    d[ar1] = picked_part(d[y], places, 0, ar1)
    d[ar2] = picked_part(d[y], places, np.size(ar1), ar2)


@tangent(np.union1d)
def union1d_tangent(y, ar1, ar2):
    places = picked_places(y, ar1, ar2)
    d[y] = picked_tangent(d[ar1], places, 0, ar1) \
        + picked_tangent(d[ar2], places, np.size(ar1), ar2)


@adjoint(np.setxor1d, kind=picked_kind)
def setxor1d(y, ar1, ar2, assume_unique=False):
    places = picked_places(y, ar1, ar2)
    d[ar1] = picked_part(d[y], places, 0, ar1)
    d[ar2] = picked_part(d[y], places, np.size(ar1), ar2)


@tangent(np.setxor1d)
def setxor1d_tangent(y, ar1, ar2, assume_unique=False):
    places = picked_places(y, ar1, ar2)
    d[y] = picked_tangent(d[ar1], places, 0, ar1) \
        + picked_tangent(d[ar2], places, np.size(ar1), ar2)


@adjoint(np.setdiff1d, kind=vector)
def setdiff1d(y, ar1, ar2, assume_unique=False):
    d[ar1] = scattered(d[y], places_outside(y, ar1, ar2, assume_unique), ar1)
    d[ar2] = None


@tangent(np.setdiff1d)
def setdiff1d_tangent(y, ar1, ar2, assume_unique=False):
    d[y] = gathered(d[ar1], places_outside(y, ar1, ar2, assume_unique))
    d[ar2] = None


# Put in -----------------------------------------------------------------------------------------
@adjoint(np.insert, kind=flat_unless_axis(3), constant=("obj",))
def insert(y, arr, obj, values, axis=None):
    d[arr] = gathered_back(d[y], np.insert(numbered(arr), obj, np.full(np.shape(values), -1), axis),
                           arr)
    d[values] = inserted_part(d[y], np.insert(np.full(np.shape(arr), -1), obj, numbered(values),
                                              axis), values, arr)


@tangent(np.insert, constant=("obj",))
def insert_tangent(y, arr, obj, values, axis=None):
    d[y] = np.insert(d[arr], obj, np.zeros(np.shape(values)), axis) + inserted_tangent(
        d[values], np.insert(np.full(np.shape(arr), -1), obj, numbered(values), axis), values, arr)


# Set together -----------------------------------------------------------------------------------
@adjoint(joined_rows, kind=joined_in_brackets(1))
def joined_rows_(y, *parts):
    for k, x in enumerate(parts):
        d[x] = gathered_back(d[y], joined_spots(k, parts, "r"), x)


@tangent(joined_rows)
def joined_rows_tangent(y, *parts):
    d[y] = joined_tangent(d[parts], parts, "r")


@adjoint(joined_columns, kind=joined_in_brackets(2))
def joined_columns_(y, *parts):
    for k, x in enumerate(parts):
        d[x] = gathered_back(d[y], joined_spots(k, parts, "c"), x)


@tangent(joined_columns)
def joined_columns_tangent(y, *parts):
    d[y] = joined_tangent(d[parts], parts, "c")


@adjoint(block_of, kind=unknown, constant=("layout",))
def block_of_(y, layout, parts):
    for k, x in enumerate(parts):
        d[x] = gathered_back(d[y], block_spots(k, layout, parts), x)


@tangent(block_of, constant=("layout",))
def block_of_tangent(y, layout, parts):
    d[y] = block_of(layout, d[parts])


@adjoint(np.block, kind=block_kind)
def block(y, arrays):
    d[arrays] = block_parts(d[y], arrays)


@tangent(np.block)
def block_tangent(y, arrays):
    d[y] = np.block(d[arrays])


@adjoint(np.dsplit, kind=split_kind, view="maybe", constant=("indices_or_sections",))
def dsplit(y, ary, indices_or_sections):
    d[ary] = np.concatenate(d[y], 2)


@tangent(np.dsplit, constant=("indices_or_sections",))
def dsplit_tangent(y, ary, indices_or_sections):
    d[y] = np.dsplit(d[ary], indices_or_sections)


if hasattr(np, "unstack"):                      # NumPy 2.1
    @adjoint(np.unstack, kind=unknown, view="maybe", constant=("axis",))
    def unstack(y, x, *, axis=0):
        d[x] = np.stack(d[y], only_axis(axis))

    @tangent(np.unstack, constant=("axis",))
    def unstack_tangent(y, x, *, axis=0):
        d[y] = np.unstack(d[x], axis=axis)


@adjoint(np.rollaxis, kind=same_rank, view="always", constant=("axis", "start"))
def rollaxis(y, a, axis, start=0):
    d[a] = unrollaxis(d[y], axis, start)


@tangent(np.rollaxis, constant=("axis", "start"))
def rollaxis_tangent(y, a, axis, start=0):
    d[y] = np.rollaxis(d[a], axis, start)


@adjoint(np.diagflat, kind=square_of_vector, constant=("k",))
def diagflat(y, v, k=0):
    d[v] = reshape_like(np.diagonal(d[y], k), v)


@tangent(np.diagflat, constant=("k",))
def diagflat_tangent(y, v, k=0):
    d[y] = np.diagflat(d[v], k)


# Views of all arguments, in one shape.
@adjoint(np.broadcast_arrays, kind=broadcast_kind, view="maybe")
def broadcast_arrays(y, *args):
    for k, x in enumerate(args):
        d[x] = unbroadcast(d[y][k], x)


@tangent(np.broadcast_arrays)
def broadcast_arrays_tangent(y, *args):
    d[y] = broadcast_tangent(d[args], y)


@adjoint(broadcast_tangent, kind=broadcast_tangent_kind, view="maybe")
def broadcast_tangent_(z, dxs, y):
    for k, x in enumerate(dxs):
        d[x] = unbroadcast(d[z][k], x)
    d[y] = None


@tangent(broadcast_tangent)
def broadcast_tangent_tangent(z, dxs, y):
    d[z] = broadcast_tangent(d[dxs], y)
    d[y] = None


# Grids: the result is a tuple, one array for each argument.
@adjoint(np.meshgrid, kind=grids)
def meshgrid(y, *xi, sparse=False, indexing="xy"):
    for k, x in enumerate(xi):
        d[x] = grid_part(d[y][k], k, x, indexing)


@tangent(np.meshgrid)
def meshgrid_tangent(y, *xi, sparse=False, indexing="xy"):
    d[y] = np.meshgrid(*d[xi], sparse=sparse, indexing=indexing)


# Of positions, as it is mostly called, nothing varies.
@adjoint(np.ix_, kind=open_grid, view="maybe")
def ix_(y, *args):
    for k, x in enumerate(args):
        d[x] = reshape_like(d[y][k], x)


@tangent(np.ix_)
def ix_tangent(y, *args):
    d[y] = open_grid_tangent(d[args], y)


@adjoint(open_grid_tangent, kind=broadcast_tangent_kind, view="maybe")
def open_grid_tangent_(z, dxs, y):
    for k, x in enumerate(dxs):
        d[x] = reshape_like(d[z][k], x)
    d[y] = None


@tangent(open_grid_tangent)
def open_grid_tangent_tangent(z, dxs, y):
    d[z] = open_grid_tangent(d[dxs], y)
    d[y] = None


# Chosen -----------------------------------------------------------------------------------------
@adjoint(np.select, kind=select_kind, constant=("condlist",))
def select(y, condlist, choicelist, default=0):
    hits = select_hits(condlist, len(choicelist))
    for k, x in enumerate(choicelist):
        d[x] = unbroadcast(np.where(hits[k], d[y], 0.0), x)
    d[choicelist] = chosen_parts(d[y], hits, choicelist)
    d[default] = unbroadcast(np.where(hits[-1], d[y], 0.0), default)


@tangent(np.select, constant=("condlist",))
def select_tangent(y, condlist, choicelist, default=0):
    d[y] = np.select(condlist, d[choicelist], d[default])


@adjoint(np.choose, kind=unknown)
def choose(y, a, choices, *, mode="raise"):
    hits = choose_hits(a, len(choices), mode)
    d[a] = None
    for k, x in enumerate(choices):
        d[x] = unbroadcast(np.where(hits[k], d[y], 0.0), x)
    d[choices] = chosen_parts(d[y], hits, choices)


@tangent(np.choose)
def choose_tangent(y, a, choices, *, mode="raise"):
    d[y] = chosen_tangent(d[choices], choose_hits(a, len(choices), mode), y)
    d[a] = None


same_as(np.choose, np.ndarray.choose)
if hasattr(np, "unique_values"):                # NumPy 2
    same_as(np.unique, np.unique_values)
