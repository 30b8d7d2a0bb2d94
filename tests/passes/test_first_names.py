"""Second names for what keeps its first: they go, unless one of the two changes in between."""

import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.emit import emit
from tangent_lite.inference import Typer
from tangent_lite.kinds import FLOAT, Array
from tangent_lite.passes.first_names import first_names
from tests.reference.modes import hold_to_differences

VECTOR = Array(1, "float")


def after(text, kind=VECTOR, may_go=True):
    """A body behind the pass, as one line."""
    lines = text.split("; ") if "for" not in text else [text]
    tree = gast.parse("def f(b, k, v):\n    " + "\n    ".join(lines)).body[0]
    for node in gast.walk(tree):
        if hasattr(node, "lineno"):
            del node.lineno                     # it is not the user's
    known = dict.fromkeys(["a", "b", "k", "v", "c"], kind)
    first_names(tree.body, lambda name: may_go, SameMemory(
        tree.body, ["b", "k", "v"], Typer({}, {}.get), known))
    return "; ".join(line.strip() for line in emit(tree).strip().splitlines()[1:])


@pytest.mark.parametrize("before, wanted", [
    ("a = b; c = a * k; k = c - a", "c = b * k; k = c - b"),
    ("a = b; c = a * k; b[0] = 0.0", "c = b * k; b[0] = 0.0"),
    ("a = b; c = a[1:] * k; a = v", "c = b[1:] * k; a = v"),
    ("a = b; c = v * k; a = a + c", "c = v * k; a = b + c"),
    ("a = b; k += a; v[0] = a[0]", "a = b; k += a; v[0] = a[0]"),     # k may be the same array
    ("a = b; c = v * k; c += a; c[0] = a[0]", "c = v * k; c += b; c[0] = b[0]")])
def test_goes(before, wanted):
    assert after(before) == wanted


@pytest.mark.parametrize("stays", [
    "a = b; b = v; c = a * k",                  # the first is bound anew
    "a = b; c = b; c[0] = 1.0; k = a * v",      # others write into what both mean
    "a = b; a[0] = 1.0; c = b * k",             # it is written into
    "a = b; a += v; c = a * k",                 # in place, as far as is known
    "a = b; v.sort(); c = a * k",               # which may be the same array
    "a = b; c = a * k; return a",
    "a = b; c = lambda: a; b = v"])
def test_stays(stays):
    assert after(stays) == stays


def test_numbers_are_bound_by_what_changes_arrays():
    assert after("a = b; b += v; c = a * k", FLOAT) == "a = b; b += v; c = a * k"
    assert after("a = b; c = a * k; a += v", FLOAT) == "a = b; c = a * k; a += v"
    assert after("a = b; v += a; k = a * a", FLOAT) == "v += b; k = b * b"


def test_names_that_tell_something_stay():
    assert after("a = b; c = a * k", may_go=False) == "a = b; c = a * k"
    assert after("a = b; c = a * k; a = v", may_go=False) == "c = b * k; a = v"


def test_a_loop_may_bind_or_leave():
    for loop in ("for i in v:\n        b = c", "for i in v:\n        break", "for i in v: c = a"):
        text = f"a = b\n    {loop}\n    c = a"
        assert "a = b" in after(text)


def normalized(x):
    centered = x - x.mean()
    return np.sum(np.sin(centered / np.sqrt((centered ** 2).mean() + 0.1)))


def stencil(x):
    x = x.copy()
    for _ in range(3):
        rate = np.zeros_like(x)
        rate[1:-1] = x[2:] - 2.0 * x[1:-1] + x[:-2]
        x += 0.1 * rate * x
        x[0] = x[1]
    return np.sum(x ** 2)


def sums(x):
    value, total = 1.0, 0.0
    for k in range(len(x)):
        total = 0.0
        total = total + x[k] * value
        total = total + value
        value = value - 0.1 * total * x[k]
    return total * value


@pytest.mark.parametrize("f, gone", [(normalized, "bx = bt"), (stencil, "bx_part = bx\n"),
                                     (sums, "btotal_1 = btotal")])
def test_right(f, gone):
    x = np.array([0.3, -0.5, 1.2, 0.7])
    hold_to_differences(f, x, np.array([1.0, 0.5, -0.3, 0.2]))
    assert f"    {gone.strip()}\n" not in tl.grad(f).source_for(x)
