"""Kinds of matrices of scipy.sparse: whether one is of the older classes, for which `*` is the
product of matrices, is all that is told apart. Their format may be any.
"""
from __future__ import annotations

import sys
from typing import Any

import gast

from tangent_lite.kinds.classes import (
    DTYPES,
    INT,
    UNKNOWN,
    Array,
    Kind,
    MatrixKind,
    Number,
    Numeric,
    TupleKind,
)
from tangent_lite.kinds.reading import join_dtype, value_of
from tangent_lite.runtime.sparse import is_sparse


def matrix_kind(value: Any) -> MatrixKind | None:
    """The kind of a matrix of scipy.sparse; None of anything else."""
    if isinstance(value, dict) or not is_sparse(value) or len(value.shape) != 2:
        return None
    return any_matrix(hasattr(type(value), "getH"), DTYPES.get(value.dtype.kind))


def any_matrix(is_old: bool | None, dtype: str | None = None) -> MatrixKind:
    """The kind of matrices of the older classes (csr_matrix), or of the newer (csr_array); None: of
    any, for which coo_array stands."""
    module: Any = sys.modules["scipy.sparse"]
    return MatrixKind(module.coo_array if is_old is None else
                      module.csr_matrix if is_old else module.csr_array, dtype)


def is_old(kind: MatrixKind) -> bool | None:
    """Whether `*` is the product of matrices; None where that is not known."""
    return None if kind.type.__name__ == "coo_array" else hasattr(kind.type, "getH")


def join_matrices(a: MatrixKind, b: MatrixKind) -> Kind:
    """What holds of a matrix that is of the one kind or of the other."""
    if a == b:
        return a
    dtype = join_dtype(a.dtype, b.dtype)
    if a.type is b.type:
        return a if a.dtype == dtype else MatrixKind(a.type, dtype)
    return any_matrix(None, dtype) if is_matrix(a) and is_matrix(b) else UNKNOWN


def is_matrix(kind: Any) -> bool:
    """Whether a value is a matrix of scipy.sparse, and not the factors of one.

    >>> is_matrix(Number("float"))
    False
    """
    return isinstance(kind, MatrixKind) and hasattr(kind.type, "tocsr")


def of_matrix(kind: MatrixKind, name: str) -> Kind:
    """The kind of an attribute of a matrix."""
    if name == "T" and is_matrix(kind):
        return kind
    if name == "shape":
        return TupleKind((INT, INT))
    if name in ("indices", "indptr", "row", "col", "offsets"):
        return Array(1, "int")
    return INT if name in ("nnz", "ndim", "size") else \
        Array(None, kind.dtype) if name == "data" else UNKNOWN


def _product_of(left: Any, right: Any) -> str | None:
    """What `*` stands for between two matrices."""
    kinds = {is_old(left), is_old(right)}
    return "product" if kinds == {True} else "multiplied" if kinds == {False} else None


_MIXED = {"added": "summed", "subtracted": "lessened"}       # with what is no sparse matrix
_SAME = {gast.Add: "added", gast.Sub: "subtracted", gast.MatMult: "product"}


def operator_of_matrices(op: gast.AST, left: Kind, right: Kind) -> str | None:
    """What an operator with a matrix stands for; None where that is not known, or nothing that has
    a derivative.

    >>> operator_of_matrices(gast.Mult(), Number("float"), Number("float"))
    """
    same = _SAME.get(type(op))
    if is_matrix(left) and is_matrix(right):
        return same or (_product_of(left, right) if isinstance(op, gast.Mult) else None)
    if not is_matrix(left) and not is_matrix(right):
        return None
    matrix, other = (left, right) if is_matrix(left) else (right, left)
    applied = "applied" if matrix is left else "applied_right"
    if isinstance(other, Number) or (isinstance(other, Array) and other.ndim == 0):
        if isinstance(op, gast.Mult):
            return "scaled"
        if isinstance(op, gast.Div) and matrix is left:
            return "divided"
        return _MIXED.get(same or "") if value_of(other) == 0 else None
    if isinstance(other, Array) and other.ndim is not None:
        if isinstance(op, gast.Mult):
            return applied if _product_of(matrix, matrix) == "product" else \
                _product_of(matrix, matrix)
        return applied if same == "product" else _MIXED.get(same or "")
    return applied if same == "product" and isinstance(other, (Array, Numeric)) else same \
        if same == "product" else None
