"""Which names may share a buffer, and which buffers are written to.

>>> from tangent_lite.kinds import Array
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(x):
...     v = x[1:]
...     w = x * 2.0
...     v[0] = 2.0
...     return x
... ''').body[0]
>>> typer = Typer({}, {}.get)
>>> facts = infer(tree, {"x": Array(1, "float")}, typer)
>>> aliases = alias(tree, facts, typer, lambda node: None, ["x"])
>>> [name for name in ("x", "v", "w") if aliases.is_written(name)]
['x', 'v']
>>> list(aliases.views)                 # its shadow is a view of that of x
['v']

Names are grouped into classes by union; within a class that is written, each second name must be
bound once, to a view that the shadow can mirror (`y = x`, `v = x[1:]`, `v = x.T`), else AliasError:
the shadows of two names overlap exactly where their buffers do.
"""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.adjoints.paths import CONTAINERS
from tangent_lite.analyses import overlaps
from tangent_lite.analyses.aliases import Aliases, may_hold_buffer
from tangent_lite.analyses.apart import Apart
from tangent_lite.analyses.changed_by_calls import (
    are_kept_by_calls,
    note_changes_by_calls,
    put_together,
)
from tangent_lite.analyses.changed_lists import check_changed_lists
from tangent_lite.analyses.handed_on import check_handed_on
from tangent_lite.analyses.held import in_container
from tangent_lite.analyses.liveness import definitions
from tangent_lite.analyses.memory_advice import own_memory, says
from tangent_lite.analyses.momentary import momentary, roots_of, scattered, written_by
from tangent_lite.analyses.one_name import brief_names
from tangent_lite.analyses.only_there import call_for_holder, is_only_there
from tangent_lite.analyses.origins import Flow, Parts, bases_of
from tangent_lite.analyses.owners import HOLDING, Owners
from tangent_lite.analyses.points_to import PointsTo
from tangent_lite.analyses.segments import is_checkpointed
from tangent_lite.analyses.views import moved
from tangent_lite.errors import AliasError
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array
from tangent_lite.markers import marker_of
from tangent_lite.names import stem
from tangent_lite.structures.lists import list_change
from tangent_lite.structures.nested import is_in_array
from tangent_lite.structures.updates import change_of
from tangent_lite.syntax import statements


def alias(tree: gast.FunctionDef, facts: Any, typer: Typer,
          place: Callable[[gast.AST], Any], parameters: list[str], beside: bool = False,
          as_it_is: bool = False) -> Aliases:
    """Group the names of a function; AliasError where a written class cannot be mirrored.

    beside: for forward mode, in which containers of tangents mirror containers of values; as_it_is:
    nothing is put beside what may share memory, so that it may.
    """
    grouping = _Grouping(tree, facts, typer, place, parameters, beside, as_it_is)
    grouping.read()
    grouping.join()
    overlaps.check(tree, facts, typer, grouping.found, place)
    grouping.check_outside()
    grouping.check_one_name()
    grouping.mirror()
    grouping.spare()
    return grouping.found


class SharedByCall(AliasError):
    """What a call returns may share memory with what is written to; call: which, None where it is
    no call. Of a function that is written out in its place it is known how."""

    def __init__(self, call: gast.Call | None, *parts: Any) -> None:
        super().__init__(*parts)
        self.call = call


class _Grouping:
    """The names of one function on their way into classes."""

    def __init__(self, tree: gast.FunctionDef, facts: Any, typer: Typer,
                 place: Callable[[gast.AST], Any], parameters: list[str], beside: bool,
                 as_it_is: bool) -> None:
        self.tree, self.facts, self.typer = tree, facts, typer
        self.place, self.parameters = place, parameters
        self.beside, self.as_it_is = beside, as_it_is
        self.found = Aliases(beside)
        self.bindings: dict[str, int] = {}
        self.shared: list[tuple[gast.Assign, str, str, bool | str]] = []
        self.deleted: list[tuple[str, gast.stmt]] = []
        self.held: list[tuple[gast.stmt, str, str]] = []    # (statement, list, what goes into it)
        self.in_place: list[tuple[gast.stmt, str]] = []     # parts that `+=` may change in place
        self.handed: list[tuple[str, str]] = []             # (name, list that holds it alone)
        self.puts: list[tuple[str, str]] = []               # what is written into a container
        self.inner: dict[str, gast.stmt] = {}   # lists, where a part of an array in one is written
        self.parts = Parts(tree.body)
        # Asked by what is found, which must not refer to what it is found by.
        self.flow = functools.cache(lambda: Flow(tree, facts, typer))

    @functools.cached_property
    def wide(self) -> set[str]:
        return scattered(self.tree.body) | moved(self.tree, self.shared)

    @functools.cached_property
    def inside(self) -> set[str]:
        """The names that the function binds, once it is read."""
        return set(self.parameters) | set(self.bindings)

    # What the statements say ------------------------------------------------------------------
    def read(self) -> None:
        """Note of each statement what it binds, writes, holds and shares."""
        found, facts, typer = self.found, self.facts, self.typer
        arithmetic = facts.arithmetic(self.tree)
        for node in statements(self.tree.body):
            if id(node) in arithmetic:
                name = node.targets[0].id
                self.bindings[name] = self.bindings.get(name, 0) + 1
                continue
            typer.names = facts.before.get(id(node), {})
            if getattr(node, "is_entry_copy", None):
                found.entry.update(definitions(node))
            for name in definitions(node):
                if not (isinstance(node, gast.AugAssign)
                        and isinstance(typer.kind(syntax.load(name)), Array)):      # a write
                    self.bindings[name] = self.bindings.get(name, 0) + 1
            if isinstance(node, gast.Assign):
                if not self.assignment(node):
                    continue
            elif isinstance(node, gast.Expr) \
                    and (change := list_change(node, typer.names)) is not None:
                found.resize(change, node, self.held, facts.names.get(change.name, kinds.UNKNOWN))
            elif isinstance(node, gast.Delete):
                self.deleted.append((syntax.root_name(node.targets[0]) or "", node))
                found.events.append((node, self.deleted[-1][0]))
            elif isinstance(node, gast.AugAssign):
                target = node.target
                owner = target if isinstance(target, gast.Name) else target.value
                if not isinstance(owner, gast.Name):
                    continue
                kind = typer.kind(syntax.load(owner.id))
                if isinstance(target, gast.Subscript) or may_hold_buffer(kind):
                    found.write(node, owner.id)
                if is_in_array(kind, getattr(target, "slice", None)):
                    self.inner.setdefault(owner.id, node)
            for call in facts.mentions[node].calls if isinstance(node, (gast.Assign, gast.Expr)) \
                    else ():
                for written in written_by(call, facts):
                    found.write(node, written)
                if self.beside:
                    put_together(call, typer, facts, found)

    def assignment(self, node: gast.Assign) -> bool:
        """The same of an assignment; whether what it binds may hold a buffer."""
        found, facts, typer = self.found, self.facts, self.typer
        target = node.targets[0]
        if isinstance(target, gast.Attribute):
            found.write(node, syntax.root_name(target) or "")
        change = list_change(node, typer.names)
        if change is not None:
            found.resize(change, node, self.held, facts.names.get(change.name, kinds.UNKNOWN))
        elif isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
                and not isinstance(typer.kind(target.value), kinds.Number):
            found.write(node, target.value.id)
            if is_in_array(typer.kind(target.value), target.slice):
                self.inner.setdefault(target.value.id, node)
            elif isinstance(typer.kind(target.value), (kinds.ListKind, kinds.DictKind,
                                                     kinds.RecordKind)):
                for name in roots_of(node.value):
                    found.union(target.value.id, name)
                    self.puts.append((target.value.id, name))
        names = definitions(node)
        after = facts.after[id(node)]
        changed = change_of(node.value) or getattr(node.value, "drops", None)
        if changed is not None:
            found.updated.add(changed)
            found.events.append((node, changed))
        if getattr(node.value, "in_place", False) and names and not isinstance(
                after.get(names[0]), _BOUND_ANEW) and not isinstance(
                typer.kind(getattr(node.value, "value", None)), Array):
            self.in_place.append((node, names[0]))
            found.events.append((node, names[0]))
        kept = [n for n in names if may_hold_buffer(after.get(n, kinds.UNKNOWN))]
        if kept:
            self.share(node, names, kept, after)
        return bool(kept)

    def share(self, node: gast.Assign, names: list[str], kept: list[str], after: Any) -> None:
        """Note with whom the names that an assignment binds may share memory."""
        facts, typer = self.facts, self.typer
        target = node.targets[0]
        mirrored = bases_of(node.value, typer, facts)[1]
        # Tangents are not asked when the program runs whether they are views.
        mirrored = mirrored is True if self.beside else mirrored
        bases = list(self.parts.bases(node, typer, facts))
        if self.beside and in_container(node.value, typer, facts):
            mirrored = "held"
            if isinstance(node.value, gast.BinOp):
                bases = [(names[0], n) for n in roots_of(node.value.left)
                         + roots_of(node.value.right)]
        for name, one in bases:
            if name not in kept or isinstance(typer.kind(syntax.load(one)), kinds.Number):
                continue
            # The adjoints of the parts of a container are kept apart: it has none to mirror.
            parted = not self.beside and isinstance(after.get(name), CONTAINERS)
            self.shared.append((node, name, one, isinstance(target, gast.Name) and not parted
                                and mirrored))

    # Classes ----------------------------------------------------------------------------------
    def join(self) -> None:
        """Make classes of the names, and find out which copies nobody can tell from views."""
        found, bindings, parameters = self.found, self.bindings, self.parameters
        flow = self.flow
        found.reached = lambda names: flow().reached(names)
        for _, name, base, _ in self.shared:
            found.union(base, name)
        found.put_in = [(name, item) for _, name, item in self.held if name != item]
        self.apart = Apart(self.tree.body, [
            *((name, base, (id(node), name)) for node, name, base, _ in self.shared),
            *((name, item, (id(node), name)) for node, name, item in self.held if name != item),
            *((*put, None) for put in self.puts)],
            found.events, set(bindings) - set(parameters), lambda name: flow().reached([name]),
            self.facts.names)
        found.on_new = self.apart.on_new
        if found.written or self.in_place:
            found.momentary = momentary(self.tree.body, self.facts, found)
        self.check_inner()
        check_handed_on(self.tree, self.facts, self.typer, found, self.held,
                        lambda: (set(bindings) - set(parameters)) | self.to_copy(), self.place)
        for item, name in self.handed:
            found.handed.setdefault(found.find(item), set()).add(name)
        found.written = {found.find(name) for name in found.written}
        found.filled = {found.find(name) for name in found.filled}

    @functools.cached_property
    def owners(self) -> Owners:
        """What lists and dicts hold alone, once it is known who may share memory."""
        return Owners(self.tree.body, self.facts, self.typer,
                      brief_names(self.tree.body, self.found), self.found.momentary)

    def check_inner(self) -> None:
        """Lists with arrays that are written to hold these alone: what goes in is theirs from then
        on, and what is read is used up at once."""
        for name, node in self.inner.items():
            shared = None if self.owners.owns(name) else self.owners.shared_item(name)
            if shared is not None and says(self.place(shared[0]), stem(shared[1])):
                made, item = shared
                raise AliasError(f"{stem(name)} may share memory with {stem(item)}, which is "
                                 "written to in place", self.place(made),
                                 own_memory(stem(name), stem(item), self.place(made)))
            if not self.owners.owns(name):
                raise SharedByCall(
                    self.owners.maker(name), f"an array in {stem(name)} is written to in place, "
                    "and others may share its memory", self.place(node),
                    "put copies into the list, or write to an array with a name")
        written = {self.found.find(name) for name in self.found.written}
        given = {name for _, name, item in self.held if self.found.find(item) in written}
        lists = [name for name, kind in self.facts.names.items() if isinstance(kind, kinds.ListKind)
                 and (name in given or self.found.find(name) in written)]
        own = {name for name in lists if self.owners.owns(name)}
        if not own:
            return
        # One after the other holds an array: no two names mean one at a time.
        apart = [one for one in self.shared if {*one[1:3]} & own]
        self.shared = [one for one in self.shared if not {*one[1:3]} & own]
        self.handed = [(item, name) for _, name, item in self.held if name in own] + [
            (one, other) for _, *pair, _ in apart for one, other in (pair, pair[::-1])
            if other in own]
        self.held = [one for one in self.held if one[1] not in own]
        second = {n for one in self.shared for n in one[1:3]} | {n for _, n in self.found.events}
        self.found.momentary |= {n for one in apart for n in one[1:3]} - second - own

    # What lives outside -----------------------------------------------------------------------
    def check_outside(self) -> None:
        """Refuse changes of what lives outside the function, or what others may hold there."""
        found, place = self.found, self.place
        for name, node in self.deleted:
            found.mutate(name, node)
            outside = sorted(n for n in {*self.parameters, name}
                             if found.find(n) == found.find(name)
                             and (n in self.parameters or n not in self.bindings)
                             and not isinstance(self.facts.names.get(n), (kinds.Number, Array)))
            if outside:
                raise AliasError(f"{stem(outside[0])} comes from outside, and a part of it is "
                                 "deleted here", place(node), "copy it first, and change the copy")
        others = self.facts.beside_arithmetic(self.tree)
        for node in others:
            marker = marker_of(node)
            for name in definitions(node) if marker is not None and marker.kind == "enter" else ():
                if found.is_written(name):
                    raise AliasError("what a context manager hands out is written to, and others "
                                     "may hold it", place(node), "write to a copy of it")
        note_changes_by_calls(self.tree, self.facts, found, place, self.inside)
        for node in others:
            target = syntax.target_of(node)
            owner = target.value if isinstance(target, gast.Subscript) else target
            if isinstance(owner, gast.Attribute) and syntax.root_name(target) not in self.inside:
                raise AliasError(f"{syntax.root_name(target)} is changed, which lives outside the "
                                 "function", place(node),
                                 "make it in the function")
        self.check_views_of_outside()

    def check_views_of_outside(self) -> None:
        """Refuse writes into what may be a view of what lives outside."""
        changed = None
        for node, name, base, _ in self.shared:
            if self.found.is_written(name) and base not in self.inside:
                if changed is None:
                    changed = self.flow().reached(n for _, n in self.found.events)
                if base not in changed and self.apart.is_copy(node, name):
                    continue
                if isinstance(self.typer.free(base), type):     # what a call makes of a class
                    raise AliasError(f"whether {stem(name)} has memory of its own is not known, "
                                     "and it is written to in place", self.place(node),
                                     "use a plain dict, list or array")
                raise AliasError(f"{stem(name)} may share memory with {base}, which lives outside "
                                 "the function, and is written to in place", self.place(node),
                                 "put .copy() behind what is assigned here")

    # Containers -------------------------------------------------------------------------------
    def check_one_name(self) -> None:
        """Refuse what changes in place under two names, or in a container that another holds."""
        found, tree, facts, place = self.found, self.tree, self.facts, self.place
        found.in_place = {found.find(name) for _, name in self.in_place}
        if self.in_place:
            _in_place(tree, self.in_place, found, facts, place, self.apart, self.owners)
        seen = PointsTo(tree, facts, self.typer, found.events,
                        self.apart.live if self.apart.is_plain else None,
                        (set(self.parameters) | set(facts.names)) - set(self.bindings)
                        - found.entry)
        for node, name, other in seen.found.values():
            raise AliasError(f"{stem(name)} and {stem(other)} may be one object, or one holds the "
                             f"other, and {stem(name)} is changed", place(node),
                             "put .copy() behind what is assigned here, or use one name")
        # Of what is written as a new value, `state = {**state, ...}`, the old one stays.
        found.once = {at: names for at, names in seen.once.items() if at in found.changes}
        found.seen = set().union(*found.once.values())
        found.seen_regrown = set().union(*(found.once.get(at, ()) for at in found.regrowing))
        found.kept_by_calls = bool(found.resized) and are_kept_by_calls(tree, facts, found)
        check_changed_lists(tree, facts, found, self.held, place, self.inside, self.apart)
        for name in self.parameters:
            found.parameters.add(found.find(name))

    # Shadows ----------------------------------------------------------------------------------
    def changes_hands(self, name: str, base: str) -> bool:
        """Whether it changes as the program runs who shares with whom."""
        bindings, parameters = self.bindings, self.parameters
        return bindings.get(name, 0) > 1 or name in parameters or name in self.wide or \
            bindings.get(base, 0) > (0 if base in parameters else 1)

    def mirror(self) -> None:
        """Say which second names of what is written have shadows, and where these are made."""
        found, place = self.found, self.place
        passed_on = set() if self.beside else _passed_on(
            self.shared, found, self.apart, self.changes_hands, self.bindings)
        for node, name, base, mirrored in self.shared:
            if not found.is_written(name):
                continue
            if name == base and isinstance(node.value, gast.Name):
                found.twin_views.add(id(node.value))        # `x = x`
                continue
            if name in found.momentary and self.bindings.get(name) == 1:
                continue
            found.momentary.discard(name)
            # Arrays in a container that was passed in are not copied on entry.
            given = mirrored == "held" and any(
                found.find(p) == found.find(name) and not isinstance(
                    self.facts.names.get(p), (Array, kinds.Number)) for p in self.parameters)
            if self.as_it_is:
                continue
            # Whether it is a view may be known only when the program runs, and may not matter.
            if (node, name) in passed_on or (
                    (mirrored is not True or given) and not found.is_mutated(name)
                    and self.apart.is_copy(node, name)):
                continue
            if not mirrored or given:
                shown, owner = stem(name), stem(base)
                raise SharedByCall(
                    node.value if isinstance(node.value, gast.Call) else None,
                    f"{shown} may share memory with {owner}, which is written to in place"
                    if shown != owner else f"a part of {owner} is written to in place, "
                    "and others may share its memory", place(node),
                    own_memory(shown, owner, place(node)))
            found.twin_views.add(id(node.value))
            node.value.viewed = base
            if mirrored == "decided":
                found.decided.add(name)
            if self.changes_hands(name, base):
                # The shadows go along with it.
                found.twins.add(found.find(name))
            else:
                found.views[name] = node
        for name in [n for n in found.views if found.is_twin(n)]:
            del found.views[name]
        self.lay_out()

    def lay_out(self) -> None:
        """Note of what the shadows lie in memory as it does: views of which it is known only when
        the program runs that they are."""
        found, place = self.found, self.place
        for name in sorted(found.decided):
            if name not in found.views:
                node = next(n for n, other, _, _ in self.shared if other == name)
                raise AliasError(f"whether {stem(name)} is a view or a copy is known only when the "
                                 "program runs, and it is bound more than once", place(node),
                                 own_memory(stem(name), None, place(node)))
        # What flat_view gives is a view of what lies in a row, and an error else.
        rows = {name for name, node in found.views.items() if overlaps.is_row(node, self.facts)}
        for name in sorted(found.decided | rows):
            while name in found.views:
                name = syntax.viewed_name(found.views[name].value)
                found.laid_out.add(name)

    def to_copy(self) -> set[str]:
        """Parameters into whose own memory something is written: by the end these are copies."""
        written = self.flow().reached(n for _, n in self.found.events)
        return {name for name in self.parameters
                if name in written and isinstance(self.facts.names.get(name), Array)}

    def spare(self) -> None:
        """Note parameters of which nothing is written into their own memory."""
        found = self.found
        # Checkpoints put back what all names of a class held.
        loops = [n for n in statements(self.tree.body) if isinstance(n, gast.For)]
        for name in self.parameters if not any(map(is_checkpointed, loops)) else ():
            if isinstance(self.facts.names.get(name), Array) and found.is_written(name) \
                    and not found.is_twin(name) \
                    and name not in self.flow().reached(n for _, n in found.events):
                found.spared.add(name)


def _passed_on(shared: list[tuple[gast.Assign, str, str, bool | str]], found: Aliases, apart: Apart,
               changes_hands: Callable[[str, str], bool],
               bindings: dict[str, int]) -> set[tuple[gast.Assign, str]]:
    """Bindings by which arrays change hands, `u = new` in a loop, in classes of which all such
    might as well be copies: then none of them has a shadow in the forward pass."""
    classes: dict[str, list[tuple[gast.Assign, str]]] = {}
    for node, name, base, _ in shared:
        if found.is_written(name) and changes_hands(name, base) and not (
                name in found.momentary and bindings.get(name) == 1):
            classes.setdefault(found.find(name), []).append((node, name))
    return {one for edges in classes.values() for one in edges
            if all(not found.is_mutated(name) and apart.is_copy(node, name)
                   for node, name in edges)}


def _in_place(tree: gast.FunctionDef, parts: list[tuple[gast.stmt, str]], found: Aliases,
              facts: Any, place: Callable[[gast.AST], Any], apart: Apart, owners: Owners) -> None:
    """`body.x += v` was written as a binding: nobody else may hold the array."""
    ours = {name for _, name in parts}
    for node, name in parts:
        owner = syntax.root_name(node.value) or ""
        given = call_for_holder(name, found, facts, owners.calls_for)
        if given is not None:
            raise SharedByCall(given, f"{stem(owner)} may hold the array that is changed here "
                               "in two places", place(node), "write x = x + v in place of x += v")
        in_list = isinstance(facts.names.get(owner), HOLDING) and owners.owns(owner)
        mates = [n for n, kind in facts.names.items() if n not in ours
                 and found.find(n) == found.find(name)
                 and not isinstance(kind, (kinds.DictKind, kinds.RecordKind, kinds.Number))
                 and not (in_list and (owners.is_harmless(n, owner)
                                       or not apart.is_live(node, n)))]
        if mates and not is_only_there(tree, node, name, facts, apart):
            raise SharedByCall(owners.maker(owner), f"{stem(mates[0])} may be the array that is "
                               "changed here", place(node), "write x = x + v in place of x += v")


# Whose `+=` binds the part anew; what the method of an object changes is written out.
_BOUND_ANEW = (kinds.Number, kinds.RecordKind, kinds.TupleKind)
