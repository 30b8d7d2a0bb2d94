"""Room for calls that nest: each call of the user's function is several of Python's here."""
from __future__ import annotations

import contextlib
import functools
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from tangent_lite.errors import UnsupportedSyntaxError

_FACTOR = 8             # that many calls of Python's are behind one of the user's
_lock = threading.Lock()
_inside = 0             # how many runs there are at this moment, in all threads
_limit = 0              # how deep calls may nest outside of them


@contextlib.contextmanager
def room_to_write(name: str) -> Iterator[None]:
    """Room for passes over the code of a function of this name; UnsupportedSyntaxError where it
    nests deeper than that."""
    try:
        with room():
            yield
    except RecursionError as error:
        raise UnsupportedSyntaxError(
            f"{name} is nested too deeply (each elif is a level)", None,
            "split it up, or raise the limit: sys.setrecursionlimit(20000)") from error


def deep(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which goes through what its arguments hold, with room for that; where there is
    not enough, RecursionError says what to do."""
    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        try:
            with room():
                return function(*args, **keywords)
        except RecursionError as error:
            raise RecursionError(
                "the objects in an argument hold one another too deeply, or the function calls "
                "itself too often: keep them in a list, or raise the limit, "
                "sys.setrecursionlimit(20000)") from error
    return call


@contextlib.contextmanager
def room() -> Iterator[None]:
    """Let calls nest as deeply as they may in the user's function."""
    global _inside, _limit
    with _lock:
        if _inside == 0:
            _limit = sys.getrecursionlimit()
            sys.setrecursionlimit(_limit * _FACTOR)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                sys.setrecursionlimit(_limit)
