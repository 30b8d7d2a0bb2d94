"""Elements that are taken once each: of arrays, and of logarithms of shares by integer labels."""
import re

import numpy as np
import pytest

import tangent_lite as tl


def shares(z):
    e = np.exp(z - np.max(z, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def of_shares(z, y):
    e = np.exp(z - np.max(z, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return -np.log(p[np.arange(z.shape[0]), y]).mean()


def by_helper(z, y):
    return -np.mean(np.log(shares(z)[np.arange(len(y)), y]))


def without_a_shift(z, y):
    e = np.exp(z)
    p = e / e.sum(axis=-1)[:, None]
    return -np.sum(np.log(p[np.arange(len(y)), y])) / len(y)


def logarithms_first(z, y):
    return -np.log(shares(z))[np.arange(len(y)), y].mean()


def of_differences(z, y):
    z = z - z.max(axis=1, keepdims=True)
    logs = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.mean(logs[np.arange(len(y)), y])


def of_the_sum(z, y):
    rows = np.arange(len(y))
    return np.mean(np.log(np.sum(np.exp(z), axis=1)) - z[rows, y])


SHORT = [of_shares, by_helper, without_a_shift, logarithms_first, of_differences]
Z = np.random.default_rng(0).normal(size=(5, 3))
Y = np.array([2, 0, 2, -1, 1])


def by_hand(z, y):
    p = shares(z)
    p[np.arange(len(y)), y] -= 1.0
    return p / len(y)


@pytest.mark.parametrize("z, y", [(Z, Y), (Z[:, :1], np.zeros(5, int)), (Z[:1], Y[:1]),
                                  (Z.astype(np.float32), Y.astype(np.int8)),
                                  (np.asfortranarray(Z), np.array([1, 1, 1, 1, 1])),
                                  (Z[::-1, ::-1], Y.astype(np.uint8) % 3)], ids=str)
@pytest.mark.parametrize("fun", [*SHORT, of_the_sum])
@pytest.mark.sweep(5)
def test_it_is_what_one_writes_by_hand(fun, z, y):
    gradient = tl.grad(fun)(z, y)
    assert gradient.dtype == z.dtype and gradient.shape == z.shape
    assert np.allclose(gradient, by_hand(z, y), rtol=1e-5 if z.dtype == np.float32 else 1e-12)
    if z.dtype == float:
        tl.check_grads(fun, (z, y))


@pytest.mark.parametrize("fun", [*SHORT, of_the_sum])
def test_there_is_no_detour(fun):
    text = tl.grad(fun).source_for(Z, Y)
    assert "add_at" not in text and "unreduce" not in text
    if fun is not of_the_sum:
        assert "zeros_like" not in text and not re.search(r"\bbp\b|_bwd", text)


@pytest.mark.parametrize("fun", [of_shares, by_helper, of_differences])
def test_probabilities_that_are_rounded_to_zero(fun):
    z = np.array([[0.0, 900.0, -900.0], [0.0, 1.0, -np.inf]])
    y = np.array([2, 0])
    gradient = tl.grad(fun)(z, y)
    assert np.allclose(gradient, by_hand(z, y)) and np.all(np.isfinite(gradient))


def test_no_rows():
    def total(z, y):
        e = np.exp(z)
        p = e / np.sum(e, axis=1, keepdims=True)
        return -np.sum(np.log(p[np.arange(len(y)), y]))

    assert tl.grad(total)(np.zeros((0, 3)), np.zeros(0, int)).shape == (0, 3)


# What is not so ----------------------------------------------------------------------------
def fewer_rows(z, y):
    p = shares(z)
    return -np.sum(np.log(p[np.arange(len(y)), y]))


def one_row_many_times(z, y):
    """np.arange(1) is spread to the labels: the same row, and maybe the same element."""
    rows = np.arange(z.shape[0])
    return np.sum(z[rows, y] ** 2) - np.sum(np.log(shares(z)[rows, y]))


def rows_that_change(z, y):
    rows = np.arange(len(y))
    rows[1] = 0
    return np.sum(z[rows, y] ** 2) - np.sum(np.log(shares(z)[rows, y]))


def other_rows_then(z, y):
    rows = np.arange(len(y))
    total = np.sum(np.log(shares(z)[rows, y]))
    rows = np.zeros(len(y), int)
    return total + np.sum(z[rows, y] ** 2)


def downwards(z, y):
    """From -1 upwards: 0, 1, and the last row again."""
    rows = np.arange(-1, len(y) - 1)
    rows_2 = np.arange(len(y)) % 2
    return np.sum(z[rows, y] ** 2) + np.sum(np.log(shares(z)[rows_2, y])) \
        + np.sum(np.log(shares(z)[rows, y]))


def labels_in_rows(z, y):
    two = np.stack([y, y])
    return np.sum(z[np.arange(len(y)), two] ** 2) + np.sum(np.log(shares(z)[np.arange(5), two]))


def of_the_other_axis(z, y):
    p = np.exp(z) / np.sum(np.exp(z), axis=0, keepdims=True)
    k = np.arange(z.shape[1])
    return np.sum(np.log(p[y[:3], k]) ** 2) + np.sum(np.log(p[np.arange(5), y]))


def shares_that_change(z, y):
    p = shares(z)
    p[0, 1] = 0.5
    return np.sum(np.log(p[np.arange(len(y)), y]) * z[:, 0])


def exponents_that_change(z, y):
    t = z * 1.0
    e = np.exp(t)
    p = e / np.sum(e, axis=1, keepdims=True)
    t[0, 1] = z[0, 0] ** 2
    return np.sum(np.log(p[np.arange(len(y)), y])) + np.sum(t ** 2)


def labels_that_change(z, y):
    y = y.copy()
    a = np.sum(np.log(shares(z)[np.arange(len(y)), y]) ** 2)
    y[:] = 0
    return a + np.sum(np.log(shares(z)[np.arange(len(y)), y]) ** 2)


def used_twice(z, y):
    p = shares(z)
    logs = np.log(p)
    weight = p[:, 0]
    return np.sum(weight * np.log(p[np.arange(len(y)), y])) + np.sum(p * logs)


def in_a_loop(z, y):
    p = shares(z)
    rows = np.arange(len(y))
    total = 0.0
    for k in range(3):
        total = total + np.sum(np.log(p[rows, (y + k) % 3])) * (k + 1.0)
        q = shares(z * total)
        total += np.sum(np.log(q[rows, y]))
    return total


def in_a_branch(z, y):
    p = shares(z)
    if z[0, 0] > -50.0:
        return np.sum(np.log(p[np.arange(len(y)), y]) ** 2)
    return np.sum(z)


def of_a_vector(z, y):
    e = np.exp(z[0])
    p = e / np.sum(e)
    return np.log(p[y[0]]) * np.log(p[1]) + np.log(p)[-1]


def many_of_a_vector(z, y):
    e = np.exp(z[0] - np.max(z[0]))
    p = e / np.sum(e)
    total = 0.0
    for k in y:
        total += np.log(p[k]) ** 2
    return total


def not_by_rows(z, y):
    e = np.exp(z)
    p = e / np.sum(e)
    return np.sum(np.log(p[np.arange(len(y)), y]))


def of_another_exponential(z, y):
    logs = z - np.log(np.sum(np.exp(2.0 * z), axis=1, keepdims=True))
    t = z + 1.0
    other = t - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return np.sum(logs[np.arange(len(y)), y]) + np.sum(other[np.arange(len(y)), y] ** 2)


def three_axes(z, y):
    t = z[:, :, None] * np.ones(2)
    rows = np.arange(len(y))
    return np.sum(t[rows, y] ** 2) + np.sum(t[rows, :, 0] ** 3) + np.sum(t[rows, y, 1] ** 2)


OTHERS = [fewer_rows, rows_that_change, other_rows_then, downwards, labels_in_rows,
          of_the_other_axis, shares_that_change, exponents_that_change, labels_that_change,
          used_twice, in_a_loop, in_a_branch, of_a_vector, many_of_a_vector, not_by_rows,
          of_another_exponential, three_axes]


@pytest.mark.parametrize("fun", OTHERS)
@pytest.mark.sweep(3)
def test_derivatives_are_right(fun):
    tl.check_grads(lambda z: fun(z, Y), (Z,))


def test_fewer_rows_than_there_are():
    tl.check_grads(lambda z: fewer_rows(z, Y[:3]), (Z,))


@pytest.mark.parametrize("y", [Y, np.array([1]), np.array([1, 1, 0])], ids=str)
def test_a_row_that_is_taken_many_times(y):
    d = tl.grad(one_row_many_times)
    d(Z, Y)                                             # for which each is taken once
    z = Z[:1]
    wanted = np.zeros((1, 3))
    np.add.at(wanted, (0, y), 2.0 * z[0, y] - 1.0)
    assert np.allclose(d(z, y), wanted + len(y) * shares(z))
    tl.check_grads(lambda z: one_row_many_times(z, y), (z,))


@pytest.mark.parametrize("fun", SHORT)
def test_hessians_and_other_modes(fun):
    z = Z[:2]
    y = Y[:2]
    p = shares(z)
    for row in range(2):
        block = (np.diag(p[row]) - np.outer(p[row], p[row])) / 2.0
        assert np.allclose(tl.hessian(fun)(z, y)[row, :, row], block)
    along = np.cos(z)
    assert np.isclose(tl.jvp(lambda z: fun(z, y), (z,), (along,))[1],
                      np.sum(along * by_hand(z, y)))
    assert np.allclose(tl.vjp(lambda z: fun(z, y), z)[1](3.0)[0], 3.0 * by_hand(z, y))


def test_a_rule_of_the_users_says_what_a_logarithm_is(monkeypatch):
    from tangent_lite import registry

    def fun(z, y):
        return -np.mean(np.log(shares(z)[np.arange(len(y)), y]))

    monkeypatch.setattr(registry, "has_our_rules", lambda function: False)
    assert np.allclose(tl.grad(fun)(Z, Y), by_hand(Z, Y))
