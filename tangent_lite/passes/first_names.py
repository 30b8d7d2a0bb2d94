"""A second name for what keeps its first goes.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import Array
>>> tree = gast.parse('''
... def f(bt, k, n):
...     bx = bt
...     bm = bx @ k
...     bx = bx + bm
...     bu = bt
...     bz = bu * k
...     bt[0] = 0.0
...     return bx, bz, bt
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> known = dict.fromkeys(["bt", "k", "bx", "bm", "bu", "bz"], Array(1, "float"))
>>> first_names(tree.body, {"bu"}.__contains__,
...              SameMemory(tree.body, ["bt", "k", "n"], Typer({}, {}.get), known))
>>> print(emit(tree), end="")
def f(bt, k, n):
    bm = bt @ k
    bx = bt + bm
    bz = bt * k
    bt[0] = 0.0
    return bx, bz, bt

It is a temporary, or is bound anew behind its last use; and until then neither the first name is
bound to something else, nor what both mean written into.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import Mentions
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.syntax import COMPOUND

FAR = 100               # statements between a name and its last use
_LEAVING = (gast.Break, gast.Continue, gast.Return)
_LATER = (gast.Lambda, gast.FunctionDef)        # what looks at a name when it is called


def first_names(body: list[gast.stmt], may_go: Callable[[str], bool], memory: SameMemory) -> None:
    """Read the first name in place of the second, in place; may_go: whether a name is a temporary,
    of which nobody misses the statement that binds it."""
    pairs = [(block, node) for block in syntax.blocks_in(body) for node in block if _is_pair(node)]
    if not pairs:
        return
    table, writes = Mentions(), _Writes(memory)
    names = syntax.names_in(*body)
    counts = Counter([name.id for name in names])
    bindings = Counter([name.id for name in names if name.ctx.__class__ is not gast.Load])
    for block, node in pairs:
        second, first = node.targets[0].id, node.value.id
        if bindings[second] == 1 and not may_go(second):
            continue
        start = block.index(node)
        uses = _uses(block[start + 1:start + 1 + FAR], second, first, writes, table)
        if not uses:
            continue
        is_bound_anew = second in table[uses[-1]].binds
        if not is_bound_anew:
            seen = 1 + sum(name.id == second for use in uses for name in syntax.names_in(use))
            if seen < counts[second] or not may_go(second):
                continue
        swap = syntax.Substitute({second: gast.Name(first, gast.Load(), None, None)})
        for use in uses:
            if isinstance(use, gast.Assign) and isinstance(use.targets[0], gast.Name):
                use.value = swap.visit(use.value)
            else:
                swap.visit(use)
            table.rewritten(use)
            writes.pop(use, None)
        del block[start]


def _is_pair(node: Any) -> bool:
    """Whether a statement of ours gives a second name."""
    return node.__class__ is gast.Assign and not hasattr(node, "lineno") \
        and len(node.targets) == 1 and isinstance(node.targets[0], gast.Name) \
        and isinstance(node.value, gast.Name) and node.value.id != node.targets[0].id


class _Writes(dict[gast.stmt, set[str]]):
    """Names of what simple statements write into, found once for each: many pairs look at one."""

    def __init__(self, memory: SameMemory) -> None:
        self.memory, self.of_numbers = memory, memory.has_only_numbers()

    def __missing__(self, node: gast.stmt) -> set[str]:
        found = self[node] = set() if self.of_numbers else self.memory.changed(node)
        return found


def _uses(behind: list[gast.stmt], second: str, first: str, writes: _Writes,
          table: Mentions) -> list[Any] | None:
    """The statements that mention the second name, up to the one that binds it anew; None where
    the first does not serve as well in each."""
    found = []
    is_same = True                              # whether both still mean the same
    for node in behind:
        mentioned = table[node]
        if isinstance(node, COMPOUND):
            if any(name.id == second for name in syntax.names_in(node)):
                return None
            is_same = False                     # what it does or leaves undone is not looked at
            continue
        if second in mentioned.names or second in mentioned.binds:
            if not is_same or not isinstance(node, (gast.Assign, gast.AugAssign, gast.Expr)) \
                    or any(True for _ in syntax.all_of(node, *_LATER)):
                return None
            found.append(node)
            if second in mentioned.binds:
                return found if isinstance(node, gast.Assign) and isinstance(
                    node.targets[0], gast.Name) else None
            if second in writes[node]:
                return None
        written = writes[node]
        if isinstance(node, _LEAVING) or first in mentioned.binds or (written and not all(
                writes.memory.apart(first, one) for one in written)):
            is_same = False
    return found
