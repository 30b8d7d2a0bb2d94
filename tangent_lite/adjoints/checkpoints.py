"""What is run again in the backward pass: calls that save their arguments alone, and loops that
keep what they carry every so many steps.
"""
from __future__ import annotations

import functools
import sys
import types
from typing import Any

import numpy as np

ITERABLES = (range, np.ndarray, list, tuple, enumerate, zip, reversed)


def checkpoint(what: Any) -> Any:
    """A function, or what a loop runs over, for less memory: the backward pass computes again.

    A function: the calls of it save their arguments only, and the backward pass runs it again. A
    decorator, or `tl.checkpoint(fun)(x)` in place.

    A range, array, list, tuple, `enumerate`, `zip` or `reversed` in the head of a loop,
    `for k in tl.checkpoint(range(n)):`. The loop keeps what it carries every sqrt(n) steps; the
    backward pass runs those steps again, one such piece at a time. In the plain function this is
    what was given.

    What draws random numbers, prints or reads input cannot be run again: AliasError, when it is
    differentiated. Raises TypeError for anything else.
    """
    if callable(what):
        return Checkpoint(what)
    if isinstance(what, ITERABLES):
        return what
    raise TypeError(f"checkpoint takes a function, or the range, array, list or tuple that a loop "
                    f"runs over, not {type(what).__name__}")


class Checkpoint:
    """A function that is run again in the backward pass."""

    def __init__(self, fun: Any) -> None:
        functools.update_wrapper(self, fun)     # with all attributes of fun, which may wrap another
        self.checkpointed = fun
        vars(self).pop("_twin", None)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.checkpointed(*args, **keywords)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    @property
    def primal(self) -> Any:
        return self.checkpointed

    def __reduce__(self) -> Any:
        """By name where that means the checkpoint, as below a decorator; else with its function."""
        name = getattr(self, "__qualname__", "")
        found: Any = sys.modules.get(self.__module__)
        for part in name.split("."):
            found = getattr(found, part, None)
        return name if found is self else (checkpoint, (self.checkpointed,))

    def __repr__(self) -> str:
        return f"<checkpoint({getattr(self.checkpointed, '__name__', self.checkpointed)})>"

    # How differentiated code reads a call of it -------------------------------------------------
    def kinds_of_call(self, args: list[Any], keywords: dict[str, Any]) -> dict[str, Any] | None:
        return {} if isinstance(self.checkpointed, types.FunctionType) else None

    def emitted_for(self, parameter_kinds: dict[str, Any], outside: Any = None) -> Any:
        """The function to read: a twin of the user's that says how its pair is made."""
        return self._twin

    @functools.cached_property
    def _twin(self) -> Any:
        twin = twin_of(self.checkpointed)
        twin.runs_again = True
        return twin


def twin_of(fun: Any) -> Any:
    """A function like another, of which more can be said without saying it of the other."""
    twin = types.FunctionType(fun.__code__, fun.__globals__, fun.__name__, fun.__defaults__,
                              fun.__closure__)
    twin.__kwdefaults__, twin.__module__ = fun.__kwdefaults__, fun.__module__
    twin.__qualname__ = fun.__qualname__
    twin.__dict__.update(fun.__dict__)
    return twin


checkpoint.makes_derivative = "function"                            # type: ignore[attr-defined]
checkpoint.of = functools.lru_cache(256)(checkpoint)                # type: ignore[attr-defined]
