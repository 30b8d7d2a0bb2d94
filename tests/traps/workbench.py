"""Optimisers, small engines, graphs and dynamic programs, their state in objects and dicts."""
import heapq
import math
import operator
from collections import defaultdict
from types import SimpleNamespace

import numpy as np

from tests.traps.case import case

u5 = np.array([0.5, -1.2, 0.8, 1.7, 0.3])


def soft_edit(a, b, gamma):
    prev = [float(j) for j in range(len(b) + 1)]
    for i, x in enumerate(a, 1):
        cur = [i * 1.0]
        for j, y in enumerate(b, 1):
            cost = (x - y) ** 2
            opts = (prev[j] + 1.0, cur[-1] + 1.0, prev[j - 1] + cost)
            lo = min(opts)
            cur.append(lo - gamma * math.log(sum(math.exp(-(o - lo) / gamma) for o in opts)))
        prev, cur = cur, prev
    return prev[-1]


case(soft_edit, [0.3, 1.0, 0.2], [0.5, 0.9, -0.3, 0.4], 0.7)


def dtw(a, b):
    memo = {}

    def go(i, j):
        if (i, j) in memo:
            return memo[i, j]
        c = abs(a[i] - b[j])
        if i == 0 and j == 0:
            r = c
        elif i == 0:
            r = c + go(0, j - 1)
        elif j == 0:
            r = c + go(i - 1, 0)
        else:
            r = c + min(go(i - 1, j), go(i, j - 1), go(i - 1, j - 1))
        memo[i, j] = r
        return r

    return go(len(a) - 1, len(b) - 1) ** 2


case(dtw, u5, np.array([0.4, -1.0, 1.1, 0.9]))


class Adam:
    def __init__(self, params, lr=0.1, betas=(0.9, 0.999)):
        self.params, self.lr = params, lr
        self.b1, self.b2 = betas
        self.m = {k: np.zeros_like(v) for k, v in params.items()}
        self.v = {k: np.zeros_like(v) for k, v in params.items()}
        self.t = 0

    def step(self, grads):
        self.t += 1
        for k, g in grads.items():
            self.m[k] *= self.b1
            self.m[k] += (1 - self.b1) * g
            self.v[k] = self.b2 * self.v[k] + (1 - self.b2) * g ** 2
            mh = self.m[k] / (1 - self.b1 ** self.t)
            vh = self.v[k] / (1 - self.b2 ** self.t)
            self.params[k] -= self.lr * mh / (np.sqrt(vh) + 1e-2)


def unrolled_adam(w, b, lr):
    params = {"w": w, "b": b}
    opt = Adam(params, lr=lr)
    x = np.array([1.0, 2.0, -1.0])
    for _ in range(3):
        r = params["w"] * x + params["b"] - 1.0
        opt.step({"w": 2 * r * x, "b": 2 * r})
    return np.sum((params["w"] * x + params["b"] - 1.0) ** 2)


case(unrolled_adam, np.array([0.1, 0.5, -0.2]), np.array([0.3, 0.1, -0.4]), 0.1)


class Value:
    def __init__(self, data, children=()):
        self.data, self.grad = data, 0.0
        self._prev = children
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def back():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = back
        return out

    __radd__ = __add__

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def back():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = back
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,))

        def back():
            self.grad += (1 - t * t) * out.grad

        out._backward = back
        return out

    def backward(self):
        order, seen = [], []

        def build(v):
            if not any(v is s for s in seen):
                seen.append(v)
                for c in v._prev:
                    build(c)
                order.append(v)

        build(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()


def micrograd(x, w):
    a, b = Value(x), Value(w)
    y = (a * b + a * 2.0).tanh() * b + a
    y.backward()
    return a.grad * b.grad + y.data


case(micrograd, 0.4, -0.7)


class Tape:
    def __init__(self):
        self.ops = []

    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        self.ops.append(("end", lambda g: g))

    def record(self, name, fn):
        self.ops.append((name, fn))

    def sin(self, x):
        self.record("sin", lambda g: g * math.cos(x))
        return math.sin(x)

    def square(self, x):
        self.record("sq", lambda g: 2 * x * g)
        return x * x

    def backward(self):
        g = 1.0
        for name, fn in reversed(self.ops):
            g = fn(g)
        return g


def tape_engine(x):
    with Tape() as t:
        y = t.square(t.sin(t.square(x)))
    return y * t.backward()


case(tape_engine, 0.8)


class Field:
    def __init__(self, data, lo, hi):
        self.base = data
        self.window = data[lo:hi]
        self.touched = []

    def __getitem__(self, k):
        return self.window[k]

    def __setitem__(self, k, v):
        self.touched.append(k)
        self.window[k] = v

    def __len__(self):
        return len(self.window)

    def __iter__(self):
        return iter(self.window)


def field_sweep(u, c):
    f = Field(u, 1, 4)
    store = {"f": f, "views": [u[::2], u[1:]]}
    count = 0
    for k in range(len(f)):
        try:
            if k == 2:
                break
            f[k] += c * f[k + 1]
            store["views"][0][k] *= 1.1
        finally:
            count += 1
            f[0] *= 0.9
    total = 0.0
    for v in f:
        total += v * v
    return total + count * store["views"][1][0] + u.sum()


case(field_sweep, u5, 0.3)


class Frozen:
    def __init__(self, arr, idx, value):
        self.arr, self.idx, self.value = arr, idx, value

    def __enter__(self):
        self.old = self.arr[self.idx].copy()
        self.arr[self.idx] = self.value
        return self.arr

    def __exit__(self, *exc):
        self.arr[self.idx] = self.old
        return False


def with_frozen(u, x):
    total = 0.0
    for k in range(3):
        with Frozen(u, slice(k, k + 2), x * k) as a:
            total += np.sum(np.sin(a)) * x
            if k == 1:
                a[4] = total
                continue
        u[k] *= 1.5
    return total + u @ u


case(with_frozen, u5, 0.4)


class Pool:
    def __init__(self, n, size):
        self.free = [np.zeros(size) for _ in range(n)]
        self.busy = {}

    def take(self, key):
        self.busy[key] = self.free.pop()
        return self.busy[key]

    def give(self, key):
        self.free.append(self.busy.pop(key))


def pooled(u):
    pool = Pool(2, 3)
    total = 0.0
    for k in range(4):
        t = pool.take(k)
        t += u[k] * np.arange(3)
        try:
            if t[2] < 0:
                continue
            total += np.sum(t ** 2)
        finally:
            if k % 2:
                pool.give(k - 1)
                pool.give(k)
    return total + sum(f.sum() for f in pool.free)


case(pooled, u5)


def rpn(x, y):
    ops = {"+": operator.add, "*": operator.mul, "-": operator.sub, "/": operator.truediv}
    un = dict(sin=math.sin, neg=operator.neg)
    stack = []
    program = "x y + sin x * 3 y - / neg dup *"
    for tok in program.split():
        if tok in ops:
            b, a = stack.pop(), stack.pop()
            stack.append(ops[tok](a, b))
        elif (fn := un.get(tok)) is not None:
            stack.append(fn(stack.pop()))
        elif tok == "dup":
            stack.append(stack[-1])
        else:
            try:
                stack.append(float(tok))
            except ValueError:
                stack.append({"x": x, "y": y}[tok])
    (res,) = stack
    return res


case(rpn, 0.8, 0.5)


def dijkstra(w):
    graph = defaultdict(list)
    for (a, b), c in zip([(0, 1), (1, 2), (0, 2), (2, 3), (1, 3)], w):
        graph[a].append((b, c))
        graph[b].append((a, c))
    dist, pq, seen = {0: 0.0}, [(0.0, 0)], set()
    while pq:
        d, node = heapq.heappop(pq)
        if node in seen:
            continue
        seen.add(node)
        for nb, c in graph[node]:
            nd = d + c
            if nd < dist.get(nb, math.inf):
                dist[nb] = nd
                heapq.heappush(pq, (nd, nb))
    return dist[3] ** 2 + dist[2]


case(dijkstra, [1.0, 0.7, 2.5, 0.9, 1.4])


def rhs(y, k):
    r1, r2 = k["f"] * y["A"] * y["B"], k["b"] * y["C"]
    return {"A": r2 - r1, "B": r2 - r1, "C": r1 - r2}


def axpy(y, dy, h):
    return {s: y[s] + h * dy[s] for s in y}


def kinetics(y0, k):
    y = dict(y0)
    h = 0.1
    for _ in range(5):
        ks = [rhs(y, k)]
        for c in (0.5, 0.5, 1.0):
            ks.append(rhs(axpy(y, ks[-1], c * h), k))
        y |= {s: y[s] + h / 6 * (ks[0][s] + 2 * ks[1][s] + 2 * ks[2][s] + ks[3][s]) for s in y}
    return y["C"] * y["A"]


case(kinetics, {"A": 1.0, "B": 0.7, "C": 0.1}, {"f": 1.2, "b": 0.3})


def workspace(u, w):
    ws = SimpleNamespace(buf=np.zeros(8), used=0)

    def alloc(n):
        part = ws.buf[ws.used:ws.used + n]
        ws.used += n
        return part

    a = alloc(3)
    b = alloc(2)
    a[:] = u[:3] * w
    b[:] = a[:2]
    c = alloc(3)
    c += a
    ws.used = 1
    d = alloc(3)
    d *= 2
    if d[0] > 0:
        ws.buf = ws.buf.copy()
        e = alloc(2)
        e[:] = 1.0
    return ws.buf @ np.arange(8) + a @ c + b.sum() * d[2]


case(workspace, u5, 0.7)
case(workspace, -u5, 0.7)


def ledger(x, y):
    book = defaultdict(list)
    for k, amount in enumerate((x, y, x * y, 1.0)):
        book["odd" if k % 2 else "even"].append((k, amount))
    book["odd"].sort(key=lambda p: -p[1])
    book["even"].sort(key=lambda p: p[1], reverse=True)
    (k0, a0), *rest = book["odd"]
    totals = {name: sum(a * (k + 1) for k, a in rows) for name, rows in sorted(book.items())}
    best = max(totals, key=totals.get)
    book[best][0] = (9, totals[best] * a0)
    return sum(a * k for rows in book.values() for k, a in rows)


case(ledger, 0.7, 1.9)


class Neuron:
    def __init__(self, w, b, act):
        self.w, self.b, self.act = w, b, act

    def __call__(self, xs):
        return self.act(sum((wi * xi for wi, xi in zip(self.w, xs)), self.b))


class Net:
    acts = {"tanh": math.tanh, "relu": lambda v: max(v, 0.0), "id": lambda v: v}

    def __init__(self, spec, params):
        it = iter(params)
        self.layers = []
        for nin, nout, act in spec:
            self.layers.append([Neuron([next(it) for _ in range(nin)], next(it), self.acts[act])
                                for _ in range(nout)])

    def __call__(self, xs):
        for layer in self.layers:
            xs = [n(xs) for n in layer]
        return xs[0] if len(xs) == 1 else xs

    def parameters(self):
        return [p for layer in self.layers for n in layer for p in (*n.w, n.b)]


def scalar_net(params, data):
    net = Net([(2, 2, "tanh"), (2, 1, "id")], params)
    loss = sum((net(x) - y) ** 2 for x, y in data)
    return loss + 0.01 * sum(p * p for p in net.parameters())


case(scalar_net, [0.1, -0.3, 0.2, 0.5, 0.4, -0.1, 0.7, -0.6, 0.05],
     (((1.0, 0.0), 1.0), ((0.5, -1.0), -0.3)), wrt=(0,))
