"""Traps of shape and type: empty arrays, 0-d, size one, float32, ints, broadcasting."""
import numpy as np

from tests.traps.case import case

u5 = np.array([0.5, -1.2, 0.8, 1.7, -0.6])
A23 = np.array([[0.5, -1.2, 0.8], [1.7, -0.6, 0.3]])


def sum_of_squares(u, x):
    u *= x
    for i in range(len(u)):
        u[i] = u[i] * u[i]
    return np.sum(u) + x


case(sum_of_squares, np.array([]), 0.7, label="empty")
case(sum_of_squares, np.array([1.5]), 0.7, label="one")
case(sum_of_squares, u5.astype(np.float32), 0.7, label="float32")


def empty_slices(u):
    v = u[2:2]
    u[5:] = 3.0
    u[1:1] += v
    w = np.concatenate([v, u[4:], v])
    return np.sum(v) + np.sum(w * w) + u[0]


case(empty_slices, u5)


def zero_dim(x, y):
    z = x * y
    z += x
    return z * np.sum(z)


case(zero_dim, np.array(0.7), 1.3)
case(zero_dim, np.array(0.7), np.array(1.3))
case(zero_dim, np.float64(0.7), 1.3, label="float64")


def zero_dim_written(x):
    x *= 2.0
    x[...] = x * x
    y = x
    y[()] = y * 3.0
    return x * 1.0


case(zero_dim_written, np.array(0.7))


def one_element(u, A):
    return (u * A).reshape(1) * u + A[0] * A[0, 0]


case(one_element, np.array([0.7]), np.array([[1.3]]))


def broadcasting(A, u, c, x):
    z = A * u + c
    z = z / (1.0 + c * c) - x
    z += u
    z *= c
    return np.sum(z * z)


case(broadcasting, A23, u5[:3], np.array([[0.4], [0.9]]), 0.7)
case(broadcasting, A23, u5[:1], np.array([[0.4]]), 0.7)


def broadcast_to_more(u, x):
    A = np.ones((2, 3)) * u
    B = u[:, None] * u[None, :]
    return np.sum(A * x) + np.sum(B * B) + np.sum(x + np.zeros(4))


case(broadcast_to_more, u5[:3], 0.7)


def mixed_ints(u, k, x):
    v = u * k + 3
    n = np.arange(5)
    w = n * x + k
    return np.sum(v * n) + np.sum(w / 2) + k**2 * x


case(mixed_ints, u5, 2, 0.7)


def int_array_stays(x, u):
    n = np.array([1, 2, 3])
    n[0] = 5
    n += 1
    z = n * x
    z[n > 4] = u[0]
    return np.sum(z * z) + n[1] * x


case(int_array_stays, 0.7, u5)


def int_array_truncates(x):
    n = np.zeros(3, dtype=int)
    n[0] = int(x * 10.0)
    return n[0] * x + np.sum(n)


case(int_array_truncates, 0.77)


def single_and_double(u, w):
    z = u * w
    z = z + u
    return np.sum(z * z)


case(single_and_double, u5.astype(np.float32), u5)
case(single_and_double, u5.astype(np.float32), u5.astype(np.float32))


def keeps_dims(A):
    m = np.mean(A, axis=0, keepdims=True)
    s = np.sum(A, axis=1, keepdims=True)
    A -= m
    A *= s
    return np.sum(A * A) + np.max(A, axis=-1).sum() + A.min(axis=0)[0]


case(keeps_dims, A23)


def axes(A):
    return (np.sum(A, axis=(0, 1)) + np.prod(A, axis=1)[0] + A.sum(0)[1] * A.mean(axis=-1)[1]
            + np.cumsum(A, axis=1)[1, 2] * np.cumsum(A)[3])


case(axes, A23)


def products(A, u, B):
    v = A @ u
    w = v @ A
    M = A @ B
    z = np.dot(M, v) + np.dot(u, w) * np.ones(2)
    return np.sum(z * z) + v @ v + np.dot(A, u)[0]


case(products, A23, u5[:3], np.arange(6.0).reshape(3, 2) * 0.2)


def joins(u, w, x):
    a = np.concatenate((u[1:], w, [x]))
    b = np.stack([u, w * x, np.ones(5)])
    c = np.array([x, u[0], 2.0, x * x])
    return np.sum(a * np.arange(10.0)) + np.sum(b[:, 1] * b[1, :3]) + np.sum(c * c)


case(joins, u5, u5 * 2.0, 0.7)


def transposes(A):
    B = np.transpose(A) @ A.T.T
    return np.sum(B * B) + np.sum(A.T[1] * A[:, 0]) + A.T.sum(axis=0)[1]


case(transposes, A23)


def reshapes(A, u):
    B = u[:4].reshape(2, 2) @ A
    v = np.reshape(B, (3, -1))
    return np.sum(v[:, 0] * v[:, 1]) + v.flatten()[2] + v.size * B.ravel()[-1] + v.ndim


case(reshapes, A23, u5)


def three_dims(T):
    T[:, 1, :] *= 2.0
    T[..., 0] += T[..., 1]
    v = T[1]
    v[0] = v[1] * v[0]
    return np.sum(T * T) + np.sum(T[:, 1, 0])


case(three_dims, np.arange(12.0).reshape(2, 3, 2) * 0.1)


def new_axes(u):
    A = u[:, np.newaxis] * u[None]
    A[2] = u
    return np.sum(A[1] * A[:, 2])


case(new_axes, u5)


def float32_scalar(x, u):
    y = x * u[0]
    return y * y


case(float32_scalar, np.float32(0.7), u5.astype(np.float32))


def matrix_of_no_rows(A, u):
    for row in A:
        u = u * row
    A *= 2.0
    return np.sum(u) + np.sum(A)


case(matrix_of_no_rows, np.zeros((0, 3)), u5[:3])


def truth_of_size(u):
    if len(u) and u.size > 2 and u.shape[0] != 7:
        u = u * u
    return np.sum(u) * u.shape[0]


case(truth_of_size, u5)
case(truth_of_size, u5[:0])


# One shape in an iteration, another in the next --------------------------------------------------
def kept_from_the_last_iteration(x, n):
    h = x
    s = 0.0
    for i in range(n):
        t = h[1:]
        if i > 0:
            q = last * t  # noqa: F821
            s = s + np.sum(q * q)
        last = t * 2.0
        h = h[3:] if i == 0 else h[1:]
    return s


case(kept_from_the_last_iteration, np.array([1.0, 2.0, 3.0, 4.0, 5.0]), 2)


def rows_kept_from_the_last_iteration(W, n):
    s = 0.0
    for i in range(n):
        t = W.T @ np.ones(3) + W[0]
        if i > 0:
            q = last * t  # noqa: F821
            s = s + np.sum(q * q)
        last = t * 2.0
        W = W[:, 1:] if i == 1 else W[:, :1]
    return s


case(rows_kept_from_the_last_iteration, np.arange(6.0).reshape(3, 2), 2)


def shapes_made_of_shapes(W, x, n):
    s = 0.0
    h = x
    for i in range(n):
        a = W.T @ h
        b = np.sum(W, axis=0) + W[i]
        h = np.tanh(a + b + np.outer(h, h)[0])
        s = s + np.sum(h * a, keepdims=True)[0]
    return s


case(shapes_made_of_shapes, np.array([[0.4, -0.2], [0.7, 0.3]]), np.array([0.5, -0.6]), 2)
case(shapes_made_of_shapes, np.array([[0.4, -0.2], [0.7, 0.3]]), np.array([0.5, -0.6]), 0)
