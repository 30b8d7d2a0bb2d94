"""Generator functions: which these are, and their yields as statements of their own.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.source import source_of
>>> def doubled(xs):
...     yield 0.0
...     yield from (2.0 * x for x in xs)
>>> source = source_of(doubled)
>>> print(emit(yields(source.tree, source.refuse, Names(syntax.all_names(source.tree)))), end="")
def doubled(xs):
    yield 0.0
    for item in (2.0 * x for x in xs):
        yield item

Grammar afterwards: a yield is a statement of its own, in no `try` and in no `with` (but for that of
a context manager), and there is no `yield from`. Nobody sends anything to such a generator, so the
two are the same; and it returns no value.
"""
from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.names import Names

YIELDS = (gast.Yield, gast.YieldFrom)
NO_GENERATOR = ("a generator cannot be differentiated",
                "collect the values in a list, and return a number made of them; jacobian and "
                "vjp take the list itself")


def generates(function: Any) -> bool:
    """Whether a function is a generator function of the user, be it one that is defined inside."""
    tree = getattr(function, "tree", None)
    if isinstance(tree, gast.FunctionDef):
        return is_generator(tree)
    return isinstance(function, types.FunctionType) \
        and bool(function.__code__.co_flags & inspect.CO_GENERATOR)


def is_generator(tree: gast.AST) -> bool:
    """Whether a function yields."""
    return first_yield(tree) is not None


def first_yield(tree: gast.AST) -> gast.expr | None:
    """The first yield of a function, be it one that is never reached."""
    if syntax.classes_in(tree).isdisjoint(YIELDS):
        return None
    return next((n for n in _own(tree.body) if isinstance(n, YIELDS)), None)


def check_yields(tree: gast.FunctionDef, refuse: Callable[[gast.AST, str, str], Exception],
                 is_manager: bool = False) -> None:
    """Refuse what no strategy follows; is_manager: what is left to yield is always gone on with."""
    outside = next((n for one in gast.walk(tree) if isinstance(one, gast.Lambda)
                    for n in _own([one.body]) if isinstance(n, YIELDS)), None)
    if outside is not None:
        raise refuse(outside, *NO_GENERATOR)
    for node in () if is_manager else _own(tree.body):
        if isinstance(node, (gast.Try, gast.With)):
            inside = next((n for part in gast.iter_child_nodes(node) for n in _own([part])
                           if isinstance(n, YIELDS)), None)
            if inside is not None:
                raise refuse(inside, "a generator that may be left inside of a `try` or a `with` "
                                     "cannot be followed", "yield behind it")


def yields(tree: gast.FunctionDef, refuse: Callable[[gast.AST, str, str], Exception],
           names: Names, is_manager: bool = False) -> gast.FunctionDef:
    """Write the yields of a function as statements of their own, in place."""
    check_yields(tree, refuse, is_manager)
    first = first_yield(tree)
    if first is not None and any(isinstance(n, gast.Return) and n.value is not None and getattr(
            n.value, "value", n) is not None for n in _own(tree.body)):
        # What was meant to be its result, mostly.
        raise refuse(first, "a generator that returns a value, which whoever loops over it drops",
                     "yield it, or collect the values in a list and return that")
    plain = {id(n.value) for n in _own(tree.body) if isinstance(n, gast.Expr)}
    for node in _own(tree.body):
        if isinstance(node, YIELDS) and id(node) not in plain:
            raise refuse(node, "what a generator is sent, or returns, cannot be followed",
                         "give it what it needs as arguments")
    if plain:
        _Loops(names).visit_body(tree)
    return tree


class _Loops(syntax.Transformer):
    """Writes `yield from` as a loop."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def visit_body(self, tree: gast.FunctionDef) -> None:
        tree.body = [self.visit(node) for node in tree.body]

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:
        return node                             # it has yields of its own

    def visit_Expr(self, node: gast.Expr) -> gast.stmt:
        if not isinstance(node.value, gast.YieldFrom):
            return node
        item = self.names.fresh("item")
        body = [gast.Expr(gast.Yield(syntax.load(item)))]
        made = gast.For(syntax.store(item), node.value.value, body, [], None)
        syntax.place_within(made, node)
        return made


def yields_inside(tree: gast.FunctionDef, refuse: Callable[[gast.AST, str, str], Exception],
                  names: Names, is_manager: bool = False) -> gast.FunctionDef:
    """The same for a function and all that are defined in it, if there are any yields; is_manager:
    the function is a context manager, entered and left once, and yields in its `try`."""
    if syntax.classes_in(tree).isdisjoint(YIELDS):
        return tree
    tree = syntax.copy(tree)
    for one in gast.walk(tree):
        if isinstance(one, gast.FunctionDef):
            yields(one, refuse, names, is_manager and one is tree)
    return tree


def _own(block: list[Any]) -> Iterator[gast.AST]:
    """The nodes of a block, those of functions inside aside, in their order."""
    todo = list(reversed(block))
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (gast.FunctionDef, gast.Lambda)):
            todo += reversed(list(gast.iter_child_nodes(node)))
