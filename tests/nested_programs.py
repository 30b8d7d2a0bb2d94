"""Drawn programs about lists of lists, and the check of one against differences.

`kept`: of lists that nobody else holds and that stay where they are; these have derivatives by
names. The others copy tables, take rows out, give one row to two places, loop over rows.
"""
import copy
import linecache
import math
import random

import numpy as np

import tangent_lite as tl


class Drawn:
    """The text of one program about `x` (three floats), `T` (a table of three by three), `n`."""

    def __init__(self, seed, kept):
        self.random, self.kept = random.Random(seed), kept
        self.lines, self.depth, self.count = [], 1, 0
        self.tables, self.rows, self.numbers, self.counters = [], [], ["x[0]", "x[1]", "x[2]"], []
        if self.random.random() < 0.3:
            self.tables.append("T")

    def text(self):
        for _ in range(self.random.randrange(4, 9)):
            self.statement(0)
        parts = [self.element(), self.element(), f"sum({self.table()}[{self.index()}])",
                 self.number()]
        self.write(f"return {' + '.join(parts)}")
        return "def f(x, T, n):\n" + "\n".join(self.lines) + "\n"

    def write(self, line):
        self.lines.append("    " * self.depth + line)

    def fresh(self, start):
        self.count += 1
        return f"{start}{self.count}"

    # Expressions --------------------------------------------------------------------------------
    def index(self):
        given = [str(self.random.randrange(3)), str(-1 - self.random.randrange(3))]
        for name in self.counters:
            given += [name, f"({name} + 1) % 3", f"{name} - 1"]
        return self.random.choice(given)

    def table(self):
        return self.random.choice(self.tables)

    def element(self):
        return f"{self.table()}[{self.index()}][{self.index()}]"

    def number(self, depth=0):
        drawn = self.random.random()
        if depth > 2 or drawn < 0.25:
            return self.random.choice(self.numbers)
        if drawn < 0.6 and self.tables:
            rows = [f"{row}[{self.index()}]" for row in self.rows]
            return self.random.choice([self.element(), self.element(), *rows])
        if drawn < 0.7:
            return f"math.sin({self.number(depth + 1)})"
        if drawn < 0.74 and self.tables:
            return f"sum({self.table()}[{self.index()}])"
        if drawn < 0.78:
            return f"max({self.number(depth + 1)}, {self.number(depth + 1)} + 0.1)"
        operator = self.random.choice("+-*")
        return f"({self.number(depth + 1)} {operator} {self.number(depth + 1)})"

    def value(self):
        return f"math.tanh({self.number()})"

    # Statements ---------------------------------------------------------------------------------
    def statement(self, depth):
        drawn = self.random.random()
        if not self.tables or (drawn < 0.06 and depth == 0):
            self.make()
        elif drawn < 0.42 or (self.kept and 0.52 < drawn < 0.6) or depth > 2:
            operator = self.random.choice(["=", "=", "=", "+=", "-=", "*="])
            self.write(f"{self.element()} {operator} {self.value()}")
        elif drawn < 0.46 and depth == 0:
            name, value = self.fresh("v"), self.value()
            self.write(f"{name} = {value}")
            self.numbers.append(name)
        elif drawn < 0.5:
            self.write(f"{self.table()}[{self.index()}] = [{self.value()}, {self.value()}, 1.0]")
        elif drawn < 0.52:
            table, one, other = self.table(), self.index(), self.index()
            self.write(f"{table}[{one}], {table}[{other}] = {table}[{other}], {table}[{one}]")
        elif drawn < 0.6:
            self.about_rows()
        elif drawn < 0.8:
            self.loop(depth)
        elif drawn < 0.9:
            self.loop_over_rows()
        else:
            self.write(f"if {self.number()} > {self.random.uniform(-0.5, 0.5):.2f}:")
            self.block(depth)
            if self.random.random() < 0.5:
                self.write("else:")
                self.block(depth)

    def make(self):
        name = self.fresh("D")
        ways = ["[[0.0] * 3 for _ in range(3)]",
                f"[[{self.value()} for a in range(3)] for b in range(3)]",
                f"[[{self.value()}, {self.value()}, 0.5] for b in range(3)]"]
        if self.tables:
            ways.append(f"[row[:] for row in {self.table()}]")
        if self.tables and not self.kept:
            table = self.table()
            ways += ["[[0.0] * 3] * 3", f"list({table})", table, f"{table}[:]"]
        self.write(f"{name} = {self.random.choice(ways)}")
        self.tables.append(name)

    def about_rows(self):
        table, one, other = self.table(), self.index(), self.index()
        row = self.fresh("r")
        drawn = self.random.randrange(3)
        if drawn == 0:
            self.write(f"{row} = {table}[{one}]")
            self.write(f"{row}[{other}] = {self.value()}")
        elif drawn == 1:
            self.write(f"{table}[{one}] = {self.table()}[{other}]"
                       + self.random.choice(["", "[:]", "[::-1]"]))
        else:
            self.write(f"{table}.append([{self.value()}, 0.1, {self.value()}])")
            self.write(f"{table}[-1][1] = {self.value()}")
            self.write(f"{table}.pop(0)")

    def loop(self, depth):
        counter = self.fresh("i")
        self.write(f"for {counter} in range({self.random.choice(['3', '3', '2', '0', 'n'])}):")
        self.counters.append(counter)
        self.block(depth, self.random.randrange(1, 4))
        if self.random.random() < 0.15:
            self.write(f"    if {self.number()} > 0.8:")
            self.write("        break")
        self.counters.remove(counter)

    def loop_over_rows(self):
        row, counter = self.fresh("q"), self.fresh("j")
        self.write(f"for {row} in {self.table()}:")
        self.write(f"    for {counter} in range(len({row})):")
        self.rows.append(row)
        self.counters.append(counter)
        self.write(f"        {row}[{counter}] = {self.value()}")
        self.counters.remove(counter)
        self.rows.remove(row)

    def block(self, depth, length=1):
        self.depth += 1
        for _ in range(length):
            self.statement(depth + 1)
        self.depth -= 1


def check(seed):
    """Gradients, in one function and as a pair that is called twice, and tangents of a program,
    against differences; and that arguments stay as they are."""
    kept = seed % 3 > 0
    text, name = Drawn(seed, kept).text(), f"<drawn {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"math": math}
    exec(compile(text, name, "exec"), space)
    f, numbers = space["f"], np.random.default_rng(seed)
    x, T = numbers.normal(size=3), numbers.normal(size=(3, 3))
    u, U = numbers.normal(size=3), numbers.normal(size=(3, 3))
    n = int(numbers.integers(0, 3))

    def at(h):
        return f((x + h * u).tolist(), (T + h * U).tolist(), n)

    value = at(0.0)
    expected, coarser = [(at(h) - at(-h)) / (2 * h) for h in (5e-7, 1e-6)]
    if not math.isfinite(value) or abs(expected - coarser) > 1e-5 * (1 + abs(expected)):
        return                                  # at a kink
    close = 2e-5 * (1 + abs(expected))

    def along(adjoints):
        return float(np.dot(adjoints[0], u) + np.sum(np.array(adjoints[1]) * U))

    given = x.tolist(), T.tolist(), n
    gradient = tl.grad(f, wrt=(0, 1))
    assert abs(along(gradient(*given)) - expected) < close, text
    found, pullback = tl.vjp(f, *given)
    for _ in range(2):
        assert abs(along(pullback(1.0)) - expected) < close, text
    assert found == value, text
    tangent = tl.jvp(f, copy.deepcopy(given), (u.tolist(), U.tolist(), None))[1]
    assert abs(tangent - expected) < close, text
    assert given == (x.tolist(), T.tolist(), n), text
    if kept:
        assert "tape.pull" not in gradient.source_for(*given), text     # by names
