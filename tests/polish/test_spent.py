"""Adjoints that are used up: which zeros are left out, and which have to stay."""

import re

import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.analyses import spans

X = np.array([0.3, -0.7, 1.1, 0.4, 0.9, -0.2])


# Left out ---------------------------------------------------------------------------------------
def each(x):
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        y[i] = np.sin(x[i]) * x[i]
    return np.sum(y * y)


def rows(x):
    n = x.shape[0]
    y = np.zeros((n, 2))
    for i in range(n):
        y[i] = np.array([x[i], x[i] ** 2])
    return np.sum(y ** 3)


def columns(x):
    n = x.shape[0]
    y = np.zeros((n, 3))
    for k in range(3):
        y[:, k] = x * (k + 1.0) + y[:, k]
    return np.sum(y ** 3)


def recurrence(x):
    n = x.shape[0]
    y = np.zeros(n)
    y[0] = x[0]
    for i in range(1, n):
        y[i] = 0.5 * y[i - 1] + np.sin(x[i])
    return y[-1] ** 2


def backwards(x):
    n = x.shape[0]
    y = np.zeros(n + 1)
    for i in range(n - 1, -1, -1):
        y[i] = x[i] * y[i + 1] + x[i]
    return y[0] * 2.0


def table(x):
    n = x.shape[0]
    y = np.ones((n + 1, n + 1))
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            y[i, j] = x[i - 1] * y[i - 1, j] + y[i, j - 1] * x[j - 1] + y[i - 1, j - 1]
    return y[n, n]


def pairs(x):
    n = x.shape[0] // 2
    y = np.zeros(2 * n)
    for i in range(n):
        y[2 * i] = x[i] ** 2
        y[2 * i + 1] = x[i + n] * x[i]
    return np.sum(y * y)


def anew(x):
    total = 0.0
    for k in range(3):
        y = np.zeros(x.shape[0])
        for i in range(x.shape[0]):
            y[i] = x[i] ** k
        total = total + np.sum(y * y)
    return total


def branches(x):
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        if x[i] > 0.0:
            y[i] = x[i] ** 2
        else:
            y[i] = -x[i]
    return np.sum(y ** 3)


def masked(x):
    y, low = np.zeros(x.shape[0]), x < 0.5
    y[low] = x[low] ** 2
    return np.sum(y * x)


def masked_in_turn(x):
    s = 0.0
    for k in range(3):
        y = np.zeros(x.shape[0])
        y[x > 0.31 * k] = x[x > 0.31 * k] * k
        s += np.sum(y * y * x)
    return s


def opposite(x):
    y, low = np.zeros(x.shape[0]), x < 0.5
    y[low] = x[low] ** 2
    y[~low] = np.sin(x[~low])
    return np.sum(y * x)


LEFT_OUT = [each, rows, columns, recurrence, backwards, table, pairs, anew, branches,
            masked, masked_in_turn, opposite]


# To stay ----------------------------------------------------------------------------------------
def twice(x):
    y = np.zeros(x.shape[0])
    for k in range(2):
        for i in range(x.shape[0]):
            y[i] = x[i] * (k + x[0])
    return np.sum(y * y)


def same_counter(x):
    n = x.shape[0]
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i] ** 2
    for i in range(n):
        y[i] = y[i] * x[0]
    return np.sum(y * y)


def one_place(x):
    y = np.zeros(3)
    for i in range(x.shape[0]):
        y[1] = x[i] * x[0]
    return np.sum(y * y)


def behind(x):
    n = x.shape[0]
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i] ** 2
        y[n - 1] = x[i] * x[0]
    return np.sum(y * y)


def ahead(x):
    n = x.shape[0]
    y = x * x
    for i in range(n - 1):
        y[i + 1] = y[i] * x[i]
        y[i] = x[i] ** 3
    return np.sum(y * y)


def overlapping(x):
    y = np.ones(x.shape[0])
    for i in range(x.shape[0] - 2):
        y[i:i + 3] = x[i] * x[i + 1]
    return np.sum(y * y)


def viewed(x):
    y = np.zeros(x.shape[0])
    v = y[2:4]
    for i in range(x.shape[0]):
        y[i] = x[i] ** 2
    v[0] = 3.0 * v[1]
    return np.sum(y * y) + np.sum(v)


def by_while(x):
    y = np.ones(x.shape[0])
    i = 0
    while i < x.shape[0]:
        y[i] = x[i] * y[i]
        y[0] = x[0] * y[i]
        i = i + 1
    return np.sum(y * y)


def modulo(x):
    y = np.ones(3)
    for i in range(x.shape[0]):
        y[i % 3] = x[i] * x[0]
    return np.sum(y)


def mirrored(x):
    n = x.shape[0]
    y = np.ones(n)
    for i in range(n):
        y[n - 1 - i] = x[i] * y[i]
    return np.sum(y * y)


def written(x):
    for i in range(1, x.shape[0]):
        x[i] = x[0] * x[i - 1]
    return np.sum(x * x)


def repeated(x, where):
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        y[where[i]] = x[i] ** 2
    return np.sum(y * y)


def masks_that_overlap(x):
    y = np.zeros(x.shape[0])
    y[x < 0.5] = x[x < 0.5] ** 2
    y[x < 0.95] += np.sin(x[x < 0.95])
    y[x < 0.2] = 3.0 * x[x < 0.2]
    return np.sum(y * x)


def masks_that_change(x):
    y, chosen = np.zeros(x.shape[0]), x > 0.45
    y[chosen] = x[chosen] ** 2
    chosen[0] = not chosen[0]
    y[chosen] = np.sin(x[chosen])
    return np.sum(y * y)


def kept_from_the_last_turn(x):
    y = x.copy()
    for k in range(3):
        y[y > 0.31 * k] = np.sin(x[y > 0.31 * k]) * k
    return np.sum(y * y)


def opposite_of_another(x):
    y, low, high = np.zeros(x.shape[0]), x < 0.35, x > 0.5
    y[low] = x[low] ** 2
    y[~high] = np.sin(x[~high])
    return np.sum(y * x)


def opposite_of_what_changed(x):
    y, low = np.zeros(x.shape[0]), x < 0.5
    y[low] = x[low] ** 2
    low[0] = not low[0]
    y[~low] = np.sin(x[~low])
    return np.sum(y * x)


def opposite_by_another_name(x):
    y, low = np.zeros(x.shape[0]), x < 0.5
    same = low
    y[low] = x[low] ** 2
    same[0] = not same[0]
    y[~low] = np.sin(x[~low])
    return np.sum(y * x)


STAY = [twice, same_counter, one_place, behind, ahead, overlapping, viewed, by_while, modulo,
        mirrored, written, masks_that_overlap, masks_that_change,
        kept_from_the_last_turn, opposite_of_another, opposite_of_what_changed,
        opposite_by_another_name]


@pytest.mark.parametrize("function", LEFT_OUT + STAY)
@pytest.mark.parametrize("size", [6, 3, 2])
@pytest.mark.sweep(8)
def test_gradients_are_right(function, size):
    if size < 4 and function is viewed:
        pytest.skip("it takes four elements")
    x = X[:size].copy()
    assert np.allclose(tl.grad(function)(x), tl.jacfwd(function)(x), rtol=1e-12, atol=1e-14)
    tl.check_grads(function, (x,), order=2)


@pytest.mark.parametrize("x", [X[:1], X[:0], np.float32(X)])
@pytest.mark.parametrize("function", [each, rows, columns, backwards, branches])
def test_one_element_and_none_and_float32(function, x):
    found = tl.grad(function)(x)
    assert found.dtype == x.dtype
    assert np.allclose(found, tl.jacfwd(function)(x), rtol=1e-5)


@pytest.mark.parametrize("function", LEFT_OUT)
def test_what_is_used_up_is_not_set_to_zero(function):
    text = tl.grad(function).source_for(X)
    assert "by[" in text
    assert not any(line.strip().startswith("by[") and line.endswith(" = 0.0")
                   for line in text.splitlines())


@pytest.mark.parametrize("function", STAY)
def test_what_is_looked_at_again_is_set_to_zero(function):
    text = tl.grad(function).source_for(X)
    assert any(line.strip().startswith(("by[", "bx[")) and line.endswith(" = 0.0")
               for line in text.splitlines())


def test_places_that_come_again():
    where = np.array([0, 3, 3, 0, 1, 3])
    assert np.allclose(tl.grad(repeated)(X, where), tl.jacfwd(repeated)(X, where))


def test_rows_are_read_where_they_are():
    def states(x, W):
        n = x.shape[0]
        y = np.zeros((n, 3))
        for i in range(n):
            y[i] = np.tanh(W @ x[i])
        return np.sum(y ** 2)

    text = tl.grad(states).source_for(np.ones((4, 5)), np.ones((3, 5)))
    assert "bx[i] = (by[i] * (1.0 - " in text


def test_lengths_that_loops_bind_are_no_fixed_places():
    tree = gast.parse("""
def f(x, rows):
    n = x.shape[0]
    for row in rows:
        m = row.shape[0]
    while n:
        k = x.shape[1]
""").body[0]
    assert spans.lengths(tree) == {"n": 0}


# Put back -------------------------------------------------------------------------------------
def fibonacci(x):
    c = np.zeros(x.shape[0] + 2)
    c[1] = x[0]
    for i in range(2, x.shape[0]):
        c[i] = c[i - 1] + c[i - 2] * x[i]
    return np.sum(c * c)


def in_a_table(x):
    u = np.ones((x.shape[0] + 1, x.shape[0] + 1))
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            u[i + 1, j + 1] = u[i, j] * x[i] + u[i, j + 1] * u[i + 1, j]
    return np.sum(u * u)


def warped(x):
    n = x.shape[0]
    c = np.full((n + 1, n + 1), 9.0)
    c[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            c[i, j] = abs(x[i - 1] * x[j - 1]) + min(c[i - 1, j], c[i, j - 1], c[i - 1, j - 1])
    return c[n, n]


def highest(x):
    c = np.empty(x.shape[0] + 1)
    c[0] = 0.5
    for i in range(len(x)):
        rate = c[i]
        c[i + 1] = rate + 0.3 * rate * np.sin(x[i])
    return np.max(c) * c[-1]


def by_table(x, where):
    c = np.ones(4)
    for i in range(x.shape[0]):
        part = c[where[i]]
        c[i % 4] = np.sum(part * x[i]) * c[i % 3]
    return np.sum(c)


def swept_twice(x):
    c = np.ones(x.shape[0])
    for _ in range(2):
        for i in range(1, x.shape[0]):
            c[i] = c[i - 1] * c[i] * x[i]
    return np.sum(c * c)


def shifted(x):
    c = x * 1.0
    for i in range(x.shape[0] - 1):
        c[i] = c[i + 1] * c[i + 1]
    return np.sum(c * c)


def last_one(x):
    c = np.ones(x.shape[0])
    for i in range(x.shape[0]):
        c[i] = c[-1] * c[i - 1] * x[i]
    return np.sum(c * c)


@pytest.mark.parametrize("function, count", [
    (fibonacci, 0), (in_a_table, 0), (warped, 0), (highest, 0), (swept_twice, 1), (shifted, 1),
    (last_one, 1)])
def test_numbers_that_nobody_reads_again_are_not_put_back(function, count):
    text = tl.grad(function).source_for(X)
    assert sum(bool(re.search(r"c\[.*\] = (c_i|c_i_tape.pop\(\))$", line))
               for line in text.splitlines()) == count, text
    assert (count > 0) == (".append(" in text), text
    for size in (6, 3, 2):
        x = X[:size].copy()
        assert np.allclose(tl.grad(function)(x), tl.jacfwd(function)(x), rtol=1e-12, atol=1e-14)


def test_parts_that_may_be_arrays_are_not_taken_for_numbers():
    for where in (np.array([0, 3, 3, 0, 1, 3]), np.arange(12).reshape(6, 2) % 4):
        assert np.allclose(tl.grad(by_table)(X, where), tl.jacfwd(by_table)(X, where), rtol=1e-12)
