"""What may hold the same memory in an emitted body: rather too much than too little."""

import gast
import numpy as np
import pytest

from tangent_lite import runtime
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.inference import Typer
from tangent_lite.kinds import FLOAT, Array, ListKind
from tangent_lite.runtime import shapes

VECTOR = Array(1, "float")
KNOWN = {**dict.fromkeys(["x", "y", "a", "b", "c", "row"], VECTOR), "k": FLOAT,
         "rows": ListKind(VECTOR), "M": Array(2, "float"), "N": Array(2, "float")}
MEANS = {"np": np, "unbroadcast": runtime.unbroadcast, "undiag": shapes.undiag,
         "undiagonal": shapes.undiagonal, "trace_adjoint": shapes.trace_adjoint}


def apart(text, one, other):
    found = SameMemory(gast.parse(text).body, ["x", "y", "k"], Typer({}, MEANS.get), KNOWN)
    assert found.apart(one, other) == found.apart(other, one)
    return found.apart(one, other)


@pytest.mark.parametrize("text", [
    "a = x * 2.0\nb = a.copy()",
    "a = -x\nb = np.zeros_like(a)",
    "a = np.exp(x)\nb = a + 1.0\nb += a",
    "a = x * y\nb = x * y\nb[1:] = a[1:]",                      # numbers are copied
    "a = x * y\nb = unbroadcast(x * y, x)",
    "a = x * y\nb = y * x\nk = a[0]\nb[0] = k",
    "a = x * y\nrows = [a]\nb = np.sum(rows[0] * x) * x",
    "a = x * y\nM = y * np.eye(3)\nN = undiag(a, M)\nb = N[0]",
    "a = x * y\nM = y * np.eye(3)\nN = undiagonal(a, M, 1)\nb = N[0]",
    "a = x * y\nM = y * np.eye(3)\nN = trace_adjoint(k, M)\na = M[0]\nb = N[0]",
])
def test_apart(text):
    assert apart(text, "a", "b")


@pytest.mark.parametrize("text", [
    "a = x * 2.0\nb = a",
    "a = x * 2.0\nb = a[1:]",
    "a = x * 2.0\nc = a.T\nb = c.reshape(-1)",
    "a = x * 2.0\nb = unbroadcast(a, x)",
    "a = x * 2.0\nrows = [a]\nb = rows[0]",
    "a = x * 2.0\nrows = []\nrows.append(a)\nb = rows.pop()",
    "a = x * 2.0\nrows = [x]\nrows[0] = a\nfor b in rows:\n    k = 1.0",
    "a = x * 2.0\n(b, c) = (a, x)",
    "a = x\nb = y",                                             # two parameters may be one thing
    "a = x\nb = table",                                         # so may a global
    "a = x\nb = find(1)",
    "a = x\nb = module.find(1)",
    "a = x\nb = thing.find(1)",
    "a = x\nb = things[0](1)",
    "a = x * 2.0\nb = a if k else x",
    "a = x * 2.0\nb = [r for r in [a]][0]",
    "N = y * np.eye(3)\na = N[0]\nb = undiag(N, x)",           # of a vector it is a view
    "b = x * 2.0\nif k:\n    b = a\na = x * y",                # the order does not matter
])
def test_perhaps_not(text):
    assert not apart(text, "a", "b")
