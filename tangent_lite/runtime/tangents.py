"""What emitted forward code may call beside the helpers of `runtime`."""
from __future__ import annotations

import numpy as np

from tangent_lite.errors import OutputError
from tangent_lite.runtime.duck import is_duck, one_of_duck, zeros_of_duck
from tangent_lite.runtime.sparse import is_sparse


def zero_tangent(x):
    """The tangent of what does not vary: zeros with the structure of x, None for text and the like.
    """
    if isinstance(x, np.ndarray):
        return np.zeros_like(x) if x.dtype.kind in "fc" else np.zeros(x.shape)
    if isinstance(x, (bool, int, float, complex, np.generic)) or is_fraction(x):
        return 0.0
    if isinstance(x, dict):
        return {key: zero_tangent(part) for key, part in x.items()}
    if isinstance(x, (tuple, list)):
        parts = [zero_tangent(part) for part in x]
        return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)
    if is_duck(x):
        return zeros_of_duck(x)
    if is_sparse(x):
        return 0.0 * x
    if hasattr(type(x), "is_of_matrix"):    # the adjoint of one
        return 0.0
    if is_record(x):
        made = bare(type(x))
        for name, part in attributes(x).items():
            object.__setattr__(made, name, zero_tangent(part))
        return made
    return None


def is_fraction(x):
    """Whether x is one of Python's fractions: the class is asked, since an object may answer to any
    name."""
    return hasattr(type(x), "limit_denominator")


def bare(cls):
    """An object of a class, without a call of its constructor."""
    try:
        return object.__new__(cls)
    except TypeError:               # a class written in C, such as SimpleNamespace
        return cls.__new__(cls)


def is_record(x):
    """Whether x is an object with attributes that may vary, not a function, class or module, nor
    what a derivative or a compiled function is made of."""
    return (hasattr(x, "__dict__") or hasattr(type(x), "__slots__")) \
        and not isinstance(x, type) and not hasattr(x, "__code__") \
        and not hasattr(type(x), "emitted_for") and not is_duck(x) \
        and not _is_of_programs(type(x).__module__) and not is_log(x)


def _is_of_programs(module):
    """Whether the objects of a module's classes are no data of a user's."""
    package, _, rest = module.partition(".")
    return package in ("builtins", "functools", "numpy") \
        or (package == "numba" and rest.startswith("core.")) \
        or (package == "tangent_lite" and not rest.startswith(("runtime.", "rules.")))


def is_log(x):
    """Whether x is a logger or a handler: each holds all others, and none holds what varies."""
    return any(cls.__module__ == "logging" for cls in type(x).__mro__)


def attributes(x):
    """The attributes of an object by name, those in slots included."""
    found = dict(getattr(x, "__dict__", {}))
    for cls in reversed(type(x).__mro__):
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name in ("__dict__", "__weakref__"):
                continue
            if name.startswith("__") and not name.endswith("__"):
                name = f"_{cls.__name__.lstrip('_')}{name}"
            if hasattr(x, name):
                found[name] = getattr(x, name)
    return found


def own_tangent(dx):
    """dx, or a copy of it if it is an array, which may be written to."""
    return dx.copy() if isinstance(dx, np.ndarray) else dx


def seed_of(value, name, holomorphic=False):
    """One, in the shape of a result that is one number, and a complex one only where the derivative
    is holomorphic; OutputError, which names the function, for any other."""
    if not holomorphic and (value.dtype.kind == "c" if is_duck(value) else np.iscomplexobj(value)):
        raise OutputError(f"{name} returns a complex number", None,
                          "return its real part or modulus, or write holomorphic=True for the "
                          "complex derivative")
    if isinstance(value, np.ndarray):
        if value.size != 1:
            raise OutputError(f"{name} returns an array of shape {value.shape}; grad needs one "
                              "number", None, "sum it up, or use jacobian or vjp")
        return np.ones(value.shape, value.dtype if value.dtype.kind in "fc" else float)
    if is_duck(value):
        return one_of_duck(value, name)
    if isinstance(value, (bool, np.bool_)) or not isinstance(
            value, (int, float, complex, np.number)):
        raise OutputError(f"{name} returns an object of type {type(value).__name__}; grad needs "
                          "one number", None, "return a float, or use jacobian or vjp")
    return 1.0
