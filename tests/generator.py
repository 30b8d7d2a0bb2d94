"""Writes random programs, differentiates them and holds the gradients against a referee.

    python -m tests.generator --seed 0 --count 200 --level foundation [--keep DIR] [--jobs 4]
    python -m tests.generator --level full --idiom rk4,heat --count 50
    python -m tests.generator --shrink 17 --level foundation
    python -m tests.generator --by-identity --level full

Program k of a run has the seed `--seed` + k; the same seed, level and flags give the same program.
The exit code is 1 if any derivative was wrong or failed with anything but a TangentError.
Levels and flags: tests/programs/features.py. The level full also puts in idioms, pieces as
scientists write them (tests/programs/idioms), and passes parameters in objects and closures.
"""
import argparse
import collections
import contextlib
import dataclasses
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.heap.forced import by_identity
from tests.programs.census import labels, shares
from tests.programs.features import LEVELS, adjusted
from tests.programs.idioms import IDIOMS
from tests.programs.judge import Verdict, judge_program
from tests.programs.program import generate
from tests.programs.running import write_modules
from tests.programs.shrink import shrunk

BATCH = 20


class Result(NamedTuple):
    """What became of one program, and what it contains."""

    seed: int
    path: Path
    verdict: Verdict
    labels: set


def check(seeds, features, folder, primal_only=False, forced=False):
    """Generate and judge the programs of some seeds: a list of Results; forced: by identity."""
    programs = [generate(seed, features) for seed in seeds]
    with by_identity() if forced else contextlib.nullcontext():
        return [Result(program.seed, path, judge_program(program, function, primal_only),
                       {*labels(program.source), *(f"idiom {name}" for name in program.idioms)})
                for program, function, path in write_modules(programs, Path(folder), BATCH)]


def sweep(seed, count, features, folder, primal_only=False, jobs=1, forced=False):
    """check() over count seeds, in batches, in several processes if asked for."""
    batches = [range(k, min(k + BATCH, seed + count)) for k in range(seed, seed + count, BATCH)]
    more = features, folder, primal_only, forced
    if jobs <= 1:
        return [r for batch in batches for r in check(batch, *more)]
    with ProcessPoolExecutor(jobs) as pool:
        tasks = [pool.submit(check, batch, *more) for batch in batches]
        return [result for task in tasks for result in task.result()]


def report(results, shown=20, census=False):
    """Print the counts, the reasons of refusals, and what is wrong; gives the wrong ones."""
    outcomes = collections.Counter(r.verdict.outcome for r in results)
    print(", ".join(f"{outcome} {outcomes[outcome]}"
                    for outcome in ("right", "refused", "skipped", "wrong")), f"of {len(results)}")
    refusals = collections.defaultdict(list)
    for r in results:
        if r.verdict.outcome == "refused":
            refusals[f"{r.verdict.kind}: {r.verdict.detail}"].append(r.seed)
    for why, seeds in sorted(refusals.items(), key=lambda item: -len(item[1])):
        print(f"  refused {len(seeds):4d}  {why}  (seeds {', '.join(map(str, seeds[:4]))})")
    if census:
        print("  programs, of them right:")
        for label, (n, right) in shares((r.labels, r.verdict.outcome) for r in results).items():
            print(f"  {n:6d} {100 * n / len(results):5.1f} % {right:6d}  {label}")
    wrong = [r for r in results if r.verdict.outcome == "wrong"]
    alike = collections.defaultdict(list)
    for r in sorted(wrong, key=lambda r: (r.verdict.kind == "crash", r.verdict.kind)):
        crash = r.verdict.kind == "crash"
        alike[r.verdict.kind, r.verdict.detail[:40] if crash else r.seed].append(r)
    for (kind, _), some in list(alike.items())[:shown]:
        seeds = ", ".join(str(r.seed) for r in some[:6])
        print(f"WRONG {len(some):4d}  {kind}: {some[0].verdict.detail[:400]}\n"
              f"            seeds {seeds} in {some[0].path.parent}")
    for why, number in collections.Counter(
            r.verdict.forward for r in results if r.verdict.forward).most_common():
        seeds = [r.seed for r in results if r.verdict.forward == why]
        print(f"  forward mode refused {number:4d}  {why}  "
              f"(seeds {', '.join(map(str, seeds[:4]))})")
    return wrong


def shrink(seed, features, folder):
    """Print the program of a seed made as small as it goes while its verdict stays the same."""
    (program, function, path), = write_modules([generate(seed, features)], folder)
    verdict = judge_program(program, function)
    print(f"seed {seed}: {verdict}", file=sys.stderr)
    if verdict.outcome == "right":
        return 0
    small = shrunk(program, verdict, lambda line: print(line, file=sys.stderr))
    (_, function, _), = write_modules([small], folder)
    print(small.source)
    print(f"\n# {judge_program(small, function)}")
    print(f"# args = {program.args!r}, wrt = {program.wrt}; whole program in {path}")
    return 1


def main(argv=None):
    parser = argparse.ArgumentParser(prog="python -m tests.generator", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--level", choices=sorted(LEVELS), default="foundation")
    parser.add_argument("--with", dest="add", default="", metavar="A,B", help="features to add")
    parser.add_argument("--without", dest="drop", default="", metavar="A,B",
                        help="features to drop")
    parser.add_argument("--idiom", default="", metavar="A,B",
                        help="use idioms whose names begin so, and no others")
    parser.add_argument("--census", action="store_true",
                        help="count what the programs contain, and how many of them are right")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where to leave the programs")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--primal", action="store_true", help="try only the referee")
    parser.add_argument("--show", action="store_true", help="print the programs and judge nothing")
    parser.add_argument("--by-identity", action="store_true",
                        help="find all derivatives by identity, as where names do not suffice")
    parser.add_argument("--shrink", type=int, metavar="SEED", help="make one failing program small")
    options = parser.parse_args(argv)
    features = adjusted(LEVELS[options.level], [n for n in options.add.split(",") if n],
                        [n for n in options.drop.split(",") if n])
    if options.idiom:
        chosen = tuple(n for n in sorted(IDIOMS) if n.startswith(tuple(options.idiom.split(","))))
        features = dataclasses.replace(features, idioms=True, chosen=chosen)
    if options.show:
        for seed in range(options.seed, options.seed + options.count):
            program = generate(seed, features)
            print(f"# seed {seed}: args = {program.args!r}, wrt = {program.wrt}")
            print(program.source, end="\n\n")
        return 0
    folder = options.keep or Path(tempfile.mkdtemp(prefix="generated_"))
    if options.shrink is not None:
        with by_identity() if options.by_identity else contextlib.nullcontext():
            return shrink(options.shrink, features, folder)
    results = sweep(options.seed, options.count, features, folder, options.primal, options.jobs,
                    options.by_identity)
    if options.primal:
        confirmed = sum(r.verdict.kind == "confirmed" for r in results)
        print(f"confirmed by dual numbers: {confirmed}")
    return 1 if report(results, census=options.census) else 0


if __name__ == "__main__":
    sys.exit(main())
