"""Tangents of expressions: dx for x, and a tuple of tangents for a tuple."""
from __future__ import annotations

import dataclasses
import types
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, runtime, syntax
from tangent_lite.adjoints.paths import CONTAINERS
from tangent_lite.errors import Place, UnsupportedSyntaxError
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array, Kind, Number
from tangent_lite.modules import held_by_class, module_of
from tangent_lite.runtime import tangents as runtime_tangents
from tangent_lite.syntax import load


class Tangents:
    """The tangents of the active variables of one function."""

    def __init__(self, names: dict[str, str], typer: Typer,
                 external: Callable[[Any, str], gast.expr],
                 place: Callable[[gast.AST], Place] | None = None) -> None:
        self.names, self.typer, self.external, self.place = names, typer, external, place
        self.variables = {d: v for v, d in names.items()}

    def know(self, typer: Typer) -> None:
        """Let the typer know the kinds of tangents: those of their variables."""
        tangents: Any = _Kinds(self.variables, typer.names)
        typer.names = ChainMap({}, typer.names, tangents)

    def varies(self, node: gast.AST) -> bool:
        return not self.names.keys().isdisjoint(syntax.read_names(node))

    def of(self, node: gast.expr) -> gast.expr:
        """The tangent of a value: its names replaced by their tangents, or zero.

        >>> tangents = Tangents({"x": "dx", "p": "dp"}, Typer({}, {}.get), lambda *thing: thing)
        >>> from tangent_lite.emit import emit_expression
        >>> emit_expression(tangents.of(syntax.parse_expression('{"a": (x, 1.0), "b": p[0]}')))
        '{"a": (dx, 0.0), "b": dp[0]}'
        """
        if isinstance(node, gast.Name) and node.id in self.names:
            return load(self.names[node.id])
        if isinstance(node, gast.Tuple):
            return gast.Tuple([self.of(e) for e in node.elts], gast.Load())
        if isinstance(node, gast.List):
            return gast.List([self.of(e) for e in node.elts], gast.Load())
        if isinstance(node, gast.Dict):
            return gast.Dict([syntax.copy(k) for k in node.keys], [self.of(v) for v in node.values])
        if isinstance(node, gast.Starred):
            self.check_spread(node)
            return gast.Starred(self.of(node.value), gast.Load())
        if self.varies(node):
            if isinstance(node, gast.Subscript):
                return syntax.subscript(self.of(node.value), syntax.copy(node.slice))
            if isinstance(node, gast.Attribute):
                owner = self.typer.kind(node.value)
                if isinstance(owner, kinds.RecordKind) and node.attr not in owner.fields:
                    if _is_computed(owner.type, node.attr):
                        raise self.not_handled(node)
                    return self.zero(node, self.typer.kind(node))       # what its class holds
                return syntax.attribute(self.of(node.value), node.attr)
            if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Add):
                made = gast.BinOp(self.of(node.left), node.op, self.of(node.right))
                made.joins = True
                return made
            if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult):
                left, right = (self.of(p) if is_sequence(self.typer.kind(p)) else syntax.copy(p)
                               for p in (node.left, node.right))
                made = gast.BinOp(left, node.op, right)
                made.joins = True
                return made
            raise self.not_handled(node)
        return self.zero(node, self.typer.kind(node))

    def check_spread(self, node: gast.expr) -> None:
        """Refuse what stands behind a star and whose tangent does not hand out tangents: a dict
        hands out its keys, and a set has none."""
        kind = self.typer.kind(node.value) if isinstance(node, gast.Starred) else kinds.MIXED
        if kind is not kinds.MIXED and not isinstance(
                kind, (Array, kinds.Numeric, kinds.ListKind, kinds.TupleKind)):
            raise self.not_handled(node)

    def not_handled(self, node: gast.expr) -> UnsupportedSyntaxError:
        """The refusal of an expression whose tangent is no expression of tangents."""
        return UnsupportedSyntaxError("this expression is not handled on active values yet",
                                      self.place(node) if self.place else None,
                                      "write it as a loop or with NumPy operations")

    def zero(self, node: gast.expr, kind: Kind) -> gast.expr:
        """The tangent of a value of this kind that does not vary."""
        if isinstance(kind, Number):
            return gast.Constant(0.0, None)
        if isinstance(kind, (kinds.Text, kinds.Nothing, kinds.Known, kinds.RangeKind,
                             kinds.SliceKind)):
            return gast.Constant(None, None)
        if isinstance(kind, Array) and kind.dtype in ("float", "complex"):
            return syntax.call(syntax.attribute(self.external(np, "np"), "zeros_like"),
                               syntax.copy(node))
        helper = self.external(runtime_tangents.zero_tangent, "zero_tangent")
        return syntax.call(helper, syntax.copy(node))

    def is_fresh(self, node: gast.expr) -> bool:
        """Whether an expression makes a writable array that nobody else holds."""
        if isinstance(node, (gast.BinOp, gast.UnaryOp)):
            return not is_sequence(self.typer.kind(node))
        if not isinstance(node, gast.Call):
            return False
        function, _ = self.typer.callee(node)
        if function is NO_OBJECT:
            return False
        if function in (np.zeros_like, np.ndarray.copy, runtime_tangents.own_tangent):
            return True
        entry = registry.lookup(function)
        ours = module_of(function)
        return entry is not None and entry.view == "never" and entry.tangent is not None \
            and not ours.startswith(runtime.__name__)


def _is_computed(cls: type, name: str) -> bool:
    """Whether an attribute that objects of a class do not hold is computed from what they hold."""
    found = held_by_class(cls, name)
    return found is None or (hasattr(type(found), "__get__") and not isinstance(
        found, (types.FunctionType, staticmethod, classmethod)))


class _Kinds(Mapping[str, Kind]):
    """The kinds of tangents, from those of the variables."""

    def __init__(self, variables: dict[str, str], names: Mapping[str, Kind]) -> None:
        self.variables, self.names = variables, names

    def __getitem__(self, name: str) -> Kind:
        return of_tangent(self.names[self.variables[name]])

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)


def of_tangent(kind: Kind) -> Kind:
    """The kind of the tangent of a value: the same, but no literal, and numbers are floats.

    >>> of_tangent(kinds.Number("int", 3)), of_tangent(kinds.TEXT)
    (Number(type='float', value=NO_VALUE), Nothing())
    """
    if isinstance(kind, Number):
        return kinds.COMPLEX if kind.type == "complex" else kinds.FLOAT
    if isinstance(kind, Array):
        dtype = kind.dtype if kind.dtype not in ("int", "bool") else "float"
        return Array(kind.ndim, dtype, kind.shape)
    if isinstance(kind, kinds.TupleKind):
        return kinds.TupleKind(tuple(map(of_tangent, kind.items)), kind.type)
    if isinstance(kind, kinds.ListKind):
        return kinds.ListKind(of_tangent(kind.item))
    if isinstance(kind, kinds.MapKind):
        return dataclasses.replace(kinds.with_each_item(kind, of_tangent), sites=frozenset())
    if isinstance(kind, kinds.DictKind):
        return kinds.DictKind(kind.keys, tuple(map(of_tangent, kind.items)))
    if isinstance(kind, kinds.RecordKind):
        return kinds.RecordKind(kind.type, kind.fields, tuple(map(of_tangent, kind.items)))
    if isinstance(kind, (kinds.Text, kinds.Known, kinds.RangeKind, kinds.SliceKind)):
        return kinds.NOTHING
    return kind


def is_sequence(kind: Kind) -> bool:
    return isinstance(kind, (kinds.ListKind, kinds.TupleKind))


def made_by_rule(node: gast.expr, typer: Typer) -> bool:
    """Whether a value is what a function with a rule returns, or one of ours: no object of a class
    of the user."""
    function = typer.callee(node)[0] if isinstance(node, gast.Call) else NO_OBJECT
    return function is not NO_OBJECT and (registry.lookup(function) is not None
                                          or registry.is_ours(function))


def mirrors(node: gast.expr, typer: Typer) -> bool:
    """Whether the tangent of a value is the same expression of tangents: names, containers, what
    is read from containers and arrays, lists that are joined or repeated."""
    if isinstance(node, (gast.Name, gast.Tuple, gast.List, gast.Dict)):
        return True
    if isinstance(node, gast.Subscript):
        return isinstance(node.value, gast.Name) and not kinds.may_be_object(
            typer.kind(node.value))
    if isinstance(node, gast.Attribute):
        owner = typer.kind(node.value)
        fields = getattr(owner.type, "_fields", ()) if isinstance(owner, kinds.TupleKind) \
            else getattr(owner, "fields", ())
        return isinstance(owner, CONTAINERS) and isinstance(node.value, gast.Name) \
            and node.attr in fields
    if isinstance(node, gast.BinOp):
        sides = [typer.kind(p) for p in (node.left, node.right)]
        if isinstance(node.op, gast.Add):       # which may be either, where nothing is known
            return all(map(is_sequence, sides)) or all(k == kinds.UNKNOWN for k in sides)
        # Times a whole number it is repeated; of the others NumPy makes an array.
        return isinstance(node.op, gast.Mult) and any(map(is_sequence, sides)) and any(
            isinstance(k, Number) and k.type in ("int", "bool") for k in sides)
    return False
