"""Gradients of lists: filled where each part is received once, added to zeros elsewhere."""

import numpy as np
import pytest

import tangent_lite as tl


def layers(sizes=(3, 4, 2), seed=0, dtype=float):
    draw = np.random.default_rng(seed)
    return [(draw.normal(size=(n, m)).astype(dtype) * 0.5, draw.normal(size=n).astype(dtype))
            for m, n in zip(sizes, sizes[1:])]


X = np.array([0.3, -0.7, 1.1])


# Filled -----------------------------------------------------------------------------------------
def whole(params, x):
    for W, b in params:
        x = np.tanh(W @ x + b)
    return np.sum(x * x)


def by_index(params, x):
    for i in range(len(params)):
        W, b = params[i]
        x = np.tanh(W @ x + b)
    return np.sum(x * x)


def but_the_last(params, x):
    for W, b in params[:-1]:
        x = np.maximum(W @ x + b, 0.0)
    W, b = params[-1]
    return np.sum((W @ x + b) ** 2)


def but_the_first(params, x):
    W, b = params[0]
    x = np.sin(W @ x + b)
    for W, b in params[1:]:
        x = np.tanh(W @ x + b)
    return np.sum(x * x)


def enumerated(params, x):
    n = len(params)
    for i, (W, b) in enumerate(params):
        x = W @ x + b
        if i < n - 1:
            x = np.maximum(x, 0.0)
    return np.sum(x * x)


def predict(params, x):
    for W, b in params[:-1]:
        x = np.tanh(W @ x + b)
    W, b = params[-1]
    return W @ x + b


def by_helper(params, x):
    e = predict(params, x) - 0.5
    return np.sum(e * e)


def relu(x):
    return np.maximum(x, 0.0)


def by_helpers(params, x):
    h = hidden(params, x)
    return np.sum(h * h)


def hidden(params, x):
    for W, b in params[:-1]:
        x = relu(W @ x + b)
    W, b = params[-1]
    return W @ x + b


def sums(params, x):
    total = 0.0
    for W, b in params:
        total = total + np.sum(W) * 2.0 + np.sum(b)
    return total * np.sum(x)


def transposed(params, x):
    total = 0.0
    for W, b in params:
        total = total + np.sum(W.T * W.T) + b @ b
    return total * np.sum(x)


def some(params, x):
    for W, b in params:
        if np.sum(W) > 0.0:
            x = np.append(x, W @ np.ones(W.shape[1]) + b)
    return np.sum(x * x)


FILLED = [whole, by_index, but_the_last, but_the_first, enumerated, by_helper, by_helpers, sums,
          transposed, some]


# Not filled -------------------------------------------------------------------------------------
def weights_alone(params, x):
    for W, b in params:
        x = np.tanh(W @ x)
    return np.sum(x * x)


def twice(params, x):
    for W, b in params:
        x = np.tanh(W @ x + b)
    for W, b in params:
        x = np.append(x, np.sum(W * W) * b[0])
    return np.sum(x * x)


def both_ends(params, x):
    W, b = params[0]
    x = np.tanh(W @ x + b)
    for W, b in params[1:-1]:
        x = np.tanh(W @ x + b)
    W, b = params[-1]
    return np.sum(W * W) * np.sum(b) + np.sum(x * x)


def left_early(params, x):
    for W, b in params:
        x = np.tanh(W @ x + b)
        if x[0] > -10.0:
            break
    return np.sum(x * x)


def regularized(params, x):
    for W, b in params:
        x = np.tanh(W @ x + b)
    return np.sum(x * x) + np.sum(params[0][0] ** 2)


def helper_twice(params, x):
    return np.sum(predict(params, x) * predict(params, 2.0 * x))


def helper_in_loop(params, x):
    total = 0.0
    for k in range(3):
        total = total + np.sum(predict(params, x * k))
    return total


def helper_in_branch(params, x):
    if x[0] > 0.0:
        y = predict(params, x)
    else:
        y = predict(params, -x) ** 2
    return np.sum(y * y) + np.sum(params[-1][1])


OTHERS = [weights_alone, twice, both_ends, left_early, regularized, helper_twice,
          helper_in_loop, helper_in_branch]


def differences(function, params, x):
    """Central differences in all numbers."""
    found = []
    for layer in range(len(params)):
        parts = []
        for part in range(2):
            slope = np.zeros(params[layer][part].shape)
            for spot in np.ndindex(slope.shape):
                ends = []
                for step in (1e-6, -1e-6):
                    moved = [tuple(a.copy() for a in one) for one in params]
                    moved[layer][part][spot] += step
                    ends.append(function(moved, x))
                slope[spot] = (ends[0] - ends[1]) / 2e-6
            parts.append(slope)
        found.append(tuple(parts))
    return found


def assert_same(found, wanted, tolerance=1e-6):
    assert type(found) is list and len(found) == len(wanted)
    for one, other in zip(found, wanted):
        assert type(one) is tuple and len(one) == len(other)
        for a, b in zip(one, other):
            assert a.shape == b.shape
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("function", FILLED + OTHERS)
@pytest.mark.parametrize("sizes", [(3, 4, 2), (3, 3), (3, 1, 3, 2)])
@pytest.mark.sweep(8)
def test_gradients_are_right(function, sizes):
    params = layers(sizes)
    gradient = tl.grad(function)
    for _ in range(2):                  # the second call takes the short way in
        assert_same(gradient(params, X), differences(function, params, X))
    value, found = tl.value_and_grad(function)(params, X)
    assert value == function(params, X)
    assert_same(found, gradient(params, X), 0.0)


@pytest.mark.parametrize("function", [whole, by_helper, sums, regularized])
@pytest.mark.sweep(2)
def test_second_derivatives(function):
    tl.check_grads(function, (layers(), X), order=2)


@pytest.mark.parametrize("function", FILLED)
def test_lists_are_filled(function):
    text = tl.grad(function).source_for(layers(), X)
    assert "bparams = [None] * len(params)" in text and "zeros_like(params)" not in text


@pytest.mark.parametrize("function", [weights_alone, twice, both_ends, left_early])
def test_lists_that_may_have_gaps_are_not(function):
    text = tl.grad(function).source_for(layers(), X)
    assert "[None]" not in text and "zeros_like(params)" in text


@pytest.mark.parametrize("function", FILLED)
def test_gradients_are_the_callers(function):
    params = layers((3, 3, 3, 3))
    gradient = tl.grad(function)
    gradient(params, X)
    found, kept = gradient(params, X), gradient(params, X)
    arrays = [a for one in found for a in one]
    for number, array in enumerate(arrays):
        assert array.flags.writeable
        assert not any(np.shares_memory(array, other) for other in arrays[:number])
        assert not any(np.shares_memory(array, other) for one in params for other in one)
        array += 1000.0
    assert_same(gradient(params, X), kept, 0.0)


def shifted(params, x):
    for W, b in params:
        x = (x + b) * b
    return np.sum(x * x)


def shifted_by_arrays(bs, x):
    for b in bs:
        x = np.sin(x + b)
    return np.sum(x)


def shifted_first(params, x):
    W, b = params[0]
    x = (x + b) * b
    for W, b in params[1:]:
        x = x * b
    return np.sum(x * x)


@pytest.mark.parametrize("function", [shifted, shifted_by_arrays, shifted_first])
def test_no_memory_is_shared_with_the_gradients_of_others(function):
    params, x = layers((3, 3, 3)), np.array([0.3, -0.7, 1.1])
    params = [b for _, b in params] if function is shifted_by_arrays else params
    gradient = tl.grad(function, wrt=(0, 1))
    for _ in range(3):
        bparams, bx = gradient(params, x)
        kept = [np.array(b) for one in bparams for b in one]
        bx += 1000.0
        for b, old in zip([b for one in bparams for b in one], kept):
            assert np.array_equal(b, old)


def test_what_is_summed_up_is_not_copied():
    text = tl.grad(some).source_for(layers(), X)
    assert "bparams[k] = bW, bb" in text


def test_a_layer_that_stands_in_the_list_twice():
    first, second = layers((3, 3, 3))
    for params in ([first, first, second], [(first[0], first[1]), (first[0], second[1])]):
        assert_same(tl.grad(whole)(params, X), differences(whole, params, X))


def test_other_lengths_and_types():
    gradient = tl.grad(whole)
    for sizes in ((3, 2), (3, 4, 4, 2), (3,), (3, 2)):
        params = layers(sizes)
        if params:
            assert_same(gradient(params, X), differences(whole, params, X))
    found = gradient(layers(dtype=np.float32), X)
    assert all(a.dtype == np.float32 for one in found for a in one)
    found = gradient(layers(dtype=np.float32), X.astype(np.float32))
    assert all(a.dtype == np.float32 for one in found for a in one)


def test_columns_that_are_stretched():
    def stretched(params, x):
        for W, b in params:
            x = W * x + b
        return np.sum(x * x)

    params = [(np.ones((3, 1)), np.ones((1, 1))), (np.ones((1, 3)), np.full((3, 3), 0.5))]
    assert_same(tl.grad(stretched)(params, X), differences(stretched, params, X), 1e-5)


def test_what_is_changed_in_place_is_copied():
    def changed(params, x):
        y = x * 1.0
        for W, b in params:
            z = y + b
            y = z * 1.0
            y[0] = y[0] * W[0, 0]
            y *= 2.0
            y[1:] += b[1:]
        return np.sum(y * y)

    params = layers((3, 3, 3))
    assert_same(tl.grad(changed)(params, X), differences(changed, params, X), 1e-4)


def test_dicts_and_arrays_and_numbers():
    def dicts(params, x):
        for layer in params:
            x = np.tanh(layer["W"] @ x + layer["b"]) * layer["scale"]
        return np.sum(x * x)

    params = [{"W": W, "b": b, "scale": 1.5} for W, b in layers((3, 3, 3))]
    gradient = tl.grad(dicts)
    assert "bparams[k] = {" in gradient.source_for(params, X)
    found = gradient(params, X)
    assert [list(one) for one in found] == [["W", "b", "scale"]] * 2
    plain = differences(lambda p, x: dicts([{"W": W, "b": b, "scale": 1.5} for W, b in p], x),
                        [(one["W"], one["b"]) for one in params], X)
    assert_same([(one["W"], one["b"]) for one in found], plain)
    for k in (0, 1):
        ends = []
        for step in (1e-6, -1e-6):
            moved = [dict(one) for one in params]
            moved[k]["scale"] += step
            ends.append(dicts(moved, X))
        assert type(found[k]["scale"]) is float
        np.testing.assert_allclose(found[k]["scale"], (ends[0] - ends[1]) / 2e-6, rtol=1e-6)

    def arrays(Ws, x):
        for W in Ws:
            x = np.tanh(W @ x)
        return np.sum(x * x)

    Ws = [W for W, _ in params_of(params)]
    assert "bWs = [None] * len(Ws)" in tl.grad(arrays).source_for(Ws, X)
    for one, other in zip(tl.grad(arrays)(Ws, X), differences(
            lambda p, x: arrays([W for W, _ in p], x), params_of(params), X)):
        np.testing.assert_allclose(one, other[0], rtol=1e-6, atol=1e-8)


def params_of(params):
    return [(one["W"], one["b"]) for one in params]
