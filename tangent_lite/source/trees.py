"""Trees of `ast` as trees of gast: what `gast.ast_to_gast` gives, in a third of the time.

>>> one, other = (f(ast.parse("y[i] = f(x, *z) + 1.0")) for f in (to_gast, gast.ast_to_gast))
>>> gast.dump(one, include_attributes=True) == gast.dump(other, include_attributes=True)
True

Most nodes are the same in both but for their class. Where gast has another form (a parameter is a
name, ...) its own translator is asked.
"""

from __future__ import annotations

import ast
from typing import Any

import gast
from gast.ast3 import Ast3ToGAst


def to_gast(node: ast.AST) -> Any:
    """The tree with the classes of gast."""
    return _Translator().visit(node)


class _Translator(Ast3ToGAst):
    def _visit(self, node: Any) -> Any:
        if node.__class__ is list:
            return [self.visit(part) if isinstance(part, ast.AST) else part for part in node]
        return self.visit(node) if isinstance(node, ast.AST) else node

    def visit(self, node: Any) -> Any:
        kind = node.__class__
        fields = _ALIKE.get(kind)
        if fields is None:
            return super().visit(node)
        same = _SAME[kind]
        made = same.__new__(same)
        values = made.__dict__
        values.update(node.__dict__)
        if kind is ast.Name:
            values["annotation"] = values["type_comment"] = None
        for field in fields:
            value = values.get(field)
            kind = value.__class__
            if kind is list:
                values[field] = self._visit(value)
            elif kind in _LEAVES:
                values[field] = _LEAVES[kind]()
            elif kind in _SAME:
                values[field] = self.visit(value)
        return made


# By class of ast: the class of gast; of those that are alike the fields that hold nodes; and the
# classes of nodes that are nothing but their class (contexts, operators).
_SAME = {
    kind: getattr(gast, name)
    for name, kind in vars(ast).items()
    if isinstance(kind, type) and issubclass(kind, ast.AST) and hasattr(gast, name)
}
_ALIKE = {
    kind: tuple(f for f in kind._fields if f not in ("id", "attr", "kind"))
    for kind, same in _SAME.items()
    if not hasattr(Ast3ToGAst, "visit_" + kind.__name__) and kind._fields == same._fields
}
_ALIKE[ast.Name], _ALIKE[ast.Constant] = ("ctx",), ()
_LEAVES = {kind: _SAME[kind] for kind, fields in _ALIKE.items() if not kind._fields}
