"""Make no matrix of an adjoint that is a diagonal, where it goes into a matrix product.

Of `t = A @ B` a trace reads the diagonal alone, so the adjoint of `t` has nothing beside it. Its
products with `B.T` and `A.T` are rows and columns that are scaled, and the product itself is
computed only where its value is asked for.

>>> from tangent_lite.emit import emit_expression
>>> from tangent_lite.kinds import Array
>>> from tangent_lite.stages import stages
>>> def f(A, B):
...     return np.trace(A @ B)
>>> f.__globals__["np"] = __import__("numpy")
>>> matrices = {name: Array(2, "float") for name in "AB"}
>>> for step in stages(f, **matrices).plan.steps.values():
...     for one in step.contributions:
...         print(f"b{one.name} += {emit_expression(one.value)}")
bA += diagonal_matmul(bAB, B.T, A)
bB += matmul_diagonal(A.T, bAB, B)
bAB += bf

The product is an intermediate value with one definition, and one use behind it in the same block:
so what its adjoint is there, it is where the product's operands get theirs.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.adjoints.steps import Contribution, Step
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.temporaries import Temporaries, may_be_any
from tangent_lite.kinds import Array, Number
from tangent_lite.runtime import diagonals as runtime_diagonals
from tangent_lite.syntax import COMPOUND

# Helpers that put their first argument on a diagonal, in the shape of the second.
SPREAD = ("trace_adjoint", "undiag", "undiagonal")


def diagonals(tree: gast.FunctionDef, planned: Any, facts: Inferred, aliases: Aliases,
              adjoints: dict[str, str], external: Callable[[Any, str], gast.expr]) -> None:
    """Scale rows and columns in place of products with diagonals; the plan is changed in place."""
    if may_be_any(facts):
        _Scaler(Temporaries(tree, planned, facts, aliases, adjoints), planned, external).block(
            tree.body)


class _Scaler:
    def __init__(self, temporaries: Temporaries, planned: Any,
                 external: Callable[[Any, str], gast.expr]) -> None:
        self.temporaries, self.external = temporaries, external
        self.facts, self.adjoints = temporaries.facts, temporaries.adjoints
        self.steps: dict[int, Step] = planned.steps
        self.kinds = planned.kinds

    def block(self, block: list[gast.stmt]) -> None:
        products: dict[str, Step] = {}
        for node in block:
            if isinstance(node, COMPOUND):
                self.block(node.body)
                self.block(node.orelse)
                continue
            step = self.steps.get(id(node))
            if step is None or step.kind != "rule" or step.locals:
                continue
            if len(step.contributions) == 1 and step.contributions[0].name in products:
                self.scale(step, products[step.contributions[0].name])
            elif self.is_product(step):
                products[step.target] = step                        # type: ignore[index]

    def is_product(self, step: Step) -> bool:
        """Whether a statement binds a product of two matrices of floats that is such a value."""
        if step.target is None or not self.temporaries.has(step.target):
            return False
        kind = self.facts.names[step.target]
        return isinstance(kind, Array) and kind.ndim == 2 and bool(step.contributions) and all(
            self.factor(step, one) is not None for one in step.contributions)

    def factor(self, step: Step, one: Contribution) -> tuple[bool, gast.expr] | None:
        """Of a contribution `bt @ y.T` or `x.T @ bt`: whether bt comes first, and the other."""
        value, adjoint = one.value, self.adjoints[step.target]      # type: ignore[index]
        kind = self.facts.names.get(one.name)
        if one.index is not None or one.steps or not isinstance(kind, Array) \
                or kind.ndim != 2 or kind.dtype != "float" \
                or not isinstance(value, gast.BinOp) or not isinstance(value.op, gast.MatMult):
            return None
        for is_first, ours, other in ((True, value.left, value.right),
                                      (False, value.right, value.left)):
            if isinstance(ours, gast.Name) and ours.id == adjoint \
                    and isinstance(other, gast.Attribute) and other.attr == "T" \
                    and isinstance(other.value, gast.Name):
                return is_first, other
        return None

    def scale(self, step: Step, product: Step) -> None:
        """Hand on what is spread along the diagonal as it is, and scale by it."""
        one = step.contributions[0]
        along = self.along(one)
        if along is None:
            return
        value, kind = along
        one.value = value
        step.shapes -= {one.name}
        self.kinds[self.adjoints[one.name]] = kind
        for other in product.contributions:
            is_first, factor = self.factor(product, other)          # type: ignore[misc]
            ours = syntax.load(self.adjoints[one.name])
            shaped = syntax.load(other.name)
            if isinstance(kind, kinds.Number) and self.is_as_large(factor, other.name):
                other.value = gast.BinOp(ours, gast.Mult(), factor)
                continue
            other.value = syntax.call(
                self.external(runtime_diagonals.diagonal_matmul, "diagonal_matmul"),
                ours, factor, shaped) if is_first else syntax.call(
                self.external(runtime_diagonals.matmul_diagonal, "matmul_diagonal"),
                factor, ours, shaped)
            if other.name not in product.reads:
                product.shapes |= {other.name}

    def is_as_large(self, transpose: gast.expr, name: str) -> bool:
        """Whether the transpose of a matrix certainly has the shape of another one."""
        assert isinstance(transpose, gast.Attribute) and isinstance(transpose.value, gast.Name)
        matrix, like = self.facts.names.get(transpose.value.id), self.facts.names.get(name)
        if not isinstance(matrix, Array) or not isinstance(like, Array):
            return False
        return kinds.one_shape(kinds.derived_shape("reversed", matrix.shape), like.shape)

    def along(self, one: Contribution) -> tuple[gast.expr, Any] | None:
        """What a contribution spreads along the main diagonal of a matrix, and its kind."""
        call = one.value
        if one.index is not None or one.steps or not isinstance(call, gast.Call) \
                or not isinstance(call.func, gast.Name) or call.func.id not in SPREAD \
                or len(call.args) != 2 or call.keywords \
                or not isinstance(call.args[1], gast.Name) or call.args[1].id != one.name:
            return None
        if call.func.id == "trace_adjoint":
            return call.args[0], Number("float")
        return call.args[0], Array(1, "float", kinds.new_shape())
