"""Loops over elements against the statements that they stand for, on drawn statements.

The text that `numba_loops` writes is run here as Python (loops_in_python.py): so thousands of
programs are compared where Numba would compile a few. What Numba makes of such text is compared in
the other files of this folder.
"""
import gast
import numpy as np
import pytest

pytest.importorskip("numba")

import tangent_lite as tl  # noqa: E402
from tangent_lite.backends.numba_thin import thin_names  # noqa: E402
from tests.backends.comparing import same  # noqa: E402
from tests.backends.drawn_statements import Draw, values_for  # noqa: E402
from tests.backends.loops_in_python import MEANING, both  # noqa: E402


def copied(values):
    """The same with memory of its own, shared as before."""
    import copy
    bases = {}
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            base = value if value.base is None else value.base
            bases.setdefault(id(base), base.copy())
    out = {}
    for name, value in values.items():
        if not isinstance(value, np.ndarray):
            out[name] = copy.copy(value)
            continue
        base = value if value.base is None else value.base
        new = bases[id(base)]
        offset = value.ctypes.data - base.ctypes.data
        out[name] = np.ndarray(value.shape, value.dtype, new, offset, value.strides)
    return out


def outcome(function, values):
    values = copied(values)
    with np.errstate(all="ignore"):
        try:
            found = function(**values)
        except (ValueError, IndexError, TypeError, ZeroDivisionError) as error:
            return type(error).__name__, None
    arrays = [v for v in values.values() if isinstance(v, np.ndarray)]
    return "value", (*found, *arrays)


def agree(seed, counts=None):
    draw = Draw(seed)
    statements = "\n".join(draw.statement() for _ in range(draw.random.randrange(3, 14)))
    names = [n for n in dict.fromkeys([*draw.vectors, *draw.matrices, *draw.numbers])]
    results = draw.random.sample(names, min(len(names), draw.random.randrange(1, 5)))
    values = values_for(seed, draw.random.choice([0, 1, 3, 3, 4, 5]))
    try:
        plain, loops, texts = both(statements, values, results)
    except SyntaxError:
        return
    expected, found = outcome(plain, values), outcome(loops, values)
    if expected[0] != "value" == found[0]:
        # What nobody reads is not computed, and does not fail.
        found = outcome(both(statements, values, names)[1], values)
    said = f"seed {seed}\n{statements}\nreturn {results}\n" + "\n".join(texts)
    assert (expected[0] == "value") == (found[0] == "value"), f"{expected} {found}\n{said}"
    if counts is not None:
        counts.append((expected[0] == "value", "for " in "".join(texts)))
    for a, b in zip(expected[1] or (), found[1] or ()):
        assert np.shape(a) == np.shape(b), said
        np.testing.assert_allclose(b, a, rtol=1e-9, atol=1e-9, equal_nan=True, err_msg=said)


@pytest.mark.parametrize("first", range(0, 2000, 200))
@pytest.mark.sweep(6)
def test_drawn_statements(first):
    counts = []
    for seed in range(first, first + 200):
        agree(seed, counts)
    assert sum(ran and looped for ran, looped in counts) > 40


def test_a_parameter_that_becomes_a_column():
    """Only from there on it has one column."""
    values = {"A": np.arange(6.0).reshape(2, 3), "B": np.ones((2, 3))}
    plain, looped, texts = both(
        "B = B * A\nA = np_sum(A * B, axis=1, keepdims=True)\nB = B * A", values, ["A", "B"])
    for found, expected in zip(looped(**values), plain(**values)):
        np.testing.assert_array_equal(found, expected)
    assert texts


def test_thin_names_are_thin_wherever_they_are_bound_and_by_numpy():
    def reduced(x, axis, keepdims):         # a function that means another thing by keepdims
        return x

    tree = gast.parse(
        "def f(x):\n    for s in x:\n        s = np_sum(s, axis=1, keepdims=True)\n"
        "    x = np_sum(x, axis=1, keepdims=True)\n    y = np_sum(x, axis=1, keepdims=True)\n"
        "    z = reduced(x, axis=1, keepdims=True)\n").body[0]
    assert thin_names(tree, lambda node: {**MEANING, "reduced": reduced}.get(node.id)) == {"y": 1}


def softmax(x, w):
    z = x @ w
    p = np.exp(z - np.max(z, axis=1, keepdims=True))
    p = p / np.sum(p, axis=1, keepdims=True)
    return np.sum(np.log(p) * x)


@pytest.mark.slow
def test_axes_of_one_item_are_stretched():
    """What keepdims leaves is known to be stretched, so the first form is the only one."""
    d = tl.grad(softmax, wrt=("x", "w"), backend="numba")
    rng = np.random.default_rng(0)
    for rows, columns in ((4, 3), (1, 3), (4, 1), (1, 1), (0, 3)):
        args = rng.normal(size=(rows, columns)), rng.normal(size=(columns, columns))
        for found, expected in zip(d(*args), tl.grad(softmax, wrt=("x", "w"))(*args)):
            np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
    assert d._latest.compiled.how == "loops"


# Rows of tables that loops multiply with each other ---------------------------------------------
def factors(U, V, users, items, ratings):
    total = 0.0
    for t in range(len(ratings)):
        error = ratings[t] - np.dot(U[users[t]], V[items[t]])
        total += error * error
    return total


def weighted(U, V, users, items, ratings):
    total = 0.0
    for t in range(len(ratings)):
        total += np.dot(U[users[t]] * items[t], V[items[t]]) ** 2 * ratings[users[t]]
    return total


@pytest.mark.parametrize("function", [factors, weighted])
def test_rows_that_vectors_of_ints_name(function):
    rng = np.random.default_rng(8)
    users, items = np.array([0, 1, 3, -1, 0]), np.array([4, 2, -2, 0, 1])
    for width in (0, 1, 3, 20):
        args = rng.normal(size=(4, width)), rng.normal(size=(5, width)), users, items, \
            rng.normal(size=5)
        for given in (args, (args[0][::-1], args[1][:, ::-1], users[::-1], items, args[4]),
                      (args[0], args[1], users.astype(np.int32), items, args[4])):
            wrt = (0, 1, 4)
            try:
                found = tl.grad(function, wrt=wrt, backend="numba")(*given)
            except tl.TangentError as error:        # as ever, of other dtypes
                assert "int32" in str(error)
                continue
            assert same(tl.grad(function, wrt=wrt)(*given), found)
    with pytest.raises(IndexError):
        tl.grad(function, backend="numba")(args[0], args[1], users + 4, items, args[4])


def test_rows_of_one_table():
    """The two rows may be one, and what is added to is read."""
    def f(U, users, n):
        V = U * 0.5
        total = 0.0
        for t in range(n):
            total += np.dot(V[users[t]], V[users[t - 1]]) * V[0, 1]
            V[users[t]] += 0.1 * V[users[t - 1]]
        return total + np.sum(V)

    args = np.random.default_rng(9).normal(size=(3, 4)), np.array([0, 2, 2, 1]), 4
    assert same(tl.grad(f)(*args), tl.grad(f, backend="numba")(*args))


# Extremes ----------------------------------------------------------------------------------------
def pooled(x):
    out = np.empty((x.shape[0] // 2, x.shape[1] // 2))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.max(x[2 * i:2 * i + 2, 2 * j:2 * j + 2])
    return np.sum(out ** 2)


def of_rows(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += np.max(x[i]) * np.min(x[i] + x[0])
    return total


def of_both(x):
    return np.max(x) * np.sum(np.max(x, axis=0)) + np.min(np.abs(x)) ** 2


def of_anything(x):
    return np.max(x) * np.max(2.0 * x)


@pytest.mark.parametrize("function, args", [
    (pooled, np.arange(16.0).reshape(4, 4) % 5), (pooled, np.zeros((2, 5))),
    (of_rows, np.array([[1.0, 2.0, 2.0], [0.0, 0.0, 0.0]])), (of_rows, np.ones((2, 1))),
    (of_both, np.eye(3)), (of_anything, 1.5), (of_anything, np.ones((2, 1, 2))),
    pytest.param(of_anything, np.ones((2, 1, 2, 1, 2)), marks=pytest.mark.slow),
    (of_anything, np.array([1.0, np.nan]))])
def test_slopes_of_extremes(function, args):
    with np.errstate(invalid="ignore"):
        expected = tl.grad(function)(args)
    assert same(expected, tl.grad(function, backend="numba")(args))


if __name__ == "__main__":
    import sys
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        try:
            agree(number)
        except Exception as error:
            print("seed", number); print(str(error)[:3500])
            print(type(error))
            break
    else:
        print("all agree")
