"""Libraries of arrays whose functions are NumPy's by name and by what they do, as CuPy's are.

    named_as_in_numpy(cupy, cupy.ndarray)

lets `cupy.sin` have the rules of `np.sin`: what a rule calls is NumPy's, and hands on to the
library by NumPy's protocols (NEP 13 and 18). A function whose parameters come in another order than
NumPy's gets no rule that way.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from tangent_lite import registry
from tangent_lite.kinds import UNKNOWN, Array, DuckArray, Kind, Known, Number, duck

# The parts of NumPy that are looked through, with the module of each that others import.
PARTS: dict[str, ModuleType] = {"": np, "linalg": np.linalg, "fft": np.fft, "random": np.random}


def named_as_in_numpy(library: ModuleType, array: type) -> None:
    """Let the functions of a library have the rules of NumPy's functions of the same name.

    array: the type of its arrays, which take part in NumPy's protocols. Functions that stand in a
    part of the library of the same name (`linalg`, `fft`, `random`) count as well.
    """
    registry.add_library(library.__name__)
    others = []
    for part, of_numpy in PARTS.items():
        module = getattr(library, part, None) if part else library
        for name in dir(module) if module is not None else ():
            theirs, ours = getattr(module, name, None), getattr(of_numpy, name, None)
            if theirs is ours or name.startswith("_") or not callable(theirs) \
                    or isinstance(theirs, (type, ModuleType)):
                continue
            known = registry.lookup(ours)
            if known is None or not (known.constant or _taken_alike(ours, theirs)):
                others.append(theirs)
                continue
            registry.same_as(ours, theirs)
            if ours in duck.MAKE_NUMBERS:
                duck.MAKE_NUMBERS.add(theirs)
            else:
                registry.entry_for(theirs).kind = _kind(known.kind, array)
    for function in others:
        if registry.lookup(function) is None:       # it may have another name, which NumPy has too
            registry.refuse(function, why="NumPy has no function with a rule that has this name "
                                          "and takes the same",
                            instead="call a function of NumPy's name and parameters, or write a "
                                    "rule for this one")


def _kind(kind: Callable[..., Kind] | None, array: type) -> Callable[..., Kind] | None:
    if kind is None:
        return None
    return lambda *args, **options: duck.made_by_library(kind(*args, **options), array)


def gives_library(function: Any, library: ModuleType, array: type) -> None:
    """Declare a function that returns the library whose arrays it is given, NumPy for NumPy's.

    `cupy.get_array_module` is such: programs that run on both write `xp = get_array_module(x)`.
    """
    def kind(*args: Kind) -> Kind:
        types = {part.type if isinstance(part, DuckArray) else np.ndarray for part in args}
        if not all(isinstance(part, (Array, DuckArray, Number)) for part in args):
            return UNKNOWN
        return Known(library) if array in types else \
            Known(np) if types <= {np.ndarray} else UNKNOWN

    registry.nondifferentiable(function, kind=kind)
    duck.ASK_FOR_TYPES.add(function)


def _taken_alike(ours: Any, theirs: Any) -> bool:
    """Whether a function takes what NumPy's takes, so far as both say what that is."""
    if isinstance(ours, np.ufunc):
        return getattr(theirs, "nin", ours.nin) == ours.nin
    try:
        first, second = (list(inspect.signature(f).parameters.values()) for f in (ours, theirs))
    except (TypeError, ValueError):
        return True                     # one is written in C, and says nothing
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    mine, other = ([p.name for p in names if p.kind in by_place] for names in (first, second))
    # A name that the other function does not have is a new name of the same parameter.
    return all(a == b or (a not in other and b not in mine) for a, b in zip(mine, other))
