"""Assignments that only move values between names, as in `u, u_new = u_new, u`: undone by moving
them back, so nothing is recorded of them.

>>> import gast
>>> block = gast.parse('''
... t = u
... u = u_new
... u_new = t
... y = u * k
... ''').body
>>> [(len(one.nodes), sorted(one.holders.items())) for one in rotations(block)]
[(3, [('u', 'u_new'), ('u_new', 'u')])]
"""
from __future__ import annotations

from dataclasses import dataclass, field

import gast

from tangent_lite.syntax import assign, load, store


@dataclass(eq=False, repr=False)
class Rotation:
    """Statements that stand behind one another and move values around; holders: for each name that
    only changes places with others, the name that holds its value afterwards."""
    nodes: list[gast.Assign]
    holders: dict[str, str]
    needed: set[str] = field(default_factory=set)   # of these, what is to be moved back
    order: dict[str, int] = field(default_factory=dict)     # of names, as they come in the function
    is_alone: bool = False              # what else the statements bind is used in them only

    @property
    def last(self) -> gast.Assign:
        return self.nodes[-1]

    @property
    def is_one(self) -> bool:
        """Whether one statement for each cycle says all that these do."""
        return self.is_alone and self.needed == set(self.holders)

    def other_names(self) -> set[str]:
        """What the statements bind but for the names in the cycles."""
        return {node.targets[0].id for node in self.nodes} - set(self.holders)


def rotations(block: list[gast.stmt]) -> list[Rotation]:
    """Those in a block, not looking inside compounds."""
    found = []
    nodes: list[gast.Assign] = []
    for node in [*block, None]:
        if node is not None and _is_move(node):
            nodes.append(node)
            continue
        holders = _holders(nodes)
        if holders:
            found.append(Rotation(nodes, holders))
        nodes = []
    return found


def _is_move(node: gast.stmt) -> bool:
    return isinstance(node, gast.Assign) and len(node.targets) == 1 \
        and isinstance(node.targets[0], gast.Name) and isinstance(node.value, gast.Name)


def _holders(nodes: list[gast.Assign]) -> dict[str, str]:
    """For each name in a cycle of moves, who holds its value behind them."""
    meant: dict[str, str] = {}          # name -> whose value of before it holds
    for node in nodes:
        meant[node.targets[0].id] = meant.get(node.value.id, node.value.id)
    holders: dict[str, str] = {}
    for name in meant:
        cycle = [name]
        while meant.get(cycle[-1]) not in (None, *cycle):
            cycle.append(meant[cycle[-1]])
        if len(cycle) > 1 and meant.get(cycle[-1]) == name:
            holders.update((meant[one], one) for one in cycle)
    return holders


def moved(rotation: Rotation) -> list[gast.stmt]:
    """`u, u_new = u_new, u`: the statements in one line for each cycle.

    >>> from tangent_lite.emit import emit
    >>> block = gast.parse('t = u; u = v; v = w; w = t; s = p; p = q; q = s').body
    >>> for node in moved(rotations(block)[0]):
    ...     print(emit(node).strip())
    p, q = q, p
    u, v, w = v, w, u
    """
    holds = {holder: name for name, holder in rotation.holders.items()}
    return [_together(cycle, [holds[one] for one in cycle]) for cycle in _cycles(rotation)]


def moved_back(rotation: Rotation) -> list[gast.stmt]:
    """The names as they were before, each cycle by itself.

    >>> from tangent_lite.emit import emit
    >>> def back(*needed):
    ...     one = rotations(gast.parse('t = u; u = v; v = w; w = t').body)[0]
    ...     one.needed = set(needed)
    ...     return [emit(node).strip() for node in moved_back(one)]
    >>> back('u', 'v', 'w'), back('v')
    (['u, v, w = w, u, v'], ['v = u'])
    """
    cycles = [[one for one in cycle if one in rotation.needed] for cycle in _cycles(rotation)]
    return [_together(names, [rotation.holders[one] for one in names])
            for names in reversed(cycles) if names]


def _cycles(rotation: Rotation) -> list[list[str]]:
    """The names of each cycle, in order; of what is bound last first."""
    found: list[list[str]] = []
    for node in reversed(rotation.nodes):
        name = node.targets[0].id
        if name not in rotation.holders or any(name in cycle for cycle in found):
            continue
        cycle = [name]
        while rotation.holders[cycle[-1]] != name:
            cycle.append(rotation.holders[cycle[-1]])
        found.append(sorted(cycle, key=lambda one: (rotation.order.get(one, 0), one)))
    return found


def _together(names: list[str], values: list[str]) -> gast.stmt:
    if len(names) == 1:
        return assign(names[0], load(values[0]))
    return assign(gast.Tuple([store(one) for one in names], gast.Store()),
                  gast.Tuple([load(one) for one in values], gast.Load()))
