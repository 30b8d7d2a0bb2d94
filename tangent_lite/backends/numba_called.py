"""Functions of NumPy that are called in Python by compiled code, and their adjoints: polynomials,
quantiles, reductions without nan, what picks elements, weights of sums.

What gives a view of its argument is not among them: what is written through a view shows in the
array, and a result from Python has memory of its own.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from tangent_lite import runtime
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_by_numpy import (
    PythonCall,
    axes_left,
    by_numpy,
    calling,
    can_be_passed,
    floats,
    ints,
    like,
    rank,
    several,
)
from tangent_lite.backends.numba_functions import (
    instead_of,
    is_array,
    is_number,
    value_of,
    written_function,
)
from tangent_lite.backends.numba_linalg import is_vector
from tangent_lite.backends.numba_lines import is_float_array, one_axis
from tangent_lite.backends.numba_overloads import compiled_for
from tangent_lite.backends.numba_shapes import np_swapaxes
from tangent_lite.runtime import grids as runtime_grids
from tangent_lite.runtime import lines as runtime_lines
from tangent_lite.runtime import places as runtime_places
from tangent_lite.runtime import polynomials as runtime_polynomials
from tangent_lite.runtime import products as runtime_products
from tangent_lite.runtime import quantiles as runtime_quantiles
from tangent_lite.runtime import reductions as runtime_reductions
from tangent_lite.runtime import series as runtime_series
from tangent_lite.runtime import shapes as runtime_shapes
from tangent_lite.runtime import statistics as runtime_statistics
from tangent_lite.runtime import steps as runtime_steps


def _elements(x: Any, axes: int) -> Any:
    """The type of an array with elements like those of another."""
    whole = is_array(x) and isinstance(x.dtype, types.Integer)
    return ints(axes) if whole else floats(axes)


# Polynomials --------------------------------------------------------------------------------------
def _parts(u: Any, v: Any) -> Any:
    return types.Tuple((floats(rank(u)), floats(rank(v))))


def _fit(y: Any, full: Any, cov: Any) -> Any:
    return None if full or cov else floats(rank(y))


by_numpy(np.polyval, like("x"))
by_numpy(np.polyadd, lambda: floats(1))
by_numpy(np.polysub, lambda: floats(1))
by_numpy(np.polymul, lambda: floats(1))
by_numpy(np.polydiv, lambda: types.Tuple((floats(1), floats(1))))
by_numpy(np.polyder, lambda m: floats(1) if m else None)
by_numpy(np.polyint, lambda m: floats(1) if m else None)
by_numpy(np.poly, lambda: floats(1))
by_numpy(np.roots, lambda: floats(1))
by_numpy(np.polyfit, _fit)
by_numpy(runtime_polynomials.polyval_slopes, like("p"))
by_numpy(runtime_polynomials.polyval_rate, like("x"))
by_numpy(runtime_polynomials.polyder_adjoint, like("p"))
by_numpy(runtime_polynomials.polyint_adjoint, like("p"))
by_numpy(runtime_polynomials.tail_like, like("p"))
by_numpy(runtime_polynomials.trimmed, lambda: floats(1))
by_numpy(runtime_polynomials.factor_adjoint, like("p"))
by_numpy(runtime_polynomials.polydiv_adjoint, _parts)
by_numpy(runtime_polynomials.poly_adjoint, like("seq"))
by_numpy(runtime_polynomials.root_slopes, lambda: floats(2))
by_numpy(runtime_polynomials.vander_slope, lambda: floats(2))
by_numpy(runtime_polynomials.polyfit_points, like("y"))
by_numpy(runtime_polynomials.polyfit_places, like("x"))
by_numpy(runtime_polynomials.polyfit_weights, like("w"))


@overload(runtime_polynomials.real_as)
def _real_as(dx, x):
    return (lambda dx, x: dx) if is_float_array(dx) or dx == types.float64 else None


for _module, _name in ((polynomial, "poly"), (chebyshev, "cheb"), (legendre, "leg"),
                       (hermite, "herm"), (hermite_e, "herme"), (laguerre, "lag")):
    by_numpy(getattr(_module, _name + "val"), lambda x, c: floats(rank(x) + rank(c) - 1))
    by_numpy(getattr(_module, _name + "der"), lambda c, m: floats(rank(c)) if m else None)
    by_numpy(getattr(_module, _name + "int"), lambda c, m: floats(rank(c)) if m else None)
    by_numpy(getattr(_module, _name + "vander"), lambda x: floats(rank(x) + 1))
by_numpy(runtime_series.series_moments, lambda: floats(1))
by_numpy(runtime_series.combined, like("c"))
by_numpy(runtime_series.slopes_of, lambda: floats(2))


@overload(runtime_series.one_series)
def _one_series(c, least=1):
    return (lambda c, least=1: c) if is_array(c) and c.ndim == 1 else None


# Quantiles ----------------------------------------------------------------------------------------
def _quantile(a: Any, q: Any, axis: Any, keepdims: Any) -> Any:
    return floats(rank(q) + axes_left(a, axis, keepdims))


def _places(a: Any, q: Any, axis: Any, keepdims: Any) -> Any:
    return ints(1 + rank(q) + axes_left(a, axis, keepdims))


for _function in (np.quantile, np.percentile, np.nanquantile, np.nanpercentile):
    by_numpy(_function, _quantile)
by_numpy(runtime_quantiles.quantile_places, _places)
by_numpy(runtime_quantiles.quantile_share, _quantile)
by_numpy(runtime_quantiles.quantile_rate, _quantile)
by_numpy(runtime_quantiles.between_back, like("x"))
by_numpy(runtime_quantiles.apart, lambda places: floats(rank(places) - 1))
by_numpy(runtime_quantiles.summed_for, like("q"))


# Reductions ---------------------------------------------------------------------------------------
def _left(a: Any, axis: Any, keepdims: Any) -> Any:
    return floats(axes_left(a, axis, keepdims))


_REDUCTIONS: list[Any] = [np.nansum, np.nanprod, np.nanmax, np.nanmin, np.nanmean, np.nanvar,
                          np.nanstd, np.nanmedian, np.ptp]
for _function in _REDUCTIONS:
    by_numpy(_function, _left, own=is_float_array)
by_numpy(np.median, _left)
by_numpy(np.average, _left)
by_numpy(runtime_reductions.count_numbers, lambda x, axis, keepdims: floats(
    axes_left(x, axis, keepdims)))
by_numpy(runtime_reductions.full_weights, like("a"))
by_numpy(runtime_reductions.weights_part, like("weights"))
by_numpy(runtime_reductions.median_weights, like("x"))
by_numpy(runtime_reductions.products_of_others, like("x"))
by_numpy(runtime_reductions.without_initial, like("x"))
if hasattr(np, "cumulative_sum"):
    by_numpy(np.cumulative_sum, lambda x: _elements(x, rank(x)))
    by_numpy(np.cumulative_prod, lambda x: _elements(x, rank(x)))


# Elements that are picked, put in or left out -----------------------------------------------------
def _along(x: Any, axis: Any) -> Any:
    return _elements(x, 1 if axis is None else rank(x))


by_numpy(np.delete, lambda arr, axis: _along(arr, axis))
by_numpy(np.insert, lambda arr, axis: _along(arr, axis))
by_numpy(np.append, lambda arr, axis: _along(arr, axis))
by_numpy(np.compress, lambda a, axis: _along(a, axis), "condition, a, axis=None")
by_numpy(np.resize, lambda a, new_shape: _elements(a, max(
    1, len(new_shape) if isinstance(new_shape, tuple) else 1)))
by_numpy(np.unique, lambda ar: _elements(ar, 1), "ar")
by_numpy(np.union1d, lambda ar1: _elements(ar1, 1))
by_numpy(np.setxor1d, lambda ar1: _elements(ar1, 1))
by_numpy(np.setdiff1d, lambda ar1: _elements(ar1, 1))
if hasattr(np, "unique_values"):
    by_numpy(np.unique_values, lambda x: _elements(x, 1))
by_numpy(np.ediff1d, lambda: floats(1))
by_numpy(np.partition, lambda a, axis: _along(a, axis), "a, kth, axis=-1, kind='introselect'")
by_numpy(runtime_shapes.sort_tangent, like("x"))
by_numpy(runtime_shapes.unresize, like("x"))
by_numpy(runtime_shapes.append_part, lambda k, x, values: floats(rank((x, values)[k])))
by_numpy(runtime_shapes.numbered, lambda x: ints(rank(x)))
by_numpy(runtime_shapes.scattered, like("x"))
by_numpy(runtime_places.trimmed_places, lambda x: ints(rank(x)))
by_numpy(runtime_places.gathered_back, like("x"))
by_numpy(runtime_places.ediff1d_adjoint, like("x"))
by_numpy(runtime_places.end_part, like("x"))
by_numpy(runtime_places.inserted_part, like("values"))
by_numpy(runtime_places.picked_places, lambda y: ints(rank(y)), "y, x")
by_numpy(runtime_places.picked_places, lambda y: ints(rank(y)), "y, x, x_1")
by_numpy(runtime_places.places_outside, lambda y: ints(rank(y)))
by_numpy(runtime_places.picked_part, like("x"))

by_numpy(np.diff, lambda a, prepend, append: _elements(a, rank(a)),
         "a, n=1, axis=-1, prepend=None, append=None")
by_numpy(runtime_shapes.diff_part, lambda k, x, prepend, append: floats(
    rank((prepend, x, append)[k])))
by_numpy(runtime_grids.grid_part, like("x"))


def _slopes(f: Any, axis: Any) -> Any:
    axes = rank(f) if axis is None else len(axis) if isinstance(axis, tuple) else 1
    return several(floats(rank(f)), axes)


by_numpy(np.gradient, _slopes, "f, h0=None, h1=None, h2=None, axis=None, edge_order=1")
by_numpy(runtime_steps.gradient_adjoint, like("f"))


# What is set together -----------------------------------------------------------------------------
def _brackets(parts: Any, how: Any) -> int:
    """How many axes np.r_ ("r") and np.c_ ("c") give."""
    return max(1 if how == "r" else 2, rank(parts) - 1)


def _set_together(function: Any, how: str) -> None:
    """np.r_ or np.c_ of what stands between the brackets, slices and words excepted."""
    def typed(*parts):
        if isinstance(parts[0], types.BaseTuple):
            parts = parts[0].types
        if not all(is_array(part) or is_number(part) for part in parts) \
                or not all(map(can_be_passed, parts)):
            return None
        of_floats = any(getattr(part, "dtype", part) == types.float64 for part in parts)
        axes = _brackets(types.Tuple(parts), how)
        names = tuple(f"x{k}" for k in range(len(parts)))
        run = calling(PythonCall(function, {}, names, floats(axes) if of_floats else ints(axes),
                                 names))
        return lambda *parts: run(parts)

    overload(function)(typed)


_set_together(runtime_places.joined_rows, "r")
_set_together(runtime_places.joined_columns, "c")
by_numpy(runtime_places.joined_spots, lambda parts, how: ints(_brackets(parts, how)))
by_numpy(runtime_grids.block_of, lambda layout, parts: floats(max(rank(layout), rank(parts) - 1)))
by_numpy(runtime_grids.block_spots, lambda layout, parts: ints(
    max(rank(layout), rank(parts) - 1)))

# Weights of sums ----------------------------------------------------------------------------------
by_numpy(np.unwrap, like("p"), own=is_vector)
by_numpy(np.i0, like("x"))
by_numpy(np.kaiser, lambda: floats(1))
by_numpy(np.geomspace, lambda start: floats(1 + rank(start)))
by_numpy(np.logspace, lambda start: floats(1 + rank(start)))
by_numpy(runtime.bessel_moment, like("x"))
by_numpy(runtime.polygamma, like("x"))
by_numpy(runtime_lines.kaiser_slope, lambda: floats(1))
by_numpy(runtime_shapes.line_weights, lambda: floats(1))
by_numpy(runtime_shapes.line_adjoint, lambda dy: floats(rank(dy) - 1))
if hasattr(np, "trapezoid"):
    by_numpy(np.trapezoid, lambda y: floats(rank(y) - 1), "y, x=None, dx=1.0, axis=-1")
by_numpy(runtime_shapes.trapezoid_weights, like("y"))
by_numpy(runtime_shapes.trapezoid_points, like("x"))
by_numpy(runtime_shapes.trapezoid_pieces, like("y"))


def _covariance(m: Any, y: Any) -> Any:
    return floats(0 if rank(m) < 2 and y is None else 2)


by_numpy(np.cov, _covariance)
by_numpy(np.corrcoef, lambda x, y: _covariance(x, y))
by_numpy(runtime_statistics.all_variables, lambda: floats(2))
by_numpy(runtime_statistics.covariance_adjoint, like("rows"))
by_numpy(runtime_statistics.observation_weights, lambda fweights, aweights: floats(
    0 if fweights is None and aweights is None else 1))
by_numpy(runtime_statistics.covariance_factor, lambda fweights, aweights: ints(
    0) if fweights is None and aweights is None else floats(0))
by_numpy(runtime_statistics.correlation_adjoint, lambda: floats(2))
by_numpy(runtime_statistics.part_of_rows, lambda m, y, is_second: floats(
    rank(y if is_second else m)))


# Products -----------------------------------------------------------------------------------------
def _cross(a: Any, b: Any) -> Any:
    return floats(max(rank(a), rank(b)))


by_numpy(np.cross, _cross)
by_numpy(runtime_products.cross_adjoint_left, like("x"))
by_numpy(runtime_products.cross_adjoint_right, like("y"))
by_numpy(runtime_products.outer_adjoint_left, like("x"))
by_numpy(runtime_products.outer_adjoint_right, like("y"))
by_numpy(runtime_products.kron_adjoint_left, like("x"))
by_numpy(runtime_products.kron_adjoint_right, like("y"))
by_numpy(runtime_shapes.trace_adjoint, like("x"))
by_numpy(np.vdot, lambda: floats(0), "a, b")
if hasattr(np.linalg, "cross"):                 # NumPy 2
    by_numpy(np.linalg.cross, lambda x1, x2: _cross(x1, x2), "x1, x2, /, *, axis=-1")
    by_numpy(np.linalg.outer, lambda: floats(2), "x1, x2, /")
if hasattr(np, "vecdot"):
    by_numpy(np.vecdot, lambda x1, x2: floats(max(rank(x1), rank(x2)) - 1),
             "x1, x2, /, *, axis=-1")
    by_numpy(np.linalg.vecdot, lambda x1, x2: floats(max(rank(x1), rank(x2)) - 1),
             "x1, x2, /, *, axis=-1")
if hasattr(np, "matvec"):                       # NumPy 2.2
    by_numpy(np.matvec, lambda x1, x2: floats(max(rank(x1) - 1, rank(x2))), "x1, x2, /")
    by_numpy(np.vecmat, lambda x1, x2: floats(max(rank(x1), rank(x2) - 1)), "x1, x2, /")
    for _side, _other in (("left", "x"), ("right", "y")):
        by_numpy(getattr(runtime_products, f"matvec_adjoint_{_side}"), like(_other))
        by_numpy(getattr(runtime_products, f"vecmat_adjoint_{_side}"), like(_other))
if hasattr(np, "vecdot"):
    by_numpy(runtime_products.vecdot_adjoint_left, like("x"))
    by_numpy(runtime_products.vecdot_adjoint_right, like("y"))

# Shifts of spectra --------------------------------------------------------------------------------
by_numpy(np.fft.fftshift, lambda x: _elements(x, rank(x)))
by_numpy(np.fft.ifftshift, lambda x: _elements(x, rank(x)))


# Views, in compiled code --------------------------------------------------------------------------
@compiled_for(np.flip, prefer_literal=True)
def np_flip(m, axis=None):
    if not is_array(m) or not m.ndim:
        return None
    axis = value_of(axis)
    given = range(m.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    turned = [one_axis(a, m.ndim) for a in given]
    if None in turned or len(set(turned)) < len(turned):
        return None
    index = ", ".join("::-1" if k in turned else ":" for k in range(m.ndim))
    return written_function(["def run(m, axis=None):", f"    return m[{index}]"], {})


def np_matrix_transpose(x):
    return np.swapaxes(x, -1, -2)


@overload(np_matrix_transpose)
def _np_matrix_transpose(x):
    return (lambda x: np_swapaxes(x, -1, -2)) if is_array(x) and x.ndim > 1 else None


for _owner in (np, np.linalg):
    if hasattr(_owner, "matrix_transpose"):     # NumPy 2
        instead_of(_owner.matrix_transpose)(np_matrix_transpose)


# Numbers that are real ----------------------------------------------------------------------------
@overload(runtime.imag_adjoint)
def _imag_adjoint(dy, x):
    return (lambda dy, x: 0.0 * dy) if _is_real(dy) and _is_real(x) else None


@overload(runtime.angle_slope)
def _angle_slope(x, deg=False):
    return (lambda x, deg=False: 0.0 * x) if _is_real(x) else None


def _is_real(kind: Any) -> bool:
    return is_float_array(kind) or (is_number(kind) and not isinstance(kind, types.Complex))
