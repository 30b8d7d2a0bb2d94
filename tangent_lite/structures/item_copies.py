"""Statements that copy the items of a list one by one, each in its way.

>>> from tangent_lite.emit import emit
>>> made = each_copied(syntax.load("cells"), "cells_1", Names(), lambda thing, name:
...     syntax.load(name), lambda item, own: [syntax.assign(own, syntax.method(item, "copy"))])
>>> print(emit(gast.Module(made, [])), end="")
cells_1 = []
for k in range(len(cells)):
    cells_k = cells[k]
    cells_k_1 = cells_k.copy()
    cells_1.append(cells_k_1)
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.names import Names, stem


def each_copied(value: gast.expr, name: str, names: Names,
                external: Callable[[Any, str], gast.expr],
                copied: Callable[[gast.expr, str], list[Any]]) -> list[Any]:
    """Give a name to a list of copies of the items of a list; copied: an item and the name of its
    copy -> the statements that make it."""
    wish = f"{stem(name)}_k"
    place, item, own = names.fresh("k"), names.fresh(wish), names.fresh(wish)
    body = [syntax.assign(item, syntax.subscript(syntax.copy(value), syntax.load(place))),
            *copied(syntax.load(item), own),
            syntax.statement(syntax.method(syntax.load(name), "append", syntax.load(own)))]
    counted = syntax.call(external(range, "range"),
                          syntax.call(external(len, "len"), syntax.copy(value)))
    loop = gast.For(syntax.store(place), counted, body, [], None)
    loop.is_entry_part = True
    return [syntax.assign(name, gast.List([], gast.Load())), loop]
