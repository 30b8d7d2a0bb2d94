"""Functions that call themselves and write into arrays they are given: multigrid, transforms in
place, halves of an array.
"""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.reference.dual import numeric_gradient
from tests.reference.modes import hold_curvature_to_differences, hold_to_differences


def smooth(u, f, h, w):
    for _ in range(2):
        for i in range(1, len(u) - 1):
            u[i] = (1 - w) * u[i] + w * 0.5 * (u[i - 1] + u[i + 1] + h * h * f[i])


def vcycle(u, f, h, w):
    if len(u) <= 3:
        u[1] = 0.5 * h * h * f[1]
        return
    smooth(u, f, h, w)
    r = np.zeros_like(u)
    r[1:-1] = f[1:-1] + (u[2:] - 2 * u[1:-1] + u[:-2]) / (h * h)
    rc = r[::2].copy()
    ec = np.zeros_like(rc)
    vcycle(ec, rc, 2 * h, w)
    u[::2] += ec
    u[1::2] += 0.5 * (ec[:-1] + ec[1:])
    smooth(u, f, h, w)


def multigrid(x):
    n = 17
    h = 1.0 / (n - 1)
    f = x[0] * np.sin(np.linspace(0, np.pi, n)) + x[1]
    u = np.zeros(n)
    for _ in range(2):
        vcycle(u, f, h, x[2])
    return np.sum(u ** 2)


def vcycle_inner(x):
    w = x[2]
    def cycle(u, f, h):
        if len(u) <= 3:
            u[1] = 0.5 * h * h * f[1]
            return u
        for _ in range(2):
            u[1:-1] += w * 0.5 * (u[2:] - 2 * u[1:-1] + u[:-2] + h * h * f[1:-1])
        r = np.zeros_like(u)
        r[1:-1] = f[1:-1] + (u[2:] - 2 * u[1:-1] + u[:-2]) / (h * h)
        e = cycle(np.zeros(len(u) // 2 + 1), r[::2], 2 * h)
        u[::2] += e
        u[1::2] += 0.5 * (e[:-1] + e[1:])
        return u
    n = 17
    f = x[0] * np.sin(np.linspace(0, np.pi, n)) + x[1]
    u = np.zeros(n)
    cycle(u, f, 1.0 / (n - 1))
    return np.sum(u ** 2)


def two(u, v, f, h):
    if len(u) < 4:
        u[0] += f[0] * v[0]
        v[-1] = u[0] * h
        return
    u[1:-1] = 0.5 * (u[2:] + u[:-2]) + f[1:-1] * h
    a, b = np.zeros(len(u) // 2), v[::2].copy()
    two(a, b, f[::2] * u[::2], 2 * h)
    u[::2] += a
    v[::2] += b * u[::2]


def writes_two(x):
    u, v = np.outer(x, x).ravel().copy(), np.ones(16)
    two(u, v, np.sin(u + 1.0), x[0])
    return np.sum(u * v)


def same_array(x):
    u = np.outer(x, x).ravel().copy()
    v = np.ones(16)
    two(u, v, u, x[0])
    return np.sum(u * v)


def overlapping(x):
    u = np.outer(x, x).ravel().copy()
    v = u[::-1]
    two(u, v, np.sin(u), x[0])
    return np.sum(u * u)


def halves_u(u, w):
    if len(u) == 1:
        u[0] = math.sin(u[0] * w)
        return
    m = len(u) // 2
    halves_u(u[:m], w)
    halves_u(u[m:], w * 0.9)
    u[m:] += u[m - 1] * 0.3


def halves(x):
    u = x * x
    halves_u(u, x[3])
    return np.sum(u ** 2)


def fht(a):
    n = len(a)
    if n == 1:
        return a
    h = n // 2
    lo, hi = a[:h].copy(), a[h:].copy()
    a[:h] = lo + hi
    a[h:] = lo - hi
    fht(a[:h])
    fht(a[h:])
    return a


def hadamard(x):
    a = np.concatenate([x, np.sin(x)])
    b = fht(a)
    b[0] = b[0] * x[0]
    return np.sum(a ** 3 * np.arange(8))


def counted(u, f):
    if len(u) < 3:
        u += f
        return 1
    c = np.zeros(len(u) // 2)
    n = counted(c, f[::2] * u[::2])
    u[::2] += c
    return n + 1


def counted_use(x):
    u = np.concatenate([x, x * x])
    n = counted(u, np.cos(u))
    return np.sum(u ** 2) * n


def norm_of(u, f):
    if len(u) < 3:
        u += f
        return np.sum(u * u)
    c = np.zeros(len(u) // 2)
    r = norm_of(c, f[::2] * u[::2])
    u[::2] += c * r
    return r + u[0]


def norm_use(x):
    u = np.concatenate([x, x * x])
    r = norm_of(u, np.cos(u))
    return np.sum(u ** 2) * r


def ret_view(u, f):
    if len(u) < 3:
        u += f
        return u[:1]
    c = np.zeros(len(u) // 2)
    r = ret_view(c, f[::2])
    u[::2] += c * r[0]
    return u[1:]


def view_returned(x):
    u = np.concatenate([x, x * x])
    r = ret_view(u, np.cos(u))
    r[0] = 5.0 * x[1]
    return np.sum(u ** 2)


def fas(u, f, h, nu=2):
    n = len(u)
    for _ in range(nu):
        u[1:-1] = 0.5 * (u[:-2] + u[2:] - h * h * (f[1:-1] - 0.1 * u[1:-1] ** 2))
    if n > 5:
        r = f[1:-1] - (u[2:] - 2 * u[1:-1] + u[:-2]) / h ** 2 - 0.1 * u[1:-1] ** 2
        rc = np.zeros((n + 1) // 2)
        rc[1:-1] = 0.25 * (r[:-2:2] + 2 * r[1:-1:2] + r[2::2])
        e = np.zeros_like(rc)
        fas(e, rc, 2 * h, nu=nu)
        u += np.interp(np.arange(n), np.arange(0, n, 2), e)
    for _ in range(nu):
        u[1:-1] = 0.5 * (u[:-2] + u[2:] - h * h * (f[1:-1] - 0.1 * u[1:-1] ** 2))


def fas_solve(x):
    n = 17
    s = np.linspace(0, 1, n)
    u = np.zeros(n)
    for _ in range(3):
        fas(u, x[0] * np.sin(np.pi * s) + x[1] * s, 1.0 / (n - 1))
    return np.sum(u ** 2) + x[2]


def around(u):
    return u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]


class Grid:
    def __init__(self, w):
        self.w = w
    def cycle(self, u, f, h):
        if u.shape[0] <= 3:
            u[1:-1, 1:-1] = 0.25 * h * h * f[1:-1, 1:-1]
            return
        self.relax(u, f, h)
        r = np.zeros_like(u)
        r[1:-1, 1:-1] = f[1:-1, 1:-1] + around(u) / h ** 2
        e = np.zeros(((u.shape[0] + 1) // 2,) * 2)
        self.cycle(e, r[::2, ::2], 2 * h)
        u[::2, ::2] += e
        self.relax(u, f, h)
    def relax(self, u, f, h):
        for _ in range(2):
            u[1:-1, 1:-1] += self.w * 0.25 * (around(u) + h * h * f[1:-1, 1:-1])


def grid_method(x):
    g = Grid(x[0])
    s = np.linspace(0, 1, 9)
    f = x[1] * np.outer(np.sin(s * 3), s) + x[2]
    u = np.zeros((9, 9))
    g.cycle(u, f, 1 / 8)
    return np.sum(u * u) * x[3]


def even_step(u, f):
    u[0] += f[0]
    if len(u) > 2:
        c = u[1::2].copy()
        odd_step(c, f[1::2])
        u[1::2] = c * 0.5


def odd_step(u, f):
    u[-1] *= f[-1]
    if len(u) > 1:
        c = np.sin(u[::2])
        even_step(c, f[::2])
        u[::2] -= c


def mutual(x):
    u = np.concatenate([x, x * 2.0])
    even_step(u, np.concatenate([x * x, x]))
    return np.sum(u ** 2)


def vc(u, f, h):
    if len(u) < 3:
        u += f * h
        return
    c = u[::2].copy()
    vc(c, f[::2], h * 2)
    u[::2] += c


def table_row(x):
    t = np.outer(x, x)
    for k in range(4):
        vc(t[k], x, x[k])
    return np.sum(t ** 2)


def in_dict(x):
    s = {"u": x * x, "f": np.sin(x)}
    vc(s["u"], s["f"], x[0])
    return np.sum(s["u"] ** 2 * s["f"])


def in_dict_same(x):
    a = x * x
    s = {"u": a, "f": a[::-1]}
    vc(s["u"], s["f"], x[0])
    return np.sum(s["u"] ** 2 * s["f"])


def in_branch(x):
    u = x * x
    for k in range(3):
        if x[k] > 0.8:
            vc(u, x, x[k])
        elif k == 2:
            break
        else:
            vc(u[1:], x[1:], x[k])
    return np.sum(u ** 3)


def early(u, f):
    if f[0] > 1.0:
        return
    for k in range(len(u)):
        if u[k] > 1.2:
            return
        u[k] *= f[k]
    if len(u) > 1:
        c = u[::2].copy()
        early(c, f[::2] * 0.9)
        u[::2] += c


def early_returns(x):
    u = x * x
    early(u, x)
    return np.sum(u ** 2)


def keeper(u, log):
    log.append(u[0])
    if len(u) > 1:
        c = u[::2].copy()
        keeper(c, log)
        u[::2] += c


def keeps_list(x):
    log = []
    u = x * x
    keeper(u, log)
    return np.sum(u) + log[0] * log[-1]


def sweep(a, lo, hi):
    if hi - lo < 2:
        return
    m = (lo + hi) // 2
    sweep(a, lo, m)
    sweep(a, m, hi)
    for i in range(m, hi):
        a[i] = a[i] + a[m - 1] * 0.5


def handed_on_whole(x):
    a = x * x
    sweep(a, 0, len(a))
    return np.sum(a ** 2)


def one_by_one(u, f):
    u[0] = u[0] * f[0] + 0.1
    if len(u) > 1:
        rest = u[1:].copy()
        one_by_one(rest, f[1:])
        u[1:] += 0.1 * rest


def all_but_one(x):
    u = x * x
    one_by_one(u, x)
    return np.sum(u * u)


def failing(u, f):
    u[0] = 3.0 * f[0]
    if len(u) < 3:
        raise ValueError("too short")
    failing(u[1:], f[1:])


def left_halfway(x):
    u = x * x
    try:
        failing(u, x)
    except ValueError:
        pass
    return np.sum(u * u)


BY_NAMES = [multigrid, vcycle_inner, writes_two, halves, hadamard, counted_use, norm_use, fas_solve,
            grid_method, table_row, in_dict, in_branch, early_returns, handed_on_whole, all_but_one]
# One array under two names, a part of it returned, lists, what is left halfway.
BY_IDENTITY = [same_array, overlapping, view_returned, mutual, in_dict_same, keeps_list,
               left_halfway]
X, V = np.array([0.93, 1.1, 0.7, 1.3]), np.array([1.0, 0.5, -0.3, 0.2])


@pytest.mark.parametrize("f", BY_NAMES + BY_IDENTITY)
@pytest.mark.sweep(3)
def test_all_modes(f):
    hold_to_differences(f, X, V, f in BY_IDENTITY)


@pytest.mark.parametrize("f", [multigrid, halves, norm_use])
def test_second_order(f):
    hold_curvature_to_differences(f, X, V)


def test_what_it_calls_is_looked_up_at_the_call(monkeypatch):
    def vc(u, f, h):
        u *= h

    x = np.array([0.93, 1.1, 0.7, 1.3])
    derivative = tl.grad(table_row)
    before = derivative(x)
    monkeypatch.setitem(globals(), "vc", vc)
    (wanted,), _ = numeric_gradient(table_row, (x,), (0,))
    np.testing.assert_allclose(derivative(x), wanted, rtol=1e-5)
    monkeypatch.undo()
    np.testing.assert_array_equal(derivative(x), before)


def test_compiled():
    """What the halves of the twin that copies save has a type: Numba compiles them."""
    pytest.importorskip("numba")
    x = np.array([0.93, 1.1, 0.7, 1.3])
    np.testing.assert_allclose(tl.grad(halves, backend="numba")(x), tl.grad(halves)(x), rtol=1e-12)
