"""Objects and dicts with lists in them that a helper makes, and that change where they are used."""
from dataclasses import dataclass, field

import numpy as np
import pytest

import tangent_lite as tl


@dataclass
class Model:
    w: float
    log: list = field(default_factory=list)

    def step(self, x):
        self.w = self.w * x
        self.log.append(self.w)
        return self.w


class Machine:
    rate = 2.0

    def __init__(self, p):
        self.p, self.log = p, []

    def run(self, v, n=3):
        for _ in range(n):
            v = self.p * v
            self.log.append(v)
        return v

    @classmethod
    def made(cls, p):
        return cls(p * cls.rate)


def started(x):
    return {"w": x * 2.0, "history": [], "n": 0}


def model(x):
    return Model(x)


def tripled(x):
    return model(x * 3.0)


def held(x):
    return {"model": Model(x), "list": [x]}


def same(m):
    return m


def both(x):
    m = Model(x)
    return m, m


KEPT = Model(1.0)


def kept(x):
    return KEPT


def a_dict(x):
    s = started(x[0])
    for _ in range(3):
        s["w"] = s["w"] * x[1]
        s["history"].append(s["w"])
        s["n"] += 1
    return sum(s["history"]) * s["n"]


def an_object(x):
    m = model(x[0])
    m.step(x[1])
    m.step(x[1])
    return sum(m.log) * m.w


def by_a_class_method(x):
    m = Machine.made(x[0])
    m.log.append(x[1])
    return m.run(x[1]) * m.log[0] * m.log[2]


def by_two_helpers(x):
    m = tripled(x[0])
    m.step(x[1])
    return m.log[0] * m.w


def one_in_another(x):
    h = held(x[0])
    h["list"].append(x[1])
    h["model"].log.append(x[1])
    return sum(h["list"]) * h["model"].log[0] * h["model"].w


def in_each_step(x):
    s = 0.0
    for k in range(3):
        m = model(x[0] * k)
        m.step(x[1])
        m.step(x[0])
        s += sum(m.log)
    return s


def never_changed(x):
    m = model(x[0])
    for _ in range(0):
        m.log.append(x[1])
    return m.w * (1.0 + len(m.log))


def bound_twice(x):
    m = model(x[0])
    m.log.append(x[1])
    m = model(x[1])
    m.log.append(x[0])
    return m.log[0] * m.w


def under_two_names(x):
    m = model(x[0])
    n = same(m)
    n.log.append(x[1])
    return sum(m.log) * m.w


def in_two_places(x):
    a, b = both(x[0])
    a.log.append(x[1])
    return b.log[0] * b.w


def from_outside(x):
    m = kept(x[0])
    m.log.append(x[0])
    v = m.log[-1] * x[1]
    m.log.pop()
    return v


NAMED = (a_dict, an_object, by_a_class_method, by_two_helpers, one_in_another, in_each_step,
         never_changed, bound_twice, from_outside)
X = np.array([0.4, 0.9])


@pytest.mark.parametrize("f", (*NAMED, under_two_names, in_two_places))
def test_made_by_helpers(f):
    tl.check_grads(f, (X,), order=1)
    assert tl.value_and_grad(f)(X)[0] == f(X)
    assert ("tape.call" not in tl.grad(f).source_for(X)) == (f in NAMED)
