"""What refusals suggest is tried: each program of docs/limitations.md, rewritten as it is told, and
what stands in the place of functions without a rule, has the derivative that differences tell."""
import importlib.util
import re

import numpy as np
import pytest
from test_docs import rules_of_its_own
from test_limitations import refusals

import tangent_lite as tl
from tangent_lite import registry
from tests.heap.referee import held, world
from tests.suggestions import (  # noqa: F401
    TRIED,
    aliasing,
    by_identity,
    caches,
    calls,
    classes,
    custom,
    duck,
    interface,
    rules,
    statements,
    unseen,
)

# What refusals of these reasons suggest is a rule, which depends on the function: tests/registry
# holds the template that is shown to be a rule once its dots are filled in.
RULES_WANTED = {
    "no adjoint rule for np.emath.sqrt",
    "no adjoint rule for csr_matrix",
}


# Of libraries that are named as NumPy is: tests/registry/test_libraries.py.
OF_LIBRARIES = "call a function of NumPy's name and parameters"


def reason_of(shown):
    """What a message says, without the error and its place."""
    first = shown.strip().splitlines()[0]
    return re.sub(r"^\w+: (model\.py:\d+: )?", "", first)


def named(number, tried):
    return pytest.param(tried, id=f"{number}-{tried.reason[:40]}")


@pytest.mark.parametrize("tried", [named(k, t) for k, t in enumerate(TRIED)])
@pytest.mark.sweep(6)
def test_suggestion(tried, tmp_path):
    if tried.needs is not None:
        pytest.importorskip(tried.needs)
    with rules_of_its_own():
        if tried.gives is None:
            expect = None if tried.expect is None else eval(tried.expect, {"np": np})
            held(tried.text, tried.args, forced=False, wrt=tried.wrt, expect=expect)
            return
        space = world(f"{tried.text.lstrip()}\n\ndef made(tl, path):\n    return {tried.args}\n")
        found = space["made"](tl, tmp_path / "saved.py")
        if tried.gives != "None":
            np.testing.assert_allclose(found, eval(tried.gives, {"np": np}), rtol=1e-12)


def test_no_suggestion_is_untried():
    known = {tried.reason for tried in TRIED if tried.reason not in rules.SUGGESTED} | RULES_WANTED
    told = [program.values[1] for program in refusals()]
    assert not {reason_of(one) for one in told if "Instead: " in one} - known
    assert not known - {reason_of(one) for one in told}


def test_no_function_in_place_of_another_is_untried():
    for name in ("special", "stats", "optimize", "integrate", "interpolate", "linalg", "ndimage",
                 "signal", "sparse.linalg", "spatial.distance"):
        if importlib.util.find_spec("scipy") is not None:
            importlib.import_module(f"scipy.{name}")
    importlib.import_module("multiprocessing.pool")
    told = {instead for _, (_, instead) in registry.all_refusals()}
    assert not {one for one in told if not one.startswith(OF_LIBRARIES)} - rules.SUGGESTED
