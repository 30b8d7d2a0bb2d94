"""Statements about arrays as loops over their elements, written when their types are known.

NumPy computes statement by statement, with an array for every operation. `written` puts statements
about arrays of one shape into one loop, and what only they read never becomes an array:

    t = a * b                               if a.shape[0] == s and b.shape[0] == s:
    bx = np.exp(t) - t                          bx = np.empty(s)
                                    =>          for i in range(s):
                                                    e = item(a, i) * item(b, i)
                                                    put(bx, np.exp(e) - e, i)
                                            else:
                                                t = a * b
                                                bx = np.exp(t) - t

Which arrays have one shape is asked when the code runs; the statements as they are do the rest
(shapes that are stretched, arrays that share memory, errors). What cannot be said by elements ends
a loop and stays as it is.

Order is kept where it matters. A loop reads and writes an array that is written in it at one and
the same place, and other arrays must lie apart from it (asked too). Numbers that a loop reads are
bound before it, and numbers that it sums up are read behind it.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np
from numba import types

from tangent_lite import syntax
from tangent_lite.backends import numba_elements, numba_memory, numba_words
from tangent_lite.backends.numba_groups import Group, Means
from tangent_lite.backends.numba_loop_parts import (
    NUMBER,
    Array,
    ByStatement,
    Draft,
    NextLoop,
    Places,
    axis_of,
    index_parts,
)
from tangent_lite.emit import emit_expression
from tangent_lite.liveness import definitions

# What the text of a loop calls.
_WORDS: dict[str, Any] = {
    name: getattr(numba_elements, name) for name in (
        "item", "put", "shifted", "stepped", "place", "first_of", "length_from", "length_to_end",
        "in_order")}
_WORDS |= {"extent": numba_memory.extent, "meet": numba_memory.meet, "empty": np.empty,
           "zeros": np.zeros, "divide": np.divide, "power": np.power, "square": np.square,
           "real": np.float64}
_AXES = 3                       # of the largest arrays that loops are written for
_OPERATORS = {gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/"}


def written(group: Group, kinds: dict[str, Any], means: Means, space: dict[str, Any]) \
        -> Callable[..., Any]:
    """The function behind the call of a group, for these types of its parameters.

    space: what the names of the module mean.
    """
    writer = _Writer(group, kinds, means, set(space))
    text = writer.text()
    words = {writer.words[name]: thing for name, thing in _WORDS.items() if name in writer.words}
    made: dict[str, Any] = {**space, **words}
    exec(compile(text, f"<tangent_lite numba {group.name}>", "exec"), made)
    return made[group.name]


def _kind(kind: Any) -> Any:
    """What is known of a parameter of a type: None if it is nothing that loops know."""
    if isinstance(kind, types.Literal):
        kind = kind.literal_type
    if isinstance(kind, types.Boolean) or isinstance(kind, (types.Integer, types.Float)):
        return NUMBER
    if not isinstance(kind, types.Array) or not kind.aligned:
        return None
    if kind.dtype == types.float64 and 0 < kind.ndim <= _AXES and (
            kind.ndim == 1 or kind.layout != "F"):
        return Array(kind.ndim, "", origin="given", is_mutable=kind.mutable)
    return Places() if kind.dtype == types.int64 and kind.ndim == 1 else None


class _Loop:
    """The loop that is open: the drafts of its statements, one behind the other."""

    def __init__(self, rank: int, number: int) -> None:
        self.rank, self.number = rank, number
        self.drafts: list[Draft] = []
        self.statements: list[gast.stmt] = []
        self.early: dict[str, str] = {}
        self.reads: list[tuple[Array, str]] = []
        self.writes: list[tuple[Array, str]] = []
        self.names: set[str] = set()
        self.bound: set[str] = set()


class _Writer:
    def __init__(self, group: Group, kinds: dict[str, Any], means: Means, taken: set[str]) -> None:
        self.group, self.means = group, means
        self.taken = taken | {group.name} | {
            n.id for one in group.statements for n in gast.walk(one) if isinstance(n, gast.Name)}
        self.words: dict[str, str] = {}
        self.env: dict[str, Any] = {}
        for name in group.parameters:
            known = self.env[name] = _kind(kinds[name])
            if isinstance(known, Array):
                known.owner = name
        self.lines: list[str] = []
        self.loop: _Loop | None = None
        self.loops = 0
        self.at = 0                             # the statement that is next
        self.kept: set[str] = set()             # made here, and read later

    # Names ------------------------------------------------------------------------------------
    def fresh(self, wish: str) -> str:
        name, number = wish, 0
        while name in self.taken:
            number += 1
            name = f"{wish}_{number}"
        self.taken.add(name)
        return name

    def word(self, name: str) -> str:
        """The name of what a text calls, or of a place of a loop."""
        if name not in self.words:
            self.words[name] = self.fresh(name)
        return self.words[name]

    def early_name(self, text: str) -> str | None:
        return None if self.loop is None else self.loop.early.get(text)

    def known(self, name: str) -> Any:
        """What a name means: NUMBER or an Array; ByStatement if that is not known."""
        found = self.env.get(name)
        if found is None or isinstance(found, Places):
            raise ByStatement
        if found is NUMBER and self.loop is not None and any(
                name in draft.pending for draft in self.loop.drafts):
            raise NextLoop
        return found

    def means_places(self, name: str) -> bool:
        return isinstance(self.env.get(name), Places)

    # The text ---------------------------------------------------------------------------------
    def text(self) -> str:
        for number, node in enumerate(self.group.statements):
            self.at = number
            self.statement(node)
        self.at = len(self.group.statements)
        self.close()
        for name in self.group.results:
            self.bring_back(name)
        results = self.group.results
        lines = [f"def {self.group.name}({', '.join(self.group.parameters)}):", *self.lines]
        if results:
            lines.append(f"    return {', '.join(results)}")
        elif len(lines) == 1:
            lines.append("    pass")
        return "\n".join(lines) + "\n"

    def statement(self, node: gast.stmt) -> None:
        """Put a statement into the loop that is open, into the next, or behind it as it is."""
        for _ in range(2):
            had_loop = self.loop is not None
            try:
                self.take(node)
                return
            except NextLoop:
                self.close()
                if not had_loop:
                    break
            except ByStatement:
                break
        self.close()
        self.as_it_is(node)

    def take(self, node: gast.stmt) -> None:
        names = definitions(node)
        for name in names:
            # What a loop reads or binds is bound anew behind it.
            if self.loop is not None and name in self.loop.names | self.loop.bound:
                raise NextLoop
            statements = [node, *(self.loop.statements if self.loop is not None else ())]
            if any(name in syntax.read_names(one) for one in statements):
                self.bring_back(name)
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
            self.binding(node, node.targets[0].id, node.value)
        elif isinstance(node, gast.Assign):
            self.storing(node, node.targets[0], None, node.value)
        elif isinstance(node, gast.AugAssign):
            operator = _OPERATORS.get(type(node.op))
            if operator is None:
                raise ByStatement
            if isinstance(node.target, gast.Name):
                self.changing(node, node.target.id, operator, node.value)
            else:
                self.storing(node, node.target, operator, node.value)
        else:
            self.scattering(node, node.value)                   # type: ignore[attr-defined]

    # Kinds of statements ----------------------------------------------------------------------
    def binding(self, node: gast.stmt, name: str, value: gast.expr) -> None:
        """`name = value`"""
        draft = self.draft(1)
        if isinstance(value, gast.Name):
            self.naming(node, name, value.id)
            return
        if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name):
            if draft.rank_of(value) > 0:
                self.part_of(node, name, value, draft.rank_of(value))
                return
        function = self.means(value.func) if isinstance(value, gast.Call) else None
        if function is not None and function in numba_words.ZEROS and isinstance(
                value.args[0], gast.Name):                      # type: ignore[attr-defined]
            if self.zeros(node, name, value.args[0].id):        # type: ignore[attr-defined]
                return
        if function is numba_words.SUM and axis_of(value) is not None:  # type: ignore[arg-type]
            if draft.rank_of(value.args[0]) > 1:                # type: ignore[attr-defined]
                self.summing(node, name, value.args[0], axis_of(value))     # type: ignore
                return
        if function is numba_words.UNBROADCAST:
            given, like = value.args                            # type: ignore[attr-defined]
            ranks = draft.rank_of(given), draft.rank_of(like)
            if ranks == (2, 1):
                self.summing(node, name, given, 0, like)
                return
            if isinstance(given, gast.Name) and ranks[0] == ranks[1] > 0 \
                    and self.same_array(node, name, given.id, like):
                return
        rank = draft.rank_of(value)
        if rank == 0:
            self.number(node, name, None, value)
            return
        draft = self.draft(rank)
        text = draft.element(value, draft.indices)
        made = Array(rank, self.fresh(name), stored=False, element=self.fresh(f"{name}_one"),
                     origin="fresh")
        draft.inner.append(f"{made.element} = {text}")
        draft.made.append(made)
        self.join(draft, node)
        self.bind(name, made)

    def naming(self, node: gast.stmt, name: str, other: str) -> None:
        """`name = other`: one array with two names."""
        known = self.known(other)
        if known is NUMBER or known.stored:
            self.line(name, f"{name} = {other}", known)
        elif known.element and self.loop is not None:
            self.loop.statements.append(node)
            self.loop.bound.add(name)
            self.bind(name, known)
        else:
            raise NextLoop if known.access is None else ByStatement

    def same_array(self, node: gast.stmt, name: str, other: str, like: gast.expr) -> bool:
        """`name = unbroadcast(other, like)`: the array itself if it has the shape already."""
        known = self.known(other)
        if not known.stored or not isinstance(like, gast.Name):
            return False
        array = self.known(like.id)
        if not array.stored:
            return False
        if array is known:
            self.line(name, f"{name} = {other}", known)
            return True
        self.settled([known])
        self.line(name, _text(node), Array(known.rank, name, is_mutable=known.is_mutable))
        return True

    def part_of(self, node: gast.stmt, name: str, value: gast.Subscript, rank: int) -> None:
        """`name = x[1:-1]`: read where it lies, if nobody needs it as an array."""
        base = self.known(value.value.id)
        if not base.stored:
            raise NextLoop if base.access is None else ByStatement
        is_copy = any(isinstance(p, gast.Name) and self.means_places(p.id)
                      for p in index_parts(value.slice))
        if is_copy:
            self.settled([base])
        if self.only_whole(name):
            self.bind(name, Array(rank, name, stored=False, access=value))
            return
        self.line(name, _text(node), Array(rank, name, origin="fresh" if is_copy else "other",
                                           is_mutable=base.is_mutable or is_copy))

    def zeros(self, node: gast.stmt, name: str, like: str) -> bool:
        array = self.known(like)
        if array is NUMBER or not array.stored:
            return False
        self.line(name, _text(node), Array(array.rank, name, origin="fresh"))
        return True

    def summing(self, node: gast.stmt, name: str, value: gast.expr, axis: int,
                like: gast.expr | None = None) -> None:
        """`name = np.sum(value, axis)` of a matrix, or what `unbroadcast` makes of it."""
        draft = self.draft(2)
        if draft.rank_of(value) != 2 or not -2 <= axis < 2:
            raise ByStatement
        row, column = draft.indices
        text = draft.element(value, draft.indices)
        if like is not None:
            draft.has_shape(like, [column])
        made = Array(1, self.fresh(name), stored=False, origin="fresh")
        if axis % 2:
            total = self.fresh("total")
            draft.rows.append(f"{total} = 0.0")
            draft.inner.append(f"{total} += {text}")
            draft.row_ends.append(f"{self.word('put')}({made.owner}, {total}, {row})")
            draft.allocated.append(f"{made.owner} = {self.word('empty')}({{0}})")
        else:
            draft.inner.append(f"{self.word('put')}({made.owner}, {self.word('item')}("
                               f"{made.owner}, {column}) + {text}, {column})")
            draft.allocated.append(f"{made.owner} = {self.word('zeros')}({{1}})")
        draft.made.append(made)
        self.join(draft, node)
        self.bind(name, made)

    def changing(self, node: gast.stmt, name: str, operator: str, value: gast.expr) -> None:
        """`name += value`"""
        known = self.known(name)
        if known is NUMBER:
            if self.draft(1).rank_of(value) != 0:
                raise ByStatement               # a number that becomes an array
            self.number(node, name, operator, value)
            return
        if known.access is not None:
            raise ByStatement
        draft = self.draft(known.rank)
        if draft.rank_of(value) > known.rank:
            raise ByStatement
        if isinstance(value, gast.Call) and self.means(value.func) is numba_words.UNBROADCAST \
                and draft.rank_of(value.args[0]) > known.rank:
            self.in_two(node, value)
            return
        text = draft.stretched(value, draft.indices)
        if known.element:
            if self.loop is None:
                raise ByStatement
            draft.inner.append(f"{known.element} = {self.operation(known.element, operator, text)}")
        elif known.stored and known.is_mutable:
            before = draft.element(syntax.load(name), draft.indices)
            place = ", ".join(draft.indices)
            draft.writes.append((known, place))
            draft.inner.append(f"{self.word('put')}({known.owner}, "
                               f"{self.operation(before, operator, text)}, {place})")
        else:
            raise NextLoop
        self.join(draft, node)

    def storing(self, node: gast.stmt, target: gast.expr, operator: str | None,
                value: gast.expr) -> None:
        """`x[1:-1] += value`, `x[1:-1] = value`"""
        if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
            raise ByStatement
        array = self.known(target.value.id)
        if array is NUMBER or (array.stored and not array.is_mutable):
            raise ByStatement
        if any((isinstance(p, gast.Name) and self.means_places(p.id))
               or (isinstance(p, gast.Constant) and p.value is None)
               for p in index_parts(target.slice)):
            raise ByStatement                   # an element that may be written twice
        if not array.stored:
            raise NextLoop if array.access is None else ByStatement
        draft = self.draft(1)
        rank = draft.rank_of(target)
        if rank == 0 or draft.rank_of(value) > rank:
            raise ByStatement
        draft = self.draft(rank)
        text = draft.stretched(value, draft.indices)
        place = draft.part(target, draft.indices, writes=True)
        if operator is not None:
            before = draft.part(target, draft.indices)
            text = self.operation(before, operator, text)
        draft.inner.append(f"{self.word('put')}({place.format(text)})")
        if self.clashes(draft.reads, draft.writes):
            self.in_two(node, value)
            return
        self.join(draft, node)

    def in_two(self, node: Any, value: gast.expr) -> None:
        """`x[a] += value` => `t = value; x[a] += t`"""
        if isinstance(value, gast.Call) and self.means(value.func) is numba_words.APART:
            value = value.args[0]
        if isinstance(value, (gast.Name, gast.Subscript)):
            raise ByStatement
        name = self.fresh("value")
        self.kept.add(name)
        self.close()
        self.statement(syntax.assign(name, value))
        self.close()
        second = syntax.copy(node)
        second.value = syntax.load(name)
        self.statement(second)
        self.close()

    def scattering(self, node: gast.stmt, call: gast.Call) -> None:
        """`add_at(bx, rows, value)`"""
        if self.means(call.func) is not numba_words.ADD_AT or len(call.args) != 3 \
                or not isinstance(call.args[0], gast.Name) \
                or not isinstance(call.args[1], gast.Name) \
                or not self.means_places(call.args[1].id):
            raise ByStatement
        array = self.known(call.args[0].id)
        if array is NUMBER or not array.stored or not array.is_mutable:
            raise ByStatement
        draft = self.draft(array.rank)
        if draft.rank_of(call.args[2]) > array.rank:
            raise ByStatement
        text = draft.stretched(call.args[2], draft.indices)
        place = [draft.row(call.args[1].id, f"{array.owner}.shape[0]", draft.indices[0])]
        for axis, i in enumerate(draft.indices[1:], 1):
            draft.spans(i, f"{array.owner}.shape[{axis}]")
            place.append(i)
        where = ", ".join(place)
        draft.names.add(array.owner)
        draft.writes.append((array, f"rows {call.args[1].id}"))
        draft.inner.append(f"{self.word('put')}({array.owner}, {self.word('item')}({array.owner}, "
                           f"{where}) + {text}, {where})")
        self.join(draft, node)

    def operation(self, left: str, operator: str, right: str) -> str:
        if operator == "/":
            return f"{self.word('divide')}({left}, {right})"
        return f"{left} {operator} {right}"

    # Numbers ----------------------------------------------------------------------------------
    def number(self, node: gast.stmt, name: str, operator: str | None, value: gast.expr) -> None:
        """`name = value` for numbers, with sums over arrays among them."""
        sums: list[tuple[str, gast.expr, gast.expr | None]] = []
        rest = self.without_sums(syntax.copy(value), sums)
        draft = self.draft(1)
        if not sums:
            plain = emit_expression(draft.plain_number(rest))
            self.settled([array for array, _ in draft.reads])
            self.line(name, f"{name} {operator or ''}= {plain}", NUMBER)
            return
        ranks = {max(draft.rank_of(one), draft.rank_of(other) if other is not None else 0)
                 for _, one, other in sums}
        if len(ranks) != 1:
            raise ByStatement
        draft = self.draft(ranks.pop())
        for total, one, other in sums:
            text = draft.element(one, draft.indices)
            if other is not None:
                text = f"{text} * {draft.element(other, draft.indices)}"
            draft.hoisted.append(f"{total} = 0.0")
            draft.inner.append(f"{total} += {text}")
        behind = emit_expression(draft.plain_number(rest))
        if any(place == "one" for _, place in draft.reads):
            raise ByStatement
        draft.names |= syntax.read_names(rest)
        draft.behind.append(f"{name} {operator or ''}= {behind}")
        draft.pending.append(name)
        self.join(draft, node)
        self.bind(name, NUMBER)

    def without_sums(self, node: gast.expr, sums: list[Any]) -> gast.expr:
        """An expression with names in place of the sums in it, which go to a list."""
        writer = self

        class Sums(gast.NodeTransformer):
            def visit_Call(self, call: gast.Call) -> Any:
                function = writer.means(call.func)
                draft = writer.draft(1)
                if function is numba_words.SUM:
                    rank = draft.rank_of(call.args[0])
                    axis = axis_of(call)
                    if rank > 0 and (axis is None or (rank == 1 and axis in (0, -1))):
                        return self.total(call.args[0], None)
                if function is numba_words.UNBROADCAST and draft.rank_of(call.args[1]) == 0 \
                        and draft.rank_of(call.args[0]) > 0:
                    return self.total(call.args[0], None)
                if function is numba_words.DOT:
                    return self.product(call, call.args[0], call.args[1])
                return self.generic_visit(call)

            def visit_BinOp(self, operation: gast.BinOp) -> Any:
                if isinstance(operation.op, gast.MatMult):
                    return self.product(operation, operation.left, operation.right)
                return self.generic_visit(operation)

            def product(self, whole: Any, left: gast.expr, right: gast.expr) -> Any:
                draft = writer.draft(1)
                if (draft.rank_of(left), draft.rank_of(right)) != (1, 1):
                    raise ByStatement
                return self.total(left, right)

            def total(self, one: gast.expr, other: gast.expr | None) -> gast.expr:
                name = writer.fresh("total")
                writer.env[name] = NUMBER
                sums.append((name, one, other))
                return syntax.load(name)

        return Sums().visit(node)

    # Loops ------------------------------------------------------------------------------------
    def draft(self, rank: int) -> Draft:
        """What a statement is to add to the loop that is open, or to the next."""
        if not 0 < rank <= _AXES:
            raise ByStatement
        if self.loop is not None and self.loop.rank == rank:
            return Draft(self, rank, self.loop.number)
        return Draft(self, rank, self.loops)

    def settled(self, arrays: list[Array]) -> None:
        """What is read of arrays in front of the loop that is open is not written in it."""
        if self.loop is not None and any(
                may_meet(array, other) for array in arrays for other, _ in self.loop.writes):
            raise NextLoop

    def clashes(self, reads: list[tuple[Array, str]], writes: list[tuple[Array, str]]) -> bool:
        """Whether an array is written at one place and read or written at another."""
        return any(array is other and place != another and not (
            place.startswith("rows") and another.startswith("rows"))    # both only add
            for array, place in writes for other, another in [*reads, *writes])

    def join(self, draft: Draft, node: gast.stmt) -> None:
        """Put what a statement adds into the loop."""
        if self.loop is not None and self.loop.rank != draft.rank:
            raise NextLoop
        loop = self.loop
        reads = [*(loop.reads if loop else ()), *draft.reads]
        writes = [*(loop.writes if loop else ()), *draft.writes]
        if self.clashes(reads, writes):
            raise NextLoop if loop is not None else ByStatement
        if not draft.is_full and not all(draft.sizes):
            raise ByStatement                   # an axis of one item, made by None
        self.settle_copies([array for array, _ in draft.writes])
        if loop is None:
            loop = self.loop = _Loop(draft.rank, self.loops)
            self.loops += 1
        loop.drafts.append(draft)
        loop.statements.append(node)
        loop.early.update(draft.early_names)
        loop.reads, loop.writes = reads, writes
        loop.names |= draft.names
        loop.bound.update(definitions(node))

    def line(self, name: str, text: str, known: Any) -> None:
        """Bind a name in front of the loop that is open."""
        self.before_binding(name)
        self.lines.append(f"    {text}")
        self.bind(name, known)

    def before_binding(self, name: str) -> None:
        """Take out what is read by way of a name that is to mean something else."""
        for other, array in list(self.env.items()):
            if isinstance(array, Array) and array.access is not None and other != name \
                    and name in syntax.read_names(array.access):
                self.bring_back(other)

    def bind(self, name: str, known: Any) -> None:
        """A name means something else from here on."""
        self.before_binding(name)
        old = self.env.get(name)
        if isinstance(old, Array) and old.owner == name and old is not known:
            others = [n for n, array in self.env.items() if array is old and n != name]
            if others:
                old.owner = others[0]
        self.env[name] = known

    def close(self) -> None:
        """End the loop that is open, and write it."""
        loop, self.loop = self.loop, None
        if loop is None:
            return
        drafts = loop.drafts
        word = self.word
        sizes = [self.fresh(f"size{loop.number}") for _ in range(loop.rank)]
        spans = [list(dict.fromkeys(size for d in drafts for size in d.sizes[k]))
                 for k in range(loop.rank)]
        head = [line for d in drafts for line in d.before]
        head += [f"{size} = {known[0]}" for size, known in zip(sizes, spans) if known]
        tests = [f"{other} == {size}" for size, known in zip(sizes, spans) for other in known[1:]]
        tests += self._lie_apart(loop)
        made = [array for d in drafts for array in d.made]
        bound = list(dict.fromkeys(n for node in loop.statements for n in definitions(node)))
        names_of = [[name for name in bound if self.env.get(name) is array] for array in made]
        before = self.gone_in(loop.statements, set(bound))
        plain = [_text(node) for node in loop.statements]
        body: list[str] = []
        stores: list[str] = []
        ends: list[str] = []                    # of the loop
        index = ", ".join(drafts[0].indices)
        for array, names in zip(made, names_of):
            needed = [name for name in names if self.is_needed(name)]
            if needed or not array.element:
                needed = needed or names[:1]
                if array.element:
                    body.append(f"{array.owner} = {word('empty')}(({', '.join(sizes)},))")
                    stores.append(f"{word('put')}({array.owner}, {array.element}, {index})")
                ends += [f"{name} = {array.owner}" for name in needed]
                if needed:
                    plain.append(f"{needed[0]} = {word('in_order')}({needed[0]})")
                    plain += [f"{name} = {needed[0]}" for name in needed[1:]]
                    array.owner = needed[0]
                array.stored, array.element = True, ""
                continue
            array.element = ""
            if any(map(self.shape_is_needed, names)):
                # The statements as they are may have given it another shape than the loop's.
                array.sizes = [self.fresh("size") for _ in range(array.rank)]
                ends += [f"{own} = {size}" for own, size in zip(array.sizes, sizes)]
                plain.append(f"{', '.join(array.sizes)}, = {names[0]}.shape")
        body += [text.format(*sizes) for d in drafts for text in d.allocated]
        body += [line for d in drafts for line in d.hoisted]
        for k, (i, size) in enumerate(zip(drafts[0].indices, sizes)):
            body.append(f"{'    ' * k}for {i} in range({size}):")
            if k == 0:
                body += [f"    {line}" for d in drafts for line in d.rows]
        inside = "    " * loop.rank
        body += [inside + line for d in drafts for line in d.inner]
        body += [inside + line for line in stores]
        body += [f"    {line}" for d in drafts for line in d.row_ends]
        body += [line for d in drafts for line in d.behind]
        body += ends
        self.lines += [f"    {line}" for line in head]
        if tests:
            self.lines.append(f"    if {' and '.join(tests)}:")
            self.lines += [f"        {line}" for line in body]
            self.lines.append("    else:")
            self.lines += [f"        {line}" for line in [*before, *plain]]
        else:
            self.lines += [f"    {line}" for line in body]

    def _lie_apart(self, loop: _Loop) -> list[str]:
        """Tests that what is written shares no memory with what else is read or written."""
        tests = {}
        for array, _ in loop.writes:
            for other, _ in [*loop.reads, *loop.writes]:
                if other is array or not may_meet(array, other):
                    continue
                pair = sorted([array.owner, other.owner])
                extents = ", ".join(f"{self.word('extent')}({name})" for name in pair)
                tests[f"not {self.word('meet')}({extents})"] = None
        return list(tests)

    # Statements as they are -------------------------------------------------------------------
    def as_it_is(self, node: gast.stmt) -> None:
        """A statement that stays; what is known of the name that it binds."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            self.settle_copies(None)
        for name in sorted(syntax.read_names(node) | set(definitions(node))):
            self.bring_back(name)
        known = self.kind_of(node) if definitions(node) else None
        for name in definitions(node):
            self.before_binding(name)
        self.lines.append(f"    {_text(node)}")
        for name in definitions(node):
            self.bind(name, known)

    def kind_of(self, node: Any) -> Any:
        """What a statement binds its name to, if that is plain."""
        if isinstance(node, gast.AugAssign):
            return self.env.get(node.target.id)
        try:
            rank = self.draft(1).rank_of(node.value)
        except (ByStatement, NextLoop):
            return None
        if rank == 0:
            return NUMBER
        # Of another layout perhaps, and perhaps one that is known already.
        return Array(rank, definitions(node)[0], origin="other") if rank <= _AXES and isinstance(
            node.value, (gast.BinOp, gast.UnaryOp)) else None

    def bring_back(self, name: str) -> None:
        """Make an array of a name that stands for one."""
        array = self.env.get(name)
        if not isinstance(array, Array) or array.stored:
            return
        if array.access is not None:
            self.lines.append(f"    {name} = {emit_expression(array.access)}")
            self.env[name] = Array(array.rank, name)
        elif array.sizes:
            self.lines.append(f"    {name} = {self.word('empty')}(({', '.join(array.sizes)},))")

    def gone_in(self, statements: list[gast.stmt], bound: set[str]) -> list[str]:
        """Lines that make the arrays that statements read, and that no loop needed."""
        lines = []
        read = {n for node in statements for n in syntax.read_names(node)}
        for name in sorted(read):
            array = self.env.get(name)
            if not isinstance(array, Array) or array.stored or name in bound:
                continue
            if array.access is not None:
                lines.append(f"{name} = {emit_expression(array.access)}")
            elif array.sizes:
                lines.append(f"{name} = {self.word('empty')}(({', '.join(array.sizes)},))")
        return lines

    def settle_copies(self, written: list[Array] | None) -> None:
        """Take out the rows that are read where they lie, before something is written: into arrays
        that are given, or into any."""
        for name, array in list(self.env.items()):
            access: Any = array.access if isinstance(array, Array) else None
            if access is None or not any(isinstance(p, gast.Name) and self.means_places(p.id)
                                         for p in index_parts(access.slice)):
                continue
            base = self.env.get(access.value.id)
            if written is None or any(may_meet(base, one) for one in written):
                self.bring_back(name)

    # What is read later -----------------------------------------------------------------------
    def later(self) -> list[gast.stmt]:
        return self.group.statements[self.at:]

    def is_needed(self, name: str) -> bool:
        """Whether the array of a name is read later, and not its shape only."""
        if name in self.kept:
            return True
        for node in self.later():
            if name in self.read_by(node):
                return True
            if name in definitions(node):
                return False
        return name in self.group.results

    def shape_is_needed(self, name: str) -> bool:
        for node in self.later():
            if name in syntax.read_names(node):
                return True
            if name in definitions(node):
                return False
        return False

    def read_by(self, node: Any) -> set[str]:
        """Names that a statement reads for more than their shape."""
        found: set[str] = set()
        todo: list[Any] = [node]
        while todo:
            part = todo.pop()
            if isinstance(part, gast.Name):
                found.add(part.id)
                continue
            if isinstance(part, gast.Attribute) and isinstance(part.value, gast.Name) \
                    and part.attr in ("size", "shape"):
                continue
            if isinstance(part, gast.Assign) and isinstance(part.targets[0], gast.Name):
                todo.append(part.value)
                continue
            if isinstance(part, gast.Call):
                function = self.means(part.func)
                at = 1 if function in (numba_words.UNBROADCAST, numba_words.UNREDUCE) else \
                    0 if function in numba_words.ZEROS else None
                todo += [a for k, a in enumerate(part.args)
                         if k != at or not isinstance(a, gast.Name)]
                todo += part.keywords
                continue
            todo += gast.iter_child_nodes(part)
        return found

    def only_whole(self, name: str) -> bool:
        """Whether a name is only read, as a whole, and here only."""
        if name in self.group.results:
            return False
        for node in self.later()[1:]:
            if isinstance(node, gast.AugAssign) and syntax.root_name(node.target) == name:
                return False
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Subscript) \
                    and syntax.root_name(node.targets[0]) == name:
                return False
            if isinstance(node, gast.Assign) and isinstance(node.value, gast.Name) \
                    and node.value.id == name:
                return False
            if isinstance(node, gast.Expr) and node.value.args \
                    and syntax.root_name(node.value.args[0]) == name:
                return False
            for part in gast.walk(node):
                if isinstance(part, (gast.Subscript, gast.Attribute)) and isinstance(
                        part.value, gast.Name) and part.value.id == name:
                    return False
            if name in definitions(node):
                return True
        return True


def may_meet(array: Array, other: Array) -> bool:
    """Whether two arrays may share memory, by where they come from."""
    if array is other:
        return True
    origins = {array.origin, other.origin}
    return origins != {"fresh"} and origins != {"fresh", "given"}


def emit_statements(block: list[gast.stmt]) -> str:
    """The statements of a group as text."""
    return "\n".join(map(_text, block))


def _text(node: Any) -> str:
    if isinstance(node, gast.Assign):
        return f"{emit_expression(node.targets[0])} = {emit_expression(node.value)}"
    if isinstance(node, gast.AugAssign):
        return f"{emit_expression(node.target)} {_OPERATORS_IN_PLACE[type(node.op)]}= " \
               f"{emit_expression(node.value)}"
    return emit_expression(node.value)


_OPERATORS_IN_PLACE = {gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/", gast.Pow: "**",
                       gast.FloorDiv: "//", gast.Mod: "%", gast.MatMult: "@", gast.BitAnd: "&",
                       gast.BitOr: "|", gast.BitXor: "^", gast.LShift: "<<", gast.RShift: ">>"}
