"""Lists of items that hold arrays: how long these are beside each other is known of each item, of
two items nothing.

Each program is called with lists of all kinds by one derivative, and by one of its own.
"""
import itertools
import warnings

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.kinds import Array, ListKind, TupleKind, read_item
from tangent_lite.shapes.assumptions import Assumptions
from tangent_lite.shapes.sizes import (
    ONE,
    Size,
    Sizes,
    slice_size,
    spread,
    unknown_size,
)

RNG = np.random.default_rng(0)


def items(*shapes):
    return [tuple(RNG.normal(size=shape) * 0.6 for shape in one) for one in shapes]


LISTS = {
    "alike": items(*[((3, 3), (3,))] * 3),
    "rows": items(((4, 2), (4,)), ((3, 4), (3,)), ((2, 3), (2,))),
    "columns": items(((2, 4), (4,)), ((4, 3), (3,)), ((3, 2), (2,))),
    "ones": items(((1, 1), (1,)), ((1, 1), (1,))),
    "stretched": items(((4, 2), (1,)), ((3, 4), (1,)), ((2, 3), (1,))),
    "stretched once": items(((4, 2), (4,)), ((3, 4), (1,)), ((2, 3), (2,))),
    "other items": items(((1, 2), (1,)), ((3, 1), (3,)), ((1, 3), (1,))),
    "one item": items(((2, 2), (2,))),
    "empty arrays": items(((0, 2), (0,)), ((2, 0), (2,))),
    "matrices": items(((2, 4), (1, 4)), ((4, 3), (1, 3))),
    "stretched in places": items(((2, 4), (1,)), ((4, 3), (3,)), ((3, 1), (3,))),
}
POINTS = [np.array([0.3, 0.7]), np.array([0.4]), RNG.normal(size=(5, 2)), RNG.normal(size=(2, 5)),
          RNG.normal(size=(1, 2))]


def of_vectors(layers, x):
    for W, b in layers:
        x = np.tanh(W @ x + b)
    return np.sum(x ** 2)


def of_batches(layers, x):
    for W, b in layers:
        x = np.tanh(x @ W + b)
    return np.sum(x ** 2)


def of_columns(layers, x):
    for W, b in layers[:-1]:
        x = np.tanh(W @ x + b[:, None])
    W, b = layers[-1]
    return np.sum((W @ x + b[:, None]) ** 2)


def in_while(layers, x):
    k, s = 0, 0.0
    while k < len(layers):
        W, b = layers[k]
        x = W @ x + b
        s += np.sum(x * b)
        k += 1
    return s


def kept_from_before(layers, x):
    before, s = x, 0.0
    for W, b in layers:
        s += np.sum(np.tanh(W @ np.ones(W.shape[1]) + before) * np.sum(b))
        before = b
    return s


def bound_later(layers, x):
    s, first = 0.0, True
    for W, b in layers:
        if not first:
            s += np.sum(np.tanh(before * b))                # noqa: F821
        before, first = b * 1.0, False
    return s


def handed_round(layers, x):
    s, b, c = 0.0, layers[0][1], layers[0][1]
    for W, b in layers:
        c, d = b, c
        s += np.sum(d * c)
    return s + np.sum(b * c)


def put_in_a_list(layers, x):
    s, kept = 0.0, []
    for W, b in layers:
        kept.append(b * 2.0)
        s += np.sum(kept[0] * b)
    return s + np.sum(kept[0] * kept[-1])


def two_at_once(layers, x):
    (V, c), (W, b) = layers[0], layers[-1]
    return np.sum(layers[0][1] * layers[-1][1]) + np.sum(V @ np.ones(V.shape[1]) * b) \
        + np.sum(c * b)


def neighbours(layers, x):
    s = 0.0
    for (W, b), (V, c) in zip(layers[:-1], layers[1:]):
        s += np.sum(b * c) + np.sum(W + b[:, None]) + np.sum(V * V)
    return s


def parts(layers, x):
    s = 0.0
    for W, b in layers:
        z = np.zeros(W.shape[0])
        z[:] = b
        s += np.sum(W[1:, 0] * b[1:]) + np.sum(W[:, :1] * b[:, None]) + np.sum(W[:-1] * W[1:])
        s += np.sum(z * b) + np.sum(np.reshape(W, (-1,))[:1] * b) + np.sum(W.ravel() ** 2)
    return s


def loops_inside(layers, x):
    s = 0.0
    for W, b in layers:
        for V, c in layers:
            s += np.sum(W * np.sum(c)) + np.sum(b * c)
            b = b * 0.5
        for row in W:
            s += np.sum(row * row) * np.sum(b)
    return s


def layer(W, b, x):
    return np.tanh(W @ x + b)


def all_layers(layers, x):
    for W, b in layers:
        x = layer(W, b, x)
    return x


def helped(layers, x):
    return np.sum(all_layers(layers, x) ** 2) + np.sum(all_layers(layers[:1], x))


def taken_out(layers, x):
    s, left = 0.0, list(layers)
    while left:
        W, b = left.pop()
        s += np.sum(np.tanh(W @ np.ones(W.shape[1]) + b))
    return s


def comprehended(layers, x):
    return sum(np.sum(h * h) for h in [W @ np.ones(W.shape[1]) + b for W, b in layers])


PROGRAMS = [of_vectors, of_batches, of_columns, in_while, kept_from_before, bound_later,
            handed_round, put_in_a_list, two_at_once, neighbours, parts, loops_inside, helped,
            taken_out, comprehended]


def numbers(layers):
    return np.concatenate([np.ravel(a) for one in layers for a in one])


def rebuilt(values, like):
    found, at = [], 0
    for one in like:
        cuts = np.cumsum([at, *(a.size for a in one)])
        found.append(tuple(values[s:s + a.size].reshape(a.shape) for s, a in zip(cuts, one)))
        at = cuts[-1]
    return found


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.sweep(3)
def test_derivatives(function):
    shared, tried = tl.grad(function), 0
    for layers, x in itertools.product(LISTS.values(), POINTS):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                function(layers, x)
        except (ValueError, IndexError):
            continue                                # these do not fit together
        at = numbers(layers)
        expected = np.array([function(rebuilt(at + h, layers), x)
                             - function(rebuilt(at - h, layers), x)
                             for h in 1e-6 * np.eye(at.size)]) / 2e-6
        for derivative in (shared, tl.grad(function)):
            found = derivative(layers, x)
            assert [[g.shape for g in one] for one in found] == \
                [[a.shape for a in one] for one in layers]
            np.testing.assert_allclose(numbers(found), expected, rtol=1e-5, atol=1e-6)
        directions = rebuilt(np.cos(np.arange(at.size)), layers)
        _, slope = tl.jvp(function, (layers, x), (directions, np.zeros_like(x)))
        np.testing.assert_allclose(slope, expected @ numbers(directions), rtol=1e-4, atol=1e-5)
        tried += 1
    assert tried >= 5


def test_text():
    text = tl.grad(of_vectors).source_for(LISTS["rows"], POINTS[0])
    assert "unbroadcast" not in text and "Wx_tape" not in text
    assert "all(item[0].shape[0] == item[1].shape[0] for item in layers)" in text
    text = tl.grad(of_batches).source_for(LISTS["columns"], POINTS[2])
    assert "bb = np.sum(bt, axis=0)" in text
    assert "bx = 2.0 * bof_batches * x" in text         # as long as x is in the end
    assert "all(item[0].shape[1] == item[1].shape[0] for item in layers)" in text


def test_dicts_in_a_list():
    def net(layers, x):
        for one in layers:
            x = np.tanh(x @ one["W"] + one["b"])
        return np.sum(x)

    layers = [{"W": W, "b": b} for W, b in LISTS["columns"]]
    text = tl.grad(net).source_for(layers, POINTS[2])
    assert "np.sum(bt, axis=0)" in text
    assert "all(item['W'].shape[1] == item['b'].shape[0] for item in layers)" in " ".join(
        text.split())


def test_code_is_written_for_so_many_relations():
    d = tl.grad(of_vectors)
    for _ in range(2):
        for name in ("alike", "rows", "stretched"):
            d(LISTS[name], np.ones(LISTS[name][0][0].shape[1]))
    assert len({d.source_for(LISTS[n], np.ones(LISTS[n][0][0].shape[1]))
                for n in ("alike", "rows", "stretched")}) > 1


# Sizes ------------------------------------------------------------------------------------------
def test_an_item_has_its_own_sizes():
    assumed = Assumptions()
    kind = ListKind(TupleKind((
        Array(2, "float", assumed.each_of("xs", "[0]", [(2, 3), (4, 1)])),
        Array(1, "float", assumed.each_of("xs", "[1]", [(2,), (4,)])))))
    (one, b), (other, c) = (read_item(kind).items for _ in range(2))
    assert one.shape.axes[0].equals(b.shape.axes[0])
    assert not one.shape.axes[1].equals(b.shape.axes[0])
    assert not b.shape.match(c.shape) and not one.shape.match(other.shape)
    assert kind.item.items[0].shape != kind.item.items[0].shape
    assert assumed.noted == ["all(item[0].shape[0] == item[1].shape[0] for item in xs)"]
    assert c.shape.axes[0].surely_equals(other.shape.axes[0])       # it has been noted
    test = assumed.test(["xs"])
    assert test([(np.ones((2, 3)), np.ones(2))]) and not test([(np.ones((2, 3)), np.ones(3))])


def test_of_unknown_sizes_nothing_follows():
    one, other = unknown_size(), unknown_size()
    assert one.equals(one) and not one.equals(other) and not one.equals(ONE)
    assert one - one == Size(0) and one + ONE == ONE + one
    assert (one * other).is_free and (one // Size(2)).is_free and (one * Size(2)) == one + one
    assert slice_size(one, None, None) is one and slice_size(one, Size(1), None).is_free
    assert spread([Sizes([one]), Sizes([ONE])]) == Sizes([one])
    assert spread([Sizes([one]), Sizes([other])]) is None


# Loops ------------------------------------------------------------------------------------------
def behind_each_other(x, m):
    h = x
    for _ in range(m):
        h = np.concatenate([h, h * h])
    u, s = h * 1.0, 0.0
    for _ in range(2):
        s += np.sum(u * h)              # u is as long as h was in the iteration before
        u = h * 1.5
        h = np.concatenate([h, h * h])
    return s


def within_each_other(x, m):
    h, u, s = x, x, 0.0
    for _ in range(m):
        for _ in range(2):
            s += np.sum(u * h)
            u = h[:1] * 1.5
            h = np.concatenate([h, h * h])
        s += np.sum(u * h)
        u, h = h[:1], h[1:2]
    return s


@pytest.mark.parametrize("function, m", [
    (behind_each_other, 0), (within_each_other, 0), (within_each_other, 1), (within_each_other, 2)])
def test_what_a_loop_changes_is_told_apart_from_what_it_changes_later(function, m):
    tl.check_grads(lambda x: function(x, m), (np.array([0.7]),), order=1)
