"""Let an array that is a part of something keep its shape and its type where it changes in place.

>>> import numpy as np
>>> from tangent_lite.emit import emit
>>> from tangent_lite.kinds import Array
>>> from tangent_lite.stages import stages
>>> def f(x, y):
...     parts = [x * 2.0, x * 3.0]
...     for k in range(2):
...         parts[k] *= y
...     return np.sum(parts[0])
>>> tree = stages(f, x=Array(1, "float"), y=Array(1, "float")).prepared.tree
>>> written_out(tree.body, lambda thing, name: syntax.load(name))
>>> print(emit(tree), end="")
def f(x, y):
    t = x * 2.0
    t_1 = x * 3.0
    parts = [t, t_1]
    for k in range(2):
        parts_k = parts[k]
        t_2 = fitted(parts_k * y, parts_k)
        parts[k] = t_2
    parts_0 = parts[0]
    f_1 = np.sum(parts_0)
    return f_1

Arrays in lists, dicts and objects are followed as if each were another one from then on:
`parts[k] *= y` is `parts[k] = parts[k] * y`. NumPy computes `*=` in the array itself: what is
larger is an error, and what is of double precision becomes what the array holds. `fit` marks the
operations of which it is not known that both come to the same, and `written_out` puts the helper
there that sees to it, once all else is written.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import kinds, runtime, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array

External = Callable[[Any, str], gast.expr]


def fit(tree: gast.FunctionDef, facts: Inferred, typer: Typer) -> bool:
    """Mark the operations in a tree, in place; whether there is one that may not fit."""
    found = False
    elements: set[str] = set()              # names of parts of arrays
    for node in facts.beside_arithmetic(tree):
        value: Any = getattr(node, "value", None)
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            continue
        if getattr(value, "in_place", False):
            typer.names = facts.before[id(node)]
            elements.discard(node.targets[0].id)
            if isinstance(typer.kind(value.value), Array):
                elements.add(node.targets[0].id)
        elif getattr(value, "of_part", False):
            typer.names = facts.before[id(node)]
            value.may_not_fit = not _fits(value, syntax.root_name(value.left) in elements, typer)
            found |= value.may_not_fit
    return found


def _fits(value: gast.BinOp, of_array: bool, typer: Typer) -> bool:
    """Whether `part + v` is certainly what `part += v` leaves; of_array: the part is one of an
    array, which is written to as such then."""
    part = typer.kind(value.left)
    if not isinstance(part, Array):
        return not _may_be_array(part)
    other, whole = typer.kind(value.right), _sum(value, typer)
    if not part.ndim or part.dtype is None or not isinstance(whole, Array) \
            or whole.dtype != part.dtype:
        return False
    if of_array:                            # NumPy sees to it, where no axis is too many
        return isinstance(other, kinds.Number) or kinds.same_shape(part, whole) or (
            isinstance(other, Array) and other.ndim is not None and other.ndim <= part.ndim)
    return isinstance(value.right, gast.Constant) and type(value.right.value) in (int, float)


def _may_be_array(kind: kinds.Kind) -> bool:
    """Whether what is not known to be an array of NumPy may be one."""
    return not isinstance(kind, kinds.DuckArray) and (
        isinstance(kind, kinds.Numeric) or kind == kinds.UNKNOWN)


def _sum(value: gast.BinOp, typer: Typer) -> kinds.Kind:
    """The kind of an operation that is not in place."""
    return typer.kind(gast.BinOp(value.left, value.op, value.right))


def written_out(body: list[gast.stmt], external: External) -> None:
    """Put the helper where it is needed, in place."""
    for node in syntax.statements(body):
        value: Any = getattr(node, "value", None)
        if value is None or not any(getattr(one, "may_not_fit", False)
                                    for one in syntax.all_of(value, gast.BinOp)):
            continue
        node.value = _Fitted(external).visit(value)


class _Fitted(gast.NodeTransformer):
    def __init__(self, external: External) -> None:
        self.external = external

    def visit_BinOp(self, node: gast.BinOp) -> gast.expr:
        self.generic_visit(node)
        if not getattr(node, "may_not_fit", False):
            return node
        node.may_not_fit = False
        made = syntax.call(self.external(runtime.fitted, "fitted"), node, syntax.copy(node.left))
        return syntax.copy_place(made, node)
