"""Where the seed is one, products with it are left out: of a derivative as it is called.

    bt = bf * exp_t                             bt = exp_t
    bx = -2.0 * bf * exp_t * x + bf * sin_y  => bx = -2.0 * exp_t * x + sin_y
    bA = bf * B.T                               bA = B.T.copy('K')

It is done to what is compiled, never to the text. A product of one and a float is that float, bit
for bit; but of an array it is a new one, so that an array which would get a second name is copied,
as it lies in memory, and the product stays where the other factor may be a whole number, or an
array without axes.

>>> body = ast.parse("bt = bf * t\\nbx = -2.0 * bf * A + bf * t\\nbA = bf * A.T\\nbB = bf * B").body
>>> for node in leave_out_seed(body, "bf", {"t"}, {"A"}, lambda node: None):
...     print(ast.unparse(node))
bt = t
bx = -2.0 * A + t
bA = A.T.copy('K')
bB = 1.0 * B
"""
from __future__ import annotations

import ast
import copy
import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
# Of a float these return a float, and the second ones of an array of floats a new one.
_OF_NUMBERS = {math.sin, math.cos, math.tan, math.exp, math.log, math.sqrt, math.tanh, math.sinh,
               math.cosh, math.atan, math.log1p, math.expm1}
_OF_ARRAYS = {np.sin, np.cos, np.tan, np.exp, np.log, np.sqrt, np.tanh, np.sinh, np.cosh,
              np.arctan, np.log1p, np.expm1}


def leave_out_seed(body: list[ast.stmt], seed: str, numbers: set[str], arrays: set[str],
                   means: Callable[[ast.expr], Any], paths: Iterable[str] = ()) -> list[ast.stmt]:
    """Statements of straight code in which the seed is one; numbers, arrays: parameters that are
    floats, and arrays of them that have axes; means: what a function outside is; paths: those of
    floats that parameters hold, `p.rate`, `p['W'][0]`, into which nothing is written."""
    reading = _Reading(seed, numbers, arrays, means, {*paths})
    made = [reading.statement(copy.deepcopy(node)) for node in body]
    if any(isinstance(n, ast.Name) and n.id == seed for part in made for n in ast.walk(part)):
        one = ast.Assign([ast.Name(seed, ast.Store())], ast.Constant(1.0))
        made.insert(0, ast.fix_missing_locations(ast.copy_location(one, body[0])))
    return made


class _Reading:
    """Straight code from top to bottom: which names hold floats, and arrays of floats."""

    def __init__(self, seed: str, numbers: set[str], arrays: set[str],
                 means: Callable[[ast.expr], Any], paths: set[str]) -> None:
        self.seed, self.means, self.paths = seed, means, paths
        self.numbers, self.arrays, self.floats = {*numbers}, {*arrays}, numbers | arrays

    def statement(self, node: Any) -> Any:
        value = getattr(node, "value", None)
        if value is None:
            return node
        if isinstance(node, ast.AugAssign):
            node.value = self.consumed(value)
            if not self.is_float(node.value, self.numbers):
                self.numbers -= _bound(node.target)
            if not self.is_float(node.value, self.floats):
                self.floats -= _bound(node.target)
                self.arrays -= _bound(node.target)
            return node
        node.value = self.fresh(value)
        for target in getattr(node, "targets", ()):
            self.arrays -= _bound(target)
            is_name = isinstance(target, ast.Name)
            for known in (self.numbers, self.floats):
                holds = is_name and self.is_float(node.value, known)
                known -= _bound(target)
                known |= {target.id} if holds else set()
        return node

    def fresh(self, node: ast.expr) -> ast.expr:
        """What gets a name, or is given away: the product with an array makes a new one."""
        if isinstance(node, (ast.Tuple, ast.List)):
            node.elts = [self.fresh(e) for e in node.elts]
            return node
        made = self.consumed(node)
        if made is node or isinstance(made, (ast.BinOp, ast.UnaryOp, ast.Call)) \
                or self.is_float(made, self.numbers):
            return made
        if self.is_array(made):
            return ast.copy_location(_copy_of(made), node)
        return ast.copy_location(ast.BinOp(_one(node), ast.Mult(), made), node)

    def consumed(self, node: ast.expr) -> ast.expr:
        """What an operation reads and nobody keeps."""
        if isinstance(node, ast.Name):
            return _one(node) if node.id == self.seed else node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            node.operand = self.consumed(node.operand)
            number = _number(node.operand)
            return node if number is None else ast.copy_location(ast.Constant(-number), node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
            node.left, node.right = self.consumed(node.left), self.consumed(node.right)
            return self.product(node) if isinstance(node.op, ast.Mult) else node
        for field, part in ast.iter_fields(node):
            if isinstance(part, ast.expr):
                setattr(node, field, self.fresh(part))
            elif isinstance(part, list):
                setattr(node, field, [self.fresh(p) if isinstance(p, ast.expr) else p
                                      for p in part])
        return node

    def product(self, node: ast.BinOp) -> ast.expr:
        left, right = _number(node.left), _number(node.right)
        if left == 1.0 and self.is_float(node.right, self.floats):
            return node.right
        if right == 1.0 and self.is_float(node.left, self.floats):
            return node.left
        if left is not None and right is not None and math.isfinite(left * right):
            return ast.copy_location(ast.Constant(left * right), node)
        return node

    def is_array(self, node: ast.expr) -> bool:
        """Whether an expression is surely a parameter that is an array of floats, as it is or the
        other way round."""
        while isinstance(node, ast.Attribute) and node.attr == "T":
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.arrays

    def is_float(self, node: ast.expr, known: set[str]) -> bool:
        """Whether an expression is surely a float, or an array of floats if those are known."""
        if isinstance(node, ast.Constant):
            return type(node.value) is float
        if isinstance(node, ast.Name):
            return node.id in known
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.USub) and self.is_float(node.operand, known)
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, (*_ARITHMETIC, ast.MatMult)) \
                and self.is_float(node.left, known) and self.is_float(node.right, known)
        if isinstance(node, ast.Call):
            function = self.means(node.func)
            return not node.keywords and len(node.args) == 1 and (
                (function in _OF_NUMBERS and self.is_float(node.args[0], self.numbers))
                or (function in _OF_ARRAYS and self.is_float(node.args[0], known)))
        if isinstance(node, ast.Attribute) and node.attr == "T" \
                and self.is_float(node.value, known):
            return True
        return bool(self.paths) and isinstance(node, (ast.Attribute, ast.Subscript)) \
            and ast.unparse(node) in self.paths


def _bound(target: ast.expr) -> set[str]:
    return {n.id for n in ast.walk(target)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _one(node: ast.AST) -> ast.Constant:
    return ast.copy_location(ast.Constant(1.0), node)


def _copy_of(array: ast.expr) -> ast.expr:
    """`array.copy('K')`: in memory it lies as the array does, as a product with it would."""
    return ast.fix_missing_locations(ast.copy_location(ast.Call(
        ast.Attribute(array, "copy", ast.Load()), [ast.Constant("K")], []), array))


def _number(node: ast.expr) -> float | None:
    return node.value if isinstance(node, ast.Constant) and type(node.value) is float else None
