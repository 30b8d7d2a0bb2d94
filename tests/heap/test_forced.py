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
from tests.traps.refused import REFUSED

TRAPS = Path(__file__).parent.parent / "traps"
for _path in sorted(TRAPS.glob("*.py")):
    importlib.import_module(f"tests.traps.{_path.stem}")

# Refused beside those that both strategies refuse.
ALSO_REFUSED = {
    "identity_objects-gt_gives_float": "Sym.__gt__ gives more than whether _ holds",
}
# What generated programs may be refused for.
REASONS = ("fails after it has changed something")


@pytest.mark.parametrize("name", CASES)
@pytest.mark.sweep(8)
def test_trap(name):
    trap = CASES[name]
    with by_identity():
        verdict = judge(trap.f, trap.make, trap.wrt, trap.expect)
    expected = {**REFUSED, **ALSO_REFUSED}.get(name)
    if expected is not None:
        assert verdict.outcome == "refused", f"{name} is {verdict}: take it out of REFUSED"
        assert expected in verdict.detail
        return
    assert verdict.outcome == "right" and not verdict.forward, str(verdict)


@pytest.mark.parametrize("level, count", [
    ("foundation", 12), ("full", 12), pytest.param("foundation", 60, marks=pytest.mark.slow),
    pytest.param("full", 60, marks=pytest.mark.slow)])
@pytest.mark.sweep(2)
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
