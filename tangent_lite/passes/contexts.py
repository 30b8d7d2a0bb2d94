"""Settle what each `with` is: kept as it is, written as a try, or refused.

>>> import contextlib
>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x):
...     with suppress(KeyError):
...         x = TABLE[x]
...     return x
... ''').body[0]
>>> print(emit(contexts(tree, lambda node: "suppress", lambda *what: None)), end="")
def f(x):
    try:
        x = TABLE[x]
    except KeyError:
        pass
    return x

A block that hides exceptions may be left halfway, as the body of a try. What other managers do has
to be known (see `managers`).
"""
from __future__ import annotations

from collections.abc import Callable

import gast

from tangent_lite import syntax

Refuse = Callable[[gast.AST, str, str], Exception]


def contexts(tree: gast.FunctionDef, manager: Callable[[gast.expr], str | None],
             refuse: Refuse) -> gast.FunctionDef:
    """Return a tree in which each `with` lets exceptions through."""
    if not syntax.all_of(tree, gast.With):
        return tree
    tree = syntax.copy(tree)
    tree.body = _Contexts(manager, refuse).block(tree.body)
    return tree


class _Contexts:
    def __init__(self, manager: Callable[[gast.expr], str | None], refuse: Refuse) -> None:
        self.manager, self.refuse = manager, refuse

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        for number, node in enumerate(block):
            for inner in syntax.blocks_of(node):
                inner[:] = self.block(inner)
            if isinstance(node, gast.With):
                block[number] = self.context(node)
        return block

    def context(self, node: gast.With) -> gast.stmt:
        found = [self.manager(item.context_expr) for item in node.items]
        if None in found:
            item = node.items[found.index(None)]
            raise self.refuse(item.context_expr, "what this context manager changes, or whether it "
                                                 "hides exceptions, is not known",
                              "enter it around the call of the derivative")
        for item, how in zip(node.items, found):
            item.mirrored = how == "mirrored" and item.optional_vars is None
        for number in range(len(found) - 1, -1, -1):
            if found[number] == "suppress":
                item = node.items[number]
                if number + 1 < len(found):
                    inner = gast.With(node.items[number + 1:], node.body, None)
                    node.body = [gast.copy_location(inner, node)]
                made = self.attempt(node, item)
                if not number:
                    return made
                node.items, node.body = node.items[:number], [made]
        return node

    def attempt(self, node: gast.With, item: gast.withitem) -> gast.stmt:
        """`with suppress(E)` is `try ... except E: pass`."""
        if item.optional_vars is not None:
            raise self.refuse(item.optional_vars, "what contextlib.suppress hands out is not "
                                                  "handled", "leave `as` out")
        place = item.context_expr
        kinds = place.args[0] if len(place.args) == 1 else gast.Tuple(place.args, gast.Load())
        done = gast.copy_location(gast.Pass(), place)
        handler = gast.copy_location(gast.ExceptHandler(kinds, None, [done]), place)
        return gast.copy_location(gast.Try(node.body, [handler], [], []), node)
