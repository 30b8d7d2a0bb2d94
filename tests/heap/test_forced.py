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
    "inplace-copyto_torn": "NumPy overwrites some of it unread",
    "inplace-copyto_torn~2": "NumPy overwrites some of it unread",
    "inplace-flat_written": "the iterator x.flat cannot be followed",
    "identity_calls-brentq_closure": "lambda_ is handed to brentq",
    "identity_calls-quad_closure": "lambda_ is handed to quad",
    "identity_calls-fromfunction_closure": "lambda_ is handed to fromfunction",
    "identity_calls-lru_inside": "which lives on after the call",
    "identity_calls-contextmanager_writes": "what the context manager cm does cannot be followed",
    "halfway-kept_in_an_error": "a number that an exception carries",
    "halfway-kept_in_an_error_of_ours": "a number that an exception carries",
    "identity_effects-npfloat_record2": "NumPy makes arrays of objects of VecT",
    "identity_effects-array_record2": "NumPy makes arrays of objects of VecT",
    "identity_lists-list_subclass": "L is built on a class that is not written in Python",
    "identity_lists-dict_subclass": "D is built on a class that is not written in Python",
    "identity_lists-dict_subclass_global": "a D is a dict of a kind of its own",
    "identity_lists-list_subclass_global": "a L is a list of a kind of its own",
    "identity_lists-list_subclass_arg": "list_subclass_arg: the argument l is of type L",
    "identity_lists-astype_kw": "the rule astype does not cover the argument copy=",
    "identity_lists-deepcopy_own_inside": "DC says in __deepcopy__ how it is copied",
    "identity_lists-exc_carries": "a number that an exception carries",
    "identity_lists-exc_carries_array": "a number that an exception carries",
    "identity_lists-exc_args_array": "a number that an exception carries",
    "identity_lists-exc_args_list": "a number that an exception carries",
    "identity_objects-contains_writes": "a number that a comparison or a key is given is kept",
    "identity_objects-gt_gives_float": "Sym.__gt__ gives more than whether _ holds",
    "identity_tuples-nt_new": "how a Scaled comes to be cannot be followed",
    "identity_tuples-nt_getitem": "how a TwiceIndex comes to be cannot be followed",
}
# What generated programs may be refused for.
REASONS = ("np.multiply.at is not handled here", "the iterator x.flat cannot be followed",
           "fails after it has changed something")


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
