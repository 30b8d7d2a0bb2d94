"""How much longer `import tangent_lite` takes than `import numpy`, in fresh interpreters.

    python benchmarks/import_time.py [--runs N] [--peers]

The interpreters alternate; each prints how long its one import took. The ratio is of medians.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = (
    "import time; start = time.perf_counter(); import {name}; "
    "print(time.perf_counter() - start)"
)
PEERS = ("autograd", "torch", "jax")


def import_seconds(name: str) -> float | None:
    """The time of one import in a new interpreter; None if it fails."""
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(name=name)],
        capture_output=True, text=True, cwd=ROOT, check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},      # as users have it: compiled once
    )
    return float(done.stdout) if done.returncode == 0 else None


def main() -> int:
    """Time the imports in turn and print their ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=15, help="of each (15)")
    parser.add_argument("--peers", action="store_true", help="autograd, torch and jax too")
    options = parser.parse_args()
    names = ["numpy", "tangent_lite", *(PEERS if options.peers else ())]
    # The first run writes the bytecode and warms the disk; it also tells what is there.
    found = [name for name in names if import_seconds(name) is not None]
    for name in names:
        if name not in found:
            print(f"{name:<14} cannot be imported")
    times: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(options.runs):
        for name in found:
            elapsed = import_seconds(name)
            if elapsed is not None:
                times[name].append(elapsed)
    base = statistics.median(times["numpy"])
    print(f"{'import':<14}{'to numpy':>10}")
    for name in found:
        print(f"{name:<14}{statistics.median(times[name]) / base:>10.2f}")
    return 0 if "tangent_lite" in found else 1


if __name__ == "__main__":
    sys.exit(main())
