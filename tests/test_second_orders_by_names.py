"""Second derivatives for which kinds say enough to be written out: they were found by identity."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names

special = pytest.importorskip("scipy.special")
integrate = pytest.importorskip("scipy.integrate")

V = np.array([0.3, 1.2, -0.7])
M = np.array([[1.4, 0.3, 0.2], [0.3, -1.0, -0.1], [0.2, -0.1, 0.5]])
windows = np.lib.stride_tricks.sliding_window_view


@pytest.mark.parametrize("f, x", [
    (lambda x: special.logsumexp(x), V), (lambda x: special.logsumexp(x, axis=0)[1] ** 2, M),
    (lambda x: np.sum(special.logsumexp(x, axis=1, keepdims=True)[1] * x), M),
    (lambda x: special.softmax(x)[0] ** 2, V), (lambda x: special.softmax(x, axis=1)[0, 1], M),
    (lambda x: (special.log_softmax(x, axis=-1)[1] * x).sum(), M),
    (lambda x: np.trapezoid(x ** 2, axis=0)[1] if hasattr(np, "trapezoid") else x[0, 0] ** 2, M),
    (lambda x: integrate.trapezoid(x ** 2, axis=0)[1], M),
    (lambda x: integrate.trapezoid(x ** 2) * x[0], V),
    (lambda x: integrate.simpson(x ** 2)[1], M),
    (lambda x: (integrate.cumulative_trapezoid(x ** 2, initial=0)[1:] * x[1:]).sum(), V),
    (lambda x: integrate.cumulative_trapezoid(x ** 2, axis=0)[1].sum(), M),
    (lambda x: (windows(x, 2).prod(axis=1) ** 2).sum(), V),
    (lambda x: windows(x, (2, 2))[0, 1].var() * x[0, 0], M),
])
def test_by_names(f, x):
    tl.check_grads(f, (x,), order=2)
    with by_names():
        v = np.cos(np.arange(x.size)).reshape(x.shape)
        step = 1e-5 * v
        expected = (tl.grad(f)(x + step) - tl.grad(f)(x - step)) / 2e-5
        assert np.allclose(tl.hvp(f)(x, v), expected, rtol=1e-6, atol=1e-8)
