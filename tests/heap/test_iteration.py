"""Loops over what Python can loop over: the adjoints of items go where they came from."""
import csv
import enum
import io
import itertools
import math

import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.heap.referee import held

HEAD = """
import itertools
import functools
import operator

class Count:
    def __init__(self, xs):
        self.xs = xs
    def __iter__(self):
        return iter(self.xs)

class Steps:
    def __init__(self, x, n):
        self.x, self.n = x, n
    def __iter__(self):
        return self
    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        self.x = self.x * 1.5
        return self.x

class Row:
    def __init__(self, *xs):
        self.xs = xs
    def __len__(self):
        return len(self.xs)
    def __getitem__(self, k):
        return self.xs[k]

def f(x, y):
    a, t, w = [x, y, x * y], (x, y * y), np.array([1.5, 0.7]) * x
    s = 0.0
"""
# Each loop adds to s what it meets.
LOOPS = [
    "for v in a:\n    s += v * v", "for v in t:\n    s += v * v", "for v in w:\n    s += v * v",
    "for k, v in enumerate(a, 1):\n    s += k * v * v", "for p, q in zip(a, t):\n    s += p * q",
    "for k, (p, q) in enumerate(zip(t, w)):\n    s += (k + 1) * p * q",
    "for v in reversed(a):\n    s = s * v + v", "for v in reversed(t):\n    s = s * v + v",
    "for v in map(lambda v: v * y, a):\n    s += v * v", "for v in map(operator.mul, a, t):\n"
    "    s += v",
    "for v in filter(lambda v: v > 0.9, a):\n    s += v * v", "for v in iter(a):\n    s += v * v",
    "it = iter(a)\ns = next(it) * next(it)\nfor v in it:\n    s += v * v", "s = next(iter(t)) * y",
    "it = iter(a[:1])\nnext(it)\ns = next(it, x * y) * y", "for v in itertools.chain(a, t, w):\n"
    "    s += v * v",
    "for v in itertools.chain.from_iterable([a, t, w]):\n    s = s * y + v * v",
    "for v in itertools.chain.from_iterable((a, t)):\n    s = s * y + v * v",
    "for v in itertools.islice(a, 1, 3):\n"
    "    s += v * v", "for p, q in itertools.product(a, t):\n    s += p * q",
    "for p, q in itertools.combinations(a, 2):\n"
    "    s += p * p * q", "for v in itertools.repeat(x, 3):\n    s += v * v",
    "for p, q in itertools.permutations(t):\n"
    "    s += p * p * q", "for p, q in itertools.pairwise(a):\n    s += p * q",
    "for v in itertools.accumulate(a):\n"
    "    s += v * v", "for v in itertools.accumulate(t, operator.mul):\n    s += v",
    "for v in itertools.accumulate(a, lambda p, q: p * q + x, initial=y):\n    s = s * v + v",
    "for v in itertools.takewhile(lambda v: v > 1.0, a):\n    s += v * v",
    "for v in itertools.dropwhile(lambda v: v > 1.0, a):\n    s += v * v",
    "for p, q in itertools.zip_longest(a, t, fillvalue=y):\n    s += p * q",
    "for v in itertools.starmap(lambda p, q: p * q * q, [(x, y), (y, x * x)]):\n    s += v * v",
    "for v in itertools.starmap(operator.mul, ((x, y), (y, x))):\n    s += v * v",
    "for v in itertools.compress(a, [1, 0, 1]):\n    s += v * v",
    "for v in itertools.filterfalse(lambda v: v > 1.0, a):\n    s += v * v",
    "for v in Count(a):\n    s += v * v", "for v in Count(w):\n"
    "    s += v * v", "for v in Count([]):\n    s += v\ns = x",
    "for v in Steps(x, 3):\n    s += v * y", "for v in Row(x, y):\n"
    "    s += v * v", "s = sum(Row(x, y), y)",
    "s = sum(v * v for v in a if v > 0.9)", "s = sum(a) * max(a) * min(t)", "s = max(a, "
    "key=lambda v: -v)",
    "s = functools.reduce(operator.mul, a)", "s = functools.reduce(lambda p, q: p * q + y, a, x)",
    "s = x * any(v > 1.0 for v in a) + y * all(v > 1.0 for v in a)", "s = sorted(a)[0] * "
    "sorted(t)[-1]",
    "g = (v * v for v in a)\na[1] = 2.0\nfor v in g:\n"
    "    s += v * y", "s = math.fsum(a) * math.prod(t)",
    "for v in a:\n    if v > 1.0:\n        a.append(0.5 * v)\n    s += v", "for k in range(3):\n"
    "    a[k] = a[k - 1] * y\ns = sum(a)",
    "while a:\n    s += a.pop() * y\n    if len(a) == 1:\n        break\nelse:\n    s = 0.0",
    "for v in a:\n    if v < 1.0:\n        continue\n    s += v\nelse:\n    s = s * y",
    "for p, *q in [(x, y, x), (y, x)]:\n"
    "    s += p * q[0]", "s = sum([v for row in [a, t] for v in row if v > 0.8])",
    "d = {'p': x, 'q': y}\nfor k, v in d.items():\n    s += v * v\nfor v in d.values():\n"
    "    s += v",
    "d = {'p': x, 'qq': y}\nfor k, v in reversed(d.items()):\n    s = s * len(k) + v\n"
    "for v in reversed(d.values()):\n    s = s * x + v\nfor k in reversed(d.keys()):\n"
    "    s += len(k) * y",
    "p, q = itertools.tee(v * v for v in a)\nnext(q)\nfor v, u in zip(p, q):\n    s += v * u",
    "p, q, r = itertools.tee(t, 3)\ns = sum(p) * next(r) + sum(v * v for v in q)\na[0] = s\n"
    "s = a[0] * next(r)",
    "p, q = itertools.tee(a)\np, r = itertools.tee(p)\ns = next(q) * next(r)\n"
    "for v in itertools.chain(p, q, r):\n    s = s * y + v",
    "p, q = itertools.tee(Steps(x, 3))\nfor v in p:\n    s += v * y\ns = s * next(q)",
    "it = iter(lambda: a.pop(), x)\nfor v in it:\n    s += v * v\ns = s + len(a) * y",
    "it = iter(a)\ns = it.__next__() * it.__next__()",
    "s = sum(iter(functools.partial(next, iter(a)), None))",
    "s = sum(v * y for v in iter(iter(a).__next__, y))",
    "w = [x]\ndef grow():\n    w[0] = w[0] * 0.5 * y\n    return w[0] if w[0] > 0.05 else None\n"
    "for v in iter(grow, None):\n    s += v\n    if s > 9.0:\n        break\ns = s * w[0]",
    "s = np.sum(np.array(list(map(lambda v: v * v, a))))", "s = sum(x * k for k in {1, 2}) * y",
]


@pytest.mark.parametrize("loop", LOOPS, ids=lambda v: v.split("\n")[0])
@pytest.mark.sweep(8)
def test_loops(loop):
    lines = "".join(f"    {line}\n" for line in loop.split("\n"))
    held(HEAD + lines + "    return s\n", "1.3, 0.7", wrt=(0, 1))


class Rate(enum.Enum):
    LOW = 2.0
    HIGH = 5.0


def test_members_of_an_enumeration_backwards():
    def f(x):
        return sum(rate.value * x ** k for k, rate in enumerate(reversed(Rate)))

    with by_identity():
        assert tl.grad(f)(3.0) == 2.0


def test_numbers_that_are_keys_backwards():
    def f(x):
        return sum(key for key in reversed({x: 1.0}))

    with by_identity(), pytest.raises(tl.TangentError, match="floats that are keys"):
        tl.grad(f)(3.0)


def _airmass(scale, text):
    total = 0.0
    for row in csv.reader(io.StringIO(text)):
        if not row or row[0].startswith("#"):
            continue
        zenith = math.radians(90.0 - float(row[1])) * scale
        total += 1.0 / (math.cos(zenith) + 0.5 * (96.1 - math.degrees(zenith)) ** -1.6)
    return total


def _rows_changed(k, text):
    kept, total = [], 0.0
    for row in csv.reader(text.splitlines(), quoting=csv.QUOTE_NONNUMERIC):
        row[0] = k * row[1]
        row[1] += row[0]
        row.append(k)
        kept.append(row)
    for row in kept:
        total += row[0] * row[1] * row[2]
    return total


def _rows_taken_apart(k, text):
    total = 0.0
    for n, (_, *rest) in enumerate(list(csv.reader(text.splitlines()))):
        for value in map(float, rest):
            total += k ** (n + 1) * value
    return total


@pytest.mark.parametrize("f", [_airmass, _rows_changed, _rows_taken_apart])
@pytest.mark.parametrize("text", ['"a",40.5\n"b",7', ""])
def test_rows_of_csv(f, text):
    def differences(g, x):
        return (g(x + 1e-6, text) - g(x - 1e-6, text)) / 2e-6

    expected = differences(f, 0.9)
    assert tl.value_and_grad(f)(0.9, text) == (f(0.9, text), pytest.approx(expected, rel=1e-7))
    assert tl.jvp(f, (0.9, text), (1.0, None))[1] == pytest.approx(expected, rel=1e-7)
    assert tl.hessian(f)(0.9, text) == pytest.approx(differences(tl.grad(f), 0.9), rel=1e-6)


def test_lists_of_an_iterator_that_others_may_hold_are_refused():
    def f(x, rows):
        total = 0.0
        for row in rows:
            row[0] = x * row[0]
            total += row[0]
        return total

    with pytest.raises(tl.UnsupportedSyntaxError, match="goes through cannot be followed"):
        tl.grad(f)(2.0, itertools.islice([[1.0], [2.0]], 2))
