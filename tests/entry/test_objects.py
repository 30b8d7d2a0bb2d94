"""The way in for arguments that hold objects: as the long way does it, at each call."""
import dataclasses
import threading
from typing import Any, NamedTuple

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.calling.keys import ELSEWHERE
from tangent_lite.entry.objects import are_settled, cannot_vary, counts_in, names_held
from tangent_lite.runtime.tangents import attributes
from tangent_lite.structures.bare_objects import is_bare, slots_of
from tangent_lite.trees import arrays_in
from tests.alike import alike
from tests.entry.classes import (
    CLASSES,
    VALUES,
    Alone,
    Axis,
    Child,
    Computed,
    FrozenSlotted,
    Guarded,
    Mode,
    Named,
    Pair,
    Plain,
    Settings,
    Slotted,
    check,
)


def both(p):
    return np.sum(p.x * p.y) + np.sum(p.x)


def one(p):
    return np.sum(p.x * p.x)


def outer(ps):
    return np.sum(ps[0].x * ps[1].y) + np.sum(ps[1].x)


def by_name(table):
    return np.sum(table["a"].x * table["b"].y)


def inner(p):
    return np.sum(p.x.x * p.y.y) + np.sum(p.y.x)


def of_list(ps):
    total = 0.0
    for p in ps:
        total = total + np.sum(p.x * p.y)
    return total


def counted(p):
    total = 0.0
    for _ in range(p.n):
        total = total + p.x * p.y
    return total


@pytest.mark.sweep(8)
@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("function", [both, one])
def test_it_is_as_the_long_way(operator, cls, values, function):
    d = operator(function)
    for _ in range(4):
        check(d, cls(*VALUES[values]()))
    variant, given = d.variant_for((cls(*VALUES[values]()),), {})
    assert variant.entry_for(given) is not None


@pytest.mark.sweep(8)
@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
@pytest.mark.parametrize("values", ["floats", "arrays", "float32"])
@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("other", CLASSES)
def test_objects_in_others(operator, cls, other, values):
    def make(kind):
        return kind(*VALUES[values]())

    for function, wrap in ((outer, lambda a, b: (a, b)), (inner, cls),
                           (by_name, lambda a, b: {"a": a, "b": b})):
        d = operator(function)
        for _ in range(3):
            check(d, wrap(make(cls), make(other)))
    d = operator(of_list)
    for count in (1, 3, 2, 3) if hasattr(make(cls), "__dict__") else ():
        check(d, [make(cls) for _ in range(count)])


@pytest.mark.parametrize("wrt", ["p.x", "p.y", ("p.x",), ("p.x", "p.y"), ("p.y", "q"), (0, 1),
                                 ("q", "p.x")], ids=str)
@pytest.mark.parametrize("cls", [c for c in CLASSES if c is not FrozenSlotted])
def test_paths(cls, wrt):
    def function(p, q):
        return np.sum(p.x * p.y) * np.sum(q.x)

    for values in ("floats", "arrays"):
        d = tl.grad(function, wrt=wrt)
        for _ in range(3):
            check(d, cls(*VALUES[values]()), Plain(*VALUES[values]()))


@pytest.mark.parametrize("cls", [Pair, Slotted, Plain, Guarded, Settings])
def test_attributes_may_change_between_calls(cls):
    p = cls(0.5, 2.0)
    for d in (tl.grad(both), tl.value_and_grad(both)):
        for x, y in ((0.5, 2.0), (0.5, 3), (np.arange(3.0), 2.0), (np.arange(3.0), np.ones(3)),
                     (np.arange(4.0), np.ones(4)), (np.arange(4.0), np.ones(1)),
                     (np.ones((2, 2)), np.ones(2)), (np.ones((2, 2)), np.ones((2, 2))),
                     (np.float32(1.0), 2.0), (np.arange(3, dtype=np.float32), 2.0),
                     (np.arange(3.0), np.arange(3)), (0.5, True), (1.0, 2.0),
                     (np.ones((0, 2)), 1.0), (np.ones(3), np.ones((1, 3)))):
            p.x, p.y = x, y
            for _ in range(2):
                check(d, p)
        p.y = None
        with pytest.raises(TypeError, match="NoneType"):
            d(p)
        p.x, p.y = 2.0, 1.0
        check(d, p)


def test_one_array_under_two_names():
    for cls in CLASSES:
        for d in (tl.grad(both), tl.value_and_grad(both)):
            a = np.arange(3.0)
            for args in ((a, a), (a, a.copy()), (a, a[::-1]), (a[:2], a[1:])):
                check(d, cls(*args))


@pytest.mark.parametrize("cls", [Pair, Plain, Settings])
def test_attributes_that_come_and_go(cls):
    d, p = tl.grad(both), cls(0.5, 2.0)
    check(d, p)
    p.more = 1.0
    assert list(attributes(check(d, p))) == [*attributes(p)]
    del p.more
    check(d, p)
    x = p.__dict__.pop("x")
    with pytest.raises((AttributeError, tl.TangentError)):
        d(p)
    p.x = x                                     # in another order
    assert list(vars(check(d, p))) == list(vars(p))


def test_slots_may_be_empty():
    d, p = tl.grad(one), Slotted(0.5, 2.0)
    check(d, p)
    del p.y
    assert d(p).x == 1.0 and not hasattr(d(p), "y")
    p.y = 1.0
    check(d, p)


def test_instances_of_subclasses_and_of_other_classes():
    d = tl.grad(both)
    for _ in range(2):
        for cls in CLASSES:
            assert type(check(d, cls(0.5, 2.0))) is cls


def test_a_property_is_no_attribute():
    def function(p, q):
        return p.x * q.x

    d = tl.grad(function, wrt=(0, 1))
    for _ in range(3):
        check(d, Plain(0.5, 2.0), Computed(3.0))
    assert names_held([Plain(0.5, 2.0), Computed(3.0)]) == {"y", "w"}
    assert names_held([(Plain(0.5, 2.0), {"k": Named(1.0, 2.0)})]) == {"x", "y"}


def test_how_often_something_is_done_may_change():
    d = tl.grad(counted)
    p = Settings(0.5, 2.0)
    for n in (2, 3, 0, 2, 5, *range(150)):
        p.n = n
        assert d(p) == Settings(n * 2.0, n * 0.5, None, None, None)
    listed = tl.grad(lambda p: np.sum(np.array([p.x] * p.n)))
    for n in (2, 3, 2, 1):
        p.n = n
        assert listed(p).x == float(n)


def test_numbers_that_shapes_follow_from():
    class Reduced(NamedTuple):
        x: Any
        axis: Any

    def by_axis(p):
        return np.sum(np.sum(p.x * p.x, p.axis) * np.ones(3))

    def by_number(p):
        return np.sum(np.sum(p[0] * p[0], p[1]) * np.ones(3))

    for function, cls in ((by_axis, Plain), (by_axis, Pair), (by_axis, Reduced),
                          (by_number, Reduced)):
        if cls is Plain:
            def cls(x, axis):
                made = Plain(x, 0)
                made.__dict__ = {"x": x, "axis": axis}
                return made
        elif cls is Pair:
            cls = Axis
        d = tl.grad(function)
        for axis in (0, 1, -1, 0, 1):
            for _ in range(2):
                check(d, cls(np.arange(9.0).reshape(3, 3), axis))
    assert counts_in(Plain(2.0, 3), "p") == {"y"} and counts_in({"n": True}, "p") == {"n"}
    assert counts_in(Named(2.0, 3), "p") == {None} and counts_in(3, "p") == {"p"}


def test_what_cannot_vary():
    mode = [Mode.FAST, Mode.EXACT]
    held = (3, "text", None, True, np.arange(3), np.sin, np, Pair, Mode.FAST, b"", np.int64(3))
    for cls in (Pair, Plain, Slotted, Named):
        for thing in held:
            assert cannot_vary(thing)
            for _ in range(3):
                assert alike(check(tl.grad(one), cls(2.0, thing)), cls(4.0, None))
    assert list(Mode) == mode and [m.value for m in mode] == [1, 2]
    assert Mode.FAST.name == "FAST" and Pair(1, 2) == Pair(1, 2)
    assert not any(map(cannot_vary, (1.0, np.ones(1), 1j, np.float32(1), Plain(1.0, 2.0))))


def test_the_only_one_of_its_kind_stays_what_it_is():
    p = Alone(0.5, 2.0)
    for _ in range(3):
        gradient = tl.grad(both)(p)
        assert type(gradient) is Alone and vars(gradient) == {"x": 3.0, "y": 0.5}
        assert vars(p) == {"x": 0.5, "y": 2.0}


def test_no_code_of_the_class_is_run():
    d, p = tl.grad(both), Guarded(np.ones(2), 2.0)
    sets = Guarded.sets
    for _ in range(3):
        d(p)
    assert Guarded.sets == sets


def test_methods_and_classes_that_are_swapped(monkeypatch):
    p = Plain(0.5, 2.0)
    d = tl.grad(p.times)
    for _ in range(2):
        assert d(3.0) == 1.0
    p.x = 2
    assert d(3.0) == 4.0
    p.x = np.arange(3.0)
    assert d(3.0) == 6.0

    def halved(self, factor):
        return self.x * self.y * factor / 2.0

    p.x = 0.5
    monkeypatch.setattr(Plain.times, "__code__", halved.__code__)
    assert d(3.0) == 0.5

    @dataclasses.dataclass
    class Other:
        x: float
        y: float

    d = tl.grad(both)
    assert type(d(Pair(0.5, 2.0))) is Pair
    monkeypatch.setitem(globals(), "Pair", Other)
    assert type(d(Pair(0.5, 2.0))) is Other and d(Pair(0.5, 2.0)) == Other(3.0, 0.5)


def test_errors_and_threads():
    def indexed(p, table):
        return p.x * table[1]

    d, p = tl.grad(indexed), Plain(0.5, 2.0)
    assert vars(d(p, [1.0, 3.0])) == {"x": 3.0, "y": 0.0}
    with pytest.raises(IndexError):
        d(p, [1.0])
    d, wrong = tl.grad(both), []

    def work(k):
        for j in range(200):
            size = 1 + (k + j) % 5
            p = [Plain, Pair, Slotted][(k + j) % 3](np.full(size, 1.0 * j), np.full(size, 2.0 * k))
            found = d(p)
            if found.x.tolist() != [2.0 * k + 1.0] * size or found.y.tolist() != [1.0 * j] * size:
                wrong.append((k, j))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for one_thread in threads:
        one_thread.start()
    for one_thread in threads:
        one_thread.join()
    assert not wrong


def test_other_shapes_go_elsewhere_where_code_rests_on_them():
    d = tl.grad(both)
    d(Plain(np.ones(3), np.ones(3)))
    enter = d._enter
    assert enter(Plain(np.ones(4), np.ones(4))) is not ELSEWHERE
    for x, y in ((np.ones(3), np.ones(1)), (np.ones((3, 3)), np.ones(3)), (np.ones(3), 1.0),
                 (np.ones(3), np.ones(3, np.float32))):
        assert enter(Plain(x, y)) is ELSEWHERE
    assert enter(Child(np.ones(3), np.ones(3))) is ELSEWHERE


def test_which_objects_are_told_apart():
    for cls in CLASSES:
        p = cls(0.5, np.ones(2))
        assert isinstance(p, tuple) or is_bare(p)
        assert are_settled(p) and not are_settled(cls(0.5, 1j))
        assert not are_settled(cls(np.float64(0.5), 1.0))
    assert not is_bare(Computed) and not is_bare(Mode) and not is_bare(2.0)
    assert slots_of(Slotted) == ("x", "y")


class Net:
    """What a model looks like."""
    def __init__(self, layers, table, rate=0.5):
        self.layers, self.table, self.rate, self.name = layers, table, rate, "net"
        self.activation = np.tanh

    def loss(self, x):
        for W, b in self.layers:
            x = self.activation(W @ x + b)
        return np.sum(x * self.table["scale"]) * self.rate


@dataclasses.dataclass
class Layers:
    weights: Any
    biases: Any


def through(net, x):
    for W, b in net.layers:
        x = np.tanh(W @ x + b)
    return np.sum(x * net.table["scale"]) * net.rate


def stacked(layers, x):
    for k in range(len(layers.weights)):
        x = np.tanh(layers.weights[k] @ x + layers.biases[k])
    return np.sum(x)


def walked(q, n):
    x = q.x
    for _ in range(n):
        x = x + q.y * np.sin(x)
    return np.sum(x)


@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
@pytest.mark.parametrize("dtype", [float, np.float32])
def test_models(operator, dtype):
    def layers(count, size=2):
        return [(np.full((size, size), 0.1 * k, dtype), np.arange(size).astype(dtype))
                for k in range(1, count + 1)]

    x = np.ones(2, dtype)
    nets = [Net(layers(count), {"scale": np.arange(2).astype(dtype), "bias": dtype(1.0)})
            for count in (1, 2, 3, 2)]
    for d in (operator(through), operator(through, wrt=(0, 1)),
              operator(through, wrt=("net.layers", "net.rate")), operator(Net.loss)):
        for net in nets * 2:
            check(d, net, x)
    for net in nets:
        d = operator(net.loss)
        for _ in range(3):
            check(d, x)
            net.rate += 1.0
        net.layers.append(layers(1)[0])
        check(d, x)
    d = operator(stacked)
    for count in (2, 3, 1, 2):
        check(d, Layers(*map(list, zip(*layers(count)))), x)
    for cls in (Pair, Plain, Slotted, Named):
        d = operator(walked)
        for n in (2, 3, 0, 2, 5):
            check(d, cls(x, np.full(2, 0.5, dtype)), n)


@pytest.mark.parametrize("cls", CLASSES)
def test_with_something_beside_the_value(cls):
    def function(p, q):
        r = p.x * p.y
        return np.sum(r) * np.sum(q), {"r": r, "p": p, "held": (p.x, q)}

    for values in ("floats", "arrays", "float32", "views", "empty"):
        p, q = cls(*VALUES[values]()), np.arange(2.0)
        for operator, asked in ((tl.grad, ("p.x", (0, 1))), (tl.value_and_grad, (0,))):
            for wrt in asked:
                d = operator(function, wrt=wrt, has_aux=True)
                for _ in range(3):
                    first, second = d(p, q)
                    gradient, aux = (first, second) if operator is tl.grad else (second, first[1])
                    assert aux["p"] is p and aux["held"][0] is p.x and aux["held"][1] is q
                    variant, given = d.variant_for((p, q), {})
                    assert alike((first, second), variant.run(given))
                    for array in arrays_in(gradient):
                        assert array.flags.writeable and not any(
                            np.shares_memory(array, other) for other in arrays_in((aux, p, q)))
