"""Divisions as NumPy does them: a zero of Python's that divides becomes one of NumPy's.

    bx = 0.5 * bf / y               =>      bx = 0.5 * bf / numpys_zero(y)
    t = x ** -0.5                   =>      t = numpys_zero(x) ** -0.5

It is done to what is compiled, for a derivative of a derivative that was divided by zero: what
divides may be made by functions that give numbers of Python's whatever they are given
(`math.sqrt`), or be a count (`x.size - 1`). All other numbers stay what they are.
"""
from __future__ import annotations

import ast
from typing import Any

import numpy as np

_NUMPYS = {int: np.float64, float: np.float64, complex: np.complex128}


def numpys_zero(number: Any) -> Any:
    """A zero of Python's as one of NumPy's; everything else as it is.

    >>> numpys_zero(0.0), numpys_zero(2.0), numpys_zero(-0.0)
    (np.float64(0.0), 2.0, np.float64(-0.0))
    """
    kind = _NUMPYS.get(type(number))
    return number if kind is None or number != 0 else kind(number)


def divide_as_numpy(function: ast.FunctionDef, name: str) -> bool:
    """Rewrite the divisions of a function, in place; name: that of `numpys_zero` there. False where
    it looks at what is raised itself, and would see nothing."""
    if any(isinstance(node, (ast.Try, ast.With)) for node in ast.walk(function)):
        return False
    _Divisions(name).visit(function)
    return True


class _Divisions(ast.NodeTransformer):
    def __init__(self, name: str) -> None:
        self.name = name

    def visit_BinOp(self, node: ast.BinOp) -> ast.BinOp:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            node.right = self.zero(node.right)
        elif isinstance(node.op, ast.Pow):
            node.left = self.zero(node.left)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            node.value = self.zero(node.value)
        return node

    def zero(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Constant) and node.value != 0:
            return node
        made = ast.Call(ast.Name(self.name, ast.Load()), [node], [])
        return ast.fix_missing_locations(ast.copy_location(made, node))
