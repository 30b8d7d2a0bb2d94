"""Put a part of an object or dict back where it has a name of its own and changes under that.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, DictKind
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(state, dt):
...     body = state["body"]
...     for _ in range(3):
...         x = body["x"]
...         t = x * dt
...         body = {**body, "x": t}
...     return state
... ''').body[0]
>>> tree.body[1].body[2].value.updates = "body"
>>> kinds_of = {"state": DictKind(("body",), (DictKind(("x",), (FLOAT,)),)), "dt": FLOAT}
>>> typer = Typer({}, {"range": range}.get)
>>> put_back(tree, tree, infer(tree, kinds_of, typer), typer)
True
>>> print(emit(tree), end="")
def f(state, dt):
    body = state["body"]
    for _ in range(3):
        x = body["x"]
        t = x * dt
        body = {**body, "x": t}
        state["body"] = body
    return state

In Python the statement does nothing: `state["body"]` and `body` are one dict. Here a change makes a
new value, of which the container does not know. Most such names are those of a method that was
called of a part (`self.body.step(dt)`) and is written out.

It is done where the container holds that very part whenever the part changes: nothing else is put
there, and the name of the container means no other one, as long as the name of the part is used.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aggregates import part_of
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in, definitions, while_used
from tangent_lite.inference import Typer
from tangent_lite.runtime.objects import replaced
from tangent_lite.structures.updates import change_of, updates_of
from tangent_lite.syntax.scopes import names_inside

_CONTAINERS = (kinds.RecordKind, kinds.DictKind)


def put_back(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
             typer: Typer) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.
    """
    updated = {name for node in syntax.statements(tree.body)
               if (name := _to_put_back(node)) is not None}
    if not updated:
        return False
    versions = dict(zip(map(id, syntax.statements(tree.body)), syntax.statements(numbered.body),
                        strict=True))
    bound = {*syntax.parameter_names(tree.args), *bound_in(tree.body)}
    inside = names_inside(tree)
    for block in syntax.all_blocks(tree):
        for number, node in enumerate(block):
            name = node.targets[0].id if isinstance(node, gast.Assign) \
                and isinstance(node.targets[0], gast.Name) else ""
            owner, key = part_of(node.value) if name in updated else (None, None)
            if owner is None or owner == name or owner not in bound or {owner, name} & inside:
                continue
            version: Any = versions[id(node)]
            typer.names = facts.before.get(id(version), {})
            if isinstance(typer.kind(version.value), _CONTAINERS) \
                    and isinstance(typer.kind(version.value.value), _CONTAINERS):
                behind = while_used(tree, block, number, name)
                if behind and not any(_may_part(one, name, owner, key, typer)
                                      for one in syntax.statements(behind)):
                    _put_back(block, name, node.value)
                    return True
    return False


def _to_put_back(node: gast.stmt) -> str | None:
    """The name of a container of which a statement changes a part, if it is not put back yet."""
    value = getattr(node, "value", None)
    return None if getattr(value, "put_back", False) else change_of(value)


def _may_part(node: gast.stmt, name: str, owner: str, key: Any, typer: Typer) -> bool:
    """Whether, when a statement has run, the container may not hold what the name means: one of
    them is bound to something else, the container is changed there, or given to what may do so."""
    if isinstance(node, gast.For) and owner in syntax.bound_names(node.target):
        return True
    if isinstance(node, syntax.COMPOUND):
        return any(_is_given(call, owner, typer) for call in syntax.all_of(
            node.iter if isinstance(node, gast.For) else node.test, gast.Call))
    value = getattr(node, "value", None)
    if name in definitions(node) and updates_of(value) != name:
        return True
    for target in node.targets if isinstance(node, gast.Assign) else ():
        if isinstance(target, (gast.Attribute, gast.Subscript)) \
                and syntax.root_name(target) == owner and getattr(value, "id", "") != name:
            return True
    if owner in definitions(node):
        if updates_of(value) != owner or getattr(value, "drops", None):
            return True
        parts = dict(_parts_of(value))
        if key in parts and getattr(parts[key], "id", "") != name:
            return True
    return any(_is_given(call, owner, typer) for call in syntax.all_of(node, gast.Call))


def _is_given(call: gast.Call, owner: str, typer: Typer) -> bool:
    """Whether a call gets hold of a container, but for the one that stands for its change."""
    if typer.object_of(call.func) is replaced:
        return False
    parts = [*call.args, *(k.value for k in call.keywords), getattr(call.func, "value", None)]
    return any(part is not None and owner in syntax.read_names(part) for part in parts)


def _parts_of(value: Any) -> Iterator[tuple[Any, gast.expr]]:
    """The parts that a change of a container gives it."""
    if isinstance(value, gast.Dict):
        yield from ((k.value, part) for k, part in zip(value.keys, value.values) if k is not None)
    else:
        yield from ((k.arg, k.value) for k in getattr(value, "keywords", ()))


def _put_back(block: list[gast.stmt], name: str, part: gast.expr) -> None:
    """Put the part back behind each change of it."""
    for one in syntax.blocks_in(block):
        made: list[gast.stmt] = []
        for node in one:
            made.append(node)
            if _to_put_back(node) == name:
                node.value.put_back = True
                target = syntax.copy(part)
                target.ctx = gast.Store()
                made.append(syntax.copy_place(
                    gast.Assign([target], syntax.load(name), None), node))
        one[:] = made
