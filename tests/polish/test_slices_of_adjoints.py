"""Adjoints of a slice of a list are those of the list where nothing tells the difference."""

import numpy as np
import pytest

import tangent_lite as tl


def all_but_last(params, x):
    for W, b in params[:-1]:
        x = np.tanh(W @ x + b)
    W, b = params[-1]
    return np.sum((W @ x + b) ** 2)


def used_before_and_behind(params, x):
    W, b = params[0]
    first = np.sum(W * W) * np.sum(b)
    for W, b in params[1:]:
        x = np.tanh(W @ x + b)
    W, b = params[0]
    return np.sum((W @ x + b) ** 2) * first


def two_slices(params, x):
    for W, b in params[:2]:
        x = np.tanh(W @ x + b)
    for W, b in params[1:]:
        x = np.sin(W @ x + b)
    return np.sum(x * x)


def in_the_slice_too(params, x):
    items = params[:-1]
    for W, b in items:
        x = np.tanh(W @ x + b)
    for W, b in params:
        x = np.sin(W @ x + b)
    for W, b in items:
        x = x + W @ b
    return np.sum(x * x)


def norm(params):
    total = 0.0
    for W, b in params:
        total = total + np.sum(W * W) + np.sum(b * b)
    return total


def handed_on(params, x):
    for W, b in params[:-1]:
        x = np.tanh(W @ x + b)
    return np.sum(x * x) * norm(params) * norm(params[1:])


def of_numbers(params, x):
    total = 0.0
    for a, b in params[1:]:
        total = total + a * b * x[0]
    return total * params[0][0] * params[1][1]


def layers(count):
    rng = np.random.default_rng(count)
    return [(0.3 * rng.normal(size=(2, 2)), 0.3 * rng.normal(size=2)) for _ in range(count)]


def inner(some, others):
    return sum(np.sum(a * b) for item, other in zip(some, others) for a, b in zip(item, other))


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("function", [all_but_last, used_before_and_behind, two_slices,
                                      in_the_slice_too, handed_on])
@pytest.mark.sweep(5)
def test_gradients(function, count):
    params, x = layers(count), np.array([0.3, -0.4])
    tl.check_grads(function, (params, x), order=1)
    found = tl.grad(function)(params, x)
    # Second derivatives are symmetric.
    u, v = layers(count), [(b[:, None] * W, W @ b) for W, b in layers(count)]
    hu, hv = (tl.hvp(function)(params, x, w) for w in (u, v))
    assert inner(hu, v) == pytest.approx(inner(hv, u))
    step = 1e-5
    ahead, back = (tl.grad(function)([(W + h * dW, b + h * db) for (W, b), (dW, db)
                                      in zip(params, u)], x) for h in (step, -step))
    assert (inner(ahead, v) - inner(back, v)) / (2.0 * step) == pytest.approx(inner(hu, v), 1e-5)
    one = [params[0]] * count                           # one item, several times
    tl.check_grads(function, (one, x), order=1)
    bare = tl.grad(function)
    bare(params, x)
    emitted = bare.variant_for((params, x), {})[0].main(params, x)
    for (W, b), (eW, eb) in zip(found, emitted):
        assert np.array_equal(W, eW) and np.array_equal(b, eb)
    arrays = [id(a) for item in found for a in item]
    assert len(set(arrays)) == len(arrays)


def test_of_numbers():
    params = [(0.5, 2.0), (1.5, -1.0), (0.3, 0.7)]
    tl.check_grads(of_numbers, (params, np.ones(1)), order=2)


def test_where_it_is_done():
    params, x = layers(3), np.ones(2)
    assert "bitems = bparams[1:]" in tl.grad(used_before_and_behind).source_for(params, x)
    assert "add_parts(" in tl.grad(handed_on).source_for(params, x)
