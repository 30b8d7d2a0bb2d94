"""What ends as one adjoint and is added to is one sum."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.5, -1.2, 0.8])


def two_names_at_the_start(u, n):
    before, now = u.copy(), u.copy()
    for _ in range(n):
        new = 2.0 * now * now - before
        before = now
        now = new
    return np.sum(now * now)


def numbers(u, n):
    a, b = u[0], u[0]
    for _ in range(n):
        a, b = b * b, a - b
    return a * b


def handed_on_and_kept(u, n):
    v = u
    w = u
    for _ in range(n):
        v = v * w
    return np.sum(v) + np.sum(w * X)


def two_names_of_one_array(u, n):
    b = u * 1.0
    b[1] = b[2] * b[0] * n
    rate = b
    b[:] -= 0.33 * rate
    return np.mean(b) + b[1]


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("fun", [two_names_at_the_start, numbers, handed_on_and_kept,
                                 two_names_of_one_array],
                         ids=lambda f: f.__name__)
def test_by_complex_steps(fun, n):
    found = tl.grad(fun)(X, n)
    wanted = [fun(X + 1e-30j * d, n).imag / 1e-30 for d in np.eye(3)]
    assert np.allclose(found, wanted)
    pullback = tl.vjp(fun, X, n)[1]
    assert np.allclose(pullback(1.0)[0], wanted) and np.allclose(pullback(1.0)[0], wanted)


def test_the_text():
    assert "bu = bnow + bbefore" in tl.grad(two_names_at_the_start).source_for(X, 2)
