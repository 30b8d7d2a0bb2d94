"""The cases of `check` in these tests, collected without judging them, and some for each function.
"""
import contextlib
import io
import types

import numpy as np
import pytest

from tangent_lite import registry
from tests.rules import support
from tests.rules.values import is_single


class Collector:
    """A plugin of pytest that runs the tests that call `check`, and keeps what they call it with.
    """

    def __init__(self):
        self.cases = []
        self.test = None

    def __call__(self, case):
        case.test = self.test
        self.cases.append(case)

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if calls_check(item.function, set())]

    def pytest_runtest_setup(self, item):
        self.test = item.nodeid


def calls_check(function, seen):
    """Whether a test calls `check`, by itself or through functions of its module."""
    if function in seen:
        return False
    seen.add(function)
    names, space = names_in(function.__code__), function.__globals__
    return "check" in names or any(
        calls_check(space[name], seen) for name in names
        if isinstance(space.get(name), types.FunctionType)
        and space[name].__module__ == function.__module__)


def names_in(code):
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= names_in(constant)
    return found


def collected(folder="tests/rules", with_slow=False):
    """All cases of the tests in a folder; with_slow: of those as well that do not run each time."""
    collector = Collector()
    support.collector = collector
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            pytest.main([str(folder), "-q", "-p", "no:cacheprovider", "-p", "no:xdist",
                         *(["-m", ""] if with_slow else [])], plugins=[collector])
    finally:
        support.collector = None
    return collector.cases


def by_function(cases):
    """Cases by the function that they are of."""
    found = {}
    for case in cases:
        found.setdefault(registry.key_of_function(case.fun), []).append(case)
    return found


def representative(cases, most=4):
    """A few cases of one function that differ in the kinds of arguments and in the options."""
    chosen = {}
    for case in sorted(cases, key=unsuited):
        if unsuited(case) < 10:
            chosen.setdefault(signature(case), case)
    first = sorted(chosen.values(), key=unsuited)
    # Those spread over all signatures say more than the first ones, which are alike.
    return [first[k * len(first) // most] for k in range(most)] if len(first) > most else first


def unsuited(case):
    """How little a case says about second derivatives."""
    leaves = [np.asarray(v) for v in case.leaves.values()]
    if not leaves or any(is_single(v) or v.dtype.itemsize not in (8, 16) or not v.size
                         or not np.all(np.isfinite(v)) for v in leaves) or case.zero:
        return 10
    return sum(v.size > 30 for v in leaves)


def signature(case):
    args = tuple(kind(a) for a in case.args)
    options = tuple(sorted((name, kind(a)) for name, a in case.options.items()))
    return args, options, tuple(map(str, case.wrt))


def kind(value):
    if isinstance(value, (list, tuple)):
        return type(value).__name__, *map(kind, value[:3])
    if isinstance(value, np.ndarray):
        return "array", value.ndim, value.dtype.kind
    if isinstance(value, (float, complex, np.generic)):
        return type(value).__name__
    return repr(value)[:40]
