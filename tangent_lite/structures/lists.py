"""Statements that change which items a list holds, and how they are undone.

A list that changes has an adjoint that is a list as long, and changes with it: what the one gains
the other gains, in the backward pass in reverse.

    forward                 backward
    xs.append(v)            bv += bxs.pop()
    v = xs.pop()            bxs.append(bv)
    xs.insert(i, v)         bv += bxs.pop(i)
    v = xs.pop(i)           bxs.insert(i, bv)
    xs[i] = v               bv += bxs[i]; bxs[i] = zero
    xs[i], xs[j] = ...      bxs[i], bxs[j] = bxs[j], bxs[i]
    d[key] = v              bv += bd.pop(key); bd[key] = zero, if there was a value before
    d[key].append(v)        bv += bd[key][-1]; del bd[key][-1]
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.runtime import copied_lists
from tangent_lite.structures.nested import is_grown, is_in_array, is_swap

METHODS = {"append", "insert", "pop"}
# All methods that change a list.
CHANGES = METHODS | {"extend", "remove", "clear", "sort", "reverse"}


@dataclass
class ListChange:
    """One change of a list: what is done ("append", "insert", "pop", "set", "swap"; of a dict whose
    keys are not known: "put", and "grow" of a list in it), to which, where, and the name or literal
    that goes in or out (None: what comes out is not kept)."""
    what: str
    name: str
    index: gast.expr | None
    item: gast.expr | None


def list_change(node: gast.stmt, names: Any) -> ListChange | None:
    """What a statement does to a list; names: the kinds in front of it. None: nothing."""
    if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Subscript):
        target = node.targets[0]
        owner = target.value
        kind = names.get(owner.id) if isinstance(owner, gast.Name) else None
        if is_grown(target.slice):
            return ListChange("grow", owner.id, target.slice.elts[0], node.value)
        if isinstance(kind, kinds.ListKind):
            if is_in_array(kind, target.slice):
                return None                         # the lists hold what they held
            if is_swap(target.slice):
                return ListChange("swap", owner.id, target.slice, None)
            return ListChange("set", owner.id, target.slice, node.value)
        if isinstance(kind, (kinds.MapKind, kinds.DictKind)):
            if is_all_of_dict(target.slice):
                return ListChange("set", owner.id, target.slice, node.value)
            # A key that is not known: those that are known were written as bindings.
            return ListChange("put", owner.id, target.slice, node.value)
        return None
    value = getattr(node, "value", None)
    if not isinstance(node, (gast.Assign, gast.Expr)) or not isinstance(value, gast.Call) \
            or not isinstance(value.func, gast.Attribute) \
            or not isinstance(value.func.value, gast.Name):
        return None
    name, what, given = value.func.value.id, value.func.attr, value.args
    if not isinstance(names.get(name), kinds.ListKind) or value.keywords:
        return None
    if what == "append" and len(given) == 1:
        return ListChange("append", name, None, given[0])
    if what == "insert" and len(given) == 2:
        return ListChange("insert", name, given[0], given[1])
    if what == "pop" and len(given) <= 1:
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        return ListChange("pop", name, given[0] if given else None,
                          gast.Name(target.id, gast.Load(), None, None)
                          if isinstance(target, gast.Name) else None)
    return None


def all_of(kind: Any) -> gast.expr:
    """The index by which all of an array, a list or a dict is written; `d[:] = other` stands for
    `d.clear(); d.update(other)`, and is never run."""
    index: gast.expr = syntax.all_of_index(not isinstance(
        kind, (kinds.ListKind, kinds.MapKind, kinds.DictKind)))
    if isinstance(kind, (kinds.MapKind, kinds.DictKind)):
        index.all_of_dict = True
    return index


def is_all_of_dict(index: gast.expr) -> bool:
    return hasattr(index, "all_of_dict")


def token(name: str) -> str:
    """What stands for the items of a list among the names of buffers."""
    return f"items of {name}"


def meant_before(name: str) -> str:
    """What stands for all that a name meant before it was bound anew."""
    return f"{name} before"


def list_parts(value: gast.expr, typer: Any) -> list[str] | None:
    """Names of the lists that an operation joins to a new one: `xs.copy()`, `list(xs)`, `xs + ys`.
    None where it is another operation. The copy of a dict with which a twin begins is taken for
    one, and left out where the halves work in place."""
    if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Add):
        operands = [value.left, value.right]
    elif isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) \
            and value.func.attr == "copy" and not value.args:
        operands = [value.func.value]
    elif isinstance(value, gast.Call) and len(value.args) == 1 and not value.keywords \
            and typer.callee(value)[0] in (list, tuple, copied_lists):
        operands = value.args
    elif isinstance(value, gast.Subscript) and isinstance(value.slice, gast.Slice) \
            and value.slice.lower is value.slice.upper is value.slice.step is None:
        operands = [value.value]
    else:
        return None
    joined = (kinds.ListKind, kinds.MapKind) if hasattr(value, "is_of_twin") else kinds.ListKind
    if all(isinstance(o, gast.Name) and isinstance(typer.kind(o), joined) for o in operands):
        return [o.id for o in operands]
    return None


def place_in(index: gast.expr, name: str) -> gast.expr:
    """Where an item lies that `name.insert(index, v)` has put in: at the end, of a shorter list."""
    if isinstance(index, gast.Constant) and index.value == 0:
        return syntax.copy(index)
    last = syntax.binary(syntax.call(syntax.load("len"), syntax.load(name)), "-",
                         syntax.constant(1))
    return syntax.call(syntax.load("min"), syntax.copy(index), last)


def place_back(index: gast.expr, name: str) -> gast.expr:
    """Where `name.insert` puts back what `name.pop(index)` took out."""
    if isinstance(index, gast.Constant) and isinstance(index.value, int):
        return syntax.copy(index)
    # One longer than now, the list had this position.
    longer = syntax.binary(syntax.call(syntax.load("len"), syntax.load(name)), "+",
                           syntax.constant(1))
    return syntax.subscript(syntax.call(syntax.load("range"), longer), syntax.copy(index))


def last_of(name: str, key: gast.expr) -> gast.Subscript:
    """`name[key][-1]`: what was appended last to a list in a dict."""
    return syntax.subscript(syntax.subscript(syntax.load(name), syntax.copy(key)),
                            syntax.constant(-1))


def last_deleted(name: str, key: gast.expr) -> gast.Delete:
    """`del name[key][-1]`"""
    last = last_of(name, key)
    last.ctx = gast.Del()
    return gast.Delete([last])
