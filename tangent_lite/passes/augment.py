"""Give back `x += v` where the user wrote it, and it was written out as `x = x + v`.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT
>>> tree = gast.parse('''
... def f(body_v, dt):
...     body_v = body_v - dt * 9.81
...     return body_v
... ''').body[0]
>>> written = gast.parse("body.v -= dt * 9.81").body[0]
>>> augment(tree.body, lambda node: written, Typer({}, {}.get), {"body_v": FLOAT})
>>> print(emit(tree), end="")
def f(body_v, dt):
    body_v -= dt * 9.81
    return body_v

Of a number both are the same. An array would be changed in place, for all who hold it.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.syntax import COMPOUND


def augment(block: list[gast.stmt], original: Callable[[gast.stmt], gast.stmt | None],
            typer: Any, known: Mapping[str, kinds.Kind]) -> None:
    """Rewrite statements of a block, in place; original: the user's statement of which one was
    made; known: the kinds of names."""
    for number, node in enumerate(block):
        if node.__class__ in COMPOUND:
            augment(node.body, original, typer, known)
            augment(node.orelse, original, typer, known)
            continue
        if node.__class__ is not gast.Assign or node.value.__class__ is not gast.BinOp \
                or not hasattr(node, "lineno"):
            continue
        [target], value = node.targets, node.value
        if target.__class__ is gast.Tuple or not syntax.same(_read(target), value.left):
            continue
        written = original(node)
        typer.names = known
        if isinstance(written, gast.AugAssign) and isinstance(written.op, type(value.op)) \
                and isinstance(typer.kind(value.left), kinds.Number):
            block[number] = syntax.copy_place(
                gast.AugAssign(target, value.op, value.right), node)


def _read(target: gast.expr) -> gast.expr:
    old = syntax.copy(target)
    old.ctx = gast.Load()
    return old
