"""What is found out of a function is found out once, however its derivative is written."""
import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array
from tangent_lite.preparation import Preparation
from tests.reference.dual import numeric_gradient


def of_unknown_result(x, k):
    """Whether its result is one number, only the value tells."""
    return np.sum(x * x, axis=None if k > 3 else 0)


def of_a_number(x, k):
    return np.sum(x ** 3) * k


@pytest.fixture
def prepared(monkeypatch):
    """The names of the functions of which the front half ran, as often as it did."""
    found = []
    run = Preparation.prepared

    def noted(self):
        found.append(self.source.name)
        return run(self)

    monkeypatch.setattr(Preparation, "prepared", noted)
    return found


@pytest.mark.parametrize("f", [of_unknown_result, of_a_number])
@pytest.mark.parametrize("make", [tl.grad, tl.value_and_grad])
def test_the_front_half_runs_once(prepared, f, make):
    x, k = np.array([0.5, 1.5]), -1
    found = make(f)(x, k)
    assert prepared == [f.__name__]
    if make is tl.value_and_grad:
        value, found = found
        assert value == f(x, k)
    (expected,), is_trustworthy = numeric_gradient(f, (x, k), (0,))
    assert is_trustworthy
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_complex_result_is_refused_as_before():
    with pytest.raises(tl.OutputError, match="complex"):
        tl.grad(lambda x: x * 1j)(2.0)


@pytest.mark.parametrize("depth", [5, 20])
def test_kinds_of_nested_operations_are_found_once(monkeypatch, depth):
    count = []
    kind = Typer.kind
    monkeypatch.setattr(Typer, "kind", lambda self, node: count.append(node) or kind(self, node))
    value = gast.parse("x" + " * x" * depth, mode="eval").body
    assert Typer({"x": Array(1, "float")}, {}.get).kind(value) == Array(1, "float")
    assert len(count) == 2 * depth + 1                  # names and operations
