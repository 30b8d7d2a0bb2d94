"""Shorter ways of NumPy to the same, where `passes/shortcuts` has noted them.

    bx = np.zeros_like(x)           =>      bx = np.zeros(x.shape, x.dtype)
    bt = bs * (x @ y)                       bt = bs * x.dot(y)
    br = bt * np.sign(r)                    br = bt * (1.0 if r > 0.0 else -1.0 if r < 0.0 else
                                                       0.0 if r == 0.0 else r)

It is done to what is compiled, never to the text: that says what one reads.
"""
from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import gast

from tangent_lite.nodes import FIELDS
from tangent_lite.passes.shortcuts import DOT, SIGN, ZEROS


def take_shortcuts(tree: gast.FunctionDef, definition: ast.FunctionDef) -> None:
    """Take the ways that are noted in a tree in what was read of its text, in place."""
    noted = [*_candidates(tree.body)]
    read = [[*_candidates([node])] for node in definition.body]
    every = [one for found in read for one in found]
    assert len(noted) == len(every), "the text is that of the tree"
    taker = _Taker({one: node.shorter for node, one in zip(noted, every)
                    if hasattr(node, "shorter")})
    for statement, found in zip(definition.body, read):
        if not taker.ways.keys().isdisjoint(found):
            taker.visit(statement)


class _Taker(ast.NodeTransformer):
    def __init__(self, ways: dict[ast.expr, str]) -> None:
        self.ways = ways

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if self.ways.get(node) != DOT:
            return node
        return ast.copy_location(ast.Call(_attribute(node.left, "dot"), [node.right], []), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if self.ways.get(node) == ZEROS and isinstance(node.func, ast.Attribute):
            node.func.attr = "zeros"
            node.args = [_attribute(node.args[0], "shape"), _attribute(node.args[0], "dtype")]
        if self.ways.get(node) == SIGN and isinstance(node.args[0], ast.Name):
            return _sign(node.args[0].id, node)
        return node


def _candidates(body: list[Any]) -> Iterator[Any]:
    """The matrix products, zeros like something and signs in statements, of gast or of ast, in the
    order of the text."""
    todo = body[::-1]
    while todo:
        node = todo.pop()
        fields = FIELDS[node.__class__]
        if not fields:                          # a name, a literal
            continue
        kind = node.__class__.__name__
        if (kind == "BinOp" and type(node.op).__name__ == "MatMult") or (
                kind == "Call" and getattr(node.func, "attr", "") in ("zeros_like", "sign")):
            yield node
        for field in reversed(fields):
            value = node.__dict__.get(field)
            if value.__class__ is list:
                todo += value[::-1]
            elif value is not None:
                todo.append(value)


def _attribute(owner: ast.expr, name: str) -> ast.expr:
    return ast.copy_location(ast.Attribute(owner, name, ast.Load()), owner)


def _sign(number: str, place: ast.expr) -> ast.expr:
    """The sign of a number with a name, by comparing it; that of nan is nan."""
    made = ast.parse(f"1.0 if {number} > 0.0 else -1.0 if {number} < 0.0 else "
                     f"0.0 if {number} == 0.0 else {number}", mode="eval").body
    for node in ast.walk(made):
        if isinstance(node, ast.expr):
            ast.copy_location(node, place)
    return made
