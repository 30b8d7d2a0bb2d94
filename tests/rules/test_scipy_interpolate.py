"""scipy.interpolate: interpolants, with respect to their values and where they are evaluated."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import InputError, MissingRuleError, TangentError

interpolate = pytest.importorskip("scipy.interpolate")
X = np.array([0.0, 0.4, 1.1, 1.5, 2.2, 3.0])
Y = np.sin(2.0 * X) + X
T = np.array([0.25, 1.25, 2.7])
BOTH = ("fwd", "rev")


@pytest.mark.parametrize("bounds", ["not-a-knot", "natural", "clamped"])
@pytest.mark.sweep(2)
def test_cubic_spline(bounds):
    def f(y, t):
        spline = interpolate.CubicSpline(X, y, bc_type=bounds)
        return np.sum(spline(t) ** 2) + spline(0.7) + np.sum(spline(t, 1))
    tl.check_grads(f, (Y, T), order=2, modes=BOTH)
    assert tl.value_and_grad(f)(Y, T)[0] == f(Y, T)


def test_axes():
    y = np.random.default_rng(2).standard_normal((3, 6, 2))

    def f(y, t):
        return np.sum(interpolate.CubicSpline(X, y, axis=1)(t) ** 2)
    tl.check_grads(f, (y, T), order=1, modes=BOTH)
    tl.check_grads(f, (y, T.reshape(3, 1)), order=1, modes=BOTH)
    tl.check_grads(f, (y, 0.7), order=1, modes=BOTH)


@pytest.mark.parametrize("degree", [1, 3, 5])
@pytest.mark.sweep(2)
def test_b_spline(degree):
    tl.check_grads(lambda y, t: np.sum(interpolate.make_interp_spline(X, y, k=degree)(t) ** 2),
                   (Y, T), order=2, modes=BOTH)


@pytest.mark.parametrize("kind", ["linear", "cubic", "quadratic", "nearest", "previous"])
def test_interp1d(kind):
    tl.check_grads(lambda y, t: np.sum(interpolate.interp1d(X, y, kind)(t) ** 2), (Y, T), order=1,
                   modes=BOTH)
    tl.check_grads(lambda y, t: np.sum(interpolate.interp1d(
        X, y, kind, bounds_error=False, fill_value=0.5)(t) ** 2), (Y, np.append(T, 4.0)), order=1,
        modes=BOTH)


def test_second_order_of_interp1d():
    tl.check_grads(lambda y, t: np.sum(interpolate.interp1d(X, y, "cubic")(t) ** 2), (Y, T),
                   order=2, modes=BOTH)
    tl.check_grads(lambda y, t: np.sum(interpolate.interp1d(
        X, y, fill_value="extrapolate")(t) ** 2), (Y, np.append(T, 4.0)), order=2, modes=BOTH)


def test_of_a_constant_spline():
    spline = interpolate.CubicSpline(X, Y)
    assert tl.grad(lambda y: y[0] * float(spline(0.7)))(Y)[0] == float(spline(0.7))


def test_what_is_refused_says_why():
    with pytest.raises(TangentError):
        tl.grad(lambda x: interpolate.CubicSpline(x, Y)(0.7))(X)
    with pytest.raises(InputError, match="given as numbers"):
        tl.grad(lambda y: interpolate.CubicSpline(X, y, bc_type=((1, 0.3), (1, 0.0)))(0.7))(Y)
    with pytest.raises(MissingRuleError, match="linear in the values"):
        tl.grad(lambda y: interpolate.PchipInterpolator(X, y)(0.7))(Y)


def by_methods(y, t):
    spline = interpolate.CubicSpline(X, y, bc_type="natural")
    return (spline(t) * spline(t, 1)).sum() + spline(t[0]) * spline(t).mean()


def written_into(y, t):
    values = interpolate.CubicSpline(X, np.stack([y, y * y]), axis=1)(t).copy()
    values[0] *= 2.0
    values[:, 1] += values[:, 0]
    return (values ** 2).sum()


def of_a_line(y, t):
    line = interpolate.interp1d(X, y)
    return line(t).max() + line(0.7) ** 2


def one_by_one(y, t):
    total, spline = 0.0, interpolate.make_interp_spline(X, y)
    for s in t:
        total += spline(s) * s
    return total


@pytest.mark.parametrize("f", [by_methods, written_into, of_a_line, one_by_one],
                         ids=lambda f: f.__name__)
def test_what_is_done_with_the_values(f):
    tl.check_grads(f, (Y, T), order=2, modes=BOTH)
    assert "tape" not in tl.grad(f).source_for(Y, T).replace("_tape", "")


def test_complex_and_narrow_values():
    def f(y):
        return np.sum(np.abs(interpolate.make_interp_spline(X, y * (1.0 + 2.0j))(T)) ** 2)
    tl.check_grads(f, (Y,), order=1, modes=BOTH)
    found = tl.grad(by_methods, wrt=(0, 1))(Y.astype(np.float32), T.astype(np.float32))
    assert [part.dtype for part in found] == [np.float32, np.float32]
    assert np.allclose(found[0], tl.grad(by_methods)(Y, T), rtol=1e-4)


@pytest.mark.parametrize("maker", ["CubicSpline", "make_interp_spline", "interp1d"])
def test_points_that_vary_are_refused(maker):
    """They had the derivative zero."""
    def f(x):
        return getattr(interpolate, maker)(x, np.sin(x) + x)(1.3)

    def spline(x):
        return interpolate.CubicSpline(x, np.arange(5.0))(1.3)

    def line(x):
        return interpolate.interp1d(x, np.arange(5.0))(1.3)

    points = np.array([0.3, 1.2, 2.1, 3.3, 4.1])
    for one in (f, spline, line):
        for derivative in (tl.grad(one), lambda x: tl.jvp(one, (x,), (x,))):
            with pytest.raises(TangentError):
                derivative(points)
