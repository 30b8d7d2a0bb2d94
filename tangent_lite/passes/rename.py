"""Give a list that changes one name where it has two, and what gets a second one in a loop.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, ListKind
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(xs, v):
...     best = xs
...     best[0] = v
...     first = xs[0]
...     return first
... ''').body[0]
>>> facts = infer(tree, {"xs": ListKind(FLOAT), "v": FLOAT}, Typer({}, {}.get))
>>> rename(tree, tree, facts, Typer({}, {}.get))
True
>>> print(emit(tree), end="")
def f(xs, v):
    xs[0] = v
    first = xs[0]
    return first

The passes know what changes by its name. What is read by element in a loop has one adjoint under
one name, and under a name of each iteration one for each iteration. It is done where the second
name is bound but once, and where the first one means the same as long as the second one is used.
"""
from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Container
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in, count_bindings, while_used
from tangent_lite.inference import Typer
from tangent_lite.markers import marker_of
from tangent_lite.structures.updates import changed_parts, updates_of

_SCOPES = (*syntax.COMPREHENSIONS, gast.Lambda, gast.FunctionDef)
_NUMBERED = re.compile(r"t(_\d+)?")             # names that say nothing
_CHANGING = (kinds.ListKind, kinds.MapKind)
_PUT_BACK = (kinds.DictKind, kinds.RecordKind)
_LARGE = (kinds.Array, kinds.DictKind, kinds.RecordKind, kinds.TupleKind)


def rename(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
           users: Container[str] = ()) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.

    users: names of the user.
    """
    candidates: dict[int, kinds.Kind] = {}
    versions: dict[int, gast.stmt] = {}
    for node, version in zip(syntax.statements(tree.body), syntax.statements(numbered.body),
                             strict=True):
        versions[id(node)] = version
        if isinstance(node, gast.Assign) and isinstance(node.value, gast.Name) \
                and isinstance(node.targets[0], gast.Name) \
                and node.targets[0].id != node.value.id:
            typer.names = facts.before.get(id(version), {})
            kind = typer.kind(version.value)
            if isinstance(kind, (*_CHANGING, *_LARGE)):
                candidates[id(node)] = kind
    found = False
    while candidates:
        changed, again = _renamed(tree, candidates, versions, facts, typer, users)
        found |= changed
        if not again:
            break
    return found


def _renamed(tree: gast.FunctionDef, candidates: dict[int, kinds.Kind],
             versions: dict[int, gast.stmt], facts: Inferred, typer: Typer,
             users: Container[str]) -> tuple[bool, bool]:
    """Whether the tree changed, and whether there may be more to rename: what is counted here is
    not what it was. candidates: by id, statements `name = other`, and the kinds of what they bind;
    versions: by id, the statement of which the facts are known."""
    loops = [n for n in syntax.statements(tree.body) if isinstance(n, (gast.For, gast.While))]
    repeated = {id(node) for loop in loops for node in syntax.statements(loop.body)}
    changed = _changed(tree)
    counts = count_bindings(tree)
    inside = {n.id for scope in syntax.walk(tree) if isinstance(scope, _SCOPES)
              and scope is not tree for n in gast.walk(scope) if isinstance(n, gast.Name)}
    inside |= syntax.lazily_read(tree)
    found = False
    for block in syntax.all_blocks(tree):
        for node in [node for node in block if id(node) in candidates]:
            name, other = node.targets[0].id, node.value.id
            if isinstance(candidates[id(node)], _PUT_BACK) and not {name, other} & inside \
                    and other in counts:
                kept = other if _changes_both(tree, block, node, name, other) \
                    else name if _takes_over(tree, block, node, name, other) else None
                same = {name} if kept is not None else _of_one_thing(
                    tree, block, node, counts, id(node) in repeated,
                    lambda one: _keeps_kinds(versions[id(one)], facts, typer)) - inside
                if name in same:
                    kept = kept or other
                    syntax.Rename(dict.fromkeys({*same, other}, kept)).visit(tree)
                    _drop_nothings(tree, kept)
                    return True, True
            matters = id(node) in repeated or (name not in users and isinstance(
                candidates[id(node)], _PUT_BACK)) or (
                isinstance(candidates[id(node)], _CHANGING) and {name, other} & changed)
            if matters and counts.get(name) == 1 and other in counts \
                    and not {name, other} & inside \
                    and _means_the_same(tree, block, node, name, other):
                syntax.Rename({name: other}).visit(tree)
                if counts[other] == 1 and other not in users and _NUMBERED.fullmatch(other):
                    syntax.Rename({other: name}).visit(tree)        # what says more
                    other = name
                block[:] = [one for one in block if one is not node] or [
                    syntax.copy_place(gast.Pass(), node)]
                changed.add(other)
                found = True
    return found, False


def _means_the_same(tree: gast.FunctionDef, block: list[gast.stmt], node: gast.stmt, name: str,
                    other: str) -> bool:
    """Whether a name is used behind its binding only, and the other one means the same there."""
    behind = while_used(tree, block, syntax.place_in(block, node), name)
    return bool(behind) and other not in bound_in(behind)


def _changes_both(tree: gast.FunctionDef, block: list[gast.stmt], node: gast.stmt, name: str,
                  other: str) -> bool:
    """Whether all that happens to a name behind its binding happens to the other one too: it
    changes, and is put back."""
    behind = while_used(tree, block, syntax.place_in(block, node), name)
    backs = 0
    for one in syntax.blocks_in(behind):
        for change, back in zip(one, [*one[1:], None]):
            if updates_of(getattr(change, "value", None)) == name:
                if not _binds(back, other, name):
                    return False
                backs += 1
    bindings = [bound for part in syntax.statements(behind)
                if not isinstance(part, syntax.COMPOUND) or isinstance(part, gast.For)
                for bound in (syntax.bound_names(part.target) if isinstance(part, gast.For)
                              else bound_in([part]))]
    return backs > 0 and bindings.count(name) == bindings.count(other) == backs


def _of_one_thing(tree: gast.FunctionDef, block: list[gast.stmt], node: gast.Assign,
                  counts: dict[str, int], is_repeated: bool,
                  keeps_kinds: Callable[[gast.stmt], bool]) -> set[str]:
    """Of `name = other`, the names that mean what the other one means wherever they mean anything,
    the first one among them: it gets that here, and from then on what any of them is changed to.
    None where it gets something else as well, or the other one does; is_repeated: a loop does so.

    What is known of the parts has decided on branches by now, name by name: it has to stay.
    """
    name, other = node.targets[0].id, node.value.id
    behind = while_used(tree, block, syntax.place_in(block, node), name)
    bindings: dict[str, list[gast.Assign]] = {}
    for one in syntax.statements(behind):
        if isinstance(one, gast.Assign) and isinstance(one.targets[0], gast.Name):
            bindings.setdefault(one.targets[0].id, []).append(one)
    used = Counter(n.id for n in syntax.names_in(tree))
    used.subtract(n.id for one in behind for n in syntax.names_in(one))
    again = count_bindings(syntax.function_def("behind", [], behind)) if behind else {}
    found = {name, other, *(one for one, bound in bindings.items()
                            if counts[one] == len(bound) and used[one] <= 0
                            and not (is_repeated and _is_carried(one, behind)))}
    found = {one for one in found if again.get(one, 0) == len(bindings.get(one, ()))}
    size = 0
    while len(found) != size:
        size = len(found)
        found = {one for one in found if all(_thing_of(bound.value) in found
                                             for bound in bindings.get(one, ()))}
    changes = [bound for one in found for bound in bindings.get(one, ())
               if updates_of(bound.value) is not None]
    is_same = {name, other} <= found and counts.get(name) == len(bindings.get(name, ())) + 1
    return found - {other} if is_same and changes and all(map(keeps_kinds, changes)) else set()


def _keeps_kinds(node: Any, facts: Inferred, typer: Typer) -> bool:
    """Whether a change of a dict or an object gives the parts that it changes what they were."""
    typer.names = facts.before.get(id(node), {})
    owner: Any = typer.names.get(updates_of(node.value) or "")
    if not isinstance(owner, _PUT_BACK):
        return False
    keys = owner.keys if isinstance(owner, kinds.DictKind) else owner.fields
    known = dict(zip(keys, owner.items))
    return all(key in known and _is_alike(known[key], typer.kind(value))
               for (_, key), value in changed_parts(node.value))


def _is_alike(old: kinds.Kind, new: kinds.Kind) -> bool:
    """Whether what the old kind says holds of the new one, of shapes apart."""
    if isinstance(old, kinds.Array):
        return isinstance(new, kinds.Array) and (old.dtype, old.ndim) == (new.dtype, new.ndim)
    if kinds.value_of(old) is kinds.NO_VALUE and isinstance(new, kinds.Number):
        new = dataclasses.replace(new, value=kinds.NO_VALUE)
    return old == new and kinds.value_of(old) == kinds.value_of(new)


def _is_carried(name: str, block: list[gast.stmt]) -> bool:
    """Whether a name may mean here what the step before of a loop has left."""
    first = next((node for node in block if any(n.id == name for n in syntax.names_in(node))), None)
    return not isinstance(first, gast.Assign) or name not in bound_in([first]) \
        or name in syntax.read_names(first.value)


def _thing_of(value: gast.expr) -> str | None:
    """The name of what a value is, be it changed; None where it is another thing."""
    if isinstance(value, gast.Name):
        return value.id
    return None if getattr(value, "is_copy", False) else updates_of(value)


def _takes_over(tree: gast.FunctionDef, block: list[gast.stmt], node: gast.stmt, name: str,
                other: str) -> bool:
    """Whether a name means something from here on that had the other one until now: the other one
    is used in front of that only, and from its first use to here every way leads."""
    at = syntax.place_in(block, node)
    used = [sum(n.id == other for n in syntax.names_in(one)) for one in block[:at]]
    first = next((k for k, count in enumerate(used) if count), None)
    if first is None or other in syntax.parameter_names(tree.args) \
            or sum(used) + 1 != sum(n.id == other for n in syntax.names_in(tree)):
        return False
    between = block[first:at]
    binds = between[0]
    return isinstance(binds, gast.Assign) and getattr(binds.targets[0], "id", "") == other \
        and other not in syntax.read_names(binds.value) \
        and not any(n.id == name for one in between for n in syntax.names_in(one)) \
        and not any(isinstance(one, (gast.Break, gast.Raise)) or marker_of(one) is not None
                    for one in syntax.statements(between))


def _binds(node: Any, name: str, other: str) -> bool:
    """Whether a statement is `name = other`."""
    return isinstance(node, gast.Assign) and getattr(node.targets[0], "id", "") == name \
        and getattr(node.value, "id", "") == other


def _drop_nothings(tree: gast.FunctionDef, name: str) -> None:
    """Leave out `name = name`."""
    for block in syntax.all_blocks(tree):
        kept = [node for node in block if not _binds(node, name, name)]
        block[:] = kept or [syntax.copy_place(gast.Pass(), block[0])]


def _changed(tree: gast.FunctionDef) -> set[str]:
    """Names of lists of which items are written, or parts of items."""
    found: set[str | None] = set()
    owners: dict[str, str] = {}                 # of items that have names
    for node in syntax.statements(tree.body):
        value = getattr(node, "value", None)
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                and isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name):
            owners[node.targets[0].id] = value.value.id
    for node in syntax.statements(tree.body):
        target: Any = syntax.target_of(node)
        if isinstance(target, gast.Subscript) or isinstance(node, gast.AugAssign):
            found.add(syntax.root_name(target))
        value = getattr(node, "value", None)
        if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute):
            found.add(syntax.root_name(value.func.value))
        found.add(owners.get(updates_of(value) or ""))
    return {name for name in found if name is not None}
