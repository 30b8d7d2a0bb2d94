"""`p += v` of objects: by `__iadd__`, which changes p or not, or by `__add__`; methods that return
the object that they change."""
import numpy as np
import pytest

import tangent_lite as tl

X = [1.3, 0.7, 0.9, 1.1]


class Vector:
    def __init__(self, x=0.0, y=0.0):
        self.x, self.y = x, y

    def __add__(self, o):
        return Vector(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)


class Changed(Vector):
    def __mul__(self, k):
        return Changed(self.x * k, self.y * k)

    def scale(self, k):
        self.x *= k
        self.y *= k
        return self

    def __iadd__(self, o):
        self.x += o.x
        self.y += o.y * self.x
        return self

    def __imul__(self, k):
        return self.scale(k)


class Anew(Vector):
    def __iadd__(self, o):
        return Anew(self.x + o.x, self.y * o.y)


class Holder:
    def __init__(self, p, v):
        self.p, self.v = p, v


def loops(kind):
    def f(x):
        p, v = kind(x[0], x[1]), kind(x[2], x[3])
        total = kind()
        for k in range(4):
            p += v * 0.1
            p *= 0.9
            if k % 2:
                v += p
            total += p
        for _ in range(0):
            total += v
        return total.x * p.y + v.x
    return f


def with_new_ones(x):
    p, v = Anew(x[0], x[1]), Anew(x[2], x[3])
    first = p
    for _ in range(3):
        p += v
    return p.x * p.y * first.x


def itself(x):
    p = Changed(x[0], x[1])
    for _ in range(3):
        p += p
    return p.x * p.y


def parts(kind):
    def f(x):
        h = Holder(kind(x[0], x[1]), kind(x[2], x[3]))
        d = {"p": kind(x[1], x[2])}
        ps = [kind(v, 1.0) for v in x]
        for _ in range(2):
            h.p += h.v * 0.1
            h.v += h.p * -0.1
            d["p"] += h.v
            for i in range(len(ps)):
                ps[i] += ps[0] * 0.1
        return h.p.x * h.v.y + d["p"].y * ps[3].x + ps[1].y
    return f


def fluent(x):
    p = Changed(x[0], x[1])
    for v in x:
        p = p.scale(v)
    return p.x * p.y


def tuples(x):
    t = (x[0], x[1])
    t += (x[2] * t[0],)
    for _ in range(2):
        t = t[:2] + (t[2] * t[0],)
    return t[0] * t[1] * t[2]


@pytest.mark.parametrize(("f", "order"), [
    (loops(Vector), 1), (loops(Changed), 2), (with_new_ones, 2), (itself, 2), (parts(Vector), 1),
    (parts(Changed), 1), (fluent, 2), (tuples, 2)])
@pytest.mark.sweep(3)
def test_by_names(f, order):
    tl.check_grads(f, (X,), order=order)
    gradient = tl.grad(f)
    gradient(X)
    assert not gradient._latest.by_identity


# Whoever else holds the object sees the change ----------------------------------------------------
def two_names(x):
    p = Changed(x[0], x[1])
    q = p
    p += Changed(x[2], x[3])
    return q.x * p.y * q.y


def names_change_places(x):
    p, v = Changed(x[0], x[1]), Changed(x[2], x[3])
    for k in range(4):
        p += v
        if k == 1:
            p, v = v, p
        if k == 2:
            v = p
    return p.x * v.y


def one_twice(x):
    p = Changed(x[0], x[1])
    ps = [p, p, Changed(x[2], x[3])]
    for i in range(3):
        ps[i] += ps[2]
    return ps[0].x * ps[1].y * p.x + ps[2].x


def item_with_a_name(x):
    ps = [Changed(v, 1.0) for v in x]
    first = ps[0]
    ps[0] += ps[1]
    ps[1] += first
    return first.x * ps[0].y + ps[1].x


def part_with_a_name(x):
    h = Holder(Changed(x[0], x[1]), Changed(x[2], x[3]))
    p = h.p
    for _ in range(2):
        h.p += h.v
    return p.x * h.p.y


@pytest.mark.parametrize("f", [two_names, names_change_places, one_twice, item_with_a_name,
                               part_with_a_name])
def test_others_see_the_change(f):
    tl.check_grads(f, (X,), order=1)


def test_an_argument_stays_as_it_is():
    def f(p, x):
        p += Changed(x, x)
        return p.x * p.y

    p = Changed(2.0, 3.0)
    gradient = tl.grad(f, wrt=("p.x", "x"))(p, 0.5)
    # (p + x) (y + x (p + x)) at p = 2, y = 3, x = 0.5
    assert np.allclose(gradient, (4.25 + 0.5 * 2.5, 4.25 + 2.5 * 3.0))
    assert (p.x, p.y) == (2.0, 3.0)


def test_compiled():
    pytest.importorskip("numba")
    for f in (loops(Vector), loops(Changed), fluent):
        assert np.allclose(tl.grad(f, backend="numba")(X), tl.grad(f)(X), rtol=1e-12)
