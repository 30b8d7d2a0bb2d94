"""Objects whose methods change objects that they hold: by names, held to the other strategy and to
differences; and what has two names, which goes by identity."""
import math

import numpy as np
import pytest

from tests.held_to_both import X, is_by_names, is_right


class Body:
    def __init__(self, x, v):
        self.x, self.v = x, v

    def step(self, dt):
        self.x += dt * self.v
        self.v -= dt * self.x


class Simulation:
    def __init__(self, x, v):
        self.body, self.t = Body(x, v), 0.0

    def step(self, dt):
        self.body.step(dt)
        self.t += dt


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def step(self, dt):
        pull = self.a.x - self.b.x
        self.a.v -= pull * dt
        self.b.v += pull * dt
        self.a.x += self.a.v * dt
        self.b.x += self.b.v * dt


class Momentum:
    def __init__(self, rate):
        self.rate, self.m = rate, 0.0

    def update(self, p, g):
        self.m = 0.9 * self.m + g
        return p - self.rate * self.m


class Trainer:
    def __init__(self, p, rate):
        self.p, self.optimiser = p, Momentum(rate)

    def step(self):
        self.p = self.optimiser.update(self.p, 2 * self.p * np.cos(self.p))


class Filter:
    def __init__(self, a):
        self.a, self.y = a, None

    def __call__(self, u):
        self.y = u if self.y is None else self.a * self.y + (1 - self.a) * u
        return self.y


class Chain:
    def __init__(self, a, b):
        self.first, self.second = Filter(a), Filter(b)

    def __call__(self, u):
        return self.second(self.first(u))


class Sums:
    def __init__(self, given=None):
        self.by_key = {} if given is None else given
        self.seen = []

    def add(self, key, v):
        self.by_key[key] = self.by_key.get(key, 0.0) + v
        self.seen.append(v)


class Report:
    def __init__(self):
        self.ups, self.downs = Sums(), Sums()

    def note(self, i, v):
        (self.ups if i % 2 else self.downs).add(i % 3, v)


class Books:
    def __init__(self):
        self.one, self.other = Sums(), Sums()

    def note(self, i, v):
        self.one.add(i % 3, v)
        self.other.add(i % 2, v * v)


def simulated(x):
    s = Simulation(x[0], x[1])
    for _ in range(20):
        s.step(0.1 * x[2])
    return s.body.x * s.t


def two_bodies(x):
    p = Pair(Body(x[0], x[1]), Body(x[2], x[3]))
    for _ in range(20):
        p.step(0.1)
    return p.a.x * p.b.x


def trained(x):
    t = Trainer(x * 1.0, x[0] * 0.01)
    for _ in range(10):
        t.step()
    return np.sum(t.p ** 2)


def filtered(x):
    chain, t = Chain(x[0] * 0.5, x[1] * 0.5), 0.0
    for i in range(7):
        t += chain(x[i]) ** 2
    return t


def three_deep(x):
    class_of = Simulation
    outer = Pair(class_of(x[0], x[1]), class_of(x[2], x[3]))
    for i in range(5):
        outer.a.step(0.1)
        outer.b.step(0.1 * outer.a.body.x)
        outer.a.body.v += outer.b.body.x * x[i]
    return outer.a.body.x * outer.b.t


def dicts_and_lists(x):
    books = Books()
    for i in range(7):
        books.note(i, x[i])
    return books.one.by_key[0] * books.other.by_key[1] + books.one.seen[2] * len(books.other.seen)


def given_by_a_function(x):
    s = Sums()
    fill(s, x)
    fill(s, x * x)
    return s.by_key[0] * s.by_key[1] + s.seen[-1]


def fill(sums, x):
    for i in range(7):
        sums.add(i % 3, x[i])


def in_a_dict(x):
    state = {"body": {"x": x[0], "v": x[1]}, "t": 0.0}
    for _ in range(5):
        body = state["body"]
        body["x"] += 0.1 * body["v"]
        body["v"] -= x[2] * body["x"]
        state["t"] += state["body"]["x"]
    return state["t"] * state["body"]["v"]


def no_step(x):
    s = Simulation(x[0], x[1])
    for _ in range(len(x) - 7):
        s.step(x[2])
    return s.body.x * x[1] + s.t


BY_NAMES = [simulated, two_bodies, trained, filtered, three_deep, dicts_and_lists,
            given_by_a_function, in_a_dict, no_step]


# What is seen under two names ------------------------------------------------------------------
def second_name(x):
    s = Simulation(x[0], x[1])
    b = s.body
    for _ in range(5):
        s.step(0.1)
        b.x += x[3]
    return b.x * s.body.v


def held_by_two(x):
    s, other = Simulation(x[0], x[1]), Simulation(x[2], x[3])
    other.body = s.body
    for _ in range(5):
        s.step(0.1)
        other.step(0.2)
    return s.body.x * other.body.v


def exchanged_meanwhile(x):
    s = Simulation(x[0], x[1])
    b = s.body
    s.body = Body(x[2], x[3])
    for _ in range(3):
        b.step(0.1)
        s.step(0.2)
    return b.x * s.body.v


def exchanged_by_a_method(x):
    s = Simulation(x[0], x[1])
    for i in range(4):
        b = s.body
        swap(s, x[i])
        b.step(0.1)
        s.t += b.x
    return s.body.v * s.t


def swap(s, v):
    s.body = Body(v, s.body.x)


def one_in_both_places(x):
    b = Body(x[0], x[1])
    p = Pair(b, b)
    for _ in range(4):
        p.step(0.1)
        p.a.step(x[2])
    return p.a.x * p.b.v


def told_of_its_owner(x):
    s = Simulation(x[0], x[1])
    for i in range(3):
        move(s.body, s, x[i])
    return s.body.x * s.body.v


def among_others(x):
    s = Simulation(x[0], x[1])
    for i in range(3):
        b = s.body
        exchange([s, Simulation(x[2], x[3])], x[i])
        b.step(0.1)
        s.t += b.v
    return s.body.v * s.t


def exchange(both, v):
    for one in both:
        one.body = Body(v, one.body.x)


def move(body, owner, v):
    body.x += v * owner.body.v
    owner.body.v += body.x * v
    owner.body = Body(owner.body.x * v, body.v)
    body.x = 3.0 * v


def either(x):
    r = Report()
    for i in range(7):
        r.note(i, x[i])
    return r.ups.by_key[0] * r.downs.by_key[1]


def dict_from_outside(x):
    d = {0: x[0]}
    s = Sums(d)
    for i in range(5):
        s.add(i % 2, x[i])
    return d[0] * s.by_key[1]


OTHERS = [second_name, held_by_two, exchanged_by_a_method, one_in_both_places, told_of_its_owner,
          among_others, either, dict_from_outside, exchanged_meanwhile]


@pytest.mark.parametrize("function", [*BY_NAMES, *OTHERS])
@pytest.mark.sweep(2)
def test_right(function):
    is_right(function)


@pytest.mark.parametrize("function", BY_NAMES)
def test_by_names(function):
    is_by_names(function)


def test_steps_of_objects_read_as_if_written_out():
    import tangent_lite as tl

    source = tl.grad(two_bodies).source_for(X)
    assert "replaced" not in source
    assert math.isclose(tl.grad(two_bodies)(X)[0],
                        (two_bodies(X + 1e-6 * np.eye(7)[0])
                         - two_bodies(X - 1e-6 * np.eye(7)[0])) / 2e-6, rel_tol=1e-7)
