"""Adjoints of arrays of which one row is read."""
import numpy as np
import pytest

import tangent_lite as tl

DRAWN = np.random.default_rng(0)
Z, W = DRAWN.normal(size=(4, 3)), DRAWN.normal(size=(4, 3)) + 3.0


def end_of_sums(z, w, a):
    logs = np.cumsum(a * z + 0.1 * w, axis=0)
    paths = 2.0 * np.exp(logs) / w
    return np.sum(paths[-1] ** 2)


def another_row(z, w, a):
    logs = np.cumsum(a * z + 0.1 * w, axis=0)
    paths = -np.exp(logs) * w
    return np.sum(paths[1] ** 2) + np.sum(paths[-2])


def one_other_row(z, w, a):
    logs = np.cumsum(a * z, axis=0)
    return np.sum((w * logs)[1] ** 2)


def the_first(z, w, a):
    y = z * w * a
    return np.sum(y[0] ** 3)


def along_the_other_axis(z, w, a):
    logs = np.cumsum(a * z, axis=1) * w
    return np.sum(np.tanh(logs)[-1] ** 2)


def end_of_products(z, w, a):
    paths = 3.0 * np.cumprod(np.exp(a * z), axis=0)
    return np.sum(paths[-1] * w[0])


def products_read_twice(z, w, a):
    paths = a * np.cumprod(np.exp(a * z) + 0.1 * w, axis=0)
    return np.sum(np.tanh(paths[-1] - 1.0)) * a


def products_of_zero(z, w, a):
    paths = np.cumprod(z * w * (np.abs(z) < 1.0), axis=0) * a
    return np.sum(paths[-1] * w[0])


def products_to_another_row(z, w, a):
    paths = a * np.cumprod(z, axis=0)
    return np.sum(paths[1] ** 2)


def products_along_the_other_axis(z, w, a):
    paths = a * np.cumprod(z, axis=1) * w
    return np.sum(paths[-1] ** 2)


def sums_of_the_row(z, w, a):
    y = a * (z * w) - a * a * z
    return np.sum(y[-1] ** 3) / a


def spread_in_front(z, w, a):
    rows = np.cumsum(w[0] * z * a, axis=0)
    scaled = rows * w[1]                            # of another shape
    return np.sum(scaled[-1] ** 2)


def in_a_loop(z, w, a):
    total = 0.0
    for k in range(3):
        y = np.cumsum(z * w * a, axis=0) * (2.0 / (k + 1.0))
        z = z * 0.9
        total = total + np.sum(y[-1] ** 2)
    return total


def numbers_of_three_axes(z, w, a):
    y = np.cumsum(np.stack([z * a, w, z * w]), axis=0) * 2.0
    return np.sum(y[-1] * z)


def read_twice(z, w, a):
    y = z * w
    return np.sum(y[-1] ** 2) + a * np.sum(y * w)


def written_behind(z, w, a):
    y = np.cumsum(z * a, axis=0) * w
    y[0] = y[-1] * 2.0
    return np.sum(y[-1] * y[0])


ALL = [end_of_sums, another_row, one_other_row, the_first, along_the_other_axis, end_of_products,
       products_read_twice, products_of_zero, products_to_another_row,
       products_along_the_other_axis, sums_of_the_row, spread_in_front, in_a_loop,
       numbers_of_three_axes, read_twice, written_behind]


@pytest.mark.parametrize("rows", [4, 2])
@pytest.mark.parametrize("fun", ALL, ids=lambda f: f.__name__)
def test_by_complex_steps(fun, rows):
    z, w, h = Z[:rows], W[:rows], 1e-30
    found = tl.grad(fun, wrt=(0, 1, 2))(z, w, 0.3)
    for given, slope in zip((0, 1), found):
        for spot in np.ndindex(z.shape):
            moved = [z.astype(complex), w.astype(complex)]
            moved[given][spot] += 1j * h
            assert np.isclose(slope[spot], fun(*moved, 0.3).imag / h)
        assert slope.flags.writeable
    assert np.isclose(found[2], fun(z.astype(complex), w.astype(complex), 0.3 + 1j * h).imag / h)


@pytest.mark.parametrize("fun", ALL, ids=lambda f: f.__name__)
def test_pullbacks_and_second_order(fun):
    wanted = tl.grad(fun, wrt=(0, 2))(Z, W, 0.3)
    pullback = tl.vjp(fun, Z, W, 0.3, wrt=(0, 2))[1]
    for _ in range(2):
        assert all(map(np.allclose, pullback(1.0), wanted))
    if fun is not written_behind:
        tl.check_grads(fun, (Z[:2], W[:2], 0.3))


def test_the_row_goes_through_alone():
    text = tl.grad(end_of_sums, wrt=(0, 2)).source_for(Z, W, 0.3)
    assert "zeros_like" not in text and "uncumsum" not in text
    for function in (end_of_products, products_read_twice, products_of_zero):
        text = tl.grad(function, wrt=(0, 2)).source_for(Z, W, 0.3)
        assert "zeros_like" not in text and "cumprod_adjoint" not in text
    assert "cumprod_adjoint" in tl.grad(products_to_another_row).source_for(Z, W, 0.3)
    text = tl.grad(the_first).source_for(Z, W, 0.3)
    assert text.count("zeros_like") == 1
