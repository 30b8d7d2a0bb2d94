"""Random statements of the level full: exits, guards, containers, closures, calls that write."""
from dataclasses import dataclass, replace

from tests.programs.expressions import Text, Var, is_array, paren
from tests.programs.statements import indented


@dataclass(frozen=True)
class Callee:
    """A function that programs may call: parameters as (name, kind, default text or None)."""

    name: str
    params: tuple
    returns: object                # a kind; None for a procedure
    writes: tuple = ()             # positions of the arrays it writes
    fresh: bool = True             # what it returns shares no memory with its arguments


class Extras:
    """Mixin: what lies beyond the level foundation, and calls of helpers of either level."""

    def more_statements(self, deep):
        f = self.features
        lists = self.having("list", lambda v: not v.frozen)
        dicts = self.having("dict", lambda v: not v.frozen)
        writers = [c for c in self.helpers if c.writes]
        return [
            (1.5 if f.exits and self.loop else 0, self.leave_loop),
            (1 if f.returns and self.returns else 0, self.early_return),
            (0.8 if f.guards and not deep else 0, self.guard),
            (1.2 if f.lists and not self.depth else 0, self.new_list),
            (0.6 if f.lists and f.arrays and self.arrays(1) and self.trips < 8 else 0, self.path),
            (7 if f.lists and lists else 0, self.use_list),
            (0.8 if f.tuples else 0, self.use_tuple),
            (1 if f.dicts and not self.depth else 0, self.new_dict),
            (4 if f.dicts and dicts else 0, self.use_dict),
            (0.8 if f.closures else 0, self.closure),
            (2.5 if writers and self.writable() else 0, self.call_writer),
            (1 if f.masks and self.writable(1) else 0, self.masked_write),
            (2 if f.idioms and self.depth <= 1 and self.trips <= 4 else 0, self.idiom)]

    # Calls ---------------------------------------------------------------------------------------
    def callees(self, kind):
        inner = [v.keys[0] for v in self.scope.values() if v.kind == "callable"]
        return [c for c in [*self.helpers, *inner] if c.returns == kind and not c.writes]

    def call(self, callee):
        """A call with positional and keyword arguments; some defaults are left out."""
        parts, keyword, shared = [], False, not callee.fresh
        for k, (name, kind, default) in enumerate(callee.params):
            if default is not None and self.chance(0.5):
                keyword = True
                continue
            if is_array(kind):
                depth = 1 if callee.fresh or self.chance(0.5) else 0
                code = self.array(kind, depth).code
            else:
                code = self.integer() if kind == "int" else self.calm(self.scalar(1)).code
                code = f"({code}) % 4" if kind == "int" else code
            keyword = keyword or k > 0 and self.chance(0.2)
            parts.append(f"{name}={code}" if keyword else code)
        # What comes back may be an argument that must not be written
        return Text(f"{callee.name}({', '.join(parts)})", fresh=callee.fresh, frozen=shared)

    def call_writer(self):
        callee = self.rng.choice([c for c in self.helpers if c.writes])
        parts, used = [], []
        for k, (name, kind, default) in enumerate(callee.params):
            if k in callee.writes:
                places = [v.name for v in self.having(kind, lambda v: not v.frozen)]
                for v in self.writable(1):
                    if len(kind) == 1 and kind[0] < v.kind[0]:
                        places.append(f"{v.name}[{self.cut(v.kind[0], kind[0])}]")
                places += [f"{v.name}[{self.index(v.kind[0])}]" for v in self.writable(2)
                           if v.kind[1:] == kind]
                if not places:
                    return self.assign_scalar()
                parts.append(self.rng.choice(places))
                used.append(parts[-1])
            elif is_array(kind):
                parts.append(self.array(kind, 1 if self.features.passing else 2).code)
            elif kind == "int":
                parts.append(f"({self.integer()}) % 4")
            else:
                parts.append(self.calm(self.scalar(1)).code)
        code = f"{callee.name}({', '.join(parts)})"
        if callee.returns is None:
            return [code]
        name = self.target(callee.returns)
        self.bind(name, callee.returns)
        return [f"{name} = {code}"]

    # Exits and guards ----------------------------------------------------------------------------
    def leave_loop(self):
        word = self.rng.choice(["break", "break", "continue"])
        if self.chance(0.4):
            body, _ = self.nested(1)
            return [f"if {self.condition()}:", *indented([*body, word])]
        return [f"if {self.condition()}:", f"    {word}"]

    def early_return(self):
        condition = self.condition()
        return [f"if {condition}:", f"    return {self.result()}"]

    def loop_else(self, exits):
        if not self.features.loop_else or not self.chance(0.5 if exits else 0.1):
            return []
        outer, self.loop = self.loop, None
        body, after = self.nested(self.rng.randint(1, 2))
        self.loop = outer
        self.scope = self.merged(self.scope, after)
        return ["else:", *indented(body)]

    def guard(self):
        form = self.rng.choice(["except", "finally", "with", "null"])
        outer, self.loop = self.loop, self.loop if form in ("with", "null") else None
        body, after = self.nested(self.rng.randint(1, 3))
        self.loop = outer
        if form in ("with", "null"):
            self.scope = after
            what = {"with": f'{self.np}.errstate(all="ignore")', "null": "contextlib.nullcontext()"}
            return [f"with {what[form]}:", *indented(body)]
        before = dict(self.scope)
        if form == "except":
            self.scope = self.merged(before, after)
            names = self.having("float", lambda v: not v.locked)
            last = f"{self.rng.choice(names).name} = 0.0" if names else "pass"
            return ["try:", *indented(body), "except ZeroDivisionError:", f"    {last}"]
        self.scope = self.merged(before, after)
        last, end = self.nested(1)
        self.scope = self.merged(self.scope, end)
        return ["try:", *indented(body), "finally:", *indented(last)]

    # Containers ----------------------------------------------------------------------------------
    def new_list(self):
        name = self.fresh_name(["parts", "costs", "values", "history"])
        parts = [self.calm(self.scalar(1)).code for _ in range(self.rng.randint(0, 3))]
        self.scope[name] = Var(name, "list", low=len(parts))
        vectors = self.arrays(1, lambda v: v.kind[0] > 0)
        if self.features.comprehensions and vectors and self.chance(0.3):
            u = self.rng.choice(vectors)
            self.scope[name] = Var(name, "list", low=u.kind[0])
            return [f"{name} = [{self.number().code} * p_ for p_ in {u.name}]"]
        return [f"{name} = [{', '.join(parts)}]"]

    def use_list(self):
        var = self.rng.choice(self.having("list", lambda v: not v.frozen))
        name, size = var.name, var.low or 0
        e = self.calm(self.scalar(1)).code
        full = bool(size)
        form = self.pick([
            (5, "append"), (1, "extend"), (1, "iadd"), (2 if full else 0, "pop"), (1, "guarded"),
            (2 if full else 0, "store"), (1 if full else 0, "augment"), (2, "sum"),
            (1 if full else 0, "map"), (0.7, "alias"), (0.7 if not self.depth else 0, "insert")])
        longer = {"append": 1, "extend": 1, "iadd": 1, "insert": 1, "pop": -1}.get(form, 0)
        if longer < 0 and (self.depth or size < 1):
            # in a loop a pop goes with an append
            return [f"{name}.append({e})", f"{self.bound_float()} = {name}.pop()"]
        if not self.depth:
            self.scope[name] = replace(var, low=size + longer)
        if form == "alias":
            if self.depth:
                return [f"{name}.append({e})"]
            other = self.fresh_name(["same", "values", "kept"])
            # from now on either may change the other's length
            self.scope[name] = replace(var, low=0)
            self.scope[other] = Var(other, "list", low=0)
            return [f"{other} = {name}"]
        return {
            "append": lambda: [f"{name}.append({e})"], "extend": lambda: [f"{name}.extend([{e}])"],
            "iadd": lambda: [f"{name} += [{e}]"], "insert": lambda: [f"{name}.insert(0, {e})"],
            "pop": lambda: [f"{self.bound_float()} = {name}.pop({self.rng.choice(['', '0'])})"],
            "guarded": lambda: [f"if {name}:", f"    {name}[-1] = {e}"],
            "store": lambda: [f"{name}[{self.rng.choice(['0', '-1'])}] = {e}"],
            "augment": lambda: [f"{name}[0] *= 0.7"],
            "sum": lambda: [f"{self.bound_float()} = {self.np}.tanh(sum({name}))"],
            "map": lambda: [f"{name} = [0.5 * p_ * p_ for p_ in {name}]"]}[form]()

    def path(self):
        """A list of arrays, grown in a loop and stacked."""
        u, name = self.rng.choice(self.arrays(1)), self.fresh_name(["states", "rows", "path"])
        self.scope.pop(name, None)
        shape = u.kind
        e = self.calm(self.array(shape, 1), 1.0).code
        step = self.rng.choice([f"{self.np}.tanh({name}[-1] * {self.number().code} + {e})",
                                f"{name}[-1] * {e}", f"({e}).copy()"])
        made = self.rng.choice([f"{self.np}.stack({name})", f"{self.np}.array({name})",
                                f"{self.np}.concatenate({name})"])
        first = self.rng.choice([u.name, f"{u.name}.copy()", f"0.5 * {u.name}"])
        if not self.features.aliases or u.frozen:
            first = f"{u.name}.copy()"
        i = self.fresh_name(["i_", "k_"])
        return [f"{name} = [{first}]", f"for {i} in range({self.rng.randint(0, 3)}):",
                f"    {name}.append({step})",
                f"{self.bound_float()} = {self.np}.tanh(0.2 * {self.np}.sum({made} ** 2))"]

    def bound_float(self):
        name = self.target("float", renew=0.6)
        self.bind(name, "float")
        return name

    def use_tuple(self):
        name = self.fresh_name(["pair", "state"])
        parts = [self.calm(self.scalar(1)).code for _ in range(3)]
        first = f"{name} = ({', '.join(parts)})"
        a = self.bound_float()
        return self.rng.choice([
            [first, f"{a} = {name}[0] * {name}[-1]"],
            [first, f"{a}, *rest_ = {name}", f"{a} = {a} + rest_[0] * rest_[1]"],
            [first, f"{a} = sum({name}[1:])"]])

    def new_dict(self):
        name = self.fresh_name(["params", "table", "memo"])
        keys = tuple(self.rng.sample(["w", "b", "k", "rate", "x"], self.rng.randint(1, 3)))
        parts = [f'"{key}": {self.calm(self.scalar(1)).code}' for key in keys]
        self.scope[name] = Var(name, "dict", keys=keys)
        return [f"{name} = {{{', '.join(parts)}}}"]

    def use_dict(self):
        var = self.rng.choice(self.having("dict", lambda v: not v.frozen))
        name, key = var.name, self.rng.choice(var.keys)
        e = self.calm(self.scalar(1)).code
        form = self.pick([(3, "store"), (2, "augment"), (1, "items"), (1, "get"), (1, "map"),
                          (1, "keys"), (1, "values"), (1, "new")])
        if form == "new" and not self.depth:
            fresh = self.rng.choice(["u", "z", "q"])
            self.scope[name] = replace(var, keys=tuple(dict.fromkeys((*var.keys, fresh))))
            return [f'{name}["{fresh}"] = {e}']
        if form in ("store", "new"):
            return [f'{name}["{key}"] = {e}']
        if form == "augment":
            return [f'{name}["{key}"] *= {self.calm(self.scalar(1), 1.2).code}']
        if form == "map":
            return [f"{name} = {{k_: 0.6 * v_ for k_, v_ in {name}.items()}}"]
        if form == "get":
            return [f'{self.bound_float()} = {name}.get("{key}", 0.0)']
        a = self.bound_float()
        return {"items": [f"{a} = 0.0", f"for k_, v_ in {name}.items():",
                          f"    {a} = {a} + 0.5 * v_ * v_"],
                "keys": [f"{a} = 0.0", f"for k_ in {name}:", f"    {a} += 0.5 * {name}[k_]"],
                "values": [f"{a} = 0.3 * sum({name}.values())"]}[form]

    def masked_write(self):
        var = self.rng.choice(self.writable(1))
        n = var.kind[0]
        level = round(self.rng.uniform(-0.7, 0.7), 3)
        order = [self.rng.randrange(n) for _ in range(self.rng.randint(1, n))]
        mask = f"{var.name}[{var.name} > {level}]"
        return [self.pick([
            (2, f"{mask} = {self.calm(self.scalar(1)).code}"),
            (2, f"{mask} *= {self.number().code}"),
            (1, f"{var.name}[{order}] = {self.calm(self.scalar(1)).code}"),
            (2, f"{var.name}[{order}] = {self.calm(self.array((len(order),), 1)).code}"),
            (1, f"{var.name}[{order}] += {self.calm(self.array((len(order),), 1), 1.0).code}")])]

    # Functions within ----------------------------------------------------------------------------
    def closure(self):
        name = self.fresh_name(["inner", "apply", "force"])
        self.stable = True                      # what it reads keeps its kind from now on
        before = dict(self.scope)
        self.scope["s_"] = Var("s_", "float")
        factor = self.rng.choice(self.having("float")).name
        body = self.calm(Text(f"({self.scalar(1).code}) * {factor} + s_", 8.0)).code
        self.scope = before
        callee = Callee(name, (("s_", "float", None),), "float")
        self.scope[name] = Var(name, "callable", locked=True, keys=(callee,))
        if self.chance(0.4):
            return [f"{name} = lambda s_: {body}"]
        if self.chance(0.5):
            return [f"def {name}(s_):", f"    t_ = {body}", f"    return {paren(Text('t_'))} * 0.7"]
        return [f"def {name}(s_, c_=0.4):", f"    return c_ * ({body})"]
