"""Functions of libraries that are replaced while derivatives are alive (docs/limitations.md)."""
import math

import numpy as np
import pytest

import tangent_lite as tl


def wave(x):
    return math.sin(x) * 2.0


def wave_by_name(x):
    return sine(x) * 2.0


sine = np.sin


@pytest.fixture
def replaced(monkeypatch):
    derivative = tl.value_and_grad(wave)
    assert derivative(0.5) == (2.0 * math.sin(0.5), 2.0 * math.cos(0.5))
    monkeypatch.setattr(math, "sin", math.cosh)
    return derivative


def test_one_that_was_called_keeps_the_slope(replaced):
    """The limit as it stands on the page: the slope is that of before."""
    assert replaced(0.5) == (2.0 * math.cosh(0.5), 2.0 * math.cos(0.5))
    assert tl.value_and_grad(wave)(0.5) == replaced(0.5)


def test_functions_that_were_not_differentiated_before_follow(replaced):
    def later(x):
        return math.sin(x) * 2.0

    assert tl.grad(later)(0.5) == pytest.approx(2.0 * math.sinh(0.5))


def test_names_of_ones_own_are_looked_at(monkeypatch):
    derivative = tl.grad(wave_by_name)
    assert derivative(0.5) == pytest.approx(2.0 * np.cos(0.5))
    monkeypatch.setitem(globals(), "sine", np.cosh)
    assert derivative(0.5) == pytest.approx(2.0 * np.sinh(0.5))
