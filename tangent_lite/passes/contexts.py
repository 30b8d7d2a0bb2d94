"""Settle what each `with` is: kept as it is, written out, written as a try, or refused.

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
to be known (see `managers`), or they can be written out (see `own_managers`), which `enclose` does.
"""
from __future__ import annotations

from collections.abc import Callable

import gast

from tangent_lite import syntax
from tangent_lite.analyses.managers import UNKNOWN_MANAGER
from tangent_lite.analyses.own_managers import OwnManager

Refuse = Callable[[gast.AST, str, str], Exception]
Manager = Callable[[gast.expr], str | OwnManager | None]


def contexts(tree: gast.FunctionDef, manager: Manager, refuse: Refuse) -> gast.FunctionDef:
    """Return a tree in which each `with` lets exceptions through."""
    if not syntax.all_of(tree, gast.With):
        return tree
    tree = syntax.copy(tree)
    tree.body = _Contexts(manager, refuse).block(tree.body)
    return tree


class _Contexts:
    def __init__(self, manager: Manager, refuse: Refuse) -> None:
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
            raise self.refuse(item.context_expr, *UNKNOWN_MANAGER)
        for item, how in zip(node.items, found):
            item.mirrored = how == "mirrored" and item.optional_vars is None
            item.own = how if isinstance(how, OwnManager) else None
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
        given = syntax.all_of(node, gast.Yield)
        if given:
            raise self.refuse(given[0], "a generator that may be left inside of a `try` or a "
                                        "`with` cannot be followed", "yield behind it")
        if item.optional_vars is not None:
            raise self.refuse(item.optional_vars, "what contextlib.suppress hands out is not "
                                                  "handled", "leave `as` out")
        place = item.context_expr
        kinds = place.args[0] if len(place.args) == 1 else gast.Tuple(place.args, gast.Load())
        done = gast.copy_location(gast.Pass(), place)
        handler = gast.copy_location(gast.ExceptHandler(kinds, None, [done]), place)
        return gast.copy_location(gast.Try(node.body, [handler], [], []), node)
