"""A class whose objects are read and made may be changed: no derivative rests on what it was."""
import collections
import dataclasses
from typing import NamedTuple

import pytest

import tangent_lite as tl
from tangent_lite.calling.resolve import Lacking, of_objects
from tangent_lite.records import is_made_of_fields

X, Y = 0.7, 1.3


def dataclass():
    @dataclasses.dataclass
    class P:
        x: float
        y: float

    return P, lambda p: p.x * p.y + p.x


def frozen():
    @dataclasses.dataclass(frozen=True)
    class P:
        x: float
        y: float

    return P, lambda p: p.x * p.y + p.x


def slotted():
    @dataclasses.dataclass
    class P:
        __slots__ = ("x", "y")
        x: float
        y: float

    return P, lambda p: p.x * p.y + p.x


def named():
    class P(NamedTuple):
        x: float
        y: float

    return P, lambda p: p.x * p.y + p.x


def plain():
    class P:
        def __init__(self, x, y):
            self.x, self.y = x, y

    return P, lambda p: p.x * p.y + p.x


def has_init(cls):
    old = cls.__init__

    def __init__(self, x, y):
        old(self, 2.0 * x, y)

    cls.__init__ = __init__


def has_post_init(cls):
    def __post_init__(self):
        object.__setattr__(self, "x", 2.0 * self.x)

    cls.__post_init__ = __post_init__


def has_new(cls):
    def __new__(cls, *args, **keywords):
        made = object.__new__(cls)
        object.__setattr__(made, "x", 5.0)
        return made

    cls.__new__ = __new__


def has_setattr(cls):
    def __setattr__(self, name, value):
        object.__setattr__(self, name, 2.0 * value)

    cls.__setattr__ = __setattr__


CHANGES = {"__init__": has_init, "__post_init__": has_post_init, "__new__": has_new,
           "__setattr__": has_setattr}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("make", [dataclass, frozen, slotted, plain])
@pytest.mark.parametrize("calls", [0, 1, 4])
def test_gradients_are_made_as_the_class_is_by_now(make, change, calls):
    cls, f = make()
    given = [cls(X, Y) for _ in range(calls + 3)]
    derivative = tl.grad(f)
    for _ in range(calls):
        derivative(given.pop())
    CHANGES[change](cls)
    while given:
        found = derivative(given.pop())
        assert type(found) is cls and (found.x, found.y) == pytest.approx((Y + 1.0, X))


@pytest.mark.parametrize("make", [dataclass, plain, slotted])
@pytest.mark.parametrize("calls", [0, 1, 4])
def test_what_is_computed_when_it_is_read(make, calls):
    cls, f = make()
    given = [cls(X, Y) for _ in range(calls + 3)]
    derivative = tl.grad(f)
    for _ in range(calls):
        derivative(given.pop())
    cls.y = property(lambda self: 3.0 * self.x, lambda self, value: None)   # f is 3 x x + x
    while given:
        assert derivative(given.pop()).x == pytest.approx(6.0 * X + 1.0)


@pytest.mark.parametrize("calls", [0, 1, 4])
@pytest.mark.parametrize("name, thing", [
    ("y", property(lambda self: 3.0 * self.x)),
    ("__new__", lambda cls, x, y: tuple.__new__(cls, (2.0 * x, y))),
    ("__getitem__", lambda self, number: 5.0)])
def test_named_tuples_that_become_others_are_refused(calls, name, thing):
    cls, f = named()
    given = [cls(X, Y) for _ in range(calls + 2)]
    derivative = tl.grad(f)
    for _ in range(calls):
        assert derivative(given.pop()) == pytest.approx((Y + 1.0, X))
    setattr(cls, name, thing)
    while given:
        with pytest.raises(tl.InputError, match="of type P, which cannot vary"):
            derivative(given.pop())


class Point(NamedTuple):
    x: float
    y: float


class Doubling(Point):
    def __new__(cls, x, y):
        return super().__new__(cls, 2.0 * x, y)


class Computing(Point):
    @property
    def y(self):
        return 3.0 * self.x


class Adding(Point):
    def norm(self):
        return self.x * self.x + self.y


class Own(tuple):
    def __new__(cls, x, y):
        return super().__new__(cls, (2.0 * x, y))


def of_point(p):
    return p.x * p.y + p.x


def of_items(p):
    return p[0] * p[1] + p[0]


def of_dict(p):
    return of_point(p["point"]) * p["factor"]


DOUBLING, COMPUTING = Doubling(X, Y), Computing(X, Y)


def of_global(x):
    return x * DOUBLING.x


def of_computing(x):
    return x * COMPUTING.y


def makes(x):
    return of_point(Doubling(x, Y))


@pytest.mark.parametrize("function, argument", [
    (of_point, DOUBLING), (of_point, COMPUTING), (of_items, Own(X, Y)),
    (of_dict, {"point": DOUBLING, "factor": 2.0}), (of_dict, {"point": COMPUTING, "factor": 2.0}),
    (of_global, X), (of_computing, X), (makes, X)])
def test_tuples_that_say_how_they_are_made_or_read_are_refused(function, argument):
    with pytest.raises((tl.InputError, tl.UnsupportedSyntaxError)):
        tl.grad(function)(argument)


def test_tuples_with_methods():
    assert tl.grad(of_point)(Adding(X, Y)) == pytest.approx((Y + 1.0, X))
    assert tl.grad(lambda p: p.norm())(Adding(X, Y)) == pytest.approx((2.0 * X, 1.0))


class Twice(list):
    def __init__(self, items):
        super().__init__(2.0 * one for one in items)
        self.label = "twice"


def test_lists_that_change_what_they_are_made_of():
    given = Twice([X, Y])                                   # holds 2 X and 2 Y
    found = tl.grad(of_items)(given)
    assert type(found) is Twice and found.label == "twice"
    assert found == pytest.approx([2.0 * Y + 1.0, 2.0 * X])
    value, pullback = tl.vjp(of_items, given)
    assert value == of_items(given) and pullback(1.0)[0] == pytest.approx([2.0 * Y + 1.0, 2.0 * X])


def test_what_is_looked_at():
    cls, _ = dataclass()
    names = {name for _, name, _ in of_objects(cls)}
    assert "__init__" in names and not of_objects(plain()[0]) and not of_objects(int)
    assert {"x", "y", "__new__"} <= {name for _, name, _ in of_objects(named()[0])}
    lacked = next(table for table, _, _ in of_objects(cls) if isinstance(table, Lacking))
    assert {"__post_init__", "__setattr__", "__new__"} <= lacked.names
    assert not of_objects(collections.OrderedDict)


def test_whether_fields_make_an_object_is_asked_anew():
    cls, _ = dataclass()
    assert is_made_of_fields(cls, ("x", "y"))
    has_init(cls)
    assert not is_made_of_fields(cls, ("x", "y"))


@pytest.mark.parametrize("calls", [0, 1, 4])
@pytest.mark.parametrize("f, wanted", [
    (lambda cls, x: cls(y=x).x * cls(y=x).y, 6.0 * X),      # 3 x x
    (lambda cls, x: cls().x * x, 3.0 * Y)])
def test_defaults_of_fields_that_become_properties(f, wanted, calls):
    """Of objects that the function makes; the default stood under the name of the field."""
    @dataclasses.dataclass
    class P:
        x: float = 2.0
        y: float = Y

    def function(x):
        return f(P, x)

    derivative = tl.grad(function)
    for _ in range(calls):
        derivative(X)
    P.x = property(lambda self: 3.0 * self.y, lambda self, value: None)
    assert derivative(X) == pytest.approx(wanted)


@pytest.mark.parametrize("calls", [1, 4])
def test_classes_that_come_to_inherit_from_others(calls):
    class Twice:
        def of(self, x):
            return 2.0 * x

    class Thrice:
        def of(self, x):
            return 3.0 * x

    class Scale(Twice):
        pass

    class Below(Scale):
        pass

    given, made = tl.grad(lambda scale, x: scale.of(x), wrt=1), tl.grad(lambda x: Below().of(x))
    for bases, slope in ((Twice,), 2.0), ((Thrice,), 3.0), ((Thrice, Twice), 3.0), ((Twice,), 2.0):
        Scale.__bases__ = bases
        for _ in range(calls):
            assert given(Scale(), X) == given(Below(), X) == made(X) == slope
