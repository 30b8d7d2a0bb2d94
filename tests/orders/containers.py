"""Lists, dicts, tuples, objects: as arguments, and made, grown and changed inside."""
import dataclasses
import math
from typing import NamedTuple

import numpy as np

from tests.orders.case import case

u3 = np.array([0.5, -1.2, 0.8])


def list_grown(x):
    ys = [x]
    for i in range(3):
        ys.append(math.sin(ys[-1]) * ys[i])
    return ys[3] * ys[1] + ys[2]


case(list_grown, 0.7)


def list_summed(x):
    ys = []
    for i in range(3):
        ys.append(x * math.cos(x * i))
    return sum(ys) * ys[0] * max(ys)


case(list_summed, 0.7)


def list_emptied(x):
    ys = [x, x * x, 2.0]
    total = x
    while ys:
        total = total * x + math.sin(ys.pop())
    return total


case(list_emptied, 0.7)


def list_written(x):
    ys = [x, x * x, 1.0]
    ys[0] = ys[1] * ys[2]
    for i in range(2):
        ys[i + 1] = ys[i] * math.sin(ys[i + 1])
    ys[-1] *= ys[0]
    return ys[0] + ys[1] * ys[2]


case(list_written, 0.7)


def list_of_arrays(x):
    ys = [x]
    for i in range(2):
        ys.append(np.tanh(ys[-1]) * x)
    s = 0.0
    for y in ys:
        s = s + np.sum(y * y)
    return s * ys[1][0]


case(list_of_arrays, u3)


def list_stacked(x):
    ys = []
    for i in range(3):
        ys.append(x * math.sin(x[i]))
    Y = np.array(ys)
    return np.sum(Y @ Y)


case(list_stacked, u3)


def list_of_written_arrays(x):
    y = x * 1.0
    kept = []
    for i in range(3):
        y[i] = y[i] * math.sin(y[i - 1])
        kept.append(y.copy())
    return np.sum(kept[0] * kept[1]) + np.sum(kept[2] ** 2)


case(list_of_written_arrays, u3)


def list_sliced(x):
    ys = [x, x * x, math.sin(x), 1.0]
    ys[1:3] = [ys[0] * ys[2], ys[1]]
    zs = ys[1:]
    zs.insert(1, x * zs[0])
    return zs[1] * zs[2] + sum(zs[:2]) * ys[0]


case(list_sliced, 0.7)


def list_copied(x):
    ys = [x, x * x]
    zs = ys + [ys[0] * ys[1]]
    ws = list(zs)
    ws.append(zs[2] * ws[1])
    return sum(ws) * ws[3] * zs[0]


case(list_copied, 0.7)


def list_of_lists(x):
    rows = []
    for i in range(2):
        row = []
        for j in range(2):
            row.append(x * math.sin(x + i * j))
        rows.append(row)
    return rows[0][1] * rows[1][1] * rows[1][0]


case(list_of_lists, 0.7)


def cumulate(x, n):
    ys = [x]
    for i in range(n):
        ys.append(ys[-1] * math.sin(x))
    return ys


def list_returned(x):
    ys = cumulate(x, 3)
    return ys[1] * ys[3] + sum(ys)


case(list_returned, 0.7)


def total_of(ys):
    s = 0.0
    for y in ys:
        s = s + y * y * s + y
    return s


def list_handed_on(x):
    return total_of([x, math.sin(x), x * x])


case(list_handed_on, 0.7)


def comprehension(x):
    ys = [math.sin(v) * v for v in x]
    return sum(ys) * sum(y * y for y in ys if y > 0.0)


case(comprehension, u3)


def comprehension_of_arrays(x):
    rows = [x * v for v in x]
    return np.sum(np.array(rows) ** 2) * sum([np.sum(r) for r in rows[1:]])


case(comprehension_of_arrays, u3)


def zipped(x):
    s = 1.0
    for k, (a, b) in enumerate(zip(x[1:], x[:-1])):
        s = s * a * math.sin(b) + k * a * b
    return s


case(zipped, u3)


def dict_changed(x):
    d = {"a": x, "b": x * x}
    d["a"] = d["b"] * math.sin(d["a"])
    d["c"] = d["a"] * d["b"]
    s = 0.0
    for key in d:
        s = s + d[key] ** 2
    return s


case(dict_changed, 0.7)


def dict_with_unknown_keys(x):
    d = {}
    for i in range(3):
        d[i % 2] = x * math.sin(x + i)
    d[0] = d[0] * d[1]
    return d[0] * d[1]


case(dict_with_unknown_keys, 0.7)


class Body:
    def __init__(self, place, speed):
        self.place, self.speed = place, speed

    def step(self, dt):
        self.speed = self.speed - dt * math.sin(self.place)
        self.place = self.place + dt * self.speed


def object_changed(x):
    body = Body(x, x * x)
    for i in range(3):
        body.step(0.3)
    return body.place * body.speed


case(object_changed, 0.7)


class Net:
    def __init__(self, W):
        self.W = W
        self.seen = []

    def __call__(self, v):
        v = np.tanh(self.W * v)
        self.seen.append(v)
        return v


def object_called(x):
    net = Net(x)
    y = net(net(x * x))
    return np.sum(y * net.seen[0])


case(object_called, u3)


def tuple_swapped(x):
    pair = (x, x * x)
    for i in range(3):
        a, b = pair
        pair = (math.sin(b), a * b)
    return pair[0] * pair[1]


case(tuple_swapped, 0.7)


# Arguments that are containers --------------------------------------------------------------------
def dict_argument(p):
    W, b = p["dense"]
    h = np.tanh(W * W[0] + b)
    return np.sum(h * h) * p["gain"]


def dict_dot(a, b):
    return np.sum(a["dense"][0] * b["dense"][0]) + a["dense"][1] * b["dense"][1] \
        + a["gain"] * b["gain"]


case(dict_argument, {"dense": (u3, 0.3), "gain": 1.7}, dict_dot)


def dict_argument_changed(p):
    p["gain"] = p["gain"] * p["dense"][1]
    return dict_argument(p)


case(dict_argument_changed, {"dense": (u3, 0.3), "gain": 1.7}, dict_dot)


def tuple_argument(p):
    a, w = p
    for i in range(2):
        a = a * np.sum(np.sin(w * a))
    return a


def tuple_dot(a, b):
    return a[0] * b[0] + np.sum(a[1] * b[1])


case(tuple_argument, (0.7, u3), tuple_dot)


def list_argument(ws):
    s = 1.0
    for w in ws:
        s = s * math.sin(w) + w
    return s * ws[0]


def list_dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


case(list_argument, [0.7, 1.3, -0.4], list_dot)


def list_of_arrays_argument(ws):
    h = np.ones(2)
    for W in ws:
        h = np.tanh(W @ h)
    return np.sum(h * h)


def arrays_dot(a, b):
    return np.sum(a[0] * b[0]) + np.sum(a[1] * b[1])


case(list_of_arrays_argument, [np.array([[1.5, 0.3], [-0.4, 0.9]]),
                               np.array([[0.2, 0.7], [0.5, -0.9]])], arrays_dot)


@dataclasses.dataclass
class Line:
    slope: np.ndarray
    offset: float


def dataclass_argument(m):
    y = np.sin(m.slope) * m.offset
    return np.sum(y * y * m.slope) + m.offset ** 3


def line_dot(a, b):
    return np.sum(a.slope * b.slope) + a.offset * b.offset


case(dataclass_argument, Line(u3, 0.7), line_dot)


def dataclass_argument_changed(m):
    m.offset = m.offset * np.sum(m.slope)
    return dataclass_argument(m)


case(dataclass_argument_changed, Line(u3, 0.7), line_dot)


class Pair(NamedTuple):
    a: float
    b: np.ndarray


def named_tuple_argument(p):
    q = Pair(p.a * math.sin(p.a), p.b)
    return np.sum(q.b * q.b) * q.a + p.b[0]


def pair_dot(a, b):
    return a.a * b.a + np.sum(a.b * b.b)


case(named_tuple_argument, Pair(0.7, u3), pair_dot)


class Circuit:
    def __init__(self, gain, taps):
        self.gain, self.taps = gain, taps

    def response(self, v):
        return self.gain * np.tanh(self.taps * v)


def object_argument(c):
    return np.sum(c.response(c.response(0.5)) * c.taps)


def circuit_dot(a, b):
    return a.gain * b.gain + np.sum(a.taps * b.taps)


case(object_argument, Circuit(0.7, u3), circuit_dot)


def list_in_a_dict_read_in_a_branch(x):
    d = {"l": [x, x * x]}
    s = x * 4.0
    if x > 0.1:
        s = d["l"][0] * s
    return d["l"][0] * s * d["l"][1]


case(list_in_a_dict_read_in_a_branch, 0.7)


def list_in_a_tuple_read_in_a_loop(x):
    p = ([x, x * x], 1)
    s = x * 4.0
    for k in range(3):
        if k > 0:
            s = p[0][0] * s + p[0][1]
    return p[0][0] * s


case(list_in_a_tuple_read_in_a_loop, 0.7)
