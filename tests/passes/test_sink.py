"""What one way of a branch reads is computed there, if all that it reads is what it was."""
import math

import numpy as np
import pytest

import tangent_lite as tl


def huber(r: float, delta: float):
    if abs(r) <= delta:
        loss = 0.5 * r * r
    else:
        loss = delta * (abs(r) - 0.5 * delta)
    return loss


def names_of_the_user(r: float, delta: float):
    if abs(r) <= delta:
        loss = 0.5 * r * r
    else:
        size = abs(r)
        excess = size - 0.5 * delta
        loss = delta * excess * size
    return loss


def within_each_other(r: float, delta: float):
    if r > 0.0:
        e = math.exp(r * delta)
        if e > 1.5:
            y = e * math.sin(delta)
        else:
            y = e * delta * math.sqrt(r * e)
    else:
        y = r * delta
    return y


def bound_anew(r: float, delta: float):
    if r > delta:
        y = math.sin(r) * math.exp(delta)
    else:
        y = r * delta
    for _ in range(2):
        r = r * delta + 0.1
    if r > delta:
        y = y * r
    return y


def asked_again_of_another_value(r: float, delta: float):
    y = r
    for _ in range(2):
        if r > delta:
            y = y * math.sin(r) * math.cos(y)
        r = r - 0.4
    if r > delta:
        y = y * y
    return y


def half(r: float, delta: float):
    return huber(r, delta) * delta


def an_array_is_written(r: float, delta: float):
    w = np.array([r, delta])
    if r > delta:
        v = w[0] * w
        y = np.sum(v * v * w) * r
    else:
        y = r * delta
    w[0] = w[1] * y
    return np.sum(w * w) * y


ALL = [huber, names_of_the_user, within_each_other, bound_anew, asked_again_of_another_value, half,
       an_array_is_written]


@pytest.mark.parametrize("at", [(1.3, 0.4), (-1.3, 0.4), (0.3, 0.7), (0.9, 0.8)])
@pytest.mark.parametrize("fun", ALL, ids=lambda f: f.__name__)
def test_by_differences(fun, at):
    found = tl.grad(fun, wrt=(0, 1))(*at)
    value, pullback = tl.vjp(fun, *at)
    assert value == fun(*at)
    h = 1e-6
    wanted = [(fun(at[0] + h, at[1]) - fun(at[0] - h, at[1])) / (2.0 * h),
              (fun(at[0], at[1] + h) - fun(at[0], at[1] - h)) / (2.0 * h)]
    assert np.allclose(found, wanted, rtol=1e-6, atol=1e-8)
    assert np.allclose(pullback(1.0), wanted, rtol=1e-6, atol=1e-8)
    assert np.allclose(pullback(1.0), wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("fun", [huber, names_of_the_user], ids=lambda f: f.__name__)
def test_nothing_is_left_in_the_forward_pass(fun):
    assert "# Forward pass" not in tl.grad(fun, wrt=(0, 1)).source


def test_what_changes_in_between_stays():
    text = tl.grad(bound_anew, wrt=(0, 1)).source_for(1.3, 0.4)
    forward = text[:text.index("# Backward pass")]
    assert "math.sin(r)" in forward.split("for ")[0]
