"""grad_hook: to look at, change and stop at the adjoint of a variable."""
import functools
import sys
from collections import deque

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.heap import primitives

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


# What names do not follow (a deque that turns) is found by identity; hooks are the user's there.
class Seeing:
    def __init__(self):
        self.seen, self.calls = [], 0

    def see(self, g):
        self.seen.append(g)


class Log(Seeing):
    def __call__(self, g):
        self.seen.append(g)


def turned(x):
    both = deque([x, 2.0 * x])
    both.rotate(1)
    return both[0] * both[1]


def noted(seen, g):
    seen.append(g)


LOG = Log()
HOOKS = {
    "a method": lambda x, log: tl.grad_hook(turned(x), log.see),
    "an object": lambda x, log: tl.grad_hook(turned(x), log),
    "a method of a list": lambda x, log: tl.grad_hook(turned(x), log.seen.append),
    "a lambda": lambda x, log: tl.grad_hook(turned(x), lambda g: log.see(g)),
    "partial": lambda x, log: tl.grad_hook(turned(x), functools.partial(noted, log.seen)),
    "fun=": lambda x, log: tl.grad_hook(turned(x), fun=log.see),
}


@pytest.mark.parametrize("how", HOOKS)
def test_by_identity_a_hook_tells_the_user(how):
    log = Log()
    derivative = tl.grad(HOOKS[how])
    for count in (1, 2):
        close(derivative(3.0, log), 12.0)
        assert log.seen == [1.0] * count


def test_by_identity_hooks_of_what_is_captured():
    seen, log = [], Log()

    def f(x):
        def keep(g):
            seen.append(g)
            log.seen.append(g)
        y = tl.grad_hook(turned(x), keep)
        return 3.0 * tl.grad_hook(y, LOG.see)

    LOG.seen.clear()
    close(tl.grad(f)(3.0), 36.0)
    assert seen == log.seen == LOG.seen == [3.0]


def test_by_identity_a_hook_sees_one_way_of_an_array():
    def by_names(x):
        y = 2.0 * x * x
        z = tl.grad_hook(y, lambda g: np.clip(g, -1.0, 1.0))
        return np.sum(3.0 * z) + np.sum(y * y)

    def by_identity(x):
        y = turned(x)
        z = tl.grad_hook(y, lambda g: np.clip(g, -1.0, 1.0))
        return np.sum(3.0 * z) + np.sum(y * y)

    close(tl.grad(by_names)(X), 4.0 * X * (1.0 + 4.0 * X * X))
    close(tl.grad(by_identity)(X), 4.0 * X * (1.0 + 4.0 * X * X))


@pytest.mark.parametrize("write", ["y", "z"])
def test_by_identity_what_a_hook_watches_stays_as_it_is(write):
    def f(x):
        y = turned(x)
        z = tl.grad_hook(y, lambda g: 2.0 * g)
        if write == "y":
            y[0] = 1.0
        else:
            z[0] = 1.0
        return np.sum(z * y)

    with pytest.raises(tl.AliasError, match="an array that a hook watches is changed afterwards"
                                            "|y and z may be one object"):
        tl.grad(f)(X)


def test_by_identity_no_variants_are_left_behind():
    derivative = tl.grad(HOOKS["a method"])
    derivative(3.0, Log())
    count = len(primitives._variants)
    for _ in range(5):
        derivative(3.0, Log())
    assert len(primitives._variants) == count


def changes_a_list(x, w):
    w[0] = 2.0
    y = tl.grad_hook(turned(x), lambda g: g * w[0])
    return y * w[0]


def counts(x, log):
    log.calls += 1
    return tl.grad_hook(turned(x), lambda g: g * log.calls)


def keeps_elsewhere(x, log):
    logs = [log]
    return tl.grad_hook(turned(x), lambda g: logs[0].see(g))


def binds(x, log):
    def keep(g):
        nonlocal log
        log = g
    return tl.grad_hook(turned(x), keep)


def later(x, log):
    y = tl.grad_hook(turned(x), log.see)
    log.seen.append(1.0)
    return y


def of_a_global(x, log):
    LOG.calls = 3
    return tl.grad_hook(turned(x), of_calls)


def of_calls(g):
    return g * LOG.calls


@pytest.mark.parametrize("f, given", [
    (changes_a_list, [1.0]), (counts, Log()), (keeps_elsewhere, Log()), (later, Log()),
    (of_a_global, Log())])
def test_by_identity_hooks_do_not_read_what_changes(f, given):
    with pytest.raises(tl.AliasError, match="a hook reads what this function changes"):
        tl.grad(f)(3.0, given)


def test_by_identity_refused():
    with pytest.raises(tl.AliasError, match="a hook binds a variable of the function around it"):
        tl.grad(binds)(3.0, Log())
    f = HOOKS["a method"]
    close(tl.jvp(f, (3.0, Seeing()), (1.0, None))[1], 12.0)
    with pytest.raises(tl.UnsupportedSyntaxError, match="a hook changes the first derivative"):
        tl.grad(tl.grad(f))(3.0, Seeing())
    with pytest.raises(tl.UnsupportedSyntaxError, match="Log.__call__ changes something"):
        tl.grad(tl.grad(f))(3.0, Log())

    def of_a_list(xs):
        ys = tl.grad_hook(xs, lambda g: [min(part, 1.0) for part in g])
        return ys[0] * turned(ys[1])

    with pytest.raises(tl.UnsupportedSyntaxError, match="a hook of a list is not followed here"):
        tl.grad(of_a_list)([1.0, 2.0])
