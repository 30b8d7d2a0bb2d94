"""Drawn programs about dicts and objects that hold lists, arrays and numbers, and the check of one.

They read and write elements of what the containers hold, in loops; give parts, and whole
containers, a second name; let a part be another list; and hand containers to helpers that change
them.
`kept`: what is passed in is only read, and no list is in two containers; most of these have
derivatives by names.
"""
import copy
import linecache
import math
import random

import numpy as np

import tangent_lite as tl

HELPERS = '''
class Box:
    def __init__(self, v, a, k):
        self.v = v
        self.a = a
        self.k = k

    def bump(self, i, g):
        self.v[i] += g
        self.k = self.k * 0.5 + g


def bump(d, i, g):
    d["v"][i] += g
    d["k"] = d["k"] * 0.5 + g


def anew(d, g):
    d["v"] = [0.5 * e + g for e in d["v"]]


def mean(d):
    return (d["v"][0] + d["v"][1] + d["k"]) / 3.0


'''


class Drawn:
    """The text of one program about `p` (a dict or an object with a list v, an array a, a number k)
    and `x`, three floats."""

    def __init__(self, seed, is_object, kept):
        self.random, self.is_object, self.kept = random.Random(seed), is_object, kept
        self.lines, self.depth, self.count = [], 1, 0
        self.wholes, self.lists, self.arrays = ["p"], ["x"], []
        self.numbers, self.counters = ["x[0]", "x[1]"], []

    def text(self):
        for _ in range(self.random.randrange(4, 9)):
            self.statement(0)
        self.write(f"return {self.number()} + {self.element()} + {self.element()} + "
                   f"sum({self.part('v')}) + {self.part('k')}")
        return HELPERS + "def f(p, x, n):\n" + "\n".join(self.lines) + "\n"

    def write(self, line):
        self.lines.append("    " * self.depth + line)

    def fresh(self, start):
        self.count += 1
        return f"{start}{self.count}"

    # Expressions --------------------------------------------------------------------------------
    def whole(self):
        return self.random.choice(self.wholes)

    def written(self):
        """A container that changes."""
        return self.random.choice(self.wholes[1:] if self.kept else self.wholes)

    def place(self):
        """An element that is written."""
        if self.kept or self.random.random() < 0.7:
            return f"{self.part(self.random.choice('vva'), self.written())}[{self.index()}]"
        return self.element()

    def part(self, name, whole=None):
        whole = whole or self.whole()
        return f"{whole}.{name}" if self.is_object else f'{whole}["{name}"]'

    def index(self):
        given = [str(self.random.randrange(3)), str(-1 - self.random.randrange(3))]
        for name in self.counters:
            given += [name, f"({name} + 1) % 3"]
        return self.random.choice(given)

    def element(self):
        drawn = self.random.random()
        if drawn < 0.5:
            return f"{self.part('v')}[{self.index()}]"
        if drawn < 0.75:
            return f"{self.part('a')}[{self.index()}]"
        return f"{self.random.choice(self.lists + self.arrays)}[{self.index()}]"

    def number(self, depth=0):
        drawn = self.random.random()
        if depth > 2 or drawn < 0.2:
            return self.random.choice([*self.numbers, self.part("k")])
        if drawn < 0.6:
            return self.element()
        if drawn < 0.7:
            return f"math.sin({self.number(depth + 1)})"
        if drawn < 0.75 and not self.is_object and not self.kept:
            return f"mean({self.whole()})"
        if drawn < 0.8:
            return f"sum({self.part('v')})"
        operator = self.random.choice("+-*")
        return f"({self.number(depth + 1)} {operator} {self.number(depth + 1)})"

    def value(self):
        return f"math.tanh({self.number()})"

    # Statements ---------------------------------------------------------------------------------
    def statement(self, depth):
        drawn = self.random.random()
        if (len(self.wholes) == 1 or drawn < 0.06) and depth == 0:
            self.make()
        elif drawn < 0.4 or depth > 2:
            operator = self.random.choice(["=", "+=", "-=", "*="])
            self.write(f"{self.place()} {operator} {self.value()}")
        elif drawn < 0.45:
            one = self.part("k", self.written())
            self.write(f"{one} {self.random.choice(['=', '+='])} {self.value()}")
        elif drawn < 0.5:
            one = self.part("v", self.written())
            self.write(f"{one} = [{self.value()}, {self.value()}, 1.0]")
        elif drawn < 0.53:
            self.write(f"{self.part('a', self.written())} = {self.value()} * {self.part('a')}")
        elif drawn < 0.58:
            self.second_name(depth)
        elif drawn < 0.63 and not (self.kept and not self.is_object):
            whole, i, g = self.written(), self.index(), self.value()
            self.write(f"{whole}.bump({i}, {g})" if self.is_object else
                       self.random.choice([f"bump({whole}, {i}, {g})", f"anew({whole}, {g})"]))
        elif drawn < 0.9:
            self.loop(depth)
        else:
            self.write(f"if {self.number()} > {self.random.uniform(-0.5, 0.5):.2f}:")
            self.block(depth)

    def make(self):
        name, drawn = self.fresh("s"), self.random.random()
        given = [self.random.choice([f"[{self.value()}, 0.5, {self.value()}]", "list(x)",
                                     f"{self.part('v')}[:]",
                                     "list(x)" if self.kept else self.part("v")]),
                 self.random.choice([f"{self.part('a')}.copy()", f"{self.part('a')} * 2.0",
                                     "np.zeros(3)"]), self.value()]
        if drawn < 0.1 and not self.kept:
            self.write(f"{name} = {self.whole()}")
        elif self.is_object:
            self.write(f"{name} = Box({', '.join(given)})")
        elif drawn < 0.2 and not self.kept:
            self.write(f"{name} = dict({self.whole()})")
        else:
            self.write(f'{name} = {{"v": {given[0]}, "a": {given[1]}, "k": {given[2]}}}')
        self.wholes.append(name)

    def second_name(self, depth):
        kind = self.random.choice("va")
        name = self.fresh(kind)
        pool = self.lists if kind == "v" else self.arrays
        one = self.part(kind, self.written())
        self.write(f"{name} = {one if self.kept else self.random.choice([one, *pool])}")
        self.write(f"{name}[{self.index()}] = {self.value()}")
        if depth == 0 and not self.kept:
            pool.append(name)

    def loop(self, depth):
        counter = self.fresh("i")
        self.write(f"for {counter} in range({self.random.choice(['3', '3', '2', '0', 'n'])}):")
        self.counters.append(counter)
        self.block(depth, self.random.randrange(1, 4))
        self.counters.remove(counter)

    def block(self, depth, length=1):
        self.depth += 1
        for _ in range(length):
            self.statement(depth + 1)
        self.depth -= 1


def check(seed):
    """Gradients, in one function and as a pair that is called twice, and tangents of a program,
    against differences; and that arguments stay as they are. Whether it is done by names."""
    is_object = seed % 3 == 0
    text, name = Drawn(seed, is_object, seed % 4 > 0).text(), f"<drawn {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"math": math, "np": np, "__name__": f"drawn_{seed}"}
    exec(compile(text, name, "exec"), space)
    f, numbers = space["f"], np.random.default_rng(seed)
    at_start = [numbers.normal(size=3) for _ in range(3)] + [numbers.normal()]
    along = [numbers.normal(size=3) for _ in range(3)] + [numbers.normal()]
    n = int(numbers.integers(0, 3))

    def filled(x, v, a, k):
        parts = {"v": v.tolist(), "a": a.copy(), "k": float(k)}
        return (space["Box"](**parts) if is_object else parts), x.tolist()

    def at(h):
        return f(*filled(*[y + h * d for y, d in zip(at_start, along)]), n)

    value = at(0.0)
    expected, coarser = [(at(h) - at(-h)) / (2 * h) for h in (5e-7, 1e-6)]
    if not math.isfinite(value) or abs(expected - coarser) > 1e-5 * (1 + abs(expected)):
        return None                                 # at a kink
    close = 2e-5 * (1 + abs(expected))

    def parts_of(p):
        return vars(p) if is_object else p

    def total(adjoints):
        p, x = parts_of(adjoints[0]), adjoints[1]
        return float(np.dot(x, along[0]) + np.dot(p["v"], along[1]) + np.dot(p["a"], along[2])
                     + p["k"] * along[3])

    given = (*filled(*at_start), n)
    before = copy.deepcopy(given)
    gradient = tl.grad(f, wrt=(0, 1))
    assert abs(total(gradient(*given)) - expected) < close, text
    found, pullback = tl.vjp(f, *given)
    for _ in range(2):
        assert abs(total(pullback(1.0)) - expected) < close, text
    assert found == value, text
    tangent = tl.jvp(f, copy.deepcopy(given), (*filled(*along), None))[1]
    assert abs(tangent - expected) < close, text
    assert given[1:] == before[1:] and all(
        np.array_equal(parts_of(given[0])[k], parts_of(before[0])[k]) for k in "vak"), text
    return "tape.pull" not in gradient.source_for(*given)
