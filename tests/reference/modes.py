"""A function of one vector in all modes, held against differences."""
import numpy as np

import tangent_lite as tl
from tests.reference.dual import numeric_gradient


def hold_to_differences(f, x, direction, by_identity=None):
    """Value, gradient, tangent, and a pullback that is called again, at an x that nobody may write
    to; by_identity: whether the gradient is to be found so (None: either)."""
    x = x.copy()
    x.flags.writeable = False
    derivative = tl.value_and_grad(f)
    value, slope = derivative(x)
    assert value == f(x.copy())
    if by_identity is not None:
        assert derivative._latest.by_identity == by_identity
    (wanted,), trustworthy = numeric_gradient(f, (x.copy(),), (0,))
    assert trustworthy
    np.testing.assert_allclose(slope, wanted, rtol=1e-5, atol=1e-7)
    np.testing.assert_array_equal(derivative(x)[1], slope)
    np.testing.assert_allclose(tl.jvp(f, (x,), (direction,))[1], slope @ direction, rtol=1e-6,
                               atol=1e-9)
    pullback = tl.vjp(f, x)[1]
    for seed in (1.0, 1.0, 2.0):
        np.testing.assert_allclose(pullback(seed)[0], seed * slope)


def hold_curvature_to_differences(f, x, direction, rtol=1e-6, atol=1e-6):
    """Second derivatives along a direction."""
    step = 1e-5
    wanted = (tl.grad(f)(x + step * direction) - tl.grad(f)(x - step * direction)) / (2.0 * step)
    np.testing.assert_allclose(tl.hvp(f)(x, direction), wanted, rtol=rtol, atol=atol)
