"""Programs on disk and in memory: modules, arguments, a first run."""
import copy
import importlib.util
import math
import signal
import sys
import warnings
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from io import StringIO

import numpy as np

HEADER = '''"""Generated programs; see tests/generator.py."""
import cmath
import collections
import contextlib
import functools
import itertools
import math
import operator
from dataclasses import dataclass, field
from math import cos, exp, log, sin, sqrt, tanh

import numpy
import numpy as np
'''


@dataclass
class Program:
    """One generated program: source of helpers and function, arguments, what to differentiate.

    entry: an expression that gives the function, in the program's module.
    """

    seed: int
    name: str
    source: str
    args: tuple
    wrt: tuple
    entry: str
    idioms: tuple = ()


@dataclass
class New:
    """An argument that is made by a class of the program's module."""

    name: str
    fields: dict

    def __repr__(self):
        return f"{self.name}({', '.join(f'{k}={v!r}' for k, v in self.fields.items())})"


@dataclass
class Again:
    """An argument that is another argument once more: the very same array."""

    position: int


def made(program, space):
    """The arguments of a program, made anew."""
    args = []
    for arg in copy.deepcopy(program.args):
        if isinstance(arg, New):
            arg = space[arg.name](**arg.fields)
        args.append(args[arg.position] if isinstance(arg, Again) else arg)
    return tuple(args)


def entry(program, space):
    """The function of a program, in the namespace of its module."""
    return eval(program.entry, space)


def load(source, path):
    """The names of a program's source, as a module that lies in a real file."""
    path.write_text(source)
    name = f"generated_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def time_limit(seconds):
    """Raise TimeoutError in what computes for too long, where the system has such a clock.

    It counts the time of the processor: how busy the machine is changes nothing.
    """
    def ring(signum, frame):
        raise TimeoutError(f"ran for more than {seconds} s")

    if not hasattr(signal, "setitimer"):
        yield
        return
    old = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, old)


def runs(program):
    """Why a candidate does not run without error or warning and give a number of modest size."""
    space = {"__name__": "candidate", "__builtins__": __builtins__}
    sys.modules.setdefault("candidate", type(sys)("candidate"))     # dataclasses look there
    try:
        with time_limit(2.0), warnings.catch_warnings(), redirect_stdout(StringIO()), \
                np.errstate(all="raise", under="ignore"):
            warnings.simplefilter("error")
            exec(compile(HEADER + program.source, "<candidate>", "exec"), space)
            value = entry(program, space)(*made(program, space))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    ok = isinstance(value, (float, np.floating)) and math.isfinite(value) and abs(value) < 1e4
    return None if ok else f"value {value!r}"


def write_modules(programs, folder, batch=20):
    """Write programs to modules of a batch each; gives (program, function, path) of each."""
    folder.mkdir(parents=True, exist_ok=True)
    programs, out = list(programs), []
    for start in range(0, len(programs), batch):
        some = programs[start:start + batch]
        path = folder / f"batch_{some[0].seed}.py"
        module = load("\n\n".join([HEADER, *(p.source for p in some)]) + "\n", path)
        out += [(p, entry(p, vars(module)), path) for p in some]
    return out
