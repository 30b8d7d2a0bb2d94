"""Special methods that change something, in whole programs: of objects that are in others, of
classes of classes, of numbers and texts; properties and descriptors; ends of objects."""

HEAD = '''
import abc, collections.abc, dataclasses, enum, functools, operator, typing

class Box:
    def __init__(self, x):
        self.x = x
'''
PROGRAMS = {
    "match-eq": '''
class M(Box):
    def __eq__(self, other):
        self.x = self.x * self.x
        return True

def f(x):
    o = M(x)
    match o:
        case 1.0:
            return o.x * 3.0
    return o.x
''',
    "property-if": '''
class M(Box):
    @property
    def n(self):
        self.x = self.x * self.x
        return 1

def f(x):
    o = M(x)
    if o.n is not None:
        pass
    return o.x * 3.0
''',
    "property-format": '''
class M(Box):
    @property
    def n(self):
        self.x = self.x * self.x
        return 1

def f(x):
    o = M(x)
    q = "{0.n}".format(o)
    return o.x * 3.0
''',
    "getitem-format": '''
class M(Box):
    def __getitem__(self, k):
        self.x = self.x * self.x
        return 1

def f(x):
    o = M(x)
    q = "{0[a]} {b[0]}".format(o, b=[1])
    return o.x * 3.0
''',
    "attrgetter": '''
class M(Box):
    @property
    def n(self):
        self.x = self.x * self.x
        return 1

def f(x):
    o = M(x)
    q = operator.attrgetter("n")(o)
    return o.x * 3.0
''',
    "descriptor": '''
class D:
    def __get__(self, obj, kind=None):
        obj.x = obj.x * obj.x
        return 1
    def __set__(self, obj, v):
        obj.x = obj.x * v

class M(Box):
    n = D()

def f(x):
    o = M(x)
    q = o.n
    o.n = 3.0
    return o.x * 3.0
''',
    "del": '''
class M:
    def __init__(self, box):
        self.box = box
    def __del__(self):
        self.box.x = self.box.x * self.box.x

def f(x):
    b = Box(x)
    o = M(b)
    del o
    return b.x * 3.0
''',
    "metaclass": '''
class T(type):
    def __instancecheck__(cls, o):
        o.x = o.x * o.x
        return True

class K(metaclass=T):
    pass

def f(x):
    b = Box(x)
    if isinstance(b, K):
        return b.x * 3.0
    return b.x
''',
    "subclasshook": '''
S = []

class K(abc.ABC):
    @classmethod
    def __subclasshook__(cls, o):
        S[0].x = S[0].x * S[0].x
        return True

def f(x):
    S[:] = [Box(x)]
    q = isinstance(3.0, K)
    return S[0].x * 3.0
''',
    "class-property": '''
class M(Box):
    @property
    def __class__(self):
        self.x = self.x * self.x
        return int

def f(x):
    o = M(x)
    q = isinstance(o, int)
    return o.x * 3.0
''',
    "nested-dataclass-eq": '''
class E(Box):
    def __eq__(self, other):
        self.x = self.x * self.x
        return True

@dataclasses.dataclass
class P:
    e: E

def f(x):
    o = E(x)
    q = P(o) == P(E(1.0))
    return o.x * 3.0
''',
    "nested-dataclass-repr": '''
class E(Box):
    def __repr__(self):
        self.x = self.x * self.x
        return "e"

@dataclasses.dataclass
class P:
    e: E

def f(x):
    o = E(x)
    p = P(o)
    q = f"{p}"
    return o.x * 3.0
''',
    "nested-dataclass-order": '''
class E(Box):
    def __lt__(self, other):
        self.x = self.x * self.x
        return True
    def __eq__(self, other):
        return False

@dataclasses.dataclass(order=True)
class P:
    e: E

def f(x):
    o = E(x)
    q = sorted([P(o), P(E(1.0))])
    return o.x * 3.0
''',
    "nested-frozen-hash": '''
class E(Box):
    def __hash__(self):
        self.x = self.x * self.x
        return 1

@dataclasses.dataclass(frozen=True)
class P:
    e: E

def f(x):
    o = E(x)
    q = {P(o): 1.0}
    return o.x * 3.0
''',
    "nested-attr-str": '''
class E(Box):
    def __str__(self):
        self.x = self.x * self.x
        return "e"

class P:
    def __init__(self, e):
        self.e = e
    def __str__(self):
        return f"P({self.e})"

def f(x):
    o = E(x)
    p = P(o)
    q = "%s" % p
    return o.x * 3.0
''',
    "method-of-attribute": '''
class E(Box):
    def get(self):
        self.x = self.x * self.x
        return 1

class P:
    def __init__(self, e):
        self.e = e

    def __index__(self):
        return self.e.get()

def f(x):
    o = E(x)
    q = np.zeros(P(o))
    return o.x * 3.0
''',
    "property-of-attribute": '''
class E(Box):
    @property
    def n(self):
        self.x = self.x * self.x
        return 1

class P:
    def __init__(self, e):
        self.e = e

    def __hash__(self):
        return hash(self.e.n)

def f(x):
    o = E(x)
    p = P(o)
    q = {p: 1.0}
    return o.x * 3.0
''',
    "super": '''
class E(Box):
    def __hash__(self):
        self.x = self.x * self.x
        return 1

class P(E):
    def __hash__(self):
        return super().__hash__()

def f(x):
    o = P(x)
    q = {o: 1.0}
    return o.x * 3.0
''',
    "pure-outside-impure-inside": '''
class E(Box):
    def __getitem__(self, k):
        self.x = self.x * self.x
        return 1
    def __index__(self):
        return int(self[0])

def f(x):
    o = E(x)
    q = math.factorial(o)
    return o.x * 3.0
''',
    "index-prop": '''
class E(Box):
    @property
    def n(self):
        self.x = self.x * self.x
        return 1
    def __index__(self):
        return self.n

def f(x):
    o = E(x)
    q = np.zeros(o)
    return o.x * 3.0
''',
    "total_ordering": '''
@functools.total_ordering
class E(Box):
    def __lt__(self, other):
        self.x = self.x * self.x
        return False
    def __eq__(self, other):
        return self is other

def f(x):
    o = E(x)
    q = o >= E(1.0)
    r = max(o, E(1.0))
    return o.x * 3.0
''',
    "mixed-list": '''
class E(Box):
    def __index__(self):
        self.x = self.x * self.x
        return 1

def f(x):
    o = E(x)
    es = [o, 2.0]
    q = [1.0, 2.0][es[0]]
    return o.x * 3.0
''',
    "helper-arg": '''
class E(Box):
    def __index__(self):
        self.x = self.x * self.x
        return 1
def pick(xs, k):
    return xs[k]

def f(x):
    o = E(x)
    q = pick([1.0, 2.0], o)
    return o.x * q
''',
    "generator-arg": '''
class E(Box):
    def __bool__(self):
        self.x = self.x * self.x
        return True

def f(x):
    o = E(x)
    q = any(v for v in (o, o))
    return o.x * 3.0
''',
    "mapping-mixin": '''
class E(collections.abc.Mapping):
    def __init__(self, x):
        self.x = x
    def __getitem__(self, k):
        self.x = self.x * self.x
        return 1
    def __len__(self):
        return 1
    def __iter__(self):
        return iter(["a"])

def f(x):
    o = E(x)
    q = o == {"a": 1}
    return o.x * 3.0
''',
    "namedtuple-eq": '''
class E(typing.NamedTuple):
    b: Box
    def __eq__(self, other):
        self.b.x = self.b.x * self.b.x
        return True

def f(x):
    o = E(Box(x))
    q = [o].count(E(Box(1.0)))
    r = o == 3.0
    return o.b.x * 3.0
''',
    "namedtuple-repr": '''
class E(typing.NamedTuple):
    b: Box
    def __repr__(self):
        self.b.x = self.b.x * self.b.x
        return "e"

def f(x):
    o = E(Box(x))
    q = f"{o}"
    return o.b.x * 3.0
''',
    "namedtuple-bool": '''
class E(typing.NamedTuple):
    b: Box
    def __bool__(self):
        self.b.x = self.b.x * self.b.x
        return True

def f(x):
    o = E(Box(x))
    q = 1.0 if o else 2.0
    r = all([o])
    return o.b.x * 3.0
''',
    "enum-str": '''
L = [Box(1.0)]

class E(enum.Enum):
    A = 1
    def __str__(self):
        L[0].x = L[0].x * L[0].x
        return "e"

def f(x):
    L[0] = Box(x)
    q = f"{E.A}"
    return L[0].x * 3.0
''',
    "exception-str": '''
L = [Box(1.0)]

class E(Exception):
    def __str__(self):
        L[0].x = L[0].x * L[0].x
        return "e"

def f(x):
    L[0] = Box(x)
    q = str(E())
    return L[0].x * 3.0
''',
    "str-subclass": '''
L = [Box(1.0)]

class E(str):
    def __eq__(self, other):
        L[0].x = L[0].x * L[0].x
        return True
    __hash__ = str.__hash__

def f(x):
    L[0] = Box(x)
    q = E("a") in ["b"]
    return L[0].x * 3.0
''',
    "float-subclass": '''
L = [Box(1.0)]

class E(float):
    def __bool__(self):
        L[0].x = L[0].x * L[0].x
        return True

def f(x):
    L[0] = Box(x)
    e = E(2.0)
    q = 1.0 if e else 2.0
    return L[0].x * 3.0
''',
    "key-of-argument": '''
class M(Box):
    def __hash__(self):
        self.x = self.x * self.x
        return 1

OUT = M(1.0)
KNOWN = {OUT: 1.0}

def f(x):
    OUT.x = x
    q = len(KNOWN)
    return OUT.x * 3.0
''',
    "int-subclass": '''
L = [Box(1.0)]

class E(int):
    def __hash__(self):
        L[0].x = L[0].x * L[0].x
        return 1
K = E(2)

def f(x):
    L[0] = Box(x)
    q = {K: 1.0}
    return L[0].x * 3.0
''',
}
