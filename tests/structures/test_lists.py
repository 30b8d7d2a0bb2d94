"""Lists that change: against differences."""

import numpy as np
import pytest

import tangent_lite as tl


def hist(x, n):
    h = [x]
    for i in range(n):
        x = np.sin(x) * 1.5
        h.append(x)
    return sum(h) + h[-1] * h[1]


def rollout(x, A, n):
    states = [x]
    costs = []
    for i in range(n):
        x = np.tanh(A @ x)
        states.append(x)
        costs.append(x[0] * x[1])
    path = np.stack(states)
    return np.sum(path * path) * (1.0 + sum(costs)) + states[n // 2][0]


def stack(x, n):
    s = [x, x * x]
    for i in range(n):
        a = s.pop()
        b = s.pop()
        s.append(a * b)
        s.append(a + b * i)
    return s[0] * s.pop()


def queue(x, n):
    q = [x, 2 * x, 3 * x]
    t = 0.0
    for i in range(n):
        f = q.pop(0)
        q.append(f * f)
        q.insert(1, t + f)
        t = t + q[0] * q[1]
    return t


def sets(x, n):
    s = [0.0] * 3
    s = [0.0, x, 1.0]
    for i in range(n):
        s[i % 3] = s[(i + 1) % 3] * x + s[i % 3]
    return s[0] * s[1] + s[2]


def setarr(x, n):
    s = [x, x * 2, x * x]
    for i in range(n):
        s[i % 3] = s[(i + 1) % 3] * s[i % 3]
    return np.sum(s[0] * s[1]) + np.sum(s[2])


def arg(xs, y):
    xs.append(y)
    xs[0] = xs[1] * y
    return xs[0] * xs[-1]


def zero(x, n):
    s = []
    for i in range(n):
        s.append(x * i)
    t = x
    for v in s:
        t = t * v
    return t


def nested(x, n):
    out = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(x * j)
        out.append(sum(row) * x)
    return sum(out)


def cond(x, n):
    s = []
    for i in range(n):
        if i % 2:
            s.append(x * i)
        if len(s) > 2:
            x = x + s.pop(0)
    return x * sum(s)


def multiples(x, n):
    return [x * (k + 1.0) for k in range(n)]


def made_by_helper(x, n):
    return multiples(x, n)[1] * sum(multiples(x, n))


def step_in_list(chain, total):
    chain = chain[1]
    total += np.sum(chain[0])
    return chain, total


def chain_of_lists(x, n):
    chain = [x, [2.0 * x, [x * x, [np.sin(x), 1.0]]]]
    total = 0.0
    for _ in range(n):
        chain, total = step_in_list(chain, total)
    return total + np.sum(chain[0])


def step_in_dict(chain, total):
    chain = chain["next"]
    total += np.sum(chain["value"])
    return chain, total


def chain_of_dicts(x, n):
    chain = {"value": x, "next": {"value": x * x, "next": {"value": np.sin(x), "next": None}}}
    total = 0.0
    for _ in range(n):
        chain, total = step_in_dict(chain, total)
    return total + np.sum(chain["value"])


A = np.array([0.5, 0.7])
M = np.array([[0.3, 0.2], [0.1, 0.6]])

def window(x, n):
    h = [x]
    for i in range(n):
        h = h + [h[-1] * x]
    return sum(h) + h[0] * h[-1]


def doubled(x, n):
    h = [x, x * x]
    for _ in range(n):
        h = h + h
    return h[0] * h[-1] + h[1 % len(h)]


def in_front(x, n):
    h = [np.sin(x)]
    while len(h) < n + 1:
        h = [x * len(h)] + h
    return np.sum(h[0] * h[-1])


def turned(x, n):
    h = [x, x * x, 2.0 * x]
    for _ in range(n):
        h = h[::-1]
    return np.sum(h[0] * np.cos(h[1]))


def turned_in_a_branch(x, n):
    h = [x, x * x]
    if n > 1:
        h = h[::-1]
    return h[0] * h[0] + h[1]


def tail(x, n):
    h = [x, x * x, np.cos(x), 3.0 * x]
    while len(h) > n:
        h = h[1:]
    return sum(h) * h[0]


PROGRAMS = [
    (chain_of_lists, (A, 2)), (chain_of_lists, (A, 0)),
    (chain_of_dicts, (A, 2)), (chain_of_dicts, (0.5, 1)),
    (window, (1.3, 4)), (window, (np.array([0.3, 1.2]), 0)),
    (doubled, (0.7, 2)), (doubled, (0.7, 0)), (in_front, (np.array([0.3, 1.2]), 3)),
    (turned, (np.array([0.3, 1.2]), 3)), (turned, (0.4, 2)),
    (turned_in_a_branch, (0.4, 2)), (turned_in_a_branch, (0.4, 1)), (tail, (0.4, 2)),
    (hist, (0.5, 3)),
    (rollout, (A, M, 3)),
    (stack, (1.5, 2)),
    (queue, (1.1, 3)),
    (sets, (1.5, 5)),
    (setarr, (A, 4)),
    (arg, ([1.0, 2.0], 3.0)),
    (zero, (1.5, 3)),
    (zero, (1.5, 0)),
    (nested, (1.5, 4)),
    (cond, (1.5, 7)),
    (made_by_helper, (1.5, 3)),
]


@pytest.mark.parametrize("function, args", PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_right(function, args):
    tl.check_grads(function, args, order=1, modes=("rev",))


def bound_to_itself(x):
    items = [x * 3.0, x]
    if x > 0.0:
        items = items
    return items[0] * items[1]


def bound_to_itself_in_a_loop(x):
    items = [x * 3.0, x]
    for _ in range(3):
        if items[1] > 0.2:
            items = items
        items[0] = items[0] * x
        items = items
    return items[0] * items[1]


def array_bound_to_itself(x):
    items = np.array([x * 3.0, x])
    for _ in range(2):
        items[0] *= x
        items = items
    return items[0] * items[1]


@pytest.mark.parametrize("f", [bound_to_itself, bound_to_itself_in_a_loop, array_bound_to_itself],
                         ids=lambda f: f.__name__)
def test_what_is_bound_to_itself_keeps_its_adjoint(f):
    slope = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    assert np.isclose(tl.grad(f)(0.7), slope)
    assert np.isclose(tl.jvp(f, (0.7,), (1.0,))[1], slope)
