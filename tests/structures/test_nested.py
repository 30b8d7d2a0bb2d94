"""Lists of lists that are written by element: tables of dynamic programs, matrices of lists."""
import copy
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests import nested_programs

X = [0.7, -0.4, 1.2, 0.9]
M = [[2.0, 0.3, -0.5], [0.4, -1.7, 0.2], [0.9, 0.6, 2.5]]


# Programs ---------------------------------------------------------------------------------------
def warped(x, y):
    n, m = len(x), len(y)
    D = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        D[i][0] = 1e9
    for j in range(1, m + 1):
        D[0][j] = 1e9
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (x[i - 1] - y[j - 1]) ** 2
            D[i][j] = cost + min(D[i - 1][j], D[i][j - 1], D[i - 1][j - 1])
    return D[n][m]


def solved(A, b):
    n = len(b)
    A = [row[:] for row in A]
    b = b[:]
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(A[i][k]) > abs(A[p][k]):
                p = i
        A[k], A[p] = A[p], A[k]
        b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            m = A[i][k] / A[k][k]
            for j in range(k, n):
                A[i][j] -= m * A[k][j]
            b[i] -= m * b[k]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, n):
            s -= A[i][j] * x[j]
        x[i] = s / A[i][i]
    return sum([v * v for v in x])


def heated(u, n):
    m = len(u)
    T = [[0.0] * m for _ in range(n + 1)]
    T[0] = [v for v in u]
    for t in range(n):
        for j in range(m):
            T[t + 1][j] = T[t][j] + 0.1 * (T[t][(j + 1) % m] - 2 * T[t][j] * T[t][j - 1])
    return sum([v * v for v in T[n]])


def in_place(T, x):
    for i in range(len(T)):
        T[i][0] = T[i][0] * x[0] + T[i][1] ** 2
        for j in range(1, len(T[i])):
            T[i][j] += T[i][j - 1] * T[i - 1][j]
    return sum(T[0]) + T[2][2]


def by_rows(T, x):
    for k, row in enumerate(T):
        for j in range(len(row)):
            row[j] = math.sin(row[j] * x[k]) + row[j - 1]
    return T[0][0] * T[1][2] + sum(T[2])


def three_deep(x):
    C = [[[0.0] * 2 for _ in range(2)] for _ in range(2)]
    for i in range(2):
        for j in range(2):
            C[i][j][0] = x[i] * x[j]
            C[i][j][1] = C[i][j][0] * x[2] + C[i - 1][j][1]
    plane = C[1]
    return C[0][1][1] * C[1][0][1] + sum(plane[1])


def swapped(xs):
    xs = [v * v for v in xs]
    for k in range(3):
        xs[k], xs[3 - k] = xs[3 - k], xs[k]
        xs[k] = xs[k] * xs[1]
    tmp = xs[0]
    xs[0] = xs[2]
    xs[2] = tmp
    return xs[0] - 2.0 * xs[1] + 3.0 * xs[2] * xs[3]


def replaced_rows(T, x):
    for k in range(3):
        T[k] = [v * x[k] for v in T[k]]
        T[k][1] = T[k][0] * T[k - 1][2]
        T[k][0] = 0.5
    return sum(T[1]) * T[2][1]


def grown(x):
    rows = []
    for v in x:
        row = [v, 0.0]
        row[1] = v * v
        rows.append(row)
    for k in range(1, len(rows)):
        rows[k][0] += rows[k - 1][1] * rows[k - 1][0]
    return rows[-1][0] * rows[1][1]


def triangle(x):
    rows = []
    for i in range(4):
        row = [x[0]] * (i + 1)
        for j in range(1, i):
            row[j] = rows[i - 1][j - 1] + rows[i - 1][j] * x[i]
        rows.append(row)
    return sum(rows[3])


def relaxed(u, n):
    for _ in range(n):
        new = [row[:] for row in u]
        for i in range(1, 3):
            for j in range(2):
                new[i][j] = 0.25 * (u[i - 1][j] + u[i][j - 1] + u[i][j + 1]) ** 2
        u = new
    return sum([sum(row) for row in u])


def nothing(x, n):
    D = [[x[0], 0.0, x[2]] for _ in range(2)]
    for i in range(n):
        D[i][0] = x[1]
    return D[0][0] * D[1][2]


def repeated(x, n):
    u = [x[0] * x[1]] * n
    for k in range(1, n):
        u[k] = u[k - 1] * x[2] + u[k]
    return sum(u)


def repeated_rows(x, n):
    rows = [[x[0], x[1] * x[0]] * n for _ in range(3)]
    rows[1][0] = x[2]
    pair = [[x[0], x[3]]] * n
    return sum([sum(row) for row in rows]) * rows[0][1] + sum([a * b for a, b in pair])


CASES = [(warped, (X, X[::-1] + [0.3])), (solved, (M, X[:3])), (heated, (X, 3)), (in_place, (M, X)),
         (by_rows, (M, X)), (three_deep, (X,)), (swapped, (X,)), (replaced_rows, (M, X)),
         (repeated, (X, 4)), (repeated, (X, 0)), (repeated_rows, (X, 2)), (grown, (X,)),
         (triangle, (X,)), (relaxed, (M, 3)), (relaxed, (M, 0)),
         (nothing, (X, 0)), (nothing, (X, 2))]


def numbers(structure):
    if isinstance(structure, (list, tuple)):
        return [one for part in structure for one in numbers(part)]
    return [] if isinstance(structure, int) or structure is None else [structure]


def moved(structure, direction, h):
    if isinstance(structure, (list, tuple)):
        return type(structure)([moved(part, direction, h) for part in structure])
    return structure if isinstance(structure, int) else structure + h * next(direction)


def direction_of(arguments):
    return np.random.default_rng(3).normal(size=len(numbers(arguments)))


def slope(f, arguments, h=1e-6):
    """The derivative along a direction, by differences."""
    along = direction_of(arguments)
    ahead, behind = (f(*moved(arguments, iter(along), s * h)) for s in (1, -1))
    return (ahead - behind) / (2 * h)


def varied(arguments):
    return tuple(k for k, a in enumerate(arguments) if not isinstance(a, int))


@pytest.mark.parametrize("f, arguments", CASES, ids=lambda one: getattr(one, "__name__", ""))
@pytest.mark.sweep(5)
def test_program(f, arguments):
    before = copy.deepcopy(arguments)
    expected, along = slope(f, arguments), direction_of(arguments)
    gradient = tl.grad(f, wrt=varied(arguments))
    assert np.dot(numbers(gradient(*arguments)), along) == pytest.approx(expected, rel=1e-6)
    assert "tape.pull" not in gradient.source_for(*arguments)           # by names
    value, pullback = tl.vjp(f, *arguments)
    assert value == f(*copy.deepcopy(arguments))
    for _ in range(2):                          # what is saved stays as it is
        assert np.dot(numbers(pullback(1.0)), along) == pytest.approx(expected, rel=1e-6)
    tangents = moved(moved(arguments, iter(along), 1.0), iter(np.array(numbers(arguments))), -1.0)
    tangents = tuple(None if isinstance(a, int) else t for a, t in zip(arguments, tangents))
    found, tangent = tl.jvp(f, arguments, tangents)
    assert (found, tangent or 0.0) == pytest.approx((value, expected), rel=1e-6)
    assert arguments == before


@pytest.mark.parametrize("f, arguments", [(in_place, (M, X)), (heated, (X, 3)), (swapped, (X,))],
                         ids=lambda one: getattr(one, "__name__", ""))
def test_second_derivative(f, arguments):
    gradient, along = tl.grad(f, wrt=varied(arguments)), direction_of(arguments)
    vector = moved(moved(arguments, iter(along), 1.0), iter(np.array(numbers(arguments))), -1.0)
    vector = tuple(v for a, v in zip(arguments, vector) if not isinstance(a, int))
    product = tl.hvp(f, wrt=varied(arguments))(*arguments, vector)
    expected = slope(lambda *a: np.dot(numbers(gradient(*a)), along), arguments, 1e-5)
    assert np.dot(numbers(product), along) == pytest.approx(expected, rel=1e-5)


def test_text():
    """A table is read as it was written: no names for rows, no copies, a tape for what is read."""
    text = tl.grad(warped).source_for(X, X)
    assert "bD = [[0.0] * len(row) for row in D]" in text
    assert "D[i][j] = D_tape.pop()" in text and "bD[i][j - 1] += " in text
    assert "A_1[k], A_1[p] = A_1[p], A_1[k]" in tl.grad(solved).source_for(M, X[:3])


# Where rows are one list, or others hold one ------------------------------------------------------
def one_row(x):
    D = [[0.0] * 2] * 2
    D[0][0] = x[0]
    return D[1][0] * x[1]


def held_row(x):
    D = [[v, v * v] for v in x]
    row = D[1]
    D[1][0] = x[0] * x[2]
    return row[0] * row[1]


def row_twice(x):
    D = [[v, v * v] for v in x]
    D[0] = D[1]
    D[0][0] = x[2] * x[0]
    return D[1][0] * D[0][1]


def shallow(x):
    D = [[v, v * v] for v in x]
    E = list(D)
    D[1][0] = x[2] * x[0]
    return E[1][0] * D[0][1]


def comprehension_of_one(x):
    row = [x[0], x[1]]
    D = [row for _ in range(2)]
    D[0][0] = x[1] * x[2]
    return D[1][0] * x[3]


def swapped_and_held(x):
    D = [[v, v * v] for v in x]
    a, b = D[0], D[1]
    D[0] = b
    D[1] = a
    a[0] = x[3]
    return D[1][0] * D[0][0]


def zipped(x):
    D = [[v, v * v, 1.0] for v in x]
    s = 0.0
    for a, b in zip(D[0], D[1]):
        D[0][1] = x[2]
        s += a * b
    return s


@pytest.mark.parametrize("f", [one_row, held_row, row_twice, shallow, comprehension_of_one,
                               swapped_and_held, zipped])
def test_rows_that_others_hold(f):
    assert np.dot(tl.grad(f)(X), direction_of((X,))) == pytest.approx(slope(f, (X,)), rel=1e-6)


# Drawn programs -----------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.sweep(5)
def test_drawn_program(seed):
    nested_programs.check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 400))
def test_more_drawn_programs(seed):
    nested_programs.check(seed)


# Real numbers among complex ones ------------------------------------------------------------------
def written_among_complex(a):
    c = (1 + 2j) * a
    xs = [1j * a, 0.0]
    xs[1] = c.real
    z = 0j
    for k in range(2):
        z = z + xs[k] * (2 + 1j)
    return abs(z) ** 2


def row_among_complex(a):
    c = (1 + 2j) * a
    row = [0.0, 0.0]
    for k in range(2):
        row[k] = c.real * (k + 1)
    xs = [[1j * a, 1j * a], row]
    z = 0j
    for k in range(2):
        for j in range(2):
            z = z + xs[k][j] * (2 + 1j)
    return abs(z) ** 2


def joined_with_complex(a):
    c = (1 + 2j) * a
    row = [0.0, 0.0]
    for k in range(2):
        row[k] = c.real * (k + 1)
    ys = [1j * a] + row
    z = 0j
    for k in range(3):
        z = z + ys[k] * (2 + 1j)
    return abs(z) ** 2


def pairs_among_complex(a):
    c = (1 + 2j) * a
    xs = [(1j * a, 1j * a)]
    xs.append((c.real, c.imag * 2))
    z = 0j
    for p, q in xs:
        z = z + p * (2 + 1j) - q
    return abs(z) ** 2


@pytest.mark.parametrize("f", [written_among_complex, row_among_complex, joined_with_complex,
                               pairs_among_complex])
def test_real_numbers_among_complex(f):
    expected = (f(1.0 + 1e-6) - f(1.0 - 1e-6)) / 2e-6
    assert tl.grad(f)(1.0) == pytest.approx(expected, rel=1e-6)
