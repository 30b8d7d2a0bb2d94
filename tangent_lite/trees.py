"""Nested structures of numbers and arrays: gradients go back into the space of the argument."""
from __future__ import annotations

import copy
import dataclasses
import enum
import functools
import io
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from tangent_lite.errors import InputError, TangentError
from tangent_lite.records import attribute_names, defaults_of_class, with_parts
from tangent_lite.runtime.duck import is_duck, spread_like
from tangent_lite.runtime.sparse import is_sparse, like_matrix
from tangent_lite.runtime.tangents import attributes, bare, is_log, is_record


def owners(arrays: Iterable[np.ndarray]) -> set[int]:
    """The identities of what owns the memory of arrays; they must live as long as these do."""
    found: set[int] = set()
    for array in arrays:
        found.add(id(array))
        found.add(id(array.base))       # NumPy's base is the array that owns the memory
    found.discard(id(None))
    return found


def finish(gradient: Any, argument: Any, held: set[int], whole: Any = None) -> Any:
    """A gradient with the structure, shape, dtype and realness of its argument.

    held: the owners of the memory that others hold (arguments, seeds, gradients handed out before);
    the result lies in none of it, and is added. whole: the structure that the argument is part of.
    """
    kind = type(argument)
    whole = argument if whole is None else whole
    if kind is np.ndarray:
        if type(gradient) is not kind or gradient.dtype is not argument.dtype \
                or gradient.shape != argument.shape or argument.dtype.kind not in "fcO":
            if is_duck(gradient):               # and perhaps lazy: it stays one
                return _duck(gradient, argument, held)
            gradient = _array(gradient, argument)
        if gradient is not None:
            if gradient.base is None and id(gradient) not in held and gradient.flags.writeable:
                held.add(id(gradient))      # most often so
                return gradient
            if not _is_free(gradient, held):
                gradient = gradient.copy()
            held.add(id(gradient))
            if gradient.base is not None:
                held.add(id(gradient.base))
        return gradient
    if kind is float:
        if type(gradient) is float:
            return gradient
        if type(gradient) is np.float64:
            return float(gradient)
        return _duck(gradient, argument, held) if is_duck(gradient) \
            else _number(gradient, float, whole)
    if (kind is list or kind is tuple) and type(gradient) in (list, tuple) \
            and len(gradient) == len(argument):
        return kind([finish(part, own, held, whole) for part, own in zip(gradient, argument)])
    if kind is np.memmap:               # what is computed of it is an array in memory
        return finish(gradient, argument.view(np.ndarray), held, whole)
    if (kind is complex or isinstance(argument, np.generic)) and is_duck(gradient):
        return _duck(gradient, argument, held)
    if kind is complex:
        return _number(gradient, complex, whole)
    if isinstance(argument, np.generic):
        if argument.dtype.kind not in "fc":
            return None
        if type(gradient) is kind:
            return gradient
        return kind(_number(gradient, complex if argument.dtype.kind == "c" else float, whole))
    if isinstance(argument, dict):
        values = {key: finish(_at(gradient, key), part, held, whole)
                  for key, part in argument.items()}
        return values if kind is dict else with_items(argument, values)
    if isinstance(argument, (tuple, list)):
        parts = [finish(_at(gradient, number), part, held, whole)
                 for number, part in enumerate(argument)]
        return with_parts(argument, parts)
    if is_duck(argument):
        return _duck(gradient, argument, held)
    if isinstance(argument, (type, types.ModuleType, enum.Enum, io.IOBase)) or is_log(argument):
        return None
    if is_sparse(argument) and not isinstance(argument, dict) and len(argument.shape) == 2:
        return like_matrix(gradient, argument)
    if dataclasses.is_dataclass(argument) or (
            hasattr(argument, "__dict__") and (not callable(argument) or has_fields(argument))):
        return _record(gradient, argument, held, whole)
    return None


def with_items(argument: dict[Any, Any], values: dict[Any, Any]) -> dict[Any, Any]:
    """A copy of a dict, an OrderedDict, a Counter, with other values behind its keys."""
    made = copy.copy(argument)
    dict.update(made, values)           # that of a Counter adds up
    return made


def _at(gradient: Any, key: Any) -> Any:
    if gradient is None or isinstance(gradient, float):
        return gradient
    return gradient[key]


def _record(gradient: Any, argument: Any, held: set[int], whole: Any) -> Any:
    """An object of the same class whose attributes are the gradients; none of its code is run."""
    if hasattr(type(argument), "__getattr__"):      # it may answer what copy asks of its objects
        made = bare(type(argument))
        if isinstance(getattr(made, "__dict__", None), dict):
            vars(made).update(vars(argument))
    else:
        made = copy.copy(argument)
    if made is argument:                # there is only one like it, which is to stay what it is
        made = bare(type(argument))
    for name in attribute_names(argument):
        if isinstance(gradient, dict):
            part = gradient.get(name)
        else:
            part = None if gradient is None or isinstance(gradient, float) \
                else getattr(gradient, name)
        own = getattr(argument, "__dict__", {})
        if name in own:                 # the class may have a property of that name by now
            vars(made)[name] = finish(part, own[name], held, whole)
        else:
            object.__setattr__(made, name, finish(part, getattr(argument, name), held, whole))
    for name in defaults_of_class(argument):
        object.__setattr__(made, name, None)    # they belong to the class, and cannot vary
    return made


def _number(gradient: Any, kind: type, whole: Any) -> Any:
    if gradient is None:
        return kind(0.0)
    if type(gradient) in (np.float64, int):
        return kind(gradient)
    value = np.asarray(gradient)
    if value.size != 1:
        value = np.sum(value)
    value = value.reshape(())[()]
    if kind is float and np.iscomplexobj(value):
        # What was complex by its kind is real again, as are numbers that stand beside complex ones
        # in a list. The rest are powers of negative numbers, which are nan with arrays.
        value = np.asarray(
            value.real if value.imag == 0.0 or _holds_complex(whole) else np.nan)[()]
    return kind(value)


def _holds_complex(tree: Any) -> bool:
    """Whether there are complex numbers or arrays in a structure."""
    seen: set[int] = set()
    todo = [tree]
    while todo:
        part = todo.pop()
        if isinstance(part, (complex, np.complexfloating)) \
                or (isinstance(part, np.ndarray) and part.dtype.kind == "c"):
            return True
        if isinstance(part, dict):
            todo += part.values()
        elif isinstance(part, (tuple, list)):
            todo += part
        elif is_record(part) and id(part) not in seen:
            seen.add(id(part))
            todo += attributes(part).values()
    return False


def _array(gradient: Any, argument: np.ndarray) -> Any:
    """An array with the shape and dtype of the argument; None for one that cannot vary."""
    kind = argument.dtype.kind
    if kind not in "fcO":
        return None
    value = np.asarray(0.0 if gradient is None else gradient)
    if value.shape != argument.shape:
        value = _spread(value, argument.shape)
    if value.dtype.kind == "c" and kind == "f":
        value = value.real
    return value if value.dtype == argument.dtype else value.astype(argument.dtype)


def _spread(value: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    try:
        return np.broadcast_to(value, shape)
    except ValueError:
        # The value, which nothing needs, was not computed: it would have failed first.
        raise InputError(
            f"the gradient came out with shape {value.shape}, and the argument has {shape}: the "
            "function itself fails for arguments of these shapes", None,
            "call the function itself, which says where") from None


def _duck(gradient: Any, argument: Any, held: set[int]) -> Any:
    """A duck array in the space of an argument that is one, or that met one."""
    dtype = getattr(argument, "dtype", np.dtype(type(argument)))
    if dtype.kind not in "fcO":
        return None
    if is_duck(argument):
        if gradient is None or isinstance(gradient, (int, float, complex, np.generic)):
            gradient = spread_like(0.0 if gradient is None else gradient, argument)
        elif not is_duck(gradient):
            raise TangentError(
                f"the gradient of an argument of type {type(argument).__name__} was made an array "
                f"of type {type(gradient).__name__} on the way", None,
                "leave out what turns it into an array of another type, or pass "
                "an array of NumPy")
    shape = getattr(argument, "shape", ())
    if len(gradient.shape) != len(shape):
        gradient = spread_like(gradient, argument) if shape else np.sum(gradient)
    if gradient.dtype.kind == "c" and dtype.kind != "c":
        gradient = np.real(gradient)
    if gradient.dtype != dtype:
        gradient = gradient.astype(dtype)
    if id(gradient) in held or getattr(gradient, "base", None) is not None:
        gradient = np.positive(gradient)            # somebody else has it, or what it is a view of
    held.add(id(gradient))
    return gradient


def _is_free(gradient: np.ndarray, held: set[int]) -> bool:
    """Whether an array can be given away: writable, and nobody else holds its memory."""
    if not gradient.flags.writeable:
        return False
    owner = gradient.base
    if owner is None:
        owner = gradient
    elif not isinstance(owner, np.ndarray) or owner.size != gradient.size:
        # A transposed array is as good as a copy; a part of one would keep all of it alive.
        return False
    return id(owner) not in held


def has_fields(value: Any) -> bool:
    """Whether something that can be called is an object with attributes, and no function."""
    return hasattr(value, "__dict__") and not isinstance(value, type) \
        and type(value).__module__ != "builtins" and bool(vars(value)) \
        and not isinstance(value, np.ufunc) and not hasattr(value, "__code__") \
        and not hasattr(value, "__wrapped__")


# A stack of our own: the objects of a list or a tree may hold one another to any depth.
def arrays_in(tree: Any) -> list[np.ndarray]:
    """The arrays of a structure; those of an object that is held more than twice, or holds itself,
    are there twice: often enough to see that they are held by several."""
    found: list[np.ndarray] = []
    times: dict[int, int] = {}
    todo = [tree]
    while todo:
        part = todo.pop()
        kind = type(part)
        if kind is np.ndarray or isinstance(part, np.ndarray):
            found.append(part)
        elif kind is list or kind is tuple or isinstance(part, (tuple, list)):
            todo += [*part][::-1]
        elif isinstance(part, dict):
            todo += [*part.values()][::-1]
        elif is_duck(part):
            continue                        # what it is made of is its own affair
        elif is_record(part) or dataclasses.is_dataclass(part):
            times[id(part)] = times.get(id(part), 0) + 1
            if times[id(part)] <= 2:
                todo += [*attributes(part).values()][::-1]
        elif isinstance(part, functools.partial):
            todo += [part.keywords, part.args]
    return found


def ducks_in(tree: Any) -> list[Any]:
    """The duck arrays of a structure; those of an object that is held several times once."""
    found: list[Any] = []
    seen: set[int] = set()
    todo = [tree]
    while todo:
        part = todo.pop()
        if isinstance(part, dict):
            todo += [*part.values()][::-1]
        elif isinstance(part, (tuple, list)):
            todo += [*part][::-1]
        elif is_duck(part):
            found.append(part)
        elif is_record(part) and id(part) not in seen:
            seen.add(id(part))
            todo += [*attributes(part).values()][::-1]
    return found
