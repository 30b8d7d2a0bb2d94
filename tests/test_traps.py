"""The traps of tests/traps: each derivative is right, or refused as tests/traps/refused.py says."""
import importlib
from pathlib import Path

import numpy as np
import pytest

from tests.programs.judge import judge
from tests.reference.dual import close, copies, numeric_gradient, reference_gradient
from tests.traps.case import CASES
from tests.traps.refused import REFUSED

for _path in sorted((Path(__file__).parent / "traps").glob("*.py")):
    importlib.import_module(f"tests.traps.{_path.stem}")

# Where the referee cannot tell, and why.
UNTRUSTED = {"identity_lists-list_subclass_global": "copies of a list of its own kind share it"}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.sweep(12)
def test_trap(name):
    trap = CASES[name]
    verdict = judge(trap.f, trap.make, trap.wrt, trap.expect)
    if name in REFUSED:
        assert verdict.outcome == "refused", f"{name} is {verdict}: take it out of REFUSED"
        assert REFUSED[name] in verdict.detail
        return
    assert verdict.outcome == "right", str(verdict)


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].expect is None])
def test_referee(name):
    trap = CASES[name]
    if name in UNTRUSTED:
        pytest.skip(UNTRUSTED[name])
    _, trustworthy, _ = reference_gradient(trap.f, trap.make(), trap.wrt)
    assert trustworthy


def writes_first(u, w):
    u[0] = w[0] * w[1]
    w[1] = u[0] * u[2]
    return np.sum(u * w)


def one_array_twice():
    u = np.array([0.5, -1.2, 0.8])
    return u, u


def overlapping_views():
    u = np.array([0.5, -1.2, 0.8, 1.7])
    return u[:-1], u[1:]


@pytest.mark.parametrize("make", [one_array_twice, overlapping_views])
def test_parameters_that_share_a_written_buffer(make):
    import tangent_lite as tl

    with pytest.raises(tl.AliasError):
        tl.value_and_grad(writes_first, wrt=(0, 1))(*make())


def test_parameters_that_do_not_share():
    import tangent_lite as tl

    args = np.array([0.5, -1.2, 0.8]), np.array([0.3, 1.2, -0.8])
    value, gradient = tl.value_and_grad(writes_first, wrt=(0, 1))(*args)
    assert value == writes_first(*copies(args))
    assert close(gradient, numeric_gradient(writes_first, args, (0, 1))[0], 1e-8)
