"""Lists, tuples, objects and comprehensions, and what is written into them, part by part."""
from __future__ import annotations

from types import FunctionType
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax
from tangent_lite.expansion import Written
from tangent_lite.expansion.defaults import Defaults
from tangent_lite.expansion.dicts import Dicts
from tangent_lite.expansion.flat import Flat
from tangent_lite.expansion.unlike import Unlike
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import package_of
from tangent_lite.structures.comprehensions import dict_over_keys
from tangent_lite.structures.unrolling import unroll
from tangent_lite.structures.updates import is_descriptor, is_key, part_written
from tangent_lite.syntax import assign, load


class Containers(Dicts, Unlike, Flat, Defaults):
    """What takes the place of operations on containers."""

    def dunder(self, name: str, seen: gast.expr) -> Any:
        """The method behind an operator; see `expansion/calls`."""
        raise NotImplementedError

    def object_changed(self, plain_target: gast.expr, target: gast.expr, value: gast.AugAssign,
                       plain: gast.AugAssign) -> gast.expr | None:
        """What `p += v` of an object binds p to; see `expansion/operators`."""
        raise NotImplementedError

    # By the parts that a dict or an object has --------------------------------------------------
    def by_structure(self, value: Any, plain: Any, node: gast.stmt) -> Written | None:
        """What rests on the keys that a dict has, or on the fields of an object."""
        if isinstance(value, gast.For):
            return unroll(value, plain, self.typer, self.facts, self.context.names)
        if isinstance(value, gast.List):
            return self.list_of_objects(value, plain, node)
        if getattr(value, "is_spread", False):
            return self.comprehension(value, plain, node, last=True)
        if isinstance(value, gast.DictComp):
            made = dict_over_keys(value, plain, self.typer)
            if made is None:
                return None
            name = self.context.names.fresh("parts")
            return self.normal([assign(name, made)], plain), load(name)
        if isinstance(value, gast.BinOp):
            return self.dict_union(value, plain)
        if isinstance(value, gast.Dict):
            spread = None in value.keys and not hasattr(value, "updates")
            return self.dict_parts(value, plain) if spread else None
        if isinstance(value, gast.Call):
            if any(k.arg is None for k in value.keywords):
                return self.spread(value, plain)
            function, receiver = self.facts.callees.get(id(value), (NO_OBJECT, None))
            if function is tuple:           # of so many parts as may be
                return self.in_arguments(value, plain, function)
            if function in (dict.copy, dict):
                return self.dict_copied(value, plain, function)
            if function in (dict.items, dict.keys, dict.values):
                owner = plain.func.value
                return self.views_of_dict(self.typer.kind(receiver), owner, function, node) \
                    if isinstance(owner, gast.Name) else None
            if function is sorted and len(plain.args) == 1 and not plain.keywords:
                return self.sorted_keys(self.typer.kind(value.args[0]), plain.args[0])
        return None

    def part_changes(self, value: Any, plain: Any, node: gast.stmt) -> Written | None:
        """`state["x"] = v` and `body.x = v` bind the variable anew."""
        if hasattr(value, "dynamic"):
            return None
        if isinstance(value, gast.Attribute) and value.attr in ("__class__", "__dict__"):
            raise self.context.refuse(plain, f"{value.attr} of an object is bound anew",
                                      "make an object of the other class, with what this one holds")
        flat = self.flat_assigned(value, plain, node)
        if flat is not None:
            return flat
        owner = self.typer.kind(value.value)
        if isinstance(value, gast.Attribute) and isinstance(owner, kinds.RecordKind) \
                and is_descriptor(owner.type, value.attr):
            found = self.typer.of_class(owner.type, value.attr)
            if not isinstance(found, property) or not isinstance(found.fset, FunctionType):
                return None
            called = gast.Call(self.inject(found.fset, value.attr), [plain.value, node.value], [])
            return [syntax.statement(called)], None
        setter = self.dunder("__setitem__", value.value) if isinstance(value, gast.Subscript) \
            else None
        if setter is not None and isinstance(plain.slice, (gast.Name, gast.Constant)):
            called = gast.Call(self.inject(setter, "setitem"),
                               [plain.value, plain.slice, node.value], [])
            return [syntax.statement(called)], None
        written = self.typer.kind(node.value)
        if isinstance(self.typer.kind(value.value), kinds.Array) and isinstance(
                written, (kinds.TupleKind, kinds.ListKind)) and kinds.can_vary(written):
            name = self.context.names.fresh("parts")
            first = assign(name, syntax.call(syntax.attribute(self.inject(np, "np"), "array"),
                                             node.value))
            return [first, gast.Assign([plain], load(name), None)], None
        key = kinds.value_of(self.typer.kind(value.slice)) if isinstance(value, gast.Subscript) \
            else None
        made = part_written(plain, self.typer.kind(value.value), key, node.value, self.inject)
        if made is None:
            return None
        if made.targets[0].id not in self.bound:
            return None                 # it lives outside
        out: list[gast.stmt] = [made]
        inside = getattr(plain, "part_of", None)
        if inside is not None:
            target = syntax.copy(inside)
            target.ctx = gast.Store()
            out.append(gast.Assign([target], load(made.targets[0].id), None))
            made.value.put_back = True
        return out, None

    def part_goes(self, value: gast.Delete, plain: gast.Delete) -> Written | None:
        """`del d["x"]` and `del xs[i]` take a part out and leave it."""
        target, seen = plain.targets[0], value.targets[0]
        if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name) \
                or target.value.id not in self.bound:
            return None
        owner, index = self.typer.kind(seen.value), self.typer.kind(seen.slice)
        key = kinds.value_of(index)
        if (isinstance(owner, kinds.DictKind) and is_key(key) and key in owner.keys) \
                or (isinstance(owner, kinds.ListKind) and isinstance(index, kinds.Number)):
            pop = syntax.method(load(target.value.id), "pop", target.slice)
            return self.normal([syntax.statement(pop)], plain), None
        return None

    def part_grows(self, value: gast.AugAssign, plain: gast.AugAssign) -> Written | None:
        """`state["x"] += v` reads the part, adds, and writes it."""
        target, seen = plain.target, value.target
        if not isinstance(target, (gast.Subscript, gast.Attribute)):
            return None
        owner = self.typer.kind(seen.value)
        if not isinstance(owner, (kinds.DictKind, kinds.RecordKind, kinds.ListKind, kinds.MapKind)):
            return None
        read = syntax.copy(target)
        read.ctx = gast.Load()
        for fact in ("mark", "part_of"):
            if hasattr(read, fact):
                delattr(read, fact)
        part, whole = self.context.names.fresh("part"), self.context.names.fresh("t")
        held = syntax.copy(target)
        held.value, held.ctx = seen.value, gast.Load()
        if isinstance(target, gast.Subscript):
            held.slice = seen.slice
        if self.changed and type(self.typer.kind(held)) is kinds.Kind:
            return None             # it may be an object that is being written out
        grows = isinstance(plain.op, gast.Add) and isinstance(
            owner, (kinds.RecordKind, kinds.DictKind)) and all(
                isinstance(self.typer.kind(one), kinds.ListKind) for one in (held, value.value))
        if grows:
            # The list grows, and is the same one: `self.parts += [a, b]`.
            grown = self.extended(part, value.value, self.display_before(plain), plain)
            return ([assign(part, read), *grown[0]], None) if grown is not None else None
        added: Any = self.object_changed(load(part), held, value, plain)
        if added is None:
            read.in_place = True
            added = gast.BinOp(load(part), plain.op, plain.value)
            added.of_part = True
        out: list[gast.stmt] = [assign(part, read), assign(whole, added),
                                gast.Assign([target], load(whole), None)]
        return out, None

    def display_before(self, plain: gast.AugAssign) -> gast.expr:
        """What `x += t` adds: where the statement in front of it is `t = [a, b]`, and nobody else
        reads t, that; there is no such list then."""
        block, spot = syntax.spot_in(self.tree, plain)
        before: Any = block[spot - 1] if spot else None
        name = getattr(plain.value, "id", None)
        if not isinstance(before, gast.Assign) or not isinstance(before.value, gast.List) \
                or getattr(before.targets[0], "id", None) != name or name is None \
                or any(isinstance(part, gast.Starred) for part in before.value.elts) \
                or sum(getattr(n, "id", None) == name for n in syntax.walk(self.tree)) > 2:
            return plain.value
        made, before.value = before.value, gast.copy_location(syntax.constant(None), before.value)
        return made

    # Lists and tuples -----------------------------------------------------------------------------
    def list_grows(self, value: gast.AugAssign, plain: gast.AugAssign) -> Written | None:
        """`xs += ys` appends the items of ys."""
        if isinstance(value.target, gast.Name) and isinstance(value.op, gast.BitOr) \
                and isinstance(self.typer.names.get(value.target.id), kinds.DictKind):
            updating = syntax.method(load(plain.target.id), "update", plain.value)
            return [syntax.statement(updating)], \
                None
        if not isinstance(value.target, gast.Name) or not isinstance(value.op, gast.Add) \
                or not isinstance(self.typer.names.get(value.target.id), kinds.ListKind) \
                or isinstance(self.typer.kind(value.value), (kinds.Array, kinds.Numeric)):
            return None                 # of an array and a list NumPy makes an array
        made = self.extended(plain.target.id, value.value, plain.value, plain)
        return (made[0], None) if made is not None else None

    def extended(self, name: str, seen: gast.expr, items: gast.expr,
                 place: gast.AST) -> Written | None:
        kind = self.typer.kind(seen)
        if isinstance(items, (gast.Tuple, gast.List)) and not any(
                isinstance(e, gast.Starred) for e in items.elts):
            return self.normal([syntax.statement(syntax.method(load(name), "append", e))
                                for e in items.elts], place), gast.Constant(None, None)
        if not isinstance(kind, (kinds.ListKind, kinds.TupleKind, kinds.Array)) \
                or not isinstance(items, gast.Name):
            return None
        source: gast.expr = syntax.copy(items)
        if items.id == name:
            source = syntax.method(source, "copy")
        item = self.context.names.fresh("item")
        loop = gast.For(syntax.store(item), source, [syntax.statement(
            syntax.method(load(name), "append", load(item)))], [], None)
        return self.normal([loop], place), None

    def may_be_changed(self, number: gast.expr) -> bool:
        """Whether a call that is yet to be written out may change a number that is read
        (`nonlocal n`, `d["n"] = 3`); then what rests on it waits."""
        found = not self.context.settled and bool(syntax.read_names(number))
        self.context.waits |= found
        return found

    def slice_of_tuple(self, value: gast.Subscript, plain: gast.Subscript) -> Written | None:
        """`t[1:]` of a tuple, part by part."""
        owner = self.typer.kind(value.value)
        if not isinstance(owner, kinds.TupleKind) or not isinstance(value.slice, gast.Slice) \
                or not isinstance(plain.value, gast.Name):
            return None
        if self.may_be_changed(plain.slice):
            return None
        bounds = [kinds.value_of(self.typer.kind(b))
                  for b in (value.slice.lower, value.slice.upper, value.slice.step)]
        if kinds.NO_VALUE in bounds:
            return None
        first: list[gast.stmt] = []
        numbers = range(len(owner.items))[slice(*bounds)]
        parts = self.parts_of(owner, plain.value, numbers, first)
        return first, gast.copy_location(syntax.tuple_of(parts), plain)

    def parts_of_named_tuple(self, value: gast.Call, plain: gast.Call,
                             function: Any) -> Written | None:
        """`sum(state)`, `max(state)` and `np.stack(state)` of a named tuple, part by part: each has
        an adjoint of its own, where that of a tuple is a list."""
        entry = registry.lookup(function)
        _, receiver = self.facts.callees[id(value)]
        if entry is None or entry.adjoint is None or receiver is not None \
                or package_of(function) == "tangent_lite" \
                or len(value.args) > len(entry.adjoint.parameters):
            return None
        first: list[gast.stmt] = []
        arguments: list[gast.expr] = []
        for parameter, seen, given in zip(entry.adjoint.parameters, value.args, plain.args):
            kind = self.typer.kind(seen)
            name = parameter.name
            if name not in entry.adjoint.sequences or not isinstance(given, gast.Name) \
                    or not isinstance(kind, kinds.TupleKind) or kind.type is tuple \
                    or not kinds.can_vary(kind) or self.dunder("__iter__", seen) is not None:
                arguments.append(given)
                continue
            parts = self.parts_of(kind, given, range(len(kind.items)), first)
            if parameter.star:                  # max(state)
                if len(parts) < 2 or plain.keywords:
                    return None
                arguments += parts
            else:
                arguments.append(gast.copy_location(gast.Tuple(parts, gast.Load()), given))
        return (first, self.calling(plain.func, plain, arguments)) if first else None

    def joined(self, value: gast.BinOp, plain: gast.BinOp) -> Written | None:
        """`a + b` of tuples, and `t * 2`, part by part."""
        left, right = self.typer.kind(value.left), self.typer.kind(value.right)
        row, times = plain.left, plain.right
        if isinstance(value.op, gast.Mult) and isinstance(right, kinds.TupleKind):
            left, right, row, times = right, left, times, row           # 2 * t
        if not isinstance(left, kinds.TupleKind) or not isinstance(row, gast.Name) \
                or (isinstance(value.op, gast.Mult) and self.may_be_changed(times)):
            return None
        first: list[gast.stmt] = []
        parts = self.parts_of(left, row, range(len(left.items)), first)
        if isinstance(value.op, gast.Add) and isinstance(right, kinds.TupleKind) \
                and isinstance(plain.right, gast.Name):
            parts += self.parts_of(right, plain.right, range(len(right.items)), first)
        elif isinstance(value.op, gast.Mult) and isinstance(kinds.value_of(right), int):
            parts = [syntax.copy(p) for _ in range(kinds.value_of(right)) for p in parts]
        else:
            return None
        return first, gast.copy_location(syntax.tuple_of(parts), plain)

    def sequence_parts(self, value: gast.Tuple | gast.List, plain: Any) -> Written | None:
        """`(*pair, x)`, part by part."""
        first: list[gast.stmt] = []
        parts: list[gast.expr] = []
        for seen, one in zip(value.elts, plain.elts):
            if not isinstance(one, gast.Starred):
                parts.append(one)
                continue
            kind = self.typer.kind(seen.value)
            if not isinstance(kind, kinds.TupleKind):
                return self.list_of(value, plain) if isinstance(value, gast.List) else None
            parts += self.parts_of(kind, one.value, range(len(kind.items)), first)
        made = type(plain)(parts, gast.Load())
        return first, gast.copy_location(made, plain)

    def list_of(self, value: gast.List, plain: gast.List) -> Written | None:
        """`[*xs, y]`: a list that grows by the items of others."""
        if not all(isinstance(self.typer.kind(e.value), (kinds.ListKind, kinds.TupleKind,
                                                         kinds.Array))
                   and isinstance(e.value, gast.Name)
                   for e in value.elts if isinstance(e, gast.Starred)):
            return None
        name = self.context.names.fresh("parts")
        out: list[gast.stmt] = [assign(name, gast.List([], gast.Load()))]
        for one in plain.elts:
            if isinstance(one, gast.Starred):
                item = self.context.names.fresh("item")
                out.append(gast.For(syntax.store(item), one.value, [syntax.statement(
                    syntax.method(load(name), "append", load(item)))], [], None))
            else:
                out.append(syntax.statement(syntax.method(load(name), "append", one)))
        return self.normal(out, plain), load(name)

    def spread(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """`f(*pair, **options)`: the parts one by one, where it is known which there are."""
        first: list[gast.stmt] = []
        is_changed = False
        arguments: list[gast.expr] = []
        for seen, one in zip(value.args, plain.args):
            if not isinstance(one, gast.Starred):
                arguments.append(one)
                continue
            kind = self.typer.kind(seen.value)
            if not isinstance(kind, kinds.TupleKind):
                arguments.append(one)           # for `spread_of_list`, once this is written out
                continue
            is_changed = True
            owner = self.owned(first, one.value)
            arguments += self.parts_of(kind, owner, range(len(kind.items)), first)
        keywords: list[gast.keyword] = []
        for seen, given in zip(value.keywords, plain.keywords):
            if given.arg is not None:
                keywords.append(given)
                continue
            kind = self.typer.kind(seen.value)
            if not isinstance(kind, kinds.DictKind) or not all(isinstance(k, str)
                                                               for k in kind.keys):
                keywords.append(given)
                continue
            is_changed = True
            owner = self.owned(first, given.value)
            for key in kind.keys:
                part = syntax.subscript(syntax.copy(owner), gast.Constant(key, None))
                keywords.append(gast.keyword(key, self.named(first, key, part)))
        names = [one.arg for one in keywords if one.arg is not None]
        for name in names:
            if names.count(name) > 1:
                raise self.context.refuse(value, f"multiple values for the argument {name!r}",
                                          "leave it out of the dict")
        return (first, self.calling(plain.func, plain, arguments, keywords)) \
            if is_changed else None
