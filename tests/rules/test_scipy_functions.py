"""scipy.integrate and scipy.optimize: functions that are given functions, and rules for points."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import InputError, MissingRuleError, TangentError
from tangent_lite.runtime import scipy_functions
from tests.rules.support import check

integrate = pytest.importorskip("scipy.integrate")
optimize = pytest.importorskip("scipy.optimize")
BOTH = ("fwd", "rev")


# Roots ------------------------------------------------------------------------------------------
def residual(x, p, q):
    return x * x * q - p


def by(search):
    return {
        "brentq": lambda p, q: optimize.brentq(residual, 0.0, 10.0, args=(p, q)),
        "brenth": lambda p, q: optimize.brenth(residual, 0.0, 10.0, (p, q)),
        "bisect": lambda p, q: optimize.bisect(residual, 0.0, 10.0, (p, q), xtol=1e-14),
        "ridder": lambda p, q: optimize.ridder(residual, 0.0, 10.0, args=(p, q)),
        "toms748": lambda p, q: optimize.toms748(residual, 0.0, 10.0, args=(p, q)),
        "newton": lambda p, q: optimize.newton(residual, 1.0, args=(p, q), tol=1e-14),
    }[search]


@pytest.mark.parametrize("search", ["brentq", "brenth", "bisect", "ridder", "toms748", "newton"])
@pytest.mark.sweep(3)
def test_roots(search):
    tl.check_grads(by(search), (2.0, 1.3), order=2, modes=BOTH)
    found = tl.grad(by(search), wrt=(0, 1))(2.0, 1.3)
    root = (2.0 / 1.3) ** 0.5
    assert found == pytest.approx((0.5 / (1.3 * root), -0.5 * root / 1.3))


def test_value_is_that_of_the_function():
    value, _ = tl.value_and_grad(by("brentq"))(2.0, 1.3)
    assert value == by("brentq")(2.0, 1.3)


def test_many_roots_at_once():
    p = np.array([2.0, 3.0])
    tl.check_grads(lambda p: np.sum(optimize.newton(residual, np.ones(2), args=(p, 1.3),
                                                    tol=1e-14)), (p,), order=1, modes=BOTH)


def test_bracket_and_constants_in_args():
    assert tl.grad(lambda a: optimize.brentq(residual, a, 10.0, args=(2.0, 1.3)) + a)(0.0) == 1.0

    def powered(x, p, n):
        return x ** n - p
    assert tl.grad(lambda p: optimize.brentq(powered, 0.0, 10.0, args=(p, 3)))(8.0) \
        == pytest.approx(1 / 12)


def system(x, p, w):
    return [x[0] ** 2 + x[1] * p - 2.0, np.sin(x[0]) + w[0] * x[1] - w[1]]


def contraction(x, p):
    return np.cos(x) * p + 0.1 * x[::-1]


def test_systems():
    p, w = 0.7, np.array([1.3, 0.4])
    tl.check_grads(lambda p, w: np.sum(optimize.fsolve(system, np.ones(2), args=(p, w),
                                                       xtol=1e-13) ** 2), (p, w), order=2,
                   modes=BOTH)
    tl.check_grads(lambda p, w: np.sum(optimize.root(system, np.ones(2), args=(p, w),
                                                     tol=1e-13).x ** 2), (p, w), order=1,
                   modes=BOTH)
    tl.check_grads(lambda p: np.sum(optimize.fixed_point(contraction, np.ones(2), args=(p,),
                                                         xtol=1e-13) ** 2), (0.5,), order=1,
                   modes=BOTH)


def trained(rate, n):
    x = 1.0
    for k in range(n):
        x = x + optimize.brentq(residual, 0.0, 10.0, args=(x * rate, 1.0 + k))
    return x


def test_in_a_loop():
    tl.check_grads(trained, (0.7, 3), order=1, modes=BOTH)


def test_closures_go_by_identity():
    found = tl.grad(lambda p: optimize.brentq(lambda x: x * x - p, 0.0, 10.0))(2.0)
    assert found == pytest.approx(0.5 / np.sqrt(2.0))


def test_what_is_refused():
    with pytest.raises(MissingRuleError, match="full_output"):
        tl.grad(lambda p: optimize.brentq(residual, 0.0, 10.0, (p, 1.0), full_output=True)[0])(2.0)
    with pytest.raises(MissingRuleError, match="where the search stops"):
        tl.grad(lambda p: optimize.minimize(residual, 1.0, args=(p, 1.0)).x[0])(2.0)


# Integrals --------------------------------------------------------------------------------------
def density(x, p, r):
    return np.exp(-p * x) * r * x


def test_quad():
    tl.check_grads(lambda a, b, p: integrate.quad(density, a, b, args=(p, 1.5))[0],
                   (0.1, 2.0, 1.2), order=2, modes=BOTH)
    found = tl.grad(lambda p: integrate.quad(density, 0.0, np.inf, args=(p, 1.5))[0])(1.2)
    assert found == pytest.approx(-2.0 * 1.5 / 1.2 ** 3)
    with pytest.raises(InputError, match="numbers"):
        tl.grad(lambda p: integrate.quad(lambda x, p: x * p[0], 0.0, 1.0, args=(p,))[0])(np.ones(2))


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("points", [None, "vector", "array"])
def test_points(axis, points):
    y = np.random.default_rng(3).standard_normal((5, 3, 4))
    n = y.shape[axis]
    x = {None: None, "vector": np.cumsum(np.linspace(0.3, 1.0, n)),
         "array": np.cumsum(np.random.default_rng(4).uniform(0.2, 1.0, y.shape), axis=axis)}[points]
    wrt = [0, 2] if x is None else [0, 1]
    check(integrate.trapezoid, y, x, 0.5, axis, wrt=wrt)
    check(integrate.cumulative_trapezoid, y, x, 0.5, axis, wrt=wrt)
    check(integrate.cumulative_trapezoid, y, x, 0.5, axis, initial=0, wrt=wrt)
    check(integrate.simpson, y, x=x, dx=0.5, axis=axis, wrt=[0])


@pytest.mark.parametrize("axis", [0, 1])
def test_widths_that_broadcast(axis):
    """NumPy aligns an array of widths with the last axis, whatever axis is summed along."""
    y = np.random.default_rng(3).standard_normal((3, 2) if axis == 0 else (3, 4))
    widths = np.array([0.5, 0.9]) if axis == 0 else np.array([0.5, 0.9, 0.4])
    for rule in (integrate.trapezoid, integrate.cumulative_trapezoid):
        check(rule, y, None, widths, axis, wrt=[0, 2])
        tl.check_grads(lambda y, h, rule=rule: np.sum(rule(y ** 2, None, h, axis) ** 2),
                       (y, widths), order=2, modes=BOTH)


def test_points_of_few():
    for n in (1, 2, 3, 6):
        y = np.linspace(1.0, 2.0, n) ** 2
        check(integrate.trapezoid, y)
        check(integrate.simpson, y, x=np.arange(n) ** 1.5, wrt=[0])
    check(integrate.cumulative_trapezoid, np.arange(3.0))
    x = np.array([0.0, 0.5, 0.7, 1.5])
    tl.check_grads(lambda y, x: integrate.trapezoid(y * y, x) + integrate.simpson(y * y) + np.sum(
        integrate.cumulative_trapezoid(y, x) ** 2), (x + 1.0, x), order=2, modes=BOTH)


# Differential equations -------------------------------------------------------------------------
TIMES = np.linspace(0.0, 1.0, 4)


def pendulum(y, t, k, damping):
    return [y[1], -k * np.sin(y[0]) - damping * y[1] + 0.1 * t]


def swing(y0, k):
    path = integrate.odeint(pendulum, y0, TIMES, args=(k, 0.3), rtol=1e-9, atol=1e-9)
    return np.sum(path[:, 0] ** 2) + path[-1, 1]


def decay(t, y, rates):
    return -rates * y


def remaining(y0, rates):
    found = integrate.solve_ivp(decay, (0.0, 1.0), y0, t_eval=TIMES, args=(rates,), rtol=1e-9,
                                atol=1e-9)
    return np.sum(found.y[0] * found.t) + found.y[1, -1]


def test_odeint():
    tl.check_grads(swing, (np.array([1.0, 0.5]), 2.0), order=1, modes=BOTH)
    tl.check_grads(swing, (np.array([1.0, 0.5]), 2.0), order=2, modes=BOTH, rtol=1e-4, atol=1e-5)
    path = integrate.odeint(lambda t, y, k: -k * y, 1.0, TIMES, args=(2.0,), tfirst=True)
    found = tl.grad(lambda y0, k: integrate.odeint(lambda t, y, k: -k * y, y0, TIMES, args=(k,),
                                                   tfirst=True)[-1, 0], wrt=(0, 1))(1.0, 2.0)
    assert found == pytest.approx((path[-1, 0], -path[-1, 0]), rel=1e-6)


def test_stiff_decay_is_not_integrated_backward():
    """e^-200 has left no trace at the end, and the adjoint still knows where it came from."""
    found = tl.grad(lambda k: integrate.odeint(lambda y, t, k: -k * (y - np.cos(t)), 5.0, TIMES,
                                               args=(k,))[-1, 0])(200.0)
    step = 1e-2
    ends = [integrate.odeint(lambda y, t, k: -k * (y - np.cos(t)), 5.0, TIMES, args=(k,),
                             rtol=1e-12, atol=1e-12)[-1, 0] for k in (200.0 - step, 200.0 + step)]
    assert found == pytest.approx((ends[1] - ends[0]) / (2.0 * step), rel=1e-3)


def test_solve_ivp():
    y0, rates = np.array([1.0, 0.5]), np.array([2.0, 0.7])
    tl.check_grads(remaining, (y0, rates), order=1, modes=BOTH)
    value, _ = tl.value_and_grad(remaining)(y0, rates)
    assert value == remaining(y0, rates)
    tl.check_grads(lambda y0: integrate.solve_ivp(decay, (0.0, 1.0), y0, "DOP853", args=(0.7,),
                                                  rtol=1e-10).y[0, -1], (np.array([1.3]),),
                   order=1, modes=BOTH)


def decayed(end):
    return integrate.solve_ivp(decay, (0.0, end), np.ones(2), args=(1.0,)).y[0, -1]


def test_times_are_constant():
    with pytest.raises(MissingRuleError, match="with respect to t: the times are taken"):
        tl.grad(lambda end: integrate.odeint(pendulum, np.ones(2), np.linspace(0.0, end, 3),
                                             args=(1.0, 0.3))[-1, 0])(1.0)
    with pytest.raises(MissingRuleError, match="with respect to t_span: the times are taken"):
        tl.grad(decayed)(1.0)
    with pytest.raises(TangentError, match="the times are taken"):
        tl.jvp(decayed, (1.0,), (1.0,))


@pytest.mark.parametrize("times", [[0.5, 1.0], [1.0], [0.0, 0.3], [1e-3], None])
@pytest.mark.parametrize("span", [(0.0, 1.0), (1.0, 0.0), (0.25, 1.5)])
def test_times_that_leave_the_start_out(times, span):
    """y' = -k y t, so y = y0 exp(-k (t^2 - t0^2) / 2), whose derivatives are known."""
    start, end = span
    asked = None if times is None else start + (end - start) * np.array(times)

    def f(k, y0):
        found = integrate.solve_ivp(lambda t, y, k: -k * y * t, span, [y0], t_eval=asked, args=(k,),
                                    rtol=1e-10, atol=1e-12)
        return found.y[0]
    k, y0 = 0.7, 1.3
    t = integrate.solve_ivp(lambda t, y: -k * y * t, span, [y0], t_eval=asked, rtol=1e-10,
                            atol=1e-12).t
    half = (t ** 2 - start ** 2) / 2.0
    wanted = -half * y0 * np.exp(-k * half), np.exp(-k * half)
    for jacobian in (tl.jacrev, tl.jacfwd):
        np.testing.assert_allclose(jacobian(f, wrt=(0, 1))(k, y0), wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("times", [[], np.array([])], ids=["list", "array"])
def test_no_times(times):
    def f(k, y0):
        found = integrate.solve_ivp(lambda t, y, k: -k * y, (0.0, 1.0), y0, t_eval=times, args=(k,))
        return np.sum(found.y) + k * k * np.sum(y0)
    k, y0 = 0.7, np.array([1.0, 2.0])
    assert f(k, y0) == pytest.approx(k * k * 3.0)
    found = tl.grad(f, wrt=(0, 1))(k, y0)
    assert found[0] == pytest.approx(2.0 * k * 3.0)
    np.testing.assert_allclose(found[1], k * k)
    assert tl.jvp(f, (k, y0), (1.0, np.ones(2)))[1] == pytest.approx(6.0 * k + 2.0 * k * k)
    assert tl.hessian(f)(k, y0) == pytest.approx(6.0)


# Lambdas are made anew at each call ---------------------------------------------------------------
def integral_of_lambda(a):
    return integrate.quad(lambda t, c: np.exp(-c * t * t) * t, 0.0, 2.0, args=(a,))[0]


def root_of_lambda(a):
    return optimize.brentq(lambda x, a: x ** 3 + a * x - 1.0, 0.0, 2.0, args=(a,))


def decay_by_lambda(a):
    return np.sum(integrate.odeint(lambda y, t, a: -a * y * y, 1.5, [0.0, 0.5, 1.0], args=(a,)))


@pytest.mark.parametrize("f", [integral_of_lambda, root_of_lambda, decay_by_lambda])
def test_one_that_captures_nothing_has_one_derivative(f):
    gradient = tl.grad(f)
    gradient(0.7), tl.jvp(f, (0.7,), (1.0,))
    known = set(scipy_functions._made)
    for a in (0.7, 1.1):
        assert np.isclose(gradient(a), (f(a + 1e-5) - f(a - 1e-5)) / 2e-5, rtol=1e-5)
        assert np.isclose(tl.jvp(f, (a,), (1.0,))[1], gradient(a), rtol=1e-6)
    assert set(scipy_functions._made) == known


def made_with(c, a):
    return optimize.brentq(lambda x, a, c=c: x ** 3 + a * x - c, 0.0, 2.0, args=(a,))


def test_those_with_other_defaults_are_others():
    functions = [scipy_functions.one_of(lambda x, k=k: k * x) for k in (2.0, 3.0, 2.0)]
    assert [f(1.0) for f in functions] == [2.0, 3.0, 2.0]
    captured = 4.0
    first, second = [scipy_functions.one_of(lambda x: captured * x) for _ in range(2)]
    assert first is not second
    functions[0].__defaults__ = (5.0,)
    assert scipy_functions.one_of(lambda x, k=2.0: k * x)(1.0) == 2.0
    for c in (0.5, 1.0, 1.5):
        found = tl.grad(made_with, wrt=1)(c, 0.7)
        assert np.isclose(found, (made_with(c, 0.70001) - made_with(c, 0.69999)) / 2e-5, rtol=1e-5)
