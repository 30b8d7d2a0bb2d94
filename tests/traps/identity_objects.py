"""Objects whose classes say in Python what operators, attributes and comparisons do."""
import dataclasses
from dataclasses import InitVar, dataclass, field

from tests.traps.case import case


class Desc:

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, kind=None):
        if obj is None:
            return self
        return getattr(obj, "_" + self.name) * 2.0

    def __set__(self, obj, value):
        setattr(obj, "_" + self.name, value * 3.0)


class WithDesc:
    v = Desc()

    def __init__(self, v):
        self.v = v


def descriptor(x):
    o = WithDesc(x)
    o.v = o.v * x
    return o.v + o._v


case(descriptor, 0.7)


class Data:

    def __get__(self, obj, kind=None):
        return obj.raw["v"] * 2.0

    def __set__(self, obj, value):
        obj.raw["v"] = value


class WithData:
    v = Data()

    def __init__(self, v):
        self.raw = {"v": v}


def with_hidden():
    o = WithData(0.7)
    o.__dict__["v"] = 100.0
    return (o, 0.3)


def data_descriptor_first(o, x):
    o.v = o.v * x
    return o.v * x


case(data_descriptor_first, make=with_hidden, wrt=(1,))


class Base1:

    def __init__(self, r):
        self.r = r

    @property
    def area(self):
        return self.r ** 2

    def scale(self, k):
        return self.r * k


class Sub1(Base1):

    @property
    def area(self):
        return super().area * self.r

    def scale(self, k):
        return super().scale(k) * self.r


def super_property(x):
    s = Sub1(x)
    return s.area + s.scale(x)


case(super_property, 0.7)


def super_property_arg(s):
    return s.area + s.scale(2.0)


case(super_property_arg, Sub1(0.7))


@dataclass
class Clamped:
    v: float
    n: int = 0

    def __setattr__(self, name, value):
        if name == "v":
            value = value * 2.0
        object.__setattr__(self, name, value)


def dataclass_setattr(x):
    c = Clamped(x)
    c.v = c.v * x
    return c.v


case(dataclass_setattr, 0.7)


@dataclass
class WithInit:
    a: float
    k: InitVar[float] = 2.0
    b: float = 1.5
    items: list = field(default_factory=list)
    w: float = field(init=False, default=3.0)
    c: float = field(init=False)

    def __post_init__(self, k):
        self.c = self.a * k + self.b
        self.items.append(self.c)


def dataclass_initvar(x):
    o = WithInit(x)
    p = WithInit(x, k=x, b=x * x)
    q = WithInit(x, x * 3.0)
    return o.c * p.c + p.items[0] * q.c * len(o.items) + q.w


case(dataclass_initvar, 0.7)


@dataclass(frozen=True)
class Frozen:
    a: float
    b: float = 2.0

    def scaled(self, k):
        return dataclasses.replace(self, a=self.a * k)

    def __post_init__(self):
        object.__setattr__(self, "b", self.b * self.a)


def frozen(x):
    f = Frozen(x).scaled(x)
    return f.a * f.b


case(frozen, 0.7)


@dataclass(order=True)
class Ordered:
    v: float
    tag: str = field(default="a", compare=False)


def dataclass_sorted(x, y, z):
    o = sorted([Ordered(x, "x"), Ordered(y, "y"), Ordered(z * x, "z")])
    m = max(o)
    return o[0].v * 2.0 + m.v * o[1].v + (1.0 if o[0] < o[1] else 0.0)


case(dataclass_sorted, 0.7, 0.4, 1.2)


@dataclass(eq=True)
class Slotted:
    __slots__ = ("a", "b")
    a: float
    b: float


def slotted(x):
    s = Slotted(x, x * 2.0)
    s.a *= s.b
    return s.a + s.b + (1.0 if s == Slotted(x, x) else 2.0)


case(slotted, 0.7)


class Cmp:
    seen = None

    def __init__(self, v):
        self.v = v
        self.last = 0.0

    def __lt__(self, other):
        self.last = other.v * 2.0
        return self.v < other.v

    def __eq__(self, other):
        self.last = self.v * 3.0
        return self.v == other.v

    def __contains__(self, k):
        self.last = self.v * k
        return k > 1.0

    def __hash__(self):
        return 7


def lt_writes(x, y):
    a, b = (Cmp(x), Cmp(y))
    if a < b:
        return a.last * x
    return x


case(lt_writes, 0.7, 1.3)


def gt_reflected_writes(x, y):
    a, b = (Cmp(x), Cmp(y))
    if b > a:
        return a.last * x
    return x


case(gt_reflected_writes, 0.7, 1.3)


def eq_writes(x, y):
    a, b = (Cmp(x), Cmp(y))
    if a == b:
        return x
    return a.last * y


case(eq_writes, 0.7, 1.3)


def contains_writes(x, y):
    a = Cmp(x)
    if y in a:
        return a.last * x
    return x


case(contains_writes, 0.7, 1.3)


def in_list_writes(x, y):
    a, b = (Cmp(x), Cmp(y))
    if a in [b]:
        return x
    return (a.last + b.last) * x


case(in_list_writes, 0.7, 1.3)


class Sym:

    def __init__(self, v):
        self.v = v

    def __gt__(self, other):
        return self.v - other.v


def gt_gives_float(x, y):
    return (Sym(x) > Sym(y)) * x


case(gt_gives_float, 0.7, 1.3)
