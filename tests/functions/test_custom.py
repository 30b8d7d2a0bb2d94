"""custom_derivative: functions that bring their own derivative, reverse and forward."""
import math
import pickle

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import registry

X = np.array([0.3, -0.8, 2.0])


def close(found, wanted, rtol=1e-10):
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=1e-14)


def softplus(x):
    return np.log1p(np.exp(x))


def softplus_adjoint(y, x, by):
    return by / (1.0 + np.exp(-x))


def softplus_tangent(y, x, dx):
    return dx / (1.0 + np.exp(-x))


OWN = {
    "adjoint": tl.custom_derivative(softplus, adjoint=softplus_adjoint),
    "tangent": tl.custom_derivative(softplus, tangent=softplus_tangent),
    "both": tl.custom_derivative(softplus, adjoint=softplus_adjoint, tangent=softplus_tangent),
    "lambda": tl.custom_derivative(softplus, tangent=lambda y, x, dx: dx / (1.0 + np.exp(-x))),
}
sigmoid = 1.0 / (1.0 + np.exp(-X))


@pytest.mark.parametrize("own", OWN)
@pytest.mark.sweep(2)
def test_both_modes_and_both_orders(own):
    s = OWN[own]

    def in_a_loop(x):
        h = x
        for _ in range(3):
            h = s(h) * 0.5 + x
        return np.sum(h * h)

    def plain(x):
        h = x
        for _ in range(3):
            h = softplus(h) * 0.5 + x
        return np.sum(h * h)

    close(tl.elementwise_grad(s)(X), sigmoid)
    close(tl.jacfwd(s)(X), np.diag(sigmoid))
    close(tl.jacrev(s)(X), np.diag(sigmoid))
    close(tl.grad(in_a_loop)(X), tl.grad(plain)(X))
    close(tl.jvp(in_a_loop, (X,), (X,))[1], tl.jvp(plain, (X,), (X,))[1])
    wanted = tl.hessian(plain)(X)
    close(tl.hessian(in_a_loop)(X), wanted)
    close(tl.grad(lambda x: np.sum(tl.grad(in_a_loop)(x)))(X), wanted.sum(0))
    tl.check_grads(in_a_loop, (X,))
    assert tl.value_and_grad(in_a_loop)(X)[0] == in_a_loop(X)


def test_the_function_itself_is_left_as_it_is():
    assert "softplus_adjoint" in tl.grad(lambda x: np.sum(OWN["adjoint"](x))).source_for(X)
    assert "softplus_adjoint" not in tl.grad(lambda x: np.sum(softplus(x))).source_for(X)
    assert registry.lookup(softplus) is None and registry.lookup(OWN["both"]) is None


# It is the user's derivative that is used: wrong ones on purpose ---------------------------------
@tl.custom_derivative(adjoint=lambda y, x, by: 10.0 * by)
def straight(x):
    return float(round(x))


def helper(x, n):
    for _ in range(n):
        x = straight(x) + x
    return x


class Layer:
    def __init__(self, w):
        self.w = w

    @tl.custom_derivative(adjoint=lambda y, self, x, by: (None, by * 7.0),
                          tangent=lambda y, self, x, dself, dx: 7.0 * dx)
    def apply(self, x):
        return self.w * x


def test_in_helpers_methods_and_with_what_cannot_be_differentiated():
    close(tl.grad(straight)(0.7), 10.0)
    close(tl.jvp(straight, (0.7,), (1.0,))[1], 10.0)
    close(tl.grad(lambda x: helper(x, 2))(0.7), 121.0)
    close(tl.jvp(lambda x: helper(x, 2), (0.7,), (1.0,))[1], 121.0)

    def with_layer(x, layer):
        return layer.apply(x) * x

    layer = Layer(2.0)
    close(tl.grad(with_layer)(3.0, layer), 7.0 * 3.0 + 6.0)
    close(tl.jvp(with_layer, (3.0, layer), (1.0, None))[1], 7.0 * 3.0 + 6.0)
    close(tl.grad(layer.apply)(3.0), 7.0)
    assert layer.apply(3.0) == 6.0


# Several arguments -------------------------------------------------------------------------------
def lengths_adjoint(y, v, w, name, scale, by):
    return (by * scale * v / y, None, None, by * y / scale)


@tl.custom_derivative(adjoint=lengths_adjoint)
def length(v, w, name="v", scale=2.0):
    """The length of v."""
    return scale * np.sqrt(np.sum(v * v)) if name == "v" else np.sum(w)


def test_several_arguments():
    v = np.array([3.0, 4.0])
    found = tl.grad(lambda v, w, k: length(v, w, scale=k) * 2.0, wrt=(0, 1, 2))(v, 1.5, 4.0)
    close(found[0], 2.0 * 4.0 * v / 20.0)
    assert found[1] == 0.0
    close(found[2], 2.0 * 20.0 / 4.0)
    assert length.__name__ == "length" and length.__doc__ == "The length of v."


class Scaled(Layer):
    @tl.custom_derivative(adjoint=lambda y, self, x, by: (Scaled(by * x), by * self.w))
    def apply(self, x):
        return self.w * x


def test_objects():
    def f(x, layer):
        return layer.apply(x) * x + layer.w

    assert vars(tl.grad(f, wrt="layer")(3.0, Layer(2.0))) == {"w": 1.0}       # None is zero
    close(tl.grad(f, wrt=("x", "layer.w"))(3.0, Scaled(2.0)), (12.0, 10.0))


def test_parts_of_containers():
    def net_adjoint(y, params, x, by):
        return {"w": by * x, "b": by}, by * params["w"]

    @tl.custom_derivative(adjoint=net_adjoint)
    def net(params, x):
        return params["w"] * x + params["b"]

    f = tl.grad(lambda params, x: net(params, x) ** 2, wrt=("params", "x"))
    params, x = {"w": 2.0, "b": 0.5}, 3.0
    found = f(params, x)
    close((found[0]["w"], found[0]["b"], found[1]), (2 * 6.5 * 3.0, 2 * 6.5, 2 * 6.5 * 2.0))


def test_with_checkpoints_debug_and_threads_of_calls():
    own = OWN["both"]

    @tl.checkpoint
    def block(x):
        return own(x) * own(x)

    def f(x):
        for _ in tl.checkpoint(range(4)):
            x = block(x) * 0.3
        return np.sum(x)

    def plain(x):
        for _ in range(4):
            x = softplus(x) * softplus(x) * 0.3
        return np.sum(x)

    close(tl.grad(f)(X), tl.grad(plain)(X))
    close(tl.grad(f, debug="nan")(X), tl.grad(plain)(X))
    d = pickle.loads(pickle.dumps(tl.grad(straight)))
    assert d(0.3) == 10.0


# Mistakes ----------------------------------------------------------------------------------------
def too_few(y, by):
    return by


def three_parts(y, x, by):
    return by, by, by


def wrong_shape(y, x, by):
    return np.sum(by * x)


def test_mistakes_are_refused():
    for wrong, said in ((too_few, "is called with"), (three_parts, "returns 3 adjoints")):
        with pytest.raises(tl.TangentError, match=said) as error:
            tl.custom_derivative(softplus, adjoint=wrong)
        assert "test_custom.py:" in str(error.value)
    with pytest.raises(tl.TangentError, match="gets no derivative"):
        tl.custom_derivative(softplus)
    with pytest.raises(TypeError):
        tl.custom_derivative(np.sin, adjoint=softplus_adjoint)
    s = tl.custom_derivative(softplus, adjoint=wrong_shape)
    with pytest.raises(tl.OutputError, match="the adjoint of x has shape") as error:
        tl.grad(lambda x: np.sum(s(x)))(X)
    assert f"test_custom.py:{wrong_shape.__code__.co_firstlineno}" in str(error.value)
    t = tl.custom_derivative(softplus, tangent=lambda y, x, dx: np.sum(dx))
    with pytest.raises(tl.OutputError, match="the tangent has shape"):
        tl.jvp(t, (X,), (X,))


def test_what_it_writes_into_is_refused():
    @tl.custom_derivative(adjoint=lambda y, x, by: by)
    def writes(x):
        x[0] = math.pi
        return x

    with pytest.raises(tl.AliasError, match="writes into its argument"):
        tl.grad(lambda x: np.sum(writes(x * 2.0)))(X)
