"""Products of arrays, and linear algebra, as NumPy computes them, to the last bit.

Of vectors and matrices of floats that lie in order NumPy and Numba ask the same function of BLAS.
Others NumPy hands to BLAS as they lie, where Numba copies them, and what is written here as loops
(`numba_contractions`) NumPy does by BLAS too, or in another order: these are computed in Python.
"""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types

from tangent_lite.backends.numba_by_numpy import floats, in_python, like, rank
from tangent_lite.backends.numba_functions import ORIGINALS, add_own, is_array
from tangent_lite.backends.numba_overloads import Choice, by_types, own_way, passing
from tangent_lite.backends.numba_products import (
    Letters,
    letters_of_dot,
    letters_of_einsum,
    letters_of_inner,
    letters_of_matmul,
    letters_of_tensordot,
    np_dot,
    np_einsum,
    np_inner,
    np_matmul,
    np_tensordot,
)


def _is_of_floats(*kinds: Any) -> bool:
    return all(is_array(kind) and kind.ndim and kind.dtype == types.float64 for kind in kinds)


def _result(letters: Letters | None) -> Any:
    return None if letters is None else floats(len(letters[1]))


# Two arrays ---------------------------------------------------------------------------------------
def _in_python(function: Any, letters_of: Callable[..., Letters | None]) -> Any:
    """A product of two arrays in Python; letters_of: its letters, by their ranks."""
    return in_python(function, lambda x, y: _result(letters_of(rank(x), rank(y))), "x, y")


def _by_blas(plain: Any, by_numpy: Any) -> Choice:
    """Vectors and matrices that lie in order go to BLAS, by the function that Numba has."""
    def choose(x, y):
        if _is_of_floats(x, y) and (max(x.ndim, y.ndim) > 2 or "A" in (x.layout, y.layout)):
            return lambda x, y: by_numpy(x, y)
        if _is_of_floats(x, y) and {x.layout, y.layout} == {"C", "F"} and x.ndim == y.ndim == 2:
            # Of a matrix and its own transpose NumPy computes one half (syrk).
            return lambda x, y: by_numpy(x, y) if x.ctypes.data == y.ctypes.data \
                and x.shape == y.shape[::-1] else plain(x, y)
        return lambda x, y: plain(x, y)
    return choose


_multiplied = _in_python(operator.matmul, letters_of_matmul)
own_product = by_types(operator.matmul, "own_product")(_by_blas(operator.matmul, _multiplied))
ORIGINALS[own_product] = operator.matmul
own_matmul = own_way(np_matmul, np.matmul, "own_matmul")(_by_blas(np_matmul, _multiplied))
own_dot = own_way(np_dot, np.dot, "own_dot")(
    _by_blas(np_dot, _in_python(np.dot, letters_of_dot)))
_inner = _in_python(np.inner, letters_of_inner)
_contracted = in_python(np.tensordot, lambda x, y, axes: _result(
    letters_of_tensordot(rank(x), rank(y), axes)), "x, y, axes=2")


@own_way(np_inner, np.inner)
def own_inner(x, y):
    return (lambda x, y: _inner(x, y)) if _is_of_floats(x, y) else (lambda x, y: np_inner(x, y))


@own_way(np_tensordot, np.tensordot, prefer_literal=True)
def own_tensordot(x, y, axes=2):
    if _is_of_floats(x, y):
        return lambda x, y, axes=2: _contracted(x, y, axes)
    return lambda x, y, axes=2: np_tensordot(x, y, axes)


# einsum -------------------------------------------------------------------------------------------
def _summed_over_letters(count: int) -> Any:
    """`np.einsum` of so many arrays, computed in Python."""
    names = ", ".join(f"x{k}" for k in range(count))
    rule = passing(f"spec, {names}", _result_of_einsum)
    return in_python(np.einsum, rule, f"spec, {names}")


def _result_of_einsum(spec: Any, *xs: Any) -> Any:
    letters = letters_of_einsum(spec, xs)
    return None if letters is None else floats(len(letters[1]))


_EINSUM = {count: _summed_over_letters(count) for count in (1, 2, 3, 4)}


@own_way(np_einsum, np.einsum, prefer_literal=True)
def own_einsum(spec, *xs):
    parts = tuple(xs[0].types) if len(xs) == 1 and isinstance(xs[0], types.BaseTuple) else xs
    if len(parts) not in _EINSUM or not _is_of_floats(*parts):
        return lambda spec, *xs: np_einsum(spec, *xs)
    names = ", ".join(f"xs[{k}]" for k in range(len(parts)))
    return passing("spec, *xs", _EINSUM[len(parts)], f"spec, {names}")


# Linear algebra -----------------------------------------------------------------------------------
# Numba has other ways to ask LAPACK.
for _function, _rule, _parameters in (
        (np.linalg.inv, like("a"), "a"),
        (np.linalg.pinv, like("a"), "a"),
        (np.linalg.cholesky, like("a"), "a"),
        (np.linalg.det, lambda a: floats(rank(a) - 2), "a"),
        (np.linalg.solve, lambda a, b: floats(
            rank(a) - 1 if rank(b) == 1 else max(rank(a), rank(b))), "a, b")):
    add_own(_function, in_python(_function, _rule, _parameters))
