"""Derivatives along one direction after the other, in every sequence of modes, and what they are
by differences.

A sequence such as "rf" reads as it nests: reverse mode over forward mode.
"""
import itertools

import numpy as np

import tangent_lite as tl
from tests.reference.dual import quiet
from tests.reference.trees import copies, floats, rebuilt

SEQUENCES = ["".join(modes) for order in (1, 2, 3)
             for modes in itertools.product("rf", repeat=order)]

# Central differences of order eight: weights of f(x + k h) - f(x - k h)
STENCIL = {k * s: w * s for k, w in enumerate((4 / 5, -1 / 5, 4 / 105, -1 / 280), 1)
           for s in (1, -1)}


def forward(f, direction):
    """The derivative of f along a direction by forward mode, to be differentiated again."""
    def along(p):
        return tl.jvp(f, (p,), (direction,))[1]
    return along


def reverse(f, direction, dot):
    """The derivative of f along a direction by reverse mode, to be differentiated again."""
    def along(p):
        return dot(tl.grad(f)(p), direction)
    return along


def nested(case, modes, directions):
    """The derivative of a case along directions, one for each mode, the innermost last."""
    f = case.f
    for mode, direction in zip(reversed(modes), reversed(directions)):
        f = forward(f, direction) if mode == "f" else reverse(f, direction, case.dot)
    return f


def directions_at(p, order):
    """Directions that differ, so that one that is taken for the other shows."""
    rng = np.random.default_rng(order)
    return [rebuilt(p, iter(rng.uniform(0.3, 1.0, len(floats(p))) * rng.choice([-1.0, 1.0])))
            for _ in range(order)]


def by_differences(case, directions, step):
    """The mixed derivative of a case along directions, by differences of differences."""
    start = np.array(floats(case.p))
    along = [np.array(floats(direction)) for direction in directions]
    total = 0.0
    with quiet():
        for places in itertools.product(STENCIL, repeat=len(along)):
            moved = start + step * sum(k * d for k, d in zip(places, along))
            weight = np.prod([STENCIL[k] for k in places])
            p, = copies((rebuilt(case.p, iter(moved.tolist())),))
            total += weight * float(np.real(case.f(p)))
    return total / step ** len(along)


def reference(case, directions):
    """The mixed derivative, and how far two step sizes are apart."""
    coarse, fine = (by_differences(case, directions, step) for step in STEPS[len(directions)])
    return fine, abs(fine - coarse)


# Rounding is divided by the step as often as there are directions.
STEPS = {1: (4e-3, 2e-3), 2: (1e-2, 6e-3), 3: (1.6e-2, 1.1e-2)}
