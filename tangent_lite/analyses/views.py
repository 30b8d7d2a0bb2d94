"""Which results may share memory with an argument, and which views an index moves away from.

What a rule says of its function (`view=`) holds for all calls of it; here is what depends on the
call.
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, runtime, syntax
from tangent_lite.analyses import writers
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.inference import Typer
from tangent_lite.runtime.shapes import flat_view

# Views always, so that a shadow is viewed alike.
MIRRORED = {np.ndarray.transpose, np.ndarray.swapaxes, np.transpose, np.swapaxes, np.moveaxis,
            np.expand_dims, np.squeeze, np.ndarray.squeeze, np.atleast_1d, np.atleast_2d,
            np.atleast_3d, np.flip, np.fliplr, np.flipud, np.rot90, flat_view}
# Views or copies, as the array lies in memory.
DECIDED = {np.ravel, np.ndarray.ravel, np.reshape, np.ndarray.reshape, np.asarray, np.asanyarray,
           np.ascontiguousarray, np.asfortranarray}
# What may hand on any of its arguments.
MANY = {np.einsum, np.ix_, np.broadcast_arrays, np.meshgrid, max, min}


def hands_on_any(function: Any, entry: registry.Entry) -> bool:
    """Whether it is any of the arguments that a result may share memory with, not the first."""
    return entry.view == "any" or function in MANY


def moved(tree: gast.FunctionDef, shared: list[Any]) -> set[str]:
    """Views by an index that is bound anew while they are in use: `v = x[i:]; i = i + 1`."""
    found: set[str] = set()
    derived: dict[str, set[str]] = {}
    for _, name, base, _ in shared:
        derived.setdefault(base, set()).add(name)
    candidates: dict[int, list[tuple[str, str]]] = {}
    for node, name, base, _ in shared:
        if syntax.read_names(node.value) - {base}:
            candidates.setdefault(id(node), []).append((name, base))
    for block in syntax.all_blocks(tree) if candidates else ():
        for number, node in enumerate(block):
            for name, base in candidates.get(id(node), ()):
                names, todo = {name}, [name]
                while todo:
                    more = derived.get(todo.pop(), set()) - names
                    names |= more
                    todo += more
                index = syntax.read_names(node.value) - {base}
                rest = block[number + 1:]
                last = max((k for k, n in enumerate(rest) if any(
                    isinstance(p, gast.Name) and p.id in names for p in syntax.walk(n))),
                    default=-1)
                if index & bound_in(rest[:last + 1]):
                    found.add(name)
    return found


def may_share(function: Any, call: gast.Call, entry: registry.Entry, typer: Typer) -> bool:
    """Whether a result may share memory with an argument."""
    method = isinstance(call.func, gast.Attribute) and isinstance(
        typer.kind(call.func.value), kinds.Array)
    if writers.outs(call, function, call.func.value if method else None):
        return True                             # what is written into is what is returned
    if function is np.nan_to_num:
        return len(call.args) > 1 or any(k.arg == "copy" for k in call.keywords)
    if function is runtime.spread_over:
        spread = typer.kind(call.args[1])       # over numbers in a list: a new list
        return not (isinstance(spread, kinds.ListKind) and isinstance(spread.item, kinds.Number))
    if function is np.meshgrid:
        given = [k.value for k in call.keywords if k.arg in ("copy", None)]
        return any(kinds.value_of(typer.kind(n)) is not True for n in given)
    if function is np.array or function is np.ndarray.astype:
        given = [*call.args[4:5], *(k.value for k in call.keywords if k.arg in ("copy", None))]
        return any(kinds.value_of(typer.kind(n)) is not True for n in given)
    if function is np.einsum and call.args and isinstance(typer.kind(call.args[0]), kinds.Text) \
            and not any(isinstance(a, gast.Starred) for a in call.args):
        return len(call.args) == 2          # of two operands the products are taken
    for special, number in ((np.diff, 0), (np.linalg.matrix_power, 1)):
        if function is special:             # np.diff(x, 0) is x
            given = [*call.args[1:2], *(k.value for k in call.keywords if k.arg == "n")]
            return any(kinds.value_of(typer.kind(n)) in (number, kinds.NO_VALUE) for n in given)
    if entry.view != "never" and not hands_on_any(function, entry) \
            and writers.is_numerical(function):
        first: Any = call.func.value if method else call.args[0] if call.args else None
        if isinstance(typer.kind(first), kinds.ListKind):
            return False                    # an array is made of the items
    return entry.view != "never"
