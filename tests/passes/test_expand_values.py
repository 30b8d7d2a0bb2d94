"""Functions in containers, methods, stars, comprehensions: against differences."""

import functools
import math

import numpy as np
import pytest

import tangent_lite as tl


def relu(z):
    return np.maximum(z, 0.0)


ACT = {"relu": relu, "tanh": np.tanh}


def net(params, x, act):
    f = ACT[act]
    for W in params["layers"]:
        x = f(x @ W)
    return np.sum(x * x)


def layers(x, fns):
    for f in fns:
        x = f(x)
    return x


class Dense:
    def __init__(self, W, b):
        self.W = W
        self.b = b

    def __call__(self, x):
        return np.tanh(x @ self.W + self.b)

    @property
    def size(self):
        return np.sum(self.W)

    def loss(self, x):
        y = self(x)
        return np.sum(y * y) * self.size

    @classmethod
    def make(cls, x):
        return x * cls.scale

    scale = 3.0

    @staticmethod
    def st(x, k=2.0):
        return x**k


def useobj(d, x):
    m = d.loss
    return m(x) + Dense.make(d.size) + d.st(d.size)


def hof(f, x):
    return f(x) + f(x + 1)


def usehof(x):
    return hof(math.sin, x) + hof(lambda t: t * x, x)


def mapf(x):
    return sum(map(lambda v: v * v, x))


def swapargs(x, y):
    def g(a, b):
        return a * b * b

    args = (y, x)
    return g(*args) + g(*(x,), **{"b": y})


def posts(x):
    t = (*(x, x * x), x * 3)
    a, *rest = t
    return a * rest[0] * rest[1]


def dct(x):
    base = {"a": x, "b": 2.0}
    d = {**base, "b": x * x}
    return d["a"] * d["b"]


def gen(x):
    return sum(v * v for v in x)


def lst(x):
    ys = [v * v for v in x]
    return ys[0] * ys[-1]


def ret2(x):
    def two(t):
        return t * t, t + x

    a, b = two(x)
    return a * b


def nop(x):
    def log(t):
        print("")

    return x * x


rec_pair = functools.partial(lambda a, b: a * b * b, 3.0)


def usepart(x):
    return rec_pair(x) + rec_pair(b=x)


def wantret(x):
    def g():
        y[0] = x * x

    y = np.zeros(2)
    g()
    return y[0] * x


def fswitch(x, k):
    table = (lambda t: t * t, lambda t: t * 3 * x, np.sin)
    return table[k](x)


A = np.array([0.5, 0.7, 0.9])
M = np.arange(6.0).reshape(3, 2) / 7

PROGRAMS = [
    (net, ({"layers": [np.eye(3) * 0.3, np.eye(3) * 0.5]}, A, "relu")),
    (net, ({"layers": [np.eye(3) * 0.3, np.eye(3) * 0.5]}, A, "tanh")),
    (layers, (0.5, [math.sin, math.cos, relu])),
    (useobj, (Dense(M, np.ones(2)), A)),
    (usehof, (0.5,)),
    (mapf, (A,)),
    (swapargs, (2.0, 3.0)),
    (posts, (2.0,)),
    (dct, (2.0,)),
    (gen, (A,)),
    (lst, (A,)),
    (ret2, (2.0,)),
    (nop, (2.0,)),
    (usepart, (2.0,)),
    (wantret, (2.0,)),
    (fswitch, (2.0, 0)),
    (fswitch, (2.0, 1)),
    (fswitch, (2.0, 2)),
]


@pytest.mark.parametrize("function, args", PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_right(function, args):
    tl.check_grads(function, args, order=1, modes=("rev",))
