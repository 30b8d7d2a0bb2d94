"""Names are live in classes and signatures, too: what is replaced there is noticed at the call."""
import math
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse

import tangent_lite as tl


class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return self.k * x * x

    @property
    def doubled(self):
        return 2.0 * self.k

    @staticmethod
    def square(x):
        return x * x

    @classmethod
    def cube(cls, x):
        return x * x * x

    def __add__(self, other):
        return Spring(self.k + other.k)

    def __call__(self, x):
        return self.k * x

    def __getitem__(self, n):
        return self.k * n


class Stiff(Spring):
    pass


def initialised(self, k):
    self.k = 5.0 * k


def calls_a_method(s, x):
    return s.energy(x)


def calls_it_by_the_class(s, x):
    return Spring.energy(s, x)


def reads_a_property(s, x):
    return s.doubled * x


def calls_a_static_method(s, x):
    return s.square(x) + Spring.square(x)


def calls_a_class_method(s, x):
    return s.cube(x)


def adds(s, x):
    return (s + s).k * x


def calls(s, x):
    return s(x)


def subscripts(s, x):
    return s[2] * x


def makes(s, x):
    return Stiff(x).k * s.k


@pytest.mark.parametrize("function, owner, name, new", [
    (calls_a_method, Spring, "energy", lambda self, x: self.k * x ** 3),
    (calls_a_method, Stiff, "energy", lambda self, x: self.k * x ** 3),      # put in front
    (calls_it_by_the_class, Spring, "energy", lambda self, x: self.k * x ** 3),
    (reads_a_property, Spring, "doubled", property(lambda self: 7.0 * self.k)),
    (calls_a_static_method, Spring, "square", staticmethod(lambda x: x ** 4)),
    (calls_a_class_method, Spring, "cube", classmethod(lambda cls, x: x ** 4)),
    (adds, Spring, "__add__", lambda self, other: Spring(self.k * other.k)),
    (calls, Spring, "__call__", lambda self, x: self.k * x ** 3),
    (subscripts, Spring, "__getitem__", lambda self, n: self.k * self.k * n),
    (makes, Spring, "__init__", initialised),
])
def test_a_class_changes(function, owner, name, new, monkeypatch):
    derivative = tl.value_and_grad(function, wrt="x")
    spring = Stiff(3.0)
    before = derivative(spring, 2.0)
    assert before[0] == function(spring, 2.0)
    monkeypatch.setattr(owner, name, new, raising=False)
    value, gradient = derivative(spring, 2.0)
    assert value == function(spring, 2.0) != before[0]
    slope = (function(spring, 2.0 + 1e-6) - function(spring, 2.0 - 1e-6)) / 2e-6
    assert math.isclose(gradient, slope, rel_tol=1e-6)
    monkeypatch.undo()
    assert derivative(spring, 2.0) == before


def scaled(x, n=2.0, *, m=3.0):
    return x * n * m


def through_a_helper(x):
    return scaled(x) * x


@pytest.fixture
def signature():
    kept = scaled.__defaults__, dict(scaled.__kwdefaults__)
    yield
    scaled.__defaults__, scaled.__kwdefaults__ = kept


@pytest.mark.parametrize("function", [scaled, through_a_helper])
def test_defaults_change(function, signature):
    once, twice = tl.grad(function), tl.grad(tl.grad(lambda x: function(x) * x))
    factor = 1.0 if function is scaled else 2.0 * 2.0
    more = 2.0 if function is scaled else 6.0 * 2.0
    for n, m in ((2.0, 3.0), (5.0, 3.0), (5.0, 7.0)):
        scaled.__defaults__ = (n,)
        scaled.__kwdefaults__["m"] = m
        assert once(2.0) == factor * n * m
        assert twice(2.0) == more * n * m
    scaled.__kwdefaults__ = {"m": 0.5}
    assert once(2.0) == factor * 5.0 * 0.5


def cubed(x, n=2.0):
    return x ** 3 * n


def test_defaults_of_what_is_differentiated_twice(monkeypatch):
    twice = tl.grad(tl.grad(cubed))
    assert twice(2.0) == 24.0
    monkeypatch.setattr(cubed, "__defaults__", (3.0,))
    assert twice(2.0) == 36.0
    assert tl.jvp(cubed, (2.0,), (1.0,)) == (24.0, 36.0)


def of_a_namespace(p, x):
    return p.a * x * p.a + p.b ** 2 * np.sum(p.w ** 3)


def test_namespaces_in_all_modes():
    p = SimpleNamespace(a=2.0, b=3.0, w=np.ones(2))
    along = SimpleNamespace(a=1.0, b=1.0, w=np.array([1.0, 2.0]))
    value, slope = tl.jvp(of_a_namespace, (p, 1.5), (along, 0.5))
    found = tl.grad(of_a_namespace, wrt=(0, 1))(p, 1.5)
    assert value == of_a_namespace(p, 1.5)
    assert math.isclose(slope, found[0].a + found[0].b + found[0].w @ along.w + 0.5 * found[1])
    tl.check_grads(of_a_namespace, (p, 1.5))


# What classes come to have ------------------------------------------------------------------------
def class_with_a_base():
    class Base:
        def __init__(self, x, y):
            self.x, self.y = x, y

        def unused(self):
            return self.y

    class Derived(Base):
        pass

    return Base, Derived


def reads_attributes(p):
    return p.x * p.y + p.x


def sets_an_attribute(p):
    p.x = p.x * 2.0
    return p.x * p.y


def sets_in_place(p):
    p.x += 1.0
    return p.x * p.x


def asks_whether_it_has(p):
    return p.x * (2.0 if hasattr(p, "scale") else 3.0)


def asks_for_its_truth(p):
    return p.x * 2.0 if p else p.x * 3.0


def tripled(self, name, value):
    object.__setattr__(self, name, value * 3.0 if name == "x" else value)


SEVENFOLD = property(lambda self: vars(self)["x"] * 7.0,
                     lambda self, value: vars(self).__setitem__("x", value))


def swap_for_truth(cls):
    del cls.unused
    cls.__bool__ = lambda self: False


LATER = [(reads_attributes, lambda cls: setattr(cls, "x", SEVENFOLD)),
         (sets_an_attribute, lambda cls: setattr(cls, "__setattr__", tripled)),
         (sets_an_attribute, lambda cls: setattr(cls, "x", SEVENFOLD)),
         (sets_in_place, lambda cls: setattr(cls, "__setattr__", tripled)),
         (asks_whether_it_has, lambda cls: setattr(cls, "scale", 1.0)),
         (asks_for_its_truth, lambda cls: setattr(cls, "__len__", lambda self: 0)),
         (asks_for_its_truth, swap_for_truth)]


@pytest.mark.parametrize("derived", [False, True])
@pytest.mark.parametrize("f, change", LATER)
def test_what_a_class_or_its_base_gets_later_is_seen(f, change, derived):
    base, cls = class_with_a_base()

    def at(x, y):
        p = (cls if derived else base)(1.0, 1.0)
        vars(p).update(x=x, y=y)            # as they are kept, whatever is said of attributes
        return p

    def slopes(step=1e-6):
        return [(f(at(2.0 + dx, 3.0 + dy)) - f(at(2.0 - dx, 3.0 - dy))) / (2.0 * step)
                for dx, dy in ((step, 0.0), (0.0, step))]

    d = tl.grad(f)
    for _ in range(2):
        np.testing.assert_allclose([*vars(d(at(2.0, 3.0))).values()], slopes(), rtol=1e-6)
    change(base)
    for _ in range(2):
        np.testing.assert_allclose([*vars(d(at(2.0, 3.0))).values()], slopes(), rtol=1e-6)


OUTSIDE = np.ones((2, 3))


class Decides(dict):
    def __getitem__(self, key):
        return 2.0


def reads_outside(x):
    return np.sum(OUTSIDE @ x) * 2.0


def test_what_was_refused_is_asked_for_anew(monkeypatch):
    matrix, x = np.arange(6.0).reshape(2, 3), np.ones(3)
    d = tl.grad(reads_outside)
    for _ in range(2):
        monkeypatch.setitem(globals(), "OUTSIDE", Decides())
        for _ in range(2):
            with pytest.raises(tl.TangentError, match="Decides"):
                d(x)
        monkeypatch.setitem(globals(), "OUTSIDE", matrix)
        for _ in range(2):
            np.testing.assert_allclose(d(x), 2.0 * matrix.sum(0))
        for sparse in (scipy.sparse.dok_matrix(matrix), scipy.sparse.csr_array(matrix)):
            monkeypatch.setitem(globals(), "OUTSIDE", sparse)
            if sparse.format == "dok":
                with pytest.raises(tl.TangentError, match="dok_matrix"):
                    d(x)
            else:
                np.testing.assert_allclose(d(x), 2.0 * matrix.sum(0))
