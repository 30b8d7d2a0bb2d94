"""Calls that stand for something that has a form of its own: an attribute, an operator, a class.

    getattr(p, "x")         =>      p.x
    operator.add(p, q)      =>      p + q
    Point._make(pair)       =>      Point(*pair)
    cached(x)               =>      the function that `functools.cache` keeps the results of
    np.piecewise(x, [c], [f, g])    =>      y[c] = f(x[c]); y[~c] = g(x[~c])
"""
from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import keyword
import types
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.unseen import may_change
from tangent_lite.expansion import Written, is_of_numbers
from tangent_lite.expansion.elementwise import Elementwise
from tangent_lite.functions.local_functions import holds_local
from tangent_lite.inference import BINARY
from tangent_lite.records import is_named_tuple
from tangent_lite.syntax import load

_OPERATORS = {id(function): operator for operator, function in BINARY.items()}
_NUMERIC = (kinds.Number, kinds.Array, kinds.Numeric)


class Shorthands(Elementwise):
    """What takes the place of such calls."""

    def shorthand(self, value: gast.Call, plain: gast.Call, function: Any,
                  receiver: gast.expr | None) -> Written | None:
        if isinstance(function, functools._lru_cache_wrapper):
            return self.without_cache(value, plain, function)
        if any(function is one for one in (getattr, setattr, object.__setattr__)):
            return self.by_name_of_attribute(value, plain, function)
        if function is np.piecewise:
            return self.in_pieces(value, plain)
        if function is dataclasses.asdict or function is dataclasses.astuple:
            return self.in_a_container(value, plain, function is dataclasses.asdict)
        if function is copy.copy or function is copy.deepcopy:
            return self.copied(value, plain, function is copy.deepcopy)
        if id(function) in _OPERATORS:
            return self.as_operator(value, plain, _OPERATORS[id(function)])
        if isinstance(function, types.MethodType) and _is_generated(function, "_make") \
                and len(plain.args) == 1 and not plain.keywords:
            return self.made_of_items(function.__self__, value, plain)
        made = self.of_elements(value, plain, function)
        if made is not None:
            return made
        if function is np.ndarray.item and receiver is not None and plain.args:
            return self.item_of_array(value, plain, receiver)
        owner = self.typer.kind(receiver) if receiver is not None else None
        if isinstance(owner, kinds.TupleKind) and _is_generated(function, "_asdict", owner.type) \
                and isinstance(plain.func.value, gast.Name) and not plain.args:
            first: list[gast.stmt] = []
            names = list(owner.type._fields)                            # type: ignore[attr-defined]
            parts = [self.named(first, f"{plain.func.value.id}_{name}", syntax.attribute(
                load(plain.func.value.id), name)) for name in names]
            return first, gast.copy_location(gast.Dict(
                [gast.Constant(name, None) for name in names], parts), plain)
        return None

    def item_of_array(self, value: gast.Call, plain: gast.Call,
                      receiver: gast.expr) -> Written | None:
        """`x.item(i)` as `x[i].item()`, `x.item(i, j)` and `x.item((i, j))` as `x[i, j].item()`;
        `x.item(i)` of an array with more axes as `x.flat[i].item()`."""
        kind, seen, given = self.typer.kind(receiver), value.args, plain.args
        if len(given) == 1 and isinstance(given[0], gast.Tuple):
            seen, given = value.args[0].elts, given[0].elts
        is_flat = isinstance(kind, kinds.Array) and len(given) == 1 and (kind.ndim or 0) > 1
        if plain.keywords or not isinstance(kind, kinds.Array) \
                or not (is_flat or kind.ndim == len(given)) or any(
                    not isinstance(self.typer.kind(one), kinds.Number)
                    or kinds.dtype_of(self.typer.kind(one)) != "int" for one in seen):
            return None
        first: list[gast.stmt] = []
        owner = syntax.attribute(plain.func.value, "flat") if is_flat else plain.func.value
        index = given[0] if len(given) == 1 else syntax.tuple_of(given)
        element = self.named(first, "item", syntax.subscript(owner, index))
        return self.normal(first, plain), gast.copy_location(
            syntax.method(element, "item"), plain)

    def in_pieces(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """`np.piecewise` of an array, by what it does: each piece is written where its condition
        holds, the later one where several do."""
        if plain.keywords or len(plain.args) != 3 \
                or not all(isinstance(a, (gast.List, gast.Tuple)) for a in plain.args[1:]):
            return None
        x, conditions, pieces = self.typer.kind(value.args[0]), *(a.elts for a in value.args[1:])
        if not isinstance(x, kinds.Array) or x.dtype != "float" or not x.ndim \
                or len(pieces) - len(conditions) not in (0, 1) or not conditions \
                or any(self.typer.kind(c) != kinds.Array(x.ndim, "bool") for c in conditions):
            return None
        called = [self.is_called(piece) for piece in pieces]
        if None in called:
            return None
        numpy = self.inject(np, "np")
        first: list[gast.stmt] = []
        whole = plain.args[0] if isinstance(plain.args[0], gast.Name) \
            else self.named(first, "x", plain.args[0])
        chosen = [self.named(first, "chosen", c) for c in plain.args[1].elts]
        if len(chosen) < len(pieces):
            either = functools.reduce(lambda a, b: gast.BinOp(a, gast.BitOr(), b),
                                      (load(name.id) for name in chosen))
            chosen.append(self.named(first, "rest", gast.UnaryOp(gast.Invert(), either)))
        made = self.named(first, "pieces", syntax.call(syntax.attribute(numpy, "zeros_like"),
                                                       load(whole.id)))
        for piece, place, is_function in zip(plain.args[2].elts, chosen, called):
            part = syntax.subscript(load(whole.id), load(place.id))
            target = gast.Subscript(load(made.id), load(place.id), gast.Store())
            put: gast.stmt = gast.Assign([target], self.calling(piece, plain, [part])
                                         if is_function else piece, None)
            if is_function and not self.takes_none(piece):
                put = gast.If(syntax.call(syntax.attribute(numpy, "any"), load(place.id)),
                              [put], [])
            first.append(put)
        return self.normal(first, plain), load(made.id)

    def is_called(self, piece: gast.expr) -> bool | None:
        """Whether a piece of np.piecewise is a function, or a number; None if that is not known."""
        if isinstance(piece, gast.Lambda) or callable(self.typer.object_of(piece)) \
                or holds_local(self.typer.kind(piece)):
            return True
        return False if isinstance(self.typer.kind(piece), kinds.Number) else None

    def takes_none(self, piece: gast.expr) -> bool:
        """Whether a function does the same for no elements as for some, and only computes: NumPy
        calls none for no elements, which would have no largest one."""
        def is_pointwise(function: gast.expr) -> bool:
            return isinstance(self.typer.object_of(function), np.ufunc)

        return is_pointwise(piece) or (isinstance(piece, gast.Lambda) and not any(
            isinstance(part, gast.Subscript)
            or (isinstance(part, gast.Call) and not is_pointwise(part.func))
            for part in syntax.walk(piece.body)))

    def made_of_items(self, cls: Any, value: gast.Call, plain: gast.Call) -> Written | None:
        """`Point._make(items)` as `Point(*items)`, or as `x, y = items` and `Point(x, y)`."""
        made, items, kind = self.inject(cls, cls.__name__), plain.args[0], \
            self.typer.kind(value.args[0])
        known = None
        if isinstance(items, (gast.List, gast.Tuple)):
            known = len(items.elts)
        elif isinstance(kind, kinds.TupleKind):
            known = len(kind.items)
        if known is None:
            names = [self.context.names.fresh(name) for name in cls._fields]
            target = syntax.tuple_of(map(syntax.store, names), gast.Store())
            first = self.normal([gast.Assign([target], items, None)], plain)
            return first, self.calling(made, plain, list(map(syntax.load, names)))
        if known != len(cls._fields):
            return None                         # a TypeError, also where the class has defaults
        parts = items.elts if isinstance(items, (gast.List, gast.Tuple)) \
            else [gast.Starred(items, gast.Load())]
        return [], self.calling(made, plain, parts)

    def as_operator(self, value: gast.Call, plain: gast.Call, operator: type) -> Written | None:
        """`operator.add(p, q)` of what may be objects."""
        if len(plain.args) != 2 or plain.keywords \
                or all(isinstance(self.typer.kind(a), _NUMERIC) for a in value.args):
            return None
        return [], gast.copy_location(gast.BinOp(plain.args[0], operator(), plain.args[1]), plain)

    def by_name_of_attribute(self, value: gast.Call, plain: gast.Call,
                             function: Any) -> Written | None:
        """`getattr(p, "x")` and `setattr(p, "x", v)`, where the name is known; so is
        `object.__setattr__(p, "x", v)`, by which frozen objects are changed."""
        sets = function is not getattr
        if plain.keywords or len(plain.args) != 2 + sets \
                or not isinstance(plain.args[0], gast.Name):
            return None
        owner, name = map(self.typer.kind, value.args[:2])
        name = kinds.value_of(name)
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name) \
                or not isinstance(owner, (kinds.RecordKind, kinds.TupleKind)) \
                or name.startswith("__") or hasattr(owner.type, "__getattr__"):
            return None
        place = gast.Attribute(load(plain.args[0].id), name,
                               gast.Store() if sets else gast.Load())
        gast.copy_location(place, plain)
        if not sets:
            return [], place
        place.sets_field = function is not setattr
        return [gast.Assign([place], plain.args[2], None)], gast.Constant(None, None)

    def without_cache(self, value: gast.Call, plain: gast.Call, function: Any) -> Written | None:
        """A cached function, where nobody sees that its results are kept: arguments and result are
        numbers, and it does nothing but to compute them. One that calls itself takes its speed from
        what is kept."""
        given = [self.typer.kind(a) for a in (*value.args, *(k.value for k in value.keywords))]
        inside = function.__wrapped__
        if not isinstance(inside, types.FunctionType) or not any(map(kinds.can_vary, given)) \
                or not all(map(is_of_numbers, given)) or _reaches(inside, function):
            return None
        seen = gast.Call(self.inject(inside, inside.__name__), value.args, value.keywords)
        gast.copy_location(seen, value)
        if may_change(seen, self.typer.callee) is not None \
                or not is_of_numbers(self.typer.kind(seen)):
            return None
        return [], self.calling(seen.func, plain, plain.args)


def _is_generated(function: Any, name: str, cls: Any = None) -> bool:
    """Whether a method is that which every named tuple has, and of no class derived from one."""
    owner = getattr(function, "__self__", None) if cls is None else cls
    code: Any = getattr(getattr(function, "__func__", function), "__code__", None)
    return isinstance(owner, type) and is_named_tuple(owner) \
        and getattr(code, "co_name", "") == name \
        and code.co_filename == collections.namedtuple.__code__.co_filename


def _reaches(function: types.FunctionType, cached: Any) -> bool:
    """Whether a function may call a cached one again, itself or by what it names."""
    todo, known = [function], set()
    while todo:
        one = todo.pop()
        if id(one) in known:
            continue
        known.add(id(one))
        names = [one.__code__.co_names, *(c.co_names for c in one.__code__.co_consts
                                          if isinstance(c, types.CodeType))]
        meant = [one.__globals__.get(name) for part in names for name in part]
        for cell in one.__closure__ or ():
            try:
                meant.append(cell.cell_contents)
            except ValueError:
                return True                     # it is bound later, to what is not known
        for thing in meant:
            if thing is cached:
                return True
            inner = thing.__wrapped__ if isinstance(thing, functools._lru_cache_wrapper) else thing
            if isinstance(inner, types.FunctionType):
                todo.append(inner)
    return False
