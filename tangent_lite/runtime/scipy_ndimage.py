"""What emitted code may call for scipy.ndimage: the adjoints of filters, which are linear.

A filter reads its array beyond the ends as mode says: y[i] = sum over k of weights[k] p[i + k], p
being the array with lo = size // 2 + origin elements more in front. Its adjoint adds weights[k] dy
at i + k, and then what lies beyond the ends to the elements that stand there. NumPy and SciPy are
imported.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from tangent_lite.runtime.places import gathered, gathered_back
from tangent_lite.runtime.shapes import numbered

# What numpy.pad calls the modes of scipy.ndimage.
_PADDING: dict[str, Any] = {"reflect": "symmetric", "grid-mirror": "symmetric", "mirror": "reflect",
            "nearest": "edge", "wrap": "wrap", "grid-wrap": "wrap", "constant": "constant",
            "grid-constant": "constant"}


def _each(option, ndim):
    """One of each axis, of an option that is one for all or a sequence."""
    return list(option) if isinstance(option, (tuple, list, np.ndarray)) else [option] * ndim


def _padded(x, weights, mode, origin, outside):
    """x with what a filter reads beyond its ends."""
    for axis, (size, one, way) in enumerate(zip(np.shape(weights), _each(origin, np.ndim(x)),
                                                _each(mode, np.ndim(x)))):
        front = size // 2 + one
        widths = [(0, 0)] * np.ndim(x)
        widths[axis] = (front, size - 1 - front)
        name = _PADDING[way]
        x = np.pad(x, widths, constant_values=outside) if name == "constant" else \
            np.pad(x, widths, name)
    return x


def _window(place, shape):
    return tuple(slice(start, start + size) for start, size in zip(place, shape))


def correlate_back(dy, x, weights, mode="reflect", origin=0):
    """Adjoint of x in y = correlate(x, weights, mode=mode, origin=origin)."""
    if np.size(x) == 0:
        return np.zeros(np.shape(x), np.asarray(dy).dtype)
    places = _padded(numbered(x), weights, mode, origin, -1)
    total = np.zeros(places.shape, np.asarray(dy).dtype)
    for place in np.ndindex(*np.shape(weights)):
        total[_window(place, np.shape(dy))] += weights[place] * dy
    return gathered_back(total, places, x)


def correlate_weights(dy, x, weights, mode="reflect", cval=0.0, origin=0):
    """Adjoint of the weights in y = correlate(x, weights, mode=mode, cval=cval, origin=origin)."""
    padded = _padded(x, weights, mode, origin, cval)
    found = [np.sum(dy * padded[_window(place, np.shape(dy))])
             for place in np.ndindex(*np.shape(weights))]
    return np.reshape(np.array(found), np.shape(weights))


def weights_along(weights, x, axis=-1):
    """The weights of a filter along an axis, as those of a filter of all axes."""
    return np.reshape(weights, [-1 if a == axis % np.ndim(x) else 1 for a in range(np.ndim(x))])


def origin_along(origin, x, axis=-1):
    """The origin of a filter along an axis, as that of a filter of all axes."""
    return [origin if a == axis % np.ndim(x) else 0 for a in range(np.ndim(x))]


def turned(weights):
    """The weights of a correlation that is the convolution with weights."""
    return weights[(slice(None, None, -1),) * np.ndim(weights)]


def turned_origin(origin, weights):
    """The origin of the same."""
    return [-one - (size % 2 == 0) for one, size in zip(_each(origin, np.ndim(weights)),
                                                        np.shape(weights))]


def gaussian_back(dy, x, sigma, order=0, mode="reflect", truncate=4.0, radius=None, axes=None):
    """Adjoint of x in y = gaussian_filter(x, sigma, order, mode=mode, ...): the filters along the
    axes, transposed, in the other order."""
    chosen = list(range(np.ndim(x))) if axes is None else _each(axes, 1)
    count = len(chosen)
    options = list(zip(chosen, _each(sigma, count), _each(order, count), _each(mode, count),
                       _each(radius, count)))
    for axis, one, times, way, reach in options[::-1]:
        if one > 1e-15:
            size = int(truncate * one + 0.5) if reach is None else reach
            answer = ndimage.gaussian_filter1d(impulse(size), one, order=times, mode="constant",
                                               truncate=truncate, radius=reach)
            weights = weights_along(answer[::-1].astype(np.asarray(dy).dtype), x, axis)
            dy = correlate_back(dy, x, weights, way)
    return dy


def impulse(reach):
    """1 between as many zeros on both sides: what a filter makes of it are its weights."""
    found = np.zeros(2 * reach + 1)
    found[reach] = 1.0
    return found


def uniform_back(dy, x, size=3, mode="reflect", origin=0, axes=None):
    """Adjoint of x in y = uniform_filter(x, size, mode=mode, origin=origin, axes=axes)."""
    chosen = list(range(np.ndim(x))) if axes is None else _each(axes, 1)
    count = len(chosen)
    options = list(zip(chosen, _each(size, count), _each(mode, count), _each(origin, count)))
    for axis, one, way, start in options[::-1]:
        if one > 1:
            weights = weights_along(np.full(int(one), 1.0 / int(one), np.asarray(dy).dtype), x,
                                    axis)
            dy = correlate_back(dy, x, weights, way, origin_along(start, x, axis))
    return dy


# Interpolation ------------------------------------------------------------------------------------
def corners(x, coordinates, order, mode):
    """(numbers, shares, rates) for each element that an interpolation reads: its number in x (-1
    where there is none), its share in the result, and the derivatives of that by coordinates."""
    if order not in (0, 1) or mode not in ("constant", "nearest"):
        raise NotImplementedError(
            f"the derivative of scipy.ndimage.map_coordinates with order={order} and "
            f"mode={mode!r}; write order=1 and mode=\"nearest\"")
    at = np.asarray(coordinates, float)
    shape = np.reshape(np.shape(x), (-1,) + (1,) * (at.ndim - 1))
    inside = np.all((at >= 0) & (at <= shape - 1), axis=0)
    within = (at >= 0) & (at <= shape - 1)
    at = np.clip(at, 0, shape - 1)
    low = np.floor(at + 0.5 if order == 0 else np.minimum(at, np.maximum(shape - 2, 0))).astype(int)
    along = at - low if order else np.zeros_like(at)
    numbers, found = numbered(x), []
    for corner in np.ndindex(*(2 if order else 1,) * np.ndim(x)):
        spot = [np.minimum(one + step, size - 1) for one, step, size
                in zip(low, corner, np.shape(x))]
        parts = [one if step else 1.0 - one for one, step in zip(along, corner)]
        rates = [np.prod([(1.0 if corner[j] else -1.0) * within[j] * (order > 0) if j == k else
                          parts[j] for j in range(len(parts))], axis=0) for k in range(len(parts))]
        share = np.prod(parts, axis=0)
        places = numbers[tuple(spot)]
        if mode == "constant":
            places = np.where(inside, places, -1)
        found.append((places, share, np.array(rates)))
    return found


def interpolated(dx, x, coordinates, order, mode):
    """Tangent of map_coordinates(x, coordinates, ...) along that of x."""
    return sum(share * gathered(dx, places)
               for places, share, _ in corners(x, coordinates, order, mode))


def interpolated_back(dy, x, coordinates, order, mode):
    """Adjoint of x in map_coordinates(x, coordinates, ...)."""
    return sum(gathered_back(share * dy, places, x)
               for places, share, _ in corners(x, coordinates, order, mode))


def interpolated_rates(x, coordinates, order, mode):
    """The derivatives of map_coordinates(x, coordinates, ...) with respect to coordinates; those
    of the piece that begins there."""
    return sum(rates * gathered(x, places)
               for places, _, rates in corners(x, coordinates, order, mode))


def rates_back(dr, x, coordinates, order, mode):
    """Adjoint of x in interpolated_rates(x, coordinates, ...)."""
    return sum(gathered_back(np.sum(rates * dr, axis=0), places, x)
               for places, _, rates in corners(x, coordinates, order, mode))
