"""Take `tl.checkpoint` off what a loop runs over, and mark the loop.

>>> from tangent_lite.emit import emit
>>> import tangent_lite as tl
>>> tree = gast.parse('''
... def f(x, n):
...     for k in tl.checkpoint(range(n)):
...         x = x * x
...     return x
... ''').body[0]
>>> tree = marked(tree, {"tl": tl}.get, None)
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

import types
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.checkpoints import checkpoint


def marked(tree: gast.FunctionDef, free: Callable[[str], Any],
           refuse: Callable[..., Exception] | None) -> gast.FunctionDef:
    """Return a tree in which loops over checkpoint(...) are marked.

    free: what a name means that the function does not bind; refuse: the error for a wrong use.
    """
    if not any(isinstance(n, gast.Call) and _is_checkpoint(n.func, free)
               for n in syntax.walk(tree)):
        return tree
    tree = syntax.copy(tree)
    for node in syntax.walk(tree):
        if isinstance(node, (gast.For, gast.comprehension)) and isinstance(node.iter, gast.Call) \
                and _is_checkpoint(node.iter.func, free):
            call = node.iter
            if len(call.args) != 1 or call.keywords or isinstance(call.args[0], gast.Starred):
                assert refuse is not None
                raise refuse(call, "checkpoint takes one argument",
                             "write `for k in tl.checkpoint(range(n)):`")
            if isinstance(node, gast.comprehension):
                assert refuse is not None
                raise refuse(call, "a comprehension keeps all that it makes, so that there is "
                                   "nothing to save", "write a loop, or leave checkpoint out")
            node.iter = call.args[0]
            node.checkpointed = True
    return tree


def _is_checkpoint(node: gast.AST, free: Callable[[str], Any]) -> bool:
    """Whether an expression means tl.checkpoint, by object."""
    path: list[str] = []
    while isinstance(node, gast.Attribute):
        path.append(node.attr)
        node = node.value
    if not isinstance(node, gast.Name):
        return False
    found = free(node.id)
    for attribute in reversed(path):
        if not isinstance(found, types.ModuleType):
            return False
        found = getattr(found, attribute, None)
    return found is checkpoint
