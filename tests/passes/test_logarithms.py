"""Logarithms of logistic functions: the short way where it is one, the long way where it is not."""
import math
import textwrap

import fresh
import numpy as np
import pytest
import scipy.special

import tangent_lite as tl


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def stable(x):
    return np.where(x >= 0.0, 1.0 / (1.0 + np.exp(-x)), np.exp(x) / (1.0 + np.exp(x)))


def on_two_ways(x):
    if x >= 0.0:
        return 1.0 / (1.0 + math.exp(-x))
    e = math.exp(x)
    return e / (1.0 + e)


def of_a_line(x, slope=1.0, shift=0.25):
    return sigmoid(slope * x - shift)


def by_library(z, y):
    p = scipy.special.expit(z)
    return -np.sum(y * np.log(p) + (1.0 - y) * np.log(1.0 - p))


def by_helper(z, y):
    p = sigmoid(z)
    return -np.sum(y * np.log(p) + (1.0 - y) * np.log(1.0 - p)) / 4.0


def by_stable_helper(z, y):
    p = stable(z)
    return -np.sum(y * np.log(p) + (1.0 - y) * np.log1p(-p))


def written_out(z, y):
    e = np.exp(z)
    p = e / (e + 1)
    q = 1 - p
    return -np.sum(y * np.log(p) + (1 - y) * np.log(q))


def falling(z, y):
    p = 1.0 / (1.0 + np.exp(z))
    return np.sum(y * np.log(p)) + np.sum(np.log1p(-p))


def of_numbers(z, y):
    total = 0.0
    for k in range(len(y)):
        p = on_two_ways(z[k])
        if y[k] > 0.5:
            total -= math.log(p)
        else:
            total -= math.log(1.0 - p)
    return total


def of_numbers_written_out(z, y):
    total = 0.0
    for k in range(len(y)):
        p = 1.0 / (1.0 + math.exp(-z[k]))
        total -= y[k] * math.log(p) + (1.0 - y[k]) * math.log(1.0 - p)
    return total


def elsewhere_too(z, y):
    p = sigmoid(z)
    return np.sum(p * y) - np.sum(np.log(p)) + np.sum(z * p)


def of_another_helper(z, y):
    p = of_a_line(z * 2.0)
    return -np.sum(y * np.log(p))


SHORT = [by_library, by_helper, by_stable_helper, written_out, falling, of_numbers,
         of_numbers_written_out]
LONG = [elsewhere_too, of_another_helper]


def check(function, z, *rest):
    derivative = tl.grad(function)
    found = derivative(z, *rest)
    direction = np.cos(np.arange(1.0, z.size + 1.0)).reshape(z.shape).astype(z.dtype)
    along = np.sum(found * direction)
    step = 1e-6
    quotient = (function(z + step * direction, *rest) - function(z - step * direction, *rest)) \
        / (2.0 * step)
    np.testing.assert_allclose(along, quotient, rtol=1e-6, atol=1e-8)
    # Forward mode goes the long way.
    tangents = (direction, *[None] * len(rest))
    np.testing.assert_allclose(along, tl.jvp(function, (z, *rest), tangents)[1], rtol=1e-12,
                               atol=1e-14)
    return derivative


Z = np.array([0.5, -1.5, 2.0, -0.25])
Y = np.array([1.0, 0.0, 1.0, 0.0])


@pytest.mark.parametrize("length", [4, 1, 0])
@pytest.mark.parametrize("function", SHORT + LONG)
def test_it_is_the_derivative(function, length):
    derivative = check(function, Z[:length], Y[:length])
    source = derivative.source_for(Z[:length], Y[:length])
    if function in SHORT:
        assert " / p" not in source and "_bwd" not in source, source
    value, gradient = tl.value_and_grad(function)(Z[:length], Y[:length])
    assert value == function(Z[:length], Y[:length])
    np.testing.assert_array_equal(gradient, derivative(Z[:length], Y[:length]))


@pytest.mark.parametrize("function", [by_helper, written_out, of_numbers_written_out])
def test_terms_that_cancel_are_not_computed(function):
    source = tl.grad(function).source_for(Z, Y)
    assert "(p - y" in source, source


@pytest.mark.parametrize("function", SHORT)
def test_of_the_second_order(function):
    step = 1e-5
    direction = np.array([1.0, -2.0, 0.5, 0.25])
    derivative = tl.grad(function)
    along = tl.jvp(derivative, (Z, Y), (direction, None))[1]
    quotient = (derivative(Z + step * direction, Y) - derivative(Z - step * direction, Y)) \
        / (2.0 * step)
    np.testing.assert_allclose(along, quotient, rtol=1e-6, atol=1e-9)


def test_far_out_it_is_the_limit():
    z = np.array([-800.0, 800.0, -40.0, 40.0])
    y = np.array([0.0, 1.0, 1.0, 0.0])
    with np.errstate(all="ignore"):
        found = tl.grad(by_helper)(z, y)
    np.testing.assert_allclose(found, np.array([0.0, 0.0, -1.0, 1.0]) / 4.0, atol=1e-15)


def test_numbers_keep_their_precision():
    z, y = Z.astype(np.float32), Y.astype(np.float32)
    found = tl.grad(by_helper)(z, y)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, tl.grad(by_helper)(Z, Y), rtol=1e-6)


def test_labels_of_integers_are_not_taken_from_one_twice():
    for dtype in (int, np.uint8):
        np.testing.assert_allclose(tl.grad(written_out)(Z, Y.astype(dtype)),
                                   tl.grad(written_out)(Z, Y), rtol=1e-12)
    check(written_out, Z, np.array([2, 0, 1, 0], np.uint8))     # where 1 - 2 is 255


def z_bound_again(z, y):
    p = 1.0 / (1.0 + np.exp(-z))
    z = z * 3.0
    return np.sum(y * np.log(p)) + np.sum(z * z)


def z_written_to(z, y):
    z = z * 1.0
    p = 1.0 / (1.0 + np.exp(-z))
    z[0] = 5.0
    return np.sum(y * np.log(p)) + np.sum(z * z)


def p_written_to(z, y):
    p = 1.0 / (1.0 + np.exp(-z))
    p[1] = 0.5
    return np.sum(y * np.log(p))


def p_from_the_step_before(z, y):
    p = np.ones(z.shape) * 0.5
    total = 0.0
    for _ in range(3):
        total = total + np.sum(y * np.log(p))
        p = 1.0 / (1.0 + np.exp(-z))
        z = z * 2.0
    return total


def z_from_the_step_before(z, y):
    total = 0.0
    for k in range(3):
        p = 1.0 / (1.0 + np.exp(-z))
        z = z * 1.5
        total = total + np.sum(y * np.log(p))
    return total + np.sum(z)


def p_on_one_way(z, y):
    if y[0] > 0.5:
        p = 1.0 / (1.0 + np.exp(-z))
    else:
        p = np.exp(-z * z)
    return np.sum(np.log(p))


def clipped(z, y):
    p = np.clip(sigmoid(z), 0.2, 0.8)
    return -np.sum(y * np.log(p) + (1.0 - y) * np.log(1.0 - p))


def not_quite(z, y):
    p = 1.0 / (1.0 + np.exp(-z) + 1e-3)
    q = 2.0 / (1.0 + np.exp(-z))
    return np.sum(np.log(p) + np.log(q) * y + np.log(1.0 + p))


def larger_than_z(z, y):
    p = np.where(y[:, None] >= 0.5, 1.0 / (1.0 + np.exp(-z)), np.exp(z) / (1.0 + np.exp(z)))
    return np.sum(np.log(p) * np.arange(1.0, p.size + 1.0).reshape(p.shape))


@pytest.mark.parametrize("function", [
    z_bound_again, z_written_to, p_written_to, p_from_the_step_before, z_from_the_step_before,
    p_on_one_way, clipped, not_quite, larger_than_z])
def test_what_is_none_of_these_goes_the_long_way(function):
    check(function, Z, Y)


def test_in_a_loop_that_ends_early():
    def fit(w, xs, ys):
        loss = 0.0
        for k in range(len(xs)):
            p = sigmoid(w * xs[k])
            if p > 0.99:
                break
            loss -= ys[k] * np.log(p) + (1.0 - ys[k]) * np.log(1.0 - p)
        return loss
    for last in (0.1, 9.0):
        xs = np.array([0.5, -1.0, last, 0.3])
        found, step = tl.grad(fit)(0.7, xs, Y), 1e-6
        quotient = (fit(0.7 + step, xs, Y) - fit(0.7 - step, xs, Y)) / (2.0 * step)
        assert math.isclose(found, quotient, rel_tol=1e-7)


def test_a_rule_of_the_users_is_asked(tmp_path):
    (tmp_path / "program.py").write_text(textwrap.dedent("""
        import numpy as np
        import tangent_lite as tl

        @tl.adjoint(np.exp)
        def exp(y, x):
            d[x] = 2.0 * d[y] * y

        def f(z):
            p = 1.0 / (1.0 + np.exp(-z))
            return np.sum(np.log(p))

        print(tl.grad(f)(np.zeros(1))[0])
        """))
    # By the true rule it is 0.5.
    assert float(fresh.run("import program", tmp_path)) == 1.0


@tl.custom_derivative(adjoint=lambda y, x, by: 3.0 * by)
def of_ones_own(x):
    return 1.0 / (1.0 + np.exp(-x))


def test_a_helper_with_a_derivative_of_its_own_is_asked():
    def f(z):
        return np.sum(np.log(of_ones_own(z)))

    np.testing.assert_allclose(tl.grad(f)(Z), 3.0 / of_ones_own(Z), rtol=1e-12)


def test_hooks_see_what_they_are_put_on():
    seen = []

    def f(z):
        p = tl.grad_hook(sigmoid(z), lambda b: seen.append(b) or b)
        return np.sum(np.log(p))

    tl.grad(f)(Z)
    np.testing.assert_allclose(seen[0], 1.0 / sigmoid(Z), rtol=1e-12)


# Shares of a sum ----------------------------------------------------------------------------------
def softmax(z):
    e = np.exp(z - np.max(z, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def softmax_by_columns(z):
    e = np.exp(z - z.max(axis=1)[:, None])
    return e / e.sum(axis=-1)[:, None]


def softmax_of_all(z):
    return np.exp(z) / np.sum(np.exp(z))


def cross_entropy(z, y):
    p = softmax(z)
    return -np.sum(y * np.log(p)) / len(z)


def by_columns(z, y):
    return -np.sum(y * np.log(softmax_by_columns(z)))


def of_all(z, y):
    return -np.sum(y * np.log(softmax_of_all(z)))


def along_the_first(z, y):
    e = np.exp(z - np.max(z))
    p = e / np.sum(e, axis=0, keepdims=True)
    return -np.sum(y * np.log(p))


def row_by_row(z, y):
    total = 0.0
    for k in range(len(z)):
        p = softmax_of_all(z[k])
        total -= np.sum(y[k] * np.log(p))
    return total


def with_a_temperature(z, y):
    p = softmax(z / 0.7)
    return -np.sum(y * np.log(p)) + np.sum(z * y)


def shifted_by_ones_own(z, y):
    e = np.exp(z - np.max(z, axis=-1, keepdims=True))
    return -np.sum(y * np.log(e / np.sum(e, axis=-1, keepdims=True)))


def shifted_across(z, y):           # the shift is not the same along the axis, and counts
    e = np.exp(z - np.max(z, axis=0, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return -np.sum(y * np.log(p))


def another_sum(z, y):
    e = np.exp(z)
    p = e / np.sum(e * y, axis=1, keepdims=True)
    q = e / np.sum(e, axis=1, keepdims=True) ** 2
    return -np.sum(y * np.log(p) + np.log(q))


def summed_across(z, y):                        # of a square: divided by what belongs to columns
    e = np.exp(z)
    p = e / np.sum(e, axis=1)
    return -np.sum(y * np.log(p))


def as_well(z, y):
    p = softmax(z)
    return np.sum(p * p) - np.sum(y * np.log(p)) - np.sum(p * np.log(p))


def written_into(z, y):
    e = np.exp(z)
    s = np.sum(e, axis=1, keepdims=True)
    e[0] = 1.0
    p = e / s
    return -np.sum(y * np.log(p))


SHARES = [cross_entropy, by_columns, of_all, along_the_first, row_by_row, with_a_temperature,
          shifted_across]
NOT_SHARES = [another_sum, summed_across, as_well, written_into]
LABELS = np.array([[1.0, 0.0, 0.25], [0.5, 2.0, 0.0], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize("function", SHARES + NOT_SHARES)
def test_of_shares(function):
    z = np.array([[0.5, -1.5, 2.0], [-0.25, 1.0, 0.75], [3.0, 0.1, -0.4]])
    derivative = check(function, z, LABELS)
    source = derivative.source_for(z, LABELS)
    assert (" / p" in source or "_bwd" in source) == (function in NOT_SHARES), source


@pytest.mark.parametrize("shape", [(0, 3), (3, 1), (1, 1), (1, 3)])
@pytest.mark.parametrize("function", [by_columns, shifted_by_ones_own, row_by_row])
def test_of_few(function, shape):
    check(function, np.linspace(-1.0, 2.0, shape[0] * shape[1]).reshape(shape),
          LABELS[:shape[0], :shape[1]])


def test_a_share_that_is_too_small_has_a_finite_adjoint():
    z = np.array([[0.0, 800.0, -3.0]])
    with np.errstate(divide="ignore"):
        found = tl.grad(cross_entropy)(z, np.array([[1.0, 0.0, 0.0]]))
    np.testing.assert_allclose(found, [[-1.0, 1.0, 0.0]])


@pytest.mark.parametrize("z", [-800.0, -30.0, -1.5, 0.0, 2.0, 30.0, 800.0])
def test_the_logistic_function_has_a_slope_everywhere(z):
    def inside(z, y):
        total = 0.0
        for k in range(2):
            gate = 1.0 / (1.0 + np.exp(-(z + k * y)))
            total = total + np.sum(gate * y)
        return total

    def turned(z, y):
        e = np.exp(z)
        return np.sum(y * e / (1.0 + e)) + np.sum(1.0 / (e + 1.0) ** 2) + np.sum(e / (1 + e))

    with np.errstate(over="ignore"):
        found = tl.grad(inside, wrt=(0, 1))(np.array([z]), np.array([0.5]))

    def slope(v):
        p = scipy.special.expit(v)
        return p * scipy.special.expit(-v)
    wanted = 0.5 * (slope(z) + slope(z + 0.5))
    assert np.allclose(found[0], wanted, rtol=1e-6, atol=1e-15)
    wanted = scipy.special.expit(z) + scipy.special.expit(z + 0.5) + 0.5 * slope(z + 0.5)
    assert np.allclose(found[1], wanted, rtol=1e-6, atol=1e-15)
    if abs(z) < 30.0:
        tl.check_grads(turned, (np.array([z, 0.3]), 0.7), modes=("rev",))
        tl.check_grads(inside, (np.array([z, 0.3]), 0.7))
