"""Comprehensions, and the functions that are comprehensions in disguise, as loops.

    [v * v for v in x if v > 0]        squares = []
                                       for v in x:
                                           if v > 0:
                                               squares.append(v * v)
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.names import Names
from tangent_lite.syntax import assign, call, load

COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def as_loop(node: gast.expr, name: str) -> list[gast.stmt]:
    """Statements that bind name to the list or dict that a comprehension makes.

    In Python a generator's items are computed one by one: what stands for one is marked as what
    `runs_ahead`, or, where each item is looked at only when it is given, as `momentary`.
    """
    if isinstance(node, gast.DictComp):
        made: gast.expr = gast.Dict([], [])
        target = syntax.subscript(load(name), syntax.copy(node.key), gast.Store())
        inner: gast.stmt = gast.Assign([target], syntax.copy(node.value), None)
    else:
        made = gast.List([], gast.Load())
        inner = syntax.statement(syntax.method(load(name), "append", syntax.copy(node.elt)))
        if getattr(node, "momentary", False):
            inner.value.momentary = True
    loops = nested(node.generators, [inner])
    if isinstance(node, gast.GeneratorExp) or getattr(node, "runs_ahead", False):
        for part in syntax.statements(loops):
            if isinstance(part, gast.For):
                part.runs_ahead = True
    return [assign(name, made), *loops]


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


MOST_PARTS = 64         # of a tuple that is written out part by part


def tuple_by_parts(value: gast.expr, plain: gast.expr, typer: Any,
                   hold: Callable[[gast.expr], gast.expr] | None = None) -> list[gast.expr] | None:
    """The parts of `tuple(0.9 * v for v in s)`, where s is known to be a tuple of so many parts, a
    range whose ends the text or such a tuple says, or what zip and enumerate give for such; None
    for others.

    value, plain, typer: as for `dict_over_keys`. hold: gives what is run over a name in front of
    all parts, where one may change what the next one would read.
    """
    if not isinstance(plain, (gast.GeneratorExp, gast.ListComp)) or len(plain.generators) != 1 \
            or plain.generators[0].ifs or any(
                isinstance(n, (gast.Lambda, gast.NamedExpr)) for n in gast.walk(plain.elt)):
        return None
    items = _items(value.generators[0].iter, plain.generators[0].iter, typer)
    if items is None or len(items) > MOST_PARTS:
        return None
    inside = {name for n in gast.walk(plain.elt) if isinstance(n, gast.comprehension)
              for name in syntax.bound_names(n.target)}
    if not inside.isdisjoint(syntax.bound_names(plain.generators[0].target)) \
            or any(not inside.isdisjoint(syntax.read_names(item)) for item in items):
        return None                             # a name that means something else in there
    if hold is not None and not _only_computes(value.elt, typer):
        items = [_held(item, hold) for item in items]
    parts = []
    for item in items:
        meant: dict[str, gast.expr] = {}
        if not _meaning(plain.generators[0].target, item, meant):
            return None
        parts.append(syntax.substitute(plain.elt, meant))
    return parts


def _items(value: gast.expr, plain: gast.expr, typer: Any) -> list[gast.expr] | None:
    """What a loop over something hands out, one after the other."""
    if isinstance(plain, (gast.Tuple, gast.List)):
        return list(plain.elts) if all(map(_is_at_hand, plain.elts)) else None
    if _is_at_hand(plain):
        kind = typer.kind(value)
        return [syntax.subscript(syntax.copy(plain), gast.Constant(k, None))
                for k in range(len(kind.items))] if isinstance(kind, kinds.TupleKind) else None
    if not isinstance(plain, gast.Call) or plain.keywords or any(
            isinstance(a, gast.Starred) for a in plain.args):
        return None
    function = typer.object_of(value.func)
    if function is range and 0 < len(plain.args) <= 3:
        ends = [_count(one, other, typer) for one, other in zip(value.args, plain.args)]
        numbers = [end for end in ends if end is not None]
        if len(numbers) < len(ends) or numbers[2:] == [0]:
            return None
        steps = range(*numbers)
        return [syntax.constant(k) if k >= 0 else syntax.minus(syntax.constant(-k))
                for k in steps] if len(steps) <= MOST_PARTS else None
    if function not in (zip, enumerate) or not plain.args:
        return None
    found = [_items(one, other, typer) for one, other in zip(value.args, plain.args)]
    if function is enumerate and len(found) == 1 and found[0] is not None:
        found.insert(0, [gast.Constant(k, None) for k in range(len(found[0]))])
    elif function is enumerate:
        return None
    known = [items for items in found if items is not None]
    return [syntax.tuple_of(syntax.copy(list(pair))) for pair in zip(*known)] \
        if len(known) == len(found) else None


def _count(value: gast.expr, plain: gast.expr, typer: Any) -> int | None:
    """The whole number that an expression is known to be: one in the text, `len(s)` of a tuple."""
    if isinstance(plain, gast.UnaryOp) and isinstance(plain.op, gast.USub):
        number = _count(value.operand, plain.operand, typer)
        return None if number is None else -number
    if isinstance(plain, gast.Constant) and type(plain.value) is int:
        return plain.value
    if isinstance(plain, gast.Call) and len(plain.args) == 1 and not plain.keywords \
            and typer.object_of(value.func) is len:
        kind = typer.kind(value.args[0])
        return len(kind.items) if isinstance(kind, kinds.TupleKind) else None
    return None


def _only_computes(node: gast.expr, typer: Any) -> bool:
    """Whether an expression runs no code but that of operators, and of functions with a rule that
    write nothing."""
    return not any(isinstance(n, (gast.Attribute, gast.Yield, gast.Await)) for n in _values(node)) \
        and all(_is_computed(typer.object_of(n.func)) for n in gast.walk(node)
                if isinstance(n, gast.Call))


def _values(node: gast.AST) -> Iterator[gast.AST]:
    """What an expression is made of, but for what it calls."""
    yield node
    for field, part in gast.iter_fields(node):
        for one in part if isinstance(part, list) else [part]:
            if isinstance(one, gast.AST) and not (isinstance(node, gast.Call) and field == "func"):
                yield from _values(one)


def _is_computed(function: Any) -> bool:
    try:
        entry = registry.lookup(function)
    except TypeError:                           # what cannot be hashed
        return False
    return entry is not None and not entry.writes


def _held(item: gast.expr, hold: Callable[[gast.expr], gast.expr]) -> gast.expr:
    """An item, or the items that zip hands out together, by names."""
    if isinstance(item, gast.Tuple):
        return gast.Tuple([_held(one, hold) for one in item.elts], gast.Load())
    return item if isinstance(item, gast.Constant) else hold(item)


def _is_at_hand(node: gast.expr) -> bool:
    """Whether an expression may stand in several places: a name, a number, a part of a name."""
    while isinstance(node, (gast.Subscript, gast.Attribute)):
        if isinstance(node, gast.Subscript) and not syntax.is_atom(node.slice):
            return False
        node = node.value
    return syntax.is_atom(node)


def _meaning(target: gast.expr, item: gast.expr, meant: dict[str, gast.expr]) -> bool:
    """Note what the names of a target mean for an item; whether that is known."""
    if isinstance(target, gast.Name):
        meant[target.id] = item
        return True
    return isinstance(target, gast.Tuple) and isinstance(item, gast.Tuple) \
        and len(target.elts) == len(item.elts) \
        and all(_meaning(t, i, meant) for t, i in zip(target.elts, item.elts))


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
