"""Objects that hold a function defined inside: their methods are written out with it."""

import numpy as np
import pytest

import tangent_lite as tl


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
