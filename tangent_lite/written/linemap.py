"""Which line of the user each emitted line comes from."""
from __future__ import annotations

from typing import Any

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
