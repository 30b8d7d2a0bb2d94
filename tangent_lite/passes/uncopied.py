"""What an operation makes is nobody else's, and need not be copied to be written into.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import Array
>>> from tangent_lite.same_memory import SameMemory
>>> tree = gast.parse('''
... def f(by, x):
...     bx = (by * x).copy()
...     bz = by.copy()
...     bx[0] += bz[1]
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> known = {"by": Array(1, "float"), "x": Array(1, "float")}
>>> uncopied(tree.body, SameMemory(tree.body, ["by", "x"], Typer({}, {}.get), known))
>>> print(emit(tree), end="")
def f(by, x):
    bx = by * x
    bz = by.copy()
    bx[0] += bz[1]

A copy that is to lie in memory as something else does says so (`order="K"`), and stays.
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.same_memory import SameMemory


def uncopied(body: list[gast.stmt], memory: SameMemory) -> None:
    """Do so in a body, in place; statements of the user stay as they are."""
    for node in syntax.statements(body):
        value = getattr(node, "value", None)
        if isinstance(node, gast.Assign) and not hasattr(node, "lineno") \
                and isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) \
                and value.func.attr == "copy" and not value.args and not value.keywords \
                and isinstance(value.func.value, gast.BinOp) \
                and memory.is_fresh(value.func.value):
            node.value = value.func.value
