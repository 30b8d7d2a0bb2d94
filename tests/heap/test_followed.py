"""What the passes refuse since names do not tell, and what is right by identity (see followed)."""
import re

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.followed import CASES, arrays, calls, containers, objects, statements  # noqa: F401
from tests.heap.forced import by_names
from tests.heap.referee import check, world

SUMMED = """
def summed(x):
    return np.sum(f(x) * np.arange(1.0, 4.0))
"""


def made(case, entry=None):
    """The function and its arguments, and the world that they belong to, anew."""
    space = world(case.text.lstrip() + (SUMMED if entry == "summed" else ""), "model")
    return eval(entry or case.entry, space), eval(f"({case.args},)", space)


@pytest.mark.parametrize("name", CASES)
def test_names_do_not_tell(name):
    case = CASES[name]
    f, args = made(case)
    kind, _, reason = case.refusal.partition(": ")
    with by_names(), pytest.raises(getattr(tl, kind), match=re.escape(reason)):
        if case.mode == "grad":
            tl.grad(f, wrt=case.wrt)(*args)
        elif case.mode == "vjp":
            tl.vjp(f, *args)
        else:
            tl.jvp(f, args, (1.0, *[None] * (len(args) - 1)))


@pytest.mark.parametrize("name", [n for n in CASES if not CASES[n].is_failing])
@pytest.mark.sweep(8)
def test_right_by_identity(name):
    case = CASES[name]
    entry = "summed" if case.mode == "vjp" and np.ndim(made(case)[0](*made(case)[1])) else None
    check(lambda: made(case, entry), case.wrt)


@pytest.mark.parametrize("name", [n for n in CASES if CASES[n].is_failing])
def test_fails_as_the_function_does(name):
    case = CASES[name]
    f, args = made(case)
    with pytest.raises(Exception) as natural:  # noqa: PT011 - whatever it is
        f(*args)
    f, args = made(case)
    with pytest.raises(type(natural.value)) as told:
        tl.grad(f, wrt=case.wrt)(*args)
    assert str(told.value) == str(natural.value)
