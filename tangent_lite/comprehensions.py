"""Comprehensions, and the functions that are comprehensions in disguise, as loops.

    [v * v for v in x if v > 0]        squares = []
                                       for v in x:
                                           if v > 0:
                                               squares.append(v * v)
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.names import Names
from tangent_lite.syntax import assign, call, load

COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def as_loop(node: gast.expr, name: str) -> list[gast.stmt]:
    """Statements that bind name to the list or dict that a comprehension makes."""
    if isinstance(node, gast.DictComp):
        made: gast.expr = gast.Dict([], [])
        target = syntax.subscript(load(name), syntax.copy(node.key), gast.Store())
        inner: gast.stmt = gast.Assign([target], syntax.copy(node.value), None)
    else:
        made = gast.List([], gast.Load())
        inner = syntax.statement(syntax.method(load(name), "append", syntax.copy(node.elt)))
    return [assign(name, made), *nested(node.generators, [inner])]


def nested(generators: list[gast.comprehension], inner: list[gast.stmt]) -> list[gast.stmt]:
    """The loops and conditions of a comprehension around statements."""
    for one in reversed(generators):
        for test in reversed(one.ifs):
            inner = [gast.If(syntax.copy(test), inner, [])]
        target = syntax.copy(one.target)
        inner = [gast.For(target, syntax.copy(one.iter), inner, [], None)]
    return inner


def dict_over_keys(value: gast.DictComp, plain: gast.DictComp, typer: Any) -> gast.Dict | None:
    """`{k: params[k] - g[k] for k in params}` key by key, where the keys are known.

    value: what the typer knows the names of; plain: the same in the user's names; typer: a Typer,
    which itself asks here.
    """
    if len(plain.generators) != 1 or plain.generators[0].ifs:
        return None
    source = value.generators[0].iter
    target = plain.generators[0].target
    owner = plain.generators[0].iter
    pairs = False
    if isinstance(source, gast.Call) and isinstance(source.func, gast.Attribute) \
            and source.func.attr in ("items", "keys") and not source.args:
        pairs = source.func.attr == "items"
        source, owner = source.func.value, owner.func.value
    kind = typer.kind(source)
    if not isinstance(kind, kinds.DictKind) or not isinstance(owner, gast.Name):
        return None
    names = syntax.bound_names(target)
    if len(names) != (2 if pairs else 1) or not isinstance(plain.key, gast.Name) \
            or plain.key.id != names[0]:
        return None
    values = []
    for key in kind.keys:
        meant: dict[str, gast.expr] = {names[0]: gast.Constant(key, None)}
        if pairs:
            meant[names[1]] = syntax.subscript(syntax.copy(owner), gast.Constant(key, None))
        values.append(syntax.substitute(plain.value, meant))
    return gast.Dict([gast.Constant(k, None) for k in kind.keys], values)


def any_or_all(node: gast.GeneratorExp, which: str, name: str) -> list[gast.stmt]:
    """Statements that bind name to any(...) or all(...), and stop where these stop."""
    found = which == "any"
    test = syntax.copy(node.elt)
    leave: list[gast.stmt] = [assign(name, gast.Constant(found, None)), gast.Break()]
    if len(node.generators) > 1:
        # A break leaves one loop only: go on to the end, which gives the same.
        leave = leave[:1]
    inner: list[gast.stmt] = [gast.If(test if found else syntax.negated(test), leave, [])]
    return [assign(name, gast.Constant(not found, None)), *nested(node.generators, inner)]


def of_call(function: object, arguments: list[gast.expr], names: Names) -> gast.expr | None:
    """The comprehension that a call of map, filter, zip or enumerate stands for; None for others.
    """
    if function is map and len(arguments) >= 2:
        items = [names.fresh("item") for _ in arguments[1:]]
        value = call(syntax.copy(arguments[0]), *map(load, items))
        return _generator(value, items, arguments[1:])
    if function is filter and len(arguments) == 2 and not isinstance(arguments[0], gast.Constant):
        item = names.fresh("item")
        made = _generator(load(item), [item], arguments[1:])
        made.generators[0].ifs.append(call(syntax.copy(arguments[0]), load(item)))
        return made
    if function is zip and arguments:
        items = [names.fresh("item") for _ in arguments]
        return _generator(syntax.tuple_of(map(load, items)), items, arguments)
    if function is enumerate and len(arguments) in (1, 2):
        number, item = names.fresh("number"), names.fresh("item")
        target = syntax.tuple_of([syntax.store(number), syntax.store(item)], gast.Store())
        source = call(load("enumerate"), *syntax.copy(arguments))
        return gast.ListComp(syntax.tuple_of([load(number), load(item)]),
                             [gast.comprehension(target, source, [], 0)])
    return None


def _generator(value: gast.expr, items: list[str], sources: list[gast.expr]) -> gast.ListComp:
    if len(items) == 1:
        target: gast.expr = syntax.store(items[0])
        source = syntax.copy(sources[0])
    else:
        target = syntax.tuple_of(map(syntax.store, items), gast.Store())
        source = call(load("zip"), *syntax.copy(sources))
    return gast.ListComp(value, [gast.comprehension(target, source, [], 0)])
