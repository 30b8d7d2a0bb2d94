"""The time of a gradient over the time of its function, as the size grows: it should stay flat.

    python benchmarks/cheap_gradient.py [--seconds S]

Four functions: by whole arrays; reading elements in a loop; writing elements in a loop; and a
number carried along. An adjoint that costs O(n) for one element shows as a ratio that grows
with n. The gradient by hand stands beside it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import harness
import numpy as np


def whole(x):
    """By whole arrays."""
    y = np.sin(x) * x + np.exp(-x * x)
    return np.sum(y * y)


def whole_hand(x):
    """As on paper."""
    sine, bell = np.sin(x), np.exp(-x * x)
    y = sine * x + bell
    return (2.0 * y * (x * np.cos(x) + sine - 2.0 * x * bell),)


def reading(x):
    """Reading elements."""
    total = 0.0
    for i in range(1, x.shape[0]):
        total = total + x[i] * x[i - 1]
    return total


def reading_hand(x):
    """Element by element too."""
    bx = np.zeros_like(x)
    for i in range(1, x.shape[0]):
        bx[i] += x[i - 1]
        bx[i - 1] += x[i]
    return (bx,)


def writing(x):
    """Writing elements, each read again."""
    u = x.copy()
    for i in range(1, x.shape[0]):
        u[i] = u[i] + 0.5 * u[i - 1] * u[i]
    return np.sum(u * u)


def writing_hand(x):
    """With what was overwritten: x itself."""
    u = x.copy()
    n = x.shape[0]
    for i in range(1, n):
        u[i] = u[i] + 0.5 * u[i - 1] * u[i]
    bu = 2.0 * u
    for i in range(n - 1, 0, -1):
        bt = bu[i]
        bu[i] = bt + 0.5 * bt * u[i - 1]
        bu[i - 1] += 0.5 * bt * x[i]
    return (bu,)


def carried(x):
    """A number carried along, with a branch."""
    s = 0.0
    for i in range(x.shape[0]):
        if s > 1.0:
            s = 0.5 * s
        s = s + x[i] * x[i] * (1.0 - s)
    return s


def carried_hand(x):
    """The number recorded before each step."""
    n = x.shape[0]
    tape = []
    s = 0.0
    for i in range(n):
        tape.append(s)
        if s > 1.0:
            s = 0.5 * s
        s = s + x[i] * x[i] * (1.0 - s)
    bx = np.zeros_like(x)
    bs = 1.0
    for i in range(n - 1, -1, -1):
        s = tape[i]
        halved = s > 1.0
        if halved:
            s = 0.5 * s
        v = x[i]
        bx[i] = 2.0 * bs * v * (1.0 - s)
        bs -= bs * v * v
        if halved:
            bs *= 0.5
    return (bx,)


CASES: tuple[tuple[Callable, Callable, tuple[int, ...]], ...] = (
    (whole, whole_hand, (10, 1_000, 1_000_000)),
    (reading, reading_hand, (100, 1_000, 10_000, 100_000)),
    (writing, writing_hand, (100, 1_000, 10_000, 100_000)),
    (carried, carried_hand, (100, 1_000, 10_000, 100_000)),
)


def main() -> int:
    """Measure and print; nonzero if a gradient is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=0.5, help="for each contender (0.5)")
    options = parser.parse_args()
    wrong = 0
    print("Time over the time of the function.")
    print(f"{'function':<10}{'n':>9}{'hand':>9}{'tl':>9}{'tl/hand':>9}  note")
    for primal, hand, sizes in CASES:
        for n in sizes:
            args = (np.random.default_rng(0).uniform(-0.9, 0.9, size=n),)
            workload = harness.Workload(
                primal.__name__, str(primal.__doc__), primal, tuple, ("x",), hand
            )
            by_hand = harness.function_contender("hand", hand, args)
            ours = harness.tangent_lite_contender(workload, args, "python", "tl")
            if ours.thunk is not None:
                off = harness.disagreement(ours.thunk(), hand(*args))
                if not off <= harness.RTOL:
                    wrong, ours.thunk = wrong + 1, None
                    ours.note = f"tl DISAGREES with hand by {off:.1e}"
            function = harness.function_contender("primal", primal, args)
            harness.measure([function, by_hand, ours], budget=options.seconds)
            assert by_hand.ratio is not None
            cells = [f"{primal.__name__:<10}{n:>9}{by_hand.ratio:>9.2f}"]
            if ours.ratio is None:
                cells.append(f"{'-':>9}{'-':>9}  {ours.note}")
            else:
                cells.append(f"{ours.ratio:>9.2f}{ours.ratio / by_hand.ratio:>9.2f}")
            print("".join(cells), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
