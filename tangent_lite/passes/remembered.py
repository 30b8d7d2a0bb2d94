"""Write what functions remember that are defined inside and cached as a dict that they fill.

>>> import functools
>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, n):
...     @functools.cache
...     def fib(k):
...         if k < 2:
...             return x * k
...         return fib(k - 1) + x * fib(k - 2)
...     return fib(n)
... ''').body[0]
>>> print(emit(remembered(tree, {"functools": functools}.get, {"x", "n", "k", "fib"})), end="")
def f(x, n):
    fib_known = {}
    def fib(k):
        if k in fib_known:
            return fib_known[k]
        if k < 2:
            fib_known[k] = x * k
            return fib_known[k]
        fib_known[k] = fib(k - 1) + x * fib(k - 2)
        return fib_known[k]
    return fib(n)

The cache of such a function begins empty each time it is defined, and keeps everything: of
`functools.cache` and `lru_cache(maxsize=None)`. It is done where the function is called by its name
with all its arguments by position, and nothing else is done with it; where it binds none of its
parameters anew, and returns by `return` and not at its end. Keys are equal where those of the cache
are: Python makes them of the arguments as well. A call for numbers that vary is refused once kinds
are known (`checks/calls`): equal ones may come from different places, each with its slope.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Set
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.calling.resolve import meant

_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)
_OTHERS = (gast.Yield, gast.YieldFrom, gast.Await, gast.Try, gast.With, gast.Nonlocal, gast.Global)


def remembered(tree: gast.FunctionDef, free: Callable[[str], Any],
               taken: Set[str]) -> gast.FunctionDef:
    """Return a tree in which such functions fill dicts; taken: the names that there are."""
    def found(tree: gast.FunctionDef) -> list[gast.FunctionDef]:
        return [node for node in syntax.all_of(tree, gast.FunctionDef)
                if node is not tree and len(node.decorator_list) == 1
                and _keeps_everything(node.decorator_list[0], free)
                and f"{node.name}_known" not in taken and _can_be_written(node, tree)]

    if not found(tree):
        return tree
    tree = syntax.copy(tree)
    functions = found(tree)
    for block in syntax.all_blocks(tree):
        for node in [n for n in block if any(n is one for one in functions)]:
            place = next(k for k, n in enumerate(block) if n is node)
            block[place:place + 1] = _written(node)
    return tree


def _keeps_everything(node: gast.expr, free: Callable[[str], Any]) -> bool:
    if isinstance(node, gast.Call):
        given = [*node.args, *(k.value for k in node.keywords if k.arg == "maxsize")]
        return meant(node.func, free) is functools.lru_cache \
            and len(given) == len(node.args) + len(node.keywords) == 1 \
            and isinstance(given[0], gast.Constant) and given[0].value is None
    return meant(node, free) is functools.cache


def _can_be_written(node: gast.FunctionDef, around: gast.FunctionDef) -> bool:
    arguments = node.args
    if not arguments.args or arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg \
            or arguments.kwarg or arguments.defaults or not isinstance(node.body[-1], gast.Return):
        return False
    inside = [part for statement in node.body for part in syntax.walk(statement)]
    parameters = {a.id for a in arguments.args}
    if any(isinstance(part, (*_SCOPES, *_OTHERS)) or (
            isinstance(part, gast.Name) and part.id in parameters
            and not isinstance(part.ctx, gast.Load)) for part in inside):
        return False
    calls = {id(call.func) for call in syntax.all_of(around, gast.Call)
             if len(call.args) == len(parameters) and not call.keywords
             and not any(isinstance(a, gast.Starred) for a in call.args)}
    return all(isinstance(n.ctx, gast.Load) and id(n) in calls
               for n in syntax.names_in(around) if n.id == node.name) \
        and sum(isinstance(n, gast.FunctionDef) and n.name == node.name
                for n in syntax.walk(around)) == 1


def _written(node: gast.FunctionDef) -> list[gast.stmt]:
    known = f"{node.name}_known"
    names: list[gast.expr] = [syntax.load(a.id) for a in node.args.args]
    key = names[0] if len(names) == 1 else syntax.tuple_of(names)

    def kept() -> gast.Subscript:
        return syntax.subscript(syntax.load(known), syntax.copy(key))

    def keeping(block: list[gast.stmt]) -> None:
        for place in reversed(range(len(block))):
            one = block[place]
            if isinstance(one, gast.Return):
                target = syntax.subscript(syntax.load(known), syntax.copy(key), gast.Store())
                value = one.value or gast.Constant(None, None)
                block[place:place + 1] = [
                    syntax.placed(gast.Assign([target], value, None), one),
                    syntax.placed(gast.Return(kept()), one)]
            for inner in syntax.blocks_of(one):
                keeping(inner)

    keeping(node.body)
    asked = gast.Compare(syntax.copy(key), [gast.In()], [syntax.load(known)])
    asked.remembers = True
    look = gast.If(asked, [gast.Return(kept())], [])
    first = syntax.assign(known, gast.Dict([], []))
    for one in (look, first):
        syntax.place_within(one, node.decorator_list[0])
    syntax.place_within(node, node)
    node.body.insert(0, look)
    node.decorator_list = []
    return [first, node]
