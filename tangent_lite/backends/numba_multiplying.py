"""Products of vectors and matrices as compiled derivatives compute them where no order of sums is
asked for (`numba_named_products`).

Numba's product counts twelve times who holds its operands, which for small matrices takes longer
than all else. These count nothing (`numba_borrowing`); products of a few hundred numbers are loops,
larger ones go to BLAS, and what is added to an array goes there without an array in between.
"""
from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import linalg

from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_elements import item, put
from tangent_lite.backends.numba_functions import is_array, written_function
from tangent_lite.backends.numba_memory import extent, meet
from tangent_lite.backends.numba_overloads import by_types
from tangent_lite.backends.numba_products import np_dot

_SMALL = 128                    # products of numbers; BLAS takes longer to begin than to do these


# Calls of BLAS ------------------------------------------------------------------------------------
_BYTE, _PLACE = ir.IntType(8), ir.IntType(8).as_pointer()


def _call(context: Any, builder: Any, name: str, letters: list[str], rest: list[Any]) -> None:
    """Call one of the functions by which Numba calls BLAS."""
    linalg.ensure_blas()
    args = [*(ir.Constant(_BYTE, ord(letter)) for letter in letters), *rest]
    function = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(ir.IntType(32), [arg.type for arg in args]), name)
    linalg.check_blas_return(context, builder, builder.call(function, args))


def _slot(context: Any, builder: Any, value: Any) -> Any:
    """Where a number lies, as BLAS is told one."""
    return builder.bitcast(cgutils.alloca_once_value(builder, value), _PLACE)


class _Operand:
    """An array that lies in order, as BLAS sees it."""

    def __init__(self, context: Any, builder: Any, kind: Any, value: Any) -> None:
        array = context.make_array(kind)(context, builder, value)
        self.shape = cgutils.unpack_tuple(builder, array.shape, kind.ndim)
        self.data = builder.bitcast(array.data, _PLACE)
        self.is_c = kind.layout == "C"
        self.lead = self.shape[-1] if self.is_c else self.shape[0]


@intrinsic
def _by_blas(typingctx, out, x, y, factor, kept):
    """out = factor * x @ y + kept * out, for arrays that lie in order, of sizes other than 0."""
    def generate(context, builder, signature, args):
        o, a, b = (_Operand(context, builder, kind, value)
                   for kind, value in zip(signature.args[:3], args[:3]))
        alpha, beta = (_slot(context, builder, value) for value in args[3:])
        # Of what lies in C's order BLAS sees the transpose.
        if len(o.shape) == 2:
            first, second = (b, a) if o.is_c else (a, b)
            rows, columns = o.shape[::-1] if o.is_c else o.shape
            letters = ["d", *("n" if one.is_c == o.is_c else "t" for one in (first, second))]
            _call(context, builder, "numba_xxgemm", letters, [
                rows, columns, a.shape[1], alpha, first.data, first.lead, second.data, second.lead,
                beta, o.data, o.lead])
        else:
            matrix, vector = (a, b) if len(a.shape) == 2 else (b, a)
            rows, columns = matrix.shape[::-1] if matrix.is_c else matrix.shape
            letters = ["d", "t" if matrix.is_c == (matrix is a) else "n"]
            _call(context, builder, "numba_xxgemv", letters, [
                rows, columns, alpha, matrix.data, matrix.lead, vector.data, beta, o.data])
        return context.get_dummy_value()
    return types.void(out, x, y, types.float64, types.float64), generate


# Products -----------------------------------------------------------------------------------------
@by_types(operator.matmul)
def times(x, y):
    """x @ y"""
    return _product(x, y) if _is_plain(x, y) else lambda x, y: x @ y


@by_types(np.dot)
def dot_times(x, y):
    """np.dot(x, y)"""
    return _product(x, y) if _is_plain(x, y) else lambda x, y: np_dot(x, y)


def add_product(out, x, y, factor):
    """out += factor * (x @ y), where factor is one or minus one"""
    out += factor * (x @ y)


def _is_plain(*kinds: Any) -> bool:
    """Whether these are vectors and matrices of floats."""
    return all(is_array(kind) and kind.dtype == types.float64 and kind.ndim in (1, 2)
               and kind.aligned for kind in kinds)


def _product(x: Any, y: Any) -> Any:
    shape = _result_shape(x, y)
    if not shape:
        long = [f"    if x.shape[0] > {_SMALL}:", "        return np.dot(x, y)"] \
            if x.layout == y.layout == "C" else []
        return _written("def product(x, y):", [
            *_looks(x, y), *long, "    total = 0.0", "    for k in range(x.shape[0]):",
            "        total += item(x, k) * item(y, k)", "    return total"])
    return _written("def product(x, y):", [
        *_looks(x, y), f"    out = np.empty(({', '.join(shape)},))",
        *_lines(x, y, True, False), "    return out"])


@overload(add_product)
def _add_product(out, x, y, factor):
    if not is_array(out):
        return None
    head = "def add_product(out, x, y, factor):"
    shape = _result_shape(x, y) if _is_plain(out, x, y) and out.mutable else []
    if not shape or out.ndim != len(shape):
        return _written(head, ["    out += factor * times(x, y)"])
    fits = [f"out.shape[{axis}] == {size}" for axis, size in enumerate(shape)]
    fits += [f"not meet(extent(out), extent({name}))" for name in ("x", "y")]
    return _written(head, [
        *_looks(x, y), f"    if not ({' and '.join(fits)}):",
        "        out += factor * times(x, y)", "        return",
        *_lines(x, y, out.layout in "CF", True)])


def _written(head: str, lines: list[str]) -> Any:
    return written_function([head, *lines], {
        "np": np, "item": item, "put": put, "meet": meet, "extent": extent, "times": times,
        "by_blas": _by_blas})


def _result_shape(x: Any, y: Any) -> list[str]:
    """The sizes of x @ y."""
    return ["x.shape[0]"] * (x.ndim == 2) + ["y.shape[1]"] * (y.ndim == 2)


def _looks(x: Any, y: Any) -> list[str]:
    return [f"    if x.shape[{x.ndim - 1}] != y.shape[0]:",
            "        raise ValueError('sizes of what is multiplied do not fit each other')"]


def _lines(x: Any, y: Any, is_in_order: bool, adds: bool) -> list[str]:
    """The lines that put x @ y into `out`, or add `factor` times that.

    is_in_order: whether BLAS may write into `out`.
    """
    shape = _result_shape(x, y)
    index = ["i"] * (x.ndim == 2) + ["j"] * (y.ndim == 2)
    left, right = ", ".join(["i", "k"][2 - x.ndim:]), ", ".join(["k", "j"][:y.ndim])
    loops = _in_rows(index, shape, left, right, x, y, adds) or _by_element(
        index, shape, left, right, adds)
    if not is_in_order:
        return [f"    {line}" for line in loops]
    given = [name if kind.layout in "CF" else f"np.ascontiguousarray({name})"
             for name, kind in (("x", x), ("y", y))]
    few = " * ".join([*shape, "y.shape[0]"])
    return [f"    if {few} <= {_SMALL}:", *(f"        {line}" for line in loops), "    else:",
            f"        by_blas(out, {', '.join(given)}, {'factor, 1.0' if adds else '1.0, 0.0'})"]


def _by_element(index: list[str], shape: list[str], left: str, right: str, adds: bool) -> list[str]:
    """Loops with a sum for each element."""
    place = ", ".join(index)
    value = f"item(out, {place}) + factor * total" if adds else "total"
    deep = "    " * len(shape)
    return [*_nested(index, shape), f"{deep}total = 0.0", f"{deep}for k in range(y.shape[0]):",
            f"{deep}    total += item(x, {left}) * item(y, {right})",
            f"{deep}put(out, {value}, {place})"]


def _in_rows(index: list[str], shape: list[str], left: str, right: str, x: Any, y: Any,
             adds: bool) -> list[str]:
    """Loops that add multiples of rows of y, or of columns of x, which lie in order: the processor
    takes several of their elements at a time. No lines if neither does."""
    if y.ndim == 2 and y.layout == "C":
        inner, one, row = "j", f"item(x, {left})", f"item(y, {right})"
    elif x.ndim == 2 and x.layout == "F":
        inner, one, row = "i", f"item(y, {right})", f"item(x, {left})"
    else:
        return []
    place = ", ".join(index)
    deep = "    " * len(shape)
    sizes = dict(zip(index, shape))
    outer = [name for name in index if name != inner]
    order = [*outer, "k", inner]
    lines = [] if adds else [*_nested(index, shape), f"{deep}put(out, 0.0, {place})"]
    lines += _nested(order[:-1], [*(sizes[name] for name in outer), "y.shape[0]"])
    return [*lines, f"{deep}one = {'factor * ' if adds else ''}{one}",
            f"{deep}for {inner} in range({sizes[inner]}):",
            f"{deep}    put(out, item(out, {place}) + one * {row}, {place})"]


def _nested(index: list[str], sizes: list[str]) -> list[str]:
    return [f"{'    ' * depth}for {name} in range({size}):"
            for depth, (name, size) in enumerate(zip(index, sizes))]
