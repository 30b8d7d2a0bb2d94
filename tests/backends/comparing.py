"""Holds compiled derivatives against those of the Python backend, on generated programs.

    python -m tests.backends.comparing --level scalar --seed 0 --count 50

A program is the same, refused (by the Numba backend, with a TangentError), skipped (the Python
backend refuses it, or fails as the function itself does) or different, which makes the exit code 1.
"""
import argparse
import collections
import copy
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

import tangent_lite as tl
from tangent_lite.calling.reuse import forget
from tangent_lite.runtime.tangents import attributes
from tests.programs.features import LEVELS
from tests.programs.program import generate
from tests.programs.running import write_modules


def same(a, b, rtol=1e-12):
    """Whether two results are equal to the last digits, with types, dtypes and shapes."""
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(
            same(x, y, rtol) for x, y in zip(a, b))
    if isinstance(a, dict):
        return type(a) is type(b) and list(a) == list(b) and all(
            same(a[k], b[k], rtol) for k in a)
    if isinstance(a, np.ndarray) and a.ndim:
        if type(b) is not np.ndarray or a.dtype != b.dtype or a.shape != b.shape:
            return False
        scale = np.max(np.abs(a[np.isfinite(a)]), initial=0.0)
        return np.allclose(a, b, rtol=rtol, atol=rtol * scale, equal_nan=True)
    if isinstance(a, (float, np.floating, np.ndarray)):
        # One number: Python's own, whatever NumPy calls it; or an array of no dimensions.
        fits = isinstance(b, float) or (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
                                        and b.shape == ())
        return fits and bool(np.isclose(float(b), float(a), rtol=rtol, atol=1e-13, equal_nan=True))
    if isinstance(a, (int, np.integer)):
        return type(b) in (int, float) and a == b
    if hasattr(a, "__dict__") or hasattr(a, "__slots__"):
        return type(a) is type(b) and same(attributes(a), attributes(b), rtol)
    return a is b or a == b


def compare(function, args, wrt, rtol=1e-12):
    """(outcome, detail) of one function; the value and the gradient."""
    forget()                # it warns once of what stops
    def call(backend):
        with np.errstate(all="ignore"), warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = tl.value_and_grad(function, wrt=tuple(wrt), backend=backend)(
                *copy.deepcopy(args))
        return found, [str(w.message) for w in said if "compiled derivative stopped" in
                       str(w.message)]

    try:
        expected, _ = call("python")
    except Exception as error:
        expected = error
    try:
        found, stopped = call("numba")
    except tl.TangentError as error:
        return "refused", str(error)
    except Exception as error:
        if type(error) is type(expected):
            return "same", "raises"
        return "different", f"{type(error).__name__}: {error}"
    if isinstance(expected, tl.TangentError):
        return "skipped", str(expected)
    if isinstance(expected, Exception):
        return "different", f"{found!r} where Python raises {expected!r}"
    if not same(expected, found, rtol):
        return "different", f"{found!r}, not {expected!r}"
    return ("stopped", stopped[0]) if stopped else ("same", "")


def held(function, argss, rtol=1e-12, runs_in_python=False):
    """Hold one compiled derivative against that of the Python backend, at several arguments: value,
    gradients, classes of exceptions. It has to run compiled, unless it is said that it does not."""
    wrt = tuple(range(len(argss[0])))
    compiled, plain = (tl.value_and_grad(function, wrt=wrt, backend=b) for b in ("numba", "python"))
    for args in argss:
        with np.errstate(all="ignore"), warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            try:
                expected = plain(*copy.deepcopy(args))
            except Exception as error:
                expected = error
            try:
                found = compiled(*copy.deepcopy(args))
            except tl.TangentError as error:
                if not isinstance(expected, tl.TangentError):
                    raise
                found = error               # what both refuse as they run
            except Exception as error:
                found = error
        if isinstance(expected, Exception) or isinstance(found, Exception):
            assert type(found) is type(expected) and str(found) == str(expected), (found, expected)
            continue
        assert same(expected, found, rtol), (args, found, expected)
        stopped = any("compiled derivative stopped" in str(one.message) for one in said)
        assert stopped == runs_in_python, [str(one.message) for one in said]


def sweep(level, seed, count):
    """[(seed, outcome, detail)] of generated programs."""
    programs = [generate(k, LEVELS[level]) for k in range(seed, seed + count)]
    with tempfile.TemporaryDirectory() as folder:
        for program, function, _ in write_modules(programs, Path(folder), 20):
            yield (program.seed, *compare(function, program.args, program.wrt))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", choices=sorted(LEVELS), default="scalar")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    options = parser.parse_args()
    counts = collections.Counter()
    for seed, outcome, detail in sweep(options.level, options.seed, options.count):
        counts[outcome] += 1
        if outcome != "same":
            print(f"{seed}: {outcome}: {' | '.join(detail.splitlines())[:500]}", flush=True)
    print(options.level, ", ".join(f"{n} {outcome}" for outcome, n in counts.most_common()))
    return int(counts["different"] > 0)


if __name__ == "__main__":
    sys.exit(main())
