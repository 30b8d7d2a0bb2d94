"""The adjoints of bindings: names, parts, containers that are put together and taken apart."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, runtime, syntax
from tangent_lite.adjoints.paths import CONTAINERS
from tangent_lite.adjoints.steps import Contribution, Step, derived
from tangent_lite.analyses.liveness import definitions
from tangent_lite.directions.tangents import made_by_rule
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.inference import BINARY, NO_OBJECT, UNARY
from tangent_lite.kinds import Array, Number
from tangent_lite.markers import marker_of
from tangent_lite.planning.calls import Calls
from tangent_lite.records import is_made_of_fields
from tangent_lite.structures.lists import list_parts
from tangent_lite.structures.updates import fields_of_class, updates_of


class ComputedKey(UnsupportedSyntaxError):
    """A dict with known keys is read by a computed one: its adjoint has to be a dict as well."""

    def __init__(self, owner: kinds.DictKind, refusal: UnsupportedSyntaxError) -> None:
        super().__init__(refusal.reason, refusal.place, refusal.fix)
        self.dict, self.refusal = owner, refusal


class Bindings(Calls):
    """Plans what binds names."""

    def binding(self, node: gast.stmt, target: str, value: gast.expr, operands: list[str]) -> Step:
        wanted = [n for n in operands if self.active(n)]
        if marker_of(node) is not None:
            raise self.refuse(value, "what a context manager hands out here depends on an active "
                                     "value", "compute it without the context manager")
        step = Step("rule", target, operands=set(wanted))
        if not wanted:
            step.kind = "constant"
            return step
        typer = self.context.typer
        self.filling.check_value(value, self.context.facts.after[id(node)].get(target))
        owner = typer.kind(value.value) if isinstance(value, gast.Subscript) else None
        if owner is kinds.ANY or owner is kinds.OBJECT or isinstance(owner, kinds.OneOf):
            raise self.refuse(value, "what is subscripted here may be an object",
                              "call a method of it")
        if self.mirrors(target, value):
            step.kind = "view"
            step.operands = set()
            return step
        if isinstance(value, (gast.Subscript, gast.BinOp)) and derived(value) is not value:
            return self.call(node, step, value)
        if isinstance(value, gast.Name):
            self.check_real(node, value, self.context.facts.names.get(target, kinds.UNKNOWN))
            step.kind = "copy"
            step.contributions.append(Contribution(value.id, self.adjoint(target)))
            step.reads.discard(target)
            return step
        if isinstance(value, (gast.Tuple, gast.List, gast.Dict)) \
                or updates_of(value) is not None or self.makes_object(value):
            return self.built(node, step, target, value)
        if isinstance(value, gast.BinOp) and self.is_of_numbers(value):     # as most are
            return self.operator(node, step, value)
        parts = list_parts(value, typer)
        if parts is not None:
            for part in parts:
                self.check_real(node, syntax.load(part), typer.kind(value))
            return self.joined(step, parts)
        if isinstance(value, gast.Subscript):
            return self.item(node, step, value)
        if isinstance(value, gast.Attribute):
            return self.attribute(node, step, target, value)
        repeated = self.repeated_list(value)
        if repeated is not None:
            self.check_real(node, repeated, typer.kind(value))
            step.contributions.append(Contribution(repeated.id, syntax.call(
                self.context.external(runtime.repeated_parts, "repeated_parts"),
                self.adjoint(target), repeated)))
            return step
        if isinstance(value, gast.BinOp):
            return self.binary(node, step, value)
        if isinstance(value, gast.UnaryOp):
            return self.rule(node, step, UNARY[type(value.op)], [value.operand], {}, value)
        if isinstance(value, gast.Call):
            return self.call(node, step, value)
        error = self.refuse(value, "this expression is not handled on active values yet",
                            "write it as a loop or with NumPy operations")
        error.is_told_better_by_identity = True             # what it makes is seen there
        raise error

    def built(self, node: gast.stmt, step: Step, target: str, value: gast.expr) -> Step:
        """A container or an object is made, or made anew with other parts."""
        if updates_of(value) is None and any(
                isinstance(n, gast.Starred) or (isinstance(n, gast.Dict) and not all(
                    isinstance(k, gast.Constant) for k in n.keys))
                for n in syntax.walk(value)):
            raise self.refuse(value, "what this is made of is not known",
                              "write the parts out one by one")
        for part in _parts_of(value):
            if not isinstance(part, (gast.Name, gast.JoinedStr)) and self.any_active(
                    sorted(syntax.read_names(part))):
                raise self.refuse(part, "what varies is part of a container without a name",
                                  "give it a name first")
        kind = self.context.facts.names.get(target, kinds.UNKNOWN)
        if updates_of(value) is not None and isinstance(kind, kinds.MapKind):
            # What it leaves as it is has no parts whose adjoints could be handed on.
            raise self.refuse(value, "a dict is changed by a key that is written out, and "
                              "later by one that is not", "compute the keys in both places")
        self.check_real(node, value, kind)
        step.kind = "build"
        return step

    def attribute(self, node: gast.stmt, step: Step, target: str, value: gast.Attribute) -> Step:
        """A field of an object, or an attribute of an array: `x.T`."""
        if not isinstance(value.value, gast.Name) \
                or not isinstance(self.context.typer.kind(value.value), CONTAINERS):
            return self.rule(node, step, self.filling.attribute(value), [value.value], {}, value)
        inner = self.binding_steps(value)
        if inner is None:
            raise self.filling.no_field(value)
        step.kind = "part"
        step.contributions.append(Contribution(
            value.value.id, self.adjoint(target), steps=(inner,)))
        return step

    def binary(self, node: gast.stmt, step: Step, value: gast.BinOp) -> Step:
        """An operator between two values."""
        if self.may_join(value):
            raise self.refuse(value, "whether this computes with numbers or joins tuples is "
                                     "not known", "join tuples of lengths that do not change")
        return self.operator(node, step, value)

    def is_of_numbers(self, value: gast.BinOp) -> bool:
        """Whether an operator stands between two numbers."""
        typer = self.context.typer
        return isinstance(typer.kind(value.left), Number) \
            and isinstance(typer.kind(value.right), Number)

    def operator(self, node: gast.stmt, step: Step, value: gast.BinOp) -> Step:
        """An operator that computes."""
        if isinstance(value.op, gast.Div) and syntax.is_one(value.left) \
                and self.context.typer.kind(value) != kinds.UNKNOWN:
            # Of 1.0 / x the slope is made of the quotient alone.
            return self.rule(node, step, np.reciprocal, [value.right], {}, value)
        return self.rule(node, step, BINARY[type(value.op)], [value.left, value.right], {}, value)

    def repeated_list(self, value: gast.expr) -> gast.Name | None:
        """The list in `[x, y] * n`."""
        if not isinstance(value, gast.BinOp) or not isinstance(value.op, gast.Mult):
            return None
        for one, other in ((value.left, value.right), (value.right, value.left)):
            if isinstance(one, gast.Name) and isinstance(self.context.typer.kind(one),
                                                         kinds.ListKind) \
                    and kinds.dtype_of(self.context.typer.kind(other)) == "int" \
                    and isinstance(self.context.typer.kind(other), Number):
                return one
        return None

    def check_real(self, node: gast.stmt, value: gast.expr, whole: kinds.Kind) -> None:
        """Refuse a list of real numbers that becomes a part of what holds complex ones: which part
        of a list of adjoints is its own is said of numbers and arrays only. whole: the kind of
        what the value becomes, or becomes a part of."""
        if isinstance(value, (gast.Tuple, gast.List)):
            inner = whole.items if isinstance(whole, kinds.TupleKind) else \
                [getattr(whole, "item", kinds.UNKNOWN)] * len(value.elts)
            for part, kind in zip(value.elts, inner):
                self.check_real(node, part, kind)
        elif isinstance(value, gast.Dict) and isinstance(whole, kinds.DictKind):
            by_key = dict(zip(whole.keys, whole.items))
            for key, part in zip(value.keys, value.values):
                self.check_real(node, part, by_key.get(kinds.value_of(
                    self.context.typer.kind(key)), kinds.UNKNOWN))
        elif isinstance(value, gast.Name) and self.active(value.id) and _is_real_list_in(
                self.context.typer.kind(value), whole):
            raise self.refuse(node, f"{value.id} holds real numbers and becomes a part of what "
                                    "holds complex ones, so that which part of an adjoint is its "
                                    "own is not known", "make all of them complex")

    def may_join(self, value: gast.BinOp) -> bool:
        """Whether `a + b` or `a * 2` may be one of tuples or lists, for all that is known."""
        if kinds.dtype_of(self.context.typer.kind(value)) is not None:
            return False                # numbers and arrays, even if an operand may be None
        sides = [self.context.typer.kind(p) for p in (value.left, value.right)]
        known = [k for k in sides if k != kinds.UNKNOWN]
        if isinstance(value.op, gast.Add):
            if known:
                return False
        elif not isinstance(value.op, gast.Mult) or len(known) == 2 or any(
                isinstance(k, Array) or kinds.dtype_of(k) in ("float", "complex") for k in known):
            return False
        if self.context.is_ours:        # it joins no tuples, and what it is of was looked at then
            return False
        ways = [(value.left, value.right), (value.right, value.left)]
        return any(isinstance(one, gast.Name) and self.may_be_container(one.id, set())
                   and (isinstance(value.op, gast.Add) or not self.is_of_rule(other))
                   for one, other in ways)

    def is_of_rule(self, node: gast.expr) -> bool:
        """Whether a rule gives a value, which counts no copies of a tuple then."""
        made = self.bound.get(node.id) if isinstance(node, gast.Name) else None
        if not isinstance(made, gast.Call):
            return False
        function, _ = self.context.facts.callees.get(id(made), (NO_OBJECT, None))
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        return entry is not None and entry.adjoint is not None

    def may_be_container(self, name: str, seen: set[str]) -> bool:
        """Whether a name of which nothing is known may mean a tuple or a list."""
        if name in seen:
            return False
        seen.add(name)
        made = [node for node in syntax.statements(self.body) if name in definitions(node)]
        if not made:
            # A parameter: what is asked for without arguments is a formula of numbers.
            return self.context.is_helper
        return any(self.may_make_container(node, name, seen) for node in made)

    def may_make_container(self, node: gast.stmt, name: str, seen: set[str]) -> bool:
        kind = self.context.facts.after[id(node)].get(name, kinds.UNKNOWN) \
            if isinstance(node, gast.Assign) else kinds.UNKNOWN
        value = getattr(node, "value", None)
        if kind != kinds.UNKNOWN:
            return isinstance(kind, (*CONTAINERS, kinds.ListKind))
        if isinstance(value, gast.Call):
            function, _ = self.context.facts.callees.get(id(value), (NO_OBJECT, None))
            return function is NO_OBJECT or registry.lookup(function) is None
        if isinstance(value, (gast.Name, gast.BinOp)):
            return any(self.may_be_container(n, seen) for n in syntax.read_names(value)
                       if self.context.facts.names.get(n, kinds.UNKNOWN) == kinds.UNKNOWN
                       or isinstance(self.context.facts.names[n], (*CONTAINERS, kinds.ListKind)))
        if isinstance(value, gast.Subscript):
            root = syntax.root_name(value)
            owner = self.context.facts.names.get(root or "", kinds.UNKNOWN)
            if owner == kinds.UNKNOWN and root is not None:
                return self.may_be_container(root, seen)
            return not isinstance(owner, (Array, kinds.Numeric))
        return not isinstance(value, (gast.UnaryOp, gast.Compare, gast.Constant))

    def joined(self, step: Step, parts: list[str]) -> Step:
        """A new list of the items of others: each takes its part of the adjoint."""
        step.kind = "list_join"
        step.parts = parts
        step.shapes |= set(parts[:-1])
        return step

    def makes_object(self, value: gast.expr) -> bool:
        """Whether a call makes an object whose fields are the arguments."""
        if not isinstance(value, gast.Call):
            return False
        function, _ = self.context.facts.callees.get(id(value), (NO_OBJECT, None))
        return isinstance(function, type) and registry.lookup(function) is None \
            and fields_of_class(function, len(value.args),
                                [k.arg for k in value.keywords]) is not None

    def item(self, node: gast.stmt, step: Step, value: gast.Subscript) -> Step:
        assert step.target is not None
        typer = self.context.typer
        owner = typer.kind(value.value)
        name = value.value.id if isinstance(value.value, gast.Name) else None
        if name is None:
            raise self.refuse(value, "this subscript is not handled on active values yet",
                              "give what is subscripted a name first")
        if isinstance(owner, kinds.TupleKind) and isinstance(typer.kind(value.slice),
                                                             kinds.SliceKind):
            raise self.refuse(value, "a slice of a tuple of active values is not handled yet",
                              "take the parts one by one")
        if any(isinstance(k, (kinds.ListKind, kinds.MapKind))
               for k in (owner, self.context.facts.names.get(name))) or name in self.listed:
            step.kind = "element"       # also where it has one sort of keys, and not later
            step.contributions.append(Contribution(name, self.adjoint(step.target),
                                                   syntax.copy(value.slice)))
            return step
        if isinstance(owner, kinds.RecordKind):
            raise self.refuse(value, "an object is subscripted", "call a method of it")
        if isinstance(owner, CONTAINERS):
            key = kinds.value_of(typer.kind(value.slice))
            if key is kinds.NO_VALUE or isinstance(value.slice, gast.Slice):
                refusal = self.refuse(value, "a container is read with a key that is not written "
                                      "out", "write the key as a literal")
                raise refusal if not isinstance(owner, kinds.DictKind) \
                    else ComputedKey(owner, refusal)
            if isinstance(owner, kinds.TupleKind) and isinstance(key, int) and key < 0:
                key += len(owner.items)
            step.kind = "part"
            step.contributions.append(Contribution(name, self.adjoint(step.target),
                                                   steps=(("[", key),)))
            return step
        if step.target in self.context.aliases.views or self.mirrors(step.target, value):
            step.kind = "view"
            step.index = value.slice
            step.operands = {name}
            if step.target in self.context.aliases.decided:
                step.contributions.append(Contribution(name, self.adjoint(step.target),
                                                       syntax.copy(value.slice)))
            return step
        back = _taking_back(value.slice, owner)
        if back is not None:            # all of it with more axes: of the adjoint all without
            adjoint = self.adjoint(step.target)
            whole = isinstance(back, gast.Tuple) and not back.elts      # a number: s[()], s[...]
            step.contributions.append(Contribution(
                name, adjoint if whole else syntax.subscript(adjoint, back)))
            return step
        repeated = not hasattr(value, "is_distinct") and typer.index_class(
            value.slice) in ("array", "unknown") and not (
            isinstance(value.slice, gast.Constant) and isinstance(value.slice.value, str))
        step.kind = "item"
        step.contributions.append(Contribution(name, self.adjoint(step.target),
                                               syntax.copy(value.slice), repeated))
        return step

    def mirrors(self, target: str, value: gast.expr) -> bool:
        """Whether the shadow of target is bound in the forward pass, to that of what it shares."""
        aliases = self.context.aliases
        return aliases.is_twin(target) and target not in aliases.momentary \
            and id(value) in aliases.twin_views

    def unpacking(self, node: gast.Assign, target: gast.Tuple, operands: list[str]) -> Step | None:
        names = [n.id for n in target.elts]
        if not self.any_active(names):
            return None
        if not self.any_active(operands):
            return Step("overwritten", None)
        kind = self.context.typer.kind(node.value)
        if kinds.may_be_object(kind) and not made_by_rule(node.value, self.context.typer):
            raise self.refuse(node, "what is unpacked here is not known to be a tuple",
                              "return a tuple of fixed length")
        if isinstance(node.value, gast.Call):
            step = Step("rule", None, operands={n for n in operands if self.active(n)})
            return self.call(node, step, node.value)
        if not isinstance(node.value, gast.Name):
            # A part of a container: `W, b = params["dense"]`.
            value = node.value
            if isinstance(value, (gast.Subscript, gast.Attribute)) \
                    and isinstance(value.value, gast.Name):
                inner = self.binding_steps(value)
                if inner is not None:
                    step = Step("unpack", None, operands={value.value.id})
                    for number, name in enumerate(names):
                        if self.active(name):
                            step.contributions.append(Contribution(
                                value.value.id, self.adjoint(name),
                                steps=(inner, ("[", number))))
                    return step
            raise self.refuse(node, "this unpacking is not handled on active values yet",
                              "unpack a name")
        source = node.value.id
        step = Step("unpack", None, operands={source})
        for number, name in enumerate(names):
            if not self.active(name) or not self.active(source):
                continue
            if isinstance(kind, kinds.ListKind) or source in self.listed:
                step.contributions.append(Contribution(source, self.adjoint(name),
                                                       syntax.constant(number)))
            elif isinstance(kind, kinds.TupleKind):
                step.contributions.append(Contribution(source, self.adjoint(name),
                                                       steps=(("[", number),)))
            elif isinstance(kind, (Array, kinds.Numeric)):
                step.contributions.append(Contribution(source, self.adjoint(name),
                                                       syntax.constant(number)))
            else:
                raise self.refuse(node, "what is unpacked here is not known to be a tuple",
                                  "return a tuple of fixed length")
        return step

    def binding_steps(self, value: gast.expr) -> tuple[str, Any] | None:
        typer = self.context.typer
        owner = typer.kind(value.value)
        if not isinstance(owner, CONTAINERS):
            return None
        if isinstance(value, gast.Attribute):
            if isinstance(owner, kinds.TupleKind):
                fields = getattr(owner.type, "_fields", ())
                return ("[", fields.index(value.attr)) if value.attr in fields else None
            return (".", value.attr) if value.attr in getattr(owner, "fields", ()) else None
        key = kinds.value_of(typer.kind(value.slice))
        return None if key is kinds.NO_VALUE else ("[", key)


def _parts_of(value: gast.expr) -> Iterator[gast.expr]:
    """What a display, or a call that makes an object, puts together."""
    if isinstance(value, (gast.Tuple, gast.List)):
        parts = value.elts
    elif isinstance(value, gast.Dict):
        parts = value.values
    elif isinstance(value, gast.Call):
        parts = [*value.args, *(k.value for k in value.keywords)]
    else:
        yield value
        return
    for part in parts:
        if isinstance(part, gast.Call):
            yield part
        else:
            yield from _parts_of(part)


def _taking_back(index: gast.expr, owner: kinds.Kind) -> gast.expr | None:
    """The index that takes out of `x[index]` what x was: `[:, 0]` for `[:, None]`; None if the
    index does more than put axes in. Numbers of NumPy take axes too, and have no items: where x
    may be one, there is no other way back."""
    parts = syntax.shown_parts(index)
    if isinstance(owner, Number):
        axes = 0
    elif isinstance(owner, kinds.Numeric):          # an array or a number
        axes = None
    elif isinstance(owner, Array) and owner.ndim:
        axes = owner.ndim
    else:
        return None
    if axes != 0 and not any(_is_constant(p, None) for p in parts):
        return None
    left = None if axes is None else axes - sum(isinstance(p, gast.Slice) for p in parts)
    back: list[gast.expr] = []
    for part in parts:
        if isinstance(part, gast.Slice) and part.lower is part.upper is part.step is None:
            back.append(syntax.copy(part))
        elif _is_constant(part, None):
            back.append(syntax.constant(0))
        elif _is_constant(part, ...):
            back += [syntax.constant(...)] if left is None else \
                [gast.Slice(None, None, None) for _ in range(left)]
        else:
            return None
    if not any(_is_constant(p, ...) for p in back):      # behind one, the axes count from the end
        while back and isinstance(back[-1], gast.Slice):
            back.pop()
    return back[0] if len(back) == 1 else syntax.tuple_of(back)


def _is_constant(node: gast.expr, value: Any) -> bool:
    return isinstance(node, gast.Constant) and node.value is value


def has_plain_parts(kind: kinds.Kind) -> bool:
    """Whether the adjoint of a value in a list of adjoints is made of tuples, dicts and arrays."""
    if isinstance(kind, kinds.RecordKind):
        return not is_made_of_fields(kind.type, kind.fields) \
            and all(map(has_plain_parts, kind.items))
    if isinstance(kind, kinds.TupleKind):
        return kind.type is tuple and all(map(has_plain_parts, kind.items))
    if isinstance(kind, kinds.DictKind):
        return all(map(has_plain_parts, kind.items))
    return True


def _is_real_list_in(part: kinds.Kind, whole: kinds.Kind) -> bool:
    """Whether a list of real numbers in the one has its place among complex ones in the other."""
    if isinstance(part, (kinds.TupleKind, kinds.DictKind, kinds.RecordKind)):
        inner: Any = getattr(whole, "items", ()) if type(whole) is type(part) else ()
        return any(map(_is_real_list_in, part.items, inner))
    return isinstance(part, (kinds.ListKind, kinds.MapKind)) and _is_complex(whole) \
        and not _is_complex(part)


def _is_complex(kind: kinds.Kind) -> bool:
    """Whether some of what a value holds is known to be complex."""
    return kinds.dtype_of(kind) == "complex" or any(map(_is_complex, kinds.parts(kind)))
