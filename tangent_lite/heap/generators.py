"""Generator expressions that are kept, as the map and filter that they are.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.source import source_of
>>> def f(xs, k):
...     squares = (x * x * k for x in xs if x > 0.0)
...     return sum(squares)
>>> source = source_of(f)
>>> print(emit(generators(source.tree, source, {"map": map, "filter": filter}.get)), end="")
def f(xs, k):
    squares = map(lambda x: x * x * k, filter(lambda x: x > 0.0, xs))
    return sum(squares)

What uses a generator up at once (sum, list, max) may as well be given a list.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.source import Source

_AT_ONCE = {"sum", "list", "tuple", "max", "min", "sorted", "set", "dict", "any", "all",
            "frozenset", "Counter", "deque", "fsum", "prod"}


def generators(tree: gast.FunctionDef, source: Source,
               now: Callable[[str], Any]) -> gast.FunctionDef:
    """Write kept generator expressions as map and filter, in place."""
    _Generators(source, now).visit(tree)
    return tree


class _Generators(gast.NodeTransformer):
    def __init__(self, source: Source, now: Callable[[str], Any]) -> None:
        self.source, self.now = source, now

    def visit_Call(self, node: gast.Call) -> gast.Call:
        at_once = isinstance(node.func, gast.Attribute) or (
            isinstance(node.func, gast.Name) and node.func.id in _AT_ONCE)
        for number, arg in enumerate(node.args):
            if isinstance(arg, gast.GeneratorExp) and at_once:
                self.generic_visit(arg)
            else:
                node.args[number] = self.visit(arg)
        node.func = self.visit(node.func)
        node.keywords = [self.visit(k) for k in node.keywords]
        return node

    def visit_GeneratorExp(self, node: gast.GeneratorExp) -> gast.expr:
        self.generic_visit(node)
        generator = node.generators[0]
        if len(node.generators) > 1 or not _is_flat(generator.target) \
                or not _is_by_itself(node) or self.now("map") is not map \
                or self.now("filter") is not filter:
            raise self.source.refuse(node, "a generator that is kept cannot be followed",
                                     "make a list in place of it: [...]")
        xs = generator.iter
        for test in generator.ifs:
            xs = syntax.call(syntax.load("filter"), _function(generator.target, test), xs)
        made = syntax.call(syntax.load("map"), _function(generator.target, node.elt), xs)
        return gast.copy_location(made, node)


def _is_by_itself(node: gast.GeneratorExp) -> bool:
    """Whether an item depends on none of the others: the functions that a generator hands out have
    one variable together, and what `:=` binds is bound around it."""
    given = {id(a) for call in gast.walk(node) if isinstance(call, gast.Call)
             for a in (*call.args, *(k.value for k in call.keywords))}
    own = set(syntax.bound_names(node.generators[0].target))
    return not any(isinstance(part, gast.NamedExpr) or (
        isinstance(part, gast.Lambda) and id(part) not in given
        and own & syntax.read_names(part)) for part in gast.walk(node))


def _is_flat(target: gast.expr) -> bool:
    """Whether a target is a name, or names in a row."""
    return isinstance(target, gast.Name) or all(isinstance(n, gast.Name) for n in target.elts)


def _function(target: gast.expr, value: gast.expr) -> gast.expr:
    """lambda target: value"""
    names = [target] if isinstance(target, gast.Name) else target.elts
    parameters = [gast.Name(n.id, gast.Param(), None, None) for n in names]
    arguments = gast.arguments(parameters, [], None, [], [], None, [])
    made = gast.copy_location(gast.Lambda(arguments, syntax.copy(value)), value)
    if isinstance(target, gast.Name):
        return made
    item = gast.Name("item", gast.Param(), None, None)
    inner = syntax.call(made, gast.Starred(syntax.load("item"), gast.Load()))
    return gast.copy_location(
        gast.Lambda(gast.arguments([item], [], None, [], [], None, []), inner), value)
