"""A sign moves where it vanishes, and stays where it would not, or where more would change."""

import gast
import numpy as np
import pytest

from tangent_lite import runtime
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.emit import emit
from tangent_lite.inference import Typer
from tangent_lite.kinds import FLOAT, Array
from tangent_lite.passes.accumulate import accumulate
from tangent_lite.passes.signs import signs
from tangent_lite.syntax import walk

VECTOR = Array(1, "float")
KNOWN = {**dict.fromkeys(["x", "y", "bu", "bv", "t", "t1", "t2", "w"], VECTOR),
         **dict.fromkeys(["k", "bk", "s", "s1"], FLOAT), "n": Array(1, "int")}
MEANS = {"np": np, "unbroadcast": runtime.unbroadcast}


def passed(lines, run, *more):
    """The lines of a body behind a pass; `bu` is made in it."""
    tree = gast.parse("def f(x, y, k, n):\n    bu = 2.0 * x\n" + "".join(
        f"    {line}\n" for line in lines) + "    return bu, bk, bv\n").body[0]
    for node in walk(tree):
        if isinstance(node, gast.stmt):
            node.__dict__.pop("lineno", None)
    memory = SameMemory(tree.body, ["x", "y", "k", "n"], Typer({}, MEANS.get), KNOWN)
    run(tree.body, *more, memory)
    return [line[4:] for line in emit(tree).splitlines()[2:-1]]


def moved(*lines):
    return passed(lines, signs, lambda name: name[0] in "ts")


def joined(*lines):
    return passed(lines, accumulate)


@pytest.mark.parametrize("before, after", [
    (["t = -x", "bu[1:] += t[1:]", "bv = y - t"], ["bu[1:] -= x[1:]", "bv = y + x"]),
    (["t = -x * y", "bu += np.sum(t)", "bk = k - t @ y"],
     ["t = x * y", "bu -= np.sum(t)", "bk = k + t @ y"]),
    (["s = -k", "bk = s * 2.0", "bu += s * x"], ["bk = -k * 2.0", "bu -= k * x"]),
    (["t = -x", "bv = -2.0 * t", "bu += t * y"], ["bv = 2.0 * x", "bu -= x * y"]),
    (["t = -x", "t1 = t * y", "t2 = t1 * k", "bu -= t1", "bv = y + t2"],
     ["t1 = x * y", "t2 = t1 * k", "bu += t1", "bv = y - t2"]),
    (["t = -x", "bu += t * t", "bv = y - t / t.size"], ["bu += x * x", "bv = y + x / x.size"]),
    (["s = -bk", "bu += s * x", "bk = bk + s * k"], ["bu -= bk * x", "bk = bk - bk * k"]),
    (["t = -x", "bu += unbroadcast(t * y, x)"], ["bu -= unbroadcast(x * y, x)"]),
])
def test_moves(before, after):
    assert moved(*before) == after


@pytest.mark.parametrize("lines", [
    ["t = -x", "bv = t * y", "bk = t * k"],                    # two signs in the place of one
    ["t = -n", "bu += t * x", "bu += t * y"],                  # may be of unsigned integers
    ["t = -bu", "bu[1:] += x[1:]", "bv = y + t"],              # it has changed in between
    ["w = bu[:]", "t = -bu", "w[1:] += x[1:]", "bv = y + t"],  # the same, by another name
    ["s = -k", "k = k * 2.0", "bk = bk + s"],                  # it is another one
    ["t = -x", "t1 = t", "t1[0] = 2.0", "bu += t"],            # t is written into
    ["t = -x", "t[0] = 2.0", "bu += t"],
    ["t = -bu[1:]", "bv = y - t", "bu[1:] = 0.0", "bu[1:] -= t"],
    ["t = -x", "bu += t", "if k > 0.0:", "    bu += t"],       # read in a branch
    ["t = -x", "for s in y:", "    bu += t * s"],
    ["t = -x", "bu += x / t", "bv = np.exp(t)"],
    ["if k > 0.0:", "    t = -x", "else:", "    t = -y", "bu += t"],
    ["t = -x", "bu *= t"],
    ["s = -k", "bv = x * s"],                                  # of more than a number
    ["t = -x", "bv = t", "bv[0] = 1.0"],
    ["t = -x", "bv = -t", "bv[0] = 1.0"],                      # a copy
])
def test_stays(lines):
    assert moved(*lines) == lines


@pytest.mark.parametrize("before, after", [
    (["bu[1:] += x", "bu[0] += k", "bu[1:] -= y"], ["bu[0] += k", "bu[1:] += x - y"]),
    (["bu[1:] -= x", "bu[1:] -= y"], ["bu[1:] -= x + y"]),
    (["bu[1:] -= x", "bu[1:] += x * y"], ["bu[1:] += x * y - x"]),
    (["bk -= k", "bu[0] += k * k", "bk += k * k"], ["bu[0] += k * k", "bk += k * k - k"]),
    (["bu[0] += k", "bk = k", "bu[0] -= k - bk"], ["bk = k", "bu[0] += k - k + bk"]),
])
def test_joins(before, after):
    assert joined(*before) == after


@pytest.mark.parametrize("lines", [
    ["bu[1:] += x", "bk = bu[0]", "bu[1:] += y"],              # read
    ["bu[1:] += x", "bu[0] = 0.0", "bu[1:] += y"],             # set
    ["bu[1:] += x", "bu[1:] += bu[:-1]"],
    ["w = bu[:]", "bu[1:] += x", "bk = w[0]", "bu[1:] += y"],
    ["w = bu[:]", "bu[1:] += x", "w[0] = 0.0", "bu[1:] += y"],
    ["w = bu[:]", "bu[1:] += x", "w *= 0.5", "bu[1:] += y"],
    ["w = bu[:]", "bu[1:] += x", "bu[1:] += w"],
    ["bv = y * k", "bu[1:] += bv", "bv[0] = 0.0", "bu[1:] += x"],
    ["bu[s] += k", "s = 2", "bu[s] += k"],
    ["bu[1:] += x", "bu = bv", "bu[1:] += y"],
    ["bu[1:] += x", "if k > 0.0:", "    bk = k", "bu[1:] += y"],
    ["bu[1:] += x", "print(bu)", "bu[1:] += y"],
    ["bu[n] += x", "bu[n] += y"],                              # places may repeat
    ["bu[1:] += n", "bu[1:] += x"],                            # whole numbers overflow
    ["bu += x", "bu += y"],                                    # in place as it is
    ["bu[1:] += x * y", "bu[1:] += y * y"],                    # two arrays at a time
    ["x[1:] += y", "x[1:] += y"],                              # may be one thing
])
def test_updates_stay(lines):
    assert joined(*lines) == lines
