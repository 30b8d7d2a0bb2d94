"""jvp, Jacobians, Hessians, checkpoint, grad_hook."""
import dataclasses
import pickle

import numpy as np
import pytest

import tangent_lite as tl
from tests.closeness import close

RNG = np.random.default_rng(4)


# jvp --------------------------------------------------------------------------------------------
def mixed(x, n, p, name):
    return {"y": x * n + p["a"], "n": n, "name": name, "zero": 1.0}


def test_jvp_of_structures():
    x = np.array([1.0, 2.0])
    y, dy = tl.jvp(mixed, (x, 3, {"a": 2.0, "b": 1}, "f"), (x, None, {"a": 1.0, "b": None}, None))
    close(y, {"y": 3 * x + 2.0, "n": 3, "name": "f", "zero": 1.0})
    close(dy, {"y": 3 * x + 1.0, "n": None, "name": None, "zero": 0.0})


def test_jvp_along_nothing():
    assert tl.jvp(lambda x: x * x, (3.0,), (None,)) == (9.0, 0.0)


def test_tangents_take_the_dtype_of_their_arguments():
    x = np.ones(2, np.float32)
    assert tl.jvp(lambda x: x * x, (x,), ([1, 2],))[1].dtype == np.float32
    assert type(tl.jvp(lambda x: x * x, (2.0,), (1,))[1]) is float


class Model:
    def __init__(self, W):
        self.W = W

    def loss(self, x):
        return np.sum((self.W @ x) ** 2)


def test_jvp_of_an_object_and_of_a_method():
    W, dW, x = RNG.standard_normal((2, 3)), RNG.standard_normal((2, 3)), RNG.standard_normal(3)
    want = 2 * np.sum((W @ x) * (dW @ x))
    close(tl.jvp(Model.loss, (Model(W), x), (Model(dW), None))[1], want)
    close(tl.jvp(Model(W).loss, (x,), (x,))[1], 2 * np.sum((W @ x) ** 2))


@pytest.mark.parametrize("primals, tangents, message", [
    ((1.0,), (np.ones(2),), r"has shape \(2,\)"),
    ((np.ones(3),), (np.ones(2),), r"pass an array of shape \(3,\)"),
    ((np.ones(3),), (1.0,), r"has shape \(\)"),
    ((1.0,), ("one",), "no number or array"),
    ((1.0,), (1j,), "is complex"),
    ((1,), (1.0,), "cannot vary"),
    (("text",), (1.0,), "cannot vary"),
    (({"a": 1.0},), ({"b": 1.0},), "needs the keys"),
    (({"a": 1.0},), (1.0,), "needs the keys"),
    (((1.0, 2.0),), ((1.0,),), "needs 2 parts"),
    ((1.0, 2.0), (1.0,), "a tangent for each"),
    (1.0, (1.0,), "as a tuple"),
])
def test_tangents_that_do_not_fit(primals, tangents, message):
    with pytest.raises(tl.InputError, match=message):
        tl.jvp(lambda x, y=1.0: 2.0 * x if isinstance(x, float) else x, primals, tangents)


def test_linearize():
    y, along = tl.linearize(lambda x, y: x * y * y, 2.0, 3.0)
    assert y == 18.0
    close((along(1.0, 0.0), along(0.0, 1.0), along(None, 2.0), along(1.0, 0.5)),
          (9.0, 12.0, 24.0, 15.0))
    with pytest.raises(tl.InputError, match="takes 2 tangents"):
        along(1.0)


# Jacobians --------------------------------------------------------------------------------------
@pytest.mark.parametrize("make", [tl.jacobian, tl.jacfwd, tl.jacrev])
def test_structured_jacobians(make):
    def f(p, k):
        return {"a": p["u"] * k, "b": (np.sum(p["u"]) * p["s"], 2)}

    p, k = {"u": np.array([1.0, 2.0]), "s": 3.0, "name": "p"}, 2.0
    close(make(f)(p, k), {
        "a": {"u": 2.0 * np.eye(2), "s": np.zeros(2), "name": None},
        "b": ({"u": 3.0 * np.ones(2), "s": 3.0, "name": None}, None)})
    close(make(f, wrt=("k",))(p, k)["a"], (p["u"],))


@pytest.mark.parametrize("make", [tl.jacobian, tl.jacfwd, tl.jacrev])
def test_shapes_of_jacobians(make):
    def f(x):
        return np.outer(x, x)

    x = RNG.standard_normal(3)
    want = np.einsum("ik,j->ijk", np.eye(3), x) + np.einsum("jk,i->ijk", np.eye(3), x)
    close(make(f)(x), want)
    assert type(make(lambda x: x * x)(3.0)) is float
    close(make(lambda x: x * x)(np.array(3.0)), np.array(6.0))


def test_the_shorter_way_is_taken():
    calls = []

    @tl.nondifferentiable
    def note(x):
        calls.append(1)

    del note
    wide = tl.jacobian(lambda x: np.array([np.sum(x * x)]))
    close(wide(np.arange(4.0)), 2 * np.arange(4.0)[None])
    tall = tl.jacobian(lambda x: x * np.arange(4.0))
    close(tall(2.0), np.arange(4.0))


def test_jacobians_of_complex_functions():
    def f(z):
        return z * z

    with pytest.raises(tl.InputError, match="holomorphic"):
        tl.jacfwd(f)(1 + 2j)
    close(tl.jacfwd(f, holomorphic=True)(1 + 2j), 2 + 4j)
    close(tl.jacrev(f, holomorphic=True)(1 + 2j), 2 + 4j)
    close(tl.jacobian(lambda x: x * (1 + 2j))(3.0), 1 + 2j)
    with pytest.raises(tl.OutputError, match="jacfwd"):
        tl.jacrev(lambda x: x * (1 + 2j))(3.0)


@pytest.mark.parametrize("mode", [tl.jacobian, tl.jacfwd, tl.jacrev])
def test_real_results_of_complex_arguments_have_no_complex_derivative(mode):
    """Forward mode would give the slope along the real axis, reverse mode the gradient."""
    for modulus in (lambda z: np.sum(np.abs(z) ** 2), lambda z: {"z": z, "size": np.abs(z)}):
        with pytest.raises(tl.OutputError, match=r"real numbers[\s\S]*use grad"):
            mode(modulus, holomorphic=True)(np.array([1j, 2.0]))


def test_hessians_of_complex_arguments_are_refused_by_what_may_be_done():
    with pytest.raises(tl.InputError, match="complex\n.*use hvp"):
        tl.hessian(lambda z: np.sum(np.abs(z) ** 2))(np.array([1j, 2.0]))


def quartic(x, k):
    return np.sum(x ** 4) * k + x[0] * x[1] * k * k


def sine_of_products(x):
    return np.sin(x) * x[0]


def test_derivatives_of_operators():
    """Jacobians, Hessians and products with them are functions of the arguments themselves."""
    x, v = np.array([0.5, 0.7]), np.array([0.3, -1.0])

    def quartic_sum(x):
        return np.sum(x ** 4) + x[0] ** 2 * x[1]

    third = np.zeros((2, 2, 2))
    third[0, 0, 0], third[1, 1, 1] = 24.0 * x
    third[0, 0, 1] = third[0, 1, 0] = third[1, 0, 0] = 2.0
    hessian = tl.hessian(quartic_sum)
    for derivative in (tl.jacobian, tl.jacfwd, tl.jacrev):
        close(derivative(hessian)(x), third)
    close(tl.jvp(hessian, (x,), (v,))[1], third @ v)
    close(tl.vjp(hessian, x)[1](np.eye(2))[0], np.trace(third))
    close(tl.linearize(hessian, x)[1](v), third @ v)
    close(tl.jacobian(tl.hvp(quartic_sum))(x, v), third @ v)
    close(tl.jacobian(tl.hvp(quartic_sum), wrt="v")(x, v), hessian(x))
    close(tl.elementwise_grad(tl.elementwise_grad(np.sin))(x), -np.sin(x))
    close(tl.grad(tl.elementwise_grad(tl.elementwise_grad(lambda t: t ** 4)))(2.0), 48.0)
    tl.check_grads(tl.jacobian(sine_of_products), (x,))
    again = pickle.loads(pickle.dumps(tl.jacobian(tl.hessian(sine_of_products_summed))))
    close(again(x), tl.jacobian(lambda x: tl.hessian(sine_of_products_summed)(x))(x))


@pytest.mark.parametrize("x", [0.2, np.float64(0.2), np.array(0.2), np.array([0.2])], ids=repr)
def test_jacobians_of_jacobians_of_one_number(x):
    def f(x):
        return np.sin(x + 0.5) * np.cos(x)
    for inner in (tl.jacfwd, tl.jacrev):
        for outer in (tl.jacfwd, tl.jacrev):
            close(np.ravel(outer(inner(f))(x)), -2.0 * np.sin(2.0 * np.ravel(x) + 0.5))


def sine_of_products_summed(x):
    return np.sum(sine_of_products(x))


def filled(u, x):
    for i in range(3):
        u[i] = x[i] * x[i]


def with_options(a, **options):
    return a * options["k"]


def test_functions_with_options_beside_functions_that_write():
    def f(x):
        u = np.zeros(3)
        filled(u, x)
        return np.sum(u) * with_options(x[0], k=x[1])

    x = np.array([0.3, 0.5, 0.9])
    total = np.sum(x * x)
    want = 2.0 * x * x[0] * x[1] + total * np.array([x[1], x[0], 0.0])
    close(tl.grad(f)(x), want)
    close(tl.jacfwd(f)(x), want)


def test_hessian():
    x, k = np.array([1.0, 2.0]), 3.0
    xx = np.diag(12 * x * x) * k + 9.0 * (1 - np.eye(2))
    xk = 4 * x ** 3 + 6.0 * x[::-1]
    close(tl.hessian(quartic)(x, k), xx)
    close(tl.hessian(quartic, wrt=("x", "k"))(x, k), ((xx, xk), (xk, 2.0 * x[0] * x[1])))


def test_hvp():
    x, k, v = np.array([1.0, 2.0]), 3.0, np.array([0.5, -1.0])
    H = tl.hessian(quartic)(x, k)
    close(tl.hvp(quartic)(x, k, v), H @ v)
    close(tl.hvp(quartic, wrt=("x",))(x, k, (v,)), (H @ v,))
    with pytest.raises(tl.InputError, match="tuple of 1"):
        tl.hvp(quartic, wrt=("x",))(x, k, v)


def test_operators_are_objects():
    op = tl.hessian(quartic)
    assert op.primal is quartic and repr(op) == "<hessian(quartic)>"
    assert repr(tl.jacfwd(quartic, wrt="k")) == "<jacfwd(quartic, wrt='k')>"
    op(np.ones(2), 1.0)
    assert "def quartic_grad_tangent(" in op.source
    again = pickle.loads(pickle.dumps(op))
    close(again(np.ones(2), 1.0), op(np.ones(2), 1.0))
    with pytest.raises(tl.WrtError):
        tl.jacobian(quartic, wrt="z")


# checkpoint, grad_hook, stop_gradient -------------------------------------------------------------
def test_checkpoint_saves_arguments_only():
    def steps(x, n):
        for _ in range(n):
            x = np.sin(x) * 1.5
        return x

    short = tl.checkpoint(steps)
    assert short(1.0, 3) == steps(1.0, 3)

    def f(x):
        return steps(x, 3) + steps(2.0 * x, 3)

    def g(x):
        return short(x, 3) + short(2.0 * x, 3)

    close(tl.grad(g)(0.7), tl.grad(f)(0.7), rtol=1e-15)
    close(tl.jvp(g, (0.7,), (1.0,)), tl.jvp(f, (0.7,), (1.0,)), rtol=1e-15)
    text = tl.grad(g).source_for(0.7)
    assert "tape" not in text[:text.index("def steps_bwd")]
    close(tl.grad(short)(0.7, 3), tl.grad(steps)(0.7, 3))


@pytest.mark.parametrize("impure", [
    lambda x: x * np.random.normal(), lambda x: x * float(input()), lambda x: print(x) or x])
def test_a_checkpoint_must_be_pure(impure):
    with pytest.raises(tl.TangentError):
        tl.grad(lambda x: tl.checkpoint(impure)(x) * x)(1.0)


def test_hooks():
    seen = []

    def f(x):
        y = tl.grad_hook(x * x, lambda g: min(g, 1.0))
        z = tl.grad_hook(y * 5.0, seen.append)
        return z

    assert f(3.0) == 45.0 and not seen
    close(tl.grad(f)(3.0), 6.0)
    assert seen == [1.0]
    close(tl.jvp(f, (3.0,), (1.0,))[1], 30.0)
    close(tl.grad(tl.grad(f))(3.0), 2.0)            # what a hook computes has a derivative, too


def test_stop_gradient_in_forward_mode():
    def f(x):
        return x * tl.stop_gradient(x)

    close((tl.jvp(f, (3.0,), (1.0,))[1], tl.grad(f)(3.0)), (3.0, 3.0))
    close(tl.hessian(f)(3.0), 0.0)


@dataclasses.dataclass
class Point:
    x: float
    y: float


def test_objects_made_in_forward_mode():
    def f(p, k):
        q = Point(p.x * k, p.y)
        q.y = q.x * q.y
        return q

    y, dy = tl.jvp(f, (Point(2.0, 3.0), 0.5), (Point(1.0, 0.0), 0.0))
    assert (y, dy) == (Point(1.0, 3.0), Point(0.5, 1.5))


