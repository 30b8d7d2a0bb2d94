"""Views of dicts that see a change: `d.values()`, `d.items()`, `d.keys()` are written as tuples of
what the dict holds where they are made, which is what they show only as long as it stays so.

    it = d.values()
    d["c"] = x                  it shows x, too
    for k, v in d.items():
        d[k] = 2.0 * v          changes no more than what was shown already
        d["sum"] = v            may be shown later on

What has been shown is shown again by a view that has a name, and is gone through again.

A dict that another container holds may have any name that is taken out of one by the same attribute
or key: `d = body.parts` and `e = other.parts`. It is none of those that the function makes if
it was there before, and nothing is put into what was (`structures/made_inside`).
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import definitions, live_around
from tangent_lite.structures.made_inside import KEEPING_NOTHING, PUTTING, Changes, made_inside
from tangent_lite.structures.updates import updates_of

CHANGING = {"pop", "popitem", "clear", "update", "setdefault"}
_ANY = (".*", "[*]")              # places in containers that are not told apart
LAZY = {"enumerate", "zip", "reversed", "iter", "map", "filter"}


def change_that_is_seen(body: list[gast.stmt], node: gast.stmt, owner: str,
                        keys: Iterable[Any], only_keys: bool,
                        may_change: Changes) -> gast.stmt | None:
    """A statement that changes a dict while a view of it is still read, if there is one.

    node: the statement that makes the view; owner: the dict, which has these keys there; only_keys:
    the view shows the keys and nothing else; may_change: see `made_inside`.
    """
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return None                             # it is used up where it stands
    every = list(syntax.statements(body))
    dicts = _grown({owner}, every, _same_dict) - made_inside(body, owner, may_change)
    views = _grown({node.targets[0].id}, every, _made_of)
    shown = _grown(views, every, _taken_from) - views if _is_read_once(body, node, views) else set()
    known = set(keys)
    events = [n for n in every if _changes(n, dicts, shown, known if only_keys else set())]
    live = live_around(body, {id(n) for n in events})
    return next((n for n in events if live.get(id(n), set()) & views), None)


def _is_read_once(body: list[gast.stmt], node: gast.stmt, views: set[str]) -> bool:
    """Whether a view is gone through once and no more: what has been shown is not shown again."""
    block = next(b for b in syntax.blocks_in(body) if any(n is node for n in b))
    behind = block[next(k for k, n in enumerate(block) if n is node) + 1:]
    reading = [n for n in behind if any(syntax.read_names(one) & views for one in _heads(n))]
    loops = [n for n in reading if isinstance(n, syntax.COMPOUND)]
    everywhere = sum(bool(syntax.read_names(one) & views) for n in body for one in _heads(n))
    here = sum(bool(syntax.read_names(one) & views) for n in reading for one in _heads(n))
    return everywhere == here and len(loops) <= 1 and (not loops or reading[-1] is loops[0]) \
        and not any(syntax.read_names(one) & views for loop in loops
                    for inner in syntax.statements([*loop.body, *loop.orelse])
                    if isinstance(inner, (gast.For, gast.While)) for one in _heads(inner))


def _heads(node: gast.stmt) -> Iterator[gast.AST]:
    """What a statement, and each in it, evaluates itself."""
    for one in syntax.statements([node]):
        if not isinstance(one, syntax.COMPOUND):
            yield one
        else:
            yield getattr(one, "iter", getattr(one, "test", one))


def changes_that_are_seen(body: list[gast.stmt], node: gast.Assign,
                          owner: str, may_change: Changes) -> list[gast.stmt]:
    """The statements that may change a dict of which no keys are known while a view is still read.
    """
    every = list(syntax.statements(body))
    dicts = _grown({owner}, every, _same_dict) - made_inside(body, owner, may_change)
    views = _grown(set(definitions(node)), every, _made_of)
    events = [n for n in every if _changes(n, dicts, set(), set())]
    live = live_around(body, {id(n) for n in events})
    return [n for n in events if live.get(id(n), set()) & views]


def change_in_loop(body: list[gast.stmt], loop: gast.For, owner: str,
                   keys: set[str], around: set[str], may_change: Changes) -> gast.stmt | None:
    """A statement by which a dict may get or lose keys in a loop over it, if there is one; keys:
    the names that the keys have there, which the dict has already; around: those that keys have in
    the loops around it."""
    apart = _made_just_before(body, loop) - {owner}
    dicts = _grown({owner}, [n for n in syntax.statements(body)
                             if apart.isdisjoint(_copied(n))], _same_dict)
    dicts -= made_inside(body, owner, may_change)
    inside, bound = list(syntax.statements(loop.body)), bound_in(loop)
    shown = {key for key in keys if bound.count(key) == 1} | (around - set(bound))
    return next((n for n in inside if _changes(n, dicts, shown, set())), None)


def bound_in(loop: gast.For) -> list[str]:
    """The names that are bound in a loop, as often as they are."""
    return [name for n in syntax.statements(loop.body) for name in (
        syntax.bound_names(n.target) if isinstance(n, gast.For) else
        [] if isinstance(n, syntax.COMPOUND) else definitions(n))]


def _made_just_before(body: list[gast.stmt], loop: gast.For) -> set[str]:
    """Names of dicts that are made in front of a loop, in the same block, and get no second name up
    to its end: what they meant before is not what they mean in the loop."""
    block = next((b for b in syntax.blocks_in(body) if any(n is loop for n in b)), [])
    found: set[str] = set()
    for node in block:
        if isinstance(node, gast.Assign) and isinstance(node.value, gast.Dict) \
                and updates_of(node.value) is None:
            found |= set(definitions(node))
        else:
            for one in syntax.statements([node]):
                found -= _copied(one) | (set(definitions(one)) if not isinstance(
                    one, syntax.COMPOUND) else set())
        if node is loop:
            break
    return found


def _copied(node: gast.stmt) -> set[str]:
    """Names that a statement lets mean one thing."""
    value: Any = getattr(node, "value", None)
    if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
            and isinstance(value, gast.Name):
        return {node.targets[0].id, value.id}
    return set()


def _grown(names: set[str], every: list[gast.stmt], more: Any) -> set[str]:
    found, before = set(names), 0
    while len(found) > before:
        before = len(found)
        for node in every:
            found |= more(node, found)
    return found


def _same_dict(node: gast.stmt, dicts: set[str]) -> set[str]:
    """Names that a statement lets mean the same dict, and places in containers that hold it."""
    found: set[str] = set()
    value: Any = getattr(node, "value", None)
    if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
        other = value.id if isinstance(value, gast.Name) else updates_of(value)
        both = {node.targets[0].id, other}
        if other is not None and both & dicts:
            found |= both
    for place, name in _held(node):
        if name in dicts:
            found.add(place)
        if place in dicts or any(one[0] == place[0] and (one in _ANY or place in _ANY)
                                 for one in dicts):
            found.add(name)
    return found


def _held(node: gast.stmt) -> Iterator[tuple[str, str]]:
    """The names that a statement takes out of containers or puts into them, with their places."""
    value: Any = getattr(node, "value", None)
    for target in node.targets if isinstance(node, gast.Assign) else ():
        for one, other in ((value, target), (target, value)):
            if isinstance(one, (gast.Attribute, gast.Subscript)) and isinstance(other, gast.Name):
                yield _place(one), other.id
        if isinstance(target, (gast.Tuple, gast.List)):
            yield from (("[*]", name) for name in syntax.bound_names(target))
    if isinstance(value, gast.Call):
        yield from ((f".{k.arg or '*'}", k.value.id) for k in value.keywords
                    if isinstance(k.value, gast.Name))
        called = getattr(value.func, "id", getattr(value.func, "attr", ""))
        if updates_of(value) is None and (
                called not in KEEPING_NOTHING if isinstance(value.func, gast.Name)
                else called in PUTTING):
            yield from ((place, a.id) for a in value.args if isinstance(a, gast.Name)
                        for place in _ANY)
    elif isinstance(value, gast.Dict):
        yield from ((_at(key), part.id)
                    for key, part in zip(value.keys, value.values)
                    if key is not None and isinstance(part, gast.Name))
    elif isinstance(value, (gast.Tuple, gast.List)):
        yield from (("[*]", part.id) for part in value.elts if isinstance(part, gast.Name))


def _place(part: Any) -> str:
    """The place of a part in its container, whichever that is."""
    return f".{part.attr}" if isinstance(part, gast.Attribute) else _at(part.slice)


def _at(key: gast.expr) -> str:
    text = getattr(key, "value", None) if isinstance(key, gast.Constant) else None
    return f"[{text!r}]" if isinstance(text, str) else "[*]"


def _made_of(node: gast.stmt, views: set[str]) -> set[str]:
    """Names of iterators that a statement makes of views."""
    value: Any = getattr(node, "value", None)
    if isinstance(node, gast.Assign) and syntax.read_names(value) & views and (
            isinstance(value, (gast.Name, gast.Tuple, gast.List, gast.GeneratorExp))
            or updates_of(value) is not None or (isinstance(value, gast.Attribute)
                                                 and isinstance(value.value, gast.Name))
            or (isinstance(value, gast.Call) and syntax.root_name(value.func) in LAZY)):
        return set(definitions(node))
    return set()


def _taken_from(node: gast.stmt, views: set[str]) -> set[str]:
    """Names of items of views, and of parts of them."""
    if isinstance(node, gast.For) and syntax.read_names(node.iter) & views:
        return set(syntax.bound_names(node.target))
    value: Any = getattr(node, "value", None)
    if isinstance(node, gast.Assign) and syntax.root_name(value) in views \
            and isinstance(value, (gast.Name, gast.Subscript)):
        return set(definitions(node))
    return set()


def _changes(node: gast.stmt, dicts: set[str], shown: set[str], known: set[Any]) -> bool:
    """Whether a statement may change what a view shows that has not been shown yet; known: keys
    that may have other values, as values are not shown."""
    if isinstance(node, syntax.COMPOUND):
        return False
    value: Any = getattr(node, "value", None)
    if isinstance(node, gast.AugAssign) and isinstance(node.op, gast.BitOr) \
            and getattr(node.target, "id", None) in dicts:
        return True
    if updates_of(value) in dicts:
        given = zip(value.keys, value.values) if isinstance(value, gast.Dict) else ()
        return not all(_is_quiet(key, shown, known) for key, _ in given if key is not None) \
            or not isinstance(value, gast.Dict)
    if getattr(value, "drops", None) in dicts:
        return True
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    for target in targets:
        if isinstance(target, gast.Subscript) and syntax.root_name(target) in dicts:
            return isinstance(node, gast.Delete) or not isinstance(target.value, gast.Name) \
                or not _is_quiet(target.slice, shown, known)
    return any(isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute)
               and n.func.attr in CHANGING and syntax.root_name(n.func) in dicts
               for n in syntax.walk(node))


def _is_quiet(key: gast.expr, shown: set[str], known: set[Any]) -> bool:
    """Whether a key is that of an item that has been shown, or one that keys show already."""
    if isinstance(key, gast.Name):
        return key.id in shown
    return isinstance(key, gast.Constant) and key.value in known
