"""Functions that may raise StopIteration: it ends the iterator that calls them, where one does.

`map(f, xs)` ends where `f` raises it, while the loop `for x in xs: v = f(x)` does not.
"""
from __future__ import annotations

import types
from typing import Any

import gast

from tangent_lite import registry, syntax

_NAMES = {"StopIteration", "next", "__next__"}


def may_stop(function: Any) -> bool:
    """Whether a function, or one that it names, speaks of StopIteration or asks an iterator."""
    seen: set[types.CodeType] = set()
    todo = [function]
    while todo:
        one = todo.pop()
        code = one.__code__ if isinstance(one, types.FunctionType) else one
        if not isinstance(code, types.CodeType) or code in seen:
            continue
        seen.add(code)
        if not _NAMES.isdisjoint(code.co_names):
            return True
        todo += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        if isinstance(one, types.FunctionType) and not registry.is_library(one):
            todo += [one.__globals__.get(name) for name in code.co_names]
    return False


def mentions_stop(tree: gast.AST) -> bool:
    """Whether the text of a function speaks of StopIteration or asks an iterator."""
    return any(getattr(node, "id", getattr(node, "attr", None)) in _NAMES
               for node in syntax.walk(tree) if isinstance(node, (gast.Name, gast.Attribute)))


def raises_stop(statement: gast.stmt) -> bool:
    """Whether a statement raises StopIteration."""
    if not isinstance(statement, gast.Raise):
        return False
    raised = statement.exc.func if isinstance(statement.exc, gast.Call) else statement.exc
    return getattr(raised, "id", None) == "StopIteration"
