"""How long the first call of a derivative takes, for programs as users write them.

    python benchmarks/first_call.py [names...] [--rounds N]
    python benchmarks/first_call.py [names...] --looks
    python benchmarks/first_call.py [names...] --instructions

The programs are those of `examples/`, and those of `first_programs.py`. The first call writes the
derivative, with those of all functions and methods that the program calls; the next one takes what
was written. In each round every program is imported anew, next to a function of 100 statements in a
row as `transform_time.py` has it, and the processor's time is taken of the first calls. The table
shows the median over the rounds of that time over the one of the 100 statements, and how many lines
the program has.

With --looks nothing is timed: how many functions the derivative rests on, and statements in them;
how often the front half of one was begun, and for how many different kinds; how often kinds were
found, and how often for each of these, where once is needed; how many backward passes were begun,
how many of them were given up, and how many written twice. With --instructions, valgrind counts
what the processor executes in the first call alone. Half a minute for each program.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import importlib.util
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import transform_time  # which finds tangent_lite in a bare checkout

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"


def of_net(module: Any) -> tuple[Any, ...]:
    """A net of layers that keep what they met, and what it learns from."""
    rng = np.random.default_rng(0)
    return (module.Net([module.Dense(rng, 4, 16), module.Centred(16), module.Tanh(),
                        module.Dense(rng, 16, 16), module.Centred(16), module.Tanh(),
                        module.Dense(rng, 16, 3)]), *module.flowers())


def of_chain(module: Any) -> tuple[Any, ...]:
    """A chain of nine nodes, and where they are."""
    at = np.stack([np.linspace(0.0, 3.0, 9), -0.5 * np.sin(np.linspace(0.0, np.pi, 9))], 1)
    return module.chain(9), at


def of_signal(module: Any) -> tuple[Any, ...]:
    """Thresholds, and a signal with noise and without."""
    clean = module.steps_and_waves(64)
    return np.full(6, 0.1), clean + 0.3 * np.cos(7.0 * np.arange(64)), clean


# By name: the function, its arguments, and what it is differentiated by. The names are those of
# modules in examples/, or stand for functions in first_programs.py.
PROGRAMS: dict[str, tuple[str, Callable[[Any], tuple[Any, ...]], Any]] = {
    "asian_option": ("worth", lambda module: (100.0, 0.2, 0.03, 10), (0, 1, 2)),
    "demo": ("misfit", lambda module: module.situation(10), (0, 1, 2)),
    "controller": ("cost", lambda module: (
        {"proportional": 0.5, "integral": 0.1, "derivative": 0.0}, 5), 0),
    "spring_chain": ("misfit", lambda module: (
        3.8, 0.2, module.swing(4.0, 0.3, 5, 0.02), 0.02), (0, 1)),
    "swing_by": ("miss", lambda module: (np.array([0.3, 1.6]), 5), 0),
    "hanging_chain": ("energy", of_chain, "p"),
    "wavelet": ("error", of_signal, 0),
    "objects_that_learn": ("loss", of_net, 0),
    "tracking": ("tracking", lambda module: module.of_tracking(), 0),
    "forecast": ("forecast", lambda module: module.of_forecast(), 0),
    "orbit": ("orbit", lambda module: module.of_orbit(), (0, 1, 2)),
    "process": ("process", lambda module: module.of_process(), 0),
}


def path_of(name: str) -> Path:
    """The file that a program is in."""
    path = EXAMPLES / f"{name}.py"
    return path if path.exists() else HERE / "first_programs.py"


def loaded(name: str) -> Any:
    """The module of a program, as nobody has imported it yet."""
    spec = importlib.util.spec_from_file_location(name, path_of(name))
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
    """How many lines of code a program has, or the module that it is in."""
    text = path_of(name).read_text(encoding="utf-8")
    return sum(bool(line.strip()) for line in text.splitlines())


# What is looked at again -----------------------------------------------------------------------
@contextlib.contextmanager
def counted() -> Iterator[collections.Counter[Any]]:
    """How often each step is taken meanwhile: by its name, and by ("begun", function, kinds) the
    front half of a function; ("written", function): a statement of it, where it is rested on."""
    import gast

    from tangent_lite import preparation, transform, variant
    from tangent_lite.functions.pairs import key_of

    count: collections.Counter[Any] = collections.Counter()
    before = [(owner, name, getattr(owner, name)) for owner, name in (
        (preparation, "infer"), (transform, "reverse"), (transform.Transformer, "write"),
        (preparation.Preparation, "__init__"), (variant, "derive"))]
    infer, reverse, write, init, derive = (old for *_, old in before)

    def counting(name: str, step: Callable[..., Any]) -> Callable[..., Any]:
        def taken(*given: Any, **named: Any) -> Any:
            count[name] += 1
            made = step(*given, **named)
            count[name, "done"] += 1
            return made
        return taken

    def begun(self: Any, half: Any, function: Any, kinds: Any, *more: Any, **named: Any) -> None:
        count["begun", function, str(key_of(function, kinds)[1:])] += 1
        init(self, half, function, kinds, *more, **named)

    def derived(*given: Any, **named: Any) -> Any:
        made = derive(*given, **named)
        trees = {resolver.source.function: resolver.source.tree for resolver in made.resolvers}
        for function, tree in trees.items():
            count["written", function] = sum(isinstance(n, gast.stmt) for n in gast.walk(tree))
        return made

    for (owner, name, _), new in zip(before, (
            counting("infer", infer), counting("reverse", reverse), counting("write", write),
            begun, derived)):
        setattr(owner, name, new)
    try:
        yield count
    finally:
        for owner, name, old in before:
            setattr(owner, name, old)


def show_looks(names: list[str]) -> None:
    """Print how often what was known is found again."""
    print(f"{'program':<20}{'functions':>10}{'statements':>11}{'begun':>7}{'kinds':>7}{'looks':>7}"
          f"{'to needed':>11}{'backward':>10}{'given up':>10}{'twice':>7}")
    for name in names:
        with counted() as count:
            first_call(name)
        begun = {key: times for key, times in count.items() if key[0] == "begun"}
        sizes = [times for key, times in count.items() if key[0] == "written"]
        print(f"{name:<20}{len(sizes):>10}{sum(sizes):>11}{sum(begun.values()):>7}{len(begun):>7}"
              f"{count['infer']:>7}{count['infer'] / max(1, len(begun)):>11.1f}"
              f"{count['write']:>10}{count['write'] - count['write', 'done']:>10}"
              f"{count['reverse'] - count['write', 'done']:>7}")


def instructions(name: str, calls: int) -> int:
    """What the processor executes to import all that is needed for the first call of a program,
    after that of a small one, and for so many first calls."""
    done = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
         sys.executable, __file__, name, "--alone", str(calls)],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    found = re.search(r"I +refs: +([0-9,]+)", done.stderr)
    assert found is not None, done.stderr
    return int(found[1].replace(",", ""))


def main() -> int:
    """Time the first calls in turn and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", default=list(PROGRAMS), help="some of: %(default)s")
    parser.add_argument("--rounds", type=int, default=5, help="median of so many (5)")
    parser.add_argument("--looks", action="store_true", help="count what is looked at again")
    parser.add_argument("--instructions", action="store_true", help="count them, with valgrind")
    parser.add_argument("--alone", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone is not None:
        for name in ["asian_option", *options.names * options.alone]:   # the first loads the rules
            first_call(name)
        return 0
    if options.looks:
        show_looks(options.names)
        return 0
    if options.instructions:
        print(f"{'program':<20}{'millions of instructions':>26}")
        for name in options.names:
            each = instructions(name, 1) - instructions(name, 0)
            print(f"{name:<20}{each / 1e6:>26,.0f}")
        return 0
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
    print(f"{'program':<20}{'lines':>7}{'seconds':>10}{'to a row of 100':>18}")
    for name in options.names:
        print(f"{name:<20}{lines(name):>7}{statistics.median(times[name]):>10.3f}"
              f"{statistics.median(ratios[name]):>18.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
