"""How long the first call of a derivative takes, for programs as users write them.

    python benchmarks/first_call.py [names...] [--rounds N]

The programs are those of `examples/`. The first call writes the derivative, with those of all
functions and methods that the program calls; the next one takes what was written. In each round
every program is imported anew, next to a function of 100 statements in a row as
`transform_time.py` has it, and the processor's time is taken of the first calls. The table shows
the median over the rounds of that time over the one of the 100 statements, and how many lines the
program has.
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
from typing import Any

import numpy as np
import transform_time  # which finds tangent_lite in a bare checkout

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"

# By the name of a module in examples/: the function, its arguments, and what it is differentiated
# by.
PROGRAMS: dict[str, tuple[str, Callable[[Any], tuple[Any, ...]], Any]] = {
    "asian_option": ("worth", lambda module: (100.0, 0.2, 0.03, 10), (0, 1, 2)),
    "demo": ("misfit", lambda module: module.situation(10), (0, 1, 2)),
    "controller": ("cost", lambda module: (
        {"proportional": 0.5, "integral": 0.1, "derivative": 0.0}, 5), 0),
    "spring_chain": ("misfit", lambda module: (
        3.8, 0.2, module.swing(4.0, 0.3, 5, 0.02), 0.02), (0, 1)),
    "swing_by": ("miss", lambda module: (np.array([0.3, 1.6]), 5), 0),
}


def loaded(name: str) -> Any:
    """A module of examples/, as nobody has imported it yet."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def first_call(name: str) -> float:
    """The processor's time of the first call of the gradient of a program."""
    import tangent_lite as tl

    module = loaded(name)
    function, arguments, wrt = PROGRAMS[name]
    given = arguments(module)
    derivative = tl.value_and_grad(getattr(module, function), wrt=wrt)
    start = time.process_time()
    derivative(*given)
    return time.process_time() - start


def lines(name: str) -> int:
    """How many lines of code a program has."""
    text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    return sum(bool(line.strip()) for line in text.splitlines())


def main() -> int:
    """Time the first calls in turn and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", default=list(PROGRAMS), help="some of: %(default)s")
    parser.add_argument("--rounds", type=int, default=5, help="median of so many (5)")
    options = parser.parse_args()
    times: dict[str, list[float]] = {name: [] for name in options.names}
    ratios: dict[str, list[float]] = {name: [] for name in options.names}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(options.rounds + 1):
            reference = transform_time.seconds(transform_time.load(
                Path(folder), "row", transform_time.REFERENCE, turn))
            for name in options.names:
                elapsed = first_call(name)
                if turn:                        # the first round loads the rules
                    times[name].append(elapsed)
                    ratios[name].append(elapsed / reference)
    print(f"{'program':<14}{'lines':>7}{'seconds':>10}{'to a row of 100':>18}")
    for name in options.names:
        print(f"{name:<14}{lines(name):>7}{statistics.median(times[name]):>10.3f}"
              f"{statistics.median(ratios[name]):>18.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
