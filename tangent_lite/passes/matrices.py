"""Write operators of matrices of scipy.sparse as the operators that they are.

While a derivative is written they are calls (`expansion/matrices.py`), of which rules speak; what
is read in the end is `A @ x` again.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.registry.matrices import function_for_matrices
>>> from tangent_lite.registry import load_rules
>>> import scipy.sparse
>>> load_rules()
>>> body = gast.parse("u = applied(A, x)").body
>>> matrices(body, Typer({}, {"applied": function_for_matrices("applied")}.get))
>>> print(emit(body[0]), end="")
u = A @ x
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.registry.matrices import name_for_matrices

_BINARY = {"added": gast.Add, "subtracted": gast.Sub, "summed": gast.Add, "lessened": gast.Sub,
           "scaled": gast.Mult, "divided": gast.Div, "product": gast.MatMult,
           "applied": gast.MatMult, "applied_right": gast.MatMult}


def matrices(body: list[gast.stmt], typer: Typer) -> None:
    """Put operators in the place of the calls that stand for them."""
    spelled = _Spelled(typer)
    for number, node in enumerate(body):
        body[number] = spelled.visit(node)


class _Spelled(syntax.Transformer):
    def __init__(self, typer: Typer) -> None:
        self.typer = typer

    def visit_Call(self, node: gast.Call) -> gast.expr:
        self.generic_visit(node)
        found = self.typer.object_of(node.func)
        name = None if found is NO_OBJECT else name_for_matrices(found)
        if name is None:
            return node
        made: gast.expr
        if name in _BINARY:
            made = gast.BinOp(node.args[0], _BINARY[name](), node.args[1])
        elif name == "negated":
            made = gast.UnaryOp(gast.USub(), node.args[0])
        elif name == "transposed":
            made = syntax.attribute(node.args[0], "T")
        elif name == "element":
            made = syntax.subscript(node.args[0], syntax.tuple_of(node.args[1:]))
        else:
            return node
        return gast.copy_location(made, node)
