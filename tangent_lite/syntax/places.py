"""Where nodes stand in the text of the user, and what stands there too. Had from `syntax`.

What is written for a statement of the user stands where that stands, so that errors, comments and
tracebacks name the line: an expression always does; a statement of ours may stand nowhere.
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from tangent_lite.nodes import NODES, PARTS, copy_location, walk

COMPOUND = (gast.If, gast.For, gast.While)      # what contains statements, in the form of anf


def copy_place(node: Any, place: Any) -> Any:
    """Let a node stand where another stands, be it in the text of another function."""
    copy_location(node, place)
    if hasattr(place, "origin"):
        node.origin = place.origin
    return node


def placed(node: Any, place: Any) -> Any:
    """Let a statement or an expression stand where another stands, and with it the expressions in
    it that stand nowhere yet; the statements in it are placed by themselves."""
    copy_place(node, place)
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, gast.expr) and not hasattr(part, "lineno"):
            copy_place(part, place)
        values = part.__dict__
        for field in PARTS[part.__class__]:
            value = values.get(field)
            todo += [one for one in (value if value.__class__ is list else (value,))
                     if one.__class__ in NODES and not isinstance(one, gast.stmt)]
    return node


def stand_at(made: list[Any], place: Any) -> list[Any]:
    """Let statements of ours, and the expressions in them, stand where another stands."""
    for node in made:
        copy_place(node, place)
        for part in walk(node):
            if isinstance(part, gast.expr):
                copy_place(part, place)
    return made


def place_within(node: Any, place: Any) -> None:
    """Let what stands nowhere yet, of a node and all in it, stand where another stands."""
    for part in walk(node):
        if isinstance(part, (gast.stmt, gast.expr)) and not hasattr(part, "lineno"):
            copy_location(part, place)
            if hasattr(place, "origin") and not hasattr(part, "origin"):
                part.origin = place.origin


def move(node: Any, place: Any) -> None:
    """Let a node stand where another stands, wherever it stood."""
    vars(node).pop("origin", None)
    copy_place(node, place)


def serve(block: Iterable[gast.stmt], node: gast.stmt) -> None:
    """Note of statements of ours that they serve a statement of the user (see `spot`). What stands
    in one of which that is noted serves what it stands in, or is noted too."""
    spot = spot_of(node)
    if spot is None:
        return
    todo = list(block)
    while todo:
        one = todo.pop()
        if spot_of(one) is None:
            one.spot = spot
            if isinstance(one, COMPOUND):
                todo += one.body + one.orelse


def spot_of(node: gast.AST) -> tuple[int, Any] | None:
    """(line, origin) of the statement of the user that a statement is or serves."""
    given = node.__dict__
    if "lineno" in given:
        return given["lineno"], given.get("origin")
    return given.get("spot")
