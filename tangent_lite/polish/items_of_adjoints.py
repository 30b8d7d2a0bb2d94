"""The adjoints of an item of a list, as the item of the list of adjoints.

    brow = zeros_like(row)                              brow = brows[k]
    for j in range(n - 1, -1, -1):              =>      for j in range(n - 1, -1, -1):
        brow[j] += bv                                       brow[j] += bv
    brows[k] = sum_of_structures(brows[k], brow)

where `row` is `rows[k]`, and `brows` was made by `zeros_like(rows)`, so that each item has a list
of its own. Where it is added to in this block alone it needs no name: `rows[k][0]` is received as
`brows[k][0] += bv`. So an element of a list of lists costs what an element of an array costs, and
not what its row costs. As with slices (slices_of_adjoints.py) this is done in the text that is
shown, saved and run; code that is read again keeps lists that share nothing.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import runtime, syntax
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.polish.array_parts import Unit, binds, blocks, without_blocks


def share_items(derivative: Any) -> None:
    """Let adjoints of items be items of adjoints; the trees are changed in place."""
    for unit in derivative.units:
        if not any(thing is runtime.sum_of_structures for thing in unit.external.values()):
            continue
        done = _Items(Unit(unit)).share()
        if done:
            unit.leave_unread()


class _Items:
    """What is done in one unit to lists of adjoints and to those of their items."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.shared: set[int] = set()                       # `brow = brows[k]`, as written here
        self.mentions: dict[str, list[gast.stmt]] = {}
        self.known: dict[str, set[int]] = {}                # statements from zeros to their sum

    def share(self) -> bool:
        """Share what can be; whether anything was."""
        sums = [(block, node) for block in blocks(self.unit.body) for node in block
                if self._sum(node)[0] is not None]
        if not sums:
            return False
        for node in syntax.statements(self.unit.body):
            for name in syntax.all_names(without_blocks(node)):
                self.mentions.setdefault(name, []).append(node)
        for block, added in sums:
            row = self._sum(added)[2]
            made = self._made(block, added, row)
            if made is not None:
                self.known.setdefault(row, set()).update(map(id, syntax.statements(
                    block[block.index(made):block.index(added) + 1])))
        for block, added in sums:
            self._share(block, added)
        return bool(self.shared)

    def _made(self, block: list[gast.stmt], added: gast.stmt, row: str) -> gast.stmt | None:
        """What made the zeros that a statement adds to those of the list."""
        made = next((n for n in reversed(block[:block.index(added)]) if binds(n, row)), None)
        return made if made is not None and self._zeros(made) is not None else None

    def _share(self, block: list[gast.stmt], added: gast.stmt) -> None:
        """Do without `brows[k] = sum_of_structures(brows[k], brow)`, if that is what stands here
        and all else that is done to both allows it."""
        rows, item, row = self._sum(added)
        made = self._made(block, added, row)
        if made is None or not all(id(n) in self.known[row] for n in self.mentions[row]):
            return
        start = block.index(made)
        between = block[start + 1:block.index(added)]
        zeros = next((n for n in between if binds(n, rows)), None)
        inside = [n for n in syntax.statements(between) if n is not zeros]
        if zeros is not None and not self._may_be_earlier(zeros, block[start:block.index(zeros)]):
            return
        if _changes(inside, syntax.all_names(item) - {rows}) \
                or not all(self._only_adds(n, row) for n in inside) \
                or not all(self._only_adds(n, rows) and self._sum(n)[0] != rows for n in inside):
            return
        if not all(self._serves(node, rows) for node in self.mentions[rows]) \
                or not any(binds(node, rows) for node in self.mentions[rows]):
            return
        if zeros is not None:
            _remove(block, zeros)
            block.insert(start, zeros)
        _remove(block, added)
        self._rename(block, made, inside, item)

    def _rename(self, block: list[gast.stmt], made: Any, inside: list[gast.stmt],
                item: gast.expr) -> None:
        """Let the adjoints be the item, by its index where that is as short as a name."""
        row = made.targets[0].id
        users = [n for n in inside if row in syntax.all_names(without_blocks(n))]
        self.shared.add(id(made))
        made.value = item
        if all(n in block and isinstance(n, gast.AugAssign) for n in users) and users \
                and (len(users) == 1 or isinstance(item.slice, (gast.Name, gast.Constant))):
            for node in users:
                node.target = syntax.substitute(node.target, {row: item})
            _remove(block, made)

    def _sum(self, node: gast.stmt) -> tuple[Any, Any, Any]:
        """(brows, brows[k], brow) of `brows[k] = sum_of_structures(brows[k], brow)`."""
        value: Any = self._call(node, runtime.sum_of_structures)
        if value is None or len(value.args) != 2 or not isinstance(value.args[1], gast.Name):
            return None, None, None
        item = value.args[0]
        rows = syntax.root_name(item)
        if not isinstance(item, gast.Subscript) or rows is None or not _is_spot(item, rows) \
                or not syntax.same(node.targets[0], item) \
                or any(isinstance(n, gast.Call) for n in syntax.walk(item)):
            return None, None, None
        return rows, item, value.args[1].id

    def _zeros(self, node: Any) -> gast.expr | None:
        """The x of `bx = zeros_like(x)`: a variable, or an item of one."""
        value = self._call(node, runtime.zeros_like)
        return value.args[0] if value is not None and len(value.args) == 1 and not any(
            isinstance(n, gast.Call) for n in syntax.walk(value.args[0])) else None

    def _call(self, node: gast.stmt, helper: Any) -> gast.Call | None:
        value = getattr(node, "value", None)
        return value if isinstance(node, gast.Assign) and isinstance(value, gast.Call) \
            and isinstance(value.func, gast.Name) and not value.keywords \
            and self.unit.means(value.func.id) is helper else None

    def _may_be_earlier(self, zeros: gast.stmt, before: list[gast.stmt]) -> bool:
        """Whether the zeros of the outer list may be made in front of some statements."""
        owner = self._zeros(zeros)
        return owner is not None and not _changes(before, syntax.all_names(owner))

    def _only_adds(self, node: gast.stmt, name: str) -> bool:
        """Whether a statement does no more to a list of adjoints than to add to parts of it."""
        if name not in syntax.all_names(without_blocks(node)):
            return True
        if id(node) in self.shared:
            return not binds(node, name)
        if isinstance(node, gast.AugAssign):
            return isinstance(node.target, gast.Subscript) and name not in syntax.all_names(
                node.value) and _is_spot(node.target, name)
        rows, _, row = self._sum(node)
        return rows == name and row != name

    def _serves(self, node: gast.stmt, rows: str) -> bool:
        """Whether a statement leaves each item of a list of adjoints a list of its own."""
        if isinstance(node, gast.Return) or self._only_adds(node, rows) \
                or id(node) in self.shared or self._sum(node)[2] == rows:
            return True
        if self._reads_last(node, rows):
            return True
        if binds(node, rows):
            maker = getattr(getattr(node, "value", None), "func", None)
            return isinstance(maker, gast.Name) and self.unit.means(maker.id) in (
                runtime.zeros_like, runtime.copied_parts)
        call: Any = getattr(node, "value", None)
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
            return self._takes_out(call, rows)          # the item is in no list then
        if self._call(node, runtime.sum_of_structures) is not None:     # which makes a new list
            target = node.targets[0]
            return _is_spot(target, rows) and syntax.same(call.args[0], target) \
                and not any(rows in syntax.all_names(a) for a in call.args[1:])
        return isinstance(node, gast.Expr) and isinstance(call, gast.Call) \
            and isinstance(call.func, gast.Name) \
            and self.unit.means(call.func.id) is runtime.add_parts \
            and getattr(call.args[0], "id", "") == rows \
            and not any(rows in syntax.all_names(a) for a in call.args[1:])


    def _reads_last(self, node: gast.stmt, rows: str) -> bool:
        """Whether a statement reads parts when nothing is added to the list any more."""
        def mentions(one: gast.stmt) -> bool:
            return any(rows in syntax.all_names(without_blocks(n))
                       for n in syntax.statements([one]))

        def reads(one: Any) -> bool:
            return isinstance(one, (gast.Assign, gast.AugAssign)) and not isinstance(
                one.value, gast.Call) and rows not in syntax.all_names(
                    syntax.target_of(one))

        later = [n for n in self.unit.body[[id(n) for n in self.unit.body].index(id(node)):]
                 if mentions(n)] if any(n is node for n in self.unit.body) else []
        return bool(later) and all(reads(n) or isinstance(n, gast.Return) for n in later)

    def _takes_out(self, value: gast.expr, rows: str) -> bool:
        """Whether a value is `brows.pop()`."""
        return isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) \
            and value.func.attr == "pop" and syntax.same(value.func.value, syntax.load(rows)) \
            and not any(rows in syntax.all_names(a) for a in value.args)


def _changes(statements: list[gast.stmt], names: set[str]) -> bool:
    """Whether statements may bind or change what some names hold."""
    if bound_in(statements) & names:
        return True
    for node in syntax.statements(statements):
        target = syntax.target_of(node)
        if target is not None and not isinstance(target, (gast.Name, gast.Tuple)) \
                and syntax.root_name(target) in names:
            return True
        # `bx.pop()`, or a helper that changes what it is given.
        if isinstance(node, gast.Expr) and names & syntax.all_names(node):
            return True
        if any(isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute)
               and syntax.root_name(n.func) in names for n in syntax.walk(without_blocks(node))):
            return True
    return False


def _is_spot(node: gast.expr, name: str) -> bool:
    """Whether an expression is a part of a list, found by indices that do not mention it."""
    while isinstance(node, gast.Subscript):
        if name in syntax.all_names(node.slice) or isinstance(node.slice, gast.Slice):
            return False
        node = node.value
    return isinstance(node, gast.Name) and node.id == name


def _remove(block: list[gast.stmt], node: gast.stmt) -> None:
    """Take a statement out, and a comment that would have nothing under it."""
    place = block.index(node)
    block.remove(node)
    if place and syntax.is_comment(block[place - 1]) and (
            place == len(block) or syntax.is_comment(block[place])
            or isinstance(block[place], gast.Return)):
        del block[place - 1]
