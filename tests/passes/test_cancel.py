"""What cancels is left out, and nothing else."""
import random
from types import SimpleNamespace

import gast
import numpy as np
import pytest

from tangent_lite import syntax
from tangent_lite.emit import emit
from tangent_lite.inference import Typer
from tangent_lite.kinds import FLOAT, INT, Array
from tangent_lite.passes.cancel import cancel

VECTOR = Array(1, "float")


def cancelled(text, ours=True, written=(), **names):
    """The text of a function after the pass, and whether it changed; names: their kinds."""
    tree = gast.parse(text).body[0]
    for node in syntax.statements(tree.body):
        if ours:
            del node.lineno
    known = dict.fromkeys("abcxyp", FLOAT) | names
    changed = cancel(tree.body, SimpleNamespace(
        typer=Typer({}, {}.get), facts=SimpleNamespace(names=known), adjoint_kinds={},
        aliases=SimpleNamespace(is_written=lambda name: name in written)))
    return emit(tree), changed


def last(text, **names):
    made, changed = cancelled(text, **names)
    return made.rstrip().rpartition("\n")[2].strip() if changed else None


@pytest.mark.parametrize("before, after", [
    ("(1 - y) * p - y * (1.0 - p)", "r = p - y"),
    ("y * (1.0 - p) - (1.0 - y) * p", "r = y - p"),
    ("a * (1 - y) * p - a * y * (1.0 - p)", "r = a * (p - y)"),
    ("-(a * y * (1.0 - p)) + a * (1 - y) * p + b", "r = a * (p - y) + b"),
    ("(a + b) * (a - b) + b * b", None),                # b would be gone
    ("(1 - y) * p + y * p", None),                      # y would be gone
    ("a * b - b * a", None),                            # all would be gone
    ("(1 - y) * p - y * (2.0 - p)", "r = p - 2.0 * y"),
    ("a * b + c * x", None),
    ("(1 - y) * p - y", None),
])
def test_of_sums(before, after):
    assert last(f"def f(a, b, c, x, y, p):\n    r = {before}\n") == after


def test_names_are_looked_behind_where_they_mean_the_same():
    text = "def f(a, x, y, p):\n    t = 1.0 - y\n    r = t * p - y * (1.0 - p)\n"
    assert last(text, t=FLOAT) == "r = p - y"
    assert last(text, written="y", y=VECTOR, t=VECTOR) is None
    assert last(text.replace("    r", "    y = a\n    r"), t=FLOAT) is None
    assert last(text.replace("    r", "    t = a\n    r"), t=FLOAT) is None
    in_a_loop = "def f(n, y, p):\n    for _ in range(n):\n        t = 1.0 - y\n" \
        "        r = t * p - y * (1.0 - p)\n"
    assert last(in_a_loop, t=FLOAT) is None
    inside = in_a_loop.replace("        t = 1.0 - y\n", "").replace("t * p", "(1.0 - y) * p")
    assert last(inside) == "r = p - y"


def test_small_integers_are_left_alone():
    assert last("def f(y, p):\n    r = (1 - y) * p - y * (1.0 - p)\n", y=INT) is None
    assert last("def f(y, p):\n    r = (1 - y) * p - y * (1.0 - p)\n",
                y=Array(1, "int"), p=VECTOR) is None


def test_statements_of_the_users_stay():
    assert not cancelled("def f(y, p):\n    r = (1 - y) * p - y * (1.0 - p)\n", ours=False)[1]


def test_two_statements_become_one():
    assert last("def f(a, y, p):\n    r = a * (1 - y) * p\n    r -= a * y * (1.0 - p)\n",
                **dict.fromkeys("aypr", VECTOR)) == "r = a * (p - y)"


def random_sum(rng, depth):
    """A text of sums and products of a, b, c and small numbers."""
    if depth == 0:
        return rng.choice(["a", "b", "c", "1.0", "2.0", "a", "b"])
    one, other = random_sum(rng, depth - 1), random_sum(rng, depth - rng.choice([1, 1, depth]))
    return f"({one} {rng.choice(['+', '-', '*', '-', '*'])} {other})"


def test_the_value_stays():
    rng, found = random.Random(0), 0
    for _ in range(600):
        text = f"def f(a, b, c):\n    t = 1.0 - a\n    r = {random_sum(rng, 2)} - " \
            f"{random_sum(rng, 2)} * t + {random_sum(rng, 1)} * (b - a)\n    return r\n"
        made, changed = cancelled(text, t=FLOAT)
        found += changed
        before, after = {}, {}
        exec(text, before)
        exec(made, after)
        for a, b, c in np.random.default_rng(0).normal(size=(3, 3)):
            np.testing.assert_allclose(after["f"](a, b, c), before["f"](a, b, c),
                                       rtol=1e-9, atol=1e-12)
        for bad in np.where(np.eye(3), np.nan, 1.0):
            assert np.isnan(before["f"](*bad)) == np.isnan(after["f"](*bad))
    assert found > 20
