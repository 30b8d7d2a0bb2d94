"""What is refused of dicts that have something to give where a key is missing."""
from __future__ import annotations

import types
from collections.abc import Iterator

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.mentions import head
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.source import Source


def defaults_left(tree: gast.FunctionDef, facts: Inferred, typer: Typer, source: Source) -> None:
    """Refuse what may do something else with a `defaultdict` or a `Counter` than with any dict, or
    read what is not there: all that could was written out, or is not followed."""
    for node in facts.beside_arithmetic(tree):
        typer.names = facts.before.get(id(node), {})
        if gast.Subscript in facts.mentions[node].classes:
            _check_items(node, typer, source)
        names = {n for n in facts.mentions[node].names if _has_default(n, typer)}
        if not names:
            continue
        allowed = {id(name) for name in _as_any_dict(node, facts)}
        for name in syntax.names_in(head(node)):
            if name.id in names and isinstance(name.ctx, gast.Load) and id(name) not in allowed:
                raise source.refuse(name, "what this does to a dict with defaults is not followed",
                                    "use a plain dict, and d.get(key, 0.0)")


def _check_items(node: gast.stmt, typer: Typer, source: Source) -> None:
    """An item of a `defaultdict` from outside is there, or reading it changes the dict."""
    for part in syntax.all_of(head(node), gast.Subscript):
        owner = typer.kind(part.value) if isinstance(part.ctx, gast.Load) else None
        if owner is not None and kinds.keeps_made(owner) and kinds.value_of(
                typer.kind(part.slice)) not in getattr(owner, "keys", ()):
            raise source.refuse(part, "whether a dict with defaults has this key is not known, and "
                                      "what it has not is put there", "use d.get(key, 0.0)")


def _has_default(name: str, typer: Typer) -> bool:
    return getattr(typer.names.get(name), "missing", None) is not None


def _as_any_dict(node: gast.stmt, facts: Inferred) -> Iterator[gast.expr]:
    """What stands where any dict does the same."""
    if isinstance(node, (gast.Assign, gast.Return)):
        yield from node.value.elts if isinstance(node, gast.Return) and isinstance(
            node.value, gast.Tuple) else [node.value]
    for part in syntax.walk(head(node)):
        if isinstance(part, gast.Subscript) and (
                not isinstance(part.ctx, gast.Load) or hasattr(part, "is_there")):
            yield part.value
        elif isinstance(part, gast.Compare) and all(
                isinstance(op, (gast.In, gast.NotIn)) for op in part.ops):
            yield from part.comparators
        elif isinstance(part, gast.Call):
            function, _ = facts.callees.get(id(part), (NO_OBJECT, None))
            if function in (len, list) or isinstance(function, types.FunctionType):
                yield from part.args
