"""What a function that is called is told of the shapes of its arguments.

The function is looked at once for each layout: which arguments have the same shape, and, where that
is known, which sizes these have. Tokens are renamed in the order of the parameters, so that calls
with other arrays of the same layout are served by what was made for the first.

What is written out in a call is known in the function as well: `power(x, 2)` has another derivative
than `power(x, 3)`, and `part(params, "W")` than `part(params, "b")`.

>>> layouts, vector = Layouts(), Array(1, "float", 7)
>>> [kind.shape for kind in layouts.seen(len, {"x": vector, "y": vector}).values()]
[('of', 0), ('of', 0)]
"""
from __future__ import annotations

import dataclasses
import itertools
from types import FunctionType
from typing import Any

from tangent_lite.kinds import (
    DERIVED,
    EMPTY,
    FLOAT,
    NO_VALUE,
    PENDING,
    TEXT,
    Array,
    DictKind,
    DuckArray,
    Kind,
    ListKind,
    MapKind,
    Nothing,
    Number,
    Text,
    TupleKind,
    how_unknown,
    new_shape,
)
from tangent_lite.kinds.duck import replaced
from tangent_lite.shapes.sizes import Base, Each, InItem, Size, Sizes, unknown_size

# For so many layouts a function is looked at; for others without a look at shapes.
MOST = 4
# So many arguments that are written out are known in a function; of others, only the kind.
MOST_LITERALS = 16


class Layouts:
    """The layouts with which functions are called in one derivative."""

    def __init__(self) -> None:
        self.met: dict[Any, dict[Any, None]] = {}
        self.literals: dict[Any, dict[Any, None]] = {}
        # Functions that are being looked at: if they call themselves, it is mostly with arguments
        # of another shape, and of yet another one next time.
        self.underway: list[Any] = []

    def seen(self, function: Any, given: dict[str, Kind]) -> dict[str, Kind]:
        """The kinds of the arguments, as the function that is called sees them."""
        given = _to_be_filled(function, given)
        found = _renamed(given)
        if itself(function) not in map(itself, self.underway):
            key, literals = (function, tuple(given.items())), _literals_of(found)
            known = self.literals.setdefault(key, {})
            if literals not in known and len(known) >= MOST_LITERALS:
                found = {name: replaced(kind, _no_literal) for name, kind in found.items()}
                literals = _literals_of(found)
            known[literals] = None
            layouts = self.met.setdefault((key, literals), {})
            layout = layout_of(found)
            if layout in layouts or len(layouts) < MOST:
                layouts[layout] = None
                return found
        return alone(given)


def _to_be_filled(function: Any, given: dict[str, Kind]) -> dict[str, Kind]:
    """The kinds of arguments, where an empty list or dict that a twin fills
    (`functions/giving_back`) counts as one of numbers: it is, and else there were code for the
    first call, and the same once more for those behind it. That it holds nothing else then is
    looked at where it is called."""
    back = getattr(function, "sharing", None)
    names = getattr(function, "changes", ()) if back is None else getattr(back, "names", ())
    filled = {name: _of_numbers(given[name]) for name in names if name in given}
    return {name: filled.get(name, kind) for name, kind in given.items()}


def _of_numbers(kind: Kind) -> Kind:
    if isinstance(kind, ListKind) and kind.item in (EMPTY, PENDING):
        return dataclasses.replace(kind, item=FLOAT)
    if isinstance(kind, DictKind) and not kind.keys and not kind.makes:
        return MapKind(FLOAT, EMPTY, sites=kind.sites)
    return kind


def itself(function: Any) -> Any:
    """The function of the user that a function is a twin of (`functions/giving_back`), or that is
    its own: what calls either calls both."""
    return vars(function).get("twin_of", function) if isinstance(function, FunctionType) \
        else function


def key_of(function: Any, parameter_kinds: dict[str, Kind]) -> Any:
    """What is equal for calls that can be served by the same code."""
    return function, tuple(parameter_kinds.items()), layout_of(parameter_kinds)


def layout_of(parameter_kinds: dict[str, Kind]) -> tuple[Any, ...]:
    """What is known of shapes, sizes and literals beyond the kinds, and of what else equal kinds
    say."""
    found: list[Any] = [_literals_of(parameter_kinds)]

    def look(kind: Kind) -> Kind:
        found.append((kind.size, kind.is_mixed) if isinstance(kind, Number)
                     else getattr(kind, "shape", how_unknown(kind)))
        return kind

    for kind in parameter_kinds.values():
        replaced(kind, look)
    return tuple(found)


def _literals_of(parameter_kinds: dict[str, Kind]) -> tuple[Any, ...]:
    """What numbers and texts are known to be: kinds are equal whatever it is."""
    found: list[Any] = []

    def look(kind: Kind) -> Kind:
        if isinstance(kind, Number):        # 0.0 and -0.0, 1 and True are equal, and are not one
            found.append(None if kind.value is NO_VALUE else repr(kind.value))
        elif isinstance(kind, Text):
            found.append((kind.value, kind.start, kind.end))
        elif isinstance(kind, Nothing):
            found.append(kind.is_default)
        return kind

    for kind in parameter_kinds.values():
        replaced(kind, look)
    return tuple(found)


def _no_literal(kind: Kind) -> Kind:
    if isinstance(kind, Number) and kind.value is not NO_VALUE:
        return dataclasses.replace(kind, value=NO_VALUE)
    return TEXT if isinstance(kind, Text) else kind


def alone(given: dict[str, Kind]) -> dict[str, Kind]:
    """The kinds without anything that is known of shapes and literals: each array has a shape of
    its own."""
    count = itertools.count()

    def strip(kind: Kind) -> Kind:
        kind = _no_literal(kind)
        if isinstance(kind, Number) and kind.size is not None:
            return dataclasses.replace(kind, size=None)
        if isinstance(kind, (Array, DuckArray)) and kind.shape is not None:
            shape = None if isinstance(kind.shape, Each) else ("of", next(count))
            return dataclasses.replace(kind, shape=shape)
        return kind

    return {name: replaced(kind, strip) for name, kind in given.items()}


def is_alone(parameter_kinds: dict[str, Kind]) -> bool:
    """Whether nothing is known of the shapes of arguments."""
    return layout_of(parameter_kinds) == layout_of(alone(parameter_kinds))


def _renamed(given: dict[str, Kind]) -> dict[str, Kind]:
    names: dict[Any, tuple[str, int]] = {}

    def rename(shape: Any) -> Any:
        if shape is None or isinstance(shape, Each):
            return shape
        if isinstance(shape, Sizes):
            return Sizes(map(rename_size, shape.axes)) if shape.is_free else shape
        if isinstance(shape, tuple) and shape[0] in DERIVED:
            count = 1 + DERIVED[shape[0]]
            return (shape[0], *map(rename, shape[1:count]), *shape[count:])
        return names.setdefault(shape, ("of", len(names)))

    def rename_size(size: Size) -> Size:
        if isinstance(size.value, InItem):
            reading = names.setdefault(size.value.reading, ("of", len(names)))
            return size.in_item(reading)
        return Size(None, {Base(f"?{names.setdefault(size, ('of', len(names)))}",
                                size.is_natural): 1}, 0) if size.is_free else size

    def look(kind: Kind) -> Kind:
        if isinstance(kind, (Array, DuckArray)):
            return dataclasses.replace(kind, shape=rename(kind.shape))
        if isinstance(kind, Number) and kind.size is not None and kind.size.is_free:
            return dataclasses.replace(kind, size=rename_size(kind.size))
        return kind

    return {name: replaced(kind, look) for name, kind in given.items()}


def to_each_other(given: dict[str, Kind]) -> dict[str, Kind]:
    """The kinds with what is known of shapes and sizes among them alone: which are the same. What
    rests on them holds for whoever calls with such arguments."""
    sizes: dict[Size, Size] = {}

    def freed(size: Size) -> Size:
        return sizes.setdefault(size, unknown_size()) if size.terms and not size.is_free else size

    def free(kind: Kind) -> Kind:
        if isinstance(kind, (Array, DuckArray)):
            shape = kind.shape
            if isinstance(shape, Sizes):
                return dataclasses.replace(kind, shape=Sizes(map(freed, shape.axes)))
            if shape is None or isinstance(shape, Each):
                return kind
            return kind if not (isinstance(shape, tuple) and shape[0] in DERIVED) \
                else dataclasses.replace(kind, shape=new_shape())
        if isinstance(kind, Number) and kind.size is not None:
            return dataclasses.replace(kind, size=None)
        return kind

    return {name: replaced(kind, free) for name, kind in given.items()}


def for_caller(kind: Kind, with_sizes: bool = True) -> Kind:
    """The kind of a result for the caller, where the tokens of the function that is called mean
    nothing: arrays have shapes of their own, those in lists and objects each another one.
    with_sizes: what sizes they have holds there as well."""
    if isinstance(kind, (Array, DuckArray)):
        if not with_sizes or not _is_settled(kind.shape):
            kind = dataclasses.replace(kind, shape=_settled_sizes(kind.shape) if with_sizes
                                       else new_shape())
        return kind
    if isinstance(kind, (TupleKind, DictKind)):
        return dataclasses.replace(kind, items=tuple(
            for_caller(item, with_sizes) for item in kind.items))

    def strip(part: Kind) -> Kind:
        if isinstance(part, Number):
            return part if with_sizes and not (part.size and part.size.is_free) \
                else dataclasses.replace(part, size=None)
        is_known = with_sizes and _is_settled(getattr(part, "shape", None))
        return dataclasses.replace(part, shape=None) \
            if isinstance(part, (Array, DuckArray)) and not is_known else part

    return replaced(kind, strip)


def _settled_sizes(shape: Any) -> Any:
    """A shape of its own, but for the sizes of it that are those of arguments."""
    if not isinstance(shape, Sizes) or all(size.is_free for size in shape.axes):
        return new_shape()
    return Sizes(unknown_size() if size.is_free else size for size in shape.axes)


def without_shapes(kind: Kind) -> Kind:
    """What is known of a value beside shapes, and beside sizes of them."""
    def strip(part: Kind) -> Kind:
        if isinstance(part, Number):
            return dataclasses.replace(part, size=None)
        return dataclasses.replace(part, shape=None) \
            if isinstance(part, (Array, DuckArray)) else part

    return replaced(kind, strip)


def _is_settled(shape: Any) -> bool:
    return isinstance(shape, Sizes) and not shape.is_free
