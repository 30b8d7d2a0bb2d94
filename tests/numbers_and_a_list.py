"""Checks of functions of a number and a list of numbers, f(x, ks)."""
import copy

import numpy as np

import tangent_lite as tl


def slope(f, values, place):
    moved = [copy.deepcopy(values) for _ in range(2)]
    for one, step in zip(moved, (1e-6, -1e-6)):
        one[place] += step
    return (f(moved[0][0], moved[0][1:]) - f(moved[1][0], moved[1][1:])) / 2e-6


def agrees(f, x, ks):
    """Both modes, the value to the bit, and all that is given; called twice."""
    given = list(ks)
    for _ in range(2):
        value, (bx, bks) = tl.value_and_grad(f, wrt=(0, 1))(x, ks)
        assert value == f(x, ks)
        assert ks == given
        slopes = [slope(f, [x, *ks], k) for k in range(len(ks) + 1)]
        assert np.allclose([bx, *bks], slopes, rtol=1e-5, atol=1e-6)
    value, tangent = tl.jvp(f, (x, ks), (1.0, [0.5] * len(ks)))
    assert value == f(x, ks)
    assert np.isclose(tangent, slopes[0] + 0.5 * sum(slopes[1:]), rtol=1e-5, atol=1e-6)
    _, pullback = tl.vjp(f, x, ks)
    assert pullback(1.0) == pullback(1.0) == (bx, bks)


def is_by_names(f, *args):
    derivative = tl.grad(f)
    derivative(*args)
    return not derivative._latest.by_identity
