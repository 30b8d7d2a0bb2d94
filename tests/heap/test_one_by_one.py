"""What NumPy and the standard library do item by item: ufuncs at positions, merged lists."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.referee import held, world

HEAD = "import heapq\n"
VECTOR = "np.array([0.5, 1.3, 0.8])"
AT = """
def f(x):
    a = x * 1.5
    np.{name}.at(a, {index}, {given})
    return np.sum(a * a * np.arange(1.0, 4.0))
"""
SORTED = """
def f(x):
    pairs = [(x[0], 1.0), (x[1], 2.0)]
    total = 0.0
    for k, v in enumerate(heapq.merge({given})):
        total += k * v ** 2
    return total * x[0]
"""


@pytest.mark.parametrize("name", ["multiply", "divide", "maximum", "minimum", "power", "add",
                                  "subtract", "hypot"])
@pytest.mark.parametrize("index", ["[0, 1, 0]", "np.array([2, 2, 2])", "np.array([True] * 3)",
                                   "slice(None)", "-1", "[]"])
def test_ufuncs_at_positions(name, index):
    given = "x[1]" if index in ("-1", "[]") else "x * 2.0"
    held(AT.format(name=name, index=index, given=given), VECTOR)


def test_ufuncs_of_one_operand_at_positions():
    held("""
def f(x):
    a = np.outer(x, x)
    np.exp.at(a, ([0, 1], [2, 2]))
    np.negative.at(a, (slice(None), 0))
    return np.sum(a * a)
""", VECTOR)


@pytest.mark.parametrize("given", [
    "[x[0], x[1]], [x[2], 3.0]", "[x[1], x[0]], [x[2], 0.1], reverse=True",
    "[x[1], x[0]], [x[2], 0.1], key=lambda v: -v", "[x[0]], [], [0.4, x[1]]", "sorted(x), (0.6,)"])
def test_merged_lists(given):
    held(HEAD + SORTED.format(given=given), VECTOR)


def test_second_derivatives():
    space = world(HEAD + SORTED.format(given="[x[0], x[1]], [x[2], 3.0]"))
    tl.check_grads(space["f"], (np.array([0.5, 1.3, 0.8]),), order=2)
    space = world(AT.format(name="multiply", index="[0, 1, 0]", given="x * 2.0"))
    tl.check_grads(space["f"], (np.array([0.5, 1.3, 0.8]),), order=2)
