"""Write one index where an element of an array is reached by several: `x[i, j]` for `x[i][j]`.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import INT, Array
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(x, i, j):
...     x_i = x[i]
...     y = x_i[j + 1]
...     return y
... ''').body[0]
>>> typer = Typer({}, {}.get)
>>> facts = infer(tree, {"x": Array(2, "float"), "i": INT, "j": INT}, typer)
>>> merge(tree, tree, facts, typer)
True
>>> print(emit(tree), end="")
def f(x, i, j):
    y = x[i, j + 1]
    return y

A row that is read for one element would have an adjoint of its own, as long as the row: an element
would cost what a row costs. A row to which the user gave a name keeps it.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Container
from typing import Any, NamedTuple

import gast

from tangent_lite import syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array, Number


class _Element(NamedTuple):
    """A statement that gives a name of ours to a row, and where an element of the row is reached,
    in the tree and in its versions."""
    row: gast.Assign
    spot: gast.Subscript
    version: gast.Subscript
    user: gast.stmt                     # the statement, of the versions, that reaches it


def merge(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
          users: Container[str] = ()) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.

    users: names of the user.
    """
    versions = {id(node): version for node, version in zip(
        syntax.statements(tree.body), syntax.statements(numbered.body), strict=True)}
    often: Counter[str] = Counter()
    found = False
    for block in syntax.all_blocks(tree):
        for row in [node for node in block if _is_row(node, users)]:
            axes = _axes_left(versions[id(row)], facts, typer)
            if axes == 0:
                continue
            often = often or Counter(n.id for n in syntax.walk(tree) if isinstance(n, gast.Name))
            if often[row.targets[0].id] != 2:
                continue
            element = _element(block, row, versions)
            if element is not None and _is_reached(element, axes, facts, typer):
                whole: Any = row.value
                spot = element.spot
                spot.value = syntax.copy_place(syntax.load(whole.value.id), spot.value)
                spot.slice = syntax.copy_place(gast.Tuple(
                    [*syntax.shown_parts(whole.slice), *syntax.shown_parts(spot.slice)],
                    gast.Load()), spot.slice)
                block.remove(row)
                found = True
    return found


def _is_row(node: Any, users: Container[str]) -> bool:
    """Whether a statement gives a name of ours to a part of something."""
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
        and node.targets[0].id not in users and isinstance(node.value, gast.Subscript) \
        and isinstance(node.value.value, gast.Name)


def _axes_left(version: Any, facts: Inferred, typer: Typer) -> int:
    """How many axes a part has that is found by whole numbers; 0 for all else."""
    typer.names = facts.before.get(id(version), {})
    owner = typer.kind(version.value.value)
    parts = syntax.shown_parts(version.value.slice)
    if type(owner) is not Array or owner.ndim is None \
            or not all(_is_int(part, typer) for part in parts):
        return 0
    return max(0, owner.ndim - len(parts))


def _element(block: list[gast.stmt], row: Any, versions: dict[int, gast.stmt]) -> _Element | None:
    """Where in its block the name of a row is used, if the array and the index mean the same there,
    and a part of the row is read or written."""
    name, fixed = row.targets[0].id, syntax.read_names(row.value)
    for node in block[block.index(row) + 1:]:
        if name in syntax.all_names(node):
            if isinstance(node, syntax.COMPOUND):
                return None
            for spot, version in zip(syntax.walk(node), syntax.walk(versions[id(node)]),
                                     strict=True):
                if isinstance(spot, gast.Subscript) and isinstance(spot.value, gast.Name) \
                        and spot.value.id == name:
                    return _Element(row, spot, version, versions[id(node)])
            return None
        if fixed & bound_in([node]):
            return None
    return None


def _is_reached(element: _Element, axes: int, facts: Inferred, typer: Typer) -> bool:
    """Whether a part of a row is found by whole numbers and slices."""
    typer.names = facts.before.get(id(element.user), {})
    parts = syntax.shown_parts(element.version.slice)
    return len(parts) <= axes and all(
        isinstance(part, gast.Slice) or _is_int(part, typer) for part in parts)


def _is_int(index: gast.expr, typer: Typer) -> bool:
    kind = typer.kind(index)
    return isinstance(kind, Number) and kind.type == "int"
