"""Random loops: for over ranges, arrays and displays, while with a counter or until converged."""
import itertools
from dataclasses import replace

from tests.programs.expressions import Var
from tests.programs.statements import INDICES, ORDINARY, Statements, indented


class Loops(Statements):
    """Mixin: writes loops. self.loop tells whether break and continue may stand here."""

    def for_range(self):
        bounds = [(str(k), k, k) for k in (0, 1, 2, 3, 4)]
        known = self.having("int", lambda v: v.low is not None)
        bounds += [(v.name, v.low, v.high) for v in known] * 3
        sizes = [(text.format(v.name), v.kind[0], v.kind[0]) for v in self.arrays()
                 for text in ("len({})", "{}.shape[0]")]
        bounds += sizes * 2
        form = self.pick([(6, "stop"), (3, "start"), (2, "step"), (2, "down"), (0.5, "zero")])
        one, two = self.rng.choice(bounds), self.rng.choice(bounds[:3] + bounds)
        minus, pair = ("-1", -1, -1), ("2", 2, 2)
        args = {"stop": [one], "start": [two, one], "zero": [pair, pair], "step": [two, one, pair],
                "down": [(f"{one[0]} - 1", one[1] - 1, one[2] - 1), minus, minus]}[form]
        if form == "down" and self.chance(0.3):
            args = [one, ("0", 0, 0), (s := self.rng.choice(["-1", "-2"]), int(s), int(s))]
        runs = [list(range(*ends)) for ends in itertools.product(*({a[1], a[2]} for a in args))]
        most, least = max(map(len, runs)), min(map(len, runs))
        if most * self.trips > 36:
            return self.assign_scalar()
        seen = [i for run in runs for i in run]
        name = self.fresh_name(INDICES)
        if not self.depth and self.chance(0.2):
            name = self.target("int")
        body_var = Var(name, "int", low=min(seen, default=0), high=max(seen, default=0))
        before = dict(self.scope)
        self.scope[name] = body_var
        header, lead = f"for {name} in range({', '.join(a[0] for a in args)}):", []
        n = self.scope.get(args[-1][0] if form != "down" else "")
        top = n is not None and n.name != name and not self.depth
        if top and form in ("stop", "start") and self.chance(0.15):
            # the bound is overwritten in the loop, which must not change the number of trips
            self.scope[n.name] = replace(n, low=None, high=None)
            lead = [f"{n.name} = {self.rng.choice([f'{n.name} + 1', '1', f'{n.name} - {name}'])}"]
            before[n.name] = self.scope[n.name]
        if form == "stop" and self.chance(0.1):
            header = f"for {name} in reversed(range({args[0][0]})):"
        return self.loop_around(header, lead, before, least, most)

    def loop_around(self, header, lead, before, least, most, tail=()):
        """The loop with a body; self.scope already holds the loop's own variables."""
        body, after = self.nested(self.rng.randint(1, 4 - min(self.depth, 2)), most, loop=True)
        exits = any(line.strip() in ("break", "continue") for line in body)
        self.scope = self.merged(before, after) if least == 0 or exits else after
        lines = [header, *indented([*lead, *body, *tail])]
        return lines + self.loop_else(exits)

    def for_each(self):
        f = self.features
        vectors = self.arrays(1, lambda v: 0 < v.kind[0] * self.trips <= 36)
        twins = [v for v in self.arrays() if len(self.having(v.kind)) > 1]
        displays = [(2, "display"), (1, "ints"), (1.5 if f.aliases and twins else 0, "twins")]
        form = self.pick([(4 if vectors else 0, "plain"), (3 if vectors else 0, "enumerate"),
                          (3 if vectors else 0, "zip"), (1.5 if vectors else 0, "reversed"),
                          (1 if vectors else 0, "both"), *displays,
                          (1.5 if f.matrices and self.arrays(2) else 0, "rows"),
                          (1.5 if self.having("list", lambda v: v.low) else 0, "list")])
        before = dict(self.scope)
        if form == "rows":
            m = self.rng.choice(self.arrays(2))
            if m.kind[0] * self.trips > 36:
                return self.assign_scalar()
            name = self.fresh_name(["row"] + ORDINARY)
            self.scope[name] = Var(name, m.kind[1:], m.frozen)
            i = self.fresh_name(INDICES)
            head = f"for {name} in {m.name}:"
            if self.chance(0.3):
                self.scope[i] = Var(i, "int", low=0, high=max(m.kind[0] - 1, 0))
                head = f"for {i}, {name} in enumerate({m.name}):"
            return self.loop_around(head, [], before, m.kind[0], m.kind[0])
        if form == "twins":                                     # each in turn gets a second name
            some = self.rng.sample(self.having(self.rng.choice(twins).kind), 2)
            if 2 * self.trips > 36:
                return self.assign_scalar()
            name = self.fresh_name()
            self.scope[name] = Var(name, some[0].kind, any(v.frozen for v in some))
            head = f"for {name} in [{some[0].name}, {some[1].name}]:"
            return self.loop_around(head, [], before, 2, 2)
        if form == "list":
            var = self.rng.choice(self.having("list", lambda v: v.low))
            (v,) = self.loop_floats(1)
            # a list that grows while it is iterated over would never end
            self.scope[var.name] = replace(self.scope[var.name], frozen=True)
            lines = self.loop_around(f"for {v} in list({var.name}):", [], before, 0, 4)
            if var.name in self.scope:
                self.scope[var.name] = replace(self.scope[var.name], frozen=var.frozen)
            return lines
        if form in ("display", "ints"):
            count = self.rng.randint(1, 3)
            if count * self.trips > 36:
                return self.assign_scalar()
            if form == "ints":
                values = [self.rng.randint(0, 3) for _ in range(count)]
                name = self.fresh_name(INDICES)
                self.scope[name] = Var(name, "int", low=min(values), high=max(values))
                return self.loop_around(f"for {name} in {values}:", [], before, count, count)
            parts = ", ".join(self.calm(self.scalar(1)).code for _ in range(count))
            (v,) = self.loop_floats(1)
            shown = f"[{parts}]" if self.chance(0.5) else f"({parts},)"
            return self.loop_around(f"for {v} in {shown}:", [], before, count, count)
        u, w = self.rng.choice(vectors), self.rng.choice(vectors)
        n = u.kind[0] if form in ("plain", "enumerate", "reversed") else min(u.kind[0], w.kind[0])
        i = self.fresh_name(INDICES)
        source = {"plain": u.name, "zip": f"zip({u.name}, {w.name})",
                  "enumerate": f"enumerate({u.name})", "reversed": f"reversed({u.name})",
                  "both": f"enumerate(zip({u.name}, {w.name}))"}[form]
        names = self.loop_floats(2 if form in ("zip", "both") else 1)
        if form in ("enumerate", "both"):
            self.scope[i] = Var(i, "int", low=0, high=n - 1)
        heads = {"plain": names[0], "reversed": names[0], "enumerate": f"{i}, {names[0]}",
                 "zip": ", ".join(names), "both": f"{i}, ({', '.join(names)})"}
        return self.loop_around(f"for {heads[form]} in {source}:", [], before, n, n)

    def loop_floats(self, count):
        """Names for the floats a loop runs over; now and then one that is in use."""
        names = []
        while len(names) < count:
            name = self.target("float", renew=0.8)
            if name not in names and self.scope.get(name, Var("", "float")).kind == "float":
                names.append(name)
        for name in names:
            self.scope[name] = Var(name, "float")
        return names

    def while_loop(self):
        if self.trips > 8:
            return self.assign_scalar()
        floats = self.having("float", lambda v: not v.locked)
        lead = []
        if floats and self.chance(0.4):                         # until converged
            x = self.rng.choice(floats).name
            before = dict(self.scope)
            self.scope[x] = replace(self.scope[x], locked=True)
            level = round(self.rng.uniform(0.2, 0.9), 3)
            shrink = round(self.rng.uniform(0.3, 0.7), 2)
            test = self.rng.choice([f"abs({x})", f"{x} * {x}", x]) + f" > {level}"
            step = self.rng.choice([f"{x} = {shrink} * {x}", f"{x} *= {shrink}"])
        else:                                                   # a counter, and perhaps more
            k = self.fresh_name(INDICES)
            lead = [f"{k} = {self.rng.randint(0, 2)}"]
            before = {**self.scope, k: Var(k, "int")}
            self.scope[k] = Var(k, "int", locked=True)
            test, step = f"{k} < {self.rng.randint(2, 4)}", f"{k} += 1"
            if self.chance(0.4):
                test += f" and {self.condition(0)}"
        # In front if something may skip the rest of the body
        first = self.features.exits or self.chance(0.4)
        body, after = self.nested(self.rng.randint(1, 3), 4, loop=True)
        body = [step, *body] if first else [*body, step]
        self.scope = self.merged(before, {n: replace(v, locked=n in before and before[n].locked)
                                          for n, v in after.items()})
        exits = any(line.strip() in ("break", "continue") for line in body)
        return [*lead, f"while {test}:", *indented(body), *self.loop_else(exits)]
