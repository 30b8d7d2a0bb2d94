"""Multiples of one product in a sum are one term; what looks alike and is not stays."""

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.5, -1.2, 2.0])


def half_square(x):
    return 0.5 * x * x


def minus(x):
    return -0.5 * x * x


def cube(x):
    return 0.5 * x * x * x


def in_branches(x):
    if x > 0.0:
        y = 0.5 * x * x
    else:
        y = -2.0 * x * x
    return y


def two_sums(a, x):
    return a * x * x - 0.25 * x * x + x


def of_arrays(x):
    return np.sum(0.5 * x * x)


def in_a_loop(x):
    total = 0.0
    for _ in range(3):
        t = 0.5 * x
        total = total + t * x
        x = x * 0.9
    return total


def bound_anew(x):
    y = 0.5 * x * x
    x = x * x
    return y * x


def written(x):
    x = x.copy()
    s = np.sum(0.5 * x * x)
    x[0] = s
    return np.sum(x * x)


def of_the_user(x):
    t = 0.5 * x
    return t * x + t


def cancelling(x):
    return (0.5 * x) * x - x * (0.5 * x)


def of_nothing(x):
    return 0.0 * x * x


def cubic(x, a):
    return a * x * x + 3.0 * x * x * x - x * (1 - x) * x


def product_of_arrays(x, a):
    return np.sum(a * x * x * (1.0 - x))


def left_over(x, a):
    """In the last step t is that of the step before."""
    t = 0.0
    for k in range(4):
        if k != 3:
            t = a * x
        x = 0.7 * x + t * x * 0.1 + a * x * 0.2
    return x


def changed_in_between(x, a):
    x = x * 1.0
    ax = a * x
    total = np.sum(ax * x)
    x[1:] = a[1:] * 2.0
    return total + np.sum(ax * x) + np.sum(a * x * x)


def caught(x, a):
    y = a * x * x
    try:
        y = y + a * x * x
        y = y * [x][int(a) + 2]
    except IndexError:
        y = y * a
    return y


CASES = [(half_square, (1.3,)), (minus, (1.3,)), (cube, (1.3,)), (in_branches, (1.3,)),
         (in_branches, (-0.7,)), (two_sums, (0.4, 1.3)), (of_arrays, (X,)), (in_a_loop, (1.3,)),
         (bound_anew, (1.3,)), (written, (X,)), (of_the_user, (1.3,)), (cancelling, (1.3,)),
         (of_nothing, (1.3,)), (half_square, (0.3 + 0.4j,)), (cubic, (1.3, 0.4)),
         (product_of_arrays, (X, X[::-1])), (left_over, (1.3, 0.4)),
         (changed_in_between, (X, 0.3 + X)), (caught, (1.3, 0.4))]


@pytest.mark.parametrize("function, args", CASES,
                         ids=lambda part: getattr(part, "__name__", ""))
def test_gradients(function, args):
    holomorphic = any(isinstance(a, complex) for a in args)
    wrt = tuple(range(len(args)))
    found = tl.grad(function, wrt=wrt, holomorphic=holomorphic)(*args)
    if holomorphic:
        assert np.allclose(found[0], args[0])
        return
    for k in wrt:
        assert np.allclose(found[k], tl.jacfwd(function, wrt=k)(*args), rtol=1e-13)
    tl.check_grads(function, args, order=2)


@pytest.mark.parametrize("function, line", [
    (half_square, "bx = bhalf_square * x"), (minus, "bx = -bminus * x"),
    (in_branches, "bx = by * x"), (in_branches, "bx = -4.0 * by * x"),
    (cube, "bx = 1.5 * bcube * x * x"),
    (cubic, "bx = 10.0 * bcubic * x * x - 2.0 * bcubic * x * (1 - x) "
            "+ 2.0 * bcubic * x * a"),
], ids=lambda part: getattr(part, "__name__", ""))
def test_texts(function, line):
    args = (1.3, 0.4)[:function.__code__.co_argcount]
    lines = [text.strip() for text in tl.grad(function).source_for(*args).splitlines()]
    assert line in lines, "\n".join(lines)


def test_what_is_kept_for_it_goes():
    text = tl.grad(half_square).source_for(1.3)
    assert "Forward pass" not in text and "t = " not in text


def test_draws_are_no_like_terms():
    """The same call twice is two numbers."""
    def f(x):
        rng = np.random.default_rng(0)
        return x * rng.normal() + x * rng.normal()

    rng = np.random.default_rng(0)
    assert tl.grad(f)(2.0) == pytest.approx(rng.normal() + rng.normal(), rel=1e-14)


def test_numbers_without_a_sign():
    def f(k, x):
        return np.sum(-0.5 * k * x * x)

    k = np.array([1, 2, 3], np.uint8)
    assert np.allclose(tl.grad(f, wrt="x")(k, X), -1.0 * k * X)


# Sums of the same ------------------------------------------------------------------------------
def transitions(theta, mu, x):
    """A likelihood of steps: mu is in both terms of what is left over."""
    a = np.exp(-theta)
    r = x[1:] - mu - (x[:-1] - mu) * a
    return 0.5 * np.sum(r ** 2)


def by_columns(theta, mu, x):
    a = np.exp(-theta)
    rows = np.outer(x, x[:3])
    r = rows - mu - (rows * 2.0 - mu) * a
    return np.sum(r ** 3)


def counted(theta, mu, x):
    return np.sum(np.arange(len(x)) * mu * theta) + np.sum(-x * mu) * theta


@pytest.mark.parametrize("fun", [transitions, by_columns, counted], ids=lambda f: f.__name__)
@pytest.mark.parametrize("mu", [0.3, np.array([0.3, 0.1, -0.2])], ids=["number", "vector"])
def test_sums_of_the_same(fun, mu):
    x = np.array([0.5, -1.2, 0.8, 0.1])
    if fun is not by_columns and np.ndim(mu):
        mu = 0.7
    tl.check_grads(fun, (0.4, mu, x))
    gradient = tl.grad(fun, wrt=(0, 1))(0.4, np.float32(mu) if np.ndim(mu) == 0 else mu, x)
    assert np.allclose(gradient[1], tl.grad(fun, wrt=1)(0.4, mu, x), rtol=1e-5)


def test_a_sum_is_formed_once():
    text = tl.grad(transitions, wrt=("theta", "mu")).source_for(0.4, 0.3, np.ones(4))
    assert "bmu = (a - 1.0) * np.sum(br)\n" in text
