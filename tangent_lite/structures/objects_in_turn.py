"""Objects that a loop over a written tuple goes through, by their names.

    for box in (mixed, deep):       =>      mixed.update(dt)
        box.update(dt)                      deep.update(dt)

A tuple that is bound to a name holds its objects, and what changes there has several names then.
Here each is known by its own name, as if the body had been written once for each.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.mentions import head
from tangent_lite.structures.updates import updates_of

_SCOPES = (*syntax.COMPREHENSIONS, gast.Lambda, gast.FunctionDef)


def by_their_names(bodies: list[list[gast.stmt]], loop: gast.For, over: list[kinds.Kind],
                   tree: gast.FunctionDef) -> None:
    """Rewrite the bodies of a loop over a tuple, one for each part of it, in place.

    loop: as it stands in the tree; over: the kinds of what it takes the items of.
    """
    first: Any = loop.body[0]
    changed = {n.value.id for n in syntax.walk(loop) if isinstance(n, gast.Attribute)
               and isinstance(n.ctx, gast.Store) and isinstance(n.value, gast.Name)}
    changed |= {updates_of(getattr(one, "value", None)) for one in syntax.statements(loop.body)}
    kind = over[0]
    if len(over) != 1 or not isinstance(kind, kinds.TupleKind) \
            or not (changed or any(map(_has_object, kind.items))) \
            or not getattr(getattr(first, "value", None), "iterates", False) \
            or any(isinstance(part, _SCOPES) for part in syntax.walk(loop)):
        return
    shown = _shown(first.value.value.id, loop, tree)
    second: Any = loop.body[1] if len(loop.body) > 1 else None
    taken = first.targets[0]
    is_unpacked = isinstance(taken, gast.Name) and isinstance(second, gast.Assign) \
        and isinstance(second.targets[0], gast.Tuple) \
        and getattr(second.value, "id", None) == taken.id
    targets = second.targets[0].elts if is_unpacked else [taken]
    rows = [(part.elts if isinstance(part, gast.Tuple) else []) if is_unpacked else [part]
            for part in shown]
    if len(rows) != len(bodies) or not all(isinstance(target, gast.Name) for target in targets) \
            or any(len(row) != len(targets) or not all(
                isinstance(part, (gast.Name, gast.Constant)) for part in row) for row in rows):
        return
    held = {part.id for row in rows for part in row if isinstance(part, gast.Name)}
    own = [target.id for target in targets]
    rest = loop.body[2 if is_unpacked else 1:]
    stored = {n.id for one in syntax.statements(rest) if not _changes_object(one)
              for n in syntax.names_in(one.target if isinstance(one, gast.For) else head(one))
              if not isinstance(n.ctx, gast.Load)}
    if held & _stored(loop.body) or stored.intersection(own) or len({*own}) < len(own) \
            or (is_unpacked and _reads(rest, taken.id)):
        return
    name = first.value.value.id
    if _reads(tree.body, name) == _reads([loop], name):         # nobody sees it any more
        _shown(name, loop, tree, forget=True)
    behind = {name for name in own if _reads(tree.body, name) > _reads(loop.body, name)}
    for body, row, part_kind in zip(bodies, rows, kind.items, strict=True):
        of_parts = getattr(part_kind, "items", ()) if is_unpacked else [part_kind]
        if len(of_parts) != len(own):
            of_parts = [kinds.UNKNOWN] * len(own)
        parts = list(zip(own, row, of_parts, strict=True))
        objects = {name: part.id for name, part, of in parts if isinstance(part, gast.Name)
                   and (isinstance(of, kinds.RecordKind)
                        or (kinds.may_be_object(of) and name in changed))}
        rest = [syntax.Rename(objects).visit(one) for one in body[2 if is_unpacked else 1:]]
        made = [syntax.copy_place(syntax.assign(name, syntax.copy(part)), first)
                for name, part, _ in parts]
        numbers = [one for one in made if one.targets[0].id not in objects]
        named = [one for one in made if one.targets[0].id in objects.keys() & behind]
        body[:] = [*numbers, *rest, *(named if body is bodies[-1] else [])]


def _shown(name: str, loop: gast.For, tree: gast.FunctionDef, forget: bool = False
           ) -> list[gast.expr]:
    """The parts of the tuple that stands written in front of a loop; none where it does not, or
    where what they mean may have changed since. forget: let it hold nothing any more."""
    block, spot = syntax.spot_in(tree, loop)
    bound: set[str] = set()
    for one in reversed(block[:spot]):
        value: Any = getattr(one, "value", None)
        if isinstance(one, gast.Assign) and getattr(one.targets[0], "id", None) == name:
            parts = value.elts if isinstance(value, gast.Tuple) else []
            if forget:
                one.value = syntax.copy_place(gast.Constant(None, None), value)
            return [] if bound & syntax.read_names(value) else parts
        bound |= _stored([one])
        if name in bound:
            break
    return []


def _changes_object(node: Any) -> bool:
    """`box = replaced(box, T=v)`, which is one object in the text of the user."""
    name = getattr(getattr(node, "targets", [None])[0], "id", None)
    return name is not None and updates_of(getattr(node, "value", None)) == name


def _has_object(kind: kinds.Kind) -> bool:
    return isinstance(kind, kinds.RecordKind) or (
        isinstance(kind, kinds.TupleKind) and any(map(_has_object, kind.items)))


def _stored(block: list[gast.stmt]) -> set[str]:
    return {n.id for one in block for n in syntax.names_in(one) if not isinstance(n.ctx, gast.Load)}


def _reads(block: list[gast.stmt], name: str) -> int:
    return sum(n.id == name and isinstance(n.ctx, gast.Load)
               for one in block for n in syntax.names_in(one))
