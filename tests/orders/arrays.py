"""Arrays: written in place, viewed, swapped, indexed, reduced; linear algebra, Fourier, complex."""
import math

import numpy as np

from tests.orders.case import case

u3 = np.array([0.5, -1.2, 0.8])
u4 = np.array([0.5, -1.2, 0.8, 1.7])
A22 = np.array([[1.5, 0.3], [-0.4, 0.9]])


def written_elements(x):
    y = np.zeros(4)
    y[0] = x[0]
    for i in range(1, 4):
        y[i] = y[i - 1] * math.sin(x[i]) + x[i] ** 2
    return np.sum(y * y)


case(written_elements, u4)


def written_argument(x):
    for i in range(1, len(x)):
        x[i] = x[i] + 0.5 * x[i - 1] * x[i]
    return np.sum(x * x)


case(written_argument, u4)


def written_slices(x):
    y = x * x
    for k in range(2):
        y[1:-1] = y[2:] * y[:-2] + np.sin(x[1:-1])
    y[:2] *= x[2:]
    return np.sum(y * x)


case(written_slices, u4)


def written_rows(x):
    y = np.outer(x, np.sin(x))
    for i in range(1, 4):
        y[i] = y[i] * y[i - 1]
        y[i, 0] += x[i] * x[i]
    return np.sum(y * y)


case(written_rows, u4)


def increments(x):
    y = np.ones(3)
    for i in range(3):
        y += x * np.sin(y)
        y[i] *= x[i]
    return np.sum(y)


case(increments, u3)


def views(x):
    y = np.sin(x)
    v = y[1:]
    w = v[::2]
    v[0] = v[1] * x[0]
    w *= 1.5 * y[0]
    return np.sum(y * y)


case(views, u4)


def viewed_matrix(x):
    y = x * x
    t = y.T
    t[0] = t[1] * np.sin(x[0])
    d = t[:, 1]
    d += t[:, 0] * y[0, 0]
    return np.sum(y * x)


case(viewed_matrix, A22)


def flattened(x):
    y = x * 2.0
    v = y.ravel()
    v[0] = v[1] * v[3]
    w = y.reshape(4)
    w[2] *= w[0]
    return np.sum(y * y)


case(flattened, A22)


def swapped(x):
    old = x.copy()
    new = np.zeros_like(x)
    for i in range(3):
        new[1:-1] = old[2:] * old[:-2] + np.sin(old[1:-1])
        old, new = new, old
    return np.sum(old * old) + np.sum(new * x)


case(swapped, u4)


def outs(x):
    y = np.empty_like(x)
    np.multiply(x, x, out=y)
    for i in range(2):
        np.sin(y, out=y)
        np.add(y, x, out=y)
    return np.sum(y * y)


case(outs, u3)


def repeats(x):
    k = np.array([0, 2, 2, 1, 0])
    y = x[k] * np.sin(x[k])
    z = np.zeros(3)
    np.add.at(z, k, y * y)
    z[[0, 0]] = z[[1, 2]] * x[0]
    return np.sum(z * x)


case(repeats, u3)


def masks(x):
    y = np.where(x > 0.0, x * x, np.sin(x))
    y[x < 0.0] = y[0] * x[x < 0.0]
    return np.sum(y * y * x)


case(masks, u4)


def reductions(x):
    y = np.outer(x, np.sin(x)) + 2.0
    m = np.mean(y, axis=0)
    s = np.std(y, axis=1) * np.prod(m)
    c = np.cumsum(x * m)
    return np.max(c) * np.sum(s) + np.linalg.norm(x) + np.var(x) * np.min(x)


case(reductions, u3)


def softmax(x):
    t = x - np.max(x)
    p = np.exp(t) / np.sum(np.exp(t))
    return -np.sum(np.log(p) * np.array([0.2, 0.5, 0.3])) + p[0] * p[1]


case(softmax, u3)


def shapes(x):
    y = np.concatenate([x, x * x])
    z = np.stack([y, np.sin(y)])
    w = np.transpose(z).reshape(2, -1)
    return np.sum(np.tile(w, 2)[:, 1:7] * np.expand_dims(w[0], 0)[:, :6])


case(shapes, u3)


def solved(x):
    A = np.outer(x, x) + np.diag(2.0 + np.sin(x))
    y = np.linalg.solve(A, np.cos(x))
    return np.sum(y * y) * np.linalg.det(A)


case(solved, u3)


def inverted(x):
    B = np.linalg.inv(x @ x.T + 2.0 * np.eye(2))
    return np.trace(B @ x) + np.linalg.slogdet(B)[1]


case(inverted, A22)


def cholesky(x):
    L = np.linalg.cholesky(x @ x.T + np.eye(2))
    return np.sum(np.sin(L) * x)


case(cholesky, A22)


def eigenvalues(x):
    w = np.linalg.eigvalsh(x @ x.T + np.diag([0.0, 1.0]))
    return w[0] * w[1] ** 2 + np.sin(w[0])


case(eigenvalues, A22)


def einsums(x):
    y = np.einsum("ij,jk->ik", x, np.sin(x))
    z = np.einsum("ij,ij->i", y, x)
    return np.einsum("i,i", z, z) + np.tensordot(x, y) + np.dot(x[0], y[1])


case(einsums, A22)


def products(x):
    y = np.tanh(x @ x + 0.3)
    return np.sum((y @ x[0]) * (x[1] @ y)) + np.sum(np.kron(x, y)) * x[0, 0]


case(products, A22)


def fourier(x):
    z = np.fft.fft(x * np.sin(x))
    power = np.abs(z) ** 2
    return np.sum(power * np.arange(4)) + np.sum(np.real(z * z))


case(fourier, u4)


def real_fourier(x):
    z = np.fft.rfft(np.tanh(x))
    y = np.fft.irfft(z * z * (1.0 + 0.5j), 4)
    return np.sum(y * x)


case(real_fourier, u4)


def complexes(x):
    z = x[:2] + 1j * x[2:]
    w = np.exp(z) * np.conj(z) / (2.0 + z)
    return np.sum(np.real(w * w)) + np.sum(np.abs(w)) + np.sum(np.angle(w))


case(complexes, u4)


def complex_loop(x):
    z = complex(x, 0.4)
    c = z
    for i in range(3):
        z = z * z * 0.5 + c
    return z.real * z.imag + abs(z)


case(complex_loop, 0.3)


def mlp(x):
    W, b = x[:9].reshape(3, 3), x[9:]
    h = np.tanh(np.ones((2, 3)) @ W + b)
    logits = h @ W
    logits = logits - np.max(logits, axis=1, keepdims=True)
    logp = logits - np.log(np.sum(np.exp(logits), axis=1, keepdims=True))
    return -np.sum(logp[:, 1]) / 2


case(mlp, np.sin(np.arange(12.0)))


def tridiagonal(x):
    n = len(x)
    c = np.zeros(n)
    d = np.zeros(n)
    c[0] = 0.5 / 2.0
    d[0] = x[0] / 2.0
    for i in range(1, n):
        m = 2.0 + 0.1 * x[i] - 0.5 * c[i - 1]
        c[i] = 0.5 / m
        d[i] = (x[i] - 0.5 * d[i - 1]) / m
    for i in range(n - 2, -1, -1):
        d[i] -= c[i] * d[i + 1]
    return np.sum(d * d)


case(tridiagonal, u4)


def heat(x):
    u = x.copy()
    for k in range(3):
        u[1:-1] = u[1:-1] + 0.2 * u[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


case(heat, u4)


def runge_kutta(x):
    def slope(v):
        return np.array([v[1], -np.sin(v[0]) * x[2], v[0] * v[1]])

    y = x
    for i in range(2):
        a = slope(y)
        b = slope(y + 0.05 * a)
        y = y + 0.1 * b
    return np.sum(y * y)


case(runge_kutta, u3)


def two_names_without_dimensions(x):
    """A sum of arrays without dimensions is a number, of which the other name sees nothing."""
    w = np.array(x[1])
    z = w
    z *= 2
    return w * z


case(two_names_without_dimensions, u3)


def two_names_of_how_many_dimensions(x):
    w = np.array(np.squeeze(x[1:2]) + 0.0)
    z = w
    z *= x[0]
    z += w
    return w * z


case(two_names_of_how_many_dimensions, u3)
