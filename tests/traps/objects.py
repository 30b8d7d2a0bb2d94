"""Traps of objects: attributes written, aliases, methods, properties, operators, wrt="self.W"."""
import functools
import math
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])


class Box:
    def __init__(self, value):
        self.value = value


@dataclass
class Pair:
    a: object
    b: float = 2.0
    seen: list = field(default_factory=list)


def two_names(x, y):
    a = Box(x)
    b = a
    b.value = b.value * y
    a.value += x
    b = Box(9.0)
    b.value *= x
    return a.value * b.value


case(two_names, 0.7, 1.3)


def made_in_loop(x, n):
    boxes = []
    for k in range(n):
        boxes.append(Box(x * k))
        boxes[0].value += x
    return sum(b.value * (k + 1) for k, b in enumerate(boxes))


case(made_in_loop, 0.7, 3)


def attribute_in_loop(x, n):
    b = Box(x)
    for k in range(n):
        b.value = math.sin(b.value) * x + k
    return b.value * x


case(attribute_in_loop, 0.7, 3)
case(attribute_in_loop, 0.7, 0)


def linked(x, y):
    a, b = Box(x), Box(y)
    a.next, b.next = b, a
    a.next.value *= x
    return a.value * a.next.value * a.next.next.value


case(linked, 0.7, 1.3)


def array_attribute(u, x):
    b = Box(u.copy())
    v = b.value
    b.value *= x
    v[0] = x
    b.value = b.value + 1.0
    b.value[1] = v[0] * x
    return np.sum(b.value) * np.sum(v)


case(array_attribute, u4, 0.7)


def attribute_is_argument(u, x):
    b = Box(u)
    b.value[1:] *= x
    return np.sum(u * b.value)


case(attribute_is_argument, u4, 0.7)


class Walker:
    step_size = 0.1

    def __init__(self, x, v=0.0):
        self.x, self.v = x, v
        self.trail = [x]

    def step(self, k):
        self.v -= self.step_size * k * self.x
        self.x += self.step_size * self.v
        self.trail.append(self.x)
        return self

    @property
    def energy(self):
        return 0.5 * self.v ** 2 + 0.5 * self.x ** 2

    @classmethod
    def at_rest(cls, x):
        return cls(x)

    @staticmethod
    def norm(a, b):
        return math.sqrt(a * a + b * b)


def methods_chained(x, k):
    w = Walker.at_rest(x).step(k).step(2.0 * k)
    return w.energy * w.trail[1] + Walker.norm(w.x, w.v)


case(methods_chained, 0.7, 1.3)


def class_attribute_shadowed(x, k):
    w, other = Walker(x), Walker(x)
    w.step_size = x
    w.step(k)
    other.step(k)
    return w.x * other.x


case(class_attribute_shadowed, 0.7, 1.3)


class Thermometer:
    def __init__(self, x):
        self._x, self.reads = x, 0

    @property
    def value(self):
        self.reads += 1
        return self._x * self.reads

    @value.setter
    def value(self, x):
        self._x = x * x


def property_with_side_effect(x):
    t = Thermometer(x)
    a = t.value * t.value
    t.value = a
    t.value += x
    return t.value + t.reads


case(property_with_side_effect, 0.7)


class Lazy:
    def __init__(self, x):
        self.x = x

    @functools.cached_property
    def square(self):
        return self.x * self.x


def cached(x):
    z = Lazy(x)
    a = z.square
    z.x = 5.0 * x
    return a * z.square * z.x


case(cached, 0.7)


class Poly:
    def __init__(self, c):
        self.c = c

    def __call__(self, x):
        y = 0.0
        for c in self.c:
            y = y * x + c
        return y

    def __add__(self, other):
        return Poly([a + b for a, b in zip(self.c, other.c)])

    def __mul__(self, k):
        return Poly([a * k for a in self.c])

    __rmul__ = __mul__

    def __neg__(self):
        return self * -1.0

    def __getitem__(self, k):
        return self.c[k]

    def __setitem__(self, k, v):
        self.c[k] = v

    def __len__(self):
        return len(self.c)

    def __iter__(self):
        return iter(self.c)

    def __lt__(self, other):
        return self.c[0] < other.c[0]


def operators(x, y):
    p = Poly([x, y, 1.0])
    q = x * p + -p * y
    q[0] = q[1] * p[2]
    return q(x) * p(y) * len(q) + sum(q)


case(operators, 0.7, 1.3)


def compared(x, y):
    p, q = Poly([x]), Poly([y])
    return (p if p < q else q)(2.0) * x


case(compared, 0.7, 1.3)


class Base:
    gain = 2.0

    def __init__(self, x):
        self.x = x

    def value(self):
        return self.x * self.factor()

    def factor(self):
        return self.gain


class Derived(Base):
    def __init__(self, x, y):
        super().__init__(x * y)
        self.y = y

    def factor(self):
        return super().factor() * self.y


def inherited(x, y):
    total = 0.0
    for o in (Base(x), Derived(x, y), Derived(y, x)):
        total = total + o.value() * (2.0 if isinstance(o, Derived) else 1.0)
    return total


case(inherited, 0.7, 1.3)


def method_as_value(x, y):
    w = Walker(x)
    step = w.step
    w = Walker(y)
    step(x)
    step(y)
    return step.__self__.x * w.x


case(method_as_value, 0.7, 1.3)


def method_of_class(x, y):
    w = Walker(x)
    Walker.step(w, y)
    for o in map(Walker, [x, y]):
        w.x = w.x * o.x
    return w.x


case(method_of_class, 0.7, 1.3)


def dataclasses_made(x, y):
    p = Pair(x, b=y)
    q = replace(p, a=p.b * x)
    p.seen.append(q.a)
    r = Pair(p)
    r.a.a = x * x
    return q.a * p.a * r.b + sum(q.seen)


case(dataclasses_made, 0.7, 1.3)


def dataclass_argument(p, x):
    p.b = p.b * x
    p.a[0] = p.b
    p.seen.append(x)
    return np.sum(p.a) * p.b * len(p.seen)


case(dataclass_argument, Pair(u4, 0.3), 0.7)


def part_of_argument(p, x):
    return np.sum(np.tanh(p.a * x)) * p.b


case(part_of_argument, Pair(u4, 0.3), 0.7, wrt=("p.a", "p.b", 1))
case(part_of_argument, Pair(u4, 0.3), 0.7, wrt=("p.a",), label="alone")


class Net:
    def __init__(self, W, b):
        self.W, self.b = W, b

    def forward(self, x):
        return np.tanh(self.W @ x + self.b)

    def loss(self, x, y):
        d = self.forward(x) - y
        return np.sum(d * d)

    def update(self, x):
        self.b = self.b * x
        self.W[0] = self.b
        return np.sum(self.W)


W = np.arange(8.0).reshape(2, 4) * 0.1
case(Net.loss, Net(W, 0.2), u4, 0.4, wrt=("self.W", "self.b", 1))
case(Net.loss, Net(W, 0.2), u4, 0.4, wrt=(0,), label="whole")
case(Net.update, Net(W, 0.2), 0.4, wrt=("self.W", "self.b", 1))


def list_of_objects(layers, x):
    for layer in layers:
        x = layer.forward(x)
    return np.sum(x)


case(list_of_objects, [Net(W, 0.1), Net(W[:, :2], 0.3)], u4)


def same_object_twice(x, y):
    shared = Box(x)
    p, q = Pair(shared), Pair(shared)
    p.a.value = x * y
    return q.a.value * p.a.value


case(same_object_twice, 0.7, 1.3)


def helper_changes_object(x, y):
    b = Box(x)
    r = doubled(b)
    doubled(b)
    r.value += y
    return b.value * x


def doubled(b):
    b.value = 2.0 * b.value * b.value
    return b


case(helper_changes_object, 0.7, 1.3)


def attributes_by_name(x, y):
    b = Box(x)
    setattr(b, "extra", y)
    names = ["value", "extra"]
    total = 1.0
    for name in names:
        total = total * getattr(b, name)
    return total * getattr(b, "missing", x) * hasattr(b, "extra")


case(attributes_by_name, 0.7, 1.3)


class Manager:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        self.x = self.x * 2.0
        return self

    def __exit__(self, *error):
        self.x = self.x + 1.0
        return False


def managed(x):
    with Manager(x) as m:
        y = m.x * x
    return y * m.x


case(managed, 0.7)


def namespace_written(p, x):
    p.total = p.a * x
    p.a = p.total * p.b
    return p.a * p.total


case(namespace_written, SimpleNamespace(a=0.7, b=1.3), 0.6)


class Counted:
    def __init__(self, x):
        self.x, self.n = x, 0


def _advance(c, h):
    c.x = c.x + h * c.x * c.x
    c.n += 1


def counts_its_steps(x, h):
    c = Counted(x)
    for _ in range(2):
        _advance(c, h)
    return c.x * c.n


case(counts_its_steps, 0.7, 0.3)
