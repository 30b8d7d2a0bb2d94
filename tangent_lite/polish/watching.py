"""Let emitted code look for the first number that is not finite: debug="nan".

    y = np.log(x)               y = finite(np.log(x), "y", "model.py", 4, x)
    ...                   =>    ...
    bx += by / x                bx += by / x
                                finite(bx, "the adjoint bx", "model.py", 4)

In the forward pass, and in forward mode, a value is looked at where what it is made of is finite:
where inf was passed in, or written there (`best = np.inf`), it is meant. In the backward pass each
adjoint is looked at. The statement that is named is the user's, by the line map.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.functions.units import Derivative, Unit
from tangent_lite.names import Names
from tangent_lite.runtime.watching import finite
from tangent_lite.syntax import call, load
from tangent_lite.written.linemap import place_of

MEANT = {"inf", "nan", "Inf", "NaN", "infty", "NINF", "PINF"}


def watch(derivative: Derivative) -> None:
    """Put the looks into the functions of a derivative, in place."""
    for unit in derivative.units:
        _Watch(unit, unit is derivative.backward or unit.name.endswith("_bwd")).unit_body()


class _Watch:
    def __init__(self, unit: Unit, backward: bool) -> None:
        self.unit, self.backward = unit, backward
        self.variables = {n.id for n in syntax.walk(unit.tree) if isinstance(n, gast.Name)
                          and not isinstance(n.ctx, gast.Load)}
        self.name = Names(syntax.all_names(unit.tree)).fresh("finite")

    def unit_body(self) -> None:
        self.unit.external[self.name] = finite
        self.unit.tree.body = self.block(self.unit.tree.body)

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for node in block:
            if syntax.is_comment(node) and node.value.value == "# Backward pass":
                self.backward = True
            for inner in syntax.blocks_of(node):
                inner[:] = self.block(inner)
            out.append(node)
            if isinstance(node, gast.Return):
                self.returned(node)
            elif isinstance(node, (gast.Assign, gast.AugAssign, gast.Expr)) \
                    and not (self.backward and hasattr(node, "lineno")):    # there: computed again
                out += self.looks(node)
        return out

    def looks(self, node: Any) -> list[gast.stmt]:
        value = node.value
        known = isinstance(value, (gast.Name, gast.Constant, gast.List)) or _taken(value) \
            or _is_meant(value) or self.looks_itself(value)
        if known and not isinstance(node, gast.AugAssign):
            return []
        if isinstance(node, gast.Expr):
            names = [n.id for n in _written(value)]
        elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                and not self.backward:
            node.value = self.look(value, node.targets[0].id, node, value)
            return []
        else:
            target = syntax.target_of(node)
            names = syntax.bound_names(target) or [syntax.root_name(target) or ""]
        names = [n for n in names if n in self.variables]
        return [syntax.statement(self.look(load(n), n, node, None if self.backward else value))
                for n in names]

    def looks_itself(self, node: gast.expr) -> bool:
        """Whether a value comes from a function that was emitted, too: it is looked at there."""
        return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) \
            and isinstance(self.unit.external.get(node.func.id), Unit)

    def returned(self, node: gast.Return) -> None:
        """What is computed in the statement that returns it."""
        parts = node.value.elts if isinstance(node.value, gast.Tuple) else None
        for number, part in enumerate(parts or [node.value]):
            if not isinstance(part, (gast.BinOp, gast.UnaryOp, gast.Call)):
                continue
            seen = self.look(part, "what is returned", node, None if self.backward else part)
            if parts is None:
                node.value = seen
            else:
                parts[number] = seen

    def look(self, value: gast.expr, name: str, node: gast.stmt,
             made_of: gast.expr | None) -> gast.expr:
        """`finite(value, name, file, line, *operands)`."""
        file, line = place_of(node, self.unit) or place_of(self.unit.tree, self.unit) or ("", 0)
        said = f"the adjoint {name}" if self.backward and name in self.variables else name
        operands = [] if made_of is None else sorted(
            syntax.read_names(made_of) & (self.variables | set(
                syntax.parameter_names(self.unit.tree.args))))
        return call(load(self.name), value, gast.Constant(said, None), gast.Constant(file, None),
                    syntax.constant(line), *map(load, operands))


def _taken(node: gast.expr) -> bool:
    """Whether a value comes off a tape, or is zeros."""
    name = getattr(getattr(node, "func", None), "attr", getattr(getattr(node, "func", None), "id",
                                                               ""))
    return name in ("pop", "zeros_like", "copy")


def _is_meant(node: gast.expr) -> bool:
    """Whether a value is inf or nan because somebody wrote it there."""
    return any(getattr(n, "attr", getattr(n, "id", None)) in MEANT or (
        isinstance(n, gast.Call) and getattr(n.func, "id", "") == "float" and n.args
        and isinstance(n.args[0], gast.Constant)) for n in syntax.walk(node))


def _written(node: gast.expr) -> list[gast.Name]:
    """Names that a call in a statement of its own writes into: `np.add.at(bx, ...)`, `out=y`."""
    if not isinstance(node, gast.Call):
        return []
    found = [k.value for k in node.keywords if k.arg == "out"]
    if not found and getattr(node.func, "attr", "") not in ("append", "insert", "pop"):
        found = node.args[:1]
    return [n for n in found if isinstance(n, gast.Name)]
