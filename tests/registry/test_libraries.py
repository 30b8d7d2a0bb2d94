"""Libraries of arrays whose functions are NumPy's by name: a stand-in for CuPy, on any machine."""
import numpy as np
import pytest

import tangent_lite as tl
from tests import stand_in_library as xnp
from tests.duck_programs import V, W, X
from tests.stand_in import Writable


def up(*args):
    return tuple(Writable(a.copy()) if isinstance(a, np.ndarray) else a for a in args)


def by_differences(function, args):
    """The gradients with respect to all arguments, of the function as the library runs it."""
    found = []
    for number, argument in enumerate(args):
        gradient = np.zeros_like(argument)
        for index in np.ndindex(argument.shape):
            values = []
            for step in (1e-6, -1e-6):
                moved = [a.copy() for a in args]
                moved[number][index] += step
                values.append(function(*up(*moved))._data)
            gradient[index] = (values[0] - values[1]) / 2e-6
        found.append(gradient)
    return found


def net(x, w):
    h = xnp.tanh(x @ w)
    return xnp.mean(h ** 2) + h.sum() + xnp.max(xnp.maximum(h, 0))


def made_there(x):
    y = xnp.zeros((6,)) + x[0]
    return xnp.sum(xnp.concatenate([y, x[0] * xnp.arange(6)]) ** 2) * xnp.size(x)


def in_a_part(x):
    return xnp.linalg.norm(x) + xnp.sum(xnp.linalg.inv(x @ x.T))


def of_either(x, w):
    xp = xnp.get_array_module(x, w)
    return xp.sum(xp.tanh(xp.dot(x, w)) ** 2)


def _softplus(z):
    xp = xnp.get_array_module(z)
    return xp.log(1.0 + xp.exp(z))


def helped(x, w):
    return xnp.sum(_softplus(x @ w))


class _Layer:
    def __init__(self, w):
        self.w, self.xp = w, xnp.get_array_module(w)

    def __call__(self, x):
        return self.xp.sum(self.xp.sin(x @ self.w))


def by_an_object(x, w):
    return _Layer(w)(x)


def numbers_of_it(x):
    return xnp.sum(x ** 2) * xnp.shape(x)[1] if xnp.ndim(x) == 2 else xnp.sum(x)


@pytest.mark.parametrize("function, args", [
    (net, (X, W)), (made_there, (X,)), (in_a_part, (X,)), (of_either, (X, W)), (helped, (X, W)),
    (by_an_object, (X, W)), (numbers_of_it, (X,))], ids=lambda p: getattr(p, "__name__", ""))
def test_rules_of_numpy(function, args):
    wrt = tuple(range(len(args)))
    found = tl.grad(function, wrt)(*up(*args))
    for gradient, wanted in zip(found, by_differences(function, args)):
        assert type(gradient) is Writable
        np.testing.assert_allclose(gradient._data, wanted, atol=1e-6)
    along = tuple(np.cos(3.0 * a) for a in args)
    _, tangent = tl.jvp(function, up(*args), up(*along))
    np.testing.assert_allclose(
        tangent._data, sum(np.sum(g._data * a) for g, a in zip(found, along)))


def test_the_text_is_the_users():
    assert "xnp.tanh(x @ w)" in tl.grad(net).source_for(*up(X, W))


def test_of_either_takes_arrays_of_numpy():
    def of_numpy(x, w):
        return np.sum(np.tanh(np.dot(x, w)) ** 2)

    np.testing.assert_array_equal(tl.grad(of_either)(X, W), tl.grad(of_numpy)(X, W))


def test_made_in_a_function_of_numbers():
    def f(a):
        return xnp.sum(xnp.ones((3,)) * a) * a

    np.testing.assert_allclose(tl.grad(f)(2.0)._data, 12.0)


def test_twice():
    def slopes(x):
        return xnp.sum(tl.grad(lambda z: xnp.sum(xnp.sin(z) * z))(x) ** 2)

    first = np.cos(V) * V + np.sin(V)
    second = 2.0 * np.cos(V) - np.sin(V) * V
    np.testing.assert_allclose(tl.grad(slopes)(*up(V))._data, 2.0 * first * second)


def test_parameters_in_another_order_are_no_rule():
    def f(x):
        return xnp.sum(xnp.roll(x, 0, 1) * x)

    with pytest.raises(tl.MissingRuleError, match="takes the same") as caught:
        tl.grad(f)(*up(V))
    assert "xnp.roll(x, 0, 1)" in caught.value.place.text


def test_what_it_alone_has():
    """A function that NumPy has not got: no rule, and nothing against it for what does not vary."""
    def varies(x):
        return xnp.sum(xnp.asarray(x) * x)

    data = W[:, 0]

    def constant(x):
        return xnp.sum(xnp.asarray(data) * x)

    with pytest.raises(tl.MissingRuleError, match=r"xnp\.asarray"):
        tl.grad(varies)(*up(V))
    np.testing.assert_array_equal(tl.grad(constant)(*up(V))._data, data)
