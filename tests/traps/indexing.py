"""Traps of advanced indexing: repeated indices, masks, index arrays that change, negative steps."""
import numpy as np

from tests.traps.case import case

u5 = np.array([0.5, -1.2, 0.8, 1.7, -0.6])
A23 = np.array([[0.5, -1.2, 0.8], [1.7, -0.6, 0.3]])


def gather_repeated(u):
    v = u[[0, 2, 0, -1]]
    return np.sum(v * v * np.arange(1.0, 5.0))


case(gather_repeated, u5)


def scatter_repeated(u, w):
    u[[1, 3, 1]] = w[:3] * u[:3]
    return np.sum(u * u)


case(scatter_repeated, u5, u5 + 0.3)


def scatter_add_repeated(u, w):
    u[[1, 3, 1]] += w[:3]
    u[np.array([0, 0])] *= w[3:]
    return np.sum(u * u)


case(scatter_add_repeated, u5, u5 + 0.3)


def scatter_to_scalar(u, x):
    u[[1, 1, 2]] = x
    u[[0, 0]] += x * x
    return np.sum(u * u)


case(scatter_to_scalar, u5, 0.7)


def index_array_changed(u):
    idx = np.array([0, 2, 4])
    v = u[idx]
    idx[0] = 3
    u[idx] *= v
    idx = idx - 1
    return np.sum(v * v) + np.sum(u[idx] * u[:3])


case(index_array_changed, u5)


def index_array_from_values(u):
    order = np.argsort(u)
    v = u[order]
    u[order[0]] = v[-1] * v[1]
    return v[0] * v[1] + 2.0 * v[-1] + u[np.argmax(u)]


case(index_array_from_values, u5)


def index_list_argument(E, rows):
    total = 0.0
    for r in rows:
        total = total + np.sum(E[r] * E[r - 1])
    return total + np.sum(E[rows] ** 2)


case(index_list_argument, A23, [0, 1, 0])
case(index_list_argument, A23, np.array([1, 1]))


def mask_read(u):
    v = u[u > 0.0]
    return np.sum(v * v) + v[0]


case(mask_read, u5)


def mask_written(u, x):
    u[u > 0.6] = x
    u[u < 0.0] *= u[0]
    return np.sum(u * u)


case(mask_written, u5, 0.3)


def mask_outlives_values(u):
    m = u > 0.0
    u[:] = u * u - 1.0
    u[m] += 2.0
    v = np.where(m, u, -u)
    m[0] = False
    u[m] = 0.5 * v[m]
    return np.sum(u * v)


case(mask_outlives_values, u5)


def mask_as_factor(u):
    m = u > 0.0
    return np.sum(m * u * u + (1.0 - m) * u) + np.sum(m)


case(mask_as_factor, u5)


def negative_indices(u):
    u[-1] = u[-2] * u[-5]
    u[-3:-1] *= u[-1]
    for i in range(-5, 0):
        u[i] = u[i] * u[i + 1]
    return u[-1] + np.sum(u[-4:])


case(negative_indices, u5)


def negative_steps(u):
    v = u[::-1]
    v[0] = 2.0 * v[1]
    u[3:0:-1] = u[1:4]
    w = u[-2::-2]
    w *= v[:2]
    return np.sum(v * np.arange(5.0)) + w[0]


case(negative_steps, u5)


def slices_out_of_range(u):
    v = u[2:100]
    u[-100:2] *= 3.0
    return np.sum(v * v) + np.sum(u[:10])


case(slices_out_of_range, u5)


def slice_bounds_vary(u, n):
    for i in range(1, n):
        u[i:] += u[:-i] * u[i - 1]
        u[:i] = u[-i:]
    return np.sum(u * u)


case(slice_bounds_vary, u5, 4)


def slice_bounds_overwritten(u):
    a, b = 1, 3
    u[a:b] = u[a + 1:b + 1] * 2.0
    a, b = 0, 4
    u[a:b:2] *= u[a + 1:b + 1:2]
    a = 3
    return np.sum(u[:a] * u[:a])


case(slice_bounds_overwritten, u5)


def slice_object(u):
    s = slice(1, 4)
    u[s] = u[s] * u[0]
    s = slice(None, None, 2)
    return np.sum(u[s] * u[s])


case(slice_object, u5)


def pairs_of_indices(A):
    v = A[[0, 1, 0], [2, 0, 2]]
    A[[0, 1], [0, 0]] = v[:2] * v[1:]
    return np.sum(A * A) + np.sum(v)


case(pairs_of_indices, A23)


def mixed_index(A):
    v = A[1, [0, 2, 0]]
    w = A[:, [1, 1]]
    A[[1, 0]] = A * 2.0
    return np.sum(v * v) + np.sum(w * w) + np.sum(A[0] * A[1])


case(mixed_index, A23)


def bool_index_list(u):
    return np.sum(u[[True, False, True, False, True]] ** 2)


case(bool_index_list, u5)


def takes(u, A):
    return np.sum(np.take(u, [0, 0, 3]) ** 2) + np.diag(A[:, :2])[1] * A.trace()


case(takes, u5, A23)


def index_is_float_made_int(u, x):
    k = int(x * 10.0) % 5
    u[k] = x * u[k]
    x = x + u[k]
    k = int(abs(x)) % 5
    return u[k] * x + np.sum(u)


case(index_is_float_made_int, u5, 0.73)
