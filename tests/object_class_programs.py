"""Lists of objects of many kinds of classes; the last ones are followed by identity."""
from dataclasses import dataclass

import numpy as np
from object_classes import Cell


class Slots:
    __slots__ = ("T", "q")

    def __init__(self, T):
        self.T = T
        self.q = 0.0


class Prop:

    def __init__(self, T):
        self._T = T
        self.n = 0

    @property
    def T(self):
        return self._T * 2

    @T.setter
    def T(self, v):
        self._T = v * 3


class Eq:

    def __init__(self, T):
        self.T = T

    def __eq__(self, o):
        return self.T > o.T

    def __lt__(self, o):
        return self.T < o.T

    def __add__(self, o):
        return Eq(self.T + o.T)

    def __iadd__(self, o):
        self.T *= o.T
        return self


class Base:
    count = 0

    def __init__(self, T):
        self.T = T
        self.setup()

    def setup(self):
        self.q = 1.0

    def act(self):
        self.T *= 2.0


class Sub(Base):

    def setup(self):
        self.q = self.T

    def act(self):
        super().act()
        self.q += self.T


class Getter:

    def __init__(self, T):
        self.T = T

    def __getattr__(self, n):
        return 7.0


class SetA:

    def __init__(self, T):
        self.T = T

    def __setattr__(self, n, v):
        object.__setattr__(self, n, v * 2)


@dataclass
class PI:
    T: float
    q: float = 0.0

    def __post_init__(self):
        self.q = self.T ** 2


def hot(cells):
    best = cells[0]
    for c in cells:
        if c.T > best.T:
            best = c
    return best


def mk2(x):
    c = Cell(x)
    c.q = 3.0
    return c


def properties(x0):
    L = [Prop(x) for x in x0]
    for c in L:
        c.T = c.T + 1.0
        c.n += 1
    return sum((c.T * c.n for c in L))


def equal(x0):
    L = [Eq(x) for x in x0]
    n = 0
    for a in L:
        for b in L:
            if a == b:
                n += 1
                a.T *= 1.01
    return sum((c.T for c in L)) * n


def inherited(x0):
    L = [Sub(x) for x in x0]
    for c in L:
        c.act()
    return sum((c.T * c.q for c in L))


def after_init(x0):
    L = [PI(x) for x in x0]
    for c in L:
        c.T += c.q
        c.q = 0.5 * c.T
    return sum((c.T * c.q for c in L))


def items_of_dicts(x0):
    L = [{"T": x, "q": 2 * x} for x in x0]
    for c in L:
        for k, v in c.items():
            c[k] = v * v
    return sum((sum(c.values()) for c in L))


def one_object_twice(x0):
    L = [Cell(x) for x in x0]
    keep = [L[0], L[2], L[0]]
    for c in keep:
        c.T *= 2.0
    first = keep[0]
    last = keep[-1]
    first.q = last.T
    return sum((c.T * (1 + c.q) for c in L))


def parts_of_parts(x0):
    L = [Cell(x) for x in x0]
    A = L[1:]
    Body = A[1:]
    D = Body[::-1]
    for k, c in enumerate(D):
        c.T *= k + 1.0
    A[0].q = D[-1].T
    return sum((c.T * (1 + c.q) for c in L))


def parts_of_what_grows(x0):
    L = []
    for x in x0:
        L.append(Cell(x))
        for c in L[-2:]:
            c.T *= 1.1
        for c in L[:2]:
            c.q += c.T
        w = L[-1]
        if len(L) > 2:
            L[-3].T += w.T
    return sum((c.T * (1 + c.q) for c in L))


def whilerow(x0):
    L = [Cell(x) for x in x0]
    i = 0
    cur = L[0]
    while cur.T < 4.0:
        cur.T *= 1.5
        i = (i + 1) % len(L)
        cur = L[i]
    return sum((c.T for c in L))


def ternary(x0):
    L = [Cell(x) for x in x0]
    for i in range(len(L)):
        left = L[i - 1] if i > 0 else L[-1]
        right = L[i + 1] if i < len(L) - 1 else L[0]
        L[i].q = left.T - right.T
    for c in L:
        c.T += 0.1 * c.q
    return sum((c.T ** 2 for c in L))


def found_by_a_function(x0):
    L = [Cell(x) for x in x0]

    def hottest(cells):
        best = cells[0]
        for c in cells:
            if c.T > best.T:
                best = c
        return best
    h = hottest(L)
    h.T *= 0.5
    g = hottest(L)
    g.q += h.T
    return sum((c.T * (1 + c.q) for c in L))


def found_by_a_helper(x0):
    L = [Cell(x) for x in x0]
    h = hot(L)
    h.T *= 0.5
    return sum((c.T * (1 + c.q) for c in L))


def made_by_a_function(x0):

    def mk(x):
        return Cell(x * 2)
    L = [mk(x) for x in x0]
    L.append(mk(x0[0]))
    for c in L:
        c.q = c.T ** 2
        c.T += c.q
    return sum((c.T * c.q for c in L))


def made_by_a_helper(x0):
    L = [mk2(x) for x in x0]
    for c in L:
        c.T += c.q * c.T
    return sum((c.T * c.q for c in L))


def objects_in_tuples(x0):
    L = [(Cell(x), x) for x in x0]
    for c, w in L:
        c.T *= w
    return sum((c.T for c, w in L))


def dict_of_lists(x0):
    D = {"a": [Cell(x) for x in x0], "b": [Cell(2 * x) for x in x0]}
    for p, q in zip(D["a"], D["b"]):
        p.T += q.T
        q.T *= p.T
    return sum((p.T for p in D["a"])) + D["b"][1].T


def slots(x0):
    L = [Slots(x) for x in x0]
    for c in L:
        c.q += c.T
        c.T *= 2
    return sum((c.T * c.q for c in L))


def added_to_in_place(x0):
    L = [Eq(x) for x in x0]
    for i in range(1, len(L)):
        L[i] += L[i - 1]
    for a in L:
        a += L[0]
    return sum((c.T for c in L))


def of_several_classes(x0):
    L = [Sub(x) if x > 1 else Base(x) for x in x0]
    for c in L:
        c.act()
    return sum((c.T * c.q for c in L))


def with_getattr(x0):
    L = [Getter(x) for x in x0]
    for c in L:
        c.T *= c.zzz
    return sum((c.T for c in L))


def with_setattr(x0):
    L = [SetA(x) for x in x0]
    for c in L:
        c.T = c.T * 3
    return sum((c.T for c in L))


def attribute_of_a_class_and_an_object(x0):
    L = [Sub(x) for x in x0]
    for c in L:
        c.T *= c.count + 1.0
    L[1].count = 5
    for c in L:
        c.T *= c.count + 1.0
    return sum((c.T for c in L))


def keys_that_are_missing(x0):
    L = [{"T": x} for x in x0]
    for c in L:
        if "q" not in c:
            c["T"] *= 2
        c.setdefault("q", 1.0)
    return sum((c["T"] * c["q"] for c in L))


def keys_that_go(x0):
    L = [{"T": x, "q": 1.0} for x in x0]
    for c in L:
        del c["q"]
        c["T"] *= len(c) + 1
    return sum((c["T"] for c in L))


def swap_names(x0):
    L = [Cell(x) for x in x0]
    a, b = (L[0], L[1])
    for k in range(3):
        a, b = (b, a)
        a.T *= 2.0
    return a.T * b.q + b.T + L[0].T * 3 + (1.0 if a is L[1] else 2.0) * L[1].T


def cached(x0):
    cache = {}

    def mk(k):
        if k not in cache:
            cache[k] = Cell(x0[k])
        return cache[k]
    L = [mk(0), mk(1), mk(0)]
    for c in L:
        c.T *= 2.0
    return sum((c.T for c in L))


def maybe_same(x0):
    a = Cell(x0[0])
    b = a if x0[1] > 0 else Cell(1.0)
    L = [a, b]
    for c in L:
        c.T *= 2.0
    return L[0].T


def joined_twice(x0):
    L = []
    for i in range(4):
        if i % 2 == 0:
            c = Cell(x0[i])
        L.append(c)
    for c in L:
        c.T *= 2.0
    return sum((c.T for c in L))


def arr_in_tuple(x0):
    L = []
    for i in range(3):
        L.append((x0 * i, i))
    for a, i in L:
        a += 1.0
    return sum((np.sum(a ** 2) * i for a, i in L))


def lists_of_lists(x0):
    L = [[Cell(x), Cell(2 * x)] for x in x0]
    for a, b in L:
        a.T *= b.T
    return sum((r[0].T for r in L))


def objects_in_a_dict(x0):
    D = {"a": Cell(x0[0]), "b": Cell(x0[1])}
    for c in D.values():
        c.T *= 2
    D["a"].T += D["b"].T
    return D["a"].T * D["b"].T


OF_CLASSES = [
    properties, equal, inherited, after_init, one_object_twice, parts_of_parts,
    parts_of_what_grows, whilerow, ternary, found_by_a_function, found_by_a_helper,
    made_by_a_function, made_by_a_helper, objects_in_tuples, dict_of_lists, slots,
    added_to_in_place, arr_in_tuple]

OF_OTHER_CLASSES = [
    of_several_classes, with_getattr, with_setattr,
    attribute_of_a_class_and_an_object, keys_that_are_missing, keys_that_go, swap_names,
    items_of_dicts, cached,
    maybe_same, joined_twice, lists_of_lists, objects_in_a_dict]
