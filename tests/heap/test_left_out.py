"""Arguments that derivatives inside a function leave to their defaults, where a tangent or a vector
follows: those of what is called, not those of the derivative."""

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import UnsupportedSyntaxError
from tests.heap.forced import by_identity

X, V = np.array([1.0, 2.0]), np.array([0.3, -0.2])


def power(x, w=2.0, n=3):
    return np.sum(x ** n) * w


def along(x):
    return tl.jvp(power, (x,), (V,))[1]


def along_two(x):
    return tl.jvp(power, (x, x[0]), (V, 1.0))[1]


def product(x):
    return np.sum(tl.hvp(power)(x, V))


def along_one_defined_here(x):
    def local(y, w=3.0):
        return np.sum(y ** 3) * w
    return tl.jvp(local, (x,), (V,))[1]


def matrices(x):
    return np.sum(tl.jacfwd(power)(x) * V) + np.sum(tl.hessian(power)(x, 1.5) @ V)


@pytest.mark.parametrize("function", [along, along_two, product, along_one_defined_here, matrices])
def test_against_differences(function):
    wanted = [(function(X + 1e-6 * e) - function(X - 1e-6 * e)) / 2e-6 for e in np.eye(2)]
    np.testing.assert_allclose(tl.grad(function)(X), wanted, rtol=1e-7)
    if function is not along_one_defined_here:
        with by_identity():
            np.testing.assert_allclose(tl.grad(function)(X), wanted, rtol=1e-7)


def changing(x):
    return tl.jvp(changed, (x,), (1.0,))[1]


def changed(x, w=2.0):
    return x ** 2 * w


def test_defaults_are_those_of_the_call():
    assert tl.grad(changing)(1.0) == 4.0
    changed.__defaults__ = (5.0,)
    try:
        assert tl.grad(changing)(1.0) == 10.0
    finally:
        changed.__defaults__ = (2.0,)


def test_those_of_names_are_written_with_names():
    assert "power_jvp_fwd" in tl.grad(along).source_for(X)


def varying_default(x):
    def inner(y, w=x * 2.0):
        return np.sum(y * w)
    return np.sum(tl.grad(inner)(x))


def test_defaults_that_vary_are_refused():
    with pytest.raises(UnsupportedSyntaxError, match="reads what may vary"):
        tl.grad(varying_default)(X)
