"""Programs as engineers write them, each with two things at once: by names, and right."""
import logging
import math
import warnings
from collections import deque
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names
from tests.held_to_both import X, is_by_names, is_right


class Point(NamedTuple):
    x: float
    y: float = 0.0

    @property
    def length(self):
        return math.hypot(*self)

    def turned(self, angle):
        return Point(self.x * math.cos(angle) - self.y * math.sin(angle),
                     self.x * math.sin(angle) + self.y * math.cos(angle))

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other[1])


@dataclass
class Pair:
    a: float
    b: float

    def __mul__(self, factor):
        return Pair(self.a * factor, self.b * factor)


class Body:
    def __init__(self, place, speed):
        self.place, self.speed = place, speed


logger = logging.getLogger(__name__)


# Named tuples: properties, operators, sums of their parts -----------------------------------------
def polygon(x):
    p, c = Point(x[0]), Point(0.1, x[1])
    for _ in range(3):
        p = p.turned(x[2]) + c
        c = c._replace(x=c.x * p.length)
    return p.x * c.x + sum(p)


def namespaces(x):
    p = SimpleNamespace(place=x[0], speed=0.5, trace=np.zeros(4))
    settings = SimpleNamespace(**{"dt": 0.1, "pull": x[1]})
    settings.damping = x[2] * 0.1
    for k in range(4):
        force = -settings.pull * p.place - settings.damping * p.speed
        p.speed += settings.dt * force
        p.place = p.place + settings.dt * p.speed
        p.trace[k] = p.place
    ends = [SimpleNamespace(x=v, w=k) for k, v in enumerate(p.trace)]
    return sum(end.w * end.x ** 2 for end in ends) + p.speed


def compartments(x):
    s = Point(x[0] ** 2, x[1])
    peak = 0.0
    for k in range(3):
        s = s._replace(y=s.y + 0.1 * s.x * x[k])
        peak += max(s) * min(s) + math.fsum(s)
    return peak + np.sum(np.array(s) ** 2)


def operator_of_a_dataclass(x):
    p = Pair(x[0], x[1])
    for k in range(2):
        p = p * x[k] if p.a < 5.0 else p
    return p.a * p.b


# Arrays that a loop over written-out names writes into --------------------------------------------
def two_species(x):
    u, v = x * 1.0, x * x
    lu, lv = np.zeros_like(u), np.zeros_like(v)
    for _ in range(2):
        for z, laplacian in ((u, lu), (v, lv)):
            laplacian[1:-1] = z[2:] - 2.0 * z[1:-1] * z[:-2]
        u += 0.1 * lu * v
        v -= 0.1 * lv * u
    return np.sum(u * v)


def stepped(x):
    weights, bias = np.outer(x, x), x * 1.0
    for p, slope in zip([weights, bias], [np.cos(weights), bias * bias]):
        p -= 0.1 * slope
    return np.sum(weights) * np.sum(bias)


def edges(x):
    grid = np.outer(x, np.sin(x))
    for k, edge in enumerate((grid[0], grid[-1], grid[:, 0])):
        edge *= x[k]
        edge[k] += x[1] ** 2
    return np.sum(grid ** 2) + edge[1]


def names_bound_anew(x):
    a, b = x * 1.0, x * x
    for b in (a, b):
        b *= 2.0
        b[0] += b[1]
    for a in (b, a * b):
        a[1] = a[0] ** 2
        b = a + 1.0
    return np.sum(a) * np.sum(b)


def doubled(z, out):
    out[:-1] = 2.0 * z[1:] * z[:-1]


def handed_to_a_helper(x):
    a, b = np.zeros_like(x), np.zeros_like(x)
    for z, out in ((x, a), (a, b)):
        doubled(z, out)
    for z in (a, b):
        np.multiply(z, z, out=z)
    return np.sum(a * x) + np.sum(b)


# Functions inside, in conditions ------------------------------------------------------------------
def line_search(x):
    def residual(m):
        return np.tanh(m) - 0.3

    def misfit(m):
        r = residual(m)
        return 0.5 * r @ r

    step = 1.0
    while misfit(x * step) > 0.2 and step > 1e-3:
        step /= 2.0
    if misfit(x) < 0.1 or step < 0.3:
        step = step * 3.0
    return misfit(x * step)


def counted(x):
    calls = 0

    def excess(v):
        nonlocal calls
        calls += 1
        return v * v - 0.5

    def above(v):
        e = excess(v)
        return e + 0.1

    y = x[0] + 1.0
    while above(y) > 0.0 and calls < 5:
        y = y * 0.8
    if excess(y) < 1.0 and y > 0.0 or above(y) > 3.0:
        y = y * calls
    return y * calls


# Objects and functions that are given a list ------------------------------------------------------
def given_one_by_one(x):
    pair, point, body = Pair(*x[:2]), Point(x[2], x[3]), Body(*[x[4] * x[5], x[6]])
    return pair.a * point.y + pair.b ** 2 * body.place * body.speed


def warned(x):
    total = 0.0
    for k, v in enumerate(x):
        total = total + v ** 3
        if v > 1e3:
            warnings.warn(f"{v} at {k}", stacklevel=2)
        logger.debug("%d: %s", k, total)
    return total


# Objects that keep an array, and hand it out ------------------------------------------------------
class Norm:
    def __init__(self, n):
        self.mean, self.variance = np.zeros(n), np.ones(n)
        self.is_training = True

    def __call__(self, x, kept=None):
        if self.is_training:
            mean, variance = x.mean(0), x.var(0)
            if kept is not None:
                setattr(self, kept, variance)
            self.mean = 0.9 * self.mean + 0.1 * mean
            self.variance *= 0.9
            self.variance += 0.1 * variance
        else:
            mean, variance = self.mean, self.variance
        return (x - mean) / np.sqrt(variance + 0.1)


def batch_norm(x):
    h, norm = np.outer(x, np.sin(x))[:, :3], Norm(3)
    for _ in range(2):
        h = np.tanh(norm(h) * h)
    norm.is_training = False
    return np.sum(norm(h) ** 2) + norm.variance @ norm.mean


def batch_norm_that_keeps_what_it_sees(x):
    h, norm = np.outer(x, np.sin(x))[:, :3], Norm(3)
    for k in range(2):
        h = np.tanh(norm(h, "variance" if k else None) * h)
    norm.is_training = False
    return np.sum(norm(h) ** 2)


def part_that_becomes_another(x):
    norm, v = Norm(len(x)), x * 1.0
    for k in range(3):
        norm.variance *= v
        if k == 1:
            norm.variance = v
        norm.variance += 1.0
        v = norm.variance if k > 1 else v * x
    return v @ norm.variance


def part_that_others_have(x):
    parts, v = {"a": x * 2.0, "b": x + 3.0}, x * x
    for k in range(2):
        parts["a"] *= v
        v = parts["b"] if k == 0 else parts["a"]
        parts["b"] += v
    return parts["a"] @ v + np.sum(parts["b"])


# Lists of pairs -----------------------------------------------------------------------------------
def two_loops(x):
    """What L-BFGS makes of the steps and slopes that it keeps."""
    kept, g = deque(maxlen=2), x * 1.0
    for k in range(4):
        q, shares = g.copy(), []
        for s, y in reversed(kept):
            shares.append((s @ q) / (s @ y))
            q -= shares[-1] * y
        for (s, y), share in zip(kept, reversed(shares)):
            q += s * (share - (y @ q) / (s @ y))
        step = -0.1 * q * (k + 1)
        slope = step * (3.0 + np.cos(x + step))
        kept.append((step, slope))
        g = g + slope
    return g @ g


def window(x):
    pairs, total = [], 0.0
    for k, v in enumerate(x):
        pairs.append((v, [v * v, 1.0 * k]))
        if len(pairs) > 3:
            pairs.pop(0)
        total += pairs[0][0] * pairs[-1][1][0]
    v, (square, k) = pairs.pop()
    return total * v + square * k * len(pairs)


def in_their_turn(x):
    queue, total = [(x[0], x[1]), (x[2], 1.0)], 0.0
    for k in range(4):
        a, b = queue.pop(0)
        total += a * b * k
        queue.append((b * x[k], a + 0.1))
    return total + queue[0][0] * queue[1][1]


# Arrays that are put together, and looked through -------------------------------------------------
def upwind(x):
    for _ in range(3):
        left = np.concatenate(([x[0]], x[:-1]))
        x = x - 0.1 * x * (x - left)
    return np.sum(x ** 3)


def places_of_the_large(x):
    grid = np.outer(x, x)
    for i, j in np.argwhere(grid > 0.5):
        grid[i, j] *= 1.0 + x[i] * x[j]
    for k, in np.argwhere(x > 0.0):
        grid[k, 0] -= x[k] ** 3
    return np.sum(grid ** 2)


def last_column_first(x):
    grid = np.outer(x, np.cos(x))
    grid[..., 0] = grid[:, -1]
    grid[0, ...] = grid[-1]
    return np.sum(grid ** 3)


@pytest.mark.parametrize("function", [
    polygon, compartments, operator_of_a_dataclass, two_species, namespaces, stepped, edges,
    names_bound_anew, handed_to_a_helper, line_search, counted, given_one_by_one, warned,
    batch_norm, two_loops, window, in_their_turn, upwind,
    places_of_the_large, last_column_first])
@pytest.mark.sweep(4)
def test_programs(function):
    is_right(function)
    is_by_names(function)


@pytest.mark.parametrize("function", [
    batch_norm_that_keeps_what_it_sees, part_that_becomes_another, part_that_others_have])
def test_what_names_may_not_tell(function):
    is_right(function)


# Lists that grow next to a try --------------------------------------------------------------------
def those_that_work(x):
    seen, missed = [], 0
    for k in range(7):
        try:
            y = float(x[k]) / (k % 3)
        except ZeroDivisionError:
            missed += 1
            continue
        seen.append(y * x[0])
    return sum(seen) / missed


def either_way(x):
    seen = []
    for k in range(7):
        try:
            y = float(x[k]) / (k % 3)
        except ZeroDivisionError:
            y = x[k] ** 3
        else:
            y = y * x[1]
        seen.append(y)
    return seen[-1] * sum(seen)


@pytest.mark.parametrize("function", [those_that_work, either_way])
def test_lists_next_to_a_try(function):
    is_right(function)
    with by_names():
        assert np.all(np.isfinite(tl.grad(function)(X)))
