"""Objects that objects hold, and that get attributes in loops: layers that keep what a backward
pass of their own reads, and loops over a written tuple of objects that change."""
import copy

import numpy as np
import pytest

import tangent_lite as tl
from tests.held_to_both import is_by_names, is_right


class Module:
    def __call__(self, x):
        return self.forward(x)


class Linear(Module):
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        self.x = x
        return x * self.w

    def backward(self, g):
        self.dw = self.x * g
        return g * self.w


class Tanh(Module):
    def forward(self, x):
        self.y = np.tanh(x)
        return self.y

    def backward(self, g):
        return g * (1.0 - self.y * self.y)


class Net:
    def __init__(self, first, between, last):
        self.first, self.between, self.last = first, between, last

    def forward(self, x):
        return self.last(self.between(self.first(x)))

    def backward(self, g):
        return self.first.backward(self.between.backward(self.last.backward(g)))


class Pair:
    def __init__(self, left, right):
        self.left, self.right = left, right


class Box:
    capacity = 2.0

    def __init__(self, t):
        self.t = t
        self.flux = 0.0

    def add(self, q):
        self.flux += q

    def update(self, dt):
        self.t += dt * self.flux / self.capacity
        self.flux = 0.0


class Deep(Box):
    capacity = 10.0

    def __init__(self, t):
        super().__init__(t)
        self.heat = 0.0

    def update(self, dt):
        self.heat += self.flux * dt
        super().update(dt)


def kept_in_a_loop(x):
    pair = Pair(Linear(x[0]), x[1])
    y = 0.0
    for _ in range(3):
        y = pair.left(x[2] + y)
    return y * y + pair.left.x


def deeper(x):
    pair = Pair(Pair(Linear(x[0]), x[1]), x[2])
    y = 0.0
    for _ in range(3):
        y = pair.left.left.forward(x[2] + y)
    return y * y + pair.left.left.x


def several(x):
    layer = Linear(x[0])
    for k in range(3):
        y = layer(x[k])
        layer.backward(y)
    return y * y + layer.dw + layer.x


def trained(x):
    net = Net(Linear(x[0]), Tanh(), Linear(x[1]))
    loss = 0.0
    for k in range(2, 6):
        y = net.forward(x[k])
        loss += (y - 1.0) ** 2
        net.backward(2.0 * (y - 1.0))
        for name, layer in (("first", net.first), ("last", net.last)):
            layer.w = layer.w - (0.1 if name == "first" else 0.2) * layer.dw
    return loss + net.first.w * net.last.w


def trained_pair(x):
    pair = Pair(Linear(x[0]), Linear(x[1]))
    loss = 0.0
    for k in range(2, 6):
        y = pair.right(pair.left(x[k]))
        loss += (y - 1.0) ** 2
        pair.left.backward(pair.right.backward(2.0 * (y - 1.0)))
        for name, layer in (("left", pair.left), ("right", pair.right)):
            layer.w = layer.w - (0.1 if name == "left" else 0.2) * layer.dw
    return loss + pair.left.w * pair.right.w


def updated(x):
    shallow, deep = Box(x[0]), Box(x[1])
    shallow.add(x[1])
    deep.add(x[0] * x[2])
    for box in (shallow, deep):
        box.update(0.1)
    return shallow.t * deep.t


def of_two_classes(x):
    shallow, deep = Box(x[0]), Deep(x[1])
    for k in range(3):
        shallow.add(x[k])
        deep.add(x[0] * x[k])
        for box in (shallow, deep):
            box.update(0.1)
    return shallow.t * deep.t + deep.heat


def with_shares(x):
    pair = Pair(Box(x[0]), Box(x[1]))
    for k in range(3):
        for share, box in ((1.0, pair.left), (x[2], pair.right)):
            box.t += share * x[k]
    return pair.left.t * pair.right.t


def read_behind(x):
    a, b = Box(x[0]), Box(x[1])
    for box in (a, b):
        box.t = box.t * x[2]
    box.t += x[3]
    return a.t * b.t * box.t


def one_twice(x):
    a, b = Box(x[0]), Box(x[1])
    for box in (a, b, a):
        box.t = box.t * x[2] + x[3]
    return a.t * b.t


BY_NAMES = (kept_in_a_loop, deeper, several, trained_pair, updated, of_two_classes, with_shares,
            read_behind, one_twice)


@pytest.mark.parametrize("function", BY_NAMES)
def test_by_names(function):
    is_right(function)
    is_by_names(function)


def left_early(x):
    a, b = Box(x[0]), Box(x[1])
    for box in (a, b):
        box.t = box.t * x[2]
        if box.t > 0.0:
            break
    return a.t * b.t + box.t


def bound_anew(x):
    a, b = Box(x[0]), Box(x[1])
    for box in (a, b):
        box.t = box.t * x[2]
        a = Box(x[3])
    return a.t * b.t


def the_name_bound_anew(x):
    a, b = Box(x[0]), Box(x[1])
    for box in (a, b):
        box.t = box.t * x[2]
        box = Box(x[3])
        box.t = box.t + 1.0
    return a.t * b.t * box.t


def tuple_seen_later(x):
    boxes = (Box(x[0]), Box(x[1]))
    a, b = boxes
    both = (a, b)
    for box in both:
        box.t = box.t * x[2]
    return both[0].t * a.t + boxes[1].t


def changed_by_another_name(x):
    pair = Pair(Box(x[0]), Box(x[1]))
    for box in (pair.left, pair.right):
        box.t = box.t * x[2]
        pair.right.t += x[3]
    return pair.left.t * pair.right.t


def another_one_held(x):
    pair = Pair(Box(x[0]), Box(x[1]))
    first = pair.left
    for box in (pair.left, pair.right):
        pair.left = Box(x[3])
        box.t = box.t * x[2]
    return pair.left.t * pair.right.t + first.t


def given_sometimes(x):
    pair = Pair(Linear(x[0]), x[1])
    for k in range(3):
        if x[k] > 0.5:
            pair.left(x[k])
    return x[0] * getattr(pair.left, "x", x[4]) + pair.left.w


class Half(Linear):
    def forward(self, x):
        self.other = Linear(x)
        return x * self.w * 0.5


def another_one_put_there(x):
    """What is called is an object of another class in the second step."""
    pair = Pair(Half(x[0]), x[1])
    y = x[2]
    for k in range(2):
        y = pair.left(y)
        if k == 0:
            pair.left = pair.left.other
    return y


@pytest.mark.parametrize("function", (trained, left_early, bound_anew, the_name_bound_anew,
                                      tuple_seen_later, changed_by_another_name,
                                      another_one_held, given_sometimes,
                                      another_one_put_there))
def test_right(function):
    is_right(function)


def test_the_attribute_of_a_loop_without_steps():
    def f(x, n):
        pair = Pair(Linear(x), x)
        for _ in range(n):
            pair.left(x)
        return pair.left.x
    assert tl.grad(f)(2.0, 1) == 1.0
    with pytest.raises(AttributeError):
        tl.grad(f)(2.0, 0)


def copied_before_it_has_all(x):
    """A copy has what is there, and no more."""
    layer = Linear(x[0])
    if x[1] > 0.0:
        layer.extra = x[1]
    other = copy.copy(layer)
    return other.w * x[2] + (x[3] if hasattr(other, "extra") else x[4])


def test_copies_of_what_grows():
    is_right(copied_before_it_has_all)
