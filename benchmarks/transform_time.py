"""How long it takes to write the derivative of n statements in a row, and whether it is linear.

    python benchmarks/transform_time.py [sizes...] [--repeat N] [--ratios]

For each size a function is written to a file, imported, and `tl.grad(f).source` is timed; each
repetition has a new function, since derivatives are kept. Linear time is a last column of ones.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import harness

SIZES = (10, 100, 1000, 3000)
REFERENCE = 100

# Statements in turn; {t} is the new name, {a} the last one, {b} an earlier one.
STATEMENTS = (
    "{t} = {a} * {b} + 0.5",
    "{t} = math.sin({a})",
    "{t} = {a} - 0.25 * {b}",
    "{t} = math.exp(-{a} * {a})",
    "{t} = {a} / (1.0 + {b} * {b})",
)


def source(size: int, name: str) -> str:
    """A function of two floats with `size` assignments, each read later on."""
    lines = ["import math", "", "", f"def {name}(x, y):"]
    names = ["x", "y"]
    for k in range(size):
        statement = STATEMENTS[k % len(STATEMENTS)]
        earlier = names[max(0, len(names) - 2 - k % 7)]
        lines.append("    " + statement.format(t=f"t{k}", a=names[-1], b=earlier))
        names.append(f"t{k}")
    return "\n".join([*lines, f"    return {names[-1]}", ""])


def load(folder: Path, size: int, turn: int) -> Callable:
    """The function, imported from a file of its own."""
    name = f"chain_{size}_{turn}"
    path = folder / f"{name}.py"
    path.write_text(source(size, name))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return getattr(module, name)


def seconds(function: Callable) -> float:
    """The time to transform the function once."""
    import tangent_lite as tl

    start = time.perf_counter()
    text = tl.grad(function, wrt=("x", "y")).source
    elapsed = time.perf_counter() - start
    assert text
    return elapsed


def main() -> int:
    """Time every size and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--repeat", type=int, default=3, help="median of so many (3)")
    parser.add_argument("--ratios", action="store_true", help="no times, only ratios")
    options = parser.parse_args()
    sizes = sorted({*options.sizes, REFERENCE})
    medians: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        try:
            seconds(load(Path(folder), REFERENCE, options.repeat))   # imports, first use
            for size in sizes:
                times = [
                    seconds(load(Path(folder), size, turn)) for turn in range(options.repeat)
                ]
                medians[size] = statistics.median(times)
        except Exception as error:
            print(f"refused: {harness.first_line(error)}")
    if REFERENCE not in medians:
        return 1
    reference = medians[REFERENCE] / REFERENCE
    times = "" if options.ratios else f"{'seconds':>10}{'ms each':>10}"
    print(f"{'statements':>10}{times}{'to ' + str(REFERENCE):>10}")
    for size, median in medians.items():
        each = median / size
        times = "" if options.ratios else f"{median:>10.3f}{1e3 * each:>10.3f}"
        print(f"{size:>10}{times}{each / reference:>10.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
