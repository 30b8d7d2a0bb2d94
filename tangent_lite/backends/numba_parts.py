"""Parts and indices, written out for Numba.

What is added to a part of a part is added in three steps:

    bparams[k][0] += bW     =>      bparams_part = bparams[k][0]
                                    bparams_part += bW
                                    bparams[k][0] = bparams_part

That is what Python does. Written out, what is added to has a name: so it is seen whether memory is
read that is written to, and where it is an array the statement becomes part of a loop.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax


def in_parts(tree: gast.FunctionDef, fresh: Callable[[str], str]) -> None:
    """Write out such statements of a function, in place."""
    for block in syntax.all_blocks(tree):
        block[:] = [step for node in block for step in _steps(node, fresh)]


def _steps(node: gast.stmt, fresh: Callable[[str], str]) -> list[gast.stmt]:
    if not isinstance(node, gast.AugAssign) or not isinstance(node.target, gast.Subscript) \
            or not isinstance(node.target.value, gast.Subscript) or not _is_plain(node.target):
        return [node]
    name = fresh(f"{syntax.root_name(node.target)}_part")
    read = syntax.copy(node.target)
    read.ctx = gast.Load()
    made: list[Any] = [
        syntax.assign(name, read),
        gast.AugAssign(syntax.store(name), node.op, node.value),
        gast.Assign([syntax.copy(node.target)], syntax.load(name), None)]
    syntax.serve(made, node)
    return made


def _is_plain(target: gast.expr) -> bool:
    """Whether a target is a name with indices that may be read twice, and none of them a slice."""
    while isinstance(target, gast.Subscript):
        index = target.slice
        if isinstance(index, gast.UnaryOp):
            index = index.operand
        if not isinstance(index, (gast.Name, gast.Constant)):
            return False
        target = target.value
    return isinstance(target, gast.Name)


def as_value(index: gast.expr, maker: str) -> gast.expr:
    """An index as a value, `np.s_[1:, rows]` => `(slice(1, None), rows)`; maker: a name that means
    slice."""
    if isinstance(index, gast.Tuple):
        return gast.Tuple([as_value(part, maker) for part in index.elts], gast.Load())
    if not isinstance(index, gast.Slice):
        return index
    bounds = [part or gast.Constant(None, None) for part in (index.lower, index.upper)]
    steps = [index.step] if index.step is not None else []
    return syntax.call(syntax.load(maker), *bounds, *steps)
