"""Statements that do nothing but add to an adjoint: of such it does not matter what it holds."""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import runtime, syntax
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.syntax import COMPOUND


def only_adds(node: Any, adjoint: str, memory: SameMemory) -> bool:
    """Whether a statement adds to an adjoint, or to parts of it, or has nothing to do with it; and
    whether the next statement comes behind it in any case.

    >>> from tangent_lite.inference import Typer
    >>> block = gast.parse('''
    ... bx[1:] += by
    ... bx[0] = by[0]
    ... by = bx * k
    ... for i in range(n):
    ...     bx[i] -= k
    ... ''').body
    >>> memory = SameMemory(block, [], Typer({}, {}.get), {})
    >>> [only_adds(node, "bx", memory) for node in block]
    [True, False, False, True]
    """
    if isinstance(node, (gast.Break, gast.Continue, gast.Return, gast.FunctionDef)):
        return False
    if isinstance(node, COMPOUND):
        head = node.iter if isinstance(node, gast.For) else node.test
        return adjoint not in syntax.read_names(head) \
            and all(only_adds(one, adjoint, memory) for one in (*node.body, *node.orelse))
    mentioned = [n for n in syntax.names_in(node) if n.id == adjoint]
    if len(mentioned) != 1:
        return not mentioned
    if isinstance(node, gast.AugAssign):
        target = node.target.value if isinstance(node.target, gast.Subscript) else node.target
        return isinstance(node.op, (gast.Add, gast.Sub)) and target is mentioned[0]
    call = getattr(node, "value", None)
    return isinstance(node, gast.Expr) and isinstance(call, gast.Call) and bool(call.args) \
        and call.args[0] is mentioned[0] and memory.object_of(call.func) is runtime.add_at
