"""What each operation costs where a derivative goes by identity: loops of one operation each.

    python benchmarks/by_identity.py [operations...] [--steps N] [--seconds S]

Most functions have their derivatives written with names, and cost a few times the function. What
names cannot tell is found as the function runs (docs/architecture.md, "By identity"), an operation
at a time. Columns: gradient over function by names and by identity, and the time of a step by
identity over that of a step that multiplies two numbers.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from typing import Any

import harness
import numpy as np

import tangent_lite as tl
from tangent_lite.errors import UnsupportedSyntaxError


def product(x, n):
    for _ in range(n):
        x = x * 1.01
    return x


def exponential(x, n):
    for _ in range(n):
        x = math.exp(-x)
    return x


def chosen(x, n):
    for _ in range(n):
        x = max(0.9 * x, 0.1)
    return x


def scaled(x):
    return x * 1.01


def helper(x, n):
    for _ in range(n):
        x = scaled(x)
    return x


class Held:
    """A number in an object."""

    def __init__(self, value):
        self.value = value

    def scaled(self):
        return self.value * 1.01


def attribute(x, n):
    held, total = Held(x), 0.0
    for _ in range(n):
        total = total + held.value
    return total


def attribute_written(x, n):
    held = Held(x)
    for _ in range(n):
        held.value = held.value * 1.01
    return held.value


def method(x, n):
    held, total = Held(x), 0.0
    for _ in range(n):
        total = total + held.scaled()
    return total


def made(x, n):
    total = 0.0
    for _ in range(n):
        total = total + Held(x).value
    return total


def listed(x, n):
    items = []
    for _ in range(n):
        items.append(x)
    return items[-1]


def array_sine(x, n):
    for _ in range(n):
        x = np.sin(x)
    return np.sum(x)


def array_sum(x, n):
    total = 0.0
    for _ in range(n):
        total = total + x.sum()
    return total


def element(x, n):
    total = 0.0
    for k in range(n):
        total = total + x[k % 5]
    return total


def element_written(x, n):
    y = x.copy()
    for k in range(n):
        y[k % 5] = 1.01 * y[(k + 1) % 5]
    return np.sum(y)


NUMBERS = (product, exponential, chosen, helper, attribute, attribute_written, method, made, listed)
ARRAYS = (array_sine, array_sum, element, element_written)


def by_identity(function: Callable[..., Any], values: tuple[Any, ...]) -> Callable[[], Any]:
    """A call of the gradient that names are not asked for."""
    variant = tl.grad(function).by_identity(values, UnsupportedSyntaxError("as a benchmark asks"))
    return lambda: variant.run(values)


def main() -> int:
    """Measure and print; nonzero if names and identity disagree."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("operations", nargs="*", help="all, if nothing is said")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.3, help="for each contender (0.3)")
    options = parser.parse_args()
    wrong = 0
    unit = harness.Contender("unit", by_identity(product, (0.3, options.steps)))
    print(f"{'operation':<20}{'by names':>10}{'by identity':>13}{'to a product':>14}")
    for function in NUMBERS + ARRAYS:
        if options.operations and function.__name__ not in options.operations:
            continue
        values = 0.3 if function in NUMBERS else np.linspace(0.1, 0.4, 5), options.steps
        primal = harness.function_contender("primal", function, values)
        named = harness.function_contender("tl", tl.grad(function), values)
        found = harness.Contender("tl by identity", by_identity(function, values))
        wrong += not np.allclose(named.thunk(), found.thunk())
        unit.seconds = []
        harness.measure([primal, named, found, unit], budget=options.seconds)
        print(f"{function.__name__:<20}{named.ratio:>10.1f}{found.ratio:>13.0f}"
              f"{found.ratio / unit.ratio:>14.1f}", flush=True)
    if wrong:
        print(f"{wrong} gradients by identity DISAGREE with those by names")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
