"""How small arrays would lie in memory, if they were arrays: it decides how NumPy multiplies them.

What is written out, made of zeros or multiplied lies by rows, and a vector that is computed in one
piece; what is computed of arrays that lie by rows does, too.
"""
from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import gast
import numpy as np

from tangent_lite import runtime, syntax
from tangent_lite.backends import numba_words as words
from tangent_lite.backends.numba_functions import OWN
from tangent_lite.backends.numba_lists import list_of
from tangent_lite.backends.numba_making import made_array, np_array
from tangent_lite.backends.numba_own_elements import own_power, own_square
from tangent_lite.backends.numba_own_products import own_dot, own_matmul, own_product
from tangent_lite.backends.numba_shapes import copy_of
from tangent_lite.backends.numba_small_products import COLUMNS, ROWS, SOMEHOW
from tangent_lite.kinds import Array, Kind, Number

_BY_ROWS = {made_array, np.zeros, np.ones, np.eye, np.identity, words.SUM, *words.DOTS, own_product,
            own_matmul, own_dot}
# Those of which a result lies as the arguments do.
_ALIKE = {*words.ELEMENTWISE, *words.ZEROS, words.WHERE, np_array, copy_of, runtime.copied,
          words.APART, own_square, own_power}
Means = Callable[[gast.expr], Any]


def names_by_rows(tree: gast.FunctionDef, names: Collection[str], meant: Means,
                  kind: Callable[[gast.expr], Kind]) -> frozenset[str]:
    """Those of the names, of arrays and of lists of arrays, that surely lie by rows."""
    bindings = [(node.targets[0].id, node.value) for node in syntax.statements(tree.body)
                if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)]
    for node in syntax.statements(tree.body):
        value: Any = getattr(node, "value", None)
        if isinstance(node, gast.Expr) and isinstance(value, gast.Call) and value.args \
                and isinstance(value.func, gast.Attribute) \
                and isinstance(value.func.value, gast.Name) and value.func.attr == "append":
            bindings.append((value.func.value.id, value.args[0]))
    found = frozenset(names)
    while True:
        gone = {name for name, value in bindings if name in found
                and not isinstance(value, gast.List)
                and layout_of(value, found, meant, kind) != ROWS}
        if not gone:
            return found
        found -= gone


def layout_of(node: gast.expr, by_rows: Collection[str], meant: Means,
              kind: Callable[[gast.expr], Kind]) -> str:
    """How an array lies; by_rows: the names that surely do so by rows."""
    def layout(part: gast.expr) -> str:
        return layout_of(part, by_rows, meant, kind)

    if isinstance(node, gast.Name):
        return ROWS if node.id in by_rows else SOMEHOW
    if isinstance(node, gast.Attribute) and node.attr == "T":
        turned = {ROWS: COLUMNS, COLUMNS: ROWS, SOMEHOW: SOMEHOW}
        return layout(node.value) if _rank(kind(node)) == 1 else turned[layout(node.value)]
    tape = list_of(node, "pop", 0)
    if tape is not None:
        return ROWS if tape in by_rows else SOMEHOW
    parts: list[gast.expr] = []
    if isinstance(node, gast.BinOp):
        if isinstance(node.op, gast.MatMult):
            return ROWS
        parts = [node.left, node.right]
    elif isinstance(node, gast.UnaryOp):
        parts = [node.operand]
    elif isinstance(node, gast.Call):
        function = meant(node.func)
        plain = next((one for one, own in OWN.items() if own is function), function)
        if function is None or not any(function is one or plain is one
                                       for one in (*_BY_ROWS, *_ALIKE)):
            return SOMEHOW
        if any(function is one or plain is one for one in _BY_ROWS):
            return ROWS
        parts = node.args
    else:
        return SOMEHOW
    if _rank(kind(node)) == 1 and not (isinstance(node, gast.Call) and (
            meant(node.func) is words.APART)):
        return ROWS                                     # it is made here, in one piece
    arrays = [part for part in parts if not isinstance(kind(part), Number)]
    return ROWS if all(layout(part) == ROWS for part in arrays) else SOMEHOW


def _rank(kind: Kind) -> int | None:
    return kind.ndim if isinstance(kind, Array) else None
