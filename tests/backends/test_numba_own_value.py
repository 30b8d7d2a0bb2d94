"""The value that a compiled value_and_grad returns is the function's own, to the last bit.

Loops as people write them: each is held against the plain function, and where Numba itself computes
what NumPy does, against the function under numba.njit.
"""
import copy
import math
import os
import re
import subprocess
import sys

import numba
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.backends import numba as backend

RNG = np.random.default_rng(0)


def some(*shape):
    return RNG.normal(size=shape)


CASES = []


def case(*args, wrt=(0,), slow=False, as_njit=True):
    """The program below is called with these arguments; as_njit: Numba alone has the same bits."""
    def register(function):
        marks = [pytest.mark.slow] if slow else []
        CASES.append(pytest.param(function, args, wrt, as_njit, marks=marks, id=function.__name__))
        return function
    return register


@case(1.0, 0.05, 0.2, some(20, 10), wrt=(0, 1, 2), as_njit=False)
def paths_of_a_price(s0, mu, sigma, z):
    total = 0.0
    n, m = z.shape
    dt = 1.0 / m
    for i in range(n):
        s = s0
        for j in range(m):
            s = s * np.exp((mu - 0.5 * sigma ** 2) * dt + sigma * np.sqrt(dt) * z[i, j])
        total += np.maximum(s - 1.0, 0.0)
    return total / n


@case(1.0, 0.05, 0.2, some(20, 10), wrt=(0, 1, 2), slow=True)
def paths_by_math(s0, mu, sigma, z):
    total = 0.0
    n, m = z.shape
    dt = 1.0 / m
    for i in range(n):
        s = s0
        for j in range(m):
            s = s * math.exp((mu - 0.5 * sigma * sigma) * dt + sigma * math.sqrt(dt) * z[i, j])
        total += max(s - 1.0, 0.0)
    return total / n


@case(some(37), 0.2, 10, wrt=(0, 1), slow=True)
def heat_by_elements(u, k, n):
    u = u.copy()
    for _ in range(n):
        v = u.copy()
        for i in range(1, u.shape[0] - 1):
            v[i] = u[i] + k * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u = v
    s = 0.0
    for i in range(u.shape[0]):
        s += u[i] * u[i]
    return s


@case(some(300), 0.2, 10, wrt=(0, 1), as_njit=False)
def heat_by_rolling(u, k, n):
    for _ in range(n):
        u = u + k * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1))
    return np.mean(u * u)


@case(0.3 * some(13, 13), some(13, 3), some(20, 3), some(13), wrt=(0, 1), as_njit=False)
def recurrent_net(W, U, x, h):
    loss = 0.0
    for t in range(x.shape[0]):
        h = np.tanh(W @ h + U @ x[t])
        loss += np.sum((h - 0.5) ** 2) + np.dot(h, U[:, 0])
    return loss / x.shape[0]


@case(some(30), 4.0 + some(30), some(30), some(30), wrt=(0, 1, 2, 3))
def three_diagonals(a, b, c, d):
    n = b.shape[0]
    cp = np.zeros(n)
    dp = np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    total = x = dp[n - 1]
    for i in range(n - 2, -1, -1):
        x = dp[i] - cp[i] * x
        total += x
    return total


@case(some(100), some(7), wrt=(0, 1), slow=True)
def filtered(x, w):
    total = 0.0
    for i in range(x.shape[0] - w.shape[0] + 1):
        acc = 0.0
        for k in range(w.shape[0]):
            acc += w[k] * x[i + k]
        total += acc * acc
    return total


@case(np.abs(some(60)), 7, 2.3, wrt=(0, 2), as_njit=False)
def power_sums(x, n, p):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i] ** p + x[i] ** 2 - x[i] ** -2 + (x[i] ** 0.5 - 1.0) ** 3
        for k in range(n):
            s += x[i] ** k / (k + 1)
    return s


@case(np.abs(some(60)), slow=True, as_njit=False)
def powers_of_arrays(x):
    return np.sum(x ** 3) + np.sum(x ** 0.5) + np.sum(x ** 1.7) + np.sum((x - 1.0) ** 2) + \
        np.power(x, 3)[5]


@case(some(1000), some(1000), wrt=(0, 1), slow=True)
def dot_by_elements(x, y):
    s = 0.0
    for i in range(x.shape[0]):
        s = s * 0.5 + x[i] * y[i] - x[i] / 3.0
    return s


@case(some(33, 150), as_njit=False, slow=True)
def spreads(X):
    apart = X - np.mean(X, axis=1, keepdims=True)
    total = np.var(X) + np.sum(np.std(X, axis=0)) + np.linalg.norm(X)
    for i in range(X.shape[0]):
        total += np.sum(X[i] * X[i]) / X.shape[1] + np.sum(apart[i] ** 2)
    return total


@case(some(100), slow=True)
def by_functions_of_math(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += math.exp(x[i]) - math.log(1.0 + x[i] * x[i]) + math.sin(x[i]) + math.tanh(x[i])
    return s


@case(some(100), as_njit=False, slow=True)
def by_functions_of_numpy(x):
    s = np.sum(np.log1p(x * x)) + np.sum(np.arctan2(x, 1.0 + x * x))
    for i in range(x.shape[0]):
        s += np.exp(x[i]) - np.log(1.0 + x[i] * x[i]) + np.cos(x[i]) + np.tanh(x[i])
    return s


@case(some(10, 3), some(10), wrt=(0, 1), slow=True, as_njit=False)
def gravity(pos, m):
    e = 0.0
    for i in range(pos.shape[0]):
        for j in range(i):
            d = pos[i] - pos[j]
            e -= m[i] * m[j] / np.sqrt(np.sum(d ** 2) + 0.01)
    return e


@case(some(100), 0.1, 0.3, wrt=(0, 1, 2), slow=True)
def kalman_filter(y, q, r):
    m, p, total = 0.0, 1.0, 0.0
    for i in range(y.shape[0]):
        p = p + q
        k = p / (p + r)
        e = y[i] - m
        total += -0.5 * (math.log(2 * math.pi * (p + r)) + e * e / (p + r))
        m = m + k * e
        p = (1 - k) * p
    return total


@case(some(20, 10), RNG.integers(0, 10, 20), slow=True, as_njit=False)
def softmax(X, y):
    s = 0.0
    for i in range(X.shape[0]):
        z = X[i] - np.max(X[i])
        s += np.log(np.sum(np.exp(z))) - z[y[i]]
    return s


def rate(x, k):
    return k * np.exp(-x) - x ** 3


@case(some(5), 1.3, 20, wrt=(0, 1), slow=True, as_njit=False)
def by_a_helper(y, k, n):
    h = 0.01
    for _ in range(n):
        k1 = rate(y, k)
        k2 = rate(y + 0.5 * h * k1, k)
        y = y + h * k2
    return np.sum(y * y)


@case(some(40), slow=True, as_njit=False)
def written_through_a_view(x):
    u = x.copy()
    half = u[1::2]
    half += np.tanh(half) ** 3
    part = half[2:]
    part *= np.exp(part)
    return u[7] + np.sum(u)


@case(some(3, 20, 30), some(30, 5), wrt=(0, 1), slow=True, as_njit=False)
def products_of_stacks(A, B):
    return np.sum(A @ B) + np.sum(np.einsum("bij,jk->ik", A, B)) + \
        np.sum(np.tensordot(A, B, 1) ** 2) + np.sum(np.inner(A[0], A[1]))


@pytest.mark.parametrize("function, args, wrt, as_njit", CASES)
def test_the_value_is_the_functions_own(function, args, wrt, as_njit):
    expected = function(*copy.deepcopy(args))
    found, gradient = tl.value_and_grad(function, wrt=wrt, backend="numba")(*copy.deepcopy(args))
    assert found == expected, (found.hex(), float(expected).hex())
    if as_njit:
        assert numba.njit(function)(*copy.deepcopy(args)) == expected
    plain = tl.grad(function, wrt=wrt)(*args)
    for one, other in zip(gradient, plain):
        assert np.allclose(one, other, rtol=1e-10, atol=1e-12)


def test_the_value_in_a_compiled_caller():
    x = some(300)

    def f(x):
        return np.sum(np.tanh(x) ** 3)

    d = tl.value_and_grad(f, backend="numba")
    assert numba.njit(lambda x: d(x)[0])(x) == f(x)


@pytest.fixture
def texts(monkeypatch):
    """The texts that are compiled."""
    found, make = [], backend.Compiled._make

    def noting(self, how):
        make(self, how)
        behind = [backend.emit_statements(group.statements) for group in self.lowered.groups]
        found.append("\n".join([self.text, *behind]))
    monkeypatch.setattr(backend.Compiled, "_make", noting)
    return found


def test_gradients_alone_are_not_slowed_down(texts):
    def f(x, n):
        for _ in range(n):
            x = np.tanh(x) ** 3 + np.sum(x)
        return np.sum(np.exp(x))

    x = some(7)
    tl.grad(f, backend="numba")(x, 2)
    tl.value_and_grad(f, backend="numba", fastmath=True)(x, 2)
    assert texts and not any(re.search(r"\bown_", text) for text in texts)


def test_adjoints_are_not_slowed_down(texts):
    def f(x, k):
        total = 0.0
        for i in range(x.shape[0]):
            total += np.sin(k * x[i])
        return total

    tl.value_and_grad(f, wrt=(0, 1), backend="numba")(some(7), 2.0)
    assert texts and all("own_sin" in text and "own_cos" not in text and "np.cos" in text
                         for text in texts)


@pytest.mark.slow
def test_what_is_kept_on_disk(tmp_path):
    (tmp_path / "kept.py").write_text('''
import sys
import numpy as np
import tangent_lite as tl

def f(x, A):
    total = 0.0
    for i in range(x.shape[0]):
        total += np.exp(x[i]) ** 3
    return total + np.sum(np.tanh(x)) + np.sum(A[:, 1:]) + np.linalg.norm(A) + np.linalg.det(A)

x, A = np.linspace(-1.0, 1.0, 1001), np.cos(np.arange(16.0)).reshape(4, 4)
value, _ = tl.value_and_grad(f, wrt=(0, 1), backend="numba", cache=True)(x, A)
assert value == f(x, A)
''')
    folder = {**os.environ, "TANGENT_LITE_CACHE_DIR": str(tmp_path / "cache")}
    for _ in range(2):
        subprocess.run([sys.executable, "kept.py"], cwd=tmp_path, env=folder, check=True)
