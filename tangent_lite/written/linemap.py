"""Which line of the user each emitted line comes from."""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.emit import emit_lines
from tangent_lite.functions.units import Unit

LineMap = dict[int, tuple[str, int]]        # number of an emitted line -> (file, line)


def lines_of_units(units: list[Unit], first: int) -> LineMap:
    """The lines of functions that stand below each other, two empty lines apart.

    first: the number of the line of the first `def`.
    """
    found: LineMap = {}
    for unit in units:
        text, owners = emit_lines(unit.tree)
        for number, node in enumerate(owners, first):
            place = place_of(node, unit) if node is not None else None
            if place is not None:
                found[number] = place
        first += text.count("\n") + 2
    return found


def sums_of_units(units: list[Unit], first: int) -> frozenset[int]:
    """The lines of the same text in which the user adds in place to a variable: `x += v`."""
    found: set[int] = set()
    for unit in units:
        text, owners = emit_lines(unit.tree)
        found.update(number for number, node in enumerate(owners, first)
                     if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name)
                     and hasattr(node, "lineno") and _is_of_user(node, unit))
        first += text.count("\n") + 2
    return frozenset(found)


def _is_of_user(node: gast.AugAssign, unit: Unit) -> bool:
    """Of what was read in text that was emitted itself: whether the user's stands there."""
    source = getattr(node, "origin", None) or unit.source
    sums = getattr(source.function, "sums_of_user", None)
    return sums is None or node.lineno in sums()


def place_of(node: Any, unit: Unit) -> tuple[str, int] | None:
    """(file, line) of the statement of the user that an emitted statement is, or serves."""
    if node is unit.tree:
        return through(unit.source, unit.source.tree.lineno)
    spot = syntax.spot_of(node)
    if spot is None:
        return None
    line, origin = spot
    return through(origin or unit.source, line)


def through(source: Any, line: int) -> tuple[str, int] | None:
    """A line of a function; if that was emitted itself, the user's line that it comes from."""
    lines = getattr(source.function, "line_map", None)
    return (source.file, line) if lines is None else lines().get(line)
