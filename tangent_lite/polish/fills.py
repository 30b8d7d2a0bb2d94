"""What is added to zeros is assigned: `=` in place of `+=`, and no zeros where they are not read.

    bz = np.zeros_like(z)                       bz = np.zeros_like(z)
    bz[n:] += bg * (1.0 - g * g)        =>      bz[n:] = bg * (1.0 - g * g)
    bz[:n] += bi                                bz[:n] = bi

    bw = np.zeros_like(w)                       bw = np.zeros_like(w)
    for i in range(n - 1, -1, -1):      =>      for i in range(n - 1, -1, -1):
        bw[i] += bt * x[i]                          bw[i] = bt * x[i]

    by = np.zeros_like(y)               =>      by = np.full_like(y, bf)
    by += bf

    bt = bx[i]                                  bt = bx[i]
    bx[i] = 0.0                         =>      bx[i + 1] -= bt * w
    bx[i + 1] -= bt * w                         bx[i] = bt * d
    bx[i] += bt * d

That is what one writes by hand, and an element is not read to add nothing to it. As with loops over
tapes (reversals.py) it is done in the text that is shown, saved and run; in code that is read again
an increment is linear, and nothing has to be put back.

It takes that parts of an array have no element in common (spans.py), and that nobody looks at the
array by another name: zeros that were just made have none, and an adjoint that is only read and
written by its parts gets none. Where that cannot be told `+=` stays.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses import spans
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.analyses.spans import Least
from tangent_lite.polish.array_parts import Unit, indices, is_ours, is_part
from tangent_lite.syntax import COMPOUND


def fill_zeros(derivative: Any, in_lists: bool = False) -> None:
    """Write first contributions to parts of zeros as assignments, in arrays or in lists of numbers;
    the trees are changed in place."""
    for unit in derivative.units:
        if in_lists and "structure" not in unit.sought.marks:
            continue
        filler = _Filler(Unit(unit), in_lists)
        if filler.zeros or filler.cleared:
            filler.fill()


class _Filler:
    """The statements of one unit that make zeros, and what is added to these.

    zeros: by id of the statement, the name that it binds to new zeros; cleared: by id, the array of
    which it sets a part to zero.
    """

    def __init__(self, unit: Unit, in_lists: bool) -> None:
        self.unit, self.body = unit, unit.body
        self.zeros: dict[int, str] = {}
        self.cleared: dict[int, str] = {}
        for node in syntax.every_statement(self.body):
            for table, name in ((self.zeros, unit.new_zeros(node, in_lists)),
                                (self.cleared, unit.cleared(node))):
                if name is not None:
                    table[id(node)] = name

    def fill(self) -> None:
        least = spans.lengths(self.unit.unit.tree)
        for node, shared in self.unit.in_order(self.cleared):
            self.shared = shared
            self.statement(node, self.body, least)

    def statement(self, node: gast.stmt, block: list[gast.stmt], least: Least) -> None:
        """Look at a statement of a block, and into it."""
        if id(node) in self.zeros:
            name, rest = self.zeros[id(node)], block[block.index(node) + 1:]
            if not _fill_whole(node, name, rest, block):
                self.fill_parts(rest, name, block, least)
        elif id(node) in self.cleared and self.cleared[id(node)] not in self.shared:
            self.overwritten(node, block, least)
        for inner in syntax.blocks_of(node):
            known = least
            if isinstance(node, gast.For) and inner is node.body:
                known = self.unit.within(node, least)
            for one in list(inner):
                self.statement(one, inner, known)

    # New zeros --------------------------------------------------------------------------------
    def fill_parts(self, rest: list[gast.stmt], name: str, block: list[gast.stmt],
                   least: Least) -> None:
        """Contributions to parts of an array of zeros, up to where it is read."""
        taken: list[Any] = []

        def is_untouched(part: Any) -> bool:
            return all(spans.apart(part, other, least) for other in taken)

        for node in rest:
            if isinstance(node, COMPOUND):
                if name not in syntax.all_names(node):
                    continue
                reached = self.unit.reached(node, name, least)
                if isinstance(node, gast.For) and (not taken or (
                        reached is not None and all(map(is_untouched, reached)))):
                    self.fill_in_turn(node, name, least)
                if reached is None:
                    return
                taken += reached
            elif _adds(node, name):
                found = spans.spans(node.target.slice, least)
                if not taken or (found is not None and is_untouched(found)):
                    _set(node, block)           # the first part may be any
                if found is None:
                    return
                taken.append(found)
            elif name in syntax.all_names(node):
                return

    def fill_in_turn(self, loop: gast.For, name: str, least: Least) -> None:
        """Contributions to zeros in a loop, of which each iteration has parts of its own."""
        known = self.unit.within(loop, least)
        counter = getattr(loop.target, "id", "")
        if known is least or loop.orelse:
            return
        axes = {index and spans.own_axis(index, counter, there)
                for node in loop.body for index, there in self.unit.accesses(node, name, known)}
        if len(axes) == 1 and None not in axes:
            self.fill_first(loop.body, name, known)

    def fill_first(self, block: list[gast.stmt], name: str, least: Least) -> None:
        """The contribution that comes first, whichever branch is taken."""
        first = next((n for n in block if name in syntax.all_names(n)), None)
        if isinstance(first, gast.If):
            self.fill_first(first.body, name, least)
            self.fill_first(first.orelse, name, least)
        elif isinstance(first, gast.For):
            self.fill_in_turn(first, name, least)
        elif first is not None and _adds(first, name):
            _set(first, block)

    # Parts that are set to zero -----------------------------------------------------------------
    def overwritten(self, zero: Any, block: list[gast.stmt], least: Least) -> None:
        """Leave out a part that is set to zero, where the next that is done to it is to add."""
        target = zero.targets[0]
        name, part = target.value.id, spans.spans(target.slice, least)
        fixed = syntax.all_names(target.slice)
        for node in block[block.index(zero) + 1:]:
            if isinstance(node, COMPOUND):
                if name in syntax.all_names(node) or _leaves(node) or fixed & bound_in([node]):
                    return
            elif any(True for _ in syntax.blocks_of(node)):
                return
            elif _adds(node, name) and syntax.same(node.target.slice, target.slice):
                _set(node, block)
                block.remove(zero)
                return
            elif fixed & bound_in([node]) or isinstance(node, (gast.Break, gast.Continue)) \
                    or not all(index is not None
                               and spans.apart(spans.spans(index, least), part, least)
                               for index in indices([node], name)):
                return


# What statements do to an array -----------------------------------------------------------------
def _adds(node: Any, name: str) -> bool:
    """Whether a statement of ours adds to a part of an array something that is not made of it, or
    of parts that may be another part."""
    return isinstance(node, gast.AugAssign) and isinstance(node.op, (gast.Add, gast.Sub)) \
        and is_ours(node) and is_part(node.target) and node.target.value.id == name \
        and name not in syntax.all_names(node.value) | syntax.all_names(node.target.slice)


def _fill_whole(zeros: Any, name: str, rest: list[gast.stmt], block: list[gast.stmt]) -> bool:
    """`b = np.zeros_like(y); b += by / y.size` as `b = np.full_like(y, by / y.size)`, of what looks
    like a number."""
    node = next((n for n in rest if not syntax.is_comment(n)), None)
    if not isinstance(node, gast.AugAssign) or not isinstance(node.op, (gast.Add, gast.Sub)) \
            or not is_ours(node) or getattr(node.target, "id", "") != name \
            or not _may_be_number(node.value) or name in syntax.all_names(node.value):
        return False
    zeros.value.func.attr = "full_like"
    zeros.value.args.append(node.value if isinstance(node.op, gast.Add) else _minus(node.value))
    block.remove(node)
    return True


def _may_be_number(value: gast.expr) -> bool:
    """Whether a value is a name or number, or that times numbers and lengths, or by these divided.
    """
    while isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Mult, gast.Div)):
        if isinstance(value.left, gast.Constant) and isinstance(value.op, gast.Mult):
            value = value.right
        elif isinstance(value.right, gast.Constant) or _is_length(value.right):
            value = value.left
        else:
            return False
    return syntax.is_atom(value)


def _is_length(node: gast.expr) -> bool:
    """Whether an expression is how long an array is: `x.shape[0]`, `x.size`."""
    if isinstance(node, gast.Subscript):
        node = node.value
    return isinstance(node, gast.Attribute) and node.attr in ("size", "shape")


def _set(node: gast.AugAssign, block: list[gast.stmt]) -> None:
    """Write an increment as an assignment."""
    value = node.value if isinstance(node.op, gast.Add) else _minus(node.value)
    made = gast.Assign([node.target], value, None)
    syntax.serve([made], node)
    block[block.index(node)] = made


def _minus(value: gast.expr) -> gast.expr:
    """The negative of a value; of a product that begins with a number, of that number."""
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        return value.operand
    if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Mult, gast.Div)) \
            and isinstance(_first(value), gast.Constant):
        return gast.BinOp(_minus(value.left), value.op, value.right)
    return syntax.minus(value)


def _first(value: gast.expr) -> gast.expr:
    """The first factor of a product."""
    while isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Mult, gast.Div)):
        value = value.left
    return value


def _leaves(node: gast.stmt) -> bool:
    """Whether what follows a compound statement may be passed over."""
    return any(isinstance(n, (gast.Break, gast.Continue, gast.Return))
               for n in syntax.walk(node))
