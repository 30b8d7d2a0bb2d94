"""Goes over the calls of NumPy, math, scipy.special and Python that rules are tested with, compiled
and in Python.

    python -m tests.backends.calls [--only REGEX] [--most 2] [--show same,refused,...]

Each case of `check` in tests/rules (float64, int64 and bool only) becomes a program,

    def program(x0, w_0):
        y = fun(x0, axis=0)
        return np.sum(w_0 * (y + 0.5 * y * y))

whose value and gradient with backend="numba" are held against those of the Python backend. A call
is the same, refused (at its line, with the way out), stopped (run in Python, with a warning),
skipped (the Python backend refuses it) or different. Different ones, and refusals that do not say
where, make the exit code 1. With NUMBA_OPT=0 in the environment it takes half the time.
"""
import argparse
import collections
import re
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.backends.comparing import compare
from tests.rules import cases, orders

DTYPES = "dl?"                  # float64, int64 and bool: others are refused by their type
MODULES = ("numpy", "math", "_operator", "operator", "builtins", "functools")


def all_cases(most=2, only=""):
    """[(name of the function, case)] to go over: up to `most` of each function."""
    found = []
    for same_function in cases.by_function(cases.collected()).values():
        name = name_of(same_function[0].fun)
        if name and re.search(only, name):
            fit = [case for case in same_function if is_compiled_at_all(case)]
            # Arrays of no dimensions are rare among users, and one of two cases here.
            wide = [case for case in fit if all(
                not isinstance(v, np.ndarray) or v.ndim for v in case.leaves.values())]
            found += [(name, case) for case in cases.representative(wide or fit, most)]
    return found


def name_of(fun):
    """`numpy.linalg.solve`; None for functions of other packages."""
    if isinstance(fun, np.ufunc) and getattr(np, fun.__name__, None) is not fun:
        of_scipy = getattr(sys.modules.get("scipy.special"), fun.__name__, None) is fun
        return f"scipy.special.{fun.__name__}" if of_scipy else None
    owner = getattr(fun, "__objclass__", None)
    module = getattr(fun, "__module__", None) or (owner or type(fun)).__module__
    if module.split(".")[0] not in MODULES and not module.startswith("scipy.special."):
        return None
    return ".".join([module, *([owner.__name__] if owner else []), fun.__name__])


def is_compiled_at_all(case):
    """Whether the arguments and the result of a case are of types that Numba is given."""
    values = [*case.leaves.values(), *case.values.values()]
    parts = [y for _, y in orders.parts_of(case.y, "y")]
    numbers = (np.ndarray, np.generic, float, complex)
    return all(np.asarray(v).dtype.char in DTYPES
               for v in [*values, *parts] if isinstance(v, numbers))


def judged(case, folder):
    """(outcome, detail) of a case."""
    program = orders.program_of(case, folder)
    if program is None:
        return "skipped", "the result holds no floats"
    outcome, detail = compare(program.value, program.args, program.wrt)
    if outcome == "refused" and not (
            re.search(r"program_\d+\.py:\d+", detail) and "Instead: " in detail):
        outcome = "nowhere"
    return outcome, detail


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="a pattern for names of functions")
    parser.add_argument("--most", type=int, default=2, help="how many cases of a function")
    parser.add_argument("--show", default="refused,nowhere,stopped,different")
    options = parser.parse_args()
    shown = options.show.split(",")
    counts, whole = collections.Counter(), collections.defaultdict(set)
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        for name, case in all_cases(options.most, options.only):
            start = time.perf_counter()
            outcome, detail = judged(case, Path(folder))
            counts[outcome] += 1
            whole[name].add(outcome)
            if outcome in shown:
                print(f"{outcome}: {name}: {orders.call_of(case)} "
                      f"({time.perf_counter() - start:.0f} s): "
                      f"{' | '.join(detail.splitlines())[:600]}", flush=True)
    print("calls:", ", ".join(f"{n} {outcome}" for outcome, n in counts.most_common()))
    print(f"functions: {len(whole)}, of which all calls compile:",
          sum(outcomes <= {"same", "stopped", "skipped"} for outcomes in whole.values()))
    return int(counts["different"] + counts["nowhere"] > 0)


if __name__ == "__main__":
    sys.exit(main())
