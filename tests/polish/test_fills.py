"""What is written as by hand: filled zeros, loops over tapes, shapes asked of what is there."""

import importlib.util
import linecache

import numpy as np
import pytest

import tangent_lite as tl


def gates(x, W):
    n = W.shape[1]
    z = W @ x
    t = np.stack((z, z * z, np.sin(z), z))
    flat = t.reshape(4 * z.shape[0])
    return np.sum(flat * flat) * n


def four(x):
    n = x.shape[0] // 4
    m = x.shape[0]
    return np.sum(x[:2] ** 2) * np.sum(x[2:4] * x[4]) + x[5] * n * m


def by_length(x, y):
    n = y.shape[0]
    a, b, c = x[:n], x[n:2 * n], x[2 * n:]
    return np.sum(a * b * y) + np.sum(c * c)


def overlapping(x):
    return np.sum(x[:3] ** 2) + np.sum(x[2:5] ** 3) + x[4] * x[-1] + x[-1] ** 2


def by_columns(x):
    a, b, c = x[:, 0], x[:, 1:3], x[:, 2:]
    return np.sum(a * a) + np.sum(b ** 3) + np.sum(c * c) * np.sum(x[0] ** 2)


def masked(x, k):
    return np.sum(x[:k] ** 2) + np.sum(x[k:] ** 3) + np.sum(x[::2] ** 2) + np.sum(x[1::2] ** 3)


X = np.array([0.3, -0.7, 1.1, 0.4, 0.9, -0.2])


@pytest.mark.parametrize("function, args", [
    (four, (X,)), (by_length, (X, np.array([1.0, 2.0]))), (by_length, (X, np.ones(0))),
    (by_length, (X[:2], np.ones(1))), (overlapping, (X,)),
    (by_columns, (np.arange(12.0).reshape(3, 4),)), (by_columns, (np.ones((1, 3)),)),
    (masked, (X, 2)), (masked, (X, -2)), (masked, (X, 0)),
])
@pytest.mark.sweep(3)
def test_parts_of_zeros_are_filled_right(function, args):
    tl.check_grads(function, args, order=2)
    for dtype in (np.float32, float):
        typed = tuple(a.astype(dtype) if isinstance(a, np.ndarray) else a for a in args)
        found = tl.grad(function)(*typed)
        wanted = tl.jacfwd(function)(*typed)
        assert found.dtype == dtype and np.allclose(found, wanted, rtol=1e-4)


def test_what_is_apart_is_assigned_and_what_may_overlap_is_added():
    text = tl.grad(by_length).source_for(X, np.ones(2))
    assert "bx[2 * n:] = " in text and "bx[n:2 * n] = " in text and "bx[:n] = " in text
    text = tl.grad(overlapping).source_for(X)
    assert text.count("] += ") >= 3
    text = tl.grad(masked).source_for(X, 2)
    assert text.count("] += ") >= 3             # k may be negative, and is no length


def power(x, n):
    for _ in range(n):
        x = x * x * 0.5 + np.sin(x)
    return x


def until(x):
    while x < 100.0:
        x = x * x + 1.0
    return x


def numbered(x, n):
    total = 0.0
    for i in range(n):
        x = x * x * 0.3 + i
        total = total + x * i
    return total


def within(x, n):
    for i in range(n):
        for _ in range(i):
            x = x * x * 0.3
    return x


@pytest.mark.parametrize("function, args, reversed_", [
    (power, (0.7, 3), True), (power, (0.7, 0), True), (until, (1.5,), True),
    (until, (200.0,), True), (numbered, (0.4, 3), False), (within, (0.9, 3), False),
])
def test_loops_over_tapes(function, args, reversed_, tmp_path):
    d = tl.grad(function)
    assert ("in reversed(" in d.source_for(*args)) == reversed_
    tl.check_grads(function, args, order=2)
    second = tl.grad(tl.grad(function))(*args)
    d(*args)
    d.save(tmp_path / "saved.py")
    spec = importlib.util.spec_from_file_location("saved", tmp_path / "saved.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    saved = getattr(module, f"{function.__name__}_grad")
    assert saved(*args) == d(*args)
    # What was saved can be read again.
    assert tl.grad(saved)(*args) == pytest.approx(second)


def module_with(**space):
    text = "def f(x, n):\n    for _ in range(n):\n        x = x * x * 0.5\n    return x\n"
    file = f"<a module with {list(space)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), space)
    return space


def test_a_name_that_means_something_else_is_not_used():
    space = module_with(reversed=lambda xs: xs)
    d = tl.grad(space["f"])
    assert "in reversed(" not in d.source_for(0.7, 3)
    right = d(0.7, 3)
    space = module_with()
    d = tl.grad(space["f"])
    assert "in reversed(" in d.source_for(0.7, 3) and d(0.7, 3) == pytest.approx(right)
    space["reversed"] = lambda xs: xs           # from now on
    assert d(0.7, 3) == pytest.approx(right)


def rebound(x, n):
    for _ in range(n):
        t = x * 0.5
        x = np.sin(t) * t
    return np.mean(x)


def shapes(x, y, s):
    t = np.log(x * x + 1.0) * y
    u = np.sqrt(x * x + y * y + 1.0) / s
    if s > 1.0:
        u = np.exp(-u) + x
    return np.mean(t) + np.sum(np.log(u * u + 1.0))


@pytest.mark.parametrize("function, args", [
    (rebound, (X, 0)), (rebound, (X, 2)), (shapes, (X, X[:1], 2.0)), (shapes, (X[:1], X, 0.5)),
    (shapes, (X, X.reshape(2, 3)[:, :1, None], 2.0)),
])
@pytest.mark.sweep(2)
def test_shapes_are_asked_of_what_is_there(function, args):
    for wrt in range(len(args) - (function is rebound)):
        found = tl.grad(function, wrt=wrt)(*args)
        assert np.allclose(found, tl.jacfwd(function, wrt=wrt)(*args))
    tl.check_grads(function, args, order=2)


# Loops whose iterations have parts of their own, and parts that are overwritten -----------------
def forward_sweep(x, w):
    y = x.copy()
    for i in range(1, y.shape[0]):
        y[i] = (y[i] - w * y[i - 1]) / (1.0 + y[i] * y[i])
    return np.sum(y * y)


def backward_sweep(x, w):
    n = x.shape[0]
    y = x.copy()
    for i in range(n - 2, -1, -1):
        y[i] = y[i] * w[i] + np.sin(y[i + 1])
    return np.sum(y * y) * np.sum(w[:2])


def from_the_end(x, w):
    y = x.copy()
    for i in range(-2, 1):
        y[i] = y[i] * w + y[i + 1] * y[0]
    return np.sum(y * y)


def one_behind(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        total = total + x[i - 1] ** 2 * w + x[i] * x[0]
    return total


def twice_each(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        total = total + x[i // 2] ** 2 * w
    return total


def each_other(x, w):
    total = 0.0
    for i in range(x.shape[0] // 2):
        total = total + np.sin(x[2 * i + 1]) * w + x[2 * i + 1] ** 2
    return total


def rows(x, w):
    total = 0.0
    A = np.outer(x, x)
    for i in range(A.shape[0]):
        total = total + np.sum(A[i] ** 2) * w + A[i, 0] * A[i, -1]
    return total


def left_early(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        if x[i] < 0.0:
            break
        total = total + x[i] ** 3 * w
    return total


def passed_over(x, w):
    y = x.copy()
    for i in range(x.shape[0] - 1):
        if w > 0.0 and x[i] < 0.0:
            continue
        y[i] = y[i] * y[i + 1]
    return np.sum(y * y)


def under_two_names(x, w):
    y = x.copy()
    z = y[1:]
    for i in range(z.shape[0]):
        y[i] = y[i] * w + z[i]
        z[i] = z[i] * y[i]
    return np.sum(y * y) + np.sum(z)


def same_counter(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        total = total + x[i] ** 2
        for i in range(2):
            total = total + w * x[i] ** 3
    return total


def whole_between(x, w):
    y = x.copy()
    for i in range(x.shape[0]):
        y[i] = y[i] * w
        y = y * y[i]
    return np.sum(y)


def negative_steps(x, w):
    total = 0.0
    for i in range(x.shape[0], -x.shape[0], -1):
        total = total + x[i - 1] ** 2 * w
    return total


IN_TURN = (forward_sweep, from_the_end, one_behind, twice_each, each_other, rows, left_early,
           passed_over, under_two_names, same_counter, whole_between, negative_steps)


@pytest.mark.parametrize("size", (2, 3, 6))
@pytest.mark.parametrize("function", IN_TURN)
def test_parts_that_loops_fill_or_overwrite(function, size):
    args = (X[:size] if size > 2 else np.array([0.3, 0.8]), 0.7)
    found = tl.grad(function)(*args)
    assert np.allclose(found, tl.jacfwd(function)(*args), rtol=1e-12, atol=1e-14)
    assert np.allclose(tl.grad(function, wrt=1)(*args), tl.jacfwd(function, wrt=1)(*args))


@pytest.mark.parametrize("size", (1, 2, 6))
@pytest.mark.sweep(2)
def test_sweeps_in_both_directions(size):
    tl.check_grads(backward_sweep, (X[:size], X[:size] + 2.0))
    tl.check_grads(forward_sweep, (X[:size], 0.7))


def test_what_loops_fill_is_assigned_where_iterations_are_apart():
    text = {f.__name__: tl.grad(f).source_for(X, 0.7) for f in IN_TURN}
    assert "bx[2 * i + 1] = " in text["each_other"]
    assert "bx[i] = " in text["left_early"] and "bx[i] += " not in text["left_early"]
    assert "by[i] = 0.0" not in text["forward_sweep"] and "by[i] = " in text["forward_sweep"]
    assert "bA[i, 0] = " in text["rows"] or "bA[i, -1] = " in text["rows"]
    for name in ("one_behind", "twice_each", "same_counter", "negative_steps"):
        assert "bx[i] = " not in text[name] and "bx[i - 1] = " not in text[name]
    assert "by[i] = 0.0" in text["from_the_end"]
