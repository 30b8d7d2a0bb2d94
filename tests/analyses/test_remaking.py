"""What is computed again in the backward pass, and what is recorded."""
import numpy as np
import pytest

import tangent_lite as tl


def test_what_a_function_gives_is_recorded_in_place_of_what_it_is_given():
    def layer(w, x):
        total = 0.0
        for i in range(len(x)):
            a = w[0]
            for k in range(3):
                a += w[k] * x[i]
            total += np.tanh(a) * w[1]
        return total

    def of_both(w, x):
        total = 0.0
        for i in range(len(x)):
            a = w[0]
            for k in range(3):
                a += w[k] * x[i]
            total += np.tanh(a) * a
        return total

    w, x = np.array([0.3, -0.2, 0.5]), np.array([0.7, -1.1])
    assert "append(np.tanh(a))" in tl.grad(layer).source_for(w, x)
    assert "append(a)" not in tl.grad(layer).source_for(w, x)
    assert "a_tape.append(a)" in tl.grad(of_both).source_for(w, x)      # which is read itself
    for function in (layer, of_both):
        tl.check_grads(function, (w, x))


def rates_alone(c, u, n):
    for i in range(n):
        t = (c / 2.0) ** 2
        u = u * np.sin(u) + t * u
    return np.sum(u * u)


def in_a_branch(c, u, n):
    for i in range(n):
        for j in range(i):
            if j % 2 == 0:
                t = np.exp(-c)
                u = u * np.sin(u) + t * u
            else:
                u = 0.9 * u
    return np.sum(u * u)


def of_another_name(c, u, n):
    while True:
        d = c
        t = (d / 2.0) ** 2
        if n < 1:
            break
        u = u * np.sin(u) + t * u
        n = n - 1
    return np.sum(u * u)


def stepped(c, u, n):
    for i in range(n):
        t = (c / 2.0) ** 2
        u = u * np.sin(u) + t * u
    return u


def in_a_helper(c, u, n):
    for i in range(2):
        u = u + stepped(c, u, n)
    return np.sum(u * u)


def rebound(c, u, n):
    for i in range(n):
        t = (c / 2.0) ** 2
        u = u * np.sin(u) + t * u
        c = 0.9 * c
    return np.sum(u * u)


def written(c, u, n):
    c = c.copy()
    for i in range(n):
        t = (c / 2.0) ** 2
        u = u * np.sin(u) + t * u
        c[0] = 0.9 * c[0]
    return np.sum(u * u)


def written_itself(c, u, n):
    for i in range(n):
        t = (c / 2.0) ** 2
        t[0] = t[0] * u[0]
        u = u * np.sin(u) + t * u
    return np.sum(u * u)


def counted(c, u, n):
    for i in range(n):
        t = (c * i) ** 2
        u = u * np.sin(u) + t * u
    return np.sum(u * u)


def bound_twice(c, u, n):
    t = c
    for i in range(n):
        u = u * np.sin(u) + t * u
        t = (c / 2.0) ** 2
    return np.sum(u * u)


def drawn(c, u, n):
    draws = np.random.default_rng(0)
    for i in range(n):
        t = draws.normal(size=2)
        u = u * np.sin(u) + t * u * c
    return np.sum(u * u)


SAME_EACH_TIME = {rates_alone: True, in_a_branch: True, of_another_name: True, in_a_helper: True,
                  rebound: False, written: False, written_itself: False, counted: False,
                  bound_twice: False, drawn: False}


@pytest.mark.parametrize("function", SAME_EACH_TIME, ids=lambda f: f.__name__)
def test_what_is_the_same_each_time_takes_no_tape(function):
    c, u = np.array([0.4, -0.9]), np.array([0.3, 0.8])
    gradient = tl.grad(function, wrt=("c", "u"))
    for n in (0, 3):
        moves = 1e-6 * np.eye(2)
        wanted = [[(function(c + e, u, n) - function(c - e, u, n)) / 2e-6 for e in moves],
                  [(function(c, u + e, n) - function(c, u - e, n)) / 2e-6 for e in moves]]
        assert np.allclose(gradient(c, u, n), wanted, rtol=1e-6, atol=1e-8)
        value, pullback = tl.vjp(function, c, u, n)
        assert value == function(c, u, n)
        assert np.array_equal(pullback(1.0)[0], pullback(1.0)[0])
    assert ("t_tape" not in gradient.source_for(c, u, 3)) == SAME_EACH_TIME[function]


def test_read_again_behind_a_loop_that_may_not_have_run():
    c, u = np.array([0.4, -0.9]), np.array([0.3, 0.8])
    for n in (0, 2):
        tl.check_grads(lambda c, u, n=n: in_a_helper(c, u, n), (c, u), modes=("rev",))


def weights_written_out(x):
    s = 1.0
    for v in x:
        for w, power in ((0.5, 1), (-0.4, 2)):
            s += np.sin(v * w) * s ** power
    return s


def places_written_out(x):
    s = 1.0
    for k in range(len(x)):
        if x[k] > 1.0:
            for i, j in [[0, 1], [-1, 0]]:
                s += x[i] * x[j] * s * x[k]
    return s


def written_out_and_changed(x):
    s = 1.0
    for k in range(len(x)):
        items = [0.5, 2.0]
        others = items
        if x[k] > 1.0:
            others.append(0.25)
            items[0] = 1.5
        for w in items:
            s += np.sin(x[k] * w) * s
    return s


@pytest.mark.parametrize("function, is_kept", [
    (weights_written_out, False), (places_written_out, False), (written_out_and_changed, True)])
def test_tuples_and_lists_of_literals_take_no_tape(function, is_kept):
    x = np.array([1.3, 0.6, 2.1])
    tl.check_grads(function, (x,), order=2)
    tl.check_grads(function, (0.1 * x,), order=1)
    assert tl.grad(function)(np.array([])).shape == (0,)
    y, pullback = tl.vjp(function, np.array([]))
    assert pullback(1.0)[0].shape == (0,)
    source = tl.grad(function).source_for(x)
    assert any(t in source for t in ("items_tape", "tape.call")) is is_kept
