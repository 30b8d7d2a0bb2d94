"""Arrays with fields (structured dtypes): read as constants anywhere, refused where they vary."""
import numpy as np
import pytest

import tangent_lite as tl

FIELDS = [("a", float), ("b", float)]


def columns(x):
    table = np.zeros(3, dtype=FIELDS)
    table["a"] = x
    table["b"] = x * x
    return np.sum(table["a"] * table["b"])


def in_a_dict(x):
    held = {}
    held["t"] = np.zeros(3, dtype=FIELDS)
    same = held
    same["t"]["a"] = x
    same["t"]["b"][:] = x * x
    return np.sum(held["t"]["a"] * held["t"]["b"])


def rows(x):
    held = {}
    held["t"] = np.zeros(3, dtype=FIELDS)
    same = held
    for k in range(3):
        same["t"][k] = (x[k], x[k] ** 2)
    return np.sum(held["t"]["a"] * held["t"]["b"])


def made(x):
    table = np.array([(v, 2.0 * v) for v in x], dtype=FIELDS)
    return np.sum(table["a"] * table["b"])


@pytest.mark.parametrize("f", [columns, in_a_dict, rows, made])
def test_refused_where_they_vary(f):
    x = np.array([1.0, 2.0, 3.0])
    with pytest.raises(tl.UnsupportedSyntaxError, match="an array with fields holds what varies"):
        tl.grad(f)(x)
    with pytest.raises(tl.TangentError):
        tl.jvp(f, (x,), (x,))


def test_read_as_constants():
    def f(x, table):
        total = np.sum(table["b"] * x ** 2)
        for row in table:
            total = total + row["a"] * x[0]
        return total

    table = np.array([(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)], dtype=FIELDS)
    x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(tl.grad(f)(x, table), 2.0 * table["b"] * x + [9.0, 0.0, 0.0])
    np.testing.assert_allclose(tl.jvp(f, (x, table), (x, None))[1],
                               np.sum(2.0 * table["b"] * x * x) + 9.0)
