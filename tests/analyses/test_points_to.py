"""Which containers names may mean: programs that change one that others see as well."""
import copy

import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import syntax
from tangent_lite.analyses.liveness import live_around
from tangent_lite.analyses.points_to import PointsTo
from tangent_lite.emit import emit
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array
from tangent_lite.passes.infer import infer
from tests.programs import containers_shared, state_shared

X = np.array([0.3, 0.5, 0.7])
PROGRAMS = containers_shared.PROGRAMS + state_shared.PROGRAMS


class Node:
    def __init__(self, v):
        self.v = v
        self.kids = []


def indented(body):
    return "def f(x):\n" + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
@pytest.mark.sweep(8)
def test_program(number, tmp_path):
    path = tmp_path / "written.py"          # a file of its own: the source has to be found
    path.write_text(indented(PROGRAMS[number]))
    names = {"np": np, "Node": Node, "copy": copy}
    exec(compile(path.read_text(), str(path), "exec"), names)
    f = names["f"]
    expected = np.array([(f(X + 1e-6 * e) - f(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)])
    value, gradient = tl.value_and_grad(f)(X)
    np.testing.assert_allclose(value, f(X), rtol=1e-12)
    np.testing.assert_allclose(gradient, expected, atol=1e-6)
    tangents = [tl.jvp(f, (X,), (e,))[1] for e in np.eye(3)]
    np.testing.assert_allclose(tangents, expected, atol=1e-6)


# The analysis itself ------------------------------------------------------------------------------
def conflicts(body, change, name):
    """The names that see what a statement changes, in a function in normal form."""
    tree = gast.parse(indented(body)).body[0]
    typer = Typer({}, {}.get)
    facts = infer(tree, {"x": Array(1, "float")}, typer)
    events = [(node, name) for node in syntax.statements(tree.body)
              if not isinstance(node, syntax.COMPOUND) and emit(node).strip() == change]
    assert events
    live = live_around(tree.body, {id(node) for node, _ in events})
    found = PointsTo(tree, facts, typer, events, live, set()).found
    return {other for _, _, other in found.values()}


SEEN = [
    ("a = [x]\nb = a\nb.append(x)\nreturn a", "b.append(x)", "b", {"a"}),
    ("a = [x]\nb = [a]\na.append(x)\nreturn b", "a.append(x)", "a", {"b"}),
    ("a = [x]\nb = [a]\nc = b[:]\nd = c[0]\nd.append(x)\nreturn a", "d.append(x)", "d", {"a"}),
    ("a = [x]\nb = {'k': a, 'm': x}\nc = b['k']\nc.append(x)\nreturn b", "c.append(x)", "c", {"b"}),
    ("a = [x]\nb = a\nfor i in range(3):\n    b.append(x)\nreturn a", "b.append(x)", "b", {"a"}),
    ("a = [x]\nb = [x]\nif x:\n    b = a\nb.append(x)\nreturn a", "b.append(x)", "b", {"a"}),
]
UNSEEN = [
    # Not read again, another list, another entry, numbers only.
    ("a = [x]\nb = a\nb.append(x)\nreturn b", "b.append(x)", "b"),
    ("a = [x]\nb = a[:]\nb.append(x)\nreturn a", "b.append(x)", "b"),
    ("a = [x]\nb = a + a\nb.append(x)\nreturn a", "b.append(x)", "b"),
    ("a = [x]\nc = [x]\nb = {'k': a, 'm': c}\nd = b['k']\nd.append(x)\nreturn c", "d.append(x)",
     "d"),
    # The list of this iteration is none of those before.
    ("rows = []\nfor i in range(3):\n    row = []\n    row.append(x)\n    rows.append(row)\n"
     "return rows", "row.append(x)", "row"),
    ("rows = []\nfor i in range(3):\n    row = []\n    for j in range(2):\n        row.append(x)\n"
     "    rows.append(row)\nreturn rows", "row.append(x)", "row"),
    # The name means another list by then.
    ("a = [x]\nb = a\nb = [x]\nb.append(x)\nreturn a", "b.append(x)", "b"),
]


@pytest.mark.parametrize("body, change, name, others", SEEN)
def test_is_seen(body, change, name, others):
    assert conflicts(body, change, name) == others


@pytest.mark.parametrize("body, change, name", UNSEEN)
def test_is_not_seen(body, change, name):
    assert conflicts(body, change, name) == set()


def test_a_list_put_into_an_older_row_is_seen():
    body = ("rows = []\nrow = [x]\nfor i in range(3):\n    rows.append(row)\n    row.append(x)\n"
            "return rows")
    assert conflicts(body, "row.append(x)", "row") == {"rows"}
