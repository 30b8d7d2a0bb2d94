"""What a pullback reads of names outside: they have to mean then what they meant when vjp ran.

    y, pullback = vjp(lambda v: v * v * c, x)
    c = 2.0 * c
    pullback(1.0)           # of which function? of the one that gave y, so this is refused

The backward half reads `c` where it is, as the function does. What is looked at is whether the
names it reads still mean the same things, not whether an array among these has changed.
"""
from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

from tangent_lite.errors import TangentError

# Where a name stands: a way to what it means now.
Place = tuple[str, Callable[[], Any]]
_MISSING = object()


def read_outside(function: Any, is_ours: Callable[[Any], bool]) -> list[Place]:
    """The names of data that a function reads outside, and what the emitted functions that it calls
    read; is_ours: whether a function is such a one."""
    return [*_places(function, is_ours, set())]


def _places(function: Any, is_ours: Callable[[Any], bool], seen: set[int]) -> Iterator[Place]:
    if id(function) in seen or not isinstance(function, types.FunctionType):
        return
    seen.add(id(function))
    space = function.__globals__
    for name in function.__code__.co_names:
        if name in space and _is_data(space[name]):
            yield name, lambda name=name: space.get(name, _MISSING)     # type: ignore[misc]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        value = _content(cell)
        if is_ours(value):
            yield from _places(value, is_ours, seen)
        elif _is_data(value):
            yield name, lambda cell=cell: _content(cell)                # type: ignore[misc]


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _MISSING


def _is_data(value: Any) -> bool:
    return not callable(value) and not isinstance(value, types.ModuleType) \
        and value is not _MISSING


class Then:
    """What names meant at one moment."""

    def __init__(self, places: list[Place], function: str) -> None:
        self.function = function
        self.known = [(name, now, now()) for name, now in places]

    def check(self) -> None:
        """TangentError where a name means something else by now."""
        for name, now, then in self.known:
            found = now()
            if found is not then and not (type(found) in (int, float, complex, bool, str)
                                          and type(found) is type(then) and found == then):
                raise TangentError(
                    f"{name}, which {self.function} reads, was bound anew since the value was "
                    "computed", None, f"call vjp again, or make {name} an argument")
