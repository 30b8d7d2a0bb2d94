"""Dicts of numbers: keys that a loop runs over, and a key that is missing."""
import math

import pytest

import tangent_lite as tl


def decayed(p):
    q = dict(p)
    for _ in range(3):
        for k in q:
            q[k] = 0.9 * q[k] + 0.1 * math.sin(q[k])
    return q["a"] * q["b"] * q["c"]


def left_early(p):
    q = dict(p)
    for i in range(2):
        for k in q:
            if k == "b" and i == 1:
                break
            q[k] = q[k] * 0.9 + 0.1 * q["a"]
    return q["a"] * q["b"] * q["c"]


def by_written_keys(p):
    total = 0.0
    for k in ["a", "c"]:
        total += p[k] ** 2
    return total * p["b"]


def the_last_key(p):
    q = dict(p)
    for k in q:
        pass
    for _ in range(2):
        q[k] = q[k] * 2.0 + q["a"]
    return q["a"] * q["b"] * q["c"]


def new_keys(p):
    q = {"a": 1.0}
    for _ in range(2):
        for k in p:
            q[k] = p[k] * p["a"]
    return q["a"] * q["b"] * q["c"]


def bound_anew(p):
    q = dict(p)
    for k in q:
        k = "a"
        q[k] = q[k] * 2.0 + q["b"]
    return q["a"] * q["b"] * q["c"]


def of_many(p):
    q = {f"{k}{i}": p[k] * i for k in p for i in range(30)}
    for _ in range(2):
        for k in q:
            q[k] = q[k] * 0.9 + 0.1 * q[k] ** 2
    return q["a1"] * q["b2"]


@pytest.mark.parametrize("function", [decayed, left_early, by_written_keys, the_last_key, new_keys,
                                      bound_anew, of_many])
@pytest.mark.sweep(3)
def test_keys(function):
    p = {"a": 1.5, "b": 0.3, "c": -0.7}
    d = tl.grad(function)
    tl.check_grads(function, (p,), order=2 if function is decayed else 1)
    if function in (decayed, left_early, by_written_keys):
        assert "tape.pull" not in d.source_for(p)


def missing_at_first(x, flag):
    s = {"v": [x]}
    if flag:
        s["w"] = [x * x]
    s["v"][0] *= x
    return s["v"][0] + s["w"][0]


def test_a_key_that_is_missing_is_missing():
    d = tl.grad(missing_at_first)
    assert d(2.0, True) == pytest.approx(8.0)
    with pytest.raises((KeyError, tl.TangentError)):
        d(2.0, False)
