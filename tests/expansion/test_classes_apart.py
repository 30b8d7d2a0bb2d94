"""Lists of objects of several classes that a function is given, or finds outside.

The reference are central differences over what the objects hold.
"""
from __future__ import annotations

import abc
import copy
import math
import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names


class Layer(abc.ABC):
    @abc.abstractmethod
    def forward(self, x):
        ...

    def penalty(self):
        return 0.0


class Dense(Layer):
    def __init__(self, W, b):
        self.W, self.b = W, b

    def forward(self, x):
        return x @ self.W + self.b

    def penalty(self):
        return np.sum(self.W ** 2)


class Tanh(Layer):
    def forward(self, x):
        return np.tanh(x)


class Scale(Layer):
    def __init__(self, k):
        self.k = k

    def forward(self, x):
        return self.k * x

    def penalty(self):
        return self.k ** 2


class Affine:
    def __init__(self, k, c):
        self.k, self.c = k, c

    def __call__(self, x):
        return self.k * x + self.c


class Square:
    def __call__(self, x):
        return x * x


@dataclass
class Disc:
    radius: float

    def area(self):
        return math.pi * self.radius ** 2


@dataclass
class Box:
    width: float
    height: float

    def area(self):
        return self.width * self.height


@dataclass
class Polygon:
    corners: np.ndarray

    def area(self):
        x, y = self.corners[:, 0], self.corners[:, 1]
        return 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))


class Spring:
    def __init__(self, i, j, k):
        self.i, self.j, self.k = i, j, k

    def add(self, p, force):
        d = self.k * (p[self.i] - p[self.j])
        force[self.i] -= d
        force[self.j] += d


class Weight:
    gravity = 9.81

    def __init__(self, m):
        self.m = m

    def add(self, p, force):
        force[:, 1] -= self.gravity * self.m


RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(5, 3))
P = RANDOM.normal(size=(3, 2))
NET: list[Any] = [Dense(RANDOM.normal(size=(3, 4)), RANDOM.normal(size=4)), Tanh(),
                  Dense(RANDOM.normal(size=(4, 2)), RANDOM.normal(size=2)), Scale(2.0)]
SHAPES: list[Any] = [Disc(1.5), Box(2.0, 3.0), Polygon(RANDOM.normal(size=(5, 2))), Disc(0.5),
                     Box(1.0, 2.0)]
FORCES: list[Any] = [Spring(0, 1, 2.0), Weight(1.0), Spring(1, 2, 3.0)]


class Model:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x


def forward(layers, x):
    for layer in layers:
        x = layer.forward(x)
    return np.sum(x ** 2)


def with_penalties(layers, x):
    penalty = 0.0
    for k, layer in enumerate(layers):
        x = layer.forward(x) * (k + 1)
        penalty += layer.penalty()
    return np.sum(x ** 2) + penalty


def by_index(layers, x):
    k = 0
    while k < len(layers):
        layer = layers[k]
        x = layer.forward(x)
        k += 1
    return np.sum(x ** 2) + layers[0].penalty()


def by_isinstance(layers, x):
    for layer in layers:
        if isinstance(layer, (Dense, Scale)):
            x = layer.forward(x)
        else:
            x = np.tanh(x)
    return np.sum(x ** 2)


def by_type(layers, x):
    for layer in layers:
        if type(layer) is Dense:
            x = x @ layer.W + layer.b
        elif type(layer) == Scale:                                              # noqa: E721
            x = layer.k * x
        else:
            x = np.tanh(x)
    return np.sum(x ** 2)


def by_attributes(layers, x):
    for layer in layers:
        if hasattr(layer, "W"):
            x = x @ layer.W + layer.b
        elif hasattr(layer, "k"):
            x = layer.k * x
        else:
            x = np.tanh(x)
    return np.sum(x ** 2)


def by_match(layers, x):
    for layer in layers:
        match layer:
            case Dense(W=W, b=b):
                x = x @ W + b
            case Scale(k=k):
                x = k * x
            case _:
                x = np.tanh(x)
    return np.sum(x ** 2)


def held_by_a_model(model, x):
    return np.sum(model(x) ** 2)


def held_by_a_dict(setup, x):
    for layer in setup["layers"]:
        x = layer.forward(x)
    return np.sum(x ** 2) * setup["scale"]


def run(layers, x):
    for layer in layers:
        x = layer.forward(x)
    return x


def by_a_helper(layers, x):
    return np.sum(run(layers, x) ** 2)


def in_a_closure(layers, x):
    def again(x):
        for layer in layers:
            x = layer.forward(x)
        return x
    return np.sum(again(x) ** 2)


def tried(layers, x):
    for layer in layers:
        try:
            x = layer.forward(x)
        except ValueError:
            x = 2.0 * x
    return np.sum(x ** 2)


def all_layers(layers, x):
    values = [x]
    for layer in layers:
        values.append(layer.forward(values[-1]))
    return np.sum(values[-1] ** 2) + np.sum(values[1])


def called(functions, x):
    for function in functions:
        x = function(x)
    return np.sum(x ** 2)


def areas(shapes, w):
    return w * sum(shape.area() for shape in shapes)


def areas_as_array(shapes, w):
    return w * np.sum(np.array([shape.area() for shape in shapes]) ** 2)


def largest(shapes, w):
    best = None
    for shape in reversed(shapes):
        area = shape.area()
        if best is None or area > best:
            best = area
    return w * best + min(shape.area() for shape in shapes)


def left_early(shapes, w):
    total = 1.0
    for shape in shapes:
        area = shape.area()
        if area < 1.0:
            continue
        total = total * area * w
        if total > 100.0:
            break
    return total


def returned(shapes, w):
    for shape in shapes:
        if shape.area() > 5.0:
            return w * shape.area() ** 2
    return w


def pairs(shapes, w):
    total = 0.0
    for one, other in zip(shapes, shapes[1:]):
        if type(one) is type(other):
            total += one.area() * other.area()
        else:
            total += w * one.area() - other.area()
    return total


def written_into(forces, p):
    v = np.zeros_like(p)
    for _ in range(3):
        force = np.zeros_like(p)
        for one in forces:
            one.add(p, force)
        v = v + 0.1 * force
        p = p + 0.1 * v
    return np.sum(p ** 2)


def names_of_ours(shapes, type):
    total, item = 0.0, 1.0
    for shape in shapes:
        item = item * shape.area()
        total += item * type
    return total


def bound_anew(shapes, w):
    total = 0.0
    for shape in shapes:
        same = shape
        shape = shape.area()
        total += w * shape * same.area()
    return total


def from_outside(x, w):
    for layer in NET:
        x = layer.forward(x)
    return w * np.sum(x ** 2)


CASES = [
    *((f, (NET, X)) for f in (
        forward, with_penalties, by_index, by_isinstance, by_type, by_attributes, by_match,
        by_a_helper, in_a_closure, tried, all_layers)),
    (held_by_a_model, (Model(NET), X)), (held_by_a_dict, ({"layers": NET, "scale": 0.5}, X)),
    (called, ([Affine(2.0, 1.0), Square(), Affine(0.5, 0.1)], 0.7)),
    *((f, (SHAPES, 1.3)) for f in (areas, areas_as_array, largest, left_early, returned, pairs,
                                   names_of_ours, bound_anew)),
    (written_into, (FORCES, P)), (from_outside, (X, 0.7))]


def leaves(value):
    """The owners and names of the numbers and arrays that a value holds."""
    if isinstance(value, list):
        for k, part in enumerate(value):
            yield from [(value, k)] if isinstance(part, (float, np.ndarray)) else leaves(part)
    elif isinstance(value, dict) or hasattr(value, "__dict__"):
        held = value if isinstance(value, dict) else vars(value)
        for name, part in held.items():
            yield from [(held, name)] if isinstance(part, (float, np.ndarray)) else leaves(part)


def numeric(function, arguments, wrt):
    """Central differences over all floats of an argument, in the order of `leaves`."""
    found = []
    whole = [*arguments]
    for number, (owner, name) in enumerate(list(leaves([whole[wrt]]))):
        value = np.asarray(owner[name])
        for k in range(value.size):
            ends = []
            for step in (1e-6, -1e-6):
                given = copy.deepcopy(whole)
                box = [given[wrt]]
                held, key = list(leaves(box))[number]
                moved = np.array(held[key], float)
                moved.flat[k] += step
                held[key] = moved if value.ndim else float(moved)
                given[wrt] = box[0]
                ends.append(function(*given))
            found.append((ends[0] - ends[1]) / 2e-6)
    return np.array(found)


def flat(gradient):
    return np.concatenate([np.ravel(owner[name]) for owner, name in leaves([gradient])])


@pytest.mark.parametrize(("function", "arguments"), CASES, ids=lambda one: getattr(
    one, "__name__", ""))
def test_by_names(function, arguments):
    before = copy.deepcopy(arguments)
    with by_names():
        value, gradients = tl.value_and_grad(function, wrt=(0, 1))(*arguments)
    assert value == function(*before)
    for wrt, gradient in enumerate(gradients):
        np.testing.assert_allclose(flat(gradient), numeric(function, arguments, wrt), rtol=2e-5,
                                   atol=1e-6)
    value, pullback = tl.vjp(function, *arguments)
    for _ in range(2):
        np.testing.assert_allclose(flat([*pullback(1.0)]), flat([*gradients]), rtol=1e-12)
    assert flat([*arguments]).tolist() == flat([*before]).tolist()


def test_other_lists_of_the_same_classes():
    derivative = tl.grad(forward, wrt=1)
    for layers in (NET, NET[::-1][:1], NET[:2], [], [NET[3], NET[1], NET[0], NET[1], NET[2]]):
        np.testing.assert_allclose(flat(derivative(layers, X)), numeric(
            forward, (layers, X), 1), rtol=2e-5, atol=1e-6)


def test_a_subclass_is_a_class_of_its_own():
    class Twice(Dense):
        def forward(self, x):
            return 2.0 * super().forward(x)

    layers = [NET[0], Tanh(), Twice(NET[2].W, NET[2].b)]
    gradient = tl.grad(forward)(layers, X)
    assert type(gradient[2]) is Twice
    np.testing.assert_allclose(flat(gradient), numeric(forward, (layers, X), 0), rtol=2e-5,
                               atol=1e-6)


def test_one_class_with_other_attributes():
    layers: list[Any] = [Dense(np.eye(3), np.ones(3)), Dense(np.eye(3), 0.5), Tanh(), Tanh()]
    layers[3].note = 2.0
    np.testing.assert_allclose(flat(tl.grad(forward)(layers, X)), numeric(
        forward, (layers, X), 0), rtol=2e-5, atol=1e-6)


def test_one_object_in_several_places():
    """Each place has a gradient of its own, as of a list of arrays."""
    one = Scale(1.5)
    gradient = tl.grad(forward)([one, Tanh(), one], X)
    wanted = numeric(forward, ([Scale(1.5), Tanh(), Scale(1.5)], X), 0)
    np.testing.assert_allclose(flat(gradient), wanted, rtol=2e-5)


def test_lists_outside_may_change():
    layers: list[Any] = [Scale(2.0), Tanh()]

    def outside(x):
        for layer in layers:
            x = layer.forward(x)
        return np.sum(x)

    derivative, x = tl.grad(outside), np.full(2, 0.3)

    def check():
        np.testing.assert_allclose(derivative(x), numeric(outside, (x,), 0), rtol=2e-5)

    check()
    layers.append(Affine(3.0, 1.0))
    layers[2].forward = layers[2].__call__          # an attribute, which is a method
    check()
    layers.insert(0, Dense(0.7 * np.eye(2), 0.1))
    check()
    layers[2] = Scale(0.3)
    check()


def test_what_a_class_says_may_change(monkeypatch):
    derivative = tl.grad(forward)
    derivative(NET, X)
    monkeypatch.setattr(Scale, "forward", lambda self, x: self.k * self.k * x)
    np.testing.assert_allclose(flat(derivative(NET, X)), numeric(forward, (NET, X), 0), rtol=2e-5,
                               atol=1e-6)


def test_sizes_are_assumed_of_items_of_their_class():
    """A parameter may have the name of the class."""
    def named_alike(layers, Dense):
        for layer in layers:
            Dense = layer.forward(Dense)
        return np.sum(Dense ** 2)

    derivative = tl.grad(named_alike)
    for b in (np.ones(3), np.ones(1), 0.5):
        layers = [Dense(np.eye(3), b), Tanh()]
        np.testing.assert_allclose(flat(derivative(layers, X)), numeric(
            named_alike, (layers, X), 0), rtol=2e-5, atol=1e-6)


def test_text():
    """Each class has its branch, and the loop goes over the items."""
    text = tl.grad(forward).source_for(NET, X)
    assert "    for layer in layers:\n        if type(layer) is Dense:\n" in text
    assert 'blayers[k] = {"W": blayer_W, "b": blayer_b.copy()}' in text
    assert "for item in layers if type(item) is" in text
    text = tl.grad(areas).source_for(SHAPES, 1.3)
    assert "elif type(shape) is Box:" in text and "= zeros_like(" not in text


def test_saved_and_sent(tmp_path):
    derivative = tl.grad(forward, wrt=1)
    wanted = derivative(NET, X)
    assert np.array_equal(pickle.loads(pickle.dumps(derivative))(NET, X), wanted)
    derivative.save(tmp_path / "saved.py", NET, X)
    space: dict[str, Any] = {}
    exec((tmp_path / "saved.py").read_text(encoding="utf-8"), space)
    assert np.array_equal(space["forward_grad"](NET, X), wanted)


def test_objects_that_change_go_by_identity():
    class Counting:
        def __init__(self, k):
            self.k, self.n = k, 0.0

        def forward(self, x):
            self.n = self.n + 1.0
            return self.k * x * self.n

    layers = [Counting(0.5), Scale(0.3), Counting(1.5)]
    np.testing.assert_allclose(flat(tl.grad(forward)(layers, X)), numeric(
        forward, (layers, X), 0), rtol=2e-5, atol=1e-6)
    assert [layer.n for layer in layers if isinstance(layer, Counting)] == [0.0, 0.0]


def test_numba_says_that_it_cannot():
    with pytest.raises(tl.TangentError):
        tl.grad(areas, backend="numba")(SHAPES, 1.3)
