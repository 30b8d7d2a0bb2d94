"""What of a statement Python asks for its truth, text, order, hash or items, without a call of it.

`if log:`, `f"{log}"`, `xs[log]` and `sorted(logs)` call special methods of the class of `log`. Few
classes have such methods that change something; only where one of these is among the kinds of a
function, its statements are looked through.
"""
from __future__ import annotations

import collections
import inspect
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses import special_methods
from tangent_lite.analyses.purity import can_be_hashed
from tangent_lite.analyses.special_names import (
    ALL,
    ARRAY,
    ATTRIBUTES,
    BINARY,
    END,
    FORMAT,
    HASH,
    INDEX,
    ITEMS,
    ORDER,
    REFLECTED,
    TEXT,
    TRUTH,
    UNARY,
)
from tangent_lite.modules import module_of, package_of
from tangent_lite.runtime import objects

Look = tuple[gast.expr, frozenset[str]]
ANY = "any attribute"       # which one is known only when it runs
_OF_CLASS = frozenset(("__class__", "__instancecheck__", "__subclasscheck__", "__subclasshook__"))
_NOTHING: frozenset[str] = frozenset()
_LOOKING: dict[Any, frozenset[str]] = {
    **dict.fromkeys((id, type, callable, super, object, vars, setattr, getattr, hasattr), _NOTHING),
    **dict.fromkeys((isinstance, issubclass), _OF_CLASS),
    **dict.fromkeys((print, str, repr, format, ascii), TEXT),
    **dict.fromkeys((list, tuple, zip, enumerate, iter, reversed), ITEMS | TRUTH),
    len: TRUTH, bool: TRUTH, hash: HASH}
_CONTAINERS = (list, tuple, dict, set, frozenset, collections.deque)
_KEEPING = ("append", "appendleft")     # methods of lists that only keep what they are given


# Classes ---------------------------------------------------------------------------------------
def classes_in(kind: Any) -> Iterator[type]:
    """The classes of the objects that a value of a kind is, or holds."""
    if isinstance(kind, (kinds.RecordKind, kinds.Other, kinds.TupleKind)) \
            and isinstance(kind.type, type):
        yield kind.type
    elif isinstance(kind, kinds.Known) and isinstance(kind.object, type):
        yield type(kind.object)
        yield kind.object
    for part in _parts(kind):
        yield from classes_in(part)


def _parts(kind: Any) -> tuple[Any, ...]:
    """The kinds of what a value of a kind holds."""
    if isinstance(kind, (kinds.TupleKind, kinds.DictKind, kinds.RecordKind)):
        return kind.items
    if isinstance(kind, kinds.MapKind):
        return (kind.key, kind.item)
    return (kind.item,) if isinstance(kind, (kinds.ListKind, kinds.Constants)) else ()


def _may_be_any(kind: Any) -> bool:
    """Whether nothing is known of a value, or of something in it."""
    return any(kind is one for one in (kinds.UNKNOWN, kinds.OBJECT, kinds.ANY)) \
        or any(map(_may_be_any, _parts(kind)))


def suspects(all_kinds: Iterable[kinds.Kind]) -> dict[type, bool]:
    """The classes among some kinds that change something when they are looked at."""
    found = {one for kind in all_kinds for one in classes_in(kind)}
    return {kind: True for kind in found if not registry.is_library(kind)
            and package_of(kind) != "tangent_lite" and (
                special_methods.changing(kind, ALL | END) is not None
                or changing_attribute(kind, ANY) is not None)}


def changing_attribute(kind: type, name: str) -> str | None:
    """What changes something where an attribute is read: a property, or a descriptor."""
    for one in dir(kind) if name == ANY else (name,):
        found = inspect.getattr_static(kind, one, None)
        if hasattr(found, "fget") or hasattr(found, "func"):
            found = getattr(found, "fget", getattr(found, "func", None))
            owner = kind
        elif isinstance(method := getattr(type(found), "__get__", None), types.FunctionType):
            found, owner = method, type(found)
        else:
            continue
        if isinstance(found, types.FunctionType) and special_methods.changes(owner, found):
            return f"{kind.__name__}.{one}"
    return None


class Looking:
    """What changes something when it is looked at, among what a function knows."""

    def __init__(self, names: dict[str, kinds.Kind], typer: Any) -> None:
        self.typer = typer
        self.suspects = suspects(names.values())

    def changed_by(self, statement: gast.stmt, whole: gast.AST) -> Iterator[tuple[gast.expr, str]]:
        """What changes something as a statement, of which `whole` is the head, looks at it."""
        if not self.suspects:
            return
        for node, names in looked_at(statement, whole, self.typer.callee):
            method = self._changing(node, names)
            if method is not None:
                yield node, method
        for node in syntax.walk(whole):
            if isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Load):
                method = self._changing_attribute(node.value, node.attr)
            elif isinstance(node, gast.Call) and len(node.args) > 1 \
                    and self.typer.callee(node)[0] in (hasattr, getattr):
                name = getattr(node.args[1], "value", None)     # a property is called for either
                method = self._changing_attribute(
                    node.args[0], name if isinstance(name, str) else ANY)
            else:
                continue
            if method is not None:
                yield node, method

    def _classes(self, node: gast.AST) -> list[type]:
        """The classes of what an expression may be or hold; all, where nothing is known of it."""
        kind = self.typer.kind(node)
        if _may_be_any(kind):
            return list(self.suspects)
        return [one for one in classes_in(kind) if one in self.suspects]

    def _changing(self, node: gast.AST, names: frozenset[str]) -> str | None:
        return next((found for kind in self._classes(node)
                     if (found := special_methods.changing(kind, names))), None)

    def _changing_attribute(self, node: gast.AST, name: str) -> str | None:
        kind = self.typer.kind(node)
        owner = getattr(kind, "type", None)
        classes = self._classes(node) if kind in (kinds.UNKNOWN, kinds.OBJECT) else \
            [owner] if owner in self.suspects else []
        for one in classes:
            found = changing_attribute(one, name)
            is_missing = not hasattr(one, name) and not (
                isinstance(kind, kinds.RecordKind) and name in kind.fields)
            found = found or special_methods.changing(
                one, ATTRIBUTES if is_missing or name == ANY else ATTRIBUTES - {"__getattr__"})
            if found is not None:
                return found
        return None


# Statements ------------------------------------------------------------------------------------
def looked_at(statement: gast.stmt, whole: gast.AST,
              meaning: Callable[[gast.Call], tuple[Any, Any]]) -> Iterator[Look]:
    """What is asked for something in a statement, of which `whole` is the head, and the special
    methods by which it is; meaning: as Typer.callee."""
    if isinstance(statement, (gast.If, gast.While, gast.Assert)):
        yield statement.test, TRUTH
    elif isinstance(statement, gast.For):
        yield statement.iter, ITEMS | TRUTH
    elif isinstance(statement, gast.AugAssign):
        yield statement.target, BINARY | INDEX | ARRAY
        yield statement.value, REFLECTED | INDEX | ARRAY
    elif isinstance(statement, gast.Assign) and isinstance(
            statement.targets[0], (gast.Tuple, gast.List)):
        yield statement.value, ITEMS | TRUTH
    for name in syntax.names_in(whole):
        yield name, END
    for node in syntax.walk(whole):
        look = _LOOKS.get(type(node))
        if look is not None:
            yield from look(node)
        elif isinstance(node, gast.Call):
            yield from _of_call(node, *meaning(node))


def _of_comparison(node: gast.Compare) -> Iterator[Look]:
    parts = [node.left, *node.comparators]
    for op, left, right in zip(node.ops, parts, parts[1:]):
        if isinstance(op, (gast.Is, gast.IsNot)):
            continue
        names = ORDER
        if isinstance(op, (gast.In, gast.NotIn)):
            names = ORDER | HASH | ITEMS | INDEX
        yield left, names
        yield right, names


def _of_item(node: gast.Subscript) -> Iterator[Look]:
    if isinstance(node.ctx, gast.Load):
        yield node.value, ITEMS | TRUTH
    for part in syntax.walk(node.slice):
        if isinstance(part, (gast.Name, gast.Attribute, gast.Call, gast.Subscript)):
            yield part, INDEX | HASH | ORDER | ARRAY


def _of_operation(node: gast.BinOp) -> Iterator[Look]:
    more = INDEX | ARRAY | (FORMAT if isinstance(node.op, gast.Mod) else _NOTHING)
    yield node.left, BINARY | INDEX | ARRAY
    yield node.right, REFLECTED | more


def _of_comprehension(node: gast.comprehension) -> Iterator[Look]:
    yield node.iter, ITEMS | TRUTH
    for test in node.ifs:
        yield test, TRUTH


_LOOKS: dict[type, Callable[[Any], Iterable[Look]]] = {
    gast.BoolOp: lambda node: [(part, TRUTH) for part in node.values],
    gast.UnaryOp: lambda node: [(node.operand, TRUTH if isinstance(node.op, gast.Not) else UNARY)],
    gast.IfExp: lambda node: [(node.test, TRUTH)],
    gast.Compare: _of_comparison,
    gast.FormattedValue: lambda node: [(node.value, TEXT)],
    gast.comprehension: _of_comprehension,
    gast.Subscript: _of_item,
    gast.BinOp: _of_operation,
    gast.Dict: lambda node: [(key, HASH) for key in node.keys if key is not None],
    gast.DictComp: lambda node: [(node.key, HASH)],
    gast.Set: lambda node: [(part, HASH) for part in node.elts],
    gast.SetComp: lambda node: [(node.elt, HASH)],
    gast.Starred: lambda node: [(node.value, ITEMS | TRUTH)],
}


def _of_call(call: gast.Call, function: Any, receiver: gast.expr | None) -> Iterator[Look]:
    if hasattr(call, "marker") or isinstance(call.func, gast.Constant):
        return
    if module_of(function) == objects.__name__:
        return                                  # what the passes wrote
    given = [part.value if isinstance(part, gast.Starred) else part
             for part in (*call.args, *(k.value for k in call.keywords))]
    if isinstance(function, types.FunctionType) and registry.lookup(function) is None \
            and not registry.is_library(function):
        return                                  # it is looked into itself
    if isinstance(function, type) and not registry.is_library(function):
        return
    owner = getattr(function, "__objclass__", None)
    names = _LOOKING.get(function, ALL) if can_be_hashed(function) else ALL
    if owner in _CONTAINERS:
        names = ORDER | HASH | INDEX | ITEMS | TRUTH
    elif owner is str and function.__name__ in ("format", "format_map"):
        names = FORMAT
    if receiver is not None:
        if getattr(function, "__name__", getattr(call.func, "attr", None)) in _KEEPING:
            return
        yield receiver, ORDER | HASH
    for part in given:
        yield part, names
