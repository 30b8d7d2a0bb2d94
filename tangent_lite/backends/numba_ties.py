"""Shares of ties as statements that loops know.

    bx += b * share_ties(m, x)      =>      count = np.sum(np.where(x == m, 1.0, 0.0))
                                            bx += b * (np.where(x == m, 1.0, 0.0) / count)

So a reduction to an extreme is a loop over the elements and another one, and no array is made.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import runtime, syntax
from tangent_lite.backends.numba_numpy import np_sum, np_where
from tangent_lite.backends.numba_words import Means


def count_ties(tree: gast.FunctionDef, means: Means, fresh: Callable[[str], str],
               name_of: Callable[[Any, str], str]) -> None:
    """Write the shares of ties among all elements of an array so, in place."""
    def hits(extreme: gast.expr, array: gast.expr) -> gast.expr:
        test = gast.Compare(syntax.copy(array), [gast.Eq()], [syntax.copy(extreme)])
        return syntax.call(syntax.load(name_of(np_where, "np_where")), test, syntax.constant(1.0),
                           syntax.constant(0.0))

    for block in syntax.all_blocks(tree):
        for node in list(block):
            if not isinstance(node, (gast.Assign, gast.AugAssign)):
                continue
            for call in syntax.all_of(node.value, gast.Call):
                if means(call.func) is not runtime.share_ties or len(call.args) != 2 \
                        or call.keywords \
                        or not all(isinstance(one, gast.Name) for one in call.args):
                    continue
                count = syntax.assign(fresh("count"), syntax.call(
                    syntax.load(name_of(np_sum, "np_sum")), hits(*call.args)))
                share = syntax.binary(hits(*call.args), "/", syntax.load(count.targets[0].id))
                syntax.serve([count], node)
                block.insert(block.index(node), count)
                node.value = share if node.value is call else _replaced(node.value, call, share)


def _replaced(root: gast.expr, old: gast.expr, new: gast.expr) -> gast.expr:
    class Replace(gast.NodeTransformer):
        def visit_Call(self, node: gast.Call) -> Any:
            return new if node is old else self.generic_visit(node)

    found: gast.expr = Replace().visit(root)
    return found
