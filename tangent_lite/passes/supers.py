"""Say of `super().method` which class it starts behind.

>>> from tangent_lite.emit import emit
>>> class Base: pass
>>> tree = gast.parse('''
... def energy(self, x):
...     return 2.0 * super().energy(x)
... ''').body[0]
>>> tree = supers(tree, Base, lambda name: super, lambda node: Base)
>>> print(emit(tree), end="")
def energy(self, x):
    return 2.0 * self.energy(x)
>>> next(n.behind for n in gast.walk(tree) if hasattr(n, "behind")).__name__
'Base'

The attribute of the object carries the class as the fact `behind`: it is looked up behind that one
in the order of the classes of the object, which are known from its kind. `expand` writes it as the
function that it means; one that is left is refused (`checks.supers_left`). What is written in
another form, or in a function inside the method, `fence` refuses.
"""
from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax


def supers(tree: gast.FunctionDef, owner: Any, free: Callable[[str], Any],
           object_of: Callable[[gast.expr], Any]) -> gast.FunctionDef:
    """Return a tree that names the classes; owner: that in which the method stands (or None)."""
    if not any(n.id == "super" for n in syntax.names_in(tree)) \
            or free("super") is not builtins.super:
        return tree
    tree = syntax.copy(tree)
    names = syntax.parameter_names(tree.args)
    _Supers(owner, names[0] if names else None, object_of).visit(tree)
    return tree


class _Supers(gast.NodeTransformer):
    def __init__(self, owner: Any, first: str | None,
                 object_of: Callable[[gast.expr], Any]) -> None:
        self.owner, self.first, self.object_of = owner, first, object_of
        self.inside = 0                         # functions defined in the method around

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:
        self.inside += 1
        self.generic_visit(node)
        self.inside -= 1
        return node

    visit_Lambda = visit_FunctionDef

    def visit_Attribute(self, node: gast.Attribute) -> gast.Attribute:
        self.generic_visit(node)
        value = node.value
        if not isinstance(value, gast.Call) or getattr(value.func, "id", None) != "super" \
                or value.keywords or not isinstance(node.ctx, gast.Load):
            return node
        if len(value.args) == 2 and isinstance(value.args[1], gast.Name):
            behind, receiver = self.object_of(value.args[0]), value.args[1].id
        elif not value.args and self.inside == 1 and self.first is not None:
            behind, receiver = self.owner, self.first
        else:
            return node
        if isinstance(behind, type):
            node.value = gast.copy_location(syntax.load(receiver), value)
            node.behind = behind
        return node
