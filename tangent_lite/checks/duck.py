"""What is refused where duck arrays take part: what writes into arrays."""
from __future__ import annotations

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.writers import written
from tangent_lite.errors import UnsupportedSyntaxError, final
from tangent_lite.inference import Typer
from tangent_lite.kinds.duck import holds_duck, named
from tangent_lite.source import Source


def writes_next_to_ducks(tree: gast.FunctionDef, facts: Inferred, typer: Typer,
                          source: Source) -> None:
    """Refuse to write into arrays where one may be a duck array: some types cannot be written into,
    and an array of NumPy that is given an element of a lazy one has it computed."""
    ducks = [kind for kind in facts.names.values() if holds_duck(kind)]
    if not ducks:
        return
    for node in syntax.statements(tree.body):
        typer.names = facts.before.get(id(node), typer.names)
        for target in _targets(node, typer):
            owner = target.value if isinstance(target, gast.Subscript) else target
            if isinstance(typer.kind(owner), (kinds.Array, kinds.Numeric)) \
                    or typer.kind(owner) == kinds.UNKNOWN:
                raise final(UnsupportedSyntaxError(
                    f"an array is written into, next to an array of type {named(ducks)}",
                    source.place(node), "make a new array (np.where, np.concatenate, np.stack), "
                                        "or pass arrays of NumPy"))


def _targets(node: gast.stmt, typer: Typer) -> list[gast.expr]:
    """The arrays that a statement writes into."""
    found: list[gast.expr] = []
    targets = node.targets if isinstance(node, gast.Assign) else [getattr(node, "target", None)]
    if isinstance(node, (gast.Assign, gast.AugAssign)):
        found += [t for t in targets if isinstance(t, gast.Subscript)]
    value = getattr(node, "value", None)
    if isinstance(value, gast.Call) and not isinstance(value.func, gast.Constant):
        function, receiver = typer.callee(value)
        found += written(value, function, receiver)
    return found
