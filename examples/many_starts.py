"""Many starts at once: joblib runs a search from each of several points in processes of its own.

    python examples/many_starts.py [STARTS]         (needs joblib: pip install joblib)

A derivative is an object that pickles, so it may go wherever a function may.
"""
import sys

import numpy as np
from joblib import Parallel, delayed

import tangent_lite as tl


def rastrigin(x):
    """A bowl with many dents; the deepest one is at 0."""
    return 10.0 * len(x) + np.sum(x * x - 10.0 * np.cos(2.0 * np.pi * x))


def descend(derivative, x, steps=400, rate=1e-3):
    for _ in range(steps):
        value, gradient = derivative(x)
        x = x - rate * gradient
    return value, x


def main(starts=16):
    points = np.random.default_rng(0).uniform(-2.0, 2.0, size=(starts, 2))
    derivative = tl.value_and_grad(rastrigin)
    found = Parallel(n_jobs=2)(delayed(descend)(derivative, x) for x in points)
    assert all(np.array_equal(x, descend(derivative, start)[1])
               for (_, x), start in zip(found, points))
    value, x = min(found, key=lambda one: one[0])
    print(f"best of {starts}: {value:.4f} at ({x[0]:+.4f}, {x[1]:+.4f})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
