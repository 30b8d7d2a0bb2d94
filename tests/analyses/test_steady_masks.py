"""What a mask chooses is as long, whichever array it chooses from, if it stays as it is."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.3, -0.7, 1.1, 0.45, 0.93, -0.2])


def both_sides(x):
    y, positive = np.zeros_like(x), x > 0.0
    y[positive] = np.log(x[positive])
    y[~positive] = x[~positive] ** 2
    return np.sum(y * x)


def written_out(x):
    y, limit = np.zeros_like(x), 0.1
    y[x > limit] = x[x > limit] ** 2
    y[x <= limit] = np.exp(x[x <= limit])
    return np.sum(y * x)


def of_matrices(x):
    a = np.outer(x, x)
    large = a > 0.11
    b = np.ones_like(a)
    b[large] = np.sqrt(a[large])
    return np.sum(a * b)


def in_a_loop(x):
    positive = x > 0.0
    y = x[positive]
    for _ in range(2):
        y = y * x[positive]
    return np.sum(y)


# In these, one element is chosen at last, and spread over all that were chosen first.
def written_into(x):
    chosen = x > 0.0
    u = x[chosen]
    chosen[:] = False
    chosen[2:3] = True
    return np.sum(u * x[chosen])


def written_by_another_name(x):
    chosen = x > 0.0
    other = chosen
    u = x[chosen]
    other[:2] = False
    other[3:] = False
    return np.sum(u * x[chosen])


def written_as_a_view(x):
    all_of_them = np.ones(x.shape[0] + 1, bool)
    chosen = all_of_them[1:]
    u = x[chosen]
    all_of_them[2:] = False
    return np.sum(u * x[chosen])


def in_place(x):
    chosen = x > 0.0
    u = x[chosen]
    chosen &= x > 1.0
    return np.sum(u * x[chosen]) + np.sum(u)


def bound_again(x):
    chosen = x < 0.4
    u = x[chosen]
    chosen = x < -0.5
    return np.sum(u * x[chosen]) + np.sum(u)


def bound_in_a_branch(x):
    chosen = np.ones(x.shape[0], dtype=bool)
    u = x[chosen]
    if x.shape[0] > 4:
        chosen = x > 1.0
    return np.sum(u * x[chosen])


def another_in_each_step(x):
    s = 0.0
    for k in range(4):
        chosen = x > 0.35 * k
        now = x[chosen] * k
        if k == 3:
            s = s + np.sum(last * now)          # noqa: F821 -- that of the step before
        last = now
    return s


def made_of_what_changes(x):
    y = x.copy()
    u = y[y > 0.0]
    y[y < 1.0] = -1.0
    return np.sum(u * y[y > 0.0]) + np.sum(u)


def with_another_limit(x):
    limit = 0.1
    u = x[x > limit]
    limit = 1.0
    return np.sum(u * x[x > limit]) + np.sum(u)


limit = 0.1


def raised():
    global limit
    limit = 1.0


def with_a_limit_outside(x):
    global limit
    limit = 0.1
    u = x[x > limit]
    raised()
    return np.sum(u * x[x > limit]) + np.sum(u)


def with_a_limit_that_a_helper_binds(x):
    u = x[x > limit]
    raised()
    s = np.sum(u * x[x > limit]) + np.sum(u)
    lowered()
    return s


def lowered():
    global limit
    limit = 0.1


def of_another_size(x):
    chosen = x > 1.0
    y = np.zeros_like(x)
    y[chosen] = np.sum(x)
    return np.sum(y * x) * np.sum(x[chosen])


STEADY = both_sides, written_out, of_matrices, in_a_loop
CHANGED = (written_into, written_by_another_name, written_as_a_view, in_place, bound_again,
           bound_in_a_branch, another_in_each_step, made_of_what_changes, with_another_limit,
           with_a_limit_outside, with_a_limit_that_a_helper_binds, of_another_size)


@pytest.mark.parametrize("f", STEADY)
def test_lengths_are_known(f):
    assert "unbroadcast" not in tl.grad(f).source_for(X)


@pytest.mark.parametrize("f", STEADY + CHANGED)
def test_derivatives(f):
    for x in (X, X[:3], X[:0]):
        try:
            f(x.copy())
        except ValueError:                      # not of one length, which is none of one element
            continue
        tl.check_grads(f, (x,), order=1)
