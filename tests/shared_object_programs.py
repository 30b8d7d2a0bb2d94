"""Lists of objects of which more is done than a table can hold."""
import copy

import numpy as np
from object_classes import Body, Cell, Grid, Layer, Particle


def same_twice(x0):
    b = Body(x0[0])
    L = [b, b]
    for o in L:
        o.x *= 2.0
    return L[0].x


def append_twice(x0):
    L = []
    for x in x0:
        b = Body(x)
        L.append(b)
        L.append(b)
    for o in L:
        o.x *= 1.5
    return sum((o.x for o in L))


def hoisted_object(x0):
    L = []
    b = Body(1.0)
    for x in x0:
        b.x = x
        L.append(b)
    for o in L:
        o.x += 1.0
    return sum((o.x for o in L))


def conditional_append(x0):
    L = []
    for x in x0:
        b = Body(x)
        if x > 1.5:
            L.append(b)
        b.x *= 2.0
    for o in L:
        o.x += o.x * o.x
    return sum((o.x for o in L))


def remade_in_loop(x0):
    s = 0.0
    keep = None
    for k in range(3):
        L = [Body(x * k) for x in x0]
        for o in L:
            o.x += 1.0
        if k == 1:
            keep = L[0]
        s += sum((o.x ** 2 for o in L))
    keep.x *= 2.0
    return s + keep.x


def remade_in_loop_ok(x0):
    s = 0.0
    for k in range(3):
        L = [Body(x * k) for x in x0]
        for o in L:
            o.x += s * 0.01
        for o in L[1:]:
            o.x += L[0].x
        s += sum((o.x ** 2 for o in L))
    return s


def swap(x0):
    L = [Body(x) for x in x0]
    L[0], L[1] = (L[1], L[0])
    L[0].x *= 3.0
    return sum((i * o.x for i, o in enumerate(L)))


def sorted_in_place(x0):
    L = [Body(-x) for x in x0]
    L.sort(key=lambda b: b.x)
    for i, b in enumerate(L):
        b.x *= i
    return sum((o.x ** 2 for o in L))


def popped(x0):
    L = [Body(x) for x in x0]
    while len(L) > 2:
        b = L.pop(0)
        L[0].x += b.x ** 2 * 0.1
    return L[0].x * L[1].x


def filt_rebind(x0):
    L = [Body(x) for x in x0]
    for k in range(3):
        L = [b for b in L if b.x > 0.5 * k]
        for b in L:
            b.x *= 1.1
    return sum((b.x for b in L))


def new_attr(x0):
    L = [Body(x) for x in x0]
    for b in L:
        b.w = b.x ** 2
    for b in L:
        b.x += b.w
    return sum((b.x for b in L))


def some_attr(x0):
    L = [Body(x) for x in x0]
    L[0].w = 3.0
    for b in L:
        if hasattr(b, "w"):
            b.x *= b.w
    return sum((b.x for b in L))


def two_lists(x0):
    L = [Body(x) for x in x0]
    M = [Body(2 * x) for x in x0]
    for a, b in zip(L, M):
        a.x += b.x
        b.x *= a.x
    c = L[0] if x0[0] > 0 else M[0]
    c.x *= 3.0
    return sum((a.x * b.x for a, b in zip(L, M)))


def deep_copies(x0):
    L = [Body(x) for x in x0]
    M = copy.deepcopy(L)
    M[0].x *= 2.0
    return sum((a.x * b.x for a, b in zip(L, M)))


def shallow(x0):
    L = [Body(x) for x in x0]
    c = copy.copy(L[0])
    c.x *= 3.0
    L.append(c)
    for b in L:
        b.x += 1.0
    return sum((b.x ** 2 for b in L))


def item_replaced(x0):
    L = [Particle(x) for x in x0]
    p = L[0]
    L[0] = Particle(x0[1] * 2)
    p.x *= 10.0
    for q in L:
        q.x += 1.0
    return sum((q.x ** 2 for q in L)) + p.x


def elements_of_arrays(x0):
    L = [Grid(x0 * i) for i in range(3)]
    for q in L:
        q.x[0] += 1.0
        q.x *= 2.0
        q.n += 1
    return sum((np.sum(q.x ** 2) * q.n for q in L))


def one_array_for_all(x0):
    a = x0 * 1.0
    L = [Grid(a) for i in range(3)]
    for q in L:
        q.x += 1.0
    return sum((np.sum(q.x ** 2) for q in L))


def views_of_one_array(x0):
    a = x0 * 1.0
    L = [Grid(a[i:i + 2]) for i in range(3)]
    for q in L:
        q.x *= 2.0
    return np.sum(a ** 2)


def linked(x0):
    L = [Body(x) for x in x0]
    for i, b in enumerate(L):
        b.next = L[(i + 1) % len(L)]
    for b in L:
        b.next.x += b.x
    return sum((b.x ** 2 for b in L))


def tryit(x0):
    L = [Body(x) for x in x0]
    try:
        for i in range(99):
            L[i].x *= 2.0
    except IndexError:
        pass
    return sum((b.x ** 2 for b in L))


def contains(x0):
    L = [Body(x) for x in x0]
    A = [L[0], L[2]]
    for b in L:
        if b in A:
            b.x *= 2.0
    return sum((b.x ** 2 for b in L))


def matrix(x0):
    G = [[Body(x * y) for x in x0] for y in x0]
    for i in range(1, len(G)):
        for j in range(1, len(G[0])):
            G[i][j].v = G[i - 1][j].x + G[i][j - 1].x
    return sum((sum((b.x * b.v for b in r)) for r in G))


def edges_by_object(x0):
    class_ = Body
    L = [Body(x) for x in x0]
    E = [(L[0], L[1]), (L[1], L[3])]
    for k in range(3):
        for a, b in E:
            a.v += b.x - a.x
        for b in L:
            b.x += 0.1 * b.v
    return sum((b.x ** 2 for b in L))


def shadow_names(x0):
    range_, len_ = (range, len)
    min = 3.0
    max = 2.0
    L = [Body(x) for x in x0]
    for b in L[1:]:
        b.x *= min
    for b in L[:3]:
        b.x *= max
    return sum((b.x ** 2 for b in L))


def best_of_none(x0):
    L = [Particle(x) for x in x0] if False else [Body(x, 0.0, 1.0) for x in x0]
    best = None
    for p in L:
        if best is None or p.x > best.x:
            best = p
    best.x *= 2.0
    return sum((p.x ** 2 for p in L))


def alias_before(x0):
    L = []
    for x in x0:
        b = Body(x, 0.0, 1.0)
        alias = b
        L.append(b)
        alias.x *= 3.0
    for o in L:
        o.v += o.x ** 2
    return sum((o.v for o in L))


def alias_before2(x0):
    L = []
    keep = None
    for x in x0:
        b = Body(x, 0.0, 1.0)
        L.append(b)
        keep = b
    for o in L:
        o.x *= 2.0
    return sum((o.x for o in L)) + keep.x


def cut_append(x0):
    L = [Body(x, 0.0, 1.0) for x in x0]
    M = L[1:3]
    M.append(L[0])
    N = L[::2]
    N.append(L[1])
    for i, b in enumerate(M):
        b.x *= i + 2.0
    for b in N:
        b.v += b.x
    return sum((o.x * (1 + o.v) for o in L)) + len(M) * len(N)


def layers(x0):
    net = [Layer(np.outer(x0, x0) * 0.1 * (k + 1), x0 * 0.0) for k in range(3)]
    h = x0
    for l in net:
        h = l.forward(h)
    d = np.ones(5)
    for l in reversed(net):
        d = d * (1 - l.a ** 2)
        l.gW = np.outer(d, l.x)
        d = l.W.T @ d
    for l in net:
        l.step(0.1)
    h = x0
    for l in net:
        h = l.forward(h)
    return np.sum(h)


def get_item(x0):
    L = [{"T": x, "k": 1.0} for i, x in enumerate(x0)]
    for c in L:
        c["T"] += c.get("k", 0.0) * c["T"]
        for key in ("T", "k"):
            c[key] *= 2.0
    return sum((c["T"] ** 2 * c["k"] for c in L))


def deleted(x0):
    L = [Cell(x) for x in x0]
    del L[0]
    for c in L:
        c.T *= 2.0
    L.insert(0, Cell(1.0))
    return sum((c.T ** 2 for c in L))


def extend(x0):
    L = [Cell(x) for x in x0]
    L.extend([Cell(2 * x) for x in x0])
    L += [Cell(x0[0])]
    for c in L:
        c.T *= 2.0
    return sum((c.T ** 2 for c in L))


def concat(x0):
    L = [Cell(x) for x in x0]
    M = [Cell(x) for x in x0]
    for c in L + M:
        c.T *= 2.0
    return sum((c.T ** 2 for c in L)) + M[0].T


def slice_written(x0):
    L = [Cell(T=x, q=1.0) for x in x0]
    L[1:3] = [Cell(1.0), Cell(x0[0])]
    for c in L:
        c.T *= 2.0
    return sum((c.T for c in L))


def any_all(x0):
    L = [Cell(x) for x in x0]
    while any((c.T < 3.0 for c in L)):
        for c in L:
            c.T *= 1.3
    m = max((c.T for c in L))
    return sum((c.T / m for c in L))


BY_NAMES = [swap, alias_before, cut_append, elements_of_arrays]
BY_IDENTITY = [
    same_twice, append_twice, hoisted_object, conditional_append, remade_in_loop,
    remade_in_loop_ok, sorted_in_place, popped, filt_rebind, new_attr, some_attr, two_lists,
    deep_copies, shallow, item_replaced, one_array_for_all,
    views_of_one_array, linked, tryit, contains, matrix, edges_by_object, shadow_names,
    best_of_none, alias_before2, layers, get_item, deleted, extend,
    concat, slice_written, any_all]
