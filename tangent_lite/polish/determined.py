"""Whether the types and shapes of what a function returns follow from those of its arguments.

    e = W @ x + b - y                   they do: of arrays of the same shapes the same again
    be = 2.0 * e
    bW = be[:, None] * x
    return bW, be

    return np.where(x > 0.0)[0]         they do not: how long it is depends on the numbers

What has been seen once to be as it is to be returned then need not be looked at again. It is told
of numbers and arrays of double precision, and of lists, tuples, dicts and objects of them: in
straight code and in loops over ranges and items, which follow from shapes and lengths as well.
Whole numbers that are read may say how often something is done, so they have to be known as shapes
are.

>>> from tangent_lite.syntax import parse_expression
>>> [is_fixed(parse_expression(part).slice) for part in ("x[-1]", "x[:, None]", "x[1:n]", "x[k]")]
[True, True, False, False]
"""
from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import gast
import numpy as np

from tangent_lite import runtime, syntax
from tangent_lite.polish.array_parts import Unit, is_copy
from tangent_lite.polish.tapes import appended_to, popped_from
from tangent_lite.records import is_made_of_fields, is_named_tuple
from tangent_lite.runtime.tangents import attributes
from tangent_lite.structures.bare_objects import is_bare

# The type and shape of what these return follow from those of what they are given. `where` with
# one argument is not one of them, nor is what gives several results.
_OF_NUMBERS = """
    sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp expm1 log log1p log2 log10
    sqrt hypot fabs erf erfc gamma lgamma degrees radians copysign
"""
_FUNCTIONS = {
    np.sum, np.mean, np.prod, np.max, np.min, np.dot, np.outer, np.inner, np.vdot, np.trace,
    np.transpose, np.zeros_like, np.ones_like, np.array, abs, float, len,
    runtime.zeros_like, runtime.unbroadcast, runtime.where_larger,
    runtime.of_larger, runtime.where_positive, runtime.unreduce, runtime.share_ties,
    *(getattr(math, name) for name in _OF_NUMBERS.split())}
_ITERATORS: dict[str, Any] = {"reversed": reversed, "zip": zip, "enumerate": enumerate}
_KEYWORDS = {"axis", "keepdims"}
_OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.MatMult)
_ATTRIBUTES = {"T", "shape", "ndim", "size"}


def is_determined(unit: Any, held: frozenset[str] = frozenset()) -> bool:
    """Whether the types and shapes of what a unit returns follow from those of its arguments, which
    are floats and arrays of them, or hold such; held: the names of what objects among them hold,
    where it is nothing but held."""
    return _Reading(unit, (), held).finds_so()


def names_read(units: Iterable[Any]) -> set[str]:
    """The names of variables, attributes and keys that units read."""
    found: set[str] = set()
    for unit in units:
        written = {id(key) for node in syntax.all_of(unit.tree, gast.Dict) for key in node.keys}
        for node in gast.walk(unit.tree):
            if id(node) in written:
                continue
            if isinstance(node, gast.Name):
                found.add(node.id)
            elif isinstance(node, gast.Attribute):
                found.add(node.attr)
            elif isinstance(node, gast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found


class _Reading:
    """above: the units that call this one."""

    def __init__(self, unit: Any, above: tuple[Any, ...], held: frozenset[str]) -> None:
        self.about, self.above, self.held = Unit(unit), above, held

    def finds_so(self) -> bool:
        return all(map(self.statement, self.about.body))

    def statement(self, node: gast.stmt) -> bool:
        if isinstance(node, gast.Assign):
            return all(map(self.target, node.targets)) and self.expression(node.value)
        if isinstance(node, gast.AugAssign):
            return isinstance(node.op, _OPERATORS) and self.target(node.target) \
                and self.expression(node.value)
        if isinstance(node, gast.Return):
            return self.expression(node.value)
        if isinstance(node, gast.For):
            return not node.orelse and self.goes_over(node) and all(map(self.statement, node.body))
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
            return appended_to(node) in self.about.names \
                and all(map(self.expression, node.value.args))
        return isinstance(node, gast.Pass) or (
            isinstance(node, gast.Expr) and isinstance(node.value, gast.Constant))

    def goes_over(self, loop: Any) -> bool:
        """Whether it follows how often a loop runs, and what it binds."""
        if self.about.is_range(loop.iter):
            return getattr(loop.target, "id", "") in self.about.counters \
                and all(map(self.expression, loop.iter.args))
        called = getattr(getattr(loop.iter, "func", None), "id", "")
        over = loop.iter.args if called in _ITERATORS and self.about.means(
            called, _ITERATORS[called]) is _ITERATORS[called] and not loop.iter.keywords \
            else [loop.iter]
        return self.target(loop.target) and all(map(self.expression, over))

    def target(self, node: gast.expr) -> bool:
        if isinstance(node, gast.Tuple):
            return all(map(self.target, node.elts))
        return isinstance(node, gast.Name) or (
            isinstance(node, gast.Subscript) and self.expression(node.value)
            and self.index(node.slice))

    def index(self, node: Any) -> bool:
        """Whether an index is written there as it is, or counts."""
        if isinstance(node, gast.Tuple):
            return all(map(self.index, node.elts))
        if isinstance(node, gast.Slice):
            return all(part is None or self.index(part)
                       for part in (node.lower, node.upper, node.step))
        if isinstance(node, gast.BinOp):
            return isinstance(node.op, (gast.Add, gast.Sub)) and self.index(node.left) \
                and self.index(node.right)
        return getattr(node, "id", None) in self.about.counters or is_fixed(node) \
            or (isinstance(node, gast.Constant) and isinstance(node.value, str))

    def expression(self, node: Any) -> bool:
        if isinstance(node, gast.Constant):
            return type(node.value) in (int, float, bool, type(None))
        if isinstance(node, gast.Name):
            return node.id in self.about.names or self.is_number_outside(node)
        if isinstance(node, gast.BinOp):
            # A power of a float may be complex, depending on what is raised to which power.
            known = isinstance(node.op, _OPERATORS) or (
                isinstance(node.op, gast.Pow) and _is_whole(node.right))
            return known and self.expression(node.left) and self.expression(node.right)
        if isinstance(node, gast.UnaryOp):
            return isinstance(node.op, (gast.USub, gast.UAdd)) and self.expression(node.operand)
        if isinstance(node, gast.Compare):
            return all(map(self.expression, [node.left, *node.comparators]))
        if isinstance(node, (gast.Tuple, gast.List)):
            return all(map(self.expression, node.elts))
        if isinstance(node, gast.Dict):
            return all(isinstance(key, gast.Constant) for key in node.keys) \
                and all(map(self.expression, node.values))
        if isinstance(node, (gast.Subscript, gast.Attribute)) and self.is_number_outside(node):
            return True
        if isinstance(node, gast.Subscript):
            return self.expression(node.value) and self.index(node.slice)
        if isinstance(node, gast.Attribute):
            return (node.attr in _ATTRIBUTES or node.attr in self.held) \
                and self.expression(node.value)
        if isinstance(node, gast.Call):
            if is_copy(node) and not node.keywords:
                return self.expression(node.func.value)
            return popped_from(node) in self.about.names or (
                self.function(node) and all(map(self.expression, node.args))) \
                or self.makes_object(node)
        return False

    def is_number_outside(self, node: gast.expr) -> bool:
        """Whether an expression is a float that is read outside, of which it is looked at before
        each call whether it still is one: arrays may come to have other shapes."""
        return type(self.outside(node)) in (float, np.float64)

    def outside(self, node: Any) -> Any:
        """What is read outside: by name, as an attribute of an object, by a key, as an element."""
        if isinstance(node, gast.Name):
            return None if node.id in self.about.names else self.about.found_outside(node.id)
        if isinstance(node, gast.Attribute):
            whole = self.outside(node.value)
            return attributes(whole).get(node.attr) if whole is not None \
                and not isinstance(whole, (dict, list, tuple, np.ndarray)) and is_bare(whole) \
                else None
        if not isinstance(node, gast.Subscript):
            return None
        whole = self.outside(node.value)
        if type(whole) is dict and isinstance(node.slice, gast.Constant):
            return whole.get(node.slice.value)
        if type(whole) is np.ndarray and whole.dtype == float:
            index = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
            is_element = len(index) == whole.ndim and all(map(_is_whole, index))
            return np.float64(0.0) if is_element else None
        return None

    def function(self, call: gast.Call) -> bool:
        """Whether the types and shapes of what a function returns follow in a call of it."""
        means = self.about.function_of(call)
        if hasattr(means, "tree"):              # another unit
            above = (*self.above, self.about.unit)
            return not call.keywords and not any(means is unit for unit in above) \
                and _Reading(means, above, self.held).finds_so()
        if isinstance(means, np.ufunc):
            return not call.keywords and len(call.args) == means.nin and means.nout == 1
        if means is np.where:
            return not call.keywords and len(call.args) == 3
        return getattr(means, "__hash__", None) is not None and means in _FUNCTIONS \
            and all(k.arg in _KEYWORDS and _is_axis(k.value) for k in call.keywords)


    def makes_object(self, call: gast.Call) -> bool:
        """Whether a call makes an object that holds what is named, or a named tuple, and no more.
        """
        made: Any = self.about.function_of(call)
        if not isinstance(made, type):
            return False
        found: Any = made
        if issubclass(made, tuple):
            return is_named_tuple(made) and not call.keywords and all(
                map(self.expression, call.args))
        return not call.args and is_made_of_fields(found, tuple(k.arg for k in call.keywords)) \
            and all(self.expression(k.value) for k in call.keywords)


def is_fixed(index: Any) -> bool:
    """Whether an index is written there as it is."""
    if index is None:
        return True
    if isinstance(index, gast.Tuple):
        return all(map(is_fixed, index.elts))
    if isinstance(index, gast.Slice):
        return is_fixed(index.lower) and is_fixed(index.upper) and is_fixed(index.step)
    if isinstance(index, gast.UnaryOp):
        return is_fixed(index.operand)
    return isinstance(index, gast.Constant) and not isinstance(index.value, (str, bool))


def _is_whole(node: gast.expr) -> bool:
    number = node.operand if isinstance(node, gast.UnaryOp) else node
    return isinstance(number, gast.Constant) and type(number.value) is int


def _is_axis(node: gast.expr) -> bool:
    return is_fixed(node) or isinstance(node, gast.Constant)
