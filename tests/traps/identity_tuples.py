"""Tuples whose classes have methods and operators, and containers with classes of their own."""
import collections
import math
from typing import NamedTuple

from tests.traps.case import case


class P(NamedTuple):
    x: float
    y: float

    @property
    def norm(self):
        return math.sqrt(self.x ** 2 + self.y ** 2)

    def __add__(self, other):
        return P(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return P(self.x * k, self.y * k)

    def __rmul__(self, k):
        return P(self.x * k * 2.0, self.y * k)

    def __neg__(self):
        return P(-self.x, -self.y)

    def dot(self, o):
        return self.x * o.x + self.y * o.y

    @classmethod
    def make(cls, t):
        return cls(math.cos(t), math.sin(t))


def nt_property(x, y):
    return P(x, y).norm


case(nt_property, 0.7, 1.3)


def nt_add(x, y):
    p = P(x, y) + P(y, x * x)
    return p.x * p.y


case(nt_add, 0.7, 1.3)


def nt_mul(x, y):
    p = P(x, y) * x
    return p.x * p.y


case(nt_mul, 0.7, 1.3)


def nt_mul_int(x, y):
    p = P(x, y) * 3
    return p.x * p.y


case(nt_mul_int, 0.7, 1.3)


def nt_rmul(x, y):
    p = x * P(x, y)
    return p.x * p.y


case(nt_rmul, 0.7, 1.3)


def nt_neg(x, y):
    p = -P(x, y)
    return p.x * p.y * p.x


case(nt_neg, 0.7, 1.3)


def nt_method(x, y):
    return P(x, y).dot(P.make(x)) + P(x, y)[0]


case(nt_method, 0.7, 1.3)


def nt_iadd(x, y):
    p = P(x, y)
    p += P(y, y)
    p *= x
    return p.x * p.y


case(nt_iadd, 0.7, 1.3)


def nt_arg(p):
    q = p._replace(x=p.y * 2.0)
    return q.norm * p.norm


case(nt_arg, P(0.7, 1.3))


class Scaled(collections.namedtuple("Base", "a b")):

    def __new__(cls, x):
        return super().__new__(cls, x * 2.0, x * x)


def nt_new(x):
    s = Scaled(x)
    return s.a * s.b


case(nt_new, 0.7)


class TwiceIndex(NamedTuple):
    a: float
    b: float

    def __getitem__(self, k):
        return tuple.__getitem__(self, k) * 2.0

    def __len__(self):
        return 7


def nt_getitem(x, y):
    t = TwiceIndex(x, y)
    return t[0] * t[1] + len(t)


case(nt_getitem, 0.7, 1.3)
