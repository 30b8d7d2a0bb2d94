"""Traps of array writes: elements, slices, whole arrays, rows; what was there is read again."""
import math

import numpy as np

from tests.traps.case import case

u5 = np.array([0.5, -1.2, 0.8, 1.7, -0.6])
A23 = np.array([[0.5, -1.2, 0.8], [1.7, -0.6, 0.3]])


def element_overwritten(u, x):
    y = u[1] * u[2]
    u[1] = x * y
    u[2] = u[1] * u[1]
    return np.sum(u * u) * y


case(element_overwritten, u5, 0.7)


def element_times_index(u):
    for i in range(len(u)):
        u[i] *= i
    return np.sum(u * u)


case(element_times_index, u5)


def element_times_int(u, k):
    u[1] *= k
    u[2] *= 0
    u[3] += 2
    u[4] = 1
    return np.prod(1.0 + u) + u[2] * u[1]


case(element_times_int, u5, 3)
case(element_times_int, u5, 0)


def element_recurrence(u):
    for i in range(1, len(u)):
        u[i] = u[i - 1] * u[i]
    return u[-1] + u[2]


case(element_recurrence, u5)


def element_recurrence_backwards(u):
    for i in range(len(u) - 2, -1, -1):
        u[i] = u[i] - 0.7 * u[i + 1] * u[i]
    return u[0] * u[1]


case(element_recurrence_backwards, u5)


def element_by_itself(u):
    u[2] = u[2] * u[2]
    u[2] *= u[2]
    u[2] += u[2]
    u[2] -= 0.5 * u[2] * u[1]
    u[1] -= u[1]
    return u[2] * u[1] + u[2]


case(element_by_itself, u5)


def element_read_before_and_after(u, x):
    a = u[0]
    u[0] = x
    b = u[0]
    u[0] = a * b
    return a * b * u[0]


case(element_read_before_and_after, u5, 0.7)


def element_swap(u):
    u[0], u[1] = u[1], u[0]
    u[1], u[2] = u[2] * u[0], u[1]
    return u[0] + 2.0 * u[1] + 3.0 * u[2] * u[2]


case(element_swap, u5)


def element_swap_in_loop(u):
    n = len(u)
    for i in range(n // 2):
        u[i], u[n - 1 - i] = u[n - 1 - i], u[i]
    return np.sum(u * np.arange(5.0) ** 2)


case(element_swap_in_loop, u5)


def bubble_sort(u):
    n = len(u)
    for i in range(n):
        for j in range(n - 1 - i):
            if u[j] > u[j + 1]:
                t = u[j]
                u[j] = u[j + 1]
                u[j + 1] = t
    return np.sum(u * np.arange(5.0))


case(bubble_sort, u5)


def counter_index(u, x):
    k = 0
    for i in range(3):
        u[k] = u[k] * x
        k = k + 2 * (i % 2)
        u[k] += x * x
    k = 4
    return np.sum(u * u) + u[k]


case(counter_index, u5, 0.7)


def index_overwritten_after(u, x):
    k = 1
    u[k] = x * u[k + 1]
    k = 3
    u[k] *= x
    k = len(u) - 1
    return u[k] * u[1] * u[3]


case(index_overwritten_after, u5, 0.7)


def index_changed_by_write(u, x):
    k = 0
    u[k], k = x * u[k], 2
    u[k] = x
    return np.sum(u * u) + k


case(index_changed_by_write, u5, 0.7)


def slice_overlapping(u):
    u[1:-1] = u[2:] - u[:-2]
    return np.sum(u * u)


case(slice_overlapping, u5)


def slice_overlapping_products(u, n):
    for t in range(n):
        u[1:-1] = u[1:-1] + 0.1 * u[2:] * u[:-2]
        u[0] = u[-2] * 0.5
        u[-1] = u[1] * u[0]
    return np.sum(u * u)


case(slice_overlapping_products, u5, 3)
case(slice_overlapping_products, u5, 0)


def slice_shifted(u, x):
    u[1:] = u[:-1]
    u[0] = x
    u[:-1] = u[1:] * x
    u[:2] += u[-2:]
    u[1:4] *= u[2:5]
    return np.sum(u * u * np.arange(5.0))


case(slice_shifted, u5, 0.7)


def slice_reversed(u):
    u[:] = u[::-1] * u
    u[::2] = u[::-2] * 0.5
    u[::-1] += u
    return np.sum(u * np.arange(5.0))


case(slice_reversed, u5)


def slice_to_scalar(u, x):
    u[1:3] = x
    u[3:] = u[0]
    u[1:2] = u[1:2] * u[2]
    return np.sum(u * u) * x


case(slice_to_scalar, u5, 0.7)


def slice_to_constant(u):
    y = np.sum(u[1:3] * u[2:4])
    u[1:3] = 0.0
    u[4] = 0
    return np.sum(u * u) * y


case(slice_to_constant, u5)


def whole_overwritten(u, w):
    y = np.sum(u * w)
    u[:] = w * y
    w[...] = u * u
    return np.sum(u * w)


case(whole_overwritten, u5, u5[::-1] + 0.1)


def whole_by_itself(u):
    u[:] = u
    u[:] = u * u
    u += u
    u *= u
    u -= 0.1 * u
    return np.sum(u)


case(whole_by_itself, u5)


def whole_minus_itself(u):
    y = np.sum(u * u)
    u -= u
    u += 1.0
    return np.sum(u) * y


case(whole_minus_itself, u5)


def argument_augmented(u, x):
    u += x
    u *= u * x
    u /= 1.0 + x * x
    u **= 2
    return np.sum(u)


case(argument_augmented, u5, 0.7)


def augmented_broadcast(A, u, x):
    A += u
    A *= x
    A -= A[:, :1]
    A[0] += u * x
    A[:, 1] *= np.array([x, 2.0])
    return np.sum(A * A)


case(augmented_broadcast, A23, u5[:3], 0.7)


def matrix_elements(A, x):
    for i in range(2):
        for j in range(3):
            A[i, j] = A[i, j] * A[i - 1, j - 1] + x
            A[i][j] *= x
    return np.sum(A * A)


case(matrix_elements, A23, 0.7)


def matrix_rows(A):
    A[0] = A[1] * A[0]
    A[1, :] = A[0]
    A[:, 2] = A[:, 0] * A[:, 1]
    A[:, 0] += 1.0
    A[-1] *= A[0]
    return np.sum(A * A)


case(matrix_rows, A23)


def matrix_blocks(A):
    A[:, 1:] = A[:, :-1] * A[:, 1:]
    A[::-1, :2] = A[:, 1:]
    A[:1] += A[1:]
    return np.sum(A * A)


case(matrix_blocks, A23)


def write_broadcasts(A, u, x):
    A[:] = u
    A[:, :2] = x * u[:2]
    A[1] = x
    return np.sum(A * A * u)


case(write_broadcasts, A23, u5[:3], 0.7)


def local_buffer(x, n):
    u = np.zeros(n)
    u[0] = x
    for i in range(1, n):
        u[i] = math.sin(u[i - 1]) * x
    return np.sum(u * u)


case(local_buffer, 0.7, 4)
case(local_buffer, 0.7, 1)


def buffer_reused(x, n):
    u = np.empty(3)
    total = 0.0
    for i in range(n):
        u[:] = x * i
        u[1] = x * x
        total = total + np.prod(u + 1.0)
        x = x + 0.1 * u[2]
    return total


case(buffer_reused, 0.7, 3)


def buffer_made_in_loop(x, n):
    total = 0.0
    for i in range(n):
        u = np.zeros(2)
        u[0] = x
        u[1] = u[0] * x + total
        total = total + u[1] * u[0]
    return total


case(buffer_made_in_loop, 0.7, 3)


def buffer_accumulates(u, n):
    total = np.zeros_like(u)
    for i in range(n):
        total += u * u
        u = u * 0.5
    return np.sum(total * u)


case(buffer_accumulates, u5, 3)


def scalar_or_array_accumulates(x, u):
    a = x
    a += u[0]
    b = u
    b += x
    c = u[1]
    c *= x
    return a * c + np.sum(b * u)


case(scalar_or_array_accumulates, 0.7, u5)


def starts_as_number(u):
    total = 0.0
    for i in range(3):
        total += u * i
    total += 1.0
    return np.sum(total * total)


case(starts_as_number, u5)


def starts_as_row(A):
    total = A[0] * 1.0
    for i in range(1, 2):
        total += A[i] * total
    return np.sum(total)


case(starts_as_row, A23)


def write_under_condition(u):
    for i in range(1, len(u)):
        if u[i] > u[i - 1]:
            u[i] = u[i - 1] * u[i]
        elif u[i] < -1.0:
            u[i - 1] = u[i]
    return np.sum(u * u)


case(write_under_condition, u5)


def tridiagonal(a, b, c, d):
    n = len(d)
    for i in range(1, n):
        w = a[i] / b[i - 1]
        b[i] = b[i] - w * c[i - 1]
        d[i] = d[i] - w * d[i - 1]
    d[n - 1] = d[n - 1] / b[n - 1]
    for i in range(n - 2, -1, -1):
        d[i] = (d[i] - c[i] * d[i + 1]) / b[i]
    return np.sum(d * d)


case(tridiagonal, u5, np.full(5, 4.0), u5[::-1] * 0.5, np.arange(5.0) + 0.3)


def cholesky_by_elements(A):
    n = A.shape[0]
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                L[i, i] = math.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return np.sum(L * L * L)


case(cholesky_by_elements, np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]))


def prefix_products(u):
    p = np.ones(len(u) + 1)
    for i, v in enumerate(u):
        p[i + 1] = p[i] * v
    p[1:-1] *= p[2:]
    return np.sum(p)


case(prefix_products, u5)


def iterated_while_written(u):
    total = 0.0
    for i, v in enumerate(u):
        u[(i + 1) % 5] = u[(i + 1) % 5] + 0.5 * v
        total = total + v * v
    return total + u[0]


case(iterated_while_written, u5)


def unpacked_into_itself(u):
    a = u * 1.0
    a[2], a[0], a[1], *_ = a
    b = u * u
    b[1], *rest = b
    t = [u[0], u[1] * 2.0, u[2]]
    t[1], t[0], _ = t
    return a[0] * a[1] ** 2 * a[2] ** 3 + b[1] * rest[0] * rest[1] ** 2 + t[0] * t[1] ** 2


case(unpacked_into_itself, u5)


def rest_of_itself(u, n):
    t = [u[0], u[1], u[2]]
    for _ in range(n):
        *t, last = t
        t = [last * last] + t
    *u, end = u
    return t[0] * t[1] ** 2 + u[0] * end


case(rest_of_itself, u5, 2)
case(rest_of_itself, u5, 0)
