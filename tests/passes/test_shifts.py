"""What only shifts exponentials, and cancels out of them, has no adjoint; what does not, has."""
import linecache
import math
import re

import fresh
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.explain import explain
from tangent_lite.lint import lint


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def of_softmax(x):
    return np.sum(softmax(x) ** 2)


def log_sum_exp(x):
    m = x.max(axis=1)
    return np.sum(m + np.log(np.sum(np.exp(x - m[:, None]), axis=1)))


def log_softmax(x):
    t = x - np.max(x, axis=1, keepdims=True)
    return np.sum((t - np.log(np.sum(np.exp(t), axis=-1, keepdims=True)))[:, 0])


def by_columns(x):
    m = np.max(x, axis=0)
    e = np.exp(x - m)
    return np.sum((m + np.log(e.sum(axis=0))) ** 2)


def kept_and_taken(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.sum((m[:, 0] + np.log(np.sum(np.exp(x - m), axis=1))) ** 2)


def scaled(x):
    z = (x - np.max(x)) / x.shape[0] ** 0.5
    temperature = 0.7
    z = z / temperature
    e = np.exp(z)
    return np.sum((e / np.sum(e)) ** 2)


def with_temperature(x):
    z = (x - np.max(x)) * 0.3
    e = np.exp(z)
    return np.sum((e / np.sum(e)) ** 2)


def along_what_is_given(a, axis):
    m = np.max(a, axis=axis, keepdims=True)
    return np.log(np.sum(np.exp(a - m), axis=axis)) + np.squeeze(m, axis=axis)


def along_two_axes(x):
    return np.sum(along_what_is_given(x, 0) ** 2) + np.sum(along_what_is_given(x, 1) ** 3)


def forwards(x):
    """A chain of hidden states, of which all in the end are summed over."""
    alpha = x[0]
    for t in range(1, len(x)):
        alpha = along_what_is_given(alpha[:, None] + np.outer(x[t], x[0]), 0)
    return along_what_is_given(alpha, 0)


def of_numbers(x):
    a, b = x[0, 0], x[0, 1]
    m = max(a, b)
    return m + math.log(math.exp(a - m) + math.exp(b - m))


def inverse(x):
    m = np.max(x)
    e = np.exp(x - m)
    return np.sum(e) * np.sum(1.0 / e)


def largest_and_smallest(x):
    m = np.max(x)
    e = np.exp(x - m)
    return np.max(e) / np.min(e)


def in_a_loop(x):
    total = 0.0
    for i in range(x.shape[0]):
        row = x[i]
        m = np.max(row)
        total = total + (m + np.log(np.sum(np.exp(row - m)))) ** 2
    return total


def in_a_branch(x):
    y = np.sum(x)
    if x.shape[0] > 1:
        m = np.max(x)
        y = (m + np.log(np.sum(np.exp(x - m)))) * y
    return y


def by_length(x):
    m = np.mean(x)
    e = np.exp(x - m)
    return (np.log(np.sum(e)) + m) * float(e.shape[0])


def with_new_axes(x):
    e = np.exp(x - np.max(x, axis=1)[:, np.newaxis])
    f = np.exp(x - np.amax(x, axis=-1)[..., None])
    return np.sum(e / np.sum(e, axis=1)[:, np.newaxis] * f / np.expand_dims(np.sum(f, axis=1), 1))


def reshaped(x):
    m = np.max(x, axis=1)
    e = np.exp(x - m.reshape(-1, 1))
    return np.sum((e / np.sum(e, axis=1).reshape((-1, 1))) ** 2)


def the_other_way_round(x):
    m = np.max(x, axis=1)
    e = np.exp(x.T - m).T
    return np.sum((e.T / np.sum(e, axis=1)).T ** 2)


def squeezed(x):
    m = np.max(x, axis=1, keepdims=True)
    t = np.log(np.sum(np.exp(x - m), axis=1))
    return np.sum((t + np.squeeze(m, axis=1)) * (t + m.squeeze(-1)))


def averages(x):
    m = np.max(x, axis=1, keepdims=True)
    e = np.exp(x - m)
    v = np.arange(1.0, x.shape[1] + 1.0)
    return np.sum((e @ v / np.sum(e, axis=1)) ** 2) + np.sum(np.dot(v, e.T) / np.sum(e, axis=1))


def masked(x):
    m = np.max(x, axis=1, keepdims=True)
    e = np.where(x > -1.0, np.exp(x - m), 0.0)
    return np.sum((e / np.sum(e, axis=1, keepdims=True)) ** 2)


CANCELLING = [of_softmax, log_sum_exp, log_softmax, by_columns, kept_and_taken, with_temperature,
              along_two_axes, forwards, of_numbers, inverse, with_new_axes, reshaped,
              the_other_way_round, squeezed, averages, masked, largest_and_smallest, in_a_loop,
              in_a_branch, by_length]


def never_added_again(x):
    m = np.max(x)
    return np.sum(np.exp(x - m))


def added_twice(x):
    m = np.max(x)
    return 2.0 * m + np.log(np.sum(np.exp(x - m)))


def added_as_often_as_there_are(x):
    m = np.max(x, axis=1)
    return np.sum(m) + np.log(np.sum(np.exp(x - m[:, None])))


def along_the_other_axis(x):
    m = np.max(x, axis=1)
    return np.sum(np.log(np.sum(np.exp(x - m[:, None]), axis=0))) + np.sum(m)


def other_places(x):
    m = np.max(x, axis=1)
    t = np.log(np.sum(np.exp(x - m[:, None]), axis=1))
    return np.sum((m[::-1] + t) ** 2)


def spread_the_other_way(x):
    square = x[:, :1] * x[:, :1].T
    m = np.max(square, axis=1)
    t = m + np.log(np.sum(np.exp(square - m[:, None]), axis=1))
    return np.sum((t[:, None] - m) ** 2)


def scaled_differently(x):
    m = np.max(x)
    e = np.exp((x - m) * 0.5)
    return np.sum(e ** 2) / np.sum(np.exp(x - m)) + np.sum(e / np.sum(np.exp((x - m) * 0.25)))


def returned_as_well(x):
    m = np.max(x)
    return m + np.log(np.sum(np.exp(x - m))), m


def of_both(x):
    y, m = returned_as_well(x)
    return y * m


def of_the_step_before(x):
    total, s = 0.0, 1.0
    for i in range(x.shape[0]):
        row = x[i]
        m = np.max(row)
        total = total + m + np.log(s)
        s = np.sum(np.exp(row - m))
    return total


def largest_so_far(x):
    m, s = x[0, 0], 0.0
    for i in range(x.shape[0]):
        new = np.maximum(m, x[i, 1])
        s = s * np.exp(m - new) + np.exp(x[i, 1] - new)
        m = new
    return s + np.log(s)


def written(x):
    m = np.max(x, axis=1)
    e = np.exp(x - m[:, None])
    m[0] = x[0, 0] * 3.0
    return np.sum(m + np.log(np.sum(e, axis=1)))


def compared(x):
    m = np.max(x)
    e = np.exp(x - m)
    return np.sum(np.where(e > 0.5, x, x * m))


def read_below(x):
    m = np.max(x)
    y = m + np.log(np.sum(np.exp(x - m)))
    for i in range(2):
        y = y + i * m
    return y


def powers(x):
    m = np.max(x)
    e = np.exp(x - m)
    return np.sum(e ** 2 / np.sum(e))


def added_to(x):
    m = np.max(x)
    e = np.exp(x - m)
    return np.sum((e + 1e-3) / np.sum(e))


def summed_along_the_shift(x):
    m = np.max(x, axis=1, keepdims=True)
    e = np.exp(x - m)
    v = np.arange(1.0, x.shape[0] + 1.0)
    return np.sum((v @ e) ** 2) / np.sum(e)


def turned(x):
    square = x @ x.T
    m = np.max(square, axis=1)
    e = np.exp(square - m)
    return np.sum((e.T / np.sum(e, axis=1)) ** 2)


def otherwise_one(x):
    m = np.max(x, axis=1, keepdims=True)
    e = np.where(x > 0.0, np.exp(x - m), 1.0)
    return np.sum((e / np.sum(e, axis=1, keepdims=True)) ** 2)


STAYING = [never_added_again, added_twice, added_as_often_as_there_are, along_the_other_axis,
           other_places, spread_the_other_way, scaled_differently, of_both, of_the_step_before,
           largest_so_far, written, compared, read_below, powers, added_to,
           summed_along_the_shift, turned, otherwise_one]

X = np.array([[0.3, -1.2, 0.9], [2.1, 0.4, -0.7]])


@pytest.mark.parametrize("fun", [*CANCELLING, *STAYING, scaled])
@pytest.mark.sweep(3)
def test_derivatives_are_right(fun):
    tl.check_grads(fun, (X,))


@pytest.mark.parametrize("fun", CANCELLING)
def test_nothing_goes_back_to_what_cancels_out(fun):
    text = tl.grad(fun).source_for(X)
    assert not re.search(r"\bbm\b", text)
    jvp = tl.api.GradientFunction("jvp", fun, (0,), False, True).source_for(X)
    assert not re.search(r"\bdm\b", jvp)


@pytest.mark.parametrize("x", [
    X.astype(np.float32), X[:, :1], X[:1, :1], np.full((2, 3), 0.5), 800.0 * X], ids=str)
@pytest.mark.parametrize("fun", [log_sum_exp, log_softmax, by_columns, with_temperature,
                                 along_two_axes, forwards])
def test_other_arrays(fun, x):
    got = tl.grad(fun)(x)
    assert got.dtype == x.dtype and np.all(np.isfinite(got))
    if x.dtype == np.float64 and np.max(np.abs(x)) < 10.0:
        tl.check_grads(fun, (x,))


def test_the_gradient_of_log_sum_exp_is_the_softmax_to_the_last_bit_of_its_sum():
    """By way of the maximum, what rounding leaves of zero would go to the largest element."""
    assert np.array_equal(tl.grad(log_sum_exp)(X), np.exp(X - X.max(axis=1)[:, None])
                          * (1.0 / np.sum(np.exp(X - X.max(axis=1)[:, None]), axis=1))[:, None])


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("row", [[np.nan, 0.0, 1.0], [np.inf, 0.0, 1.0], [-np.inf] * 3])
def test_what_is_no_number_stays_none(row):
    got = tl.grad(log_sum_exp)(np.array([row, [0.0, 1.0, 2.0]]))
    assert np.all(np.isnan(got[0])) and np.all(np.isfinite(got[1]))


def test_minus_infinity_among_others_is_no_matter():
    assert tl.grad(log_sum_exp)(np.array([[-np.inf, 0.0, 0.0]])).tolist() == [[0.0, 0.5, 0.5]]


def test_a_hook_is_called_still():
    seen = []

    def hooked(x):
        m = tl.grad_hook(np.max(x), seen.append)
        return m + np.log(np.sum(np.exp(x - m)))

    tl.grad(hooked)(X[0])
    assert len(seen) == 1


def test_the_pullback_may_run_twice():
    _, pullback = tl.vjp(log_sum_exp, X)
    assert np.array_equal(pullback(1.0)[0], pullback(1.0)[0])


def test_hessians():
    def f(x):
        m = np.max(x)
        return m + np.log(np.sum(np.exp(x - m)))
    p = softmax(X[0])
    assert np.allclose(tl.hessian(f)(X[0]), np.diag(p) - np.outer(p, p), atol=1e-14)


def test_long_chains_take_no_longer_each():
    """What is looked at for one name is limited, so that the work is linear."""
    lines = ["def chain(x):", "    s = 0.0"]
    for k in range(60):
        lines += [f"    m{k} = np.max(x)", f"    s = s + m{k} + np.log(np.sum(np.exp(x - m{k})))"]
    text = "\n".join([*lines, "    return s"]) + "\n"
    linecache.cache["<chain>"] = (len(text), None, text.splitlines(True), "<chain>")
    space = {"np": np}
    exec(compile(text, "<chain>", "exec"), space)
    assert np.allclose(tl.grad(space["chain"])(X[0]), 60.0 * softmax(X[0]))


def test_it_is_told():
    assert "m: it cancels out" in str(explain(tl.grad(log_sum_exp), (X,)))


def test_axes_that_change_are_not_those_of_the_call_before():
    d = tl.grad(lambda x, axis: np.sum(along_what_is_given(x, axis) ** 2))
    for axis in (0, 1, -1, 0):
        q = along_what_is_given(X, axis)
        share = np.exp(X - np.expand_dims(q, axis))
        assert np.allclose(d(X, axis), share * np.expand_dims(2.0 * q, axis))


def test_what_cancels_out_is_no_kink():
    assert not [found.code for found in lint(log_sum_exp, (X,)) if found.code == "TL301"]
    assert [found.code for found in lint(added_twice, (X,))] == ["TL301"]


def test_a_rule_of_the_users_says_what_cancels_out(tmp_path):
    """By a slope of exp that is not its own, nothing would."""
    (tmp_path / "ruled.py").write_text(
        "import numpy as np\nimport tangent_lite as tl\n\n\n"
        "@tl.adjoint(np.exp)\ndef exp(y, x):\n    d[x] = 2.0 * d[y] * y\n\n\n"
        "def f(x):\n    m = np.max(x)\n    return m + np.log(np.sum(np.exp(x - m)))\n")
    fresh.run("""
        import ruled, numpy as np, tangent_lite as tl
        text = tl.grad(ruled.f).source_for(np.ones(3))
        assert "share_ties" in text and "2.0" in text
    """, tmp_path)
