"""Helpers that names tell, called by what is followed by identity: by names from the second call on
in these tests, and as before otherwise."""
import heapq
import math
import warnings

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.calling.reuse import forget
from tangent_lite.heap import islands
from tests.heap.forced import by_identity

X = np.array([0.3, 0.9, 1.4])
RATE, WEIGHTS, TABLE = 0.3, np.array([0.2, 0.5, 0.1]), {"rate": 2.0}
THE_SAME = WEIGHTS


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(islands, "SOON", 1)
    forget()
    yield
    forget()


def made():
    """The names of the helpers that are told by names."""
    return {f.__name__ for f, found in islands._found.items() if isinstance(found, islands.Island)
            and any(variant is not None for variant in found.variants.values())}


def rate(t, y, power=2.0):
    z = math.exp(-t) * y
    return (z * z - math.sin(y) if z > 0.2 else z) * RATE + y ** power


def stepped(y, t, h):
    k = rate(t, y)
    return y + h * rate(t + h / 2, y + h / 2 * k, 3.0)


def shares(y):
    return np.tanh(y) / np.sum(np.abs(y)), np.sum(y * y)


def weighted(y):
    return np.sum(y * WEIGHTS)


def first_part(y):
    return y[:2]


def same(y):
    return y


def by_table(y):
    return y * TABLE["rate"]


def filled(y):
    y[0] = 2.0
    return y[0]


def reciprocal(y):
    return 1.0 / y


def scaled(y):
    return y * RATE


def scaled_twice(y):
    return scaled(scaled(y))


def weights(y):
    return WEIGHTS if y > 0.0 else WEIGHTS * y


def halves(n):
    return n // 2


def numbers(x):
    heap, total = [], 0.0
    for k in range(3):
        heapq.heappush(heap, (k * 0.1, k))
    while heap:
        t, k = heapq.heappop(heap)
        total = total * 0.9 + stepped(x[k], t, 0.1) * halves(k + 4)
        if t < 0.4:
            heapq.heappush(heap, (t + 0.3, k))
    return total


def arrays(x):
    total, y = 0.0, x
    for _ in range(4):
        y, n = shares(y)
        y[0] = n * 0.1                          # the array is the caller's
        total = total + weighted(y) * n
    return total + np.sum(y)


def views(x):
    y, total = x * 1.0, 0.0
    for k in range(3):
        part = first_part(y)
        part[1] = part[0] * k
        whole = same(y)
        whole[2] = whole[0] * whole[1]
        total = total + np.sum(y * by_table(y))
    return total


def overwritten(x):
    y, total = x * 1.0, 0.0
    for k in range(4):
        total = total + weighted(y) * shares(y)[1]
        y[k % 3] = y[0] * y[1] + k              # what the helpers were given is changed later
        total = total * filled(y) + y[0] * y[2]
    return total


def constants(x):
    total = 0.0
    for k in range(4):
        total = total + rate(0.1, 0.5) * x[k % 3] + scaled(np.float64(2.0))
    return total


@pytest.mark.parametrize("function, helpers", [
    (numbers, {"stepped", "halves"}), (arrays, {"shares", "weighted"}), (views, set()),
    (overwritten, {"shares", "weighted"}), (constants, {"rate", "scaled"})])
def test_derivatives(function, helpers):
    wanted = [(function(X + 1e-6 * e) - function(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
    with by_identity():
        derivative = tl.value_and_grad(function)
        for _ in range(3):                      # what the first run has read is looked up in it
            value, gradient = derivative(X)
            assert value == function(X)
            np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-7)
        found = made()
    assert helpers <= found and not found & {"first_part", "same", "by_table", "filled"}


def is_right_three_times(function):
    with by_identity():
        gradient = tl.grad(function)
        for _ in range(3):
            found = gradient(X)
            wanted = [(function(X + 1e-6 * e) - function(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
            np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_second_order_and_forward():
    with by_identity():
        hessian = tl.hessian(numbers)(X)
        _, along = tl.jvp(numbers, (X,), (X,))
        gradient = tl.grad(numbers)
        columns = [(gradient(X + 1e-6 * e) - gradient(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
        assert along == pytest.approx(gradient(X) @ X)
    np.testing.assert_allclose(hessian, columns, rtol=1e-5, atol=1e-6)


def test_globals_that_change(monkeypatch):
    def total(x):
        return scaled(x[0]) + scaled(x[1]) + scaled(x[2] * x[2])

    with by_identity():
        gradient = tl.grad(total)
        for value in (0.3, 0.7, 2, np.float64(3.0)):
            monkeypatch.setitem(globals(), "RATE", value)
            np.testing.assert_allclose(gradient(X), value * np.array([1.0, 1.0, 2 * X[2]]))
        monkeypatch.setitem(globals(), "RATE", np.ones(2))
        np.testing.assert_allclose(tl.grad(lambda x: np.sum(total(x)))(X),
                                   2.0 * np.array([1.0, 1.0, 2 * X[2]]))
        monkeypatch.setitem(globals(), "scaled", lambda y: y * y)
        np.testing.assert_allclose(gradient(X), [2 * X[0], 2 * X[1], 4 * X[2] ** 3])


def test_globals_that_the_run_changes():
    def total(x):
        global RATE
        before, RATE = RATE, 0.3
        for k in range(3):
            RATE = RATE * x[k]
            y = scaled(x[k])
        RATE = before
        return y

    with by_identity():
        gradient = tl.grad(total)(X)
    p = 0.3 * np.prod(X)
    np.testing.assert_allclose(gradient, [X[2] * p / X[0], X[2] * p / X[1], 2 * p])


def test_arrays_that_the_run_changes():
    def total(x):
        before = WEIGHTS.copy()
        y = 0.0
        for k in range(3):
            WEIGHTS[k] = x[k] * x[0]
            y = y + weighted(x)
        WEIGHTS[:] = before
        return y

    def wanted(x):
        w, y = WEIGHTS.copy(), 0.0
        for k in range(3):
            w[k] = x[k] * x[0]
            y = y + np.sum(x * w)
        return y

    with by_identity():
        gradient = tl.grad(total)(X)
    np.testing.assert_allclose(gradient, tl.grad(wanted)(X))


def test_helpers_of_helpers_that_change(monkeypatch):
    def total(x):
        return sum(scaled_twice(v) for v in x)

    with by_identity():
        gradient = tl.grad(total)
        for _ in range(2):
            np.testing.assert_allclose(gradient(X), RATE ** 2 * np.ones(3))
        assert "scaled_twice" in made()
        monkeypatch.setitem(globals(), "scaled", lambda y: y * y)
        for _ in range(2):
            np.testing.assert_allclose(gradient(X), 4 * X ** 3)


def test_arrays_that_become_something_else(monkeypatch):
    def total(x):
        return sum(weighted(x * k) for k in range(1, 4))

    with by_identity():
        gradient = tl.grad(total)
        for value in (WEIGHTS, np.ones(3), 2.0, np.ones((2, 3)), WEIGHTS):
            monkeypatch.setitem(globals(), "WEIGHTS", value)
            for _ in range(2):
                np.testing.assert_allclose(gradient(X), 6.0 * np.sum(
                    np.atleast_2d(value * np.ones(3)), axis=0))
        monkeypatch.delitem(globals(), "WEIGHTS")
        with pytest.raises(NameError):
            gradient(X)


def writes_into(y):
    y[0] = 2.0
    return y[1] * y[0]


def test_a_function_that_gets_another_text(monkeypatch):
    def total(x):
        y, found = x * 1.0, 0.0
        for _ in range(3):
            found = found + replaced_later(y) + y[0]
        return found

    with by_identity():
        gradient = tl.grad(total)
        np.testing.assert_allclose(gradient(X), [9.0, 0.0, 0.0])
        assert "replaced_later" in made()
        monkeypatch.setattr(replaced_later, "__code__", writes_into.__code__)
        for _ in range(3):
            np.testing.assert_allclose(gradient(X), [0.0, 6.0, 0.0])


def replaced_later(y):
    return y[0] * 2.0


def test_an_array_that_is_changed_by_another_name():
    def total(x):
        before, y = THE_SAME.copy(), 0.0
        for k in range(3):
            THE_SAME[k] = x[k] * x[0]
            y = y + weighted(x)
        THE_SAME[:] = before
        return y

    is_right_three_times(total)


def test_an_array_from_outside_that_is_handed_back():
    def total(x):
        y, before = 0.0, WEIGHTS.copy()
        for k in range(3):
            w = weights(x[k])
            w[k] = x[k] * x[0]
            y = y + np.sum(weights(x[0]) * x)
        w[:] = before
        return y

    is_right_three_times(total)
    np.testing.assert_array_equal(WEIGHTS, [0.2, 0.5, 0.1])


def test_errors_are_those_of_the_function():
    def total(x):
        found = 0.0
        for v in x:
            try:
                found = found + reciprocal(float(v * 1.0) - 0.9)
            except ZeroDivisionError:
                found = found + v * v
        return found

    with by_identity(), warnings.catch_warnings():
        warnings.simplefilter("error")
        gradient = tl.grad(total)(X)
    np.testing.assert_allclose(gradient, [-1 / 0.36, 1.8, -1 / 0.25])
    with by_identity(), pytest.raises(TypeError, match="positional argument"):
        tl.grad(lambda x: sum(scaled(v) for v in x) + scaled(x, x, x))(X)
