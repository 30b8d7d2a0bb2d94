"""Runs of statements about arrays, each made one call: what it becomes is said by its types.

    t = a * b                               t, bx = loops(a, b, x)
    bx = t + unbroadcast(x, b)      =>

`numba_loops` writes the function behind the call, for the types that Numba finds: one loop over the
elements for as many statements as the shapes allow, and no arrays for what only they read. Here is
only what can be said of the text: which statements belong together, what they read, what is read
of them afterwards.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import bound_in, live_around
from tangent_lite.analyses.mentions import definitions, head, uses
from tangent_lite.backends.numba_aside import stand_aside
from tangent_lite.backends.numba_functions import OWN
from tangent_lite.backends.numba_loop_reads import read_for_elements
from tangent_lite.backends.numba_named_parts import name_parts
from tangent_lite.backends.numba_number_names import Known
from tangent_lite.backends.numba_thin import thin_names
from tangent_lite.backends.numba_words import (
    APART,
    DOTS,
    ELEMENTWISE,
    KNOWN,
    SUM,
    ZEROS,
    Means,
)

_LONGEST = 60                   # statements; Numba takes more than linear time for long functions


@dataclass(eq=False)
class Group:
    """Statements that became `results = name(parameters)`."""
    name: str
    statements: list[gast.stmt]
    parameters: list[str]
    results: list[str]
    thin: dict[str, int]                # names of arrays with an axis of one item, and which
    hollow: frozenset[str] = frozenset()    # results of which nothing is read but the shape
    is_inside: bool = False             # it stands in a loop, and is called often
    is_whole: bool = False              # it writes into an array of which it reads a view
    writes: bool = False                # it may change what it is given


def grouped(tree: gast.FunctionDef, means: Means, fresh: Callable[[str], str],
            known: Known) -> list[Group]:
    """Put calls in place of runs of statements of a function; what is behind the calls."""
    for block in syntax.all_blocks(tree):
        block[:] = [node for node in block if not syntax.is_comment(node)] or block[:1]
        block[:] = [one for node in block for one in (
            [*name_parts(node, means, fresh, known), node] if _can_join(node, means)
            else [node])]
        stand_aside(block, lambda node: _can_join(node, means))
    runs = [(block, run) for block in syntax.all_blocks(tree)
            for run in _runs(block, means, known)]
    # A statement that does nothing behind each run: what is live there is what is read of it.
    markers = [gast.Pass() for _ in runs]
    for (block, run), marker in zip(runs, markers):
        block.insert(syntax.place_in(block, run[-1]) + 1, marker)
    live = live_around(tree.body, {id(marker) for marker in markers})
    variables = set(syntax.parameter_names(tree.args)) | bound_in(tree.body)
    # Those that compute a value as NumPy does make arrays of the same shapes.
    thin = thin_names(tree, lambda node: _plain(means(node)))
    views = _views(tree)
    inside = {id(block) for node in syntax.statements(tree.body)
              if isinstance(node, (gast.For, gast.While)) for block in syntax.all_blocks(node)}
    groups = []
    for (block, run), marker in zip(runs, markers):
        group = Group(fresh("loops"), run, _read(run, variables),
                      [name for name in _bound(run) if name in live[id(marker)]], thin)
        group.is_inside = id(block) in inside
        group.writes = not all(map(_binds_names, run))
        group.is_whole = any(owner in written and name in group.parameters
                             for written in [_written(run)] for name, owner in views)
        call = syntax.call(syntax.load(group.name), *map(syntax.load, group.parameters))
        made: gast.stmt = syntax.statement(call)
        if group.results:
            target: Any = syntax.store(group.results[0])
            if len(group.results) > 1:
                target = gast.Tuple([syntax.store(n) for n in group.results], gast.Store())
            made = syntax.assign(target, call)
        start = syntax.place_in(block, run[0])
        syntax.serve([made], run[0])
        block[start:start + len(run) + 1] = [made]
        groups.append(group)
    _find_hollow(tree, groups, means)
    return groups


def _plain(function: Any) -> Any:
    """The function in place of which another one computes a value."""
    return next((plain for plain, own in OWN.items() if own is function), function)


def _find_hollow(tree: gast.FunctionDef, groups: list[Group], means: Means) -> None:
    """Note of which results of groups a function reads nothing but the shape."""
    by_name = {group.name: group for group in groups}
    read: set[str] = set()
    for node in syntax.statements(tree.body):
        call = getattr(node, "value", None)
        if isinstance(call, gast.Call) and isinstance(call.func, gast.Name) \
                and call.func.id in by_name:
            group = by_name[call.func.id]
            behind = {name for one in group.statements for name in read_for_elements(one, means)}
            read |= behind & set(group.parameters)
        else:
            read |= read_for_elements(head(node), means)
    for group in groups:
        group.hollow = frozenset(group.results) - read


def _views(tree: gast.FunctionDef) -> set[tuple[str, str]]:
    """Names that mean a part of an array somewhere, and the name of the array: `part = u[:, 1]`."""
    return {(node.targets[0].id, node.value.value.id) for node in syntax.statements(tree.body)
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
            and isinstance(node.value, gast.Subscript) and isinstance(node.value.value, gast.Name)
            and any(isinstance(part, gast.Slice) for part in gast.walk(node.value.slice))}


def _written(run: list[gast.stmt]) -> set[str]:
    """The arrays into which a run writes."""
    targets: list[Any] = [getattr(node, "target", None) or getattr(node, "targets", [None])[0]
                          for node in run]
    return {target.value.id for target in targets
            if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name)}


def _binds_names(node: gast.stmt) -> bool:
    """Whether a statement does nothing but bind names: no array changes, be it by another name."""
    return isinstance(node, gast.Assign) and all(
        isinstance(part, (gast.Name, gast.Tuple, gast.expr_context))
        for target in node.targets for part in gast.walk(target))


def _runs(block: list[gast.stmt], means: Means, known: Known) -> list[list[gast.stmt]]:
    """The longest runs of a block that are worth a loop."""
    found: list[list[gast.stmt]] = []
    run: list[gast.stmt] = []
    for node in [*block, None]:
        if node is not None and len(run) < _LONGEST and _can_join(node, means):
            run.append(node)
            continue
        while run and not _is_work(run[-1], means):
            run.pop()
        if any(_is_about_arrays(one, means, known) for one in run) \
                or _is_about_rows(run, means):
            found.append(run)
        run = []
    return found


def _can_join(node: gast.stmt, means: Means) -> bool:
    """Whether a statement only computes: numbers, arrays, what is in them."""
    if isinstance(node, gast.Assign):
        if len(node.targets) != 1:
            return False
        target = node.targets[0]
    elif isinstance(node, gast.AugAssign):
        target = node.target
    elif isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
        return means(node.value.func) in KNOWN and _computes(node.value, means)
    else:
        return False
    if isinstance(target, gast.Subscript):
        return isinstance(target.value, gast.Name) and _computes(target.slice, means) \
            and _computes(node.value, means)
    return isinstance(target, gast.Name) and _computes(node.value, means)


_SIMPLE = (gast.Name, gast.BinOp, gast.UnaryOp, gast.Subscript, gast.Slice, gast.Tuple,
           gast.Compare, gast.keyword)


def _computes(node: Any, means: Means) -> bool:
    for part in gast.walk(node):
        if isinstance(part, gast.Constant):
            if not isinstance(part.value, (int, float)) and part.value is not None:
                return False
        elif isinstance(part, gast.Attribute):
            if part.attr not in ("size", "shape", "ndim") and means(part) is None:
                return False
        elif isinstance(part, gast.Call):
            if means(part.func) not in KNOWN:
                return False
        elif isinstance(part, gast.expr) and not isinstance(part, _SIMPLE):
            return False
    return True


def _is_work(node: gast.stmt, means: Means) -> bool:
    """Whether a statement is more than a name for something."""
    value: Any = node.value
    return not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name) \
        or any(isinstance(p, (gast.BinOp, gast.UnaryOp)) for p in gast.walk(value)) \
        or any(isinstance(p, gast.Call) and (means(p.func) in ELEMENTWISE or means(p.func) is SUM)
               for p in gast.walk(value))


# Calls that people and rules write where there are arrays, and hardly where there are none.
_OF_ARRAYS = KNOWN - set(ZEROS) - {APART}


def _is_about_arrays(node: gast.stmt, means: Means, known: Known) -> bool:
    """Whether a statement computes, and does so with arrays as far as its words tell, and what is
    known of what they are said of."""
    return _is_work(node, means) and any(
        isinstance(part, gast.Slice)
        or (isinstance(part, gast.BinOp) and not isinstance(part.op, gast.MatMult)
            and known.is_array(part))
        or (isinstance(part, gast.Call) and means(part.func) in _OF_ARRAYS
            and not all(map(known.is_number, part.args)))
        for part in gast.walk(node))


def _is_about_rows(run: list[gast.stmt], means: Means) -> bool:
    """Whether a run multiplies vectors with each other, and adds others of that length to parts of
    arrays: `dot = np.dot(U[u], V[v])`, `bU[u] += be * V[v]`."""
    return any(isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Subscript)
               and isinstance(node.value, gast.BinOp) for node in run) \
        and any(isinstance(part, gast.Call) and means(part.func) in DOTS
                for node in run for part in gast.walk(node))


def _read(run: list[gast.stmt], variables: set[str]) -> list[str]:
    """Names that a run reads as they were before, in the order in which it does."""
    found: dict[str, None] = {}
    bound: set[str] = set()
    for node in run:
        read = uses(node)
        names = [n.id for n in gast.walk(node) if isinstance(n, gast.Name) and n.id in read]
        found.update((name, None) for name in names if name in variables and name not in bound)
        bound.update(definitions(node))
    return list(found)


def _bound(run: list[gast.stmt]) -> list[str]:
    return list(dict.fromkeys(name for node in run for name in definitions(node)))
