"""Tangents as users pass them: checked against the values they belong to, and completed.

None stands for zero, and is all that what cannot vary may have.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangent_lite.errors import InputError
from tangent_lite.records import attribute_names, is_made_of_fields, is_named_tuple, with_parts
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.duck import is_duck, zeros_of_duck
from tangent_lite.runtime.sparse import is_sparse
from tangent_lite.runtime.tangents import attributes, bare, is_record, zero_tangent


def direction(given: Any, value: Any, name: str) -> Any:
    """The tangent of a value, in its structure, shapes and dtypes; InputError if it has others.

    >>> direction({"w": 1, "n": None}, {"w": 2.0, "n": 3}, "params")
    {'w': 1.0, 'n': 0.0}
    """
    if given is None:
        return zero_tangent(value)
    if isinstance(value, dict):
        if not isinstance(given, dict) or set(given) != set(value):
            raise InputError(f"the tangent of {name} needs the keys {list(value)}, not "
                             f"{_shown(given)}")
        return {k: direction(given[k], v, f"{name}[{k!r}]") for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        if not isinstance(given, (tuple, list)) or len(given) != len(value):
            raise InputError(f"the tangent of {name} needs {len(value)} parts, as {name} has, not "
                             f"{_shown(given)}")
        parts = [direction(g, v, f"{name}[{k}]") for k, (g, v) in enumerate(zip(given, value))]
        return with_parts(value, parts)
    if is_duck(value):
        return _duck(given, value, f"the tangent of {name}", name)
    if is_sparse(value):
        return _matrix(given, value, f"the tangent of {name}", name)
    if isinstance(value, np.ndarray):
        return _duck(given, value, f"the tangent of {name}", name) if is_duck(given) else \
            _array(given, value, name)
    if isinstance(value, (float, complex, np.floating, np.complexfloating)):
        return _number(given, value, name)
    if isinstance(value, (int, np.integer, np.bool_)):
        if _is_zero(given):
            return 0.0
        raise _cannot_vary(name, value)
    if is_record(value):
        made = bare(type(value))
        for attribute, part in attributes(value).items():
            if not hasattr(given, attribute):
                raise InputError(f"the tangent of {name} has no attribute {attribute}", None,
                                 f"pass a {type(value).__name__} of tangents")
            object.__setattr__(made, attribute, direction(getattr(given, attribute), part,
                                                          f"{name}.{attribute}"))
        return made
    raise _cannot_vary(name, value)


def direction_at(tangent: Any, value: Any, path: tuple[Any, ...], before: Any) -> Any:
    """The tangent of a parameter, given that of it or of the attribute that a path names."""
    name = ".".join([path[0], *(step[1] for step in path[1:])])
    if len(path) == 1:
        return direction(tangent, value, name)
    made = zero_tangent(value) if before is None else before
    owner, part = made, value
    for _, attribute in path[1:-1]:
        owner, part = getattr(owner, attribute), getattr(part, attribute)
    last = path[-1][1]
    object.__setattr__(owner, last, direction(tangent, getattr(part, last), name))
    return made


def moved_by(paths: Sequence[tuple[Any, ...]], given: dict[str, Any],
             tangents: Sequence[Any]) -> dict[str, Any]:
    """The tangents of parameters, given those of what paths name; given: what the parameters are.
    """
    moved: dict[str, Any] = {}
    for path, tangent in zip(paths, tangents):
        moved[path[0]] = direction_at(tangent, given[path[0]], path, moved.get(path[0]))
    return moved


def fitted(seed: Any, value: Any) -> Any:
    """A cotangent of what a derivative returns, for what its emitted function returns."""
    if isinstance(value, dict):
        # The adjoint of an object is a dict of those of its attributes.
        parts_of = seed if isinstance(seed, dict) else attributes(seed)
        return {k: fitted(parts_of[k], v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        parts = [fitted(s, v) for s, v in zip(seed, value)]
        return with_parts(value, parts)
    if is_record(value):
        return {n: fitted(part, getattr(value, n)) for n, part in seed.items()} \
            if isinstance(seed, dict) else seed
    if value is None:
        return seed
    if np.shape(seed) != np.shape(value):
        seed = unbroadcast(seed, value)
    if isinstance(seed, np.ndarray) and seed.ndim == 0 and not isinstance(value, np.ndarray):
        seed = seed[()]                 # as a number, to which += does not write
    # A gradient that is made complex for a complex argument, and does not vary that way.
    return np.real(seed) if np.iscomplexobj(seed) and not np.iscomplexobj(value) else seed


def cotangent_of(given: Any, value: Any) -> Any:
    """A cotangent, checked against the value it belongs to; that of what cannot vary may be None.

    >>> cotangent_of({"loss": 2, "steps": None}, {"loss": 0.5, "steps": 7})
    {'loss': 2.0, 'steps': 0.0}
    """
    if given is None and isinstance(value, (int, np.ndarray, np.generic)) \
            and np.asarray(value).dtype.kind in "biu":
        return zero_tangent(value)
    if is_duck(value) or is_duck(given):
        return _duck(given, value, "the cotangent", "the value")
    if is_sparse(value):
        return _matrix(given, value, "the cotangent", "the value")
    if isinstance(value, (int, float, complex, np.ndarray, np.generic)):
        kind = np.asarray(given).dtype.kind
        if kind not in "biufc" and (kind != "O" or np.asarray(value).dtype.kind != "O"):
            raise InputError(f"the cotangent is {described(given)}, the value "
                             f"{described(value)}", None, "pass floats")
        if kind == "c" and not np.iscomplexobj(value):
            raise InputError("the cotangent is complex, the value real", None,
                             "pass its real part")
    if isinstance(value, dict):
        if not isinstance(given, dict) or set(given) != set(value):
            raise InputError(f"the cotangent needs the keys {list(value)}, not {given!r}")
        return {k: cotangent_of(given[k], v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        if not isinstance(given, (tuple, list)) or len(given) != len(value):
            raise InputError(f"the cotangent needs {len(value)} parts, as the value has")
        parts = [cotangent_of(g, v) for g, v in zip(given, value)]
        return with_parts(value, parts)
    if isinstance(value, np.ndarray):
        if np.shape(given) != value.shape:
            raise InputError(f"the cotangent has shape {np.shape(given)}, the value {value.shape}",
                             None, f"pass an array of shape {value.shape}")
        made = np.asarray(given)
        return made if made.dtype.kind in "fcO" else made.astype(float)
    if isinstance(value, (int, float, complex, np.generic)):
        if np.shape(given) != ():
            raise InputError(f"the cotangent has shape {np.shape(given)}, the value is a number")
        if isinstance(given, np.ndarray):
            given = given[()]
        return float(given) if isinstance(given, (int, np.integer)) else given
    return given


def _is_made_of_fields(value: Any) -> bool:
    cls: Any = type(value)
    return is_made_of_fields(cls, attribute_names(value))


def with_dicts(seed: Any, value: Any) -> Any:
    """A cotangent as emitted code takes it: that of an object is a dict of its attributes."""
    if isinstance(value, dict):
        return {k: with_dicts(seed[k], v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        parts = [with_dicts(s, v) for s, v in zip(seed, value)]
        return with_parts(value, parts)
    if not is_record(value) or is_sparse(value) or _is_made_of_fields(value):
        return seed
    missing = [name for name in attributes(value) if not hasattr(seed, name)]
    if missing:
        raise InputError(f"the cotangent has no attribute {missing[0]}", None,
                         f"pass a {type(value).__name__} of cotangents")
    return {n: with_dicts(cotangent_of(getattr(seed, n), v), v)
            for n, v in attributes(value).items()}


def as_emitted(seed: Any, value: Any) -> Any:
    """A cotangent in which objects are dicts, as emitted code takes it: objects that are made of
    their fields are such objects there."""
    if isinstance(value, (tuple, list)) and not isinstance(seed, float):
        parts = [as_emitted(s, v) for s, v in zip(seed, value)]
        return with_parts(value, parts)
    if not is_record(value) or not isinstance(seed, dict) or not _is_made_of_fields(value):
        return seed
    made = bare(type(value))
    for name, part in attributes(value).items():
        object.__setattr__(made, name, as_emitted(seed.get(name), part))
    return made


def described(value: Any) -> str:
    """What a value is, for an error."""
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}"
    if value is None:
        return "None"
    return f"of type {getattr(type(value), 'shown_as', type(value).__name__)}"


def without_floats(value: Any) -> str:
    """What a value is that cannot vary, for an error."""
    kind = type(value)
    if isinstance(value, (list, dict)) or kind is tuple or is_named_tuple(kind):
        return f"a {kind.__name__} without floats"      # other tuples say themselves what they hold
    return described(value)


def returned(value: Any) -> str:
    """How messages name a result that will not do."""
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} of {len(value)} parts"
    return described(value).replace("of type", "an object of type")


def _array(given: Any, value: np.ndarray, name: str) -> Any:
    if value.dtype.kind not in "fcO":
        if _is_zero(given):
            return zero_tangent(value)
        raise _cannot_vary(name, value)
    made = _as_array(given, name)
    if made.shape != value.shape:
        raise InputError(f"the tangent of {name} has shape {made.shape}, {name} has {value.shape}",
                         None, f"pass an array of shape {value.shape}")
    if made.dtype.kind == "c" and value.dtype.kind == "f":
        raise InputError(f"the tangent of {name} is complex, {name} is real", None,
                         "pass its real part")
    return made.astype(value.dtype) if made.dtype != value.dtype else made


def _matrix(given: Any, value: Any, what: str, name: str) -> Any:
    """A tangent or cotangent of a sparse matrix: such a one of the same shape."""
    if not is_sparse(given):
        raise InputError(f"{what} is {_shown(given)}, no sparse matrix", None,
                         f"pass a sparse matrix of the shape of {name}")
    if given.shape != value.shape:
        raise InputError(f"{what} has shape {given.shape}, {name} has {value.shape}", None,
                         f"pass a sparse matrix of shape {value.shape}")
    if given.dtype.kind == "c" and value.dtype.kind != "c":
        raise InputError(f"{what} is complex, {name} real", None, "pass its real part")
    return given


def _duck(given: Any, value: Any, what: str, name: str) -> Any:
    """A tangent or cotangent of a duck array, or one that is such itself; nothing is computed."""
    if isinstance(given, (int, float, complex, np.generic)):
        given = np.asarray(given)
    if not hasattr(given, "shape") or not hasattr(given, "dtype"):
        raise InputError(f"{what} is {_shown(given)}, no array", None,
                         f"pass an array of the shape of {name}")
    shape, mine = tuple(given.shape), np.shape(value) if not is_duck(value) else value.shape
    if len(shape) != len(mine) or any(n != m for n, m in zip(shape, mine) if n == n and m == m):
        raise InputError(f"{what} has shape {shape}, {name} has {tuple(mine)}", None,
                         f"pass an array of shape {tuple(mine)}")
    dtype = getattr(value, "dtype", np.dtype(type(value)))
    if dtype.kind not in "fcO":
        raise _cannot_vary(name, value)
    if given.dtype.kind == "c" and dtype.kind != "c":
        raise InputError(f"{what} is complex, {name} real", None, "pass its real part")
    if not is_duck(given):
        return zeros_of_duck(value) + given
    return given if given.dtype == dtype else given.astype(dtype)


def _number(given: Any, value: Any, name: str) -> Any:
    made = _as_array(given, name)
    if made.shape != ():
        raise InputError(f"the tangent of {name} has shape {made.shape}, {name} is a number", None,
                         "pass a number")
    if made.dtype.kind == "c":
        if isinstance(value, (complex, np.complexfloating)):
            return value.dtype.type(made) if isinstance(value, np.inexact) else complex(made)
        raise InputError(f"the tangent of {name} is complex, {name} is real", None,
                         "pass its real part")
    if isinstance(value, np.inexact):           # it has the members of an array, as value has
        return value.dtype.type(made)
    return float(made)


def _as_array(given: Any, name: str) -> np.ndarray:
    made = None if isinstance(given, (str, bytes, dict)) else np.asarray(given)
    if made is None or made.dtype.kind not in "biufcO":
        raise InputError(f"the tangent of {name} is {_shown(given)}, no number or array")
    return made


def _is_zero(given: Any) -> bool:
    """Whether a tangent says that nothing changes: 0, or an array of zeros."""
    made = np.asarray(given)
    return made.dtype.kind in "biufc" and not np.any(made)


def _cannot_vary(name: str, value: Any) -> InputError:
    what = f"an array of {value.dtype}" if isinstance(value, np.ndarray) else \
        f"of type {type(value).__name__}"
    return InputError(f"{name} is {what}, which cannot vary", None, "pass None as its tangent")


def _shown(given: Any) -> str:
    text = repr(given)
    return text if len(text) < 40 else f"a {type(given).__name__}"
