"""Python's max and min: of several numbers, of a list, a tuple or a vector; and their adjoints.

They compare one after the other, which matters for nan. Ties share an adjoint equally.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from tangent_lite import runtime
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_containers import is_dict
from tangent_lite.backends.numba_functions import (
    is_array,
    is_real,
    stop,
    value_of,
    written_function,
)
from tangent_lite.backends.numba_overloads import compiled_for


@compiled_for(max)
def largest(*numbers):
    return _extreme(numbers, ">")


@compiled_for(min)
def smallest(*numbers):
    return _extreme(numbers, "<")


def _extreme(numbers, sign):
    """numbers: the types of the arguments, which Numba may hand over in a tuple of its own."""
    if len(numbers) == 1 and isinstance(numbers[0], (types.StarArgTuple, types.StarArgUniTuple)):
        numbers = numbers[0].types
    text = "numbers"
    if len(numbers) == 1:                   # max(items)
        text, items = "numbers[0]", numbers[0]
        if _is_sequence(items):
            return written_function(
                ["def run(*numbers):", *_of_items(text, sign), "    return best"],
                {"stop": stop})
        if not isinstance(items, types.BaseTuple) or is_dict(items) or not len(items):
            return None
        numbers = items.types
    if not all(map(is_real, numbers)):
        return None
    return written_function(
        ["def run(*numbers):", *_of_parts([f"{text}[{k}]" for k in range(len(numbers))], sign),
         "    return best"], {})


def _is_sequence(kind: Any) -> bool:
    """Whether a type is that of real numbers in a list, or in a vector."""
    if isinstance(kind, (types.List, types.RangeType)):
        return is_real(kind.dtype)
    return is_array(kind) and kind.ndim == 1 and is_real(kind.dtype)


def _of_items(items: str, sign: str) -> list[str]:
    """Lines that bind `best` to the extreme of a sequence; Python raises where it is empty."""
    return [f"    items = {items}", "    if len(items) == 0:", "        stop()",
            "    best = items[0]", "    for k in range(1, len(items)):",
            f"        if items[k] {sign} best:", "            best = items[k]"]


def _of_parts(parts: list[str], sign: str) -> list[str]:
    lines = [f"    best = {parts[0]}"]
    for number, part in enumerate(parts[1:]):
        name = f"x{number}"
        lines += [f"    {name} = {part}", f"    best = {name} if {name} {sign} best else best"]
    return lines


# Adjoints -----------------------------------------------------------------------------------------
@overload(runtime.largest_part, prefer_literal=True)
def _largest_part(dy, k, xs):
    return _part(dy, k, xs, ">")


@overload(runtime.smallest_part, prefer_literal=True)
def _smallest_part(dy, k, xs):
    return _part(dy, k, xs, "<")


def _shares(parts: list[str]) -> list[str]:
    """What each receives of dy; the first all of it if it is nan, which the extreme is then."""
    rest = ["dy if best != best else 0.0", *["0.0" for _ in parts[1:]]]
    return [f"(dy / hits if {part} == best else {other})" for part, other in zip(parts, rest)]


def _part(dy, k, xs, sign):
    if not isinstance(xs, types.BaseTuple) or not len(xs) or not is_real(dy):
        return None
    items = xs.types[0]
    if len(xs) > 1 or is_real(items):
        return _part_of_numbers([f"xs[{j}]" for j in range(len(xs))], xs.types, value_of(k), sign)
    if isinstance(items, types.BaseTuple) and not is_dict(items) and all(map(is_real, items.types)):
        parts = [f"xs[0][{j}]" for j in range(len(items))]
        return written_function(
            ["def run(dy, k, xs):", *_of_parts(parts, sign), *_count(parts),
             f"    return [{', '.join(_shares(parts))}]"], {})
    if not _is_sequence(items):
        return None
    made = "np.zeros(len(items))" if is_array(items) else "[0.0 for _ in range(len(items))]"
    return written_function(
        ["def run(dy, k, xs):", *_of_items("xs[0]", sign), "    hits = 0",
         "    for j in range(len(items)):", "        hits += items[j] == best",
         f"    shares = {made}", "    for j in range(len(items)):",
         "        if items[j] == best:", "            shares[j] = dy / hits",
         "    if hits == 0:", "        shares[0] = dy",
         "    return shares"], {"stop": stop, "np": np})


def _part_of_numbers(parts, kinds, number, sign):
    if not all(map(is_real, kinds)) or type(number) is not int:
        return None
    return written_function(
        ["def run(dy, k, xs):", *_of_parts(parts, sign), *_count(parts),
         f"    return {_shares(parts)[number]}"], {})


def _count(parts: list[str]) -> list[str]:
    return [f"    hits = {' + '.join(f'({part} == best)' for part in parts)}"]
