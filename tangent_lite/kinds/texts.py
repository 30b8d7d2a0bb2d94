"""Kinds of texts that are made as the program runs: how they begin and end.

    params[f"W{k}"]             one of the keys that begin with W
    params[name + "_bias"]      one of those that end with _bias

So of a dict that holds matrices and vectors it is known which of the two is read.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import gast

from tangent_lite.kinds import BOOL, INT, NO_VALUE, TEXT, Kind, ListKind, Text, TupleKind


def made_of(parts: Iterable[Kind]) -> Text:
    """The kind of the texts behind one another; of what is no text it is not known what it prints.

    >>> made_of([Text("W", "W", "W"), TEXT, Text("_x", "_x", "_x")])
    Text(value=NO_VALUE, start='W', end='_x')
    """
    found = [part if isinstance(part, Text) else TEXT for part in parts]
    if not found:
        return Text("", "", "")
    return Text(NO_VALUE, _beginning([(p.value, p.start) for p in found]),
                _beginning([(_backwards(p.value), p.end[::-1]) for p in reversed(found)])[::-1])


def of_operator(op: gast.operator, left: Text, right: Kind) -> Text:
    """The kind of `left op right`, left being a text.

    >>> of_operator(gast.Mod(), Text("W%d_%d", "W%d_%d", "W%d_%d"), TEXT)
    Text(value=NO_VALUE, start='W', end='')
    """
    if isinstance(op, gast.Add):
        return made_of([left, right])
    return filled(left, "%") if isinstance(op, gast.Mod) else TEXT


def formatted(pattern: Kind, *values: Kind, **named: Kind) -> Text:
    """The kind of `pattern.format(...)`."""
    return filled(pattern, "{}")


def cut(*given: Kind, **options: Kind) -> ListKind:
    """The kind of `text.split()`."""
    return ListKind(TEXT)


def filled(pattern: Kind, marks: str) -> Text:
    """The kind of a text with something in the place of what stands between marks; two of them are
    one that stays, so no more is known of what follows."""
    text = pattern.value if isinstance(pattern, Text) else None
    return Text(NO_VALUE, re.split(f"[{marks}]", text)[0]) if isinstance(text, str) else TEXT


def _beginning(parts: list[tuple[object, str]]) -> str:
    """How texts behind one another begin; parts: the value of each, if it is known, and how it
    begins."""
    found = ""
    for value, start in parts:
        found += start
        if not isinstance(value, str):
            break
    return found


def _backwards(value: object) -> object:
    return value[::-1] if isinstance(value, str) else value


def _always(kind: Kind) -> Callable[..., Kind]:
    return lambda *given, **options: kind


# What other methods of texts give.
_GIVEN: dict[Any, Kind] = {
    **dict.fromkeys((str.strip, str.lstrip, str.rstrip, str.replace, str.lower, str.upper,
                     str.title, str.capitalize, str.swapcase, str.casefold, str.removeprefix,
                     str.removesuffix, str.zfill, str.ljust, str.rjust, str.center,
                     str.expandtabs, str.join), TEXT),
    **dict.fromkeys((str.index, str.rindex, str.find, str.rfind, str.count), INT),
    **dict.fromkeys((str.startswith, str.endswith, str.isdigit, str.isalpha, str.isalnum,
                     str.isdecimal, str.isnumeric, str.isspace, str.islower, str.isupper,
                     str.isidentifier), BOOL),
    **dict.fromkeys((str.partition, str.rpartition), TupleKind((TEXT, TEXT, TEXT)))}
OF_METHODS = {function: _always(kind) for function, kind in _GIVEN.items()}
