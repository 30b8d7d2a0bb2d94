"""Products of arrays, and linear algebra, as NumPy computes them, to the last bit.

Of vectors and matrices of floats that lie in order NumPy and Numba ask the same function of BLAS.
Others NumPy hands to BLAS as they lie, where Numba copies them, and what is written here as loops
(`numba_contractions`) NumPy does by BLAS too, or in another order: these are computed in Python.
"""
from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numba import types

from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_by_numpy import by_numpy, floats, like, rank
from tangent_lite.backends.numba_functions import ORIGINALS, add_own, is_array
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


def _axes(letters: Letters | None) -> Any:
    return None if letters is None else floats(len(letters[1]))


# Two arrays ---------------------------------------------------------------------------------------
def multiplied(x, y):
    """A product of matrices, computed in Python."""
    return x @ y


def dotted(x, y):
    """np.dot, computed in Python."""
    return np.dot(x, y)


def inner(x, y):
    """np.inner, computed in Python."""
    return np.inner(x, y)


def contracted(x, y, axes=2):
    """np.tensordot, computed in Python."""
    return np.tensordot(x, y, axes)


by_numpy(multiplied, lambda x, y: _axes(letters_of_matmul(rank(x), rank(y))))
by_numpy(dotted, lambda x, y: _axes(letters_of_dot(rank(x), rank(y))))
by_numpy(inner, lambda x, y: _axes(letters_of_inner(rank(x), rank(y))))
by_numpy(contracted, lambda x, y, axes: _axes(letters_of_tensordot(rank(x), rank(y), axes)))


def own_product(x, y):
    """x @ y"""
    return x @ y


def own_matmul(x, y):
    """np.matmul"""
    return np.matmul(x, y)


def own_dot(x, y):
    """np.dot"""
    return np.dot(x, y)


def own_inner(x, y):
    """np.inner"""
    return np.inner(x, y)


def own_tensordot(x, y, axes=2):
    """np.tensordot"""
    return np.tensordot(x, y, axes)


def _overload(own: Any, plain: Any, in_python: Any) -> None:
    """Vectors and matrices that lie in order go to BLAS, by the function that Numba has."""
    @overload(own)
    def typed(x, y):
        if _is_of_floats(x, y) and (max(x.ndim, y.ndim) > 2 or "A" in (x.layout, y.layout)):
            return lambda x, y: in_python(x, y)
        if _is_of_floats(x, y) and {x.layout, y.layout} == {"C", "F"} and x.ndim == y.ndim == 2:
            # Of a matrix and its own transpose NumPy computes one half (syrk).
            return lambda x, y: in_python(x, y) if x.ctypes.data == y.ctypes.data \
                and x.shape == y.shape[::-1] else plain(x, y)
        return lambda x, y: plain(x, y)


_overload(own_product, operator.matmul, multiplied)
_overload(own_matmul, np_matmul, multiplied)
_overload(own_dot, np_dot, dotted)
for _plain, _own in ((np_matmul, own_matmul), (np_dot, own_dot), (np_inner, own_inner),
                     (np_tensordot, own_tensordot)):
    add_own(_plain, _own)
ORIGINALS[own_product] = operator.matmul


@overload(own_inner)
def _own_inner(x, y):
    return (lambda x, y: inner(x, y)) if _is_of_floats(x, y) else (lambda x, y: np_inner(x, y))


@overload(own_tensordot, prefer_literal=True)
def _own_tensordot(x, y, axes=2):
    if _is_of_floats(x, y):
        return lambda x, y, axes=2: contracted(x, y, axes)
    return lambda x, y, axes=2: np_tensordot(x, y, axes)


# einsum -------------------------------------------------------------------------------------------
def _summed_over_letters(count: int) -> Any:
    """`np.einsum` of so many arrays, computed in Python."""
    names = ", ".join(f"x{k}" for k in range(count))
    space: dict[str, Any] = {"np": np, "__name__": __name__}
    exec(f"def einsum_of_{count}(spec, {names}):\n"
         f"    return np.einsum(spec, {names})\n\n"
         f"def rule(spec, {names}):\n"
         f"    return result(spec, ({names},))", {"result": _result, **space}, space)
    by_numpy(space[f"einsum_of_{count}"], space["rule"])
    return space[f"einsum_of_{count}"]


def _result(spec: Any, xs: Any) -> Any:
    letters = letters_of_einsum(spec, xs)
    return None if letters is None else floats(len(letters[1]))


_EINSUM = {count: _summed_over_letters(count) for count in (1, 2, 3, 4)}


def own_einsum(spec, *xs):
    """np.einsum"""
    return np.einsum(spec, *xs)


@overload(own_einsum, prefer_literal=True)
def _own_einsum(spec, *xs):
    parts = tuple(xs[0].types) if len(xs) == 1 and isinstance(xs[0], types.BaseTuple) else xs
    if len(parts) not in _EINSUM or not _is_of_floats(*parts):
        return lambda spec, *xs: np_einsum(spec, *xs)
    names = ", ".join(f"xs[{k}]" for k in range(len(parts)))
    space = {"run": _EINSUM[len(parts)]}
    exec(f"def typed(spec, *xs): return run(spec, {names})", space)
    return space["typed"]


add_own(np_einsum, own_einsum)


# Linear algebra -----------------------------------------------------------------------------------
def _called(function: Any, parameters: str, rule: Any) -> None:
    """A function of np.linalg, of which Numba has another way to ask LAPACK, in Python."""
    space: dict[str, Any] = {"function": function, "__name__": __name__}
    name = f"own_{function.__name__}"
    exec(f"def {name}({parameters}):\n    return function({parameters})", space)
    by_numpy(space[name], rule)
    add_own(function, space[name])


_called(np.linalg.inv, "a", like("a"))
_called(np.linalg.pinv, "a", like("a"))
_called(np.linalg.cholesky, "a", like("a"))
_called(np.linalg.det, "a", lambda a: floats(rank(a) - 2))
_called(np.linalg.solve, "a, b", lambda a, b: floats(
    rank(a) - 1 if rank(b) == 1 else max(rank(a), rank(b))))
