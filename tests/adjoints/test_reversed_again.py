"""A backward pass is written a second time only where the first one shows that there is more to
record; what it would be is the same."""
import inspect
import itertools

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import transform


def steady(x, n):
    y = x
    for _ in range(n):
        y = np.sin(y) * x
    return np.sum(y)


def shrinking(x, n):
    total, y = 0.0, x
    for _ in range(n):
        y = y[1:] * y[:-1]
        total = total + np.sum(y)
    return total


def listed(x, n):
    out = []
    for i in range(n):
        out.append(x[i:] * 2.0)
    z = 0.0
    for y in out:
        z = z + y[0] * y[0]
    return z


def either(x, n):
    y = x[1:] * 2.0 if n > 2 else x * x
    return np.sum(y)


def carried(x, n):
    y, total = x, 0.0
    for _ in range(n):
        z = y[1:]
        total = total + z[0]
        y = z
    return total


def picked(xs, n):
    y = xs[0]
    for i in range(n):
        y = xs[i]
        if i == 1:
            break
    return y[0] * y[1]


X = np.linspace(0.3, 1.2, 6)
ONCE = {steady: X, shrinking: X, listed: X, either: X}
TWICE = {carried: X, picked: [X, X * 2.0, X * 3.0]}


@pytest.fixture
def written(monkeypatch):
    """Counts the backward passes that are written."""
    count = []
    reverse = transform.reverse

    def counted(*given):
        count.append(given)
        return reverse(*given)

    monkeypatch.setattr(transform, "reverse", counted)
    return count


@pytest.fixture
def fresh(tmp_path):
    """Makes a function again that no derivative has been written of."""
    numbers = itertools.count()

    def made(function):
        path = tmp_path / f"again_{next(numbers)}.py"
        path.write_text(inspect.getsource(function))
        space = {"np": np}
        exec(compile(path.read_text(), str(path), "exec"), space)
        return space[function.__name__]

    return made


@pytest.mark.parametrize("f", [*ONCE, *TWICE])
def test_as_often_as_it_takes(f, written, fresh):
    tl.grad(fresh(f)).source_for({**ONCE, **TWICE}[f], 3)
    assert len(written) == (1 if f in ONCE else 2)


@pytest.mark.parametrize("f", [*ONCE, *TWICE])
@pytest.mark.parametrize("how", [tl.grad, tl.value_and_grad])
def test_the_text_is_that_of_a_second_time(f, how, written, fresh, monkeypatch):
    given = {**ONCE, **TWICE}[f]
    text = how(fresh(f), wrt=0).source_for(given, 3).replace("again_0.py", "again_1.py")
    once = len(written)
    monkeypatch.setattr(transform, "are_alike", lambda one, other: False)
    assert how(fresh(f), wrt=0).source_for(given, 3) == text
    assert len(written) == (3 if f in ONCE else 2 * once)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize("f", [steady, shrinking, listed, either, carried])
def test_gradients_are_those_of_complex_steps(f, n):
    found = tl.grad(f)(X, n)
    steps = np.eye(len(X)) * 1e-30j
    assert np.allclose(found, [np.imag(f(X + step, n)) * 1e30 for step in steps], rtol=1e-12)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_of_a_list(n):
    xs = TWICE[picked]
    at = max(0, min(n - 1, 1))
    expected = [np.zeros_like(x) for x in xs]
    expected[at][:2] = xs[at][1], xs[at][0]
    for found, wanted in zip(tl.grad(picked)(xs, n), expected):
        assert np.array_equal(found, wanted)


@pytest.mark.parametrize("f", [steady, shrinking, carried])
def test_second_derivatives(f):
    found = tl.hessian(f)(X, 2)
    for k, column in enumerate(np.eye(len(X))):
        expected = (tl.grad(f)(X + 1e-5 * column, 2) - tl.grad(f)(X - 1e-5 * column, 2)) / 2e-5
        assert np.allclose(found[:, k], expected, atol=1e-7)
