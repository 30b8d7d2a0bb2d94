"""What is added to zeros is assigned: `=` in place of `+=`, and no zeros where they are not read.

    bz = np.zeros_like(z)                       bz = np.zeros_like(z)
    bz[n:] += bg * (1.0 - g * g)        =>      bz[n:] = bg * (1.0 - g * g)
    bz[:n] += bi                                bz[:n] = bi

    bw = np.zeros_like(w)                       bw = np.zeros_like(w)
    for i in range(n - 1, -1, -1):      =>      for i in range(n - 1, -1, -1):
        bw[i] += bt * x[i]                          bw[i] = bt * x[i]

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
import numpy as np

from tangent_lite import spans, syntax
from tangent_lite.liveness import bound_in
from tangent_lite.spans import Least
from tangent_lite.syntax import COMPOUND


def fill_zeros(derivative: Any) -> None:
    """Write first contributions to parts of zeros as assignments; the trees are changed in place.
    """
    for unit in derivative.units:
        filler = _Filler(unit)
        if filler.zeros or filler.cleared:
            filler.fill()


class _Filler:
    """The statements of one unit that make zeros, and what is added to these.

    zeros: by id of the statement, the name that it binds to new zeros; cleared: by id, the array of
    which it sets a part to zero.
    """

    def __init__(self, unit: Any) -> None:
        self.unit, self.body = unit, unit.tree.body
        self.zeros: dict[int, str] = {}
        self.cleared: dict[int, str] = {}
        for node in syntax.statements(self.body):
            if isinstance(node, gast.Assign) and _is_ours(node):
                name = self.new_zeros(node)
                if name is not None:
                    self.zeros[id(node)] = name
                elif _is_part(node.targets[0]) and isinstance(node.value, gast.Constant) \
                        and type(node.value.value) is float and node.value.value == 0.0:
                    self.cleared[id(node)] = node.targets[0].value.id

    def new_zeros(self, node: gast.Assign) -> str | None:
        """The name that a statement binds to new zeros."""
        value, target = node.value, node.targets[0]
        if isinstance(target, gast.Name) and isinstance(value, gast.Call) \
                and len(value.args) == 1 and not value.keywords \
                and isinstance(value.func, gast.Attribute) and value.func.attr == "zeros_like" \
                and isinstance(value.func.value, gast.Name) \
                and self.means(value.func.value.id) is np:
            name: str = target.id
            return name
        return None

    def means(self, name: str, otherwise: Any = None) -> Any:
        """What a name of the surroundings means."""
        return self.unit.external.get(name, self.unit.source.globals.get(name, otherwise))

    def fill(self) -> None:
        tree = self.unit.tree
        names = set(syntax.parameter_names(tree.args)) | bound_in(self.body)
        self.counts = "range" not in names and self.means("range", range) is range
        # Arrays that may have another name by now.
        self.shared = set(self.cleared.values()) - self.made_here() if self.cleared else set()
        least = spans.lengths(tree)
        body = list(self.body)
        for node, after in zip(body, [*body[1:], None]):
            if self.cleared:
                self.shared |= _given_away_in(node, after, self.cleared)
            self.statement(node, self.body, least)

    def made_here(self) -> set[str]:
        """Names that are never bound to more than new arrays."""
        bound: dict[str, bool] = dict.fromkeys(syntax.parameter_names(self.unit.tree.args), False)
        new: set[int] = set()           # names, where they are bound to new arrays
        for node in syntax.statements(self.body):
            value = getattr(node, "value", None)
            if isinstance(node, gast.AugAssign) or (isinstance(node, gast.Assign) and (
                    isinstance(value, _MAKES_NEW) or id(node) in self.zeros or _is_copy(value))):
                target = node.target if isinstance(node, gast.AugAssign) else node.targets[0]
                new.add(id(target))
        for node in syntax.walk(self.unit.tree):
            if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
                bound[node.id] = bound.get(node.id, True) and id(node) in new
        return {name for name, only_new in bound.items() if only_new}

    def statement(self, node: gast.stmt, block: list[gast.stmt], least: Least) -> None:
        """Look at a statement of a block, and into it."""
        if id(node) in self.zeros:
            self.fill_parts(block[block.index(node) + 1:], self.zeros[id(node)], block, least)
        elif id(node) in self.cleared and self.cleared[id(node)] not in self.shared:
            self.overwritten(node, block, least)
        for inner in syntax.blocks_of(node):
            known = least
            if isinstance(node, gast.For) and inner is node.body:
                known = self.within(node, least)
            for one in list(inner):
                self.statement(one, inner, known)

    def within(self, loop: gast.For, least: Least) -> Least:
        """What is known of whole numbers in the body of a loop."""
        if not isinstance(loop.target, gast.Name) or not self.counts \
                or loop.target.id in bound_in(loop.body):
            return least
        lowest = spans.least_in_range(loop.iter, least)
        return least if lowest is None else {**least, loop.target.id: lowest}

    # New zeros --------------------------------------------------------------------------------
    def fill_parts(self, rest: list[gast.stmt], name: str, block: list[gast.stmt],
                   least: Least) -> None:
        """Contributions to parts of an array of zeros, up to where it is read."""
        taken: list[Any] = []
        for node in rest:
            if isinstance(node, COMPOUND):
                if name in syntax.all_names(node):
                    if not taken and isinstance(node, gast.For):
                        self.fill_in_turn(node, name, least)
                    return
            elif _adds(node, name):
                found = spans.spans(node.target.slice, least)
                if found is None:
                    return
                if all(spans.apart(found, others, least) for others in taken):
                    _set(node, block)
                taken.append(found)
            elif name in syntax.all_names(node):
                return

    def fill_in_turn(self, loop: gast.For, name: str, least: Least) -> None:
        """Contributions to zeros in a loop, of which each iteration has parts of its own."""
        known = self.within(loop, least)
        counter = getattr(loop.target, "id", "")
        indices = _indices(loop.body, name)
        if known is least or loop.orelse or indices[0] is None:
            return
        axis = spans.own_axis(indices[0], counter, known)
        if axis is not None and all(
                part is not None and spans.own_axis(part, counter, known) == axis
                for part in indices):
            self.fill_first(loop.body, name)

    def fill_first(self, block: list[gast.stmt], name: str) -> None:
        """The contribution that comes first, whichever branch is taken."""
        first = next((n for n in block if name in syntax.all_names(n)), None)
        if isinstance(first, gast.If):
            self.fill_first(first.body, name)
            self.fill_first(first.orelse, name)
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
                               for index in _indices([node], name)):
                return


# What statements do to an array -----------------------------------------------------------------
def _is_ours(node: gast.stmt) -> bool:
    return not getattr(node, "lineno", None)


def _is_part(node: Any) -> bool:
    return isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name)


def _adds(node: Any, name: str) -> bool:
    """Whether a statement of ours adds to a part of an array something that is not made of it, or
    of parts that may be another part."""
    return isinstance(node, gast.AugAssign) and isinstance(node.op, (gast.Add, gast.Sub)) \
        and _is_ours(node) and _is_part(node.target) and node.target.value.id == name \
        and name not in syntax.all_names(node.value) | syntax.all_names(node.target.slice)


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


def _indices(block: list[gast.stmt], name: str) -> list[gast.expr | None]:
    """The indices at which an array is read or written; None for what else is done to it."""
    found: list[gast.expr | None] = []
    inside: set[int] = set()
    for statement in block:
        for node in syntax.walk(statement):
            if _is_part(node) and node.value.id == name:
                inside.add(id(node.value))
                found.append(node.slice)
            elif isinstance(node, gast.Name) and node.id == name and id(node) not in inside:
                found.append(None)
    return found


def _given_away_in(statement: gast.stmt, following: gast.stmt | None,
                   cleared: dict[int, str]) -> set[str]:
    """Arrays that a statement may give another name, or to somebody else: what is done to the
    others is to read and write parts of them, and arithmetic, which makes new ones."""
    wanted = set(cleared.values())
    found: set[str] = set()
    pairs = [(statement, following)]
    for node, after in pairs:
        pairs += [pair for inner in syntax.blocks_of(node)
                  for pair in zip(inner, [*inner[1:], None])]
        if isinstance(node, COMPOUND):
            found |= _given_away(node.iter if isinstance(node, gast.For) else node.test, wanted)
        elif isinstance(node, gast.AugAssign):
            found |= _given_away(node.value, wanted) | _given_away(node.target, wanted)
        elif not isinstance(node, gast.Assign):
            found |= _given_away(node, wanted)
        else:
            # `part = b[i]` in front of `b[i] = 0.0` takes a number, since it has no copy.
            moved = id(after) in cleared and isinstance(node.targets[0], gast.Name) \
                and syntax.same(node.value, after.targets[0])       # type: ignore[union-attr]
            found |= set() if moved else _given_away(node.value, wanted)
            for target in node.targets:
                found |= _given_away(target, wanted)
    return found


_MAKES_NEW = (gast.BinOp, gast.UnaryOp, gast.Compare)


def _is_copy(node: Any) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
        and node.func.attr == "copy" and not node.args


def _given_away(root: Any, wanted: set[str]) -> set[str]:
    """Arrays of which an expression gives the whole, or a part that may be a view, to something
    else than arithmetic."""
    found: set[str] = set()
    todo = [(root, False)]          # and whether what it gives is only computed with
    while todo:
        node, taken = todo.pop()
        if isinstance(node, gast.Name):
            if node.id in wanted and isinstance(node.ctx, gast.Load) and not taken:
                found.add(node.id)
            continue
        if _is_part(node):
            if not isinstance(node.ctx, gast.Load):
                taken = True
            todo += [(node.value, taken), (node.slice, False)]
            continue
        if _is_copy(node):
            todo.append((node.func.value, True))
            continue
        inner = isinstance(node, _MAKES_NEW)
        todo += [(child, inner) for child in gast.iter_child_nodes(node)]
    return found


def _leaves(node: gast.stmt) -> bool:
    """Whether what follows a compound statement may be passed over."""
    return any(isinstance(n, (gast.Break, gast.Continue, gast.Return))
               for n in syntax.walk(node))
