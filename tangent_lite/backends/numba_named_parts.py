"""Names for what is computed inside expressions, and is no element of what they are about.

    bz = 2.0 * (0.5 * -bt)[:, None] * z         part = 0.5 * -bt
                                         =>      bz = 2.0 * part[:, None] * z

A loop over the elements of a matrix would compute such a vector again for each column. With a name
it is a statement, and has a loop of its own. So have sums over an axis, and what `unbroadcast` sums
to another shape. Products of matrices and vectors are no loops of ours; with names for them, and
for what is computed of their factors, the rest is one.

    h = np.tanh(x @ W + b)              =>      part = x @ W
                                                h = np.tanh(part + b)
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.backends import numba_words
from tangent_lite.backends.numba_number_names import Known


def name_parts(node: Any, means: Callable[[gast.expr], Any], fresh: Callable[[str], str],
               known: Known) -> list[gast.stmt]:
    """Take such parts out of a statement that computes; the statements to put in front of it.

    known: what is known of expressions, and from here on of the names.
    """
    before: list[gast.stmt] = []

    class Namer(gast.NodeTransformer):
        def visit_Subscript(self, part: gast.Subscript) -> Any:
            self.generic_visit(part)
            if isinstance(part.value, (gast.BinOp, gast.UnaryOp, gast.Call)) \
                    and isinstance(part.ctx, gast.Load) and _adds_an_axis(part.slice):
                part.value = named(part.value)
            return part

        def visit_BinOp(self, operation: gast.BinOp) -> Any:
            is_product = isinstance(operation.op, gast.MatMult) and known.is_array(operation)
            if is_product:
                for side in ("left", "right"):
                    factor = getattr(operation, side)
                    if isinstance(factor, gast.BinOp) \
                            and not isinstance(factor.op, gast.MatMult) and known.is_array(factor):
                        setattr(operation, side, named(self.visit(factor)))
            whole = operation is node.value
            self.generic_visit(operation)
            return named(operation) if is_product and not whole else operation

        def visit_Call(self, call: gast.Call) -> Any:
            self.generic_visit(call)
            function = means(call.func)
            if call is node.value:
                return call
            if function in numba_words.DOTS:
                return named(call) if known.is_array(call) else call
            if function is numba_words.SUM:
                return named(call) if len(call.args) > 1 or call.keywords else call
            return named(call) if function is numba_words.UNBROADCAST else call

    def named(value: gast.expr) -> gast.expr:
        name = fresh("part")
        known.note(name, value)
        before.append(syntax.assign(name, value))
        return syntax.load(name)

    Namer().visit(node.value)
    syntax.serve(before, node)
    return before


def _adds_an_axis(index: gast.expr) -> bool:
    return any(isinstance(part, gast.Constant) and part.value is None
               for part in getattr(index, "elts", [index]))
