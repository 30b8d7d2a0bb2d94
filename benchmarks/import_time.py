"""How much longer `import tangent_lite` takes than `import numpy`, in fresh interpreters.

    python benchmarks/import_time.py [--runs N] [--peers] [--gradient]

The interpreters alternate; each prints how long its one import took. The ratio is of medians.
With --gradient, also how long it takes to import tangent_lite, next to numpy, and to have the
gradient of a function of five lines: what somebody waits for who tries it at a prompt.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = (
    "import time; start = time.perf_counter(); import {name}; "
    "print(time.perf_counter() - start)"
)
PEERS = ("autograd", "torch", "jax")
GRADIENT = "import, and a gradient"
FUNCTION = """import math


def f(x, y):
    a = x * y
    b = math.sin(a) + x
    c = b * b - y
    return c / (1.0 + a * a)
"""
OF_GRADIENT = (
    "import sys; sys.path.insert(0, {folder!r}); import five_lines, numpy, time; "
    "start = time.perf_counter(); import tangent_lite; "
    "tangent_lite.grad(five_lines.f, wrt=('x', 'y'))(0.3, 0.4); "
    "print(time.perf_counter() - start)"
)


def import_seconds(name: str) -> float | None:
    """The time of one import in a new interpreter, or of that of tangent_lite with a gradient; None
    if it fails."""
    if name == GRADIENT:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "five_lines.py").write_text(FUNCTION)
            return printed(OF_GRADIENT.format(folder=folder))
    return printed(CODE.format(name=name))


def printed(code: str) -> float | None:
    """The number that a new interpreter prints; None if it fails."""
    done = subprocess.run(
        [sys.executable, "-c", code],
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
    parser.add_argument("--gradient", action="store_true", help="and a first gradient")
    options = parser.parse_args()
    names = ["numpy", "tangent_lite", *(PEERS if options.peers else ()),
             *([GRADIENT] if options.gradient else ())]
    # The first run writes the bytecode and warms the disk; it also tells what is there.
    found = [name for name in names if import_seconds(name) is not None]
    for name in names:
        if name not in found:
            print(f"{name:<24} cannot be imported")
    times: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(options.runs):
        for name in found:
            elapsed = import_seconds(name)
            if elapsed is not None:
                times[name].append(elapsed)
    base = statistics.median(times["numpy"])
    print(f"{'import':<24}{'to numpy':>10}")
    for name in found:
        print(f"{name:<24}{statistics.median(times[name]) / base:>10.2f}")
    return 0 if "tangent_lite" in found else 1


if __name__ == "__main__":
    sys.exit(main())
