"""Loops that fill a new array from the last one, element by element, and go on with that."""
import numpy as np
import pytest

import tangent_lite as tl


def divided(u, n):
    for _ in range(n):
        new = np.ones_like(u)
        for i in range(1, len(u) - 1):
            new[i] = u[i] * (1 + u[i - 1]) / u[i + 1]
        u = new
    return np.sum(u)


def begins_as_a_copy(u, n):
    for _ in range(n):
        new = u.copy()
        for i in range(1, len(u) - 1):
            new[i] = np.exp(-u[i] * (1 + u[i - 1]))
        u = new
    return np.sum(u)


def one_element_twice(u, n):
    for _ in range(n):
        new = np.ones_like(u)
        for i in range(len(u)):
            new[i // 2] = u[i] * new[i // 2] / 1.3
        u = new
    return np.sum(u)


def written_beside(u, n):
    for _ in range(n):
        new = np.zeros_like(u)
        for i in range(1, len(u)):
            new[i] = np.sin(u[i]) * u[i - 1]
            new[i - 1] = np.exp(new[i]) * u[i]
        u = new
    return np.sum(u * u)


def in_turn(u, n):
    new = np.zeros_like(u)
    for _ in range(n):
        for i in range(1, len(u) - 1):
            new[i] = np.exp(0.1 * u[i + 1]) * u[i - 1]
        u, new = new, u
    return np.sum(u * u)


def read_on_the_way(u, n):
    total = 0.0
    for _ in range(n):
        new = u.copy()
        for i in range(len(u)):
            new[i] = np.exp(0.2 * new[i] * u[i - 1])
            total += new[i] * u[i]
        held = new
        u = held
    return total + u[0]


def kept(u, n):
    history = []
    for _ in range(n):
        new = np.ones_like(u)
        for i in range(1, len(u) - 1):
            new[i] = u[i] / (1 + u[i + 1] ** 2)
        history.append(new)
        u = new
    return sum(np.sum(h * h) for h in history)


def both_ways(u, n):
    last = u
    for k in range(n):
        new = np.ones_like(u)
        for i in range(1, len(u) - 1):
            if u[i] > 0.3 + 0.1 * k:
                new[i] = u[i] / (1 + u[i + 1] ** 2)
            else:
                new[i] = np.sqrt(u[i])
            if i % 2 == 0:
                new[i] = np.exp(-new[i])
        last = u
        u = new
        u[0] = last[0] * 0.5
    return np.sum(u * last)


def left_early(u, n):
    for _ in range(n):
        new = np.empty_like(u)
        for i in range(len(u)):
            new[i] = u[i - 1] / (1.0 + u[i])
        if np.max(np.abs(new - u)) < 0.05:
            break
        u = new
    return np.sum(u)


def two_before(u, n):
    last, now = u.copy(), u * 0.9
    for _ in range(n):
        new = np.zeros_like(u)
        for i in range(1, len(u) - 1):
            new[i] = 2 * now[i] - last[i] + 0.1 * np.sin(now[i + 1] - now[i]) * np.exp(now[i - 1])
        last, now = now, new
    return np.sum(now ** 2) + last[1]


def shrinks(u, n):
    for _ in range(n):
        new = np.zeros(len(u) - 1)
        for i in range(len(u) - 1):
            new[i] = np.exp(u[i] - u[i + 1])
        u = new
    return np.sum(u)


# An element that is written again, by whatever name and at whatever index; no adjoint reads it
# there, and what it held before counts
def twice(u, n):
    total = 0.0
    for _ in range(n):
        new = np.zeros_like(u)
        for k in range(2):
            for i in range(len(u)):
                new[i] = np.exp(-u[i] * (k + 1))
                total += new[i]
        u = new
    return total + np.sum(u)


def from_both_ends(u, n):
    total = 0.0
    for _ in range(n):
        new = np.zeros_like(u)
        for i in range(-2, len(u)):
            new[i] = np.exp(-u[i] * (i + 3))
            total += new[i]
        u = new
    return total + np.sum(u)


def below_zero_by_a_shift(u, n):
    total = 0.0
    for _ in range(n):
        new = np.zeros_like(u)
        for i in range(len(u) + 1):
            new[i - 1] = np.exp(-u[i - 1] * (i + 1))
            total += new[i - 1]
        u = new
    return total + np.sum(u)


def by_a_second_name(u, n):
    total = 0.0
    for _ in range(n):
        new = np.ones_like(u)
        other = new
        for i in range(len(u)):
            new[i] = np.exp(-u[i])
            total += new[i]
            other[i - 1] = 0.5
        u = new
    return total + np.sum(u)


def by_another_statement(u, n):
    total = 0.0
    for _ in range(n):
        new = np.ones_like(u)
        for i in range(len(u)):
            new[i] = np.exp(-u[i])
            total += new[i]
        for i in range(len(u)):
            new[i] = np.sqrt(u[i])
            total += new[i]
        u = new
    return total + np.sum(u)


def read_behind(u, n):
    total = 0.0
    new = np.zeros_like(u)
    for i in range(len(u)):
        new[i] = np.exp(-u[i] * n)
        total += new[i]
    for i in range(len(u)):
        new[i] = np.sqrt(u[i])
    return total + np.sum(new * new)


def all_at_once(u, n):
    total = 0.0
    for _ in range(n):
        new = np.zeros_like(u)
        for i in range(len(u)):
            new[i] = np.exp(-u[i])
        total += np.sum(new)
        new[:] = 1.0
        new *= u[0]
        u = new
    return total + np.sum(u)


def counter_bound_anew(u, n):
    total = 0.0
    for _ in range(n):
        new = np.zeros_like(u)
        for i in range(len(u)):
            x = u[i]
            i = i // 2
            new[i] = np.exp(-x * n)
            total += new[i]
        u = new
    return total + np.sum(u)


def loops_with_one_counter(u, n):
    total = 0.0
    for _ in range(n):
        new = np.zeros_like(u)
        for i in range(3):
            for i in range(i, len(u)):
                new[i] = np.exp(-u[i])
                total += new[i]
            u = u * 0.9
        u = new
    return total + np.sum(u)


def written_to_behind(u, n):
    total = 0.0
    for _ in range(n):
        new = np.zeros_like(u)
        for i in range(len(u)):
            new[i] = np.exp(-u[i])
            total += new[i]
        u = new
        u[0] = 0.3
    return total + np.sum(u)


PROGRAMS = [divided, begins_as_a_copy, one_element_twice, written_beside, in_turn, read_on_the_way,
            kept, both_ways, left_early, two_before, shrinks,
            twice, from_both_ends, below_zero_by_a_shift, by_a_second_name, by_another_statement,
            all_at_once, counter_bound_anew, loops_with_one_counter, written_to_behind,
            read_behind]


def gradient_by_differences(f, u, n, step=1e-6):
    return np.array([(f(u + step * e, n) - f(u - step * e, n)) / (2.0 * step)
                     for e in np.eye(len(u))])


@pytest.mark.parametrize("f", PROGRAMS)
def test_right(f):
    u = np.array([0.31, 0.77, 0.42, 0.6, 0.18, 0.9])
    for n in (0, 1, 3):
        value, slope = tl.value_and_grad(f)(u, n)
        assert value == f(u.copy(), n)
        np.testing.assert_allclose(slope, gradient_by_differences(f, u, n), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("f", [divided, begins_as_a_copy])
def test_one_array_a_step_is_recorded(f):
    text = tl.grad(f).source_for(np.ones(6), 3)
    tapes = {line.split()[0] for line in text.splitlines() if line.strip().endswith("= []")}
    assert tapes == {"u_tape", "new_tape"} and "new_tape.append(new)" in text


def test_what_is_done_with_is_not_set_to_zero():
    assert "] = 0.0" not in tl.grad(divided).source_for(np.ones(6), 3)
    assert "] = 0.0" in tl.grad(begins_as_a_copy).source_for(np.ones(6), 3)     # read afterwards


@pytest.mark.parametrize("f", [divided, both_ways, two_before])
def test_compiled(f):
    pytest.importorskip("numba")
    u = np.array([0.31, 0.77, 0.42, 0.6, 0.18, 0.9])
    np.testing.assert_allclose(tl.grad(f, backend="numba")(u, 3), tl.grad(f)(u, 3), rtol=1e-12)
