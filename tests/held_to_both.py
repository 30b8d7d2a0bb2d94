"""Functions of a vector, held to both strategies, to differences and to forward mode."""
import numpy as np

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names

X = np.array([0.7, -1.1, 0.4, 1.3, 0.9, -0.6, 0.2])


def is_right(function):
    """The value is the function's own, and both strategies give the gradient."""
    for x in (X, -X, X[::-1].copy()):
        value, slope = tl.value_and_grad(function)(x)
        assert value == function(x)
        with by_identity():
            np.testing.assert_allclose(slope, tl.grad(function)(x), rtol=1e-10, atol=1e-12)
    tl.check_grads(function, (X,), order=1)


def is_by_names(function, with_pullback=True):
    """By names there are a gradient, a derivative along a direction and a pullback, and they agree;
    with_pullback: whether one may be kept, which runs parts of the function again."""
    with by_names():
        slope = tl.grad(function)(X)
        np.testing.assert_allclose(
            tl.jvp(function, (X,), (np.cos(X),))[1], slope @ np.cos(X), rtol=1e-10)
        if with_pullback:
            _, pullback = tl.vjp(function, X)
            for _ in range(2):
                np.testing.assert_allclose(pullback(2.0)[0], 2.0 * slope, rtol=1e-12)
