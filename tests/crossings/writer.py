"""Writes crossing programs: a few shared things, and statements that are inside one another."""
import ast
import random
import re

import numpy as np

from tests.crossings.blocks import BLOCKS, RETURNS
from tests.crossings.expressions import CONDITIONS, LEAVES, NUMBERS, VECTORS
from tests.crossings.statements import CALLS, SIMPLE
from tests.crossings.surroundings import PRELUDE
from tests.programs.running import Program, runs

GAP = re.compile(r"\{\{|\}\}|\{(\w+)(?::(\w+))?\}")
CHOICE = re.compile(r"<<((?:(?!<<|>>).)*)>>")
# Names of each kind: numbers, vectors, matrices, lists of numbers, lists of vectors, dicts of
# numbers, dicts of vectors, objects, complex numbers, ints
NAMES = {"a": "a b c".split(), "u": "u w v".split(), "M": ["A", "B"], "L": ["xs", "ys"],
         "R": ["rows", "others"], "D": ["d", "e"], "S": ["fields"], "O": ["box", "other"],
         "z": ["z"], "i": ["i", "n"]}
KINDS = "uuuuMLRDSOz"
# The first thing of each kind is made by one of these, the second one by one of the others
MADE = {
    "u": (("np.array([{e}, {e}, {e}])",), ("{v}", "{u}", "{u}[::-1]", "{u}.copy()")),
    "M": (("np.outer({v}, {v})", "np.array([{v} for _ in {v}])", "np.eye(len({u})) * {e}"),
          ("{M}.T", "{M}", "{M}.copy()", "{M}[::-1]")),
    "L": (("[{e}, {e}, {e}]", "[{e}, {e}]"), ("{L}", "{L}[:]", "[{e}, {e}]", "list({L})")),
    "R": (("[{u}, {v}, {u}]", "[{v}, {u}]", "[{u}.copy(), {u}]", "list(np.outer({v}, {v}))"),
          ("{R}", "{R}[:]", "[{R}[0], {v}]", "[{u}, {u}]")),
    "D": (("{{'p': {e}, 'q': {e}}}", "dict(q={e}, p={e})"), ("{D}", "dict({D})", "{D}.copy()")),
    "S": (("{{'u': {u}, 'w': {v}}}", "{{'u': {v}, 'w': {v}}}", "dict(u={u}, w={u})"),),
    "O": (("Box({e}, {v})",), ("{O}", "Box({e}, {u})", "{O}.moved({e})")),
    "z": (("complex({e}, {e})", "{e} + 1j * {e}"),),
}


def chosen(rng, text):
    while True:
        new = CHOICE.sub(lambda m: rng.choice(m[1].split("|")), text)
        if new == text:
            return text
        text = new


class Writer:
    """Writes one function over what it has: {kind: names}."""

    def __init__(self, rng, likes, helpers, counter):
        self.rng, self.likes, self.helpers, self.counter = rng, likes, helpers, counter
        self.scope = {kind: [] for kind in NAMES}
        self.indices, self.depths = [], [0, 1, 1, 2]    # how deep expressions are

    def chance(self, p):
        return self.rng.random() < p

    def fresh(self, stem):
        self.counter[0] += 1
        return f"{stem}{self.counter[0]}"

    def having(self, kind):
        return self.scope[kind] + (self.indices if kind == "i" else [])

    def possible(self, text):
        for word, _ in (m.groups() for m in GAP.finditer(text) if m[1]):
            kind = "U" if word in ("U", "U1") else word[0]
            if kind in "UvV" and not self.scope["u"] or kind in NAMES and not self.having(kind) \
                    or word == "call" and not self.callable() \
                    or word == "J0" and not self.having("i"):
                return False
        return True

    def pick(self, table):
        some = [(w * self.likes(text), text) for w, text in table if self.possible(text)]
        if not any(w for w, _ in some):
            some = [(w, text) for w, text in table if self.possible(text)]
        return self.rng.choices([t for _, t in some], [w for w, _ in some])[0]

    # Expressions ---------------------------------------------------------------------------------
    def number(self, depth=2):
        if depth <= 0 or self.chance(0.3):
            return self.fill(self.pick(LEAVES), 0)
        return self.fill(self.pick(NUMBERS), depth - 1)

    def vector(self, depth=2):
        if depth <= 0 or self.chance(0.3):
            return self.fill(self.pick([(w, t) for w, t in VECTORS if t in (
                "{u}", "{u}[::-1]", "{M}[{k}]", "{M}[:, {k}]", "{R}[{j}]", "{S}['{row}']", "{O}.u",
            )]), 0)
        return self.fill(self.pick(VECTORS), depth - 1)

    def condition(self, depth=1):
        return self.fill(self.pick([(w, t) for w, t in CONDITIONS if depth > 0 or "{c}" not in t]),
                         max(depth - 1, 0))

    def index(self):
        forms = [(3, str(self.rng.randint(0, 2))), (1, "-1")]
        if self.having("i"):
            forms += [(3, f"{self.rng.choice(self.having('i'))} % {self.size()}")]
        return self.rng.choices([t for _, t in forms], [w for w, _ in forms])[0]

    def size(self):
        if self.scope["u"] and self.chance(0.5):
            return f"len({self.rng.choice(self.scope['u'])})"
        return "3"

    def constant(self):
        return repr(round(self.rng.uniform(-0.6, 1.4), 2))

    def place(self, name_only=False):
        """Something to bind a number to."""
        forms = [(6, "{a}")] if self.scope["a"] else []
        if not name_only:
            forms += [(0.6, "{L}[{j}]"), (0.6, "{D}['{key}']"), (0.6, "{O}.x"), (0.6, "{u}[{k}]"),
                      (0.4, "{M}[{k}, {k}]"), (0.3, "{R}[{j}][{k}]")]
        return self.fill(self.pick(forms), 0)

    def buffer(self):
        """A vector to write into."""
        return self.fill(self.pick([(5, "{u}"), (1, "{O}.u"), (1, "{R}[{j}]"), (1, "{S}['{row}']"),
                                    (0.7, "{M}[{k}]"), (0.4, "{M}[:, {k}]")]), 0)

    def callable(self):
        """The helpers for which there is something to hand over."""
        return [h for h in self.helpers if self.scope["u"] or not set(h[1]) & set("MRSO")]

    def call(self):
        name, kinds, form = self.rng.choice(self.callable())
        parts = [self.given(kind) for kind in kinds]
        return form.format(f"{name}({', '.join(parts)})")

    def given(self, kind):
        if kind == "a":
            return self.number(1)
        if kind == "u":
            return self.vector(self.rng.randint(0, 1)) if self.scope["u"] else \
                f"np.array([{self.number(1)}, {self.number(1)}, {self.number(1)}])"
        if kind == "i":
            return str(self.rng.randint(0, 3))
        if self.scope[kind]:
            return self.rng.choice(self.scope[kind])
        return self.fill(self.pick([(1, t) for t in MADE[kind][0]]), 1)

    # Gaps ----------------------------------------------------------------------------------------
    def fill(self, text, depth, names=None, block=False):
        """A text with its gaps filled."""
        names = {} if names is None else names

        def gap(match):
            if match[0] in ("{{", "}}"):
                return match[0][0]
            word, tag = match.groups()
            key = word[:-1] if word in ("L1", "R1", "D1", "S1", "U1", "M1", "O1") else word
            fixed = f"{key}:{tag}" if tag else key
            if fixed in names:
                return names[fixed]
            made = self.filled(key, depth, block)
            if tag or key not in ("e", "v", "c", "k", "j", "n", "a", "u", "call", "key", "any",
                                  "row", "small", "curve", "b"):
                names[fixed] = made
            return made

        return GAP.sub(gap, chosen(self.rng, text))

    def filled(self, word, depth, block):
        rng = self.rng
        ways = {"e": lambda: self.number(depth), "v": lambda: self.vector(depth),
                "c": lambda: self.condition(depth), "k": self.index, "n": self.constant,
                "j": lambda: rng.choice(["0", "1", "-1"]), "key": lambda: rng.choice("pq"),
                "any": lambda: rng.choice("pqr"), "row": lambda: rng.choice("uw"),
                "small": lambda: rng.choice("23"), "b": lambda: rng.choice("01"),
                "curve": lambda: rng.choice(["sin", "square", "soft"]), "call": self.call,
                "A": lambda: self.place(block), "A2": lambda: self.place(True), "U": self.buffer,
                "V": lambda: rng.choice(self.scope["u"]), "V2": lambda: rng.choice(self.scope["u"]),
                "trips": lambda: rng.choice(["0", "1", "2", "2", "3", "3", "len({})".format(
                    rng.choice(self.scope["u"])) if self.scope["u"] else "2"]),
                "q0": lambda: "", "J0": lambda: rng.choice(self.having("i"))}
        if word in ways:
            return ways[word]()
        if word in ("q", "p", "f", "g", "fresh", "J", "I"):
            return self.fresh({"fresh": "t", "J": "j", "I": "k"}.get(word, word))
        return rng.choice(self.having(word[0]))

    # Statements ----------------------------------------------------------------------------------
    def statement(self, depth):
        """The lines of one statement."""
        tables = [(6, SIMPLE), (3 * (depth > 0), BLOCKS), (1.5 * bool(self.callable()), CALLS),
                  (0.3 * (depth > 0), RETURNS)]
        table = self.rng.choices([t for _, t in tables], [w for w, _ in tables])[0]
        text = self.pick(table)
        names = {}
        if table is BLOCKS and text.startswith("for {J} in range") and self.scope["i"] \
                and self.chance(0.3):
            names["J"] = self.rng.choice(self.scope["i"])
        block = "@" in text or text.startswith(("for", "with"))
        lines, outer = [], list(self.indices)
        for line in text.split("\n"):
            if line.strip() in ("@", "@1"):
                self.indices = outer + [names[n] for n in ("J", "I") if n in names]
                inner = self.block(1 if line.strip() == "@1" else self.rng.choice([1, 1, 2, 3]),
                                   depth - 1)
                self.indices = outer
                indent = line[:len(line) - len(line.lstrip())]
                lines += [indent + one for one in inner]
            else:
                lines.append(self.fill(line, self.rng.choice(self.depths), names, block))
        return lines

    def block(self, count, depth):
        return [line for _ in range(count) for line in self.statement(depth)]

    def result(self):
        """What a function returns: a number that depends on much."""
        whole = {"a": "{}", "u": "np.sum({0} * {0})", "M": "np.sum(np.sin({}))", "L": "sum({})",
                 "R": "sum(np.sum(q * q) for q in {})", "D": "sum({}.values())",
                 "S": "{}['u'] @ {0}['w']".replace("{}", "{0}"), "O": "{0}.x * {0}.u.sum()",
                 "z": "abs({})", "i": "{}"}
        terms = [whole[kind].format(name) for kind in NAMES for name in self.scope[kind]]
        self.rng.shuffle(terms)
        return " + ".join(f"{self.constant()} * {t}" for t in terms[:self.rng.randint(4, 8)])


def helper(rng, likes, name, kinds, helpers, counter):
    """A function at the top of the module: (name, kinds, form of its calls), lines."""
    author = Writer(rng, likes, helpers, counter)
    params = []
    for kind in kinds:
        param = next(n for n in [*NAMES[kind], *(f"{NAMES[kind][0]}_{k}" for k in range(9))]
                     if n not in params)
        params.append(param)
        author.scope[kind].append(param)
    body = author.block(rng.randint(1, 3), 1)
    form = rng.choice(["{}", "{}", "{}", "{}[0]", "{}[1]"])
    end = author.number(1)
    end = end if form == "{}" else f"({end}, {author.number(1)})"
    # Where it returns early, it returns one number
    if form != "{}" and any("return " in line for line in body):
        form, end = "{}", author.number(1)
    lines = [f"def {name}({', '.join(params)}):", *(f"    {line}" for line in body),
             f"    return {end}", ""]
    return (name, kinds, form), lines


def attempt(seed, rng):
    """A candidate program; it may fail when it is run."""
    bent, few = {}, rng.random() < 0.6

    def likes(text):
        """How much a program likes a form: one with few forms has more of what they do together."""
        if text not in bent:
            bent[text] = rng.choice([0, 0, 0, 0.2, 1.0, 6.0] if few else [0.2, 1.0, 1.0, 5.0])
        return bent[text]

    counter, helpers, source = [0], [], []
    kinds = ["a", "i"] + sorted(set(rng.sample(KINDS, rng.randint(1, 2 if few else 4))))
    name = f"f{seed}"
    for k in range(rng.choice([0, 0, 1, 1, 2])):
        given = ["a", *rng.choices(kinds, k=rng.randint(0, 2))]
        rng.shuffle(given)
        one, lines = helper(rng, likes, f"helper{k}", given, helpers, counter)
        helpers.append(one)
        source += lines
    author = Writer(rng, likes, helpers, counter)
    params, args = ["a", "b"], [number(rng), number(rng)]
    author.scope["a"] = ["a", "b"]
    if "u" in kinds or "M" in kinds or "R" in kinds or "S" in kinds or "O" in kinds:
        for param in rng.choice([["u"], ["u", "w"], ["u", "w"]]):
            params.append(param)
            args.append(np.array([number(rng) for _ in range(3)]))
            author.scope["u"].append(param)
    if "M" in kinds and rng.random() < 0.6:
        params.append("A")
        args.append(np.array([[number(rng) for _ in range(3)] for _ in range(3)]))
        author.scope["M"].append("A")
    if "L" in kinds and rng.random() < 0.3:
        params.append("xs")
        args.append([number(rng) for _ in range(3)])
        author.scope["L"].append("xs")
    if "D" in kinds and rng.random() < 0.3:
        params.append("d")
        args.append({"p": number(rng), "q": number(rng)})
        author.scope["D"].append("d")
    if rng.random() < 0.4:
        params.append("n")
        args.append(rng.randint(0, 3))
        author.scope["i"].append("n")
    wrt = tuple(k for k, arg in enumerate(args) if not isinstance(arg, int))
    single = rng.random() < 0.06
    if single:
        args = [a.astype(np.float32) if isinstance(a, np.ndarray) else a for a in args]
    body = []
    for kind in kinds:
        if kind == "i" and rng.random() < 0.6:
            body.append(f"i = {rng.randint(0, 2)}")
            author.scope["i"].append("i")
        for forms in MADE.get(kind, ()):
            free = [n for n in NAMES[kind] if n not in author.scope[kind]]
            if not free or forms is not MADE[kind][0] and rng.random() < 0.4 or \
                    forms is MADE[kind][0] and author.scope[kind] and rng.random() < 0.8:
                continue
            some = [(1, t) for t in forms if author.possible(t)]
            if some:
                body.append(f"{free[0]} = {author.fill(author.pick(some), 1)}")
                author.scope[kind].append(free[0])
    author.depths = [0, 0, 0, 1] if few else [0, 1, 1, 2]
    count = rng.choice([3, 5, 7, 9] if few else [2, 3, 4, 5, 6, 7])
    body += author.block(count, rng.choice([1, 2, 2, 3]))
    body.append(f"return {author.result()}")
    source += [f"def {name}({', '.join(params)}):", *(f"    {line}" for line in body)]
    text = "\n".join(source)
    if single and "isinstance" in text:                 # differences ask it of float64
        args = [a.astype(float) if isinstance(a, np.ndarray) else a for a in args]
    before = [chosen(rng, PRELUDE[word]) for word in PRELUDE if re.search(rf"\b{word}\b", text)]
    text = ast.unparse(ast.parse("\n".join([*before, text])))
    return Program(seed, name, text, tuple(args), wrt, name)


def number(rng):
    return round(rng.uniform(0.15, 1.6) * rng.choice([1.0, 1.0, -1.0]), 3)


def generate(seed, log=None):
    """The program of a seed: the first candidate that runs. The same seed, the same program."""
    rng = random.Random(f"crossings {seed}")
    for _ in range(400):
        try:
            program = attempt(seed, rng)
        except SyntaxError as error:
            if log is not None:
                log.append((str(error), None))
            continue
        failure = runs(program)
        if failure is None:
            return program
        if log is not None:
            log.append((failure, program))
    raise RuntimeError(f"no program of seed {seed} runs")
