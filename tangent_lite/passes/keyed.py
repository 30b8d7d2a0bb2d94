"""A dict that is made of pairs is written with its keys: as a display, or as a comprehension.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.names import Names
>>> tree = gast.parse('''
... def f(x, y, names):
...     a = dict([("x", x), ("y", y)])
...     b = dict(zip(names, (x, y)))
...     c = dict((name, x * y) for name in names)
...     return a, b, c
... ''').body[0]
>>> import builtins
>>> print(emit(keyed(tree, Names(['x']), vars(builtins).get)), end="")
def f(x, y, names):
    a = {"x": x, "y": y}
    b = {key: value for key, value in zip(names, (x, y))}
    c = {name: x * y for name in names}
    return a, b, c

Behind this pass no dict is made of a list of pairs that has no name.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.names import Names


def keyed(tree: gast.FunctionDef, names: Names, meaning: Callable[[str], Any]) \
        -> gast.FunctionDef:
    """The function with such dicts, in place; meaning: what a name of the module means, or Python's
    own."""
    bound = set(syntax.parameter_names(tree.args)) | {
        n.id for n in syntax.names_in(tree) if not isinstance(n.ctx, gast.Load)}
    made = [call for call in syntax.all_of(tree, gast.Call)
            if getattr(call.func, "id", "") == "dict" and len(call.args) == 1 and not call.keywords]
    if not made or "dict" in bound or meaning("dict") is not dict:
        return tree
    return _Keyed(names, lambda name: None if name in bound else meaning(name)).visit(tree)


class _Keyed(syntax.Transformer):
    def __init__(self, names: Names, meaning: Callable[[str], Any]) -> None:
        self.names, self.meaning = names, meaning

    def visit_Call(self, node: gast.Call) -> gast.expr:
        self.generic_visit(node)
        if getattr(node.func, "id", "") != "dict" or len(node.args) != 1 or node.keywords:
            return node
        made = self.of_pairs(node.args[0])
        return node if made is None else gast.copy_location(made, node)

    def of_pairs(self, pairs: gast.expr) -> gast.expr | None:
        if isinstance(pairs, (gast.List, gast.Tuple)) and all(map(_is_pair, pairs.elts)):
            return gast.Dict([pair.elts[0] for pair in pairs.elts],
                             [pair.elts[1] for pair in pairs.elts])
        if isinstance(pairs, (gast.ListComp, gast.GeneratorExp)) and _is_pair(pairs.elt):
            return gast.DictComp(*pairs.elt.elts, pairs.generators)
        if isinstance(pairs, gast.Call) and self.meaning(getattr(pairs.func, "id", "")) is zip \
                and len(pairs.args) == 2 and not pairs.keywords \
                and not any(isinstance(one, gast.Starred) for one in pairs.args):
            key, value = self.names.fresh("key"), self.names.fresh("value")
            target = syntax.tuple_of([syntax.store(key), syntax.store(value)], gast.Store())
            made = gast.DictComp(syntax.load(key), syntax.load(value), [
                gast.comprehension(target, pairs, [], 0)])
            for part in gast.walk(made):
                if isinstance(part, gast.expr) and not hasattr(part, "lineno"):
                    gast.copy_location(part, pairs)
            return made
        return None


def _is_pair(node: gast.expr) -> bool:
    return isinstance(node, (gast.Tuple, gast.List)) and len(node.elts) == 2 \
        and not any(isinstance(one, gast.Starred) for one in node.elts)
