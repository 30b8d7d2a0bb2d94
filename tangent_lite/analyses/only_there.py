"""Arrays that are a part of one dict or object, and nowhere else any more.

    params = {"W": W.copy(), "b": b.copy()}
    params["W"] -= rate * slope                 nobody sees whether the array changes here, or the
                                                dict has another one from now on
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.apart import Apart
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions
from tangent_lite.kinds import Array
from tangent_lite.runtime.objects import blank, replaced
from tangent_lite.structures.updates import fields_of_class, updates_of

_WITH_KEYS = (kinds.DictKind, kinds.RecordKind)
_HOLD_NOTHING = (Array, kinds.Number, kinds.Text, kinds.Nothing, kinds.RangeKind)
_KEEPERS = {"append", "appendleft", "insert", "extend", "add", "setdefault", "update"}


def call_for_holder(name: str, aliases: Aliases, facts: Inferred,
                    calls_for: Callable[[str], Iterable[gast.Call]]) -> gast.Call | None:
    """A call of a function of the user that gives a dict or an object which may hold an array:
    under which other keys it holds it is known once that function is written out.

    calls_for: those that a name is bound to.
    """
    return next((call for holder, kind in facts.names.items() if isinstance(kind, _WITH_KEYS)
                 and aliases.find(holder) == aliases.find(name)
                 for call in calls_for(holder)), None)


def is_only_there(tree: gast.FunctionDef, node: Any, name: str, facts: Inferred,
                  apart: Apart) -> bool:
    """Whether the array that a statement reads of a container is nowhere else any more: no other of
    the names that may mean it, and no other container, is read later, and it was put nowhere but
    where it is.
    """
    owner, key = syntax.root_name(node.value), _key_of(node, facts)
    everything = apart.component([name], set())
    holders = {n for n in everything if not isinstance(facts.names.get(n), Array)} - {owner}
    if key is None or owner is None or not isinstance(facts.names.get(owner), _WITH_KEYS):
        return False
    puts = [put for one in syntax.statements(tree.body) for put in _puts(one, facts)]
    live = {n for n in holders if apart.is_live(node, n)}
    if live and not (live <= _above(tree, owner, facts)
                     and _each_has_one_place(tree, everything, puts, facts, apart)):
        return False
    arrays = {name} | {n for to, n in puts if to == key and n in everything}
    arrays |= {target.id for one in syntax.statements(tree.body) if isinstance(one, gast.Assign)
               and isinstance(one.value, (gast.Subscript, gast.Attribute))
               and _key_of(one, facts) in (key, None) for target in one.targets
               if isinstance(target, gast.Name) and target.id in everything}
    # What dicts and objects hold is told by its key; all else may hold it anywhere.
    with_keys = {n for n in everything if isinstance(facts.names.get(n), _WITH_KEYS)}
    arrays -= with_keys
    todo = [*arrays]
    while todo:
        for other, _ in apart.near.get(todo.pop(), ()):
            if other not in arrays and other not in with_keys:
                arrays.add(other)
                todo.append(other)
    live = {n for n in arrays - {name} if apart.is_live(node, n)}
    return (not live or live <= (_made_before(tree.body, node, set(), apart) or set())) \
        and all(to == key for to, n in puts if n in arrays)


def _made_before(block: list[gast.stmt], node: gast.stmt, made: set[str],
                 apart: Apart) -> set[str] | None:
    """The names that mean at a statement what was made on the straight way to it, and is nowhere
    else; made: those in front of the block. None if the statement is not in the block.

        v = x.var(0)                v is not what self.var holds,
        self.var *= 0.9             though elsewhere it is: v = self.var
    """
    for one in block:
        if one is node:
            return made
        if isinstance(one, syntax.COMPOUND):
            made = made.difference(*map(apart.touched, syntax.statements([one])))
            for inner in (one.body, one.orelse):
                found = _made_before(inner, node, made, apart)
                if found is not None:
                    return found
            continue
        made = made - apart.touched(one)
        if isinstance(one, gast.Assign):
            made |= {name for name in definitions(one) if not any(
                key == (id(one), name) for _, key in apart.near.get(name, ()))}
    return None


def _above(tree: gast.FunctionDef, owner: str | None, facts: Inferred) -> set[str]:
    """The dicts and objects of which one is a part, or a part of a part: `layer = params["a"]`."""
    found: set[str] = set()
    todo = [owner]
    while todo:
        part = todo.pop()
        for one in syntax.statements(tree.body):
            if isinstance(one, gast.Assign) and _reads_part(one) and one.targets[0].id == part:
                holder = getattr(one.value.value, "id", "")
                if isinstance(facts.names.get(holder), _WITH_KEYS) and holder not in found:
                    found.add(holder)
                    todo.append(holder)
    return found


def _each_has_one_place(tree: gast.FunctionDef, everything: set[str],
                        puts: list[tuple[Any, str]], facts: Inferred, apart: Apart) -> bool:
    """Whether no array is in two of some dicts and objects, which are made part by part: each that
    is put into one is new there, and was not read of one."""
    held = [n for _, n in puts if n in everything and not isinstance(
        facts.names.get(n), (*_WITH_KEYS, kinds.Number))]
    containers = {n for n in everything if not isinstance(facts.names.get(n), Array)}
    if len(set(held)) < len(held) or not all(isinstance(facts.names.get(n), _WITH_KEYS)
                                             for n in containers) \
            or any(other not in containers for n in held for other, _ in apart.near.get(n, ())):
        return False
    for block in syntax.all_blocks(tree):
        bound = set(held) if block is tree.body else set()          # not outside a loop around
        for one in block:
            if isinstance(one, syntax.COMPOUND):
                continue
            names = syntax.bound_names(one.targets[0]) if isinstance(one, gast.Assign) else []
            if _reads_part(one):
                if not set(names).isdisjoint(held):
                    return False
            elif not containers.isdisjoint(names) and not _is_made_part_by_part(one.value, facts):
                return False
            if not {n for _, n in _puts(one, facts)}.intersection(held) <= bound:
                return False
            bound.update(names)
    return True


def _reads_part(node: Any) -> bool:
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
        and isinstance(node.value, (gast.Subscript, gast.Attribute))


def _is_made_part_by_part(value: gast.expr, facts: Inferred) -> bool:
    """Whether a dict or object is made of parts that have names, or is what it was but for some."""
    if isinstance(value, gast.Name):
        return True
    if isinstance(value, gast.Dict):
        return updates_of(value) is not None or None not in value.keys
    function, _ = facts.callees.get(id(value), (None, None))
    return function in (blank, replaced) or (isinstance(function, type)
                                             and _fields(value, function) is not None)


def _fields(call: gast.Call, cls: type) -> list[str] | None:
    return fields_of_class(cls, len(call.args), [k.arg for k in call.keywords])


def _key_of(node: Any, facts: Inferred) -> Any:
    """The key or attribute of the part that a statement reads of what has a name; None if it does
    something else."""
    spot = node.value
    if not isinstance(getattr(spot, "value", None), gast.Name):
        return None
    if isinstance(spot, gast.Subscript) and isinstance(spot.slice, gast.Name):
        key = kinds.value_of(facts.before.get(id(node), {}).get(spot.slice.id, kinds.UNKNOWN))
        return None if key is kinds.NO_VALUE else key
    return spot.attr if isinstance(spot, gast.Attribute) else getattr(
        getattr(spot, "slice", None), "value", None)


def _puts(node: gast.stmt, facts: Inferred) -> list[tuple[Any, str]]:
    """The names that a statement puts into something, and where: under which key or attribute,
    None if that is not known."""
    given: list[tuple[Any, Any]] = []
    for part in () if isinstance(node, syntax.COMPOUND) else syntax.walk(node):
        if isinstance(part, gast.Dict):
            given += [(getattr(k, "value", None), v) for k, v in zip(part.keys, part.values)
                      if k is not None]
        elif isinstance(part, (gast.List, gast.Tuple, gast.Set)):
            given += [(None, one) for one in part.elts]
        elif isinstance(part, gast.Call):
            given += _given_to(part, node, facts)
    return [(key, value.id) for key, value in given if isinstance(value, gast.Name)]


def _given_to(call: gast.Call, node: gast.stmt, facts: Inferred) -> list[tuple[Any, gast.expr]]:
    """What a call puts into something, and where."""
    function, _ = facts.callees.get(id(call), (None, None))
    fields = _fields(call, function) if isinstance(function, type) else None
    if fields is not None:
        return list(zip(fields, [*call.args, *(k.value for k in call.keywords)]))
    found: list[tuple[Any, gast.expr]] = [
        (word.arg if getattr(call, "updates", None) else None, word.value)
        for word in call.keywords]
    name = getattr(call.func, "attr", "")
    if name in _KEEPERS or any(not isinstance(facts.after.get(id(node), {}).get(
            bound, kinds.UNKNOWN), _HOLD_NOTHING) for bound in definitions(node)):
        found += [(None, one) for one in call.args]
    return found
