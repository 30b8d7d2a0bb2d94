"""What the statements of emitted code do to arrays and to parts of them.

>>> from tangent_lite.syntax import parse_expression
>>> is_part(parse_expression("b[i]")), is_part(parse_expression("b.T[i]"))
(True, False)
"""
from __future__ import annotations

import builtins
import functools
import itertools
import types
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, runtime, syntax
from tangent_lite.analyses import spans
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.analyses.reaching import reached
from tangent_lite.analyses.same_memory import makes_array
from tangent_lite.analyses.spans import Least
from tangent_lite.calling.resolve import meaning
from tangent_lite.inference import NO_OBJECT
from tangent_lite.polish.tapes import appended_to, laid_by, popped_from

_ARITHMETIC = (gast.BinOp, gast.UnaryOp, gast.Compare)
# Of what comes behind the first argument these take the shape.
_OF_THE_SHAPE = (runtime.unreduce, runtime.unbroadcast)
_NUMBERS_OF = ("shape", "ndim", "size")        # what an array says of itself
_OF_INTS = (gast.Add, gast.Sub, gast.Mult, gast.FloorDiv, gast.Mod)


class Unit:
    """A unit of a derivative, and what is asked about the arrays in it."""

    def __init__(self, unit: Any) -> None:
        self.unit, self.body = unit, unit.tree.body

    @functools.cached_property
    def names(self) -> set[str]:
        """The names that the function binds, its parameters included."""
        return set(syntax.parameter_names(self.unit.tree.args)) | bound_in(self.body)

    @functools.cached_property
    def counts(self) -> bool:
        """Whether `range` means what it means in Python."""
        return self.means("range", range) is range

    def means(self, name: str, otherwise: Any = None) -> Any:
        """What a name of the surroundings means."""
        if name in self.names:
            return None
        return self.unit.external.get(name, self.unit.source.globals.get(name, otherwise))

    def found_outside(self, name: str) -> Any:
        """What a name that is bound outside means by now; None if that is nothing."""
        if name in self.unit.external:
            return self.unit.external[name]
        found = meaning(self.unit.source, name)
        return None if found is NO_OBJECT else found

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
            -> Iterator[tuple[gast.stmt, frozenset[str]]]:
        """The statements of the body, and which of the arrays of which parts are cleared (by id of
        the statement) may have another name when it has run; records: by id, statements that keep
        parts only for these to be put back. A set is the one before where nothing has changed."""
        wanted = set(cleared.values())
        if wanted:                      # and the names that their arrays had before
            wanted = reached(wanted, self.moved_from)
        shared = frozenset(wanted - self.made_here() if wanted else ())
        ever = shared                   # all that had another name at some time
        body = list(self.body)
        given = _GivenAway(self, set(cleared), wanted, records)
        for node, after in zip(body, [*body[1:], None]):
            if wanted:
                anew = self.made_anew(node)
                more = given.by_statement(node, after) | self.bound_to_held(node, ever) & wanted
                if anew in shared or not more <= shared:
                    shared = frozenset(reached((shared - {anew}) | more, self.moved_to))
                    ever |= shared
            yield node, shared

    def made_anew(self, node: gast.stmt) -> str:
        """The name that a statement binds to a new array, whatever it meant before; or none."""
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                and len(node.targets) == 1 and self.makes_new(node.value):
            return str(node.targets[0].id)
        return ""

    def bound_to_held(self, statement: gast.stmt, ever: Collection[str]) -> set[str]:
        """The names that a statement, and those in it, bind to what somebody else may hold; ever:
        the names whose arrays, when they were laid by, may have been held by others."""
        found: set[str] = set()
        for node in syntax.every_statement([statement]):
            if isinstance(node, gast.AugAssign) or id(node) in self.moves or self.made_anew(node):
                continue
            bound = {n.id for n in syntax.names_in(without_blocks(node))
                     if not isinstance(n.ctx, gast.Load)}
            found |= bound & set(ever) if id(node) in self.laid_by else bound
        return found

    @functools.cached_property
    def moves(self) -> dict[int, tuple[str, str]]:
        """By id of a statement of ours `b = a`, behind which a is bound to a new array at once:
        (b, a). So b is the only name of what a was."""
        found = {}
        for block in syntax.all_blocks(self.unit.tree):
            for node, after in itertools.pairwise(block):
                if _is_second_name(node) and is_ours(node) and isinstance(after, gast.Assign) \
                        and getattr(after.targets[0], "id", None) == node.value.id \
                        and self.makes_new(after.value):
                    found[id(node)] = node.targets[0].id, node.value.id
        return found

    @functools.cached_property
    def moved_to(self) -> dict[str, set[str]]:
        return _by_first((source, target) for target, source in self.moves.values())

    @functools.cached_property
    def moved_from(self) -> dict[str, set[str]]:
        return _by_first(self.moves.values())

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

    def new_zeros(self, node: gast.stmt, in_lists: bool = False) -> str | None:
        """The name that a statement of ours binds to an array of zeros, or to a list of them."""
        if not isinstance(node, gast.Assign) or not is_ours(node):
            return None
        value, target = node.value, node.targets[0]
        if isinstance(target, gast.Name) and isinstance(value, gast.Call) \
                and len(value.args) == 1 and not value.keywords \
                and (self._makes_list(value) if in_lists else self._makes_array(value)):
            name: str = target.id
            return name
        return None

    def _makes_array(self, call: Any) -> bool:
        return isinstance(call.func, gast.Attribute) and call.func.attr == "zeros_like" \
            and isinstance(call.func.value, gast.Name) and self.means(call.func.value.id) is np

    def _makes_list(self, call: Any) -> bool:
        return isinstance(getattr(call, "structure", None), kinds.Number) \
            and isinstance(call.func, gast.Name) \
            and self.means(call.func.id) is runtime.zeros_like

    def cleared(self, node: gast.stmt) -> str | None:
        """The array of which a statement of ours sets a part to zero."""
        if isinstance(node, gast.Assign) and is_ours(node) and is_part(node.targets[0]) \
                and isinstance(node.value, gast.Constant) and type(node.value.value) is float \
                and node.value.value == 0.0:
            name: str = node.targets[0].value.id
            return name
        return None

    @functools.cached_property
    def laid_by(self) -> set[int]:
        """By id, statements that put arrays on tapes of their own, and take them from there."""
        return laid_by(self.unit.tree, self.makes_new)

    def makes_new(self, value: Any) -> bool:
        return makes_new(value, self.means)

    @functools.cached_property
    def whole_numbers(self) -> set[str]:
        """Names that are never bound to more than ints, as far as the text tells."""
        values: dict[str, list[Any]] = {}       # what a name is bound to; None: to something else
        recorded: dict[str, list[Any]] = {}     # what is put on a tape, which gives it back
        for name in syntax.parameter_names(self.unit.tree.args):
            values[name] = [None]
        for name in syntax.names_in(self.unit.tree):
            if not isinstance(name.ctx, gast.Load):
                values.setdefault(name.id, [])
        counted: Counter[str] = Counter()
        for node in syntax.statements(self.body):
            tape = appended_to(node)
            if tape is not None:
                recorded.setdefault(tape, []).append(node.value.args[0])
            target = syntax.target_of(node)
            if isinstance(target, gast.Tuple) and _is_shape(node.value):
                counted.update(n.id for n in target.elts if isinstance(n, gast.Name))
            elif isinstance(target, gast.Name) and isinstance(node, (gast.Assign, gast.AugAssign)):
                values[target.id].append(node.value)
                counted[target.id] += 1
            elif isinstance(target, gast.Name) and isinstance(node, gast.For):
                counted[target.id] += self.is_range(node.iter)
        often = Counter(n.id for n in syntax.names_in(self.unit.tree)
                        if not isinstance(n.ctx, gast.Load))
        found = {name for name in values if counted[name] == often[name]}
        return _kept(found, values, recorded, self.is_whole)

    def is_whole(self, node: Any, known: Collection[str], recorded: dict[str, list[Any]]) -> bool:
        """Whether an expression is an int, if these names are; recorded: what is on tapes."""
        if isinstance(node, gast.Constant):
            return type(node.value) is int
        if isinstance(node, gast.Name):
            return node.id in known
        if isinstance(node, gast.UnaryOp):
            return isinstance(node.op, gast.USub) and self.is_whole(node.operand, known, recorded)
        if isinstance(node, gast.BinOp):
            return isinstance(node.op, _OF_INTS) and self.is_whole(node.left, known, recorded) \
                and self.is_whole(node.right, known, recorded)
        if isinstance(node, gast.Subscript):
            return _is_shape(node.value) and isinstance(node.slice, gast.Constant)
        if not isinstance(node, gast.Call) or node.keywords:
            return False
        tape = popped_from(node)
        if tape is not None:
            return tape in recorded and all(
                self.is_whole(one, known, recorded) for one in recorded[tape])
        return self.function_of(node) is len

    def is_place(self, index: gast.expr) -> bool:
        """Whether an index is made of ints."""
        return all(self.is_whole(part, self.whole_numbers, {})
                   for part in syntax.shown_parts(index))

    def made_here(self) -> set[str]:
        """Names that are never bound to more than new arrays, or to what such a name was moved
        from."""
        bound: dict[str, bool] = dict.fromkeys(syntax.parameter_names(self.unit.tree.args), False)
        new: set[int] = set()           # names, where they are bound to new arrays
        for node in syntax.statements(self.body):
            if isinstance(node, gast.AugAssign):
                new.add(id(node.target))
            elif isinstance(node, gast.Assign) and (
                    self.makes_new(node.value) or id(node) in self.moves
                    or id(node) in self.laid_by):
                new.add(id(node.targets[0]))
        for name in syntax.names_in(self.unit.tree):
            if not isinstance(name.ctx, gast.Load):
                bound[name.id] = bound.get(name.id, True) and id(name) in new
        others = {name for name, only_new in bound.items() if not only_new}
        return bound.keys() - reached(others, self.moved_to)


def _is_second_name(node: gast.stmt) -> bool:
    """Whether a statement is `b = a`."""
    return isinstance(node, gast.Assign) and isinstance(node.value, gast.Name) \
        and isinstance(node.targets[0], gast.Name) and node.targets[0].id != node.value.id


def _by_first(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one, other in pairs:
        found.setdefault(one, set()).add(other)
    return found


def _is_shape(node: Any) -> bool:
    return isinstance(node, gast.Attribute) and node.attr == "shape"


def _kept(found: set[str], values: dict[str, list[Any]], recorded: dict[str, list[Any]],
          is_whole: Callable[..., bool]) -> set[str]:
    """Those of the names that are bound to ints alone if those that are found are."""
    while True:
        kept = {name for name in found
                if all(is_whole(value, found, recorded) for value in values[name])}
        if kept == found:
            return kept
        found = kept


def makes_new(value: Any, means: Callable[[str], Any]) -> bool:
    """Whether an expression surely makes an array that nobody holds, or a number; means: what a
    name of the surroundings means."""
    if isinstance(value, _ARITHMETIC) or is_copy(value):
        return True
    if not isinstance(value, gast.Call):
        return False
    if isinstance(value.func, gast.Name):
        return means(value.func.id) in (runtime.where_larger, runtime.of_larger,
                                        runtime.where_positive, runtime.share_ties)
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
        if not any(one.id == name for one in syntax.names_in(statement)):
            continue                    # as in most
        for node in syntax.walk(statement):
            if is_part(node) and node.value.id == name:
                inside.add(id(node.value))
                found.append(node.slice)
            elif isinstance(node, gast.Name) and node.id == name and id(node) not in inside:
                found.append(None)
    return found


# Other names of an array -----------------------------------------------------------------------
class _GivenAway:
    """Finds arrays that get another name, or into somebody else's hands: what is done to the others
    is to read and write parts of them, and to compute with them, which makes new ones.

    cleared: by id, the statements that set a part to zero; wanted: the arrays that matter; records:
    by id, the statements that keep parts only for these to be put back.
    """

    def __init__(self, unit: Unit, cleared: set[int], wanted: set[str],
                 records: Collection[int]) -> None:
        self.unit, self.cleared, self.wanted, self.records = unit, cleared, wanted, records

    @functools.cached_property
    def axes(self) -> dict[str, int]:
        """How many axes those arrays have of which a number was recorded: it is one if it is found
        by whole numbers, and is not copied for the record."""
        found = {}
        for node in syntax.statements(self.unit.body):
            if id(node) in self.records:
                part: Any = node.value.args[0]
                if is_part(part) and self.unit.is_place(part.slice):
                    found[part.value.id] = len(syntax.shown_parts(part.slice))
        return found

    def by_statement(self, statement: gast.stmt, following: gast.stmt | None) -> set[str]:
        """The arrays that a statement gives away, and those in it."""
        found: set[str] = set()
        pairs = [(statement, following)]
        for node, after in pairs:
            if id(node) in self.records or id(node) in self.unit.laid_by:
                continue
            pairs += [pair for inner in syntax.blocks_of(node)
                      for pair in zip(inner, [*inner[1:], None])]
            if isinstance(node, syntax.COMPOUND):
                found |= self.by_expression(node.iter if isinstance(node, gast.For) else node.test)
            elif isinstance(node, gast.AugAssign):
                found |= self.by_expression(node.value) | self.by_expression(node.target)
            elif not isinstance(node, gast.Assign):
                found |= self.by_expression(node)
            else:
                # `part = b[i]` in front of `b[i] = 0.0` takes a number, since it has no copy.
                moved = id(after) in self.cleared and isinstance(node.targets[0], gast.Name) \
                    and syntax.same(node.value, after.targets[0])   # type: ignore[union-attr]
                moved = moved or id(node) in self.unit.moves
                found |= set() if moved else self.by_expression(node.value)
                for target in node.targets:
                    found |= self.by_expression(target)
        return found

    def by_expression(self, root: Any) -> set[str]:
        """Arrays of which an expression gives the whole, or a part that may be a view, to something
        that does not make a new one."""
        found: set[str] = set()
        todo = [(root, False)]          # and whether what it gives is only computed with
        while todo:
            node, taken = todo.pop()
            if node is None:
                continue
            if isinstance(node, gast.Name):
                if node.id in self.wanted and isinstance(node.ctx, gast.Load) and not taken:
                    found.add(node.id)
                continue
            if is_part(node):
                if not isinstance(node.ctx, gast.Load) or self.is_number(node):
                    taken = True
                todo += [(node.value, taken), (node.slice, False)]
                continue
            if is_copy(node):
                todo.append((node.func.value, True))
                continue
            if isinstance(node, gast.Attribute) and node.attr in _NUMBERS_OF:
                todo.append((node.value, True))
                continue
            if isinstance(node, (gast.Subscript, gast.Attribute)) \
                    and isinstance(node.ctx, gast.Load):
                # A view of a part, `b[i][:, None]`: what is done to it is done to the part.
                todo += [(node.value, taken), (getattr(node, "slice", None), False)]
                continue
            if isinstance(node, gast.Call) and self.unit.function_of(node) is len:
                todo += [(one, True) for one in node.args]
                continue
            if isinstance(node, gast.Call) and self.unit.function_of(node) in _OF_THE_SHAPE:
                todo += [(node.args[0], taken), *((one, True) for one in node.args[1:])]
                continue
            inner = isinstance(node, _ARITHMETIC) or self.unit.makes_new(node)
            todo += [(child, inner) for child in gast.iter_child_nodes(node)]
        return found

    def is_number(self, part: gast.Subscript) -> bool:
        """Whether a part of an array surely is a number, which is nobody's memory."""
        axes = self.axes.get(part.value.id)
        return axes is not None and len(syntax.shown_parts(part.slice)) == axes \
            and self.unit.is_place(part.slice)


def binds(node: gast.stmt, name: str) -> bool:
    """Whether a statement is `name = ...`."""
    return isinstance(node, gast.Assign) and syntax.is_name(node.targets[0], name)


def without_blocks(node: gast.stmt) -> Any:
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
