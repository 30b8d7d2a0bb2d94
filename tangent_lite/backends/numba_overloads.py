"""What compiled code runs under a name, said once: a choice by the types of the arguments.

    @compiled_for(np.shape)
    def np_shape(x):
        if is_number(x):
            return lambda x: ()
        return (lambda x: x.shape) if is_array(x) else None

Numba asks the choice for each combination of types. It returns what is compiled for these, which
has the same parameters, or None where it knows nothing of them. The name means afterwards what
compiled code calls; in Python, that does what the original does.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import add_own, instead_of

# A function of types, that returns a function of values or None.
Choice = Callable[..., Any]


def by_types(original: Any = None, name: str = "", **options: Any) -> Callable[[Choice], Any]:
    """The decorated function chooses what compiled code runs where it calls this name.

    original: what it is in Python, if that is ever asked; name: its name, if not the choice's;
    options: those of Numba's `overload`.
    """
    def register(choice: Choice) -> Any:
        def stub(*values: Any, **named: Any) -> Any:
            if original is None:
                raise NotImplementedError(f"{stub.__name__} is for compiled code")
            return original(*values, **named)

        stub.__name__ = stub.__qualname__ = name or choice.__name__
        stub.__module__, stub.__doc__ = choice.__module__, choice.__doc__
        stub.__signature__ = inspect.signature(choice)          # type: ignore[attr-defined]
        overload(stub, **options)(choice)
        return stub
    return register


def compiled_for(*originals: Any, methods: tuple[str, ...] = (), name: str = "",
                 **options: Any) -> Callable[[Choice], Any]:
    """The same, and compiled code calls it in place of these functions, and for methods of these
    names."""
    def register(choice: Choice) -> Any:
        return instead_of(*originals, methods=methods)(
            by_types(originals[0], name, **options)(choice))
    return register


def own_way(plain: Any, original: Any, name: str = "", **options: Any) -> Callable[[Choice], Any]:
    """The same, and compiled code calls it in place of `plain` where a value is to be that of the
    original to the last bit (`numba_own_value`)."""
    def register(choice: Choice) -> Any:
        stub = by_types(original, name, **options)(choice)
        add_own(plain, stub)
        return stub
    return register


def passing(parameters: str, run: Any, given: str = "") -> Any:
    """A function with these parameters that hands on all of them, or those that are `given`: what
    is compiled, for a `run` of values, or a choice, for one of types.

    >>> passing("x, axis=None, keepdims=False", lambda x, axis, keepdims: (x, axis, keepdims))(1)
    (1, None, False)
    """
    names = given or ", ".join(one.partition("=")[0].strip() for one in parameters.split(","))
    space: dict[str, Any] = {"run": run, "__name__": __name__}
    exec(f"def passing({parameters}): return run({names})", space)
    return space["passing"]
