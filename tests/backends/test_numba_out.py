"""Results that are written into arrays by `out=`, in compiled code."""
import numpy as np
import pytest

pytest.importorskip("numba")

import tangent_lite as tl  # noqa: E402
from tests.backends.comparing import same  # noqa: E402

U = np.array([0.3, 0.5, 0.9, 1.4, 0.2])


def scaled_inside(u, c, n):
    v = u.copy()
    for _ in range(n):
        np.multiply(v[1:-1], c, out=v[1:-1])
    return np.sum(v * v)


def moved_along(u, c, n):
    v = u.copy()
    for _ in range(n):
        np.multiply(v[:-1], c, out=v[1:])       # reads what it writes
        np.subtract(v[1:], v[:-1], v[1:])
    return np.sum(v * v)


def turned_around(u, c, n):
    v = np.empty(u.shape)
    np.multiply(u, c, out=v)
    for _ in range(n):
        np.add(v[::-1], v, out=v[::-1])
    return v @ u


def copied_by_a_mask(u, c, n):
    v = u.copy()
    np.multiply(u[u > 0.4], c, out=v[u > 0.4])  # into a copy that nobody has
    np.multiply(v, float(n), out=v)
    return v @ u


def into_ints(u, c, n):
    v = np.zeros(u.shape, dtype=np.int64)
    np.multiply(np.arange(len(u)), n, out=v)
    return np.sum(u * v) * c


def too_small(u, c, n):
    v = np.zeros(1)
    np.multiply(u, c, out=v)
    return np.sum(u * v)


def reference(f, u, c, n):
    h = 1e-6
    moved = [(f(u + h * one, c, n) - f(u - h * one, c, n)) / (2 * h) for one in np.eye(len(u))]
    return np.array(moved), (f(u, c + h, n) - f(u, c - h, n)) / (2 * h)


@pytest.mark.parametrize("f", [scaled_inside, moved_along, turned_around, copied_by_a_mask],
                         ids=lambda f: f.__name__)
def test_out(f):
    compiled = tl.grad(f, wrt=(0, 1), backend="numba")
    plain = tl.grad(f, wrt=(0, 1))
    for u, n in ((U, 3), (U, 0), (U[:1], 1), (U[:2], 2)):
        found = compiled(u, 0.7, n)
        assert same(found, plain(u, 0.7, n))
        for mine, wanted in zip(found, reference(f, u, 0.7, n)):
            np.testing.assert_allclose(mine, wanted, rtol=1e-6, atol=1e-8)


def test_into_ints_is_refused():
    """An assignment would cut floats off, which NumPy refuses."""
    with pytest.raises(tl.UnsupportedSyntaxError, match="floats_alone") as found:
        tl.grad(into_ints, backend="numba")(U, 0.7, 2)
    assert "np.multiply(np.arange(len(u)), n, out=v)" in str(found.value)


def test_too_small_an_array():
    with pytest.raises(ValueError, match="broadcast"):
        tl.grad(too_small, backend="numba")(U, 0.7, 2)
