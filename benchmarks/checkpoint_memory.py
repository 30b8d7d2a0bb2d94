"""Memory and time of a gradient with and without checkpoints: a loop that carries a large state.

    python benchmarks/checkpoint_memory.py [--steps 1000] [--size 100000]

`peak` is what tracemalloc sees above what was there before the call; times are the best of some
calls without it. The gradients are compared; a ratio that misses its target makes the exit status
1: memory at least 5 times lower, at most 2.2 times the time, gradients equal to 1e-12.
"""

from __future__ import annotations

import argparse
import sys
import time
import tracemalloc
from collections.abc import Callable

import numpy as np

import tangent_lite as tl

LEAST_MEMORY, MOST_TIME, TOLERANCE = 5.0, 2.2, 1e-12


def relax(x, k, n):
    for _ in range(n):
        x = x + k * np.sin(x)
    return np.sum(x * x)


def relax_short(x, k, n):
    for _ in tl.checkpoint(range(n)):
        x = x + k * np.sin(x)
    return np.sum(x * x)


def orbit(x, v, k, n):
    for _ in range(n):
        v = v - k * np.sin(x)
        x = x + k * v
    return np.sum(x * x + v * v)


def orbit_short(x, v, k, n):
    for _ in tl.checkpoint(range(n)):
        v = v - k * np.sin(x)
        x = x + k * v
    return np.sum(x * x + v * v)


def heat(u, k, n):
    u = u.copy()
    for _ in range(n):
        u[1:-1] = u[1:-1] + k * u[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def heat_short(u, k, n):
    u = u.copy()
    for _ in tl.checkpoint(range(n)):
        u[1:-1] = u[1:-1] + k * u[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def step(x, k):
    return x + k * np.sin(x)


def helper(x, k, n):
    for _ in range(n):
        x = step(x, k)
    return np.sum(x * x)


def helper_short(x, k, n):
    for _ in tl.checkpoint(range(n)):
        x = step(x, k)
    return np.sum(x * x)


def arguments(size: int) -> dict[str, tuple[Callable, Callable, tuple]]:
    """The programs: without checkpoints, with them, and what they are called with but n."""
    x = np.random.default_rng(0).standard_normal(size)
    return {
        "relax": (relax, relax_short, (x, 1e-3)),
        "orbit": (orbit, orbit_short, (x, 0.5 * x, 1e-2)),
        "heat in place": (heat, heat_short, (np.abs(x), 1e-2)),
        "helper": (helper, helper_short, (x, 1e-3)),
    }


def peak(call: Callable[[], object]) -> int:
    """The most memory that a call needs on top of what is there, in bytes."""
    tracemalloc.start()
    call()
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def best(calls: list[Callable[[], object]], repeats: int) -> list[float]:
    """The best times of several calls, taken in turn."""
    times = [float("inf")] * len(calls)
    for _ in range(repeats):
        for number, call in enumerate(calls):
            start = time.perf_counter()
            call()
            times[number] = min(times[number], time.perf_counter() - start)
    return times


def measured(name: str, steps: int, size: int, repeats: int = 3) -> tuple[float, float, float]:
    """(memory of the plain gradient over that with checkpoints, time with them over the plain
    time, largest relative difference of the gradients) of one program."""
    plain, short, args = arguments(size)[name]
    one, other = tl.grad(plain), tl.grad(short)
    difference = np.max(np.abs(one(*args, 5) - other(*args, 5)))
    found = [lambda: one(*args, steps), lambda: other(*args, steps)]
    gradient = found[0]()
    difference = max(difference, np.max(np.abs(found[1]() - gradient) / np.max(np.abs(gradient))))
    del gradient
    memory = [peak(call) for call in found]
    times = best(found, repeats)
    print(f"{name:<14} peak {memory[0] / 1e6:8.1f} MB  with checkpoints {memory[1] / 1e6:7.1f} MB "
          f"({memory[0] / memory[1]:5.1f} times less)  time {times[0]:6.2f} s {times[1]:6.2f} s "
          f"({times[1] / times[0]:4.2f})  difference {difference:.1e}", flush=True)
    return memory[0] / memory[1], times[1] / times[0], difference


def main() -> int:
    """Measure the programs, print a line each; 1 if one misses a target."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--size", type=int, default=100_000)
    options = parser.parse_args()
    missed = False
    for name in arguments(3):
        memory, ratio, difference = measured(name, options.steps, options.size)
        missed |= not (memory >= LEAST_MEMORY and ratio <= MOST_TIME and difference <= TOLERANCE)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
