"""What of a statement Python asks for its truth, text, order, hash or items, without a call of it.

`if log:`, `f"{log}"`, `xs[log]` and `sorted(logs)` call special methods of the class of `log`. Few
classes have such methods that change something; only where one of these is among the kinds of a
function, its statements are looked through.
"""
from __future__ import annotations

import collections
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses import special_methods
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.purity import can_be_hashed
from tangent_lite.analyses.special_names import (
    ALL,
    ANY,
    ARRAY,
    ATTRIBUTES,
    BINARY,
    CALL,
    END,
    FILE,
    FORMAT,
    HASH,
    INDEX,
    ITEMS,
    MAPPING,
    NUMBER,
    OF_CLASS,
    ORDER,
    REFLECTED,
    SETTING,
    TEXT,
    TRUTH,
    UNARY,
    UNSEEN,
)
from tangent_lite.analyses.unseen import CALLED_BY_NAME, leaves_all, rest_on_names
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.modules import LIBRARIES, getter_of, module_of, package_of
from tangent_lite.runtime import objects

Look = tuple[gast.expr, frozenset[str]]
_NOTHING: frozenset[str] = frozenset()
_LOOKING: dict[Any, frozenset[str]] = {
    **dict.fromkeys((id, type, callable, super, object, vars, setattr, getattr, hasattr), _NOTHING),
    **dict.fromkeys((isinstance, issubclass), OF_CLASS),
    **dict.fromkeys((print, str, repr, format, ascii), TEXT),
    **dict.fromkeys((list, tuple, zip, enumerate, iter, reversed), ITEMS | TRUTH),
    len: TRUTH, bool: TRUTH, hash: HASH}
# What a function of the user may do with what it is handed, of which its text does not tell.
_HANDED = ALL | CALLED_BY_NAME
_CONTAINERS = (list, tuple, dict, set, frozenset, collections.deque)
_SCALARS = (int, float, complex, str, bytes, BaseException)
_KEEPING = ("append", "appendleft")     # methods of lists that only keep what they are given


# Classes ---------------------------------------------------------------------------------------
def classes_in(kind: Any) -> Iterator[type]:
    """The classes of the objects that a value of a kind is, or holds."""
    if isinstance(kind, (kinds.RecordKind, kinds.Other, kinds.TupleKind)) \
            and isinstance(kind.type, type):
        yield kind.type
    elif isinstance(kind, kinds.Known):
        yield type(kind.object)
        if isinstance(kind.object, type):
            yield kind.object
    for part in _parts(kind):
        yield from classes_in(part)


def _parts(kind: Any) -> tuple[Any, ...]:
    """The kinds of what a value of a kind holds, the keys of dicts among them."""
    return (kind.key, kind.item) if isinstance(kind, kinds.MapKind) else kinds.parts(kind)


def _may_be_any(kind: Any) -> bool:
    """Whether nothing is known of a value, or of something in it."""
    return any(kind is one for one in (kinds.UNKNOWN, kinds.OBJECT, kinds.ANY)) \
        or any(map(_may_be_any, _parts(kind)))


def suspects(all_kinds: Iterable[kinds.Kind]) -> tuple[dict[type, bool], frozenset[str]]:
    """The classes among some kinds that change something when they are looked at, and what special
    methods of classes there name: of what the objects hold, that is asked for as well."""
    found = dict.fromkeys(one for kind in all_kinds for one in classes_in(kind))
    named = frozenset(name for kind in found if not registry.is_library(kind)
                      and next(special_methods.in_python(kind, UNSEEN), None) is not None
                      for name in special_methods.named_by(kind))
    return {kind: True for kind in found if not registry.is_library(kind)
            and package_of(kind) != "tangent_lite"
            and special_methods.changing(
                kind, _HANDED | OF_CLASS | END | MAPPING | FILE | named) is not None}, named


def rest_on_attributes(tree: gast.FunctionDef, facts: Inferred) -> None:
    """Note that it matters that classes have nothing of the names by which their objects are read
    and written, but what they have: a property later, or a method that sets attributes."""
    found = dict.fromkeys(one for kind in facts.names.values() for one in classes_in(kind)
                          if not registry.is_library(one) and package_of(one) != "tangent_lite")
    if not found:
        return
    names = {node.attr for node in syntax.all_of(tree, gast.Attribute)} | SETTING
    for kind in facts.names.values():
        names |= {*getattr(kind, "fields", ())}
    for one in found:
        rest_on_names(one, frozenset(names))


class Looking:
    """What changes something when it is looked at, among what a function knows."""

    def __init__(self, tree: gast.FunctionDef, facts: Inferred, typer: Typer) -> None:
        self.typer = typer
        self.outside = {name: typer.free(name) for statement in syntax.statements(tree.body)
                        for name in facts.mentions[statement].names if name not in facts.names}
        self.has_modules = any(isinstance(one, types.ModuleType) and one.__name__.split(".")[0]
                               not in LIBRARIES for one in self.outside.values())
        self.suspects, self.named = suspects((
            *facts.names.values(), *map(kinds.Known, self.outside.values()),
            *(typer.kind(syntax.load(name)) for name in self.outside)))
        self.is_wary = self.has_modules or bool(self.suspects)      # whether there may be anything

    def changed_by(self, statement: gast.stmt,
                   whole: gast.AST) -> Iterator[tuple[gast.expr, str, bool]]:
        """What changes something as a statement, of which `whole` is the head, looks at it: by
        which method, and whether that may change more than what the object holds."""
        for node in syntax.all_of(whole, gast.Attribute) if self.has_modules else ():
            module = self.typer.object_of(node.value)
            getter = getter_of(module, node.attr) if isinstance(module, types.ModuleType) else None
            if getter is not None and not leaves_all(getter):
                yield node, f"{module.__name__}.__getattr__", True
        if not self.suspects:
            return
        for node, names in looked_at(statement, whole, self.typer.callee):
            yield from self._changing(node, node, names)
        own = getattr(statement, "value", None)     # it is looked into itself
        for node in syntax.walk(whole):
            if isinstance(node, gast.Call) and node is not own:
                yield from self._handed(node)
            if isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Load):
                yield from self._read(node, node.value, node.attr)
            elif isinstance(node, gast.Call) and len(node.args) > 1 \
                    and self.typer.callee(node)[0] in (hasattr, getattr):
                name = getattr(node.args[1], "value", None)     # a property is called for either
                yield from self._read(node, node.args[0], name if isinstance(name, str) else ANY)
            elif isinstance(node, gast.Call) and len(node.args) == 2 \
                    and self.typer.callee(node)[0] is isinstance and any(
                        special_methods.asks_attributes(kind)
                        for kind in classes_in(self.typer.kind(node.args[1]))):
                yield from self._read(node, node.args[0], ANY)

    def _handed(self, call: gast.Call) -> Iterator[tuple[gast.expr, str, bool]]:
        """What a function of the user's may change by the methods of what it is handed, where it is
        called within an expression."""
        function, receiver = self.typer.callee(call)
        if not isinstance(function, types.FunctionType) or hasattr(call, "marker") \
                or registry.lookup(function) is not None or registry.is_library(function):
            return
        for part in (*([] if receiver is None else [receiver]), *call.args,
                     *(k.value for k in call.keywords)):
            one = part.value if isinstance(part, gast.Starred) else part
            yield from self._changing(one, one, _HANDED)

    def _classes(self, node: gast.AST) -> list[type]:
        """The classes of what an expression may be or hold; all, where nothing is known of it."""
        kind = self.typer.kind(node)
        if _may_be_any(kind):
            return list(self.suspects)
        if isinstance(node, gast.Name) and type(self.outside.get(node.id)) in self.suspects:
            return [type(self.outside[node.id])]        # a class of numbers or texts
        return [one for one in classes_in(kind) if one in self.suspects]

    def _changing(self, place: gast.expr, node: gast.AST, names: frozenset[str],
                  classes: list[type] | None = None) -> Iterator[tuple[gast.expr, str, bool]]:
        whole = [*classes_in(self.typer.kind(node))] if classes is None and self.named else []
        if any(next(special_methods.in_python(kind, names), None) is not None for kind in whole):
            names |= self.named
        for kind in self._classes(node) if classes is None else classes:
            found = special_methods.changing(kind, names)
            if found is not None:
                yield place, found, self._is_seen_outside(node, kind)

    def _is_seen_outside(self, node: gast.AST, kind: type) -> bool:
        """Whether others may see what a method of a class changes: of an object from outside, or
        by what it comes to."""
        return syntax.root_name(node) in self.outside or special_methods.reaches_outside(kind)

    def _read(self, place: gast.expr, node: gast.AST,
              name: str) -> Iterator[tuple[gast.expr, str, bool]]:
        """An attribute is read, of an object and not of what it holds."""
        kind = self.typer.kind(node)
        classes = self._classes(node) if _may_be_any(kind) and not isinstance(
            kind, kinds.RecordKind) else [getattr(kind, "type", None)]
        for one in classes:
            if one not in self.suspects:
                continue
            found = special_methods.changing_attribute(one, name)
            if found is not None:
                yield place, found, self._is_seen_outside(node, one)
            is_known = hasattr(one, name) or name in getattr(kind, "fields", ())
            yield from self._changing(
                place, node, ATTRIBUTES - {"__getattr__"} if is_known else ATTRIBUTES, [one])


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
        yield statement.target, BINARY | INDEX | ARRAY | ITEMS
        yield statement.value, REFLECTED | INDEX | ARRAY | ITEMS
    elif isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Subscript):
        yield statement.value, NUMBER | ARRAY | ITEMS       # of an array, or of a part of a list
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
    more = INDEX | ARRAY | ITEMS | (FORMAT if isinstance(node.op, gast.Mod) else _NOTHING)
    yield node.left, BINARY | INDEX | ARRAY | ITEMS
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
    gast.Dict: lambda node: [(key, HASH) if key is not None else (value, ITEMS | MAPPING)
                             for key, value in zip(node.keys, node.values)],
    gast.DictComp: lambda node: [(node.key, HASH)],
    gast.Set: lambda node: [(part, HASH) for part in node.elts],
    gast.SetComp: lambda node: [(node.elt, HASH)],
    gast.Starred: lambda node: [(node.value, ITEMS | TRUTH)],
}


def _of_call(call: gast.Call, function: Any, receiver: gast.expr | None) -> Iterator[Look]:
    if hasattr(call, "marker") or isinstance(call.func, gast.Constant):
        if getattr(getattr(call, "marker", None), "kind", "") in ("is a sequence", "is a mapping"):
            for part in call.args:          # a pattern takes its items
                yield part, ITEMS | MAPPING
        return
    if module_of(function) == objects.__name__:
        return                                  # what the passes wrote
    if function is NO_OBJECT and isinstance(call.func, gast.Name):
        yield call.func, CALL                   # an object, if it is one
    for keyword in call.keywords:
        if keyword.arg is None:
            yield keyword.value, ITEMS | MAPPING
        elif function is print and keyword.arg == "file":
            yield keyword.value, FILE
    given = [part.value if isinstance(part, gast.Starred) else part
             for part in (*call.args, *(k.value for k in call.keywords))]
    if isinstance(function, types.FunctionType) and registry.lookup(function) is None \
            and not registry.is_library(function):
        return                                  # it is looked into itself
    if isinstance(function, type) and not registry.is_library(function):
        if issubclass(function, _SCALARS):
            yield call.func, ALL                # the kinds do not tell them from others
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
