"""Random expressions of a wanted kind, kept in the domain of what they call and of modest size.

A kind is "float", "int", or the shape of a float array, (4,) or (2, 3). Each expression comes with
a rough bound of its size, and with what a name bound to it would be: fresh, or a view of a buffer
that must not be written.
"""
from dataclasses import dataclass

LIMIT = 3.0                        # what variables are taken to stay below


@dataclass
class Text:
    """An expression: its code, a rough bound of its size, whether it is a new value."""

    code: str
    size: float = LIMIT
    fresh: bool = True             # no second name of an existing buffer
    frozen: bool = False           # a view of a buffer that must not be written


@dataclass
class Var:
    """A variable: its kind; an int's range, if known; a list's least length; a dict's keys."""

    name: str
    kind: object
    frozen: bool = False           # an array that must not be written
    locked: bool = False           # must not be bound again
    low: int | None = None
    high: int | None = None
    keys: tuple = ()


def is_array(kind):
    return isinstance(kind, tuple)


class Expressions:
    """Mixin: writes expressions over self.scope (name -> Var) with self.rng."""

    # Small choices -------------------------------------------------------------------------------
    def chance(self, p):
        return self.rng.random() < p

    def pick(self, table):
        """Choose among (weight, thing) pairs."""
        table = [(weight, thing) for weight, thing in table if weight > 0]
        return self.rng.choices([t for _, t in table], [w for w, _ in table])[0]

    def having(self, kind, test=lambda var: True):
        return [v for v in self.scope.values() if v.kind == kind and test(v)]

    def arrays(self, ndim=None, test=lambda var: True):
        return [v for v in self.scope.values() if is_array(v.kind) and test(v)
                and (ndim is None or len(v.kind) == ndim)]

    def number(self, low=0.1, high=1.9, signed=True):
        sign = -1.0 if signed and self.chance(0.25) else 1.0
        return Text(repr(sign * round(self.rng.uniform(low, high), 2)), high)

    def calm(self, e, limit=LIMIT):
        """The expression, damped if it may be larger than the limit."""
        if e.size <= limit:
            return e
        if limit / e.size > 0.03 and self.chance(0.5):
            return Text(f"{round(limit / e.size, 2)} * ({e.code})", limit)
        name = self.rng.choice(["tanh", "sin", "cos"] if limit >= 1.0 else ["tanh", "sin"])
        scale = "" if limit >= 1.0 else f"{round(limit, 2)} * "
        return Text(f"{scale}{self.np}.{name}({e.code})", min(limit, 1.0))

    def scalar_fn(self, name):
        """math.sin, sin or np.sin, for a number."""
        module = self.pick([(6, "math."), (3, self.np + "."), (2 if name in self.bare else 0, "")])
        return module + ("arctan" if name == "atan" and module == self.np + "." else name)

    # Integers ------------------------------------------------------------------------------------
    def integer(self):
        """A small int expression, not negative where its range is known."""
        ints = self.having("int")
        if not ints or self.chance(0.2):
            return str(self.rng.randint(0, 4))
        var = self.rng.choice(ints)
        return self.pick([(4, var.name), (1, f"({var.name} + {self.rng.randint(1, 3)})"),
                          (1, f"{var.name} % {self.rng.randint(2, 4)}"),
                          (0.5, f"{var.name} // 2")])

    def index(self, n):
        """An int expression that is a valid index into n elements."""
        known = [(v, shift) for v in self.having("int", lambda v: v.low is not None)
                 for shift in (-2, -1, 0, 0, 0, 1) if -n <= v.low + shift and v.high + shift < n]
        if known and self.chance(0.75):
            var, shift = self.rng.choice(known)
            return var.name if shift == 0 else f"{var.name} {'+-'[shift < 0]} {abs(shift)}"
        if self.having("int") and self.chance(0.3):
            return f"({self.integer()}) % {n}"
        return str(self.rng.randint(0, n - 1) if self.chance(0.7) else -self.rng.randint(1, n))

    def cut(self, n, m):
        """The text of a slice that takes m of n elements; None if there is none."""
        spellings = []
        for a in range(n - m + 1):
            start = ["" if a == 0 else str(a)] + ([str(a - n)] if a else [])
            b = a + m
            stop = [""] if b == n else [str(b), str(b - n)] if b else [str(b)]
            spellings += [f"{s}:{e}" for s in start for e in stop]
            if b == n and m:
                spellings.append(f"{a}:{n}")
        if m == n:
            spellings += ["::-1"]
        if n and m == (n + 1) // 2 and m < n:
            spellings += ["::2", "::-2"]
        if n and m == n // 2 and m < n:
            spellings += ["1::2"]
        return self.rng.choice(spellings) if spellings else None

    # Conditions ----------------------------------------------------------------------------------
    def condition(self, depth=1):
        form = self.pick([
            (5, "value"), (2 if self.having("int") else 0, "int"),
            (1 if self.features.conditions and depth else 0, "both"),
            (0.6 if self.features.conditions else 0, "between"),
            (0.6 if self.features.conditions and depth else 0, "not"),
            (0.8 if self.features.conditions and self.walrus else 0, "walrus")])
        if form == "int":
            test = self.pick([(3, "% 2 == 0"), (2, "> 1"), (1, "!= 2"), (1, "<= 3")])
            return f"{self.integer()} {test}"
        if form == "both":
            # A walrus on the right may not run: no name may be defined there.
            left = self.condition(depth - 1)
            outer, self.walrus = self.walrus, False
            right = self.condition(depth - 1)
            self.walrus = outer
            return f"({left}) {self.rng.choice(['and', 'or'])} ({right})"
        if form == "not":
            return f"not ({self.condition(depth - 1)})"
        e = self.scalar(1)
        level = repr(round(self.rng.uniform(-0.8, 0.8), 3))
        if form == "between":
            return f"{round(self.rng.uniform(-1.5, -0.1), 3)} < {e.code} < {level.lstrip('-')}"
        if form == "walrus":
            e = self.calm(e)
            name = self.fresh_name()
            self.scope[name] = Var(name, "float")
            return f"({name} := {e.code}) {self.rng.choice(['<', '>'])} {level}"
        other = self.scalar(0).code if self.chance(0.35) else level
        return f"{e.code} {self.pick([(4, '<'), (4, '>'), (1, '<='), (1, '>=')])} {other}"

    # Numbers -------------------------------------------------------------------------------------
    def scalar(self, depth=2):
        f = self.features
        vectors = self.arrays(1, lambda v: v.kind[0] > 0)
        if depth <= 0 or self.chance(0.15):
            return self.scalar_leaf(vectors)
        form = self.pick([
            (4, "add"), (3, "sub"), (5, "mul"), (1.5, "div"), (4, "fn"), (1, "power"),
            (0.5, "extreme"), (1.2 if f.ternaries else 0, "ternary"),
            (3 if f.reductions and vectors else 0, "reduce"),
            (0.6 if f.reductions and self.arrays(2) and f.matrices else 0, "reduce2"),
            (2.5 if self.callees("float") else 0, "call"),
            (1.2 if f.comprehensions and vectors else 0, "comprehension")])
        if form in ("add", "sub"):
            a, b = self.scalar(depth - 1), self.scalar(depth - 1)
            return Text(f"({a.code} {'+' if form == 'add' else '-'} {b.code})", a.size + b.size)
        if form == "mul":
            a, b = self.scalar(depth - 1), self.scalar(depth - 1)
            return Text(f"{paren(a)} * {paren(b)}", a.size * b.size)
        if form == "div":
            a, b = self.scalar(depth - 1), self.scalar(depth - 1)
            wave = f"{self.scalar_fn('sin')}({b.code})"
            below = self.pick([(1, f"(1.0 + {paren(b)} ** 2)"),
                               (1, f"({round(self.rng.uniform(1.3, 2.5), 2)} + {wave})")])
            return Text(f"{paren(a)} / {below}", 3.0 * a.size)
        if form == "power":
            a, k = self.scalar(depth - 1), self.rng.choice([2, 2, 3])
            return Text(f"{paren(a)} ** {k}", a.size**k)
        if form == "ternary":
            outer, self.walrus = self.walrus, False             # an arm may not run
            cond = self.condition(0)
            a, b = self.scalar(depth - 1), self.scalar(depth - 1)
            self.walrus = outer
            return Text(f"({a.code} if {cond} else {b.code})", max(a.size, b.size))
        if form == "extreme":
            a, b = self.scalar(depth - 1), self.scalar(0)
            return Text(self.pick([(1, f"max({a.code}, {b.code})"), (1, f"min({a.code}, {b.code})"),
                                   (1, f"abs({a.code})")]), max(a.size, b.size))
        if form == "call":
            return self.call(self.rng.choice(self.callees("float")))
        if form == "reduce":
            return self.reduction(self.array(self.rng.choice(vectors).kind, depth - 1))
        if form == "reduce2":
            e = self.array(self.rng.choice(self.arrays(2)).kind, depth - 1)
            return Text(f"{self.np}.{self.pick([(2, 'sum'), (2, 'mean')])}({e.code})", 4 * e.size)
        if form == "comprehension":
            u, c = self.rng.choice(vectors).name, self.number().code
            return Text(self.pick([(1, f"sum([{c} * p_ * p_ for p_ in {u}])"),
                                   (1, f"sum(math.sin(p_) for p_ in {u})"),
                                   (1, f"sum(p_ * q_ for p_, q_ in zip({u}, {u}) if q_ > 0.21)")]),
                        8.0)
        return self.function(self.scalar(depth - 1), scalar=True)

    def scalar_leaf(self, vectors):
        f = self.features
        forms = [(2, "number"), (9 if self.having("float") else 0, "var"),
                 (1 if self.having("int") else 0, "int"),
                 (5 if vectors and f.elements else 0, "element"),
                 (1.5 if self.arrays(2) and f.elements else 0, "element2"),
                 (3 if self.having("list", lambda v: v.low) else 0, "list"),
                 (3 if self.having("dict") else 0, "dict")]
        form = self.pick(forms)
        if form == "number":
            return self.number()
        if form == "var":
            return Text(self.rng.choice(self.having("float")).name)
        if form == "int":
            return Text(f"{self.number().code} * ({self.integer()})", 6.0)
        if form == "list":
            var = self.rng.choice(self.having("list", lambda v: v.low))
            return Text(f"{var.name}[{self.pick([(3, '-1'), (2, '0')])}]")
        if form == "dict":
            var = self.rng.choice(self.having("dict"))
            key = self.rng.choice(var.keys)
            return Text(f'{var.name}["{key}"]')
        var = self.rng.choice(vectors if form == "element" else self.arrays(2))
        where = ", ".join(self.index(n) for n in var.kind)
        if len(var.kind) == 2 and self.chance(0.2):
            where = where.replace(", ", "][")
        return Text(f"{var.name}[{where}]")

    def reduction(self, e):
        """A number from a non-empty vector."""
        form = self.pick([(5, "sum"), (2, "mean"), (1, "max"), (1, "min"), (3, "dot"), (1, "prod"),
                          (1 if self.features.more_numpy else 0, "more")])
        if form == "dot":
            return Text(self.pick([(2, f"{self.np}.dot({e.code}, {e.code})"),
                                   (1, f"(({e.code}) @ ({e.code}))"),
                                   (1, f"{self.np}.sum(({e.code}) ** 2)")]), 4 * e.size**2)
        if form == "prod":
            return Text(f"{self.np}.prod(1.0 + 0.3 * {self.np}.sin({e.code}))", 4.0)
        if form == "more":
            np = self.np
            return Text(self.pick([(1, f"{np}.sqrt(1.0 + {np}.sum(({e.code}) ** 2))"),
                                   (1, f"{np}.var({e.code})"),
                                   (1, f"{np}.linalg.norm(1.5 + {np}.tanh({e.code}))")]), 6.0)
        method = self.chance(0.3)
        code = f"({e.code}).{form}()" if method else f"{self.np}.{form}({e.code})"
        return Text(code, e.size * (4 if form == "sum" else 1))

    def function(self, e, scalar):
        """An elementwise function of an expression, in its domain."""
        name = (lambda n: self.scalar_fn(n)) if scalar else (
            lambda n: f"{self.np}.{'arctan' if n == 'atan' else n}")
        a = e.code
        return self.pick([
            (4, Text(f"{name('sin')}({a})", 1.0)), (2, Text(f"{name('cos')}({a})", 1.0)),
            (3, Text(f"{name('tanh')}({a})", 1.0)), (1, Text(f"{name('atan')}({a})", 1.6)),
            (2, Text(f"{name('exp')}({self.calm(e, 1.5).code})", 4.5)),
            (1, Text(f"{name('exp')}(-({a}) ** 2)", 1.0)),
            (2, Text(f"{name('sqrt')}(1.0 + ({a}) ** 2)", 1.0 + e.size)),
            (2, Text(f"{name('log')}(1.0 + ({a}) ** 2)", 3.0))])

    # Arrays --------------------------------------------------------------------------------------
    def array(self, shape, depth=2):
        """An array of the given shape."""
        f = self.features
        if depth <= 0 or self.chance(0.1):
            return self.array_leaf(shape)
        tables = [
            (4, "binary"), (3, "scaled"), (4, "fn"), (3, "leaf"),
            (1.5 if f.shaping else 0, "where"), (0.7 if f.shaping else 0, "extreme"),
            (1.5 if self.callees(shape) else 0, "call")]
        tables += self.vector_forms(shape) if len(shape) == 1 else self.matrix_forms(shape)
        form = self.pick(tables)
        if callable(form):
            return form(depth)
        if form == "leaf":
            return self.array_leaf(shape)
        if form == "binary":
            a, b = self.array(shape, depth - 1), self.partner(shape, depth - 1)
            op = self.pick([(3, "+"), (3, "-"), (5, "*")])
            if self.chance(0.2):
                a, b = b, a
            return Text(f"({a.code} {op} {paren(b)})" if op != "*" else f"{paren(a)} * {paren(b)}",
                        a.size * b.size if op == "*" else a.size + b.size)
        if form == "scaled":
            a, s = self.array(shape, depth - 1), self.scalar(1)
            return Text(self.pick([(3, f"{paren(s)} * {paren(a)}"), (1, f"{paren(a)} * {paren(s)}"),
                                   (1, f"{paren(a)} / (1.0 + {paren(s)} ** 2)")]), a.size * s.size)
        if form == "where":
            c, a, b = (self.array(shape, depth - 1) for _ in range(3))
            level = round(self.rng.uniform(-0.7, 0.7), 3)
            return Text(f"{self.np}.where({c.code} > {level}, {a.code}, {b.code})",
                        max(a.size, b.size))
        if form == "extreme":
            a, level = self.array(shape, depth - 1), round(self.rng.uniform(-0.7, 0.7), 3)
            name = self.rng.choice(["maximum", "minimum"])
            return Text(f"{self.np}.{name}({a.code}, {level})", a.size)
        if form == "call":
            return self.call(self.rng.choice(self.callees(shape)))
        return self.function(self.array(shape, depth - 1), scalar=False)

    def partner(self, shape, depth):
        """An operand that broadcasts against the shape."""
        if len(shape) == 2 and self.chance(0.3):
            return self.array(shape[1:], depth - 1)
        return self.array(shape, depth)

    def array_leaf(self, shape):
        f = self.features
        found = [part(v.name, v) for v in self.having(shape)] * 3
        if len(shape) == 1 and f.slices:
            for v in self.arrays(1, lambda v: shape[0] <= v.kind[0]):
                where = self.cut(v.kind[0], shape[0])
                if where:
                    found.append(part(f"{v.name}[{where}]", v))
        for v in self.arrays(2) if f.matrices else ():
            if len(shape) == 1 and v.kind[1] == shape[0] and v.kind[0]:
                found.append(part(f"{v.name}[{self.index(v.kind[0])}]", v))
            if len(shape) == 1 and v.kind[0] == shape[0] and v.kind[1]:
                found.append(part(f"{v.name}[:, {self.index(v.kind[1])}]", v))
            if v.kind[::-1] == shape and len(shape) == 2:
                found.append(part(f"{v.name}.T", v))
        if found and self.chance(0.9):
            return self.rng.choice(found)
        return self.new_array(shape)

    def new_array(self, shape):
        """A freshly made array."""
        size = str(shape[0]) if len(shape) == 1 else str(shape)
        if len(shape) == 1 and 0 < shape[0] <= 4 and self.chance(0.4):
            parts = [self.scalar(0) for _ in range(shape[0])]
            return Text(f"{self.np}.array([{', '.join(p.code for p in parts)}])", 3.0)
        return self.pick([
            (1, Text(f"{self.np}.zeros({size})", 1.0)), (1, Text(f"{self.np}.ones({size})", 1.0)),
            (2, Text(f"{self.np}.full({size}, {self.scalar(0).code})", 3.0)),
            (2, Text(f"{self.number().code} * {self.np}.cos({self.np}.arange({size}) + 0.3)"
                     if len(shape) == 1 else f"{self.np}.ones({size})", 2.0))])

    def vector_forms(self, shape):
        (n,), f, np = shape, self.features, self.np
        rows = [v for v in self.arrays(2) if v.kind[0] == n and v.kind[1]] if f.matrices else []
        cols = [v for v in self.arrays(2) if v.kind[1] == n and v.kind[0]] if f.matrices else []
        forms = []
        if f.shaping:
            forms.append((1, lambda d: self.sized(f"{np}.cumsum({{}})", 3, (n,), d)))
            if n >= 2:
                forms.append((1.5, lambda d: self.concatenated(n, d)))
            for v in self.arrays(2) if f.matrices else ():
                if v.kind[0] * v.kind[1] == n:
                    forms.append((1, lambda d, v=v: part(self.rng.choice(
                        [f"{v.name}.reshape({n})", f"{np}.reshape({v.name}, -1)"]), v)))
        if f.slices and n:
            forms.append((1, lambda d: self.difference(n, d)))
        for v in rows if f.reductions else ():
            other = (v.kind[1],)
            forms.append((1, lambda d, v=v, o=other: self.sized(f"{v.name} @ {{}}", 9, o, d)))
            forms.append((1, lambda d, v=v: Text(
                f"{np}.{self.rng.choice(['sum', 'mean'])}({v.name}, axis=1)", 8.0)))
        for v in cols if f.reductions else ():
            other = (v.kind[0],)
            forms.append((1, lambda d, v=v, o=other: self.sized(f"({{}}) @ {v.name}", 9, o, d)))
            forms.append((1, lambda d, v=v: Text(
                f"{v.name}.{self.rng.choice(['sum', 'mean'])}(axis=0)", 8.0)))
        if f.more_numpy and n:
            forms += [(0.5, lambda d: self.sized(f"{np}.roll({{}}, 1)", 1, (n,), d)),
                      (0.5, lambda d: self.sized(f"{np}.diff({{}})", 2, (n + 1,), d)),
                      (0.5, lambda d: self.sized(f"{np}.clip({{}}, -0.83, 0.91)", 1, (n,), d)),
                      (0.5, lambda d: self.sized(f"{np}.flip({{}})", 1, (n,), d))]
        if f.comprehensions and n:
            vs = self.arrays(1, lambda v: v.kind[0] == n)
            if vs:
                u = self.rng.choice(vs).name
                forms.append((0.7, lambda d: Text(
                    f"{np}.array([{self.number().code} * p_ + p_ * p_ for p_ in {u}])", 9.0)))
        if f.masks and n:
            order = str([self.rng.randrange(n) for _ in range(n)])
            forms.append((0.7, lambda d: self.sized(f"({{}})[{np}.array({order})]", 1, (n,), d)))
        return forms

    def matrix_forms(self, shape):
        (r, c), f, np = shape, self.features, self.np
        forms = []
        if f.shaping:
            forms += [
                (1, lambda d: Text(f"{np}.stack([{self.several((c,), r, d)}])", 6.0)),
                (1, lambda d: self.sized(f"{np}.transpose({{}})", 1, (c, r), d)),
                (1, lambda d: Text(f"{np}.outer({self.several((r,), 1, d)}, "
                                   f"{self.several((c,), 1, d)})", 9.0))]
            for v in self.arrays(1, lambda v: v.kind[0] == r * c):
                forms.append((1, lambda d, v=v: part(f"{v.name}.reshape({r}, {c})", v)))
        for v in self.arrays(2) if f.reductions else ():
            if v.kind[0] == r:
                forms.append((1, lambda d, v=v: self.sized(
                    f"{v.name} @ ({{}})", 9, (v.kind[1], c), d)))
        return forms

    def several(self, shape, count, depth):
        return ", ".join(self.array(shape, depth - 1).code for _ in range(count))

    def sized(self, pattern, growth, shape, depth):
        e = self.array(shape, depth - 1)
        return Text(pattern.format(e.code), growth * e.size)

    def concatenated(self, n, depth):
        k = self.rng.randint(1, n - 1)
        a, b = self.array((k,), depth - 1), self.array((n - k,), depth - 1)
        joined = self.rng.choice(["[{}, {}]", "({}, {})"]).format(a.code, b.code)
        return Text(f"{self.np}.concatenate({joined})", max(a.size, b.size))

    def difference(self, n, depth):
        """u[2:] - u[:-2] and the like."""
        longer = self.arrays(1, lambda v: v.kind[0] > n)
        if not longer:
            return self.array((n,), depth - 1)
        v = self.rng.choice(longer)
        a, b = self.cut(v.kind[0], n), self.cut(v.kind[0], n)
        return Text(f"({v.name}[{a}] {self.rng.choice('+-*')} {v.name}[{b}])", 6.0)


def part(code, var):
    """The array of a variable, or a view of it."""
    return Text(code, fresh=False, frozen=var.frozen)


def paren(e):
    return f"({e.code})"
