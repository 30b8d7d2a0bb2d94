"""Objects that hold a function defined inside: their methods are written out with it."""

import numpy as np
import pytest

import tangent_lite as tl
from tests.reference.dual import numeric_gradient


class Integrator:
    def __init__(self, f, dt=0.05):
        self.f, self.dt = f, dt

    def run(self, y, n):
        for _ in range(n):
            y = y + self.dt * self.f(y)
        return y


def decay(rate):
    return Integrator(lambda v: -rate * v).run(1.0, 20)


def by_name(rate):
    def slope(v):
        return -rate * v * v
    solver = Integrator(slope, 0.1)
    return solver.run(rate, 5) * solver.run(2.0, 3)


def in_a_loop(rate):
    total = 0.0
    for k in range(3):
        total += Integrator(lambda v, k=k: k * rate * v).run(1.0, 4)
    return total


@pytest.mark.parametrize("f", [decay, by_name, in_a_loop])
def test_captured_names_vary(f):
    wanted = (f(0.5 + 1e-6) - f(0.5 - 1e-6)) / 2e-6
    np.testing.assert_allclose(tl.grad(f)(0.5), wanted, rtol=1e-7)
    np.testing.assert_allclose(tl.jvp(f, (0.5,), (1.0,))[1], wanted, rtol=1e-7)


# The function is another one under another name of the object -------------------------------------
class Holder:
    def __init__(self, g):
        self.g = g

    def run(self, q):
        return self.g(q)


def square(q):
    return q * q


def second_name(a, u):
    m = Holder(lambda q: q * a)
    n = m
    n.g = lambda q: q * a * a
    return m.run(u)


def method_kept(a, u):
    m = Holder(lambda q: q * a)
    run = m.run
    m.g = lambda q: q * a * a
    return run(u)


def in_another_object(a, u):
    m = Holder(lambda q: q * a)
    s = Holder(m)
    s.g.g = lambda q: q * q * a
    return m.run(u)


def in_a_dict(a, u):
    m = Holder(lambda q: q * a)
    d = {"m": m}
    d["m"].g = lambda q: q * q * a
    return m.run(u)


def in_a_list(a, u):
    m = Holder(lambda q: q * a)
    ms = [m]
    ms[0].g = square
    return m.run(u) * a


def in_a_tuple(a, u):
    m = Holder(lambda q: q * a)
    for o in (m,):
        o.g = lambda q: q * q * a
    return m.run(u)


def one_of_two(a, u):
    m = Holder(lambda q: q * a)
    n = m if a > 0 else Holder(lambda q: a)
    n.g = lambda q: q * q * a
    return m.run(u)


def in_a_loop_later(a, u):
    m = Holder(lambda q: q * a)
    n = m
    x = 0.0
    for _ in range(2):
        x = x * 0.5 + m.run(u)
        n.g = lambda q: q * q * a
    return x


def by_a_function_inside(a, u):
    m = Holder(lambda q: q * a)

    def change():
        m.g = lambda q: q * q * a
    n = m
    change()
    return n.run(u)


def exchanged(a, u):
    m = Holder(lambda q: q * a)
    n = m
    n.g, old = (lambda q: q * q * a), m.g
    return m.run(u) * old(a)


@pytest.mark.parametrize("f", [
    second_name, method_kept, in_another_object, in_a_dict, in_a_list, in_a_tuple, one_of_two,
    in_a_loop_later, by_a_function_inside, exchanged])
def test_another_function_under_another_name(f):
    args = 0.7, 1.2
    value, slopes = tl.value_and_grad(f, wrt=(0, 1))(*args)
    assert value == f(*args)
    np.testing.assert_allclose(slopes, numeric_gradient(f, args, (0, 1))[0], rtol=1e-9)
    np.testing.assert_allclose(tl.jvp(f, args, (1.0, 0.5))[1], slopes[0] + 0.5 * slopes[1])
