"""The way into a variant along a direction: `jvp` and `hvp` of numbers and arrays.

    def push(values, tangents):
        try:
            x0, = values
            d0, = tangents
        except ValueError:
            return ELSEWHERE
        if not (type(x0) is ndarray and x0.ndim == 1 and x0.dtype is x0_dtype
                and type(d0) is ndarray and d0.dtype is x0_dtype and d0.shape == x0.shape and ...):
            return ELSEWHERE
        found = main(x0, d0)
        if type(found) is ndarray and found.dtype is x0_dtype and found.shape == x0.shape and ...:
            return found
        return finish(found, values, [d0])

It takes tangents that are as their values are, and says ELSEWHERE to all else. As in the way into a
gradient (see `entry`), what `finish` does to the result is left out where that is nothing.
"""
from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tangent_lite.calling.collector import resting
from tangent_lite.calling.keys import ELSEWHERE, PLAIN
from tangent_lite.calling.resolve import MISSING
from tangent_lite.entry.asking import Shapes, is_like, leave_unless
from tangent_lite.entry.meanings import names_mean_the_same
from tangent_lite.tracebacks import THE_WAY_INTO

_numbers = itertools.count(1)


@resting()
def push_entry(variant: Any, values: Sequence[Any]) -> Callable[..., Any] | None:
    """The function of (values, tangents) for arguments like these, and tangents that are as the
    arguments are; None if it takes more than that."""
    if variant.request.form not in ("jvp", "tangent") or variant.has_ducks \
            or variant.sharing.is_needed or not _is_plain(variant, values):
        return None
    names = [f"x{k}" for k in range(len(values))]
    spots = [*variant.spots_asked]
    space: dict[str, Any] = {"main": variant.main, "finish": variant.pushed_forward,
                             "ndarray": np.ndarray, "ELSEWHERE": ELSEWHERE,
                             "MISSING": MISSING}
    shapes = Shapes(variant, values, names, space)
    tests = [is_like(names[k], v, space, not shapes.are_compared) for k, v in enumerate(values)]
    tests += names_mean_the_same(variant, space)
    along = [f"d{k}" for k in range(len(spots))]
    space.update({f"seed_{k}": seed for k, seed in enumerate(variant.seeds.values())})
    of_name = {path[0]: d for path, d in zip(variant.asked, along)}
    moved = [of_name[path[0]] for path in variant.paths]
    order = [*names, *(f"seed_{k}" for k in range(len(variant.seeds))), *moved]
    given = ", ".join(order[k] for k in variant.order_of_main)
    lines = ["def push(values, tangents):", "    try:", f"        {_unpacked(names)} = values",
             f"        {_unpacked(along)} = tangents", "    except ValueError:",
             "        return ELSEWHERE",
             *leave_unless(tests), *shapes.fit(),
             *leave_unless([test for d, spot in zip(along, spots)
                            for test in _alike(d, names[spot], values[spot])]),
             f"    found = main({given})",
             *_returned(variant, values, names, along),
             f"    return finish(found, values, [{', '.join(moved)}])"]
    text = "\n".join(lines) + "\n"
    filename = f"{THE_WAY_INTO}{variant.derivative.main.name} along {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    exec(compile(text, filename, "exec"), space)
    push: Callable[..., Any] = space["push"]
    return push


def _is_plain(variant: Any, values: Sequence[Any]) -> bool:
    """Whether arguments are numbers and arrays, and what is asked for are parameters that are."""
    return all(type(v) in PLAIN or type(v) is np.ndarray for v in values) \
        and all(len(path) == 1 for path in [*variant.asked, *variant.paths]) \
        and {path[0] for path in variant.paths} <= {path[0] for path in variant.asked} \
        and all(_varies(values[spot]) for spot in variant.spots_asked)


def _varies(value: Any) -> bool:
    return type(value) is float or (type(value) is np.ndarray and value.dtype.kind in "fc")


def _unpacked(names: list[str]) -> str:
    return f"({', '.join(names)},)" if names else "()"


def _alike(tangent: str, name: str, value: Any) -> list[str]:
    """Whether a tangent is what its value is; else it is looked at closer."""
    if type(value) is float:
        return [f"type({tangent}) is {name}_type"]
    return [f"type({tangent}) is ndarray", f"{tangent}.dtype is {name}_dtype",
            f"{tangent}.shape == {name}.shape"]


def _returned(variant: Any, values: Sequence[Any], names: list[str],
              along: list[str]) -> list[str]:
    """The lines that return what is as it is to be returned: numbers, and arrays of its own."""
    arrays = [n for n, v in zip(names, values) if type(v) is np.ndarray]
    arrays += [d for d, spot in zip(along, variant.spots_asked)
               if type(values[spot]) is np.ndarray]
    known = ", ".join(f"id({n}), id({n}.base)" for n in arrays)
    own = f"is ndarray and {{0}}.dtype is {{1}} and {{0}}.shape == {{2}} and {{0}}.base is None " \
          f"and {{0}}.flags.writeable and id({{0}}) not in ({known}{', ' if known else ''})"
    if variant.form == "tangent":
        spot = variant.spot_of_gradient
        if spot is None or not _varies(values[spot]):
            return []
        name = names[spot]
        is_so = f"type(found) is {name}_type" if type(values[spot]) is float else \
            f"type(found) {own.format('found', f'{name}_dtype', f'{name}.shape')}"
        return [f"    if {is_so}:", "        return found"]
    if variant.request.derived is not None:
        return []
    return ["    value, moved = found",
            "    if type(value) is float and type(moved) is float or type(value) is ndarray "
            f"and type(moved) {own.format('moved', 'value.dtype', 'value.shape')} "
            "and moved is not value:",
            "        return value, moved"]
