"""Parts, indices and tuples of so many parts, written out for Numba.

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


MOST_PARTS = 64             # of a tuple that is written out


class TuplesWrittenOut(syntax.Transformer):
    """`tuple(0.1 * k for k in range(3))` => `(0.1 * 0, 0.1 * 1, 0.1 * 2)`: Numba has no generators,
    and no tuples of a length that no type says."""

    def visit_Call(self, node: gast.Call) -> gast.expr:
        self.generic_visit(node)
        made = node.args[0] if _calls(node, "tuple") and len(node.args) == 1 else None
        if not isinstance(made, (gast.GeneratorExp, gast.ListComp)) or len(made.generators) != 1:
            return node
        only = made.generators[0]
        if only.ifs or not isinstance(only.target, gast.Name) or not _calls(only.iter, "range") \
                or any(isinstance(part, (gast.comprehension, gast.Lambda, gast.NamedExpr))
                       for part in gast.walk(made.elt)):
            return node
        ends = [end for end in map(_whole_number, only.iter.args) if end is not None]
        if not 0 < len(ends) == len(only.iter.args) <= 3 or ends[2:] == [0]:
            return node
        steps = range(*ends)
        if len(steps) > MOST_PARTS:
            return node
        return gast.copy_location(syntax.tuple_of([
            syntax.substitute(made.elt, {only.target.id: syntax.constant(k) if k >= 0
                                         else syntax.minus(syntax.constant(-k))})
            for k in steps]), node)


def _whole_number(node: gast.expr) -> int | None:
    """The int that stands in the text."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        number = _whole_number(node.operand)
        return None if number is None else -number
    return node.value if isinstance(node, gast.Constant) and type(node.value) is int else None


def _calls(node: gast.expr, name: str) -> bool:
    return isinstance(node, gast.Call) and not node.keywords \
        and isinstance(node.func, gast.Name) and node.func.id == name


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
