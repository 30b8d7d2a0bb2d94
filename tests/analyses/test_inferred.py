"""Which statements are arithmetic: those that nobody asks who looks for calls, arrays, or marks."""
import gast

from tangent_lite.emit import emit
from tangent_lite.inference import Typer
from tangent_lite.kinds import FLOAT, INT, Array, ListKind
from tangent_lite.passes.infer import infer
from tangent_lite.passes.versions import versions

TEXT = '''
def f(x, n, y, xs, d):
    a = x * n
    b = -a
    e = y * x
    g = x
    h = a + 1.0
    i = f(a)
    j = xs * n
    xs[n] = a
    k = d * x
    o = "a" * n
    p = outside * x
    for r in range(n):
        a = a * x
        b += a
    return a
'''
KINDS = {"x": FLOAT, "n": INT, "y": Array(1, "float"), "xs": ListKind(FLOAT)}


def split(text, kinds, change=lambda tree: None):
    """The statements that are arithmetic, and the others, in order, as text."""
    tree = versions(gast.parse(text).body[0])
    change(tree)
    facts = infer(tree, kinds, Typer({}, {"range": range, "outside": 2.0}.get))
    found = facts.arithmetic(tree)
    others = facts.beside_arithmetic(tree)
    every = [node for node in gast.walk(tree) if isinstance(node, gast.stmt) and node is not tree]
    assert {id(node) for node in every} == found | {id(node) for node in others}
    assert found.isdisjoint(map(id, others))
    return [emit(node).split("\n")[0] for node in every if id(node) in found], others


def test_operators_between_numbers_are():
    found, others = split(TEXT, KINDS)
    assert found == ["a = x * n", "b = -a", "h = a + 1.0", "a = a * x"]
    assert [emit(one).split("\n")[0] for one in others] == [
        "e = y * x", "g = x", "i = f(a)", "j = xs * n", "xs[n] = a", "k = d * x", 'o = "a" * n',
        "p = outside * x", "for r in range(n):", "b += a", "return a"]


def test_what_a_pass_has_noted_is_looked_at():
    """A statement of numbers that a pass left a note on means something to it."""
    text = "def f(x, n):\n    a = x * n\n    b = x + n\n    return a\n"
    assert len(split(text, KINDS)[0]) == 2

    def on_the_statement(tree):
        tree.body[0].was_in_place = True

    def on_the_operation(tree):
        tree.body[1].value.of_part = True

    for change, left in ((on_the_statement, "b = x + n"), (on_the_operation, "a = x * n")):
        assert split(text, KINDS, change)[0] == [left]


def test_of_what_nothing_is_known_is_not():
    text = "def f(x, n):\n    a = x * n\n    return a\n"
    assert split(text, {})[0] == []
    assert split(text, {"x": FLOAT})[0] == []
    assert split(text, {"x": Array(0, "float"), "n": INT})[0] == []
