"""Exceptions that carry numbers: `raise Diverged(best)`, `except Diverged as e: y = e.best`.

An exception that is made in the run is an object like others: what is written into its attributes
has slots, and so have the arguments that it keeps. The steps before it was raised are undone one by
one, so what it was made of gets the adjoint there.
"""
from __future__ import annotations

from typing import Any

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap.containers import holds, read, written
from tangent_lite.heap.memory import Parts, add
from tangent_lite.heap.primitives import Back, varies


def is_followed(tape: Any, x: Any) -> bool:
    """Whether an exception was made in this run."""
    return isinstance(x, BaseException) and tape.heap.is_ours(x)


def make(tape: Any, kind: Any, args: tuple[Any, ...],
         keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """kind(*args, **keywords)"""
    init = kind.__init__
    if not any(map(varies, (args, keywords))) or hasattr(kind.__new__, "__code__"):
        made = kind(*args, **keywords)
        tape.heap.ours(made)
        return made, None
    inner: Back | None = None
    if hasattr(init, "__code__"):
        made = kind.__new__(kind, *args, **keywords)
        tape.heap.ours(made)
        _, inner = tape.called(init, (made, *args), keywords)
    else:
        made = kind(*args, **keywords)
        tape.heap.ours(made)
    # Which of what it was given stands in its args.
    sources = {spot: number for spot, value in enumerate(made.args) if holds(value)
               for number, one in enumerate(args) if one is value}
    if any(holds(value) and spot not in sources for spot, value in enumerate(made.args)):
        raise UnsupportedSyntaxError("an exception keeps numbers other than those that it is made "
                                     "of", tape.place(), "set attributes of it in __init__")

    def back(adjoint: Any) -> Any:
        parts = tape.adjoints.slots(made).pop("args", None) or Parts()
        out: list[Any] = [None] * (len(args) + len(keywords))
        found = inner(None) if inner is not None else None
        for number, part in enumerate((found or ())[1:]):
            out[number] = part
        for spot, part in parts.items():
            out[sources[spot]] = add(out[sources[spot]], part)
        return out
    return made, back


def get(tape: Any, x: Any, name: str) -> tuple[Any, Back | None]:
    """An attribute of such an exception: one that was set, or what it was made of."""
    value = getattr(x, name)
    return value, read(tape, x, name) if holds(value) else None


def set_(tape: Any, x: Any, name: str, value: Any) -> Back:
    """An attribute of such an exception is set."""
    if name == "args" or hasattr(getattr(type(x), name, None), "__set__"):
        raise UnsupportedSyntaxError(f"{name} of an exception is changed", tape.place(),
                                     "keep the value in an attribute of your own")
    setattr(x, name, value)
    tape.heap.write(x)
    return written(tape, x, name)
