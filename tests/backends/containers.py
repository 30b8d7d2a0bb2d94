"""Structures of arrays for compiled derivatives, and what these are held against."""
import copy

import numpy as np
import pytest

import tangent_lite as tl
from tests.backends.comparing import compare


def layers(rng, count=3):
    """Drawn layers of a network: a matrix and a vector each."""
    return [(rng.normal(size=(3, 3)), rng.normal(size=3)) for _ in range(count)]


def moved(tree, along, step):
    """A structure of floats and arrays, moved along another one."""
    if isinstance(tree, dict):
        return {key: moved(part, along[key], step) for key, part in tree.items()}
    if isinstance(tree, (list, tuple)):
        parts = [moved(part, one, step) for part, one in zip(tree, along)]
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return tree + step * along if along is not None else copy.copy(tree)


def drawn(tree, rng):
    """A direction for the floats and arrays of a structure."""
    if isinstance(tree, dict):
        return {key: drawn(part, rng) for key, part in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [drawn(part, rng) for part in tree]
    if isinstance(tree, np.ndarray) and tree.dtype.kind == "f":
        return rng.normal(size=tree.shape)
    return rng.normal() if isinstance(tree, float) else None


def along(gradient, direction):
    """The derivative along a direction that a gradient tells."""
    if isinstance(direction, dict):
        return sum(along(gradient[key], part) for key, part in direction.items())
    if isinstance(direction, list):
        return sum(along(*pair) for pair in zip(gradient, direction))
    return 0.0 if direction is None else float(np.sum(gradient * direction))


def check(function, args):
    """The outcome is that of Python, and the gradient that of finite differences."""
    outcome, detail = compare(function, args, (0,))
    if outcome == "same" and not detail:
        # What was found is that of Python.
        gradient, = tl.grad(function, wrt=(0,))(*copy.deepcopy(args))
        direction = drawn(args[0], np.random.default_rng(3))
        up, down = (function(moved(args[0], direction, step), *copy.deepcopy(args[1:]))
                    for step in (1e-6, -1e-6))
        assert along(gradient, direction) == pytest.approx((up - down) / 2e-6, rel=1e-5, abs=1e-6)
    return outcome, detail
