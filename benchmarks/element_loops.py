"""Arrays bound in an outer loop and used by elements in an inner one: gradient over function.

    python benchmarks/element_loops.py [--steps K]

The ratio should stay flat as n grows. A copy of an adjoint inside the inner loop, which costs O(n)
for each element, shows as a ratio that grows with n.
"""
from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import tangent_lite as tl

SIZES = (1_000, 10_000, 100_000)


def stepping(x, steps):
    """Bound in each step, then changed in place by elements."""
    h = x
    for _ in range(steps):
        h = 0.5 * h + x
        for j in range(1, len(x)):
            h[j] = h[j] + 0.25 * h[j - 1] * x[j]
    return np.sum(h)


def reading(x, steps):
    """Bound in each step, then read by elements."""
    h = x
    total = 0.0
    for _ in range(steps):
        h = np.sin(h)
        for j in range(len(x)):
            total = total + h[j] * x[j]
    return total


def branching(x, steps):
    """Bound anew in one iteration of many."""
    h = x * x
    total = 0.0
    for _ in range(steps):
        for j in range(len(x)):
            if j == 10:
                h = h * x
            total = total + h[j] * h[j]
    return total


def measured(function: Callable, args: tuple, rounds: int) -> float:
    """The median time of a call, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function(*args)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=2, help="of the outer loop (2)")
    options = parser.parse_args()
    print("Time of the gradient over the time of the function.")
    print(f"{'function':<12}" + "".join(f"{n:>10}" for n in SIZES))
    for function in (stepping, reading, branching):
        gradient = tl.grad(function)
        ratios = []
        for n in SIZES:
            args = (np.random.default_rng(0).uniform(0.1, 0.9, size=n), options.steps)
            gradient(*args)
            rounds = 9 if n < 100_000 else 3
            ratios.append(measured(gradient, args, rounds) / measured(function, args, rounds))
        print(f"{function.__name__:<12}" + "".join(f"{ratio:>10.2f}" for ratio in ratios),
              flush=True)


if __name__ == "__main__":
    main()
