"""Arrays that are a part of one dict or object, and nowhere else any more.

    params = {"W": W.copy(), "b": b.copy()}
    params["W"] -= rate * slope                 nobody sees whether the array changes here, or the
                                                dict has another one from now on
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.apart import Apart
from tangent_lite.kinds import Array

_WITH_KEYS = (kinds.DictKind, kinds.RecordKind)
_KEEPERS = {"append", "appendleft", "insert", "extend", "add", "setdefault", "update"}


def is_only_there(tree: gast.FunctionDef, node: Any, name: str, facts: Any,
                  apart: Apart) -> bool:
    """Whether the array that a statement reads of a container is nowhere else any more: no other of
    the names that may mean it, and no other container, is read later, and it was put nowhere but
    where it is.
    """
    owner, key = syntax.root_name(node.value), _key_of(node, facts)
    everything = apart.component([name], set())
    holders = {n for n in everything if not isinstance(facts.names.get(n), Array)} - {owner}
    if key is None or not isinstance(facts.names.get(owner), _WITH_KEYS) \
            or any(apart.is_live(node, n) for n in holders):
        return False
    puts = [put for part in syntax.walk(tree) for put in _puts(part)]
    arrays = {name} | {n for to, n in puts if to == key and n in everything}
    arrays |= {target.id for one in syntax.statements(tree.body) if isinstance(one, gast.Assign)
               and isinstance(one.value, (gast.Subscript, gast.Attribute))
               and _key_of(one, facts) in (key, None) for target in one.targets
               if isinstance(target, gast.Name) and target.id in everything}
    # What dicts and objects hold is told by its key; all else may hold it anywhere.
    with_keys = {n for n in everything if isinstance(facts.names.get(n), _WITH_KEYS)}
    todo = [*arrays]
    while todo:
        for other, _ in apart.near.get(todo.pop(), ()):
            if other not in arrays and other not in with_keys:
                arrays.add(other)
                todo.append(other)
    return not any(apart.is_live(node, n) for n in arrays - {name}) \
        and all(to == key for to, n in puts if n in arrays)


def _key_of(node: Any, facts: Any) -> Any:
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


def _puts(part: gast.AST) -> list[tuple[Any, str]]:
    """The names that an expression puts into something, and where: under which key or attribute,
    None if that is not known."""
    given: list[tuple[Any, Any]] = []
    if isinstance(part, gast.Dict):
        given = [(getattr(k, "value", None), v) for k, v in zip(part.keys, part.values)
                 if k is not None]
    elif isinstance(part, (gast.List, gast.Tuple, gast.Set)):
        given = [(None, one) for one in part.elts]
    elif isinstance(part, gast.Call):
        updates = getattr(part, "updates", None)
        given = [(word.arg if updates else None, word.value) for word in part.keywords]
        if isinstance(part.func, gast.Attribute) and part.func.attr in _KEEPERS:
            given += [(None, one) for one in part.args]
    return [(key, value.id) for key, value in given if isinstance(value, gast.Name)]
