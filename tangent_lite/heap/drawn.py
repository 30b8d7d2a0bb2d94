"""Calls of generators of random numbers.

Which rows a permutation or a choice gives is drawn for so many rows, whatever they hold: so the
positions are drawn, and the rows are taken, or put, as a subscript does it.
"""
from __future__ import annotations

import random
from typing import Any

import numpy as np

from tangent_lite.analyses import writers
from tangent_lite.errors import MissingRuleError
from tangent_lite.heap import models
from tangent_lite.heap.primitives import Back, primitive, varies

KINDS = (np.random.Generator, np.random.RandomState, random.Random)
FOLLOWED = ("shuffle", "choice", "choices", "sample")       # of Python's: what they hand on varies


def is_draw(generator: Any, name: str) -> bool:
    """Whether a method is one of a library, and not of a class of the user."""
    return isinstance(generator, KINDS) and any(
        getattr(type(generator), name, None) is getattr(kind, name, name) for kind in KINDS) \
        and not (isinstance(generator, random.Random) and name in FOLLOWED)


def draw(tape: Any, generator: Any, name: str, args: tuple[Any, ...], keywords: dict[str, Any]
         ) -> tuple[Any, Back | None]:
    """The value of generator.name(*args, **keywords), and what takes its adjoint to the arguments.
    """
    if args and _has_rows(args[0]) and not keywords.get("axis"):
        if name == "shuffle" and len(args) == 1:
            return _shuffled(tape, generator, args[0])
        if name == "permutation" and len(args) == 1 and varies(args[0]):
            order = generator.permutation(len(args[0]))
            return _behind(1, tape.called(models.rows, (args[0], order), {}))
        if name == "choice" and len(args) <= 4 and varies(args[0]):
            order = generator.choice(len(args[0]), *args[1:], **keywords)
            return _behind(len(args) + len(keywords),
                           tape.called(models.rows, (args[0], order), {}))
    function = getattr(type(generator), name)
    place = writers.out_place(function)
    if place is not None and len(args) >= place:        # the generator is number 0
        *args, keywords["out"] = args                   # type: ignore[assignment]
    if keywords.get("out") is not None:
        return _into(tape, generator, name, tuple(args), keywords)
    value, back = primitive(tape, function, None, (generator, *args), keywords)
    if back is None:
        return value, None

    def without_generator(adjoint: Any) -> Any:
        found = back(adjoint)
        return None if found is None else found[1:]
    return value, without_generator


def _has_rows(x: Any) -> bool:
    return isinstance(x, (list, tuple)) or (isinstance(x, np.ndarray) and x.ndim > 0)


def _into(tape: Any, generator: Any, name: str, args: tuple[Any, ...], keywords: dict[str, Any]
          ) -> tuple[Any, Back | None]:
    """Numbers that are written into an array as they are drawn."""
    if any(map(varies, args)):
        raise MissingRuleError(f"{name} draws by what may vary, into an array", tape.place(),
                               f"write x[...] = rng.{name}(..., size=x.shape)")
    out = keywords["out"]
    made = np.empty_like(out)
    getattr(generator, name)(*args, **{**keywords, "out": made})
    _, back = tape.called(models.fill, (out, made), {})
    return out, _behind(len(args) + len(keywords), (None, back))[1]


def _shuffled(tape: Any, generator: Any, x: Any) -> tuple[None, Back | None]:
    order: Any = np.arange(len(x))
    if isinstance(x, list):
        order = order.tolist()
    generator.shuffle(order)
    model = models.reorder_list if isinstance(x, list) else models.reorder_array
    return None, _behind(1, tape.called(model, (x, order), {}))[1]


def _behind(count: int, step: tuple[Any, Back | None]) -> tuple[Any, Back | None]:
    """A step of which only the first of so many arguments has an adjoint."""
    value, back = step
    if back is None:
        return value, None

    def first(adjoint: Any) -> Any:
        found = back(adjoint)
        return None if found is None else [found[0], *[None] * (count - 1)]
    return value, first
