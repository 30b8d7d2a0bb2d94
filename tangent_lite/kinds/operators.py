"""Kinds of what operators give where Python says it: of numbers, texts, lists, tuples, dicts."""
from __future__ import annotations

import dataclasses
import math
import operator
import types
from collections.abc import Iterable
from typing import Any

import gast

from tangent_lite import kinds
from tangent_lite.kinds import Array, Kind, ListKind, Number, TupleKind
from tangent_lite.kinds import texts as kinds_texts

ON_SIZES = {gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: operator.mul,
            gast.FloorDiv: operator.floordiv}
MOST_ITEMS = 64         # of a tuple that is repeated, of which each item is known

# What Python calls for an operator whose left operand is an object.
DUNDERS: dict[type, str] = {
    gast.Add: "add", gast.Sub: "sub", gast.Mult: "mul", gast.Div: "truediv", gast.Pow: "pow",
    gast.MatMult: "matmul", gast.FloorDiv: "floordiv", gast.Mod: "mod", gast.USub: "neg",
    gast.UAdd: "pos", gast.Lt: "lt", gast.LtE: "le", gast.Gt: "gt", gast.GtE: "ge", gast.Eq: "eq",
    gast.NotEq: "ne", gast.BitOr: "or", gast.BitAnd: "and", gast.BitXor: "xor",
    gast.LShift: "lshift", gast.RShift: "rshift", gast.Invert: "invert"}
# What it asks the right operand of a comparison where the left one has no answer.
REFLECTED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
# Those that give whole numbers and truth values of numbers and arrays, and functions that do
# (by id).
WHOLE = (gast.FloorDiv, gast.BitAnd, gast.BitOr, gast.BitXor, gast.LShift, gast.RShift,
         gast.Invert, gast.Lt, gast.LtE, gast.Gt, gast.GtE, gast.Eq, gast.NotEq)
_FUNCTIONS = {id(round): "round", id(math.floor): "floor", id(math.ceil): "ceil",
              id(math.trunc): "trunc"} | {
    id(getattr(operator, name + "_" * (name in ("and", "or")))): name
    for name in map(DUNDERS.__getitem__, WHOLE)}


OR_NONE = frozenset({kinds.Nothing, kinds.Maybe})
_NUMERIC = frozenset({Number, Array, kinds.Numeric})


def not_none(left: Kind, right: Kind, is_hopeful: bool) -> tuple[Kind, Kind]:
    """The kinds of two operands where an operator gives something of them: beside a number, an
    array or None it gives nothing of None but an error.

    is_hopeful: what is nothing but None may yet be bound to something else, by a loop.

    >>> not_none(kinds.Maybe(kinds.FLOAT), kinds.INT, False)[0]
    Number(type='float', value=NO_VALUE)
    """
    return _beside(left, right, is_hopeful), _beside(right, left, is_hopeful)


def _beside(kind: Kind, other: Kind, is_hopeful: bool) -> Kind:
    there = kinds.kind_at_hand(other).__class__
    if there not in _NUMERIC and there is not kinds.Nothing:
        return kind                     # an object says itself what it does with None
    if kind.__class__ is kinds.Nothing:
        return kinds.PENDING if is_hopeful else kind
    at_hand = kinds.kind_at_hand(kind)
    return at_hand if at_hand.__class__ in _NUMERIC else kind


def may_give_anything(typer: Any, asked: Any, operands: Iterable[Kind]) -> bool:
    """Whether an operand may be a dict, or an object whose class says in Python what an operator
    that else gives whole numbers, or the function in its place, gives of it: that may vary."""
    name = DUNDERS[type(asked)] if isinstance(asked, WHOLE) else _FUNCTIONS.get(id(asked))
    return name is not None and any(_says(typer, name, kind) for kind in operands)


def _says(typer: Any, name: str, kind: Kind) -> bool:
    if kind == kinds.UNKNOWN or (name in ("or", "and") and isinstance(
            kind, (kinds.DictKind, kinds.MapKind))):
        return True                     # of dicts and counters it is one that holds what they hold
    if not isinstance(kind, (kinds.RecordKind, TupleKind, kinds.Other)):
        return False
    methods = {f"__{name}__", f"__r{name}__", f"__{REFLECTED.get(name, name)}__"}
    found = [typer.of_class(kind.type, method) for method in sorted(methods)]
    # Those that dataclasses make compare what the fields hold, and answer yes or no.
    return any(isinstance(method, types.FunctionType) and not (
        dataclasses.is_dataclass(kind.type) and method.__code__.co_filename == "<string>")
        for method in found)


def of_python(op: gast.operator, left: Kind, right: Kind) -> Kind | None:
    """The kind of `left op right`; None where it is for NumPy to say.

    >>> of_python(gast.Mult(), TupleKind((kinds.FLOAT,)), Number("int", 2)).items
    (Number(type='float', value=NO_VALUE), Number(type='float', value=NO_VALUE))
    >>> of_python(gast.Mult(), ListKind(kinds.FLOAT), Array(1, "float"))
    """
    if isinstance(left, Number) and isinstance(right, Number):
        return _of_numbers(op, left, right)
    if isinstance(left, kinds.SetKind) and isinstance(right, kinds.SetKind):
        return _of_sets(op, left, right)
    if isinstance(left, kinds.Text):
        return kinds_texts.of_operator(op, left, right)
    if isinstance(left, (ListKind, TupleKind)) or isinstance(right, (ListKind, TupleKind)):
        return _of_sequences(op, left, right)
    if isinstance(op, gast.BitOr) and isinstance(left, kinds.DictKind) \
            and isinstance(right, kinds.DictKind):
        found = {**dict(zip(left.keys, left.items)), **dict(zip(right.keys, right.items))}
        return kinds.DictKind(tuple(found), tuple(found.values()))
    return None


def _of_sets(op: gast.operator, left: kinds.SetKind, right: kinds.SetKind) -> Kind:
    """The same of two sets: what is left of the one holds what that held."""
    if isinstance(op, gast.Sub):
        return left
    return kinds.join(left, right) if isinstance(op, (gast.BitOr, gast.BitAnd, gast.BitXor)) \
        else kinds.UNKNOWN


def _of_sequences(op: gast.operator, left: Kind, right: Kind) -> Kind | None:
    """The same where one is a list or tuple, or both."""
    if isinstance(op, gast.Add) and isinstance(left, TupleKind) and isinstance(right, TupleKind):
        return TupleKind(left.items + right.items)
    if isinstance(op, gast.Add) and isinstance(left, ListKind) and isinstance(right, ListKind):
        return kinds.join(left, right)
    listed, other = (left, right) if isinstance(left, (ListKind, TupleKind)) else (right, left)
    if isinstance(op, gast.Mult) and isinstance(other, Number) and other.type in ("int", "bool"):
        return _repeated(listed, kinds.value_of(other))
    # Of a list and an array, or a number of NumPy, NumPy makes an array.
    return None if isinstance(other, (Number, Array, kinds.Numeric)) else kinds.MIXED


def _repeated(kind: Kind, times: Any) -> Kind:
    if isinstance(kind, ListKind):
        return kind
    if not isinstance(kind, TupleKind) or not isinstance(times, int) \
            or times * len(kind.items) > MOST_ITEMS:
        return kinds.MIXED
    return TupleKind(kind.items * times)


def _of_numbers(op: gast.operator, left: Number, right: Number) -> Number | Kind:
    if left.type == right.type:
        highest, is_mixed = left.type, left.is_mixed and right.is_mixed
    else:
        higher = left if kinds.RANK[left.type] > kinds.RANK[right.type] else right
        highest, is_mixed = higher.type, higher.is_mixed
    if highest == "complex":
        return Number("complex", is_mixed=True) if is_mixed else kinds.COMPLEX
    if isinstance(op, gast.Div):
        return kinds.FLOAT
    if highest == "float":
        # Python makes a complex number of a negative one to a fractional power: not foreseen.
        return Number("float", is_mixed=True) if is_mixed else kinds.FLOAT
    if isinstance(op, gast.Pow):
        return kinds.INT if isinstance(right.value, int) and right.value >= 0 \
            else Number("float", is_mixed=True)
    one, other = kinds.size_of(left), kinds.size_of(right)
    if one is None or other is None or type(op) not in ON_SIZES or (
            isinstance(op, gast.FloorDiv) and not other.value):
        return kinds.INT
    return kinds.int_of(ON_SIZES[type(op)](one, other))
