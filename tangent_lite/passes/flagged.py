"""A flag for what may not be bound yet where it is read, and leaves no statement behind.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, n):
...     if n > 0:
...         g = lambda v: v * n
...     return g(x)
... ''').body[0]
>>> print(emit(flagged(tree)), end="")
def f(x, n):
    g_is_bound = False
    if n > 0:
        g = lambda v: v * n
        g_is_bound = True
    if not g_is_bound:
        raise UnboundLocalError("g is read before it is bound")
    return g(x)

Functions are written out where they are called, the parts of objects have names of their own, and
tests of None are decided, so nothing would be left that reads the name. Other names are read where
they stand (`unassigned`). Most functions are bound in front of all that reads them, without a flag.

What comprehensions and other functions read is asked for when these run, which no flag in front of
them tells. There a name that may not be bound is refused.
"""
from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.adjoints.unbound import raises
from tangent_lite.analyses.mentions import head
from tangent_lite.analyses.unsure_reads import unsure_reads
from tangent_lite.names import Names
from tangent_lite.syntax import bound_names


def flagged(tree: gast.FunctionDef, names: Names | None = None,
            around: Set[str] = frozenset(),
            meaning: Callable[[str], Any] = lambda name: None,
            refuse: Callable[[gast.AST, str, str], Exception] | None = None) -> gast.FunctionDef:
    """The tree, in normal form, changed in place; around: what is bound in front of it; meaning:
    what a name from outside means."""
    traceless = _traceless(tree, around, meaning)
    if not traceless:
        return tree
    bound = {*syntax.parameter_names(tree.args), *around}
    if refuse is not None:
        _refuse_what_runs_later(tree, traceless, bound, refuse)
    found = unsure_reads(tree.body, bound)
    asked = traceless.intersection(*[set().union(*found.values())])
    if not asked:
        return tree
    names = names or Names(syntax.all_names(tree))
    flags = {name: names.fresh(f"{name}_is_bound") for name in sorted(asked)}
    for block in syntax.blocks_in(tree.body):
        for place in range(len(block) - 1, -1, -1):
            node = block[place]
            told = [syntax.assign(flags[name], syntax.constant(True))
                    for name in _bound_here(node) if name in flags]
            tests = [_test(name, flags[name])
                     for name in sorted(found.get(id(node), set()) & asked)]
            syntax.serve([*told, *tests], node)
            block[place:place + 1] = [*tests, node, *told]
    first = [syntax.assign(flag, syntax.constant(False)) for flag in flags.values()]
    syntax.serve(first, tree.body[0])
    tree.body[:0] = first
    return tree


def _refuse_what_runs_later(tree: gast.FunctionDef, traceless: Set[str], bound: Set[str],
                            refuse: Callable[[gast.AST, str, str], Exception]) -> None:
    """Refuse a function in which a comprehension, or a function that is called or handed on, reads
    one of some names, and that may not be bound."""
    functions = {name: node.value.local.captured for node in syntax.statements(tree.body)
                 if isinstance(getattr(node, "value", None), gast.Lambda)
                 and hasattr(node.value, "local") for name in _bound_here(node)}
    asked: dict[int, gast.stmt] = {}
    body = syntax.copy(tree).body
    for block in syntax.blocks_in(body):
        for place in range(len(block) - 1, -1, -1):
            node = block[place]
            if isinstance(getattr(node, "value", None), gast.Lambda):
                continue
            read = syntax.read_names(head(node))
            later = {name for part in syntax.all_of(head(node), *syntax.COMPREHENSIONS)
                     for name in syntax.read_names(part)}
            todo = [name for name in read if name in functions]
            while todo:
                new = functions[todo.pop()] - later
                later |= new
                todo += [name for name in new if name in functions]
            for name in sorted(later & traceless):
                probe = gast.Expr(syntax.load(name))
                asked[id(probe)] = node
                block.insert(place, probe)
    unsure = unsure_reads(body, bound) if asked else {}
    for key, node in asked.items():
        if key in unsure:
            raise refuse(node, "this calls what may not be bound yet",
                         "define it in front of all that calls it")


def _traceless(tree: gast.FunctionDef, around: Set[str],
               meaning: Callable[[str], Any]) -> set[str]:
    """The names to which a function binds functions, objects or None."""
    bindings = [node for node in syntax.statements(tree.body) if isinstance(node, gast.Assign)]
    inside = {name for node in bindings for name in _bound_here(node)}
    known: set[str] = set()

    def is_known(value: gast.expr) -> bool:
        if isinstance(value, gast.Constant):
            return value.value is None
        if isinstance(value, gast.Lambda):
            return True
        if isinstance(value, gast.Call):
            return isinstance(value.func, gast.Name) and value.func.id not in inside \
                and value.func.id not in around and isinstance(meaning(value.func.id), type)
        if isinstance(value, gast.Name):
            return value.id in known or (value.id not in inside and value.id not in around
                                         and callable(meaning(value.id)))
        return False

    for _ in range(2):                          # names of names
        known.update(name for node in bindings if is_known(node.value)
                     for name in _bound_here(node))
    return known


def _bound_here(node: gast.stmt) -> list[str]:
    return [name for target in node.targets if isinstance(target, gast.Name)
            for name in bound_names(target)] if isinstance(node, gast.Assign) else []


def _test(name: str, flag: str) -> gast.stmt:
    return gast.If(gast.UnaryOp(gast.Not(), syntax.load(flag)), [raises(name)], [])
