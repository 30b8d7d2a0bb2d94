"""Drop comments with nothing under them, and those that stand above already.

>>> from tangent_lite.emit import emit
>>> first, second = gast.parse("bx += bv * y; by += bv * x").body
>>> body = [syntax.comment("u[0] = 0.5"), syntax.comment("v = x * y"), first,
...         syntax.comment("v = x * y"), second, syntax.comment("n = 3")]
>>> comments(body)
>>> print("".join(map(emit, body)), end="")
# v = x * y
bx += bv * y
by += bv * x

What held nothing else says that it does nothing:

>>> loop, = gast.parse("for i in range(3): pass").body
>>> loop.body = [syntax.comment("x, y = y, x"), syntax.comment("y, x = x, y")]
>>> comments([loop])
>>> print(emit(loop), end="")
for i in range(3):
    pass
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.syntax import COMPOUND, is_comment

# What divides a derivative, with an empty line.
HEADINGS = ("# Forward pass", "#", "# Backward", "# Backward pass")


def comments(body: list[gast.stmt]) -> None:
    """Do so in a body and in the blocks in it, in place."""
    blocks = syntax.blocks_in(body)
    for block in blocks:
        above = ""
        kept: list[gast.stmt] = []
        for node, following in zip(block, [*block[1:], None]):
            if is_comment(node) and node.value.value not in HEADINGS:
                if following is None or is_comment(following) \
                        or isinstance(following, gast.Return) or node.value.value == above:
                    continue
                above = node.value.value
            elif isinstance(node, COMPOUND):
                above = ""
            kept.append(node)
        block[:] = kept
    for block in blocks:
        for node in block:
            if isinstance(node, COMPOUND) and not node.body:
                node.body.append(gast.Pass())
