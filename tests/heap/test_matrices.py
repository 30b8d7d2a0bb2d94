"""Jacobians, Hessians and elementwise gradients inside functions that are differentiated, and
derivatives of methods and partials there: right in both modes and to second order."""
import functools

import numpy as np
import pytest

import tangent_lite as tl

u, w = np.array([0.5, -1.2, 0.8]), np.array([0.3, 0.7, -0.2])
CUBE = tl.hessian(lambda z: np.sum(z ** 3))


def jacobian(x):
    return np.sum(tl.jacobian(lambda z: z * np.sum(z * x))(x))


def both_modes(x):
    return np.sum(tl.jacfwd(lambda z: z * np.sum(z * x))(x) * tl.jacrev(np.sin)(x))


def of_two(x):
    a, b = tl.jacobian(lambda p, q: p * np.sin(p) * q, wrt=("p", "q"))(x, x[1])
    return np.sum(a @ b)


def hessian(x):
    return np.sum(tl.hessian(lambda z: np.sum(z ** 3 * x))(x) @ x)


def hessian_of_two(x):
    (a, b), (c, d) = tl.hessian(lambda p, q: np.sum(p ** 3) * q ** 2, wrt=(0, 1))(x, x[0])
    return np.sum(a) + np.sum(b * x) + np.sum(c) + d


def hessian_of_a_number(x):
    return tl.hessian(lambda z: z ** 4 * x[1])(x[0])


def made_outside(x):
    return x @ CUBE(x) @ x


def elementwise(x):
    return np.sum(tl.elementwise_grad(lambda z: z ** 3 * x[0])(x) * x)


def newton(x):
    for _ in range(2):
        x = x - 0.1 * np.linalg.solve(tl.jacobian(lambda z: z ** 3 + z * np.sum(z))(x)
                                      + 3.0 * np.eye(3), x)
    return np.sum(x)


class Model:
    def __init__(self, W):
        self.W = W

    def loss(self, x):
        return np.sum(np.tanh(self.W * x) ** 2)

    def force(self, x):
        return -tl.grad(self.loss)(x)

    def curvature(self, x):
        return tl.hessian(self.loss)(x)


def method(x):
    return np.sum(Model(x * w).force(x) * x)


def hessian_of_a_method(x):
    return np.sum(Model(x * w).curvature(x) @ x)


def partial(x):
    return np.sum(tl.grad(functools.partial(lambda k, z: np.sum(z ** 3) * k, x[0]))(x))


def partial_by_keyword(x):
    return np.sum(tl.grad(functools.partial(lambda z, k: np.sum(z ** 3) * k, k=x[0]))(x))


FUNCTIONS = [jacobian, both_modes, of_two, hessian, hessian_of_two, hessian_of_a_number,
             made_outside, elementwise, newton, method, hessian_of_a_method, partial,
             partial_by_keyword]


def differences(f, x, h=2e-3):
    return np.array([(8 * (f(x + h * e) - f(x - h * e)) - (f(x + 2 * h * e) - f(x - 2 * h * e)))
                     / (12 * h) for e in np.eye(3)])


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.sweep(5)
def test_first_and_second_derivatives(f):
    want = differences(f, u)
    value, found = tl.value_and_grad(f)(u)
    assert np.isclose(value, f(u), rtol=1e-14)
    np.testing.assert_allclose(found, want, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(tl.jvp(f, (u,), (w,))[1], want @ w, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(tl.hvp(f)(u, w), differences(tl.grad(f), u) @ w, rtol=1e-7,
                               atol=1e-8)


def test_of_a_dict_and_what_is_refused():
    def of_a_dict(x, *rest, key=None):
        return tl.jacobian(lambda p: p["a"] ** 2)({"a": x})["a"]

    assert tl.grad(of_a_dict)(2.0) == 2.0

    def of_an_empty_list(x, *rest, key=None):
        return tl.jacobian(lambda p: p[0] ** 2)([x, []])[0]

    with pytest.raises(tl.UnsupportedSyntaxError, match=r"test_matrices.py:\d+:"):
        tl.grad(of_an_empty_list)(2.0)
