"""Check a derivative against differences of the function itself."""
from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from tangent_lite.api import vjp
from tangent_lite.errors import TangentError

# Central differences of order eight: weights of f(x + k h) - f(x - k h), k = 1..4
# (Fornberg 1988, Generation of Finite Difference Formulas on Arbitrarily Spaced Grids).
STENCIL = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


def check_grads(fun: Any, args: tuple[Any, ...], order: int = 1, modes: tuple[str, ...] = ("rev",),
                atol: float = 1e-6, rtol: float = 1e-6, eps: float = 1e-3, seed: int = 0) -> None:
    """Compare the derivative of fun at args with differences along random directions.

    args: numbers, arrays, and tuples, lists and dicts of them; what cannot vary is left alone.
    atol, rtol: allowed difference, absolute and relative; eps: step of the differences.

    Raises AssertionError that names the argument, the element and both numbers. A NaN on one side
    only is a difference.
    """
    if order != 1 or tuple(modes) != ("rev",):
        raise TangentError("check_grads compares reverse mode of order 1 so far", None,
                           'write order=1, modes=("rev",)')
    rng = np.random.default_rng(seed)
    value, pullback = vjp(fun, *args)
    cotangent = _random_like(value, rng)
    found = pullback(cotangent)
    for number, (argument, gradient) in enumerate(zip(args, found)):
        for path, leaf, part in _leaves(argument, gradient, f"argument {number}"):
            _compare(fun, args, number, path, leaf, part, cotangent, atol, rtol, eps)


def _compare(fun: Any, args: tuple[Any, ...], number: int, path: tuple[Any, ...], leaf: Any,
             part: Any, cotangent: Any, atol: float, rtol: float, eps: float) -> None:
    flat = np.ravel(leaf)
    got = np.ravel(part)
    for element in range(flat.size):
        def along(step: complex, element: int = element) -> Any:
            moved = np.array(leaf, copy=True)
            if moved.ndim == 0:
                moved = moved[()] + step
                moved = type(leaf)(moved) if not isinstance(leaf, np.ndarray) else \
                    np.asarray(moved)
            else:
                moved.flat[element] = flat[element] + step
            changed = list(args)
            changed[number] = _replace(_copied(args[number]), path[1:], moved)
            others = [_copied(a) if k != number else changed[number] for k, a in enumerate(changed)]
            return fun(*others)

        size = eps * max(1.0, abs(flat[element])) if np.isfinite(flat[element]) else eps
        want = _slope(along, size, cotangent)
        if np.iscomplexobj(leaf):
            # The gradient of a real function of z = x + iy is d/dx - i d/dy.
            want = want - 1j * _slope(lambda s: along(1j * s), size, cotangent)
        allowed = atol + rtol * abs(want)
        here = got[element]
        if np.isnan(here) and np.isnan(want):
            continue
        if not abs(here - want) <= allowed:
            where = path[0] + "".join(f"[{p!r}]" for p in path[1:])
            index = np.unravel_index(element, np.shape(leaf)) if np.shape(leaf) else ()
            raise AssertionError(
                f"the derivative of {getattr(fun, '__name__', fun)} is wrong: {where}, element "
                f"{tuple(map(int, index))}: reverse mode {here!r}, differences {want!r}")


def _slope(along: Any, size: float, cotangent: Any) -> float:
    total = 0.0
    for k, weight in enumerate(STENCIL, 1):
        total += weight * (_dot(along(k * size), cotangent) - _dot(along(-k * size), cotangent))
    return total / size


def _dot(value: Any, cotangent: Any) -> float:
    if isinstance(value, dict):
        return sum(_dot(value[k], cotangent[k]) for k in value)
    if isinstance(value, (tuple, list)):
        return sum(_dot(v, c) for v, c in zip(value, cotangent))
    if not _is_number(value):
        return 0.0
    return float(np.real(np.sum(np.asarray(value) * np.asarray(cotangent))))


def _is_number(value: Any) -> bool:
    return isinstance(value, (float, complex, np.floating, np.complexfloating)) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "fc")


def _random_like(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, dict):
        return {k: _random_like(v, rng) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)([_random_like(v, rng) for v in value])
    if isinstance(value, np.ndarray):
        made = rng.uniform(0.5, 1.5, value.shape)
        return made.astype(value.dtype) if value.dtype.kind == "f" else made
    return float(rng.uniform(0.5, 1.5)) if _is_number(value) else value


def _leaves(argument: Any, gradient: Any, name: str, path: tuple[Any, ...] = ()) -> Any:
    """Paths, values and gradients of the numbers and arrays that may vary."""
    path = path or (name,)
    if isinstance(argument, dict):
        for key, part in argument.items():
            yield from _leaves(part, gradient[key] if gradient is not None else None, name,
                               (*path, key))
    elif isinstance(argument, (tuple, list)):
        for key, part in enumerate(argument):
            yield from _leaves(part, gradient[key] if gradient is not None else None, name,
                               (*path, key))
    elif dataclasses.is_dataclass(argument):
        for one in dataclasses.fields(argument):
            yield from _leaves(getattr(argument, one.name),
                               getattr(gradient, one.name) if gradient is not None else None,
                               name, (*path, one.name))
    elif _is_number(argument) and gradient is not None:
        yield path, argument, gradient


def _copied(tree: Any) -> Any:
    import copy
    return copy.deepcopy(tree)


def _replace(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The structure with one part exchanged."""
    if not path:
        return value
    first, *rest = path
    if isinstance(tree, dict):
        return {k: _replace(v, tuple(rest), value) if k == first else v for k, v in tree.items()}
    if isinstance(tree, (tuple, list)):
        parts = [_replace(v, tuple(rest), value) if k == first else v for k, v in enumerate(tree)]
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return dataclasses.replace(tree, **{first: _replace(getattr(tree, first), tuple(rest), value)})
