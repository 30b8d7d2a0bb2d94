"""Loop-carried names that are recorded once, at the head of each iteration.

    for i in range(n):                  for i in range(n):
        if x < 0.0:                         x_tape.append(x)
            x = x + 1.5                     if x < 0.0:
        else:                                   x = x + 1.5
            x = x - x * x                   ...

All branches overwrite the one value that x has at the head. Recorded there, it stands on one tape,
and since the backward pass has it back before anything else in the iteration, what is made of it
(the condition) can be computed again instead of being recorded as well.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import bound_in, definitions, uses
from tangent_lite.syntax import COMPOUND, read_names


@dataclass
class Head:
    """names: recorded at the head of an iteration; unchanged: by id of a statement of the
    iteration, those of the names that nothing has bound anew in front of it."""
    names: list[str] = field(default_factory=list)
    unchanged: dict[int, set[str]] = field(default_factory=dict)


def head_of(body: list[gast.stmt], candidates: set[str], reads: Callable[[gast.stmt], set[str]],
            results: Callable[[gast.stmt], set[str]]) -> Head:
    """Which candidates are recorded at the head of the body of a loop.

    They are read by some adjoint, bound anew whenever an iteration runs to its end, and not read
    after that in the iteration: neither by the function nor by an adjoint.

    candidates: names that are live at the head; reads, results: what the adjoint of a statement
    reads of what is in front of it, and behind it.
    """
    walk = _Walk(candidates, reads, results)
    _, certain = walk.block(body, set())
    names = sorted((candidates & walk.needed & certain) - walk.failed)
    kept = set(names)
    return Head(names, {key: kept - changed for key, changed in walk.changed.items()})


class _Walk:
    def __init__(self, candidates: set[str], reads: Callable[[gast.stmt], set[str]],
                 results: Callable[[gast.stmt], set[str]]) -> None:
        self.candidates, self.reads, self.results = candidates, reads, results
        self.needed: set[str] = set()
        self.failed: set[str] = set()
        self.changed: dict[int, set[str]] = {}      # candidates that may have been bound before

    def block(self, block: list[gast.stmt], changed: set[str]) -> tuple[set[str], set[str]]:
        """Candidates that may have been bound anew behind a block, and those that certainly were.
        """
        certain: set[str] = set()
        for node in block:
            self.changed[id(node)] = changed        # which nobody changes
            reads = self.reads(node)
            self.needed |= reads
            self.failed |= self.results(node)
            if isinstance(node, gast.If):
                self.failed |= (read_names(node.test) | reads) & changed
                one, one_certain = self.block(node.body, changed)
                other, other_certain = self.block(node.orelse, changed)
                changed = one | other
                certain |= one_certain & other_certain
            elif isinstance(node, COMPOUND):
                self.failed |= bound_in([node])         # once an iteration, or often, or never
                self.inner(node, changed)
            else:
                self.failed |= (uses(node) | reads) & changed
                bound = self.candidates.intersection(definitions(node))
                if not bound <= changed:
                    changed = changed | bound
                certain |= bound
                if isinstance(node, gast.Break):
                    certain = set(self.candidates)      # nothing comes behind it
        return changed, certain

    def inner(self, node: gast.stmt, changed: set[str]) -> None:
        """A loop in the loop: it may read what is as it was at the head of the outer one."""
        found = read_names(node.iter if isinstance(node, gast.For) else node.test)
        self.failed |= (found | self.reads(node)) & changed
        for block in (node.body, node.orelse):
            self.block(block, changed)


# Exits ------------------------------------------------------------------------------------------
def exit_on(node: gast.stmt) -> bool | None:
    """Which value of its condition makes a branch leave the loop, always; None if neither does."""
    if isinstance(node, gast.If) and isinstance(node.test, gast.Name):
        if syntax.always_leaves(node.body):
            return True
        if syntax.always_leaves(node.orelse):
            return False
    return None
