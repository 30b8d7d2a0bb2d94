"""What all of an array is put back to needs no records of what is written to it from then on."""
import re

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.7, 1.1, 0.4, 0.9, 1.3])


def in_a_loop(x):
    w = x.copy()
    for _ in range(3):
        w *= x
        w += 1.0
    return np.sum(w * w)


def boundaries(x):
    w = x.copy()
    for _ in range(3):
        w *= x
        w[0] = 1.0
        w[1:] += x[1:]
    return np.sum(w)


def straight(x):
    w = x.copy()
    w *= x
    w += 1.0
    return np.sum(w)


def by_index(x):
    t = x.copy()
    for _ in range(3):
        t[:] = t * x
        t += 1.0
        t[...] = np.sin(t)
        t -= 0.1
    return np.sum(t)


def read_in_between(x):
    w = x.copy()
    s = 0.0
    for _ in range(4):
        s += np.sum(w * w)
        w *= x
        w += 1.0
        w /= 2.0
        s += np.sum(np.sin(w))
        w -= x
    return s


def read_later(x):
    w = x.copy()
    r = np.sin(w)
    w *= x
    q = np.cos(w)
    w += 1.0
    z = np.exp(-w)
    w *= z
    return np.sum(r * q * z * w)


def squares_kept(x):
    w = x.copy()
    s = 0.0
    for _ in range(3):
        r = w * w
        w *= x
        q = w * w
        w += r
        s += np.sum(r * q * w)
        w -= 0.1 * q
    return s


def branches(x):
    w = x.copy()
    s = 0.0
    for k in range(5):
        w *= x
        if k % 2:
            w += x
            s += w[0] ** 2
        else:
            w /= 1.0 + x * x
        if s > 3.0:
            w *= w
            break
        w[1] = s
        w[2:] *= 0.5
    return s + np.sum(w ** 2)


def swapped(x):
    """Two arrays that change their names: what is put back is one of them."""
    a, b = x.copy(), np.zeros(5)
    for _ in range(3):
        b[...] = a * a
        b *= x
        a, b = b, a
        a += 0.1
    return np.sum(a * b)


def with_a_view(x):
    w = x.copy()
    v = w[1:3]
    s = 0.0
    for _ in range(3):
        w *= x
        v *= 2.0
        s += np.sum(v * v)
        w += 1.0
        v += w[0]
    return s + np.sum(w ** 2)


def a_view_alone(x):
    m = np.outer(x, x)
    s = 0.0
    for i in range(5):
        r = m[i]
        r *= x
        r += 1.0
        s += np.sum(r * r)
        r *= r
    return s + np.sum(m)


def bound_anew(x):
    w = x.copy()
    s = 0.0
    for _ in range(2):
        w = w * x
        w *= x
        w += 1.0
        u = w
        s += np.sum(u * u)
        w = w * 0.5
        w *= w
    return s + np.sum(w)


def kept_in_a_list(x):
    w = x.copy()
    kept = []
    for _ in range(2):
        w *= x
        kept.append(w.copy())
        w += 1.0
        w *= kept[0]
    return np.sum(kept[0] * x) + np.sum(kept[1] ** 2)


def captured(x):
    w = x.copy()

    def energy():
        return np.sum(w * w)

    s = 0.0
    for _ in range(2):
        w *= x
        s += energy()
        w += 1.0
        s += energy()
        w *= w
    return s


def left_halfway(x):
    w = x.copy()
    s = 0.0
    try:
        w *= x
        w += 1.0
        s += np.sum(w * w)
        if s > 0.0:
            raise ValueError
        w *= w
    except ValueError:
        w *= w
        w += 2.0
        s += np.sum(w * w)
    return s + np.sum(w)


def with_checkpoints(x):
    w = x.copy()
    s = 0.0
    for _ in tl.checkpoint(range(5)):
        w *= x
        w += 1.0
        s = s + np.sum(w * w)
        w /= 2.0
        w -= x
    return s


def counted(x):
    w = x.copy()
    n = 0
    while np.sum(w) < 40.0 and n < 6:
        w *= 1.0 + x
        w += 0.5
        n += 1
        w[0] = w[1] * w[2]
        w *= w[3]
    return np.sum(w ** 2)


def of_a_matrix(x):
    w = np.outer(x, x)
    s = 0.0
    for _ in range(3):
        w *= x
        w[:] = w.T @ w * 0.1
        w[0, :] += x
        w += w.T
        s += np.sum(w * w)
        w /= 1.0 + np.sum(w * w)
    return s


PROGRAMS = [in_a_loop, boundaries, straight, by_index, read_in_between, read_later, squares_kept,
            branches, swapped, with_a_view, a_view_alone, bound_anew, kept_in_a_list, captured,
            left_halfway, with_checkpoints, counted, of_a_matrix]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(function):
    tl.check_grads(function, (X,), order=1, modes=("fwd", "rev"))


@pytest.mark.sweep(6)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(function):
    value, products = tl.jvp(tl.grad(function), (X,), (np.ones(5),))
    np.testing.assert_allclose(value, tl.grad(function)(X), rtol=1e-12)
    ends = [tl.grad(function)(X + h) for h in (1e-5, -1e-5)]
    np.testing.assert_allclose(products, (ends[0] - ends[1]) / 2e-5, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("function, kept", [
    (in_a_loop, 1), (boundaries, 1), (straight, 1), (by_index, 2)], ids=["1", "2", "3", "4"])
def test_so_much_is_kept(function, kept):
    forward, backward = tl.grad(function).source_for(X).split("# Backward pass")
    assert len(re.findall(r"tape\.append|_old\w* = w\.copy", forward)) == kept
    assert len(re.findall(r"tape\.pop|= w_old", backward)) == kept


def half_of_it_and_another(x, y):
    w = x * 2.0
    w[:] = 0.5 * w + y
    return np.sum(w * w)


def what_was_there_times_another(x, y):
    w = x * 2.0
    w[...] = y + w * x
    return np.sum(w * w)


def with_the_other_way_round(x, y):
    w = np.zeros_like(x)
    w[:] = y - w * x
    w[:] = y.T + 0.5 * w
    return np.sum(w * x)


@pytest.mark.parametrize("f", [half_of_it_and_another, what_was_there_times_another,
                               with_the_other_way_round])
def test_what_is_added_to_a_multiple_has_an_adjoint_of_its_own(f):
    """Silently wrong once: the adjoint of y was the array that was multiplied in place."""
    x, y, step = np.array([0.3, 0.4, 0.5]), np.array([0.1, 0.7, 0.2]), 1e-20

    def slope(at, direction):
        given = [x.astype(complex), y.astype(complex)]
        given[at] = given[at] + 1j * step * direction
        if f is with_the_other_way_round:           # zeros of x are real then
            given[0] = given[0].astype(complex)
        return f(*given).imag / step

    found = tl.grad(f, wrt=("x", "y"))(x, y)
    for at in (0, 1):
        np.testing.assert_allclose(found[at], [slope(at, d) for d in np.eye(3)], rtol=1e-12)
