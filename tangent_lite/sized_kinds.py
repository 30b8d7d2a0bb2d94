"""Arguments whose shapes are known: kinds that say so, and the words for what that rests on."""
from __future__ import annotations

import dataclasses
import textwrap
from typing import Any

import gast
import numpy as np

from tangent_lite.kinds import NO_VALUE, Array, DictKind, Kind, Number, RecordKind, TupleKind
from tangent_lite.sizes import Assumptions
from tangent_lite.units import Derivative

WIDTH = 90


def sized(kind: Kind, value: Any, text: str, assumed: Assumptions) -> Kind:
    """The kind of an argument with the sizes of the arrays in it, and with its ints as sizes, for
    they are mostly told to say how large an array is; text: how Python gets at it.

    Lists have as many items as they have at the call, so nothing is known of those.
    """
    if isinstance(kind, Array):
        if type(value) not in (np.ndarray, np.memmap) or not kind.ndim:
            return kind
        return dataclasses.replace(kind, shape=assumed.sizes_of(text, value.shape))
    if isinstance(kind, Number):
        return dataclasses.replace(kind, size=assumed.size_of(text, value)) \
            if type(value) is int and kind.value is NO_VALUE else kind
    if isinstance(kind, TupleKind):
        parts = [(item, f"{text}[{k}]") for k, item in enumerate(value)]
    elif isinstance(kind, DictKind) and all(type(key) in (str, int) for key in kind.keys):
        parts = [(value[key], f"{text}[{key!r}]") for key in kind.keys]
    elif isinstance(kind, RecordKind):
        parts = [(getattr(value, name), f"{text}.{name}") for name in kind.fields]
    else:
        return kind
    return dataclasses.replace(kind, items=tuple(
        sized(inner, item, path, assumed) for inner, (item, path) in zip(kind.items, parts)))


def state(derivative: Derivative, noted: list[str]) -> None:
    """Let the docstring of a derivative say for which arguments it was written, in place."""
    first = derivative.main.tree.body[0]
    if noted and isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant):
        said = textwrap.wrap(f"Written for {', '.join(noted)}.", WIDTH)
        first.value.value = "\n".join([first.value.value, "", *(f"    {s}" for s in said), "    "])
