"""grad_hook: to look at, change and stop at the adjoint of a variable."""
import sys

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.5, -2.0, 3.0])


def close(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_print(capsys):
    def f(x):
        y = tl.grad_hook(x * x, print)
        return np.sum(y * x)

    assert f(X) == np.sum(X ** 3)
    assert capsys.readouterr().out == ""
    close(tl.grad(f)(X), 3.0 * X * X)
    assert capsys.readouterr().out == f"{X}\n"


def test_clip_in_a_loop():
    """The exploding recurrence: each step is held to 1."""
    def f(x, n):
        for _ in range(n):
            x = tl.grad_hook(3.0 * x, lambda g: np.clip(g, -1.0, 1.0))
        return np.sum(x)

    close(tl.grad(f)(X, 0), np.ones(3))
    for n in (1, 2, 5):
        close(tl.grad(f)(X, n), np.full(3, 3.0))


def test_the_order_of_calls_is_that_of_the_backward_pass():
    seen = []

    def helper(x, k):
        return tl.grad_hook(x * k, lambda g: seen.append((k, float(g))))

    def f(x):
        for k in range(1, 4):
            x = helper(x, k)
        return x

    close(tl.grad(f)(1.0), 6.0)
    assert seen == [(3, 1.0), (2, 3.0), (1, 6.0)]


def test_a_hook_that_raises_stops():
    def stop(g):
        raise StopIteration(f"adjoint {g}")

    def f(x):
        return tl.grad_hook(x * x, stop) * 5.0

    with pytest.raises(StopIteration, match=r"adjoint 5\.0"):
        tl.grad(f)(2.0)
    assert tl.jvp(f, (2.0,), (1.0,)) == (20.0, 20.0)


def test_breakpoint(monkeypatch):
    """In the debugger one is in the hook; the frame above it is the backward pass."""
    places = []

    def stopped():
        frame = sys._getframe(2)
        places.append((frame.f_code.co_name, sorted(n for n in frame.f_locals if n[0] == "b")))

    monkeypatch.setattr(sys, "breakpointhook", stopped)

    def look(g):
        breakpoint()                                                        # noqa: T100

    def f(x):
        y = tl.grad_hook(x * x, look)
        return y * 5.0

    close(tl.grad(f)(2.0), 20.0)
    assert places[0][0] in ("f_grad", "hooked")


def test_pullbacks_branches_and_unused_values():
    seen = []

    def f(x, flag):
        y = tl.grad_hook(x * 2.0, seen.append)
        unused = tl.grad_hook(x * 7.0, seen.append)
        if flag:
            y = tl.grad_hook(y * y, lambda g: 10.0 * g)
        return y

    close(tl.grad(f)(3.0, False), 2.0)
    assert seen == [1.0]
    close(tl.grad(f)(3.0, True), 240.0)
    assert seen == [1.0, 120.0]
    pullback = tl.vjp(f, 3.0, False)[1]
    for _ in range(2):
        close(pullback(2.0)[0], 4.0)
    assert seen[2:] == [2.0, 2.0]


def test_with_checkpoints_it_is_called_once_a_step():
    seen = []

    def f(x, n):
        for k in tl.checkpoint(range(n)):
            x = tl.grad_hook(x * 1.5, seen.append)
        return x

    close(tl.grad(f)(1.0, 6), 1.5 ** 6)
    close(seen, 1.5 ** np.arange(6))

    def g(x):
        return tl.checkpoint(lambda x: tl.grad_hook(x * x, seen.append) * x)(x)

    seen.clear()
    close(tl.grad(g)(2.0), 12.0)
    assert seen == [2.0]


def test_what_a_hook_returns_has_the_derivative_of_the_hook():
    def f(x):
        return tl.grad_hook(x * x * x, lambda g: 2.0 * g)

    close(tl.grad(f)(2.0), 24.0)
    close(tl.grad(tl.grad(f))(2.0), 24.0)
    close(tl.jvp(f, (2.0,), (1.0,))[1], 12.0)
