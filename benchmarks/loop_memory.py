"""Bytes that a gradient needs for one step of a loop: the logistic map.

    python benchmarks/loop_memory.py [--peers] [--numba]

Each contender has an interpreter of its own. `traced` is the growth of the peak that tracemalloc
sees (Python objects and NumPy arrays), `resident` that of the process itself, which also sees
what C++ and compiled code allocate; both from n to 2 n steps, divided by n.
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

STEPS = {
    "hand": 500_000,
    "tl": 500_000,
    "hand numba": 4_000_000,
    "tl numba": 4_000_000,
    "autograd": 20_000,
    "torch": 20_000,
    "jax": 4_000_000,
}
# What these allocate, tracemalloc does not see.
COMPILED = ("hand numba", "tl numba", "torch", "jax")


def gradient(name: str) -> Callable[[int], object]:
    """A call of the contender for n steps."""
    import threads

    threads.limit([])
    from workloads import WORKLOADS

    workload = WORKLOADS["logistic"]
    r, x, _ = workload.args()
    if name == "hand":
        return lambda n: workload.hand(r, x, n)
    if name == "hand numba":
        assert workload.hand_numba is not None
        compiled = workload.hand_numba()
        return lambda n: compiled(r, x, n)
    if name.startswith("tl"):
        backend = name.partition(" ")[2] or "python"
        import tangent_lite as tl

        derivative = tl.grad(workload.primal, wrt=workload.wrt, backend=backend)
        return lambda n: derivative(r, x, n)
    return lambda n: workload.peers[name](workload, (r, x, n))()


def resident_peak() -> int:
    """The most memory that this process has had, in bytes."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def child(name: str, how: str) -> float:
    """Bytes a step of one contender, measured in this process."""
    call = gradient(name)
    n = STEPS[name]
    call(10)
    peaks = []
    for steps in (n, 2 * n):
        gc.collect()
        if how == "traced":
            tracemalloc.start()
        call(steps)
        if how == "traced":
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        else:
            peaks.append(resident_peak())
    return (peaks[1] - peaks[0]) / n


def measured(name: str, how: str) -> tuple[str, str]:
    """The result of a child process, and the last line of what went wrong."""
    done = subprocess.run(
        [sys.executable, __file__, "--child", name, how],
        capture_output=True, text=True, check=False, cwd=Path(__file__).resolve().parent.parent,
    )
    if done.returncode == 0:
        return f"{float(done.stdout):.1f}", ""
    lines = done.stderr.strip().splitlines()
    return "-", lines[-1] if lines else "no result"


def main() -> int:
    """Run the children and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peers", action="store_true", help="autograd, torch and jax too")
    parser.add_argument("--numba", action="store_true", help="the Numba backend too")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(child(*options.child))
        return 0
    names = ["hand", "tl"]
    names += ["hand numba", "tl numba"] if options.numba else []
    names += ["autograd", "torch", "jax"] if options.peers else []
    print(f"{'bytes a step':<14}{'traced':>10}{'resident':>10}")
    for name in names:
        traced, _ = ("-", "") if name in COMPILED else measured(name, "traced")
        resident, note = measured(name, "resident")
        print(f"{name:<14}{traced:>10}{resident:>10}  {note}".rstrip(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
