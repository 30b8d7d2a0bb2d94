"""Lists made of None and filled with tuples and objects later, and what is None at first."""
import dataclasses

import numpy as np
import pytest

import tangent_lite as tl
from tests.held_to_both import is_by_names, is_right


class State:
    def __init__(self, mean, spread):
        self.mean, self.spread = mean, spread


@dataclasses.dataclass
class Record:
    mean: np.ndarray
    spread: np.ndarray


def smoother(x):
    """A Kalman filter, and a Rauch-Tung-Striebel smoother."""
    n = len(x)
    step, see = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    noise = x[0] ** 2 * np.array([[0.25, 0.5], [0.5, 1.0]])
    m, P = np.zeros(2), np.eye(2)
    filtered, predicted = [None] * n, [None] * n
    for k in range(n):
        m_to, P_to = step @ m, step @ P @ step.T + noise
        predicted[k] = (m_to, P_to)
        gain = P_to @ see.T @ np.linalg.inv(see @ P_to @ see.T + x[1] ** 2)
        m = m_to + gain @ (x[k:k + 1] - see @ m_to)
        P = P_to - gain @ see @ P_to
        filtered[k] = (m, P)
    smoothed = [None] * n
    smoothed[-1] = filtered[-1]
    for k in range(n - 2, -1, -1):
        m, P = filtered[k]
        m_to, P_to = predicted[k + 1]
        gain = P @ step.T @ np.linalg.inv(P_to)
        m_next, P_next = smoothed[k + 1]
        smoothed[k] = (m + gain @ (m_next - m_to), P + gain @ (P_next - P_to) @ gain.T)
    return sum((x[k] - m[0]) ** 2 + np.log(P[0, 0]) for k, (m, P) in enumerate(smoothed))


def of_objects(x):
    out = [None] * len(x)
    for k, v in enumerate(x):
        out[k] = State(np.tanh(v * x), v * k)
    return sum(np.sum(out[k].mean) * out[k - 1].spread for k in reversed(range(len(x))))


def joined(a, b):
    m, s = a
    other, more = b
    return m + 0.3 * other, s * more


def by_helpers(x):
    out = [None for _ in x]
    for k in range(len(x)):
        out[k] = (x * x[k], x[k])
    back = [None] * len(out)
    back[-1] = out[-1]
    for k in range(len(out) - 2, -1, -1):
        back[k] = joined(out[k], back[k + 1])
    return sum(np.sum(m) * s for m, s in back)


def with_gaps(x):
    out = [None] * len(x)
    for k in range(0, len(x), 2):
        out[k] = (x * x[k], x[k])
    total = 0.0
    for k in range(len(x)):
        item = out[k]
        if item is not None:
            total = total + np.sum(item[0] * item[0]) * item[1]
        first = out[k]
        if k % 2 == 0:                      # where it is not None
            total = total * first[1]
        total = total + (x[k] if out[k] else 0.5 * x[0])
    return total


def records_with_gaps(x):
    out = [None] * len(x)
    for k in range(0, len(x), 2):
        out[k] = Record(x * x[k], np.sin(x[k:k + 1]))
    total = 0.0
    for item in reversed(out):
        if item is not None:
            total = total + np.sum(item.mean * item.mean) * item.spread[0]
    return total


def left_early(x):
    out = [None] * len(x)
    for k in range(3):
        out[k] = (x * x[k], x[k])
    total = 0.0
    for k in range(len(x)):
        item = out[k]
        if k >= 3:
            break
        m, s = item
        total = total + np.sum(m) * s
    return total


def best(x):
    found = None
    for k, v in enumerate(x):
        if found is None or v * v > found[0]:
            found = (v * v, x * k)
    value, where = found
    return value * np.sum(where)


def one_before(x):
    last = None
    total = 0.0
    for k, v in enumerate(x):
        if last is not None:
            total = total + np.sum(last.mean * x) * last.spread
        last = State(np.sin(v * x), total + k)
    return total


def overwritten(x):
    out = [None] * 3
    for turn in range(3):
        for k in range(3):
            if turn > 0:
                m, s = out[k]
                x = x + m * s
            out[k] = (np.tanh(x), x[k] * turn)
    m, s = out[0]
    return np.sum(m * s) + np.sum(out[-1][0])


PROGRAMS = [smoother, of_objects, by_helpers, with_gaps, records_with_gaps, left_early, best,
            one_before, overwritten]


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.sweep(2)
def test_filled_later(function):
    is_right(function)
    is_by_names(function)


@pytest.mark.parametrize("function", [by_helpers, with_gaps, best])
def test_second_order(function):
    tl.check_grads(function, (np.array([0.7, -1.1, 0.4]) if function is not best
                              else np.array([0.4, -0.6, 0.9]),), order=2)


def test_what_nobody_filled_raises_as_in_python():
    def f(x):
        out = [None] * 2
        out[0] = (x, x * x)
        a, b = out[1]
        return a * b
    with pytest.raises(TypeError):
        tl.grad(f)(2.0)
