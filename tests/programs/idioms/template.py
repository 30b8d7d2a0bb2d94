"""Fills the gaps of idioms.

An idiom is a text: what stands at the top of the module, a line `====`, what stands in the
function (or the latter alone). In it stand

    %name           a name at the top of the module
    $name           a name of the function's own, fresh
    $out, $out1     a number that the rest of the program may use; an old name or a fresh one
    $vec            an array as long as $V that the rest of the program may use and write
    $F $E $C $N     a variable that is a number, an expression of modest size, a constant, a count
    $V $W $L        a vector to read, one to write, the length of $V (and of $W)
    $K              a condition
    <<a|b|c>>       one of these, over several lines if need be; ¦ stands for a | inside

A digit behind a capital makes another of the same kind: $F1, $F2.
"""
import re
import textwrap

from tests.programs.expressions import Var

CHOICE = re.compile(r"<<([^<>]*(?:<(?!<)[^<>]*|>(?!>)[^<>]*)*)>>")
GAP = re.compile(r"\$([A-Z]\d?|[a-z_]\w*)|%([A-Za-z]\w*)")


def section(text):
    return textwrap.dedent(text).strip("\n")


class Filling:
    """One use of an idiom in a function that an author writes."""

    def __init__(self, author, name, text):
        self.author, self.name = author, name
        self.gaps, self.results, self.n = {}, {}, None
        self.text = self.chosen(text)

    def chosen(self, text):
        while True:
            new = CHOICE.sub(lambda m: self.author.rng.choice(
                [re.sub(r"\n *", "", way) for way in m[1].split("|")]), text)
            if new == text:
                return text.replace("¦", "|")
            text = new

    def filled(self):
        """(lines for the top of the module, lines for the function)."""
        *before, body = re.split(r"\n *====\n", self.text)
        top, body = section("".join(before)), section(body)
        if re.search(r"\$[VWL]\d?\b", body):
            self.vector(written=bool(re.search(r"\$W\b", body)))
        lines = [part for part in (GAP.sub(self.gap, top), self.lead(GAP.sub(self.gap, body)))]
        for name, var in self.results.items():
            self.author.scope[name] = var
        np = self.author.np
        return tuple([line for line in re.sub(r"\bnp\.", f"{np}.", text).splitlines()
                      if line.strip()] for text in lines)

    def lead(self, body):
        return "\n".join([*self.before, body]) if self.before else body

    before = ()

    def vector(self, written):
        """Choose or make the vector that stands for $V and $W."""
        a = self.author
        some = a.arrays(1, lambda v: v.kind[0] >= 2 and not (written and v.frozen))
        if some and a.chance(0.9):
            var = a.rng.choice(some)
            name, self.n = var.name, var.kind[0]
        else:
            self.n, name = 3, a.fresh_name(["u", "v", "w"])
            parts = ", ".join(a.calm(a.scalar(1)).code for _ in range(3))
            self.before = [f"{name} = {a.np}.array([{parts}])"]
            a.scope[name] = Var(name, (3,))
        self.gaps.update(V=name, W=name, L=str(self.n))

    def gap(self, match):
        word, top = match.groups()
        key = word or "%" + top
        if key not in self.gaps:
            self.gaps[key] = self.global_name(top) if top else self.made(word)
            while word == "rest" and self.gaps[key] == "_":     # `**_` is no pattern
                self.gaps[key] = self.author.fresh_name(["rest"])
        return self.gaps[key]

    def global_name(self, word):
        name = f"{word}{self.author.tag()}"
        self.author.taken.add(name)
        return name

    def made(self, word):
        a = self.author
        kind = word[0]
        if kind == "F":
            names = [v.name for v in a.having("float")]
            return a.rng.choice(names) if names else a.number().code
        if kind == "E":
            return f"({a.calm(a.scalar(1), 1.0).code})"
        if kind == "C":
            return a.number(signed=False).code
        if kind == "N":
            return str(a.rng.choice([1, 2, 2, 3, 3, 4] if a.trips < 3 else [1, 2]))
        if kind == "K":
            return f"({a.condition(0)})"
        if kind == "V":
            same = [v.name for v in a.having((self.n,))]
            return a.rng.choice(same)
        if re.fullmatch(r"out\d?", word):
            name = a.target("float", renew=0.6)
            while name in self.results or name in self.gaps.values():
                name = a.fresh_name()
            self.results[name] = Var(name, "float")
            a.taken.add(name)
            return name
        name = a.fresh_name([word])
        a.taken.add(name)
        if word == "vec":
            self.results[name] = Var(name, (self.n,))
        return name


def fill(author, name, text):
    return Filling(author, name, text).filled()


