"""Decide what is recorded in the forward pass, and what is computed again in the backward pass.

>>> from tangent_lite.kinds import FLOAT, INT
>>> from tangent_lite.stages import stages
>>> def linear(x, n):
...     for i in range(n):
...         x = 2.0 * x
...     return x
>>> def squares(x, n):
...     for i in range(n):
...         x = x * x
...     return x
>>> for f in (linear, squares):
...     print(list(stages(f, x=FLOAT, n=INT).records.starts.values()))
[]
[['x']]

Invariant: when the backward pass reaches a statement, all that its adjoint reads holds what it held
there in the forward pass. The means, from cheap to dear:

* a name that lives within one iteration, and that is written to an element of an array, is read
  there before what it overwrote is put back, if anything has to be;
* one that is cheap is computed again, if what it is made of is at hand unchanged;
* else it is put on a tape at the end of the iteration; but a condition on which the loop is left
  holds in the last iteration only, and is not recorded at all;
* a name that an iteration takes over from the one before is recorded at its head, if nothing reads
  another value of it in the iteration (see heads.py);
* any other name that lives on, or a written buffer, is saved before it is overwritten, if an
  adjoint that comes later in the backward pass reads it (to-be-recorded analysis), and put back.

Nothing is recorded for what adjoints do not read: a loop that is linear in its active variables
records nothing.
"""
from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import gast

from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.lifetimes import Spot
from tangent_lite.analyses.liveness import Liveness, bound_in, definitions
from tangent_lite.analyses.mentions import head
from tangent_lite.analyses.read_so_far import State
from tangent_lite.analyses.recordings import Records, Save
from tangent_lite.analyses.rotations import Rotation, rotations
from tangent_lite.analyses.saving import Saving
from tangent_lite.analyses.segments import carried, is_checkpointed, new_shadows
from tangent_lite.errors import AliasError
from tangent_lite.kinds import Number
from tangent_lite.markers import attempted, is_attempt
from tangent_lite.structures.lists import meant_before, token
from tangent_lite.syntax import COMPOUND, bound_names, read_names, statements


def record(body: list[gast.stmt], steps: dict[int, Any], facts: Inferred, aliases: Aliases,
           live: Liveness, parameters: list[str], shadows: dict[str, str],
           zeroed: dict[Spot, set[str]] | None = None,
           put_back: Collection[gast.stmt] = (), records_calls: bool = False) -> Records:
    """Decide on the records of a function.

    shadows: variables with a shadow bound forward; zeroed: where the backward pass makes zeros in
    the shape of which variables; put_back: where arrays get their names that are to hold in the end
    what they hold there; records_calls: functions of numbers are not computed again.
    """
    at_last = {name for node in put_back for name in definitions(node)}

    def records(unread: set[int], not_held: set[int]) -> _Recorder:
        read_again: set[str] = set()
        while True:
            recorder = _Recorder(body, steps, facts, aliases, live, parameters)
            recorder.not_held = not_held
            recorder.records_calls = records_calls
            recorder.shadows = shadows
            recorder.zeroed = zeroed or {}
            recorder.unread_writes = unread
            recorder.find_stable_shapes(body, parameters)
            recorder.read_buffers = read_again | {
                one for s in steps.values() for n in s.reads | s.buffers
                for one in recorder.contents_of(n)}
            recorder.read_buffers |= {one for s in steps.values() for n in s.shapes
                                      for one in recorder.shape_of(n)}
            recorder.put_back = set(map(id, put_back))
            recorder.read_buffers |= {one for n in at_last for one in recorder.contents_of(n)}
            recorder.read_buffers |= {token(n) for names in recorder.zeroed.values() for n in names
                                      if aliases.is_regrown(n)}
            recorder.find_alive(body)
            recorder.find_owners(body, (), None)
            recorder.decide(body)
            # What is computed again may be made of an array that no adjoint reads: that has to be
            # put back as well, through the names through which it is written.
            more = {one for names in recorder.extra.values() for n in names
                    for one in recorder.contents_of(n)} - recorder.read_buffers
            if not more:
                break
            read_again |= more
        recorder.walk(body, State(set(), set(), set(parameters)), 0)
        return recorder

    found = records(set(), set())
    # Now it is known which elements are put back for nothing but what is read from them.
    not_held = found.records.held.keys() & found.puts_back()
    if not_held:
        other = records(set(), not_held)
        if not_held.isdisjoint(other.puts_back()):
            found = other
        else:
            not_held = set()
    # And which statements write over nothing that is read: for that no name has to be kept.
    unread = found.writes_of_nothing_read(body) - found.records.held.keys()
    if unread:
        other = records(unread, not_held)
        if not unread & other.puts_back():
            found = other
    return found.records


def may_move(body: list[gast.stmt], active: set[str], facts: Inferred, aliases: Aliases) -> bool:
    """Whether variables that have a shape may be bound anew, or not at all, as the program runs, or
    whether lists change their lengths.

    Only then does it matter to the records where the backward pass makes zeros.
    """
    if any(map(aliases.is_resized, active)):
        return True
    bound = bound_in([n for n in body if isinstance(n, COMPOUND)])
    return any(not isinstance(facts.names.get(n), Number) for n in bound & active)


class _Recorder(Saving):
    """Walks forward through a function: to-be-recorded analysis."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.body = given[0]
        self.put_back: set[int] = set()         # by id, what binds arrays that end as they begin

    def puts_back(self) -> set[int]:
        """The statements that write over something that is put back."""
        return {key for key, saves in self.records.saves.items()
                if saves and any(s.buffer for s in saves)}

    def writes_of_nothing_read(self, body: list[gast.stmt]) -> set[int]:
        """The statements that write over nothing that is put back, and were taken to do so: a name
        has been recorded for it."""
        if self.is_still:
            return set()
        kept = {name for names in (*self.records.ends.values(), *self.records.starts.values())
                for name in names}
        kept |= {save.name for saves in self.records.saves.values() for save in saves}
        kept |= {name for names in self.records.again.values() for one in names
                 for name in definitions(one)}
        back = self.puts_back()
        return {id(node) for node in statements(body) if not isinstance(node, COMPOUND)
                and id(node) not in back and not kept.isdisjoint(self.written_names(node))}

    def need_shapes(self, place: str, key: int, state: State, made: Any = frozenset()) -> None:
        """Keep what zeros are made in the shape of; made: names that the statement there binds and
        does not read, whose zeros have the shape of what it binds (see `keep_shapes`)."""
        for name in sorted((self.zeroed.get((place, key), set()) - made) & self.variables):
            if name not in state.bound:
                self.undefined(name)
        self.keep_shapes(self.shapes(place, key) - made, state)

    def keep_shapes(self, names: set[str], state: State) -> None:
        """From here on these names keep their shapes, and so do lists that grow or shrink."""
        state.names |= names
        state.buffers |= {token(n) for n in names if self.aliases.is_regrown(n)}

    def walk(self, block: list[gast.stmt], state: State, depth: int) -> State:
        """To-be-recorded analysis, forward."""
        started = self.started
        for name in self.records.starts.get(id(block), ()):
            if name not in state.bound:
                self.undefined(name)
            state.names.discard(name)
            self.started = self.started | {name}
        self.need_shapes("start", id(block), state)
        moving = self.moving(block)
        for node in block:
            reads, result = self.read_in_front(node)
            if isinstance(node, COMPOUND):
                state = self.compound(node, reads, state, depth)
                # Zeros in front of it in the backward pass have the shape of what is here.
                self.need_shapes("behind", id(node), state)
            else:
                self.simple(node, reads, result, moving.get(id(node)), state, depth)
        self.leave(block, state)
        state.names -= self.started - started
        self.started = started
        return state

    def read_in_front(self, node: gast.stmt) -> tuple[set[str], str | None]:
        """What the adjoint of a statement reads of what was there before it, and the result that it
        reads as well."""
        reads, step = self.reads(node), self.steps.get(id(node))
        result = None
        if step is not None and step.pair is not None:
            result = step.pair.saved
            reads.discard(result)
        elif step is not None and (step.reads_result or step.kind == "list_pop"):
            result = step.target        # of what comes out of a list the shape is read
            if result not in read_names(node.value):
                reads.discard(result)
        return reads, result

    def simple(self, node: gast.stmt, reads: set[str], result: str | None,
               rotation: Rotation | None, state: State, depth: int) -> None:
        """One statement without blocks: what it overwrites is saved, if it is read."""
        step = self.steps.get(id(node))
        self.check_one_name(node, state)
        zeroed = ("at", id(node)) in self.zeroed        # few statements are such a place
        made = set(definitions(node)) - read_names(node) if zeroed else set()
        if zeroed:
            self.need_shapes("at", id(node), state, made)
        through = self.written_names(node)
        shapes = reads & self.only_shapes(node) - through
        self.need(reads - through - shapes, state)
        for name in shapes:
            state.names.add(name)
            state.buffers |= self.shape_of(name)
        # Which arrays are new matters to those that write over others.
        handed_over = set() if self.is_still else self.new.handed_over(node, state.unread)
        if state.own:
            self.lose(self.new.given_away(node), state)
        state.names |= through & reads
        bound = definitions(node)
        handed_out = set(bound) & step.buffers if step is not None else set()
        if step is not None:
            kept = handed_out - read_names(node) if handed_out else handed_out
            self.read_contents(step.buffers - kept, state)
            self.need(through & (step.reads | self.extra.get(id(node), set())), state)
        self.overwrite(node, set(bound) - set(rotation.holders if rotation else ()), state, depth)
        self.bind_anew(bound, state)
        # What a forward half handed out, and saved, is what the name means from now on.
        self.read_contents(handed_out, state)
        state.bound.update(bound)
        state.lose(set(bound), self.contents_of)
        if not (self.is_still or self.attempts or self.run_again):
            makes = self.new.made_by(node)
            self.made_at.update(dict.fromkeys(makes, len(self.around)))
            state.unread |= makes | handed_over
        if rotation is not None and node is rotation.last:
            self.move(rotation, state)
        if zeroed:
            self.keep_shapes(self.shapes("at", id(node)) & made, state)
        if result is not None:
            self.need({result}, state)
        for read in self.records.held.get(id(node), ()):
            self.read_element(read.value.value.id, node, state)
        if id(node) in self.put_back:
            self.read_contents(set(bound), state)
        # The backward half of the call starts from what that has left.
        if step is not None and step.kind == "given_back":
            self.read_contents({step.target or ""}, state)

    def leave(self, block: list[gast.stmt], state: State) -> None:
        """What is read behind the body of a loop is not what its own names hold in an iteration."""
        _, loop = self.blocks[id(block)]
        if loop is None:
            return
        for name in [n for n in state.names if self.is_local(n, block)]:
            if name not in state.bound and name in self.records.ends.get(id(block), ()):
                self.undefined(name)
            state.names.discard(name)
        if block is loop.body:
            state.names -= set(self.records.exits.get(id(loop), ()))

    def moving(self, block: list[gast.stmt]) -> dict[int, Rotation]:
        """By statement, the rotations of a block that are undone by moving values back.

        That is done where the last of the statements is undone: the others read nothing."""
        if self.attempts or self.run_again:
            return {}

        def is_plain(node: gast.stmt) -> bool:
            return not self.reads(node) and ("at", id(node)) not in self.zeroed \
                and id(node) not in self.records.again and id(node) not in self.records.held

        found: dict[int, Rotation] = {}
        for one in rotations(block):
            names = set(one.holders)
            if all(map(is_plain, one.nodes)) and names.isdisjoint(self.started | self.handed_out) \
                    and names <= self.variables and not any(map(self.aliases.is_resized, names)):
                found.update((id(node), one) for node in one.nodes)
                others = one.other_names()
                _, loop = self.blocks[id(block)]
                one.is_alone = loop is not None \
                    and self.live.after[id(loop)].isdisjoint(others) \
                    and others.isdisjoint(n.id for n in self.mentions_outside(one.nodes))
                for node in statements(self.body):
                    for name in definitions(node):
                        one.order.setdefault(name, len(one.order))
        return found

    def mentions_outside(self, nodes: list[gast.Assign]) -> Iterator[gast.Name]:
        """All names in the function but for those in some statements."""
        left_out = {id(node) for node in nodes}
        for one in statements(self.body):
            if id(one) not in left_out:
                yield from (n for n in gast.walk(head(one)) if isinstance(n, gast.Name))

    def move(self, rotation: Rotation, state: State) -> None:
        """Have values moved back that some adjoint reads: what holds them now has to be as it is.
        """
        needed = state.names & set(rotation.holders)
        if needed:
            known = self.records.moved.setdefault(id(rotation.last), rotation)
            known.needed |= needed
        state.names -= needed
        state.names |= {rotation.holders[name] for name in needed}

    def is_read_again(self, name: str) -> bool:
        """Whether a name, or what it meant before, is bound to an item in the backward pass as
        well, and to no other."""
        return any(name in (bound, meant_before(bound)) and self.bindings.get(bound) == 1
                   for found in self.records.again.values() for one in found
                   if isinstance(one.value, gast.Subscript) for bound in definitions(one))

    def check_one_name(self, node: gast.stmt, state: State) -> None:
        """A list is put back as it was under the name by which it was changed; what the backward
        pass reads under another name, which meant it once, would stay as it is. But for what is
        read again from where it lies."""
        for one in statements([node]) if self.aliases.once else ():
            read = [n for n in self.aliases.once.get(id(one), ()) if token(n) in state.buffers
                    and not self.is_read_again(n)]
            if read:
                raise AliasError("a list changes here under a name that it did not have before",
                                 None, "keep one name, or put .copy() behind it where it gets "
                                 "the second one")

    def bind_anew(self, names: list[str], state: State) -> None:
        """What changes under a name from now on is another list than that which is read of it."""
        for name in names:
            if token(name) in state.buffers:
                state.buffers.discard(token(name))
                state.buffers.add(token(meant_before(name)))

    def compound(self, node: gast.stmt, reads: set[str], state: State, depth: int) -> State:
        if id(node) not in self.records.alive:
            self.check_one_name(node, state)
            state.names |= {n for n in reads if self.aliases.find(n) in state.buffers}
            self.overwrite(node, set(self.bound_in.by(node)), state, depth)
            if state.own:
                state.lose(self.new.lost_in([node]), self.contents_of)
            if isinstance(node, gast.If):
                state.bound |= self.bound_in(node.body) & self.bound_in(node.orelse)
            return state
        if isinstance(node, gast.If):
            self.need(reads, state)
            if is_attempt(node):
                # A body that is left halfway may have bound them already.
                self.keep(node, bound_in(attempted(node)), state, depth)
            self.attempts += is_attempt(node)
            one = self.walk(node.body, state.copy(), depth)
            self.attempts -= is_attempt(node)
            other = self.walk(node.orelse, state.copy(), depth)
            return one.joined(other, self.contents_of)
        saves = self.records.saves.setdefault(id(node), [])
        counters = bound_names(node.target) if isinstance(node, gast.For) else []
        for name in counters:
            if name in state.names:
                if name not in state.bound:
                    self.undefined(name)
                if not any(s.name == name for s in saves):
                    saves.append(Save(name, False, None, depth > 0))
                state.names.discard(name)
        bound = set(state.bound)
        # Wherever the loop is left, and in whatever iteration.
        if state.own:
            state.lose(state.own if is_checkpointed(node) else self.new.lost_in([node]),
                       self.contents_of)
        self.run_again += is_checkpointed(node)
        self.around.append(node)
        while True:
            inner = state.copy()
            inner.bound = bound | set(counters)
            end = self.walk(node.body, inner, depth + 1)
            end.names.difference_update(counters)
            joined = state.joined(end, self.contents_of)
            if joined == state:
                break
            state = joined
        self.around.pop()
        self.run_again -= is_checkpointed(node)
        state.bound = bound
        if is_checkpointed(node):
            self.segment(node, state)
        # Bounds and counts are read when the loop is reversed.
        shapes = reads & self.only_shapes(node)
        self.need(reads - shapes, state)
        self.keep_shapes(shapes, state)
        return state

    def segment(self, node: gast.For, state: State) -> None:
        """What the checkpoints of a loop hold: all that is live at its head, and what zeros are
        made in the shape of."""
        visible = (self.live.head[id(node)] | state.names) - set(bound_names(node.target))
        found = carried(node, set(visible), self.buffers_written(node), self.aliases,
                        self.facts.names, self.contents_of)
        found.shadows = new_shadows(node, found, self.shadows, self.aliases)
        self.records.segments[id(node)] = found
        for name in (*found.names, *found.arrays, *found.lists, *found.dicts):
            if name not in state.bound:
                self.undefined(name)
