"""Derivatives as functions of their own, so that they can be checked as any function is."""
from __future__ import annotations

from typing import Any

import numpy as np

from tangent_lite.api import GradientFunction
from tangent_lite.calling.request import Request
from tangent_lite.leaves import leaves, replaced
from tangent_lite.runtime.tangents import zero_tangent


def moving_parameters(request: Request, values: tuple[Any, ...]) -> list[str]:
    """The parameters that hold numbers or arrays that may vary."""
    named = dict(zip(request.names, values))
    return [name for name in request.visible if any(True for _ in leaves(named[name]))]


def random_direction(value: Any, rng: np.random.Generator) -> Any:
    """A random tangent of a value."""
    def make(leaf: Any) -> Any:
        shape = np.shape(leaf)
        made = rng.uniform(0.5, 1.5, shape)
        if np.iscomplexobj(leaf):
            made = made + 1j * rng.uniform(0.5, 1.5, shape)
        if isinstance(leaf, np.ndarray):
            return np.asarray(made).astype(leaf.dtype)
        return complex(made) if isinstance(leaf, (complex, np.complexfloating)) else float(made)

    found = replaced(value, make)
    return zero_tangent(value) if found is None else found


def derivative_as_function(fun: Any, args: tuple[Any, ...], mode: str,
                           rng: np.random.Generator) -> tuple[GradientFunction, tuple[Any, ...]]:
    """The derivative in a mode as a function of its own, and arguments for it."""
    request = Request("jvp", fun, (), False, True)
    values = request.bound + request.bind(args, {})
    shown = values[len(request.bound):]
    if mode == "fwd":
        moving = moving_parameters(request, values)
        named = dict(zip(request.names, values))
        made = GradientFunction("jvp", fun, tuple(moving), False, True)
        return made, (*shown, *(random_direction(named[n], rng) for n in moving))
    made = GradientFunction("vjp", fun, None, False, True)
    return made, (*shown, random_direction(made.pull_back(args, {})[0], rng))
