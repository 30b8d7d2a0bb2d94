"""Kind functions of factorisations and of Fourier transforms."""
from __future__ import annotations

from typing import Any

from tangent_lite import kinds
from tangent_lite.kinds import (
    INT,
    NO_VALUE,
    NOTHING,
    UNKNOWN,
    Array,
    Kind,
    KindFunction,
    Number,
    Numeric,
    TupleKind,
    join_dtype,
    new_shape,
    value_of,
)
from tangent_lite.result_kinds import (
    NO,
    NUMBERS,
    norm,
    numbers_in,
    rank,
    scalar,
    shaped_like_second,
    with_dtype,
)
from tangent_lite.result_kinds.numbers import joined_dtype
from tangent_lite.runtime.factors import (
    EighResult,
    EigResult,
    QRResult,
    SlogdetResult,
    SVDResult,
)

YES, TEXT_REDUCED = Number("bool", True), kinds.literal("reduced")


# Factorisations ---------------------------------------------------------------------------------
def of_one_matrix(kind: KindFunction, matrices: int = 1) -> KindFunction:
    """What a function of scipy.linalg returns of one matrix. Of a stack of them it raises, or it is
    a list, or has more dimensions, as the version of SciPy has it; of a number it is a matrix."""
    def found(*arguments: Kind, **options: Kind) -> Kind:
        known = all(rank(x) == 2 for x in arguments[:matrices]) and all(
            (rank(x) or 0) <= 2 for x in (*arguments, *options.values()))
        return kind(*arguments, **options) if known else UNKNOWN
    return found


def several(cls: Any, *items: Kind) -> Kind:
    """A named tuple, if NumPy returns one."""
    return TupleKind(items, cls if isinstance(cls, type) else tuple)


def floats(x: Kind) -> str | None:
    """The numbers of a factor: floats for ints, complex ones as they are."""
    return join_dtype(numbers_in(x), "float")


def reals(x: Kind) -> str | None:
    """The numbers of a norm or a singular value: never complex."""
    return "float" if numbers_in(x) in NUMBERS else None


def numbers(x: Kind, dtype: str | None) -> Kind:
    """A stack of numbers for a stack of matrices, a number for one matrix."""
    ndim = rank(x)
    if ndim is None:
        return Numeric(dtype)
    return scalar(dtype) if ndim <= 2 else Array(ndim - 2, dtype, new_shape())


def vectors(x: Kind, dtype: str | None) -> Kind:
    """A stack of vectors for a stack of matrices."""
    ndim = rank(x)
    return Array(None if ndim is None else ndim - 1, dtype, new_shape())


def factor(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """A stack of matrices for a stack of matrices; SciPy makes one of a number, too."""
    ndim = rank(x)
    return Array(ndim if ndim is not None and ndim >= 2 else None, floats(x), new_shape())


def eigh_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    return several(EighResult, vectors(x, reals(x)), factor(x))


def eig_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """Whether eigenvalues of a real matrix are real is seen in the values."""
    dtype = "complex" if numbers_in(x) == "complex" else None
    return several(EigResult, vectors(x, dtype), Array(rank(x), dtype, new_shape()))


def eigvals_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    return vectors(x, "complex" if numbers_in(x) == "complex" else None)


def singular_values(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    return vectors(x, reals(x))


def svd_kind(x: Kind, full_matrices: Kind = YES, compute_uv: Kind = YES, *rest: Kind,
             **options: Kind) -> Kind:
    asked = value_of(compute_uv)
    if asked is NO_VALUE:
        return UNKNOWN
    values = vectors(x, reals(x))
    return several(SVDResult, factor(x), values, factor(x)) if asked else values


def qr_kind(x: Kind, mode: Kind = TEXT_REDUCED, *rest: Kind, **options: Kind) -> Kind:
    asked = value_of(mode)
    if asked == "r":
        return factor(x)
    if asked in ("reduced", "complete"):
        return several(QRResult, factor(x), factor(x))
    return UNKNOWN


def slogdet_kind(x: Kind, **options: Kind) -> Kind:
    return several(SlogdetResult, numbers(x, floats(x)), numbers(x, reals(x)))


def lstsq_kind(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    dtype = join_dtype(floats(a), floats(b))
    return TupleKind((Array(rank(b), dtype, new_shape()), Array(1, reals(b), new_shape()), INT,
                      Array(1, reals(a), new_shape())))


def tensor_kind(a: Kind, *rest: Kind, **options: Kind) -> Kind:
    """tensorsolve, tensorinv."""
    dtype = floats(a)
    for other in rest[:1]:
        dtype = join_dtype(dtype, numbers_in(other))
    return Array(None, dtype)


def tensorinv_kind(a: Kind, *rest: Kind, **options: Kind) -> Kind:
    return Array(rank(a), floats(a), new_shape())


def cond_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """NumPy 2.2 gives a complex number, with an imaginary part of zero, for some norms."""
    return numbers(x, reals(x) if numbers_in(x) != "complex" else None)


def matrix_norm_kind(x: Kind, *, keepdims: Kind = NO, **options: Kind) -> Kind:
    keep = value_of(keepdims)
    return Numeric(reals(x)) if keep is NO_VALUE else \
        Array(rank(x), reals(x), new_shape()) if keep else numbers(x, reals(x))


def vector_norm_kind(x: Kind, *, axis: Kind = NOTHING, keepdims: Kind = NO,
                     **options: Kind) -> Kind:
    return norm(x, NOTHING, axis, keepdims)


def chain_kind(arrays: Kind, **options: Kind) -> Kind:
    """multi_dot."""
    return Numeric(numbers_in(arrays))


def stacked_factor(x: Kind, **options: Kind) -> Kind:
    """What scales matrices: two dimensions more."""
    ndim = rank(x)
    return Array(None if ndim is None else ndim + 2, numbers_in(x), new_shape())


def more_rank(w: Kind, **options: Kind) -> Kind:
    """Matrices with a diagonal."""
    ndim = rank(w)
    return Array(None if ndim is None else ndim + 1, numbers_in(w), new_shape())


def identity_kind(w: Kind, **options: Kind) -> Kind:
    return Array(2, reals(w), new_shape())


def weight_kind(dsign: Kind, dlog: Kind, sign: Kind, **options: Kind) -> Kind:
    return with_dtype(sign, join_dtype(floats(dlog), floats(sign)))


# The same of scipy.linalg, which returns tuples --------------------------------------------------
def solved(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    """A solution has the shape of the right side, if it is no stack."""
    dtype = join_dtype(floats(a), floats(b))
    return Array(rank(b), dtype, new_shape()) if rank(a) == 2 else Array(None, dtype)


def solved_by_third(l_and_u: Kind, ab: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    return solved(ab, b)


def solved_for_third(a: Kind, b: Kind, q: Kind, **options: Kind) -> Kind:
    """solve_sylvester."""
    dtype = join_dtype(join_dtype(floats(a), floats(b)), floats(q))
    return Array(2 if rank(a) == rank(b) == rank(q) == 2 else None, dtype, new_shape())


def second_solved(factors: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    """cho_solve, lu_solve: by a matrix and what belongs to it."""
    first = factors.items[0] if isinstance(factors, TupleKind) and factors.items else UNKNOWN
    return solved(first, b)


def scipy_lstsq_kind(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    dtype = join_dtype(floats(a), floats(b))
    # The residues are real; of complex equations SciPy 1.18 gives complex numbers all the same.
    residues = reals(b) if dtype == "float" else None
    return TupleKind((Array(rank(b), dtype, new_shape()), Numeric(residues), INT,
                      Array(1, reals(a), new_shape())))


def cho_factor_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """The second part is `lower`, as it was given; an array of it since SciPy 1.18."""
    lower = options.get("lower", rest[0] if rest else NO)
    return TupleKind((factor(x), Numeric("bool") if numbers_in(lower) == "bool" else UNKNOWN))


def lu_factor_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    return TupleKind((factor(x), Array(None, "int")))


def lu_kind(x: Kind, permute_l: Kind = NO, *rest: Kind, p_indices: Kind = NO,
            **options: Kind) -> Kind:
    permuted, as_numbers = value_of(permute_l), value_of(p_indices)
    if rest or NO_VALUE in (permuted, as_numbers):
        return UNKNOWN
    if permuted:
        return TupleKind((factor(x), factor(x)))
    order = vectors(x, "int") if as_numbers else Array(rank(x), None, new_shape())
    return TupleKind((order, factor(x), factor(x)))


def scipy_qr_kind(x: Kind, *rest: Kind, mode: Kind = TEXT_REDUCED, pivoting: Kind = NO,
                  **options: Kind) -> Kind:
    asked, pivots = value_of(mode), value_of(pivoting)
    if rest or pivots is NO_VALUE or asked not in ("reduced", "full", "economic", "r"):
        return UNKNOWN
    factors = (factor(x),) if asked == "r" else (factor(x), factor(x))
    return TupleKind((*factors, vectors(x, "int")) if pivots else factors)


def scipy_eigh_kind(x: Kind, *rest: Kind, eigvals_only: Kind = NO, **options: Kind) -> Kind:
    alone = value_of(eigvals_only)
    second = options.get("b", rest[0] if rest else NOTHING)
    dtype = floats(x) if isinstance(second, kinds.Nothing) else join_dtype(floats(x),
                                                                         floats(second))
    if alone is NO_VALUE:
        return UNKNOWN
    values = vectors(x, reals(x))
    return values if alone else TupleKind((values, Array(rank(x), dtype, new_shape())))


def scipy_eig_kind(x: Kind, **options: Kind) -> Kind:
    """With left= or right= it may be three, or the eigenvalues alone."""
    if set(options) - {"check_finite", "overwrite_a"}:
        return UNKNOWN
    dtype = "complex" if numbers_in(x) == "complex" else None
    return TupleKind((vectors(x, "complex"), Array(rank(x), dtype, new_shape())))


def scipy_eigvals_kind(x: Kind, **options: Kind) -> Kind:
    return vectors(x, "complex")


def scipy_svd_kind(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    found = svd_kind(x, *rest, **options)
    return TupleKind(found.items) if isinstance(found, TupleKind) else found


def matrix_function(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """logm, sqrtm: of a real matrix it may be complex."""
    if rest or options:                     # with disp=False, an error too
        return UNKNOWN
    ndim = rank(x)
    return Array(ndim if ndim is not None and ndim >= 2 else None,
                 "complex" if numbers_in(x) == "complex" else None, new_shape())


def matrix_power(x: Kind, t: Kind, **options: Kind) -> Kind:
    return matrix_function(x)


def pseudo_inverse(x: Kind, atol: Kind = NOTHING, rtol: Kind = NOTHING, lower: Kind = YES,
                   return_rank: Kind = NO, **options: Kind) -> Kind:
    """pinv, pinvh; with the rank, where that is asked for."""
    return factor(x) if value_of(return_rank) is False else UNKNOWN


def toeplitz_kind(c: Kind, r: Kind = NOTHING, **options: Kind) -> Kind:
    dtype = numbers_in(c) if isinstance(r, kinds.Nothing) else join_dtype(numbers_in(c),
                                                                         numbers_in(r))
    flat = all(rank(k) in (0, 1) for k in (c, r) if not isinstance(k, kinds.Nothing))
    return Array(2 if flat else None, dtype, new_shape())


def matrix_of_parts(*arrays: Kind, **options: Kind) -> Kind:
    """The helpers of block_diag: of stacks of matrices a stack, in new versions of SciPy."""
    flat = all(rank(k) in (0, 1, 2) for k in arrays)
    return Array(2 if flat else None, None, new_shape())


def matrix_of_blocks(*arrays: Kind, **options: Kind) -> Kind:
    """block_diag: the blocks' numbers are joined."""
    made: Any = matrix_of_parts(*arrays)
    return with_dtype(made, joined_dtype(arrays)) if arrays else made


def gaps_kind(x: Kind, w: Kind, **options: Kind) -> Kind:
    return Array(rank(x), join_dtype(floats(x), floats(w)), x.shape if isinstance(x, Array)
                 else new_shape())


def pins_kind(z: Kind, *rest: Kind, **options: Kind) -> Kind:
    return Array(rank(z), reals(z), z.shape if isinstance(z, Array) else new_shape())


# Products ---------------------------------------------------------------------------------------
def some_numbers(a: Kind, b: Kind, **options: Kind) -> Kind:
    """A number or an array, of the joined type: matvec, vecmat."""
    return Numeric(None if options else join_dtype(numbers_in(a), numbers_in(b)))


def vecdot_kind(a: Kind, b: Kind, **options: Kind) -> Kind:
    """One dimension less than the two arrays broadcast to."""
    dtype, ranks = join_dtype(numbers_in(a), numbers_in(b)), [rank(a), rank(b)]
    if None in ranks or set(options) - {"axis"}:
        return Numeric(None if set(options) - {"axis"} else dtype)
    ndim = max(ranks)                                                       # type: ignore[type-var]
    return scalar(dtype) if ndim == 1 else Array(ndim - 1, dtype, new_shape())  # type: ignore[operator]


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


def frequencies(n: Kind, d: Kind = kinds.FLOAT, *rest: Kind, **options: Kind) -> Kind:
    """fftfreq, rfftfreq; spacings that are arrays are broadcast."""
    dtype = join_dtype(numbers_in(d), "float")
    return Array(1, dtype, new_shape()) if isinstance(d, Number) else Array(None, dtype)


def real_like_second(dy: Kind, x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """An adjoint of a real array x."""
    return with_dtype(shaped_like_second(dy, x), "float")


def adjoint_of_second(dy: Kind, x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """An adjoint of x, real for a real x and complex for a complex one."""
    return with_dtype(shaped_like_second(dy, x), numbers_in(x))


def weights_like(dy: Kind, *rest: Kind, **options: Kind) -> Kind:
    """Factors that broadcast to the shape of dy."""
    return Array(rank(dy), "float", new_shape())
