"""Lists of objects that change, found outside: by names for the items that they have then."""
import copy

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names
from tests.shapes.layers import Model, Plus, Tanh, Times, X, several, slope_along, state

OUTER = Model(several())


def through_outer(x):
    return np.sum(OUTER(x) ** 2)


def through_a_name(x):
    net = OUTER
    blocks = net.blocks
    for block in blocks:
        x = block.forward(x)
    return np.sum(x ** 2)


def test_what_is_found_outside_by_another_name():
    before, way = state(OUTER), np.ones_like(X)

    def function(x):
        kept = copy.deepcopy(OUTER)
        try:
            return through_a_name(x)
        finally:
            vars(OUTER).update(vars(kept))

    with by_names():
        value, slopes = tl.value_and_grad(through_a_name)(X)
    assert value == function(X)
    assert np.sum(slopes * way) == pytest.approx(slope_along(function, X, way), rel=1e-5)
    assert all(np.array_equal(leaf, old) for (_, leaf), (_, old) in zip(state(OUTER), before))


def closed_over(net):
    def loss(x):
        return np.sum(net(x) ** 2)
    return loss


@pytest.mark.parametrize("layers", [several(3), several(4)[::-1], several(5)[:2], several(5)[1:3],
                                    [Times(np.ones(3)), Plus(np.ones(3))],
                                    [Plus(np.ones(3)), Times(np.ones(3))]])
def test_what_is_found_outside(layers, monkeypatch, derivative=tl.value_and_grad(through_outer)):
    """One derivative, while a global name means other nets, and these other layers."""
    way = np.random.default_rng(2).normal(size=X.shape)
    monkeypatch.setitem(globals(), "OUTER", Model(copy.deepcopy(layers)))
    with by_names():
        for change in (lambda: None, lambda: OUTER.blocks.reverse(), lambda: OUTER.blocks.pop(),
                       lambda: OUTER.blocks.append(Tanh())):
            change()
            before = state(OUTER)
            value, slopes = derivative(X)
            assert all(np.array_equal(leaf, old)
                       for (_, leaf), (_, old) in zip(state(OUTER), before, strict=True))

            def function(x):
                kept = copy.deepcopy(OUTER)
                try:
                    return through_outer(x)
                finally:
                    vars(OUTER).update(vars(kept))

            assert value == function(X)
            assert np.sum(slopes * way) == pytest.approx(slope_along(function, X, way), rel=1e-5)


def test_what_functions_around_hold():
    way = np.random.default_rng(2).normal(size=X.shape)
    with by_names():
        for turn in range(4):
            net = Model(several(turn)[::1 if turn % 2 else -1])
            value, slopes = tl.value_and_grad(closed_over(net))(X)
            assert value == closed_over(copy.deepcopy(net))(X)
            assert np.sum(slopes * way) == pytest.approx(slope_along(
                lambda x, net=net: closed_over(copy.deepcopy(net))(x), X, way), rel=1e-5)
