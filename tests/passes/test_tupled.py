"""Lists of objects that are put together in the function: by names where it is known which items
they have, and right in any case."""
import copy
import random

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names
from tests.shapes.layers import Dense, Scale, Tanh, X, check, in_turn, several


def joined(layers, x):
    return in_turn(layers + [Scale(2.0)], x)


def rotated(layers, x):
    return in_turn(layers[1:] + layers[:1], x)


def repeated(layers, x):
    return in_turn(2 * [layers[0]] + layers * 2, x)


def filled(layers, x):
    chain = []
    for layer in layers:
        if not isinstance(layer, Tanh):
            chain.append(layer)
    chain.append(Tanh())
    return in_turn(chain, x)


def chosen(layers, x):
    return in_turn([layer for layer in layers if isinstance(layer, Dense)], x)


def turned(layers, x):
    chain = layers.copy()
    chain.reverse()
    return in_turn(chain, x)


def without_the_last(layers, x):
    chain = list(layers)
    last = chain.pop()
    return in_turn(chain, x) + in_turn([last], x) + 0.1 * len(chain)


def extended(layers, x):
    chain = [layers[0]]
    chain.extend(layers[2:])
    chain += layers[:1]
    chain += [Scale(0.5)]
    chain.insert(0, layers[1])
    return in_turn(chain, x)


def by_two_names(layers, x):
    chain = [layers[1]]
    others = chain
    others.append(layers[0])
    copied = chain.copy()
    chain.append(layers[2])
    x = copied[-1].forward(x)
    return in_turn(others, x) + len(copied)


def emptied(layers, x):
    chain = [layers[0]]
    x = chain[0].forward(x)
    chain.clear()
    chain.append(layers[1])
    return in_turn(chain, x)


WAYS = [joined, rotated, repeated, filled, chosen, turned, without_the_last, extended, by_two_names,
        emptied]


@pytest.mark.parametrize("function", WAYS, ids=lambda function: function.__name__)
def test_by_names(function):
    layers = several()
    with by_names():
        derivative = check(function, layers, X)
        function(layers, X)                     # they hold what they met from here on
        check(function, layers, X, derivative)


class Net:
    def __init__(self, layers):
        self.layers, self.extra = layers, None

    def grow(self):
        self.layers.append(Scale(2.0))


def grown(net, x):
    net.layers.append(Scale(2.0))
    return in_turn(net.layers, x)


def grown_by_a_name(net, x):
    layers = net.layers
    layers.append(Scale(2.0))
    return in_turn(net.layers, x) + len(layers)


def grown_by_a_method(net, x):
    x = net.layers[0].forward(x)
    net.grow()
    return in_turn(net.layers, x)


def grown_after_all(net, x):
    x = x * in_turn(net.layers, x)
    net.grow()
    return in_turn(net.layers, x)


def grown_where_x_is_large(net, x):
    if x[0, 0] > 0.0:
        net.layers.append(Scale(2.0))
    return in_turn(net.layers, x)


def grown_in_a_loop(net, x):
    for layer in list(net.layers):
        x = layer.forward(x)
        if isinstance(layer, Dense):
            net.layers.append(Scale(1.5))
    return in_turn(net.layers, x)


def held_and_grown(net, x):
    chain = [net.layers[0]]
    net.extra = chain
    chain.append(net.layers[1])
    return in_turn(net.extra, x)


def held_by_a_tuple(net, x):
    chain = [net.layers[0]]
    pair = chain, 2.0
    chain.append(net.layers[1])
    return in_turn(pair[0], x) * pair[1]


def held_by_an_iterator(net, x):
    chain = [net.layers[0]]
    pairs = zip(chain, (2.0, 3.0))
    chain.append(net.layers[1])
    for layer, by in pairs:
        x = by * layer.forward(x)
    return np.sum(x)


def put_in_place(net, x):
    net.layers[0] = Scale(3.0)
    x = x * in_turn(net.layers, x)
    net.layers[0], net.layers[1] = net.layers[1], net.layers[0]
    return in_turn(net.layers, x)


def deleted(net, x):
    chain = net.layers.copy()
    del chain[1]
    return in_turn(chain, x) + in_turn(net.layers, x)


def drawn(net, x):
    random.Random(3).shuffle(net.layers)
    return in_turn(net.layers, x)


def turned_in_place(net, x):
    net.layers.reverse()
    x = x * in_turn(net.layers, x)
    net.layers.pop(0)
    return in_turn(net.layers, x)


def captured(net, x):
    chain = [net.layers[0]]

    def through(x):
        return in_turn(chain, x)

    x = x * through(x)
    chain.append(net.layers[1])
    return through(x)


def asked_what_it_is(net, x):
    chain = net.layers[:2]
    chain.append(Scale(2.0))
    return in_turn(chain, x) * (2.0 if isinstance(chain, list) else 1.0)


CHANGES = [grown, grown_by_a_name, grown_by_a_method, grown_after_all, grown_where_x_is_large,
           grown_in_a_loop, held_and_grown, held_by_a_tuple, held_by_an_iterator, put_in_place,
           deleted, drawn, turned_in_place, captured, asked_what_it_is]


@pytest.mark.parametrize("x", [X, -X], ids=["x", "minus_x"])
@pytest.mark.parametrize("function", CHANGES, ids=lambda function: function.__name__)
def test_right_whatever_changes(function, x):
    net = Net([Dense(*np.split(np.arange(12.0).reshape(4, 3) * 0.1, [3])), Tanh(), Scale(1.5)])
    net.layers[0].b = net.layers[0].b[0]
    derivative = tl.value_and_grad(function, wrt="x")
    for _ in range(2):
        wanted = function(copy.deepcopy(net), x)
        value, slopes = derivative(net, x)
        assert value == wanted
        way = np.random.default_rng(3).normal(size=x.shape)
        slope = (function(copy.deepcopy(net), x + 1e-6 * way)
                 - function(copy.deepcopy(net), x - 1e-6 * way)) / 2e-6
        assert np.sum(slopes * way) == pytest.approx(slope, rel=1e-5, abs=1e-6)
        assert len(net.layers) == 3 and net.extra is None
