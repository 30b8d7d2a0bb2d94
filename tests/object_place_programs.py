"""Lists of objects that are found by places of all kinds, and in parts of lists."""
import numpy as np
from object_classes import Body, Cell, G, Part, Sim, Sys


def total(L):
    return sum((b.x * b.v for b in L))


def norm(L):
    t = total(L)
    for b in L:
        b.x /= t


def backwards(x0):
    L = [Body(x, 0.0, 1.0) for x in x0]
    for b in reversed(L):
        b.x += 1.0
    return sum((b.x ** 2 for b in L))


def by_a_negative_step(x0):
    L = [Body(x, 0.0, 1.0) for x in x0]
    for b in L[::-1]:
        b.x *= 2.0
    return sum((b.x ** 2 for b in L))


def slices(x0):
    L = [Body(x, 0.0, 1.0) for x in x0]
    for b in L[-2:]:
        b.x *= 5.0
    for b in L[:-1]:
        b.v += b.x
    for b in L[::2]:
        b.x *= 3.0
    for b in L[1:7]:
        b.v += b.x
    return sum((b.x * (1 + b.v) for b in L))


def neighbours(x0):
    L = [Body(x, 0.0, 1.0) for x in x0]
    for a, b in zip(L, L[1:]):
        a.x += b.x
    for a, b in zip(L[:-1], L[1:]):
        b.v += a.x
    return sum((b.x * (1 + b.v) for b in L))


def indices_from_the_end(x0):
    L = [Body(x, 1.0, 1.0) for x in x0]
    for i in range(len(L)):
        L[i].x += 0.5 * L[i - 1].x
        L[-i].v += L[i].x
        L[(i + 1) % len(L)].x *= 1.1
    return sum((b.x * b.v for b in L))


def attrs_class(x0):
    L = [G(x) for x in x0]
    for b in L:
        b.x *= b.k
    for b in L:
        b.up()
    return sum((b.x ** 2 for b in L))


def boolean(x0):
    L = [Body(x, 1.0, 1.0) for x in x0]
    if L:
        L[0].x *= 2.0
    if not L:
        return 0.0
    n = 0
    while n < len(L) and L[n].x < 3.0:
        L[n].x *= 2.0
        n += 1
    return sum((b.x ** 2 for b in L)) * n


def used_after_append(x0):
    L = []
    for x in x0:
        b = Body(x, 0.0, 1.0)
        L.append(b)
        b.x = b.x * 3.0
        b.v += L[0].x
    for o in L:
        o.v += o.x ** 2
    return sum((o.v for o in L))


def conditional_append2(x0):
    L = []
    for x in x0:
        b = Body(x, 0.0, 1.0)
        b.x *= 2.0
        if b.x > 1.5:
            L.append(b)
    for o in L:
        o.x += o.x * o.x
    return sum((o.x for o in L))


def two_kinds(x0):
    L = []
    M = []
    for x in x0:
        if x > 1.5:
            L.append(Body(x, 0.0, 1.0))
        else:
            M.append(Body(x, 1.0, 1.0))
    for a in L:
        for b in M:
            a.v += b.x
            b.x *= 1.1
    return sum((o.x * o.v for o in L)) + sum((o.x for o in M))


def copy_list(x0):
    L = [Body(x, 1.0, 1.0) for x in x0]
    M = list(L)
    N = L[:]
    M[0].x *= 2.0
    N[1].x *= 3.0
    for a in list(L):
        a.v += a.x
    return sum((b.x ** 2 * b.v for b in L))


def enum_step(x0):
    L = [Body(x, 1.0, 1.0) for x in x0]
    for n, (a, b) in enumerate(zip(L, x0)):
        a.x += n * b
    i = len(L) - 1
    while i > 0:
        L[i].x -= L[i - 1].x
        i -= 1
    return sum((b.x ** 2 for b in L))


def helpers2(x0):
    L = [Body(x, 1.0, 1.0) for x in x0]
    for k in range(2):
        norm(L)
    return total(L) * L[1].x


def built_by_a_method(x0):
    s = Sim(x0)
    s.run(5)
    return s.energy()


def vectors_that_change_in_place(x0):
    ps = [Part([x, 2 * x], np.zeros(2)) for x in x0]
    for k in range(4):
        for p in ps:
            f = np.zeros(2)
            for q in ps:
                if q is not p:
                    d = q.pos - p.pos
                    f += d / (d @ d + 1.0)
            p.step(f, 0.1)
    return sum((p.pos @ p.pos for p in ps))


def last_in_loop(x0):
    L = [Body(x0[0], 1.0, 1.0)]
    for x in x0[1:]:
        prev = L[-1]
        b = Body(x + prev.x, prev.v, 1.0)
        L.append(b)
        prev.v += b.x
        L[-1].x *= 1.1
    return sum((o.x * o.v for o in L))


def slice_or_nothing(x0):
    L = [Body(x, 0.0, 1.0) for x in x0]
    if x0[0] > 0.5:
        M = []
    else:
        M = L[1:]
    for b in M:
        b.x *= 2.0
    return sum((o.x for o in L))


def two_names_of_one(x0):
    L = [Cell(x) for x in x0]
    a = L[0]
    b = L[0]
    c = L[1]
    a.T *= 2.0
    b.q = a.T + c.T
    if a is b:
        c.T += 5.0 * a.T
    if a is not c:
        c.q += 1.0 * c.T
    return sum((o.T * o.q for o in L))


def choose(x0):
    L = [Cell(x) for x in x0]
    for k in range(4):
        i = int(np.argmax([c.T for c in L]))
        c = L[i] if k % 2 else L[k]
        c.T *= 0.5
        c.q += c.T
    return sum((o.T * o.q for o in L))


def mixed(x0):
    L = [Cell(1), Cell(x0[0]), Cell(2.5)]
    for c in L:
        c.T = c.T * x0[1]
    return sum((c.T ** 2 for c in L))


def names_in_loops(x0):
    L = [{"T": x, "name": f"n{i}", "k": i} for i, x in enumerate(x0)]
    for c in L:
        if c["name"] == "n2":
            c["T"] *= 3.0
        if c["k"] > 2:
            c["T"] += 1.0
    return sum((c["T"] ** 2 for c in L))


def nested_def(x0):
    L = [Cell(x) for x in x0]

    def push(k):
        L[k].T *= 2.0
    for k in range(3):
        push(k)
    return (lambda: sum((c.T for c in L)))() * L[0].T


def loop_variables_bound_again(x0):
    L = [Cell(x) for x in x0]
    i = 0
    for i in range(2):
        c = L[i]
        for i in range(3):
            c.T *= 1.1
        L[i].q += c.T
    return sum((c.T * (1 + c.q) for c in L))


def index_bound_again(x0):
    L = [Cell(x) for x in x0]
    k = 0
    while k < 4:
        c = L[k]
        k += 1
        d = L[k]
        c.T += d.T
        k = k + (1 if c.T > 1000000000.0 else 0)
    return sum((c.T ** 2 for c in L))


def returned_from_a_loop(x0):
    L = [Cell(x) for x in x0]
    for c in L:
        c.T *= 2
        if c.T > 3:
            return c.T * L[0].T
    return L[1].T


def system(x0):
    s = Sys(x0)
    for k in range(5):
        s.step(0.1)
    return s.log[-1] + s.cells[0].T ** 2


def two_systems(x0):
    a = Sys(x0)
    b = Sys(x0 * 2)
    for k in range(3):
        a.step(0.1)
        b.step(0.05)
        a.cells[0].T += b.cells[1].T
    return a.cells[0].T * b.cells[0].T


def unpack(x0):
    a, b, *r = [Cell(x) for x in x0]
    a.T *= b.T
    for c in r:
        c.T += a.T
    return sum((c.T for c in r))


def cond_expr(x0):
    L = [Cell(x) for x in x0]
    for c in L:
        c.T = c.T * 2 if c.T > 2 else c.T * c.T
        c.q += c.T if c.q == 0.0 else 1.0
    return sum((c.T * c.q for c in L))


def in_order(x0):
    L = [Cell(-x) for x in x0]
    M = sorted(L, key=lambda c: c.T)
    for i, c in enumerate(M):
        c.q = i * c.T
    return sum((c.T * c.q for c in L))


BY_PLACES = [
    backwards, by_a_negative_step, slices, neighbours, indices_from_the_end, attrs_class, boolean,
    used_after_append, conditional_append2, two_kinds, copy_list, enum_step, helpers2,
    built_by_a_method, vectors_that_change_in_place, last_in_loop, slice_or_nothing,
    two_names_of_one, choose, mixed, names_in_loops, nested_def, loop_variables_bound_again,
    index_bound_again, returned_from_a_loop, system, two_systems, unpack, cond_expr, in_order]
