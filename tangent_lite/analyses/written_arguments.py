"""The argument that a helper certainly writes into, as it shows at a first look.

    def relax(u, n):            def settle(grid, n):            def step(self, dt):
        u[0] = 0.0                  relax(grid, n)                  self.t = self.t + dt

A helper that writes into its arguments is written out where it is called. To know that of `settle`
it is enough to know it of `relax`: nothing has to be written out in `settle` before. In a chain of
such helpers, each of which would write out all behind it, that is what keeps the work linear.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import count_bindings
from tangent_lite.inference import NO_OBJECT, Typer

_CHANGES = (list.append, list.insert, list.pop)
# For a call of a function, the argument that the function is known to write into.
OfCall = Callable[[gast.Call, Any], "gast.expr | None"]


def written_argument(tree: gast.FunctionDef, facts: Inferred, typer: Typer,
                     of_call: OfCall) -> str | None:
    """The first parameter that is certainly written into; None says nothing.

    >>> from tangent_lite.passes.infer import infer
    >>> tree = gast.parse('''
    ... def f(x, body, n):
    ...     u = body.u
    ...     for i in range(n):
    ...         x = x + 1.0
    ...         u[i] = x
    ... ''').body[0]
    >>> given = {"x": kinds.FLOAT, "body": kinds.UNKNOWN, "n": kinds.INT}
    >>> typer = Typer({}, {"range": range}.get)
    >>> written_argument(tree, infer(tree, given, typer), typer, lambda call, function: None)
    'body'
    """
    owners = _owners(tree, facts)
    written = {owners[name] for node in syntax.statements(tree.body)
               for name in _written_by(node, facts, typer, of_call) if name in owners}
    return next((p for p in syntax.parameter_names(tree.args) if p in written), None)


def _owners(tree: gast.FunctionDef, facts: Inferred) -> dict[str, str]:
    """The parameters that are never bound anew, by their names and those of their attributes."""
    count = count_bindings(tree)
    owners = {p: p for p in syntax.parameter_names(tree.args)
              if count[p] == 1 and not _is_plain(facts.names.get(p))}
    for node in syntax.statements(tree.body):
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        if isinstance(target, gast.Name) and isinstance(node.value, gast.Attribute) \
                and isinstance(node.value.value, gast.Name) and node.value.value.id in owners \
                and count[target.id] == 1 and not _is_plain(facts.names.get(target.id)):
            owners[target.id] = owners[node.value.value.id]
    return owners


def _is_plain(kind: kinds.Kind | None) -> bool:
    """Whether there is nothing that could be written into."""
    return isinstance(kind, (kinds.Number, kinds.Nothing, kinds.Text))


def _written_by(node: gast.stmt, facts: Inferred, typer: Typer, of_call: OfCall) -> Iterator[str]:
    """The names whose values a statement writes into."""
    if isinstance(node, (gast.Assign, gast.AugAssign)):
        target = syntax.target_of(node)
        if isinstance(target, (gast.Subscript, gast.Attribute)) \
                and isinstance(target.value, gast.Name):
            yield target.value.id
    if isinstance(node, syntax.COMPOUND):
        return
    for call in facts.mentions[node].calls:
        function, receiver = facts.callees.get(id(call), (NO_OBJECT, None))
        typer.names = facts.before.get(id(node), {})
        changes = any(function is one for one in _CHANGES)      # what == means others may say
        given = receiver if changes else of_call(call, function)
        if isinstance(given, gast.Name):
            yield given.id
