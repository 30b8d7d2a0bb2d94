"""Small words of what is written in place of a helper (`lowering`)."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array, Number, dtype_of
from tangent_lite.shapes.sizes import ONE, NotAssumed, Sizes

External = Callable[[Any, str], gast.expr]
Lowering = Callable[[gast.Call, Typer, External], "gast.expr | None"]
_REAL = ("bool", "int", "float")


def numpy_name(external: External, name: str) -> gast.expr:
    return syntax.attribute(external(np, "np"), name)


def option(call: gast.Call, place: int, name: str) -> gast.expr | None:
    """The argument of a call that is given by its place or by its name."""
    if len(call.args) > place:
        return call.args[place]
    return next((k.value for k in call.keywords if k.arg == name), None)


def rank_of(typer: Typer, node: gast.expr) -> int | None:
    kind = typer.kind(node)
    return kind.ndim if isinstance(kind, Array) else None


def is_number(typer: Typer, *nodes: gast.expr) -> bool:
    return all(isinstance(typer.kind(n), Number) for n in nodes)


def is_real(typer: Typer, node: gast.expr) -> bool:
    return dtype_of(typer.kind(node)) in _REAL


def transpose_of(node: gast.expr) -> gast.expr:
    return syntax.attribute(node, "T")


def compare(left: gast.expr, operator: gast.cmpop, right: gast.expr) -> gast.expr:
    return gast.Compare(syntax.copy(left), [operator], [syntax.copy(right)])


def if_else(test: gast.expr, then: gast.expr, otherwise: gast.expr) -> gast.expr:
    return gast.IfExp(test, then, otherwise)


def half_of(node: gast.expr) -> gast.expr:
    return syntax.binary(syntax.constant(0.5), "*", syntax.copy(node))


def matrix_times_vector(matrix: gast.expr, vector: gast.expr) -> gast.expr:
    """`matrix @ vector`, marked for what is known of both."""
    made = syntax.binary(matrix, "@", vector)
    made.matrix = "left"                # which may be a transpose, and then is read itself
    return made


def vector_times_matrix(vector: gast.expr, matrix: gast.expr) -> gast.expr:
    """`v @ x`, that is `x.T @ v`: a vector is a row and a column."""
    made = syntax.binary(vector, "@", matrix)
    made.matrix = "right"
    return made


def column_times_row(column: gast.expr, row: gast.expr) -> gast.expr:
    """`column[:, None] * row` of two vectors: their outer product, in half the time of np.outer."""
    index = syntax.tuple_of([gast.Slice(None, None, None), syntax.constant(None)])
    made = syntax.subscript(column, index)
    made.is_column = True               # of a vector: a loop may add such up (see gathered.py)
    return syntax.binary(made, "*", row)


def has_elements(shape: Any, axis: int | None) -> bool:
    """Whether an array has elements along an axis, or at all. What a mask leaves may be nothing."""
    if not isinstance(shape, Sizes):
        return False
    axes = shape.axes if axis is None else shape.axes[axis:][:1]
    try:
        return all(not size.is_free and size.is_at_least(ONE) for size in axes)
    except NotAssumed:
        return False
