"""A name that a loop counts with, and that holds what may vary where the loop takes no step.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, n):
...     t = x * x
...     for t in range(n):
...         x = x + t
...     return x * t
... ''').body[0]
>>> print(emit(counted(tree)), end="")
def f(x, n):
    t = x * x
    for t_1 in range(n):
        t = t_1
        x = x + t
    return x * t

What a loop counts with never varies, so passes behind this one need not look at the heads of loops:
there is a statement that takes the place of what the name held. A name that is read no more behind
the loop, or that holds nothing but whole numbers, is left as it is.
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import liveness
from tangent_lite.names import Names
from tangent_lite.syntax import bound_names


def counted(tree: gast.FunctionDef, names: Names | None = None,
            seen: set[str] | frozenset[str] = frozenset()) -> gast.FunctionDef:
    """The tree, in normal form, changed in place; seen: what functions inside read or bind."""
    loops = [node for node in syntax.statements(tree.body) if isinstance(node, gast.For)]
    counters = {name for loop in loops for name in bound_names(loop.target)}
    other = counters & (set(syntax.parameter_names(tree.args)) | {
        name for node in syntax.statements(tree.body) for name in _bound_to_more(node)})
    if not other:
        return tree
    names = names or Names(syntax.all_names(tree))
    after = liveness(tree.body).after
    for loop in loops:
        taken = [name for name in bound_names(loop.target)
                 if name in other and (name in seen or name in after[id(loop)])]
        for name in reversed(taken):
            fresh = names.fresh(name)
            for part in syntax.names_in(loop.target):
                if part.id == name:
                    part.id = fresh
            bound = syntax.assign(name, syntax.load(fresh))
            syntax.serve([bound], loop)
            loop.body.insert(0, bound)
    return tree


def _bound_to_more(node: gast.stmt) -> list[str]:
    """The names that a statement binds, unless to a whole number that is written there."""
    if isinstance(node, gast.For):
        return []
    value = getattr(node, "value", None)
    if isinstance(value, gast.Constant) and isinstance(value.value, int):
        return []
    return [name for target in (*getattr(node, "targets", ()), getattr(node, "target", None))
            if target is not None for name in bound_names(target)]
