"""Going through trees, and the tables of methods that transformers of trees keep."""
import ast

import gast
import pytest

from tangent_lite import nodes, syntax
from tangent_lite.analyses.mentions import Mentions, _look
from tangent_lite.syntax import parse_expression

EXPRESSIONS = ["x * 2.0", "x @ x", "2.0 - 1.0", "-x + y", "x", "f(x, k=y) * z", "x[i] + y",
               "[v * w for v in x]", "(lambda v: v * w)(x)", "(x := y) + z"]


class Doubled(nodes.Transformer):
    def visit_Constant(self, node):
        return gast.Constant(2.0 * node.value, None)


class Renamed(nodes.Transformer):
    def visit_Name(self, node):
        return syntax.load(node.id.upper())


class Both(Doubled):
    def visit_Name(self, node):
        return syntax.load(node.id.lower())


class Watched(nodes.Transformer):
    def __init__(self):
        self.seen = []

    def visit(self, node):
        self.seen.append(type(node).__name__)
        return super().visit(node)


def shown(node):
    return ast.unparse(gast.gast_to_ast(node))


def test_each_class_of_transformers_has_methods_of_its_own():
    # In turn, and twice: none may find what was found for another one.
    for _ in range(2):
        assert shown(Doubled().visit(parse_expression("X + f(3.0)"))) == "X + f(6.0)"
        assert shown(Renamed().visit(parse_expression("x + f(3.0)"))) == "X + F(3.0)"
        assert shown(Both().visit(parse_expression("X + f(3.0)"))) == "x + f(6.0)"
        assert shown(nodes.Transformer().visit(parse_expression("x + 3.0"))) == "x + 3.0"


def test_who_visits_otherwise_is_shown_names_and_literals():
    watched = Watched()
    watched.visit(parse_expression("x + f(3.0)"))
    assert sorted(watched.seen) == ["BinOp", "Call", "Constant", "Name", "Name"]


def test_annotations_of_parameters_are_visited():
    tree = gast.parse("def f(x: y, *z: w): pass").body[0]
    found = []

    class Seen(nodes.Transformer):
        def visit_Attribute(self, node):
            found.append(node.attr)
            return node

    tree.args.args[0].annotation = parse_expression("a.b")
    Seen().visit(tree)
    assert found == ["b"]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_what_is_mentioned_does_not_depend_on_the_quick_way(text):
    node = syntax.assign("t", parse_expression(text))
    names, calls, classes = [], [], set()
    _look([node.value], names, calls, classes)
    found = Mentions()[node]
    assert (found.names, found.calls, found.classes) == (names, calls, classes)
    assert found.reads == found.uses == syntax.read_names(node.value)


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_copies_of_ast_share_nothing_that_may_change(text):
    tree = ast.parse(f"for k in x:\n    y = {text}\n    pass")
    copied = nodes.copy_of_ast(tree)
    assert ast.dump(copied, include_attributes=True) == ast.dump(tree, include_attributes=True)
    kept = {id(n) for n in ast.walk(tree) if isinstance(n, (ast.expr, ast.stmt))}
    assert kept.isdisjoint(id(n) for n in ast.walk(copied))
    plain = [n for n in ast.walk(tree) if isinstance(n, (ast.expr, ast.stmt))]
    assert {id(n) for n in nodes.all_nodes(tree)} >= {id(n) for n in plain}


def test_nodes_of_several_classes_come_in_the_order_of_walk():
    tree = gast.parse("def f(x):\n    y = -x * g(x)\n    return h(y)[k]").body[0]
    wanted = gast.BinOp, gast.Call, gast.UnaryOp
    assert syntax.all_of(tree, *wanted) == [n for n in syntax.walk(tree) if isinstance(n, wanted)]


def test_a_place_is_taken_over_whole():
    node, place = syntax.load("t"), parse_expression("x + y").right
    syntax.copy_location(node, place)
    assert (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset) == (1, 4, 1, 5)
    assert not hasattr(syntax.copy_location(syntax.load("t"), syntax.load("u")), "lineno")
