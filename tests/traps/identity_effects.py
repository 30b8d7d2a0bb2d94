"""Special methods that leave traces: each is called as often as Python calls it."""
import enum

import numpy as np

from tests.traps.case import case

LOG = []


class Loud:

    def __init__(self, v):
        self.v = v

    def __repr__(self):
        LOG.append("r")
        return f"L({self.v})"

    def __bool__(self):
        LOG.append("b")
        return self.v > 0

    def __hash__(self):
        LOG.append("h")
        return 3

    def __eq__(self, o):
        LOG.append("e")
        return self.v == o.v

    def __lt__(self, o):
        LOG.append("l")
        return self.v < o.v

    def __len__(self):
        LOG.append("n")
        return 3

    def __index__(self):
        LOG.append("i")
        return 1

    def __float__(self):
        LOG.append("f")
        return self.v * 2.0

    def __contains__(self, k):
        LOG.append("c")
        return True

    def __iter__(self):
        LOG.append("it")
        return iter([self.v, self.v * 2.0])

    def __enter__(self):
        LOG.append("en")
        return self

    def __exit__(self, *a):
        LOG.append("ex")
        return False

    def __format__(self, s):
        LOG.append("fm")
        return "x"


def pure_repr(x):
    LOG.clear()
    s = repr(Loud(x))
    t = str(Loud(x))
    return x * len(LOG)


case(pure_repr, 0.7)


def pure_format(x):
    LOG.clear()
    s = f"{Loud(x)} {Loud(x)!r}"
    return x * len(LOG)


case(pure_format, 0.7)


def pure_not(x):
    LOG.clear()
    b = not Loud(x)
    c = Loud(x) and 2.0
    e = bool(Loud(x))
    return x * len(LOG) * c


case(pure_not, 0.7)


def pure_in(x):
    LOG.clear()
    b = 2 in Loud(x)
    c = Loud(x) in [Loud(x), Loud(2.0)]
    return x * len(LOG)


case(pure_in, 0.7)


def pure_float(x):
    LOG.clear()
    v = float(Loud(x))
    return v * len(LOG)


case(pure_float, 0.7)


def pure_with(x):
    LOG.clear()
    with Loud(x) as l:
        v = l.v * 2.0
    return v * len(LOG)


case(pure_with, 0.7)


def pure_with_raise(x):
    LOG.clear()
    v = x
    try:
        with Loud(x) as l:
            raise ValueError("q")
    except ValueError:
        v = x * 3.0
    return v * len(LOG)


case(pure_with_raise, 0.7)


def pure_sort(x):
    LOG.clear()
    o = sorted([Loud(x), Loud(2.0), Loud(0.1)])
    m = min([Loud(x), Loud(2.0)])
    l = [Loud(x), Loud(0.1)]
    l.sort()
    return o[1].v * m.v * len(LOG) * l[1].v


case(pure_sort, 0.7)


def pure_any(x):
    LOG.clear()
    b = any([Loud(x)])
    c = all(map(bool, [Loud(x)]))
    d = list(filter(None, [Loud(x)]))
    return x * len(LOG)


case(pure_any, 0.7)


class VecT:

    def __init__(self, a, b):
        self.a, self.b = (a, b)

    def __rmul__(self, k):
        return VecT(self.a * k, self.b * k)

    def __radd__(self, k):
        return VecT(self.a + k, self.b)

X3 = np.array([0.5, -1.2, 0.8])


def sum_record(x):
    r = sum([VecT(x[0], x[1]), 3.0][:1])
    return r.a * r.b


case(sum_record, X3)


class VecR:
    __array_ufunc__ = None

    def __init__(self, a, b):
        self.a, self.b = (a, b)

    def __rmul__(self, k):
        return VecR(self.a * k, self.b * k)

    def __mul__(self, k):
        return VecR(self.a * k, self.b * k)

    def __radd__(self, k):
        return VecR(self.a + k, self.b)

    def __array__(self):
        return np.array([self.a, self.b])


def npfloat_record(x):
    class_ = VecR(1.0, 2.0)
    r = x * class_
    return r.a * r.b


case(npfloat_record, np.float64(0.7))


def npfloat_record2(x):
    r = x * VecT(1.0, 2.0)
    return r.a * r.b


case(npfloat_record2, np.float64(0.7))


class Turned:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __getitem__(self, k):
        return (self.a, self.b)[k]

    def __rsub__(self, k):
        return Turned(k - self.a, k * k - self.b)

    def __rtruediv__(self, k):
        return Turned(k / self.a, self.b)

    def __rpow__(self, k):
        return Turned(self.a, k ** self.b) if type(k) is not int else NotImplemented


def npfloat_turned(x):
    t = [Turned(x[0], x[1] + 2.0)]
    u = x[2] - t[0]
    t[0] = x[1] / u
    v = x[0] ** 2 / Turned(t[0].a, (x[2] ** 2 + 1.0) ** Turned(u[1], x[1]).b)
    return t[0].a * u.b + v[0] * v.b


case(npfloat_turned, X3)


class VecS(VecR):
    __array_ufunc__ = None


def array_record(x):
    r = x * VecS(1.0, 2.0)
    return np.sum(r.a * r.b)


case(array_record, X3)


def array_record2(x):
    r = x * VecT(1.0, 2.0)
    return r[0].a * r[1].b


case(array_record2, X3)


class Color(enum.Enum):
    RED = 2.0
    BLUE = 3.0

    @property
    def twice(self):
        return self.value * 2


def enums(x):
    class_ = Color.RED
    return x * class_.value + (1.0 if class_ is Color.RED else 0.0) * Color["BLUE"].value * x


case(enums, 0.7)


def enum_prop(x):
    return x * Color.RED.twice


case(enum_prop, 0.7)


def fibm(n, x):
    if n in fibm.memo:
        return fibm.memo[n]
    v = x if n < 2 else fibm(n - 1, x) * fibm(n - 2, x) + 1.0
    fibm.memo[n] = v
    return v


fibm.memo = {}


def memo_attribute(x):
    fibm.memo.clear()
    return fibm(6, x)


case(memo_attribute, 0.7)
