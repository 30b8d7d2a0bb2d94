"""Branches that kinds decide on, above all what is asked of None."""
import math
import typing

import numpy as np
import pytest

import tangent_lite as tl


def with_default(x, w=None, b=None):
    if w is None:
        w = 2.0
    y = x * w
    if b is not None and np.sum(b) > 0.0:
        y = y + b * w
    return np.sum(y * y)


def by_expression(x, w=None):
    w = 2.0 if w is None else w
    return x * w * w


@pytest.mark.parametrize("rest", [(), (3.0,), (None, 1.0), (3.0, np.ones(2)), (3.0, -np.ones(2))])
def test_each_way_has_its_own_code(rest):
    x = np.array([0.5, -1.5])
    derivative = tl.grad(with_default)
    step = 1e-6 * np.array([1.0, 2.0])
    for _ in range(2):
        quotient = (with_default(x + step, *rest) - with_default(x - step, *rest)) / 2e-6
        assert math.isclose(derivative(x, *rest) @ [1.0, 2.0], quotient, rel_tol=1e-7)
        derivative(x)                           # and another one between the two
    assert "is None" not in derivative.source_for(x, *rest)


def test_what_is_kept_is_what_may_still_be_asked():
    source = tl.grad(with_default).source_for(np.ones(2), 3.0, np.ones(2))
    assert "if np.sum(b) > 0.0:" in source
    assert "is None" in tl.grad(with_default).source        # of which no kinds are known


def test_what_is_saved_serves_for_all_arguments(tmp_path):
    for function in (with_default, by_expression):
        tl.grad(function).save(tmp_path / "saved.py")
        space = {}
        exec((tmp_path / "saved.py").read_text(), space)
        saved = space[f"{function.__name__}_grad"]
        for rest in ((), (3.0,)):
            np.testing.assert_allclose(saved(np.array(1.5), *rest),
                                       tl.grad(function)(1.5, *rest), rtol=1e-12)


def test_of_an_expression():
    assert tl.grad(by_expression)(1.0) == 4.0 and tl.grad(by_expression)(1.0, 3.0) == 9.0
    assert tl.grad(by_expression, wrt="w")(1.0, 3.0) == 6.0
    assert "if" not in tl.grad(by_expression).source_for(1.0)


LEVEL = None


def of_a_global(x):
    return x * (2.0 if LEVEL is None else LEVEL)


class Settings:
    level = None


SETTINGS = Settings()
SETTINGS.level = None
TABLE = {"level": None}


def of_what_a_global_holds(x):
    level = SETTINGS.level if SETTINGS.level is not None else TABLE["level"]
    return x * (2.0 if level is None else level)


def test_what_is_outside_may_become_something(monkeypatch):
    derivative, inner = tl.grad(of_a_global), tl.grad(of_what_a_global_holds)
    assert derivative(1.0) == inner(1.0) == 2.0
    monkeypatch.setitem(globals(), "LEVEL", 3.0)
    monkeypatch.setattr(SETTINGS, "level", 3.0)
    assert derivative(1.0) == inner(1.0) == 3.0
    monkeypatch.setattr(SETTINGS, "level", None)
    monkeypatch.setitem(TABLE, "level", 5.0)
    assert inner(1.0) == 5.0
    monkeypatch.undo()
    assert derivative(1.0) == inner(1.0) == 2.0


class Inner:
    def __init__(self):
        self.last = None

    def push(self, v):
        d = 0.0 if self.last is None else v - self.last
        self.last = v
        return d


class Outer:
    def __init__(self):
        self.inner = Inner()

    def push(self, v):
        return self.inner.push(v)


def test_what_a_method_of_a_part_changes_is_not_known_too_early():
    def differences(x):
        outer = Outer()
        t = 0.0
        for i in range(4):
            t += outer.push(x ** i) ** 2
        return t

    def slope(x):
        return sum(2 * (x ** i - x ** (i - 1)) * (i * x ** (i - 1) - (i - 1) * x ** (i - 2))
                   for i in range(1, 4))

    assert math.isclose(tl.grad(differences)(1.3), slope(1.3), rel_tol=1e-12)
    assert math.isclose(tl.jvp(differences, (1.3,), (1.0,))[1], slope(1.3), rel_tol=1e-12)


class Looking(type):
    def __instancecheck__(cls, thing):
        return hasattr(thing, "weight")


class Weighed(metaclass=Looking):
    pass


@typing.runtime_checkable
class HasWeight(typing.Protocol):
    weight: float


@typing.runtime_checkable
class HasArea(typing.Protocol):
    def area(self):
        ...


class Plate:
    def __init__(self, weight):
        self.weight = weight

    def area(self):
        return self.weight ** 2


class Posing:
    def __init__(self, weight):
        self.weight = weight

    @property
    def __class__(self):
        return Plate


@pytest.mark.parametrize("made, asked, answer", [
    (Plate, Weighed, True), (Plate, HasWeight, True), (Plate, HasArea, True),
    (Posing, Plate, True), (Posing, Posing, True), (Plate, Posing, False)])
def test_classes_that_look_at_the_object(made, asked, answer):
    def f(x):
        thing = made(x[0])
        if isinstance(thing, asked):
            return thing.weight * x[1]
        return x[2]

    def matched(x):
        match made(x[0]):
            case asked():
                return x[0] * x[1]
        return x[2]

    x = np.array([1.5, 0.5, 2.0])
    for one in (f, matched):
        assert one(x) == (0.75 if answer else 2.0)
        assert tl.value_and_grad(one)(x)[0] == one(x)
        tl.check_grads(one, (x,), order=1)


class Asked:
    __slots__ = ("__dict__", "late", "weight")

    def __init__(self, weight, is_open):
        self.weight, self.is_open = weight, is_open

    @property
    def shown(self):
        if not self.is_open:
            raise AttributeError("shown")
        return 2.0 * self.weight


class Guessing(Asked):
    def __getattr__(self, name):
        if name != "guess":
            raise AttributeError(name)
        return 3.0 * self.weight


@pytest.mark.parametrize("kind", [Asked, Guessing])
@pytest.mark.parametrize("is_open", [True, False])
def test_attributes_that_a_method_gives(kind, is_open):
    def f(x):
        thing = kind(x[0], is_open)
        y = thing.shown * x[1] if hasattr(thing, "shown") else x[2]
        if hasattr(thing, "guess"):
            y = y * thing.guess
        if hasattr(thing, "late"):
            y = y * 100.0
        thing.late = y * x[1]
        return thing.late * x[0] if hasattr(thing, "late") and hasattr(thing, "weight") else y

    x = np.array([1.5, 0.5, 2.0])
    assert tl.value_and_grad(f)(x)[0] == f(x)
    tl.check_grads(f, (x,), order=1)


def unless_given(x, cache=None, weights=None, last=None):
    if not cache:
        cache = [None] * 2
    y = 0.0
    for one, w in zip(cache, weights or [1.0, 2.0]):
        y = y + w * x * (x if one is None else one)
        if last and last > 1.0:
            y = y * last
        last = x
    return y


@pytest.mark.parametrize("rest", [(), ([2.0, 4.0],), (None, [3.0, 0.0], 2.0)])
def test_none_does_not_hold(rest):
    d = tl.grad(unless_given)
    quotient = (unless_given(3.0 + 1e-6, *rest) - unless_given(3.0 - 1e-6, *rest)) / 2e-6
    assert math.isclose(d(3.0, *rest), quotient, rel_tol=1e-7)
    assert "(tape" not in d.source_for(3.0, *rest)


def parts_of(value, x):
    match value:
        case {"v": v}:
            return v * x
        case str() as text:
            return len(text) * x
        case [a, b, *rest] if rest:
            return a * b * sum(rest)
        case [a, b]:
            return a - b
        case None:
            return x
        case float():
            return value * value
    return 1.0


def many_patterns(x):
    total = 0.0
    for value in (x, "text", None, (x, 2.0 * x), {"v": x}, (x, x, 3.0), 2.0 * x, "", [x, x],
                  {"w": x}):
        total = total + parts_of(value, x) * parts_of(value, x * x)
    return total


def test_all_branches_that_are_decided_are_taken_in_one_round(monkeypatch):
    from tangent_lite import preparation
    rounds = []

    def counted(*args, **more):
        rounds.append(args)
        return prune(*args, **more)

    prune = preparation.prune
    monkeypatch.setattr(preparation, "prune", counted)
    derivative = tl.grad(many_patterns)
    step = (many_patterns(0.7 + 1e-6) - many_patterns(0.7 - 1e-6)) / 2e-6
    assert math.isclose(derivative(0.7), step, rel_tol=1e-7)
    assert len(rounds) < 50                     # there are 20 calls, of up to eleven questions each
