"""What is taken out of an adjoint and put back: what is left of the sum reads as by hand."""

import gast
import numpy as np

import tangent_lite as tl
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.emit import emit
from tangent_lite.inference import Typer
from tangent_lite.kinds import FLOAT, Array
from tangent_lite.passes.left_in import left_in
from tests.reference.modes import hold_to_differences


def left(added):
    """What becomes of the statement that puts the part back, with something added."""
    tree = gast.parse("def f(bu, k, bt):\n    bu_part = bu[1:-1].copy()\n    bu[1:-1] = 0.0\n"
                      f"    bu[1:-1] += {added}\n    return bu").body[0]
    for node in gast.walk(tree):
        if hasattr(node, "lineno"):
            del node.lineno                     # it is not the user's
    known = {**dict.fromkeys(["bu", "bu_part", "bt"], Array(1, "float")), "k": FLOAT}
    left_in(tree.body, SameMemory(tree.body, ["bu", "k", "bt"], Typer({}, {}.get), known))
    return emit(tree).strip().splitlines()[-2].strip()


def test_what_is_left():
    assert left("bu_part + bt") == "bu[1:-1] += bt"
    assert left("bu_part - bt * k") == "bu[1:-1] -= bt * k"
    assert left("bu_part - bt - bt * k") == "bu[1:-1] -= bt + bt * k"


def test_a_sum_begins_with_what_is_added():
    assert left("bu_part - bt * k + bt") == "bu[1:-1] += bt - bt * k"
    assert left("bu_part - bt + k * bt - bt") == "bu[1:-1] -= bt - k * bt + bt"   # in this order


def rolling(x):
    for _ in range(3):
        x = x + 0.1 * np.array([x[1], -2.0 * x[0] - 0.3 * x[1] * x[1]])
    return np.sum(x ** 2)


def test_right():
    x = np.array([0.7, -1.1])
    hold_to_differences(rolling, x, np.array([1.0, 0.5]))
    text = tl.grad(rolling).source_for(x)
    assert "bx[1] += " in text and "bx[1] -= " not in text
