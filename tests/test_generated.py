"""Generated programs: no derivative is wrong, and few are refused. See tests/generator.py.

    pytest tests/test_generated.py                         a hundred programs, half a minute
    PROGRAMS=5000 pytest -m slow tests/test_generated.py   the long sweeps, an hour
    python -m tests.generator --level full --seed 0 --count 5000 --jobs 2 --census
"""
import os
from dataclasses import replace

import pytest

from tests.generator import report, sweep
from tests.programs.census import labels
from tests.programs.features import LEVELS
from tests.programs.idioms import IDIOMS
from tests.programs.judge import judge_program
from tests.programs.program import generate
from tests.programs.running import write_modules


def held(tmp_path, seed, count, level, refused, jobs=1):
    """Judge count programs; none may be wrong, and at most a share of them refused."""
    results = sweep(seed, count, LEVELS[level], tmp_path, jobs=jobs)
    wrong = sorted(r.seed for r in report(results))
    assert not wrong, f"{wrong} wrong; python -m tests.generator --level {level} " \
                      f"--shrink {wrong[0]}"
    outcomes = [r.verdict.outcome for r in results]
    assert outcomes.count("skipped") < 0.1 * count
    assert outcomes.count("refused") < refused * count


# (first seed, how many): a few at each run, the greater part with the slow tests.
SEEDS = [(0, 12), pytest.param(12, 188, marks=pytest.mark.slow)]


@pytest.mark.parametrize("seed, count", SEEDS)
def test_foundation(tmp_path, seed, count):
    held(tmp_path, seed, count, "foundation", refused=0.15)


@pytest.mark.parametrize("seed, count", SEEDS)
def test_full(tmp_path, seed, count):
    held(tmp_path, seed, count, "full", refused=0.05)


# How many programs the sweeps run: PROGRAMS=300 in .ci/run, 5000 by hand.
PROGRAMS = int(os.environ.get("PROGRAMS", "5000"))


@pytest.mark.slow
@pytest.mark.parametrize("level, refused", [
    ("straight", 0.01), ("scalar", 0.02), ("vector", 0.05), ("foundation", 0.15)])
def test_levels(tmp_path, level, refused):
    held(tmp_path, 10_000, PROGRAMS if level == "foundation" else PROGRAMS // 10, level, refused,
         jobs=os.cpu_count() or 1)


@pytest.mark.slow
def test_full_is_never_wrong(tmp_path):
    held(tmp_path, 20_000, PROGRAMS, "full", refused=0.05, jobs=os.cpu_count() or 1)


@pytest.mark.parametrize("level", LEVELS)
def test_same_seed_same_program(level):
    one, two = generate(7, level), generate(7, level)
    assert (one.source, repr(one.args)) == (two.source, repr(two.args))


# An idiom alone, in a function of numbers and vectors.
ALONE = replace(LEVELS["scalar"], arrays=True, idioms=True)
# What the idioms together must contain: the language that is differentiated.
SCOPE = {
    "nested function", "lambda", "nonlocal", "recursion", "*args", "**kwargs", "keyword-only",
    "call with *", "call with **", "default", "partial", "wraps", "reduce", "method", "__call__",
    "@property", "@setter", "@classmethod", "@staticmethod", "@dataclass", "attribute written",
    "__add__", "__getitem__", "namedtuple", ".append()", ".extend()", ".insert()", ".pop()",
    ".update()", ".setdefault()", ".get()", ".items()", ".values()", "x[key] written",
    "list comprehension", "dict comprehension", "generator", "walrus", "star", "zip()",
    "enumerate()", "map()", "filter()", "sorted()", "reversed()", "any()", "all()", "isinstance()",
    "x[i] written", "x[:] written", "x[i, i] written", "x[:, i] written", "x[...] written", "op=",
    "out=", "ufunc.at", "np.copyto", ".fill()", ".sort()", ".ravel()", ".reshape()", "np.where",
    "try", "raise", "with", "np.errstate", "@contextmanager", "match", "del", "assert", "break",
    "continue", "early return", "else of a loop", "f-string", "print()", "a = b = e",
    "second name", "ternary", "and, or", "while"}


def test_idioms(tmp_path):
    """Each idiom runs, and its referee is confirmed by dual numbers."""
    programs = [generate(seed, replace(ALONE, chosen=(name,)))
                for seed, name in enumerate(sorted(IDIOMS))]
    skipped = 0
    for program, function, _ in write_modules(programs, tmp_path):
        verdict = judge_program(program, function, primal_only=True)
        assert verdict.kind == "confirmed" or verdict.outcome == "skipped", str(verdict)
        skipped += verdict.outcome == "skipped"
    assert skipped < 5                                          # at a kink
    missing = SCOPE - set().union(*(labels(program.source) for program in programs))
    # A text with alternatives may show some of them at other seeds only
    missing -= set().union(*(labels(generate(seed, "full").source) for seed in range(300)))
    assert not missing


def test_referee_trusts_itself(tmp_path):
    results = sweep(0, 100, LEVELS["foundation"], tmp_path, primal_only=True)
    confirmed = [r for r in results if r.verdict.kind == "confirmed"]
    assert len(confirmed) > 90
