"""Writes crossing programs, differentiates them and holds the derivatives against a referee.

    python -m tests.crossings --seed 0 --count 200 [--keep DIR] [--identity 5] [--second 8]
    python -m tests.crossings --shrink 17
    python -m tests.crossings --show --seed 17 --count 1

--identity 5: every fifth program by identity, too; --second 8: every eighth to second order;
--whole 4: every fourth with pullbacks and forward mode, the others for their gradients alone.
"""
import argparse
import collections
import dataclasses
import sys
import tempfile
from pathlib import Path

from tests.crossings.judging import judged
from tests.crossings.writer import generate
from tests.programs.running import HEADER, entry, load, runs
from tests.programs.shrink import smallest


def verdict_on(program, folder, options, name=None):
    module = load(HEADER + program.source + "\n", Path(folder) / f"{name or program.name}.py")
    seed = program.seed
    identity = options.identity and seed % options.identity == 0
    second = options.second and seed % options.second == options.second - 1
    sizes = (3, 4, 2, 1, 0) if seed % 5 == 0 else (3, 4)
    strategies = ("default", "identity") if identity else ("default",)
    return judged(program, entry(program, vars(module)), strategies, second, sizes,
                  seed % options.whole == 0)


def shrunk(program, verdict, folder, options):
    count = 0

    def fails(source):
        nonlocal count
        count += 1
        candidate = dataclasses.replace(program, source=source)
        if program.name not in source or runs(candidate) is not None:
            return False
        try:
            found = verdict_on(candidate, folder, options, f"trial_{count}")
        except Exception:
            return False
        alike = (found.outcome, found.kind) == (verdict.outcome, verdict.kind)
        if verdict.kind == "crash" or verdict.outcome == "refused":
            alike = alike and found.detail[:40] == verdict.detail[:40]
        return alike

    return dataclasses.replace(program, source=smallest(program.source, fails))


def main(argv=None):
    parser = argparse.ArgumentParser(prog="python -m tests.crossings", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--identity", type=int, default=5)
    parser.add_argument("--second", type=int, default=8)
    parser.add_argument("--whole", type=int, default=4)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--shrink", type=int, metavar="SEED")
    options = parser.parse_args(argv)
    if options.show:
        for seed in range(options.seed, options.seed + options.count):
            program = generate(seed)
            print(f"# seed {seed}: args = {program.args!r}\n{program.source}\n")
        return 0
    folder = options.keep or Path(tempfile.mkdtemp(prefix="crossings_"))
    folder.mkdir(parents=True, exist_ok=True)
    if options.shrink is not None:
        program = generate(options.shrink)
        verdict = verdict_on(program, folder, options)
        print(verdict, flush=True)
        if verdict.outcome in ("wrong", "refused"):
            small = shrunk(program, verdict, folder, options)
            print(small.source, f"# {verdict_on(small, folder, options, 'small')}",
                  f"# args = {program.args!r}", sep="\n")
        return 0
    outcomes, refusals = collections.Counter(), collections.defaultdict(list)
    for seed in range(options.seed, options.seed + options.count):
        program = generate(seed)
        verdict = verdict_on(program, folder, options)
        outcomes[verdict.outcome] += 1
        if verdict.outcome == "wrong":
            print(f"WRONG seed {seed}: {verdict.kind}: {verdict.detail[:300]}", flush=True)
        if verdict.outcome == "refused":
            refusals[f"{verdict.kind}: {verdict.detail}"].append(seed)
            print(f"refused seed {seed}: {verdict.kind}: {verdict.detail}", flush=True)
        if verdict.forward:
            refusals[f"forward: {verdict.forward}"].append(seed)
        if (seed - options.seed) % 50 == 49:
            print(f"-- {seed + 1 - options.seed}: {dict(outcomes)}", flush=True)
    for why, seeds in sorted(refusals.items(), key=lambda item: -len(item[1])):
        print(f"refused {len(seeds):4d}  {why}  {seeds[:5]}")
    print(dict(outcomes))
    return 1 if outcomes["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
