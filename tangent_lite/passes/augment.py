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

from collections.abc import Callable, MutableMapping
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.inference import Typer


def augment(block: list[gast.stmt], original: Callable[[gast.stmt], gast.stmt | None],
            typer: Typer, known: MutableMapping[str, kinds.Kind]) -> None:
    """Rewrite statements of a block, in place; original: the user's statement of which one was
    made; known: the kinds of names."""
    for inner in syntax.blocks_in(block):
        for number, node in enumerate(inner):
            made = _augmented(node, original, typer, known)
            if made is not None:
                inner[number] = made


def _augmented(node: Any, original: Callable[[gast.stmt], gast.stmt | None], typer: Typer,
               known: MutableMapping[str, kinds.Kind]) -> gast.stmt | None:
    """One statement as the user wrote it, if that means the same."""
    if node.__class__ is not gast.Assign or node.value.__class__ is not gast.BinOp \
            or not hasattr(node, "lineno"):
        return None
    [target], value = node.targets, node.value
    if target.__class__ is gast.Tuple or not syntax.same(syntax.as_read(target), value.left):
        return None
    written = original(node)
    typer.names = known
    if not isinstance(written, gast.AugAssign) or not isinstance(written.op, type(value.op)) \
            or not isinstance(typer.kind(value.left), kinds.Number):
        return None
    made: gast.stmt = syntax.copy_place(gast.AugAssign(target, value.op, value.right), node)
    return made
