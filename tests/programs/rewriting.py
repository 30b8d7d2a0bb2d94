"""Programs rewritten so that they mean the same: what is rewritten, and a first run of it."""
import ast
import collections
import inspect
import io
import random
import sys
import warnings
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tests.programs.program import generate
from tests.programs.rewrites import REWRITES, Site
from tests.programs.running import HEADER, made, time_limit
from tests.reference.dual import close
from tests.traps.case import CASES


@dataclass(frozen=True)
class Subject:
    """A program: source of a module, the function in it, an expression that gives it, a maker of
    its arguments (of the names of the module), what to differentiate, the gradient where
    differences cannot tell; which rewrites were applied."""

    label: str
    source: str
    name: str
    entry: str
    make: object
    wrt: tuple
    expect: tuple | None = None
    rewrites: tuple = ()


def generated(seed, level):
    """A generated program."""
    program = generate(seed, level)
    return Subject(f"{level} {seed}", HEADER + program.source, program.name, program.entry,
                   lambda space: made(program, space), program.wrt)


def traps():
    """The names of the traps that are functions of a module."""
    import tests.test_traps  # noqa: F401 - enters them
    return [name for name, case in CASES.items()
            if inspect.isfunction(case.f) and case.f.__qualname__ == case.f.__name__ != "<lambda>"]


def trap(name):
    """A trap, with what it needs of its module."""
    case = CASES[name]
    tree = ast.parse(Path(inspect.getsourcefile(case.f)).read_text())
    function = case.f.__name__
    return Subject(f"trap {name}", needed(tree, function), function, function,
                   lambda space: case.make(), case.wrt, case.expect)


def needed(tree, name):
    """The source of a module without what a function of it does not need."""
    def binds(s):
        if isinstance(s, (ast.FunctionDef, ast.ClassDef)):
            return {s.name}
        return {n.id for n in ast.walk(s)
                if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}

    def is_kept(s, names):
        mentioned = {n.id for n in ast.walk(s) if isinstance(n, ast.Name)}
        return isinstance(s, (ast.Import, ast.ImportFrom)) or bool(binds(s) & names) or (
            isinstance(s, (ast.Assign, ast.AugAssign)) and not binds(s) and bool(mentioned & names))

    names, count = {name}, -1
    while count != len(names):
        count = len(names)
        kept = [s for s in tree.body if is_kept(s, names)]
        names |= {n.id for s in kept for n in ast.walk(s) if isinstance(n, ast.Name)}
    return ast.unparse(ast.Module(kept, []))


# Running ------------------------------------------------------------------------------------------
def kind_of(value):
    """What rewrites ask of a value: array1f, float, list."""
    if isinstance(value, np.ndarray):
        return f"array{value.ndim}{value.dtype.kind}"
    return type(value).__name__


def traced(subject):
    """The value of a program, and the kinds that each variable of each function had."""
    kinds, lines = collections.defaultdict(set), 0

    def at_line(frame, event, arg):
        nonlocal lines
        lines += 1
        if lines < 20_000:
            for name, value in frame.f_locals.items():
                kinds[frame.f_code.co_name, name].add(kind_of(value))
        return at_line

    space = {"__name__": "candidate", "__builtins__": __builtins__}
    sys.modules.setdefault("candidate", type(sys)("candidate"))     # dataclasses look there
    before = sys.gettrace()
    with time_limit(4.0), warnings.catch_warnings(), redirect_stdout(io.StringIO()), \
            np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(compile(subject.source, "<candidate>", "exec"), space)
        function, args = eval(subject.entry, space), subject.make(space)
        sys.settrace(lambda frame, event, arg: at_line
                     if frame.f_code.co_filename == "<candidate>" else None)
        try:
            return function(*args), kinds
        finally:
            sys.settrace(before)


# Rewriting ----------------------------------------------------------------------------------------
def rewritten(subject, seed, most=4, only=None):
    """The program with up to so many rewrites that leave its value as it is; only: their names."""
    rng = random.Random(f"{subject.label} {seed}")
    value, kinds = traced(subject)
    for _ in range(rng.randint(1, most)):
        for _ in range(12):
            name = rng.choice(sorted(only or REWRITES))
            candidate = once(subject, name, rng, kinds)
            if candidate is None:
                continue
            try:
                found, kinds_now = traced(candidate)
            except Exception:           # an alias that is written, a name that is not bound yet
                continue
            if close(found, value, 1e-9):
                subject, kinds = candidate, kinds_now
                break
    return subject


def once(subject, name, rng, kinds):
    """The program with one rewrite of one of its functions; None if there is no place for it."""
    tree = ast.parse(subject.source)
    # What wraps a function and does more with its `args` is a function of these, and not of x
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)
                 and n.name != "hands_on" and any(where == n.name for where, _ in kinds)]
    main = [n for n in functions if n.name == subject.name]
    function = rng.choice(main if main and rng.random() < 0.6 else functions)
    if not REWRITES[name](Site(tree, function, rng, kinds)):
        return None
    try:
        source = ast.unparse(ast.fix_missing_locations(tree))
        compile(source, "<candidate>", "exec")
    except (SyntaxError, ValueError):   # `nonlocal` of a name that is not bound around
        return None
    return None if source == subject.source else replace(
        subject, source=source, rewrites=(*subject.rewrites, name))
