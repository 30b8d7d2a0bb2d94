"""scipy.ndimage: linear filters, and linear interpolation. The others are refused by name."""
import numpy as np
from scipy import ndimage

from tangent_lite.registry import adjoint, nondifferentiable, refuse, tangent
from tangent_lite.result_kinds import unknown
from tangent_lite.result_kinds.of_scipy import like_first
from tangent_lite.runtime.scipy_ndimage import (
    correlate_back,
    correlate_weights,
    gaussian_back,
    interpolated,
    interpolated_back,
    interpolated_rates,
    origin_along,
    rates_back,
    turned,
    turned_origin,
    uniform_back,
    weights_along,
)

WIDTH = "how wide the filter is has no derivative here"
WHOLE = "it is a whole number"
OUTSIDE = "what lies outside is a constant"
ORIGIN = {"cval": OUTSIDE, "origin": WHOLE}
nondifferentiable(origin_along, turned_origin, kind=unknown)


@adjoint(ndimage.correlate, kind=like_first, constant=ORIGIN)
def correlate(y, input, weights, *, mode="reflect", cval=0.0, origin=0):
    d[input] = correlate_back(d[y], input, weights, mode, origin)
    d[weights] = correlate_weights(d[y], input, weights, mode, cval, origin)


@tangent(ndimage.correlate, constant=ORIGIN)
def correlate_tangent(y, input, weights, *, mode="reflect", cval=0.0, origin=0):
    d[y] = ndimage.correlate(d[input], weights, mode=mode, origin=origin) \
        + ndimage.correlate(input, d[weights], mode=mode, cval=cval, origin=origin)


@adjoint(ndimage.convolve, kind=like_first, constant=ORIGIN)
def convolve(y, input, weights, *, mode="reflect", cval=0.0, origin=0):
    start = turned_origin(origin, weights)
    d[input] = correlate_back(d[y], input, turned(weights), mode, start)
    d[weights] = turned(correlate_weights(d[y], input, weights, mode, cval, start))


@tangent(ndimage.convolve, constant=ORIGIN)
def convolve_tangent(y, input, weights, *, mode="reflect", cval=0.0, origin=0):
    d[y] = ndimage.convolve(d[input], weights, mode=mode, origin=origin) \
        + ndimage.convolve(input, d[weights], mode=mode, cval=cval, origin=origin)


@adjoint(ndimage.correlate1d, kind=like_first, constant={**ORIGIN, "axis": WHOLE})
def correlate1d(y, input, weights, axis=-1, *, mode="reflect", cval=0.0, origin=0):
    whole = weights_along(weights, input, axis)
    start = origin_along(origin, input, axis)
    d[input] = correlate_back(d[y], input, whole, mode, start)
    d[weights] = np.ravel(correlate_weights(d[y], input, whole, mode, cval, start))


@tangent(ndimage.correlate1d, constant={**ORIGIN, "axis": WHOLE})
def correlate1d_tangent(y, input, weights, axis=-1, *, mode="reflect", cval=0.0, origin=0):
    d[y] = ndimage.correlate1d(d[input], weights, axis, mode=mode, origin=origin) \
        + ndimage.correlate1d(input, d[weights], axis, mode=mode, cval=cval, origin=origin)


@adjoint(ndimage.convolve1d, kind=like_first, constant={**ORIGIN, "axis": WHOLE})
def convolve1d(y, input, weights, axis=-1, *, mode="reflect", cval=0.0, origin=0):
    whole = weights_along(turned(weights), input, axis)
    start = origin_along(turned_origin(origin, weights)[0], input, axis)
    d[input] = correlate_back(d[y], input, whole, mode, start)
    d[weights] = turned(np.ravel(correlate_weights(d[y], input, whole, mode, cval, start)))


@tangent(ndimage.convolve1d, constant={**ORIGIN, "axis": WHOLE})
def convolve1d_tangent(y, input, weights, axis=-1, *, mode="reflect", cval=0.0, origin=0):
    d[y] = ndimage.convolve1d(d[input], weights, axis, mode=mode, origin=origin) \
        + ndimage.convolve1d(input, d[weights], axis, mode=mode, cval=cval, origin=origin)


WIDE = {"sigma": WIDTH, "order": WHOLE, "cval": OUTSIDE, "truncate": WIDTH}


@adjoint(ndimage.gaussian_filter, kind=like_first, constant=WIDE)
def gaussian_filter(y, input, sigma, order=0, *, mode="reflect", cval=0.0, truncate=4.0,
                    radius=None, axes=None):
    d[input] = gaussian_back(d[y], input, sigma, order, mode, truncate, radius, axes)


@tangent(ndimage.gaussian_filter, constant=WIDE)
def gaussian_filter_tangent(y, input, sigma, order=0, *, mode="reflect", cval=0.0, truncate=4.0,
                            radius=None, axes=None):
    d[y] = ndimage.gaussian_filter(d[input], sigma, order, mode=mode, truncate=truncate,
                                   radius=radius, axes=axes)


@adjoint(ndimage.gaussian_filter1d, kind=like_first, constant={**WIDE, "axis": WHOLE})
def gaussian_filter1d(y, input, sigma, axis=-1, order=0, *, mode="reflect", cval=0.0,
                      truncate=4.0, radius=None):
    d[input] = gaussian_back(d[y], input, sigma, order, mode, truncate, radius, (axis,))


@tangent(ndimage.gaussian_filter1d, constant={**WIDE, "axis": WHOLE})
def gaussian_filter1d_tangent(y, input, sigma, axis=-1, order=0, *, mode="reflect", cval=0.0,
                              truncate=4.0, radius=None):
    d[y] = ndimage.gaussian_filter1d(d[input], sigma, axis, order, mode=mode, truncate=truncate,
                                     radius=radius)


SIZED = {"size": WHOLE, "cval": OUTSIDE, "origin": WHOLE}


@adjoint(ndimage.uniform_filter, kind=like_first, constant=SIZED)
def uniform_filter(y, input, size=3, *, mode="reflect", cval=0.0, origin=0, axes=None):
    d[input] = uniform_back(d[y], input, size, mode, origin, axes)


@tangent(ndimage.uniform_filter, constant=SIZED)
def uniform_filter_tangent(y, input, size=3, *, mode="reflect", cval=0.0, origin=0, axes=None):
    d[y] = ndimage.uniform_filter(d[input], size, mode=mode, origin=origin, axes=axes)


@adjoint(ndimage.uniform_filter1d, kind=like_first, constant={**SIZED, "axis": WHOLE})
def uniform_filter1d(y, input, size, axis=-1, *, mode="reflect", cval=0.0, origin=0):
    d[input] = uniform_back(d[y], input, size, mode, origin, (axis,))


@tangent(ndimage.uniform_filter1d, constant={**SIZED, "axis": WHOLE})
def uniform_filter1d_tangent(y, input, size, axis=-1, *, mode="reflect", cval=0.0, origin=0):
    d[y] = ndimage.uniform_filter1d(d[input], size, axis, mode=mode, origin=origin)


@adjoint(ndimage.map_coordinates, kind=unknown, constant={"order": WHOLE, "cval": OUTSIDE})
def map_coordinates(y, input, coordinates, *, order=3, mode="constant", cval=0.0, prefilter=True):
    d[input] = interpolated_back(d[y], input, coordinates, order, mode)
    d[coordinates] = d[y] * interpolated_rates(input, coordinates, order, mode)


@tangent(ndimage.map_coordinates, constant={"order": WHOLE, "cval": OUTSIDE})
def map_coordinates_tangent(y, input, coordinates, *, order=3, mode="constant", cval=0.0,
                            prefilter=True):
    d[y] = interpolated(d[input], input, coordinates, order, mode) \
        + np.sum(d[coordinates] * interpolated_rates(input, coordinates, order, mode), axis=0)


# The helpers: all of them are linear in what they are the adjoint of ----------------------------
@adjoint(correlate_back, kind=like_first, constant=("origin",))
def correlate_back_(y, dy, x, weights, mode="reflect", origin=0):
    d[dy] = ndimage.correlate(d[y], weights, mode=mode, origin=origin)
    d[weights] = correlate_weights(dy, d[y], weights, mode, 0.0, origin)
    d[x] = None


@tangent(correlate_back, constant=("origin",))
def correlate_back_tangent(y, dy, x, weights, mode="reflect", origin=0):
    d[y] = correlate_back(d[dy], x, weights, mode, origin) \
        + correlate_back(dy, x, d[weights], mode, origin)
    d[x] = None


@adjoint(correlate_weights, kind=unknown, constant=("cval", "origin"))
def correlate_weights_(y, dy, x, weights, mode="reflect", cval=0.0, origin=0):
    d[dy] = ndimage.correlate(x, d[y], mode=mode, cval=cval, origin=origin)
    d[x] = correlate_back(dy, x, d[y], mode, origin)
    d[weights] = None


@tangent(correlate_weights, constant=("cval", "origin"))
def correlate_weights_tangent(y, dy, x, weights, mode="reflect", cval=0.0, origin=0):
    d[y] = correlate_weights(d[dy], x, weights, mode, cval, origin) \
        + correlate_weights(dy, d[x], weights, mode, 0.0, origin)
    d[weights] = None


@adjoint(gaussian_back, kind=like_first, constant=("sigma", "order", "truncate"))
def gaussian_back_(y, dy, x, sigma, order=0, mode="reflect", truncate=4.0, radius=None, axes=None):
    d[dy] = ndimage.gaussian_filter(d[y], sigma, order, mode=mode, truncate=truncate,
                                    radius=radius, axes=axes)
    d[x] = None


@tangent(gaussian_back, constant=("sigma", "order", "truncate"))
def gaussian_back_tangent(y, dy, x, sigma, order=0, mode="reflect", truncate=4.0, radius=None,
                          axes=None):
    d[y] = gaussian_back(d[dy], x, sigma, order, mode, truncate, radius, axes)
    d[x] = None


@adjoint(uniform_back, kind=like_first, constant=("size", "origin"))
def uniform_back_(y, dy, x, size=3, mode="reflect", origin=0, axes=None):
    d[dy] = ndimage.uniform_filter(d[y], size, mode=mode, origin=origin, axes=axes)
    d[x] = None


@tangent(uniform_back, constant=("size", "origin"))
def uniform_back_tangent(y, dy, x, size=3, mode="reflect", origin=0, axes=None):
    d[y] = uniform_back(d[dy], x, size, mode, origin, axes)
    d[x] = None


SECOND = {"coordinates": "the second derivative of an interpolation by its coordinates has no rule",
          "order": WHOLE}


@adjoint(interpolated_back, kind=unknown, constant=SECOND)
def interpolated_back_(y, dy, x, coordinates, order, mode="constant"):
    d[dy] = interpolated(d[y], x, coordinates, order, mode)
    d[x] = None


@tangent(interpolated_back, constant=SECOND)
def interpolated_back_tangent(y, dy, x, coordinates, order, mode="constant"):
    d[y] = interpolated_back(d[dy], x, coordinates, order, mode)
    d[x] = None


@adjoint(interpolated, kind=unknown, constant=SECOND)
def interpolated_(y, dx, x, coordinates, order, mode="constant"):
    d[dx] = interpolated_back(d[y], x, coordinates, order, mode)
    d[x] = None


@tangent(interpolated, constant=SECOND)
def interpolated_tangent(y, dx, x, coordinates, order, mode="constant"):
    d[y] = interpolated(d[dx], x, coordinates, order, mode)
    d[x] = None


@adjoint(interpolated_rates, kind=unknown, constant=SECOND)
def interpolated_rates_(y, x, coordinates, order, mode="constant"):
    d[x] = rates_back(d[y], x, coordinates, order, mode)


@tangent(interpolated_rates, constant=SECOND)
def interpolated_rates_tangent(y, x, coordinates, order, mode="constant"):
    d[y] = interpolated_rates(d[x], coordinates, order, mode)


# Refused by name --------------------------------------------------------------------------------
_EDGES = ("sobel", "prewitt", "laplace", "gaussian_laplace", "gaussian_gradient_magnitude",
          "generic_laplace", "generic_gradient_magnitude")
_SPLINES = ("affine_transform", "geometric_transform", "rotate", "shift", "zoom", "spline_filter",
            "spline_filter1d")
_NUMBERS = ("label", "find_objects", "binary_closing", "binary_dilation", "binary_erosion",
            "binary_fill_holes", "binary_hit_or_miss", "binary_opening", "binary_propagation",
            "maximum_position", "minimum_position", "generate_binary_structure",
            "iterate_structure", "watershed_ift", "value_indices")
nondifferentiable(*(getattr(ndimage, n) for n in _NUMBERS if hasattr(ndimage, n)), kind=unknown)
refuse(*(getattr(ndimage, n) for n in _EDGES),
       why="it is made of filters along the axes, and has no rule of its own",
       instead="call correlate1d along one axis after the other")
refuse(*(getattr(ndimage, n) for n in _SPLINES), why="it interpolates by splines, and has no rule",
       instead="call map_coordinates with order=1")
_RULES = {"correlate", "convolve", "correlate1d", "convolve1d", "gaussian_filter",
          "gaussian_filter1d", "uniform_filter", "uniform_filter1d", "map_coordinates"}
refuse(*(thing for n, thing in sorted(vars(ndimage).items())
         if callable(thing) and not n.startswith("_")
         and n not in {*_RULES, *_EDGES, *_SPLINES, *_NUMBERS}),
       why="it has no rule",
       instead="write it with slices, or with correlate and map_coordinates(order=1)")
