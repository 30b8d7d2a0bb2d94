"""An OrderedDict of which nobody sees that it is none is written as a dict, which keeps the order.

>>> from tangent_lite.emit import emit
>>> from collections import OrderedDict
>>> tree = gast.parse('''
... def f(x):
...     parts = OrderedDict(a=x)
...     parts["b"] = parts["a"] * x
...     seen = OrderedDict()
...     return sum(parts.values()), seen
... ''').body[0]
>>> known = {"OrderedDict": OrderedDict, "dict": dict, "sum": sum}
>>> print(emit(ordered(tree, known.get)), end="")
def f(x):
    parts = dict(a=x)
    parts["b"] = parts["a"] * x
    seen = OrderedDict()
    return sum(parts.values()), seen

What else one can do than a dict (`move_to_end`, `popitem(last=False)`, `==` that looks at the
order), and what it is to those that it is handed to, stays as it is.
"""
from __future__ import annotations

import builtins
import collections
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax

_METHODS = {"items", "keys", "values", "get", "setdefault", "update", "pop"}
# Builtins that take a dict as what hands out its keys.
_READING = ("len", "list", "tuple", "sorted", "sum", "max", "min", "enumerate", "zip", "reversed",
            "any", "all", "set")


def ordered(tree: gast.FunctionDef, meaning: Callable[[str], Any]) -> gast.FunctionDef:
    """The function with such dicts, in place; meaning: what a name of the module means, or Python's
    own."""
    made: dict[str, list[gast.Call]] = {}
    for node in syntax.all_of(tree, gast.Assign):
        if isinstance(node.targets[0], gast.Name) and len(node.targets) == 1 \
                and isinstance(node.value, gast.Call) and _is_class(node.value.func, meaning):
            made.setdefault(node.targets[0].id, []).append(node.value)
    if not made or meaning("dict") is not dict:
        return tree
    around = {id(part): node for node in syntax.walk(tree) for part in gast.iter_child_nodes(node)}
    parameters = {name for node in syntax.walk(tree) for name in (
        syntax.parameter_names(node.args) if isinstance(node, (gast.FunctionDef, gast.Lambda))
        else getattr(node, "names", ()) if isinstance(node, (gast.Global, gast.Nonlocal)) else ())}
    for name, calls in made.items():
        mentions = [node for node in syntax.names_in(tree) if node.id == name]
        bound = [node for node in mentions if isinstance(node.ctx, gast.Store)]
        if name not in parameters and len(bound) == len(calls) and all(
                node in bound or _is_as_of_a_dict(node, around, meaning) for node in mentions):
            for call in calls:
                call.func = syntax.copy_place(syntax.load("dict"), call.func)
    return tree


def _is_class(node: gast.expr, meaning: Callable[[str], Any]) -> bool:
    """Whether an expression means the class OrderedDict."""
    if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name):
        return node.attr == "OrderedDict" and meaning(node.value.id) is collections
    return isinstance(node, gast.Name) and meaning(node.id) is collections.OrderedDict


def _is_as_of_a_dict(node: gast.Name, around: dict[int, Any],
                     meaning: Callable[[str], Any]) -> bool:
    """Whether a dict does as well at one place."""
    what = around[id(node)]
    if isinstance(what, gast.Subscript):
        return what.value is node
    if isinstance(what, gast.Attribute):
        call = around[id(what)]
        return what.attr in _METHODS and isinstance(call, gast.Call) and call.func is what
    if isinstance(what, gast.Compare):
        return what.left is not node and len(what.ops) == 1 \
            and isinstance(what.ops[0], (gast.In, gast.NotIn))
    if isinstance(what, (gast.For, gast.comprehension)):
        return what.iter is node
    if isinstance(what, gast.keyword):
        return what.arg is None
    return isinstance(what, gast.Call) and isinstance(what.func, gast.Name) \
        and what.func.id in _READING and meaning(what.func.id) is getattr(builtins, what.func.id)
