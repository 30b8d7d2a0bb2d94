"""What is refused of arrays of other classes than NumPy's own: masked arrays, matrices.

What `x * y` is, such a class says; a rule that stands for NumPy's product would be a wrong one.
Those that are arguments are refused at the call (`variant`).
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.mentions import head
from tangent_lite.inference import Typer
from tangent_lite.kinds import Kind
from tangent_lite.source import Source

_ASKS = (isinstance, issubclass)


def arrays_of_other_classes(tree: gast.FunctionDef, facts: Inferred, typer: Typer,
                            source: Source) -> None:
    """Refuse to read one outside, to make one, and to get one of a helper."""
    looked_at: set[tuple[str, ...]] = set()     # outside: what a name means there does not change
    for statement in facts.beside_arithmetic(tree):
        typer.names = known = facts.before.get(id(statement), {})
        mention = facts.mentions[statement]
        if not mention.calls and gast.Attribute not in mention.classes \
                and all(name in known for name in mention.reads):
            continue                            # what it reads was looked at where it was bound
        for call in mention.calls:
            function, _ = facts.callees.get(id(call), (None, None))
            given = [typer.object_of(argument) for argument in call.args] \
                if function not in _ASKS else []
            for one in (function, *given):
                if (one is np.bmat or kinds.is_other_array(one) or _is_of_masked(one)) \
                        and not (one is function and _is_made_plain(call, statement, tree, facts)):
                    name = getattr(one, "__name__", "") if kinds.is_other_array(one) else \
                        "matrix" if one is np.bmat else "masked array"
                    raise _refuse(name, call, source, one)
        for node in _read(statement, mention, known):
            path = _path(node)
            if path and path[0] not in known:
                if path in looked_at:
                    continue
                looked_at.add(path)
            found = _other_array_in(typer.kind(node))
            if found is not None and not _is_made_plain(node, statement, tree, facts):
                made_by = facts.callees.get(id(node), (None, None))[0]
                raise _refuse(found.__name__, node, source,
                              made_by or (found if found is np.ma.MaskedArray else None))


def _is_made_plain(node: gast.expr, statement: gast.stmt, tree: gast.FunctionDef,
                   facts: Inferred) -> bool:
    """Whether an array of another class is made here, and nothing is done with it but to make a
    plain one of it: `np.asarray(A.todense())`."""
    if not isinstance(node, gast.Call):
        return False
    plain = [call.args[0] for call in syntax.all_of(tree, gast.Call) if call.args
             and not any(keyword.arg == "subok" for keyword in call.keywords)
             and facts.callees.get(id(call), (None, None))[0] in (np.asarray, np.array)]
    if any(node is one for one in plain):
        return True
    if not isinstance(statement, gast.Assign) or statement.value is not node \
            or not isinstance(statement.targets[0], gast.Name):
        return False
    name = statement.targets[0].id
    read = [one for one in syntax.names_in(tree)
            if one.id == name and isinstance(one.ctx, gast.Load)]
    return all(any(one is given for given in plain) for one in read)


def _refuse(name: str, node: gast.AST, source: Source, what: Any) -> Exception:
    """what: the class of the array, or the function that makes it."""
    refused = registry.refusal_of(what) if what in (np.matrix, np.asmatrix, np.bmat) else None
    if refused is not None:
        instead = f"make a plain array of it at once, np.asarray(...), or {refused[1]}"
    elif what is np.ma.MaskedArray:
        instead = "fill it outside the function, x.filled(...), or keep its mask apart"
    elif _is_of_masked(what):
        instead = "select with np.where(mask, 0.0, x) or x[~mask] in the place of a mask"
    elif isinstance(node, gast.Call):
        instead = "make a plain array of it at once: np.asarray(...)"
    else:
        instead = "use a plain array: np.asarray(...), outside the function"
    return source.refuse(node, f"the operations of a {name} are not those of plain arrays", instead)


def _read(statement: gast.stmt, mention: Any, known: dict[str, Kind]) -> list[gast.expr]:
    """What a statement reads outside, and what it calls."""
    found: list[gast.expr] = list(mention.calls)
    for node in syntax.walk(head(statement)):
        if isinstance(node, gast.Attribute) or (isinstance(node, gast.Name)
                                                and node.id not in known):
            found.append(node)
    return found


def _path(node: gast.expr) -> tuple[str, ...]:
    """The names in `a.b.c`, in order; none of anything else."""
    path: list[str] = []
    while node.__class__ is gast.Attribute:
        path.append(node.attr)
        node = node.value
    return (node.id, *reversed(path)) if node.__class__ is gast.Name else ()


def _is_of_masked(function: Any) -> bool:
    return any(str(getattr(one, "__module__", None)).startswith("numpy.ma.")
               for one in (function, type(function)))


def _other_array_in(kind: Kind) -> type | None:
    """The class of an array in a value that is no plain one."""
    if isinstance(kind, kinds.Other):
        return kind.type if kinds.is_other_array(kind.type) else None
    return next((found for part in kinds.parts(kind)
                 if (found := _other_array_in(part)) is not None), None)
