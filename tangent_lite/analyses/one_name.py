"""Containers that change have one name: where a second one does not matter."""
from __future__ import annotations

import gast

from tangent_lite import kinds
from tangent_lite.analyses.aliases import Aliases, may_hold_buffer
from tangent_lite.analyses.liveness import definitions
from tangent_lite.analyses.mentions import mentioned
from tangent_lite.kinds import Array
from tangent_lite.structures.updates import updates_of
from tangent_lite.syntax import COMPOUND, statements


def never_changes(kind: kinds.Kind) -> bool:
    """Whether a value is a tuple in which there is nothing that can change, arrays apart."""
    return isinstance(kind, kinds.TupleKind) and all(
        never_changes(i) or isinstance(i, (Array, kinds.Numeric)) or not may_hold_buffer(i)
        for i in kind.items)


def brief_names(body: list[gast.stmt], found: Aliases) -> set[tuple[int, str]]:
    """(statement, name) where the name of a container does not matter: it is used for the last
    time in the statement, or bound there and used up before any container changes."""
    blocks = [body]
    uses: dict[str, int] = {}
    found_in: dict[int, set[str]] = {}
    for node in statements(body):
        if isinstance(node, COMPOUND):
            blocks += [node.body, node.orelse]
        found_in[id(node)] = mentioned(node)
        for name in found_in[id(node)]:
            uses[name] = uses.get(name, 0) + 1
    brief: set[tuple[int, str]] = set()
    for block in blocks:
        here: dict[str, list[int]] = {}
        below: dict[str, set[int]] = {}         # statements in which it is mentioned further in
        for number, node in enumerate(block):
            if not isinstance(node, COMPOUND):
                for name in found_in[id(node)]:
                    here.setdefault(name, []).append(number)
                continue
            for inner in statements([node]):
                for name in found_in[id(inner)]:
                    below.setdefault(name, set()).add(id(inner))
        changing = [n for n, node in enumerate(block) if _changes_containers(node, found)]
        for name, spots in here.items():
            first, last = spots[0], spots[-1]
            inside = below.get(name, set())
            if inside and len(spots) + len(inside) == uses[name] and last > first and isinstance(
                    getattr(block[last], "value", None), gast.Name) \
                    and name in definitions(block[first]) and name not in {
                        n for node in block[last + 1:] for s in statements([node])
                        for n in found_in[id(s)]}:
                brief.add((id(block[last]), name))      # it was filled in a loop, and is renamed
            if len(spots) < uses[name] or name not in definitions(block[first]):
                continue
            brief.add((id(block[last]), name))
            value = getattr(block[last], "value", None)
            if not any(first < n < last for n in changing) and last > first \
                    and last not in changing \
                    and not _hands_on_items(value):
                brief.add((id(block[first]), name))
    return brief


def _hands_on_items(value: gast.expr | None) -> bool:
    """Whether what is made holds the very things that another container holds."""
    if isinstance(value, gast.Subscript):
        return isinstance(value.slice, gast.Slice)
    if isinstance(value, gast.Call):
        return isinstance(value.func, gast.Attribute) and value.func.attr == "copy"
    return isinstance(value, (gast.Tuple, gast.List, gast.Dict, gast.Name, gast.BinOp))


def _changes_containers(node: gast.stmt, found: Aliases) -> bool:
    return any(id(n) in found.changes or updates_of(getattr(n, "value", None)) is not None
               or getattr(getattr(n, "value", None), "drops", None) is not None
               for n in statements([node]))
