"""Whole functions in both backends: the goldens, the loop workloads, generated programs."""
import copy
import sys
from pathlib import Path

import pytest

import tangent_lite as tl
from tests.golden.update import NAMES, REFUSED, golden, halves, wrt_of

pytest.importorskip("numba")

from tests.backends.comparing import compare, same, sweep  # noqa: E402

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
# Why Numba does not compile them.
NOT_COMPILED = {"recursion": "recursi"}
# What Numba takes longest for; what is in them, others show too.
LONG = {"mlp"}


@pytest.mark.parametrize("name", [
    pytest.param(n, marks=pytest.mark.slow) if n in LONG else n
    for n in NAMES if REFUSED not in halves(n)[1]])
@pytest.mark.sweep(8)
def test_golden(name):
    module = golden(name)
    operator = getattr(tl, getattr(module, "FORM", "grad"))
    wrt = tuple(wrt_of(module))
    d = operator(module.FUNCTION, wrt=wrt, backend="numba")
    if name in NOT_COMPILED:
        with pytest.raises(tl.TangentError, match=NOT_COMPILED[name]):
            d(*copy.deepcopy(module.ARGS))
        return
    expected = operator(module.FUNCTION, wrt=wrt)(*copy.deepcopy(module.ARGS))
    assert same(expected, d(*copy.deepcopy(module.ARGS)))


@pytest.fixture(scope="module")
def workloads():
    sys.path.insert(0, str(BENCHMARKS))
    try:
        import workloads
        found = workloads.WORKLOADS
        yield {w.name: w for w in (found.values() if isinstance(found, dict) else found)}
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.mark.parametrize("name", ["scalar", "newton", "lorenz", "heat", "burgers", "tridiagonal"])
@pytest.mark.sweep(3)
def test_workload(name, workloads):
    workload = workloads[name]
    args = workload.args()
    if name in ("heat", "burgers"):
        args = (args[0][:50], args[1], 20)
    assert compare(workload.primal, args, workload.wrt, 1e-10) == ("same", "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["logistic", "rnn", "lstm", "mixture", "bundle", "bpr", "mlp"])
def test_large_workload(name, workloads):
    workload = workloads[name]
    assert compare(workload.primal, workload.args(), workload.wrt, 1e-9) == ("same", "")


# How many of the programs of a level compile, at least.
@pytest.mark.parametrize("level, first, count, compiled", [
    ("straight", 0, 2, 2), ("scalar", 0, 2, 2), ("vector", 0, 2, 1), ("foundation", 0, 2, 1),
    *(pytest.param(*more, marks=pytest.mark.slow) for more in [
        ("straight", 2, 4, 4), ("scalar", 2, 4, 3), ("vector", 2, 2, 1), ("foundation", 2, 2, 0)])])
@pytest.mark.sweep(2)
def test_generated(level, first, count, compiled):
    found = list(sweep(level, first, count))
    different = [one for one in found if one[1] == "different"]
    assert not different, different
    assert sum(outcome in ("same", "stopped") for _, outcome, _ in found) >= compiled


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1100, 10))
@pytest.mark.parametrize("level", ["straight", "scalar", "vector", "foundation", "full"])
def test_many_generated(level, seed):
    different = [one for one in sweep(level, seed, 10) if one[1] == "different"]
    assert not different, different
