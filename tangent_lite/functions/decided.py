"""Take the branches that literals decide on, where these stand in the place of parameters.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def rate(x):
...     if "linear" == "constant":
...         return 1.0
...     elif "linear" == "linear" and x > 0.0:
...         return x if 2 in (1, 2) else 0.0
...     raise KeyError("linear")
... ''').body[0]
>>> take_decided(tree)
>>> print(emit(tree), end="")
def rate(x):
    if x > 0.0:
        return x
    raise KeyError("linear")

A helper that is told by a word what to do (`integrate(f, rule="simpson")`) is so written out as
what it does.
"""
from __future__ import annotations

import operator
from typing import Any

import gast

from tangent_lite import syntax

_COMPARISONS: dict[type, Any] = {
    gast.Eq: operator.eq, gast.NotEq: operator.ne, gast.Lt: operator.lt, gast.LtE: operator.le,
    gast.Gt: operator.gt, gast.GtE: operator.ge, gast.Is: operator.is_, gast.IsNot: operator.is_not,
    gast.In: lambda one, many: one in many, gast.NotIn: lambda one, many: one not in many}
_DISPLAYS: dict[type, Any] = {gast.Tuple: tuple, gast.List: list, gast.Set: set}
_PLAIN = (str, int, float, bool, type(None))
_LEAVING = (gast.Return, gast.Raise, gast.Break, gast.Continue)


def take_decided(tree: gast.FunctionDef) -> None:
    """Put branches in the place of what chooses them, in place."""
    for node in syntax.all_of(tree, gast.IfExp, gast.If):
        node.test = _shorter(node.test)
    if syntax.all_of(tree, gast.IfExp):
        _Chosen().visit(tree)
    blocks = [tree.body]
    while blocks:                       # our own stack: chains of `elif` nest deep
        block = blocks.pop()
        number = 0
        while number < len(block):
            node = block[number]
            answer = _answer(node.test) if isinstance(node, gast.If) else None
            if answer is None:
                blocks += syntax.blocks_of(node)
                number += 1
                continue
            taken = node.body if answer else node.orelse
            leaves = bool(taken) and isinstance(taken[-1], _LEAVING)
            block[number:] = taken + ([] if leaves else block[number + 1:])
            if not block:
                block.append(gast.copy_location(gast.Pass(), node))


class _Chosen(syntax.Transformer):
    def visit_IfExp(self, node: gast.IfExp) -> gast.expr:
        self.generic_visit(node)
        answer = _answer(node.test)
        return node if answer is None else node.body if answer else node.orelse


def _shorter(test: gast.expr) -> gast.expr:
    """A condition without the parts that literals decide on."""
    if not isinstance(test, gast.BoolOp):
        return test
    stops = isinstance(test.op, gast.Or)
    left: list[gast.expr] = []
    for part in test.values:
        answer = _answer(part)
        if answer is None or (answer is stops and left):
            left.append(part)           # what stands in front runs first
        elif answer is stops:
            return gast.copy_location(gast.Constant(stops, None), test)
    if not left:
        return gast.copy_location(gast.Constant(not stops, None), test)
    if len(left) == 1:
        return left[0]
    return gast.copy_location(gast.BoolOp(test.op, left), test)


def _answer(test: gast.expr) -> bool | None:
    """What a condition comes to that is made of literals; None of any other."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        answer = _answer(test.operand)
        return None if answer is None else not answer
    if isinstance(test, gast.Constant) and isinstance(test.value, _PLAIN):
        return bool(test.value)
    if not isinstance(test, gast.Compare) or len(test.ops) != 1 or vars(test).keys() & {
            "asks", "matched"}:
        return None
    values = [_value(part) for part in (test.left, *test.comparators)]
    if None in values or (isinstance(test.ops[0], (gast.Is, gast.IsNot)) and not any(
            value and (value[0] is None or isinstance(value[0], bool)) for value in values)):
        return None                     # `is` of texts and numbers depends on who made them
    try:
        return bool(_COMPARISONS[type(test.ops[0])](*(value[0] for value in values if value)))
    except TypeError:
        return None


def _value(node: gast.expr) -> tuple[Any] | None:
    """The value of a literal, as the one item of a tuple."""
    if isinstance(node, gast.Constant) and isinstance(node.value, _PLAIN):
        return (node.value,)
    made = _DISPLAYS.get(type(node))
    if made is None:
        return None
    parts = [_value(part) for part in node.elts]
    try:
        return None if None in parts else (made(part[0] for part in parts if part),)
    except TypeError:                   # a set of lists
        return None
