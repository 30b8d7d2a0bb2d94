"""What takes the value of an adjoint, and is added to next, is the sum.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import Array
>>> tree = gast.parse('''
... def f(bnow, bbefore, x):
...     bu = bnow
...     "# before = u"
...     bu = bu + bbefore
...     bx = bu.copy()
...     bx -= x
...     return bu, bx
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> known = dict.fromkeys(["bnow", "bbefore", "x", "bu", "bx"], Array(1, "float"))
>>> memory = SameMemory(tree.body, ["bnow", "bbefore", "x"], Typer({}, {}.get), known)
>>> sums_at_ends(tree.body, memory)
>>> print(emit(tree), end="")
def f(bnow, bbefore, x):
    # before = u
    bu = bnow + bbefore
    bx = bu - x
    return bu, bx

The ends of a function are such places, where all that its variables began as is one parameter. In
loops an array that is added to in place stays so: a sum would be one more array in each step.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.analyses.values import bound_name
from tangent_lite.syntax import COMPOUND, binary, is_comment

_SIGNS = {gast.Add: "+", gast.Sub: "-"}


def sums_at_ends(body: list[gast.stmt], memory: SameMemory) -> None:
    """Write such sums in a body, in place; memory: what kinds names are of."""
    for block in syntax.blocks_in(body):
        for number in range(len(block) - 2, -1, -1):
            name = bound_name(block[number])
            if name is not None and (memory.is_number(name) or memory.is_array(name)):
                last = _sum(block, number, memory.is_number(name), block is body)
                if last is not None:
                    del block[number]


def _sum(block: list[gast.stmt], number: int, is_number: bool, at_end: bool) -> int | None:
    """Let the statement behind one bind the sum of both, and say where that stands."""
    name = bound_name(block[number])
    value: Any = getattr(block[number], "value", None)
    is_copy = isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) \
        and value.func.attr == "copy" and not value.args and not value.keywords
    if is_copy:
        value = value.func.value
    if name is None or not isinstance(value, gast.Name) or hasattr(block[number], "lineno"):
        return None
    last = next((i for i in range(number + 1, len(block)) if not is_comment(block[i])), None)
    if last is None or hasattr(block[last], "lineno") or isinstance(block[last], COMPOUND):
        return None
    node: Any = block[last]
    added = _added(node, name)
    # An array that is added to in place may be meant to change under its other name as well.
    if added is None or name in syntax.read_names(added[1]) or (
            isinstance(node, gast.AugAssign) and not is_number and not (is_copy and at_end)):
        return None
    block[last] = syntax.copy_place(syntax.assign(name, binary(value, *added)), node)
    return last


def _added(node: Any, name: str) -> tuple[str, gast.expr] | None:
    """What a statement adds to a name, behind its sign."""
    if isinstance(node, gast.AugAssign) and type(node.op) in _SIGNS \
            and isinstance(node.target, gast.Name) and node.target.id == name:
        return _SIGNS[type(node.op)], node.value
    if bound_name(node) == name and isinstance(node.value, gast.BinOp) \
            and type(node.value.op) in _SIGNS and isinstance(node.value.left, gast.Name) \
            and node.value.left.id == name:
        return _SIGNS[type(node.value.op)], node.value.right
    return None
