"""The kind of an expression, from the kinds of the names in it.

A `Typer` knows the kinds of names and the objects that dotted paths mean; the passes and the
templates ask it. Calls are resolved by object, never by spelling.
"""
from __future__ import annotations

import collections
import operator
from collections.abc import Callable, Collection, MutableMapping
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, result_kinds, syntax
from tangent_lite.analyses.dict_sites import Mapped
from tangent_lite.inference.items import Items
from tangent_lite.inference.methods import UNDECIDED, behind, class_of, method_of
from tangent_lite.inference.objects import NO_OBJECT, Objects
from tangent_lite.kinds import (
    UNKNOWN,
    Array,
    DuckArray,
    Kind,
    Known,
    MatrixKind,
    Number,
    can_vary,
    operators,
    sets,
    value_of,
)
from tangent_lite.kinds import texts as kinds_texts
from tangent_lite.kinds.duck import (
    as_arrays,
    holds_duck,
    made_of_ducks,
    next_to_ducks,
    part_of_duck,
)
from tangent_lite.kinds.duck import replaced as replaced_parts
from tangent_lite.kinds.maps import VIEWS, counter, keys_at_hand, listed, of_member, with_default
from tangent_lite.modules import mark_of
from tangent_lite.nodes import Methods
from tangent_lite.registry.matrices import function_for_matrices
from tangent_lite.result_kinds import mixed, outputs
from tangent_lite.runtime.objects import blank, instance, replaced
from tangent_lite.structures.comprehensions import dict_over_keys, tuple_by_parts
from tangent_lite.structures.nested import is_swap, places
from tangent_lite.structures.updates import (
    class_kind,
    dict_kind,
    gives_other_fields,
    instance_kind,
    is_descriptor,
    made_of_class,
    other_fields_kind,
    replaced_kind,
)

_KIND_OF = Methods("_")
_HANDLERS: dict[type, Callable[[Any, Any], Kind]] = {}     # by class of nodes, as they are met


def _unknown(typer: Any, node: gast.AST) -> Kind:
    return UNKNOWN


BINARY: dict[type, Any] = {
    gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: operator.mul,
    gast.Div: operator.truediv, gast.FloorDiv: operator.floordiv, gast.Mod: operator.mod,
    gast.Pow: operator.pow, gast.MatMult: operator.matmul, gast.LShift: operator.lshift,
    gast.RShift: operator.rshift, gast.BitAnd: operator.and_, gast.BitOr: operator.or_,
    gast.BitXor: operator.xor,
}
UNARY: dict[type, Any] = {gast.USub: operator.neg, gast.UAdd: operator.pos,
                          gast.Invert: operator.invert, gast.Not: operator.not_}

ARRAY_ATTRIBUTES: dict[str, Callable[[Array], Kind]] = {
    "T": lambda a: Array(a.ndim, a.dtype, a.shape if a.ndim == 1
                         else kinds.derived_shape("reversed", a.shape)),
    "shape": result_kinds.shape_of,
    "ndim": lambda a: kinds.INT if a.ndim is None else Number("int", a.ndim),
    "size": result_kinds.count_of,
    "itemsize": lambda a: kinds.INT,
    "dtype": lambda a: Known(np.dtype) if a.dtype is None else
        kinds.Dtype(np.dtype, a.dtype, a.is_mixed),
    "real": lambda a: Array(a.ndim, "float" if a.dtype == "complex" else a.dtype, a.shape),
    "imag": lambda a: Array(a.ndim, "float" if a.dtype == "complex" else a.dtype, a.shape),
    "flat": lambda a: Array(1, a.dtype, kinds.new_shape()),
}
# What stands for an operator where a function is wanted: `operator.add(a, b)` is `a + b`.
IN_PLACE_OF = {id(function): op for op, function in BINARY.items()} | {id(pow): gast.Pow}
# What methods of containers return, by the container's kind.
LIST_METHODS: dict[Any, Callable[[Any, Any], Kind]] = {
    list.pop: lambda typer, owner: typer.item_kind(owner, syntax.constant(-1)),
    list.copy: lambda typer, owner: owner, dict.copy: lambda typer, owner: owner,
    dict.get: lambda typer, owner: UNKNOWN,
    list.append: lambda typer, owner: kinds.NOTHING,
    list.insert: lambda typer, owner: kinds.NOTHING,
    list.extend: lambda typer, owner: kinds.NOTHING}
OBJECT_CALLS: dict[Any, Callable[..., Kind]] = {
    replaced: replaced_kind, blank: instance_kind, instance: instance_kind, dict: dict_kind,
    type: class_kind,
    list: listed, sorted: listed, **kinds_texts.OF_METHODS, str.format: kinds_texts.formatted,
    str.split: kinds_texts.cut, str.rsplit: kinds_texts.cut, str.splitlines: kinds_texts.cut,
    collections.defaultdict: with_default, collections.Counter: counter,
    np.piecewise: lambda x, *given, **options: x if x.__class__ is Array else
        x if x is kinds.PENDING else UNKNOWN}
_KEEP_LEFT = {"keeps_shape", "of_part"}         # facts of operations that change what is left
_NUMERIC = frozenset({Number, Array, kinds.Numeric})
NO_NUMBERS = (kinds.DictKind, kinds.MapKind, kinds.RecordKind, kinds.Known, kinds.Choice)


class DucksOutside(Exception):
    """A free name means a duck array, which no argument is: all kinds are to be found anew."""


class Typer(Objects, Items):
    """Kinds of expressions; `names` maps variables to kinds, `resolve` free names to objects."""

    def __init__(self, names: MutableMapping[str, Kind], free: Callable[[str], Any]) -> None:
        self.names = names
        self.free = free
        self.is_hopeful = False     # what is read of an empty list is put there later on
        self.trusts_tests = False   # what is None is bound to something else where a test says so
        self.awaits = False         # whether a call was met of which the kind is known later on
        self.knows_local = False    # whether a function that is defined inside has been met
        self.masks: dict[str, Any] = {}
        self.settled = True         # nothing is going to be written out any more
        self.is_growing = False     # see `kinds.growing`
        # Names that calls bind which are yet to be written out (`nonlocal`).
        self.bound_by_calls: Collection[str] = ()
        self.goes_by_stage = False  # whether any of these mattered for what was found
        self.user_call: Callable[[Typer, gast.Call, Any], Kind] = \
            lambda typer, node, function: UNKNOWN
        # What the result of a user function shares memory with: its origins, and the arguments by
        # the names of its parameters. None where that is not known.
        self.user_origins: Callable[[Typer, gast.Call, Any], Any] = \
            lambda typer, node, function: None
        # Dicts of which a computed key is read.
        self.mapped = Mapped()
        # Whether duck arrays take part; None where that does not matter.
        self.ducks: bool | None = None
        # The kind of what a free name means, with what is known of its sizes.
        self.with_sizes: Callable[[str, Kind, Any], Kind] = lambda name, kind, value: kind
        # What classes were asked for, which may be replaced there before the next call.
        self.asked: dict[tuple[type, str, type | None], None] = {}

    def takes_keys(self, function: Any, node: gast.Call) -> bool:
        """Whether a call makes a list of the keys of a dict: of numbers, texts and tuples; or of
        what a set of whole numbers holds."""
        if not (function is list or function is sorted) or len(node.args) != 1:
            return False
        kind = self.kind(node.args[0])
        return isinstance(kind, kinds.SetKind) or (function is list and keys_at_hand(kind))

    def makes_map(self, function: Any, node: gast.Call) -> bool:
        """Whether a call makes a dict with nothing in it, that has defaults."""
        return function in (collections.defaultdict, collections.Counter) \
            and isinstance(self.kind(node), kinds.MapKind)

    def origins_of_call(self, node: gast.Call, function: Any) -> Any:
        """What the result of a user function may share memory with, if that is known."""
        return self.user_origins(self, node, function)

    def kind(self, node: gast.AST | None) -> Kind:
        """The kind of an expression."""
        if node.__class__ is gast.Name:                 # as most are that it is asked of
            names, name = self.names, node.id           # type: ignore[union-attr]
            try:
                return names[name]
            except KeyError:
                return self._free_name(name)
        if node is None:
            return kinds.NOTHING
        handler = _HANDLERS.get(node.__class__)
        if handler is None:
            handler = _HANDLERS[node.__class__] = getattr(Typer, _KIND_OF[node.__class__], _unknown)
        return handler(self, node)

    def _free_name(self, name: str) -> Kind:
        found = self.free(name)
        return UNKNOWN if found is NO_OBJECT else self.with_sizes(
            name, self._kind_outside(found), found)

    def _kind_outside(self, found: Any) -> Kind:
        """The kind of what a free name means."""
        kind = kinds.kind_of(found)
        if self.ducks is False and holds_duck(kind):
            raise DucksOutside
        return next_to_ducks(kind) if self.ducks else kind

    def _Constant(self, node: gast.Constant) -> Kind:
        local = getattr(node, "local", None)
        return kinds.literal(node.value) if local is None else self._local(local)

    def _local(self, function: Any) -> Kind:
        """The kind of a function that is defined inside."""
        self.knows_local = True
        return Known(function)

    def _UnaryOp(self, node: gast.UnaryOp) -> Kind:
        kind = self.kind(node.operand)
        if isinstance(node.op, gast.Not):
            return kinds.BOOL
        if kind.__class__ in operators.OR_NONE:
            kind, _ = operators.not_none(kind, kind, self.trusts_tests)
        if kind.__class__ is MatrixKind:
            return kind if isinstance(node.op, (gast.USub, gast.UAdd)) else UNKNOWN
        value = value_of(kind)
        if isinstance(node.op, gast.USub) and isinstance(value, (int, float, complex)):
            return Number(type(-value).__name__, -value)
        if class_of(kind) is not None and not isinstance(kind, kinds.TupleKind):
            name = f"__{operators.DUNDERS[type(node.op)]}__"
            return UNKNOWN if method_of(self, kind, name) is None \
                else self._of_method(name, node.operand)
        return self._apply(UNARY[type(node.op)], [kind], {})

    def _BinOp(self, node: gast.BinOp) -> Kind:
        left, right = self.kind(node.left), self.kind(node.right)
        if left.__class__ in operators.OR_NONE or right.__class__ in operators.OR_NONE:
            left, right = operators.not_none(left, right, self.trusts_tests)
        if left is kinds.PENDING or right is kinds.PENDING:
            return kinds.PENDING
        function = BINARY[type(node.op)]
        if isinstance(left, Array) and not node.__dict__.keys().isdisjoint(_KEEP_LEFT):
            return left
        if left.__class__ is MatrixKind or right.__class__ is MatrixKind:
            name = kinds.operator_of_matrices(node.op, left, right)
            return UNKNOWN if name is None else self._apply(
                function_for_matrices(name), [left, right], {})
        if left.__class__ not in _NUMERIC or right.__class__ not in _NUMERIC:
            operands = [node.left, node.right]
            method = behind(self, node.op, *operands)
            if method is not None:
                return UNKNOWN if method is UNDECIDED else self._of_method(
                    method.name, *(operands[::-1] if method.on_right else operands))
        found = operators.of_python(node.op, left, right)
        if found is not None:
            return found
        if any(isinstance(k, NO_NUMBERS) for k in (left, right)):
            return UNKNOWN
        return self._apply(function, [left, right], {})

    def _of_method(self, name: str, owner: gast.expr, *others: gast.expr) -> Kind:
        """What a method of an object or of a named tuple gives that stands behind an operator."""
        return self.kind(gast.Call(gast.Attribute(owner, name, gast.Load()), list(others), []))

    def _BoolOp(self, node: gast.BoolOp) -> Kind:
        return kinds.join_all(map(self.kind, node.values))

    def _Compare(self, node: gast.Compare) -> Kind:
        if any(isinstance(op, (gast.Is, gast.IsNot, gast.In, gast.NotIn)) for op in node.ops):
            return kinds.BOOL
        parts = [self.kind(n) for n in (node.left, *node.comparators)]
        if any(operators.may_give_anything(self, op, parts) for op in node.ops):
            return UNKNOWN
        if all(isinstance(k, (Number, kinds.Text, kinds.Nothing, kinds.TupleKind)) for k in parts):
            return kinds.BOOL
        if all(isinstance(k, (Number, Array, kinds.Numeric)) for k in parts):
            return self._kind_by(result_kinds.elementwise_bool, result_kinds.elementwise_bool,
                                 parts, {})
        return kinds.BOOL

    def _IfExp(self, node: gast.IfExp) -> Kind:
        return kinds.join(self.kind(node.body), self.kind(node.orelse))

    def _Tuple(self, node: gast.Tuple) -> Kind:
        if any(isinstance(e, gast.Starred) for e in node.elts):
            return UNKNOWN
        return kinds.TupleKind(tuple(self.kind(e) for e in node.elts))

    def _List(self, node: gast.List) -> Kind:
        if getattr(node, "is_told", False):
            return kinds.TupleKind(tuple(map(self.kind, node.elts)), list)
        return kinds.ListKind(kinds.join_all(
            self.items_of(self.kind(e.value)) if isinstance(e, gast.Starred) else self.kind(e)
            for e in node.elts))

    def _Set(self, node: gast.Set) -> Kind:
        return sets.set_of(kinds.join_all(UNKNOWN if isinstance(e, gast.Starred) else self.kind(e)
                                          for e in node.elts))

    def _SetComp(self, node: gast.SetComp) -> Kind:
        item, = self.in_comprehension(node.generators, node.elt)
        return sets.set_of(item)

    def _Dict(self, node: gast.Dict) -> Kind:
        found: dict[Any, Kind] = {}
        for key, value in zip(node.keys, node.values):
            if isinstance(key, gast.Constant):
                found[key.value] = self.kind(value)
                continue
            more = self.kind(value)
            if key is not None or not isinstance(more, kinds.DictKind):
                return UNKNOWN
            found.update(zip(more.keys, more.items))
        return kinds.DictKind(tuple(found), tuple(found.values()))

    def _Lambda(self, node: gast.Lambda) -> Kind:
        local = getattr(node, "local", None)
        return UNKNOWN if local is None else self._local(local)

    def _DictComp(self, node: gast.DictComp) -> Kind:
        made = dict_over_keys(node, node, self)
        if made is not None:
            return self.kind(made)
        key, item = self.in_comprehension(node.generators, node.key, node.value)
        # What is no number may be one thing under several keys.
        return kinds.MapKind(item, kinds.any_key(key)) if isinstance(item, Number) \
            and isinstance(key, (kinds.Text, Number)) and not can_vary(key) else UNKNOWN

    def by_parts(self, node: gast.expr) -> Kind | None:
        """The kind of what a comprehension hands out one by one, where it is known how many."""
        parts = tuple_by_parts(node, node, self)
        return None if parts is None else kinds.TupleKind(tuple(map(self.kind, parts)))

    def _GeneratorExp(self, node: gast.GeneratorExp) -> Kind:
        known = self.by_parts(node) if getattr(node, "is_spread", False) else None
        return UNKNOWN if known is None else known

    def _ListComp(self, node: gast.ListComp) -> Kind:
        spread = self.by_parts(node) if getattr(node, "is_spread", False) else None
        if spread is not None:
            return spread
        item, = self.in_comprehension(node.generators, node.elt)
        return kinds.ListKind(item)

    def in_comprehension(self, generators: list[gast.comprehension],
                         *parts: gast.expr) -> list[Kind]:
        """The kinds of what is made at any step of a comprehension."""
        known, inner = self.names, dict(self.names)
        for one in generators:
            self.names = inner
            item = self.items_of(self.kind(one.iter))
            for name in syntax.bound_names(one.target):
                inner[name] = item if isinstance(one.target, gast.Name) else UNKNOWN
        self.names = inner
        found = [replaced_parts(self.kind(part), kinds.in_any_iteration) for part in parts]
        self.names = known
        return found

    def _JoinedStr(self, node: gast.JoinedStr) -> Kind:
        return kinds_texts.made_of(self.kind(part) for part in node.values)

    def _Slice(self, node: gast.Slice) -> Kind:
        return kinds.SLICE

    def _Attribute(self, node: gast.Attribute) -> Kind:
        found = self.object_of(node)
        if found is not NO_OBJECT:
            return self._kind_outside(found)
        if hasattr(node, "behind"):
            return UNKNOWN
        owner = self.kind(node.value)
        if owner is kinds.PENDING:
            return owner
        if isinstance(owner, Array) and node.attr in ARRAY_ATTRIBUTES:
            return mixed.of_operands(None, None, ARRAY_ATTRIBUTES[node.attr](owner), [owner])
        if isinstance(owner, DuckArray) and node.attr in ARRAY_ATTRIBUTES:
            found = ARRAY_ATTRIBUTES[node.attr](as_arrays(owner))       # type: ignore[arg-type]
            return part_of_duck(found, owner) if isinstance(found, Array) else found
        if isinstance(owner, MatrixKind):
            return kinds.of_matrix(owner, node.attr)
        if isinstance(owner, Number) and node.attr in ("real", "imag"):
            return Number("float" if owner.type == "complex" else owner.type,
                          is_mixed=owner.is_mixed)
        if isinstance(owner, Number) and node.attr == "shape":
            return kinds.TupleKind(())
        if isinstance(owner, kinds.Numeric) and node.attr in ("real", "imag", "T"):
            return kinds.Numeric("float" if owner.dtype == "complex" and node.attr != "T"
                                 else owner.dtype)
        if isinstance(owner, kinds.Numeric) and node.attr in ("ndim", "size"):
            return kinds.INT
        if isinstance(owner, kinds.RecordKind) and node.attr in owner.fields \
                and not is_descriptor(owner.type, node.attr):
            return owner.items[owner.fields.index(node.attr)]
        if node.attr == "__class__":
            return class_kind(owner)
        if isinstance(owner, kinds.TupleKind) and hasattr(owner.type, "_fields"):
            fields = owner.type._fields
            if node.attr in fields:
                return owner.items[fields.index(node.attr)]
        if isinstance(owner, (kinds.Other, kinds.RecordKind)) and node.attr in ("value", "name"):
            return of_member(owner.type, node.attr)
        if isinstance(owner, Known) and self.method_called(owner.object) is not None:
            found = self.of_class(type(owner.object), node.attr)
            if found is not NO_OBJECT and not hasattr(type(found), "__get__"):
                return self._kind_outside(found)
        return UNKNOWN

    def _Subscript(self, node: gast.Subscript) -> Kind:
        if isinstance(node.slice, gast.Slice) and self.object_of(node.value) is np.s_:
            return kinds.SLICE
        if isinstance(node.value, gast.Attribute) and node.value.attr in ("mgrid", "ogrid"):
            grid = self.grid_kind(self.object_of(node.value), node.slice)
            if grid is not None:
                return grid
        default = self.default_at(node)
        if default is not NO_OBJECT:
            return self._kind_outside(default)
        kind = self.kind(node.value)
        if getattr(node, "iterates", False) and (isinstance(
                kind, (kinds.MapKind, kinds.SetKind)) or (
                isinstance(kind, kinds.DictKind) and kind.keys)):
            return self.items_of(kind)          # a step of a loop over it
        if is_swap(node.slice):
            return kinds.NOTHING                # two items, which are handed to nobody else
        for index in places(node.slice):
            kind = self.item_kind(kind, index)
        return kinds.of_one_class(kind, node.of_class) if isinstance(kind, kinds.OneOf) \
            and hasattr(node, "of_class") else kind

    def _Call(self, node: gast.Call) -> Kind:
        marker = getattr(node, "marker", None)
        if marker is not None and marker.kind == "try":
            return kinds.BOOL if marker.handlers == 1 else kinds.INT
        function, receiver = self.callee(node)
        if function is NO_OBJECT:
            return UNKNOWN
        if mark_of(function, "makes_derivative"):
            return self.made(function, node)
        try:
            entry = registry.lookup(function)
            hash(function)
        except TypeError:
            return UNKNOWN
        if gives_other_fields(function):
            owner = node.args[:1] if receiver is None else [receiver]
            return other_fields_kind(*map(self.kind, owner), **{
                k.arg or "**": self.kind(k.value) for k in node.keywords})
        if entry is None and function not in LIST_METHODS and function not in OBJECT_CALLS \
                and function not in VIEWS \
                and getattr(function, "__objclass__", None) is not set \
                and not isinstance(function, type):
            result = self.user_call(self, node, function)
            self.awaits |= result is kinds.PENDING
            return result
        if function is tuple and len(node.args) == 1:
            known = self.by_parts(node.args[0])
            if known is None and isinstance(keyed := self.kind(node.args[0]), kinds.DictKind):
                known = kinds.TupleKind(tuple(map(kinds.literal, keyed.keys)))
            if known is not None:
                return known
        operation = IN_PLACE_OF.get(id(function))
        if operation is not None and len(node.args) == 2 and not node.keywords \
                and not any(isinstance(a, gast.Starred) for a in node.args):
            return self._BinOp(gast.BinOp(node.args[0], operation(), node.args[1]))
        args: list[Kind] = []
        for argument in node.args:
            spread = self.kind(argument.value) if isinstance(argument, gast.Starred) else None
            if spread is not None and not isinstance(spread, kinds.TupleKind):
                return UNKNOWN
            args += [self._given(argument, function)] if spread is None else spread.items
        if any(k.arg is None for k in node.keywords):
            return UNKNOWN
        if receiver is not None:
            args.insert(0, self.kind(receiver))
        if function is dict.get and isinstance(args[0], (kinds.DictKind, kinds.MapKind)):
            # Or what is given for a key that is not there.
            return kinds.join_all([kinds.item_of(args[0]), *(args[2:] or [kinds.NOTHING])])
        if function in VIEWS and isinstance(args[0], kinds.MapKind) and (
                keys_at_hand(args[0]) or args[0].key == UNKNOWN):
            return VIEWS[function](args[0])     # as a loop takes it
        if (function is set or function is frozenset) and not node.keywords:
            return sets.set_of(kinds.EMPTY if not args else self.items_of(args[0])) \
                if len(args) < 2 else UNKNOWN
        if getattr(function, "__objclass__", None) is set:
            return sets.given_by(function.__name__, *(
                args[:1] + [sets.set_of(self.items_of(one)) for one in args[1:]]))
        if function in LIST_METHODS:
            return LIST_METHODS[function](self, args[0])
        if function in OBJECT_CALLS:
            return OBJECT_CALLS[function](*args, **{k.arg: self.kind(k.value)
                                                    for k in node.keywords})
        if isinstance(function, type) and entry is None:
            return made_of_class(function, args, {k.arg: self.kind(k.value)
                                                  for k in node.keywords})
        return self._apply(function, args, {k.arg: self.kind(k.value) for k in node.keywords})

    def _given(self, node: gast.expr, function: Any) -> Kind:
        """The kind of an argument. A list that is made where NumPy makes an array of it has as many
        items as are written there."""
        if not isinstance(node, gast.List) or not takes_displays(function):
            return self.kind(node)
        if any(isinstance(e, gast.Starred) for e in node.elts):
            return self.kind(node)
        return kinds.TupleKind(tuple(self._given(e, function) for e in node.elts))

    def _apply(self, function: Any, args: list[Kind], options: dict[str, Kind]) -> Kind:
        for kind in args:
            if kind is kinds.PENDING:
                return kind
        entry = registry.lookup(function)
        if entry is None or entry.kind is None \
                or operators.may_give_anything(self, function, args):
            return UNKNOWN
        args, options, written = outputs.apart(function, args, options)
        if written is not None:
            return written
        if isinstance(function, np.ufunc):      # which neither values nor their type depend on
            options = {n: k for n, k in options.items() if n not in ("order", "casting", "subok")}
        try:
            return self._kind_by(function, entry.kind, args, options)
        except (TypeError, AttributeError, IndexError):
            return UNKNOWN

    def _kind_by(self, function: Any, kind: Callable[..., Kind], args: list[Kind],
                 options: dict[str, Kind]) -> Kind:
        """What a function returns, by its kind function."""
        if any(map(holds_duck, args)) or (options and any(map(holds_duck, options.values()))):
            return made_of_ducks(function, kind, args, options)
        found = mixed.of_operands(function, kind, kind(*args, **options),
                                  [*args, *options.values()])
        if self.ducks is False and holds_duck(found):       # made by a function of their library
            raise DucksOutside
        return next_to_ducks(found) if self.ducks else found


def takes_displays(function: Any) -> bool:
    """Whether a function takes lists and tuples alike, as what arrays are made of."""
    return isinstance(function, np.ufunc) or (
        getattr(function, "__module__", None) or "").partition(".")[0] == "numpy"
