"""Pullbacks belong to the run that gave the value, whatever names mean afterwards."""
import numpy as np
import pytest

import tangent_lite as tl

SCALE = 2.0


def scaled(x):
    return SCALE * x * x


def helped(x):
    return scaled(x) * x


@pytest.fixture
def scale(monkeypatch):
    return lambda value: monkeypatch.setitem(globals(), "SCALE", value)


@pytest.mark.parametrize("f", [scaled, helped])
def test_globals(f, scale):
    _, pullback = tl.vjp(f, 3.0)
    _, along = tl.linearize(f, 3.0)
    before = pullback(1.0)
    scale(2.0)                                  # another object that is equal
    assert pullback(1.0) == before and along(1.0) == before[0]
    scale(5.0)
    with pytest.raises(tl.TangentError, match="SCALE, which .* reads, was bound anew"):
        pullback(1.0)
    if f is scaled:                             # what helpers read shows in the pullback alone
        with pytest.raises(tl.TangentError, match="SCALE"):
            along(1.0)
    scale(2.0)
    assert pullback(1.0) == before


def test_variables_around():
    weight = np.array([1.0, 2.0])
    _, pullback = tl.vjp(lambda v: np.sum(v ** 2 * weight), np.ones(2))
    np.testing.assert_array_equal(pullback(1.0)[0], 2.0 * weight)
    weight = weight - 0.5
    with pytest.raises(tl.TangentError, match="weight, which <lambda> reads"):
        pullback(1.0)


def test_what_is_not_read_on_the_way_back_may_change():
    start = 1.0
    _, pullback = tl.vjp(lambda v: v * v + start, 3.0)
    start = 2.0
    assert pullback(1.0) == (6.0,) and start == 2.0
