"""Places that sorting lists, and looking for what is not zero: each of them once."""
import numpy as np
import pytest

import tangent_lite as tl

V = np.array([0.3, -0.2, 0.7, 0.1])
M = np.outer(V, V) + np.eye(4)


def in_order(x):
    order = np.argsort(-x)
    return np.sum(np.cumsum(np.exp(x[order])) * np.arange(4.0))


def columns_in_order(A):
    order = A[0].argsort()
    return np.sum(A[:, order] ** 2 * np.arange(4.0))


def one_of_each(A):
    order = np.argsort(A[0])
    return np.sum(A[order, 1] ** 3 * np.arange(4.0))


def the_positive(x):
    places = np.where(x > 0)[0]
    return np.sum(x[places] ** 3)


def written_where_positive(x):
    places = np.flatnonzero(x > 0)
    y = np.ones(len(x))
    y[places] = np.sqrt(x[places])
    return np.sum(y * x)


def of_a_matrix(A):
    places = np.nonzero(A > 0)
    return np.sum(A[places] ** 3)


def of_a_matrix_by_parts(A):
    columns, rows = A.T.nonzero()
    return np.sum(A[rows, columns] ** 3 * np.arange(len(rows)))


def above_the_diagonal(A):
    above = np.triu_indices(len(A), k=1)
    return np.sum(A[above] ** 2)


def on_the_diagonal(A):
    A = A * A
    A[np.diag_indices(len(A))] += A[0, 1] ** 2
    return np.sum(A ** 2)


def both_triangles(x):
    rows, columns = np.tril_indices(3)
    L = np.zeros((3, 3))
    L[rows, columns] = np.concatenate([x, x[:2] * x[2]])
    L[columns, rows] = L[rows, columns] * x[0]
    return np.sum(L @ L)


ONCE = [(in_order, V), (columns_in_order, M), (one_of_each, M), (the_positive, V),
        (written_where_positive, V), (of_a_matrix, M), (of_a_matrix_by_parts, M),
        (above_the_diagonal, M), (on_the_diagonal, M), (both_triangles, V)]


# Places that are named more than once
def rows_alone(A):
    rows, columns = np.nonzero(A > 0)
    return np.sum(A[rows, 0] ** 2) + np.sum(A[rows, rows] * A[columns, columns])


def bound_anew(x):
    order = np.argsort(x)
    if x[0] > 0:
        order = np.array([0, 0, 1, 2])
    return np.sum(x[order] ** 2 * np.arange(4.0))


def changed(x):
    order = np.argsort(x)
    order[0] = order[1]
    return np.sum(x[order] ** 2 * np.arange(4.0))


def of_two_tables(A):
    rows, _ = np.nonzero(A > 0)
    _, columns = np.nonzero(A.T > 0)
    return np.sum(A[rows, columns] ** 2)


def names_of_columns(A):
    order = np.argsort(A, axis=0)
    return np.sum(A[order, 0] ** 2 * np.arange(4.0))


def written_twice(x):
    y = x * x
    order = np.argsort(x)
    order = order // 2
    y[order] = x
    return np.sum(y * y * np.arange(4.0))


# The places change by another name
def by_a_part(x):
    places = np.nonzero(x > 0)
    rows = places[0]
    rows[0] = rows[1]
    return np.sum(x[places] ** 2 * np.arange(3.0))


def by_a_view(x):
    order = np.argsort(x)
    flat = order.reshape(-1)
    flat[0] = flat[1]
    return np.sum(x[order] ** 2 * np.arange(4.0))


def by_both_parts(A):
    places = np.nonzero(A > 0)
    rows, columns = places
    rows[:3] = 0
    columns[:3] = 0
    return np.sum(A[places] ** 2 * np.arange(len(rows)))


CHANGED = [(by_a_part, V), (by_a_view, V), (by_both_parts, M)]
AGAIN = [(rows_alone, M), (bound_anew, V), (changed, V), (of_two_tables, M),
         (names_of_columns, M), (written_twice, V)]


@pytest.mark.parametrize("f, x", [*ONCE, *AGAIN, *CHANGED])
def test_right(f, x):
    assert tl.value_and_grad(f)(x)[0] == f(x.copy())
    tl.check_grads(f, (x,), order=2)


@pytest.mark.parametrize("f, x", ONCE)
def test_nothing_is_asked_of_the_places(f, x):
    text = tl.grad(f).source_for(x)
    assert "add_at" not in text and "last_written" not in text


@pytest.mark.parametrize("f, x", AGAIN)
def test_what_may_be_named_twice_is_added_up(f, x):
    text = tl.grad(f).source_for(x)
    assert "add_at" in text or "last_written" in text


def test_places_are_as_many_along_all_axes():
    text = tl.grad(above_the_diagonal).source_for(M)
    assert "unbroadcast" not in text and "unreduce" not in text


@pytest.mark.parametrize("f, x", ONCE)
@pytest.mark.sweep(5)
def test_compiled(f, x):
    pytest.importorskip("numba")
    np.testing.assert_allclose(tl.grad(f, backend="numba")(x), tl.grad(f)(x), rtol=1e-12)
