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
(shapes that are stretched, arrays that share memory, errors), compiled when that happens first.
What cannot be said by elements ends a loop and stays as it is.

Order is kept where it matters. A loop reads and writes an array that is written in it at one and
the same place, and other arrays must lie apart from it (asked too). Numbers that a loop reads are
bound before it, and numbers that it sums up are read behind it.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import definitions
from tangent_lite.backends import numba_words
from tangent_lite.backends.numba_blocks import in_blocks
from tangent_lite.backends.numba_groups import Group
from tangent_lite.backends.numba_loop_ranks import (
    NUMBER,
    Array,
    ByStatement,
    NextLoop,
    axis_of,
)
from tangent_lite.backends.numba_loop_sums import SumWriter
from tangent_lite.backends.numba_loop_writing import WORDS, text_of
from tangent_lite.backends.numba_scratch import scratch
from tangent_lite.backends.numba_words import Means

_OPERATORS = {gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/"}


def written(group: Group, kinds: dict[str, Any], means: Means, space: dict[str, Any],
            is_whole: bool, is_fast: bool,
            otherwise: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """The function behind the call of a group, for these types of its parameters.

    space: what the names of the module mean; is_whole, is_fast, otherwise: see LoopWriter.
    """
    name = None if otherwise is None else f"{group.name}_otherwise"
    writer = Writer(group, kinds, means, {*space, name or group.name}, is_whole, is_fast, name)
    text = writer.text()
    words = {writer.words[name]: thing for name, thing in WORDS.items() if name in writer.words}
    made: dict[str, Any] = {**space, **words}
    if name is not None:
        made[name] = otherwise
    exec(compile(text, f"<tangent_lite numba {group.name}>", "exec"), made)
    return made[group.name]


class Writer(SumWriter):
    """What each kind of statement adds to a loop."""

    # The text ---------------------------------------------------------------------------------
    def text(self) -> str:
        for number, node in enumerate(self.group.statements):
            self.at = number
            self.statement(node)
        self.at = len(self.group.statements)
        self.close()
        for name in self.group.results:
            if name in self.group.hollow:
                self.hollow_out(name)
            else:
                self.bring_back(name)
        results = self.group.results
        lines = [f"def {self.group.name}({', '.join(self.group.parameters)}):", *self.lines]
        if results:
            lines.append(f"    return {', '.join(results)}")
        elif len(lines) == 1:
            lines.append("    pass")
        text = scratch("\n".join(lines) + "\n", self.words, self.fresh)
        return text if self.group.is_inside else in_blocks(text, self.words, self.fresh)

    def hollow_out(self, name: str) -> None:
        """Of what is read for its shape only the shape is returned."""
        array = self.env.get(name)
        if not isinstance(array, Array):
            return
        shape = f"({', '.join(array.sizes)},)" if array.sizes and not array.stored \
            else f"{name}.shape"
        if shape == f"{name}.shape":
            self.bring_back(name)
        self.lines.append(f"    {name} = {self.word('hollow')}({shape})")

    def statement(self, node: gast.stmt) -> None:
        """Put a statement into the loop that is open, into the next, or behind it as it is."""
        if not self.in_vectors(node) and not self.is_joined(node):
            self.close()
            self.as_it_is(node)

    def is_joined(self, node: gast.stmt) -> bool:
        """Put a statement into the loop that is open, or into the next; whether that is done."""
        for _ in range(2):
            had_loop = self.loop is not None
            try:
                self.take(node)
                return True
            except NextLoop:
                self.close()
                if not had_loop:
                    break
            except ByStatement:
                break
        return False

    def take(self, node: gast.stmt) -> None:
        names = definitions(node)
        for name in names:
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
            self.scattering(node, node.value)

    # Kinds of statements ----------------------------------------------------------------------
    def binding(self, node: gast.stmt, name: str, value: gast.expr) -> None:
        """`name = value`"""
        if isinstance(value, gast.Name):
            self.naming(node, name, value.id)
            return
        if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Call):
            self.summed_like(node, name, value.value)
            return
        rank = self.draft(1).rank_of(value)
        if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name) and rank > 0:
            self.part_of(node, name, value, rank)
        elif isinstance(value, gast.Call) and self.calling(node, name, value):
            pass
        elif rank == 0:
            self.number(node, name, None, value)
        else:
            draft = self.draft(rank)
            text = draft.element(value, draft.indices)
            made = Array(rank, self.fresh(name), stored=False, element=self.fresh(f"{name}_one"),
                         origin="fresh")
            draft.inner.append(f"{made.element} = {text}")
            draft.made.append(made)
            self.join(draft, node)
            self.bind(name, made)

    def calling(self, node: gast.stmt, name: str, call: gast.Call) -> bool:
        """`name = np.sum(x, axis=0)` and other calls that are more than what they do to elements;
        whether it is one."""
        function, first = self.means(call.func), call.args[0]
        rank_of = self.draft(1).rank_of
        if function in numba_words.ZEROS:
            return isinstance(first, gast.Name) and self.zeros(node, name, first.id)
        if function is numba_words.SUM:
            axis = axis_of(call)
            if axis is None or rank_of(first) < 2:
                return False
            self.summing(node, name, first, axis)
            return True
        if function is not numba_words.UNBROADCAST:
            return False
        like = call.args[1]
        ranks = rank_of(first), rank_of(like)
        if ranks == (2, 1):
            self.summing(node, name, first, 0, like)
            return True
        return isinstance(first, gast.Name) and ranks[0] == ranks[1] > 0 \
            and self.same_array(node, name, first.id, like)

    def naming(self, node: gast.stmt, name: str, other: str) -> None:
        """`name = other`: one array with two names."""
        known = self.known(other)
        if known is NUMBER or known.stored:
            self.line(name, f"{name} = {other}", known)
        elif known.element and self.loop is not None:
            self.loop.statements.append(node)
            self.loop.names.add(other)
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
        self.line(name, text_of(node), Array(known.rank, name, is_mutable=known.is_mutable,
                                             thin=array.thin))
        return True

    def part_of(self, node: gast.stmt, name: str, value: gast.Subscript, rank: int) -> None:
        """`name = x[1:-1]`: read where it lies, if nobody needs it as an array."""
        base = self.known(value.value.id)
        if not base.stored:
            raise NextLoop if base.access is None else ByStatement
        is_copy = any(isinstance(p, gast.Name) and self.means_places(p.id)
                      for p in syntax.shown_parts(value.slice))
        if is_copy:
            self.settled([base])
        if self.later().only_whole(name):
            self.bind(name, Array(rank, name, stored=False, access=value))
            return
        made = Array(rank, name, origin="fresh" if is_copy else "other",
                     is_mutable=base.is_mutable or is_copy)
        parts = syntax.shown_parts(value.slice)
        if any(isinstance(p, gast.Constant) and p.value is None for p in parts):
            made.view = value
            made.thin = frozenset(axis for axis, p in enumerate(parts)
                                  if isinstance(p, gast.Constant) and p.value is None)
        self.line(name, text_of(node), made)

    def zeros(self, node: gast.stmt, name: str, like: str) -> bool:
        array = self.known(like)
        if array is NUMBER or not array.stored:
            return False
        self.line(name, text_of(node), Array(array.rank, name, origin="fresh", thin=array.thin))
        return True

    def changing(self, node: gast.stmt, name: str, operator: str, value: gast.expr) -> None:
        """`name += value`"""
        known = self.known(name)
        if known is NUMBER:
            if self.draft(1).rank_of(value) != 0:
                raise ByStatement               # a number that becomes an array
            self.number(node, name, operator, value)
            return
        if known.access is not None or known.view is not None or known.thin:
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
            draft.is_full = True            # the loop that made it is the one that is open
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
               for p in syntax.shown_parts(target.slice)):
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
        if array is NUMBER or not array.stored or not array.is_mutable or array.view is not None:
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
