"""The way into a variant does what the long way does, and takes nothing that is not its own."""

import copy
import dataclasses
import functools
import gc
import inspect
import pickle
import warnings
import weakref
from collections.abc import Callable

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.calling.keys import ELSEWHERE
from tangent_lite.trees import arrays_in
from tests.alike import alike

SCALE = 2.0


def product(x, y):
    return np.sum(x * y) * SCALE


def doubled(x, y):
    return np.sum(x + x) + 0.0 * np.sum(y)


def way_in(d, *args):
    d(*args)
    found = d.variant_for(args, {})[0].entry_for(args)
    return None if found is None else found.enter


def same(found, wanted):
    return type(found) is type(wanted) and (
        all(map(same, found, wanted)) if isinstance(found, tuple)
        else np.array_equal(found, wanted))


@pytest.mark.parametrize("wrt", [0, 1, (0,), (0, 1), (1, 0)], ids=str)
@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
@pytest.mark.parametrize("args", [
    (0.5, 2.0), (np.float64(0.5), 2.0), (np.ones(3), np.arange(3.0)),
    (np.ones(3, np.float32), np.arange(3.0)), (np.ones(3, np.float32), np.ones(3, np.float32)),
    (np.ones((2, 3)), np.arange(3.0)), (np.ones((2, 3)), 2.0), (np.ones(()), np.ones(())),
    (np.ones(0), np.ones(0)), (np.ones((3, 2)).T, np.ones((2, 3))),
], ids=lambda args: "-".join(f"{np.shape(a)}{np.asarray(a).dtype}" for a in args))
def test_it_does_what_the_long_way_does(operator, wrt, args):
    d = operator(product, wrt=wrt)
    enter = way_in(d, *args)
    variant, values = d.variant_for(args, {})
    if enter is None:
        pytest.skip("run in two halves")
    assert same(enter(*args), variant.run(values))


def test_it_takes_nothing_of_other_kinds():
    class Sub(np.ndarray):
        pass

    x = np.ones(3)
    enter = way_in(tl.grad(product), x, 2.0)
    assert enter(np.zeros(5), 3.0) is not ELSEWHERE
    for args in ((x, 2), (x, True), (x, np.float64(2.0)), (x.astype(np.float32), 2.0),
                 (x.astype(int), 2.0), (np.ones((1, 3)), 2.0), (x.view(Sub), 2.0), ([1.0], 2.0),
                 (x.astype(">f8"), 2.0)):
        assert enter(*args) is ELSEWHERE


def test_gradients_are_the_callers():
    x, y = np.ones(3), np.arange(3.0)
    d = tl.grad(product, wrt=("x", "y"))
    for _ in range(3):
        gx, gy = d(x, y)
        assert gx.flags.writeable and gy.flags.writeable
        assert not any(np.shares_memory(a, b) for a in (gx, gy) for b in (x, y))
        assert not np.shares_memory(gx, gy)
        gx[:] = gy[:] = 7.0
    gx, _ = tl.grad(doubled, wrt=("x", "y"))(x, x)          # one array as both
    assert gx.tolist() == [2.0] * 3 and x.tolist() == [1.0] * 3


def test_a_gradient_that_is_an_argument_is_copied():
    def linear(x, y):
        return x @ y

    x, y = np.ones(3), np.arange(3.0)
    d = tl.grad(linear, wrt=(0, 1))
    for args in ((x, y), (x, x), (y[::-1], y)):
        for gradient in d(*args) + d(*args):
            assert not any(np.shares_memory(gradient, a) for a in args)


def test_names_stay_live(monkeypatch):
    d = tl.grad(product)
    x = np.ones(2)
    for scale in (2.0, 3.0, 3.0, np.float64(4.0), 5.0, 2, 2.0, 6.0):
        monkeypatch.setitem(globals(), "SCALE", scale)
        for _ in range(2):
            assert d(x, x).tolist() == [scale, scale]


def test_kinds_in_turn():
    d = tl.grad(product)
    for _ in range(3):
        assert d(1.5, 2.0) == 4.0
        assert d(np.ones(2), 2.0).tolist() == [4.0, 4.0]
        assert d(np.ones(2, np.float32), 2.0).dtype == np.float32
        assert d(x=1.5, y=2.0) == 4.0
        with pytest.raises(tl.InputError):
            d(1, 2.0)
        with pytest.raises(TypeError):
            d(1.5)


def test_defaults_and_containers():
    def weighted(params, x, power=2):
        return params["w"] * x ** power

    d = tl.grad(weighted)
    for _ in range(2):
        assert d({"w": 2.0}, 3.0) == {"w": 9.0} and d({"w": 2.0}, 3.0, 3) == {"w": 27.0}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert d({"w": 2.0, "v": 1.0}, 3.0) == {"w": 9.0, "v": 0.0}


def test_a_derivative_that_was_called_pickles():
    d = tl.grad(product)
    d(1.5, 2.0)
    assert pickle.loads(pickle.dumps(d))(1.5, 2.0) == 4.0


def test_a_traceback_through_it_can_be_shown():
    def f(x, table):
        return x * table[3]

    d = tl.grad(f)
    assert d(2.0, [1.0, 2.0, 3.0, 4.0]) == 4.0
    with pytest.raises(IndexError) as error:
        d(2.0, [1.0])
    assert any("table[3]" in str(entry.statement) for entry in error.traceback)


def layers(params, x):
    total = 0.0
    for W, b in params:
        x = W @ x + b
    return total + np.sum(x * x)


def named(params, x):
    return np.sum(params["w"] * x) * params["scale"] + params["parts"][0] * x[0]


def three_layers(dtype=float):
    return [(k * np.ones((2, 2), dtype), np.arange(2).astype(dtype)) for k in (1.0, 0.5, 2.0)]


@pytest.mark.parametrize("wrt", [0, 1, (0,), (0, 1)], ids=str)
@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
@pytest.mark.parametrize("function, params", [
    (layers, three_layers()), (layers, three_layers(np.float32)), (layers, three_layers()[:1]),
    (layers, [*three_layers()[:1] * 2]), (layers, tuple(three_layers())),
    (named, {"w": np.ones(2), "scale": 2.0, "parts": (1.0, "text"), "n": 3}),
    (named, {"w": np.float64(2.0), "scale": np.ones(1), "parts": [0.5, 2.0], "n": None}),
])
def test_containers_are_walked_as_the_long_way_does(operator, wrt, function, params):
    args = (params, np.arange(2.0))
    d = operator(function, wrt=wrt)
    enter = way_in(d, *args)
    variant, values = d.variant_for(args, {})
    if enter is None:
        pytest.skip("run in two halves")
    found = enter(*args)
    assert found is not ELSEWHERE and alike(found, variant.run(values))
    arrays = [id(a) for a in arrays_in(found)]
    assert len(set(arrays)) == len(arrays) and all(a.flags.writeable for a in arrays_in(found))
    assert not set(arrays) & {id(a) for a in arrays_in(args)}


def test_containers_of_other_kinds_go_the_long_way():
    class Sub(np.ndarray):
        pass

    class Layers(list):
        pass

    x, (W, b) = np.ones(2), three_layers()[0]
    enter = way_in(tl.grad(layers), [(W, b)], x)
    assert enter([(W, b), (W, b)], x) is not ELSEWHERE
    for params in ([], [[W, b]], [(W, b, b)], [(W, b), (W, W)], ((W, b),), Layers([(W, b)]),
                   [(W, b.astype(np.float32))], [(W.view(Sub), b)], [(W, b.astype(int))],
                   [(W, b), (W, 1.0)]):
        assert enter(params, x) is ELSEWHERE
    enter = way_in(tl.grad(named), {"w": x, "scale": 2.0, "parts": (1.0,)}, x)
    assert enter({"w": x, "scale": 3.0, "parts": (2.0,)}, x) is not ELSEWHERE
    for params in ({"scale": 3.0, "w": x, "parts": (2.0,)}, {"w": x, "scale": 3.0, "parts": [2.0]},
                   {"w": x, "scale": 3.0}, {"w": x, "scale": 3, "parts": (2.0,)}):
        assert enter(params, x) is ELSEWHERE


def tied(p):
    return np.sum((p["a"] + p["b"]) ** 2)


def tied_list(ps):
    total = 0.0
    for a, b in ps:
        total = total + np.sum((a + b) ** 2)
    return total


def read_and_added(ps):
    total = 0.0
    for a in ps:
        total = total + np.sum(a * ps[0])
    return total


@pytest.mark.parametrize("function, make", [
    (tied, lambda: {"a": np.ones(3), "b": np.ones(3)}),
    (tied, lambda: {"a": np.ones(3, np.float32), "b": np.ones(3)}),
    (tied_list, lambda: [(np.ones(3), np.ones(3)), (np.ones(2), np.ones(2))]),
    (tied_list, lambda: [(np.ones(3), np.ones(1)), (np.ones((2, 2)), np.ones((2, 2)))][:1]),
    (read_and_added, lambda: [np.ones(3), np.full(3, 2.0)])])
def test_gradients_in_containers_are_arrays_of_their_own(function, make):
    d = tl.grad(function)
    for _ in range(3):
        args = make()
        found = d(args)
        wanted = tl.jacfwd(function)(args)
        assert type(found) is type(args)
        given, made = arrays_in(args), arrays_in(found)
        assert [(a.shape, a.dtype) for a in made] == [(a.shape, a.dtype) for a in given]
        assert all(np.allclose(a, b) for a, b in zip(made, arrays_in(wanted)))
        for k, one in enumerate(made):
            assert one.flags.writeable
            assert not any(np.may_share_memory(one, other) for other in made[k + 1:] + given)


def times(x, y):
    return x * y


@pytest.mark.parametrize("calls", (0, 1, 2))
def test_derivatives_go_without_the_collector(calls):
    gc.collect()
    gc.disable()
    try:
        d = tl.grad(times)
        for _ in range(calls):
            d(2.0, 3.0)
        gone = weakref.ref(d)
        del d
        assert gone() is None
    finally:
        gc.enable()


def test_what_an_object_is_called_by_hands_on_what_it_does_not_take():
    def optional(x, y=2.0, *, z=1.0):
        return x * y * z

    def many(x, *ys):
        return x * sum(ys)

    d = tl.grad(times)
    for _ in range(2):
        assert d(2.0, 3.0) == 3.0 and d(2.0, y=3.0) == 3.0 and d(y=3.0, x=2.0) == 3.0
    for wrong in (lambda: d(), lambda: d(1.0), lambda: d(1.0, 2.0, 3.0), lambda: d(2, 3)):
        with pytest.raises(tl.InputError):
            wrong()
    for wrong, says in ((lambda d: d(1.0, q=2.0), "got an unexpected keyword argument 'q'"),
                        (lambda d: d(1.0, 2.0, q=3.0), "got an unexpected keyword argument 'q'"),
                        (lambda d: d(1.0, 2.0, y=3.0), "got multiple values for argument 'y'")):
        for one in (d, tl.grad(times)):             # after calls, and before the first one
            with pytest.raises(TypeError, match=rf"^times_grad\(\) {says}$"):
                wrong(one)
    assert d(2.0, 3.0) == 3.0
    d = tl.grad(optional)
    for _ in range(2):
        assert d(2.0) == 2.0 and d(2.0, 5.0) == 5.0 and d(2.0, z=4.0) == 8.0
    d = tl.grad(many)
    for _ in range(2):
        assert d(2.0, 3.0, 4.0) == 7.0 and d(2.0, 5.0) == 5.0 and d(2.0) == 0.0


def test_names_of_parameters_are_free():
    def f(more, keywords, x0, main, ndarray):
        return more * keywords * x0 * main * ndarray

    d = tl.grad(f, wrt=(0, 3))
    for _ in range(2):
        assert d(2.0, 3.0, 1.0, 5.0, 1.0) == (15.0, 6.0)
        assert d(main=5.0, more=2.0, keywords=3.0, x0=1.0, ndarray=1.0) == (15.0, 6.0)


def test_the_object_stays_what_it_was():
    d = tl.grad(times)
    d(2.0, 3.0)
    assert callable(d) and isinstance(d, Callable) and inspect.signature(d).parameters.keys() == {
        "x", "y"}
    assert copy.copy(d)(2.0, 3.0) == 3.0 and pickle.loads(pickle.dumps(d))(2.0, 3.0) == 3.0
    call = d.__call__
    del d
    assert call(2.0, 3.0) == 3.0 and call(2.0, np.float64(4.0)) == 4.0


# Objects, defaults, halves ---------------------------------------------------------------------
class Linear:
    def __init__(self, W, b):
        self.W, self.b, self.steps = W, b, 2

    def loss(self, x):
        return np.sum((self.W @ x + self.b) ** self.steps)


@dataclasses.dataclass
class Point:
    a: float
    b: np.ndarray
    n: int = 3
    name: str = "p"


@dataclasses.dataclass(frozen=True)
class Nested:
    scale: float
    point: Point


@dataclasses.dataclass
class Derived:
    a: float

    def __post_init__(self):
        self.twice = self.a * 2


@dataclasses.dataclass
class Slotted:
    __slots__ = ("a", "b")
    a: float
    b: float


class Copying:
    def __init__(self, a):
        self.a, self.copies = a, 0

    def __copy__(self):
        made = Copying(self.a)
        made.copies = 7
        return made


class Activated:
    def __init__(self, f, w):
        self.f, self.w = f, w

    def of(self, x):
        return np.sum(self.f(x)) * self.w


def of_point(p, x):
    return p.a * np.sum(p.b ** p.n * x)


def of_nested(q, x):
    return q.scale * of_point(q.point, x)


def of_points(ps, x):
    return of_point(ps[0], x) * of_point(ps[-1], x)


def of_derived(p):
    return p.a * p.twice


def of_slots(p):
    return p.a * p.b


def of_copying(p):
    return p.a * p.a


def with_aux(x, y):
    return np.sum(x * y), {"x": x, "parts": [y, 2 * x]}


def of_unknown(x):
    return x * 2.0


u = np.arange(2.0)


@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
@pytest.mark.parametrize("function, arguments, options", [
    (Linear(np.ones((2, 2)), np.ones(2)).loss, [(u,), (u + 1,), (u.astype(np.float32),)], {}),
    (Linear.loss, [(Linear(np.ones((2, 2)), u), u), (Linear(np.eye(2), u), u),
                   (Linear(np.eye(2, dtype=np.float32), u), u)], {"wrt": (0, 1)}),
    (Linear.loss, [(Linear(np.ones((2, 2)), u), u)], {"wrt": ("self.W", "x", "self.b")}),
    (of_point, [(Point(2.0, u + 1), u), (Point(2.0, u, 2), u), (Point(np.float64(2), u), u)], {}),
    (of_nested, [(Nested(2.0, Point(1.0, u + 1)), u)], {"wrt": (0, 1)}),
    (of_points, [([Point(1.0, u), Point(3.0, u)], u), ([Point(1.0, u)], u)], {}),
    (of_derived, [(Derived(2.0),)], {}), (of_slots, [(Slotted(2.0, 3.0),)], {}),
    (of_copying, [(Copying(2.0),)], {}),
    (Activated(np.tanh, 2.0).of, [(u,)], {}),
    (Activated.of, [(Activated(np.tanh, 2.0), u), (Activated(np.sin, 2.0), u)], {}),
    (with_aux, [(u, u + 1), (u, u)], {"has_aux": True}),
    (with_aux, [(u, u + 1), (u, u)], {"has_aux": True, "wrt": (0, 1)}),
    (with_aux, [(u, u + 1), (u, u)], {"has_aux": True, "wrt": (1,)}),
    (of_unknown, [(np.ones(1),), (2.0,)], {}),
], ids=lambda a: getattr(a, "__qualname__", ""))
def test_objects_and_halves_go_as_the_long_way_does(operator, function, arguments, options):
    d = operator(function, **options)
    for args in arguments * 2:
        for _ in range(2):
            found = d(*args)
            variant, values = d.variant_for(args, {})
            assert alike(found, variant.run(values))
            given, made = arrays_in(values), arrays_in(found if operator is tl.grad else found[1])
            if "has_aux" not in options:
                assert all(a.flags.writeable for a in made)
                assert not any(np.shares_memory(a, b) for a in made for b in given)
    variant, values = d.variant_for(arguments[0], {})
    assert variant.entry_for(values) is not None


def test_objects_may_change():
    one = Linear(np.ones((2, 2)), np.ones(2))
    d = tl.grad(one.loss)
    for _ in range(2):
        assert d(u).tolist() == [8.0, 8.0]
    one.b = one.b + 1.0
    assert d(u).tolist() == [12.0, 12.0]
    one.steps = 1
    assert d(u).tolist() == [2.0, 2.0]
    one.more = "text"                           # another kind of object
    assert d(u).tolist() == [2.0, 2.0]
    one.W = np.ones((2, 2), np.float32)
    assert d(u).tolist() == [2.0, 2.0]
    one.b = None
    with pytest.raises(TypeError, match="NoneType"):
        d(u)
    other = Activated(np.tanh, 2.0)
    d = tl.grad(other.of)
    assert np.allclose(d(u), 2.0 / np.cosh(u) ** 2)
    other.f = np.sin
    assert np.allclose(d(u), 2.0 * np.cos(u))


def test_methods_of_two_objects():
    one, other = (Linear(k * np.eye(2), np.zeros(2)) for k in (1.0, 2.0))
    first, second = tl.grad(one.loss), tl.grad(other.loss)
    for _ in range(3):
        assert first(u).tolist() == [0.0, 2.0] and second(u).tolist() == [0.0, 8.0]


def test_defaults_may_be_replaced():
    def scaled(x, y=2.0, *, z=3.0):
        return x * y * z

    d = tl.grad(scaled, wrt=(0, 1, 2))
    for _ in range(3):
        assert d(1.0) == (6.0, 3.0, 2.0) and d(1.0, 4.0) == (12.0, 3.0, 4.0)
        assert d(1.0, z=5.0) == (10.0, 5.0, 2.0) and d(z=1.0, x=2.0) == (2.0, 2.0, 4.0)
    scaled.__defaults__ = (7.0,)
    assert d(1.0) == (21.0, 3.0, 7.0)
    scaled.__kwdefaults__["z"] = 1.0
    for _ in range(2):
        assert d(1.0) == (7.0, 1.0, 7.0) and d(1.0, 2.0) == (2.0, 1.0, 2.0)
    scaled.__kwdefaults__ = {"z": 2.0}
    for _ in range(2):
        assert d(1.0) == (14.0, 2.0, 7.0)
    scaled.__kwdefaults__ = None
    for wrong in (lambda: d(1.0), lambda: d(1.0, 2.0, 3.0), lambda: d(z=1.0)):
        with pytest.raises(tl.InputError):
            wrong()
    for wrong in (lambda: d(1.0, q=1.0), lambda: d(1.0, 2.0, y=3.0, z=1.0)):
        with pytest.raises(TypeError, match=r"scaled_grad\(\) got"):
            wrong()
    assert d(1.0, z=1.0) == (7.0, 1.0, 7.0)
    part = tl.grad(functools.partial(scaled, z=5.0))
    for _ in range(3):
        assert part(1.0) == 35.0 and part(1.0, 2.0) == 10.0
