"""Lists of different functions and objects, and lists of functions that change."""
import numpy as np
import pytest

import tangent_lite as tl


class Dense:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return self.w * x


class Relu:
    def __call__(self, x):
        return np.maximum(x, 0.1)


class Sequence:
    def __init__(self, layers):
        self.layers = list(layers)

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def each(layers, x):
    for layer in layers:
        x = layer(x)
    return x


def objects(x):
    layers = [Dense(x * 2.0), Relu(), Dense(x)]
    y = x
    for k, layer in enumerate(layers):
        y = layer(y) + k
    for layer in layers[:-1]:
        y = layer(y)
    return np.sum(y)


def handed_to_a_helper(x):
    return np.sum(each([Dense(x), Relu(), Dense(x * 2.0)], x))


def kept_by_an_object(x):
    return np.sum(Sequence([Dense(x), Relu(), Dense(x * 2.0)])(x))


def appended(x):
    layers = [Dense(x)]
    layers.append(Relu())
    layers.append(Dense(x * 2.0))
    first, *others = layers
    x = first(x)
    for layer in others:
        x = layer(x)
    return np.sum(x)


def of_the_module_and_inside(x):
    ops = [lambda t: t * x, np.sin, lambda t: t * t]
    y = x
    for _ in range(2):
        for op in ops:
            y = op(y)
            if y[0] > 5.0:
                break
    return np.sum(y) + sum(np.sum(op(x)) for op in ops)


def zipped_with_weights(x):
    def double(t):
        return 2.0 * t
    weights = [0.5, 2.0]
    y = x
    for op, w in zip([double, np.sin], weights):
        y = op(y) * w
    return np.sum(y)


def chosen_by_a_count(x):
    ops, k = [lambda t: t ** 2, np.sin], 0
    while k < len(ops):
        x = ops[k](x)
        k += 1
    return np.sum(x)


def add_tanh(ops):
    ops.append(np.tanh)


class Ops:
    def __init__(self):
        self.ops = [np.sin, np.cos]

    def add(self, op):
        self.ops.append(op)

    def run(self, x):
        for op in self.ops:
            x = op(x)
        return x


def grown_under_another_name(x):
    ops = others = [np.sin, np.cos]
    others.append(np.tanh)
    return np.sum(each(ops, x))


def set_under_another_name(x):
    ops = [np.sin, np.cos]
    others = ops
    others[0] = np.exp
    for op in ops:
        x = op(x)
    return np.sum(x)


def grown_by_a_helper(x):
    ops = [np.sin, np.cos]
    add_tanh(ops)
    for op in ops:
        x = op(x)
    return np.sum(x)


def grown_inside(x):
    ops = [lambda t: t * x]

    def add():
        ops.append(np.sin)
    add()
    for op in ops:
        x = op(x)
    return np.sum(x)


def grown_between_loops(x):
    ops = [lambda t: t * 2.0]
    for k in range(2):
        for op in ops:
            x = op(x)
        if k == 0:
            add_tanh(ops)
    return np.sum(x)


def grown_by_a_method(x):
    ops = Ops()
    total = 0.0
    for _ in range(3):
        total += np.sum(ops.run(x))
        ops.add(np.tanh)
    return total


def grown_in_a_dict(x):
    table = {"ops": [np.sin, np.cos]}
    ops = table["ops"]
    ops.append(np.exp)
    for op in table["ops"]:
        x = op(x)
    return np.sum(x)


def objects_under_another_name(x):
    layers = [Dense(x)]
    others = layers
    others.append(Relu())
    return np.sum(each(layers, x))


BY_NAMES = [objects, handed_to_a_helper, kept_by_an_object, appended, of_the_module_and_inside,
            zipped_with_weights, chosen_by_a_count]
CHANGED = [grown_under_another_name, set_under_another_name, grown_by_a_helper, grown_inside,
           grown_between_loops, grown_by_a_method, grown_in_a_dict, objects_under_another_name]


@pytest.mark.parametrize("f", BY_NAMES + CHANGED, ids=lambda f: f.__name__)
def test_each_is_called(f):
    x = np.array([0.3, 0.7, 1.1])
    value, slope = tl.value_and_grad(f)(x)
    assert value == f(x)
    step = 1e-6 * np.eye(3)
    wanted = np.array([(f(x + s) - f(x - s)) / 2e-6 for s in step])
    np.testing.assert_allclose(slope, wanted, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(tl.jvp(f, (x,), (np.ones(3),))[1], wanted.sum(), rtol=1e-6)
    direction = np.array([1.0, -0.5, 2.0])
    wanted = (tl.grad(f)(x + 1e-6 * direction) - tl.grad(f)(x - 1e-6 * direction)) / 2e-6
    np.testing.assert_allclose(tl.hvp(f)(x, direction), wanted, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("f", BY_NAMES, ids=lambda f: f.__name__)
def test_by_names(f):
    assert "tape.pull" not in tl.grad(f).source_for(np.ones(3))


def test_functions_are_called_by_their_names():
    def f(x):
        for op in [np.cos, np.exp]:
            x = op(x)
        return x
    text = tl.grad(f).source_for(0.5)
    assert "np.cos(x)" in text and "op(" not in text.replace("# x = op(x)", "")
    np.testing.assert_allclose(tl.grad(f)(0.5), -np.sin(0.5) * np.exp(np.cos(0.5)))


def test_a_list_that_is_returned_stays_one():
    def f(x):
        layers = [Dense(x), Relu()]
        y = x
        for layer in layers:
            y = layer(y)
        return y, layers
    assert type(tl.value_and_grad(f, has_aux=True)(2.0)[0][1]) is list
