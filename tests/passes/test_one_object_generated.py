"""Programs with objects that have many names, made at random: right, whichever way they go."""
import itertools
import random

import numpy as np
import pytest

import tangent_lite as tl

HEAD = '''
import numpy as np


class Box:
    def __init__(self, v):
        self.v = v

    def grow(self, k):
        self.v = self.v * k
        return self.v


class Net:
    def __init__(self, inner, other):
        self.inner = inner
        self.v = inner.v * 0.5
        self.other = other

    def grow(self, k):
        self.inner.v = self.inner.v + k
        self.v = self.v - k
        return self.inner.v


def f(x):
    k = 0
    t = 0.0
    a, b, c = Box(x), Box(x * x), Box(np.cos(x))
    n = Net(a, b)
    row = (a, b, c)
    box = b
'''
TAIL = '''    return (t + a.v * 1.1 + b.v * 1.2 + c.v * 1.3 + n.v * 1.4 + n.inner.v * 1.5
            + n.other.v * 1.6 + box.v * 1.7 + row[0].v * 1.8 + row[1].v * 1.9)
'''
OBJECTS = ["a", "b", "c", "n.inner", "n.other", "row[0]", "row[1]", "row[-1]", "box"]


class Programs:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def one(self):
        return self.random.choice(OBJECTS)

    def whole(self):
        return self.random.choice([self.one(), self.one(), "n"])

    def number(self):
        return self.random.choice(["x", "x * 0.5", "t", f"{self.whole()}.v", f"{self.one()}.v * x",
                                   "0.3", "float(k)", "np.sin(x)"])

    def simple(self):
        name = self.random.choice(["a", "b", "c", "box"])
        return self.random.choice([
            [f"{name} = {self.one()}"], [f"{name} = {self.one()}"],
            [f"{self.whole()}.v = {self.number()}"], [f"{self.whole()}.v += {self.number()}"],
            [f"row = ({self.one()}, {self.one()}, {self.one()})"],
            [f"n.{self.random.choice(['inner', 'other'])} = {self.one()}"],
            [f"t = t + {self.whole()}.v * {self.number()}"],
            [f"t = t + {self.whole()}.grow({self.number()})"],
            [f"{name} = Box({self.number()})"], ["a, b = b, a"], ["a, box, c = row"],
            [f"n = Net({self.one()}, {self.one()})"]])

    def compound(self, depth):
        body = indented(self.block(depth + 1))
        test = self.random.choice(["x > 0.8", "t > 0.5", "k % 2 == 0", "a is box"])
        leaves = indented(["if k == 1:", f"    box = {self.one()}",
                           self.random.choice(["    break", "    continue"])])
        return self.random.choice([
            [f"if {test}:", *body, "else:", *indented(self.block(depth + 1))],
            [f"if {test}:", *body],
            [f"for k in range({self.random.randint(0, 3)}):", *body],
            ["for k in range(3):", *body, *leaves, *indented(self.block(depth + 1))],
            [f"for box in {self.random.choice(['row', '(a, b)', '[a, c]'])}:", *body],
            ["try:", *body, *indented([f"if {test}:", "    raise ValueError"]),
             *indented(self.block(depth + 1)), "except ValueError:", *body]])

    def block(self, depth):
        return list(itertools.chain.from_iterable(
            self.compound(depth) if depth < 2 and self.random.random() < 0.2 else self.simple()
            for _ in range(self.random.randint(1, 3))))


def indented(lines):
    return ["    " + line for line in lines]


@pytest.mark.sweep(8)
@pytest.mark.parametrize("seed", range(80))
def test_right(seed, tmp_path, monkeypatch):
    module = f"objects_{seed}"
    lines = indented(Programs(seed).block(0))
    (tmp_path / f"{module}.py").write_text(HEAD + "\n".join(lines) + "\n" + TAIL)
    monkeypatch.syspath_prepend(tmp_path)
    f = __import__(module).f
    for x in (0.7, 1.1):
        value, slope = tl.value_and_grad(f)(x)
        wanted = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
        assert value == pytest.approx(f(x), rel=1e-12)
        assert slope == pytest.approx(wanted, rel=1e-5, abs=1e-5 * max(1.0, abs(value)))
        assert np.isfinite(slope)
