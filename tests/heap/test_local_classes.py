"""Classes that are defined in a function: held to differences."""
import dataclasses
import functools
import math

import pytest

import tangent_lite as tl
from tangent_lite.errors import UnsupportedSyntaxError


class Base:
    def __init__(self, scale):
        self.scale = scale

    def area(self):
        return self.scale * 2.0


def captures(x, y):
    class Point:
        k = 3.0

        def __init__(self, u):
            self.u = u

        def f(self):
            return self.u * y * self.k
    p = Point(x)
    p.u = p.u * x
    return p.f() ** 2


def names_its_methods(x, y):
    class Point:
        def get(self):
            return self._v * y

        def put(self, v):
            self._v = v * v
        v = property(get, put)
        read = get
        once_more = read
    p = Point()
    p.v = x
    return p.v * p.read() + p.once_more()


def inherits(x, y):
    class Square(Base):
        """A square."""
        sides = 4
        names = ("a", "b")

        def __init__(self, side):
            super().__init__(side * y)
            self.__side = side

        def area(self, more=sides):
            return super().area() * self.__side + more * x

        @property
        def outer(self):
            return self.sides * self.__side

        @outer.setter
        def outer(self, value):
            self.__side = value / self.sides

        @classmethod
        def unit(cls):
            return cls(1.0 + x)

        @staticmethod
        def double(v):
            return 2.0 * v * y

        @functools.cached_property
        def root(self):
            return math.sqrt(self.__side)

    class Cube(Square):
        def area(self, more=2.0):
            return 6.0 * super().area(more) + len(self.names)
    s, c = Square(x), Cube.unit()
    s.outer = s.outer * y
    return s.area() + Square.double(s.outer) + c.area() * s.root + isinstance(c, Square) \
        + (Cube.__name__ == "Cube") * x


def dataclass(x, y):
    @dataclasses.dataclass
    class State:
        place: float
        speed: float = 1.5
        log: list = dataclasses.field(default_factory=list)

        def step(self, dt):
            self.log.append(self.place * y)
            return dataclasses.replace(self, place=self.place + dt * self.speed,
                                       speed=self.speed * (1.0 - dt * x))
    s = State(x)
    for _ in range(3):
        s = s.step(0.1 * y)
    return s.place * s.speed + sum(s.log)


def operators(x, y):
    class Dual:
        def __init__(self, a, b=0.0):
            self.a, self.b = a, b

        def __add__(self, other):
            return Dual(self.a + other.a, self.b + other.b)

        def __mul__(self, other):
            return Dual(self.a * other.a, self.a * other.b + self.b * other.a)

        def __iter__(self):
            yield self.a
            yield self.b
    d = Dual(x, 1.0)
    z = d * d * Dual(y) + d
    return sum(z) * z.b


def within_a_function(x, y):
    def make(scale):
        class Counter:
            def __init__(self):
                self.total = scale

            def __call__(self, v):
                nonlocal calls
                calls += 1
                self.total += v * scale * calls
                return self.total
        return Counter()
    calls = 0
    first, second = make(x), make(y)
    return first(y) * second(x) + first(second(1.0))


def raised(x, y):
    class TooFar(ValueError):
        pass

    def check(v):
        if v > 1.0:
            raise TooFar(v > 2.0)
        return v * y
    total = 0.0
    for k in range(3):
        try:
            total += check(x * k)
        except TooFar as error:
            total -= x * y * (1.0 + len(error.args))
    return total


@pytest.mark.parametrize("f", [captures, names_its_methods, inherits, dataclass, operators,
                               within_a_function, raised])
def test_against_differences(f):
    value, gradient = tl.value_and_grad(f, wrt=(0, 1))(1.2, 0.7)
    assert value == f(1.2, 0.7)
    wanted = [(f(1.2 + 1e-6, 0.7) - f(1.2 - 1e-6, 0.7)) / 2e-6,
              (f(1.2, 0.7 + 1e-6) - f(1.2, 0.7 - 1e-6)) / 2e-6]
    assert gradient == pytest.approx(wanted, rel=1e-6)
    tl.check_grads(f, (1.2, 0.7), order=2)


def varying_constant(x):
    class Scaled:
        factor = x * 2.0

        def of(self, v):
            return self.factor * v
    return Scaled().of(x)


def statements(x):
    class Odd:
        for name in ("a", "b"):
            pass
    return x * len(Odd.name)


@pytest.mark.parametrize("f, reason", [
    (varying_constant, "an attribute of a class that is defined here may vary"),
    (statements, "more than methods and constants")])
def test_what_is_refused(f, reason):
    with pytest.raises(UnsupportedSyntaxError) as caught:
        tl.grad(f)(0.7)
    assert reason in str(getattr(caught.value, "by_identity", caught.value))
