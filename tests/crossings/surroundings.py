"""What stands around the functions of crossing programs: classes, contexts, tables."""

PRELUDE = {
    "Box": """
class Box:
    rate = 0.7
    <<|__slots__ = ('x', 'u', 'log')>>
    def __init__(self, x, u):
        self.x, self.u, self.log = x, <<u|u|u.copy()>>, []
    @property
    def twice(self):
        <<|self.x = self.x * 0.9|self.log.append(self.x)>>
        return 2.0 * self.x
    @twice.setter
    def twice(self, v):
        self.x = 0.5 * v
    def area(self):
        return self.x * self.u.sum() + sum(self.log)
    def push(self, v):
        self.log.append(v)
        self.x = 0.5 * self.x + v
        return self.x
    def moved(self, v):
        <<return Box(self.x + v, self.u * v)|self.x += v|self.u[:] = self.u * v>>
        return self
    def __call__(self, q):
        return self.x * q + self.rate
    def __add__(self, other):
        return Box(self.x + other, self.u)
    def __rmul__(self, other):
        return Box(self.x * other, self.u)
    def __iadd__(self, other):
        <<return Box(self.x - other, self.u)|self.x = self.x + other>>
        return self
    def __getitem__(self, k):
        return self.u[k]
    def __setitem__(self, k, v):
        <<|self.log.append(v)>>
        self.u[k] = v
    def __len__(self):
        return len(self.u)
    def __iter__(self):
        <<return iter(self.u)|for v in self.u: yield v * self.x>>
""",
    "Section": """
class Section:
    def __init__(self, xs):
        self.xs = xs
    def __enter__(self):
        self.xs[0] = self.xs[0] * 0.5
        return self.xs[-1]
    def __exit__(self, kind, value, trace):
        self.xs[-1] = <<self.xs[0]|self.xs[-1] + self.xs[0]>>
        return <<False|kind is ValueError>>
""",
    "Lent": """
class Lent:
    def __init__(self, u):
        self.u = u
    def __enter__(self):
        self.old = self.u.copy()
        return self.u
    def __exit__(self, *given):
        self.u[:] = <<self.old|self.old + 0.3 * self.u>>
""",
    "doubled": """
@contextlib.contextmanager
def doubled(u):
    u *= 2.0
    try:
        yield u[0]
    finally:
        u *= 0.5
""",
    "scaled": """
def scaled(p, q, shift=0.3):
    return p * q + shift
""",
    "CURVES": """
CURVES = {'sin': math.sin, 'square': lambda q: q * q, 'soft': lambda q: q if q > 0.2 else 0.5 * q}
""",
    "HALF": """
HALF = functools.partial(operator.mul, 0.5)
""",
    "TABLE": "TABLE = np.array([0.4, -0.9, 1.3])",
    "WORK": "WORK = np.zeros(3)",
    "STATE": "STATE = {'scale': 1.2}",
    "COUNTS": "COUNTS = {'calls': 0}",
}
