"""Jacobians, Hessians and products with vectors inside functions: by names, and right in both
modes, against differences of the values."""
import dataclasses
from collections import namedtuple

import numpy as np
import pytest

import tangent_lite as tl

A = np.array([[1.0, 0.3, 0.2], [0.1, 2.0, 0.4], [0.3, 0.2, 1.5]])
X = np.array([0.4, 0.5, -0.2])
W, B = np.array([[0.1, 0.2], [0.3, -0.4], [0.5, 0.2]]), np.array([0.5, 0.7])


def loss(x):
    return np.sum(np.tanh(A @ x) ** 2) + np.log(1.0 + np.sum(np.exp(x)))


def residual(x):
    return np.tanh(A @ x) * x[0] - 0.3


def written(x):
    out = np.zeros(4)
    for i in range(4):
        out[i] = np.sin(x[i % 3] * x[(i + 1) % 3]) + x[0]
    return out


def carried(x):
    s = 1.0
    for i in range(3):
        if x[i] > 0.3:
            s = s * np.sin(x[i]) + x[i - 1]
        else:
            s = s + x[i] ** 3
    return s


def of_dict(p):
    return np.sum(np.tanh(p["w"] @ p["b"]) ** 2) + p["s"] ** 3 * np.sum(p["b"])


def of_two(x, y):
    return np.sum(x ** 2 * y[:, None] * 0.5) + np.sum(np.exp(y)) ** 2


def with_default(x, k=2.0):
    return np.sum(np.sin(x) ** 2 * k)


def solved(z):
    return np.linalg.slogdet(A + np.outer(z, z))[1] + np.sum(np.linalg.solve(
        A + np.diag(z ** 2), z))


@dataclasses.dataclass
class Parameters:
    w: np.ndarray
    s: float


Pair = namedtuple("Pair", "a b")


class Model:
    def __init__(self, W):
        self.W = W

    def loss(self, x):
        return np.sum(np.tanh(self.W @ x) ** 2)

    def curvature(self, x):
        return np.sum(tl.hessian(self.loss)(x) ** 2)


HESSIAN = tl.hessian(loss)


def laplace(x):
    return np.linalg.slogdet(tl.hessian(loss)(x) + 5.0 * np.eye(3))[1]


def newton(x):
    for _ in range(2):
        x = x - np.linalg.solve(tl.hessian(loss)(x) + 3.0 * np.eye(3), tl.grad(loss)(x))
    return np.sum(x ** 2)


def gauss_newton(x):
    J = tl.jacobian(residual)(x)
    return np.sum(np.linalg.solve(J.T @ J + np.eye(3), J.T @ residual(x)) ** 2)


def tall(x):
    return np.sum(tl.jacfwd(written)(x) ** 2) + np.sum(tl.jacrev(written)(x) ** 3)


def wide(x):
    return np.sum(tl.jacobian(lambda z: np.sum(z ** 3 * x))(x) ** 2)


def dicts(W, b, s):
    H = tl.hessian(of_dict)({"w": W, "b": b, "s": s})
    return np.sum(H["w"]["b"] ** 2) + np.sum(H["b"]["w"] ** 3) + H["s"]["s"] * 2.0 \
        + np.sum(H["s"]["b"]) + np.sum(H["w"]["w"] ** 2) + np.sum(H["b"]["s"] * b)


def tuples(x, y):
    (a, b), (c, d) = tl.hessian(of_two, wrt=(0, 1))(x, y)
    return np.sum(a ** 2) + np.sum(b ** 2) + np.sum(c ** 3) + np.sum(d ** 2)


def by_name(x, y):
    return np.sum(tl.hessian(of_two, wrt="y")(x, y) ** 2)


def objects(x, s):
    H = tl.hessian(lambda p: np.sum(np.sin(p.w) ** 2) * p.s ** 2)(Parameters(x, s))
    return np.sum(H.w.w ** 2) + np.sum(H.s.w ** 2) * H.s.s


def named_tuples(x, s):
    H = tl.hessian(lambda p: np.sum(p.a ** 2) * p.b ** 2)(Pair(x, s))
    return np.sum(H.a.a ** 2) + np.sum(H.b.a ** 2) * H.b.b


def captured(x):
    a = x * 2.0
    product = tl.hvp(lambda z: np.sum(z ** 3 * a))
    return np.sum(tl.hessian(lambda z: np.sum(z ** 3 * a))(x) ** 2) + np.sum(product(x, a) ** 2)


def made_outside(x):
    return np.sum(HESSIAN(x) ** 2)


def defaults(x):
    return np.sum(tl.hessian(with_default)(x) ** 2) + np.sum(tl.hvp(with_default)(x, x) ** 2) \
        + np.sum(tl.hessian(with_default)(x, k=x[0]) ** 2)


def structured(x):
    J = tl.jacobian(lambda z: (np.sum(z ** 3), {"a": z ** 2 * 0.5}))(x)
    return np.sum(J[0] ** 2) + np.sum(J[1]["a"] ** 3)


def loops(x):
    return np.sum(tl.hessian(carried)(x) ** 2)


def numbers(t):
    slopes = tl.jacobian(lambda s: np.array([np.sin(s), s ** 2, s]))(t)
    return tl.hessian(lambda s: np.sin(s) ** 3 * s)(t) * t + np.sum(slopes ** 2)


def of_gradients(x):
    return np.sum(tl.jacobian(tl.grad(loss))(x) ** 2) \
        + np.sum(tl.jacobian(tl.value_and_grad(loss))(x)[1] ** 3)


def of_a_captured_gradient(x):
    return tl.grad(tl.grad(lambda t: np.sum(np.sin(x * t)) * t))(0.7)


def elementwise(x):
    return np.sum(tl.elementwise_grad(lambda z: np.sin(z) * z)(x) ** 2)


def products(x, v):
    return np.sum(tl.hvp(loss)(x, v) ** 2)


def products_of_dicts(W, b, s):
    p = {"w": W, "b": b, "s": s}
    r = tl.hvp(of_dict)(p, p)
    return np.sum(r["w"] ** 2) + np.sum(r["b"] ** 2) + r["s"]


def products_of_two(x, y):
    a, b = tl.hvp(of_two, wrt=(0, 1))(x, y, (x, y))
    return np.sum(a ** 2) + np.sum(b ** 2) + np.sum(tl.hvp(of_two, wrt="y")(x, y, y) ** 2)


def factorised(x):
    return np.sum(tl.hessian(solved)(x) ** 2)


def complex_inside(x):
    H = tl.hessian(lambda z: np.abs(np.sum(np.exp(1j * z) * z)) ** 2)(x)
    return np.sum(H ** 2) + np.sum(np.abs(tl.jacobian(lambda z: np.exp(1j * z) * z)(x)) ** 2)


def independent(x):
    H = tl.hessian(lambda p: np.sum(p["a"] ** 3) + p["b"])({"a": x, "b": x[0]})
    return np.sum(H["a"]["a"] ** 2) + H["b"]["b"] + np.sum(H["b"]["a"]) \
        + np.sum(tl.hessian(np.sum)(x)) + np.sum(tl.jacobian(lambda z: 3.0 * z)(x))


def no_steps(x):
    def f(z):
        s = 0.0
        for i in range(0):
            s = s + z[i] ** 2
        return s
    return np.sum(tl.hessian(f)(x)) + np.sum(x ** 2)


def one_array_twice(x):
    (a, b), (c, _) = tl.hessian(lambda u, v: np.sum(u ** 2 * v), wrt=(0, 1))(x, x)
    return np.sum(a ** 2) + np.sum(b * c)


def written_into(x):
    def f(z):
        z[0] = z[1] * z[2]
        z *= 2.0
        return np.sum(z ** 3)
    y = x.copy()
    return np.sum(tl.hessian(f)(y) ** 2) + np.sum(y)


def laplacians(w):
    def u(z):
        return np.sum(np.tanh(z[0] * w[:1] + z[1] * w[1:2]) * w[2:])
    total = 0.0
    for k in range(2):
        total += np.trace(tl.hessian(u)(np.array([0.1 * k, 0.3 - 0.2 * k]))) ** 2
    return total


def method(W, x):
    return Model(W).curvature(x)


SMALL = (np.array([0.3]),)
CASES = [
    *((f, (X,)) for f in (
        laplace, newton, gauss_newton, tall, wide, captured, made_outside, defaults, structured,
        loops, of_gradients, of_a_captured_gradient, elementwise, factorised, complex_inside,
        independent, no_steps, one_array_twice, written_into, laplacians)),
    (dicts, (W, B, 0.7)), (tuples, (W, X)), (by_name, (W, X)), (objects, (X, 0.7)),
    (numbers, (0.7,)), (products, (X, A[0])), (products_of_dicts, (W, B, 0.7)),
    (products_of_two, (W, X)), (method, (A, X)), (elementwise, SMALL), (wide, SMALL),
    (wide, (np.array(0.3),)),
]


def by_differences(f, args, k, h=1e-3):
    found = np.zeros(np.shape(args[k]))
    for spot in np.ndindex(found.shape):
        def at(t, spot=spot):
            moved = np.array(args[k], float)
            moved[spot] += t
            return f(*args[:k], moved if isinstance(args[k], np.ndarray) else float(moved),
                     *args[k + 1:])
        found[spot] = sum(w * (at(j * h) - at(-j * h))
                          for j, w in ((1, 45.0), (2, -9.0), (3, 1.0))) / (60.0 * h)
    return found


@pytest.mark.parametrize("f, args", CASES, ids=lambda p: getattr(p, "__name__", ""))
@pytest.mark.sweep(7)
def test_goes_by_names_in_both_modes(f, args):
    d = tl.grad(f, wrt=tuple(range(len(args))))
    found = d(*args)
    assert not d._latest.by_identity and "tape." not in d.source_for(*args)
    along = tuple(np.cos(np.arange(np.size(a))).reshape(np.shape(a))
                  if isinstance(a, np.ndarray) else 0.3 for a in args)
    for k, part in enumerate(found):
        np.testing.assert_allclose(part, by_differences(f, args, k), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(tl.jvp(f, args, along)[1], sum(
        np.sum(part * one) for part, one in zip(found, along)), rtol=1e-9)


def test_named_tuples_are_right():
    for k, part in enumerate(tl.grad(named_tuples, wrt=(0, 1))(X, 0.7)):
        np.testing.assert_allclose(part, by_differences(named_tuples, (X, 0.7), k), rtol=1e-7)


@pytest.mark.parametrize("f", [newton, loops, products_of_two, factorised],
                         ids=lambda f: f.__name__)
@pytest.mark.sweep(1)
def test_second_derivatives_are_symmetric_and_products_fit(f):
    args = (W, X) if f is products_of_two else (X,)
    last = len(args) - 1
    H = tl.hessian(f, wrt=last)(*args)
    np.testing.assert_allclose(H, H.T, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(tl.hvp(f, wrt=last)(*args, A[0]), H @ A[0], rtol=1e-9)


def test_third_order():
    def f(x):
        return np.sum(tl.jacobian(tl.hessian(loss))(x) ** 2)
    np.testing.assert_allclose(tl.grad(f)(X), by_differences(f, (X,), 0), rtol=1e-7)


def test_single_precision_stays():
    x = X.astype(np.float32)
    found = tl.grad(lambda z: np.sum(tl.hessian(lambda y: np.sum(y ** 4))(z)))(x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, 24.0 * X, rtol=1e-5)


def test_sizes_zero():
    def f(x):
        return np.sum(tl.hessian(lambda y: np.sum(y ** 4))(x)) + np.sum(tl.jacobian(np.sin)(x))
    assert tl.grad(f)(np.zeros(0)).shape == (0,)


def test_all_directions_go_in_one_pass():
    source = tl.grad(laplace).source_for(X)
    assert "loss_grad_tangent_batch_fwd" in source and "for k in" not in source


def test_a_default_that_is_another_one_is_seen():
    def g(x, k=2.0):
        return np.sum(x ** 3) * k
    d = tl.grad(lambda x: np.sum(tl.hvp(g)(x, x)))
    np.testing.assert_allclose(d(X), 24.0 * X)
    g.__defaults__ = (3.0,)
    np.testing.assert_allclose(d(X), 36.0 * X)


# One of several derivatives ----------------------------------------------------------------------
def other(x):
    return np.sum(x ** 2)


def chosen(x):
    h = tl.grad(loss) if x[0] > 0 else tl.grad(other)
    return np.sum(h(x) ** 2)


def chosen_by_a_branch(x):
    h = tl.grad(other)
    if x[0] > 0:
        h = tl.grad(loss)
    return np.sum(h(x) ** 2)


def chosen_lambda(x):
    h = tl.grad(lambda z: np.sum(z ** 3)) if x[0] > 0 else tl.grad(lambda z: np.sum(z ** 2))
    return np.sum(h(x) ** 2)


def chosen_hessian(x):
    h = tl.hessian(loss) if x[0] > 0 else tl.hessian(other)
    return np.sum(h(x) ** 2)


def picked(x):
    return tl.grad(loss) if x[0] > 0 else tl.grad(other)


def chosen_by_a_function(x):
    return np.sum(picked(x)(x) ** 2)


def chosen_of_a_list(x):
    total = 0.0
    for h in [tl.grad(loss), tl.grad(other), other]:
        total = total + np.sum(h(x) ** 2)
    return total


def chosen_of_a_dict(x):
    return np.sum({"a": tl.grad(loss), "b": tl.grad(other)}["a" if x[0] > 0 else "b"](x) ** 2)


GRADIENTS = tl.grad(loss), tl.grad(other)


def chosen_outside(x):
    h = GRADIENTS[0] if x[0] > 0 else GRADIENTS[1]
    return np.sum(h(x) ** 2)


@pytest.mark.parametrize("x", [X, -X])
@pytest.mark.parametrize("f", [chosen, chosen_by_a_branch, chosen_lambda, chosen_hessian,
                               chosen_by_a_function, chosen_of_a_list, chosen_of_a_dict,
                               chosen_outside], ids=lambda f: f.__name__)
def test_one_of_several_derivatives(f, x):
    """Each call of tl.grad makes another object, which was taken for the last of them."""
    np.testing.assert_allclose(tl.grad(f)(x), by_differences(f, (x,), 0), rtol=1e-7, atol=1e-9)
