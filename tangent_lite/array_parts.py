"""What the statements of emitted code do to arrays and to parts of them.

>>> from tangent_lite.syntax import parse_expression
>>> is_part(parse_expression("b[i]")), is_part(parse_expression("b.T[i]"))
(True, False)
"""
from __future__ import annotations

import builtins
import functools
import types
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

import gast
import numpy as np

from tangent_lite import runtime, spans, syntax
from tangent_lite.liveness import bound_in
from tangent_lite.same_memory import makes_array
from tangent_lite.spans import Least

_ARITHMETIC = (gast.BinOp, gast.UnaryOp, gast.Compare)


class Unit:
    """A unit of a derivative, and what is asked about the arrays in it."""

    def __init__(self, unit: Any) -> None:
        self.unit, self.body = unit, unit.tree.body
        self.names = set(syntax.parameter_names(unit.tree.args)) | bound_in(self.body)
        self.counts = self.means("range", range) is range

    def means(self, name: str, otherwise: Any = None) -> Any:
        """What a name of the surroundings means."""
        if name in self.names:
            return None
        return self.unit.external.get(name, self.unit.source.globals.get(name, otherwise))

    @functools.cached_property
    def counters(self) -> set[str]:
        """Names that are bound by loops over ranges alone, to whole numbers."""
        bound = Counter(syntax.parameter_names(self.unit.tree.args))
        bound.update(n.id for n in syntax.names_in(self.unit.tree)
                     if not isinstance(n.ctx, gast.Load))
        counted = Counter(n.target.id for n in syntax.statements(self.body)
                          if isinstance(n, gast.For) and isinstance(n.target, gast.Name)
                          and self.is_range(n.iter))
        return {name for name, count in counted.items() if count == bound[name]}

    def is_range(self, node: Any) -> bool:
        return isinstance(node, gast.Call) and getattr(node.func, "id", "") == "range" \
            and self.counts and not node.keywords

    def function_of(self, call: gast.Call) -> Any:
        """What a call calls: an object of the surroundings, an emitted function, or the name of a
        method of something that is computed here."""
        if isinstance(call.func, gast.Name):
            return self.means(call.func.id, getattr(builtins, call.func.id, None))
        path: list[str] = []
        node: Any = call.func
        while isinstance(node, gast.Attribute):
            path.insert(0, node.attr)
            node = node.value
        owner = self.means(node.id) if isinstance(node, gast.Name) else None
        if not isinstance(owner, types.ModuleType):
            return path[-1] if path else None
        for part in path:
            owner = getattr(owner, part, None)
        return owner

    def within(self, loop: gast.For, least: Least) -> Least:
        """What is known of whole numbers in the body of a loop."""
        if not isinstance(loop.target, gast.Name) or not self.counts \
                or loop.target.id in bound_in(loop.body):
            return least
        lowest = spans.least_in_range(loop.iter, least)
        return least if lowest is None else {**least, loop.target.id: lowest}

    def in_order(self, cleared: dict[int, str], records: Collection[int] = ()) \
            -> Iterator[tuple[gast.stmt, set[str]]]:
        """The statements of the body, and which of the arrays of which parts are cleared (by id of
        the statement) may have another name when it has run; records: by id, statements that keep
        parts only for these to be put back."""
        wanted = set(cleared.values())
        shared = wanted - self.made_here() if wanted else wanted
        body = list(self.body)
        for node, after in zip(body, [*body[1:], None]):
            if wanted:
                shared |= _given_away_in(node, after, set(cleared), wanted, records)
            yield node, shared

    def accesses(self, statement: gast.AST, name: str,
                 least: Least) -> Iterator[tuple[gast.expr | None, Least]]:
        """The indices at which an array is read or written (see `indices`), and what is known of
        whole numbers there."""
        if not isinstance(statement, syntax.COMPOUND):
            yield from ((index, least) for index in indices([statement], name))
            return
        head = statement.iter if isinstance(statement, gast.For) else statement.test
        yield from ((index, least) for index in indices([head], name))
        for block in syntax.blocks_of(statement):
            known = self.within(statement, least) if isinstance(statement, gast.For) \
                and block is statement.body else least
            for node in block:
                yield from self.accesses(node, name, known)

    def reached(self, statement: gast.AST, name: str, least: Least) -> list[spans.Spans] | None:
        """The parts of an array that a statement reads or writes, in all iterations of the loops
        in it; None if that cannot be told."""
        found = []
        for index, known in self.accesses(statement, name, least):
            part = None if index is None else spans.spans(index, known)
            if part is None:
                return None
            found.append(spans.widened(part, set(known) - set(least), known))
        return found

    def new_zeros(self, node: gast.stmt) -> str | None:
        """The name that a statement of ours binds to new zeros."""
        if not isinstance(node, gast.Assign) or not is_ours(node):
            return None
        value, target = node.value, node.targets[0]
        if isinstance(target, gast.Name) and isinstance(value, gast.Call) \
                and len(value.args) == 1 and not value.keywords \
                and isinstance(value.func, gast.Attribute) and value.func.attr == "zeros_like" \
                and isinstance(value.func.value, gast.Name) \
                and self.means(value.func.value.id) is np:
            name: str = target.id
            return name
        return None

    def cleared(self, node: gast.stmt) -> str | None:
        """The array of which a statement of ours sets a part to zero."""
        if isinstance(node, gast.Assign) and is_ours(node) and is_part(node.targets[0]) \
                and isinstance(node.value, gast.Constant) and type(node.value.value) is float \
                and node.value.value == 0.0:
            name: str = node.targets[0].value.id
            return name
        return None

    def makes_new(self, value: Any) -> bool:
        return makes_new(value, self.means)

    def made_here(self) -> set[str]:
        """Names that are never bound to more than new arrays."""
        bound: dict[str, bool] = dict.fromkeys(syntax.parameter_names(self.unit.tree.args), False)
        new: set[int] = set()           # names, where they are bound to new arrays
        for node in syntax.statements(self.body):
            if isinstance(node, gast.AugAssign):
                new.add(id(node.target))
            elif isinstance(node, gast.Assign) and self.makes_new(node.value):
                new.add(id(node.targets[0]))
        for node in syntax.walk(self.unit.tree):
            if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
                bound[node.id] = bound.get(node.id, True) and id(node) in new
        return {name for name, only_new in bound.items() if only_new}


def makes_new(value: Any, means: Callable[[str], Any]) -> bool:
    """Whether an expression surely makes an array that nobody holds, or a number; means: what a
    name of the surroundings means."""
    if isinstance(value, _ARITHMETIC) or is_copy(value):
        return True
    if not isinstance(value, gast.Call):
        return False
    if isinstance(value.func, gast.Name):
        return means(value.func.id) in (runtime.where_larger, runtime.where_positive)
    return isinstance(value.func, gast.Attribute) and isinstance(value.func.value, gast.Name) \
        and means(value.func.value.id) is np \
        and makes_array(getattr(np, value.func.attr, None), value)


def is_ours(node: gast.stmt) -> bool:
    """Whether a statement was not written by the user."""
    return not getattr(node, "lineno", None)


def is_part(node: Any) -> bool:
    """Whether a node is a part of something that has a name."""
    return isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name)


def is_copy(node: Any) -> bool:
    """Whether a node is `something.copy()`."""
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
        and node.func.attr == "copy" and not node.args


def indices(block: Iterable[gast.AST], name: str) -> list[gast.expr | None]:
    """The indices at which an array is read or written; None for what else is done to it."""
    found: list[gast.expr | None] = []
    inside: set[int] = set()
    for statement in block:
        for node in syntax.walk(statement):
            if is_part(node) and node.value.id == name:
                inside.add(id(node.value))
                found.append(node.slice)
            elif isinstance(node, gast.Name) and node.id == name and id(node) not in inside:
                found.append(None)
    return found


# Other names of an array -----------------------------------------------------------------------
def _given_away_in(statement: gast.stmt, following: gast.stmt | None, cleared: set[int],
                   wanted: set[str], records: Collection[int]) -> set[str]:
    """Those of the wanted arrays that a statement may give another name, or to somebody else: what
    is done to the others is to read and write parts of them, and arithmetic, which makes new ones.

    cleared: by id, the statements that set a part to zero.
    """
    found: set[str] = set()
    pairs = [(statement, following)]
    for node, after in pairs:
        if id(node) in records:
            continue
        pairs += [pair for inner in syntax.blocks_of(node)
                  for pair in zip(inner, [*inner[1:], None])]
        if isinstance(node, syntax.COMPOUND):
            found |= _given_away(node.iter if isinstance(node, gast.For) else node.test, wanted)
        elif isinstance(node, gast.AugAssign):
            found |= _given_away(node.value, wanted) | _given_away(node.target, wanted)
        elif not isinstance(node, gast.Assign):
            found |= _given_away(node, wanted)
        else:
            # `part = b[i]` in front of `b[i] = 0.0` takes a number, since it has no copy.
            moved = id(after) in cleared and isinstance(node.targets[0], gast.Name) \
                and syntax.same(node.value, after.targets[0])       # type: ignore[union-attr]
            found |= set() if moved else _given_away(node.value, wanted)
            for target in node.targets:
                found |= _given_away(target, wanted)
    return found


def _given_away(root: Any, wanted: set[str]) -> set[str]:
    """Arrays of which an expression gives the whole, or a part that may be a view, to something
    else than arithmetic."""
    found: set[str] = set()
    todo = [(root, False)]          # and whether what it gives is only computed with
    while todo:
        node, taken = todo.pop()
        if node is None:
            continue
        if isinstance(node, gast.Name):
            if node.id in wanted and isinstance(node.ctx, gast.Load) and not taken:
                found.add(node.id)
            continue
        if is_part(node):
            if not isinstance(node.ctx, gast.Load):
                taken = True
            todo += [(node.value, taken), (node.slice, False)]
            continue
        if is_copy(node):
            todo.append((node.func.value, True))
            continue
        if isinstance(node, (gast.Subscript, gast.Attribute)) and isinstance(node.ctx, gast.Load):
            # A view of a part, `b[i][:, None]`: what is done to it is done to the part.
            todo += [(node.value, taken), (getattr(node, "slice", None), False)]
            continue
        inner = isinstance(node, _ARITHMETIC)
        todo += [(child, inner) for child in gast.iter_child_nodes(node)]
    return found


# Tapes ----------------------------------------------------------------------------------------
def appended_to(node: Any) -> str | None:
    """The name of the list to which a statement appends something."""
    return _called_on(node.value, "append") if isinstance(node, gast.Expr) else None


def popped_from(value: Any) -> str | None:
    """The name of the list of which an expression takes off the last item."""
    return None if getattr(value, "args", None) else _called_on(value, "pop")


def _called_on(call: Any, method: str) -> str | None:
    if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) \
            and call.func.attr == method and isinstance(call.func.value, gast.Name) \
            and not call.keywords:
        name: str = call.func.value.id
        return name
    return None


def is_name(node: Any, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name


def binds(node: gast.stmt, name: str) -> bool:
    """Whether a statement is `name = ...`."""
    return isinstance(node, gast.Assign) and is_name(node.targets[0], name)


def head(node: gast.stmt) -> Any:
    """What a statement reads and binds itself, without the blocks in it."""
    if isinstance(node, gast.For):
        return gast.Tuple([node.target, node.iter], gast.Load())
    return node.test if isinstance(node, (gast.If, gast.While)) else node


def blocks(body: list[gast.stmt]) -> list[list[gast.stmt]]:
    """A block and the blocks in it, inner ones first."""
    found, todo = [], [body]
    while todo:                         # our own stack: chains of elif are deep
        block = todo.pop()
        found.append(block)
        for node in block:
            todo += [part for part in (getattr(node, "body", None), getattr(node, "orelse", None))
                     if part]
    return found[::-1]
