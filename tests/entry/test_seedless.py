"""The seed left out of loops, in what is called: where, and that nothing is another number for it.

`source_for` is the text with its seed; what is called is compared with that text, run with a seed
of one, to the last bit.
"""

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.entry import seedless

X = np.array([0.3, -0.7, 1.1, 0.4, 0.9, -0.2])
RATE = 2.0


def neighbours(x):
    total = 0.0
    for i in range(1, x.shape[0]):
        total = total + x[i] * x[i - 1]
    return total


def rows(A):
    total = 0.0
    for i in range(A.shape[0]):
        total += np.sum(A[i] * A[i])
    return total


def dot(x, y):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    return total * 3.0


def scaled(x, rate):
    total = 0.0
    for i in range(x.shape[0]):
        total += rate * x[i] + x[i] / rate
    return total


def rebound(x, rate):
    total = 0.0
    for i in range(x.shape[0]):
        total += rate * x[i]
        rate = total if x[i] > 0.5 else i
    return total


def by_global(x):
    total = 0.0
    for v in x:
        total += RATE * v * v
    return total


def in_a_branch(x):
    first, second = 0.0, 0.0
    for i in range(x.shape[0]):
        if x[i] > 0.0:
            first += x[i] * x[i]
        else:
            second += x[i] * x[0]
    return first - second


def in_a_while(x):
    total, i = 0.0, 0
    while i < x.shape[0]:
        total = total + x[i] * x[-1]
        i = i + 1
    return total


def through_steps(x):
    s = 1.0
    for i in range(x.shape[0]):
        s = s * x[i] + x[i] * x[i]
    return s


def by_places(x, where):
    total = 0.0
    for k in range(where.shape[0]):
        total += x[where[k]] * x[where[k]] * k
    return total


def column(A):
    total = 0.0
    for j in range(A.shape[1]):
        v = A[:, j]
        total += v @ v + v[0] * A[0, j]
    return total


CASES = [(neighbours, (X,)), (rows, (np.outer(X, X),)), (dot, (X, X[::-1].copy())),
         (scaled, (X, 0.7)), (rebound, (X, 0.7)), (by_global, (X,)), (in_a_branch, (X,)),
         (in_a_while, (X,)),
         (through_steps, (X,)), (by_places, (X, np.array([0, 3, 3, 1]))),
         (column, (np.outer(X, X + 1.0),))]


def text_run(function, args):
    """The gradient by the text that is shown."""
    space = {"np": np, "RATE": RATE}
    exec(tl.grad(function).source_for(*args), space)
    return space[f"{function.__name__}_grad"](*args)


@pytest.mark.parametrize("function, args", CASES)
def test_the_same_numbers(function, args):
    gradient = tl.grad(function, wrt=(0,)) if len(args) > 1 else tl.grad(function)
    wanted = text_run(function, args)
    wanted = wanted[0] if isinstance(wanted, tuple) else wanted
    for _ in range(4):
        found = gradient(*args)
        found = found[0] if isinstance(found, tuple) else found
        assert np.array_equal(found, wanted) and found.dtype == float
        assert not any(np.shares_memory(found, one) for one in args if isinstance(one, np.ndarray))
        found[...] = 7.0                                    # it is the caller's


@pytest.mark.parametrize("function, args", CASES)
def test_values_beside_it(function, args):
    both = tl.value_and_grad(function)
    wanted = text_run(function, args)
    for _ in range(3):
        value, found = both(*args)
        assert value == function(*args)
        assert np.allclose(found, wanted if not isinstance(wanted, tuple) else wanted[0],
                           rtol=1e-15)


@pytest.mark.parametrize("function", [neighbours, in_a_branch, in_a_while, through_steps])
def test_other_kinds_in_between(function):
    gradient = tl.grad(function)
    wanted = gradient(X)
    for other in (X.astype(np.float32), X.astype(np.longdouble), X[:1], X[:2], X):
        for _ in range(3):
            found = gradient(other)
            assert found.dtype == other.dtype and found.shape == other.shape
        assert np.array_equal(gradient(X), wanted)


def test_numbers_that_become_whole():
    gradient = tl.grad(scaled)
    for rate in (0.5, 2, 0.5, np.float32(0.5), True, 0.25):
        for _ in range(3):
            found = gradient(X, rate)
            assert found.dtype == float and np.allclose(found, rate + 1.0 / rate)


def test_a_global_that_changes(monkeypatch):
    gradient = tl.grad(by_global)
    assert np.array_equal(gradient(X), 4.0 * X)
    for rate in (3, 0.5, np.float64(2.5)):
        monkeypatch.setitem(by_global.__globals__, "RATE", rate)
        assert np.allclose(gradient(X), 2.0 * rate * X)
        assert np.allclose(gradient(X), 2.0 * rate * X)


def test_it_is_done(monkeypatch):
    def summed(x):
        total = 0.0
        for i in range(1, x.shape[0]):
            total = total + x[i] * x[i - 1]
        return total

    def multiplied(x):
        s = 1.0
        for i in range(x.shape[0]):
            s = s * x[i] + x[i] * x[i]
        return s

    done = []
    plain = seedless.without_seed

    def noted(main, names, values):
        made = plain(main, names, values)
        done.append(made is not main)
        return made

    monkeypatch.setattr("tangent_lite.entry.without_seed", noted)
    for function, expected in ((summed, True), (multiplied, False)):
        done.clear()
        gradient = tl.grad(function)
        for _ in range(3):
            gradient(X.copy())
        assert any(done) == expected, function
