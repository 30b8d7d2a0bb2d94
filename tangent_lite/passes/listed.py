"""Views of dicts, whose items have no numbers in Python: `items = d.items()`, then `items[k]`.

The passes know one kind of loop, that over numbers, and take the items of a view as those of a
list. Where a loop over items is not written as such again in the end (`polish.iterations`), a list
is made of the view.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(d):
...     items = d.items()
...     return items[0]
... ''').body[0]
>>> tree.body[0].value.is_view = True
>>> written_out(tree)
>>> print(emit(tree.body[0]), end="")
items = [*d.items()]
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.inference import NO_OBJECT

_VIEWS = (dict.items, dict.keys, dict.values)


def mark_views(tree: gast.FunctionDef, facts: Inferred) -> None:
    """Mark what gives a view that has a name."""
    for node in facts.beside_arithmetic(tree):
        value: Any = getattr(node, "value", None)
        if isinstance(node, gast.Assign) and isinstance(value, gast.Call) \
                and facts.callees.get(id(value), (NO_OBJECT, None))[0] in _VIEWS:
            value.is_view = True


def written_out(tree: gast.FunctionDef) -> None:
    """Make lists of the views of which items are taken by number, in place."""
    views = [node for node in syntax.all_of(tree, gast.Assign)
             if getattr(node.value, "is_view", False)]
    numbered = {syntax.root_name(node) for node in syntax.all_of(tree, gast.Subscript)} \
        if views else set()
    for node in views:
        if getattr(node.targets[0], "id", None) in numbered:
            node.value = syntax.copy_place(
                gast.List([gast.Starred(node.value, gast.Load())], gast.Load()), node.value)
