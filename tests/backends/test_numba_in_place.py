"""Compiled statements that change arrays in place: what does not fit raises what NumPy raises."""
import numpy as np
import pytest

import tangent_lite as tl

pytest.importorskip("numba")


def added(x, y):
    z = x.copy()
    z += y * z
    return np.sum(z * z)


def subtracted(x, y):
    z = x.copy()
    z -= y[:]
    return np.sum(z * z)


def multiplied(x, y):
    z = x.copy()
    z *= y
    return np.sum(z)


def divided(x, y):
    z = x.copy()
    z /= y
    return np.sum(z)


def to_a_power(x, y):
    z = x.copy()
    z **= y
    return np.sum(z)


def to_a_slice(x, y):
    z = x.copy()
    z[:] += np.exp(y)
    return np.sum(z)


def to_a_column(x, y):
    z = x[:, None].copy()
    z += y[None, :] * z
    return np.sum(z)


def to_a_row(x, y):
    z = np.zeros((2, 1))
    z[1] += y * x
    return np.sum(z * z)


def by_a_mask(x, y):
    z = x.copy()
    z[z > 0.0] += y
    return np.sum(z * z)


def in_a_loop(x, y):
    z = x.copy()
    for _ in range(3):
        z += y * z
    return np.sum(z)


def by_another_name(x, y):
    z = x.copy()
    w = z
    w += y * y
    return np.sum(z * z)


def add_to(a, b):
    a += b


def in_a_helper(x, y):
    z = x.copy()
    add_to(z, y)
    return np.sum(z * z)


FUNCTIONS = [added, subtracted, multiplied, divided, to_a_power, to_a_slice, to_a_column, to_a_row,
             by_a_mask, in_a_loop, by_another_name, in_a_helper]


def outcome(call, *args):
    try:
        return call(*args)
    except (ValueError, IndexError) as error:
        return type(error)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("sizes", [(1, 5), (5, 5), (5, 1), (1, 1), (0, 1), (1, 0)], ids=str)
@pytest.mark.sweep(7)
def test_as_in_python(f, sizes):
    x, y = (np.linspace(0.5, 1.5, size) for size in sizes)
    natural = outcome(f, x.copy(), y.copy())
    found = outcome(tl.value_and_grad(f, wrt=(0, 1), backend="numba"), x, y)
    if isinstance(natural, type):
        assert found is natural
        return
    plain = tl.value_and_grad(f, wrt=(0, 1))(x, y)
    assert found[0] == pytest.approx(natural, rel=1e-12)
    for one, other in zip(found[1], plain[1], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)
    for number, (given, one) in enumerate(zip((x, y), found[1], strict=True)):
        for k in range(given.size):
            step = np.eye(given.size)[k] * 1e-6
            up, down = ([x, y] for _ in range(2))
            up[number], down[number] = given + step, given - step
            assert one[k] == pytest.approx((f(*up) - f(*down)) / 2e-6, rel=1e-5, abs=1e-6)


def test_more_axes():
    def f(x, y):
        z = x.copy()
        z += y
        return np.sum(z * z)
    d = tl.grad(f, backend="numba")
    for shape, other in (((1,), (1, 1)), ((2,), (2, 2)), ((3,), (2, 3)), ((2, 1), (2, 5))):
        with pytest.raises(ValueError, match="non-broadcastable"):
            d(np.ones(shape), np.ones(other))
    np.testing.assert_array_equal(d(np.ones((2, 3)), np.ones(3)), np.full((2, 3), 4.0))
