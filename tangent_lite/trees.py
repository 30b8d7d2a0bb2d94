"""Nested structures of numbers and arrays: gradients go back into the space of the argument."""
from __future__ import annotations

import copy
import dataclasses
from typing import Any

import numpy as np

from tangent_lite.records import attribute_names, defaults_of_class
from tangent_lite.runtime_tangents import attributes


def finish(gradient: Any, argument: Any, held: list[Any]) -> Any:
    """A gradient with the structure, shape, dtype and realness of its argument.

    held: arrays that others hold (arguments, seeds, gradients handed out before); the result
    shares no memory with them.
    """
    kind = type(argument)
    if kind is float:
        if type(gradient) is float:
            return gradient
        return _number(gradient, float)
    if kind is np.ndarray:
        if type(gradient) is not kind or gradient.dtype is not argument.dtype \
                or gradient.shape != argument.shape or argument.dtype.kind not in "fcO":
            gradient = _array(gradient, argument)
        if gradient is not None:
            if not _is_free(gradient, held):
                gradient = gradient.copy()
            held.append(gradient)
        return gradient
    if kind is complex:
        return _number(gradient, complex)
    if isinstance(argument, np.generic):
        if argument.dtype.kind not in "fc":
            return None
        if type(gradient) is kind:
            return gradient
        return kind(_number(gradient, complex if argument.dtype.kind == "c" else float))
    if isinstance(argument, dict):
        values = {key: finish(_at(gradient, key), part, held) for key, part in argument.items()}
        if kind is dict:
            return values
        made = copy.copy(argument)      # a defaultdict or OrderedDict stays one
        made.update(values)
        return made
    if isinstance(argument, (tuple, list)):
        parts = [finish(_at(gradient, number), part, held)
                 for number, part in enumerate(argument)]
        return kind(*parts) if hasattr(kind, "_fields") else kind(parts)
    if dataclasses.is_dataclass(argument) or (hasattr(argument, "__dict__")
                                              and not isinstance(argument, type)
                                              and (not callable(argument)
                                                   or has_fields(argument))):
        return _record(gradient, argument, held)
    return None


def _at(gradient: Any, key: Any) -> Any:
    if gradient is None or isinstance(gradient, float):
        return gradient
    return gradient[key]


def _record(gradient: Any, argument: Any, held: list[Any]) -> Any:
    """An object of the same class whose attributes are the gradients; none of its code is run."""
    made = copy.copy(argument)
    for name in attribute_names(argument):
        if isinstance(gradient, dict):
            part = gradient.get(name)
        else:
            part = None if gradient is None or isinstance(gradient, float) \
                else getattr(gradient, name)
        object.__setattr__(made, name, finish(part, getattr(argument, name), held))
    for name in defaults_of_class(argument):
        object.__setattr__(made, name, None)    # they belong to the class, and cannot vary
    return made


def _number(gradient: Any, kind: type) -> Any:
    if gradient is None:
        return kind(0.0)
    if type(gradient) in (np.float64, int):
        return kind(gradient)
    value = np.asarray(gradient)
    if value.size != 1:
        value = np.sum(value)
    value = value.reshape(())[()]
    if kind is float and np.iscomplexobj(value):
        value = value.real
    return kind(value)


def _array(gradient: Any, argument: np.ndarray) -> Any:
    """An array with the shape and dtype of the argument; None for one that cannot vary."""
    kind = argument.dtype.kind
    if kind not in "fcO":
        return None
    value = np.asarray(0.0 if gradient is None else gradient)
    if value.shape != argument.shape:
        value = np.broadcast_to(value, argument.shape)
    if value.dtype.kind == "c" and kind == "f":
        value = value.real
    return value if value.dtype == argument.dtype else value.astype(argument.dtype)


def _is_free(gradient: np.ndarray, held: list[Any]) -> bool:
    """Whether an array can be given away: writable, and nobody else holds its memory."""
    if not gradient.flags.writeable:
        return False
    owner = gradient.base
    if owner is None:
        owner = gradient
    elif not isinstance(owner, np.ndarray) or owner.size != gradient.size:
        # A transposed array is as good as a copy; a part of one would keep all of it alive.
        return False
    # NumPy's base is the array that owns the memory. This runs at each call of a derivative, where
    # a generator would cost more than all the rest.
    for other in held:  # noqa: SIM110
        if other is owner or other.base is owner:
            return False
    return True


def has_fields(value: Any) -> bool:
    """Whether something that can be called is an object with attributes, and no function."""
    return hasattr(value, "__dict__") and not isinstance(value, type) \
        and type(value).__module__ != "builtins" and bool(vars(value)) \
        and not isinstance(value, np.ufunc) and not hasattr(value, "__code__") \
        and not hasattr(value, "__wrapped__")


def arrays_in(tree: Any) -> list[np.ndarray]:
    """The arrays of a structure."""
    if isinstance(tree, np.ndarray):
        return [tree]
    if isinstance(tree, dict):
        return [a for part in tree.values() for a in arrays_in(part)]
    if isinstance(tree, (tuple, list)):
        return [a for part in tree for a in arrays_in(part)]
    if dataclasses.is_dataclass(tree) or (hasattr(tree, "__dict__") and not callable(tree)
                                          and not isinstance(tree, type)):
        return [a for part in attributes(tree).values() for a in arrays_in(part)]
    return []
