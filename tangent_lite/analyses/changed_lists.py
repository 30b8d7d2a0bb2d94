"""Lists that change: what they hold is not written to, and they do not change under a loop."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import Aliases, containers_of, may_hold_buffer
from tangent_lite.analyses.apart import Apart
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.momentary import written_by
from tangent_lite.errors import AliasError
from tangent_lite.names import stem
from tangent_lite.structures.lists import list_change
from tangent_lite.structures.nested import levels
from tangent_lite.structures.updates import updates_of
from tangent_lite.syntax import COMPOUND


def check_changed_lists(tree: gast.FunctionDef, facts: Inferred, found: Aliases,
                        held: list[tuple[gast.stmt, str, str]], place: Callable[[gast.AST], Any],
                        inside: set[str], apart: Apart) -> None:
    """A list that changes has one name, what is in it is not written to, and no loop goes over it
    meanwhile."""
    for node, name, item in held:
        if name not in inside:
            raise AliasError(f"{stem(name)} comes from outside and is changed here", place(node),
                             "copy it first, and change the copy")
        if found.is_written(item) and not found.beside and not apart.is_copy(node, name):
            raise AliasError(f"{stem(item)} goes into the list {stem(name)}, and is written to "
                             "in place", place(node), f"put {stem(item)}.copy() into the list")
    for node in syntax.statements(tree.body):
        if isinstance(node, gast.For):
            below = list(syntax.statements(node.body))
            _read_lazily(node, below, facts, found, place)
            for one in _of_this_loop(node.body):
                value: Any = getattr(one, "value", None)
                if getattr(value, "iterates", False) and any(
                        name == getattr(value.value, "id", None) and not _is_within(
                            getattr(other, "targets", [None])[0]) and not _is_in_place(
                            other, name, facts)
                        for other in below for name in found.changes.get(id(other), ())):
                    raise AliasError(f"{stem(value.value.id)} is changed while it is looped over",
                                     place(node), "loop over a copy of it")


def _read_lazily(loop: gast.For, below: list[gast.stmt], facts: Inferred, found: Aliases,
                 place: Callable[[gast.AST], Any]) -> None:
    """What an iterator takes its items from was read in front of the loop, all at once."""
    lazily = {n.id for n in getattr(loop, "lazily", ())}
    for node in below if lazily else ():
        changed = [*found.changes.get(id(node), ()), updates_of(getattr(node, "value", None))]
        target = syntax.target_of(node)
        if isinstance(target, gast.Subscript) or isinstance(node, gast.AugAssign):
            changed.append(syntax.root_name(target))
        for part in syntax.walk(node) if not isinstance(node, COMPOUND) else ():
            if isinstance(part, gast.Call):
                changed += written_by(part, facts)
        for name in changed:
            read = [] if name is None else sorted(
                n for n in lazily if found.find(n) == found.find(name)
                and not (n == name and _is_within(target))
                and not _is_other(n, name, node, facts))
            if read and may_hold_buffer(facts.names.get(name, kinds.UNKNOWN)):
                raise AliasError(f"{stem(read[0])} is changed while it is looped over",
                                 place(loop), "make a list of the items first")


def _is_other(read: str, name: str, node: gast.stmt, facts: Inferred) -> bool:
    """Whether a statement changes a list of its own alone, such as one that items are appended to
    which another list holds as well: a list that changes has one name, and one that holds no
    containers does not hold that list."""
    change = list_change(node, facts.before.get(id(node), facts.names))
    return change is not None and change.name == name != read \
        and containers_of(facts.names.get(read, kinds.UNKNOWN)) < 2


def _of_this_loop(block: list[gast.stmt]) -> Iterator[gast.stmt]:
    """The statements of a loop without those of the loops in it: what these read of lists, they
    read while they run."""
    todo = [*block]
    while todo:
        node = todo.pop()
        if not isinstance(node, COMPOUND):
            yield node
        elif not isinstance(node, gast.For):
            todo += [*node.body, *node.orelse]


def _is_in_place(node: gast.stmt, name: str, facts: Inferred) -> bool:
    """Whether a statement puts another item in the place of one: the loop, which goes by places,
    comes by as many as before."""
    target: Any = node.targets[0] if isinstance(node, gast.Assign) else None
    if not isinstance(target, gast.Subscript) or not syntax.is_name(target.value, name):
        return False
    kinds_there = facts.before[id(node)]
    return isinstance(kinds_there.get(name), kinds.ListKind) \
        and isinstance(target.slice, (gast.Name, gast.Constant)) \
        and isinstance(kinds_there.get(target.slice.id) if isinstance(target.slice, gast.Name)
                       else kinds.literal(target.slice.value), kinds.Number)


def _is_within(target: gast.expr | None) -> bool:
    """Whether what is written lies in a list in a list, which holds the same lists afterwards."""
    return isinstance(target, gast.Subscript) and levels(target.slice) > 0
