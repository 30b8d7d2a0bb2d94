"""Copy on entry what the function writes to and others hold: a derivative is pure.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x):
...     x[0] = 2.0 * x[1]
...     return x
... ''').body[0]
>>> print(emit(own(tree, ["x"])), end="")
def f(x):
    x = x.copy()
    x[0] = 2.0 * x[1]
    return x
"""
from __future__ import annotations

from collections.abc import Callable

import gast

from tangent_lite import syntax
from tangent_lite.liveness import written_outside
from tangent_lite.names import Names


def own(tree: gast.FunctionDef, parameters: list[str], names: Names | None = None,
        copy: Callable[[str], gast.expr] | None = None) -> gast.FunctionDef:
    """Return a tree that copies the parameters first, and the outer arrays that it writes to.

    copy: how what a name means is copied; as it lies in memory, since sums depend on that.
    """
    tree = syntax.copy(tree)
    copy = copy or (lambda name: syntax.method(syntax.load(name), "copy"))
    names = names or Names(syntax.all_names(tree))
    first: list[gast.stmt] = []
    for name in parameters:
        first.append(syntax.assign(name, copy(name)))
    for name in written_outside(tree):
        ours = names.fresh(name)
        syntax.Rename({name: ours}).visit(tree)
        first.append(syntax.assign(ours, copy(name)))
        first[-1].is_entry_copy = name
    for node in first:
        syntax.copy_place(node, tree.body[0])
        for part in syntax.walk(node):
            if isinstance(part, gast.expr):
                syntax.copy_place(part, tree.body[0])
        node.is_entry_copy = getattr(node, "is_entry_copy", node.targets[0].id)
    tree.body = first + tree.body
    return tree
