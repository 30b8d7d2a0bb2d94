"""np.fft: every transform is linear, and its adjoint is a transform again."""
import numpy as np

from tangent_lite.registry import adjoint, nondifferentiable, pointwise, tangent
from tangent_lite.result_kinds import scalar_int, shaped_like_second, unknown
from tangent_lite.result_kinds.factorisations import (
    adjoint_of_second,
    frequencies,
    half_spectrum,
    real_like_second,
    real_signal,
    spectrum,
    weights_like,
)
from tangent_lite.result_kinds.shapes import same_rank_same_shape
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.fourier import (
    axes_of,
    different,
    fitted,
    hfft_adjoint,
    ihfft_adjoint,
    irfft_adjoint,
    irfftn_adjoint,
    last_length,
    length_along,
    resized,
    rfft_adjoint,
    rfftn_adjoint,
    spectrum_weights,
)


# Along one axis ---------------------------------------------------------------------------------
@adjoint(np.fft.fft, kind=spectrum, constant=("axis",))
def fft(y, a, n=None, axis=-1, norm=None):
    d[a] = fitted(np.fft.fft(d[y], None, axis, norm), a, n)


@tangent(np.fft.fft, constant=("axis",))
def fft_tangent(y, a, n=None, axis=-1, norm=None):
    d[y] = np.fft.fft(d[a], n, axis, norm)


@adjoint(np.fft.ifft, kind=spectrum, constant=("axis",))
def ifft(y, a, n=None, axis=-1, norm=None):
    d[a] = fitted(np.fft.ifft(d[y], None, axis, norm), a, n)


@tangent(np.fft.ifft, constant=("axis",))
def ifft_tangent(y, a, n=None, axis=-1, norm=None):
    d[y] = np.fft.ifft(d[a], n, axis, norm)


@adjoint(np.fft.rfft, kind=half_spectrum, constant=("axis",))
def rfft(y, a, n=None, axis=-1, norm=None):
    d[a] = rfft_adjoint(d[y], a, n, axis, norm)


@tangent(np.fft.rfft, constant=("axis",))
def rfft_tangent(y, a, n=None, axis=-1, norm=None):
    d[y] = np.fft.rfft(d[a], n, axis, norm)


@adjoint(np.fft.irfft, kind=real_signal, constant=("axis",))
def irfft(y, a, n=None, axis=-1, norm=None):
    d[a] = irfft_adjoint(np.real(d[y]), a, axis, norm)


@tangent(np.fft.irfft, constant=("axis",))
def irfft_tangent(y, a, n=None, axis=-1, norm=None):
    d[y] = np.fft.irfft(d[a], n, axis, norm)


@adjoint(np.fft.hfft, kind=real_signal, constant=("axis",))
def hfft(y, a, n=None, axis=-1, norm=None):
    d[a] = hfft_adjoint(np.real(d[y]), a, axis, norm)


@tangent(np.fft.hfft, constant=("axis",))
def hfft_tangent(y, a, n=None, axis=-1, norm=None):
    d[y] = np.fft.hfft(d[a], n, axis, norm)


@adjoint(np.fft.ihfft, kind=half_spectrum, constant=("axis",))
def ihfft(y, a, n=None, axis=-1, norm=None):
    d[a] = ihfft_adjoint(d[y], a, n, axis, norm)


@tangent(np.fft.ihfft, constant=("axis",))
def ihfft_tangent(y, a, n=None, axis=-1, norm=None):
    d[y] = np.fft.ihfft(d[a], n, axis, norm)


# Along several axes -----------------------------------------------------------------------------
@adjoint(np.fft.fftn, kind=spectrum)
def fftn(y, a, s=None, axes=None, norm=None):
    d[a] = fitted(np.fft.fftn(d[y], None, axes_of(a, s, axes), norm), a, s)


@tangent(np.fft.fftn)
def fftn_tangent(y, a, s=None, axes=None, norm=None):
    d[y] = np.fft.fftn(d[a], s, axes, norm)


@adjoint(np.fft.ifftn, kind=spectrum)
def ifftn(y, a, s=None, axes=None, norm=None):
    d[a] = fitted(np.fft.ifftn(d[y], None, axes_of(a, s, axes), norm), a, s)


@tangent(np.fft.ifftn)
def ifftn_tangent(y, a, s=None, axes=None, norm=None):
    d[y] = np.fft.ifftn(d[a], s, axes, norm)


@adjoint(np.fft.rfftn, kind=half_spectrum)
def rfftn(y, a, s=None, axes=None, norm=None):
    d[a] = rfftn_adjoint(d[y], a, s, axes, norm)


@tangent(np.fft.rfftn)
def rfftn_tangent(y, a, s=None, axes=None, norm=None):
    d[y] = np.fft.rfftn(d[a], s, axes, norm)


@adjoint(np.fft.irfftn, kind=real_signal)
def irfftn(y, a, s=None, axes=None, norm=None):
    d[a] = irfftn_adjoint(np.real(d[y]), a, s, axes, norm)


@tangent(np.fft.irfftn)
def irfftn_tangent(y, a, s=None, axes=None, norm=None):
    d[y] = np.fft.irfftn(d[a], s, axes, norm)


@adjoint(np.fft.fft2, kind=spectrum, constant=("axes",))
def fft2(y, a, s=None, axes=(-2, -1), norm=None):
    d[a] = fitted(np.fft.fft2(d[y], None, axes_of(a, s, axes), norm), a, s)


@tangent(np.fft.fft2, constant=("axes",))
def fft2_tangent(y, a, s=None, axes=(-2, -1), norm=None):
    d[y] = np.fft.fft2(d[a], s, axes, norm)


@adjoint(np.fft.ifft2, kind=spectrum, constant=("axes",))
def ifft2(y, a, s=None, axes=(-2, -1), norm=None):
    d[a] = fitted(np.fft.ifft2(d[y], None, axes_of(a, s, axes), norm), a, s)


@tangent(np.fft.ifft2, constant=("axes",))
def ifft2_tangent(y, a, s=None, axes=(-2, -1), norm=None):
    d[y] = np.fft.ifft2(d[a], s, axes, norm)


@adjoint(np.fft.rfft2, kind=half_spectrum, constant=("axes",))
def rfft2(y, a, s=None, axes=(-2, -1), norm=None):
    d[a] = rfftn_adjoint(d[y], a, s, axes, norm)


@tangent(np.fft.rfft2, constant=("axes",))
def rfft2_tangent(y, a, s=None, axes=(-2, -1), norm=None):
    d[y] = np.fft.rfft2(d[a], s, axes, norm)


@adjoint(np.fft.irfft2, kind=real_signal, constant=("axes",))
def irfft2(y, a, s=None, axes=(-2, -1), norm=None):
    d[a] = irfftn_adjoint(np.real(d[y]), a, s, axes, norm)


@tangent(np.fft.irfft2, constant=("axes",))
def irfft2_tangent(y, a, s=None, axes=(-2, -1), norm=None):
    d[y] = np.fft.irfft2(d[a], s, axes, norm)


# Order of the frequencies -----------------------------------------------------------------------
@adjoint(np.fft.fftshift, kind=same_rank_same_shape)
def fftshift(y, x, axes=None):
    d[x] = np.fft.ifftshift(d[y], axes)


@tangent(np.fft.fftshift)
def fftshift_tangent(y, x, axes=None):
    d[y] = np.fft.fftshift(d[x], axes)


@adjoint(np.fft.ifftshift, kind=same_rank_same_shape)
def ifftshift(y, x, axes=None):
    d[x] = np.fft.fftshift(d[y], axes)


@tangent(np.fft.ifftshift)
def ifftshift_tangent(y, x, axes=None):
    d[y] = np.fft.ifftshift(d[x], axes)


# k / (n spacing), for whole numbers k and n.
@pointwise(np.fft.fftfreq, np.fft.rfftfreq, kind=frequencies,
           constant={"n": "it is a number of points"}, spelled={"spacing": "d"})
def fftfreq(y, n, spacing=1.0, device=None):
    d[spacing] = unbroadcast(-d[y] * y / spacing, spacing)


# Helpers ----------------------------------------------------------------------------------------
nondifferentiable(length_along, last_length, kind=scalar_int)
nondifferentiable(axes_of, different, kind=unknown)
nondifferentiable(spectrum_weights, kind=weights_like)


@adjoint(resized, kind=shaped_like_second)
def resized_(y, dy, x):
    d[dy] = resized(d[y], dy)
    d[x] = None


@tangent(resized)
def resized_tangent(y, dy, x):
    d[y] = resized(d[dy], x)
    d[x] = None


@adjoint(fitted, kind=shaped_like_second, view="maybe")
def fitted_(y, dy, x, n=None):
    d[dy] = fitted(d[y], dy, n)
    d[x] = None


@tangent(fitted)
def fitted_tangent(y, dy, x, n=None):
    d[y] = fitted(d[dy], x, n)
    d[x] = None


@adjoint(rfft_adjoint, kind=real_like_second, constant=("axis",))
def rfft_adjoint_(y, dy, x, n=None, axis=-1, norm=None):
    d[dy] = np.fft.rfft(np.real(d[y]), n, axis, norm)
    d[x] = None


@tangent(rfft_adjoint, constant=("axis",))
def rfft_adjoint_tangent(y, dy, x, n=None, axis=-1, norm=None):
    d[y] = rfft_adjoint(d[dy], x, n, axis, norm)
    d[x] = None


@adjoint(ihfft_adjoint, kind=real_like_second, constant=("axis",))
def ihfft_adjoint_(y, dy, x, n=None, axis=-1, norm=None):
    d[dy] = np.fft.ihfft(np.real(d[y]), n, axis, norm)
    d[x] = None


@tangent(ihfft_adjoint, constant=("axis",))
def ihfft_adjoint_tangent(y, dy, x, n=None, axis=-1, norm=None):
    d[y] = ihfft_adjoint(d[dy], x, n, axis, norm)
    d[x] = None


@adjoint(irfft_adjoint, kind=adjoint_of_second, constant=("axis",))
def irfft_adjoint_(y, dy, x, axis=-1, norm=None):
    d[dy] = np.fft.irfft(d[y], length_along(dy, None, axis), axis, norm)
    d[x] = None


@tangent(irfft_adjoint, constant=("axis",))
def irfft_adjoint_tangent(y, dy, x, axis=-1, norm=None):
    d[y] = irfft_adjoint(d[dy], x, axis, norm)
    d[x] = None


@adjoint(hfft_adjoint, kind=adjoint_of_second, constant=("axis",))
def hfft_adjoint_(y, dy, x, axis=-1, norm=None):
    d[dy] = np.fft.hfft(d[y], length_along(dy, None, axis), axis, norm)
    d[x] = None


@tangent(hfft_adjoint, constant=("axis",))
def hfft_adjoint_tangent(y, dy, x, axis=-1, norm=None):
    d[y] = hfft_adjoint(d[dy], x, axis, norm)
    d[x] = None


@adjoint(rfftn_adjoint, kind=real_like_second)
def rfftn_adjoint_(y, dy, x, s=None, axes=None, norm=None):
    d[dy] = np.fft.rfftn(np.real(d[y]), s, axes, norm)
    d[x] = None


@tangent(rfftn_adjoint)
def rfftn_adjoint_tangent(y, dy, x, s=None, axes=None, norm=None):
    d[y] = rfftn_adjoint(d[dy], x, s, axes, norm)
    d[x] = None


@adjoint(irfftn_adjoint, kind=adjoint_of_second)
def irfftn_adjoint_(y, dy, x, s=None, axes=None, norm=None):
    d[dy] = np.fft.irfftn(d[y], s, axes, norm)
    d[x] = None


@tangent(irfftn_adjoint)
def irfftn_adjoint_tangent(y, dy, x, s=None, axes=None, norm=None):
    d[y] = irfftn_adjoint(d[dy], x, s, axes, norm)
    d[x] = None
