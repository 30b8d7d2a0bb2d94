"""Helpers that change dicts and return them: `p, state = step(p, state)`, or nobody takes what is
returned."""
import numpy as np
import pytest

from tests.held_to_both import is_by_names, is_right


def step(p, state, slopes, rate):
    state["t"] += 1
    for key in p:
        m = state["m"][key] = 0.9 * state["m"][key] + 0.1 * slopes[key]
        p[key] = p[key] - rate * m / (1.0 - 0.9 ** state["t"])
    return p, state


def training(x):
    p = {"w": x[:3].copy(), "b": x[3]}
    state = {"t": 0, "m": {k: np.zeros_like(v) for k, v in p.items()}}
    for _ in range(4):
        slopes = {"w": p["w"] * p["b"], "b": p["w"] @ p["w"]}
        p, state = step(p, state, slopes, x[4])
    return p["w"] @ p["w"] + p["b"] * state["m"]["b"]


def taken_by_nobody(x):
    p, state = {"w": x[0]}, {"t": 0, "m": {"w": 1.0}}
    for k in range(3):
        step(p, state, {"w": p["w"] * x[k]}, x[4])
    return p["w"] * state["t"]


def exchanged(x):
    def both(u, w):
        u[0] += w[1]
        return w, u
    a, b = x.copy(), 2.0 * x
    for _ in range(3):
        a, b = both(a, b)
        a[1] *= 0.5
    return a @ b + a[0]


@pytest.mark.parametrize("f", [training, taken_by_nobody, exchanged])
def test_goes_by_names(f):
    is_right(f)
    is_by_names(f)


def dicts_exchanged(x):
    def both(u, w):
        u["v"] = u["v"] * x[1]
        return w, u
    a, b = {"v": x[0]}, {"v": x[2]}
    for _ in range(3):
        a, b = both(a, b)
        b["v"] += a["v"]
    return a["v"] * 10.0 + b["v"]


def one_dict_twice(x):
    def both(u):
        return u, u
    p, q = both({"v": x[0]})
    p["v"] = p["v"] * x[1]
    return q["v"]


@pytest.mark.parametrize("f", [dicts_exchanged, one_dict_twice])
def test_is_right(f):
    is_right(f)
