"""Programs with generators that change what others hold: arrays outside, rows, lists, objects."""
import numpy as np

from tests.generator_programs import program

TABLE = np.array([1.0, 2.0, 3.0])
RATE = 0.5


def filling(x):
    for k in range(3):
        TABLE[k] = TABLE[k] * x
        yield TABLE[k]


@program
def written_outside(x):
    TABLE[...] = np.array([1.0, 2.0, 3.0])
    t = 0.0
    for v in filling(x):
        t += v * TABLE[0]
    return t


def rated(x):
    for k in range(3):
        x = x * RATE
        yield x


@program
def read_outside(x):
    return sum(rated(x)) * RATE


def helper(u):
    t = 0.0
    for v in moved(u):
        t += v
    return t


def moved(u):
    for k in range(len(u)):
        u[k] = u[k] * u[0]
        yield u[k]


@program
def helper_that_writes(x):
    u = np.array([x, 2.0, 3.0 * x])
    t = helper(u)
    return t * u[2]


def pairs_of(d):
    for k in sorted(d):
        yield k, d[k]


@program
def dict_items(x):
    d = {"b": x, "a": x * x}
    t = 0.0
    for k, v in pairs_of(d):
        t = t * 0.5 + v * len(k)
        d[k] = v * 2.0
    return t + d["a"] * d["b"]


def rows(m):
    for r in m:
        yield r
        r[0] = 0.0


@program
def rows_that_change(x):
    m = np.array([[x, 1.0], [x * x, 2.0]])
    t = 0.0
    for r in rows(m):
        t += np.sum(r * r)
    return t + np.sum(m)


@program
def rows_in_a_list(x):
    m = np.array([[x, 1.0], [x * x, 2.0]])
    rs = list(rows(m))
    return np.sum(rs[0] * rs[1]) + np.sum(m)


@program
def rows_summed(x):
    m = np.array([[x, 1.0], [x * x, 2.0]])
    return np.sum(sum(rows(m)) * m)


@program
def rows_looked_at(x):
    m = np.array([[x, 1.0], [x * x, 2.0]])
    return sum(np.max(r) for r in rows(m)) + m[0, 0]


def windows(xs, n):
    window = []
    for v in xs:
        window.append(v)
        if len(window) > n:
            window.pop(0)
        yield window


@program
def windows_looped_over(x):
    t = 0.0
    for w in windows([x, 2.0 * x, x * x, 3.0], 2):
        t += sum(w) * w[0]
    return t


@program
def windows_in_a_list(x):
    ws = list(windows([x, 2.0 * x, x * x, 3.0], 2))
    return sum(ws[0]) * ws[1][0]


@program
def windows_sum(x):
    return sum(sum(w) for w in windows([x, 2.0 * x, x * x, 3.0], 2))


@program
def windows_flat(x):
    return sum(v * v for w in windows([x, 2.0 * x, x * x, 3.0], 2) for v in w)


class Body:
    def __init__(self, x): self.x = x


def bodies(x):
    b = Body(x)
    for k in range(3):
        b.x = b.x * x + k
        yield b


@program
def bodies_looped_over(x):
    t = 0.0
    for b in bodies(x):
        t += b.x
        b.x = b.x * 0.5
    return t * b.x


@program
def bodies_in_a_list(x):
    bs = list(bodies(x))
    return bs[0].x * bs[1].x


@program
def bodies_sum(x):
    return sum(b.x * b.x for b in bodies(x))


@program
def two_levels(x):
    def inner(a):
        for k in range(2):
            a = a * x
            yield a
    def outer(a):
        yield from inner(a)
        yield a
        yield from [a * 2.0, x]
    t = 0.0
    for v in outer(x):
        t = t * 0.5 + v
        if t > 3.0:
            return t * v
    return t


@program
def numbered_pairs(x):
    t = 0.0
    for k, (v, w) in enumerate(zip(rated(x), [x, 2.0])):
        t += k * v * w
    return t * k * v


@program
def conditional_yield(x):
    def evens(n):
        for k in range(n):
            if k % 2 == 0:
                yield k * x
            elif k == 3:
                return
    t = 0.0
    for v in evens(6):
        t += v
        if v > 100.0:
            break
    return t
