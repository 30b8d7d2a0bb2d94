"""Functions that integrators and root finders are given, and what they read around them."""
import functools

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names

integrate = pytest.importorskip("scipy.integrate")
optimize = pytest.importorskip("scipy.optimize")
TIMES = np.linspace(0.0, 1.0, 3)
START = np.array([1.0])


def decayed(rate, drive=0.0):
    """The sum of the solution of y' = drive - rate * y at the times, from 1 on."""
    return np.sum(drive / rate + (1.0 - drive / rate) * np.exp(-rate * TIMES))


def lambda_(k):
    return np.sum(integrate.odeint(lambda y, t: -k * y, START, TIMES))


def several_statements(k, n=2):
    def rhs(y, t):
        dy = np.zeros(1)
        for _ in range(n):
            dy[0] = dy[0] - 0.5 * k * y[0]
        return dy
    return np.sum(integrate.odeint(rhs, START, TIMES))


def as_it_is_at_the_call(k):
    rate = 9.0 * k
    rhs = lambda y, t: -rate * y            # noqa: E731
    rate = 1.0 * k
    z = np.sum(integrate.odeint(rhs, START, TIMES))
    rate = 5.0
    return z


def changed_after(k):
    rates = np.array([k, 2.0 * k])
    z = np.sum(integrate.odeint(lambda y, t: rates[1] - rates[0] * y, START, TIMES))
    rates[:] = 7.0
    return z


def in_a_dict(k):
    p = {"rate": k, "drive": 2.0 * k, "other": "text"}
    return np.sum(integrate.odeint(lambda y, t: p["drive"] - p["rate"] * y, START, TIMES))


def default(k):
    def rhs(y, t, drive, rate=1.0 * k):
        return drive * k - rate * y
    return np.sum(integrate.odeint(rhs, START, TIMES, args=(2.0,)))


def chosen_by_text(k, how="fast"):
    def rhs(y, t):
        if how == "fast":
            return -k * y
        return -2.0 * k * y
    return np.sum(integrate.odeint(rhs, START, TIMES))


class Model:
    def __init__(self, rate, drive, label="model"):
        self.rate, self.drive, self.label = rate, drive, label

    def rhs(self, y, t):
        slope = -self.rate * y
        return self.drive + slope


def method(k):
    m = Model(k, 2.0 * k)
    return np.sum(integrate.odeint(m.rhs, START, TIMES))


def attributes(k):
    m = Model(k, 2.0 * k)
    return np.sum(integrate.odeint(lambda y, t: m.drive - m.rate * y, START, TIMES))


def attribute_bound_anew(k):
    m = Model(9.0, 2.0 * k)
    m.rate = k
    z = np.sum(integrate.odeint(m.rhs, START, TIMES))
    m.rate = 5.0
    return z


def filled(rate, drive, y, t):
    return drive - rate * y


def partial(k):
    return np.sum(integrate.odeint(functools.partial(filled, k, 2.0 * k), START, TIMES))


def with_helper(k):
    return solved(lambda y, t: -k * y)


def solved(rhs):
    return np.sum(integrate.odeint(rhs, START, TIMES))


DECAYS = {lambda_: 0.0, several_statements: 0.0, as_it_is_at_the_call: 0.0, changed_after: 2.0,
          in_a_dict: 2.0, default: 2.0, chosen_by_text: 0.0, method: 2.0, attributes: 2.0,
          attribute_bound_anew: 2.0, partial: 2.0, with_helper: 0.0}


@pytest.mark.parametrize("f, drive", DECAYS.items(), ids=lambda v: getattr(v, "__name__", ""))
def test_differential_equations(f, drive):
    with by_names():
        value, slope = tl.value_and_grad(f)(0.7)
    assert value == f(0.7)
    wanted = np.imag(decayed(0.7 + 1e-30j, drive * (0.7 + 1e-30j))) / 1e-30
    assert slope == pytest.approx(wanted, rel=1e-6)
    assert tl.jvp(f, (0.7,), (1.0,))[1] == pytest.approx(wanted, rel=1e-6)


def test_the_text():
    source = tl.grad(lambda_).source_for(0.7)
    assert "odeint(lambda y, t, k_1: -k_1 * y, START, TIMES, args=(k,))" in source


def test_second_derivatives():
    assert tl.grad(tl.grad(lambda_))(0.7) == pytest.approx(
        np.sum(TIMES ** 2 * np.exp(-0.7 * TIMES)), rel=1e-5)
    assert tl.hessian(method)(0.7) == pytest.approx(
        np.sum(TIMES ** 2 * np.exp(-0.7 * TIMES)) * -1.0, rel=1e-5)


def oscillator(k):
    def rhs(t, y):
        x, v = y
        return [v, -k * x]
    return integrate.solve_ivp(rhs, (0.0, 1.0), [1.0, 0.0], rtol=1e-9, atol=1e-9).y[0, -1]


class Rotation:
    def __init__(self, w):
        self.w = w

    def rhs(self, t, y):
        return self.w @ y


def rotation(k):
    turn = Rotation(k * np.array([[0.0, 1.0], [-1.0, 0.0]]))
    return integrate.solve_ivp(turn.rhs, (0.0, 1.0), np.array([1.0, 0.0]), rtol=1e-9,
                               atol=1e-9).y[0, -1]


def root_of_cubic(c):
    x = 0.0
    for scale in (0.5, 1.0):
        x = optimize.brentq(lambda x: x ** 3 + scale * c * x - 1.0, 0.0, 1.0)
    return x


def newton(c):
    def g(x):
        return x ** 3 + c * x - 1.0
    return optimize.newton(g, 0.5)


def fixed(c):
    return optimize.fixed_point(lambda x: (1.0 - x ** 3 + x) / (c + 1.0), 0.5)


def system(c):
    return optimize.root(lambda x: np.array([x[0] ** 3 + c * x[0] - 1.0, x[1] - x[0]]),
                         np.array([0.5, 0.5])).x[1]


def no_trips(c, n=0):
    z = c
    for k in range(n):
        z = z + integrate.quad(lambda x: x * c * k, 0.0, 1.0)[0]
    return z


def integral(a):
    p = np.array([a, 2.0 * a])
    return sum([integrate.quad(lambda x: p[1] * np.exp(-p[0] * x * s), 0.0, 1.0)[0]
                for s in (1.0, 2.0)])


def twice_integrated(a):
    return integrate.quad(
        lambda z: integrate.quad(lambda x: np.exp(-a * x * z), 0.0, 1.0)[0], 0.0, 1.0)[0]


@pytest.mark.parametrize("f", [oscillator, rotation, root_of_cubic, newton, fixed, system, no_trips,
                               integral, twice_integrated], ids=lambda f: f.__name__)
def test_others(f):
    with by_names():
        value, slope = tl.value_and_grad(f)(0.7)
    assert value == f(0.7)
    wanted = (f(0.7 + 1e-4) - f(0.7 - 1e-4)) / 2e-4
    assert slope == pytest.approx(wanted, rel=1e-5)
    assert tl.jvp(f, (0.7,), (1.0,))[1] == pytest.approx(wanted, rel=1e-5)


def test_called_again_with_another_class():
    """Whose method has the same name."""
    class Doubled(Model):
        def rhs(self, y, t):
            return -2.0 * self.rate * y

    def f(m):
        return np.sum(integrate.odeint(m.rhs, START, TIMES))
    g = tl.grad(f)
    assert g(Model(0.7, 0.0)).rate == pytest.approx(-np.sum(TIMES * np.exp(-0.7 * TIMES)), rel=1e-6)
    assert g(Doubled(0.7, 0.0)).rate == pytest.approx(
        -2.0 * np.sum(TIMES * np.exp(-1.4 * TIMES)), rel=1e-6)


# What such a function writes is not seen ----------------------------------------------------------
def writes_an_element(k):
    buffer = np.zeros(1)

    def rhs(y, t):
        buffer[0] = -k * y[0]
        return buffer
    z = np.sum(integrate.odeint(rhs, START, TIMES))
    return z + k * buffer[0]


def writes_a_view(k):
    a = np.array([[k, 0.0], [0.0, 1.0]])

    def rhs(y, t):
        row = a[1]
        row[0] = -1.0
        return -a @ y
    z = np.sum(integrate.odeint(rhs, np.ones(2), TIMES))
    return z + k * a[1, 0]


def writes_by_out(k):
    buffer = np.zeros(1)
    z = np.sum(integrate.odeint(lambda y, t: np.multiply(y, -k, out=buffer), START, TIMES))
    return z + k * buffer[0]


def hands_it_on(k):
    a = np.array([k])

    def rhs(y, t):
        fill(a)
        return -a * y
    z = np.sum(integrate.odeint(rhs, START, TIMES))
    return z + k * a[0]


def fill(a):
    a[0] = 2.0


def counts(k):
    n = 0

    def rhs(y, t):
        nonlocal n
        n += 1
        return -k * y
    return np.sum(integrate.odeint(rhs, START, TIMES)) * n


@pytest.mark.parametrize("f", [writes_an_element, writes_a_view, writes_by_out, hands_it_on,
                               counts])
def test_refused_where_it_changes_what_it_reads(f):
    with pytest.raises(tl.UnsupportedSyntaxError):
        tl.grad(f)(0.7)


# Complex numbers ----------------------------------------------------------------------------------
def complex_rate(k):
    return integrate.odeint(lambda y, t, z: -(z * z).imag * y, START, TIMES, (k + 1j * k,))[-1, 0]


def complex_rate_of_ivp(k):
    return integrate.solve_ivp(lambda t, y, z: -(z * z).imag * y, (0.0, 1.0), START,
                               args=(k + 1j * k,)).y[0, -1]


def from_a_complex_start(k):
    return np.real(integrate.solve_ivp(lambda t, y: 1j * y, (0.0, 1.0), [k + 0j]).y[0, -1])


def integral(k):
    return integrate.quad(lambda t, z: t * (z * z).imag, 0.0, 1.0, (k + 1j * k,))[0]


@pytest.mark.parametrize("f", [complex_rate, complex_rate_of_ivp,
                               from_a_complex_start, integral])
def test_complex_parameters_are_refused(f):
    for derivative in (lambda: tl.grad(f)(1.3), lambda: tl.jvp(f, (1.3,), (1.0,))):
        with pytest.raises(tl.InputError, match="is complex"):
            derivative()


def test_complex_numbers_that_are_read():
    """They may not vary where something is integrated; roots do not mind."""
    def captured(k):
        z = k + 1j * k
        return integrate.odeint(lambda y, t: -(z * z).imag * y, START, TIMES)[-1, 0]

    def constant(k):
        z = 1.0 + 2.0j
        return integrate.odeint(lambda y, t: -(z * z).imag * k * y, START, TIMES)[-1, 0]

    def root(k):
        z = k + 1j * k
        return optimize.brentq(lambda s: s ** 3 - (z * z).imag, 0.0, 9.0)
    with pytest.raises(tl.TangentError):
        tl.grad(captured)(1.3)
    assert tl.grad(constant)(0.3) == pytest.approx(-4.0 * np.exp(-1.2), rel=1e-5)
    assert tl.grad(root)(1.3) == pytest.approx(
        2.0 ** (1 / 3) * 2 / 3 * 1.3 ** (-1 / 3), rel=1e-9)
