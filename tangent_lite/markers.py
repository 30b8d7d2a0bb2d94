"""Marks in straight-line code, where a block that Python enters or leaves begins and ends.

    with lock:                      "enter"(lock)
        y = x * x           =>      y = x * x
                                    "exit"()

    try:                            succeeded = "try"(ValueError)
        y = math.sqrt(x)            if succeeded:
    except ValueError:      =>          y = math.sqrt(x)
        y = 0.0                     else:
                                        y = 0.0

    try:                            "begin"()
        y = x * x                   y = x * x
    finally:                =>      "finally"()
        done()                      done()
                                    "end"()

A mark is a call of a literal, so no code of the user looks like one, and no pass knows a rule for
it: nothing moves across it. `enclose` writes the marks, `unclose` makes blocks of them again.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import syntax


@dataclass(frozen=True)
class Marker:
    """What a mark stands for, and the number of the block that it belongs to.

    The kinds: "enter" and "exit" of a with; "try" (gives which way was taken), "else" and "caught"
    (gives the exception); "begin", "finally" and "end"; "deleted" (what `del x` binds x to).
    """
    kind: str
    region: int
    mirrored: bool = False          # a with that the backward pass enters, too
    manager: gast.expr | None = None    # what it enters then
    handlers: int = 0               # of a try


def mark(marker: Marker, *args: gast.expr) -> gast.Call:
    """The call that is a mark."""
    made = gast.Call(gast.Constant(marker.kind, None), list(args), [])
    made.marker = marker
    return made


def marker_of(node: gast.AST) -> Marker | None:
    """The mark that a statement is; None for all other statements."""
    value: Any = node.__dict__.get("value")
    return value.__dict__.get("marker") if value.__class__ is gast.Call else None


def tests(test: gast.expr, region: int, handler: int | None = None) -> gast.expr:
    """A condition that chooses between the ways out of a try: its body, or one of its handlers."""
    test.way = (region, handler)
    return test


def way_of(node: gast.AST) -> tuple[int, int | None] | None:
    """(region, None) of an `if` over the body of a try; (region, number) of one over a handler."""
    test = getattr(node, "test", None)
    if isinstance(test, gast.UnaryOp):
        test = test.operand
    return getattr(test, "way", None)


def untied(test: gast.expr) -> gast.expr:
    """The condition as one like any other."""
    if hasattr(test, "way"):
        del test.way
    return test


def is_attempt(node: gast.AST) -> bool:
    """Whether a statement is the `if` whose body is the body of a try."""
    way = way_of(node)
    return way is not None and way[1] is None


def attempted(node: gast.If) -> list[gast.stmt]:
    """The statements of a try that its handlers watch over."""
    for number, one in enumerate(node.body):
        marker = marker_of(one)
        if marker is not None and marker.kind == "else" and (marker.region, None) == way_of(node):
            return node.body[:number]
    return node.body


def where_finally(block: list[gast.stmt], number: int) -> tuple[int, int] | None:
    """What runs in a block when the statement at a place raises an exception: from where to where.
    """
    found = None
    for later in range(number + 1, len(block)):
        marker = marker_of(block[later])
        if marker is None:
            continue
        if found is None and marker.kind == "finally" and any(
                marker_of(n) == Marker("begin", marker.region) for n in block[:number + 1]):
            found = later, marker.region
        elif found is not None and (marker.kind, marker.region) == ("end", found[1]):
            return found[0], later
    return None


def has_marks(body: list[gast.stmt]) -> bool:
    return any(marker_of(node) is not None for node in syntax.statements(body))
