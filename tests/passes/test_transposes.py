"""Transposes of transposes: the array itself is read, if it still is what was transposed."""

import numpy as np
import pytest

import tangent_lite as tl

rng = np.random.default_rng(3)
X, W = rng.normal(size=(4, 3)), rng.normal(size=(3, 3))


def dense(x, W):
    return np.sum(np.tanh(x @ W.T))


def named(x, W):
    V = W.T
    return np.sum((x @ V) ** 2) + np.sum(V @ x.T)


def bound_anew(x, W):
    V = W.T
    W = W * 2.0
    return np.sum((x @ V) ** 2) + np.sum(W)


def carried(x, W):
    V = W
    for i in range(3):
        if i > 0:
            x = np.tanh(x @ V)
        V = W.T
        W = W * W * 0.5
    return np.sum(x @ V)


def last_one_used(x, W, n):
    V = W
    for _ in range(n):
        x = x @ V
        V = W.T
        W = np.sin(W)
    return np.sum(x * x)


def in_branches(x, W):
    V = W.T
    if x[0, 0] < 9.0:
        W = np.cos(W)
        x = x @ V
    return np.sum((x @ V) * (x @ W))


def written(x, W):
    A = W.copy()
    V = A.T
    y = x @ V
    A[0] = np.sum(y)
    return np.sum((x @ V) ** 2)


def vectors(x, W):
    v = x[0]
    return np.sum((W @ v.T) ** 2) + np.sum(v.T @ W)


def stacks(x, W):
    A = np.stack([W, W * W])
    B = A.T
    return np.sum(B.T * A)


def times_vectors(x, W):
    x_T, v, V = x.T, x[0] * 2.0, W.T
    v_T = v.T
    u = v_T @ x_T                       # of another length than v
    return np.sum(np.sin(u)) + np.sum((x_T @ u) ** 2) + np.sum((v_T @ V) * (V @ v_T))


CASES = (dense, named, bound_anew, carried, in_branches, written, vectors, stacks, times_vectors)


# Which an array without any does not have.
READ_AN_ELEMENT = (in_branches, vectors, times_vectors)


@pytest.mark.parametrize("function, rows", [
    (f, rows) for f in CASES for rows in (4, 1, 0) if rows or f not in READ_AN_ELEMENT])
@pytest.mark.sweep(5)
def test_derivatives(function, rows):
    x = X[:rows]
    tl.check_grads(function, (x, W), order=2)
    found = tl.grad(function, wrt=(0, 1))(x, W)
    wanted = tl.jacfwd(function, wrt=(0, 1))(x, W)
    for one, other in zip(found, wanted):
        assert np.allclose(one, other, rtol=1e-10) and one.flags.writeable
        assert not np.may_share_memory(one, x) and not np.may_share_memory(one, W)


@pytest.mark.parametrize("steps", (0, 1, 3))
def test_the_transpose_of_an_earlier_iteration(steps):
    tl.check_grads(last_one_used, (X, W, steps), order=2)


def test_text():
    text = tl.grad(dense, wrt=(0, 1)).source_for(X, W)
    assert "bW = bt.T @ x" in text and "bx = bt @ W" in text
    text = tl.grad(times_vectors, wrt=(0, 1)).source_for(X, W)
    backward = text[text.index("# Backward"):]
    assert "bv_T = W @ bt_2" in backward and "bu = x @ bt" in backward
    assert "bv_T += bu @ x\n" in backward
    assert "V.T" in tl.grad(bound_anew, wrt=(0, 1)).source_for(X, W)
