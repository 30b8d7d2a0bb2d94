"""Functions that may raise StopIteration: it ends the iterator that calls them, where one does.

`map(f, xs)` ends where `f` raises it, while the loop `for x in xs: v = f(x)` does not.
"""
from __future__ import annotations

import itertools
import types
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import registry, syntax

_NAMES = {"StopIteration", "next", "__next__"}
# What ends where a function that it calls raises StopIteration.
ENDED = (map, filter, itertools.takewhile, itertools.dropwhile, itertools.filterfalse,
         itertools.starmap, itertools.accumulate)


def may_stop(function: Any, words: set[str] = _NAMES) -> bool:
    """Whether a function, or one that it names, speaks of StopIteration or asks an iterator; words:
    what of this is looked for."""
    seen: set[types.CodeType] = set()
    todo = [function]
    while todo:
        one = todo.pop()
        code = one.__code__ if isinstance(one, types.FunctionType) else one
        if not isinstance(code, types.CodeType) or code in seen:
            continue
        seen.add(code)
        if not words.isdisjoint(code.co_names):
            return True
        todo += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        if isinstance(one, types.FunctionType) and not registry.is_library(one):
            todo += [one.__globals__.get(name) for name in code.co_names]
    return False


def asks_next(function: Any, meaning: Callable[[gast.expr], Any], seen: set[int]) -> bool:
    """Whether a function, which may be defined inside, or an object that is called, asks an
    iterator; meaning: of a name in its text; seen: the functions inside that were looked at."""
    tree = getattr(function, "tree", None)
    if not isinstance(tree, gast.AST):
        called = type(function).__call__ if callable(function) else None
        return any(may_stop(one, {"next", "__next__"}) for one in (
            getattr(function, "func", getattr(function, "__func__", function)), called))
    if id(function) in seen:
        return False
    seen.add(id(function))
    read = [node for node in syntax.walk(tree) if isinstance(node, gast.Name)]
    return any(node.id == "next" for node in read) or any(
        asks_next(meaning(node), meaning, seen) for node in read if isinstance(node.ctx, gast.Load))


def mentions_stop(tree: gast.AST) -> bool:
    """Whether the text of a function speaks of StopIteration or asks an iterator."""
    return any(getattr(node, "id", getattr(node, "attr", None)) in _NAMES
               for node in syntax.walk(tree) if isinstance(node, (gast.Name, gast.Attribute)))


def raises_stop(statement: gast.stmt) -> bool:
    """Whether the user's statement raises StopIteration; that of a call of `next` is no matter, of
    which `map` and its like are asked (see `expansion.calls`)."""
    if not isinstance(statement, gast.Raise) or hasattr(statement, "of_next"):
        return False
    raised = statement.exc.func if isinstance(statement.exc, gast.Call) else statement.exc
    return getattr(raised, "id", None) == "StopIteration"
