"""Which names may show a change that is made by another one."""
import gast
import pytest

pytest.importorskip("numba")

from tangent_lite.backends import numba_words as words  # noqa: E402
from tangent_lite.backends.numba_making import made_array  # noqa: E402
from tangent_lite.backends.numba_shapes import copy_of  # noqa: E402
from tangent_lite.backends.numba_shared_names import (  # noqa: E402
    Sharing,
    written_by_functions,
)

MEANT = {"made_array": made_array, "copy_of": copy_of, "add_at": words.ADD_AT,
         "unreduce": words.UNREDUCE}
NUMBERS = {"s", "n", "i"}


def meant(node):
    return MEANT.get(node.id) if isinstance(node, gast.Name) else None


def is_number(node):
    return isinstance(node, gast.Constant) or (isinstance(node, gast.Name) and node.id in NUMBERS)


def sharing(text, written=None):
    return Sharing(gast.parse(text).body[0], meant, is_number, written or {})


@pytest.mark.parametrize(("body", "found"), [
    # a is read behind the statement that gives it another name, and changes
    ("b = a\n    b[0] = s\n    return a[0] + b[0]", {"a", "b"}),
    ("b = a\n    b += c\n    return a + b", {"a", "b"}),
    # it is not read any more, or nothing changes, or it is a copy
    ("b = a\n    b[0] = s\n    return b", set()),
    ("b = a\n    b = b + c\n    return a + b", set()),
    ("b = copy_of(a)\n    b[0] = s\n    return a[0] + b[0]", set()),
    ("b = a * s\n    b[0] = s\n    return a + b", set()),
    # in a loop what stands in front of a statement is behind it, too
    ("for i in range(n):\n        s = a[0] * s\n        b = a\n        b[0] = s\n    return b",
     {"a", "b"}),
    # by way of lists, tuples, views, helpers
    ("kept = []\n    kept.append(a)\n    a[0] = s\n    return kept", {"a", "kept"}),
    ("kept = []\n    kept.append(a)\n    a = a * s\n    a = kept.pop()\n    return a", set()),
    ("both = (a, c)\n    d, e = both\n    d[0] = s\n    return a + e", {"a", "d", "both"}),
    ("both = (a, a)\n    d, e = both\n    d[0] = s\n    return e", {"a", "d", "e", "both"}),
    ("kept = [c]\n    kept[0] = a\n    a[0] = s\n    return kept", {"a", "kept"}),
    ("kept = [c]\n    kept += [a]\n    a[0] = s\n    return kept", {"a", "kept"}),
    ("b = a[1:]\n    b[0] = s\n    return a", {"a", "b"}),
    ("b = unreduce(s, a)\n    b[0] = s\n    return a", set()),
    ("b = a\n    add_at(b, i, s)\n    return a", {"a", "b"}),
    ("b = a\n    add_at(c, i, b)\n    return a", set()),
    ("b = a\n    anything(b)\n    return a", {"a", "b"}),
])
def test_names_that_change(body, found):
    text = f"def f(x, c, s, n, i):\n    a = made_array((s, s))\n    {body}\n"
    assert sharing(text).changing(["a", "b", "d", "e", "kept", "both"]) >= found
    if not found:
        assert not sharing(text).changing(["a", "b", "d", "kept"])


def test_a_parameter_is_the_callers():
    """Who gave it reads it when the function has returned."""
    assert sharing("def f(x):\n    y = x\n    y[0] = 1.0\n    return y\n").changing(["y"]) == {"y"}


def test_arguments_that_are_written_into():
    trees = gast.parse('''
def fill(v, x):
    v[0] = x
def over(x, v):
    w = v
    fill(w, x)
def read(v):
    return v + v
''').body
    assert written_by_functions(
            trees, meant, lambda name: is_number,
            lambda name: lambda node: getattr(node, "id", "") == "v") == {
        "fill": frozenset({0}), "over": frozenset({1}), "read": frozenset()}
