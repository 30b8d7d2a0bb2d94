"""What kind functions say of a result is true of what comes out, in many forms of calls of every
function of which something is said (`tests/rules/results.py`)."""
import numpy as np
import pytest

from tangent_lite import kinds, registry
from tests.rules.results import (
    EXCEPTIONS,
    FEW,
    MANY,
    SPACES,
    VALUES,
    described,
    false_kinds,
    functions,
    parsed,
    quiet,
)

EACH = {"scipy.stats": 3, "scipy.linalg": 2}        # which form each time, where they take long


def false_ones(space, forms):
    forms = parsed(forms)
    with quiet():
        return [described(function, *one) for function in functions(space)
                for one in false_kinds(function, forms)]


@pytest.mark.parametrize("space", SPACES)
def test_kinds_are_true(space):
    found = false_ones(space, FEW[::EACH.get(space, 1)])
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("space", SPACES)
def test_kinds_are_true_in_all_forms(space):
    found = false_ones(space, MANY if space != "scipy.stats" else FEW)
    assert not found, "\n".join(found)


def test_a_false_kind_is_found(monkeypatch):
    entry = registry.lookup(np.cumsum)
    monkeypatch.setattr(entry, "kind", lambda x, **options: kinds.FLOAT)
    found = [form for form, _, _ in false_kinds(np.cumsum, parsed(["F(v)", "F(m)", "F(q)"]))]
    assert found == ["F(v)", "F(m)", "F(q)"]


def test_exceptions_are_needed():
    for function, (start, _) in EXCEPTIONS.items():
        with quiet():
            forms = parsed(form for form in MANY if form.startswith(start))
            assert false_kinds(function, forms, {})


def test_values_stay_as_they_are():
    before = {name: np.array(VALUES[name]) for name in ("o", "O", "oi", "v", "m")}
    with quiet():
        false_kinds(np.sort, parsed(["F(v)"]))
        false_kinds(np.add, parsed(["F(v, w, o)", "F(v, w, out=o)", "F(m, m, O)"]))
    assert all(np.array_equal(VALUES[name], value) for name, value in before.items())
