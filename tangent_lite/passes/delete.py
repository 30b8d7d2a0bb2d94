"""Write `del x` as a binding that nobody may read.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, d):
...     y = x * x
...     del x, d["a"]
...     return y
... ''').body[0]
>>> print(emit(delete(tree)), end="")
def f(x, d):
    y = x * x
    x = "deleted"()
    del d["a"]
    return y

The version of a variable that starts there is read only where Python would raise an exception, so
`deleted` refuses that, and the binding itself is dead. Parts of containers are deleted one by one.
"""
from __future__ import annotations

from collections.abc import Callable

import gast

from tangent_lite import syntax
from tangent_lite.markers import Marker, mark, marker_of

Refuse = Callable[[gast.AST, str, str], Exception]


def delete(tree: gast.FunctionDef, refuse: Refuse | None = None) -> gast.FunctionDef:
    """Return a tree that deletes no names."""
    if not syntax.all_of(tree, gast.Delete):
        return tree
    tree = syntax.copy(tree)
    todo = [tree.body]
    while todo:
        block = todo.pop()
        out: list[gast.stmt] = []
        for node in block:
            out += _parts(node, refuse) if isinstance(node, gast.Delete) else [node]
            todo += syntax.blocks_of(node)
        block[:] = out
    return tree


def _parts(node: gast.Delete, refuse: Refuse | None) -> list[gast.stmt]:
    out: list[gast.stmt] = []
    todo = list(node.targets)
    while todo:
        target = todo.pop(0)
        if isinstance(target, (gast.Tuple, gast.List)):
            todo[:0] = target.elts
            continue
        if isinstance(target, gast.Name):
            gone = gast.copy_location(mark(Marker("deleted", 0)), target)
            made = syntax.assign(target.id, gone)
            gast.copy_location(made.targets[0], target)
        elif isinstance(target, gast.Attribute) and refuse is not None:
            raise refuse(target, "an attribute is deleted, which is not handled yet",
                         "keep the value in a variable")
        else:
            made = gast.Delete([target])
        out.append(gast.copy_location(made, node))
    return out


def deleted(tree: gast.FunctionDef, refuse: Refuse) -> None:
    """Refuse what reads a name that may have been deleted; each name is one version."""
    gone: set[str] = set()
    for node in syntax.statements(tree.body):
        marker = marker_of(node)
        if marker is not None and marker.kind == "deleted":
            gone.add(node.targets[0].id)
    if not gone:
        return
    for node in syntax.walk(tree):
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and node.id in gone:
            raise refuse(node, "this name may have been deleted before", "leave `del` out")
