"""Rules of the helpers in runtime/places.py and runtime/grids.py, linear maps for the most part."""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import shaped_like_second, shaped_like_third, unknown
from tangent_lite.result_kinds.shapes import same_rank, some_array, vector
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.grids import block_parts, block_spots, grid_part, grid_spread, unrollaxis
from tangent_lite.runtime.places import (
    choose_hits,
    chosen_back,
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
    joined_spots,
    joined_tangent,
    picked_part,
    picked_places,
    picked_tangent,
    places_outside,
    select_hits,
    trimmed_places,
)

nondifferentiable(block_spots, choose_hits, joined_spots, picked_places, places_outside,
                  select_hits, trimmed_places, kind=unknown)


@adjoint(gathered, kind=some_array, constant=("places",))
def gathered_(y, dx, places):
    d[dx] = gathered_back(d[y], places, dx)


@tangent(gathered, constant=("places",))
def gathered_tangent(y, dx, places):
    d[y] = gathered(d[dx], places)


@adjoint(gathered_back, kind=shaped_like_third, constant=("places",))
def gathered_back_(y, dy, places, x):
    d[dy] = gathered(d[y], places)
    d[x] = None


@tangent(gathered_back, constant=("places",))
def gathered_back_tangent(y, dy, places, x):
    d[y] = gathered_back(d[dy], places, x)
    d[x] = None


@adjoint(joined_tangent, kind=unknown, constant=("how",))
def joined_tangent_(y, dparts, parts, how):
    for k, x in enumerate(dparts):
        d[x] = gathered_back(d[y], joined_spots(k, parts, how), x)
    for x in parts:
        d[x] = None


@tangent(joined_tangent, constant=("how",))
def joined_tangent_tangent(y, dparts, parts, how):
    d[y] = joined_tangent(d[dparts], parts, how)
    d[parts] = None


@adjoint(ediff1d_adjoint, kind=shaped_like_second)
def ediff1d_adjoint_(y, dy, x, to_end=None, to_begin=None):
    d[dy] = ediff1d_inner(d[y], to_end, to_begin)
    d[x] = None
    d[to_end] = None
    d[to_begin] = None


@tangent(ediff1d_adjoint)
def ediff1d_adjoint_tangent(y, dy, x, to_end=None, to_begin=None):
    d[y] = ediff1d_adjoint(d[dy], x, to_end, to_begin)
    d[x] = None
    d[to_end] = None
    d[to_begin] = None


@adjoint(ediff1d_inner, kind=vector)
def ediff1d_inner_(y, dx, to_end=None, to_begin=None):
    d[dx] = ediff1d_adjoint(d[y], dx, to_end, to_begin)
    d[to_end] = None
    d[to_begin] = None


@tangent(ediff1d_inner)
def ediff1d_inner_tangent(y, dx, to_end=None, to_begin=None):
    d[y] = ediff1d_inner(d[dx], to_end, to_begin)
    d[to_end] = None
    d[to_begin] = None


@adjoint(end_part, kind=shaped_like_second, view="maybe")
def end_part_(y, dy, x, at_front=False):
    d[dy] = end_tangent(d[y], x, dy, at_front)
    d[x] = None


@tangent(end_part)
def end_part_tangent(y, dy, x, at_front=False):
    d[y] = end_part(d[dy], x, at_front)
    d[x] = None


@adjoint(end_tangent, kind=vector)
def end_tangent_(y, dx, x, z, at_front=False):
    d[dx] = unbroadcast(end_part(d[y], x, at_front), dx)
    d[x] = None
    d[z] = None


@tangent(end_tangent)
def end_tangent_tangent(y, dx, x, z, at_front=False):
    d[y] = end_tangent(d[dx], x, z, at_front)
    d[x] = None
    d[z] = None


@adjoint(picked_part, kind=unknown, constant=("places", "first"))
def picked_part_(y, dy, places, first, x):
    d[dy] = picked_tangent(d[y], places, first, x)
    d[x] = None


@tangent(picked_part, constant=("places", "first"))
def picked_part_tangent(y, dy, places, first, x):
    d[y] = picked_part(d[dy], places, first, x)
    d[x] = None


@adjoint(picked_tangent, kind=some_array, constant=("places", "first"))
def picked_tangent_(y, dx, places, first, x):
    d[dx] = unbroadcast(picked_part(d[y], places, first, x), dx)
    d[x] = None


@tangent(picked_tangent, constant=("places", "first"))
def picked_tangent_tangent(y, dx, places, first, x):
    d[y] = picked_tangent(d[dx], places, first, x)
    d[x] = None


@adjoint(inserted_part, kind=shaped_like_third, constant=("places",))
def inserted_part_(y, dy, places, values, x):
    d[dy] = inserted_tangent(d[y], places, values, x)
    d[values] = None
    d[x] = None


@tangent(inserted_part, constant=("places",))
def inserted_part_tangent(y, dy, places, values, x):
    d[y] = inserted_part(d[dy], places, values, x)
    d[values] = None
    d[x] = None


@adjoint(inserted_tangent, kind=some_array, constant=("places",))
def inserted_tangent_(y, dvalues, places, values, x):
    d[dvalues] = unbroadcast(inserted_part(d[y], places, values, x), dvalues)
    d[values] = None
    d[x] = None


@tangent(inserted_tangent, constant=("places",))
def inserted_tangent_tangent(y, dvalues, places, values, x):
    d[y] = inserted_tangent(d[dvalues], places, values, x)
    d[values] = None
    d[x] = None


@adjoint(chosen_parts, kind=unknown, constant=("hits",))
def chosen_parts_(y, dy, hits, xs):
    d[dy] = chosen_tangent(d[y], hits, dy)
    d[xs] = None
    for x in xs:
        d[x] = None


@tangent(chosen_parts, constant=("hits",))
def chosen_parts_tangent(y, dy, hits, xs):
    d[y] = chosen_parts(d[dy], hits, xs)
    d[xs] = None


@adjoint(chosen_tangent, kind=unknown, constant=("hits",))
def chosen_tangent_(y, dxs, hits, z):
    for k, x in enumerate(dxs):
        d[x] = unbroadcast(np.where(hits[k], d[y], 0.0), x)
    d[dxs] = chosen_back(d[y], hits, dxs)
    d[z] = None


@tangent(chosen_tangent, constant=("hits",))
def chosen_tangent_tangent(y, dxs, hits, z):
    d[y] = chosen_tangent(d[dxs], hits, z)
    d[z] = None


@adjoint(chosen_back, kind=unknown, constant=("hits",))
def chosen_back_(y, by, hits, dxs):
    d[by] = chosen_tangent(d[y], hits, by)
    d[dxs] = None
    for x in dxs:
        d[x] = None


@tangent(chosen_back, constant=("hits",))
def chosen_back_tangent(y, by, hits, dxs):
    d[y] = chosen_back(d[by], hits, dxs)
    d[dxs] = None


# Grids ------------------------------------------------------------------------------------------
@adjoint(grid_part, kind=shaped_like_third, constant=("k",))
def grid_part_(y, dy, k, x, indexing="xy"):
    d[dy] = grid_spread(d[y], k, dy, indexing)
    d[x] = None


@tangent(grid_part, constant=("k",))
def grid_part_tangent(y, dy, k, x, indexing="xy"):
    d[y] = grid_part(d[dy], k, x, indexing)
    d[x] = None


@adjoint(grid_spread, kind=shaped_like_third, view="maybe", constant=("k",))
def grid_spread_(z, dx, k, y, indexing="xy"):
    d[dx] = grid_part(d[z], k, dx, indexing)
    d[y] = None


@tangent(grid_spread, constant=("k",))
def grid_spread_tangent(z, dx, k, y, indexing="xy"):
    d[z] = grid_spread(d[dx], k, y, indexing)
    d[y] = None


@adjoint(unrollaxis, kind=same_rank, view="maybe", constant=("axis", "start"))
def unrollaxis_(y, dy, axis, start=0):
    d[dy] = np.rollaxis(d[y], axis, start)


@tangent(unrollaxis, constant=("axis", "start"))
def unrollaxis_tangent(y, dy, axis, start=0):
    d[y] = unrollaxis(d[dy], axis, start)


@adjoint(block_parts, kind=unknown)
def block_parts_(y, dy, arrays):
    d[dy] = np.block(d[y])
    d[arrays] = None


@tangent(block_parts)
def block_parts_tangent(y, dy, arrays):
    d[y] = block_parts(d[dy], arrays)
    d[arrays] = None
