"""Which method, written in Python, stands behind an operator between objects: that of the left
operand, or the reflected one of the right."""
from __future__ import annotations

import functools
import types
from typing import Any, NamedTuple

import gast

from tangent_lite import kinds, registry
from tangent_lite.kinds import Kind
from tangent_lite.kinds.operators import DUNDERS, REFLECTED

UNDECIDED: Any = object()       # which method it is shows when more is known, or at the call only
_NOT_KNOWN = (kinds.UNKNOWN, kinds.PENDING)


class Behind(NamedTuple):
    """What an operator calls."""
    method: types.FunctionType
    name: str                   # by which the class has it: `__rmul__ = __mul__`
    on_right: bool              # whether it is that of the right operand


def class_of(kind: Kind) -> type | None:
    """The class that may say in Python what operators do: of an object, with attributes or without,
    and of a named tuple; None of others."""
    if isinstance(kind, (kinds.RecordKind, kinds.TupleKind)):
        return kind.type
    found = kind.type if isinstance(kind, kinds.Other) else \
        type(kind.object) if isinstance(kind, kinds.Known) else None
    return found if isinstance(found, type) and not registry.is_library(found) \
        and not kinds.is_special(found) and not issubclass(found, kinds.NUMBERS) else None


def method_of(typer: Any, kind: Kind, name: str) -> Any:
    """A method of an object, if its class or one above it defines it in Python."""
    owner = class_of(kind)
    if owner is None:
        return None
    found = typer.of_class(owner, name)
    return found if isinstance(found, types.FunctionType) and found.__code__.co_filename != \
        "<string>" else None


def _may_be_object(kind: Kind) -> bool:
    """Whether a value is an object on some ways, and a number or None on others."""
    return kind is kinds.OBJECT or (isinstance(kind, kinds.Maybe)
                                    and class_of(kinds.kind_at_hand(kind)) is not None)


def behind(typer: Any, op: gast.AST, left: gast.expr, right: gast.expr,
           in_place: bool = False) -> Any:
    """What `left op right` calls, a Behind; None where no object defines it, UNDECIDED where that
    is not known. in_place: for `left op= right`.

    As Python has it: the method of the left operand. In front of it the reflected one of the right,
    if its class is one below that of the left (and, but for comparisons, defines it anew); behind
    it, if the classes are not the same. A method that gives NotImplemented has no answer.
    """
    kind, other = typer.kind(left), typer.kind(right)
    if not isinstance(op, gast.cmpop) and (_may_be_object(kind) or _may_be_object(other)):
        return UNDECIDED
    above, below = class_of(kind), class_of(other)
    if above is None and below is None:
        return None
    name = DUNDERS[type(op)]
    compares = isinstance(op, gast.cmpop)
    turned = f"__{REFLECTED[name]}__" if compares else f"__r{name}__"
    method, reflected = method_of(typer, kind, f"__{name}__"), method_of(typer, other, turned)
    grown = method_of(typer, kind, f"__i{name}__") if in_place else None
    if method is None and reflected is None and grown is None:
        return None
    above, below = (one or getattr(k, "type", None) for one, k in ((above, kind), (below, other)))
    if reflected is not None and kind in _NOT_KNOWN:
        return UNDECIDED
    if grown is None and other in _NOT_KNOWN and isinstance(above, type) \
            and _is_refined(above, turned):
        return UNDECIDED
    tries = [(method, f"__{name}__", False)]
    if above is not below or compares:
        comes_first = above is not below and isinstance(above, type) and isinstance(below, type) \
            and issubclass(below, above) \
            and (compares or getattr(above, turned, None) is not reflected)
        tries.insert(0 if comes_first else 1, (reflected, turned, True))
    for found, called, on_right in [(grown, f"__i{name}__", False), *tries]:
        if found is None:
            continue
        owner, argument = (right, left) if on_right else (left, right)
        asked, asked_by = found, called
        if found.__module__ == functools.__name__:      # total_ordering: `_ge_from_lt` asks __lt__
            asked_by = f"__{found.__code__.co_name.rpartition('_from_')[2]}__"
            asked = method_of(typer, typer.kind(owner), asked_by) or found
        if "NotImplemented" in asked.__code__.co_names:
            function = gast.Attribute(owner, asked_by, gast.Load())
            given = typer.kind(gast.Call(function, [argument], []))
            if given == kinds.Other(type(NotImplemented)):
                continue
            if given in _NOT_KNOWN:
                return UNDECIDED
        return Behind(found, called, on_right)
    return UNDECIDED


def _is_refined(cls: Any, reflected: str) -> bool:
    """Whether a class below this one has a reflected method of its own, which comes first."""
    return any(reflected in vars(one) or _is_refined(one, reflected)
               for one in cls.__subclasses__())
