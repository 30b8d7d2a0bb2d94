"""Arguments whose shapes are known: kinds that say so, and the words for what that rests on."""
from __future__ import annotations

import dataclasses
import textwrap
from typing import Any

import gast
import numpy as np

from tangent_lite.calling.keys import key_of
from tangent_lite.functions.units import Derivative
from tangent_lite.kinds import (
    NO_VALUE,
    Array,
    DictKind,
    Kind,
    ListKind,
    Number,
    OneOf,
    RecordKind,
    TupleKind,
    kind_of,
    of_one_class,
    value_at,
    with_parts,
)
from tangent_lite.shapes.assumptions import Assumptions
from tangent_lite.shapes.told_items import MOST_ITEMS, GivenItems

WIDTH = 90
_KEPT = "\0"                   # a space at which no line breaks


def sized(kind: Kind, value: Any, text: str, assumed: Assumptions) -> Kind:
    """The kind of an argument with the sizes of the arrays in it, and with its ints as sizes, for
    they are mostly told to say how large an array is; text: how Python gets at it.

    Lists have as many items as they have at the call, so nothing is known of those.
    """
    if isinstance(kind, Array):
        if type(value) not in (np.ndarray, np.memmap) or not kind.ndim or assumed.only_items:
            return kind
        return dataclasses.replace(kind, shape=assumed.sizes_of(text, value.shape))
    if isinstance(kind, Number):
        return dataclasses.replace(kind, size=assumed.size_of(text, value)) \
            if type(value) is int and kind.value is NO_VALUE and not assumed.only_items else kind
    if isinstance(kind, ListKind) and type(value) is list and value:
        return ListKind(kind.item if assumed.only_items
                        else _of_each(kind.item, value, text, "", assumed),
                        _given_items(kind.item, value, text, assumed))
    return with_parts(kind, [sized(part, item, text + path, assumed)
                             for part, item, path in _parts(kind, value)])


def _parts(kind: Kind, value: Any) -> list[tuple[Kind, Any, str]]:
    """The parts of a container of which it is known how many there are: the kind of each, the part,
    and how Python gets at it."""
    if isinstance(kind, TupleKind):
        return [(part, item, f"[{k}]") for k, (part, item) in enumerate(zip(kind.items, value))]
    if isinstance(kind, DictKind) and all(type(key) in (str, int) for key in kind.keys):
        return [(part, value[key], f"[{key!r}]") for part, key in zip(kind.items, kind.keys)]
    if isinstance(kind, RecordKind):
        return [(part, getattr(value, name), f".{name}")
                for part, name in zip(kind.items, kind.fields)]
    return []


def _given_items(kind: Kind, values: list[Any], text: str,
                 assumed: Assumptions) -> GivenItems | None:
    """The items of a list of objects, or of tuples that hold such."""
    if not assumed.tells_items or len(values) > MOST_ITEMS \
            or not isinstance(kind, (OneOf, RecordKind)):
        return None
    path = kind.path if isinstance(kind, OneOf) else ()
    classes = [type(value_at(value, path)) for value in values]
    found = [of_one_class(kind, cls) if isinstance(kind, OneOf) else kind for cls in classes]
    # What holds nothing is known by its class.
    own = [kind_of(value) if getattr(one, "items", ()) else one
           for value, one in zip(values, found)]
    if not all(isinstance(one, (RecordKind, TupleKind)) for one in own):
        return None
    keys = tuple(map(key_of, values))
    is_told = len({*zip(classes, keys)}) == len({*classes})     # those of a class are alike
    return GivenItems(
        tuple(sized(one, value, f"{text}[{k}]", assumed)
              for k, (one, value) in enumerate(zip(own, values))), text, assumed,
        tuple(classes), path, None if is_told else keys)


def _of_each(kind: Kind, values: list[Any], text: str, path: str, assumed: Assumptions) -> Kind:
    """The kind of a part of each item of a list; values: that part of all of them."""
    if isinstance(kind, Array):
        if not kind.ndim or any(type(v) not in (np.ndarray, np.memmap) for v in values):
            return kind
        return dataclasses.replace(
            kind, shape=assumed.each_of(text, path, [v.shape for v in values]))
    if isinstance(kind, OneOf) and not kind.path:
        return with_parts(kind, [
            _of_each(one, [value for value in values if type(value) is one.type],
                     assumed.of_class(text, one.type), path, assumed) for one in kind.options])
    columns = zip(*[_parts(kind, value) for value in values])
    return with_parts(kind, [_of_each(column[0][0], [item for _, item, _ in column], text,
                                      path + column[0][2], assumed) for column in columns])


def state(derivative: Derivative, noted: list[str]) -> None:
    """Let the docstring of a derivative say for which arguments it was written, in place."""
    first = derivative.main.tree.body[0]
    if noted and isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant):
        # Lines break between conditions, unless one is longer than a line.
        whole = [one.replace(" ", _KEPT) if len(one) < WIDTH else one for one in noted]
        said = [line.replace(_KEPT, " ")
                for line in textwrap.wrap(f"Written for {', '.join(whole)}.", WIDTH,
                                          break_on_hyphens=False)]
        first.value.value = "\n".join([first.value.value, "", *(f"    {s}" for s in said), "    "])
