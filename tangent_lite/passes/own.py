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
from tangent_lite.analyses.liveness import written_outside
from tangent_lite.functions.local_functions import RenameAll
from tangent_lite.names import Names


def own(tree: gast.FunctionDef, parameters: list[str], names: Names | None = None,
        copy: Callable[[str], gast.expr] | None = None, in_place: bool = False,
        outside: list[str] | None = None) -> gast.FunctionDef:
    """Return a tree that copies the parameters first, and the outer arrays that it writes to.

    copy: how what a name means is copied; as it lies in memory, since sums depend on that;
    in_place: the tree may be changed; outside: the outer arrays, where they have been found.
    """
    tree = tree if in_place else syntax.copy(tree)
    copy = copy or (lambda name: syntax.method(syntax.load(name), "copy"))
    names = names or Names(syntax.all_names(tree))
    first: list[gast.stmt] = []
    for name in parameters:
        made = copy(name)
        if isinstance(made, gast.Dict):         # part by part, each with a name
            for number, part in enumerate(made.values):
                kept = names.fresh(f"{name}_part")
                first.append(syntax.assign(kept, part))
                made.values[number] = syntax.load(kept)
        first.append(syntax.assign(name, made))
    for name in written_outside(tree) if outside is None else outside:
        ours = names.fresh(name)
        syntax.Rename({name: ours}).visit(tree)
        first.append(syntax.assign(ours, copy(name)))
        first[-1].is_entry_copy = name
    for node in first:
        _place(node, tree)
        node.is_entry_copy = getattr(node, "is_entry_copy", node.targets[0].id)
    tree.body = first + tree.body
    return tree


def own_dicts(tree: gast.FunctionDef, names: Names, is_dict: Callable[[str], bool]) -> None:
    """Copy the outer dicts that the function writes to, in place, before it is known which parts
    they have: those of the copy are followed as those of a dict that the function makes.

    Done again when more was written out: what stands there now reads the copy as well.
    """
    copies = {n.is_entry_copy: n.targets[0].id for n in tree.body
              if getattr(n, "is_entry_copy", None)}
    for name in written_outside(tree):
        if name not in copies and is_dict(name):
            copies[name] = names.fresh(name)
            made = syntax.assign(copies[name], syntax.method(syntax.load(name), "copy"))
            made.is_entry_copy = made.value.is_entry_copy = name
            _place(made, tree)
            tree.body.insert(0, made)
    if copies:
        renamer = RenameAll(copies)
        tree.body = [n if getattr(n, "is_entry_copy", None) else renamer.visit(n)
                     for n in tree.body]


def _place(node: gast.stmt, tree: gast.FunctionDef) -> None:
    syntax.copy_place(node, tree.body[0])
    for part in syntax.walk(node):
        if isinstance(part, gast.expr):
            syntax.copy_place(part, tree.body[0])
