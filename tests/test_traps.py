"""The traps of tests/traps: each derivative is right, or refused where that is allowed."""
import importlib
from pathlib import Path

import numpy as np
import pytest

from tests.programs.judge import judge
from tests.reference.dual import close, copies, numeric_gradient, reference_gradient
from tests.traps.case import CASES

for _path in sorted((Path(__file__).parent / "traps").glob("*.py")):
    importlib.import_module(f"tests.traps.{_path.stem}")

# What may be refused with a TangentError for now: whole themes, labels, single functions.
# Shorten these lists as the house grows; a wrong derivative is never allowed.
MAY_REFUSE = {
    "exits": "break, continue, early return, else of loops, try, with",
    "containers": "lists, dicts, tuples kept in variables, comprehensions",
    "writers": "callees that write what they are given, or globals",
    "exit": "early return",
    "star": "*args and **kwargs",
    "callable": "functions as arguments",
    "closure": "nested functions, lambdas, partials",
    "recursion": "functions that call themselves",
    "object": "instances and their attributes",
    "aliased": "two parameters of a callee share memory",
    "starred": "starred targets",
    "slice_object": "slice objects in variables",
    "calls_cached": "decorated helpers",
    "reshape_written": "a reshape that may view or copy, written to",
    "reshape_of_transpose": "a reshape that may view or copy, written to",
    "asarray_is_the_same": "asarray, which may view or copy, written to",
    "fortran_order_argument": "ravel and reshape, which may view or copy, written to",
    "flat_in_display": "an array in a list that is written to through its name",
    "builtin_extremes": "max and min of a list written in the call",
    "joins": "np.block of nested lists",
    "methods": "fill, sort and the like on arrays that vary",
    "converts": "NumPy functions without a rule yet",
    "builtins_shadowed": "variables called range, len, min, max, reversed, list",
    "range_shadowed": "variables called range, len, min, max, reversed, list",
    "local_functions": "functions kept in local variables",
    "local_import": "imports inside the function",
    "closures": "nested functions, lambdas, factories, decorators",
    "lists": "lists that change",
    "dicts": "dicts that change",
    "objects": "objects made inside, methods, properties, wrt='self.W'",
    "passing": "*args, **kwargs, callees that write what they are given",
    "iterables": "comprehensions, generators, map, filter, sorted",
    "inplace": "out=, ufunc.at, copyto, fill, sort and the like",
    "paths": "try, with, match, del",
    "remembers": "a dict that a recursive function changes",
    "fills_a_list": "a list that a recursive function changes",
    "lazy": "iterators whose sources change while they are looped over",
    "identity_lists": "what looks into containers that change afterwards",
    "identity_tuples": "tuples whose classes have methods",
    "identity_objects": "what classes say in Python",
    "identity_effects": "special methods that leave traces",
    "identity_calls": "what is called by what cannot be looked into",
    "kept_in_an_error": "what an exception carries",
    "kept_in_an_error_of_ours": "what an exception carries",
}
# What is known to be wrong, and must be mended: these fail when they are right.
KNOWN = {
    "identity_calls-deep_recursion_global": "RecursionError where the function itself just fits",
}


# Where the referee cannot tell, and why.
UNTRUSTED = {"identity_lists-list_subclass_global": "copies of a list of its own kind share it"}


def may_refuse(name):
    theme, function, *label = name.partition("~")[0].split("-")
    return bool({theme, function, *label} & MAY_REFUSE.keys())


@pytest.mark.parametrize("name", CASES)
def test_trap(name):
    trap = CASES[name]
    verdict = judge(trap.f, trap.make, trap.wrt, trap.expect)
    if name in KNOWN:
        assert verdict.outcome == "wrong", f"{name} is {verdict}: take it out of KNOWN"
        pytest.xfail(str(verdict))
    if verdict.outcome == "refused" and may_refuse(name):
        pytest.skip(str(verdict))
    assert verdict.outcome == "right", str(verdict)


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].expect is None])
def test_referee(name):
    trap = CASES[name]
    if name in UNTRUSTED:
        pytest.skip(UNTRUSTED[name])
    _, trustworthy, _ = reference_gradient(trap.f, trap.make(), trap.wrt)
    assert trustworthy


def writes_first(u, w):
    u[0] = w[0] * w[1]
    w[1] = u[0] * u[2]
    return np.sum(u * w)


def one_array_twice():
    u = np.array([0.5, -1.2, 0.8])
    return u, u


def overlapping_views():
    u = np.array([0.5, -1.2, 0.8, 1.7])
    return u[:-1], u[1:]


@pytest.mark.parametrize("make", [one_array_twice, overlapping_views])
def test_parameters_that_share_a_written_buffer(make):
    import tangent_lite as tl

    with pytest.raises(tl.AliasError):
        tl.value_and_grad(writes_first, wrt=(0, 1))(*make())


def test_parameters_that_do_not_share():
    import tangent_lite as tl

    args = np.array([0.5, -1.2, 0.8]), np.array([0.3, 1.2, -0.8])
    value, gradient = tl.value_and_grad(writes_first, wrt=(0, 1))(*args)
    assert value == writes_first(*copies(args))
    assert close(gradient, numeric_gradient(writes_first, args, (0, 1))[0], 1e-8)
