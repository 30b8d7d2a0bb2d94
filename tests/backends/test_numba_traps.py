"""Where Numba's numbers and rules are not Python's: never another result, at most a stop.

A stop is a call that compiled code cannot do; it runs in Python, with a warning.
"""
import math
import warnings

import numpy as np
import pytest

import tangent_lite as tl

pytest.importorskip("numba")

from tests.backends.comparing import compare  # noqa: E402


# Ints -----------------------------------------------------------------------------------------
def fibonacci(x, n):
    a, b = 0, 1
    for i in range(n):
        a, b = b, a + b
    return x * a


def product(x, n):
    k = 1
    for i in range(1, n):
        k = k * i
    return x * k


def power(x, n):
    return x * 2 ** n


def shift(x, n):
    return x * (1 << n)


def beside(x, n):
    return x * (n + 1)


def int_that_is_a_float(x, n):
    t = 2 ** 60 + 1
    if n > 0:
        t = 0.5
    return x * (t - 2 ** 60)


def modulo(x, n, m):
    return x % 2.0 + x * (n % m) + x * (n // m)


def conversions(x):
    return round(x) * x + int(x) * x + math.floor(x) * x


def int_on_a_tape(x, n):
    k = 1
    for i in range(n):
        x = x * k
        k = k * 3 + i
    return x


def of_int_arrays(x, k):
    return np.sum(x * k * k) + x[0] * np.sum(k)


# Floats ---------------------------------------------------------------------------------------
def divide(x, y):
    return x / y


def divide_elements(x, i):
    return x[i] / x[0]


def root(x):
    return math.sqrt(x)


def exponential(x):
    return math.exp(x)


def logarithm(x):
    return np.log(x)


def float_power(x, y):
    return x ** y


def larger(x, y):
    return max(x, y) * min(x, y)


def largest(x):
    return np.max(x)


# Names ----------------------------------------------------------------------------------------
def unbound(x, n):
    for i in range(n):
        y = x * i
    return y


def none_first(x, n):
    best = None
    for i in range(n):
        if x * i > 3:
            best = x * i
    return best * 2.0


def asked_for_none(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best * 2.0


def left_over(x, n):
    for i in range(n):
        t = x * i
        if i > 1:
            s = t * x
    return s * t


# Arrays ---------------------------------------------------------------------------------------
def element(x, i):
    return x[i] * 2.0


def write(x, i):
    y = x.copy()
    y[i] = x[0] * x[1]
    return np.sum(y * y)


def ends(x, n):
    return np.sum(x[1:n])


def both(x, y):
    return np.sum(x * y)


def part(x, v):
    y = x.copy()
    y[1:3] = v
    return np.sum(y * y)


def view(x):
    y = x.copy()
    z = y[1:].ravel()
    z[0] = 5.0
    return np.sum(y * y)


def rows(x, k):
    return np.sum(x[k] ** 2)


def mask(x, y):
    return np.sum(x[x > y] ** 2)


def add_beside(x):
    u = x.copy()
    u[1:] += u[:-1]
    return np.sum(u * u * x)


def add_backwards(x):
    u = x.copy()
    u += u[::-1]
    return np.sum(u * u * x)


def add_transposed(x):
    A = np.outer(x, x * x)
    A += A.T
    return np.sum(A * A * A)


def move_beside(x):
    u = x.copy()
    u[1:] = u[:-1]
    return np.sum(u * u * x)


def numpy_power(x, n):
    return x * np.power(2, n)


def spectrum(x):
    return np.sum(np.abs(np.fft.rfft(x)) ** 2)


# Control --------------------------------------------------------------------------------------
def raises(x):
    if x < 0:
        raise ValueError("negative")
    return x * x


def asserts(x):
    assert x > 0, "not positive"
    return x * x


def a_list(x, n):
    xs = []
    for i in range(n):
        xs.append(x * i)
    return xs[-1] * xs[0] + len(xs) * x


def by_text(x, kind):
    return x * 2.0 if kind == "double" else x


ONES = np.ones(3)
SAME = [(asked_for_none, np.array([1.0, 3.0, 2.0])),
    (fibonacci, 2.0, 50), (product, 1.5, 15), (power, 2.0, 10), (shift, 1.0, 10), (beside, 1.0, 5),
    (modulo, -3.5, -7, 3), (modulo, 3.5, 7, -3), (modulo, 3.5, 7, 0), (conversions, 2.5),
    (conversions, -2.5), (int_on_a_tape, 1.1, 12), (of_int_arrays, ONES, np.array([2 ** 40, 2, 3])),
    (divide, 1.0, 0.0), (root, -1.0), (root, 0.0), (exponential, 1000.0), (exponential, 1.0),
    (logarithm, -1.0), (logarithm, 1.0), (float_power, 0.0, -1.0), (float_power, 10.0, 400.0),
    (float_power, 2.0, 3.0), (larger, 1.0, math.nan), (larger, math.nan, 1.0), (larger, 1.0, 1.0),
    (largest, np.ones(0)), (largest, np.array([1.0, math.nan, 3.0])),
    (largest, np.array([3.0, 1.0, 3.0])),
    (unbound, 2.0, 0), (unbound, 2.0, 3), (none_first, 2.0, 1), (none_first, 2.0, 5),
    (left_over, 2.0, 2), (left_over, 2.0, 4),
    (element, ONES, 5), (element, ONES, -1), (element, ONES, -4), (write, ONES, 3),
    (write, ONES, -3), (ends, np.ones(4), 100), (ends, np.ones(4), -1), (both, ONES, np.ones(4)),
    (both, np.ones((3, 1)), np.ones(4)), (part, np.ones(5), ONES), (part, np.ones(5), np.ones(2)),
    (rows, ONES, np.array([0, 0, 2])), (rows, ONES, np.array([0, 3])),
    (mask, np.arange(4.0), 1.5), (add_beside, np.arange(1.0, 7.0)),
    (add_backwards, np.arange(1.0, 7.0)), (add_transposed, np.arange(1.0, 4.0)),
    (move_beside, np.arange(1.0, 7.0)),
    (raises, -1.0), (raises, 2.0), (asserts, -1.0), (asserts, 1.0),
    (a_list, 2.0, 4), (a_list, 2.0, 0), (by_text, 1.0, "double"),
]
STOPPED = [
    (fibonacci, 2.0, 100), (product, 1.5, 30), (power, 2.0, -2), (power, 2.0, 70),
    (shift, 1.0, 70), (beside, 1.0, 2 ** 62), (beside, 1.0, 2 ** 63 - 1), (beside, 1.0, 2 ** 70),
    (int_that_is_a_float, 1.0, 0), (conversions, 1e300), (int_on_a_tape, 1.0, 60),
    (divide_elements, np.zeros(3), 1), (float_power, -8.0, 1 / 3), (numpy_power, 1.0, -1),
]
REFUSED = [(view, np.ones(4)), (spectrum, np.arange(3.0))]


@pytest.mark.parametrize("function, args", [(f, args) for f, *args in SAME],
                         ids=lambda x: getattr(x, "__name__", None))
@pytest.mark.sweep(12)
def test_the_same(function, args):
    outcome, detail = compare(function, args, (0,))
    assert outcome == "same", detail


@pytest.mark.parametrize("function, args", [(f, args) for f, *args in STOPPED],
                         ids=lambda x: getattr(x, "__name__", None))
@pytest.mark.sweep(5)
def test_stops_and_runs_in_python(function, args):
    outcome, detail = compare(function, args, (0,))
    assert outcome == "stopped", detail


@pytest.mark.parametrize("function, args", [(f, args) for f, *args in REFUSED],
                         ids=lambda x: getattr(x, "__name__", None))
def test_is_refused(function, args):
    outcome, detail = compare(function, args, (0,))
    assert outcome == "refused", detail


def test_a_stop_is_said_once():
    d = tl.grad(fibonacci, backend="numba")
    with pytest.warns(RuntimeWarning, match="the call ran in Python"):
        assert d(2.0, 100) == float(354224848179261915075)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert d(2.0, 100) == float(354224848179261915075)
        assert d(2.0, 10) == 55.0
