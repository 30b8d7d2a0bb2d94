"""Short derivatives of what holds numbers and arrays ask and compute in one function, and so do
those that read numbers outside, and methods: as the long way does, while it may be so."""
import copy
import dataclasses
import math
import pickle
import threading
import types
from typing import Any, NamedTuple

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.entry.fusing import IS_WORTHWHILE
from tangent_lite.entry.looks import Looks
from tests.alike import alike
from tests.entry.classes import Frozen, FrozenSlotted, Named, Pair, Plain, Slotted

pytestmark = pytest.mark.skipif(not IS_WORTHWHILE, reason="done from Python 3.11 on")

X, Y = 0.7, 1.3
VECTOR = np.array([0.5, -1.5, 2.0])


@dataclasses.dataclass
class ByName:
    x: Any
    y: Any = dataclasses.field(default=2.0, kw_only=True)


@dataclasses.dataclass
class Inner:
    label: str
    at: Named
    rates: dict


class Nested(NamedTuple):
    first: Pair
    second: dict


def of_fields(p):
    return p.x * p.y + p.x


def of_keys(p):
    return p["x"] * p["y"] + p["x"]


def of_arrays(p):
    return np.sum(p.x * p.y) + np.sum(p.x)


def of_inner(p):
    return p.at.x * p.rates["k"] + p.at.y


def of_nested(p):
    return p.first.x * p.second["a"][0] * p.second["a"][1]


def of_two(p, q):
    return p.x * q["y"] + p.y * q["x"]


def divides(p):
    return p.x / p.y


def writes(p):
    p["x"] = p["x"] * p["y"]
    return p["x"] * p["x"]


def repeats(p):
    total = 0.0
    for _ in range(p["n"]):
        total = total + p["x"] * p["x"]
    return total


def scaled(p):
    return p["x"] * p["n"]


def is_fused(d):
    return d.__call__.__code__.co_filename.startswith("<tangent_lite ")


CASES = [
    *((of_fields, (cls(X, Y),)) for cls in (Pair, Frozen, Slotted, FrozenSlotted, Named, Plain)),
    (of_fields, (ByName(X, y=Y),)), (of_fields, (types.SimpleNamespace(x=X, y=Y),)),
    (of_keys, ({"x": X, "y": Y},)), (of_keys, ({"y": Y, "x": X, "z": 2.0, "s": "text"},)),
    *((of_arrays, (cls(VECTOR, VECTOR[::-1].copy()),)) for cls in (Pair, Slotted, Named, Plain)),
    (of_inner, (Inner("label", Named(X, Y), {"k": 2.0}),)),
    (of_nested, (Nested(Pair(X, Y), {"a": (2.0, 3.0)}),)),
    (of_two, (Pair(X, Y), {"x": 2.0, "y": 3.0})), (divides, (Named(X, Y),)),
    (scaled, ({"x": X, "n": 3},))]


@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
@pytest.mark.parametrize("function, args", CASES, ids=lambda c: getattr(c, "__name__", ""))
def test_it_does_what_the_long_way_does(operator, function, args):
    for wrt in (0, (0,), tuple(range(len(args)))):
        d = operator(function, wrt=wrt)
        wanted = d.variant_for(args, {})[0].run(args)
        for _ in range(4):
            found = d(*args)
            assert alike(found, wanted)
            before = copy.deepcopy(found)
            d(*args)
            assert alike(found, before)         # it is the caller's
        named = dict(zip(d.request.visible, args))
        assert alike(d(**named), wanted)


@pytest.mark.parametrize("function, args", CASES, ids=lambda c: getattr(c, "__name__", ""))
def test_it_is_one_function(function, args):
    d = tl.grad(function)
    for _ in range(4):
        d(*args)
    assert is_fused(d)
    for _ in range(3):
        function_seen = d.__call__
        d(*args)
        assert d.__call__ is function_seen      # nothing was handed on


@pytest.mark.parametrize("function, args", [(writes, ({"x": X, "y": Y},)),
                                            (repeats, ({"x": X, "n": 3},))])
def test_what_is_not(function, args):
    d = tl.grad(function)
    wanted = d.variant_for(args, {})[0].run(args)
    for _ in range(4):
        assert alike(d(*args), wanted)


def changed(value, **attributes):
    made = copy.copy(value)
    for name, one in attributes.items():
        object.__setattr__(made, name, one)
    return made


class Child(Pair):
    def __mul__(self, other):
        return 5.0


def of_class(cls):
    made = Pair(X, Y)
    made.__class__ = cls
    return made


def without(value, name):
    made = copy.copy(value)
    delattr(made, name)
    return made


@pytest.mark.parametrize("function, first, others", [
    (of_keys, {"x": X, "y": Y}, [
        {"y": Y, "x": X}, {"x": X, "y": Y, "z": 1.0}, {"x": X, "y": 2},
        {"x": np.float64(X), "y": Y},
        {"x": np.float32(X), "y": Y}, {"x": X, "y": np.array(Y)}, {"x": VECTOR[:1], "y": Y},
        {"x": X, "y": 1j, "z": 0}, {"x": True, "y": Y}, {"x": X}, {}, None, [X, Y], (X, Y),
        types.MappingProxyType({"x": X, "y": Y})]),
    (of_fields, Pair(X, Y), [
        Pair(Y, X), changed(Pair(X, Y), z=1.0), Pair(X, 2), Pair(np.float64(X), Y), Pair(None, Y),
        of_class(Child), without(Pair(X, Y), "y"), Slotted(X, Y), Named(X, Y), Plain(X, Y),
        Pair(VECTOR[:1], Y)]),
    (of_fields, Slotted(X, Y), [Slotted(Y, X), Slotted(X, 2), without(Slotted(X, Y), "x")]),
    (of_fields, Named(X, Y), [Named(Y, X), Named(X, 2), (X, Y), Pair(X, Y)]),
    (of_fields, Plain(X, Y), [
        Plain(Y, X), changed(Plain(X, Y), z="text"), without(Plain(X, Y), "x"), Plain("a", Y)]),
    (of_arrays, Pair(VECTOR, VECTOR), [
        Pair(VECTOR, VECTOR[:1]), Pair(VECTOR[:2], VECTOR[:2]), Pair(VECTOR[::2], VECTOR[::2]),
        Pair(np.ones((2, 3)), VECTOR), Pair(VECTOR.astype(np.float32), VECTOR), Pair(VECTOR, 2.0),
        Pair(VECTOR, np.arange(3)), Pair(VECTOR, np.ma.array(VECTOR)), Pair(VECTOR[:0], VECTOR[:0]),
        Pair(VECTOR.reshape(3, 1), VECTOR)]),
    (of_inner, Inner("a", Named(X, Y), {"k": 2.0}), [
        Inner("b", Named(X, Y), {"k": 2.0}), Inner("a", Named(X, Y), {"k": 2}),
        Inner("a", Pair(X, Y), {"k": 2.0}), Inner("a", Named(X, Y), {"j": 1.0, "k": 2.0})]),
    (scaled, {"x": X, "n": 3}, [
        {"x": X, "n": 4}, {"x": X, "n": True}, {"x": X, "n": 3.0}, {"x": X, "n": np.int64(5)}]),
    (repeats, {"x": X, "n": 3}, [{"x": X, "n": 0}, {"x": X, "n": 4}, {"x": X, "n": True}])],
    ids=lambda c: getattr(c, "__name__", ""))
def test_others_take_the_long_way(function, first, others):
    def result(d, value):
        try:
            return d(value)
        except Exception as error:
            return type(error), str(error).splitlines()[0]

    d = tl.grad(function)
    for _ in range(4):
        d(first)
    wanted = d(first)
    for other in others:
        fresh = tl.grad(function)
        fresh._variants = {}
        expected = result(fresh, other)
        assert alike(result(d, other), expected)
        assert alike(d(first), wanted)
        for _ in range(4):                      # until this one is what it is written for
            assert alike(result(d, other), expected)
        for _ in range(4):
            assert alike(d(first), wanted)


def test_division_by_zero():
    d, value = tl.grad(divides), Named(1.0, 2.0)
    for _ in range(3):
        assert alike(d(value), Named(0.5, -0.25))
        with pytest.raises(ZeroDivisionError):
            d(Named(1.0, 0.0))


class Model:
    def __init__(self, rate, bias):
        self.rate, self.bias = rate, bias

    def value(self, x):
        return self.rate * x * x + self.bias * x

    def rebinds(self, x):
        rate = self.rate
        self = x * rate
        return self * self


def test_methods_of_several_objects():
    one, other = Model(2.0, 1.0), Model(3.0, 5.0)
    first, second = tl.grad(one.value), tl.grad(other.value)
    for _ in range(4):
        assert first(X) == pytest.approx(4.0 * X + 1.0)
        assert second(X) == pytest.approx(6.0 * X + 5.0) and second(x=X) == second(X)
    assert is_fused(first) and is_fused(second)
    one.rate = 10.0
    assert first(X) == pytest.approx(20.0 * X + 1.0)
    one.rate = 2
    assert first(X) == pytest.approx(4.0 * X + 1.0)
    one.rate = np.float64(2.0)
    assert first(X) == pytest.approx(4.0 * X + 1.0) and type(first(X)) is float
    one.extra = "more"
    assert first(X) == pytest.approx(4.0 * X + 1.0)
    del one.bias
    with pytest.raises(AttributeError):
        first(X)
    assert second(X) == pytest.approx(6.0 * X + 5.0)
    rebinding = tl.grad(one.rebinds)
    for _ in range(4):
        assert rebinding(X) == pytest.approx(8.0 * X)


def test_methods_in_threads():
    models = [Model(float(k), 1.0) for k in range(1, 5)]
    derivatives = [tl.grad(m.value) for m in models]
    wrong = []

    def work(d, m):
        for i in range(300):
            if d(0.1 * i) != pytest.approx(2.0 * m.rate * 0.1 * i + 1.0):
                wrong.append((m.rate, i))

    threads = [threading.Thread(target=work, args=pair) for pair in zip(derivatives, models)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


K, SETTINGS = 3.0, {"rate": 2.0, "steps": 10, "name": "settings"}
TABLE, SHARED = np.array([1.0, 2.0]), Model(2.0, 1.0)


def of_float(x):
    return K * x * x


def of_dict_outside(x):
    return SETTINGS["rate"] * x * x


def of_steps(x):
    return SETTINGS["steps"] * x * x


def of_object_outside(x):
    return SHARED.rate * x * x


def of_element(x):
    return TABLE[1] * x * x


@pytest.mark.parametrize("function, factor", [
    (of_float, 3.0), (of_dict_outside, 2.0), (of_object_outside, 2.0), (of_element, 2.0)])
@pytest.mark.parametrize("x", [X, VECTOR[0]])
def test_numbers_outside(function, factor, x):
    d = tl.grad(function)
    for _ in range(4):
        assert d(x) == pytest.approx(2.0 * factor * x) and type(d(x)) is type(x)
    assert is_fused(d) is (type(x) is float)


@pytest.mark.parametrize("function, place, factors", [
    (of_float, ("K",), [4.0, 5, np.float64(6.0), np.float32(2.0), True, 3.0]),
    (of_dict_outside, ("SETTINGS", "rate"), [4.0, 5, np.float64(6.0), np.array(7.0), False, 2.0]),
    (of_steps, ("SETTINGS", "steps"), [4, 5.0, np.int64(6), True, 0, 10]),
    (of_object_outside, ("SHARED", "rate"), [4.0, 5, np.float64(6.0), np.array(7.0), 2.0])])
def test_numbers_outside_that_change(monkeypatch, function, place, factors):
    d = tl.grad(function)
    for _ in range(4):
        d(X)
    space = globals()
    if len(place) == 2:
        owner = space[place[0]]
        space = owner if isinstance(owner, dict) else vars(owner)
    for factor in factors:
        monkeypatch.setitem(space, place[-1], factor)
        for _ in range(4):
            found = d(X)
            assert found == pytest.approx(2.0 * float(factor) * X) and type(found) is float
    monkeypatch.setitem(space, place[-1], 1j)
    with pytest.raises(tl.OutputError):
        d(X)
    monkeypatch.delitem(space, place[-1])
    with pytest.raises((KeyError, AttributeError, NameError, tl.TangentError)):
        d(X)


def test_arrays_outside_that_change(monkeypatch):
    d = tl.grad(of_element)
    for _ in range(4):
        d(X)
    for table in (np.array([0.0, 5.0, 1.0]), np.array([0, 6]), np.array([0.0, 7.0], np.float32),
                  [0.0, 8.0], np.array([[0.0], [9.0]])[:, 0], (0.0, 4.0)):
        monkeypatch.setitem(globals(), "TABLE", table)
        for _ in range(4):
            assert d(X) == pytest.approx(2.0 * float(table[1]) * X) and type(d(X)) is float
    table = np.array([1.0, 3.0])
    monkeypatch.setitem(globals(), "TABLE", table)
    for _ in range(4):
        d(X)
    table[1] = 5.0
    assert d(X) == pytest.approx(10.0 * X)
    table.shape = (2, 1)
    with pytest.raises(tl.OutputError, match="one number|shape"):
        tl.grad(lambda x: (table[:2] * x * x))(X)
    assert d(X) == pytest.approx(10.0 * X)


def test_a_variable_of_a_closure_is_not_the_global(monkeypatch):
    def made(K):
        def f(x):
            return K * x * x

        return f

    d = tl.grad(made(2))                        # and the global K is a float
    for _ in range(4):
        assert d(X) == pytest.approx(4.0 * X) and type(d(X)) is float
    d = tl.grad(made(VECTOR[:1]))
    for _ in range(4):
        assert d(X) == pytest.approx(2.0 * VECTOR[0] * X) and type(d(X)) is float


def test_seeds_and_names():
    def f(part_0, known_1, made, fill, cls, new, made_tuple):
        return part_0.x * known_1["y"] * made * fill.x * cls.y * new * made_tuple[0]

    args = (Pair(X, Y), {"y": 2.0}, 3.0, Plain(2.0, 1.0), Named(1.0, 2.0), 0.5, (1.5,))
    d = tl.grad(f, wrt=tuple(range(len(args))))
    wanted = d.variant_for(args, {})[0].run(args)
    for _ in range(4):
        assert alike(d(*args), wanted)
    assert is_fused(d)
    d = tl.grad(of_fields)
    for _ in range(4):
        d(Pair(X, Y))
    assert "bof_fields" not in d.__call__.__code__.co_varnames


def test_second_derivatives():
    outer = tl.grad(lambda x: tl.grad(of_fields)(Pair(x, x * x)).x)
    for _ in range(4):
        assert math.isclose(outer(X), 2.0 * X)


def test_into_another_process_and_back():
    d = tl.grad(of_fields)
    for _ in range(4):
        d(Pair(X, Y))
    again = pickle.loads(pickle.dumps(d))
    for _ in range(4):
        assert alike(again(Pair(X, Y)), d(Pair(X, Y)))
    twin = copy.deepcopy(d)
    assert alike(twin(Pair(X, Y)), d(Pair(X, Y)))


def test_questions():
    looks = Looks({}, True)
    looks.look({"x": X, "n": 3, "inner": Named(Y, VECTOR)}, "x0")
    text = " and ".join(looks.tests)
    good = {"x": 2.0, "n": 3, "inner": Named(1.0, VECTOR + 1.0)}
    assert eval(text, {**looks.space, "x0": good})
    for key, other in {"x": 1, "n": 4, "inner": Pair(1.0, VECTOR)}.items():
        assert not eval(text, {**looks.space, "x0": {**good, key: other}})
    assert "x0['x']" in looks.floats and "x0['inner'].x" in looks.floats \
        and "x0['inner'].y" not in looks.floats
