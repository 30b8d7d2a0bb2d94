"""What is an array of its own by then is not copied once more to be written into.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import Array
>>> from tangent_lite.analyses.same_memory import SameMemory
>>> tree = gast.parse('''
... def f(by, x):
...     bx = by
...     bx = bx.copy()
...     for i in range(3):
...         bt = bx @ x
...         bx = bx.copy()
...         bx[i] += bt
...     return bx
... ''').body[0]
>>> for node in syntax.statements(tree.body):
...     del node.lineno                                     # it is not the user's
>>> memory = SameMemory(tree.body, ["by", "x"], Typer({}, {"range": range}.get),
...                     dict.fromkeys(["by", "x", "bx"], Array(1, "float")))
>>> recopied(tree.body, memory)
>>> print(emit(tree), end="")
def f(by, x):
    bx = by
    bx = bx.copy()
    for i in range(3):
        bt = bx @ x
        bx[i] += bt
    return bx

Whether a name is the only one of an array is followed through the statements, whatever way led
there: an operation and a copy make an array of its own; where it may get another name, or into
other hands, it is no longer one.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.markers import is_attempt
from tangent_lite.syntax import COMPOUND

_PLAIN = (gast.Assign, gast.AugAssign, gast.Expr, gast.Return, gast.Pass, gast.Break,
          gast.Continue)


def recopied(body: list[gast.stmt], memory: SameMemory, middle: gast.stmt | None = None) -> None:
    """Leave out such copies in a body, in place; statements of the user stay as they are.

    middle: where a half ends and another begins, which may run more than once.
    """
    names = {node.targets[0].id for node in syntax.every_statement(body)
             if copies_itself(node) and memory.is_array(node.targets[0].id)}
    if names:
        found = _Alone(names, memory)
        at = 0 if middle is None else syntax.place_in(body, middle)
        for half in (body[:at], body[at:]):
            found.block(half, set())
        for block in syntax.blocks_in(body):
            left = [n for n in block if id(n) not in found.needless]
            if len(left) < len(block):
                block[:] = left or [gast.Pass()]


def copies_itself(node: Any) -> bool:
    """Whether a statement of ours is `x = x.copy()`."""
    value: Any = node.value if node.__class__ is gast.Assign else None
    return value.__class__ is gast.Call and not hasattr(node, "lineno") \
        and getattr(value.func, "attr", "") == "copy" and not value.args and not value.keywords \
        and isinstance(node.targets[0], gast.Name) \
        and syntax.is_name(value.func.value, node.targets[0].id)


class _Alone:
    """Follows which names are the only ones of their arrays. needless: by id, copies of such, as
    what was found last of a loop says it.

    A state is None where the program does not get to.
    """

    def __init__(self, names: set[str], memory: SameMemory) -> None:
        self.names, self.memory = names, memory
        self.needless: set[int] = set()
        self.left: list[set[str]] = []      # the states in which loops around are left early
        self.next: list[set[str]] = []      # and in which their next iterations begin early

    def block(self, block: list[gast.stmt], state: set[str] | None) -> set[str] | None:
        for node in block:
            if state is None:
                break
            if node.__class__ in COMPOUND:
                state = self.compound(node, state)
            else:
                state = self.simple(node, state)
        return state

    def compound(self, node: Any, state: set[str]) -> set[str] | None:
        if isinstance(node, gast.If):
            state = state - self.given(node.test)
            one = self.block(node.body, set(state))
            # A body that is left halfway may have done any of it.
            other = self.block(node.orelse, state - self.touched(node.body) if is_attempt(node)
                               else set(state))
            return one if other is None else other if one is None else one & other
        if not isinstance(node, (gast.For, gast.While)):
            return state - self.names
        state = state - self.given(node.iter if isinstance(node, gast.For) else node.test)
        targets = set(syntax.bound_names(node.target)) if isinstance(node, gast.For) else set()
        around = self.left, self.next
        while True:
            self.left, self.next = [], []
            end = self.block(node.body, state - targets)
            ends = state.intersection(*self.next, *([] if end is None else [end]))
            if ends == state:
                break
            state = ends
        behind = self.block(node.orelse, set(state))
        left = [*self.left, *([] if behind is None else [behind])]
        self.left, self.next = around
        return set.intersection(*left) if left else None

    def simple(self, node: Any, state: set[str]) -> set[str] | None:
        if isinstance(node, gast.Break):
            self.left.append(state)
            return None
        if isinstance(node, gast.Continue):
            self.next.append(state)
            return None
        if isinstance(node, gast.Return):
            return None
        if copies_itself(node):
            name = node.targets[0].id
            if name in state:
                self.needless.add(id(node))
            else:
                self.needless.discard(id(node))
        return self.behind(node, state)

    def behind(self, node: Any, state: set[str]) -> set[str]:
        """The state when a simple statement has run."""
        if not isinstance(node, _PLAIN):
            return state - self.names
        target = syntax.target_of(node)
        if target is None:
            return state - self.given(getattr(node, "value", None))
        found = state - self.given_to(target, node)
        if isinstance(node, gast.Assign):
            for one in node.targets:
                found = found - set(syntax.bound_names(one))
            if len(node.targets) == 1 and isinstance(target, gast.Name) \
                    and target.id in self.names and self.memory.is_fresh(node.value):
                found = found | {target.id}
        return found

    def given_to(self, target: Any, node: Any) -> set[str]:
        """The names of what a statement gives its target to hold: numbers are copied into an array.
        """
        owner = target.value if isinstance(target, gast.Subscript) else \
            target if isinstance(node, gast.AugAssign) else None
        kept = self.names.intersection(self.memory.names(target)) if self.calls(target) else set()
        if isinstance(owner, gast.Name) and self.memory.is_array(owner.id) \
                and not self.calls(node.value):
            return kept
        return kept | self.given(node.value)

    def given(self, value: Any) -> set[str]:
        """The names of what something may be, or hold, that is made of a value."""
        if value is None:
            return set()
        return self.names.intersection(self.memory.names(value) if self.calls(value)
                                       else self.memory.sources(value))

    def calls(self, value: gast.expr) -> bool:
        """Whether something is called in an expression that may keep what it is given."""
        return any(not self.memory.is_pure(call) for call in syntax.all_of(value, gast.Call))

    def touched(self, block: list[gast.stmt]) -> set[str]:
        """Names that statements bind, or may give away."""
        found = set(bound_in(block))
        for node in syntax.statements(block):
            if not isinstance(node, COMPOUND):
                found |= self.names - self.behind(node, set(self.names))
        return found
