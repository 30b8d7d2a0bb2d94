"""In which order NumPy adds up the products of a small matrix product, to the last bit.

BLAS begins where it likes, and multiplies and adds at once, without rounding in between, or not:
which it does depends on the shapes, on how the arrays lie in memory, and on the processor.
`order_of` asks NumPy itself, with numbers drawn at random, and knows an order only if all of them
agree with it; the fused product is computed by fractions there, and by one instruction in compiled
code.
"""
from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import intrinsic

_SAMPLES = 60
# How an array may lie: by rows, by columns, or nobody knows.
ROWS, COLUMNS, SOMEHOW = "rows", "columns", "somehow"


@intrinsic
def fused(typingctx, x, y, total):
    """x * y + total, rounded once."""
    def generate(context, builder, signature, args):
        real = context.get_value_type(types.float64)
        values = [context.cast(builder, value, kind, types.float64)
                  for value, kind in zip(args, signature.args)]
        assert all(value.type == real for value in values)
        return builder.fma(*values)
    return types.float64(types.float64, types.float64, types.float64), generate


class Order(NamedTuple):
    """Which products are added up first, and whether those behind the first are fused."""
    places: tuple[int, ...]
    is_fused: bool


@functools.cache
def order_of(left: tuple[int, ...], right: tuple[int, ...], layouts: tuple[str, str]) \
        -> Order | None:
    """The order in which each element of `x @ y` takes the products, for arrays of these shapes
    which lie like that; None if it is none of ours, or not always the same."""
    generator = np.random.default_rng(0)
    orders = [Order(places, is_fused) for is_fused in (True, False)
              for places in itertools.permutations(range(left[-1]))]
    for _ in range(_SAMPLES):
        for x, y in _pairs(left, right, layouts, generator):
            rows = x if x.ndim > 1 else x[None]
            columns = y if y.ndim > 1 else y[:, None]
            for found in (x @ y, np.dot(x, y)):
                table = np.reshape(found, (rows.shape[0], columns.shape[1]))
                orders = [order for order in orders if all(
                    _summed(rows[i], columns[:, j], order) == table[i, j]
                    for i, j in np.ndindex(*table.shape))]
            if not orders:
                return None
    return orders[0]


def _pairs(left: tuple[int, ...], right: tuple[int, ...], layouts: tuple[str, str],
           generator: np.random.Generator) -> Iterator[tuple[Any, Any]]:
    """Arrays of these shapes, as they may lie in memory."""
    for x in _lying(generator.normal(size=left), layouts[0]):
        for y in _lying(generator.normal(size=right), layouts[1]):
            yield x, y
        # Of a product with its own transpose one half is computed.
        if len(left) == 2 and right == left[::-1] and layouts != (ROWS, ROWS):
            yield x, x.T


def _lying(x: Any, layout: str) -> list[Any]:
    by_columns = np.asfortranarray(x)
    if layout == ROWS:
        return [x]
    if layout == COLUMNS:
        return [by_columns]
    apart = np.zeros([2 * size for size in x.shape])
    apart[tuple([slice(None, None, 2)] * x.ndim)] = x
    backwards = x[::-1].copy()[::-1]
    return [x, by_columns, apart[tuple([slice(None, None, 2)] * x.ndim)], backwards]


def _summed(x: Sequence[float], y: Sequence[float], order: Order) -> float:
    first, *others = order.places
    total = x[first] * y[first]
    for k in others:
        if order.is_fused:
            total = float(Fraction(float(x[k])) * Fraction(float(y[k])) + Fraction(float(total)))
        else:
            total = total + x[k] * y[k]
    return total
