"""`list(range(n))` is a list of ints, whatever is put into it afterwards."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.array([1.3, 0.7, 2.1, 0.4])


def pivoted(a, b):
    """Gauss elimination, the rows exchanged and the order of them in a list."""
    a = a.copy()
    n = a.shape[0]
    perm = list(range(n))
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
        if p != k:
            a[[k, p]] = a[[p, k]]
            perm[k], perm[p] = perm[p], perm[k]
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            a[i, k + 1:] -= a[i, k] * a[k, k + 1:]
    x = np.zeros(n)
    for i in range(n):
        x[i] = b[perm[i]] - a[i, :i] @ x[:i]
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - a[i, i + 1:] @ x[i + 1:]) / a[i, i]
    return np.sum(x ** 2)


def test_rows_exchanged():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(6, 6)), rng.normal(size=6)
    derivative = tl.grad(pivoted, (0, 1))
    for found, wanted in zip(derivative(a, b), tl.grad(
            lambda a, b: np.sum(np.linalg.solve(a, b) ** 2), (0, 1))(a, b)):
        np.testing.assert_allclose(found, wanted, rtol=1e-9)
    assert "tape.item" not in derivative.source_for(a, b)       # by names


def united(x):
    parent = list(range(len(x)))

    def find(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    total = 0.0
    for i in range(len(x) - 1):
        if x[i] < x[i + 1]:
            parent[find(i)] = find(i + 1)
        total = total + x[find(i)] * x[i]
    return total


def sorted_by_value(x):
    order = list(range(len(x)))
    order.sort(key=lambda i: -x[i])
    total = 0.0
    for rank, i in enumerate(order):
        total = total + x[i] * (rank + 1)
    return total


def numbers_put_in(x):
    items = list(range(len(x)))
    for i in range(len(x)):
        items[i] = x[i] * items[i]
    return sum(items) * x[0]


def one_of_two_names(x):
    items = list(range(len(x)))
    other = items
    other[0], other[1] = other[1], other[0]
    items.reverse()
    return x[items[0]] * 2.0 + x[items[1]] * x[other[2]]


def of_nothing(x):
    items = list(range(0))
    for v in x:
        items.append(v * 2.0)
    return items[0] * items[-1]


def perhaps_an_array(x):
    items = list(range(len(x)))
    if x[0] > 0.0:
        items = x.copy()
    items[0] = items[1]
    return items[0] * x[0]


@pytest.mark.parametrize("function", [united, sorted_by_value, numbers_put_in, one_of_two_names,
                                      of_nothing, perhaps_an_array])
def test_against_differences(function):
    given = X.copy()
    given.flags.writeable = False
    value, found = tl.value_and_grad(function)(given)
    assert value == function(X.copy())
    steps = 1e-6 * np.eye(4)
    wanted = [(function(X + e) - function(X - e)) / 2e-6 for e in steps]
    np.testing.assert_allclose(found, wanted, atol=1e-6)
