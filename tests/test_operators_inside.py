"""Derivatives of functions that take derivatives: orders, closures, methods, complex numbers."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.closeness import close, slope


def turned(z):
    for k in range(2):
        z = z * z * 0.5 + 0.1j
    return z


def turned_by_identity(z):
    held = [z]
    again = held
    for k in range(2):
        again[0] = held[0] * again[0] * 0.5 + 0.1j
    return held[0]


@pytest.mark.parametrize("fun", [turned, turned_by_identity])
@pytest.mark.parametrize("kind", [complex, np.complex128, np.array, lambda z: np.array([z])])
def test_second_derivatives_of_holomorphic_functions(fun, kind):
    z = 0.3 + 0.5j
    inner = z * z * 0.5 + 0.1j
    first, second = inner * z, z * z + inner
    slope = tl.grad(fun, holomorphic=True)
    for found, want in [
            (slope(kind(z)), first),
            (tl.grad(slope, holomorphic=True)(kind(z)), second),
            (tl.jvp(slope, (kind(z),), (kind(1j),))[1], 1j * second),
            (tl.grad(lambda z: slope(z), holomorphic=True)(kind(z)), second),
            (tl.grad(lambda z: tl.value_and_grad(fun, holomorphic=True)(z)[1],
                     holomorphic=True)(kind(z)), second)]:
        np.testing.assert_allclose(np.ravel(found), [want], rtol=1e-12)


def spiral(x):
    return np.exp(1j * x)


def spiral_by_identity(x):
    held = [x]
    again = held
    again[0] = np.exp(1j * held[0])
    return held[0]


@pytest.mark.parametrize("fun", [spiral, spiral_by_identity])
@pytest.mark.parametrize("x", [0.3, np.array(0.3), np.array([0.3])])
def test_a_complex_result_is_refused_in_derivatives_of_a_gradient_too(fun, x):
    one = np.ones_like(x) if isinstance(x, np.ndarray) else 1.0
    for derivative in (lambda: tl.jvp(tl.grad(fun), (x,), (one,)), lambda: tl.grad(tl.grad(fun))(x),
                       lambda: tl.hvp(fun)(x, one), lambda: tl.hessian(fun)(x),
                       lambda: tl.grad(lambda x: np.sum(tl.grad(fun)(x)))(x)):
        with pytest.raises(tl.OutputError, match="returns a complex number"):
            derivative()


class Unit:
    def __init__(self, w):
        self.w = w

    def loss(self, x):
        return np.sum(np.tanh(self.w * x) ** 2)

    def stepped(self, x):
        slope, along = tl.grad(self.loss, wrt=("self.w", "x"))(x)
        return Unit(self.w - 0.1 * slope + np.sum(along))

    def slope(self, x):
        return tl.grad(Unit.loss)(self, x).w


def test_derivatives_by_attribute_in_methods():
    x = np.array([0.5, 0.7])

    def by_hand(w):
        t = 2.0 * np.tanh(w * x) * (1.0 - np.tanh(w * x) ** 2)
        return np.sum(np.tanh((w - 0.1 * np.sum(t * x) + np.sum(t * w)) * x) ** 2)

    def slope_by_hand(w):
        return np.sum(2.0 * np.tanh(w * x) * (1.0 - np.tanh(w * x) ** 2) * x)

    for fun, want in [(lambda w: Unit(w).stepped(x).loss(x), by_hand),
                      (lambda w: Unit(w).slope(x), slope_by_hand)]:
        close(tl.grad(fun)(0.5), slope(want, 0.5), 1e-8)
        close(tl.jvp(fun, (0.5,), (2.0,))[1], 2.0 * slope(want, 0.5), 1e-8)


def wave(x):
    return np.sin(x) * x


def waves(order, x):
    """The derivative of that order of x sin x."""
    return x * np.sin(x + order * np.pi / 2) + order * np.sin(x + (order - 1) * np.pi / 2)


def forward(f):
    return lambda x: tl.jvp(f, (x,), (1.0,))[1]


def test_all_compositions_to_order_three():
    import itertools
    for order in (2, 3):
        for modes in itertools.product((tl.grad, forward), repeat=order):
            f = wave
            for mode in modes:
                f = mode(f)
            close(float(f(0.7)), float(waves(order, 0.7)))


def carried(x, n):
    s = 1.0
    for i in range(n):
        s = s * np.sin(x * s) + x
        if s > 1.5:
            s = s / 2.0
    return s


def branches(x, n):
    total = 0.0
    for i in range(n):
        if x > 0.5:
            x = x * x
        else:
            x = math.exp(x)
        total = total + x
    return total


def elements(x, n):
    y = np.zeros(n)
    for i in range(1, n):
        y[i] = y[i - 1] * x + math.sin(x)
    return np.sum(y * y)


def helped(x, n):
    return carried(x, n) * branches(x, 2)


@pytest.mark.parametrize("f", [carried, branches, elements, helped])
@pytest.mark.sweep(2)
def test_second_derivatives_of_programs(f):
    for second in (tl.grad(tl.grad(f)), tl.hessian(f)):
        close(float(second(0.7, 4)), slope(lambda x: tl.grad(f)(x, 4), 0.7), rtol=1e-6)
    tl.check_grads(f, (0.7, 4), order=2)


def test_has_aux_and_value_and_grad_are_differentiated():
    def f(x):
        return x ** 3, {"x": x}

    close(tl.grad(lambda x: tl.grad(f, has_aux=True)(x)[0])(2.0), 12.0)
    close(tl.jvp(tl.value_and_grad(wave), (0.7,), (1.0,))[1], (waves(1, 0.7), waves(2, 0.7)))


def test_a_derivative_that_is_a_decorator():
    @tl.grad
    def slope_of(x):
        return x ** 3

    close(tl.grad(slope_of)(2.0), 12.0)
    close(tl.grad(lambda x: slope_of(x) * x)(2.0), 36.0)


def test_closures_over_the_outer_variable():
    close(tl.grad(lambda x: x * tl.grad(lambda y: x + y)(1.0))(1.0), 1.0)

    def outer(x):
        k = x * x

        def inner(y, scale):
            return k * y ** 3 * scale

        slope = tl.grad(inner)
        return slope(2.0 * x, 1.0) + slope(x, 2.0)

    # 3 x^2 (4 x^2 + 2 x^2) = 18 x^4
    close(tl.grad(outer)(1.5), 72.0 * 1.5 ** 3)
    close(tl.jvp(outer, (1.5,), (1.0,))[1], 72.0 * 1.5 ** 3)


def test_a_tuple_of_one():
    def cube(x):
        return x ** 3

    for d in (tl.grad(cube, wrt=("x",)), tl.value_and_grad(cube, wrt=("x",))):
        y, dy = tl.jvp(d, (2.0,), (1.0,))
        close((y, dy), (d(2.0), (12.0,) if isinstance(y[0], float) and len(y) == 1
                        else (12.0, (12.0,))))
    close(tl.grad(lambda x: tl.grad(cube, wrt=("x",))(x)[0] * x)(2.0), 36.0)
    close(tl.grad(lambda x: tl.value_and_grad(cube, wrt=("x",))(x)[1][0] * x)(2.0), 36.0)
    y, pullback = tl.vjp(tl.grad(cube, wrt=("x",)), 2.0)
    close((y, pullback((1.0,))), ((12.0,), (12.0,)))


def test_wrt_of_an_inner_derivative():
    def f(x):
        return tl.grad(lambda y, z: x * y * z * z, wrt=-1)(2.0, x) \
            + tl.grad(lambda y, z: x * y * z * z, wrt="y")(2.0, x)

    close(tl.grad(f)(3.0), 8.0 * 3.0 + 3.0 * 9.0)


def test_jvp_and_hvp_inside():
    def f(x):
        value, along = tl.jvp(lambda y: x * y ** 3, (x,), (2.0,))
        return value + along + tl.hvp(lambda y: x * y ** 3)(x, 1.0)

    # x^4 + 6 x^3 + 6 x^2
    close(tl.grad(f)(2.0), 4 * 8.0 + 18 * 4.0 + 12 * 2.0)


def test_gradient_steps_inside():
    def fit(w, x):
        return np.sum((w * x - 1.0) ** 2)

    def meta(rate, w, x):
        for _ in range(3):
            w = w - rate * tl.grad(fit)(w, x)
        return fit(w, x)

    x, w = np.array([0.3, 0.7]), np.array([0.1, 0.2])
    close(tl.grad(meta)(0.1, w, x), slope(lambda r: meta(r, w, x), 0.1), rtol=1e-7)


def test_an_outer_name_that_changes_is_seen():
    k = 2.0

    def f(x):
        return tl.grad(lambda y: k * y * y)(x)

    d = tl.grad(f)
    close(d(3.0), 4.0)
    k = 5.0
    close(d(3.0), 10.0)
