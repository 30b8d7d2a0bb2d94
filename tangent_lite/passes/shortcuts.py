"""Note where NumPy has a shorter way to the same in the backward pass.

`a @ b` finds out first what is to be multiplied, and `np.zeros_like(x)` is a function of Python's:
of small arrays that takes longer than the work. Of vectors and matrices `a.dot(b)` is the same, of
a vector `np.zeros(x.shape, x.dtype)`. The sign of one number is told by comparing it, and what is
multiplied by that stays a float of Python's, as the numbers around it. The text says what one
reads; `polish/shortcuts` goes the shorter way in what is compiled. What gives the value stays as it
is: that is to have every bit, and the type, of the value of the function.

>>> from tangent_lite.kinds import Array
>>> body = gast.parse('''
... bx = np.zeros_like(x)
... bt = bs * (x @ y)
... bu = M @ x
... br = bt * np.sign(r)
... ''').body
>>> import numpy as np
>>> vector, matrix = Array(1, "float"), Array(2, "float")
>>> known = {"x": vector, "y": vector, "M": matrix, "r": kinds.FLOAT}
>>> shortcuts(body, Typer({}, {"np": np}.get), known, {})
>>> sorted(node.shorter for node in syntax.all_of(gast.Module(body, []), gast.BinOp, gast.Call)
...        if hasattr(node, "shorter"))
['dot', 'dot', 'sign', 'zeros']
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.inference import Typer

ZEROS, DOT, SIGN = "zeros", "dot", "sign"


def shortcuts(body: list[gast.stmt], typer: Typer, variables: dict[str, kinds.Kind],
              adjoints: dict[str, kinds.Kind]) -> None:
    """Mark the products, zeros and signs of statements that go backwards, or that are of tangents;
    variables, adjoints: the kinds of names.

    The adjoint of an array may be a number, where all elements have the same: `@` takes none, but
    zeros may be like one.
    """
    has_arrays = any(kind.__class__ is kinds.Array for kind in variables.values())
    typer.names = Scopes(variables, adjoints)
    for node in syntax.all_of(gast.Module(body, []), gast.BinOp, gast.Call) if has_arrays \
            else syntax.all_of(gast.Module(body, []), gast.Call):
        if isinstance(node, gast.BinOp):
            if isinstance(node.op, gast.MatMult) and _is_array(typer.kind(node.left), 1, 2) \
                    and _is_array(typer.kind(node.right), 1, 2):
                node.shorter = DOT
        elif len(node.args) == 1 and not node.keywords and isinstance(node.args[0], gast.Name) \
                and node.args[0].id in variables and isinstance(node.func, gast.Attribute):
            if node.func.attr == "zeros_like" and typer.object_of(node.func) is np.zeros_like \
                    and _is_array(typer.kind(node.args[0]), 1):
                node.shorter = ZEROS
            elif node.func.attr == "sign" and typer.object_of(node.func) is np.sign \
                    and _is_float(typer.kind(node.args[0])):
                node.shorter = SIGN


def _is_array(kind: Any, *ranks: int) -> bool:
    return isinstance(kind, kinds.Array) and kind.ndim in ranks and kind.dtype in (
        "float", "complex")


def _is_float(kind: Any) -> bool:
    return isinstance(kind, kinds.Number) and kind.type == "float"
