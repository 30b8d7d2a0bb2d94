"""What is known of names that may share memory: classes of names, and what happens to them."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.classes import Classes
from tangent_lite.structures.lists import meant_before
from tangent_lite.structures.nested import is_nested, put_at


@dataclass(eq=False, repr=False)
class Aliases(Classes):
    """Classes of names that may share a buffer, and what is known of the classes."""
    beside: bool = False            # tangents live beside the values, and share memory as they do
    parent: dict[str, str] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)          # classes, by their first name
    views: dict[str, gast.Assign] = field(default_factory=dict)   # second name -> its binding
    parameters: set[str] = field(default_factory=set)       # classes that hold a parameter
    spared: set[str] = field(default_factory=set)           # array parameters of such classes whose
    #                                                         own memory nothing is written to
    on_new: set[int] = field(default_factory=set)           # statements that write into what was
    #                                                         made just before, by id: see `apart`
    mutated: set[str] = field(default_factory=set)          # classes that calls change
    mutations: list[tuple[str, gast.stmt]] = field(default_factory=list)    # a name, and where
    momentary: set[str] = field(default_factory=set)        # views consumed before any write
    twins: set[str] = field(default_factory=set)            # classes whose shadows are made in the
    #                                                         forward pass, beside the buffers
    updated: set[str] = field(default_factory=set)          # containers whose parts are replaced
    in_place: set[str] = field(default_factory=set)         # classes of parts that are replaced
    #                                                         where they may change in place
    resized: set[str] = field(default_factory=set)          # lists whose items change
    nested: set[str] = field(default_factory=set)           # lists of lists of which elements of
    #                                                         the inner ones change
    regrown: set[str] = field(default_factory=set)          # lists whose shapes may change
    regrowing: set[int] = field(default_factory=set)        # statements that do that, by id
    seen_regrown: set[str] = field(default_factory=set)     # what is in `once` of these
    changes: dict[int, list[str]] = field(default_factory=dict)     # by id of the statement
    twin_views: set[int] = field(default_factory=set)       # values that such a shadow mirrors
    once: dict[int, set[str]] = field(default_factory=dict)     # by id of a statement that changes
    #                                                         a container: other names that mean,
    #                                                         or have meant, what holds it
    seen: set[str] = field(default_factory=set)             # all that are in `once`
    decided: set[str] = field(default_factory=set)          # views that may be copies: the run
    #                                                         decides
    laid_out: set[str] = field(default_factory=set)         # arrays of which they are views
    entry: set[str] = field(default_factory=set)            # copies made on entry
    filled: set[str] = field(default_factory=set)           # classes with lists that calls change
    kept_by_calls: bool = False     # a list that changes is handed to a function, or comes from
    #                                 one: what its forward half saves may be that very list
    put_in: list[tuple[str, str]] = field(default_factory=list)     # (list that changes, what goes
    #                                                         into it), which are no class
    handed: dict[str, set[str]] = field(default_factory=dict)   # classes of names that what a list
    #                                                         holds alone had before, or has for a
    #                                                         while -> the lists
    events: list[tuple[gast.stmt, str]] = field(default_factory=list)   # what changes a buffer or a
    #                                                         container, and which

    reached: Callable[[list[str]], set[str]] = set          # all names whose memory some may hold

    def write(self, node: gast.stmt, name: str) -> None:
        """Note that a statement writes into what a name holds."""
        self.written.add(name)
        self.events.append((node, name))

    @property
    def is_still(self) -> bool:
        """Whether no array is written into and no container changes, as in functions of numbers."""
        return not (self.written or self.resized or self.changes or self.seen)

    def is_written(self, name: str) -> bool:
        return bool(self.written) and self.find(name) in self.written

    def is_linked(self, name: str) -> bool:
        """Whether what one name of its class receives may be read through another."""
        return bool(self.written or self.filled) and (
            self.find(name) in self.written or self.find(name) in self.filled)

    def mutate(self, name: str, node: gast.stmt) -> None:
        """Note that a statement changes what a name holds, in a way that no pass follows."""
        self.mutated.add(self.find(name))
        self.mutations.append((name, node))

    def is_mutated(self, name: str) -> bool:
        """Whether a call changes what a name holds: its earlier contents are not at hand."""
        return bool(self.mutated) and self.find(name) in self.mutated

    def resize(self, change: Any, node: gast.stmt, held: list[tuple[gast.stmt, str, str]],
               kind: kinds.Kind) -> None:
        """Note that a list changes, and what goes into it; kind: what the list ever holds."""
        self.resized.add(change.name)
        self.events.append((node, change.name))
        self.changes.setdefault(id(node), []).append(change.name)
        if is_nested(change.index) or change.what == "grow":
            self.nested.add(change.name)
        kind = put_at(kind, change.index) if change.what == "set" else kind
        if change.what != "set" or not isinstance(kind, kinds.Number):      # a number for a number
            self.regrown.add(change.name)
            self.regrowing.add(id(node))
        if change.what != "pop" and change.item is not None:
            names = [n.id for n in syntax.walk(change.item) if isinstance(n, gast.Name)]
            held += [(node, change.name, n) for n in names] or [(node, change.name, change.name)]
        else:
            held.append((node, change.name, change.name))

    def is_resized(self, name: str) -> bool:
        """Whether the items of a list that a name means, or has meant, change."""
        return name in self.resized or (bool(self.seen) and (
            name in self.seen or meant_before(name) in self.seen))

    def is_regrown(self, name: str) -> bool:
        """Whether the shape of a list may change, or those of its items: of one that a name means,
        or has meant."""
        return name in self.regrown or (bool(self.seen_regrown) and (
            name in self.seen_regrown or meant_before(name) in self.seen_regrown))

    def may_change(self, name: str) -> bool:
        """Whether what a name holds may change while the name stays bound to it."""
        return self.is_written(name) or self.is_resized(name) or self.is_mutated(name)

    def is_twin(self, name: str) -> bool:
        return bool(self.twins) and self.find(name) in self.twins


def holds_numbers(kind: kinds.Kind | None) -> bool:
    """Whether something is a list or a dict of numbers, of which a copy holds nothing that it
    holds."""
    return isinstance(kind, (kinds.ListKind, kinds.MapKind)) and isinstance(
        kind.item, kinds.Number)


def may_hold_buffer(kind: kinds.Kind) -> bool:
    """Whether a value may be, or hold, something that can be changed in place."""
    return not isinstance(kinds.kind_at_hand(kind), (
        kinds.Number, kinds.Text, kinds.Nothing, kinds.RangeKind, kinds.SliceKind, kinds.Known,
        kinds.Choice))


def containers_of(kind: kinds.Kind) -> int:
    """In how many places of what has a kind two containers may be one: 0, 1, or 2 for more."""
    kind = kinds.kind_at_hand(kind)
    if isinstance(kind, (kinds.ListKind, kinds.MapKind)):
        return 2 if containers_of(kind.item) else 1
    if isinstance(kind, (kinds.DictKind, kinds.RecordKind, kinds.TupleKind)):
        own = 0 if isinstance(kind, kinds.TupleKind) else 1
        return min(2, own + sum(map(containers_of, kind.items)))
    return 2 if kind == kinds.UNKNOWN else 0
