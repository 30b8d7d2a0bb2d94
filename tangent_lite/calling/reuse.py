"""What was made before for a function is used again: `tl.vjp(f, x)` and `tl.grad(f)(x)` in a loop
transform f once.

What was made is found by what is the same for good: the code of a function, its globals and the
variables that it captures. So a lambda that a loop makes anew at each step counts as one function.
Whether the names in it still mean what they meant is asked at each call, as always (see Variant).
"""
from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# So many functions are kept alive, with what they capture, though nobody else may hold them.
KEPT = 64


class Same:
    """A function as a key: equal to whatever does the same by the same code.

    It holds all that it tells by identity, so that nothing else can come to have that.
    """
    __slots__ = ("held", "key")

    def __init__(self, fun: Any) -> None:
        code = getattr(fun, "__code__", None)
        if type(fun) is types.FunctionType \
                and not (fun.__dict__ or fun.__defaults__ or fun.__kwdefaults__):
            self.held: tuple[Any, ...] = (code, fun.__globals__, *(fun.__closure__ or ()))
        elif isinstance(fun, types.MethodType):
            code = getattr(fun.__func__, "__code__", None)
            self.held = (code, fun.__func__, fun.__self__)
        elif isinstance(fun, functools.partial):
            self.held = (fun, *fun.keywords, *fun.keywords.values())
        else:
            self.held = (fun, code, getattr(type(fun), "__call__", None))     # noqa: B004
        self.key = (getattr(fun, "__name__", None), *map(id, self.held))

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.key == other.key


class Alike(Same):
    """What a request differentiates as a key: equal to whatever has the same code in the same
    module, whichever variables it captures, and of which object ever it is a method."""
    __slots__ = ()

    def __init__(self, request: Any) -> None:
        self.held = (request.function.__code__, request.function.__globals__)
        self.key = ("alike", len(request.bound), *map(id, self.held))


@functools.lru_cache(KEPT)
def store(*key: Any) -> dict[str, Any]:
    """What was made for a key; empty at first. Keys hold Same in the place of functions."""
    return {}


_remembered: list[dict[Any, Any]] = []


def until_forgotten() -> dict[Any, Any]:
    """A dict for what rests on rules; it is emptied whenever one is registered."""
    made: dict[Any, Any] = {}
    _remembered.append(made)
    return made


# All that there are: what was written for some arguments was so by the rules that there were.
_derivatives: weakref.WeakSet[Any] = weakref.WeakSet()
_keeping: list[None] = []           # filled while rules are read that none of them rests on


def rests_on_rules(derivative: Any) -> None:
    """Note a derivative that has a `begin_anew` to forget what was written for it."""
    _derivatives.add(derivative)


@contextmanager
def none_rests_on_these() -> Iterator[None]:
    """While rules are read for functions that had none, where that is no rule of the user's:
    what was written before stays right."""
    _keeping.append(None)
    try:
        yield
    finally:
        _keeping.pop()


def forget() -> None:
    """Make all anew from here on: what is known of functions has changed. So do derivatives that
    were called before: who mends a rule calls them again."""
    store.cache_clear()
    for one in _remembered:
        one.clear()
    if not _keeping:
        for derivative in list(_derivatives):
            derivative.begin_anew()
