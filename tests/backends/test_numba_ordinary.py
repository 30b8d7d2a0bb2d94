"""What people write without a thought, compiled: against the Python backend and finite differences.

Each program is run with all its lists of arguments, also with none of something, and one.
"""
import enum
import math
from typing import Any

import numpy as np
import pytest

import tangent_lite as tl

numba = pytest.importorskip("numba")

from tests.backends.comparing import compare  # noqa: E402

RNG = np.random.default_rng(11)
V, A = RNG.normal(size=4), RNG.normal(size=(3, 3))
E, ONE = np.zeros(0), np.array([0.7])


def moved(args, spot, direction, step):
    return [value + step * direction if k == spot else value for k, value in enumerate(args)]


def check(function, args, wrt):
    """Both backends agree, and with central differences along a direction."""
    outcome, detail = compare(function, args, wrt)
    assert (outcome, detail) == ("same", "")
    gradients = tl.grad(function, wrt=tuple(wrt))(*args)        # they are the same
    for spot, gradient in zip(wrt, gradients):
        direction = RNG.normal(size=np.shape(args[spot]))
        slope = float(np.sum(gradient * direction))
        step = 1e-5
        found = (function(*moved(args, spot, direction, step))
                 - function(*moved(args, spot, direction, -step))) / (2.0 * step)
        assert np.isclose(slope, found, rtol=1e-5, atol=1e-7)


PROGRAMS: list[Any] = []


def case(*argsets, wrt=(0,), slow=False):
    """Check the function with each of these lists of arguments."""
    def register(function):
        marks = [pytest.mark.slow] if slow else []
        PROGRAMS.append(pytest.param(function, argsets, wrt, id=function.__name__, marks=marks))
        return function
    return register


# Arrays written out -------------------------------------------------------------------------------
@case((A, 3), (A[:1], 1))
def listed(x, n):
    total = 0.0
    for row in x.tolist():
        terms = []
        for k in range(n):
            terms.append(row[0] * k + row[-1])
        t = np.array(terms)
        total += np.sum(t * t) + (x * n).tolist()[0][0]
    return total


@case((0.3, 4), (0.3, 0))
def turned(angle, n):
    v = np.array([1.0, 0])
    for i in range(n):
        c, s = np.cos(angle * i), np.sin(angle)
        v = np.array([[c, -s], [s, c]]) @ v + np.array([angle, i])
    return v @ v


@case((0.5, 2.0), wrt=(0, 1))
def of_several_depths(a, b):
    m = np.asarray([[a, 1], (b, a * b)])
    t = np.array([[[a, b]], [[1.0, a]]])
    return np.sum(m @ m) * np.sum(t[1, 0] * t[0, 0]) + np.array([[a]])[0, 0]


@case((V,), (ONE,), (E,))
def of_a_list(x):
    parts = [np.sin(x[i]) for i in range(len(x))]
    y = np.array(parts) * 2.0
    return np.sum(y * y) + len(parts)


@case((V, 3), (ONE, 1), (E, 2), slow=True)
def of_rows(x, n):
    m = np.array([x, 2.0 * x, x * x])
    rows = []
    for i in range(n):
        rows.append(x * i)
    return np.sum((m @ x) ** 2) + np.sum(np.array(rows) ** 2)


@case((1.5,))
def of_ints_and_truth(x):
    k = np.array([[1, 2], [3, True]])
    return np.sum(k * x) + np.array([1.5, 2], dtype=np.int64)[0] * x + np.array([]).size


# Extremes -----------------------------------------------------------------------------------------
@case((1.0, 2.0), (2.0, 2.0), (1.0, 0.5), wrt=(0, 1))
def of_three(a, b):
    return min(a * a, b, 3.0) * 2.0 + max(a * 1.1, b * b, 2)


@case((np.array([0.3, 2.0, 1.0]),), (np.array([3.0, 2.0, -1.0]),))
def of_items(x):
    squares = [x[i] ** 2 for i in range(len(x))]
    return max(squares) + min(x) * max([x[0], 2.0 * x[1], x[2]]) + max((x[0], x[1])) + min(x[1:])


@case((RNG.random((4, 4)), 4), (RNG.random((4, 4)), 1))
def warped(d, n):
    d = d.copy()
    for i in range(1, n):
        for j in range(1, n):
            d[i, j] += min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1])
    return d[n - 1, n - 1]


def test_ties_share_and_nan_stays():
    def of_ties(x):
        return max(x) + min(x[0], x[1], x[2])

    x = np.array([2.0, 2.0, 2.0])
    for args in (x, np.array([1.0, np.nan, 2.0]), np.array([np.nan, 1.0, 2.0])):
        np.testing.assert_array_equal(tl.grad(of_ties, backend="numba")(args),
                                      tl.grad(of_ties)(args))


def test_extremes_of_nothing_raise_what_python_raises():
    def of_all(x):
        return max(x) * 2.0

    with pytest.raises(ValueError, match="empty|arg"):
        tl.grad(of_all, backend="numba")(E)


# Places -------------------------------------------------------------------------------------------
PLACES, TWICE, NONE = np.array([2, 0, -1, 3]), np.array([1, 0, 1, 0]), np.zeros(0, int)


@case((V, PLACES), (V, TWICE), (ONE, np.array([4])), (E, NONE), slow=True)
def scattered(v, places):
    o = np.zeros(5)
    o[places] = v * v
    o[places] += v
    return np.sum(o * o * np.arange(5.0))


@case((A, np.array([0, 2, 2])), (A, np.array([-1])), (A, NONE), slow=True)
def columns(a, places):
    b = a[:, places]
    return np.sum(b * b) + a[1:, places].sum() + np.sum(a[places, :] ** 2) + a[2, places].sum()


@case((A, 0, 1), (A, 2, 2), slow=True)
def rows_swapped(a, i, j):
    b = a * 2.0
    b[i] = b[j]
    b[[i, j]] = b[[j, i]]
    row = b[j].copy()
    b[j] = b[0]
    b[0] = row
    return np.sum(b[0] * b)


@case((A, np.array([0, 1, 1])), slow=True)
def columns_written(a, places):
    b = a * 1.0
    b[:, places] = a * a
    return np.sum(b * b)


def test_rows_onto_columns_are_refused_in_both():
    def torn(a):
        b = a * 1.0
        b[0] = b[:, 0]
        return np.sum(b)

    with pytest.raises(tl.TangentError, match="overwrites some of it unread"):
        tl.grad(torn, backend="numba")(A)


# Ranges that are left -----------------------------------------------------------------------------
@case((np.arange(6.0), 2.5), (np.arange(6.0), -1.0), (E, 1.0), (ONE, 3.0))
def left_early(x, limit):
    s = 1.0
    for i in range(len(x) - 1, -1, -1):
        if x[i] < limit:
            break
        s = s * x[i] + i
    for i in range(5, 0, -2):
        if s > 50.0:
            break
        s = s * i
    return s


# Ints ---------------------------------------------------------------------------------------------
COUNTS = np.array([[1, 2, 0], [3, 0, 1], [2, 2, 2]])


@case((A, COUNTS, COUNTS > 1), slow=True)
def with_ints(x, k, mask):
    y = np.sum((x @ k[0]) ** 2) + np.sum((k @ x) ** 2) + np.sum(np.dot(mask, x[0])) + x[0] @ mask[1]
    return y + np.sum((k @ k.T) * x) + (k[0] @ k[1]) * x[0, 0]


@case((V, np.array([1, 2, 3, 4])), (E, NONE), (ONE, np.array([2])), slow=True)
def cumulated_ints(x, k):
    y = np.sum(np.cumsum(k) * x) + np.sum(np.cumprod(k) * x) + np.sum(np.cumsum(k > 1) * x)
    return y + np.sum(np.diff(k) * x[1:]) + np.sum(x ** k)


@case((A, COUNTS))
def counted(x, k):
    return np.sum(k.sum(axis=1) * x[0]) + np.sum(np.sum(k > 1, axis=0) * x[1])


# Unpacked, divided, moved -------------------------------------------------------------------------
@case((np.array([0.1, 0.2]), 3), (np.array([0.1, 0.2]), 0))
def unpacked(th, n):
    a, b = np.exp(th)
    for i in range(n):
        p, q = th * i
        th = np.array([p + q * a, p * q])
    return a * th[0] + b * th[1]


@case((7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), wrt=(0, 1))
def divided(x, y):
    q, r = divmod(x, y)
    i, j = divmod(7, 3)
    return q * x + r * r * i * j + math.copysign(x, y)


def test_a_division_by_zero_raises_as_in_python():
    def rest(x, y):
        return divmod(x, y)[1]

    with pytest.raises(ZeroDivisionError):
        tl.value_and_grad(rest, backend="numba")(1.0, 0.0)


@case((A, 1), (A, -2), (A, 7), slow=True)
def diagonals(a, k):
    b = a @ a
    return np.sum(np.diag(b, k) ** 2) + np.sum(np.diagonal(a) * a[0]) + np.sum(np.diag(a[0], k))


@case((np.array([-1.0, 2.0, 3.0]),), (E,))
def stepped(x):
    return np.sum(np.heaviside(x, 0.5) * x * x)


@case((A,), (A[:1],))
def rows_by_name(x):
    for row in x:
        s = row.sum()
    y = x.copy()
    for row in y:
        row *= s
    return np.sum(y) * row[0]


# Stacks of tuples ---------------------------------------------------------------------------------
@case((0.1, 2.0, 1e-2), (0.1, 2.0, 1e3), wrt=(0, 1))
def quadrature(a, b, tolerance):
    todo = [(a, b, 0)]
    total = 0.0
    while todo:
        left, right, depth = todo.pop()
        middle = 0.5 * (left + right)
        one = (right - left) * np.sin(middle)
        two = 0.5 * (right - left) * (np.sin(left) + np.sin(right))
        if abs(one - two) < tolerance or depth > 4:
            total += (2.0 * one + two) / 3.0
        else:
            todo.append((left, middle, depth + 1))
            todo.append((middle, right, depth + 1))
    return total


@case((V, 3), (ONE, 0))
def queued(x, n):
    queue = []
    total = 0.0
    for i in range(n):
        queue.append((x * i, i + 1.0))
    while len(queue) > 0:
        y, weight = queue.pop()
        total = total + weight * np.sum(y * y)
    return total


@pytest.mark.parametrize("function, argsets, wrt", PROGRAMS)
@pytest.mark.sweep(10)
def test_programs(function, argsets, wrt):
    for args in argsets:
        check(function, args, wrt)


# Arguments ----------------------------------------------------------------------------------------
class Shape(enum.Enum):
    ROUND = "round"
    FLAT = "flat"


CONSTANTS = {"rate": 2.0, "n": 2, "inner": {"q": np.ones(3)}}
MODE = Shape.ROUND


def both(function, *args, **keywords):
    found = tl.grad(function, backend="numba")(*args, **keywords)
    np.testing.assert_allclose(found, tl.grad(function)(*args, **keywords), rtol=1e-12)
    return found


def test_none_and_names():
    def f(x, w=None, *, scale, shift=None, n=3):
        for _ in range(n):
            x = x * scale
        if w is not None:
            x = x * w
        return np.sum(x) if shift is None else np.sum(x + shift * x)

    both(f, np.ones(2), scale=2.0)
    both(f, np.ones(2), np.array([2.0, 3.0]), scale=2.0, n=0)
    both(f, np.ones(2), None, scale=2.0, shift=np.ones(2))
    d = tl.grad(f, backend="numba")
    assert d(np.ones(2), scale=2.0)[0] == 8.0 == d(np.ones(2), None, scale=2.0)[0]
    assert d(np.ones(2), np.ones(2), scale=3.0)[0] == 27.0
    with pytest.raises(tl.TangentError, match="too many positional"):
        d(np.ones(2), None, 2.0)
    with pytest.raises(tl.TangentError, match="missing a required argument: 'scale'"):
        d(np.ones(2))


def test_none_in_containers():
    def f(p, x):
        return p["a"] * x if p["b"] is None else x * x

    both(lambda x: f({"a": 2.0, "b": None}, x), 3.0)
    found = tl.grad(f, wrt=1, backend="numba")
    assert found({"a": 2.0, "b": None}, 3.0) == 2.0
    assert found({"a": 2.0, "b": 1.0}, 3.0) == 6.0


def test_members_of_enums(monkeypatch):
    def f(x, shape):
        y = x * x if shape is Shape.ROUND else x
        return y * 2.0 if shape != Shape.FLAT else y

    def g(x):
        return x * x if MODE is Shape.ROUND else x

    d = tl.grad(f, backend="numba")
    assert [d(3.0, Shape.ROUND), d(3.0, Shape.FLAT), d(3.0, Shape.ROUND)] == [12.0, 1.0, 12.0]
    around = tl.grad(g, backend="numba")
    assert around(3.0) == 6.0
    monkeypatch.setitem(globals(), "MODE", Shape.FLAT)
    assert around(3.0) == 1.0


def test_dicts_around_a_function(monkeypatch):
    def f(x):
        return np.sum(x * CONSTANTS["inner"]["q"]) * CONSTANTS["rate"] ** CONSTANTS["n"]

    d = tl.grad(f, backend="numba")
    for rate in (2.0, 3.0, 2):
        monkeypatch.setitem(CONSTANTS, "rate", rate)
        np.testing.assert_array_equal(d(np.ones(3)), tl.grad(f)(np.ones(3)))
    monkeypatch.setitem(CONSTANTS, "inner", {"q": 2.0})
    np.testing.assert_array_equal(d(np.ones(3)), tl.grad(f)(np.ones(3)))


def square(x):
    return x * x


RATE = 2.0


def with_rate(x):
    return RATE * x


def simpson(f, a, b, n):
    h = (b - a) / n
    s = f(a) + f(b)
    for i in range(1, n):
        s += (4 if i % 2 else 2) * f(a + i * h)
    return s * h / 3.0


def integral(a, b, f):
    return simpson(f, a, b, 4) + simpson(f, a, 2.0 * b, 4)


def test_functions_as_arguments(monkeypatch):
    def f(x, function):
        return function(x) * x

    d = tl.grad(f, backend="numba")
    for function in (square, math.sin, np.sin, lambda u: u ** 3, square, with_rate):
        assert math.isclose(d(1.5, function), tl.grad(f)(1.5, function), rel_tol=1e-12)
    monkeypatch.setitem(globals(), "RATE", 5.0)
    assert d(1.5, with_rate) == 15.0
    for function in (square, np.sin):
        both(integral, 0.1, 0.5, function)


def test_functions_that_read_from_around_are_not_handed_on():
    with pytest.raises(tl.UnsupportedSyntaxError, match="reads RATE from around it") as error:
        tl.grad(integral, backend="numba")(0.1, 0.5, with_rate)
    assert "simpson(f, a, b, 4)" in str(error.value) and "^" in str(error.value)


def test_single_precision_is_refused_still():
    def f(a, b):
        return np.sum(np.array([[1.0, a[0]], [0.0, a[1]]]) * b)

    with pytest.raises(tl.TangentError, match="float32"):
        tl.grad(f, backend="numba")(V.astype(np.float32), 2.0)


def test_a_function_that_always_raises_raises_what_python_raises():
    def f(x, y):
        total = x * y
        for _ in range(2):
            if total < 1e9:
                raise ValueError("too small")
            total = total * x
        raise KeyError("too large")

    for make in (tl.grad, tl.value_and_grad):
        with pytest.raises(ValueError, match="too small"):
            make(f, wrt=(0, 1), backend="numba")(1.0, 2.0)


def eliminated(a, b):
    a, b = a.copy(), b.copy()
    for k in range(3):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, 3):
            m = a[i, k] / a[k, k]
            a[i, k:] -= m * a[k, k:]
            b[i] -= m * b[k]
    return np.sum(b ** 2) * a[2, 2]


def at_places_and_masks(a, b):
    a = a.copy()
    for k in range(3):
        rows = np.array([0, 2, 0])
        a[rows, k] = a[rows, k] * a[k, k] + b[0]
        a[rows[:2]] = np.sin(a[rows[:2]])
        a[k] = np.where(a[k] > 0.0, a[k], 0.1 * a[k])
        a[:, a[k] > 0.5] *= b[1]
    return np.sum(a ** 2)


@pytest.mark.parametrize("function", [eliminated, at_places_and_masks])
def test_rows_and_blocks_are_put_on_tapes_of_their_own(function):
    check(function, [A, V[:3]], [0, 1])
