"""What looks into lists, dicts and tuples that change afterwards, and tuples with methods."""
import copy
import math
from collections import Counter, OrderedDict, defaultdict

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tests.traps.case import case

M23 = np.array([[0.5, -1.2, 0.8], [1.1, 0.3, -0.7]])


def tolist_swapped(x):
    rows = x.tolist()
    rows[0], rows[1] = (rows[1], rows[0])
    return rows[0][0] * 2.0 + rows[1][1] * rows[0][2]


case(tolist_swapped, M23)

X4 = np.array([0.5, 1.2, 0.8, 2.0])


def split_mutated(x):
    parts = np.split(x, 2)
    a = parts[0]
    parts[0] = np.zeros(2)
    return np.sum(a * a) + np.sum(parts[1])


case(split_mutated, X4)

X3 = np.array([0.5, -1.2, 0.8])


def stack_mutated(x, y):
    xs = [x * 2.0, y * 3.0]
    s = np.stack(xs)
    xs[0] = x * 0.0
    return np.sum(s * s)


case(stack_mutated, X3, X3 * 2)


def stack_cleared(x, y):
    xs = [x * 2.0, y * 3.0]
    s = np.stack(xs)
    xs.clear()
    return np.sum(s * s)


case(stack_cleared, X3, X3 * 2)


def array_of_list_cleared(x, y):
    xs = [x * 2.0, y * 3.0]
    s = np.array(xs)
    xs.clear()
    return np.sum(s * s)


case(array_of_list_cleared, 0.7, 1.3)


def sum_cleared(x, y):
    xs = [x * 2.0, y * 3.0]
    s = sum(xs)
    xs.clear()
    return s * s


case(sum_cleared, 0.7, 1.3)


def sum_reset(x, y):
    xs = [x * 2.0, y * 3.0]
    s = sum(xs)
    xs[0] = None
    return s * s


case(sum_reset, 0.7, 1.3)


def max_cleared(x, y):
    xs = [x * 2.0, y * 3.0]
    s = max(xs)
    xs.clear()
    return s * s


case(max_cleared, 0.7, 1.3)


def written_list_mutated(x, y):
    z = np.zeros(2)
    xs = [x * 2.0, y * 3.0]
    z[:] = xs
    xs[0] = 5.0
    xs.pop()
    return np.sum(z * z)


case(written_list_mutated, 0.7, 1.3)


def update_pairs_mutated(x, y):
    d = {}
    pairs = [["a", x * y], ["b", y]]
    d.update(pairs)
    pairs[0] = ["a", 2.0]
    pairs[1][1] = 3.0
    return d["a"] * d["b"]


case(update_pairs_mutated, 0.7, 1.3)


def defaultdict_active_factory(x):
    d = defaultdict(lambda: x * x)
    return d["a"] * 3.0 + d["a"]


case(defaultdict_active_factory, 0.7)


def defaultdict_nested(x):
    d = defaultdict(lambda: defaultdict(list))
    for k in "abca":
        d[k]["q"].append(x * len(d))
    return sum(d["a"]["q"]) * d["b"]["q"][0]


case(defaultdict_nested, 0.7)


def counter_floats(x):
    c = Counter()
    for k in "abca":
        c[k] += x * x
    return c["a"] * c["b"]


case(counter_floats, 0.7)


def counter_ints(x):
    c = Counter("abracadabra")
    return c["a"] * x ** c["b"] + c["zz"]


case(counter_ints, 0.7)


def ordered_made(x, y):
    d = OrderedDict([("a", x), ("b", y)])
    d.move_to_end("a")
    return list(d.values())[0] * 3.0 + list(d.values())[1]


case(ordered_made, 0.7, 1.3)


class L(list):

    def total(self):
        return sum((v * v for v in self))

    def __getitem__(self, k):
        return list.__getitem__(self, k) * 2.0


def list_subclass(x, y):
    l = L([x, y])
    l.append(x * y)
    return l.total() + l[0]


case(list_subclass, 0.7, 1.3)


class D(dict):

    def __missing__(self, key):
        return 3.0

    def __setitem__(self, k, v):
        super().__setitem__(k, v * 2.0)


def dict_subclass(x, y):
    d = D()
    d["a"] = x
    return d["a"] * y + d["b"] * x


case(dict_subclass, 0.7, 1.3)

REG = D()


def dict_subclass_global(x, y):
    REG["k"] = x
    return REG["k"] * y


case(dict_subclass_global, 0.7, 1.3)

RL = L([1.0, 2.0])


def list_subclass_global(x):
    RL.append(x)
    return RL.total()


case(list_subclass_global, 0.7)


def list_subclass_arg(l):
    l.append(2.0)
    return l.total()


case(list_subclass_arg, make=lambda: (L([0.5, 0.7]),), wrt=(0,))


def sliding_written(x):
    w = sliding_window_view(x, 2)
    x[0] = x[3] * x[2]
    return np.sum(w * w * w)


case(sliding_written, X4)


def tuple_index_repeated(x):
    z = np.zeros(3)
    z[(0, 0),] = x[:2]
    return np.sum(z * x)


case(tuple_index_repeated, X3)


def mask_iand(x):
    m = x > 0
    m &= x < 0.7
    m |= x < -1.0
    m ^= True
    return np.sum(x[m] ** 2)


case(mask_iand, X3)


def int_flags(x):
    k = 1
    k |= 4
    k <<= 1
    k &= 15
    k ^= 1
    k >>= 1
    k //= 2
    k %= 7
    k **= 2
    return x * k


case(int_flags, 0.7)


class Box:
    n = 0

    def __init__(self):
        self.flags = 0


def attr_flags(x):
    b = Box()
    b.flags |= 4
    b.flags <<= 1
    d = {"k": 3}
    d["k"] &= 2
    d["k"] -= 1
    return x * b.flags * d["k"]


case(attr_flags, 0.7)


def dtype_kw(x, y):
    return np.sum(np.array([x, y], dtype=float) ** 2) \
        + np.sum(np.asarray([x, y * y], float), dtype=np.float64)


case(dtype_kw, 0.7, 1.3)


def astype_kw(x):
    return np.sum(x.astype(dtype="float64", copy=False) ** 2)


case(astype_kw, X3)


def tiny_division(x):
    y = 1e-200
    return x * 1e-200 / y


case(tiny_division, 0.7)


def ndindex_loop(x):
    z = np.outer(x, x)
    s = 0.0
    for i, j in np.ndindex(3, 3):
        s += z[i, j] * (i + 2 * j)
    return s


case(ndindex_loop, X3)


def ndenumerate_loop(x):
    s = 0.0
    for (i,), v in np.ndenumerate(x):
        s += v * v * i
    return s


case(ndenumerate_loop, X3)


def deepcopy_views(x):
    u, v = copy.deepcopy([x, x[1:]])
    v[0] = 5.0
    return np.sum(u * u) + np.sum(v)


case(deepcopy_views, X3)


class DC:

    def __init__(self, v):
        self.v = v

    def __deepcopy__(self, memo):
        return DC(self.v * 3.0)

    def __copy__(self):
        return DC(self.v * 2.0)


def deepcopy_own(x):
    return copy.deepcopy(DC(x)).v * x


case(deepcopy_own, 0.7)


def deepcopy_own_inside(x):
    return copy.deepcopy([DC(x)])[0].v * x


case(deepcopy_own_inside, 0.7)


def copy_own(x):
    return copy.copy(DC(x)).v * x


case(copy_own, 0.7)


def seek(x):
    if x > 0:
        raise Found(x * x)
    return x


class Found(Exception):

    def __init__(self, v):
        super().__init__("found")
        self.v = v


def exc_carries(x):
    try:
        return seek(x)
    except Found as e:
        return e.v * 2.0


case(exc_carries, 0.7)


def exc_carries_array(x):
    try:
        y = x * 2.0
        raise Found(y)
    except Found as e:
        return np.sum(e.v ** 2)


case(exc_carries_array, X3)


def exc_args_array(x):
    try:
        raise ValueError(x * 2.0)
    except ValueError as e:
        return np.sum(e.args[0] ** 2)


case(exc_args_array, X3)


def exc_args_list(x):
    try:
        raise ValueError([x[0] * 2.0])
    except ValueError as e:
        return e.args[0][0] ** 2


case(exc_args_list, X3)


def keys_ops(x):
    a = {"p": x, "q": x * 2.0}
    b = {"q": 3.0, "r": 4.0}
    s = 0.0
    for k in sorted(a.keys() & b.keys()):
        s += a[k] * b[k]
    for k in sorted(a.keys() - b.keys()):
        s += a[k]
    for k in sorted(a.keys() | b.keys()):
        s += a.get(k, 0.0)
    return s


case(keys_ops, 0.7)


def dict_eq(x):
    a = {"p": x}
    return x * 2.0 if a == {"p": x} and a.keys() == {"p"} else x


case(dict_eq, 0.7)


def list_cmp(x):
    return x * 2.0 if [x, 1.0] < [x, 2.0] and (x, 1) != (x, 2) else x


case(list_cmp, 0.7)


def numeric_misc(x):
    q, r = divmod(x * 5.0, 2.0)
    m, e = math.frexp(x)
    f, i = math.modf(x * 3.0)
    rest = x // 1 + x % 0.3 + round(x, 1) + int(x * 5) + max(x, 0.2, key=lambda v: -v)
    return q * x + r + f * i + abs(-x) + pow(x, 3) + rest


case(numeric_misc, 0.7)


def iter_pairs(x):
    it = iter([x, x * 2.0, x * 3.0, 4.0])
    s = 0.0
    for a, b in zip(it, it):
        s += a * b
    return s


case(iter_pairs, 0.7)


def iter_next_skip(x):
    it = iter([x, x * 2.0, x * 3.0, 4.0])
    s = 0.0
    for a in it:
        s += a * next(it, 1.0)
    return s


case(iter_next_skip, 0.7)
