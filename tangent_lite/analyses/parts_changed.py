"""Which parts of its parameters a function changes in place: lists, and arrays that they hold."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.inference import Typer
from tangent_lite.kinds import Kind
from tangent_lite.structures.lists import CHANGES
from tangent_lite.structures.updates import updates_of

# What writes into its array, as a method, and into its first argument, as a function.
_OF_ARRAYS = {"byteswap", "fill", "itemset", "partition", "put", "resize", "setfield", "sort"}
_METHODS = CHANGES | _OF_ARRAYS
_FUNCTIONS = {"at", "copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask",
              "shuffle"}
_NO_ARRAYS = (kinds.ListKind, kinds.MapKind, kinds.DictKind, kinds.RecordKind, kinds.Number,
              kinds.Text, kinds.Nothing)


def parts_changed(tree: gast.FunctionDef, parameter_kinds: Mapping[str, Kind],
                  copies: Mapping[str, str] | None = None,
                  rebound: bool = False) -> dict[str, set[Any]]:
    """Of the parameters, and of what lies outside, that hold something that changes: the keys and
    attributes that lead to it, and maybe more; copies: names of copies of what lies outside, made
    by its parts; rebound: also those of what is bound anew there, which may have been written as
    `r.x += v`. Of lists, those that hold arrays, dicts or objects.

    >>> tree = gast.parse('''
    ... def f(r, x):
    ...     log = r.log
    ...     log.append(x)
    ...     r.total = x
    ... ''').body[0]
    >>> class Run: pass
    >>> kind = kinds.RecordKind(Run, ("log",), (kinds.ListKind(kinds.FLOAT),))
    >>> parts_changed(tree, {"r": kind, "x": kinds.FLOAT})
    {'r': {'log'}}
    """
    lists = {name for name, kind in parameter_kinds.items()
             if isinstance(kind, kinds.ListKind) and _may_change(kind.item)}
    wholes = [name for name, kind in parameter_kinds.items() if name in lists or (
        isinstance(kind, (kinds.RecordKind, kinds.DictKind, kinds.TupleKind))
        and _may_change(kind))]
    bound: dict[str, list[gast.expr]] = {}
    for node in syntax.all_of(tree, gast.Assign) if wholes else ():
        value: Any = node.value
        if not isinstance(node.targets[0], gast.Name):
            for number, part in enumerate(getattr(node.targets[0], "elts", ())):
                if isinstance(part, gast.Name) and isinstance(value, (gast.Name, gast.Subscript)):
                    bound.setdefault(part.id, []).append(
                        syntax.subscript(value, syntax.constant(number)))
            continue
        if isinstance(value, gast.Call) and getattr(value.func, "attr", "") == "copy":
            value = value.func.value        # it has the same items
        if isinstance(value, (gast.Attribute, gast.Subscript, gast.Name)):
            bound.setdefault(node.targets[0].id, []).append(value)
        elif isinstance(value, (gast.Dict, gast.Tuple, gast.List)) \
                or updates_of(value) is not None:
            held = value.values if isinstance(value, gast.Dict) \
                else [getattr(one, "value", one) if isinstance(one, gast.Starred) else one
                      for one in value.elts] if isinstance(value, (gast.Tuple, gast.List)) \
                else [keyword.value for keyword in value.keywords]
            bound.setdefault(node.targets[0].id, []).extend(
                one for one in held if isinstance(one, gast.Name))
    copied = {own: name for name, own in (copies or {}).items()}
    found: dict[str, set[Any]] = {}
    later: dict[str, set[Any]] = {}
    for owner, names in _changed(tree) if wholes else ():
        keys: set[Any] = set()
        roots: set[str] = set()
        todo: list[gast.expr] = [owner]
        while todo:
            one: Any = todo.pop()
            while isinstance(one, (gast.Attribute, gast.Subscript)):
                keys.add(one.attr if isinstance(one, gast.Attribute)
                         else getattr(one.slice, "value", None))
                one = one.value
            if isinstance(one, gast.Name) and one.id not in roots:
                roots |= {one.id, copied.get(one.id, one.id)}
                todo += bound.get(one.id, [])
        for name in wholes:
            if name in roots and (keys or name in lists):
                found.setdefault(name, set()).update(keys - {None})
            if name in roots and rebound:
                later.setdefault(name, set()).update(names)
    return {name: keys | later.get(name, set()) for name, keys in found.items()}


def changes_arrays(tree: gast.FunctionDef, facts: Inferred, typer: Typer) -> bool:
    """Whether a function may change an array in place, and not only lists, dicts and objects.

    >>> from tangent_lite.passes.infer import infer
    >>> tree = gast.parse('''
    ... def f(net, x):
    ...     net.calls += 1
    ...     net.log[0] = x
    ... ''').body[0]
    >>> class Net: pass
    >>> kind = kinds.RecordKind(Net, ("calls", "log"), (kinds.INT, kinds.ListKind(kinds.FLOAT)))
    >>> typer = Typer({}, lambda name: None)
    >>> known = {"net": kind, "x": kinds.FLOAT}
    >>> changes_arrays(tree, infer(tree, known, typer), typer)
    False
    >>> known["net"] = kinds.RecordKind(Net, ("calls", "log"), (kinds.INT, kinds.Array("float", 1)))
    >>> changes_arrays(tree, infer(tree, known, typer), typer)
    True
    """
    def may_be_array(owner: gast.expr) -> bool:
        return not isinstance(kinds.kind_at_hand(typer.kind(owner)), _NO_ARRAYS)

    for node in syntax.statements(tree.body):
        typer.names = facts.before.get(id(node), {})
        target = syntax.target_of(node)
        if isinstance(node, gast.AugAssign):
            whole = syntax.copy(target)
            whole.ctx = gast.Load()
            if may_be_array(whole):
                return True
        elif isinstance(target, (gast.Subscript, gast.Attribute)) and may_be_array(target.value):
            return True
        for part in syntax.all_of(node, gast.Subscript, gast.Attribute) \
                if not isinstance(node, syntax.COMPOUND) else ():
            if hasattr(part, "in_place") and may_be_array(part):    # `net.w += v`, written out
                return True
        for call in syntax.all_of(node, gast.Call) if not isinstance(node, syntax.COMPOUND) else ():
            if any(one.arg == "out" for one in call.keywords):
                return True
            name = getattr(call.func, "attr", getattr(call.func, "id", None))
            if name in _FUNCTIONS or (name in _OF_ARRAYS and (
                    not isinstance(call.func, gast.Attribute) or may_be_array(call.func.value))):
                return True
    return False


def _changed(tree: gast.FunctionDef) -> list[tuple[gast.expr, set[Any]]]:
    """What a function changes in place: `x` of `x[k] = v`, of `x += v`, of `x.append(v)`; of a dict
    or an object, the keys and attributes that are bound anew as well."""
    found: list[tuple[gast.expr, set[Any]]] = []
    for node in syntax.walk(tree):
        if isinstance(node, gast.AugAssign):
            found.append((node.target, set()))
        if hasattr(node, "in_place"):       # of `r.x += v`, written out
            found.append((node, set()))
        if isinstance(node, (gast.Attribute, gast.Subscript)) and isinstance(
                node.ctx, (gast.Store, gast.Del)):
            found.append((node.value, {node.attr} if isinstance(node, gast.Attribute) else set()))
        elif isinstance(node, gast.Assign) and (base := updates_of(node.value)) is not None:
            update: Any = node.value
            keys = [getattr(key, "value", None) for key in update.keys if key is not None] \
                if isinstance(update, gast.Dict) else [word.arg for word in update.keywords]
            found.append((syntax.load(base), {*keys}))
        elif isinstance(node, gast.Call):
            written = [keyword.value for keyword in node.keywords if keyword.arg == "out"]
            if isinstance(node.func, gast.Attribute):
                written += [node.func.value] if node.func.attr in _METHODS else []
                written += node.args[:1] if node.func.attr in _FUNCTIONS else []
            found += [(one, set()) for one in written]
    return found


def _may_change(kind: Kind) -> bool:
    """Whether there is a list or an array in a dict or an object, or one of these in a tuple."""
    return isinstance(kind, (kinds.ListKind, kinds.Array)) or (
        isinstance(kind, (kinds.RecordKind, kinds.DictKind)) and any(map(_may_change, kind.items))
        ) or (isinstance(kind, kinds.TupleKind) and any(
            isinstance(item, (kinds.RecordKind, kinds.DictKind)) or _may_change(item)
            for item in kind.items))
