"""Note where NumPy has a shorter way to the same in the backward pass.

`a @ b` finds out first what is to be multiplied, and `np.zeros_like(x)` is a function of Python's:
of small arrays that takes longer than the work. Of vectors and matrices `a.dot(b)` is the same, of
a vector `np.zeros(x.shape, x.dtype)`. The text says what one reads; `polish/shortcuts` goes the
shorter way in what is compiled. The forward pass stays as it is: there a result is to have every
bit of that of the function.

>>> from tangent_lite.kinds import Array
>>> body = gast.parse('''
... bx = np.zeros_like(x)
... bt = bs * (x @ y)
... bu = M @ x
... ''').body
>>> import numpy as np
>>> vector, matrix = Array(1, "float"), Array(2, "float")
>>> shortcuts(body, Typer({}, {"np": np}.get), {"x": vector, "y": vector, "M": matrix}, {})
>>> sorted(node.shorter for node in syntax.all_of(gast.Module(body, []), gast.BinOp, gast.Call)
...        if hasattr(node, "shorter"))
['dot', 'dot', 'zeros']
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.inference import Typer

ZEROS, DOT = "zeros", "dot"


def shortcuts(body: list[gast.stmt], typer: Typer, variables: dict[str, kinds.Kind],
              adjoints: dict[str, kinds.Kind]) -> None:
    """Mark the products and the zeros of a backward pass; variables, adjoints: the kinds of names.

    The adjoint of an array may be a number, where all elements have the same: `@` takes none, but
    zeros may be like one.
    """
    if not any(kind.__class__ is kinds.Array for kind in variables.values()):
        return
    typer.names = Scopes(variables, adjoints)
    for node in syntax.all_of(gast.Module(body, []), gast.BinOp, gast.Call):
        if isinstance(node, gast.BinOp):
            if isinstance(node.op, gast.MatMult) and _is_array(typer.kind(node.left), 1, 2) \
                    and _is_array(typer.kind(node.right), 1, 2):
                node.shorter = DOT
        elif len(node.args) == 1 and not node.keywords and isinstance(node.args[0], gast.Name) \
                and node.args[0].id in variables \
                and isinstance(node.func, gast.Attribute) and node.func.attr == "zeros_like" \
                and typer.object_of(node.func) is np.zeros_like \
                and _is_array(typer.kind(node.args[0]), 1):
            node.shorter = ZEROS


def _is_array(kind: Any, *ranks: int) -> bool:
    return isinstance(kind, kinds.Array) and kind.ndim in ranks and kind.dtype in (
        "float", "complex")
