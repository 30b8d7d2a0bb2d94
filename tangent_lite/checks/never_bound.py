"""Variables that are read where nothing is left that binds them.

A loop over nothing is gone from the function, and with it what it would have bound. Something
outside may be called alike.
"""
from __future__ import annotations

from collections.abc import Set

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.source import Source


def never_bound(tree: gast.FunctionDef, variables: Set[str], source: Source) -> None:
    """Refuse a function that reads one of its variables and has no statement that binds it."""
    lost = variables - bound_in(tree.body) - set(syntax.parameter_names(tree.args))
    for node in gast.walk(tree) if lost else ():
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and node.id in lost:
            raise source.refuse(node, "this reads a variable that nothing has bound",
                                "bind it in front of the loop that may not run")
