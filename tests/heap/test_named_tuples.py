"""Named tuples as dicts: the fields of one go where its items came from."""
import pytest

from tests.heap.referee import held

POINT = """
from collections import namedtuple
from typing import NamedTuple

Point = namedtuple("Point", "a b")

class Weighted(NamedTuple):
    a: float
    inner: tuple = (1.0, 2.0)
"""

PROGRAMS = {
    "made here": """
def f(x):
    d = Point(x, 2.0 * x)._asdict()
    return d["a"] * d["b"] ** 2
""",
    "of a tuple that is read again": """
def f(x):
    p = Point(x, x * x)
    d = p._asdict()
    d["a"] = d["a"] * p.b
    return d["a"] * p.a + sum(v * v for v in p._asdict().values())
""",
    "with a tuple in it": """
def f(x):
    p = Weighted(x, (x * x, 3.0))
    d = p._asdict()
    return d["a"] * d["inner"][0] * d["inner"][1]
""",
    "none of which varies": """
def f(x):
    return x * Point(2.0, 3.0)._asdict()["b"]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_a_dict(name):
    held(POINT + PROGRAMS[name], "0.7")


def test_as_a_dict_that_is_given():
    held(POINT + """
def f(p):
    d = p._asdict()
    return d["a"] ** 2 * d["b"]
""", "Point(0.7, 1.3)")
