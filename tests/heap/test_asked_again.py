"""Iterators that are asked again after an end, or after what they call has failed."""
import pytest

from tests.heap.referee import check, world

_HEAD = """
import itertools

class Burst:
    '''Comes to an end after every second item, and goes on when it is asked again.'''
    def __init__(self, x):
        self.x, self.count = x, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.count += 1
        if self.count % 3 == 0:
            raise StopIteration
        return self.x * self.count

class Fickle:
    '''Fails at its third position.'''
    def __init__(self, x):
        self.x = x

    def __getitem__(self, k):
        if k == 2:
            raise KeyError
        return self.x * (k + 1)

def choosy(v):
    if 1.5 < v < 2.5:
        raise ValueError
    return v * v

def likes(v):
    if 1.5 < v < 2.5:
        raise ValueError
    return v < 3.0

def pair(a, b):
    if 2.5 < b < 3.5:
        raise ValueError
    return a * b

def gone_through(it, x):
    '''A sum in which each item stands for its place, through errors and ends.'''
    total = 0.0
    for n in range(9):
        try:
            v = next(it, x)
        except (ValueError, KeyError):
            v = 0.5 * x
        total = total * 1.1 + v * (n + 1)
    return total
"""
_ENDED = [
    "zip(map(lambda v: v * v, [x, 2.0 * x, 3.0 * x]), [1.0])",
    "zip([1.0, 2.0, x, 4.0, 5.0, 6.0], b)", "zip(b, [x, 2.0, 3.0])", "zip([x], b, b)",
    "enumerate(b)", "zip(enumerate(b), b)", "map(lambda v, w: v * w, b, itertools.count(1))",
]
_ENDED_NUMBERS = [
    "b", "iter(b)", "map(lambda v: v * v, b)", "filter(lambda v: v > 1.0, b)",
    "filter(None, b)", "itertools.filterfalse(lambda v: v > 4.0, b)",
    "itertools.compress(b, [1, 0, 1, 1, 0, 1])", "itertools.compress([x, x * x, x ** 3, 2.0], b)",
    "itertools.chain(b, [x])", "itertools.chain([x], b, b)",
    "itertools.chain.from_iterable([b, [x]])",
    "itertools.islice(b, 4)", "itertools.islice(b, 1, 9, 2)",
    "itertools.takewhile(lambda v: v < 6.0, b)", "itertools.dropwhile(lambda v: v < 2.0, b)",
    "itertools.dropwhile(lambda v: v < 5.0, b)", "itertools.accumulate(b)",
    "itertools.accumulate(b, lambda s, v: s * v)", "itertools.accumulate(b, initial=x)",
    "itertools.starmap(lambda v, w: v * w, zip(b, [x, 2.0, 3.0, 4.0]))",
    "itertools.cycle(b)", "itertools.tee(b)[0]", "iter(lambda: next(b), 4.0)",
]
_PAIRS = ["itertools.pairwise(b)", "itertools.zip_longest(b, [x, 2.0, 3.0])"]
_FAILED = [
    "map(choosy, [x, 2.0 * x, x, 3.0 * x])", "enumerate_(map(choosy, [x, 2.0 * x, x, 3.0 * x]))",
    "filter(likes, [x, 2.0 * x, x, 3.0 * x, x])",
    "itertools.takewhile(likes, [x, 2.0 * x, x, 9.0, x])",
    "itertools.filterfalse(likes, [x, 2.0 * x, x, 4.0 * x, x])",
    "itertools.dropwhile(likes, [x, 2.0 * x, 3.0 * x, 4.0])",
    "itertools.chain(map(choosy, [x, 2.0 * x, x]), [x])",
    "itertools.chain.from_iterable([[x], map(choosy, [x, 2.0 * x, x])])",
    "itertools.islice(map(choosy, [x, 2.0 * x, x, 3.0 * x]), 3)",
    "itertools.accumulate([x, 2.0, 3.0, x], pair)",
    "itertools.starmap(pair, [(x, 2.0), (x, 3.0), (x, x)])",
    "itertools.cycle(map(choosy, [x, 2.0 * x, x]))",
    "itertools.tee(map(choosy, [x, 2.0 * x, x]))[1]",
    "map(lambda v: v * x, map(choosy, [x, 2.0 * x, x]))", "iter(Fickle(x))",
    "map(lambda v: v * v, Fickle(x))", "(choosy(v) for v in [x, 2.0 * x, x])",
]
_GROUPS = """
def f(x):
    b = Burst(x)
    groups = itertools.groupby(b, lambda v: v > 4.0)
    total = 0.0
    for _ in range(4):
        for key, group in groups:
            total = total * 1.1 + next(group) + key
            total += 3.0 * sum(group) + 2.0 * sum(group)
    return total
"""
_COUNTED = """
def f(x):
    total = 0.0

    def seen(v):
        nonlocal total
        total += v * v
        return v * 3.0
    it = zip(map(seen, [x, 2.0 * x, 3.0 * x]), [1.0])
    a = next(it, None)
    b = next(it, (x * 7.0, 1.0))
    c = next(it, (x * 11.0, 1.0))
    return a[0] * b[0] + c[0] + total
"""


def _held(text, x=1.05):
    def make():
        return world(_HEAD + text)["f"], (x,)
    check(make)


@pytest.mark.parametrize("made", _ENDED_NUMBERS)
def test_after_an_end(made):
    _held(f"def f(x):\n    b = Burst(x)\n    return gone_through({made}, x) + b.count * x\n")


@pytest.mark.parametrize("made", _ENDED + _PAIRS)
def test_tuples_after_an_end(made):
    _held(f"""
def f(x):
    b = Burst(x)
    total = 0.0
    it = {made}
    for _ in range(4):
        for one in it:
            total = total * 1.1 + sum(v if isinstance(v, float) else sum(v) if isinstance(v, tuple)
                                      else v for v in one if v is not None) \\
                if isinstance(one, tuple) else total * 1.1 + one
            if b.count > 20:
                break
    return total + b.count * x
""")


@pytest.mark.parametrize("made", _FAILED)
def test_after_an_error(made):
    made = made.replace("enumerate_(", "itertools.starmap(lambda k, v: k * v, enumerate(")
    made += ")" * (made.count("(") - made.count(")"))
    _held(f"def f(x):\n    return gone_through({made}, x)\n")


@pytest.mark.parametrize("text", [_GROUPS, _COUNTED])
def test_what_they_share(text):
    _held(text)


def test_generator_expressions_end_once():
    _held("""
def f(x):
    b = Burst(x)
    it = (v * v for v in b if v > 0.0)
    total = sum(it) + 10.0 * sum(it)
    stopping = (next(one) for one in [iter([x, 2.0]), iter([])])
    try:
        for v in stopping:
            total += v
    except RuntimeError:
        total *= x
    return total + sum(b)
""")
