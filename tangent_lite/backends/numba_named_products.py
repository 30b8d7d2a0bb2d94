"""Products by other functions than Numba's, where no order of sums is asked for: adjoints, and
gradients of which nobody is given the value.

    bz = bh @ W.T                           bz = times(bh, W.T)
    bW += h.T @ bz                  =>      add_product(bW, h.T, bz, 1.0)

What a value is made of has functions of its own before (`numba_own_value`).
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.backends.numba_groups import Group
from tangent_lite.backends.numba_multiplying import add_product, dot_times, times
from tangent_lite.backends.numba_number_names import Known
from tangent_lite.backends.numba_products import np_dot
from tangent_lite.backends.numba_words import Means


def name_products(tree: gast.FunctionDef, groups: list[Group], known: Known, means: Means,
                  name_of: Callable[[Any, str], str]) -> None:
    """Put calls of these functions in place of products, in place.

    groups: the groups of statements of the function; name_of: gives the name of a function.
    """
    def call(function: Any, *arguments: gast.expr) -> gast.expr:
        return syntax.call(syntax.load(name_of(function, function.__name__)), *arguments)

    class Products(gast.NodeTransformer):
        def visit_BinOp(self, operation: gast.BinOp) -> Any:
            self.generic_visit(operation)
            if not isinstance(operation.op, gast.MatMult):
                return operation
            return syntax.copy_place(call(times, operation.left, operation.right), operation)

        def visit_Call(self, node: gast.Call) -> Any:
            self.generic_visit(node)
            if means(node.func) is np_dot and len(node.args) == 2 and not node.keywords:
                return syntax.copy_place(call(dot_times, *node.args), node)
            return node

        def visit_AugAssign(self, node: gast.AugAssign) -> Any:
            value = node.value
            if not isinstance(node.target, gast.Name) or not isinstance(value, gast.BinOp) \
                    or not isinstance(value.op, gast.MatMult) \
                    or not isinstance(node.op, (gast.Add, gast.Sub)) \
                    or not known.is_surely_array(syntax.load(node.target.id)):
                return self.generic_visit(node)
            factor = syntax.constant(1.0 if isinstance(node.op, gast.Add) else -1.0)
            made = syntax.statement(call(
                add_product, syntax.load(node.target.id), self.visit(value.left),
                self.visit(value.right), factor))
            syntax.serve([made], node)
            return made

    for block in [*syntax.all_blocks(tree), *(group.statements for group in groups)]:
        block[:] = [Products().visit(node) if not isinstance(node, syntax.COMPOUND)
                    else node for node in block]
