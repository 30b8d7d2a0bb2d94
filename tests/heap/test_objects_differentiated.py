"""Derivatives of methods and of objects that are called, by identity: of any order, and inside
others. The references are central differences of the derivatives themselves, one order below."""
from __future__ import annotations

import copy
import functools
import pickle

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity


class Model:
    """What it does goes by identity: two names of one dict, which changes."""

    def __init__(self, weights):
        self.weights = weights

    def energy(self, x):
        parts = {"a": x}
        for one in [parts, parts]:
            for key in one:
                one[key] = one[key] * self.weights @ x
        return sum(np.sum(parts[key] * x) for key in list(parts))

    def __call__(self, x):
        return self.energy(x) ** 2

    @tl.checkpoint
    def step(self, x):
        return np.tanh(self.weights @ x)

    def run(self, x):
        for _ in range(2):
            x = self.step(x)
        return np.sum(x)


W, U = np.array([[0.3, 0.5], [-0.2, 0.7]]), np.array([[1.0, 0.2], [-0.3, 0.5]])
X, V = np.array([0.5, 1.0]), np.array([1.0, 0.4])


def differences(function):
    return (function(1e-5) - function(-1e-5)) / 2e-5


def close(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("fun", [Model(W).energy, Model(W), Model(W).run])
def test_second_derivatives(fun):
    slope = differences(lambda h: tl.grad(fun)(X + h * V))
    close(tl.hessian(fun)(X) @ V, slope)
    close(tl.hvp(fun)(X, V), slope)
    close(tl.jvp(tl.grad(fun), (X,), (V,))[1], slope)
    close(tl.vjp(tl.grad(fun), X)[1](V)[0], slope)          # the Hessian is symmetric
    close(tl.linearize(tl.grad(fun), X)[1](V), slope)


def test_second_derivatives_with_respect_to_what_objects_hold():
    def gradients(h):
        return tl.grad(Model.energy, wrt=("self.weights", "x"))(Model(W + h * U), X + h * V)

    found = tl.hvp(Model(W).energy, wrt=("self.weights", "x"))(X, (U, V))
    close(found[0], differences(lambda h: gradients(h)[0]))
    close(found[1], differences(lambda h: gradients(h)[1]))


@pytest.mark.parametrize("inside", [
    lambda model: tl.grad(model)(X) @ V,
    lambda model: tl.value_and_grad(model)(X)[1] @ V,
    lambda model: tl.jvp(model, (X,), (V,))[1],
    lambda model: tl.jvp(model.energy, (X,), (V,))[1],
    lambda model: tl.hessian(model)(X) @ V @ V,
])
def test_derivatives_of_objects_inside_others(inside):
    slope = differences(lambda h: inside(Model(W + h * U)))
    close(np.sum(tl.grad(inside, wrt="model.weights")(Model(W)) * U), slope)
    close(tl.jvp(inside, (Model(W),), (Model(U),))[1], slope)


class Cubic:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return np.sum(x ** 3) * self.k


def test_what_is_lifted_again_is_the_same_function():
    """It reads parts of an object, so that it is written out: which of them, has to be known."""
    def f(o):
        return tl.grad(lambda t: tl.grad(lambda s: o(X * s * t))(t))(1.3)

    close(tl.grad(f, wrt="o.k")(Cubic(1.5)), f(Cubic(1.0)))


@tl.checkpoint
def checkpointed(x):
    return np.sum(np.sin(x) ** 2)


def test_checkpoints_pickle():
    gradient = tl.grad(checkpointed)
    gradient(X)
    close(pickle.loads(pickle.dumps(gradient))(X), np.sin(2.0 * X))
    assert pickle.loads(pickle.dumps(checkpointed)) is checkpointed
    again = pickle.loads(pickle.dumps(tl.checkpoint(np.sin)))
    assert again(0.3) == np.sin(0.3)
    assert copy.copy(again)(0.3) == np.sin(0.3)


def test_checkpointed_methods_themselves():
    model = Model(W)
    close(tl.jacfwd(model.step)(X), tl.jacfwd(lambda x: np.tanh(W @ x))(X))
    close(tl.grad(lambda x: np.sum(sum(map(model.step, [x]))))(X),
          tl.grad(lambda x: np.sum(np.tanh(W @ x)))(X))


class Held:
    def __init__(self, v, **parts):
        self.log = [v]
        self.__dict__.update(parts)

    def add(self, v):
        self.log.append(v)

    def last(self, v):
        return self.log[-1] * v


def by_a_method_it_holds(t, held):
    held.put(t * t)
    return held.log[-1] * t


@pytest.mark.parametrize("method", [lambda held: held.add, lambda held: held.log.append,
                                    lambda held: functools.partial(Held.add, held)])
def test_methods_that_objects_hold_are_of_these(method):
    held = Held(1.0)
    held.put = method(held)
    assert tl.grad(by_a_method_it_holds)(1.5, held) == 6.75
    assert np.isclose(tl.grad(tl.grad(by_a_method_it_holds))(1.5, held), 9.0)
    assert np.isclose(tl.grad(lambda t: tl.grad(by_a_method_it_holds)(t, held))(1.5), 9.0)
    assert held.log == [1.0]


def called(t, held):
    return held.g(t) * t


OUTSIDE = Held(3.0)
BRINGING = [lambda t: Held(t).last, lambda t: functools.partial(Held.last, Held(t)),
            lambda t: lambda v: t * v, lambda t: lambda v, t=t: t * v]


@pytest.mark.parametrize("bringing", BRINGING)
def test_what_brings_numbers_along_is_not_handed_to_a_derivative(bringing):
    def f(t):
        return tl.grad(called)(t, Held(1.0, g=bringing(t)))

    with pytest.raises(tl.UnsupportedSyntaxError, match="brings along what may vary"):
        tl.grad(f)(1.5)


def test_what_is_as_it_was_may_be_brought_along():
    def f(t):
        OUTSIDE.last(t)
        return tl.grad(called)(t, Held(1.0, g=OUTSIDE.last))

    with by_identity():
        assert tl.grad(f)(1.5) == 6.0
