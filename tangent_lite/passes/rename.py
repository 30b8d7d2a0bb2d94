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
name is bound but once, or to nothing else before it is read, and where the first one means the same
as long as the second one is used.
"""
from __future__ import annotations

import re
from collections.abc import Container
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in, count_bindings, while_used
from tangent_lite.inference import Typer
from tangent_lite.structures.updates import updates_of
from tangent_lite.syntax.scopes import names_inside

_NUMBERED = re.compile(r"t(_\d+)?")             # names that say nothing
_CHANGING = (kinds.ListKind, kinds.MapKind)
_PARTED = (kinds.DictKind, kinds.RecordKind)
_LARGE = (kinds.Array, kinds.TupleKind, *_PARTED)


def rename(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
           users: Container[str] = ()) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.

    users: names of the user.
    """
    candidates: dict[int, kinds.Kind] = {}      # by id, what `name = other` binds
    for node, version in zip(syntax.statements(tree.body), syntax.statements(numbered.body),
                             strict=True):
        if isinstance(node, gast.Assign) and isinstance(node.value, gast.Name) \
                and isinstance(node.targets[0], gast.Name) \
                and node.targets[0].id != node.value.id:
            typer.names = facts.before.get(id(version), {})
            kind = typer.kind(version.value)
            if isinstance(kind, (*_CHANGING, *_LARGE)):
                candidates[id(node)] = kind
    if not candidates:
        return False
    loops = [n for n in syntax.statements(tree.body) if isinstance(n, (gast.For, gast.While))]
    repeated = {id(node) for loop in loops for node in syntax.statements(loop.body)}
    changed = _changed(tree)
    counts = count_bindings(tree)
    inside = names_inside(tree)
    inside |= syntax.lazily_read(tree)
    found = False
    for block in syntax.all_blocks(tree):
        for node in [node for node in block if id(node) in candidates]:
            name, other = node.targets[0].id, node.value.id
            matters = id(node) in repeated or (name not in users and isinstance(
                candidates[id(node)], _PARTED)) or (
                isinstance(candidates[id(node)], _CHANGING) and {name, other} & changed)
            if not matters or other not in counts or {name, other} & inside:
                continue
            if counts.get(name, 0) > 1 and name not in users \
                    and _is_no_other(tree, name, other):
                syntax.Rename({name: other}).visit(tree)
                _leave_out(tree, other)
                return True                     # what was found is of another tree
            if counts.get(name) == 1 and _means_the_same(tree, block, node, name, other):
                syntax.Rename({name: other}).visit(tree)
                if counts[other] == 1 and other not in users and (
                        name in users or _NUMBERED.fullmatch(other)):
                    syntax.Rename({other: name}).visit(tree)        # what says more
                    other = name
                block[:] = [one for one in block if one is not node] or [
                    syntax.copy_place(gast.Pass(), node)]
                changed.add(other)
                found = True
    return found


def _means_the_same(tree: gast.FunctionDef, block: list[gast.stmt], node: gast.stmt, name: str,
                    other: str) -> bool:
    """Whether a name is used behind its binding only, and the other one means the same there."""
    behind = while_used(tree, block, syntax.place_in(block, node), name)
    return bool(behind) and other not in bound_in(behind)


def _is_no_other(tree: gast.FunctionDef, name: str, other: str) -> bool:
    """Whether wherever a name is read it was just bound to what the other one means: what was read
    of an object, in each of several copies of a text."""
    def block(nodes: list[gast.stmt], holds: bool) -> bool | None:
        """Whether it is that behind a block; None if it is read where it may not be."""
        for node in nodes:
            bound = bound_in([node])
            if isinstance(node, syntax.COMPOUND):
                is_branch = isinstance(node, gast.If)
                inside = holds and (is_branch or not bound & {name, other})
                head: Any = getattr(node, "iter", getattr(node, "test", None))
                ends = [block(inner, inside) for inner in (node.body, node.orelse)]
                if None in ends or (not inside and name in syntax.read_names(head)):
                    return None
                holds = all(ends) if is_branch else inside
            elif (not holds and name in syntax.read_names(node)) \
                    or (name in bound and not _is_binding(node, name, other)):
                return None
            elif bound & {name, other}:
                holds = name in bound
        return holds

    others = [*syntax.parameter_names(tree.args), *(
        one for loop in syntax.all_of(tree, gast.For) for one in syntax.bound_names(loop.target))]
    return name not in others and block(tree.body, False) is not None


def _is_binding(node: Any, name: str, other: str) -> bool:
    """`name = other`"""
    return isinstance(node, gast.Assign) and getattr(node.targets[0], "id", None) == name \
        and getattr(node.value, "id", None) == other


def _leave_out(tree: gast.FunctionDef, name: str) -> None:
    """Leave out `name = name`."""
    for block in syntax.all_blocks(tree):
        block[:] = [node for node in block if not _is_binding(node, name, name)] or [
            syntax.copy_place(gast.Pass(), one) for one in block[:1]]


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
