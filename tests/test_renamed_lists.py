"""Lists that are built anew, get another name, and change: which of that is written by name."""
import linecache
import math
import random

import numpy as np
import pytest

import tangent_lite as tl

X = [0.3, -0.7, 0.9]


def by_new_lists(x):
    values = [v * v for v in x]
    for k in range(len(x) - 1):
        new = []
        for j in range(len(values) - 1):
            new.append(math.sin(values[j]) * values[j + 1] + x[k])
        values = new
    return values[0]


def by_comprehensions(x):
    values = [max(v - 0.1, 0.0) for v in x]
    for k in range(len(x) - 1, 0, -1):
        values = [0.9 * (values[j] + x[0] * values[j + 1]) for j in range(k)]
    return values[0]


def two_rows(x):
    """As of the distance between two texts: the row before, and the one that is being written."""
    before = [0.0] + [v for v in x]
    for u in x:
        row = [before[0] + u]
        for j in range(len(x)):
            row.append(math.log(math.exp(before[j]) + math.exp(row[j] + x[j])))
        before = row
    return before[-1]


def popped_under_a_second_name(x):
    s = x[0]
    b = a = [v * 0.5 for v in x]
    a = a[:2]
    s += b.pop() * x[0]
    return s + sum(a) * 0.3 + sum(b)


def first_name_is_bound_anew(x):
    s = x[0]
    a = [v * 0.5 for v in x]
    b = a[1:]
    c = b
    for _ in range(2):
        b = []
        s += c.pop() * s
    return s + sum(a) * 0.3 + sum(b)


def read_before_it_is_emptied(x):
    a = [v * v for v in x]
    for k in range(2):
        a[k] = a[k] * a[1]
    b = a
    s = 0.0
    while b:
        t = b.pop()
        s += t * t
    return s


def bound_to_itself(x):
    s = 0.0
    a = [v * v for v in x]
    for _ in range(2):
        a = a
        s = math.sin(s) + sum(a)
        a.append(s)
    return s + a[1]


def swapped(x):
    a, b = [v * v for v in x], [x[0]]
    for k in range(3):
        a, b = b, a
        a.append(x[k] * b[0])
    return sum(a) * b[-1]


def copied_and_grown(x):
    s = x[0]
    b = [v * 0.5 for v in x]
    for k in range(2):
        c = b[:]
        s = math.sin(s) + sum(c)
        c.append(s * x[1])
    return s + sum(b)


def copied_and_turned(x):
    s = x[0]
    for k in range(3):
        c = x[:]
        s = s * c[0] + c[1]
        c.reverse()
    return s


BY_NAME = [by_new_lists, by_comprehensions, two_rows, bound_to_itself]
OTHERS = [popped_under_a_second_name, first_name_is_bound_anew, read_before_it_is_emptied, swapped,
          copied_and_grown, copied_and_turned]


@pytest.mark.parametrize("function", BY_NAME + OTHERS)
@pytest.mark.sweep(3)
def test_gradients(function):
    tl.check_grads(function, (X,), order=2)


@pytest.mark.parametrize("function", BY_NAME)
def test_written_by_name(function):
    """Building a new list and calling it by the old one's name is how tables are filled."""
    assert "(tape," not in tl.grad(function).source_for(X)


class Drawn:
    """Draws functions of a list of three numbers."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = ["def f(x):", "    s = x[0]", "    a = [v * 0.5 for v in x]",
                      "    b = list(a)", "    c = []"]
        for _ in range(self.random.randint(3, 6)):
            self.statement("    ", 0)
        self.lines.append("    for k9 in range(2):")
        for _ in range(self.random.randint(2, 4)):
            self.statement("        ", 1)
        self.lines.append("    return s + sum(a) * 0.3 + sum(b)")

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def value(self):
        return self.random.choice(["x[0]", "x[1]", "x[2]", "s", "0.3", "s * x[1]"])

    def statement(self, margin, depth):
        name, other = self.random.choice("abc"), self.random.choice("abc")
        item = self.random.choice(["0.5 * v", "v * v", "v + s", "math.sin(v)"])
        part = self.random.choice(["1:", ":-1", ":2", ":"])
        written = self.random.choice([
            [f"{name} = [{item} for v in {other}]"], [f"{name} = {other}"],
            [f"{name}.append({self.value()})"], [f"{name} = {other}[{part}]"],
            [f"if len({name}) > 1:", f"    s += {name}.pop() * {self.value()}"],
            [f"if {name}:", f"    {name}[0] = {self.value()}"],
            [f"s = math.sin(s) + sum({name})"], [f"{name}, {other} = {other}, {name}"],
            [f"for v in {name}:", f"    s = 0.5 * s + v * {self.value()}"], None])
        if written is not None:
            self.lines += [margin + line for line in written]
        elif depth < 2:
            self.lines.append(f"{margin}for k{depth} in range({self.random.choice('023')}):")
            for _ in range(self.random.randint(1, 3)):
                self.statement(margin + "    ", depth + 1)
        else:
            self.lines.append(f"{margin}pass")


def numbers(function, x):
    """The gradient by central differences; None at a kink."""
    found = []
    for k in range(len(x)):
        slopes = []
        for step in (1e-6, 1e-7):
            ends = []
            for sign in (1.0, -1.0):
                moved = list(x)
                moved[k] += sign * step
                ends.append(function(moved))
            slopes.append((ends[0] - ends[1]) / (2.0 * step))
        if abs(slopes[0] - slopes[1]) > 1e-4 * (1.0 + abs(slopes[0])):
            return None
        found.append(slopes[0])
    return found


def is_right(seed):
    text, name = Drawn(seed).text, f"<drawn list program {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"math": math}
    exec(compile(text, name, "exec"), space)
    expected = numbers(space["f"], X)
    if expected is None:
        return True
    value, gradient = tl.value_and_grad(space["f"])(X)
    assert value == pytest.approx(space["f"](X)), text
    scale = 1.0 + max(map(abs, expected))
    assert np.allclose(gradient, expected, rtol=1e-4, atol=1e-5 * scale), text
    return True


@pytest.mark.parametrize("block", range(4))
@pytest.mark.sweep(4)
def test_drawn(block):
    """Other seeds: python -m pytest tests/test_renamed_lists.py -m slow"""
    assert all(is_right(seed) for seed in range(15 * block, 15 * block + 15))


@pytest.mark.slow
def test_many_drawn():
    assert all(is_right(seed) for seed in range(1000, 2500))
