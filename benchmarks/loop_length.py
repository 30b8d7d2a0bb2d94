"""A loop of n steps as n grows: the gradient of the logistic map, its time and its memory.

    python benchmarks/loop_length.py [lengths...]

`tl/hand` is the time over that of the gradient by hand, the last columns are bytes a step at the
peak.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable

import threads

threads.limit([])

import harness  # noqa: E402
from workloads import WORKLOADS  # noqa: E402

LENGTHS = (1_000, 10_000, 100_000, 1_000_000)


def peak(call: Callable[[], object]) -> int:
    """The most bytes that Python has allocated during a call."""
    gc.collect()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def main() -> int:
    """Print a line for each length; nonzero if a gradient is wrong."""
    lengths = [int(n) for n in sys.argv[1:]] or list(LENGTHS)
    workload = WORKLOADS["logistic"]
    r, x, _ = workload.args()
    print(f"{'steps':>9}{'tl/hand':>9}{'tl bytes':>10}{'by hand':>9}")
    for n in lengths:
        args = (r, x, n)
        hand = harness.function_contender("hand", workload.hand, args)
        ours = harness.tangent_lite_contender(workload, args, "python", "tl")
        if ours.thunk is None:
            print(ours.note)
            return 1
        off = harness.disagreement(ours.thunk(), workload.hand(*args))
        if not off <= harness.RTOL:
            print(f"tl DISAGREES with hand by {off:.1e}")
            return 1
        harness.measure([hand, ours], budget=1.0)
        memory = [peak(c.thunk) / n for c in (ours, hand) if c.thunk is not None]
        print(f"{n:>9}{ours.ratio:>9.2f}{memory[0]:>10.1f}{memory[1]:>9.1f}",
              flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
