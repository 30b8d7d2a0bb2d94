"""Traps and generated programs by identity, whether they need it or not: right, or refused for one
of the few reasons that are listed."""
import importlib
from pathlib import Path

import pytest

from tests.heap.forced import by_identity
from tests.programs.judge import judge, judge_program
from tests.programs.program import generate
from tests.programs.running import write_modules
from tests.traps.case import CASES

TRAPS = Path(__file__).parent.parent / "traps"
for _path in sorted(TRAPS.glob("*.py")):
    importlib.import_module(f"tests.traps.{_path.stem}")

# The only traps that are refused, and why. Shorten the list as the strategy grows.
REFUSED = {
    "inplace-at_multiplies": "np.multiply.at is not handled here",
    "inplace-flat_written": "the iterator x.flat cannot be followed",
    "paths-handler_reads_what_was_done": "y may have been bound when the body fails",
    "paths-written_before_error": "the body of a try fails after it has changed something",
    "paths-suppressed": "a context manager hides an exception",
    "paths-several_contexts": "may have been bound when the body fails",
}
# What generated programs may be refused for.
REASONS = ("np.multiply.at is not handled here", "the iterator x.flat cannot be followed",
           "may have been bound when the body fails", "fails after it has changed something",
           "a context manager hides an exception")


@pytest.mark.parametrize("name", CASES)
def test_trap(name):
    trap = CASES[name]
    with by_identity():
        verdict = judge(trap.f, trap.make, trap.wrt, trap.expect)
    if name in REFUSED:
        assert verdict.outcome == "refused", f"{name} is {verdict}: take it out of REFUSED"
        assert REFUSED[name] in verdict.detail
        return
    assert verdict.outcome == "right" and not verdict.forward, str(verdict)


@pytest.mark.parametrize("level, count", [("foundation", 60), ("full", 60)])
def test_generated(level, count, tmp_path):
    programs = [generate(seed, level) for seed in range(count)]
    refused = 0
    for program, function, path in write_modules(programs, tmp_path):
        with by_identity():
            verdict = judge_program(program, function)
        assert verdict.outcome != "wrong", f"{path}, seed {program.seed}: {verdict}"
        if verdict.outcome == "refused":
            refused += 1
            assert any(reason in verdict.detail for reason in REASONS), str(verdict)
    assert refused <= 0.05 * count
