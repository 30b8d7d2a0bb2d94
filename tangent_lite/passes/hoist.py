"""Read a part of a container, or an array in another shape (`x.ravel()`), in front of a loop where
it is the same in each iteration.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import INT, Array, DictKind
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(params, n):
...     total = 0.0
...     for i in range(n):
...         w = params["w"]
...         w_i = w[i]
...         total = total + w_i
...     return total
... ''').body[0]
>>> kinds_of = {"params": DictKind(("w",), (Array(1, "float"),)), "n": INT}
>>> facts = infer(tree, kinds_of, Typer({}, {}.get))
>>> hoist(tree, tree, facts, Typer({}, {}.get), Names(syntax.all_names(tree)))
True
>>> print(emit(tree), end="")
def f(params, n):
    total = 0.0
    w = params["w"]
    for i in range(n):
        w_i = w[i]
        total = total + w_i
    return total

Each reading of an element adds to the adjoint of its array or list, at its place. Of an array that
gets its name in each iteration that adjoint is another one in each iteration, as large as the
array, and all of them have to be summed up.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aggregates import aggregates
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in, count_bindings
from tangent_lite.analyses.mentions import definitions, head
from tangent_lite.analyses.momentary import may_write
from tangent_lite.inference import Typer
from tangent_lite.names import Names
from tangent_lite.structures.updates import updates_of

_WITH_PARTS = (kinds.DictKind, kinds.MapKind, kinds.RecordKind)
_LARGE = (kinds.Array, kinds.ListKind, kinds.DictKind, kinds.MapKind, kinds.RecordKind,
          kinds.TupleKind)


def hoist(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
          names: Names) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.
    """
    if not any(syntax.all_of(tree, kind) for kind in (gast.For, gast.While)):
        return False
    versions = dict(zip(map(id, syntax.statements(tree.body)), syntax.statements(numbered.body),
                        strict=True))
    found = False
    counts = count_bindings(tree)
    own = {name for name, whole in aggregates(tree, numbered, facts, typer).items()
           if not whole.calls}
    bound = _bound_before(tree)
    for block in syntax.all_blocks(tree):
        for loop in [node for node in block if isinstance(node, (gast.For, gast.While))]:
            parts = _parts(loop, bound[id(loop)], own, versions, facts, typer)
            found |= bool(parts)
            for part in parts:
                name = part[0].targets[0].id
                # It may as well be bound in front of the loop.
                gone = counts[name] == 1 and _mentions(loop, name) == _mentions(tree, name)
                first = syntax.assign(name if gone else names.fresh(name), part[0].value)
                syntax.serve([first], loop)
                block.insert([id(n) for n in block].index(id(loop)), first)
                if gone:
                    _take_out(loop, part.pop(0))
                for node in part:
                    node.value = syntax.copy_place(syntax.load(first.targets[0].id), node.value)
    return found


def _mentions(tree: gast.AST, name: str) -> int:
    return sum(node.id == name for node in syntax.names_in(tree))


def _take_out(loop: gast.For | gast.While, node: gast.stmt) -> None:
    for block in syntax.all_blocks(loop):
        if any(one is node for one in block):
            block[:] = [one for one in block if one is not node] or [
                syntax.copy_place(gast.Pass(), node)]


class _Before:
    """The names that are bound for sure in front of a statement; first: when each was bound for
    the first time in the block; until: how many of them were; around: in front of the block."""
    __slots__ = ("around", "first", "until")

    def __init__(self, first: dict[str, int], around: _Before | None) -> None:
        self.first, self.until, self.around = first, len(first), around

    def __contains__(self, name: str) -> bool:
        known: _Before | None = self
        while known is not None:
            if known.first.get(name, known.until) < known.until:
                return True
            known = known.around
        return False


def _bound_before(tree: gast.FunctionDef) -> dict[int, _Before]:
    """The names that are bound for sure where loops begin."""
    found: dict[int, _Before] = {}
    todo: list[tuple[list[gast.stmt], list[str], _Before | None]] = [
        (tree.body, syntax.parameter_names(tree.args), None)]
    while todo:
        block, names, around = todo.pop()
        first: dict[str, int] = {name: number for number, name in enumerate(dict.fromkeys(names))}
        for node in block:
            if isinstance(node, syntax.COMPOUND):
                before = _Before(first, around)
                if not isinstance(node, gast.If):
                    found[id(node)] = before
                inner = syntax.bound_names(node.target) if isinstance(node, gast.For) else []
                todo += [(one, inner, before) for one in syntax.blocks_of(node)]
            elif isinstance(node, (gast.Assign, gast.AugAssign)):
                for name in definitions(node):
                    first.setdefault(name, len(first))
    return found


def _parts(loop: gast.For | gast.While, known: _Before, own: set[str],
           versions: dict[int, gast.stmt], facts: Inferred, typer: Typer) -> list[list[Any]]:
    """The statements in a loop that give a name to a part of what is bound outside of it; those
    that read the same part together.

    known: names that are bound where the loop begins; own: those of containers that nobody else
    holds; others may change under another name.
    """
    reads = [(node, owner) for node in syntax.statements(loop.body)
             if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
             and (owner := _owner(node.value)) is not None and owner.id in known]
    if not reads:
        return []
    bound = bound_in([loop])
    only = own if _changes_others(loop, own, versions, facts, typer) else None
    writes = any(may_write(versions[id(node)], facts) for node in syntax.statements(loop.body)
                 if not isinstance(node, syntax.COMPOUND))
    found: list[list[Any]] = []
    for node, owner in reads:
        value: Any = node.value
        if owner.id in bound:
            continue
        version: Any = versions[id(node)]
        typer.names = facts.before.get(id(version), {})
        kind = typer.kind(_owner(version.value) or owner)
        is_there = (isinstance(kind, kinds.Array) and not writes and _is_rearranged(value)
                    and _is_read_by_parts(loop, node.targets[0].id)) or (
            isinstance(_part(kind, value), _LARGE) and (only is None or owner.id in only))
        if is_there:
            same = next((one for one in found if syntax.same(one[0].value, value)), None)
            if same is None:
                found.append(same := [])
            same.append(node)
    return found


def _owner(value: Any) -> gast.Name | None:
    """The name of what an expression reads a part of, or calls a method of."""
    read = value.func if isinstance(value, gast.Call) else value
    owner = read.value if isinstance(read, (gast.Attribute, gast.Subscript)) else None
    return owner if isinstance(owner, gast.Name) else None


_IN_A_ROW = {method: [syntax.parse_expression(one) for one in args]
             for method, args in (("ravel", []), ("reshape", ["-1"]))}


def _is_rearranged(value: Any) -> bool:
    """Whether an expression is an array in another shape, which any array has: `x.reshape(2, -1)`
    may be an error, and a loop without a trip has none."""
    if isinstance(value, gast.Call):
        args = _IN_A_ROW.get(getattr(value.func, "attr", ""))
        return args is not None and not value.keywords and syntax.same(value.args, args)
    return isinstance(value, gast.Attribute) and value.attr == "T"


def _is_read_by_parts(loop: gast.For | gast.While, name: str) -> bool:
    """Whether a loop reads nothing of an array but parts: whole, it is what rules know forms for
    (`x @ w.T`)."""
    parts = sum(isinstance(part.value, gast.Name) and part.value.id == name
                for part in syntax.all_of(loop, gast.Subscript))
    return 0 < parts == _mentions(loop, name) - 1


def _changes_others(loop: gast.For | gast.While, own: set[str], versions: dict[int, gast.stmt],
                    facts: Inferred, typer: Typer) -> bool:
    """Whether a loop may let a container have another part that is not one of `own`: it does so, or
    gives one to a function."""
    for node in syntax.statements(loop.body):
        version = versions[id(node)]
        typer.names = facts.before.get(id(version), {})
        if not isinstance(node, syntax.COMPOUND) and (updates_of(getattr(node, "value", None))
                                                      or "") not in {"", *own}:
            return True
        target: Any = syntax.target_of(node)
        if isinstance(target, gast.Attribute) or (
                isinstance(target, gast.Subscript)
                and _holds_parts(typer.kind(syntax.target_of(version).value))):
            return True
        for call in syntax.all_of(head(version), gast.Call):
            given = [*call.args, *(keyword.value for keyword in call.keywords),
                     getattr(call.func, "value", None)]
            if any(isinstance(one, gast.Name) and _holds_parts(typer.kind(one)) for one in given) \
                    and getattr(call.func, "id", "") not in ("len", "isinstance", "replaced"):
                return True
    return False


def _holds_parts(kind: kinds.Kind) -> bool:
    """Whether a value is a container that may have other parts, or holds one."""
    return kind == kinds.UNKNOWN or isinstance(kind, _WITH_PARTS) or (
        isinstance(kind, kinds.ListKind) and _holds_parts(kind.item)) or (
        isinstance(kind, kinds.TupleKind) and any(map(_holds_parts, kind.items)))


def _part(owner: Any, value: Any) -> Any:
    """The kind of the part that an expression reads; None unless it is there for sure."""
    if not isinstance(value, (gast.Attribute, gast.Subscript)):
        return None
    if isinstance(value, gast.Attribute):
        if isinstance(owner, kinds.RecordKind) and value.attr in owner.fields:
            return owner.items[owner.fields.index(value.attr)]
        names = getattr(owner.type, "_fields", ()) if isinstance(owner, kinds.TupleKind) else ()
        return owner.items[names.index(value.attr)] if value.attr in names else None
    key = value.slice.value if isinstance(value.slice, gast.Constant) else None
    if isinstance(owner, (kinds.DictKind, kinds.MapKind)) and isinstance(key, str):
        return kinds.names_of(owner).get(key)
    if isinstance(owner, kinds.TupleKind) and type(key) is int \
            and -len(owner.items) <= key < len(owner.items):
        return owner.items[key]
    return None
