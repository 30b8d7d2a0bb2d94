"""Functions that users compiled with Numba themselves, and functions in lists."""
import functools

import numpy as np
import pytest

import tangent_lite as tl

numba = pytest.importorskip("numba")

from tests.backends.comparing import same  # noqa: E402

X = np.array([1.0, -2.0, 0.3])


def scale(y, k):
    for i in range(y.shape[0]):
        y[i] = y[i] * k + i


def rate(y, k):
    return np.array([-k[0] * y[0], k[1] * y[1]])


fast_scale, fast_rate = numba.njit(scale), numba.njit(rate)


@numba.vectorize
def product(a, b):
    return a * b


def steps_of(rate):
    def steps(k, y, n):
        for _ in range(n):
            first = rate(y, k)
            y = y + 0.1 * (first + 2 * rate(y + first, k))
        return np.sum(y)
    return steps


@pytest.mark.parametrize("backend", ["python", "numba"])
def test_what_it_returns_is_of_a_known_kind(backend):
    args = np.array([0.04, 0.1]), np.array([1.0, 0.2]), 3
    expected = tl.grad(steps_of(rate), wrt=(0, 1))(*args)
    assert same(expected, tl.grad(steps_of(fast_rate), wrt=(0, 1), backend=backend)(*args))


def given(scale):
    def value(x, k):
        y = x.copy()
        scale(y, k)
        return np.sum(y * y)
    return value


def handed_on(scale):
    def apply(function, *args):
        return function(*args)

    def value(x, k):
        y = x.copy()
        apply(scale, y, k)
        list(map(lambda one: scale(one, k), [y]))
        return np.sum(y * y)
    return value


def written_argument(scale):
    def value(x, k):
        scale(x, k)
        return np.sum(x * x)
    return value


def in_a_partial(scale):
    def value(x, k):
        y = x.copy()
        functools.partial(scale, y)(k)
        return np.sum(y * y)
    return value


@pytest.mark.parametrize("program", [given, handed_on, written_argument, in_a_partial])
def test_what_it_writes_is_seen(program):
    expected = tl.grad(program(scale), wrt=(0, 1))(X.copy(), 0.7)
    assert expected[1] != 0.0
    assert same(expected, tl.grad(program(fast_scale), wrt=(0, 1))(X.copy(), 0.7))


def test_what_it_writes_is_seen_in_compiled_code():
    d = tl.grad(given(fast_scale), wrt=(0, 1), backend="numba")
    assert same(tl.grad(given(scale), wrt=(0, 1))(X, 0.7), d(X, 0.7))


def test_a_rule_for_it_comes_first():
    @numba.njit
    def ruled(x):
        return 2.0 * x

    @tl.adjoint(ruled)
    def ruled_adjoint(y, x):
        d[x] = d[y] * 100.0         # noqa: F821

    assert tl.grad(lambda x: ruled(x) * 1.0)(3.0) == 100.0


def test_a_ufunc_of_numba_has_no_rule():
    with pytest.raises(tl.MissingRuleError, match="no adjoint rule for product"):
        tl.grad(lambda x: np.sum(product(x, 2.0)))(X)


def shift(y, k):
    return y ** 2 + k


def times(y, k):
    return y * k


def in_turn(x, k, functions):
    for function in functions:
        x = function(x, k)
    return np.sum(x * x)


def net(layers, x):
    for W, bend in layers:
        x = bend(W @ x)
    return np.sum(x)


def test_functions_in_a_list_are_told_apart():
    compiled, plain = (tl.grad(in_turn, wrt=(0, 1), backend=b) for b in ("numba", "python"))
    for functions in [shift, times], [times, shift], (times, shift):
        assert same(plain(X, 0.7, functions), compiled(X, 0.7, functions))


def test_functions_in_layers_are_told_apart():
    def relu(x):
        return np.maximum(x, 0.1)

    compiled, plain = (tl.grad(net, backend=b) for b in ("numba", "python"))
    for first, second in (np.tanh, relu), (relu, np.tanh):
        layers = [(np.eye(3) + 0.1, first), (np.ones((2, 3)), second)]
        assert same(plain(layers, X), compiled(layers, X))
