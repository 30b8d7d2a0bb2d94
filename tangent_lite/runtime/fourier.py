"""What emitted code may call for Fourier transforms, discrete cosine and sine transforms.

Each transform is linear, y = F P x, where P cuts x off or pads it with zeros to the length that
was asked for. Complex numbers are paired without conjugation, so that the adjoint of F is its
transpose: that of fft is fft itself, with the same `norm`. The transforms between real sequences
and half spectra are each other's transposes but for weights: every frequency of a half spectrum
besides 0 and the highest one of an even length stands for two of the full one. Only NumPy is
imported.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime.duck import zeros_by
from tangent_lite.runtime.linalg import real_for


# Lengths ----------------------------------------------------------------------------------------
def fitted(dy, x, n=None):
    """dy cut off or padded with zeros to the shape of x; as it is if no length n was asked for."""
    return dy if n is None else resized(dy, x)


def resized(dy, x):
    """dy cut off or padded with zeros to the shape of x; linear, and its own adjoint."""
    shape = np.shape(x)
    if np.shape(dy) == shape:
        return dy
    kept = tuple(slice(0, min(have, want)) for have, want in zip(np.shape(dy), shape))
    full = zeros_by(dy, shape)
    full[kept] = dy[kept]
    return full


def length_along(x, n=None, axis=-1):
    """The length n of a transform of x along axis."""
    return np.shape(x)[axis] if n is None else n


def axes_of(x, s=None, axes=None):
    """The axes of a transform in several dimensions: all, or as many of the last as s has sizes."""
    if axes is None:
        count = np.ndim(x) if s is None else np.size(s)
        return tuple(range(np.ndim(x) - count, np.ndim(x)))
    found = tuple(a % np.ndim(x) for a in np.ravel(axes).tolist())
    return found if s is None else different(found)


def different(axes):
    """The axes; NotImplementedError if one is named twice: what is cut off is then lost."""
    if len(set(axes)) < len(axes):
        raise NotImplementedError("the derivative of a Fourier transform that takes an axis twice, "
                                  "with sizes or between real and complex numbers")
    return axes


def last_length(x, s=None, axes=None):
    """The length of the transform along the last of its axes, before the halving of a spectrum."""
    n = None if s is None else np.ravel(s).tolist()[-1]
    return np.shape(x)[axes_of(x, s, axes)[-1]] if n is None or n == -1 else n


# Half spectra -----------------------------------------------------------------------------------
def spectrum_weights(dy, n, axis=-1, inner=2.0):
    """inner at the frequencies that stand for two of n, 1 at 0 and at n / 2; along axis of dy."""
    count = np.shape(dy)[axis]
    weights = zeros_by(np.real(dy), count) + inner
    weights[0] = 1.0
    if n % 2 == 0 and count == n // 2 + 1:
        weights[-1] = 1.0
    shape = [1] * np.ndim(dy)
    shape[axis] = count
    return weights.reshape(shape)


def rfft_adjoint(dy, x, n=None, axis=-1, norm=None):
    """Adjoint of x in y = rfft(x, n, axis, norm); shape of x."""
    n_full = length_along(x, n, axis)
    return fitted(np.fft.hfft(dy * spectrum_weights(dy, n_full, axis, 0.5), n_full, axis, norm),
                  x, n)


def ihfft_adjoint(dy, x, n=None, axis=-1, norm=None):
    """Adjoint of x in y = ihfft(x, n, axis, norm); shape of x."""
    n_full = length_along(x, n, axis)
    return fitted(np.fft.irfft(dy * spectrum_weights(dy, n_full, axis, 0.5), n_full, axis, norm),
                  x, n)


def irfft_adjoint(dy, x, axis=-1, norm=None):
    """Adjoint of x in y = irfft(x, n, axis, norm), where n is the length of dy; shape of x."""
    half = np.fft.ihfft(dy, None, axis, norm)
    return resized(real_for(half * spectrum_weights(half, np.shape(dy)[axis], axis), x), x)


def hfft_adjoint(dy, x, axis=-1, norm=None):
    """Adjoint of x in y = hfft(x, n, axis, norm), where n is the length of dy; shape of x."""
    half = np.fft.rfft(dy, None, axis, norm)
    return resized(real_for(half * spectrum_weights(half, np.shape(dy)[axis], axis), x), x)


# Several dimensions -------------------------------------------------------------------------------
def rfftn_adjoint(dy, x, s=None, axes=None, norm=None):
    """Adjoint of x in y = rfftn(x, s, axes, norm): fft along all axes but the last, after rfft
    along that; shape of x."""
    every = different(axes_of(x, s, axes))
    n, last = last_length(x, s, axes), every[-1]
    dy = np.fft.fftn(dy, None, every[:-1], norm)
    return fitted(np.fft.hfft(dy * spectrum_weights(dy, n, last, 0.5), n, last, norm), x, s)


def irfftn_adjoint(dy, x, s=None, axes=None, norm=None):
    """Adjoint of x in y = irfftn(x, s, axes, norm): ifft along all axes but the last, then irfft
    along that; shape of x."""
    every = different(axes_of(x, s, axes))
    last = every[-1]
    half = np.fft.ihfft(dy, None, last, norm)
    half = half * spectrum_weights(half, np.shape(dy)[last], last)
    return resized(real_for(np.fft.ifftn(half, None, every[:-1], norm), x), x)


def hfftn_adjoint(dy, x, s=None, axes=None, norm=None):
    """Adjoint of x in y = scipy.fft.hfftn(x, s, axes, norm): fft along all axes but the last, then
    hfft along that; shape of x."""
    every = different(axes_of(x, s, axes))
    last = every[-1]
    half = np.fft.rfft(dy, None, last, norm)
    half = half * spectrum_weights(half, np.shape(dy)[last], last)
    return resized(real_for(np.fft.fftn(half, None, every[:-1], norm), x), x)


def ihfftn_adjoint(dy, x, s=None, axes=None, norm=None):
    """Adjoint of x in y = scipy.fft.ihfftn(x, s, axes, norm): ifft along all axes but the last,
    after ihfft along that; shape of x."""
    every = different(axes_of(x, s, axes))
    n, last = last_length(x, s, axes), every[-1]
    dy = np.fft.ifftn(dy, None, every[:-1], norm)
    return fitted(np.fft.irfft(dy * spectrum_weights(dy, n, last, 0.5), n, last, norm), x, s)


# Cosine and sine transforms -----------------------------------------------------------------------
# Types 2 and 3 are each other's transposes, types 1 and 4 their own, but for the first element (of
# sines: the last) that counts half in type 3, and the two ends that do in the cosines of type 1.
# With norm="ortho" the ends are scaled so that all of them are orthogonal.
def other_type(type):
    """The type of the transpose of a cosine or sine transform."""
    return {2: 3, 3: 2}.get(type, type)


def ends_before(dy, x, kind, type, s=None, axes=None, norm=None):
    """What the adjoint dy of a transform of x is scaled by before it is transformed: kind is "cos"
    or "sin", type that of the transform as it goes forward."""
    scale = {("cos", 1): (2.0, 2.0), ("cos", 2): (2.0, 1.0), ("sin", 2): (1.0, 2.0)}
    return _ends(dy, x, scale.get((kind, type)), s, axes, norm)


def ends_after(dy, x, kind, type, s=None, axes=None, norm=None):
    """What the adjoint of a transform is scaled by after it is transformed."""
    scale = {("cos", 1): (0.5, 0.5), ("cos", 3): (0.5, 1.0), ("sin", 3): (1.0, 0.5)}
    return _ends(dy, x, scale.get((kind, type)), s, axes, norm)


def _ends(dy, x, scale, s, axes, norm):
    weights = np.ones((1,) * np.ndim(dy), np.real(dy).dtype)
    if scale is None or norm == "ortho":
        return weights
    for axis in axes_of(x, s, axes):
        line = np.ones(np.shape(dy)[axis], weights.dtype)
        line[0], line[-1] = line[0] * scale[0], line[-1] * scale[1]
        shape = [1] * np.ndim(dy)
        shape[axis] = -1
        weights = weights * line.reshape(shape)
    return weights
