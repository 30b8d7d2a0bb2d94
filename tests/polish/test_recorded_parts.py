"""Numbers that are recorded or put back: where they are read by a name, and where they are not."""

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.3, -0.7, 1.1, 0.4, 0.9, -0.2])


def overwritten(x):
    u = x.copy()
    for i in range(1, x.shape[0]):
        u[i] = u[i] + 0.5 * u[i - 1] * u[i]
    return np.sum(u * u)


def in_place(x):
    u = x.copy()
    for i in range(1, x.shape[0]):
        u[i] *= u[i - 1] + u[i] * x[i]
    return np.sum(u * u)


def read_behind(x):
    u = x.copy()
    s = 0.0
    for i in range(1, x.shape[0]):
        u[i] = u[i] * u[i] * x[i]
        s = s + u[i] * u[i - 1] * u[i]
        u[i - 1] = u[i - 1] * u[i]
    return s + np.sum(u)


def in_steps(x):
    u = x.copy()
    for _ in range(3):
        for i in range(x.shape[0] - 1):
            u[i] = u[i] * (1.0 - 0.1 * u[i + 1] * u[i])
    return np.sum(u ** 3)


def of_a_list(x):
    u = [v * 1.0 for v in x]
    for i in range(1, len(u)):
        u[i] = u[i] * u[i - 1] * u[i]
    return u[-1] * u[1]


def by_branch(x):
    u = x.copy()
    for i in range(1, x.shape[0]):
        if u[i] * u[i] > 0.3:
            u[i] = u[i] * u[i] * u[i - 1]
        else:
            u[i] = np.sin(u[i]) * u[i]
    return np.sum(u * u)


def of_a_table(x):
    n = x.shape[0]
    u = np.outer(x, x)
    for i in range(1, n):
        for j in range(n - 1):
            u[i, j] = u[i, j] * u[i - 1, j] + u[i, j] * u[i, j + 1]
    return np.sum(u * u)


def of_rows(x):
    u = np.outer(x, x)
    for i in range(1, x.shape[0]):
        u[i] = u[i] * u[i - 1] * u[i]
    return np.sum(u * u)


def another_place(x):
    u = x.copy()
    k = 1
    for i in range(1, x.shape[0]):
        u[k] = u[k] * u[k] * x[i]
        k = k + 1 if k < 3 else 0
        u[k] = u[k] * x[i] + u[i] * u[k]
    return np.sum(u * u)


def by_another_name(x):
    u = x.copy()
    v = u[1:]
    for i in range(1, x.shape[0]):
        u[i] = u[i] * u[i] + x[i]
        v[i - 1] = v[i - 1] * u[i] * u[i]
    return np.sum(u * v[0])


def name_is_taken(x, u_i=2.0):
    u = x.copy()
    for i in range(1, x.shape[0]):
        u[i] = u[i] * u[i] * u_i
    return np.sum(u)


def of_whole_numbers(x):
    k = np.arange(6)
    s = 0.0
    for i in range(1, x.shape[0]):
        k[i] = k[i] * k[i - 1] + k[i]
        s = s + x[i] * k[i] * k[i]
    return s * s


ALL = [overwritten, in_place, read_behind, in_steps, of_a_list, by_branch, of_a_table, of_rows,
       another_place, by_another_name, name_is_taken, of_whole_numbers]


@pytest.mark.parametrize("function", ALL)
def test_gradient(function):
    for size in (6, 2, 1) if function not in (of_a_list, another_place, by_another_name) else (6,):
        x = X[:size].copy()
        assert np.allclose(tl.grad(function)(x), tl.jacfwd(function)(x), rtol=1e-12, atol=1e-14)
        assert np.array_equal(x, X[:size])


@pytest.mark.parametrize("function", ALL)
def test_of_single_precision(function):
    x = X.astype(np.float32)
    found = tl.grad(function)(x)
    assert found.dtype == np.float32
    assert np.allclose(found, tl.jacfwd(function)(X), rtol=2e-3, atol=1e-4)


@pytest.mark.parametrize("function", ALL)
def test_second_derivative(function):
    wanted = [(tl.grad(function)(X + 1e-6 * e) - tl.grad(function)(X - 1e-6 * e)) / 2e-6
              for e in np.eye(6)]
    assert np.allclose(tl.hessian(function)(X), wanted, rtol=1e-5, atol=1e-5)


def test_an_element_that_is_overwritten_is_read_once():
    text = tl.grad(overwritten).source_for(X)
    assert "u_i = u[i]\n        u_i_tape.append(u_i)\n" in text
    assert "u[i] = u_i + 0.5 * u[i - 1] * u_i" in text
    assert "u_i = u_i_tape.pop()" in text and "u[i] = u_i_tape.pop()" not in text


def test_what_later_steps_read_is_put_back():
    text = tl.grad(in_steps).source_for(X)
    assert "u_i = u_i_tape.pop()\n            u[i] = u_i\n" in text


def test_names_step_aside():
    assert "u_i_1 = u[i]\n" in tl.grad(name_is_taken).source_for(X, 2.0)


@pytest.mark.parametrize("function", [overwritten, in_place, in_steps, by_branch, of_a_table])
def test_with_numba(function):
    pytest.importorskip("numba")
    assert np.allclose(tl.grad(function, backend="numba")(X), tl.jacfwd(function)(X), rtol=1e-12)
