"""Traps of aliases and views: two names of one buffer, kept, written, rebound in loops."""
import numpy as np

from tests.traps.case import case

u5 = np.array([0.5, -1.2, 0.8, 1.7, -0.6])
A23 = np.array([[0.5, -1.2, 0.8], [1.7, -0.6, 0.3]])


def second_name(u):
    y = u
    y[0] = u[1] * u[0]
    u[1] = y[0] * y[2]
    return u[0] * y[1] + y[0]


case(second_name, u5)


def second_name_rebound(u):
    y = u
    u = u * 2.0
    y[0] = u[0] * u[1]
    u[1] = y[0]
    return np.sum(u * y)


case(second_name_rebound, u5)


def second_name_augmented(u, x):
    y = u
    u = u * x
    y += u
    z = y
    z *= x
    return np.sum(y * u) + z[0]


case(second_name_augmented, u5, 0.7)


def chained_buffers(x):
    u = w = np.zeros(3)
    u[0] = x
    w[1] = u[0] * x
    u = u * w
    w[2] = u[1]
    return np.sum(u + w * w)


case(chained_buffers, 1.3)


def view_scaled(u):
    v = u[1:]
    v *= 2.0
    y = u
    y[0] = u[1] * u[0]
    return u[0] * np.sum(v * y[1:])


case(view_scaled, u5)


def view_read_after_base_written(u, x):
    v = u[1:4]
    u[2] = x * v[0]
    w = v * v
    u[:] = w[1]
    return np.sum(v * u[1:4]) + w[0] * v[2]


case(view_read_after_base_written, u5, 0.7)


def base_read_after_view_written(u, x):
    y = u * u
    v = u[::2]
    v[1] = x
    v[:] = v * y[:3]
    return np.sum(u * y)


case(base_read_after_view_written, u5, 0.7)


def view_of_view(u):
    v = u[1:]
    w = v[1:][::-1]
    w[0] *= v[0]
    v[-1] += w[1]
    u[2:4] = w[:2]
    return np.sum(u * u * np.arange(5.0))


case(view_of_view, u5)


def overlapping_views(u):
    a = u[:-1]
    b = u[1:]
    a[:] = b * a
    b += a
    return np.sum(a * b)


case(overlapping_views, u5)


def view_made_in_loop(u, n):
    for i in range(n):
        v = u[i:]
        v *= 1.5
        v[0] = v[-1] * v[0]
    return np.sum(u * u) + v[0]


case(view_made_in_loop, u5, 4)


def view_moves_along(u):
    v = u
    while len(v) > 1:
        v[0] = v[0] * v[1]
        v = v[1:]
    v *= 3.0
    return np.sum(u * u)


case(view_moves_along, u5)


def view_outlives_its_name(u, x):
    v = u[1:3]
    u = np.zeros(2)
    v *= x
    u[0] = v[0]
    u += v
    return np.sum(u * v)


case(view_outlives_its_name, u5, 0.7)


def view_or_copy_by_branch(u, x):
    if x > 0.0:
        v = u[:3]
    else:
        v = u[:3].copy()
    v *= x
    return np.sum(u * u) + v[0]


case(view_or_copy_by_branch, u5, 0.7)
case(view_or_copy_by_branch, u5, -0.7)


def name_of_either(u, w, x):
    v = u if x > 0.0 else w
    v[0] = v[1] * x
    v = w
    v[1] *= x
    return np.sum(u * u) + np.sum(w * w * w)


case(name_of_either, u5, u5[::-1] + 0.2, 0.7)
case(name_of_either, u5, u5[::-1] + 0.2, -0.7)


def ping_pong(u, k, n):
    old = u.copy()
    new = u.copy()
    for i in range(n):
        new[1:-1] = old[1:-1] + k * old[1:-1] * old[2:]
        old, new = new, old
    return np.sum(old * old)


case(ping_pong, u5, 0.3, 3)
case(ping_pong, u5, 0.3, 0)


def three_buffers(u, n):
    a, b, c = u, np.zeros(5), np.ones(5)
    for i in range(n):
        b[:] = a * c
        a, b, c = b, c, a
        a[0] += 0.5
    return np.sum(a) + 2.0 * np.sum(b * b) + 3.0 * np.sum(c)


case(three_buffers, u5, 4)


def rebound_and_written(u, n):
    v = u
    for i in range(n):
        v[0] *= 1.1
        v = v * 0.9
        v[1] = v[0] * v[1]
    return np.sum(v * v) + np.sum(u * u)


case(rebound_and_written, u5, 3)


def row_written(A):
    r = A[0]
    r *= A[1]
    c = A[:, 1]
    c[0] = r[0] * c[1]
    return np.sum(A * A) + r[1]


case(row_written, A23)


def rows_written_in_loop(A, x):
    for row in A:
        row *= x
        row[0] = row[1] * row[2]
        row = row + 1.0
        row *= 100.0
    return np.sum(A * A)


case(rows_written_in_loop, A23, 0.7)


def transpose_written(A):
    B = A.T
    B[0] = B[1] * B[2]
    A[0, 1] *= 2.0
    return np.sum(B * B) + np.sum(A)


case(transpose_written, A23)


def reshape_written(A):
    v = A.reshape(6)
    v[1:] *= v[:-1]
    w = A.ravel()
    w[0] = 3.0 * w[1]
    return np.sum(A * A) + v[0]


case(reshape_written, A23)


def reshape_of_transpose(A):
    v = A.T.reshape(6)
    v[0] = 5.0 * v[1]
    w = np.ravel(A.T)
    w *= 3.0
    return np.sum(A * A) + np.sum(v * v) + np.sum(w)


case(reshape_of_transpose, A23)


def copy_is_not_view(u, x):
    v = u[1:].copy()
    v *= x
    w = u[1:] + 0.0
    w[0] = x
    z = np.array(u)
    z[2] = v[0]
    return np.sum(u * u) + np.sum(v * w) + np.sum(z * u)


case(copy_is_not_view, u5, 0.7)


def asarray_is_the_same(u, x):
    v = np.asarray(u)
    v[0] = x * u[1]
    return np.sum(u * u) + v[0]


case(asarray_is_the_same, u5, 0.7)


def fancy_is_a_copy(u, x):
    v = u[[0, 1, 2]]
    v *= x
    w = u[u > 0.0]
    w[0] = x
    return np.sum(u * u) + np.sum(v * v) + np.sum(w)


case(fancy_is_a_copy, u5, 0.7)


def flat_in_display(u, w):
    for v in [u, w, u]:
        v[0] = v[1] * v[0]
        v += 0.5
    return np.sum(u * u) + np.sum(w)


case(flat_in_display, u5, u5[::-1] + 0.2)


def returned_view(u):
    v = u[1:2]
    u[1] = u[0] * u[1]
    return v


case(returned_view, u5)


def returned_argument(u, x):
    u[0] = x * u[0]
    return u


case(returned_argument, np.array([0.5]), 0.7)


def number_is_not_view(u):
    a = u[0]
    a *= 3.0
    u[0] = 2.0
    b = u[1:2]
    u[1] = a * a
    return a * u[0] + np.sum(b)


case(number_is_not_view, u5)


def same_array_twice_read(u, w):
    return np.sum(u * w[::-1]) * u[0]


def _twice():
    u = u5.copy()
    return u, u


def _shifted():
    u = u5.copy()
    return u[:-1], u[1:]


case(same_array_twice_read, make=_twice)
case(same_array_twice_read, make=_shifted, label="shifted")


def strided_argument(A, u):
    A[0] = A[1] * u
    u[1] = A[0, 0]
    return np.sum(A * A) + np.sum(u * A[1])


case(strided_argument, A23.T[::-1][:2, ::-1], np.arange(10.0)[1::5])


def fortran_order_argument(A):
    v = A.ravel()
    v[0] = 7.0
    return np.sum(A * A) + v[0] * v[1]


case(fortran_order_argument, np.asfortranarray(A23))
case(fortran_order_argument, A23)


def view_that_a_call_gives(u):
    u = u * 1.0
    u[1:3] = np.flip(u[1:])[[1, 0]]
    z = np.flip(u)[[0, 0, 1]]
    u[0] = 1.0
    return np.sum(u * u) + np.sum(z * z * z)


case(view_that_a_call_gives, u5)


# Copied onto itself: what NumPy would overwrite unread is refused, see the limitations -----------
def row_into_a_column(A):
    A = A * 1.0
    A[:, 1] = A[1, :2]
    return np.sum(A * A)


case(row_into_a_column, A23)


def copied_onto_itself(u, x):
    u = u * x
    np.copyto(u[::2], u[1:4])
    return np.sum(u * u)


case(copied_onto_itself, u5, 0.7)


def mirrored_at_the_diagonal(A):
    A = A[:, :2] * 1.0
    for i in range(2):
        A[i, i:] = A[i:, i]
    return np.sum(A * A)


case(mirrored_at_the_diagonal, A23)


def parts_in_step(u):
    u = u * 1.0
    u[1:] = u[:-1]
    u[:] = u[::-1]
    u[::2] = u[:3].copy()
    u[:-2] = u[2:]
    return np.sum(u * u)


case(parts_in_step, u5)


def added_to_itself_at(u):
    y = np.cos(u)
    v = y[::-1]
    np.add.at(v, [0, 0, 1], v[:3])
    w = y[:3]
    np.add.at(w, [0, 0, 1], w)
    z = y[1:4]
    np.subtract.at(z, [2, 2, 0], z)
    return np.sum(y * y * u)


case(added_to_itself_at, u5)
