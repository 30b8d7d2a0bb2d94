"""Real and imaginary parts of arrays that are written to, which are views: held to differences."""
from collections import deque

import numpy as np
import pytest

import tangent_lite as tl


def assigned(x, y):
    z = np.zeros(3, dtype=complex)
    z.real = x
    z.imag = y
    z.imag[0] = 2.0 * x[0]
    z.real[1:] *= y[1:]
    w = z * z
    return np.sum(np.abs(w) ** 2) + w.real[0]


def increased(x, y):
    z = x + 1j * y
    z.imag += x * y
    z.real -= 3.0 * y
    w = z.imag
    w *= x
    z.real = 2.0
    return np.sum(np.abs(z * x) ** 2) + w[0]


def by_masks(x, y):
    z = (x + 1j * y) ** 2
    z.imag[x > 0.5] = y[x > 0.5] * 2.0
    z.imag[[0, 0, 1]] = x
    z.imag[::-1][1:] += y[1:]
    np.add.at(z.imag, [0, 0], x[:2])
    return np.sum(z * np.conj(z)).real + (z * z).imag.sum()


def out(x, y):
    z = np.ones((2, 3), complex)
    z[0] = x
    np.multiply(x, y, out=z[1].imag)
    z.imag[0].sort()
    z.imag.put([0, 4], x[:2])
    return np.sum(np.abs(z @ y) ** 2)


def of_reals(x, y):
    z = x * 2.0
    z.real = y * x
    return np.sum(z ** 2)


X, Y = np.array([0.3, 0.8, -0.4]), np.array([0.9, -0.7, 0.45])


@pytest.mark.parametrize("f", [assigned, increased, by_masks, out, of_reals])
def test_against_differences(f):
    value, gradients = tl.value_and_grad(f, wrt=(0, 1))(X, Y)
    assert value == f(X, Y)
    for k in range(3):
        e = 1e-6 * np.eye(3)[k]
        assert gradients[0][k] == pytest.approx((f(X + e, Y) - f(X - e, Y)) / 2e-6, rel=1e-6)
        assert gradients[1][k] == pytest.approx((f(X, Y + e) - f(X, Y - e)) / 2e-6, rel=1e-6)
    tl.check_grads(f, (X, Y), order=2)


def test_of_a_complex_argument():
    def f(z):
        w = z * 1.0
        w.imag *= w.real
        w.real = np.sin(w.imag)
        return np.sum(np.abs(w) ** 4)
    tl.check_grads(f, (X + 1j * Y,), order=2)


def test_real_arrays_have_no_imaginary_part_to_write():
    def f(x):
        z = x * 2.0
        z.imag = x
        return np.sum(z)
    with pytest.raises(TypeError):
        f(X)
    with pytest.raises(TypeError):
        tl.grad(f)(X)


def conjugated(x, d):
    items = deque([x])
    items.rotate(1)
    z = complex(items[0][0], items[0][1]).conjugate() * d + float(items[0][1]).conjugate() * d
    return abs(z * items[0][0])


def test_conjugates_of_numbers_of_python_are_of_python():
    """Times a float32 one is of single precision, where a number of NumPy's is of double."""
    x, d = np.array([0.7, 1.3], np.float32), np.float32(0.5)
    for found in (tl.value_and_grad(conjugated)(x, d), tl.vjp(conjugated, x, d),
                  tl.jvp(conjugated, (x, d), (x, d))):
        assert found[0].dtype == np.float32 and found[0] == conjugated(x, d)
    tl.check_grads(conjugated, (x.astype(float), 0.5))
