"""Dicts whose keys are known, written out part by part: displays, copies, views and methods.

    params.update(w=w, b=b)         =>      params["w"] = w
                                            params["b"] = b
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.expansion import Scene, Written
from tangent_lite.inference import NO_OBJECT
from tangent_lite.structures.updates import is_key, without_key
from tangent_lite.structures.views_of_dicts import change_that_is_seen
from tangent_lite.syntax import assign, load


class Dicts(Scene):
    """What takes the place of what is done to such dicts."""

    def dict_union(self, value: gast.BinOp, plain: gast.BinOp) -> Written | None:
        """`a | b` of dicts."""
        both = [self.typer.kind(value.left), self.typer.kind(value.right)]
        if not isinstance(value.op, gast.BitOr) or not all(isinstance(k, kinds.DictKind)
                                                           for k in both):
            return None
        made = gast.Dict([None, None], [plain.left, plain.right])
        return [], gast.copy_location(made, plain)

    def with_keys(self, plain: gast.Dict, node: gast.stmt) -> Written:
        """A dict with keys that are computed, item by item."""
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        name = target.id if isinstance(target, gast.Name) and target.id not in \
            syntax.read_names(plain) else self.context.names.fresh("parts")
        out: list[gast.stmt] = [assign(name, gast.Dict([], []))]
        for key, item in zip(plain.keys, plain.values):
            spot = syntax.subscript(load(name), key, gast.Store())
            spot.dynamic = True
            out.append(gast.Assign([spot], item, None))
        made = self.normal(out, plain)
        return (made, None) if name == getattr(target, "id", "") else (made, load(name))

    def dict_parts(self, value: gast.Dict, plain: Any) -> Written | None:
        """`{**options, "a": x}`, part by part."""
        first: list[gast.stmt] = []
        found: dict[Any, gast.expr] = {}
        for key, seen, given in zip(value.keys, value.values, plain.values):
            if isinstance(key, gast.Constant):
                found[key.value] = given
                continue
            kind = self.typer.kind(seen)
            if key is not None or not isinstance(kind, kinds.DictKind):
                return None
            for name in kind.keys:
                part = syntax.subscript(syntax.copy(given), gast.Constant(name, None))
                found[name] = self.named(first, str(name), part)
        made = gast.Dict([gast.Constant(k, None) for k in found], list(found.values()))
        return first, gast.copy_location(made, plain)

    def dict_copied(self, value: gast.Call, plain: gast.Call, function: Any) -> Written | None:
        """`d.copy()`, `dict(d, a=x)` and `dict(a=x)`, part by part."""
        given = [plain.func.value] if function is dict.copy else plain.args
        seen = [value.func.value] if function is dict.copy else value.args
        if hasattr(plain, "is_entry_copy") or len(given) > 1 or not all(
                isinstance(self.typer.kind(s), kinds.DictKind) and isinstance(g, gast.Name)
                for s, g in zip(seen, given)):
            return None
        parts = [*map(self.typer.kind, seen), *(self.typer.kind(k.value) for k in value.keywords)]
        if not any(map(kinds.can_vary, parts)):
            return None
        made = gast.Dict([*(None for _ in given), *(gast.Constant(k.arg, None)
                                                    for k in plain.keywords)],
                         [*given, *(k.value for k in plain.keywords)])
        return [], gast.copy_location(made, plain)

    def views_of_dict(self, kind: kinds.Kind, owner: gast.Name, function: Any,
                      node: gast.stmt) -> Written | None:
        """The items, keys or values of a dict whose keys are known, as a tuple."""
        if not isinstance(kind, kinds.DictKind) or not all(
                is_key(key) or (type(key) is tuple and all(map(is_key, key))) for key in kind.keys):
            return None
        seen = change_that_is_seen(self.tree.body, node, owner.id, kind.keys, function is dict.keys,
                                   self.call_changes)
        if seen is not None:
            raise self.context.refuse(seen, f"{owner.id} is changed while a view of it is read",
                                      f"make a list of it first: list({owner.id}."
                                      f"{function.__name__}())")
        first: list[gast.stmt] = []
        parts: list[gast.expr] = []
        for key in kind.keys:
            name: gast.expr = gast.Constant(key, None)
            if function is not dict.keys:
                value = syntax.subscript(syntax.copy(owner), gast.Constant(key, None))
                item = self.named(first, str(key), value)
                name = item if function is dict.values else syntax.tuple_of([name, item])
            parts.append(name)
        return first, syntax.tuple_of(parts)

    def sorted_keys(self, kind: kinds.Kind, plain: gast.expr) -> Written | None:
        """`sorted(params)` and `sorted(params.items())`: by the keys, which are known."""
        first: list[gast.stmt] = []
        if isinstance(kind, kinds.DictKind):
            keys = list(kind.keys)
            parts: list[gast.expr] = [gast.Constant(k, None) for k in keys]
        elif isinstance(kind, kinds.TupleKind) and isinstance(plain, gast.Name):
            keys = [kinds.value_of(i.items[0] if isinstance(i, kinds.TupleKind) and i.items else i)
                    for i in kind.items]
            if not all(isinstance(k, str) for k in keys):
                return None
            parts = self.parts_of(kind, plain, range(len(kind.items)), first)
        else:
            return None
        if len(set(keys)) < len(keys) or len({type(k) for k in keys}) > 1:
            return None
        order = sorted(range(len(keys)), key=keys.__getitem__)
        return first, syntax.tuple_of(parts[i] for i in order)

    def dict_method(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """`d.update(...)`, `d.pop(key)`, `d.setdefault(key, v)`, `d.get(key)`, part by part."""
        function, receiver = self.facts.callees.get(id(value), (NO_OBJECT, None))
        if function not in (dict.update, dict.pop, dict.setdefault, dict.get) \
                or not isinstance(getattr(plain.func, "value", None), gast.Name):
            return None
        owner: Any = plain.func.value
        kind = self.typer.kind(receiver)
        if not isinstance(kind, kinds.DictKind):
            return None
        nothing = gast.Constant(None, None)
        if function is dict.update:
            out: list[gast.stmt] = []
            more: dict[Any, gast.expr] = {}
            if plain.args:
                other = self.typer.kind(value.args[0])
                if not isinstance(other, kinds.DictKind):
                    return None
                source = self.owned(out, plain.args[0])
                for key in other.keys:
                    more[key] = self.named(out, str(key), syntax.subscript(
                        syntax.copy(source), gast.Constant(key, None)))
            more.update((k.arg, k.value) for k in plain.keywords)
            for key, item in more.items():
                target = syntax.subscript(load(owner.id), gast.Constant(key, None), gast.Store())
                out.append(gast.Assign([target], item, None))
            return out, nothing
        key = kinds.value_of(self.typer.kind(value.args[0])) if value.args else kinds.NO_VALUE
        if not is_key(key) or plain.keywords:
            return None
        spot = syntax.subscript(load(owner.id), gast.Constant(key, None))
        default = plain.args[1] if len(plain.args) > 1 else nothing
        if function is dict.get or (function is dict.setdefault and key in kind.keys):
            return [], spot if key in kind.keys else default
        if function is dict.setdefault:
            target = syntax.subscript(load(owner.id), gast.Constant(key, None), gast.Store())
            out = []
            given = self.named(out, str(key), default)      # one list, and not two that are alike
            return [*out, gast.Assign([target], given, None)], syntax.copy(given)
        if function is dict.pop:
            if key not in kind.keys:
                return ([], default) if len(plain.args) > 1 else None
            out = []
            taken = self.named(out, str(key), spot)
            parts = without_key(owner, kind, key)
            kept = [self.named(out, str(k.value), v) for k, v in zip(parts.keys, parts.values)]
            made = gast.Dict(parts.keys, kept)
            made.drops = owner.id
            out.append(assign(owner.id, made))
            return out, taken
        return None
