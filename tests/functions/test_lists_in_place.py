"""Functions that call themselves and change lists that they are given, or read them: sorting,
tables of what was found before.
"""
import math

import numpy as np
import pytest

from tests.functions.recursive_slopes import check_slopes
from tests.functions.test_in_place import quicksort


def sorted_list(x, w):
    a = [v * v for v in x]
    quicksort(a, 0, len(a) - 1)
    t = 0.0
    for k in range(len(a)):
        t += w[k] * a[k] * a[k]
    return t


def recalled(n, x, memo):
    if memo[n] > -1000000000.0:
        return memo[n]
    if n < 2:
        r = x[n]
    else:
        r = recalled(n - 1, x, memo) * 0.7 + math.sin(recalled(n - 2, x, memo))
    memo[n] = r
    return r


def memo_array(x, w):
    return recalled(12, x, np.full(20, -10000000000.0)) * w[0]


def memo_list(x, w):
    return recalled(12, x, [-10000000000.0] * 20) * w[0]


def recalled_local(x, w):
    memo = np.full(20, -10000000000.0)

    def h(n):
        if memo[n] > -1000000000.0:
            return memo[n]
        r = x[n] if n < 2 else h(n - 1) * 0.7 + math.sin(h(n - 2))
        memo[n] = r
        return r
    return h(12) * w[0]


def grid_paths(c, i, j, table, done):
    if done[i, j]:
        return table[i, j]
    if i == 0 and j == 0:
        r = c[0]
    elif i == 0:
        r = grid_paths(c, i, j - 1, table, done) + c[j]
    elif j == 0:
        r = grid_paths(c, i - 1, j, table, done) * c[i]
    else:
        above = grid_paths(c, i - 1, j, table, done)
        r = min(above, grid_paths(c, i, j - 1, table, done)) + c[i] * c[j]
    table[i, j] = r
    done[i, j] = True
    return r


def grid_dp(x, w):
    return grid_paths(x * w, 4, 4, np.zeros((5, 5)), np.zeros((5, 5), dtype=bool))


def lsum(xs, lo, hi, w):
    if hi - lo == 1:
        return xs[lo] * w
    m = (lo + hi) // 2
    return lsum(xs, lo, m, w) * lsum(xs, m, hi, w) + w


def list_sum(x, w):
    return lsum([v * 1.5 for v in x], 0, 6, w[0])


def filled(out, x, k):
    if k == len(out):
        return
    out[k] = math.sin(x[k]) + (out[k - 1] if k > 0 else 0.0)
    filled(out, x, k + 1)


def fill_list(x, w):
    out = [0.0] * 6
    filled(out, x, 0)
    return sum(out) * w[2] + out[3] ** 2


def list_of_ints(x, w):
    out = [0] * 6
    filled(out, x, 0)
    return sum(out) * w[2] + out[3] ** 2


def appends(out, x, k):
    if k == len(x):
        return
    out.append(x[k] * 2.0)
    appends(out, x, k + 1)
    out[0] = out[0] + out[-1]


def appended(x, w):
    out = [w[0]]
    appends(out, x, 0)
    return sum(out) * out[2]


def slices(out, k, w):
    if k < 2:
        return
    out[:k] = [v * w[0] for v in out[:k]][::-1]
    slices(out, k - 1, w)


def slices_set(x, w):
    out = [v for v in x]
    slices(out, 5, w)
    return out[0] * out[3] + sum(out)


def two_lists(a, b, k, w):
    if k == 0:
        return 1.0
    a[k], b[k] = (b[k] * w[k], a[k - 1] + a[k])
    r = two_lists(b, a, k - 1, w)
    a[0] += r * 0.1
    return r + a[k]


def same_lists(x, w):
    a = [v for v in x]
    r = two_lists(a, a, 4, w)
    return r * sum(a)


def held_twice(x, w):
    a = [v for v in x]
    h = (a, w[0])
    c = a
    filled(a, w, 2)
    return sum(h[0]) * c[3] + sum(c)


def lists_in_loop(x, w):
    a = list(x)
    t = 0.0
    for k in range(4):
        t += a[k] ** 2
        filled(a, w, k)
        b = a.copy()
        filled(b, x, 2)
        t = t * 0.5 + b[3] * a[2]
        a[1] = t * w[k]
    return t + sum(a)


def del_item(a, k, w):
    if k == 0:
        return
    del a[k]
    del_item(a, k - 1, w)
    a[0] *= w[k]


def deleted(x, w):
    a = list(x)
    del_item(a, 3, w)
    return sum(a) * a[0]


def swaps(a, k, w):
    if k == len(a):
        return a[0] * w[0] + a[1] * w[1] * a[2]
    total = 0.0
    for i in range(k, len(a)):
        a[k], a[i] = (a[i], a[k])
        total += swaps(a, k + 1, w)
        a[k], a[i] = (a[i], a[k])
    return total


def permuted_list(x, w):
    return swaps([v * v for v in x[:4]], 0, w)


def to_complex(a, k, w):
    if k == 0:
        return
    a[k] = a[k] * (1.0 + w[k] * 1j)
    to_complex(a, k - 1, w)


def becomes_complex(x, w):
    a = [v for v in x]
    to_complex(a, 4, w)
    return abs(a[3]) * a[0] + abs(a[2] * a[4])


def to_none(a, k, w):
    if k == 0:
        return
    a[k] = None
    a[0] = a[0] * w[k]
    to_none(a, k - 1, w)


def becomes_none(x, w):
    a = [v for v in x]
    to_none(a, 4, w)
    return a[0] * a[5] * (2.0 if a[3] is None else 1.0)


def to_int(a, k, w):
    if k == 0:
        return
    a[k] = k
    a[0] = a[0] * w[k] + a[k + 1]
    to_int(a, k - 1, w)


def becomes_int(x, w):
    a = [v for v in x]
    to_int(a, 4, w)
    a[2] = a[2] + x[0]
    return a[0] * a[5] * a[3] + a[2] ** 2


def to_array(a, k, w):
    if k == 0:
        return
    a[k] = w * a[k]
    to_array(a, k - 1, w)


def becomes_array(x, w):
    a = [v for v in x]
    to_array(a, 4, w)
    return np.sum(a[2]) * a[0] + a[3][1]


def of_list(xs, w, k):
    if k == len(xs):
        return sum(xs) * w
    return of_list(xs, w * xs[k], k + 1) + xs[k - 1] * max(xs)


def list_alone(x, w):
    return of_list([v for v in x], w[0], 0)


def list_through(xs, k):
    if k == 0:
        return xs
    return list_through(xs, k - 1)


def list_returned(x, w):
    return sum(list_through([v * v for v in x], 3)) * w[0]


def of_lists(xs, ws, k):
    t = 0.0
    for a, b in zip(xs, ws):
        t += a * b
    if k == 0:
        return t
    for n in range(2):
        t += of_lists(xs, ws, k - 1) * xs[n]
    return t


def lists_in_step(x, w):
    return of_lists([v for v in x], [v for v in w], 2)


def looks_on(n, x, a):
    y = x * 0.9
    if n <= 0:
        return y
    y = y + a[-1] * a[0]
    y = y * 0.5 + looks_on(n - 1, x, a)
    return math.sin(x)


def looks_on_for_a_number(n, a):
    if n <= 0:
        return 1.0
    y = a[-1] * a[0] + looks_on_for_a_number(n - 1, a)
    return 2.0 if y > 1e9 else 3.0


def last_to_first(n, x, a):
    if n <= 0:
        return x
    y = last_to_first(n - 1, x * x, a) + looks_on(n - 1, x, a) * looks_on_for_a_number(n - 1, a)
    a[0] = a[-1] * y
    return y * a[0]


def read_in_vain(x, w):
    a = [w[0], x[0]]
    y = last_to_first(3, 0.6 * x[1], a)
    return y + a[0] * a[1]


def array_read_in_vain(x, w):
    a = x * w
    y = last_to_first(3, 0.6 * x[1], a)
    return y + np.sum(a * a)


FUNCTIONS = [sorted_list, memo_array, memo_list, recalled_local, grid_dp, list_sum, fill_list,
             list_of_ints, lists_in_loop, permuted_list, list_alone, list_returned, lists_in_step,
             appended, becomes_int, deleted, array_read_in_vain]
# Lists of which parts are replaced, that hold other things in the end, and that have two names.
BY_IDENTITY = [slices_set, same_lists, held_twice, becomes_complex, becomes_none, becomes_array]


@pytest.mark.parametrize("f", FUNCTIONS + BY_IDENTITY)
@pytest.mark.sweep(5)
def test_slopes(f):
    check_slopes(f, by_identity=f in BY_IDENTITY)


def test_half_that_reads_in_vain():
    """What it returns does not depend on the list: it adds nothing to the adjoint of that."""
    check_slopes(read_in_vain)
