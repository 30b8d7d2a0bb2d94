"""Whole programs: helpers, the function itself, its arguments."""
import ast
import math
import random

import numpy as np

from tests.programs.expressions import Text, Var, is_array
from tests.programs.extras import Callee, Extras
from tests.programs.features import LEVELS, Features
from tests.programs.forms import formed
from tests.programs.idioms import IDIOMS
from tests.programs.idioms.template import fill
from tests.programs.loops import Loops
from tests.programs.running import Again, Program, runs
from tests.programs.statements import indented


class Author(Extras, Loops):
    """Writes one function. Helpers are written by authors of their own, with the same rng."""

    def __init__(self, rng, features, style, taken, helpers=()):
        self.rng, self.features, self.helpers = rng, features, list(helpers)
        self.np, self.bare = style
        self.taken = {*taken, *(h.name for h in helpers), "math"}
        self.scope, self.depth, self.trips, self.likes = {}, 0, 1, {}
        self.loop, self.stable, self.walrus, self.returns = None, False, False, True
        self.top, self.tags, self.seed = [], [], 0

    def tag(self):
        """What makes a name at the top of the module unique."""
        return f"{self.seed}_{len(self.tags)}"

    def idiom(self):
        """A piece of program from the books."""
        name = self.rng.choice(self.features.chosen or sorted(IDIOMS))
        self.tags.append(name)
        text = IDIOMS[name]
        self.stable = self.stable or "def $" in text or "lambda" in text
        top, lines = fill(self, name, text)
        self.top += top
        return lines

    def result(self):
        """The expression a function returns: reads several of the variables."""
        self.walrus = False
        terms = [(v, v.name) for v in self.scope.values()
                 if v.kind == "float" or is_array(v.kind) or v.kind == "list"]
        self.rng.shuffle(terms)
        parts = []
        for v, name in terms[:self.rng.randint(2, 6)]:
            c = self.number().code
            if v.kind == "float":
                parts.append(self.rng.choice([f"{c} * {name}", name, f"{name} * {name}"]))
            elif v.kind == "list":
                parts.append(f"sum({name})")
            elif len(v.kind) == 1 and v.kind[0]:
                parts.append(f"{c} * {self.reduction(Text(name)).code}")
            else:
                parts.append(f"{c} * {self.np}.sum({name} * {name})")
        return " + ".join(parts) or self.scalar(1).code


def write_helper(rng, features, style, name, helpers, writer):
    """A helper function; what it does not own it does not write, unless it is a writer."""
    author = Author(rng, features, style, {name}, [h for h in helpers if not h.writes])
    choices = ["float", "float", "int", (3,), (4,)]
    kinds = ["float"] + [rng.choice(choices) for _ in range(rng.randint(0, 2))]
    if not features.arrays:
        kinds = ["float" if is_array(kind) else kind for kind in kinds]
    rng.shuffle(kinds)
    if writer:
        kinds.insert(0, rng.choice([(3,), (4,)]))
    params = []
    for kind in kinds:
        param = author.fresh_name(["u", "v"] if is_array(kind) else "a x k s c y".split())
        with_default = not is_array(kind) and len(params) and rng.random() < 0.3
        params.append((param, kind, ("2" if kind == "int" else "0.7") if with_default else None))
        low, high = (0, 3) if kind == "int" else (None, None)
        written = writer and len(params) == 1
        author.scope[param] = Var(param, kind, is_array(kind) and not written, low=low, high=high)
    # A default must not stand before a parameter without one
    for k in reversed(range(len(params) - 1)):
        if params[k][2] is not None and params[k + 1][2] is None:
            params[k] = (*params[k][:2], None)
    author.returns = False
    author.trips = 4                                            # it may be called in a loop
    shapes = [kind for kind in kinds if is_array(kind)]
    returns = rng.choice(["float", None]) if writer else rng.choice(["float", "float", *shapes])
    lines = []
    if writer:
        lines += author.write_slice() if rng.random() < 0.7 else author.augment_array()
    author.returns = returns == "float" and features.returns
    lines += author.block(rng.randint(0, 3))
    fresh = True
    if returns == "float":
        lines.append(f"return {author.calm(Text(author.result(), 9.0)).code}")
    elif returns is not None:
        e = author.calm(author.array(returns))
        if not e.fresh and not (features.passing and rng.random() < 0.5):
            e = Text(f"{e.code}.copy()")
        fresh = e.fresh
        lines.append(f"return {e.code}")
    signature = ", ".join(p if d is None else f"{p}={d}" for p, _, d in params)
    callee = Callee(name, tuple(params), returns, (0,) if writer else (), fresh)
    return callee, [f"def {name}({signature}):", *indented(lines or ["pass"])]


def write_recursion(rng, style, name):
    """A function that calls itself."""
    np = style[0]
    step = rng.choice(["x * c", f"{np}.sin(x) + c", "0.5 * x - c"])
    end = rng.choice(["math.sin(x)", "x * x", "c * x"])
    join = rng.choice(["x * {} + c", "{} - c * x", "math.tanh({}) * x"])
    callee = Callee(name, (("x", "float", None), ("c", "float", None), ("k", "int", None)), "float")
    return callee, [f"def {name}(x, c, k):", "    if k <= 0:", f"        return {end}",
                    f"    return {join.format(f'{name}({step}, c, k - 1)')}"]


def attempt(seed, features, rng):
    """A candidate program; it may fail when it is run."""
    bare = rng.choice([(), (), ("sin", "tanh", "exp", "cos", "sqrt", "log")])
    style = rng.choice(["np", "np", "numpy"]), bare
    name = f"f{seed}"
    helpers, source = [], []
    for k in range(rng.choice([0, 1, 1, 2]) if features.helpers else 0):
        writer = features.writers and rng.random() < 0.5
        callee, lines = write_helper(rng, features, style, f"helper{seed}_{k}", helpers, writer)
        helpers.append(callee)
        source += [*lines, ""]
    if features.recursion and rng.random() < 0.3:
        callee, lines = write_recursion(rng, style, f"again{seed}")
        helpers.append(callee)
        source += [*lines, ""]
    author = Author(rng, features, style, {name}, helpers)
    author.seed = seed
    params, args, wrt = parameters(author)
    signature = list(params)
    if "int" in [author.scope[params[-1]].kind] and rng.random() < 0.3:
        signature[-1] += f"={args[-1]}"
        if rng.random() < 0.5:
            args.pop()
    body = author.block(rng.randint(3, 11) if not features.idioms else rng.randint(0, 3))
    for _ in range(rng.choice([1, 1, 2, 2, 3]) if features.idioms else 0):
        body += author.idiom()
        body += author.block(rng.randint(0, 2))
    if rng.random() < 0.15:
        body.insert(0, '"""A generated function."""')
    body.append(f"return {author.result()}")
    place = name
    if features.forms:
        top, lines, args, wrt, place = formed(author, signature, args, wrt, body, name, seed)
    else:
        top, lines = [], [f"def {name}({', '.join(signature)}):", *indented(body)]
    source += [*author.top, *top, *lines]
    text = ast.unparse(ast.parse("\n".join(source)))            # without needless parentheses
    return Program(seed, name, text, tuple(args), tuple(wrt), place, tuple(author.tags))


def parameters(author):
    """Names, values and what may vary of a function's parameters; they enter the scope."""
    rng, params, args, wrt = author.rng, [], [], []
    for kind in parameter_kinds(rng, author.features):
        array = is_array(kind)
        param = author.fresh_name(["u", "v", "w", "A", "q"] if array else
                                  ["n", "m", "k"] if kind == "int" else "x y a b c s r".split())
        value = argument(rng, kind)
        low = value if kind == "int" else None
        keys = tuple(value) if kind == "dict" else ()
        author.scope[param] = Var(param, kind, low=low, high=low, keys=keys)
        if kind != "int":
            wrt.append(len(params))
        params.append(param)
        args.append(value)
    vectors = [k for k in wrt if is_array(author.scope[params[k]].kind)]
    twins = [(j, k) for k in vectors for j in vectors if j < k
             and author.scope[params[j]].kind == author.scope[params[k]].kind]
    if author.features.forms and twins and rng.random() < 0.3:
        j, k = rng.choice(twins)                # the same array twice, which is only read then
        args[k] = Again(j)
        for i in (j, k):
            author.scope[params[i]].frozen = True
    return params, args, wrt


def parameter_kinds(rng, features):
    n = rng.choice([1, 2, 3, 3, 4, 4, 5])
    kinds = ["float"] * rng.randint(1, 3)
    if features.arrays:
        kinds += [(n,)] * rng.choice([0, 1, 1, 2])
        if features.matrices:
            kinds += rng.choice([[], [], [(rng.choice([n, 2]), rng.choice([n, 3]))]])
    if features.integers or features.ranges:
        kinds += ["int"] * rng.choice([0, 1, 1])
    if features.dicts and rng.random() < 0.25:
        kinds.append("dict")
    if rng.random() < 0.5:
        rng.shuffle(kinds)
    return kinds


def argument(rng, kind):
    def number():
        return round(rng.uniform(0.15, 1.6) * rng.choice([1.0, 1.0, -1.0]), 3)

    if kind == "float":
        return number()
    if kind == "int":
        return rng.choice([0, 1, 2, 3, 3, 4, 5])
    if kind == "dict":
        return {key: number() for key in rng.sample(["w", "b", "k"], 2)}
    return np.array([number() for _ in range(math.prod(kind))]).reshape(kind)


def generate(seed, features: Features | str = "foundation", log=None):
    """The program of a seed: the first candidate that runs. The same seed, the same program."""
    features = LEVELS[features] if isinstance(features, str) else features
    rng = random.Random(f"tangent_lite {seed}")
    for _ in range(200):
        program = attempt(seed, features, rng)
        failure = runs(program)
        if failure is None:
            return program
        if log is not None:
            log.append((failure, program))
    raise RuntimeError(f"no program of seed {seed} runs")


