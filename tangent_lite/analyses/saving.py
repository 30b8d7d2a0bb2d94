"""What is saved before it is overwritten: names that live on, and arrays, lists and dicts that are
written to, where an adjoint that comes later in the backward pass reads them as they are.
"""
from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.indexing import arrays_in, is_element
from tangent_lite.analyses.new_arrays import NewArrays
from tangent_lite.analyses.read_so_far import State
from tangent_lite.analyses.recordings import Save
from tangent_lite.analyses.remaking import Remaking
from tangent_lite.analyses.written_once import is_written_once
from tangent_lite.errors import AliasError
from tangent_lite.kinds import UNKNOWN, Array, DictKind, ListKind, MapKind, Number, TupleKind
from tangent_lite.structures.lists import token
from tangent_lite.structures.nested import container, places, put_at
from tangent_lite.syntax import COMPOUND, read_names, statements


class Saving(Remaking):
    """Notes what adjoints read, and decides what a statement has to save."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.started: set[str] = set()          # what is recorded at the heads of the loops around
        self.attempts = 0                       # how many bodies of `try` are around
        self.run_again = 0                      # how many loops with checkpoints
        self.new = NewArrays(self.facts)
        self.around: list[gast.stmt] = []       # the loops around
        self.made_at: dict[str, int] = {}       # how many there were where a new array was made
        self.named = Counter(self.aliases.find(name) for name in {*self.variables,
                                                                  *self.facts.names})

    # What is read ----------------------------------------------------------------------------
    def undefined(self, name: str) -> None:
        if name not in self.records.undefined:
            self.records.undefined.append(name)

    def need(self, names: set[str], state: State) -> None:
        state.names |= names
        self.read_contents(names, state)

    def read_contents(self, names: set[str], state: State) -> None:
        """Note that some adjoint reads what these names hold here."""
        if not self.is_still:
            for name in names:
                state.buffers |= self.contents_of(name)
        if state.own:
            self.lose(names, state)

    def read_element(self, name: str, node: Any, state: State) -> None:
        """Note that some adjoint reads an element as this statement leaves it."""
        if state.is_own(name, node) and not self.attempts and not self.run_again \
                and self.bindings.get(name) == 1 and name in self.made_at and is_written_once(
                    node.targets[0].slice, self.around[self.made_at[name]:], self.facts,
                    self.bound_in.by):
            state.unread.discard(name)
            state.elements[name] = id(node)
        else:
            self.read_contents({name}, state)

    def lose(self, names: set[str], state: State) -> None:
        """Arrays, and those that they were handed over to, may be in other hands from here on."""
        state.lose(self.new.all_names(names), self.contents_of)

    # What is written over --------------------------------------------------------------------
    def keep(self, node: gast.stmt, names: set[str], state: State, depth: int) -> None:
        """Save those of the names that some adjoint reads."""
        saves = self.records.saves.setdefault(id(node), [])
        for name in sorted((names & state.names) - self.started):
            if name not in state.bound:
                self.undefined(name)
            if not any(s.name == name and not s.buffer for s in saves):
                saves.append(Save(name, False, None, depth > 0))
            state.names.discard(name)

    def overwrite(self, node: gast.stmt, names: set[str], state: State, depth: int) -> None:
        if not isinstance(node, gast.AugAssign) or self.binds(node):    # else it is a write
            self.keep(node, names, state, depth)
        if self.is_still:
            return
        own = self.written_through(node)
        is_own = state.is_own(own, node)
        if own in state.elements and not is_own:
            self.lose({own}, state)
        # What adjoints read is in other arrays of the class, or in other elements.
        written = set() if is_own else self.buffers_written(node) & state.buffers
        if written and not self.is_given_back(node):
            self.save_written(node, written, state, depth)
        if self.puts_all_back(node):
            state.buffers -= written

    def is_given_back(self, node: gast.stmt) -> bool:
        """Whether the backward half of a call puts back what this statement writes over."""
        step = self.steps.get(id(node))
        return step is not None and step.kind == "given_back"

    def puts_all_back(self, node: gast.stmt) -> bool:
        """Whether a statement writes all of an array that nothing else is part of or shares: what
        it held before is put back here, whatever it holds from now on."""
        target = syntax.target_of(node)
        if isinstance(target, gast.Subscript) and syntax.means_all(target.slice):
            target = target.value
        elif not isinstance(node, gast.AugAssign):
            return False
        return not self.attempts and isinstance(target, gast.Name) and isinstance(
            self.facts.before[id(node)].get(target.id), Array) \
            and self.named[self.aliases.find(target.id)] == 1

    def save_written(self, node: gast.stmt, written: set[str], state: State, depth: int) -> None:
        """Save what a statement writes over in arrays and lists."""
        saves = self.records.saves.setdefault(id(node), [])
        if any(s.buffer for s in saves):
            return
        if isinstance(node, COMPOUND):
            lists = {buffer for buffer in written if buffer.startswith(token(""))}
            for buffer in sorted(lists):
                name = buffer.removeprefix(token(""))
                is_dict = isinstance(self.facts.names.get(name), (MapKind, DictKind))
                saves.append(Save(name, True, None, depth > 0,
                                  change="all items" if is_dict else "all"))
            arrays = []
            direct = set(map(self.written_through, statements([node])))
            unknown = self.held_in_containers(node) | {
                n for n in self.arrays_written(node) - direct if n not in state.bound}
            if unknown:         # a container holds it, or it may not be bound
                raise AliasError(f"what is written to here may be {min(unknown)}, and cannot be "
                                 "put back", None, "bind it before the loop, or write to a copy")
            for name in sorted(self.arrays_written(node)):
                if self.aliases.find(name) in written:
                    arrays.append(Save(name, True, None, depth > 0))
            # A name that is bound anew means what it meant before when its array is put back.
            saves[:0] = arrays
            return
        step_change = self.change_of(node)
        if step_change is not None:
            index = step_change.index
            whole = self.facts.before[id(node)].get(step_change.name)
            part = getattr(whole, "item", UNKNOWN) if index is None else put_at(whole, index)
            is_all = index is not None and syntax.is_colon(places(index)[-1])
            if step_change.what == "grow":
                part = getattr(part, "item", UNKNOWN)
            saves.append(Save(step_change.name, True, step_change.index, depth > 0, not is_all,
                              step_change.what, may_be_list=not isinstance(part, Number)))
            if step_change.index is not None:
                self.need(read_names(step_change.index) & self.variables, state)
            if step_change.what == "pop" and step_change.item is not None:
                saves[-1].item = step_change.item.id
            return
        target = syntax.target_of(node)
        if isinstance(target, gast.Subscript):
            owner = container(self.facts.before[id(node)].get(target.value.id), target.slice)
            element = is_element(places(target.slice)[-1], owner, node, self.facts) \
                if isinstance(owner, Array) else isinstance(owner, (
                    ListKind, DictKind, TupleKind))
            saves.append(Save(target.value.id, True, target.slice, depth > 0, element,
                              arrays=arrays_in(target.slice, node, self.facts)))
            self.need(read_names(target.slice) & self.variables, state)
        else:
            saves.append(Save(target.id, True, None, depth > 0))
