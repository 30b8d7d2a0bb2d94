"""How long it takes to write the derivative of n statements, and whether it is linear.

    python benchmarks/transform_time.py [sizes...] [--shapes row,loop,...] [--repeat N] [--ratios]
    python benchmarks/transform_time.py 100 1000 --instructions

For each size a function is written to a file, imported, and `tl.grad(f).source_for` is timed; each
repetition has a new function, since derivatives are kept. Linear time is a last column of ones.

With --instructions, valgrind counts what the processor executes, for as many statements at each
size: the work, without what it waits for memory. A minute for each size and shape.

The statements stand in a row; in the body of one loop; in many loops of three; in many branches,
two ways each. What is slow in one of them need not show in the others.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import statistics
import subprocess
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


def in_a_row(size: int, x: str = "x", y: str = "y") -> list[str]:
    """`size` assignments, each read later on, and what the last one binds is `t`."""
    lines, names = [], [x, y]
    for k in range(size):
        statement = STATEMENTS[k % len(STATEMENTS)]
        earlier = names[max(0, len(names) - 2 - k % 7)]
        name = f"t{k}" if k < size - 1 else "t"
        lines.append(statement.format(t=name, a=names[-1], b=earlier))
        names.append(name)
    return lines


def row(size: int) -> list[str]:
    """All in a row."""
    return [*in_a_row(size), "return t"]


def loop(size: int) -> list[str]:
    """All in one loop, which carries two numbers."""
    inner = [*in_a_row(size - 2, "u", "v"), "u = v", "v = t"]
    return ["u, v = x, y", "for i in range(3):", *("    " + line for line in inner), "return u * v"]


def loops(size: int) -> list[str]:
    """Three in each of many loops."""
    lines = ["u, v = x, y"]
    for k in range(size // 4):
        lines += ["for i in range(3):", f"    t{k} = math.sin(u) * v", f"    u = u + 0.5 * t{k}",
                  f"    v = v * t{k}"]
    return [*lines, "return u * v"]


def branches(size: int) -> list[str]:
    """One in each way of many branches."""
    lines = ["u, v = x, y"]
    for k in range(size // 4):
        lines += [f"if u > 0.{k % 9 + 1}:", "    u = math.sin(u) * v", "else:",
                  "    v = v * u + 0.25"]
    return [*lines, "return u * v"]


SHAPES = {shape.__name__: shape for shape in (row, loop, loops, branches)}


def source(shape: str, size: int, name: str) -> str:
    """A function of two floats with `size` statements."""
    lines = ["import math", "", "", f"def {name}(x, y):"]
    return "\n".join([*lines, *("    " + line for line in SHAPES[shape](size)), ""])


def load(folder: Path, shape: str, size: int, turn: int) -> Callable:
    """The function, imported from a file of its own."""
    name = f"{shape}_{size}_{turn}"
    path = folder / f"{name}.py"
    path.write_text(source(shape, size, name))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return getattr(module, name)


def seconds(function: Callable) -> float:
    """The processor's time to transform the function once."""
    import tangent_lite as tl

    start = time.process_time()
    text = tl.grad(function, wrt=("x", "y")).source_for(0.5, 0.3)
    elapsed = time.process_time() - start
    assert text
    return elapsed


def instructions(shape: str, size: int, statements: int) -> int:
    """What the processor executes to transform so many statements, in functions of a size, and to
    start and import."""
    command = [sys.executable, __file__, "--alone", f"{shape}:{size}:{statements // size}"]
    done = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
         *command], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONHASHSEED": "0"})
    found = re.search(r"I +refs: +([0-9,]+)", done.stderr)
    assert found is not None, done.stderr
    return int(found[1].replace(",", ""))


def count(shape: str, sizes: list[int]) -> None:
    """Print the table of instructions of one shape."""
    most = max(sizes)
    start = instructions(shape, most, 0)
    each = {size: (instructions(shape, size, most) - start) / (most // size * size)
            for size in sizes}
    print(f"{shape:>10}{'instructions':>14}{'to ' + str(REFERENCE):>10}")
    for size, number in each.items():
        print(f"{size:>10}{number:>14,.0f}{number / each[REFERENCE]:>10.2f}")


def alone(shape: str, size: int, turns: int) -> None:
    """Transform some functions: what is counted."""
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(turns + 1):               # the first one, a small one, loads the rules
            seconds(load(Path(folder), shape, size if turn else SIZES[0], turn))


def main() -> int:
    """Time every shape and size and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--shapes", default=",".join(SHAPES), help="some of: %(default)s")
    parser.add_argument("--repeat", type=int, default=3, help="median of so many (3)")
    parser.add_argument("--ratios", action="store_true", help="no times, only ratios")
    parser.add_argument("--instructions", action="store_true", help="count them, with valgrind")
    parser.add_argument("--alone", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        shape, size, turns = options.alone.split(":")
        alone(shape, int(size), int(turns))
        return 0
    sizes = sorted({*options.sizes, REFERENCE})
    refused = False
    for shape in options.shapes.split(","):
        medians: dict[int, float] = {}
        if options.instructions:
            count(shape, sizes)
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                seconds(load(Path(folder), shape, REFERENCE, options.repeat))   # first use
                for size in sizes:
                    medians[size] = statistics.median(
                        seconds(load(Path(folder), shape, size, turn))
                        for turn in range(options.repeat))
            except Exception as error:
                print(f"refused: {harness.first_line(error)}")
                refused = True
        if REFERENCE in medians:
            show(shape, medians, options.ratios)
    return int(refused)


def show(shape: str, medians: dict[int, float], only_ratios: bool) -> None:
    """Print the table of one shape."""
    reference = medians[REFERENCE] / REFERENCE
    times = "" if only_ratios else f"{'seconds':>10}{'ms each':>10}"
    print(f"{shape:>10}{times}{'to ' + str(REFERENCE):>10}")
    for size, median in medians.items():
        each = median / size
        times = "" if only_ratios else f"{median:>10.3f}{1e3 * each:>10.3f}"
        print(f"{size:>10}{times}{each / reference:>10.2f}")


if __name__ == "__main__":
    sys.exit(main())
