"""Objects of several classes, functions of lists of them, and central differences over these."""
from __future__ import annotations

import abc
import copy
import math
from dataclasses import dataclass
from typing import Any

import numpy as np


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


class Body:
    def __init__(self, shape, density):
        self.shape, self.density = shape, density

    def mass(self):
        return self.density * self.shape.area()


NAMED: list[Any] = [(f"layer {k}", layer) for k, layer in enumerate(NET)]
TERMS: list[Any] = [(shape, np.array([0.5 + k])) for k, shape in enumerate(SHAPES)]
BODIES: list[Any] = [Body(shape, 0.5 + k) for k, shape in enumerate(SHAPES)]


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


def with_names(layers, x):
    for k, (name, layer) in enumerate(layers):
        x = layer.forward(x) * (k + 1)
        if name == "layer 1":
            x = x * 2.0
    return np.sum(x ** 2)


def weighted(terms, w):
    return w * sum(factor[0] * shape.area() for shape, factor in terms)


def weighted_by_index(terms, w):
    total = 0.0
    for term in terms:
        total += w * term[1][0] * term[0].area()
    return total


def masses(bodies, w):
    total = 0.0
    for body in bodies:
        total += w * body.mass() ** 2
    return total


def of_parts(bodies, w):
    total = 0.0
    for body in bodies:
        total += w * body.density * body.shape.area()
    return total


def leaves(value):
    """The owners and names of the numbers and arrays that a value holds."""
    if isinstance(value, tuple):
        for part in value:
            yield from leaves([part] if isinstance(part, np.ndarray) else part)
    elif isinstance(value, list):
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
                if value.ndim:
                    held[key].flat[k] += step       # in place: it may be in a tuple
                else:
                    held[key] += step
                given[wrt] = box[0]
                ends.append(function(*given))
            found.append((ends[0] - ends[1]) / 2e-6)
    return np.array(found)


def flat(gradient):
    return np.concatenate([np.ravel(owner[name]) for owner, name in leaves([gradient])])
