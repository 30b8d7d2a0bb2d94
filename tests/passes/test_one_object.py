"""Objects that have several names, or are held by tuples and objects: each by one name."""
import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import kinds
from tangent_lite.emit import emit
from tangent_lite.inference import Typer
from tangent_lite.names import Names
from tangent_lite.passes.infer import infer
from tangent_lite.passes.one_object import one_object
from tangent_lite.passes.versions import versions
from tangent_lite.runtime import objects
from tests.heap.forced import by_names
from tests.shapes.layers import Dense, Tanh


class Scale:
    def __init__(self, by):
        self.by, self.calls = by, 0

    def forward(self, x):
        self.calls += 1
        self.by = self.by * 0.9
        return x * self.by


class Net:
    def __init__(self, layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x


def net(w, x):
    made = Net([Dense(w, w[0]), Tanh(), Scale(w[0, 0]), Dense(w.T, w[1])])
    return np.sum(made.forward(x) ** 2)


def net_twice(w, x):
    made = Net([Dense(w, w[0]), Scale(w[0, 0]), Tanh()])
    x = made.forward(made.forward(x))
    return np.sum(x ** 2) + made.layers[1].by * made.layers[1].calls + np.sum(made.layers[2].y)


def caches_read(w, x):
    layers = [Dense(w, w[0]), Tanh(), Scale(w[1, 1])]
    for layer in layers:
        x = layer.forward(x)
    first, second, third = layers
    return np.sum(first.x * 2.0) + np.sum(second.y ** 3) + third.by + np.sum(x)


def named_pairs(w, x):
    layers = [("in", Dense(w, w[0])), ("act", Tanh()), ("gain", Scale(w[0, 1]))]
    total = 0.0
    for name, layer in layers:
        x = layer.forward(x)
        if name == "act":
            total = total + np.sum(layer.y)
    for name, layer in layers:
        x = layer.forward(x)
        total = total + (layer.by if name == "gain" else 0.0)
    return total + np.sum(x * x)


def swapped(w, x):
    a, b = Scale(w[0, 0]), Scale(w[0, 1])
    box = a
    x = box.forward(x)
    box = b
    x = box.forward(x)
    a, b = b, a
    x = a.forward(x)
    return np.sum(x) * box.by + a.by * b.by * 2.0


def in_a_branch(w, x):
    a, b = Scale(w[0, 0]), Scale(w[0, 1])
    box = a if x[0, 0] > 0 else b
    x = box.forward(x)
    if x[0, 0] < 0:
        box = a
        x = box.forward(x)
    x = box.forward(x)
    return np.sum(x) + a.by ** 2 + b.by ** 3 + box.by


def in_a_loop(w, x):
    a, b = Scale(w[0, 0]), Scale(w[0, 1])
    box = a
    for k in range(4):
        x = box.forward(x)
        if k == 2:
            break
        box = b
    x = box.forward(x)
    return np.sum(x) + a.by ** 2 + b.by ** 3


def bound_in_the_loop(w, x):
    a = Scale(w[0, 0])
    old = a
    for k in range(3):
        x = a.forward(x)
        if k == 1:
            a = Scale(w[0, 1])
    return np.sum(x) + a.by ** 2 + old.by ** 3


def no_round(w, x):
    a, b = Scale(w[0, 0]), Scale(w[0, 1])
    box = a
    for _ in range(0):
        box = b
        x = box.forward(x)
    x = box.forward(x)
    return np.sum(x) + a.by ** 2 + b.by ** 3


def held_by_an_object(w, x):
    inner = Scale(w[0, 0])
    outer = Net([inner])
    outer.extra = inner
    x = outer.extra.forward(x)
    x = outer.forward(x)
    inner.by = inner.by + 1.0
    outer.extra = Scale(outer.extra.by * w[0, 1])
    x = outer.extra.forward(x)
    return np.sum(x) * inner.by


def grown_in_place(w, x):
    layer = Tanh()
    y = x * w[0, 0]
    layer.y = y
    layer.y += w[0, 1]
    return np.sum(y ** 2) + np.sum(layer.y ** 3)


def written_in_place(w, x):
    layer = Tanh()
    layer.y = x * w[0, 0]
    y = layer.y
    layer.y[0] = w[0, 1]
    return np.sum(y ** 2) + np.sum(layer.y ** 3)


def number_grown(w, x):
    layer = Scale(w[0, 0])
    by = layer.by
    layer.by += w[0, 1]
    layer.by *= 2.0
    return np.sum(x) * by * layer.by


def dicts_in_turn(w, x):
    first, second = {"g": w[0, 0]}, {"h": w[0, 1], "g": w[1, 1]}
    for part in (first, second, first):
        part["g"] = part["g"] * 2.0
        x = x * part["g"]
    return np.sum(x) + first["g"] * second["h"]


def one_object_twice(w, x):
    a = Scale(w[0, 0])
    for box in (a, a):
        x = box.forward(x)
    pair = (a, Scale(w[0, 1]))
    x = pair[0].forward(x)
    x = pair[-1].forward(x)
    return np.sum(x) * pair[0].by * a.by


def in_a_list_too(w, x):
    a = Scale(w[0, 0])
    outer = Net([a])
    outer.extra = a
    several = [outer, Net([Scale(w[0, 1])])]
    several[0].extra = Scale(w[1, 1])
    return np.sum(x) * outer.extra.by


def bound_anew(w, x):
    layer = Tanh()
    y = x * w[0, 0]
    layer.y = y
    y = y * 3.0
    return np.sum(layer.y * y)


def read_by_a_lambda(w, x):
    a = Scale(w[0, 0])
    box = a
    f = lambda v: v * box.by                                    # noqa: E731
    box.by = w[0, 1] * 2.0
    y = f(x)
    box = Scale(w[1, 1])
    return np.sum(f(y)) * a.by


def given_back(w, x):
    def chosen(one, other):
        one.by = one.by * 2.0
        return other
    a, b = Scale(w[0, 0]), Scale(w[0, 1])
    c = chosen(a, b)
    c.by = c.by * a.by
    return np.sum(x) * b.by


def chained(w, x):
    a, b, c = Net([]), Net([]), Net([])
    a.next, b.next, c.next = b, c, a
    c.v = w[0, 0]
    a.next.next.v = a.next.next.v * w[0, 1]
    return np.sum(x) * c.v * a.next.next.next.next.next.v


def put_back(w, x):
    a, b = Scale(w[0, 0]), Scale(w[0, 1])
    outer = Net([a])
    outer.inner = a
    a, b = b, a
    outer.inner.by = w[1, 1] * 2.0
    return np.sum(x) * a.by + b.by ** 2 + outer.inner.by * w[1, 0]


class Sum:
    def __init__(self, v):
        self.v = v

    def __iadd__(self, other):
        self.v = self.v + other
        return self


def added_to(w, x):
    a = Sum(w[0, 0])
    b = a
    b.v = b.v * 2.0
    b += w[0, 1]
    c = a
    c += w[1, 1]
    return np.sum(x) * a.v * b.v + c.v


def joined(w, x):
    a = {"g": w[0, 0]}
    b = a
    b["h"] = w[1, 0]
    b |= {"g": w[0, 1] * 2.0}
    return np.sum(x) * a["g"] * b["h"]


def deleted(w, x):
    a = Scale(w[0, 0])
    b = a
    del b
    a.by = a.by * w[0, 1]
    b = a
    return np.sum(x) * b.by


def left_halfway(w, x):
    a, b = Scale(w[0, 0]), Scale(w[0, 1])
    box = a
    try:
        box = b
        y = 1.0 / len(x[len(x):])
        box = a
    except ZeroDivisionError:
        y = box.by
    return np.sum(x) * box.by * y


class Keyed:
    def __init__(self, v):
        self.v = v

    def __getitem__(self, key):
        return self.v * 3.0


def asked_by_key(w, x):
    keyed = Keyed(w[0, 0])
    keyed.v = w[0, 1] * 2.0
    return np.sum(x) * keyed["v"] * keyed.v


BY_NAMES = [put_back, net, net_twice, caches_read, swapped, number_grown, dicts_in_turn, bound_anew]
OTHERS = [added_to, joined, deleted, named_pairs, left_halfway, asked_by_key, bound_in_the_loop,
          grown_in_place, in_a_branch, in_a_loop, no_round,
          held_by_an_object, written_in_place, one_object_twice, in_a_list_too, read_by_a_lambda,
          given_back, chained]


def differences(f, w, x):
    found = np.zeros_like(w)
    for spot in np.ndindex(*w.shape):
        step = np.zeros_like(w)
        step[spot] = 1e-6
        found[spot] = (f(w + step, x) - f(w - step, x)) / 2e-6
    return found


@pytest.mark.parametrize("f", [*BY_NAMES, *OTHERS], ids=lambda f: f.__name__)
def test_right(f):
    w = np.array([[0.7, -0.4], [0.3, 1.1]])
    for x in (np.array([[0.5, -0.2], [0.1, 0.9]]), np.array([[-0.5, 0.3]])):
        value, slopes = tl.value_and_grad(f)(w, x)
        assert value == pytest.approx(f(w, x), rel=1e-14)
        wanted = differences(f, w, x)
        np.testing.assert_allclose(slopes, wanted, rtol=1e-6, atol=1e-8)
        _, tangent = tl.jvp(lambda w, x=x: f(w, x), (w,), (np.ones_like(w),))
        assert tangent == pytest.approx(wanted.sum(), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("f", BY_NAMES, ids=lambda f: f.__name__)
def test_by_names(f):
    with by_names():
        tl.grad(f)(np.eye(2) + 0.1, np.ones((1, 2)))


@pytest.mark.parametrize("is_copy", [False, True])
def test_a_copy_is_not_what_was_copied(is_copy):
    """In a derivative that is read again `replaced` makes another object, by any name."""
    tree = gast.parse("def f(p, x):\n q = p\n p = replaced(p, by=x)\n return q.by + p.by").body[0]
    change = tree.body[1].value
    change.updates, change.is_copy = "p", is_copy
    given = {"p": kinds.RecordKind(Scale, ("by",), (kinds.FLOAT,)), "x": kinds.FLOAT}
    typer = Typer({}, {"replaced": objects.replaced}.get)
    numbered = versions(tree)
    one_object(tree, numbered, infer(numbered, given, typer), typer, Names({"f"}))
    assert emit(tree).splitlines()[1:] == (
        ["    q = p", "    p = replaced(p, by=x)", "    return q.by + p.by"] if is_copy else
        ["    p = replaced(p, by=x)", "    return x + x"])


def test_the_text_has_no_objects_left():
    text = tl.grad(net).source_for(np.eye(2) + 0.1, np.ones((1, 2)))
    assert "replaced" not in text and "instance" not in text
