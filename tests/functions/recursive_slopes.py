"""What is asked of the gradients of functions that call themselves."""
import numpy as np

import tangent_lite as tl
from tests.reference.dual import numeric_gradient

X, W = np.array([0.93, 1.1, 0.45, 1.3, 0.62, 0.81]), np.array([0.7, 0.4, 1.2, 0.9, 0.55, 0.3])


def check_slopes(f, by_identity):
    """Values and gradients of f(x, w), by differences, called again, and by pullbacks."""
    x, w = X.copy(), W.copy()
    x.flags.writeable = w.flags.writeable = False
    derivative = tl.value_and_grad(f, wrt=(0, 1))
    value, slopes = derivative(x, w)
    assert derivative._latest.by_identity == by_identity
    assert value == f(X.copy(), W.copy())
    wanted, _ = numeric_gradient(f, (X.copy(), W.copy()), (0, 1))
    for ours, theirs in zip(slopes, wanted):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-7)
    for ours, theirs in zip(derivative(x, w)[1], slopes):
        np.testing.assert_array_equal(ours, theirs)
    pullback = tl.vjp(f, x, w)[1]
    for _ in range(2):
        for ours, theirs in zip(pullback(2.0), slopes):
            np.testing.assert_allclose(ours, 2.0 * theirs, rtol=1e-12, atol=1e-14)
