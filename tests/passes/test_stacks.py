"""Stacks of tuples become a stack for each part; what others may see is left as it is."""
import textwrap

import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.emit import emit
from tangent_lite.names import Names
from tangent_lite.passes.stacks import stacks
from tangent_lite.syntax import all_names

LEFT_ALONE = {
    "handed on": "s = []\ns.append((x, 1))\na, b = s.pop()\ng(s)",
    "returned": "s = [(x, 1)]\na, b = s.pop()\nreturn s",
    "read": "s = [(x, 1)]\ny = s[0]\na, b = s.pop()",
    "walked over": "s = [(x, 1)]\nfor p in s:\n    pass\na, b = s.pop()",
    "of several lengths": "s = [(x, 1)]\ns.append((x, x, x))\na, b = s.pop()",
    "of no tuples": "s = [x]\na, b = s.pop()",
    "of what mentions it": "s = [(x, 1)]\ns.append((x, len(s)))\na, b = s.pop()",
    "from a place that varies": "s = [(x, 1)]\ni = 0\ni, b = s.pop(i)",
    "not made here": "s.append((x, 1))\na, b = s.pop()",
    "of a function inside": "s = [(x, 1)]\ndef g():\n    s.append((x, 2))\na, b = s.pop()",
    "left halfway": "s = []\ntry:\n    s.append((x, g(x)))\nfinally:\n    pass\na, b = s.pop()",
    "computed in order": "s = [(g(x), g(x)), (g(x), g(x))]\na, b = s.pop()",
}


@pytest.mark.parametrize("body", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_left_alone(body):
    tree = gast.parse("def f(x):\n" + textwrap.indent(body, "    ")).body[0]
    assert stacks(tree, Names(all_names(tree)), lambda: True) is tree


def test_tuples_in_tuples_and_names_that_are_taken():
    tree = gast.parse(textwrap.dedent("""
        def f(x, s_0):
            s = []
            s.append((x, (s_0, 1.0)))
            while len(s) and not x:
                a, (b, c) = s.pop(-1)
    """)).body[0]
    made = stacks(tree, Names(all_names(tree)), lambda: True)
    assert emit(made) == textwrap.dedent("""\
        def f(x, s_0):
            s_0_1 = []
            s_1_0 = []
            s_1_1 = []
            s_0_1.append(x)
            s_1_0.append(s_0)
            s_1_1.append(1.0)
            while len(s_0_1) and not x:
                a = s_0_1.pop(-1)
                b = s_1_0.pop(-1)
                c = s_1_1.pop(-1)
        """)


def quadrature(a, b, k, tolerance):
    """Halves intervals where two rules differ."""
    todo = [(a, b, 0)]
    total = 0.0
    while todo:
        left, right, depth = todo.pop()
        middle = 0.5 * (left + right)
        one = (right - left) * np.sin(k * middle)
        two = 0.5 * (right - left) * (np.sin(k * left) + np.sin(k * right))
        if abs(one - two) < tolerance or depth > 6:
            total += (2.0 * one + two) / 3.0
        else:
            todo.append((left, middle, depth + 1))
            todo.append((middle, right, depth + 1))
    return total


@pytest.mark.parametrize("tolerance", [1e-3, 1e3])
def test_a_stack_of_intervals(tolerance):
    args = 0.1, 2.0, 1.5, tolerance
    assert "tape.call" not in tl.grad(quadrature).source_for(*args)     # not by identity
    found = tl.grad(quadrature, wrt=(0, 1, 2))(*args)
    for spot in range(3):
        moved = [[v + (s if k == spot else 0.0) for k, v in enumerate(args)] for s in (1e-6, -1e-6)]
        slope = (quadrature(*moved[0]) - quadrature(*moved[1])) / 2e-6
        assert np.isclose(found[spot], slope, rtol=1e-6)


def test_a_queue_of_arrays():
    def f(x, n):
        queue = [(x, 1.0)]
        total = 0.0
        for i in range(n):
            y, weight = queue.pop(0)
            total += weight * np.sum(y * y)
            queue.append((y * 0.5, weight * y[0]))
        return total

    for n in (0, 1, 3):
        tl.check_grads(lambda x: f(x, n), (np.array([0.3, -1.2]),))
