"""Dicts whose items are made at the first step that asks for them: moments of an optimiser."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

W = np.array([0.7, 1.1, -0.4])


def in_a_dict(rate, w):
    m, p = {}, {"w": w}
    for _ in range(3):
        for k in p:
            if k not in m:
                m[k] = np.zeros_like(p[k])
            m[k] = 0.9 * m[k] + p[k] ** 2
            p[k] = p[k] - rate * m[k]
    return np.sum(p["w"] ** 2)


def of_two(rate, w):
    m, p = {}, {"w": w, "b": w * rate}
    for _ in range(3):
        for k in p:
            if k not in m:
                m[k] = np.zeros_like(p[k])
            m[k] = 0.9 * m[k] + p[k] ** 2
            p[k] = p[k] - rate * m[k]
    return np.sum(p["w"] * p["b"])


def at_some_steps(rate, w):
    seen = {}
    for k in range(4):
        if k % 2:
            seen["odd"] = seen.get("odd", 0.0) + rate * w[0] * k
        elif k > 1:
            seen["even"] = w[1] * rate
    return sum(v ** 2 for v in seen.values())


def of_several_sorts(rate, w):
    cache = {"n": 0}
    total = 0.0
    for k in range(3):
        if "w" not in cache:
            cache["w"] = np.sin(w)
            cache["s"] = rate * rate
        cache["n"] = cache["n"] + 1
        total = total + cache["n"] * np.sum(cache["w"] * cache["s"]) * k
    return total


class Adam:
    def __init__(self, rate):
        self.rate = rate
        self.m, self.v, self.t = {}, {}, 0

    def step(self, params, slopes):
        self.t += 1
        for k in params:
            if k not in self.m:
                self.m[k] = np.zeros_like(params[k])
                self.v[k] = np.zeros_like(params[k])
            self.m[k] = 0.9 * self.m[k] + 0.1 * slopes[k]
            self.v[k] = 0.99 * self.v[k] + 0.01 * slopes[k] ** 2
            mean = self.m[k] / (1.0 - 0.9 ** self.t)
            params[k] = params[k] - self.rate * mean / (
                np.sqrt(self.v[k] / (1.0 - 0.99 ** self.t)) + 1e-3)
        return params


def in_an_object(rate, w):
    optimiser, p = Adam(rate), {"w": w.copy(), "b": np.ones(1)}
    for _ in range(4):
        err = w * p["w"] + p["b"] - 1.0
        p = optimiser.step(p, {"w": 2.0 * err * w, "b": np.array([np.sum(2.0 * err)])})
    return np.sum((w * p["w"] + p["b"] - 1.0) ** 2)


PROGRAMS = [in_a_dict, of_two, at_some_steps, of_several_sorts, in_an_object]


@pytest.mark.parametrize("function", PROGRAMS)
def test_right(function):
    tl.check_grads(function, (0.05, W), order=1)
    value, slopes = tl.value_and_grad(function, wrt=(0, 1))(0.05, W)
    assert value == function(0.05, W)
    with by_identity():
        for a, b in zip(tl.grad(function, wrt=(0, 1))(0.05, W), slopes, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-10)


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.sweep(3)
def test_second_order(function):
    tl.check_grads(function, (0.05, W), order=2)


def test_a_dict_goes_by_names():
    gradient = tl.grad(in_a_dict)
    gradient(0.05, W)
    assert not gradient._latest.by_identity
