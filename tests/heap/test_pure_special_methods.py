"""Ordinary special methods, which only read: who has them may be a key, said, sorted, counted."""
import contextlib

import pytest

from tests.heap.forced import by_identity
from tests.special_method_programs import refused

_HEAD = '''
import collections, dataclasses, datetime, decimal, enum, fractions, functools, itertools
import pathlib, types, typing

@dataclasses.dataclass
class Plain:
    x: float
    name: str = "a"

@dataclasses.dataclass(frozen=True, order=True)
class Key:
    name: str
    n: int = 0

class Color(enum.Enum):
    RED = 1
    BLUE = 2

class Level(enum.IntEnum):
    LOW = 1

class Flag(enum.Flag):
    A = 1
    B = 2

class Mode(str, enum.Enum):
    FAST = "fast"
    def __str__(self):
        return self.value

Point = collections.namedtuple("Point", "a b")

class Pair(typing.NamedTuple):
    a: int
    b: str
    def __str__(self):
        return f"{self.a}-{self.b}"

@functools.total_ordering
class Version:
    def __init__(self, *parts):
        self.parts = parts
    def __eq__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.parts == other.parts
    def __lt__(self, other):
        return self.parts < other.parts
    def __hash__(self):
        return hash(self.parts)
    def __repr__(self):
        return "Version(" + ", ".join(map(repr, self.parts)) + ")"
    def __str__(self):
        return ".".join(str(p) for p in self.parts)

class Node:
    def __init__(self, name, parent=None):
        self.name, self.parent, self.children = name, parent, []
    def key(self):
        return (self.name, self.parent.name if self.parent is not None else None)
    def __eq__(self, other):
        return isinstance(other, Node) and self.key() == other.key()
    def __hash__(self):
        return hash(self.key())
    def __repr__(self):
        out = []
        for c in self.children:
            out.append(repr(c))
        return f"{type(self).__name__}({self.name!r}, {out})"
    def __len__(self):
        return len(self.children)
    def __bool__(self):
        return True
    def __index__(self):
        return len(self.name)

class Vocabulary:
    def __init__(self, words):
        self.index = {w: k for k, w in enumerate(words)}
    def __len__(self):
        return len(self.index)
    def __contains__(self, w):
        return w in self.index
    def __getitem__(self, w):
        return self.index[w]
    def __iter__(self):
        for w in self.index:
            yield w

class Unit:
    __slots__ = ("symbol", "scale")
    def __init__(self, symbol, scale):
        self.symbol, self.scale = symbol, scale
    def __eq__(self, other):
        return self.__class__ is other.__class__ and self.symbol == other.symbol
    def __ne__(self, other):
        return not self == other
    def __hash__(self):
        return hash((type(self), self.symbol, self.scale))
    def __repr__(self):
        return "<Unit %s>" % self.symbol
    def __format__(self, how):
        return format(self.symbol, how)
    def __float__(self):
        return float(self.scale)

class Model:
    def __init__(self, w):
        self.w, self.last, self.calls = w, None, 0
    def __call__(self, x):
        self.calls += 1
        self.last = self.w * x
        return self.last
    def __repr__(self):
        return f"Model(w={self.w:.3f})"

class Ring:
    def __init__(self, items):
        self.items, self.k = items, 0
    def __iter__(self):
        self.k = 0
        return self
    def __next__(self):
        if self.k >= len(self.items):
            raise StopIteration
        self.k += 1
        return self.items[self.k - 1]
    def __repr__(self):
        s = ""
        for v in self.items:
            s += str(v)
        return s

class Super(Node):
    def __hash__(self):
        return super().__hash__()
    def __eq__(self, other):
        return super().__eq__(other)
    def __repr__(self):
        return "Super" + super().__repr__()

def f(x):
    m = Model(x)
    d = {}
    y = m(x)
    STATEMENTS
    return y * m.w
'''
_STATEMENTS = """
d[Key('a')] = 1.0; y = y * d[Key('a')]
d[Color.RED] = 2.0; y *= d[Color.RED]
d[Level.LOW] = 2.0; y *= d[1]
d[Mode.FAST] = 2.0; y *= d['fast']
d[Flag.A | Flag.B] = 2.0; y *= d[Flag.A | Flag.B]
d[Point(1, 2)] = 2.0; y *= d[(1, 2)]
d[Pair(1, 'b')] = 2.0; y *= d[Pair(1, 'b')]
d[Version(1, 2)] = 2.0; y *= d[Version(1, 2)]
d[Node('a')] = 2.0; y *= d[Node('a')]
d[Super('a')] = 2.0; y *= d[Super('a')]
d[Unit('m', 1)] = 2.0; y *= d[Unit('m', 1)]
d[fractions.Fraction(1, 2)] = 2.0; y *= d[fractions.Fraction(1, 2)]
d[decimal.Decimal('1.5')] = 2.0; y *= d[decimal.Decimal('1.5')]
d[pathlib.Path('a')] = 2.0; y *= d[pathlib.Path('a')]
d[datetime.date(2020, 1, 1)] = 2.0; y *= d[datetime.date(2020, 1, 1)]
d[frozenset([Node('a')])] = 2.0; y *= d[frozenset([Node('a')])]
d[(Color.RED, Version(1))] = 2.0; y *= d[(Color.RED, Version(1))]
s = {Node('a'), Node('b')}; y *= len(s)
s = set(); s.add(Node('a')); y *= len(s)
s = set([Color.RED, Color.BLUE]); y *= len(s)
y *= len(sorted([Version(2), Version(1)]))
y *= len(sorted([Key('b'), Key('a')])[0].name)
y *= max(Version(2), Version(1)).parts[0]
t = f'{Node("a")} {Version(1)} {Unit("m", 1):>4} {m} {Color.RED}'; y *= len(t)
t = '%s %r' % (Node('a'), Version(1)); y *= len(t)
t = '{} {}'.format(Node('a'), Version(1, 2)); y *= len(t)
t = str([Node('a'), Version(1), Color.RED, Point(1, 2)]); y *= len(t)
print(Node('a'), [Version(1)], m, Color.RED, Plain(x))
t = repr(Plain(x)); y *= 2.0
t = str({'a': Plain(x), 'm': m}); y *= 2.0
print(m, [m], {'m': m})
t = '%s' % m; y *= 2.0
t = '{}'.format(m); y *= 2.0
y *= [Node('a'), Node('b')].index(Node('b'))
y *= [Version(1), Version(2)].count(Version(2))
xs = [Version(1), Version(2)]; xs.remove(Version(1)); y *= len(xs)
y *= 2.0 if Version(1) in [Version(1)] else 1.0
y *= 2.0 if Plain(x) == Plain(x) else 1.0
y *= 2.0 if Key('a') < Key('b') else 1.0
y *= 2.0 if [Plain(1.0)] == [Plain(1.0)] else 1.0
y *= 2.0 if {'a': Plain(1.0)} == {'a': Plain(1.0)} else 1.0
y *= 2.0 if {'a': Node('a')} == {'a': Node('a')} else 1.0
y *= [1.0, 2.0, 3.0][Node('a')]
y *= len([1.0] * Node('aa'))
y *= np.sum(np.ones(Node('aa')))
y *= np.arange(4.0)[Node('aa')]
y *= math.sqrt(Unit('m', 2))
y *= float(Unit('m', 2))
y *= len(list(range(Node('aa'))))
y *= 2.0 if all([Node('a')]) else 1.0
y *= 2.0 if Node('a') else 1.0
v = Vocabulary(['a', 'b']); y *= len(v) * v['b'] * len(list(v))
v = Vocabulary(['a', 'b']); y *= 2.0 if 'a' in v else 1.0
y *= sum(Ring([1.0, 2.0]))
t = str(Ring([1.0])); y *= 2.0
c = collections.Counter([Node('a'), Node('a')]); y *= c[Node('a')]
c = collections.Counter(Color); y *= 2.0
y *= hash(Version(1)) - hash(Version(1)) + 1.0
y *= len({k: 1.0 for k in [Node('a')]})
y *= len(dict(zip([Color.RED], [1.0])))
y *= isinstance(m, Model) + 1.0
y *= callable(m) + 1.0
y *= 2.0 if m is not None and m else 1.0
y *= len(list(map(m, [1.0, 2.0])))
y *= sum(map(m, [1.0, 2.0]))
y *= max([1.0, 2.0], key=m)
k = functools.lru_cache(lambda a: 2.0); y *= k(Node('a'))
y *= len(set(map(Version, [1, 2])))
y *= int(fractions.Fraction(4, 2)) * float(decimal.Decimal('1.5'))
y *= len(list(itertools.groupby([Version(1), Version(1)])))
y *= round(fractions.Fraction(4, 3)) * math.floor(fractions.Fraction(4, 3))
ns = types.SimpleNamespace(a=1.0, m=m); print(ns); y *= ns.a
y *= len(str(datetime.date(2020, 1, 1)))
""".strip().splitlines()


@pytest.mark.parametrize("statements", _STATEMENTS)
def test_by_identity(statements):
    assert refused(_HEAD.replace("STATEMENTS", statements), by_identity()) is None


@pytest.mark.parametrize("statements", _STATEMENTS[::4])
def test_at_all(statements):
    assert refused(_HEAD.replace("STATEMENTS", statements), contextlib.nullcontext()) is None
