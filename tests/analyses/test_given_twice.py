"""What a function of the user returns may hold one list in two places."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names, refused_by_names

X = np.array([0.9, -0.4, 1.7, 0.2, -1.1])


def by_comprehension(n, a):
    row = [a]
    return [row for _ in range(n)]


def repeated(n, a):
    return [[a]] * n


def written_out(n, a):
    row = [a]
    return [row, [a] * n, row]


def replaced(n, a):
    rows = [[a] for _ in range(n)]
    rows[0] = rows[1]
    return rows


def appended(n, a):
    row, rows = [a], []
    for _ in range(n):
        rows.append(row)
    return rows


def handed_on(n, a):
    return replaced(n, a)


def of_an_inner_function(n, a):
    row = [a]

    def give():
        return row
    return [give() for _ in range(n)]


def apart(n, a):
    return [[a * k] for k in range(n)]


def apart_in_turn(n, a):
    rows = []
    for k in range(n):
        row = [a]
        row.append(a * k)
        rows.append(row)
    return rows


def weighted(rows):
    return sum(sum(row) * (k + 1) * len(row) for k, row in enumerate(rows))


def appends(make):
    def f(x, a):
        rows = make(3, a)
        for k, v in enumerate(x):
            rows[k % 3].append(v * a)
        return weighted(rows)
    return f


def writes(make):
    def f(x, a):
        rows = make(3, a)
        for k, v in enumerate(x):
            rows[k % 3][0] *= v * a
        return weighted(rows)
    return f


def append_in_turn(rows, x):
    for k, v in enumerate(x):
        rows[k % 3].append(v * v)
    return weighted(rows)


def hands_over(make):
    def f(x, a):
        return append_in_turn(make(3, a), x)
    return f


def append_to_both(row, other, x):
    for v in x:
        row.append(v)
        other.append(v * v)
    return sum(row) * 2.0 + sum(other) * len(row)


def hands_over_two(make):
    def f(x, a):
        rows = make(3, a)
        return append_to_both(rows[0], rows[1], x)
    return f


MAKE = [by_comprehension, repeated, written_out, replaced, appended, handed_on,
        of_an_inner_function]
USE = [appends, writes, hands_over, hands_over_two]


@pytest.mark.parametrize("use", USE, ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", [*MAKE, apart, apart_in_turn], ids=lambda f: f.__name__)
def test_it_is_seen_where_it_changes(make, use):
    f = use(make)
    value, (bx, ba) = tl.value_and_grad(f, wrt=("x", "a"))(X, 1.3)
    assert value == f(X, 1.3)
    for k, step in enumerate(1e-6 * np.eye(len(X))):
        assert bx[k] == pytest.approx((f(X + step, 1.3) - f(X - step, 1.3)) / 2e-6, rel=1e-6)
    assert ba == pytest.approx((f(X, 1.3 + 1e-6) - f(X, 1.3 - 1e-6)) / 2e-6, rel=1e-6)
    _, slope = tl.jvp(f, (X, 1.3), (np.ones(5), 1.0))
    assert slope == pytest.approx(np.sum(bx) + ba)


@pytest.mark.parametrize("make", MAKE, ids=lambda f: f.__name__)
def test_names_do_not_do_for_it(make):
    refused_by_names(tl.AliasError, appends(make), X, 1.3)


@pytest.mark.parametrize("make", [apart, apart_in_turn], ids=lambda f: f.__name__)
def test_lists_that_are_apart_go_by_names(make):
    with by_names():
        assert tl.grad(appends(make), wrt=1)(X, 1.3) != 0.0
