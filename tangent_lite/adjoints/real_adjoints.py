"""Real parts: what a variable receives where it is real, and complex later on.

The adjoint of `d` in `d = d * z` is complex, as `d` is behind it. Where `d` was real in front of
it, the real part counts: that is said where the statement that made it real is gone back through.
"""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.adjoints.ledger import Context, Ledger
from tangent_lite.adjoints.paths import CONTAINERS, Path
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.kinds import Kind
from tangent_lite.syntax import load


class RealAdjoints:
    """The part of the adjoints of statements that knows where these are real."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.ledger = Ledger(context)

    def real_behind(self, node: gast.stmt, path: Path) -> gast.expr:
        """The adjoint of what a statement binds, of which the real part counts if that is real: by
        the kind that it has behind the statement, as `d *= 1j` reads what it binds."""
        typer = self.context.typer
        saved, typer.names = typer.names, Scopes(
            self.context.facts.after.get(id(node), {}), typer.names)
        real = self.ledger.as_real(path, self.ledger.kind_of_path(path))
        typer.names = saved
        return real

    def kind_before(self, name: str, node: gast.stmt) -> Kind:
        """The kind of a variable in front of a statement, which may bind it: `d = abs(d)`."""
        found = self.context.facts.before[id(node)].get(name)
        return found if found is not None else self.ledger.kind(name)

    def whole_behind(self, node: gast.stmt, name: str) -> gast.expr:
        """The adjoint of a variable that a statement binds, put together from its parts."""
        kind = self.ledger.kind(name)
        return self.real_behind(node, (name,)) if (name,) in self.ledger.state \
            and not isinstance(kind, CONTAINERS) else self.ledger.whole((name,), kind)

    def with_real_parts(self, step: Any) -> Any:
        """A step that writes into an array, where only the real part of what it reads of the
        adjoint counts, if the array is real and its variable holds complex numbers later on."""
        adjoint = load(self.context.adjoints[step.target])
        real = self.ledger.as_real((step.target,), self.ledger.kind(step.target))
        if isinstance(real, gast.Name):
            return step
        swap = _RealParts(adjoint.id, self.ledger)
        if self.ledger.is_list(step.target):    # what is added tells what an item is behind it
            return replace(step, contributions=[
                replace(c, value=swap.visit(syntax.copy(c.value)))
                if kinds.dtype_of(self.ledger.kind(c.name)) == "float" else c
                for c in step.contributions])
        return replace(
            step, locals=[(n, swap.visit(syntax.copy(v))) for n, v in step.locals],
            contributions=[replace(c, value=swap.visit(syntax.copy(c.value)))
                           for c in step.contributions])


class _RealParts(syntax.Transformer):
    """`ba[k]` becomes `np.real(ba[k])`."""

    def __init__(self, name: str, ledger: Ledger) -> None:
        self.name, self.ledger = name, ledger

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        if getattr(node.value, "id", None) == self.name:
            return self.ledger.real_part(node)
        return self.generic_visit(node)

    def visit_Name(self, node: gast.Name) -> gast.expr:
        return self.ledger.real_part(node) if node.id == self.name else node
