"""The value of a compiled `value_and_grad` is the function's own, to the last bit.

What the value is made of calls functions that compute as NumPy and Python do (`numba_own_sums`,
`numba_own_elements`, `numba_own_products`), where Numba's are off in the last bit:

    total += np.sum(np.exp(-r) ** 3)    =>      total += own_sum(own_power(own_exp(-r), 3))

Adjoints are left as they are: loops over elements, sums in any order. So is all of `grad`, which
drops the value.
"""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

import tangent_lite.backends.numba_own_sums  # noqa: F401
from tangent_lite import syntax
from tangent_lite.analyses.mentions import definitions, head
from tangent_lite.backends import numba_words
from tangent_lite.backends.numba_functions import OWN, REPLACED, own_of
from tangent_lite.backends.numba_own_elements import own_power, own_square
from tangent_lite.backends.numba_own_products import own_product

_FRESH = {*numba_words.ZEROS, np.zeros, np.ones, np.empty, np.full}


def compute_as_numpy(tree: gast.FunctionDef, is_value: bool, meant: Callable[[gast.expr], Any],
                     name_of: Callable[[Any, str], str]) -> None:
    """Let a function compute its value as NumPy does.

    is_value: whether all that it computes belongs to values; else it is the first thing that it
    returns. meant: what an expression means in the module; name_of: the name of a thing there.
    """
    rewriter = _Rewriter(meant, name_of)
    if is_value:
        for node in syntax.statements(tree.body):
            rewriter.rewrite(node, True)
        return
    known = [_Known.of(node, meant) for node in syntax.statements(tree.body)]
    needed = _needed_for_value(known)
    for one in known:
        if isinstance(one.node, gast.Return) or needed & one.changed:
            rewriter.rewrite(one.node, False)
        elif needed & one.inside:
            rewriter.rewrite(one.node, True)


@dataclass
class _Known:
    """A statement, the names that it binds or writes into, those of the statements in it, the names
    that it reads, and whether it may bind what has another name already."""
    node: gast.stmt
    changed: set[str]
    inside: set[str]
    read: set[str]
    is_view: bool

    @classmethod
    def of(cls, node: gast.stmt, meant: Callable[[gast.expr], Any]) -> _Known:
        inside = {name for block in syntax.blocks_of(node) for one in syntax.statements(block)
                  for name in _changed(one)}
        return cls(node, set(_changed(node)), inside, syntax.read_names(head(node)),
                   isinstance(node, gast.Assign) and _may_be_view(node.value, meant))


def _may_be_view(value: gast.expr, meant: Callable[[gast.expr], Any]) -> bool:
    """Whether an expression may be, or hold, memory of what it reads."""
    if isinstance(value, gast.Call):
        function = meant(value.func)
        return not (isinstance(function, np.ufunc) or id(function) in _of_numbers()
                    or any(function is one for one in (*OWN, *_FRESH)))
    return not isinstance(value, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Constant))


@functools.cache
def _of_numbers() -> frozenset[int]:
    """The functions of `math`, as compiled code has them."""
    return frozenset(id(stub) for original, stub in REPLACED.items()
                     if getattr(original, "__module__", None) == "math")


def _needed_for_value(known: list[_Known]) -> set[str]:
    """The names on which the first part of what is returned rests."""
    needed: set[str] = set()
    for one in known:
        if isinstance(one.node, gast.Return) and isinstance(one.node.value, gast.Tuple):
            needed |= syntax.read_names(one.node.value.elts[0])
    before = -1
    while before != len(needed):
        before = len(needed)
        for one in reversed(known):
            if needed & one.changed or needed & one.inside:
                needed |= one.read
            elif one.is_view and needed & one.read:         # written into by another name, perhaps
                needed |= one.changed
    return needed


def _changed(node: Any) -> list[str]:
    """The names that a statement binds, and those of what it writes into."""
    found = list(definitions(node))
    for target in getattr(node, "targets", None) or [getattr(node, "target", None)]:
        root = syntax.root_name(target) if target is not None else None
        if root is not None:
            found.append(root)
    call = getattr(node, "value", None)
    if isinstance(node, gast.Expr) and isinstance(call, gast.Call):
        if isinstance(call.func, gast.Attribute):           # tape.append(x)
            root = syntax.root_name(call.func)
            found += [root] if root is not None else []
        elif call.args and isinstance(call.args[0], gast.Name):     # add_at(x, index, value)
            found.append(call.args[0].id)
    return found


class _Rewriter(gast.NodeTransformer):
    """Puts the functions in place of the others."""

    def __init__(self, meant: Callable[[gast.expr], Any],
                 name_of: Callable[[Any, str], str]) -> None:
        self.meant, self.name_of = meant, name_of

    def rewrite(self, node: Any, has_head: bool) -> None:
        """Rewrite what a statement itself computes, without the statements in it."""
        for field in ("value", "test", "iter") if has_head else ("value",):
            part = getattr(node, field, None)
            if not isinstance(part, gast.expr):
                continue
            if isinstance(node, gast.Return) and not has_head and isinstance(part, gast.Tuple):
                part.elts[0] = self.visit(part.elts[0])
            elif not isinstance(node, gast.For):            # ranges are of ints
                setattr(node, field, self.visit(part))

    def visit_Subscript(self, node: gast.Subscript) -> gast.Subscript:
        node.value = self.visit(node.value)                 # an index is of ints
        return node

    def visit_Call(self, node: gast.Call) -> gast.Call:
        self.generic_visit(node)
        function = self.meant(node.func)
        own = own_of(function)
        if own is not None and _takes(own, node):
            node.func = self._named(own)
        return node

    def visit_BinOp(self, node: gast.BinOp) -> gast.expr:
        self.generic_visit(node)
        left, right = node.left, node.right
        if isinstance(node.op, gast.MatMult):
            return syntax.copy_place(syntax.call(self._named(own_product), left, right), node)
        if not isinstance(node.op, gast.Pow) or _is_int(left):
            return node
        if isinstance(right, gast.Constant) and right.value == 2:
            return syntax.copy_place(syntax.call(self._named(own_square), left), node)
        return syntax.copy_place(syntax.call(self._named(own_power), left, right), node)

    def _named(self, own: Any) -> gast.expr:
        return syntax.load(self.name_of(own, own.__name__))


def _takes(function: Any, call: gast.Call) -> bool:
    """Whether a function has parameters for the arguments of a call."""
    try:
        inspect.signature(function).bind(*call.args, **{k.arg: k.value for k in call.keywords})
    except TypeError:
        return False
    return True


def _is_int(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) is int
