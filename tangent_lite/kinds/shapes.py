"""Tokens for shapes: two arrays with one token have the same shape whenever the program runs.

A token may be `Sizes`, which say what that shape is in terms of those of the arguments. In a list
it may be `Each`: what the arrays in one item have in common.
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tangent_lite.shapes import anew
from tangent_lite.shapes.sizes import DERIVE, Each, Sizes, spread, unknown_size


def new_shape() -> int:
    """A token for a shape that equals no other."""
    return anew.token()


# How many shapes a shape is made of, by how it is made; what stands behind them is fixed.
DERIVED = {"trimmed": 1, "reduced": 1, "without": 1, "reversed": 1, "rows": 1, "columns": 1,
           "product": 2}


def derived_shape(how: str, *parts: Any) -> Any:
    """A token for a shape that depends on other shapes alone: the same for the same ones.

    Not of a shape that may be another in each iteration: what an iteration kept of the one before
    would seem to have the shape that it has now.

    >>> a, b = new_shape(), new_shape()
    >>> derived_shape("product", a, b) == derived_shape("product", a, b)
    True
    >>> derived_shape("product", a, None) == derived_shape("product", a, None)
    False
    """
    if any(map(_is_passing, parts)):
        return new_shape()
    shapes = parts[:DERIVED[how]]
    if all(isinstance(shape, Sizes) for shape in shapes):
        return DERIVE[how](*parts)
    return (how, *parts)


def _is_passing(shape: Any) -> bool:
    return shape is None or isinstance(shape, Each) \
        or (isinstance(shape, tuple) and bool(shape) and shape[0] == "head")


def broadcast_shape(found: Iterable[Any]) -> Any:
    """A token for the shape to which some shapes are spread."""
    shapes = dict.fromkeys(found)           # in their order, so that the text is always the same
    if len(shapes) == 1 and None not in shapes:
        return next(iter(shapes))
    if any(map(_is_passing, shapes)):
        return new_shape()
    if all(isinstance(shape, Sizes) for shape in shapes):
        return spread(list(shapes)) or new_shape()
    parts = frozenset(one for shape in shapes for one in (
        shape[1] if isinstance(shape, tuple) and shape[0] == "broadcast" else (shape,)))
    return next(iter(parts)) if len(parts) == 1 else ("broadcast", parts)


def one_shape(a: Any, b: Any) -> bool:
    """Whether two tokens stand for the same shape, whenever what is assumed of sizes holds."""
    return a == b or (isinstance(a, Sizes) and isinstance(b, Sizes) and a.match(b))


def sizes_in_common(one: Any, other: Any) -> Sizes | None:
    """The sizes of an array that is of the one shape or of the other; None where neither is known
    by its sizes, or they have none in common."""
    if not isinstance(one, Sizes) or not isinstance(other, Sizes) \
            or len(one.axes) != len(other.axes):
        return None
    same = [a.surely_equals(b) for a, b in zip(one.axes, other.axes)]
    return Sizes(a if is_same else unknown_size() for a, is_same in zip(one.axes, same)) \
        if any(same) else None


def shape_at_head(before: Any, behind: Any, own: set[Any]) -> Any:
    """A token for the shape that an array has at the head of a loop: in one iteration, though not
    the same in all of them. before, behind: the tokens on the way in and on the way back; own: of
    tokens and sizes, those that are this loop's, in place.

    No two arrays have one of these in common: while one is changed, the other may be as it was.
    """
    if isinstance(before, Sizes) and isinstance(behind, Sizes) \
            and len(before.axes) == len(behind.axes):
        axes = []
        for one, other in zip(before.axes, behind.axes):
            if not one.equals(other) and one not in own:
                one = unknown_size()
                own.add(one)
            axes.append(one)
        return Sizes(axes)
    if before in own:
        return before
    token = ("head", new_shape())
    own.add(token)
    return token


def shape_behind(shape: Any, own: set[Any]) -> Any:
    """A token for the shape that an array has behind a loop of which these tokens are its own: what
    the last iteration made may have the shape that it had at the head of that one."""
    if isinstance(shape, Sizes) and not own.isdisjoint(shape.axes):
        return Sizes(unknown_size() if size in own else size for size in shape.axes)
    return new_shape() if shape in own else shape


def is_settled(shape: Any, settled: set[Any]) -> bool:
    """Whether a shape is one of some shapes, or made of them."""
    if shape in settled or (isinstance(shape, Sizes) and not shape.is_free):
        return True
    if isinstance(shape, tuple) and shape[0] == "broadcast":
        return all(is_settled(part, settled) for part in shape[1])
    return isinstance(shape, tuple) and shape[0] in DERIVED and all(
        is_settled(part, settled) for part in shape[1:1 + DERIVED[shape[0]]])
