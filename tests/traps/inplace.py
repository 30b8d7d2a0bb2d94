"""Traps of NumPy's own ways to write: out=, ufunc.at, copyto, fill, sort, put, views that write."""
import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])
A23 = np.arange(6.0).reshape(2, 3) * 0.3 + 0.2


def out_is_operand(u, x):
    v = u * x
    np.multiply(v, u, out=v)
    np.add(v, v, out=v)
    w = np.subtract(v, x, v)
    w[0] = x
    return np.sum(v * v)


case(out_is_operand, u4, 0.7)


def out_overlaps(u, x):
    v = u * x
    np.multiply(v[:-1], v[1:], out=v[1:])
    np.add(v[::-1], u, out=v)
    return np.sum(v * v)


case(out_overlaps, u4, 0.7)


def out_is_result(u, x):
    v = np.empty(4)
    w = np.tanh(u * x, out=v)
    v[0] = 5.0
    w[1] = x
    return np.sum(v * w)


case(out_is_result, u4, 0.7)


def out_of_reductions(A, x):
    v, w = np.zeros(3), np.zeros(2)
    np.sum(A * x, axis=0, out=v)
    np.dot(A, v, out=w)
    np.cumsum(v, out=v)
    return np.sum(v) * w[0] * w[1]


case(out_of_reductions, A23, 0.7)


def out_in_loop(u, x, n):
    a, b = u.copy(), np.empty(4)
    for k in range(n):
        np.multiply(a, x, out=b)
        np.sin(b, out=a)
        b += a
    return np.sum(a * a) + (np.sum(b) if n else 0.0)


case(out_in_loop, u4, 0.7, 3)
case(out_in_loop, u4, 0.7, 0)


def out_is_tuple(u, x):
    v = np.empty(4)
    np.multiply(u, x, out=(v,))
    return np.sum(v * v)


case(out_is_tuple, u4, 0.7)


def out_where(u, x):
    v = np.ones(4) * x
    np.multiply(u, x, out=v, where=u > 0.0)
    return np.sum(v * v)


case(out_where, u4, 0.7)


def at_with_repeats(u, x):
    v = np.zeros(3)
    np.add.at(v, [0, 2, 0, 0], u * x)
    np.subtract.at(v, np.array([1, 1]), x)
    np.add.at(v, 2, x * x)
    return np.sum(v * np.array([1.0, 2.0, 3.0])) * v[0]


case(at_with_repeats, u4, 0.7)


def at_multiplies(u, x):
    v = u.copy()
    np.multiply.at(v, [0, 0, 3], x)
    return np.sum(v * v)


case(at_multiplies, u4, 0.7)


def at_with_pairs(A, x):
    B = np.zeros((2, 3))
    np.add.at(B, ([0, 0, 1], [1, 1, 2]), [x, x * x, 1.0])
    np.add.at(B, (slice(None), [0, 0]), A[:, :2])
    return np.sum(B * B)


case(at_with_pairs, A23, 0.7)


def copied_to(u, A, x):
    v, B = np.zeros(4), np.zeros((2, 3))
    np.copyto(v, u)
    np.copyto(v[1:], v[:-1])
    np.copyto(B, x)
    np.copyto(B, A[0], where=A > 0.6)
    return np.sum(v * v) + np.sum(B * A)


case(copied_to, u4, A23, 0.7)


def filled(u, x):
    v = u.copy()
    a = v[1]
    v[1:3].fill(x)
    w = np.empty(2)
    w.fill(v[0] * a)
    v.fill(w[0])
    return np.sum(v) * w[1] * x


case(filled, u4, 0.7)


def sorted_in_place(u, x):
    v = u * x
    w = v[1:]
    v.sort()
    w[0] *= 2.0
    w[::-1].sort()
    return v[0] * 2.0 + v[1] * 3.0 + v[2] * v[3]


case(sorted_in_place, u4, 0.7)


def sorted_rows(A, x):
    B = -A * x
    B[0, 1] = x
    B.sort(axis=1)
    B.sort(axis=0)
    return np.sum(B * A)


case(sorted_rows, A23, 0.7)


def put_and_take(u, x):
    v = u.copy()
    np.put(v, [0, 2], [x, x * x])
    v.put([3], v[0])
    return np.sum(v * v) * np.take(v, [0, 0])[1]


case(put_and_take, u4, 0.7)


def diagonal_filled(A, x):
    B = A[:, :2].copy()
    np.fill_diagonal(B, x)
    return np.sum(B * B)


case(diagonal_filled, A23, 0.7)


def ravel_written(A, x):
    B = A * 1.0
    v = B.ravel()
    v[1] = x
    w = B.T.ravel()
    w[0] = 9.0 * x
    return np.sum(B * B) + np.sum(w)


case(ravel_written, A23, 0.7)


def reshape_written(u, x):
    v = u * x
    B = v.reshape(2, 2)
    B[1] *= x
    B.T[0, 1] = 3.0 * x
    C = B.T.reshape(4)
    C[0] = 7.0
    return np.sum(v * v) + np.sum(C)


case(reshape_written, u4, 0.7)


def swapped_axes_written(A, x):
    B = A * 1.0
    np.swapaxes(B, 0, 1)[0] = x
    np.moveaxis(B, 0, 1)[2] *= x
    np.transpose(B)[1, 1:] += x
    return np.sum(B * B)


case(swapped_axes_written, A23, 0.7)


def expanded_written(u, x):
    v = u * x
    v[:, None][0] = x
    np.expand_dims(v, 0)[0, 1:] *= x
    np.squeeze(v[None])[2] += x
    np.atleast_2d(v)[0, 3] = x
    return np.sum(v * v)


case(expanded_written, u4, 0.7)


def flat_written(A, x):
    B = A * 1.0
    B.flat[1] = x
    B.flat[3:] = B.flat[0] * x
    return np.sum(B * A)


case(flat_written, A23, 0.7)


def mask_written(u, x):
    v = u.copy()
    m = v > 0.0
    v[m] = x
    v[~m] *= v[m][0] * x
    v[v > x] = 0.5
    v[m & (u < 1.0)] += u[0]
    return np.sum(v * u)


case(mask_written, u4, 0.73)


def indices_written(u, x):
    v = u.copy()
    v[[0, 0, 1]] = [x, 2.0 * x, 3.0 * x]
    v[[2, 2]] += x
    v[[3, 0]] = v[[0, 3]]
    v[np.array([[1, 2]])] *= x
    return np.sum(v * v)


case(indices_written, u4, 0.7)


def overlapping_slices(u, x):
    v = u * x
    v[1:] = v[:-1]
    v[:-1] += v[1:]
    v[::2] *= v[1::2]
    v[1:3] = v[2:4] * v[0:2]
    return np.sum(v * u)


case(overlapping_slices, u4, 0.7)


def split_views_written(u, x):
    v = u * x
    a, b = np.split(v, 2)
    a[0] = x
    b *= a
    first, *rest = v
    return np.sum(v * v) * first


case(split_views_written, u4, 0.7)


def broadcast_write(A, u, x):
    B = np.zeros((2, 3))
    B[:] = A[0]
    B[:, 1:] *= u[:2, None]
    B[...] = B + x
    B[0] = B[1]
    return np.sum(B * A)


case(broadcast_write, A23, u4, 0.7)


def rows_rebound_and_written(A, x):
    B = A * x
    row = B[0]
    for k in range(2):
        row += B[k - 1]
        row = B[k]
        row[0] = row[1] * x
    return np.sum(B * B)


case(rows_rebound_and_written, A23, 0.7)


def where_in_place(u, x):
    v = u.copy()
    v[np.where(v < 0.0)] = x
    v[np.nonzero(v > 1.0)[0]] *= x
    v[np.argmax(v)] = v[np.argsort(v)[0]]
    return np.sum(v * u)


case(where_in_place, u4, 0.7)


def swap_rows(A, x):
    B = A * x
    B[[0, 1]] = B[[1, 0]]
    B[0], B[1] = B[1].copy(), B[0] * x
    return np.sum(B * A)


case(swap_rows, A23, 0.7)


def ping_pong_scaled(c, u):
    old, new = u * 1.0, np.zeros(4)
    for r in range(2):
        for i in range(4):
            new[i] = c * old[i]
        old, new = new, old
    return np.sum(old)


case(ping_pong_scaled, 0.7, u4)


def ping_pong_of_arguments(c, old, new):
    for r in range(3):
        new[0] = c * old[0] + old[1]
        old, new = new, old
    return np.sum(old * u4)


case(ping_pong_of_arguments, 0.7, u4, u4 * 0.5)


def copyto_torn(u, m):
    v = u * 1.0
    np.copyto(v[::2], v[:3], where=m)
    return np.sum(v * v * v)


case(copyto_torn, np.arange(1.0, 6.0), np.array([True, False, True]))
case(copyto_torn, np.arange(1.0, 6.0), np.array([True, True, True]))


def mask_torn(u, m):
    v = u * 1.0
    d = {"v": v, "back": v[::-1]}
    d["back"][m] = v[1:3]
    return np.sum(d["v"] * d["back"] * u)


case(mask_torn, np.arange(1.0, 4.0), np.array([True, False, True]))
case(mask_torn, np.arange(1.0, 5.0), np.array([False, True, True, False]))
case(mask_torn, np.arange(1.0, 6.0), np.array([True, False, False, False, True]))


def copyto_apart(u, m):
    v = u * 1.0
    np.copyto(v[::2], v[:3].copy(), where=m)
    np.copyto(v[1:3], u[3:], where=m[:2])
    return np.sum(v * v * v)


case(copyto_apart, np.arange(1.0, 6.0), np.array([True, False, True]))
