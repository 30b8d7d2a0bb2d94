"""Functions over arrays, with their arguments: what derivatives of duck arrays are tried on."""
import numpy as np

import tangent_lite as tl


def sines(x):
    return np.sum(np.sin(x) * x)


def quotients(x, y):
    return np.sum(x / (1.0 + y * y) - np.exp(-x) ** 2 + np.sqrt(y + 3.0))


def powers(x):
    return np.sum(x ** 3 + (x + 2.0) ** 1.5 + abs(x))


def two_powers(x, y):
    return np.sum((x * x + 1.0) ** y)


def logs(x):
    return np.sum(np.log1p(x * x) + np.logaddexp(x, 0.0) + np.arctan(x) + np.cosh(x))


def means(x):
    return np.mean(x ** 2)


def sums_over_axes(x):
    return np.sum(np.sum(x, axis=0) ** 2) + np.sum(np.mean(x, axis=1, keepdims=True) * x)


def sums_by_methods(x):
    return (x * 2.0).sum(axis=1).mean() + x.mean(axis=0).sum()


def centred(x):
    d = x - np.mean(x, axis=0)
    return np.sum(d * d) / 3.0


def products(x, w):
    return np.sum(np.tanh(x @ w))


def product_of_vectors(x, y):
    return x @ y + np.dot(x, x)


def matrix_times_vector(x, v):
    return np.sum((x @ v) ** 2)


def tensors(x, y):
    return np.sum(np.tensordot(x, y, axes=((0, 1), (1, 0))) ** 2)


def tensors_over_one(x, y):
    return np.sum(np.sin(np.tensordot(x, y, axes=1)))


def dots(x, w):
    return np.sum(np.dot(x, w) ** 2)


def broadcasts(x, v):
    return np.sum((x + v) * v + x[:, :1] * 2.0)


def columns(x, v):
    return np.sum(x * v[:, None])


def chosen(x):
    return np.sum(np.where(x > 0.1, x * x, 0.1 * x))


def chosen_of_two(x, y):
    return np.sum(np.where(x > y, x * y, y))


def larger(x):
    return np.sum(np.maximum(x, 0.0) ** 2 + np.minimum(x, 0.3))


def larger_of_two(x, y):
    return np.sum(np.maximum(x, y) * x)


def clipped(x):
    return np.sum(np.clip(x, -0.5, 0.5) * x)


def slices(x):
    return np.sum(x[1:] * x[:-1] ** 2)


def slices_of_slices(x):
    y = x[:, 1:]
    return np.sum(y[1:] ** 2) + np.sum(y[0] * 3.0)


def elements(x):
    return x[0, 1] * x[1, 2] + np.sin(x[-1, -1])


def reversed_rows(x):
    return np.sum(x[::-1] * x * x)


def reshaped(x):
    return np.sum(np.reshape(x, (-1,)) ** 3) + np.sum(x.reshape(-1) ** 2)


def transposed(x):
    return np.sum((x.T @ x) ** 2) + np.sum(np.transpose(x) ** 3)


def parts_of_transposed(x):
    z = x.T
    return np.sum(z[0] * z[1])


def axes_moved(x):
    return np.sum(np.swapaxes(x, 0, 1) ** 2) + np.sum(np.moveaxis(x, 0, 1) ** 3) \
        + np.sum(np.expand_dims(x, 0) * 2.0)


def joined(x, y):
    return np.sum(np.concatenate([x, y]) ** 2) + np.sum(np.stack([x, y]) ** 3)


def spread(v):
    return np.sum(np.broadcast_to(v, (3, *v.shape)) ** 2)


def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return -np.sum(np.log(p[:, 0]))


def in_a_loop(x):
    y = x
    for k in range(3):
        y = np.sin(y) * x + k
    return np.sum(y)


def increments(x):
    y = x * 2.0
    y += x
    y *= 3.0
    return np.sum(y * y)


def helped(x):
    return _helper(x) + _helper(2.0 * x)


def _helper(x):
    return np.sum(np.cos(x) * x)


def structured(x, y):
    parts = {"a": x * 2.0, "b": (y, x)}
    return np.sum(parts["a"] * parts["b"][0] + parts["b"][1])


def logistic_regression(w, x, y):
    z = x @ w
    return np.mean(np.logaddexp(0.0, z) - y * z) + 0.1 * np.sum(w * w)


def mlp(w1, b1, w2, b2, x, y):
    h = np.tanh(x @ w1 + b1)
    p = h @ w2 + b2
    return np.mean((p - y) ** 2)


def norms(x):
    return np.sqrt(np.sum(x * x)) + np.sum(np.abs(x))


def squares(x):
    return np.sum(np.square(x)) + np.var(x)


def numbers_too(x, a):
    return np.sum(a * x) * a


def einsums(x, w):
    return np.sum(np.einsum("ij,jk->ik", x, w) ** 2)


def one_of_rows(x):
    return np.sum(x[1] ** 2) + np.sum(x[:, 2] ** 3)


def stepped(x):
    return np.sum(x[:, ::2] ** 2)


def outers(v, u):
    return np.sum(np.outer(v, u) ** 2)


def cumulated(x):
    return np.sum(np.cumsum(x, axis=0) ** 2)


def rolled(x):
    return np.sum(np.roll(x, 1, axis=0) * x) + np.sum(np.diff(x, axis=1) ** 2)


def listed(x):
    parts = []
    for k in range(3):
        parts.append(x * k)
    return np.sum(np.stack(parts) ** 2) + np.sum(np.vstack([x, x * x]) * 2.0) \
        + np.sum(np.hstack([x, 3.0 * x]) ** 2)


def moduli(x):
    z = np.exp(1j * x) * (2.0 + x)
    return np.sum(np.abs(z[1:] - 0.5 * z[:-1]) ** 2) + np.sum(np.angle(z) * np.imag(z))


def slopes_of_moduli(x):
    return np.sum(tl.grad(moduli)(x) * x)


def unused(x, y):
    return np.sum(x)


_rng = np.random.default_rng(3)
X, Y = _rng.normal(size=(4, 6)), _rng.normal(size=(4, 6))
W = _rng.normal(size=(6, 2))
V, U = _rng.normal(size=6), _rng.normal(size=6)
ROWS = _rng.normal(size=4)

PROGRAMS = [
    (sines, (X,)), (quotients, (X, abs(Y))), (powers, (abs(X),)), (two_powers, (X, Y)),
    (logs, (X,)),
    (means, (X,)), (sums_over_axes, (X,)), (sums_by_methods, (X,)), (centred, (X,)),
    (products, (X, W)), (product_of_vectors, (V, U)), (matrix_times_vector, (X, V)),
    (tensors, (X, Y.T.copy())), (tensors_over_one, (X, W)), (dots, (X, W)),
    (broadcasts, (X, V)), (columns, (X, ROWS)), (chosen, (X,)), (chosen_of_two, (X, Y)),
    (larger, (X,)), (larger_of_two, (X, Y)), (clipped, (X,)), (slices, (X,)),
    (slices_of_slices, (X,)), (elements, (X,)), (reversed_rows, (X,)), (reshaped, (X,)),
    (transposed, (X,)), (parts_of_transposed, (X,)), (axes_moved, (X,)), (joined, (X, Y)),
    (spread, (V,)), (softmax, (X,)), (in_a_loop, (X,)), (increments, (X,)), (helped, (X,)),
    (structured, (X, Y)), (logistic_regression, (V, X, (ROWS > 0) * 1.0)),
    (mlp, (W, W[0], W[:2, :1].copy(), W[0, :1].copy(), X, X[:, :1].copy())),
    (norms, (X,)), (squares, (X,)), (numbers_too, (X, 1.5)), (einsums, (X, W)),
    (one_of_rows, (X,)), (stepped, (X,)), (outers, (V, ROWS)), (cumulated, (X,)),
    (rolled, (X,)), (listed, (X,)), (moduli, (X,)), (slopes_of_moduli, (X,)), (unused, (X, Y)),
]
