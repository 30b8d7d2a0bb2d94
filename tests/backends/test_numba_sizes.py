"""One compiled derivative for all shapes: what is known of sizes holds for each of them."""
import warnings

import numpy as np
import pytest

import tangent_lite as tl

pytest.importorskip("numba")


def v(*shape):
    return np.random.default_rng(sum(shape)).uniform(0.2, 1.0, shape)


def stretched(x, b):
    t = np.tanh(x + b)
    return np.sum(t * b + x)


def parts(x, n):
    y, z = x[:n], x[n:]
    w = np.zeros(len(y))
    for i in range(len(y)):
        w[i] += y[i] * y[i]
    return np.sum(w * y) + np.sum(z * z) + np.sum(x[1:] * x[:-1])


def buffers(x, n):
    total = 0.0
    for t in range(3):
        y = np.zeros(n)
        for i in range(min(n, len(x))):
            y[i] = x[i] * x[i] * (t + 1)
        if n == len(x):
            total += np.sum(y * x)
        total += np.sum(y ** 2)
    return total


def growing(x, n):
    h = x
    for _ in range(n):
        z = np.zeros(len(h) + 1)
        for i in range(len(h)):
            z[i] += h[i] * 1.1
            z[i + 1] += h[i] * h[i]
        h = z
    return np.sum(h * h)


def reshaped(x, k):
    m = x.reshape(k, -1)
    s = np.sum(m, axis=1)
    return np.sum(s * s) + np.sum((m - s[:, None]) ** 2)


CALLS = [
    (stretched, [(v(4), v(4)), (v(4), v(1)), (v(1), v(4)), (v(1), v(1)), (v(0), v(1))]),
    (parts, [(v(5), 3), (v(5), 5), (v(3), 5), (v(5), 0), (v(1), 1), (v(5), -2)]),
    (buffers, [(v(6), 6), (v(6), 4), (v(4), 6), (v(6), 1)]),
    (growing, [(v(3), 3), (v(3), 5), (v(5), 0)]),
    (reshaped, [(v(6), 2), (v(6), 3), (v(4), 2)])]


@pytest.mark.parametrize("f, calls", CALLS, ids=[f.__name__ for f, _ in CALLS])
def test_calls_with_other_shapes(f, calls):
    gradient = tl.grad(f, backend="numba")
    for args in calls:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            got = gradient(*args)
        assert got.shape == args[0].shape
        for k in range(len(got)):
            h = np.zeros(len(got))
            h[k] = 1e-6
            quotient = (f(args[0] + h, *args[1:]) - f(args[0] - h, *args[1:])) / 2e-6
            np.testing.assert_allclose(got[k], quotient, rtol=1e-5, atol=1e-8)
