"""Take `tl.checkpoint` off what a loop runs over, and mark the loop.

>>> from tangent_lite.emit import emit
>>> import tangent_lite as tl
>>> tree = gast.parse('''
... def f(x, n):
...     for k in tl.checkpoint(range(n)):
...         x = x * x
...     return x
... ''').body[0]
>>> tree = marked(tree, {"tl": tl}.get, lambda *said: None)
>>> print(emit(tree), end="")
def f(x, n):
    for k in range(n):
        x = x * x
    return x
>>> tree.body[0].checkpointed
True

All passes but those that write the backward pass see a loop like any other.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.adjoints.checkpoints import checkpoint
from tangent_lite.calling.resolve import meant
from tangent_lite.errors import TangentError, final


def marked(tree: gast.FunctionDef, free: Callable[[str], Any],
           refuse: Callable[..., TangentError]) -> gast.FunctionDef:
    """Return a tree in which loops over checkpoint(...) are marked.

    free: what a name means that the function does not bind; refuse: the error for a wrong use.
    """
    def loops(tree: gast.FunctionDef) -> list[tuple[Any, gast.Call]]:
        loops = syntax.all_of(tree, gast.For) + syntax.all_of(tree, gast.comprehension)
        return [(n, call) for n in loops if (call := _call(n.iter, free)) is not None]

    if not loops(tree):
        return tree
    tree = syntax.copy(tree)
    for node, call in loops(tree):
        if len(call.args) != 1 or call.keywords or isinstance(call.args[0], gast.Starred):
            raise final(refuse(call, "checkpoint takes one argument",
                               "write `for k in tl.checkpoint(range(n)):`"))
        if isinstance(node, gast.comprehension):
            raise final(refuse(call, "a comprehension keeps all that it makes, so that there is "
                                     "nothing to save", "write a loop, or leave checkpoint out"))
        node.iter = _Without(call).visit(node.iter)
        node.checkpointed = True
    return tree


class _Without(gast.NodeTransformer):
    """Puts the argument of one call in its place."""

    def __init__(self, call: gast.Call) -> None:
        self.call = call

    def visit_Call(self, node: gast.Call) -> gast.expr:
        return node.args[0] if node is self.call else self.generic_visit(node)


def _call(node: gast.expr, free: Callable[[str], Any]) -> gast.Call | None:
    """The call of checkpoint in what a loop runs over: outermost, or in enumerate or reversed."""
    while isinstance(node, gast.Call) and not _is_checkpoint(node.func, free):
        if not isinstance(node.func, gast.Name) or not node.args \
                or node.func.id not in ("enumerate", "reversed"):
            return None
        node = node.args[0]
    return node if isinstance(node, gast.Call) else None


def _is_checkpoint(node: gast.AST, free: Callable[[str], Any]) -> bool:
    """Whether an expression means tl.checkpoint, by object."""
    return meant(node, free) is checkpoint
