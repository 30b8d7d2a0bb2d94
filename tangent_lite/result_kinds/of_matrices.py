"""What kind of value functions of scipy.sparse return, and those that make an np.matrix."""
from __future__ import annotations

from typing import Any

import numpy as np

from tangent_lite.kinds import (
    INT,
    NOTHING,
    UNKNOWN,
    Array,
    Kind,
    ListKind,
    MatrixKind,
    Nothing,
    Number,
    Numeric,
    Other,
    TupleKind,
    any_matrix,
    dtype_named,
    is_matrix,
    is_old,
    join_dtype,
    join_matrices,
    new_shape,
    value_of,
)
from tangent_lite.result_kinds.numbers import numbers_in


def _dtype(*kinds: Kind, options: dict[str, Kind] | None = None) -> str | None:
    """The class of the numbers in what is computed of matrices, arrays and numbers."""
    named = (options or {}).get("dtype", NOTHING)
    if not isinstance(named, Nothing):
        return dtype_named(named)
    found = [one.dtype if isinstance(one, MatrixKind) else numbers_in(one) for one in kinds]
    dtype = found[0] if found else None
    for one in found[1:]:
        dtype = join_dtype(dtype, one)
    return dtype


def constant_matrix(is_old: bool) -> Any:
    """Functions that make a matrix of sizes: eye, identity."""
    def kind(*arguments: Kind, **options: Kind) -> Kind:
        return any_matrix(is_old, _dtype(options=options) if "dtype" in options else
                          "float" if len(arguments) < 4 else None)
    return kind


def converted_matrix(is_old: bool) -> Any:
    """Classes: csr_matrix, csr_array."""
    def kind(*arguments: Kind, **options: Kind) -> Kind:
        return any_matrix(is_old, _dtype(arguments[0], options=options)
                          if len(arguments) == 1 and isinstance(arguments[0], (MatrixKind, Array))
                          else None)
    return kind


def as_the_maker(maker: Any, *arguments: Kind, **options: Kind) -> Kind:
    """What is made by the class or function that is given first, of the numbers that are given
    second."""
    made = getattr(maker, "object", None)
    if made is None:
        return UNKNOWN
    is_class = isinstance(made, type)
    dtype = _dtype(arguments[0], options=options)
    return any_matrix(hasattr(made, "getH") if is_class else not made.__name__.endswith("_array"),
                      dtype if is_class or dtype is None else join_dtype(dtype, "float"))


def some_matrix(*arguments: Kind, **options: Kind) -> Kind:
    """Tangents of matrices, and adjoints of their adjoints: matrices of any class."""
    return any_matrix(None)


def same_matrix(a: Kind, *rest: Kind, **options: Kind) -> Kind:
    """A matrix again: of the class of those that are given."""
    found: Any = next((one for one in (a, *rest) if is_matrix(one)), None)
    if found is None:
        return UNKNOWN
    for one in rest:
        if isinstance(one, MatrixKind):
            found = join_matrices(found, one)
    return any_matrix(is_old(found), _dtype(a, *rest))


def kept_matrix(a: Kind, *rest: Kind, **options: Kind) -> Kind:
    """The same matrix in another format, or some of its elements."""
    return a if is_matrix(a) else UNKNOWN


def cast_matrix(a: Kind, dtype: Kind, *rest: Kind, **options: Kind) -> Kind:
    """A.astype(dtype)"""
    return any_matrix(is_old(a), dtype_named(dtype)) if isinstance(a, MatrixKind) else UNKNOWN


def second_like_it(a: Kind, b: Kind, like: Kind, *rest: Kind, **options: Kind) -> Kind:
    return like if isinstance(like, (MatrixKind, Array)) else UNKNOWN


def joined_matrix(blocks: Kind, *rest: Kind, **options: Kind) -> Kind:
    """hstack, bmat: of the newer class if one of the blocks is."""
    found = _matrices(blocks)
    return any_matrix(_is_old(found) if found else None)


def as_the_blocks(maker: Kind, layout: Kind, parts: Kind, *rest: Kind, **options: Kind) -> Kind:
    return joined_matrix(parts)


def _is_old(found: list[Any]) -> bool | None:
    """Whether what is made of matrices is of the older classes, as it is if all of them are."""
    classes = [is_old(one) if isinstance(one, MatrixKind) else None for one in found]
    return False if False in classes else None if None in classes else True


def _matrices(kind: Kind) -> list[Kind]:
    """The matrices in lists of lists, and what may be one."""
    if isinstance(kind, ListKind):
        return _matrices(kind.item)
    if isinstance(kind, TupleKind):
        return [one for part in kind.items for one in _matrices(part)]
    return [] if isinstance(kind, (Array, Number, Nothing)) else [kind]


def pair_of_matrices(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    """kron: of the newer class if one of the two is."""
    return any_matrix(_is_old(_matrices(TupleKind((a, b)))), _dtype(a, b))


def sum_kind(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    """A matrix, but with a dense array such a one."""
    matrix, other = (a, b) if is_matrix(a) else (b, a)
    if isinstance(other, Number):
        return matrix
    return _dense(2, matrix, _dtype(a, b)) if isinstance(other, Array) else UNKNOWN


def product_kind(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    """a @ b: a matrix if both are."""
    if is_matrix(a) and is_matrix(b):
        return same_matrix(a, b)
    other = b if is_matrix(a) else a
    return Array(other.ndim, _dtype(a, b), new_shape()) \
        if isinstance(other, Array) and other.ndim else Numeric(None)


def dense_kind(a: Kind, *rest: Kind, **options: Kind) -> Kind:
    return Array(2, _dtype(a), new_shape())


def numbers_kind(a: Kind, *rest: Kind, **options: Kind) -> Kind:
    """Some elements of a matrix, one by one."""
    return Array(1, _dtype(a), new_shape())


def one_number(a: Kind, *rest: Kind, **options: Kind) -> Kind:
    """One element of a matrix, or their sum."""
    dtype = _dtype(a)
    return Number(dtype) if dtype in ("float", "complex") else Numeric(None)


def shaped_as_last(*arguments: Kind, **options: Kind) -> Kind:
    """Some elements, or sums of them, in the shape and the type of what stands last."""
    like = arguments[-1]
    if isinstance(like, Number) and like.type in ("float", "complex"):
        return Number(like.type)
    return Array(like.ndim, like.dtype if like.dtype in ("float", "complex") else None,
                 like.shape) if isinstance(like, Array) and like.ndim else UNKNOWN


def total_kind(a: Kind, axis: Kind = NOTHING, *rest: Kind, **options: Kind) -> Kind:
    """A.sum(): a number; along an axis a vector, or an np.matrix."""
    if isinstance(axis, Nothing) and not rest and not options:
        return one_number(a)
    axis = options.get("axis", axis)
    return _dense(1, a, _dtype(a)) if isinstance(value_of(axis), int) else UNKNOWN


def todense_kind(a: Kind, *rest: Kind, **options: Kind) -> Kind:
    """A.todense(): an array, or an np.matrix."""
    return _dense(2, a, _dtype(a))


def np_matrix_kind(*given: Kind, **options: Kind) -> Kind:
    """What np.asmatrix gives."""
    return Other(np.matrix)


def _dense(ndim: int, matrix: Kind, dtype: str | None) -> Kind:
    """What a matrix gives that is dense: an array, or an np.matrix of the older classes."""
    old = is_old(matrix) if isinstance(matrix, MatrixKind) else None
    return UNKNOWN if old is None else Other(np.matrix) if old \
        else Array(ndim, dtype, new_shape())


def no_np_matrix(a: Kind, axis: Kind = NOTHING, *rest: Kind, **options: Kind) \
        -> tuple[str, str] | None:
    """A.sum(axis) of the older classes is no array."""
    axis = options.get("axis", axis)
    if isinstance(axis, Nothing) or (isinstance(a, MatrixKind) and is_old(a) is False):
        return None
    return "sum of a sparse matrix along an axis gives an np.matrix", \
        "write A @ np.ones(A.shape[1]), or use csr_array"


def no_number(a: Kind, other: Kind, **options: Kind) -> tuple[str, str] | None:
    """A.dot(k) and A.multiply(k) of numbers have other rules than of arrays."""
    return None if isinstance(other, (Array, MatrixKind)) else (
        "whether a sparse matrix is multiplied by a number or by an array is not known here",
        "write k * A, or A @ x")


def no_dense_sum(a: Kind, b: Kind, **options: Kind) -> tuple[str, str] | None:
    """A sum with a dense array is an np.matrix for the older classes."""
    matrix, other = (a, b) if is_matrix(a) else (b, a)
    if isinstance(other, Number) or (isinstance(matrix, MatrixKind) and is_old(matrix) is False):
        return None
    return "a sum of a sparse matrix and an array is an np.matrix", \
        "write A.toarray(), or use csr_array"


def solution_kind(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    """spsolve: for a right side of one column it is a vector."""
    if not isinstance(b, Array) or not b.ndim:
        return UNKNOWN
    dtype = join_dtype(_dtype(a, b), "float")
    return Array(1, dtype, b.shape) if b.ndim == 1 else Array(None, dtype)


def like_right_side_kind(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    """What has as many dimensions as the right side."""
    if not isinstance(b, Array) or not b.ndim:
        return UNKNOWN
    return Array(b.ndim, join_dtype(_dtype(a, b), "float"), b.shape)


def iterated_kind(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    """cg and its like: the solution, and whether it was found."""
    return TupleKind((Array(1, join_dtype(_dtype(a, b), "float"), b.shape), INT)) \
        if isinstance(b, Array) and b.ndim == 1 else UNKNOWN


def factors_kind(a: Kind, *rest: Kind, **options: Kind) -> Kind:
    """splu: the factors of SuperLU."""
    from scipy.sparse.linalg import SuperLU
    return MatrixKind(SuperLU, _dtype(a))
