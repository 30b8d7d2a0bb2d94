"""Operators of the user's classes in loops: what they give is known by what their methods give."""
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import pytest

import tangent_lite as tl

X = np.arange(5.0) * 0.3 + 0.7


@dataclass
class V:
    x: float
    y: float

    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)

    def __mul__(self, s):
        return V(self.x * s, self.y * s)
    __rmul__ = __mul__


def reflected(x):
    p = V(x[0], 1.0)
    v = V(0.0, x[1])
    for i in range(5):
        p = p + 0.1 * v
        v = v * 0.9
    return p.x * p.y


def once(x):
    p = V(x[0], 1.0)
    v = V(0.0, x[1])
    p = p + 0.1 * v
    return p.x * p.y


def in_a_loop(x):
    p = V(x[0], 1.0)
    v = V(0.0, x[1])
    for i in range(5):
        v = v * 0.9
        p = p + v
    return p.x * p.y


class Pair:

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __add__(self, o):
        if isinstance(o, Pair):
            return Pair(self.a + o.a, self.b + o.b)
        return Pair(self.a + o, self.b)
    __radd__ = __add__

    def __sub__(self, o):
        return self + -o

    def __neg__(self):
        return Pair(-self.a, -self.b)

    def __mul__(self, o):
        if isinstance(o, Pair):
            return Pair(self.a * o.a, self.a * o.b + self.b * o.a)
        return Pair(self.a * o, self.b * o)

    def __rmul__(self, o):
        return self * o

    def __truediv__(self, s):
        return Pair(self.a / s, self.b / s)

    def __getitem__(self, i):
        return self.a if i == 0 else self.b

    def __abs__(self):
        return (self.a ** 2 + self.b ** 2) ** 0.5


def dual_numbers(x):
    q = Pair(x[0], 1.0)
    s = Pair(1.0, 0.0)
    t = Pair(1.0, 0.0)
    for k in range(1, 6):
        t = t * q / k
        s = s + t
    r = 0.5 * (s - t) + 1.0
    while abs(r) < 50.0:
        r = 1.5 * r
        r = --r
    return r.a * r.b + r[0] + sum([s, t], Pair(0.0, 0.0)).a


def in_place(x):
    q = Pair(x[0], x[1])
    for k in range(3):
        q += 0.1 * q
        q *= 1.1
        q -= Pair(1.0, x[2])
    return q.a * q.b


def runge_kutta(x):

    def f(s):
        return Pair(s.b, -s.a * x[1])
    s = Pair(x[0], 0.0)
    h = 0.1
    for k in range(4):
        k1 = f(s)
        k2 = f(s + 0.5 * h * k1)
        k3 = f(s + 0.5 * h * k2)
        k4 = f(s + h * k3)
        s = s + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return s.a * s.b


def of_a_list(x):
    L = [Pair(v, 1.0) for v in x]
    acc = Pair(0.0, 0.0)
    for q in L:
        acc = acc + q * q
    return acc.a * acc.b


class Bad:

    def __init__(self, a):
        self.a = a

    def __add__(self, o):
        if isinstance(o, Pair):
            return NotImplemented
        return Bad(self.a + o.a)


def not_for_all(x):
    b = Bad(x[0])
    r = Bad(0.0)
    for k in range(3):
        r = r + b
    return r.a


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, scale):
        return Vector(self.x * scale, self.y * scale)

    def __neg__(self):
        return self * -1.0          # the operand is a literal with a sign


def with_a_sign(x):
    place = Vector(x[0], x[1])
    speed = Vector(x[2], x[3])
    for _ in range(4):
        speed = speed + -place * x[4]
        place = place + speed * +0.5
    return place.x * speed.y


class Spring(ABC):
    def __init__(self, stiffness):
        self.stiffness = stiffness

    @abstractmethod
    def force(self, stretch):
        ...

    def energy(self, stretch):
        return 0.5 * self.force(stretch) * stretch


class Linear(Spring):
    def force(self, stretch):
        return self.stiffness * stretch


class Hardening(Spring):
    def __init__(self, stiffness, growth):
        super().__init__(stiffness)
        self.growth = growth

    def force(self, stretch):
        return self.stiffness * stretch + self.growth * stretch ** 3


def of_abstract_classes(x):
    first, second = Linear(x[0]), Hardening(x[1], x[2])
    return first.energy(x[3]) * second.energy(x[4]) + second.growth


class Mass:
    def __init__(self, m, x):
        self.m, self.x = m, x

    def __add__(self, o):
        m = self.m + o.m
        return Mass(m, (self.m * self.x + o.m * o.x) / m)

    def __radd__(self, o):
        return self if o == 0 else self + o

    def __iter__(self):                         # of which a sum asks nothing
        yield self.m
        yield self.x


def sums(x):
    masses = [Mass(v, v * v) for v in x]
    center = sum(masses)                        # begins with 0 + masses[0]
    other = sum((Mass(v.m * v.x, v.x) for v in masses), Mass(1.0, 2.0))
    none = sum(masses[:0], Mass(x[0], x[1]))
    named = sum([V(x[1], x[2])] * 3, V(0.0, x[3]))
    return center.x * other.x + none.x * none.m + named.x * named.y


@pytest.mark.parametrize("f", [
    reflected, once, in_place, in_a_loop, runge_kutta, of_a_list, not_for_all, with_a_sign,
    of_abstract_classes, dual_numbers, sums], ids=lambda f: f.__name__)
@pytest.mark.sweep(3)
def test_operators_of_classes(f):
    derivative = tl.grad(f)
    wanted = np.array([(f(X + 1e-6 * unit) - f(X - 1e-6 * unit)) / 2e-6 for unit in np.eye(5)])
    np.testing.assert_allclose(derivative(X), wanted, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(tl.jvp(f, (X,), (np.cos(X),))[1], wanted @ np.cos(X), rtol=1e-6)
    assert "tape.pull" not in derivative.source_for(X)


class Counting(type):
    made = 0

    def __call__(cls, *args):
        Counting.made += 1
        return super().__call__(*args)


class Counted(metaclass=Counting):
    def __init__(self, x):
        self.x = x


def test_a_metaclass_with_a_call_of_its_own_is_not_passed_over():
    def f(x):
        return Counted(x).x ** 2

    before = Counting.made
    with pytest.raises(tl.MissingRuleError, match="Counted"):
        tl.grad(f)(3.0)
    assert Counting.made == before


def test_an_abstract_class_is_not_made():
    def f(x):
        return Spring(x).stiffness

    with pytest.raises(TypeError, match="abstract"):
        tl.grad(f)(3.0)


class Matrix:
    def __init__(self, rows):
        self.rows = rows

    def __matmul__(self, other):
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in zip(*other.rows)]
                       for row in self.rows])

    def __pow__(self, n):
        return self if n == 1 else self @ self ** (n - 1)


class Tree:
    def __init__(self, value, parts=()):
        self.value, self.parts = value, parts

    def __add__(self, other):
        return Tree(self.value * other.value, [a + b for a, b in zip(self.parts, other.parts)])

    def __neg__(self):
        return Tree(-self.value, [-part for part in self.parts])

    def __getitem__(self, path):
        return self.parts[path[0]][path[1:]] if path else self.value


def power_of_a_matrix(x):
    p = Matrix([[x, 1.0], [0.5, x * x]]) ** 3
    return p.rows[0][0] * p.rows[1][0]


def sum_of_trees(x):
    tree = Tree(x, [Tree(x * x, [Tree(3.0 * x)]), Tree(2.0)])
    both = tree + -tree
    return both[()] * both[0, 0] + both[1,]


@pytest.mark.parametrize("function", [power_of_a_matrix, sum_of_trees])
def test_an_operator_that_comes_back_to_itself_is_not_written_out_for_ever(function):
    step = 1e-6
    wanted = (function(0.7 + step) - function(0.7 - step)) / (2 * step)
    assert np.isclose(tl.grad(function)(0.7), wanted)
    assert np.isclose(tl.jvp(function, (0.7,), (1.0,))[1], wanted)
