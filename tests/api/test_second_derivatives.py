"""Second derivatives read a gradient that is written for the shapes of the call."""
from __future__ import annotations

import numpy as np
import pytest

import tangent_lite as tl

RANDOM = np.random.default_rng(5)
HELPERS = ("unbroadcast", "share_ties", "zeros_like", "match(", "unreduce", "tape.call")


def softmax_loss(W, X, y):
    z = X @ W
    z = z - z.max(axis=1, keepdims=True)
    logp = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    return -np.mean(logp[np.arange(len(y)), y])


def logistic_loss(w, X, y):
    z = X @ w
    return np.sum(np.log1p(np.exp(z)) - y * z) + 0.5 * np.sum(w ** 2)


def network(params, x, y):
    h = np.tanh(x @ params["W1"] + params["b1"])
    return np.mean((h @ params["W2"] + params["b2"] - y) ** 2)


def layers(params, x):
    h = x
    for W, b in params[:-1]:
        h = np.maximum(h @ W + b, 0.0)
    W, b = params[-1]
    return np.sum((h @ W + b) ** 2)


def product(x, y):
    return np.sum((x * y) ** 3)


def normal(*shape):
    return RANDOM.standard_normal(shape)


def weights(hidden, last):
    """The parameters of `layers` for three inputs; last: the size of the last bias."""
    return [(normal(3, hidden), normal(hidden)), (normal(hidden, 2), normal(last))]


def flat(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return np.concatenate([flat(one) for one in value])
    return np.ravel(np.asarray(value, float))


def moved(value, by, step):
    """value + step * by, part for part."""
    if isinstance(value, dict):
        return {key: moved(one, by[key], step) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(moved(one, other, step) for one, other in zip(value, by))
    return value + step * by


def difference(function, x, along, *rest, step=1e-5):
    """The gradient of a function, differentiated along a direction by differences."""
    gradient = tl.grad(function)
    return (flat(gradient(moved(x, along, step), *rest))
            - flat(gradient(moved(x, along, -step), *rest))) / (2 * step)


CASES = {
    "softmax": (softmax_loss, normal(4, 3), normal(6, 4), np.array([0, 2, 1, 1, 0, 2])),
    "logistic": (logistic_loss, normal(4), normal(6, 4), (normal(6) > 0) * 1.0),
    "network": (network, {"W1": normal(4, 3), "b1": normal(3), "W2": normal(3, 2),
                          "b2": normal(2)}, normal(5, 4), normal(5, 2)),
}


@pytest.mark.parametrize("name", CASES)
def test_no_helper_of_shapes_is_left(name):
    function, x, *rest = CASES[name]
    text = tl.hvp(function).source_for(x, *rest)
    assert not [helper for helper in HELPERS if helper in text], text
    found = flat(tl.hvp(function)(x, *rest, x))
    np.testing.assert_allclose(found, difference(function, x, x, *rest), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", ["softmax", "logistic"])
def test_hessians_take_all_directions_at_once(name):
    function, x, *rest = CASES[name]
    assert "One pass for each direction" not in tl.hessian(function).source_for(x, *rest)
    found = tl.hessian(function)(x, *rest).reshape(x.size, x.size)
    np.testing.assert_allclose(found, found.T, atol=1e-12)
    units = np.eye(x.size).reshape(-1, *x.shape)
    columns = [flat(tl.hvp(function)(x, *rest, unit)) for unit in units]
    np.testing.assert_allclose(found, np.stack(columns, 1), atol=1e-12)


def test_lists_of_tuples_go_by_names_for_other_sizes_too():
    """A bias of one number, another width, no rows: each is other code."""
    along = tl.hvp(layers)
    for params, rows in ((weights(3, 2), 4), (weights(1, 2), 4), (weights(5, 1), 4),
                         (weights(3, 2), 0), (weights(3, 2)[1:], None)):
        x = normal(4, 3) if rows is None else normal(rows, 3)
        assert "tape.call" not in along.source_for(params, x)
        found = along(params, x, params)
        assert [type(one) for one in found] == [tuple] * len(params)
        np.testing.assert_allclose(flat(found), difference(layers, params, params, x),
                                   rtol=1e-6, atol=1e-6)


def test_other_shapes_get_other_code():
    """What was assumed for the first call does not hold for the next ones."""
    hessian, along = tl.hessian(product), tl.hvp(product)
    for x, y in ((normal(3), normal(3)), (normal(3), normal(1)), (normal(1), normal(3)),
                 (normal(3), normal(2, 3)), (normal(3), 2.0), (normal(0), normal(1)),
                 (normal(1), normal(1)), (normal(3), normal(3))):
        whole = np.broadcast_shapes(x.shape, np.shape(y))
        slopes = 6.0 * np.broadcast_to(x, whole) * np.broadcast_to(y, whole) ** 3
        expected = np.diag(slopes.sum(axis=tuple(range(slopes.ndim - 1)))) if len(x) == whole[-1] \
            else np.array([[slopes.sum()]])
        np.testing.assert_allclose(hessian(x, y), expected, atol=1e-12)
        np.testing.assert_allclose(along(x, y, x), expected @ x, atol=1e-12)


def test_arrays_outside_that_change_their_shape():
    for shape in ((3,), (1,), (2, 1), (2, 3), (3,)):
        table.append(normal(*shape))
        globals()["scale"] = table[-1]
        slopes = 6.0 * np.broadcast_to(scale ** 3, np.broadcast_shapes(shape, (3,)))
        x = normal(3)
        expected = np.diag(slopes.reshape(-1, 3).sum(axis=0) * x)
        np.testing.assert_allclose(scaled_hessian(x), expected, atol=1e-12)
        closed = tl.hessian(lambda v, scale=scale: np.sum((scale * v) ** 3))
        np.testing.assert_allclose(closed(x), expected, atol=1e-12)


table: list[np.ndarray] = []
scale = np.ones(3)


def scaled(v):
    return np.sum((scale * v) ** 3)


scaled_hessian = tl.hessian(scaled)


def test_lambdas_that_are_made_anew_share_what_was_written(monkeypatch):
    """Neither their gradient nor what differentiates that is written again."""
    from tangent_lite import variant
    written = []
    derive = variant.derive
    monkeypatch.setattr(variant, "derive",
                        lambda *args, **more: written.append(args[3]) or derive(*args, **more))

    def along(scale, x):
        return tl.hvp(lambda v: np.sum(v ** 3 * scale))(x, x)

    x = normal(3)
    counts = []
    for scale in (1.0, 2.0, 3.0):
        np.testing.assert_allclose(along(scale, x), 6.0 * scale * x ** 2)
        counts.append(len(written))
    assert counts[0] == counts[1] == counts[2] == 2


def test_a_list_beside_the_one_that_is_looped_over():
    """What is appended to another list changes none that is looped over."""
    def function(xs):
        ys = [xs[0], xs[1] * 2.0]
        out = []
        for u, v in zip(ys, xs):
            out.append(u)
            out.append(u * v)
        return sum(np.sum(one ** 2) for one in out)

    xs = [normal(2), normal(2)]
    assert "tape." not in tl.grad(function).source_for(xs)
    a, b = xs
    found = tl.grad(function)(xs)
    np.testing.assert_allclose(found[0], 2 * a + 4 * a ** 3)
    np.testing.assert_allclose(found[1], 8 * b + 16 * b ** 3)
    value, slope = tl.jvp(function, (xs,), (xs,))
    np.testing.assert_allclose(slope, np.sum(a * found[0]) + np.sum(b * found[1]))
