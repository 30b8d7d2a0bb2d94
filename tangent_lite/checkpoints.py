"""Functions whose calls save their arguments alone: the backward pass runs them again."""
from __future__ import annotations

import functools
import types
from typing import Any


def checkpoint(fun: Any) -> Checkpoint:
    """The function itself; where it is called by differentiated code, the call saves its arguments
    only, and the backward pass runs it again.

    A decorator, or `tl.checkpoint(fun)(x)` in place. A function that draws random numbers, prints
    or reads input cannot be run again: AliasError.
    """
    return Checkpoint(fun)


class Checkpoint:
    """A function that is run again in the backward pass."""

    def __init__(self, fun: Any) -> None:
        if not callable(fun):
            raise TypeError(f"{fun!r} is not callable")
        self.checkpointed = fun
        functools.update_wrapper(self, fun)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.checkpointed(*args, **keywords)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<checkpoint({getattr(self.checkpointed, '__name__', self.checkpointed)})>"

    # How differentiated code reads a call of it -------------------------------------------------
    def kinds_of_call(self, args: list[Any], keywords: dict[str, Any]) -> dict[str, Any] | None:
        return {} if isinstance(self.checkpointed, types.FunctionType) else None

    def emitted_for(self, parameter_kinds: dict[str, Any]) -> Any:
        """The function to read: a twin of the user's that says how its pair is made."""
        return self._twin

    @functools.cached_property
    def _twin(self) -> Any:
        fun = self.checkpointed
        twin = types.FunctionType(fun.__code__, fun.__globals__, fun.__name__, fun.__defaults__,
                                  fun.__closure__)
        twin.__kwdefaults__, twin.__module__ = fun.__kwdefaults__, fun.__module__
        twin.__qualname__ = fun.__qualname__
        twin.__dict__.update(fun.__dict__)
        twin.runs_again = True                                      # type: ignore[attr-defined]
        return twin


checkpoint.makes_derivative = "function"                            # type: ignore[attr-defined]
checkpoint.of = functools.lru_cache(256)(checkpoint)                # type: ignore[attr-defined]
