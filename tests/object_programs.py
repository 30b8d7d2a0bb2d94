"""Lists of objects that change, which are followed as lists of their attributes."""
import itertools

import numpy as np
from object_classes import Body, Particle, World

V0 = np.sin(np.arange(5.0))



def pull(a, b):
    d = b.x - a.x
    return b.m * d / (d * d + 0.1) ** 1.5


def move(bodies, dt):
    for b in bodies:
        b.x += dt * b.v


def methods(x0):
    bodies = [Body(a, b, 1.0) for a, b in zip(x0, V0)]
    for step in range(5):
        for b in bodies:
            a = 0.0
            for o in bodies:
                if o is not b:
                    a += b.force(o)
            b.kick(a, 0.01)
        for b in bodies:
            b.drift(0.01)
    return sum((b.energy for b in bodies)) + bodies[-1].x


def dataclass_with_newton(x0):
    ps = []
    for i in range(len(x0)):
        p = Particle(x0[i], V0[i], m=1.0 + i)
        ps.append(p)
    for step in range(5):
        for p in ps:
            p.a = 0.0
        for i, p in enumerate(ps):
            for q in ps[i + 1:]:
                d = q.x - p.x
                f = p.m * q.m * d / (d * d + 0.2)
                p.a += f / p.m
                q.a -= f / q.m
        for p in ps:
            p.v += 0.02 * p.a
            p.x += 0.02 * p.v
    e = 0.0
    for p in ps:
        e += p.m * p.v ** 2 + p.x
    return e


def of_dicts(x0):
    cells = [{"T": t, "q": 0.0, "k": 1.0 + 0.1 * i} for i, t in enumerate(x0)]
    for step in range(10):
        for i in range(1, len(cells) - 1):
            cells[i]["q"] = cells[i]["k"] * (
                cells[i - 1]["T"] - 2 * cells[i]["T"] + cells[i + 1]["T"])
        for c in cells:
            c["T"] += 0.1 * c["q"]
    return sum((c["T"] ** 2 for c in cells))


def vectors(x):
    bodies = [Body(np.array([a, 2 * a]), np.array([0.0, 0.1]), 1.0) for a in x]
    for s in range(4):
        for i in range(len(bodies)):
            acc = np.zeros(2)
            for j in range(len(bodies)):
                if i == j:
                    continue
                r = bodies[j].x - bodies[i].x
                acc += r / (np.dot(r, r) + 0.1) ** 1.5
            bodies[i].v += 0.01 * acc
        for b in bodies:
            b.x += 0.01 * b.v
    return sum((np.sum(b.x ** 2) for b in bodies))


def world(x0):
    w = World(x0)
    for k in range(5):
        w.step(0.01)
    return w.t + sum((b.x * b.v for b in w.bodies))


def helpers(x0):
    bodies = [Body(a, 0.0, 1.0 + a) for a in x0]
    for s in range(4):
        for a in bodies:
            for b in bodies:
                if a is not b:
                    a.v += 0.01 * pull(a, b)
        for b in bodies:
            b.x += b.v
    return sum((b.x for b in bodies))


def list_given_to_a_helper(x0):
    bodies = [Body(a, a * a, 1.0) for a in x0]
    for s in range(4):
        move(bodies, 0.1)
    return sum((b.x ** 2 for b in bodies))


def names_used_again(x0):
    b = None
    out = []
    for x in x0:
        b = Body(x, 1.0, 2.0)
        b.m = b.m * x
        out.append(b)
    for b in out:
        b.x *= b.m
    b = out[0]
    b.x += out[1].x
    best = out[0]
    for b in out:
        if b.x > best.x:
            best = b
    best.x *= 2.0
    return sum([b.x for b in out]) + best.m


def grow(x0):
    ps = [Particle(x0[0], 1.0)]
    for i in range(4):
        last = ps[-1]
        ps.append(Particle(last.x * 0.9, last.v + 0.1))
        ps[-1].x += 0.1
        ps[0].x += last.x
    return sum((p.x * p.v for p in ps))


def with_names_beside_the_list(x0):
    a, b = (Particle(x0[0], 0.0), Particle(x0[1], 0.0))
    ps = [a, b]
    for p in ps:
        p.x *= 2.0
    return a.x * b.x


def written_out(x0):
    ps = [Particle(x0[0], 0.0), Particle(x0[1], 0.0), Particle(x0[2], 1.0)]
    for k in range(3):
        for p in ps:
            p.x = p.x * 1.1 + ps[0].x
    return ps[0].x * ps[2].x


def pairs_of_places(x0):
    ps = [Particle(x, 0.0) for x in x0]
    n = len(ps)
    for k in range(3):
        for i in range(n):
            for j in range(i + 1, n):
                d = ps[i].x - ps[j].x
                ps[i].v += 0.1 * d
                ps[j].v -= 0.1 * d
        for p in ps:
            p.x += p.v
    return sum((p.x ** 2 for p in ps))


def whileloop(x0):
    ps = [Particle(x, 1.0) for x in x0]
    t = 0.0
    while t < 1.0:
        i = 0
        while i < len(ps):
            ps[i].x += 0.1 * ps[i].v
            ps[i].v *= 0.9
            i += 1
        t += 0.25
    return sum((p.x ** 2 for p in ps))


def combinations(x0):
    ps = [Particle(x, 0.0) for x in x0]
    for s in range(3):
        for a, b in itertools.combinations(ps, 2):
            d = a.x - b.x
            a.v -= 0.1 * d
            b.v += 0.1 * d
        for p in ps:
            p.x += p.v * 0.1
    return sum((p.x ** 2 for p in ps))


def closest(x0):
    ps = [Particle(x, 0.3) for x in x0]
    best = min(ps, key=lambda p: abs(p.x - 2.0))
    best.x += 10.0
    return sum((p.x ** 2 for p in ps))


def index_changes(x0):
    L = [Body(x) for x in x0]
    i = 0
    b = L[i]
    i = 2
    b.x *= 3.0
    L[i].x += b.x
    return sum((o.x ** 2 for o in L))


def loopvar_after(x0):
    L = [Body(x) for x in x0]
    for b in L:
        b.v = b.x ** 2
    b.x *= 5.0
    return sum((o.x * o.v for o in L))


def rebound_list(x0):
    L = [Body(x) for x in x0]
    first = L[0]
    L = [Body(2 * x) for x in x0]
    first.x = 7.0 * first.x
    for o in L:
        o.v += first.x
    return sum((o.x * o.v for o in L)) + first.x


def selected(x0):
    L = [Body(x) for x in x0]
    A = [b for b in L if b.x > 1.5]
    for b in A:
        b.x *= 2.0
    C = [b for b in A if b.v == 0.0][:2]
    for b in C:
        b.v = b.x
    return sum((b.x * (1 + b.v) for b in L)) + len(C)


def shared_list(x0):
    L = [Body(x) for x in x0]
    M = L
    M.append(Body(x0[0]))
    for a in L:
        a.x += 1.0
    return sum((b.x ** 2 for b in M))


def empty(x0):
    L = [Body(x) for x in x0 if x > 1000000000.0]
    for b in L:
        b.x += 1.0
    return sum((b.x for b in L)) + x0[0]


def tuples(x0):
    pts = []
    for i in range(len(x0)):
        pts.append((x0[i], x0[i] ** 2))
    s = 0.0
    for (a, b), (c, d) in zip(pts, pts[1:]):
        s += a * d - b * c
    for p in pts:
        s += p[0] * p[1]
    p = pts[0]
    pts.append((1.0, 2.0))
    return s + p[0] + pts[-1][0] * pts[-2][1]


def tuple_of_obj(x0):
    L = [Body(x) for x in x0]
    prs = [(a, b) for a in L for b in L if a is not b]
    for a, b in prs:
        a.v += 0.1 * b.x
        b.x *= 0.99
    return sum((b.x * b.v for b in L))


def edges_by_number(x0):
    L = [Body(x) for x in x0]
    E = [(0, 1, x0[0]), (1, 2, 0.3), (2, 4, x0[1] ** 2)]
    for k in range(3):
        for i, j, w in E:
            L[i].v += w * (L[j].x - L[i].x)
            L[j].v -= w * (L[j].x - L[i].x)
        for b in L:
            b.x += 0.1 * b.v
    return sum((b.x ** 2 for b in L))


def left_early(x0):
    L = [Body(x) for x in x0]
    for b in L:
        b.x *= 2.0
        if b.x > 5.0:
            break
        for c in L:
            if c is b:
                continue
            c.v += b.x
    else:
        b.x = 0.0
    return sum((b.x * b.v for b in L))


OF_OBJECTS = [
    methods, dataclass_with_newton, of_dicts, vectors, world, helpers, list_given_to_a_helper,
    names_used_again, grow, with_names_beside_the_list, written_out, pairs_of_places, whileloop,
    combinations, closest, index_changes, loopvar_after, rebound_list, selected, shared_list,
    empty, tuples, tuple_of_obj, edges_by_number, left_early]
