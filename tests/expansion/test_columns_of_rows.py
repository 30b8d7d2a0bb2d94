"""`zip(*rows)` of lists, and of pairs: columns are lists where nobody sees that they are tuples."""
import numpy as np
import pytest

import tangent_lite as tl

X = [1.3, 0.7, 0.9, 1.1]


def looped_over(x):
    rows = [[v, v * v, v + 1.0] for v in x]
    s = 0.0
    for column in zip(*rows):
        s += sum(column) ** 2 * column[0] / len(column)
    for a, b, c, d in zip(*rows):
        s += a * b * c * d
    return s


def transposed(x):
    n = len(x)
    grid = [[x[i] * x[j] ** 2 for j in range(n)] for i in range(n)]
    columns = list(zip(*grid))
    others = [list(column) for column in zip(*grid)]
    others[0][1] = 0.5
    s = 0.0
    for i in range(n):
        for j in range(n):
            s += columns[i][j] * (i + 1) * others[j][i]
    return s


def product(x):
    a = [[x[0], x[1]], [x[2], x[3]]]
    b = [[v * 2.0 for v in row] for row in a]
    c = [[sum(u * v for u, v in zip(row, column)) for column in zip(*b)] for row in a]
    return c[0][0] * c[1][1] - c[0][1] * c[1][0] * 0.5


def unzipped(x):
    pairs = [(v, v * v) for v in x]
    a, b = zip(*pairs)
    c, d = zip(*[[v, v * a[0]] for v in x])
    return sum(a) * max(b) + sum(u * v for u, v in zip(a, b)) + c[1] * sum(d)


def of_different_lengths(x):
    rows = [[v] * (1 + k % 2) for k, v in enumerate(x)]
    s = x[0]
    for column in zip(*rows):
        s += sum(column) ** 2
    for column in zip(*rows[:0]):
        s += sum(column)
    return s


@pytest.mark.parametrize("f", [looped_over, transposed, product, unzipped, of_different_lengths])
@pytest.mark.sweep(2)
def test_by_names(f):
    tl.check_grads(f, (X,), order=2)
    gradient = tl.grad(f)
    gradient(X)
    assert not gradient._latest.by_identity


def joined(x):
    rows = [[v, v * v] for v in x]
    s = 0.0
    for column in zip(*rows):
        longer = column + (x[1],)               # which a list could not be
        s += sum(longer) ** 2
    return s


def asked_for_its_type(x):
    rows = [[v, v * v] for v in x]
    columns = list(zip(*rows))
    column = columns[1]
    return sum(column) * (2.0 if isinstance(column, tuple) else 1.0)


def changed_meanwhile(x):
    rows = [[v, v * v] for v in x]
    s = 0.0
    for column in zip(*rows):
        rows[0][1] = x[2]
        s += column[0] * column[1]
    return s


@pytest.mark.parametrize("f", [joined, asked_for_its_type, changed_meanwhile])
def test_where_it_shows(f):
    tl.check_grads(f, (X,))


def handed_out(x):
    a, b = zip(*[[v, v * v] for v in x])
    return sum(a), (a, b)


def test_results_are_tuples():
    gradient, aux = tl.grad(handed_out, has_aux=True)(X)
    assert gradient == [1.0] * 4
    assert aux == handed_out(X)[1]


def test_nothing_to_unpack():
    def f(x):
        pairs = [(v, v * v) for v in x[:0]]
        a, b = zip(*pairs)
        return x[0] + sum(a) + sum(b)

    with pytest.raises(ValueError, match=r"not enough values to unpack \(expected 2, got 0\)"):
        tl.grad(f)(X)


def test_compiled():
    pytest.importorskip("numba")
    for f in (looped_over, product):
        assert np.allclose(tl.grad(f, backend="numba")(X), tl.grad(f)(X), rtol=1e-12)
