"""Kind functions of factorisations and of Fourier transforms."""
from __future__ import annotations

from tangent_lite import kinds
from tangent_lite.kinds import Array, Kind, join_dtype, new_shape
from tangent_lite.result_kinds import numbers_in, rank, shaped_like_second, with_dtype


# Fourier transforms -----------------------------------------------------------------------------
def spectrum(x: Kind, n: Kind = kinds.NOTHING, *rest: Kind, **options: Kind) -> Kind:
    """fft, ifft: complex numbers, as many as there are or are asked for."""
    n = options.get("n", options.get("s", n))
    same = isinstance(x, Array) and isinstance(n, kinds.Nothing)
    return Array(rank(x), "complex", x.shape if same else new_shape())      # type: ignore[attr-defined]


def half_spectrum(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """rfft, ihfft."""
    return Array(rank(x), "complex", new_shape())


def real_signal(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """irfft, hfft."""
    return Array(rank(x), "float", new_shape())


def trigonometric(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """dct, dst and their inverses: floats, or complex numbers as they are."""
    return Array(rank(x), join_dtype(numbers_in(x), "float"), new_shape())


def frequencies(*arguments: Kind, **options: Kind) -> Kind:
    """fftfreq, rfftfreq."""
    return Array(1, "float", new_shape())


def real_like_second(dy: Kind, x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """An adjoint of a real array x."""
    return with_dtype(shaped_like_second(dy, x), "float")


def complex_like_second(dy: Kind, x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """An adjoint in the shape of x, complex whatever x is."""
    return with_dtype(shaped_like_second(dy, x), "complex")


def weights_like(dy: Kind, *rest: Kind, **options: Kind) -> Kind:
    """Factors that broadcast to the shape of dy."""
    return Array(rank(dy), "float", new_shape())
