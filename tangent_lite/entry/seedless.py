"""A derivative with loops, as it is called: the seed is one, and is left out of what they add up.

    btotal = breading                               for i in range(n - 1, 0, -1):
    for i in range(n - 1, 0, -1):           =>          bx[i - 1] += x[i]
        bx[i - 1] += btotal * x[i]                      bx[i] += x[i - 1]
        bx[i] += btotal * x[i - 1]

Of straight code that is done where the way into it is put in front (see entry/fusing.py).
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from tangent_lite.adjoints.seed_of_one import leave_out_seed
from tangent_lite.compile import MadeOf, function_of
from tangent_lite.entry.fusing import Meanings, arrays_of_floats


def without_seed(main: Any, names: Sequence[str], values: Sequence[Any]) -> Any:
    """The emitted function `main` without its seed, for arguments like these; itself where that
    would leave nothing out of a loop.

    names: of the parameters. The seed stays a parameter, since the signature does.
    """
    made_of: MadeOf | None = getattr(main, "made_of", None)
    definition = made_of and made_of.definition
    if made_of is None or definition is None:
        return main
    given = definition.args
    if given.kwonlyargs or given.posonlyargs or given.vararg or given.kwarg \
            or [a.arg for a in given.args[:-1]] != [*names] \
            or not any(isinstance(n, (ast.For, ast.While)) for n in definition.body):
        return main
    numbers = {n for n, v in zip(names, values) if type(v) is float}
    body = leave_out_seed(definition.body, given.args[-1].arg, numbers,
                          arrays_of_floats(names, values),
                          Meanings(made_of, main.__globals__).of)
    if _products_in_loops(body) == _products_in_loops(definition.body):
        return main
    made = ast.FunctionDef(definition.name, given, body, [])
    ast.copy_location(made, definition)
    short = function_of(MadeOf(made, made_of.filename, made_of.known), main.__globals__)
    short.__defaults__, short.__module__ = main.__defaults__, main.__module__
    return short


def _products_in_loops(body: list[ast.stmt]) -> int:
    return sum(isinstance(n, ast.Mult) for node in body if isinstance(node, (ast.For, ast.While))
               for n in ast.walk(node))
