"""Names of containers that a function makes itself, told from what was there before it ran.

    table = p["table"]              was there before: p is a parameter
    out = {}                        is made inside
    for k, row in table.items():    so is the row there before
        made = {}                   and this is none of the rows

That holds as long as nothing is put into what was there before; then whatever is taken out of that
was there before, too.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.analyses.liveness import definitions
from tangent_lite.structures.updates import updates_of

PUTTING = {"append", "appendleft", "insert", "extend", "setdefault", "add"}
# Functions that keep nothing of what they are given but in what they return.
KEEPING_NOTHING = {"len", "list", "tuple", "sorted", "sum", "max", "min", "isinstance", "range",
                   "abs", "int", "float", "blank", "instance", "replaced"}
_PUTTING_PARTS = PUTTING | {"update", "extendleft", "__setitem__", "__ior__", "__iadd__"}
# Methods that are taken for what they are of containers and arrays, and keep nothing in these.
_OF_CONTAINERS = {name for kind in (list, dict, set, tuple, str, np.ndarray)
                  for name in dir(kind)} - _PUTTING_PARTS
_VIEWS = {"items", "values", "keys"}
_MADE = (gast.Dict, gast.List, gast.Set, gast.DictComp, gast.ListComp, gast.SetComp)
# What they return holds nothing else than what is given to them holds.
_ARRANGING = {"list", "tuple", "sorted", "reversed", "enumerate", "zip", "range", "len"}
_PLAIN = (gast.Constant, gast.Compare, gast.UnaryOp, gast.JoinedStr)

Changes = Callable[[gast.Call], bool]


class _Part:
    """Something that is held by the value of an expression."""

    def __init__(self, of: Any) -> None:
        self.of = of


def made_inside(body: list[gast.stmt], owner: str, may_change: Changes) -> set[str]:
    """The names of containers that a function makes, none of which can be what `owner` names; empty
    if that is not known to have been there before.

    may_change: whether a call of what the function does not bind itself may change what it is
    given, or what others have.
    """
    every = list(syntax.statements(body))
    if any(isinstance(n, (gast.FunctionDef, gast.ClassDef)) for n in every):
        return set()                            # which may bind and change what they read
    bound = _bound(every)
    before = _greatest(bound, lambda value, names: _is_before(value, names, bound))
    if owner in bound and owner not in before:
        return set()
    inside = _greatest(bound, _is_made)
    return inside if all(
        _keeps_apart(n, inside, before, bound, may_change) for n in every) else set()


def _bound(every: list[gast.stmt]) -> dict[str, list[Any]]:
    """What each name is bound to: expressions, parts of expressions, None for anything else."""
    found: dict[str, list[Any]] = {}
    for node in every:
        if isinstance(node, (gast.Assign, gast.AnnAssign)):
            targets = node.targets if isinstance(node, gast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, gast.Name):
                    found.setdefault(target.id, []).append(node.value)
                elif isinstance(target, (gast.Tuple, gast.List)):
                    for name in syntax.bound_names(target):
                        found.setdefault(name, []).append(_Part(node.value))
        elif isinstance(node, gast.For):
            for name in syntax.bound_names(node.target):
                found.setdefault(name, []).append(_Part(node.iter))
        else:
            for name in definitions(node):
                found.setdefault(name, []).append(None)
    return found


def _greatest(bound: dict[str, list[Any]], holds: Any) -> set[str]:
    """The largest set of names of which all that each is bound to holds."""
    names = set(bound)
    while True:
        left = {name for name in names if all(holds(value, names) for value in bound[name])}
        if left == names:
            return names
        names = left


def _is_before(value: Any, names: set[str], bound: dict[str, list[Any]]) -> bool:
    """Whether a value was there before the function ran, is a part of what was, or holds nothing
    else and is not put into (which `_keeps_apart` sees to)."""
    if isinstance(value, _Part):
        value = value.of
    if isinstance(value, gast.Tuple):
        return all(_is_before(one, names, bound) for one in value.elts)
    if isinstance(value, gast.Call) and not value.keywords:
        if isinstance(value.func, gast.Attribute):
            return value.func.attr in _VIEWS and not value.args \
                and _is_before(value.func.value, names, bound)
        return getattr(value.func, "id", "") in _ARRANGING \
            and all(_is_before(one, names, bound) for one in value.args)
    if isinstance(value, (gast.Name, gast.Attribute, gast.Subscript)):
        root = syntax.root_name(value)
        return root is not None and (root in names or root not in bound)
    return isinstance(value, gast.Constant)


def _is_made(value: Any, names: set[str]) -> bool:
    """Whether a value is a container that is made where it stands, or one that has such a name."""
    if isinstance(value, gast.Name):
        return value.id in names
    if isinstance(value, _MADE):
        other = updates_of(value)
        return other is None or other in names
    return False


def _keeps_apart(node: gast.stmt, inside: set[str], before: set[str],
                 bound: dict[str, list[Any]], may_change: Changes) -> bool:
    """Whether a statement puts nothing into what was there before."""
    targets: list[Any] = []
    if isinstance(node, (gast.Assign, gast.AugAssign, gast.AnnAssign)):
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
    for target in targets:
        if isinstance(target, (gast.Subscript, gast.Attribute)) and not (
                isinstance(target.value, gast.Name) and target.value.id in inside):
            return False
        if isinstance(node, gast.AugAssign) and isinstance(target, gast.Name) and not all(
                value is None or isinstance(value, _PLAIN) for value in bound[target.id]):
            return False                        # xs += [made]
        if not isinstance(target, (gast.Name, gast.Subscript, gast.Attribute)) and any(
                isinstance(n, (gast.Subscript, gast.Attribute)) for n in syntax.walk(target)):
            return False
    value: Any = getattr(node, "value", None)
    if value is not None and updates_of(value) is not None and updates_of(value) not in inside:
        return False
    return all(_call_keeps_apart(n, inside, before, bound, may_change) for head in _heads(node)
               for n in syntax.walk(head) if isinstance(n, gast.Call))


def _call_keeps_apart(call: gast.Call, inside: set[str], before: set[str],
                      bound: dict[str, list[Any]], may_change: Changes) -> bool:
    root = syntax.root_name(call.func)
    if isinstance(call.func, gast.Attribute) and root in bound:
        if call.func.attr in _PUTTING_PARTS:
            return isinstance(call.func.value, gast.Name) and root in inside
        return call.func.attr in _OF_CONTAINERS
    if isinstance(call.func, gast.Name) and call.func.id in KEEPING_NOTHING:
        return True
    return not (root is None or root in bound or may_change(call)) \
        or all(name in before or name not in bound for name in syntax.read_names(call))


def _heads(node: gast.stmt) -> Iterator[gast.AST]:
    """What a statement evaluates itself, without the statements in it."""
    if not isinstance(node, syntax.COMPOUND):
        yield node
    else:
        yield from (one for one in (getattr(node, "iter", None), getattr(node, "test", None),
                                    *getattr(node, "items", ())) if one is not None)
