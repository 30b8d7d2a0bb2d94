"""Write sums over axes for `unbroadcast`, where the sizes of both arrays are known.

>>> from tangent_lite.inference import Typer
>>> from tangent_lite.shapes.assumptions import Assumptions
>>> from tangent_lite.emit import emit
>>> assumed = Assumptions()
>>> names = {n: kinds.Array(len(shape), "float", assumed.sizes_of(n, shape))
...          for n, shape in (("by", (5, 3)), ("b", (3,)), ("c", (5, 1)))}
>>> node = gast.parse("b, c = unbroadcast(by, b), unbroadcast(by, c)").body[0]
>>> sum_axes(node, Typer(names, {}.get), lambda thing, wish: syntax.load(wish))
>>> print(emit(node), end="")
b, c = np.sum(by, axis=0), np.sum(by, axis=1, keepdims=True)
>>> node = gast.parse("v = -unbroadcast(by, c)[:, 0]").body[0]
>>> sum_axes(node, Typer(names, {}.get), lambda thing, wish: syntax.load(wish))
>>> print(emit(node), end="")
v = -np.sum(by, axis=1)
>>> assumed.noted
['b.shape[0] == by.shape[1]', 'c.shape[0] == by.shape[0]', 'c.shape[1] == 1']
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.inference import Typer
from tangent_lite.minus import leading_minus
from tangent_lite.shapes.sizes import Sizes, summed_axes


def sum_axes(node: gast.AST, typer: Typer, external: Callable[[Any, str], gast.expr]) -> None:
    """Replace the calls within a node, in place."""
    for field in node._fields:              # not `vars`: a node may refer to where it came from
        value = getattr(node, field, None)
        for number, part in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(part, gast.AST):
                continue
            sum_axes(part, typer, external)
            made = _summed(part, typer, external) or _without_axes(part)
            if made is None:
                continue
            if isinstance(value, list):
                value[number] = made
            else:
                setattr(node, field, made)


def _summed(call: gast.AST, typer: Typer,
            external: Callable[[Any, str], gast.expr]) -> gast.expr | None:
    """`np.sum(e, axis=0)` for `unbroadcast(e, x)`, e itself where nothing was spread."""
    if not isinstance(call, gast.Call) or getattr(call.func, "id", "") != "unbroadcast" \
            or len(call.args) != 2:
        return None
    whole: Any = typer.kind(call.args[0])
    part: Any = typer.kind(call.args[1])
    if not all(isinstance(k, kinds.Array) and isinstance(k.shape, Sizes) for k in (whole, part)):
        return None
    axes = summed_axes(whole.shape, part.shape)
    if axes is None or all(axes):               # some axes go, others stay: left to the helper
        return None
    front, stretched = axes
    if not front and not stretched:
        return call.args[0]
    gone = stretched or tuple(range(front))
    axis = syntax.constant(gone[0]) if len(gone) == 1 else \
        syntax.tuple_of([syntax.constant(k) for k in gone])
    value = call.args[0]
    positive = value.operand if isinstance(value, gast.UnaryOp) \
        and isinstance(value.op, gast.USub) else leading_minus(value)
    made = syntax.call(syntax.attribute(external(np, "np"), "sum"), positive or value)
    made.keywords.append(gast.keyword("axis", axis))
    if stretched:
        made.keywords.append(gast.keyword("keepdims", syntax.constant(True)))
    return syntax.minus(made) if positive is not None else made


def _without_axes(part: gast.AST) -> gast.expr | None:
    """`np.sum(e, axis=1)` for `np.sum(e, axis=1, keepdims=True)[:, 0]`."""
    if not isinstance(part, gast.Subscript):
        return None
    negative = isinstance(part.value, gast.UnaryOp) and isinstance(part.value.op, gast.USub)
    made: Any = part.value.operand if negative else part.value
    if not isinstance(made, gast.Call) or [k.arg for k in made.keywords] != ["axis", "keepdims"]:
        return None
    index = syntax.shown_parts(part.slice)
    if getattr(made.func, "attr", "") != "sum" or made.keywords[1].value.value is not True \
            or not all(syntax.is_colon(p) or getattr(p, "value", None) == 0 for p in index):
        return None
    axis: Any = made.keywords[0].value
    gone = [k.value for k in syntax.shown_parts(axis)]
    if gone != [k for k, p in enumerate(index) if isinstance(p, gast.Constant)]:
        return None
    made.keywords.pop()
    return syntax.minus(made) if negative else made
