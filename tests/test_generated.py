"""Generated programs: no derivative is wrong, and few are refused. See tests/generator.py."""
import os

import pytest

from tests.generator import report, sweep
from tests.programs.features import LEVELS
from tests.programs.program import generate


def held(tmp_path, seed, count, level, refused, jobs=1):
    """Judge count programs; none may be wrong, and at most a share of them refused."""
    results = sweep(seed, count, LEVELS[level], tmp_path, jobs=jobs)
    wrong = report(results)
    assert not wrong, f"{len(wrong)} wrong; python -m tests.generator --level {level} --shrink SEED"
    outcomes = [r.verdict.outcome for r in results]
    assert outcomes.count("skipped") < 0.1 * count
    assert outcomes.count("refused") < refused * count


def test_foundation(tmp_path):
    held(tmp_path, 0, 200, "foundation", refused=0.15)


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
    held(tmp_path, 20_000, PROGRAMS // 5, "full", refused=1.0, jobs=os.cpu_count() or 1)


@pytest.mark.parametrize("level", LEVELS)
def test_same_seed_same_program(level):
    one, two = generate(7, level), generate(7, level)
    assert (one.source, repr(one.args)) == (two.source, repr(two.args))


def test_referee_trusts_itself(tmp_path):
    results = sweep(0, 100, LEVELS["foundation"], tmp_path, primal_only=True)
    confirmed = [r for r in results if r.verdict.kind == "confirmed"]
    assert len(confirmed) > 90
