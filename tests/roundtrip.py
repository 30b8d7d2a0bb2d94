"""What the tests of `emit` share: printing and reading back."""

import ast
import textwrap

import gast

from tangent_lite.emit import emit


def dump(source):
    """A tree as text, apart from positions and from `kind`, the u of u"...", and comments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.kind = None
    return ast.dump(tree)


def comment(text):
    return gast.Expr(gast.Constant(text, None))


def code(text):
    """The text of an indented block of a test."""
    return textwrap.dedent(text).lstrip("\n")


def assert_round_trip(source, width=100):
    text = emit(gast.parse(source), width)
    assert dump(text) == dump(source)
    assert emit(ast.parse(source), width) == text, "gast and ast print alike"
    assert emit(gast.parse(text), width) == text, "what is printed is printed the same again"
    return text
