"""Read the array itself in place of the transpose of its transpose.

>>> from tangent_lite.emit import emit_expression
>>> from tangent_lite.kinds import Array
>>> from tangent_lite.stages import stages
>>> def f(x, W):
...     return np.sum(x @ W.T)
>>> f.__globals__["np"] = __import__("numpy")
>>> matrices = {name: Array(2, "float") for name in "xW"}
>>> for step in stages(f, **matrices).plan.steps.values():
...     for one in step.contributions:
...         print(f"b{one.name} += {emit_expression(one.value)}")
bW += bW_T.T
bx += bt @ W
bW_T += x.T @ bt
bt += unreduce(bf, t)

Neither is bound anew between the statement that makes the transpose and the one whose adjoint reads
it, in the same block or in one inside. Arrays that are written to stay out.
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.adjoints.steps import Step, content_reads
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.kinds import Array
from tangent_lite.syntax import COMPOUND


def transposes(tree: gast.FunctionDef, steps: dict[int, Step], facts: Inferred,
               aliases: Aliases) -> None:
    """Leave out transposes of transposes; the steps are changed in place."""
    if not any(map(_transposed, syntax.statements(tree.body))):
        return

    def stays(name: str) -> bool:
        return isinstance(facts.names.get(name), Array) and not aliases.is_written(name)

    def block(statements: list[gast.stmt], known: dict[str, str]) -> None:
        for node in statements:
            bound = bound_in([node])
            if isinstance(node, COMPOUND):
                inside = known if isinstance(node, gast.If) else _without(known, bound)
                block(node.body, dict(inside))
                block(node.orelse, dict(inside))
            step = steps.get(id(node))
            if step is not None and known:
                _read_itself(step, known)
            for name in [n for n in known if n not in _without(known, bound)]:
                del known[name]
            owner = _transposed(node)
            if owner is not None and stays(owner) and stays(node.targets[0].id):
                known[node.targets[0].id] = owner

    block(tree.body, {})


def _without(known: dict[str, str], bound: set[str]) -> dict[str, str]:
    """What is known of names that are not bound anew."""
    return {n: m for n, m in known.items() if n not in bound and m not in bound}


def _transposed(node: gast.stmt) -> str | None:
    """W where a statement is `W_T = W.T`."""
    value = getattr(node, "value", None)
    if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
            and isinstance(value, gast.Attribute) and value.attr == "T" \
            and isinstance(value.value, gast.Name):
        name: str = value.value.id
        return name
    return None


class _Itself(syntax.Transformer):
    def __init__(self, known: dict[str, str]) -> None:
        self.known, self.found = known, set[str]()

    def visit_Attribute(self, node: gast.Attribute) -> gast.expr:
        if node.attr == "T" and isinstance(node.value, gast.Name) and node.value.id in self.known:
            self.found.add(node.value.id)
            return syntax.load(self.known[node.value.id])
        self.generic_visit(node)
        return node

    def visit_BinOp(self, node: gast.BinOp) -> gast.expr:
        """`v @ x_T` of a vector v is `x @ v`."""
        self.generic_visit(node)
        matrix = getattr(node, getattr(node, "matrix", ""), None)
        if not isinstance(matrix, gast.Name) or matrix.id not in self.known:
            return node
        self.found.add(matrix.id)
        itself = syntax.load(self.known[matrix.id])
        return gast.BinOp(node.right, node.op, itself) if node.left is matrix \
            else gast.BinOp(itself, node.op, node.left)


def _read_itself(step: Step, known: dict[str, str]) -> None:
    change = _Itself(known)
    for one in step.contributions:
        one.value = change.visit(syntax.copy(one.value))
    step.locals = [(name, change.visit(syntax.copy(value))) for name, value in step.locals]
    if not change.found:
        return
    left: set[str] = set()
    shaped: set[str] = set()
    for expression in [e for c in step.contributions for e in (c.value, c.index)
                       if e is not None] + [value for _, value in step.locals]:
        values, shapes = content_reads(expression)
        left |= values
        shaped |= shapes
    step.reads -= {name for name in change.found if name not in left}
    step.shapes |= {name for name in change.found if name in shaped - left}
    step.reads |= {known[name] for name in change.found}
