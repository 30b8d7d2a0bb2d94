"""Traps of super(): in constructors, properties, class methods, with several classes behind."""
from tests.traps.case import case


class Base:

    def __init__(self, k):
        self.k = k

    def e(self, x):
        return self.k * x * x

    @property
    def kk(self):
        return self.k * 2

    @classmethod
    def mk(cls, k):
        return cls(k)


class Mid(Base):

    def __init__(self, k, q):
        super().__init__(k)
        self.q = q

    def e(self, x):
        return 2.0 * super().e(x) + self.q

    @property
    def kk(self):
        return super().kk * 3

    @classmethod
    def mk(cls, k):
        return super().mk(k)


class Mix(Base):

    def e(self, x):
        return super().e(x) * 3.0


class Diamond(Mid, Mix):

    def __init__(self, k):
        super(Diamond, self).__init__(k, k * k)

    def e(self, x):
        return super().e(x) + 1.0


class Coop:

    def __init__(self, **kw):
        super().__init__(**kw)
        self.c = 1.0


class CoopB(Coop):

    def __init__(self, b, **kw):
        super().__init__(**kw)
        self.b = b


def sup1(k, x):
    return Mid(k, x).e(x)


case(sup1, 2.0, 3.0)


def sup2(k, x):
    return Diamond(k).e(x)


case(sup2, 2.0, 3.0)


def sup3(d, x):
    return d.e(x) * d.kk


case(sup3, Diamond(2.0), 3.0)


def sup4(k, x):
    return CoopB(b=k).b * x


case(sup4, 2.0, 3.0)


def sup5(k, x):
    return Mix.mk(k).e(x)


case(sup5, 2.0, 3.0)
