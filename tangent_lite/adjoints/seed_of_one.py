"""Where the seed is one, products with it are left out: of a derivative as it is called.

    bt = bf * exp_t                             bt = exp_t
    bx = -2.0 * bf * exp_t * x + bf * sin_y  => bx = -2.0 * exp_t * x + sin_y
    bA = bf * B.T                               bA = B.T.copy('K')

It is done to what is compiled, never to the text. A product of one and a float is that float, bit
for bit; but of an array it is a new one, so that an array which would get a second name is copied,
as it lies in memory, and the product stays where the other factor may be a whole number, or an
array without axes.

>>> body = ast.parse("bt = bf * t\\nbx = -2.0 * bf * A + bf * t\\nbA = bf * A.T\\nbB = bf * B").body
>>> for node in leave_out_seed(body, "bf", {"t"}, {"A": 2}, lambda node: None):
...     print(ast.unparse(node))
bt = t
bx = -2.0 * A + t
bA = A.T.copy('K')
bB = 1.0 * B

So it is in loops that add up what the seed reaches by a name, `bs = bf`:

>>> loop = "for i in range(9):\\n    bx[i] += bs * x[i]\\n    bt = bs * A[i]"
>>> body = ast.parse(f"bs = bf\\n{loop}").body
>>> for node in leave_out_seed(body, "bf", set(), {"x": 1, "A": 2}, lambda node: None):
...     print(ast.unparse(node))
bs = 1.0
for i in range(9):
    bx[i] += x[i]
    bt = 1.0 * A[i]
"""
from __future__ import annotations

import ast
import copy
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_WITH_NAMES_OF_THEIR_OWN = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
_BINDING_BY_TEXT = (ast.ExceptHandler, ast.FunctionDef, ast.MatchAs, ast.MatchStar,
                    ast.MatchMapping)
# Of a float these return a float, and the second ones of an array of floats a new one.
_OF_NUMBERS = {math.sin, math.cos, math.tan, math.exp, math.log, math.sqrt, math.tanh, math.sinh,
               math.cosh, math.atan, math.log1p, math.expm1}
_OF_ARRAYS = {np.sin, np.cos, np.tan, np.exp, np.log, np.sqrt, np.tanh, np.sinh, np.cosh,
              np.arctan, np.log1p, np.expm1}


def leave_out_seed(body: list[ast.stmt], seed: str, numbers: set[str], arrays: Mapping[str, int],
                   means: Callable[[ast.expr], Any], paths: Iterable[str] = ()) -> list[ast.stmt]:
    """Statements in which the seed is one; numbers, arrays: parameters that are floats, and arrays
    of them with how many axes they have (some); means: what a function outside is; paths: those of
    floats that parameters hold, `p.rate`, `p['W'][0]`, into which nothing is written."""
    reading = _Reading(seed, numbers, arrays, means, {*paths})
    made = [reading.statement(copy.deepcopy(node)) for node in body]
    if any(isinstance(n, ast.Name) and n.id == seed for part in made for n in ast.walk(part)):
        one = ast.Assign([ast.Name(seed, ast.Store())], ast.Constant(1.0))
        made.insert(0, ast.fix_missing_locations(ast.copy_location(one, body[0])))
    return made


class _Reading:
    """Code from top to bottom: which names hold floats, arrays of floats, and ones; counters: those
    that hold the numbers of a range."""

    def __init__(self, seed: str, numbers: set[str], arrays: Mapping[str, int],
                 means: Callable[[ast.expr], Any], paths: set[str]) -> None:
        self.seed, self.means, self.paths, self.axes = seed, means, paths, arrays
        self.numbers, self.arrays, self.floats = {*numbers}, {*arrays}, numbers | {*arrays}
        self.ones: set[str] = set()
        self.counters: set[str] = set()

    def statement(self, node: Any) -> Any:
        if isinstance(node, (ast.For, ast.While, ast.If)):
            return self.compound(node)
        value = getattr(node, "value", None)
        if value is None:
            self.forget(_bound(node))
            return node
        self.forget(_bound(value))      # by a walrus, which runs before what reads the name
        if isinstance(node, ast.AugAssign):
            node.value = self.consumed(value)
            self.ones -= _bound(node.target)
            self.counters -= _bound(node.target)
            if not self.is_float(node.value, self.numbers):
                self.numbers -= _bound(node.target)
            if not self.is_float(node.value, self.floats):
                self.floats -= _bound(node.target)
                self.arrays -= _bound(node.target)
            return node
        node.value = self.fresh(value)
        numbers, floats = (self.is_float(node.value, known)
                           for known in (self.numbers, self.floats))
        self.forget(_bound(node))
        for target in getattr(node, "targets", ()):
            if isinstance(target, ast.Name):
                self.numbers |= {target.id} if numbers else set()
                self.floats |= {target.id} if floats else set()
                self.ones |= {target.id} if _number(node.value) == 1.0 else set()
        return node

    def compound(self, node: Any) -> Any:
        """What stands in a loop or a branch: in front of it and behind, nothing is known of what it
        binds."""
        bound = _bound(node)
        self.forget(bound)
        if isinstance(node, ast.For) and self.counts(node):
            self.counters.add(node.target.id)           # type: ignore[attr-defined]
        for field in ("body", "orelse"):
            setattr(node, field, [self.statement(one) for one in getattr(node, field)])
            self.forget(bound)          # a loop may also end before its first step
        return node

    def counts(self, node: ast.For) -> bool:
        """Whether a loop runs over a range."""
        call = node.iter
        return isinstance(node.target, ast.Name) and isinstance(call, ast.Call) \
            and isinstance(call.func, ast.Name) and call.func.id == "range" \
            and self.means(call.func) in (None, range)

    def forget(self, names: set[str]) -> None:
        """Nothing is known of these names any more."""
        for known in (self.numbers, self.arrays, self.floats, self.ones, self.counters):
            known -= names

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
            return _one(node) if node.id == self.seed or node.id in self.ones else node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            node.operand = self.consumed(node.operand)
            number = _number(node.operand)
            return node if number is None else ast.copy_location(ast.Constant(-number), node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
            node.left, node.right = self.consumed(node.left), self.consumed(node.right)
            return self.product(node) if isinstance(node.op, ast.Mult) else node
        if isinstance(node, _WITH_NAMES_OF_THEIR_OWN):
            return node
        if isinstance(node, ast.NamedExpr):
            node.value = self.fresh(node.value)
            return node
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

    def is_element(self, array: str, index: ast.expr) -> bool:
        """Whether a part of a parameter that is an array is a number."""
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        return len(parts) == self.axes[array] and all(map(self.is_place, parts))

    def is_place(self, node: ast.expr) -> bool:
        """Whether an expression is a whole number."""
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.USub) and self.is_place(node.operand)
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)) \
                and self.is_place(node.left) and self.is_place(node.right)
        return isinstance(node, ast.Name) and node.id in self.counters

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
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) \
                and node.value.id in self.arrays:
            return known is self.floats or self.is_element(node.value.id, node.slice)
        return bool(self.paths) and isinstance(node, (ast.Attribute, ast.Subscript)) \
            and ast.unparse(node) in self.paths


def _bound(target: ast.AST) -> set[str]:
    """The names that a statement or a part of one binds; in handlers and patterns they are text."""
    parts = [*ast.walk(target)]
    return {n.id for n in parts if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)} \
        | {name for n in parts if isinstance(n, _BINDING_BY_TEXT) for field in ("name", "rest")
           if (name := getattr(n, field, None)) is not None}


def _one(node: ast.AST) -> ast.Constant:
    return ast.copy_location(ast.Constant(1.0), node)


def _copy_of(array: ast.expr) -> ast.expr:
    """`array.copy('K')`: in memory it lies as the array does, as a product with it would."""
    return ast.fix_missing_locations(ast.copy_location(ast.Call(
        ast.Attribute(array, "copy", ast.Load()), [ast.Constant("K")], []), array))


def _number(node: ast.expr) -> float | None:
    return node.value if isinstance(node, ast.Constant) and type(node.value) is float else None
