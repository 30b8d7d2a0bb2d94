"""Leave out loops over lists that are given empty, and that nothing is put into.

>>> from tangent_lite.emit import emit
>>> class Model: pass
>>> kind = kinds.RecordKind(Model, ("rate", "hooks"), (kinds.FLOAT, kinds.ListKind(kinds.EMPTY)))
>>> tree = gast.parse('''
... def f(m, x):
...     items = m.hooks
...     for k in range(len(items)):
...         hook = items[k]
...         x = hook(x)
...     return x * m.rate
... ''').body[0]
>>> empty_loops(tree, {"m": kind, "x": kinds.FLOAT}, {"range": range, "len": len}.get)
True
>>> print(emit(tree), end="")
def f(m, x):
    items = m.hooks
    return x * m.rate

A model without constraints, hooks or springs has such lists. Nothing is known of what would be in
them, and their loops would be refused for what they do with it.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.kinds import Kind
from tangent_lite.structures.updates import changed_parts, updates_of


def empty_loops(tree: gast.FunctionDef, parameter_kinds: Mapping[str, Kind],
                meaning: Callable[[str], Any],
                numbered: Callable[[], gast.FunctionDef] | None = None,
                stem_of: Mapping[str, str] | None = None) -> bool:
    """Rewrite the tree in place, in which calls are written out or are yet to be; whether it
    changed. numbered: makes its versions; stem_of: of which names these are.
    """
    loops = [node for node in syntax.all_of(tree, gast.For)
             if _listed(node.iter, meaning) is not None]
    if not loops or not (any(map(_holds_empty, parameter_kinds.values()))
                         or _made_empty(tree).intersection(
                             getattr(_listed(node.iter, meaning), "id", None) for node in loops)):
        return False
    versions = tree if numbered is None else numbered()
    given = _Given(versions, parameter_kinds, {} if stem_of is None else stem_of)
    gone = [node for node, version in zip(syntax.statements(tree.body),
                                          syntax.statements(versions.body))
            if isinstance(node, gast.For) and isinstance(version, gast.For)
            and given.is_empty(_listed(version.iter, meaning))]
    for block in syntax.all_blocks(tree) if gone else ():
        kept = [node for node in block if not any(node is one for one in gone)]
        if len(kept) < len(block):
            block[:] = kept or [gast.copy_location(gast.Pass(), block[0])]
    return bool(gone)


def _holds_empty(kind: Kind) -> bool:
    if isinstance(kind, (kinds.RecordKind, kinds.DictKind)):
        return any(map(_holds_empty, kind.items))
    return isinstance(kind, kinds.ListKind) and kind.item is kinds.EMPTY


def _made_empty(tree: gast.FunctionDef) -> set[str]:
    """The names that are bound to `[]`, as `xs or []` is where xs is None."""
    return {node.targets[0].id for node in syntax.all_of(tree, gast.Assign)
            if isinstance(node.targets[0], gast.Name) and isinstance(node.value, gast.List)
            and not node.value.elts}


def _listed(node: gast.expr, meaning: Callable[[str], Any]) -> gast.expr | None:
    """xs of `range(len(xs))`"""
    for function in (range, len):
        if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name) \
                or len(node.args) != 1 or meaning(node.func.id) is not function:
            return None
        node = node.args[0]
    return node


class _Given:
    """What is as it was given, whatever the function does.

    A list that is given empty is reached by its key or attribute alone (who else holds it is looked
    at when the derivative is called). Where it is only counted and read there, and what holds it is
    given to no call that is not written out, it stays empty. What functions inside capture is what
    a name means when they are called, so it has no versions there.
    """

    def __init__(self, tree: gast.FunctionDef, parameter_kinds: Mapping[str, Kind],
                 stem_of: Mapping[str, str]) -> None:
        self.parameter_kinds, self.stem_of = parameter_kinds, stem_of
        # A function that is defined inside stands in a lambda, or for a text that names it.
        functions = [node for node in syntax.walk(tree)
                     if isinstance(node, gast.Lambda) or hasattr(node, "local")]
        self.has_functions = bool(functions)
        self.captured = {self.stem(name.id) for node in functions for name in syntax.walk(node)
                         if isinstance(name, gast.Name)}
        for node in functions:
            self.captured.update(map(self.stem, getattr(getattr(node, "local", None),
                                                        "captured", ())))
        self.bound: dict[str, list[Any]] = {}
        self.parents: dict[int, gast.AST | None] = {}   # None of what stands at two places
        self.reads: dict[Any, list[gast.expr]] = {}     # by keys and attributes, and of names
        self.stored: set[Any] = set()                   # keys and attributes that are bound anew
        for node in syntax.walk(tree):
            for part in gast.iter_child_nodes(node):
                self.parents[id(part)] = node if id(part) not in self.parents else None
            if isinstance(node, (gast.Attribute, gast.Subscript)):
                key = node.attr if isinstance(node, gast.Attribute) \
                    else getattr(node.slice, "value", None)
                if isinstance(node.ctx, gast.Load):
                    self.reads.setdefault((key,), []).append(node)
                else:
                    self.stored.add(key)
            elif isinstance(node, gast.Name):
                if isinstance(node.ctx, gast.Load):
                    self.reads.setdefault(node.id, []).append(node)
                elif not isinstance(node.ctx, gast.Param):
                    self.bound.setdefault(node.id, []).append(self.value_of(node))
            elif isinstance(node, gast.expr) and updates_of(node) is not None:
                self.stored.update(key for (_, key), _ in changed_parts(node))

    def stem(self, name: str) -> str:
        return self.stem_of.get(name, name)

    def value_of(self, target: gast.Name) -> gast.expr | None:
        """What a name is bound to, where that is an assignment of it alone."""
        node: Any = self.parents.get(id(target))
        return node.value if isinstance(node, gast.Assign) and node.targets == [target] else None

    def is_empty(self, node: Any) -> bool:
        """Whether an expression is a list that was given empty, and into which nothing is put."""
        kind = self.kind(node)
        return isinstance(kind, kinds.ListKind) and kind.item is kinds.EMPTY

    def kind(self, node: Any) -> Kind | None:
        """The kind of what was given, where it is the same at any time."""
        if isinstance(node, (gast.Attribute, gast.Subscript)):
            key = node.attr if isinstance(node, gast.Attribute) \
                else getattr(node.slice, "value", None)
            whole: Any = self.kind(node.value)
            fields: Any = whole.fields if isinstance(whole, kinds.RecordKind) else \
                whole.keys if isinstance(whole, kinds.DictKind) else ()
            if isinstance(whole, kinds.RecordKind) is not isinstance(node, gast.Attribute) \
                    or key not in fields or key in self.stored:
                return None
            found: Kind = whole.items[fields.index(key)]
            return self.if_kept(found, (key,))
        if not isinstance(node, gast.Name) or self.stem(node.id) in self.captured:
            return None
        values = self.bound.get(node.id, [])
        if node.id in self.parameter_kinds:
            # `self.t += dt` binds the object anew, with another t.
            return self.if_kept(self.parameter_kinds[node.id], node.id) if all(
                updates_of(value) == node.id for value in values) \
                and self.is_seen(node.id, self.parameter_kinds[node.id], set()) else None
        if len(values) != 1 or values[0] is None:
            return None
        if isinstance(values[0], gast.List) and not values[0].elts and not self.has_functions:
            return self.if_kept(kinds.ListKind(kinds.EMPTY), node.id)
        return self.kind(values[0])

    def if_kept(self, kind: Kind, reads: Any) -> Kind | None:
        """A kind, unless it is that of a list which more is done with than to read it."""
        return kind if not isinstance(kind, kinds.ListKind) or all(
            self.is_only_read(node, set()) for node in self.reads.get(reads, ())) else None

    def is_only_read(self, node: gast.expr, seen: set[str]) -> bool:
        """Whether a list is counted, or asked for an item, also under a name that it is given."""
        parent: Any = self.parents.get(id(node))
        if isinstance(parent, gast.Subscript):
            return parent.value is node and isinstance(parent.ctx, gast.Load)
        if isinstance(parent, gast.Call):
            return getattr(parent.func, "id", None) == "len"
        if isinstance(parent, gast.Assign) and parent.value is node \
                and isinstance(parent.targets[0], gast.Name):
            name = parent.targets[0].id
            return self.stem(name) not in self.captured and (name in seen or all(
                self.is_only_read(one, {*seen, name})
                for one in self.reads.get(name, ())))
        return False

    def is_seen(self, name: str, kind: Kind, seen: set[str]) -> bool:
        """Whether all is seen that is done to what a name means, and to what that holds."""
        if isinstance(kind, kinds.ListKind) or not _holds_empty(kind):
            return True
        return self.stem(name) not in self.captured and (name in seen or all(
            self.is_taken_apart(node, kind, {*seen, name}) for node in self.reads.get(name, ())))

    def is_taken_apart(self, node: gast.expr, kind: Any, seen: set[str]) -> bool:
        """Whether of a dict or an object a part is read, or it gets a name, or is given back."""
        parent: Any = self.parents.get(id(node))
        if isinstance(parent, gast.Assign) and parent.value is node \
                and isinstance(parent.targets[0], gast.Name):
            return self.is_seen(parent.targets[0].id, kind, seen)
        if isinstance(parent, gast.Return) or getattr(parent, "updates", False):
            return True
        if not isinstance(parent, (gast.Attribute, gast.Subscript)) or parent.value is not node:
            return False
        is_object = isinstance(kind, kinds.RecordKind)
        key = parent.attr if isinstance(parent, gast.Attribute) \
            else getattr(parent.slice, "value", None)
        fields: Any = kind.fields if is_object else kind.keys
        if isinstance(parent, gast.Attribute) is not is_object or key not in fields:
            return False                        # a method, or a property
        part: Kind = kind.items[fields.index(key)]
        if not isinstance(parent.ctx, gast.Load) or isinstance(part, kinds.ListKind):
            return True
        call = self.parents.get(id(parent))
        if isinstance(call, gast.Call) and call.func is parent:
            return isinstance(part, kinds.Known) and not hasattr(part.object, "__self__") \
                and not getattr(part.object, "__closure__", None)
        return not _holds_empty(part) or self.is_taken_apart(parent, part, seen)
