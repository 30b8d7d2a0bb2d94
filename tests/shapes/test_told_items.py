"""Lists of objects that change, as arguments: by names for the items that they have at the call."""
import contextlib
import copy
import pickle

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names
from tests.shapes.layers import (
    Block,
    Dense,
    Model,
    Plus,
    Scale,
    Tanh,
    Times,
    X,
    check,
    in_turn,
    several,
    slope_along,
)


def by_number(layers, x):
    for k in range(len(layers)):
        x = layers[k].forward(x)
        if k + 1 < len(layers):
            x = x * 0.5
    return np.sum(x ** 2)


def from_behind(layers, x):
    for layer in layers:
        x = layer.forward(x)
    for layer in reversed(layers):
        if isinstance(layer, Dense):
            x = x + np.sum(layer.x ** 2)
    return np.sum(x)


def by_counter(layers, x):
    for k, layer in enumerate(layers):
        x = layer.forward(x)
        if k == 1:
            x = x * 2.0
    return np.sum(x ** 2)


def but_the_last(layers, x):
    for layer in layers[:-1]:
        x = layer.forward(x)
    return np.sum(layers[-1].forward(x) ** 2)


def twice(layers, x):
    for _ in range(2):
        for layer in layers:
            x = layer.forward(x)
    return np.sum(x)


def until(layers, x):
    for layer in layers:
        x = layer.forward(x)
        if np.sum(x) > 3.0:
            break
    return np.sum(x ** 2)


def one_and_the_others(layers, x):
    first, *others = layers
    x = first.forward(x)
    for layer in others:
        x = layer.forward(x)
    return np.sum(x ** 2)


def if_list(layers, x):
    if isinstance(layers, list):
        x = 3.0 * x
    return in_turn(layers, x)


def all_outputs(layers, x):
    outputs = [x]
    for layer in layers:
        outputs.append(layer.forward(outputs[-1]))
    return np.sum(outputs[-1]) + sum(np.sum(one ** 2) for one in outputs)


def named(layers, x):
    for _, layer in layers:
        x = layer.forward(x)
    return np.sum(x ** 2)


def with_one_more(layers, x):
    return in_turn([*layers, Scale(2.0)], x)


def appended(layers, x):
    layers.append(Scale(2.0))
    return in_turn(layers, x)


def one_after_the_other(layers, x):
    k = 0
    while k < len(layers):
        x = layers[k].forward(x)
        k += 1
    return np.sum(x ** 2)


def around(layers, x):
    for i in range(7):
        layer = layers[i % len(layers)]
        x = 0.5 * layer.forward(x)
    return np.sum(x ** 2)


def by_a_number(layers, x):
    for i in range(int(x[0, 0] > 0.0) + 2):
        x = layers[i - 1].forward(x)
    return np.sum(x ** 2)


def beside_a_list(layers, x):
    for k, (layer, by) in enumerate(zip(layers, [2.0, 0.5] * int(x[0, 0] > 0.0) + [1.5, 3.0])):
        x = by * layer.forward(x) + k
    return np.sum(x ** 2)


def beside(layers, x, rates):
    for layer, rate in zip(layers, rates):
        x = rate * layer.forward(x)
    return np.sum(x ** 2)


@pytest.mark.parametrize("make", [list, np.array], ids=["list", "array"])
def test_beside_what_is_longer_or_shorter(make):
    derivative = tl.value_and_grad(beside, wrt=("x", "rates"))
    layers, rng = several(), np.random.default_rng(5)
    with by_names():
        for count in (5, 7, 3, 1, 5, 2):
            rates = make(list(rng.normal(size=count)))
            value, (slopes, of_rates) = derivative(layers, X, rates)
            assert value == beside(copy.deepcopy(layers), X, rates)
            way = rng.normal(size=X.shape)
            assert np.sum(slopes * way) == pytest.approx(slope_along(
                lambda x, r=rates: beside(copy.deepcopy(layers), x, r), X, way), rel=1e-5)
            assert np.dot(of_rates, np.arange(count)) == pytest.approx(slope_along(
                lambda r: beside(copy.deepcopy(layers), X, list(r)), np.array(rates),
                np.arange(count)), rel=1e-5, abs=1e-7)


def one_of(layers, x, k):
    for _ in range(2):
        x = layers[k].forward(x)
    return np.sum(x ** 2)


def test_one_that_a_number_says():
    derivative = tl.value_and_grad(one_of, wrt="x")
    layers, way = several(), np.ones_like(X)
    with by_names():
        for k in (0, 2, -1, 4, -5, 3, -4):
            value, slopes = derivative(layers, X, k)
            assert value == one_of(copy.deepcopy(layers), X, k)
            assert np.sum(slopes * way) == pytest.approx(slope_along(
                lambda x, k=k: one_of(copy.deepcopy(layers), x, k), X, way), rel=1e-5)
        for k in (5, -6):
            with pytest.raises(IndexError):
                derivative(layers, X, k)


def by_keys(layers, x):
    for key in layers:
        x = layers[key].forward(x)
    return np.sum(x ** 2)


def by_keys_again(layers, x):
    for key, layer in layers.items():
        x = layer.forward(x) + layers[key].forward(x)
    return np.sum(x ** 2)


@pytest.mark.parametrize("function, forced", [(by_keys, by_names),
                                              (by_keys_again, contextlib.nullcontext)])
def test_items_of_dicts(function, forced):
    layers = dict(zip("abc", several()))
    way = np.random.default_rng(2).normal(size=X.shape)
    with forced():
        value, slopes = tl.value_and_grad(function, wrt="x")(layers, X)
        assert value == function(copy.deepcopy(layers), X)
        assert np.sum(slopes * way) == pytest.approx(slope_along(
            lambda x: function(copy.deepcopy(layers), x), X, way), rel=1e-5)


def in_model(model, x):
    return np.sum(model(x) ** 2)


FUNCTIONS = [in_turn, by_number, from_behind, by_counter, but_the_last, twice, until,
             one_and_the_others, if_list, all_outputs, with_one_more, appended, one_after_the_other,
             around, by_a_number, beside_a_list]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_by_names(function):
    layers = several()
    with by_names():
        derivative = check(function, layers, X)
        function(layers, X)                     # they hold what they met from here on
        check(function, layers, X, derivative)
        check(function, layers, X, derivative)


def test_each_call_has_items_of_its_own():
    derivative = tl.value_and_grad(in_turn, wrt=(0, 1))
    with by_names():
        for turn in range(3):
            layers = several(turn)
            for chosen in (layers, layers[1:], layers[::-1], layers[:2], [layers[0]], layers[3:]):
                check(in_turn, copy.deepcopy(chosen), X, derivative)


def test_classes_with_the_same_attributes_and_shapes():
    """Nothing but the order of classes tells these calls apart."""
    derivative = tl.value_and_grad(in_turn, wrt=(0, 1))
    with by_names():
        for classes in [*[(Plus, Times), (Times, Plus)] * 3, (Plus, Plus, Times), (Plus, Times)]:
            rng = np.random.default_rng(3)
            check(in_turn, [cls(rng.normal(size=3)) for cls in classes], X, derivative)


def test_one_object_at_two_places():
    layers = several()
    layers[1:3] = [layers[1], layers[0]]
    value, slopes = tl.value_and_grad(in_turn, wrt="x")(layers, X)
    assert value == in_turn(copy.deepcopy(layers), X)
    way = np.ones_like(X)
    slope = (in_turn(copy.deepcopy(layers), X + 1e-6 * way)
             - in_turn(copy.deepcopy(layers), X - 1e-6 * way)) / 2e-6
    assert np.sum(slopes * way) == pytest.approx(slope, rel=1e-6)


def test_items_of_tuples():
    layers = several()
    with by_names():
        check(named, [("first", layers[0]), ("act", layers[1]), ("last", layers[4])], X)


def test_lists_in_objects_in_lists():
    layers = several()
    model = Model([Block(layers[:2]), Block(layers[2:]), Block([Tanh()])])
    with by_names():
        derivative = check(in_model, model, X)
        in_model(model, X)
        check(in_model, model, X, derivative)
        check(in_model, Model([Block(several(2)[1:]), Block([Tanh(), Scale(0.5)])]), X, derivative)


class Adding:
    """Changes in place what it was given, under a name of its own."""

    def __init__(self):
        self.m, self.s = np.ones(3), 1.0

    def forward(self, x):
        self.m = x
        self.s += 0.1 * np.sum(x)
        self.m += 0.1 * x
        return x + self.m


def then_one(layers, x):
    for layer in layers:
        x = layer.forward(x)
    if x[0] > 0.0:
        x = layers[0].forward(x)
    else:
        x = layers[1].forward(x)
    return np.sum(x ** 2)


@pytest.mark.parametrize("first", [1.0, -1.0])
def test_what_changes_in_place_is_what_was_given(first):
    x = np.array([first, 2.0, 3.0])
    value, slopes = tl.value_and_grad(then_one, wrt="x")([Adding(), Adding()], x)
    assert value == then_one([Adding(), Adding()], x.copy())
    assert x[1] == 2.0
    way = np.array([0.3, -0.5, 0.2])
    slope = (then_one([Adding(), Adding()], x + 1e-6 * way)
             - then_one([Adding(), Adding()], x - 1e-6 * way)) / 2e-6
    assert np.sum(slopes * way) == pytest.approx(slope, rel=1e-6)


def test_no_items():
    assert np.array_equal(tl.grad(in_turn, wrt="x")([], X), 2.0 * X)


def last_row(layers, x):
    for layer in layers:
        x = layer.forward(x)
    return x[-1]


def test_pullbacks_tangents_and_jacobians():
    _, (of_layers, slopes) = tl.value_and_grad(in_turn, wrt=(0, 1))(several(), X)
    way = np.random.default_rng(4).normal(size=X.shape)
    with by_names():
        value, pullback = tl.vjp(in_turn, several(), X)
        assert value == in_turn(several(), X)
        for found in (pullback(1.0), pullback(1.0), pickle.loads(pickle.dumps(pullback))(1.0)):
            assert np.allclose(found[1], slopes)
            assert np.allclose(found[0][0].w, of_layers[0].w)
        layers = several()
        _, slope = tl.jvp(lambda x: in_turn(layers, x), (X,), (way,))
        assert slope == pytest.approx(np.sum(slopes * way))
        rows = tl.jacobian(last_row, wrt=1)(several(), X)
        assert np.allclose(np.sum(rows * way, axis=(1, 2)), slope_along(
            lambda x: last_row(several(), x), X, way), atol=1e-7)
        assert np.allclose(tl.jacfwd(last_row, wrt=1)(several(), X), rows)
        bent = np.sum(tl.hessian(in_turn, wrt=1)(several(), X) * way, axis=(2, 3))
        assert np.allclose(bent, slope_along(
            lambda x: tl.grad(in_turn, wrt=1)(several(), x), X, way), atol=1e-6)
        assert np.allclose(bent, tl.hvp(in_turn, wrt=1)(several(), X, way))


def test_a_pullback_goes_to_a_process_with_code_for_other_items():
    layers = several()
    value, pullback = tl.vjp(in_turn, layers, X, wrt="x")
    sent = pickle.dumps(pullback)
    for others in (layers[1:], layers[2:], layers[:1], layers[:2], layers[:3], layers[::-1]):
        tl.vjp(in_turn, others, X, wrt="x")
    assert np.array_equal(pickle.loads(sent)(1.0), pullback(1.0))


def test_the_text_says_for_which_items():
    text = tl.grad(in_turn).source_for([Tanh(), Scale(2.0)], X)
    assert "[*map(type, layers)] == [Tanh, Scale]" in text
    assert "for layer in" not in text


class Logging:
    """Changes a list of its own, and none of its layers."""

    def __init__(self, layers):
        self.layers, self.log = layers, [0.5]

    def __call__(self, x):
        for layer in self.layers:
            x = layer.apply(x)
        self.log.append(np.sum(x))
        return self.log[0] * self.log[-1]


class Stretching:
    def __init__(self, by):
        self.by = by

    def apply(self, x):
        return x * self.by


class Shifting(Stretching):
    def apply(self, x):
        return x + self.by


def test_lists_of_which_no_item_changes_stay_lists():
    net = Logging([Stretching(2.0), Shifting(1.0)])
    with by_names():
        text = tl.grad(lambda net, x: net(x)).source_for(net, X)
        slopes = tl.grad(lambda net, x: net(x), wrt=1)(net, X)
    assert "map(type" not in text and "in net_layers" in text
    assert np.allclose(slopes, 1.0)
