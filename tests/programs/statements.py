"""Random statements: assignments, branches, array writes, views and local arrays.

A block is a list of lines without common indentation. What is defined where is tracked exactly, so
that programs read no undefined name: a name bound in one branch only, or in a loop that may run
zero times, is forgotten afterwards.
"""
import itertools
from dataclasses import replace

from tests.programs.expressions import Expressions, Text, Var, is_array, paren

ORDINARY = "x y z a b c s r q w u v h g p total acc best rate flow".split()
ODD = ("bx by d dx t t_1 x_1 x_tape tape saved bf bu i_tape returned stopped value bvalue y_tape "
       "u_1 b_1 bb bt _ u_old ba f_grad wrt out z_saved dy trips x_0 sin_x bx_1").split()
INDICES = "i j k m n step".split()


def indented(lines):
    return ["    " + line for line in lines]


class Statements(Expressions):
    """Mixin: writes statements; needs rng, features, scope, depth, trips, stable, taken."""

    # Names ---------------------------------------------------------------------------------------
    def fresh_name(self, pool=None):
        pool = list(pool or ORDINARY)
        if self.features.odd_names and self.chance(0.3):
            pool = ODD + (["np"] if self.np == "numpy" else []) + ([] if self.bare else ["sin"])
        free = [n for n in pool if n not in self.scope and n not in self.taken]
        if free:
            return self.rng.choice(free)
        return next(n for k in itertools.count(1) for n in [f"{self.rng.choice(pool)}{k}"]
                    if n not in self.scope and n not in self.taken)

    def target(self, kind, frozen=False, renew=0.35):
        """A name to bind: mostly one there is already, of the same kind if nested."""
        def fits(v):
            if v.locked or v.kind != kind or v.kind == "int" and self.depth and v.low is not None:
                return False
            return not (self.depth and frozen and not v.frozen)

        old = [v.name for v in self.scope.values() if fits(v)] if self.features.overwrite else []
        if not self.depth and not self.stable and self.chance(0.06):
            old = [v.name for v in self.scope.values()
                   if not v.locked and (is_array(v.kind) or v.kind in ("float", "int"))]
        return self.fresh_name() if not old or self.chance(renew) else self.rng.choice(old)

    def bind(self, name, kind, frozen=False, low=None, high=None, **more):
        old = self.scope.get(name)
        if self.depth and old is not None:
            frozen, low, high = frozen or old.frozen, None, None
        self.scope[name] = Var(name, kind, frozen, low=low, high=high, **more)

    def writable(self, ndim=None):
        return self.arrays(ndim, lambda v: not v.frozen and all(v.kind))

    # Blocks --------------------------------------------------------------------------------------
    def block(self, count):
        lines = []
        for _ in range(count):
            lines += self.statement()
        return lines

    def nested(self, count, trips=1, loop=False):
        """A block one level deeper, in a copy of the scope; gives the lines and the new scope."""
        before = dict(self.scope)
        self.depth, self.trips = self.depth + 1, self.trips * max(trips, 1)
        outer, self.loop = self.loop, "loop" if loop else self.loop
        lines = self.block(count)
        self.loop = outer
        self.depth, self.trips = self.depth - 1, self.trips // max(trips, 1)
        after, self.scope = self.scope, before
        return lines, after

    def merged(self, one, two):
        """What is known after either of two ways."""
        both = {}
        for name in one:
            if name in two and one[name].kind == two[name].kind:
                a, b = one[name], two[name]
                known = None not in (a.low, b.low)
                both[name] = replace(
                    a, frozen=a.frozen or b.frozen, locked=a.locked or b.locked,
                    low=min(a.low, b.low) if known else None,
                    high=max(a.high or 0, b.high or 0) if known else None)
        return both

    def statement(self):
        f, deep = self.features, self.depth >= (3 if self.features.nesting else 1)
        writable = bool(self.writable()) and f.arrays
        forms = [
            (6, self.assign_scalar), (1 if f.chains else 0, self.assign_chain),
            (2 if f.unpacking else 0, self.assign_tuple), (3 if f.augmented else 0, self.augment),
            (1 if f.integers and (self.having("int") or not self.depth) else 0, self.assign_int),
            (2.5 if f.branches and not deep else 0, self.branch),
            (3 if f.ranges and not deep else 0, self.for_range),
            (1.5 if f.iteration and not deep and f.arrays else 0, self.for_each),
            (1.2 if f.whiles and not deep else 0, self.while_loop),
            (2 if f.arrays and self.arrays() else 0, self.assign_array),
            (4 if writable and f.elements else 0, self.write_element),
            (3 if writable and f.slices else 0, self.write_slice),
            (2 if writable and f.augmented else 0, self.augment_array),
            (1.5 if f.views and self.arrays() else 0, self.assign_view),
            (1 if f.aliases and self.arrays() else 0, self.assign_alias),
            (1 if f.locals_ and f.arrays else 0, self.local_array),
            *self.more_statements(deep)]
        return self.pick([(w * self.swarm(form.__name__), form) for w, form in forms])()

    def swarm(self, form):
        """How much this program likes a form of statement: programs with a bent find more."""
        if form not in self.likes:
            self.likes[form] = self.rng.choice([0.25, 1.0, 1.0, 4.0])
        return self.likes[form]

    # Bindings ------------------------------------------------------------------------------------
    def assign_scalar(self):
        floats = self.having("float", lambda v: not v.locked)
        if floats and self.features.overwrite and self.chance(0.3):
            x = self.rng.choice(floats).name                    # x = x * y and its like
            e = self.scalar(1)
            form = self.pick([
                (3, Text(f"{x} * {paren(self.calm(e, 1.2))}", 3.0)),
                (2, Text(f"{x} + {paren(self.calm(e, 1.0))}", 3.0)),
                (1, Text(f"{paren(self.calm(e, 1.0))} - {x}", 3.0)),
                (1, Text(f"0.9 * {x} * {x}", 3.0)), (0.3, Text(x)), (0.3, Text(f"-{x}"))])
            self.bind(x, "float")
            return [f"{x} = {form.code}"]
        e = self.calm(self.scalar())
        name = self.target("float")
        self.bind(name, "float")
        return [f"{name} = {e.code}"]

    def assign_chain(self):
        e = self.calm(self.scalar(1)) if self.chance(0.8) else Text("0.0")
        names = list(dict.fromkeys(self.target("float") for _ in range(self.rng.randint(2, 3))))
        for name in names:
            self.bind(name, "float")
        return [" = ".join([*names, e.code])]

    def assign_tuple(self):
        pairs = [(a.name, b.name) for a in self.scope.values() for b in self.scope.values()
                 if a.name != b.name and a.kind == b.kind and not (a.locked or b.locked)
                 and (a.kind == "float" or is_array(a.kind) and self.features.aliases)
                 and (a.frozen == b.frozen)]
        if pairs and self.chance(0.4):
            a, b = self.rng.choice(pairs)
            return [f"{a}, {b} = {b}, {a}"]
        vectors = self.arrays(1, lambda v: 2 <= v.kind[0] <= 3)
        if vectors and self.chance(0.2):
            var = self.rng.choice(vectors)
            values, count = var.name, var.kind[0]
        else:
            count = self.rng.randint(2, 3)
            parts = [self.calm(self.scalar(1)).code for _ in range(count)]
            values = self.rng.choice(["{}", "({})", "[{}]"]).format(", ".join(parts))
        names = []
        while len(names) < count:
            name = self.target("float")
            if name not in names:
                names.append(name)
        for name in names:
            self.bind(name, "float")
        return [f"{', '.join(names)} = {values}"]

    def augment(self):
        floats = self.having("float", lambda v: not v.locked)
        if not floats:
            return self.assign_scalar()
        name = self.rng.choice(floats).name
        e = self.scalar(1)
        return [self.pick([
            (3, f"{name} += {self.calm(e, 1.0).code}"), (2, f"{name} -= {self.calm(e, 1.0).code}"),
            (3, f"{name} *= {self.calm(e, 1.2).code}"),
            (1, f"{name} /= 1.2 + {self.scalar_fn('sin')}({e.code}) ** 2"),
            (0.3, f"{name} **= 2"), (0.3, f"{name} += {name}"), (0.2, f"{name} -= {name}"),
            (0.3, f"{name} *= {name}")])]

    def assign_int(self):
        known = self.having("int", lambda v: v.low is not None)
        if known and self.chance(0.6):
            var, m = self.rng.choice(known), self.rng.randint(2, 4)
            code, low, high = self.pick([
                (2, (f"{var.name} % {m}", 0, m - 1)),
                (2, (f"{var.name} + 1", var.low + 1, var.high + 1)),
                (1, (f"{var.name} - 1", var.low - 1, var.high - 1)),
                (1, (var.name, var.low, var.high))])
        else:
            low = high = self.rng.randint(0, 3)
            code = str(low)
        name = self.target("int", renew=0.5)
        self.bind(name, "int", low=low, high=high)
        return [f"{name} = {code}"]

    # Branches ------------------------------------------------------------------------------------
    def branch(self):
        self.walrus = True
        lines = [f"if {self.condition()}:"]
        self.walrus = False
        arms, more = [], self.pick([(4, 0), (4, 1), (1, 2)])
        for k in range(more + 1):
            if k:
                lines.append("else:" if k == more else f"elif {self.condition()}:")
            body, after = self.nested(self.rng.randint(1, 3))
            lines += indented(body)
            arms.append(after)
        arms += [dict(self.scope)] * (more == 0)
        after = arms[0]
        for arm in arms[1:]:
            after = self.merged(after, arm)
        self.scope = after
        return lines

    # Arrays --------------------------------------------------------------------------------------
    def owned(self, e):
        """The expression as something to bind: a copy, where second names are switched off."""
        bare = e.code.isidentifier()
        if not e.fresh and not (self.features.aliases if bare else self.features.views):
            return Text(f"{e.code}.copy()", e.size)
        return e

    def assign_array(self):
        shape = self.rng.choice(self.arrays()).kind
        if len(shape) == 1 and shape[0] > 1 and self.chance(0.2):
            shape = (shape[0] - 1,)
        e = self.owned(self.calm(self.array(shape)))
        name = self.target(shape, e.frozen)
        self.bind(name, shape, e.frozen)
        return [f"{name} = {e.code}"]

    def assign_view(self):
        shape = self.rng.choice(self.arrays()).kind
        if len(shape) == 1 and shape[0] > 1:
            shape = (shape[0] - self.rng.randint(0, 1),)
        elif len(shape) == 2 and self.chance(0.6):
            shape = shape[1:]
        e = self.array_leaf(shape)
        name = self.target(shape, e.frozen, renew=0.7)
        self.bind(name, shape, e.frozen)
        return [f"{name} = {e.code}"]

    def assign_alias(self):
        var = self.rng.choice(self.arrays())
        name = self.target(var.kind, var.frozen, renew=0.7)
        self.bind(name, var.kind, var.frozen)
        return [f"{name} = {var.name}"]

    def local_array(self):
        n, np = self.rng.randint(1, 5), self.np
        shape = self.rng.choice([v.kind for v in self.arrays()] + [(n,)])
        size = str(shape[0]) if len(shape) == 1 else str(shape)
        like = [v.name for v in self.having(shape)]
        form = self.pick([(3, "zeros"), (2 if like else 0, "like"), (2 if like else 0, "copy"),
                          (1.5, "empty"), (1, "ones")])
        if form == "empty":                                     # written before it is read
            e = self.calm(self.array(shape, 1))
            name = self.fresh_name()
            self.bind(name, shape)
            return [f"{name} = {np}.empty({size})", f"{name}[:] = {e.code}"]
        name = self.target(shape, renew=0.8)
        other = self.rng.choice(like) if like else name
        self.bind(name, shape)
        return [f"{name} = " + {
            "zeros": f"{np}.zeros({size})", "ones": f"{np}.ones({size})",
            "like": f"{np}.{self.rng.choice(['zeros', 'ones'])}_like({other})",
            "copy": self.rng.choice([f"{other}.copy()", f"{np}.copy({other})"])}[form]]

    def write_element(self):
        var = self.rng.choice(self.writable())
        if len(var.kind) == 2 and not self.features.matrices:
            return self.assign_scalar()
        where = ", ".join(self.index(n) for n in var.kind)
        place, e = f"{var.name}[{where}]", self.scalar(1)
        if self.features.augmented and self.chance(0.45):
            return [self.pick([
                (4, f"{place} += {self.calm(e, 1.0).code}"),
                (1, f"{place} -= {self.calm(e, 1.0).code}"),
                (3, f"{place} *= {self.calm(e, 1.2).code}"),
                (1, f"{place} *= {self.integer()}" if self.trips < 5 else f"{place} *= 0.7")])]
        if len(var.kind) == 1 and self.chance(0.3):
            back = self.index(var.kind[0])
            return [f"{place} = {var.name}[{back}] * {paren(self.calm(e, 1.2))}"]
        return [f"{place} = {self.calm(e).code}"]

    def part(self, var):
        """A basic slice of an array: its text and shape."""
        if len(var.kind) == 1:
            m = self.rng.randint(max(var.kind[0] - 2, 1), var.kind[0])
            whole = m == var.kind[0] and self.chance(0.7)
            return f"{var.name}[{':' if whole else self.cut(var.kind[0], m)}]", (m,)
        (r, c), form = var.kind, self.rng.choice(["row", "column", "rows", "box", "all"])
        if form == "row":
            return f"{var.name}[{self.index(r)}]", (c,)
        if form == "column":
            return f"{var.name}[:, {self.index(c)}]", (r,)
        if form == "all":
            return f"{var.name}[{self.rng.choice([':', '...', ':, :'])}]", (r, c)
        m = self.rng.randint(1, r)
        k = c if form == "rows" else self.rng.randint(1, c)
        columns = "" if form == "rows" else f", {self.cut(c, k)}"
        return f"{var.name}[{self.cut(r, m)}{columns}]", (m, k)

    def write_slice(self):
        place, shape = self.part(self.rng.choice(self.writable()))
        if self.chance(0.15):
            e = self.calm(self.scalar(1))
        elif len(shape) == 2 and self.chance(0.2):
            e = self.calm(self.array(shape[1:], 1))             # broadcast by the write
        else:
            e = self.calm(self.array(shape))
        if self.features.augmented and self.chance(0.3):
            return [f"{place} {self.rng.choice(['+=', '-=', '*='])} {self.calm(e, 1.0).code}"]
        if self.chance(0.15):
            return [f"{place} = {place} + {paren(self.calm(e, 1.0))}"]
        return [f"{place} = {e.code}"]

    def augment_array(self):
        var = self.rng.choice(self.writable())
        e = self.scalar(1) if self.chance(0.4) else self.array(var.kind, 1)
        if len(var.kind) == 2 and self.chance(0.2):
            e = self.array(var.kind[1:], 1)
        return [self.pick([
            (3, f"{var.name} += {self.calm(e, 1.0).code}"),
            (2, f"{var.name} *= {self.calm(e, 1.2).code}"),
            (1, f"{var.name} -= {self.calm(e, 1.0).code}"),
            (0.7, f"{var.name} /= 1.3 + {paren(self.calm(e, 1.0))} ** 2"),
            (0.2, f"{var.name} **= 2"), (0.2, f"{var.name} += {var.name}"),
            (0.2, f"{var.name} *= {var.name}")])]
