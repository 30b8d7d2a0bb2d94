"""Where a function takes `out`, and what it then returns: the array that it is given.

`np.multiply(x, y, z)` is z, of whatever type and shape the product would have been.

>>> from tangent_lite.kinds import FLOAT, Array
>>> z = Array(1, "float")
>>> given, options, result = apart(np.less, [FLOAT, FLOAT, z], {})
>>> given == [FLOAT, FLOAT], result is z
(True, True)
"""
from __future__ import annotations

import functools
import inspect
import types
from typing import Any

import numpy as np

from tangent_lite.kinds import NOTHING, UNKNOWN, Array, Kind, Nothing, TupleKind
from tangent_lite.modules import module_of, package_of

# Where `out` stands among the arguments of methods, the array itself being number 0.
OUT_OF_METHODS = {"sum": 3, "prod": 3, "mean": 3, "std": 3, "var": 3, "cumsum": 3, "cumprod": 3,
                  "max": 2, "min": 2, "argmax": 2, "argmin": 2, "all": 3, "any": 3, "ptp": 2,
                  "clip": 3, "dot": 2, "take": 3, "compress": 3, "round": 2,
                  "trace": 5}
OUT_OF_FUNCTIONS = {np.dot: 2, np.concatenate: 2}       # written in C: they may say nothing

# These take `out` and leave it as it is.
WITHOUT_OUT = {np.fft.hfft, np.fft.ifft2, np.fft.irfft2}
# What functions of scipy.ndimage call it.
OUT_OF_IMAGES = {"output", "distances", "indices"}
OUT_OF_UFUNC_METHODS = {"reduce": 3, "accumulate": 3, "reduceat": 4}


def is_ufunc_method(function: Any, name: str | None = None) -> bool:
    """Whether an object is np.add.at or the like."""
    return isinstance(getattr(function, "__self__", None), np.ufunc) and \
        name in (None, getattr(function, "__name__", ""))


@functools.cache
def out_place(function: Any) -> int | None:
    """The number of the argument `out` where it may be given by its place."""
    if is_ufunc_method(function):
        return OUT_OF_UFUNC_METHODS.get(function.__name__)
    if function in OUT_OF_FUNCTIONS:
        return OUT_OF_FUNCTIONS[function]
    if isinstance(function, (types.MethodDescriptorType, types.GetSetDescriptorType)):
        name = getattr(function, "__name__", "")
        return OUT_OF_METHODS.get(name) if function is getattr(np.ndarray, name, None) else None
    if not is_numerical(function):
        return None
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    for number, parameter in enumerate(parameters):
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            return None
        if is_out(parameter.name, function):
            return number
    return None


def is_out(name: str | None, function: Any) -> bool:
    """Whether a parameter of this name is an array that the result is written into."""
    return name == "out" or (name in OUT_OF_IMAGES and is_image(function))


def is_image(function: Any) -> bool:
    """Whether a function is one of scipy.ndimage."""
    return module_of(function).startswith("scipy.ndimage")


def is_numerical(function: Any) -> bool:
    """Whether a function is one of NumPy or SciPy."""
    return isinstance(function, np.ufunc) or is_ufunc_method(function) \
        or function is getattr(np.ndarray, getattr(function, "__name__", ""), None) \
        or package_of(function) in ("numpy", "scipy")


def apart(function: Any, args: list[Kind], options: dict[str, Kind]) \
        -> tuple[list[Kind], dict[str, Kind], Kind | None]:
    """The arguments of a call without what it is given as `out`, and what it therefore returns;
    None where it makes its result itself."""
    place = function.nin if isinstance(function, np.ufunc) else _place_if_any(function)
    found = list(args[place:] if isinstance(function, np.ufunc) else args[place:place + 1]) \
        if place is not None else []
    names = [name for name in options if is_out(name, function)]
    if not (found or names) or not is_numerical(function):      # where it means something else
        return args, options, None
    if place is not None and found:         # what stands behind it keeps its place
        args = args[:place] + ([NOTHING, *args[place + 1:]] if args[place + 1:]
                               and not isinstance(function, np.ufunc) else [])
    for name in names:
        named = options[name]
        found += named.items if isinstance(named, TupleKind) else [named]
        options = {other: kind for other, kind in options.items() if other != name}
    return args, options, None if function in WITHOUT_OUT else _returned(function, found)


def _returned(function: Any, found: list[Kind]) -> Kind | None:
    if all(isinstance(kind, Nothing) for kind in found):
        return None
    if is_image(function):
        return UNKNOWN                      # None, the array, or another one of a type
    if getattr(function, "nout", 1) == 1:
        return found[0] if isinstance(found[0], Array) else UNKNOWN
    return TupleKind(tuple(found)) if len(found) == function.nout \
        and all(isinstance(kind, Array) for kind in found) else UNKNOWN


def _place_if_any(function: Any) -> int | None:
    try:
        return out_place(function)
    except TypeError:                       # it has no hash
        return None
