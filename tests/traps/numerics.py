"""Numerical algorithms as they are written: by loops, in place, on views, with early exits."""
import itertools
import math
from collections import deque

import numpy as np

from tests.traps.case import case

u5 = np.array([0.5, -1.2, 0.8, 1.7, 0.3])
A3 = np.array([[4.0, 1.0, 0.3], [1.0, 3.0, -0.5], [0.3, -0.5, 2.0]])
b3 = np.array([1.0, -0.4, 0.7])


class LU:
    def __init__(self, a):
        self.work = {"a": a, "perm": list(range(len(a)))}
        self.swaps = 0

    def swap(self, i, j):
        if i == j:
            return
        a = self.work["a"]
        a[[i, j]] = a[[j, i]]
        p = self.work["perm"]
        p[i], p[j] = p[j], p[i]
        self.swaps += 1

    def factor(self):
        a = self.work["a"]
        n = len(a)
        k = 0
        while True:
            try:
                if k >= n - 1:
                    break
                piv = k + int(np.argmax(np.abs(a[k:, k])))
                self.swap(k, piv)
                col = a[k + 1:, k]
                col /= a[k, k]
                a[k + 1:, k + 1:] -= np.outer(col, a[k, k + 1:])
            finally:
                k += 1
        return self

    def logdet(self):
        d = self.work["a"].diagonal()
        return np.sum(np.log(np.abs(d)))

    def solve(self, b):
        a, p = self.work["a"], self.work["perm"]
        y = b[p]
        for i in range(len(y)):
            for j in range(i):
                y[i] -= a[i, j] * y[j]
        for i in reversed(range(len(y))):
            for j in range(i + 1, len(y)):
                y[i] -= a[i, j] * y[j]
            y[i] /= a[i, i]
        return y


def lu_pivot(a, b):
    lu = LU(a.copy()).factor()
    x = lu.solve(b)
    return x @ x + lu.logdet()


case(lu_pivot, np.array([[0.1, 2.0, 1.0], [3.0, 0.5, -1.0], [1.0, 1.0, 0.7]]), b3)


def cg(a, b, tol=1e-12, maxit=10, callback=None):
    x = np.zeros_like(b)
    state = {"r": b - a @ x, "k": 0}
    state["p"] = state["r"].copy()
    rs = state["r"] @ state["r"]
    while state["k"] < maxit:
        ap = a @ state["p"]
        alpha = rs / (state["p"] @ ap)
        x += alpha * state["p"]
        state["r"] -= alpha * ap
        new = state["r"] @ state["r"]
        if callback is not None:
            callback(state["k"], new)
        if new < tol:
            break
        state["p"] *= new / rs
        state["p"] += state["r"]
        rs = new
        state["k"] += 1
    else:
        x *= 2.0
    return x


def cg_solve(a, b):
    history = []
    x = cg(a, b, maxit=2, callback=lambda k, r: history.append((k, r)))
    return x @ b + sum(r * (k + 1) for k, r in history)


case(cg_solve, A3, b3)


def fft_inplace(x):
    n = len(x)
    z = x.astype(complex)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            z[i], z[j] = z[j], z[i]
    size = 2
    while size <= n:
        w = np.exp(-2j * np.pi * np.arange(size // 2) / size)
        for start in range(0, n, size):
            top = z[start:start + size // 2]
            low = z[start + size // 2:start + size]
            t = w * low
            low[:] = top - t
            top += t
        size *= 2
    return np.sum(np.abs(z) ** 2 * np.arange(n)) + z[1].real * z[3].imag


case(fft_inplace, np.array([0.4, -1.0, 0.7, 0.2, 1.3, -0.5, 0.9, 0.1]))


def smooth(u, f, h, sweeps):
    for _ in range(sweeps):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1] + h * h * f[i])


def vcycle(u, f, h, depth=0):
    smooth(u, f, h, 2)
    if len(u) <= 3:
        return u
    r = np.zeros_like(u)
    r[1:-1] = f[1:-1] + (u[:-2] - 2 * u[1:-1] + u[2:]) / h ** 2
    rc = r[::2].copy()
    rc[1:-1] = 0.25 * (r[1:-3:2] + 2 * r[2:-2:2] + r[3:-1:2])
    ec = vcycle(np.zeros_like(rc), rc, 2 * h, depth + 1)
    e = np.zeros_like(u)
    e[::2] = ec
    e[1::2] = 0.5 * (ec[:-1] + ec[1:])
    u += e
    smooth(u, f, h, 1)
    return u


def multigrid(f):
    u = np.zeros_like(f)
    for _ in range(2):
        vcycle(u, f, 1.0 / (len(f) - 1))
    return np.sum(u ** 2) * 100.0


case(multigrid, np.array([0.0, 1.0, -0.5, 2.0, 0.3, 0.8, -1.0, 0.4, 0.0]))


def householder(a):
    r = a.copy()
    vs = []
    for k in range(r.shape[1]):
        sub = r[k:, k:]
        v = sub[:, 0].copy()
        v[0] += math.copysign(np.linalg.norm(v), v[0])
        v /= np.linalg.norm(v)
        sub -= 2.0 * np.outer(v, v @ sub)
        vs.append((k, v))
    q = np.eye(len(a))
    for k, v in reversed(vs):
        q[k:] -= 2.0 * np.outer(v, v @ q[k:])
    return np.sum(np.triu(r) ** 3) + q[0, 1] * r[0, 2]


case(householder, A3)


def fem(nodes, k, load):
    elems = np.array([[0, 1], [1, 2], [2, 3]])
    n = len(nodes)
    K = np.zeros((n, n))
    f = np.zeros(n)
    for e, (i, j) in enumerate(elems):
        h = nodes[j] - nodes[i]
        ke = k[e] / h * np.array([[1.0, -1.0], [-1.0, 1.0]])
        K[np.ix_([i, j], [i, j])] += ke
    lens = np.diff(nodes)
    np.add.at(f, elems.ravel(), np.repeat(load * lens / 2, 2))
    K[0, :] = 0.0
    K[:, 0] = 0.0
    K[0, 0] = 1.0
    f[0] = 0
    return f @ np.linalg.solve(K, f)


case(fem, np.array([0.0, 0.4, 0.9, 1.5]), np.array([1.0, 2.0, 1.5]), np.array([1.0, 0.5, 2.0]))


def thomas(a, b, c, d):
    n = len(d)
    cp, dp = [c[0] / b[0]], [d[0] / b[0]]
    for i in range(1, n):
        m = b[i] - a[i] * cp[-1]
        if i < n - 1:
            cp.append(c[i] / m)
        dp.append((d[i] - a[i] * dp[-1]) / m)
    x = [dp.pop()]
    while cp:
        x.insert(0, dp.pop() - cp.pop() * x[0])
    return np.array(x)


def crank_nicolson(u, k):
    r = k / 2
    for t in range(2):
        d = (1 - 2 * r) * u
        d[1:] += r * u[:-1]
        d[:-1] += r * u[1:]
        u = thomas([-r] * 5, [1 + 2 * r] * 5, [-r] * 5, d)
        u[0] = 0.0
    return np.sum(u ** 2)


case(crank_nicolson, u5, 0.4)


def jacobi_eigen(a):
    a = a.copy()
    v = np.eye(3)
    for sweep in range(2):
        for p in range(2):
            for q in range(p + 1, 3):
                if abs(a[p, q]) < 1e-12:
                    continue
                theta = (a[q, q] - a[p, p]) / (2 * a[p, q])
                t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta ** 2 + 1))
                c = 1 / math.sqrt(t * t + 1)
                s = t * c
                rp, rq = a[p].copy(), a[q].copy()
                a[p], a[q] = c * rp - s * rq, s * rp + c * rq
                cp, cq = a[:, p].copy(), a[:, q].copy()
                a[:, p], a[:, q] = c * cp - s * cq, s * cp + c * cq
                v[:, [p, q]] = v[:, [p, q]] @ np.array([[c, s], [-s, c]])
    return np.sum(np.diag(a) ** 3) + v[0, 0] * v[1, 2]


case(jacobi_eigen, A3)


def verlet_md(pos, eps, n):
    vel = np.zeros_like(pos)
    pairs = [(i, j) for i in range(len(pos)) for j in range(i)]

    def forces(p, out):
        out[...] = 0.0
        e = 0.0
        for i, j in pairs:
            d = p[i] - p[j]
            r2 = d @ d
            s6 = r2 ** -3
            e += 4 * eps * (s6 * s6 - s6)
            f = 24 * eps * (2 * s6 * s6 - s6) / r2 * d
            out[i] += f
            out[j] -= f
        return e

    f = np.empty_like(pos)
    e = forces(pos, f)
    for _ in range(n):
        vel += 0.5e-2 * f
        pos += 1e-2 * vel
        e = forces(pos, f)
        vel += 0.5e-2 * f
    return e + 0.5 * np.sum(vel ** 2) + f[0, 0]


case(verlet_md, np.array([[0.0, 0.0], [1.1, 0.1], [0.4, 1.2]]), 0.9, 3)


def quicksort(a, lo, hi):
    if lo >= hi:
        return
    p = a[hi]
    i = lo
    for j in range(lo, hi):
        if a[j] < p:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[hi] = a[hi], a[i]
    quicksort(a, lo, i - 1)
    quicksort(a, i + 1, hi)


def order_stats(u):
    quicksort(u, 0, len(u) - 1)
    return u @ (np.arange(len(u)) ** 2.0) + u[len(u) // 2] ** 3


case(order_stats, u5)


def neighbours(grid, i, j):
    return [grid[i - 1, j:j + 1], grid[i, j - 1:j], grid[i:i + 1, (j + 1) % 3]]


def sandpile(a):
    a = a * 2.0
    toppled = []
    for sweep in range(3):
        for i, j in itertools.product((1, 2), (1, 2)):
            if a[i, j] > 3:
                share = a[i, j] / 4
                a[i, j] = 0
                for cell in neighbours(a, i, j):
                    cell += share
                toppled.append((i, j, share))
    return np.sum(a ** 2) + sum(s * (i + j) for i, j, s in toppled)


case(sandpile, A3)


def double_buffer(u, nu, steps):
    cur, nxt = u, np.empty_like(u)
    snaps = []
    for t in range(steps):
        nxt[1:-1] = cur[1:-1] + nu * (cur[:-2] - 2 * cur[1:-1] + cur[2:])
        nxt[0], nxt[-1] = nxt[1], cur[-1]
        cur, nxt = nxt, cur
        if t % 2 == 0:
            snaps.append(cur)
        if cur[2] < -5:
            break
    snaps[0][1] += 1.0
    return cur @ nxt + sum(s[1] * s[3] for s in snaps) + u[0]


class Grid:
    __slots__ = ("u", "inner", "left", "right", "log")

    def __init__(self, n, bc):
        self.u = np.zeros(n + 2)
        self.inner = self.u[1:-1]
        self.left, self.right = self.u[:1], self.u[-1:]
        self.log = deque(maxlen=2)
        self.left[:] = bc

    def step(self, nu):
        new = self.inner + nu * (self.u[2:] - 2 * self.inner + self.u[:-2])
        self.log.append(self.inner[0])
        self.inner[...] = new
        self.right[0] = self.inner[-1]


def heat(nu, bc, n):
    g = Grid(n, bc)
    for k in range(6):
        g.step(nu)
        if g.inner[-1] > 0.5:
            break
    return g.u @ g.u + sum(g.log)


case(heat, 0.2, 1.3, 4, wrt=(0, 1))


def nbody(state, masses, dt):
    n = len(masses)
    s = state.reshape(n, 4)
    bodies = {f"b{k}": {"pos": s[k, :2], "vel": s[k, 2:], "m": m} for k, m in enumerate(masses)}
    for step in range(3):
        for name, b in bodies.items():
            acc = np.zeros(2)
            for other, c in bodies.items():
                if other == name:
                    continue
                d = c["pos"] - b["pos"]
                acc += c["m"] * d / (d @ d + 0.1) ** 1.5
            b["vel"] += dt * acc
        for b in bodies.values():
            b["pos"] += dt * b["vel"]
    return sum(0.5 * b["m"] * (b["vel"] @ b["vel"]) for b in bodies.values()) + state[0] * state[5]


case(nbody, np.array([0.0, 0.1, 0.3, 0.0, 1.0, 0.2, 0.0, 0.5, -0.5, 1.0, -0.2, 0.1]),
     [1.0, 0.5, 2.0], 0.1)


def simpson_adaptive(f, a, b, eps, depth=0):
    def simpson(a, b):
        return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))

    m = (a + b) / 2
    whole, left, right = simpson(a, b), simpson(a, m), simpson(m, b)
    if abs(left + right - whole) < 15 * eps or depth > 6:
        return left + right + (left + right - whole) / 15
    return simpson_adaptive(f, a, m, eps / 2, depth + 1) \
        + simpson_adaptive(f, m, b, eps / 2, depth + 1)


def adaptive_quad(w, b):
    return simpson_adaptive(lambda t: math.exp(-w * t) * math.sin(5 * t), 0.0, b, 1e-3)


case(adaptive_quad, 0.7, 1.9)


def ctc_like(logp, label):
    T, S = len(logp), len(label)
    alpha = np.full((T, S), -np.inf)
    alpha[0, 0] = logp[0, label[0]]
    for t in range(1, T):
        for s in range(S):
            prev = [alpha[t - 1, s]]
            if s > 0:
                prev.append(alpha[t - 1, s - 1])
            m = max(prev)
            if m == -np.inf:
                continue
            alpha[t, s] = m + np.log(sum(np.exp(p - m) for p in prev)) + logp[t, label[s]]
    return alpha[-1, -1]


case(ctc_like, np.log(np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6],
                                [0.3, 0.3, 0.4]])), (0, 1, 2))
