"""Sum to a shape once, where it would be done twice in a row.

The adjoint of an intermediate value is summed to the shape of that value, and what it adds to the
operands to theirs. Of sums, products and quotients the second does what the first would have done:
`unbroadcast(unbroadcast(bz, t) * c, x)` is `unbroadcast(bz * c, x)`. So the shape of the
intermediate value is not needed, which then need not be recorded either.

>>> from tangent_lite.emit import emit_expression
>>> from tangent_lite.kinds import Array, new_shape
>>> from tangent_lite.stages import stages
>>> def f(x, y, z):
...     t = x * y + z
...     return t
>>> arrays = {name: Array(1, "float", new_shape()) for name in "xyz"}
>>> for step in stages(f, **arrays).plan.steps.values():
...     for one in step.contributions:
...         print(f"b{one.name} += {emit_expression(one.value)}")
bx += unbroadcast(bxy * y, x)
by += unbroadcast(bxy * x, y)
bxy += bt
bz += unbroadcast(bt, z)

This is done for intermediate values with one definition and one use behind it in the same block,
if they are as large as what they go into, as far as can be told: what has fewer axes, or axes of
length one, is smaller, and what is summed to its shape first is done with less work.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.adjoints.steps import Contribution, Step, content_reads
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.temporaries import Temporaries, may_be_any
from tangent_lite.kinds import Array
from tangent_lite.syntax import COMPOUND

# Helpers whose result has the shape of the first argument, and is linear in it.
LIKE_THE_FIRST = ("where_larger", "where_positive")


def compose(tree: gast.FunctionDef, planned: Any, facts: Inferred, aliases: Aliases,
            adjoints: dict[str, str], unbroadcast: str) -> None:
    """Leave out sums to shapes that are summed again; the plan is changed in place.

    unbroadcast: how the helper is spelled.
    """
    if may_be_any(facts):
        _Composer(tree, planned, facts, aliases, adjoints, unbroadcast).block(tree.body)


class _Composer:
    def __init__(self, tree: gast.FunctionDef, planned: Any, facts: Inferred, aliases: Aliases,
                 adjoints: dict[str, str], unbroadcast: str) -> None:
        self.steps: dict[int, Step] = planned.steps
        self.kinds, self.facts = planned.kinds, facts
        self.adjoints, self.name = adjoints, unbroadcast
        self.temporaries = Temporaries(tree, planned, facts, aliases, adjoints)
        self.composed: set[int] = set()         # contributions of which the sum was left out, by id
        self.thin: set[str] = set()             # arrays with axes of length one by construction

    def block(self, block: list[gast.stmt]) -> None:
        made: set[str] = set()
        for node in block:
            if isinstance(node, COMPOUND):
                self.block(node.body)
                self.block(node.orelse)
                continue
            step = self.steps.get(id(node))
            if step is not None and step.kind in ("rule", "write", "increment"):
                for one in step.contributions:
                    if one.name in made:
                        self.compose(step, one)
            self.note_thin(node)
            target = self.temporary(node)
            if target is not None and target not in self.thin:
                made.add(target)

    def note_thin(self, node: gast.stmt) -> None:
        """Note arrays that are spread where they are used: made by `x[:, None]`, by reductions with
        keepdims, or of nothing but such arrays."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            return
        value = node.value
        if isinstance(value, gast.Subscript):
            index = value.slice
            found = any(isinstance(k, gast.Constant) and k.value is None
                        for k in getattr(index, "elts", [index]))
        elif isinstance(value, gast.Call) and any(k.arg == "keepdims" for k in value.keywords):
            found = True
        else:
            arrays = {n for n in syntax.read_names(value)
                      if isinstance(self.facts.names.get(n), Array)}
            found = bool(arrays) and arrays <= self.thin
        if found:
            self.thin.add(node.targets[0].id)

    def temporary(self, node: gast.stmt) -> str | None:
        """The name of an intermediate value, if the adjoints of its operands are summed anyway."""
        step = self.steps.get(id(node))
        if step is None or step.kind != "rule" or step.target is None or step.locals \
                or not isinstance(node, gast.Assign) \
                or not isinstance(node.value, (gast.BinOp, gast.UnaryOp)) \
                or isinstance(getattr(node.value, "op", None), gast.MatMult):
            return None
        name = step.target
        if not self.temporaries.has(name):
            return None
        known = {name, *syntax.read_names(node.value)}
        for one in step.contributions:
            inner = one.value if id(one) in self.composed else self.summed(one.value)
            if one.index is not None or one.steps or inner is None \
                    or not _is_linear(inner, self.adjoints[name], known):
                return None
        return name

    def summed(self, value: gast.expr) -> gast.expr | None:
        """What an expression sums: the argument of `unbroadcast(e, x)` or `np.sum(e)`."""
        if not isinstance(value, gast.Call) or value.keywords:
            return None
        if isinstance(value.func, gast.Name) and value.func.id == self.name:
            return value.args[0]
        if isinstance(value.func, gast.Attribute) and value.func.attr == "sum" \
                and isinstance(value.func.value, gast.Name) and len(value.args) == 1 \
                and value.func.value.id not in self.temporaries.bindings:
            return value.args[0]
        return None

    def compose(self, step: Step, one: Contribution) -> None:
        """Leave out the sum to the shape of the name that a contribution is for."""
        call = one.value
        if one.index is not None or one.steps or not isinstance(call, gast.Call) \
                or not isinstance(call.func, gast.Name) or call.func.id != self.name \
                or not isinstance(call.args[1], gast.Name) or call.args[1].id != one.name:
            return
        inner = call.args[0]
        for name, kind in self.arrived(step):
            mine = self.facts.names[one.name]
            if isinstance(kind, Array) and isinstance(mine, Array) \
                    and kind.ndim == mine.ndim and kind.dtype == "float" \
                    and _has_shape_of(inner, name):
                one.value = inner
                self.composed.add(id(one))
                self.kinds[self.adjoints[one.name]] = Array(mine.ndim, mine.dtype,
                                                            kinds.new_shape())
                if not any(one.name in content_reads(e)[1] for c in step.contributions
                           for e in (c.value, c.index) if e is not None):
                    step.shapes -= {one.name}
                return

    def arrived(self, step: Step) -> list[tuple[str, Any]]:
        """The adjoints that a step takes, with their kinds."""
        if step.locals:
            return [(name, self.kinds.get(name)) for name, _ in step.locals]
        if step.kind != "rule" or step.target not in self.adjoints:
            return []
        name = self.adjoints[step.target]
        return [(name, self.kinds.get(name, self.facts.names.get(step.target)))]


def _is_linear(node: gast.expr, adjoint: str, known: set[str]) -> bool:
    """Whether an expression is the adjoint times what has no other shape than the known names."""
    while True:
        if isinstance(node, gast.Name):
            return node.id == adjoint
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            node = node.operand
        elif isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
            if _is_factor(node.right, known):
                node = node.left
            elif isinstance(node.op, gast.Mult) and _is_factor(node.left, known):
                node = node.right
            else:
                return False
        else:
            return False


def _is_factor(node: gast.expr, known: set[str]) -> bool:
    return all((isinstance(n, (gast.BinOp, gast.UnaryOp, gast.Constant))
               and not isinstance(getattr(n, "op", None), gast.MatMult))
               or (isinstance(n, gast.Name) and n.id in known) for n in syntax.walk(node))


def _has_shape_of(node: gast.expr, adjoint: str) -> bool:
    """Whether an expression has all of the shape of an adjoint, of which it is made."""
    if isinstance(node, gast.Name):
        return node.id == adjoint
    if isinstance(node, gast.UnaryOp):
        return _has_shape_of(node.operand, adjoint)
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
        return _has_shape_of(node.left, adjoint) or (
            isinstance(node.op, gast.Mult) and _has_shape_of(node.right, adjoint))
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) \
        and node.func.id in LIKE_THE_FIRST and _has_shape_of(node.args[0], adjoint)
