"""Check forward mode against differences of the function itself, along directions."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangent_lite.api import GradientFunction
from tangent_lite.errors import InputError
from tangent_lite.leaves import leaves, replaced
from tangent_lite.request import Request, spell
from tangent_lite.runtime_tangents import zero_tangent

Slope = Callable[[Callable[[float], Any], float], Any]


def moving_parameters(request: Request, values: tuple[Any, ...]) -> list[str]:
    """The parameters that hold numbers or arrays that may vary."""
    named = dict(zip(request.names, values))
    return [name for name in request.visible if any(True for _ in leaves(named[name]))]


def random_direction(value: Any, rng: np.random.Generator) -> Any:
    """A random tangent of a value."""
    def make(leaf: Any) -> Any:
        shape = np.shape(leaf)
        made = rng.standard_normal(shape)
        if np.iscomplexobj(leaf):
            made = made + 1j * rng.standard_normal(shape)
        if isinstance(leaf, np.ndarray):
            return np.asarray(made).astype(leaf.dtype)
        return complex(made) if isinstance(leaf, (complex, np.complexfloating)) else float(made)

    return replaced(value, make)


def compare_forward(fun: Any, args: tuple[Any, ...], call: Callable[[Request, Any], Any],
                    same: Callable[[Any, Any], bool], step: float, atol: float, rtol: float,
                    slope: Callable[..., Any], seed: int) -> Iterator[str]:
    """What is wrong in forward mode, in words; nothing if nothing is.

    call: the function at values; same: equality to the bit; slope: the difference quotient.
    """
    rng = np.random.default_rng(seed)
    request = Request("jvp", fun, (), False, True)
    values = request.bound + request.bind(args, {})
    moving = moving_parameters(request, values)
    if not moving:
        raise InputError(f"{request.name}: no argument holds floating-point numbers, so there is "
                         "nothing to compare", None, "pass floats (1.0, not 1)")
    named = dict(zip(request.names, values))
    directions = {name: random_direction(named[name], rng) for name in moving}
    choices = [tuple(moving)] + ([(name,) for name in moving] if len(moving) > 1 else [])
    for choice in choices:
        derivative = GradientFunction("jvp", fun, choice, False, True)
        value, found = derivative.push_forward(args, [directions[n] for n in choice])
        if not same(value, call(request, values)):
            yield f"{request.name} returns {call(request, values)!r}, its jvp {value!r}"
        along = " and ".join(spell((n,)) for n in choice)

        def moved(t: float, choice: tuple[str, ...] = choice) -> list[Any]:
            changed = tuple(_moved(named[n], directions[n], t) if n in choice else named[n]
                            for n in request.names)
            return list(leaves(call(request, changed)))

        want = slope(moved, step)
        got = list(leaves(found))
        if len(got) != len(want):
            yield f"the tangent of {request.name} has {len(got)} parts, the value {len(want)}"
            continue
        for one, other in zip(got, want):
            spot = _differs(np.asarray(one), np.asarray(other), atol, rtol)
            if spot is not None:
                index = f"[{', '.join(map(str, spot))}]" if spot else ""
                yield (f"the derivative of {request.name} is wrong: along {along}, result{index}: "
                       f"forward mode {np.asarray(one)[spot]!r}, differences "
                       f"{np.asarray(other)[spot]!r}")


def _moved(value: Any, direction: Any, t: float) -> Any:
    """The value, moved along a direction."""
    steps = leaves(direction)

    def make(leaf: Any) -> Any:
        by = next(steps)
        if isinstance(leaf, np.ndarray):
            made = leaf.copy(order="K")
            made[...] = leaf + t * by
            return made
        return type(leaf)(leaf + t * by)

    return _same_but(value, replaced(value, make))


def _same_but(value: Any, moved: Any) -> Any:
    """What cannot vary taken from the value, all else from what was moved."""
    if moved is None:
        return value
    if isinstance(value, dict):
        return {k: _same_but(v, moved[k]) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        parts = [_same_but(v, m) for v, m in zip(value, moved)]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if hasattr(value, "__dict__") and not isinstance(value, (np.ndarray, np.generic)) \
            and not callable(value):
        for name, part in vars(value).items():
            object.__setattr__(moved, name, _same_but(part, getattr(moved, name)))
    return moved


def _differs(got: np.ndarray, want: np.ndarray, atol: float,
             rtol: float) -> tuple[int, ...] | None:
    """Where two arrays differ most, if by more than is allowed; () if their shapes do."""
    if got.shape != want.shape:
        return ()
    if not got.size:
        return None
    with np.errstate(all="ignore"):
        size = np.abs(want)
        finite = size[np.isfinite(size)]
        allowed = atol + rtol * (size + np.max(finite, initial=0.0))
        wrong = ~(np.abs(got - want) <= allowed) & ~(np.isnan(got) & np.isnan(want)) & (got != want)
    if not wrong.any():
        return None
    return tuple(int(i) for i in np.argwhere(wrong)[0])


def derivative_as_function(fun: Any, args: tuple[Any, ...], mode: str,
                           rng: np.random.Generator) -> tuple[GradientFunction, tuple[Any, ...]]:
    """The derivative in a mode as a function of its own, and arguments for it."""
    request = Request("jvp", fun, (), False, True)
    values = request.bound + request.bind(args, {})
    shown = values[len(request.bound):]
    moving = moving_parameters(request, values)
    named = dict(zip(request.names, values))
    if mode == "fwd":
        made = GradientFunction("jvp", fun, tuple(moving), False, True)
        return made, (*shown, *(random_direction(named[n], rng) for n in moving))
    made = GradientFunction("vjp", fun, None, False, True)
    value = made.pull_back(args, {})[0]
    return made, (*shown, _complete(value, random_direction(value, rng)))


def _complete(value: Any, direction: Any) -> Any:
    """A cotangent: zeros for what cannot vary."""
    return zero_tangent(value) if direction is None else direction
