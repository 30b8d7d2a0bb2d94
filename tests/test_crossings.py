"""Programs in which ideas of Python and NumPy cross: no derivative is wrong, and few are refused.

    pytest tests/test_crossings.py                         a few programs, seconds
    PROGRAMS=2000 pytest -m slow tests/test_crossings.py   many
    python -m tests.crossings --seed 5000 --count 500      the same, with what is refused and why
"""
import os
from types import SimpleNamespace

import pytest

from tests.crossings.__main__ import verdict_on
from tests.crossings.writer import generate

PROGRAMS = int(os.environ.get("PROGRAMS", "2000"))


def held(seeds, folder):
    options = SimpleNamespace(identity=5, second=8, whole=4)
    found = {seed: verdict_on(generate(seed), folder, options) for seed in seeds}
    wrong = {seed: str(one) for seed, one in found.items() if one.outcome == "wrong"}
    assert not wrong, f"python -m tests.crossings --shrink {min(wrong)}: {wrong}"
    outcomes = [one.outcome for one in found.values()]
    assert outcomes.count("refused") <= 1 + 0.12 * len(outcomes)
    assert outcomes.count("skipped") <= 1 + 0.1 * len(outcomes)


def test_a_few(tmp_path):
    held(range(6), tmp_path)


@pytest.mark.slow
def test_many(tmp_path):
    held(range(1000, 1000 + PROGRAMS), tmp_path)


def test_same_seed_same_program():
    one, two = generate(7), generate(7)
    assert (one.source, repr(one.args)) == (two.source, repr(two.args))
