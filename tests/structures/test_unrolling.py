"""Dicts with their keys, and loops over parts: against differences."""

import numpy as np
import pytest

import tangent_lite as tl


def u1(x):
    d = {"a": x, "b": 2.0}
    d.update({"b": x * x, "c": x})
    return d["a"] * d["b"] * d["c"]


def u2(x):
    d = {"a": x, "b": 2.0}
    e = d.pop("a")
    return e * d["b"] * x


def u3(x):
    d = {"a": x, "b": 2.0 * x}
    t = 0.0
    for k, v in d.items():
        t = t + v * v
    for k in d:
        t = t + d[k]
    return t


def u4(x):
    d = {"a": x, "b": 2.0 * x}
    return sum(d.values()) * x


def u5(x):
    d = {"a": x, "b": 2.0}
    f = d.setdefault("q", 3 * x)
    g = d.get("nope", x)
    return d["a"] * f * g


def u6(p):
    t = 0.0
    for k, (i, v) in zip("abc", enumerate(p)):
        t = t + v * i
    return t


def u7(x, p):
    for name, val in sorted(p.items()):
        x = x * val
    return x


def u8(x):
    out = {}
    for i, v in enumerate(x):
        out[f"k{i}"] = v
    return sum(out[k] ** 2 for k in out)


def u9(x):
    memo = {}

    def fib(n):
        return n

    for i in range(3):
        memo[i] = x * i
    return memo[2] * memo[1]


A = np.array([0.5, 0.7, 0.3])

PROGRAMS = [
    (u1, (1.5,)),
    (u2, (1.5,)),
    (u3, (1.5,)),
    (u4, (1.5,)),
    (u5, (1.5,)),
    (u6, (A,)),
    (u7, (1.5, {"a": 2.0, "b": 3.0})),
    (u9, (1.5,)),
]


@pytest.mark.parametrize("function, args", PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_right(function, args):
    tl.check_grads(function, args, order=1, modes=("rev",))


def steps_out_of_what_there_is(x, w):
    parts = (w, 0.5, (w, 0.3), w[0])
    y = x[0] * x[1]
    for i in range(1, len(parts)):
        for j in range(-1, -len(parts) - 1, -1):
            y = y + np.sum(parts[j - 1][0] if isinstance(parts[j - 1], tuple) else parts[j - 1])
            if y > 1.0:
                break
        y = y * i + j
    return y * x[2]


def test_an_index_in_front_of_the_first_part_is_none_of_its_parts():
    w = np.array([4.0, 2.0])
    tl.check_grads(steps_out_of_what_there_is, (A, w), order=1, modes=("rev",))
    with pytest.raises(IndexError):
        steps_out_of_what_there_is(A, -w)
    with pytest.raises(IndexError):
        tl.grad(steps_out_of_what_there_is)(A, -w)
