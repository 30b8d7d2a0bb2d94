"""Whether the gradients that a function returns are arrays of its own, each another one.

    be = 2.0 * bf * e                       made here
    bb = unbroadcast(be, b)                 be itself, or made here, perhaps as a view
    bW = unbroadcast(be, We)[:, None] * h   made here
    return bW, bb                           two arrays that nobody else has

Then nothing has to be asked about that when it has been called. What can be told at a glance is
told: operations on arrays make new ones; all else may be anything.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import gast

from tangent_lite import runtime, syntax
from tangent_lite.calling.keys import PLAIN
from tangent_lite.polish.array_parts import makes_new
from tangent_lite.records import is_made_of_fields
from tangent_lite.runtime.tangents import attributes

OTHER = -1                  # where an array comes from that may be somebody else's


class _Zeros:
    """Stands for what `zeros_like` made, and what was only added to in place."""


class Filled(NamedTuple):
    """What is known of each item of a list, of which no two have anything in common."""
    item: Any


class Fields(dict[str, Any]):
    """What is known of each field of an object that was made by naming them."""


ZEROS = _Zeros()
# Whether an array surely owns memory that may be written to; of tuples and dicts, those in them.
Own = bool | list[Any] | dict[Any, Any] | _Zeros | Filled


_UNKNOWN: Any = object()    # what a part is the gradient of, where that is not known


class _Shared(Exception):
    """An array may be somebody else's."""


def fresh_results(unit: Any, arguments: Sequence[Any], with_value: bool = False) \
        -> list[Own] | None:
    """For the gradients that a unit returns last, all of them arrays of their own (or no arrays, or
    tuples and dicts of such), whether they surely own memory that may be written to. None if some
    may be somebody else's.

    arguments: what the gradients are for; with_value: whether they stand behind the value.
    """
    found = _Origins(unit)
    last = unit.tree.body[-1]
    if not isinstance(last, gast.Return):
        return None
    answer: Any = last.value
    if with_value:
        if not isinstance(answer, gast.Tuple) or len(answer.elts) != 2:
            return None
        answer = answer.elts[1]
    parts = [answer]
    if len(arguments) > 1:
        parts = answer.elts if isinstance(answer, gast.Tuple) else []
    if len(parts) != len(arguments):
        return None
    taken: set[int] = set()
    try:
        return [found.own(part, taken, like) for part, like in zip(parts, arguments)]
    except _Shared:
        return None


class _Origins:
    """Which expressions make the arrays that names hold, by id."""

    def __init__(self, unit: Any) -> None:
        self.unit = unit
        self.spread: set[int] = set()           # calls that may make a view, spread to more
        self.bound: dict[str, list[gast.AST | None]] = {
            name: [None] for name in syntax.parameter_names(unit.tree.args)}
        names = syntax.names_in(unit.tree)
        for node in names:
            if not isinstance(node.ctx, gast.Load):
                self.bound.setdefault(node.id, [])
        known: dict[str, int] = {}
        for node in syntax.statements(unit.tree.body):
            if isinstance(node, gast.Assign) and len(node.targets) == 1 \
                    and isinstance(node.targets[0], gast.Name):
                name, value = node.targets[0].id, node.value
            elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
                name, value = node.target.id, node
            else:
                continue
            self.bound[name].append(value)
            known[name] = known.get(name, 0) + 1
        # What is bound in other ways (by loops, by unpacking) may hold anything.
        stores: dict[str, int] = {}
        for node in names:
            if isinstance(node.ctx, gast.Store):
                stores[node.id] = stores.get(node.id, 0) + 1
        for name, count in stores.items():
            if count != known.get(name, 0):
                self.bound[name].append(None)

    def own(self, part: gast.AST, taken: set[int], like: Any) -> Own:
        """What is said of a part of the result; taken: where the arrays in it come from is added;
        like: what it is the gradient of."""
        if type(like) in PLAIN:
            return True                     # what is returned for a number is one
        if isinstance(part, (gast.Tuple, gast.List)):
            return self.each(part.elts, taken, like)
        if isinstance(part, gast.Dict):
            names = [getattr(k, "value", None) for k in part.keys]
            return self.named(names, part.values, taken, like)
        if isinstance(part, gast.Call) and isinstance(like, tuple) and hasattr(like, "_fields") \
                and not part.keywords and self.means(part.func) is type(like):
            return self.each(part.args, taken, like)
        if isinstance(part, gast.Call) and not part.args:
            named = tuple(k.arg or "" for k in part.keywords)
            made: Any = type(like)
            if self.means(part.func) is made and is_made_of_fields(made, named):
                return Fields(self.named([*named], [k.value for k in part.keywords], taken, like))
        filled = self.filled(part, taken)
        if filled is not None:
            return filled
        origins = self.of(part, set())
        zeros = self.zeros_of(part)
        if origins & taken or (OTHER in origins and zeros is None):
            raise _Shared
        taken |= origins if zeros is None else {id(zeros)}
        return ZEROS if zeros is not None else not origins & self.spread

    def each(self, parts: list[Any], taken: set[int], like: Any) -> list[Own]:
        given = like if isinstance(like, (list, tuple)) and len(like) == len(parts) \
            else [_UNKNOWN] * len(parts)
        return [self.own(p, taken, one) for p, one in zip(parts, given)]

    def named(self, names: list[Any], parts: list[Any], taken: set[int],
              like: Any) -> dict[Any, Own]:
        given = like if isinstance(like, dict) else attributes(like)
        return {name: self.own(p, taken, given.get(name, _UNKNOWN))
                for name, p in zip(names, parts)}

    def filled(self, part: gast.AST, taken: set[int]) -> Filled | None:
        """What is known of a list that is filled item by item (see filled_lists.py): the arrays in
        it are made in the block in which they are put into it, and are in no other result."""
        bound = self.bound.get(part.id, []) if isinstance(part, gast.Name) else []
        blocks = getattr(bound[0], "filled", None) if len(bound) == 1 else None
        if blocks is None:
            return None
        known: list[Own] = []
        for block, node in blocks:
            known.append(self.own_there(node.value, block, block.index(node), taken))
        if not all(one == known[0] for one in known):
            raise _Shared
        return Filled(known[0])

    def own_there(self, part: gast.AST, block: list[gast.stmt], spot: int,
                  taken: set[int]) -> Own:
        """What is said of a part of what a statement of a block puts into a list."""
        if isinstance(part, (gast.Tuple, gast.List)):
            return [self.own_there(p, block, spot, taken) for p in part.elts]
        if isinstance(part, gast.Dict):
            return {getattr(k, "value", None): self.own_there(p, block, spot, taken)
                    for k, p in zip(part.keys, part.values)}
        origins = self.made_there(part, block, spot)
        if origins & taken or OTHER in origins:
            raise _Shared
        taken |= origins
        return not origins & self.spread

    def made_there(self, node: gast.AST, block: list[gast.stmt], spot: int) -> set[int]:
        """The expressions in a block, above a statement, that make the array of an expression."""
        if isinstance(node, gast.Name):
            for number in range(spot - 1, -1, -1):
                above: Any = block[number]
                if node.id in syntax.all_names(above) and any(
                        isinstance(n, gast.Name) and n.id == node.id
                        and not isinstance(n.ctx, gast.Load) for n in syntax.walk(above)):
                    if isinstance(above, gast.Assign) and isinstance(above.targets[0], gast.Name):
                        return self.made_there(above.value, block, number)
                    break
            return {OTHER}
        if isinstance(node, gast.Call) and self.means(node.func) is runtime.unbroadcast \
                and len(node.args) == 2:
            self.spread.add(id(node))
            return {id(node)} | self.made_there(node.args[0], block, spot)
        return self.of(node, set())

    def zeros_of(self, part: gast.AST) -> gast.AST | None:
        """The call of `zeros_like` that made a structure of arrays, to which is added only."""
        bound = self.bound.get(part.id, []) if isinstance(part, gast.Name) else []
        if len(bound) == 1 and isinstance(bound[0], gast.Call) \
                and self.means(bound[0].func) is runtime.zeros_like \
                and self.is_added_to(part.id):
            return bound[0]
        return None

    def is_added_to(self, name: str) -> bool:
        """Whether all that is done to a structure is to add to the arrays in it, under this name or
        as a slice with a name of its own, and to return it."""
        for node in syntax.statements(self.unit.tree.body):
            if name not in syntax.all_names(node) or isinstance(node, gast.Return):
                continue
            if isinstance(node, syntax.COMPOUND):
                if name in syntax.all_names(node.iter if isinstance(node, gast.For)
                                            else node.test):
                    return False
            elif isinstance(node, gast.AugAssign):
                if not isinstance(node.target, gast.Subscript) \
                        or syntax.root_name(node.target) != name \
                        or name in syntax.all_names(node.value) | _names_in_indices(node.target):
                    return False
            elif not isinstance(node, gast.Assign) or len(self.bound[name]) != 1 \
                    or self.bound[name][0] is not node.value:
                # Its own binding aside, that of a slice.
                value, target = getattr(node, "value", None), node.targets[0] \
                    if isinstance(node, gast.Assign) else None
                if not isinstance(target, gast.Name) or not isinstance(value, gast.Subscript) \
                        or not isinstance(value.value, gast.Name) or value.value.id != name \
                        or not isinstance(value.slice, gast.Slice) \
                        or name in syntax.all_names(value.slice) \
                        or len(self.bound[target.id]) != 1 or not self.is_added_to(target.id):
                    return False
        return True

    def of(self, node: gast.AST | None, seen: set[str]) -> set[int]:
        if isinstance(node, (gast.Constant, gast.AugAssign)) or makes_new(node, self.meaning):
            return {id(node)}
        if isinstance(node, gast.Name):
            if node.id in seen:
                return set()
            bound = self.bound.get(node.id, [None])
            return set().union(*(self.of(b, seen | {node.id}) for b in bound))
        if isinstance(node, gast.Call) and self.means(node.func) is runtime.unbroadcast \
                and len(node.args) == 2:
            self.spread.add(id(node))
            return {id(node)} | self.of(node.args[0], seen)
        return {OTHER}

    def means(self, node: gast.AST) -> Any:
        return self.meaning(node.id) if isinstance(node, gast.Name) else None

    def meaning(self, name: str) -> Any:
        """What a name of the function's surroundings means."""
        if name in self.bound:
            return None
        found = self.unit.external.get(name)
        return found if found is not None else self.unit.source.globals.get(name)


def are_own(known: Own) -> bool:
    """Whether all arrays surely own memory that may be written to."""
    if isinstance(known, Filled):
        return are_own(known.item)
    if isinstance(known, (list, dict)):
        return all(map(are_own, known.values() if isinstance(known, dict) else known))
    return known is True or known is ZEROS


def _names_in_indices(target: gast.AST) -> set[str]:
    """Names in the indices of `b[i][j]`."""
    found: set[str] = set()
    while isinstance(target, gast.Subscript):
        found |= syntax.all_names(target.slice)
        target = target.value
    return found
