"""Rules of the helpers that derivatives of duck arrays call."""
from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import shaped_like_second
from tangent_lite.result_kinds.shapes import same_rank_same_shape
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.duck import (
    is_duck,
    one_of_duck,
    part_back,
    plus_at,
    size_of_duck,
    spread_like,
    zeros_of_duck,
)

nondifferentiable(is_duck, zeros_of_duck, one_of_duck, size_of_duck)


@adjoint(spread_like, kind=shaped_like_second, view="maybe")
def spread_like_(y, dy, x):
    d[dy] = unbroadcast(d[y], dy)
    d[x] = None


@tangent(spread_like)
def spread_like_tangent(y, dy, x):
    d[y] = spread_like(d[dy], x)
    d[x] = None


@adjoint(plus_at, kind=same_rank_same_shape, view="never", constant=("index", "repeats"))
def plus_at_(y, bx, index, dy, repeats=False):
    d[bx] = d[y]
    d[dy] = unbroadcast(d[y][index], dy)


@tangent(plus_at, constant=("index", "repeats"))
def plus_at_tangent(y, bx, index, dy, repeats=False):
    d[y] = d[bx] + part_back(d[dy], bx, index, repeats)


@adjoint(part_back, kind=shaped_like_second, view="never", constant=("index", "repeats"))
def part_back_(y, dy, x, index, repeats=False):
    d[dy] = unbroadcast(d[y][index], dy)
    d[x] = None


@tangent(part_back, constant=("index", "repeats"))
def part_back_tangent(y, dy, x, index, repeats=False):
    d[y] = part_back(d[dy], x, index, repeats)
    d[x] = None
