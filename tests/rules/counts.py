"""How well each rule is tested: the page docs/checked-rules.md.

    python -m tests.rules.counts > docs/checked-rules.md

It collects what the tests give `check`, judges second derivatives of some cases for each function
(half an hour on two cores), and fails if a rule has no case or a derivative is wrong. With
`--sample FILE` it collects the cases of one file of tests only, and prints what is not right.
"""
import argparse
import importlib
import importlib.util
import multiprocessing
import re
import sys
import tempfile
import textwrap
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

from tangent_lite import coverage, filling, registry, template
from tests.rules import cases, orders
from tests.rules.orders import MODES, REFUSED, RIGHT, SEQUENCES, UNKNOWN, WRONG

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "checked-rules.md"
HELPERS = "helpers of emitted code"
MOST = 2                        # cases of one function whose second derivatives are judged

# Areas without cases, and why.
DRAWN = "each call draws other numbers; `tests/test_random_draws.py` holds all to differences"
WITHOUT = {"numpy.random": DRAWN, "random": DRAWN}

HEAD = """\
# How the rules are checked

This page is made by `python -m tests.rules.counts > docs/checked-rules.md`, from what the tests
give `check` ({versions}). A *case* is a function with arguments and options.

* **reverse**, **forward**: cases in which the rule is filled in, with and without kinds, evaluated,
  and compared with five-point differences.
* **identity**: cases in which the two modes fulfil <by, J v> = <J^T by, v> to 1e-10 of the terms,
  in double precision.
* **second order**: cases, up to {most} for each function, of which a program was made, and
  differentiated through `grad`, `vjp` and `jvp`: reverse over reverse, forward over reverse,
  reverse over forward and forward over forward, each compared with differences of the gradient; the
  Hessian is symmetric to 1e-9 (*right*: all of that). The program squares the result, so that
  linear functions have second derivatives too.
* **refused**: cases in which one of the four ends in an error that says why.

Each run of the tests judges a sample; `pytest -m slow tests/rules/test_counts.py` judges all.
"""


def load_everything():
    for module in registry.LATER:
        if importlib.util.find_spec(module.partition(".")[0]) is not None:     # CuPy seldom is
            importlib.import_module(module)
    registry.load_rules()


# Which rules there are ----------------------------------------------------------------------------
def entries():
    """The entries with a rule, of Python, NumPy and SciPy, and those of helpers."""
    return [e for e in registry.all_entries()
            if any(map(is_ours, (e.adjoint, e.tangent)))
            and namespace(e.function) not in ("", "tests")]         # where a library stands in


def is_ours(rule):
    """Whether a rule stands in rules/, and not in a test that ran before."""
    folder = Path(registry.__file__).parent.parent / "rules"
    return rule is not None and Path(rule.source.file).parent == folder


def namespace(function):
    """Where users find a function; empty for those of third parties."""
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        return "methods of ufuncs"
    module = getattr(function, "__module__", None) or ""
    if module.startswith("tangent_lite"):
        return HELPERS if module.startswith("tangent_lite.runtime") else ""
    if getattr(function, "__objclass__", None) is np.ndarray:
        return "numpy.ndarray"
    if owner is not None and type(owner).__module__.startswith("scipy."):
        module = type(owner).__module__
    if isinstance(function, np.ufunc):
        module = "numpy" if vars(np).get(function.__name__) is not None and any(
            function is thing for thing in vars(np).values()) else "scipy.special"
    module = {"_operator": "operator", "numpy.random.mtrand": "numpy.random"}.get(module, module)
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] in ("numpy", "scipy") else parts[0]


def name_of(function):
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__name__", str(function))
    if isinstance(owner, np.ufunc):
        return f"{owner.__name__}.{name}"
    if namespace(function) == "scipy.stats":
        return f"{type(owner).__name__.removesuffix('_gen')}.{name}"
    return getattr(function, "__qualname__", name) if namespace(function) == "scipy.sparse" \
        else name


# Judging ------------------------------------------------------------------------------------------
used = set()                    # the rules that were filled in


def note_rules():
    """From here on, note which rules are filled in."""
    fill = template.fill

    def noting(rule, *args, **options):
        used.add(f"{rule.source.name} {rule.source.function.__module__}")
        return fill(rule, *args, **options)

    filling.template.fill = noting


def judged(case):
    """The verdicts on a case by sequence, and the rules that it took; a case is one of `check`, or
    a function with its arguments."""
    folder = Path(tempfile.mkdtemp(prefix="rules_"))
    used.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if isinstance(case, tuple):
            made, hermitian = orders.program_written(*case, folder), 0
        else:
            made = orders.program_of(case, folder)
            hermitian = getattr(case.compare, "hermitian_arguments", 0)
        if made is None:
            return dict.fromkeys((MODES, *SEQUENCES), orders.Verdict(UNKNOWN, "no numbers")), set()
        return orders.judge(made, *orders.directions_of(made, hermitian)), set(used)


def judge_all(todo, jobs=1):
    """The verdicts on several cases."""
    if jobs == 1:
        return list(map(judged, todo))
    global _todo
    _todo = todo                # handed on by fork: cases cannot be pickled
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        found = []
        for case, (verdicts, rules) in zip(todo, pool.imap(_judged_by_number, range(len(todo)))):
            found.append((verdicts, rules))
            for sequence, verdict in verdicts.items():
                if verdict.what == WRONG:           # at once: the rest takes its time
                    print(described(case), sequence, verdict.reason, file=sys.stderr, flush=True)
        return found


def described(case):
    return case[0].__name__ if isinstance(case, tuple) else f"{case.test} {name_of(case.fun)}"


def _judged_by_number(number):
    return judged(_todo[number])


# The table ----------------------------------------------------------------------------------------
class Row:
    """What is known of one rule."""

    def __init__(self, entry, found):
        self.entry, self.cases = entry, found
        self.verdicts = []

    def reverse(self):
        return sum("reverse" in c.modes for c in self.cases)

    def forward(self):
        return sum("forward" in c.modes for c in self.cases)

    def identity(self):
        return sum(c.has_identity and c.is_precise for c in self.cases)

    def right(self):
        return sum(all(v.what == RIGHT for v in one.values()) for one in self.verdicts)

    def having(self, what):
        """(sequence, reason) of the verdicts of one sort."""
        return [(s, v.reason) for one in self.verdicts for s, v in one.items() if v.what == what]

    def refused(self):
        return sum(any(v.what == REFUSED for v in one.values()) for one in self.verdicts)

    def is_tested(self):
        return bool(self.cases or self.verdicts)


def rows(found, most, jobs=1, with_programs=True):
    """A row for each entry with a rule, its second derivatives judged; and the rules it took."""
    by_function, by_rule = cases.by_function(found), {}
    for case in found:
        by_rule.setdefault(id(case.entry.adjoint), []).append(case)
    table = [Row(e, by_function.get(registry.key_of_function(e.function), []))
             for e in entries()]
    # What helpers compute is a derivative already: a second one of it would be a third one.
    todo = [(row, case) for row in table if namespace(row.entry.function) != HELPERS
            for case in cases.representative(row.cases, most)]
    if with_programs:
        from tests.rules.programs import PROGRAMS
        for functions, function, args in PROGRAMS:
            keys = {registry.key_of_function(f) for f in functions}
            todo += [(row, (function, args)) for row in table
                     if registry.key_of_function(row.entry.function) in keys]
    taken = set()
    for (row, _), (verdicts, rules) in zip(todo, judge_all([c for _, c in todo], jobs)):
        row.verdicts.append(verdicts)
        taken |= rules
    for row in table:
        row.shared = not row.is_tested() and id(row.entry.adjoint) in by_rule
    return table, taken


def untested(table):
    """The names of rules that nothing tests here, but for helpers and those that cannot be."""
    return [name_of(row.entry.function) for row in table
            if not row.is_tested() and not row.shared
            and namespace(row.entry.function) not in (*WITHOUT, HELPERS)]


def is_taken(entry, taken):
    """Whether a rule of a helper was filled in where derivatives were judged."""
    return any(rule is not None and f"{rule.source.name} {rule.source.function.__module__}" in taken
               for rule in (entry.adjoint, entry.tangent))


COLUMNS = ("rules", "cases", "reverse", "forward", "identity", "second order", "right", "refused",
           "not judged")


def page(table, taken, most):
    spaces = {}
    for row in table:
        spaces.setdefault(namespace(row.entry.function), []).append(row)
    order = sorted(spaces, key=lambda s: (s == HELPERS, s.startswith("scipy"), s))
    lines = [HEAD.format(versions=coverage.version(), most=most)]
    lines += ["| | " + " | ".join(COLUMNS) + " |", "|---|" + "---:|" * len(COLUMNS)]
    totals = Counter()
    for space in order:
        numbers = figures(spaces[space])
        totals.update(numbers)
        lines.append(line_of(space, numbers))
    lines.append(line_of("**all**", totals))
    helpers = spaces.get(HELPERS, [])
    own = [row for row in helpers if row.is_tested()]
    through = [row for row in helpers if row not in own and is_taken(row.entry, taken)]
    left = ", ".join(f"`{name_of(row.entry.function)}`" for row in helpers
                     if row not in own and row not in through)
    told_of_helpers = (
        f"Of the {len(helpers)} helpers, {len(own)} have cases of their own, and the rules of "
        f"{len(through)} more are taken by the second derivatives that are judged here. The others "
        "belong to programs that write, take functions or join lists, which `tests/orders` and the "
        f"tests of each area differentiate: {left}.")
    lines += ["", *textwrap.wrap(told_of_helpers, 100, break_on_hyphens=False),
              "", "## Without a case", ""]
    lines += [f"* `{space}`: {why}" for space, why in WITHOUT.items()]
    lines += ["", "## Refused", "", "What ends in an error, for some arguments:", ""]
    lines += told(table, REFUSED)
    lines += ["", "## Not judged", "", "Differences of the gradient cannot say:", ""]
    lines += told(table, UNKNOWN)
    return "\n".join(lines) + "\n"


def figures(space_rows):
    return Counter({
        "rules": len(space_rows), "cases": sum(len(r.cases) for r in space_rows),
        "reverse": sum(r.reverse() for r in space_rows),
        "forward": sum(r.forward() for r in space_rows),
        "identity": sum(r.identity() for r in space_rows),
        "second order": sum(len(r.verdicts) for r in space_rows),
        "right": sum(r.right() for r in space_rows),
        "refused": sum(r.refused() for r in space_rows),
        "not judged": sum(bool(one["rr"].what == UNKNOWN) for r in space_rows
                          for one in r.verdicts)})


def line_of(title, numbers):
    return f"| {title} | " + " | ".join(str(numbers[c]) for c in COLUMNS) + " |"


def told(table, what):
    """One line for each function with such a verdict: the sequences, and the first reason."""
    lines = []
    for row in table:
        found = row.having(what)
        if found:
            sequences = [s for s in (MODES, *SEQUENCES) if any(s == one for one, _ in found)]
            reason = re.sub(r"^(<[^>]*>|[^\s:]*\.py):\d+: ", "", found[0][1])
            lines.append(f"* `{namespace(row.entry.function)}`: `{name_of(row.entry.function)}` "
                         f"({', '.join(sequences)}): {reason.strip()}")
    return lines or ["* nothing"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=MOST, help="cases for each function")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sample", help="a file of tests")
    options = parser.parse_args()
    load_everything()
    note_rules()
    found = cases.collected(options.sample or ROOT / "tests" / "rules", not options.sample)
    table, taken = rows(found, options.most, options.jobs, not options.sample)
    if not options.sample:
        sys.stdout.write(page(table, taken, options.most))
    wrong = told(table, WRONG)
    if wrong != ["* nothing"] or (not options.sample and untested(table)):
        sys.stderr.write("\n".join(["wrong:", *wrong, "without a case:", *untested(table)]) + "\n")
        raise SystemExit(1)
    if options.sample:
        sys.stdout.write("\n".join(["refused:", *told(table, REFUSED)]) + "\n")


if __name__ == "__main__":
    main()
