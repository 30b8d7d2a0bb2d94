"""Ask an array once which branch is taken: a lazy one is computed each time that it is asked.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import DuckArray
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(x):
...     if x > 1.0:
...         x = x * x
...     return x
... ''').body[0]
>>> typer = Typer({}, {}.get)
>>> decide(tree, tree, infer(tree, {"x": DuckArray("float", 0)}, typer), typer)
>>> print(emit(tree), end="")
def f(x):
    if bool(x > 1.0):
        x = x * x
    return x
"""
from __future__ import annotations

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.inference import Typer


def decide(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
           typer: Typer) -> None:
    """Write out in the tree, in place, that conditions are numbers of Python, where `numbered`,
    its versions, says that they are duck arrays or may be."""
    for node, one in zip(syntax.statements(tree.body), syntax.statements(numbered.body)):
        if isinstance(node, gast.If) and id(one) in facts.before:
            typer.names = facts.before[id(one)]
            kind = typer.kind(one.test)
            if isinstance(kind, kinds.DuckArray) or (
                    kind == kinds.UNKNOWN and isinstance(one.test, gast.Compare)):
                node.test = syntax.placed(syntax.call(syntax.load("bool"), node.test), node)
