"""scipy.fft: the transforms of np.fft under other options, cosine and sine transforms. Read once
scipy.fft is in use.

`overwrite_x` may destroy what the derivative needs; it is not covered, and refused.
"""
import numpy as np
import scipy.fft as sf

from tangent_lite.registry import adjoint, nondifferentiable, pointwise, tangent
from tangent_lite.result_kinds import scalar_int
from tangent_lite.result_kinds.factorisations import (
    adjoint_of_second,
    frequencies,
    half_spectrum,
    real_like_second,
    real_signal,
    spectrum,
    trigonometric,
    weights_like,
)
from tangent_lite.result_kinds.shapes import same_rank_same_shape
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.fourier import (
    axes_of,
    ends_after,
    ends_before,
    fitted,
    hfft_adjoint,
    hfftn_adjoint,
    ihfft_adjoint,
    ihfftn_adjoint,
    irfft_adjoint,
    irfftn_adjoint,
    other_type,
    rfft_adjoint,
    rfftn_adjoint,
)


# Along one axis ---------------------------------------------------------------------------------
@adjoint(sf.fft, kind=spectrum, constant=("axis",))
def fft(y, x, n=None, axis=-1, norm=None, *, workers=None):
    d[x] = fitted(sf.fft(d[y], None, axis, norm), x, n)


@tangent(sf.fft, constant=("axis",))
def fft_tangent(y, x, n=None, axis=-1, norm=None, *, workers=None):
    d[y] = sf.fft(d[x], n, axis, norm)


@adjoint(sf.ifft, kind=spectrum, constant=("axis",))
def ifft(y, x, n=None, axis=-1, norm=None, *, workers=None):
    d[x] = fitted(sf.ifft(d[y], None, axis, norm), x, n)


@tangent(sf.ifft, constant=("axis",))
def ifft_tangent(y, x, n=None, axis=-1, norm=None, *, workers=None):
    d[y] = sf.ifft(d[x], n, axis, norm)


@adjoint(sf.rfft, kind=half_spectrum, constant=("axis",))
def rfft(y, x, n=None, axis=-1, norm=None, *, workers=None):
    d[x] = rfft_adjoint(d[y], x, n, axis, norm)


@tangent(sf.rfft, constant=("axis",))
def rfft_tangent(y, x, n=None, axis=-1, norm=None, *, workers=None):
    d[y] = sf.rfft(d[x], n, axis, norm)


@adjoint(sf.irfft, kind=real_signal, constant=("axis",))
def irfft(y, x, n=None, axis=-1, norm=None, *, workers=None):
    d[x] = irfft_adjoint(np.real(d[y]), x, axis, norm)


@tangent(sf.irfft, constant=("axis",))
def irfft_tangent(y, x, n=None, axis=-1, norm=None, *, workers=None):
    d[y] = sf.irfft(d[x], n, axis, norm)


@adjoint(sf.hfft, kind=real_signal, constant=("axis",))
def hfft(y, x, n=None, axis=-1, norm=None, *, workers=None):
    d[x] = hfft_adjoint(np.real(d[y]), x, axis, norm)


@tangent(sf.hfft, constant=("axis",))
def hfft_tangent(y, x, n=None, axis=-1, norm=None, *, workers=None):
    d[y] = sf.hfft(d[x], n, axis, norm)


@adjoint(sf.ihfft, kind=half_spectrum, constant=("axis",))
def ihfft(y, x, n=None, axis=-1, norm=None, *, workers=None):
    d[x] = ihfft_adjoint(d[y], x, n, axis, norm)


@tangent(sf.ihfft, constant=("axis",))
def ihfft_tangent(y, x, n=None, axis=-1, norm=None, *, workers=None):
    d[y] = sf.ihfft(d[x], n, axis, norm)


# Along several axes -----------------------------------------------------------------------------
@adjoint(sf.fftn, kind=spectrum)
def fftn(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[x] = fitted(sf.fftn(d[y], None, axes_of(x, s, axes), norm), x, s)


@tangent(sf.fftn)
def fftn_tangent(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[y] = sf.fftn(d[x], s, axes, norm)


@adjoint(sf.ifftn, kind=spectrum)
def ifftn(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[x] = fitted(sf.ifftn(d[y], None, axes_of(x, s, axes), norm), x, s)


@tangent(sf.ifftn)
def ifftn_tangent(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[y] = sf.ifftn(d[x], s, axes, norm)


@adjoint(sf.rfftn, kind=half_spectrum)
def rfftn(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[x] = rfftn_adjoint(d[y], x, s, axes, norm)


@tangent(sf.rfftn)
def rfftn_tangent(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[y] = sf.rfftn(d[x], s, axes, norm)


@adjoint(sf.irfftn, kind=real_signal)
def irfftn(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[x] = irfftn_adjoint(np.real(d[y]), x, s, axes, norm)


@tangent(sf.irfftn)
def irfftn_tangent(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[y] = sf.irfftn(d[x], s, axes, norm)


@adjoint(sf.hfftn, kind=real_signal)
def hfftn(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[x] = hfftn_adjoint(np.real(d[y]), x, s, axes, norm)


@tangent(sf.hfftn)
def hfftn_tangent(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[y] = sf.hfftn(d[x], s, axes, norm)


@adjoint(sf.ihfftn, kind=half_spectrum)
def ihfftn(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[x] = ihfftn_adjoint(d[y], x, s, axes, norm)


@tangent(sf.ihfftn)
def ihfftn_tangent(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[y] = sf.ihfftn(d[x], s, axes, norm)


@adjoint(sf.fft2, kind=spectrum, constant=("axes",))
def fft2(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[x] = fitted(sf.fft2(d[y], None, axes_of(x, s, axes), norm), x, s)


@tangent(sf.fft2, constant=("axes",))
def fft2_tangent(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[y] = sf.fft2(d[x], s, axes, norm)


@adjoint(sf.ifft2, kind=spectrum, constant=("axes",))
def ifft2(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[x] = fitted(sf.ifft2(d[y], None, axes_of(x, s, axes), norm), x, s)


@tangent(sf.ifft2, constant=("axes",))
def ifft2_tangent(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[y] = sf.ifft2(d[x], s, axes, norm)


@adjoint(sf.rfft2, kind=half_spectrum, constant=("axes",))
def rfft2(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[x] = rfftn_adjoint(d[y], x, s, axes, norm)


@tangent(sf.rfft2, constant=("axes",))
def rfft2_tangent(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[y] = sf.rfft2(d[x], s, axes, norm)


@adjoint(sf.irfft2, kind=real_signal, constant=("axes",))
def irfft2(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[x] = irfftn_adjoint(np.real(d[y]), x, s, axes, norm)


@tangent(sf.irfft2, constant=("axes",))
def irfft2_tangent(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[y] = sf.irfft2(d[x], s, axes, norm)


@adjoint(sf.hfft2, kind=real_signal, constant=("axes",))
def hfft2(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[x] = hfftn_adjoint(np.real(d[y]), x, s, axes, norm)


@tangent(sf.hfft2, constant=("axes",))
def hfft2_tangent(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[y] = sf.hfft2(d[x], s, axes, norm)


@adjoint(sf.ihfft2, kind=half_spectrum, constant=("axes",))
def ihfft2(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[x] = ihfftn_adjoint(d[y], x, s, axes, norm)


@tangent(sf.ihfft2, constant=("axes",))
def ihfft2_tangent(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[y] = sf.ihfft2(d[x], s, axes, norm)


# Cosines and sines ------------------------------------------------------------------------------
@adjoint(sf.dct, kind=trigonometric, constant=("type", "axis"))
def dct(y, x, type=2, n=None, axis=-1, norm=None, *, workers=None):
    d[x] = fitted(sf.dct(d[y] * ends_before(d[y], x, "cos", type, None, axis, norm),
                          other_type(type), None, axis, norm)
                  * ends_after(d[y], x, "cos", type, None, axis, norm), x, n)


@tangent(sf.dct, constant=("type", "axis"))
def dct_tangent(y, x, type=2, n=None, axis=-1, norm=None, *, workers=None):
    d[y] = sf.dct(d[x], type, n, axis, norm)


@adjoint(sf.dctn, kind=trigonometric, constant=("type",))
def dctn(y, x, type=2, s=None, axes=None, norm=None, *, workers=None):
    d[x] = fitted(sf.dctn(d[y] * ends_before(d[y], x, "cos", type, s, axes, norm),
                           other_type(type), None, axes_of(x, s, axes), norm)
                  * ends_after(d[y], x, "cos", type, s, axes, norm), x, s)


@tangent(sf.dctn, constant=("type",))
def dctn_tangent(y, x, type=2, s=None, axes=None, norm=None, *, workers=None):
    d[y] = sf.dctn(d[x], type, s, axes, norm)


@adjoint(sf.idct, kind=trigonometric, constant=("type", "axis"))
def idct(y, x, type=2, n=None, axis=-1, norm=None, *, workers=None):
    d[x] = fitted(sf.idct(d[y] * ends_before(d[y], x, "cos", other_type(type), None, axis, norm),
                          other_type(type), None, axis, norm)
                  * ends_after(d[y], x, "cos", other_type(type), None, axis, norm), x, n)


@tangent(sf.idct, constant=("type", "axis"))
def idct_tangent(y, x, type=2, n=None, axis=-1, norm=None, *, workers=None):
    d[y] = sf.idct(d[x], type, n, axis, norm)


@adjoint(sf.idctn, kind=trigonometric, constant=("type",))
def idctn(y, x, type=2, s=None, axes=None, norm=None, *, workers=None):
    d[x] = fitted(sf.idctn(d[y] * ends_before(d[y], x, "cos", other_type(type), s, axes, norm),
                           other_type(type), None, axes_of(x, s, axes), norm)
                  * ends_after(d[y], x, "cos", other_type(type), s, axes, norm), x, s)


@tangent(sf.idctn, constant=("type",))
def idctn_tangent(y, x, type=2, s=None, axes=None, norm=None, *, workers=None):
    d[y] = sf.idctn(d[x], type, s, axes, norm)


@adjoint(sf.dst, kind=trigonometric, constant=("type", "axis"))
def dst(y, x, type=2, n=None, axis=-1, norm=None, *, workers=None):
    d[x] = fitted(sf.dst(d[y] * ends_before(d[y], x, "sin", type, None, axis, norm),
                          other_type(type), None, axis, norm)
                  * ends_after(d[y], x, "sin", type, None, axis, norm), x, n)


@tangent(sf.dst, constant=("type", "axis"))
def dst_tangent(y, x, type=2, n=None, axis=-1, norm=None, *, workers=None):
    d[y] = sf.dst(d[x], type, n, axis, norm)


@adjoint(sf.dstn, kind=trigonometric, constant=("type",))
def dstn(y, x, type=2, s=None, axes=None, norm=None, *, workers=None):
    d[x] = fitted(sf.dstn(d[y] * ends_before(d[y], x, "sin", type, s, axes, norm),
                           other_type(type), None, axes_of(x, s, axes), norm)
                  * ends_after(d[y], x, "sin", type, s, axes, norm), x, s)


@tangent(sf.dstn, constant=("type",))
def dstn_tangent(y, x, type=2, s=None, axes=None, norm=None, *, workers=None):
    d[y] = sf.dstn(d[x], type, s, axes, norm)


@adjoint(sf.idst, kind=trigonometric, constant=("type", "axis"))
def idst(y, x, type=2, n=None, axis=-1, norm=None, *, workers=None):
    d[x] = fitted(sf.idst(d[y] * ends_before(d[y], x, "sin", other_type(type), None, axis, norm),
                          other_type(type), None, axis, norm)
                  * ends_after(d[y], x, "sin", other_type(type), None, axis, norm), x, n)


@tangent(sf.idst, constant=("type", "axis"))
def idst_tangent(y, x, type=2, n=None, axis=-1, norm=None, *, workers=None):
    d[y] = sf.idst(d[x], type, n, axis, norm)


@adjoint(sf.idstn, kind=trigonometric, constant=("type",))
def idstn(y, x, type=2, s=None, axes=None, norm=None, *, workers=None):
    d[x] = fitted(sf.idstn(d[y] * ends_before(d[y], x, "sin", other_type(type), s, axes, norm),
                           other_type(type), None, axes_of(x, s, axes), norm)
                  * ends_after(d[y], x, "sin", other_type(type), s, axes, norm), x, s)


@tangent(sf.idstn, constant=("type",))
def idstn_tangent(y, x, type=2, s=None, axes=None, norm=None, *, workers=None):
    d[y] = sf.idstn(d[x], type, s, axes, norm)


# Order of the frequencies -----------------------------------------------------------------------
@adjoint(sf.fftshift, kind=same_rank_same_shape)
def fftshift(y, x, axes=None):
    d[x] = sf.ifftshift(d[y], axes)


@tangent(sf.fftshift)
def fftshift_tangent(y, x, axes=None):
    d[y] = sf.fftshift(d[x], axes)


@adjoint(sf.ifftshift, kind=same_rank_same_shape)
def ifftshift(y, x, axes=None):
    d[x] = sf.fftshift(d[y], axes)


@tangent(sf.ifftshift)
def ifftshift_tangent(y, x, axes=None):
    d[y] = sf.ifftshift(d[x], axes)


@pointwise(sf.fftfreq, sf.rfftfreq, kind=frequencies,
           constant={"n": "it is a number of points"}, spelled={"spacing": "d"})
def fftfreq(y, n, spacing=1.0, *, xp=None, device=None):
    d[spacing] = unbroadcast(-d[y] * y / spacing, spacing)


nondifferentiable(sf.next_fast_len, kind=scalar_int)


# Helpers ----------------------------------------------------------------------------------------
nondifferentiable(other_type, kind=scalar_int)
nondifferentiable(ends_before, ends_after, kind=weights_like)


@adjoint(hfftn_adjoint, kind=adjoint_of_second)
def hfftn_adjoint_(y, dy, x, s=None, axes=None, norm=None):
    d[dy] = sf.hfftn(d[y], s, axes, norm)
    d[x] = None


@tangent(hfftn_adjoint)
def hfftn_adjoint_tangent(y, dy, x, s=None, axes=None, norm=None):
    d[y] = hfftn_adjoint(d[dy], x, s, axes, norm)
    d[x] = None


@adjoint(ihfftn_adjoint, kind=real_like_second)
def ihfftn_adjoint_(y, dy, x, s=None, axes=None, norm=None):
    d[dy] = sf.ihfftn(np.real(d[y]), s, axes, norm)
    d[x] = None


@tangent(ihfftn_adjoint)
def ihfftn_adjoint_tangent(y, dy, x, s=None, axes=None, norm=None):
    d[y] = ihfftn_adjoint(d[dy], x, s, axes, norm)
    d[x] = None
