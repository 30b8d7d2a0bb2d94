"""Sums in place as sums, where nobody else holds the array, and it keeps its shape and its type.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import Array
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(x):
...     bx = x * 2.0
...     bx += x
...     return bx
... ''').body[0]
>>> typer = Typer({}, {}.get)
>>> facts = infer(tree, {"x": Array(1, "float")}, typer)
>>> bind(tree, tree, facts, lambda node: True)
True
>>> print(emit(tree), end="")
def f(x):
    bx = x * 2.0
    bx = bx + x
    return bx

An array that is written has to be recorded and restored; a name that is bound anew has not. What we
emit adds in place to save time only: the array has the shape and the type of the sum. Of what users
write that is not known (x of float32 stays so in `x += y`), so their writes remain writes, but for
what is computed of the array itself: `p /= p.sum()` is `p = p / p.sum()`. So do those into arrays
that may have no dimensions: their sums are numbers, and what another name of such an array stands
for would not change.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses import writers
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions
from tangent_lite.analyses.of_one_array import OfOneArray
from tangent_lite.inference import NO_OBJECT
from tangent_lite.markers import is_attempt


def bind(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
         is_ours: Callable[[Any], bool],
         keeps_shape: Callable[[Any], bool] = lambda node: False) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.

    is_ours: whether a sum in place was emitted, and its array certainly has the shape of the sum;
    keeps_shape: whether the array of one that was not has.
    """
    sums = [node for node in syntax.statements(numbered.body) if isinstance(node, gast.AugAssign)
            and isinstance(node.target, gast.Name) and not hasattr(node, "repeats")]
    fitting = {id(node) for node in sums if is_ours(node)} | _normalised(
        numbered, facts, [node for node in sums if not is_ours(node)], keeps_shape)
    if not fitting:
        return False
    walk = _Holders(facts)
    walk.block(numbered.body, set())
    kept = walk.written | {node.target.id for node in sums
                           if not walk.alone.get(id(node)) or id(node) not in fitting}
    plain = list(syntax.statements(tree.body))
    found = False
    for number, node in enumerate(syntax.statements(numbered.body)):
        if any(node is one for one in sums) and node.target.id not in kept:
            _as_binding(tree, plain[number])
            found = True
    return found


def _normalised(numbered: gast.FunctionDef, facts: Inferred, sums: list[Any],
                keeps_shape: Callable[[Any], bool]) -> set[int]:
    """By id, those of the user's sums in place that only make something of the array itself: some
    array is multiplied or divided by what varies with it, so that it would have to be recorded."""
    scaled = {node.target.id for node in sums if isinstance(node.op, (gast.Mult, gast.Div))
              and not isinstance(node.value, gast.Constant)}
    if not scaled or any(is_attempt(node) for node in syntax.statements(numbered.body)):
        return set()                    # a handler may see what was written half way
    found = OfOneArray(numbered.body, facts)
    return {id(node) for node in sums if node.target.id in scaled
            and found.is_of(node.value, node.target.id) and keeps_shape(node)}


def _as_binding(tree: gast.FunctionDef, node: gast.AugAssign) -> None:
    value = gast.copy_location(gast.BinOp(syntax.load(node.target.id), node.op, node.value), node)
    gast.copy_location(value.left, node)
    value.keeps_shape = True
    made = gast.copy_location(gast.Assign([node.target], value, None), node)
    for fact in ("origin", "chain"):
        if hasattr(node, fact):
            setattr(made, fact, getattr(node, fact))
    block, spot = syntax.spot_in(tree, node)
    block[spot] = made


class _Holders:
    """Which names are the only ones of their arrays, statement by statement."""

    def __init__(self, facts: Inferred) -> None:
        self.facts = facts
        self.alone: dict[int, bool] = {}            # for sums in place: whether the name is
        self.written: set[str] = set()              # names whose arrays are written otherwise
        self.leaves: list[list[set[str]]] = []      # what holds where a loop is left

    def block(self, block: list[gast.stmt], state: set[str]) -> set[str]:
        for node in block:
            if isinstance(node, gast.If):
                state = self.block(node.body, set(state)) & self.block(node.orelse, set(state))
            elif isinstance(node, (gast.For, gast.While)):
                state = self.loop(node, state)
            elif isinstance(node, gast.Break):
                self.leaves[-1].append(set(state))
            else:
                self.simple(node, state)
        return state

    def loop(self, node: gast.For | gast.While, state: set[str]) -> set[str]:
        self.leaves.append([])
        while True:
            end = state & self.block(node.body, set(state))
            if end == state:
                break
            state = end
        return state.intersection(*self.leaves.pop())

    def simple(self, node: gast.stmt, state: set[str]) -> None:
        """What one statement does to the state, which is changed."""
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            kind = self.facts.before[id(node)].get(node.target.id)
            self.alone[id(node)] = node.target.id in state and isinstance(kind, kinds.Array) \
                and kind.dtype == "float" and bool(kind.ndim) and isinstance(
                    node.op, (gast.Add, gast.Sub, gast.Mult, gast.Div))
            return
        target = syntax.target_of(node)
        if target is not None and not isinstance(target, (gast.Name, gast.Tuple)):
            self.written.add(syntax.root_name(target) or "")
        for call in (n for n in syntax.walk(node) if isinstance(n, gast.Call)):
            function, receiver = self.facts.callees.get(id(call), (NO_OBJECT, None))
            for part in writers.written(call, function, receiver):
                self.written |= syntax.read_names(part)
        value: Any = getattr(node, "value", None)
        is_new = self.is_new(value)
        bound = definitions(node)
        if (not bound and not isinstance(node, gast.Assign)) or (
                not is_new and not all(self.is_number(node, n) for n in bound)):
            state -= syntax.read_names(node)
        elif isinstance(target, (gast.Subscript, gast.Attribute)) and isinstance(value, gast.Name):
            state.discard(value.id)                 # a list or an object may hold on to it
        state -= set(bound)
        if is_new and isinstance(target, gast.Name) and isinstance(
                self.facts.after[id(node)].get(target.id), kinds.Array):
            state.add(target.id)

    def is_number(self, node: gast.stmt, name: str) -> bool:
        return isinstance(self.facts.after[id(node)].get(name),
                          (kinds.Number, kinds.RangeKind, kinds.SliceKind, kinds.Text))

    def is_new(self, value: Any) -> bool:
        """Whether an operation makes something new, and holds on to nothing."""
        if isinstance(value, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Constant)):
            return True
        if not isinstance(value, gast.Call):
            return False
        function, _ = self.facts.callees.get(id(value), (NO_OBJECT, None))
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        return entry is not None and entry.view == "never" and not entry.writes
