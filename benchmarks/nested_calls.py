"""Gradients of calls inside calls, as they get deeper: linear, or not.

    python benchmarks/nested_calls.py [--depths 10 30 100 300] [--seconds S]

`chain` is a chain of different helpers, each of which calls the next; `recursion` a function that
calls itself; `elements` a loop over the elements of an array in a helper. Columns: gradient over
function (flat is linear), the time of the first gradient for each level (the transformation: of
a chain one pair for each helper), and the same relative to the first depth.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import harness
import numpy as np

DEPTHS = (10, 30, 100, 300)


def chain(folder: Path, depth: int) -> tuple[Callable, tuple]:
    """`f` calls h0 calls h1 calls ... h(depth - 1), each in a line of its own."""
    lines = ["import math", ""]
    for k in range(depth):
        inner = f"h{k + 1}(x * 0.99)" if k + 1 < depth else "x"
        lines += ["", f"def h{k}(x):", f"    return math.sin({inner}) + 0.5 * x", ""]
    lines += ["", "def f(x):", "    return h0(x) * x", ""]
    return load(folder, f"chain_{depth}", lines), (0.7,)


def recursion(folder: Path, depth: int) -> tuple[Callable, tuple]:
    """A function that calls itself."""
    lines = ["import math", "", "", "def down(x, n):", "    if n == 0:", "        return x",
             "    return math.sin(down(x * 0.99, n - 1)) + 0.5 * x", "", "", "def f(x, n):",
             "    return down(x, n) * x", ""]
    return load(folder, f"recursion_{depth}", lines), (0.7, depth)


def elements(folder: Path, depth: int) -> tuple[Callable, tuple]:
    """A loop over elements in a helper that is called in a loop: depth * 10 elements."""
    lines = ["import numpy as np", "", "", "def swept(x, u):", "    for i in range(1, x.shape[0]):",
             "        u = 0.5 * u + x[i] * x[i - 1]", "    return u", "", "", "def f(x):",
             "    total = 0.0", "    for k in range(3):", "        total = swept(x, total)",
             "    return total", ""]
    x = np.random.default_rng(0).uniform(-1.0, 1.0, 10 * depth)
    return load(folder, f"elements_{depth}", lines), (x,)


def load(folder: Path, name: str, lines: list[str]) -> Callable:
    """The function f of a module with this text."""
    path = folder / f"{name}.py"
    path.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module.f


def slope_is_right(fun: Callable, args: tuple, gradient: object) -> bool:
    """Whether a gradient agrees with a difference along a direction."""
    direction = np.ones(np.shape(args[0])) / max(1, np.size(args[0]))
    h = 1e-4
    weights = ((1, 45.0), (2, -9.0), (3, 1.0))
    quotient = sum(w * (fun(_like(args[0], args[0] + k * h * direction), *args[1:])
                        - fun(_like(args[0], args[0] - k * h * direction), *args[1:]))
                   for k, w in weights) / (60.0 * h)
    return abs(float(np.sum(gradient * direction)) - quotient) <= 1e-6 * max(1.0, abs(quotient))


def _like(x: object, moved: object) -> object:
    return float(moved) if isinstance(x, float) else moved      # type: ignore[arg-type]


def main() -> int:
    """Measure and print; nonzero if a gradient is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--depths", nargs="*", type=int, default=list(DEPTHS))
    parser.add_argument("--seconds", type=float, default=0.3, help="for each contender (0.3)")
    options = parser.parse_args()
    wrong = 0
    print(f"{'function':<10}{'depth':>7}{'function, us':>14}{'gradient':>10}{'to first':>10}"
          f"{'first, ms/level':>17}{'to first':>10}")
    with tempfile.TemporaryDirectory() as folder:
        import tangent_lite as tl
        tl.grad(chain(Path(folder), 2)[0])(0.5)                     # imports, first use
        for make in (chain, recursion, elements):
            base: tuple[float, float] | None = None
            for depth in options.depths:
                fun, args = make(Path(folder), depth)
                derivative = tl.grad(fun)
                start = time.perf_counter()
                try:
                    gradient = derivative(*args)
                except tl.TangentError as error:
                    print(f"{make.__name__:<10}{depth:>7}  refused: {harness.first_line(error)}")
                    continue
                first = 1e3 * (time.perf_counter() - start) / depth
                wrong += not slope_is_right(fun, args, gradient)
                primal = harness.function_contender("primal", fun, args)
                ours = harness.function_contender("tl", derivative, args)
                harness.measure([primal, ours], budget=options.seconds)
                assert ours.ratio is not None
                base = base or (ours.ratio, first)
                seconds = sorted(primal.seconds)[len(primal.seconds) // 2]
                print(f"{make.__name__:<10}{depth:>7}{1e6 * seconds:>14.1f}{ours.ratio:>10.2f}"
                      f"{ours.ratio / base[0]:>10.2f}{first:>17.2f}{first / base[1]:>10.2f}",
                      flush=True)
    if wrong:
        print(f"{wrong} gradients DISAGREE with differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
