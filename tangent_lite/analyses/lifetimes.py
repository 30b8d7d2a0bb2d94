"""Where names live, and what the backward pass reads at each statement: what records rest on.

A name lives in the innermost block that holds all that is done with it. What the backward pass
reads at a statement is what the statement's adjoint reads; of compounds, what it takes to go
through them; of writes that may be put back, the array and the index.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import BoundIn, Liveness, bound_in, definitions
from tangent_lite.analyses.recordings import Records
from tangent_lite.analyses.segments import is_checkpointed, reads_again
from tangent_lite.kinds import Array, Number
from tangent_lite.markers import marker_of
from tangent_lite.structures.lists import list_change, token
from tangent_lite.syntax import COMPOUND, bound_names, read_names

Spot = tuple[str, int]      # "at" or "behind" a statement, at the "start" of a block (by id)


class Lifetimes:
    """What is known of the names of one function."""

    def __init__(self, body: list[gast.stmt], steps: dict[int, Any], facts: Inferred,
                 aliases: Aliases, live: Liveness, parameters: list[str]) -> None:
        self.steps, self.facts, self.aliases, self.live = steps, facts, aliases, live
        self.is_still = aliases.is_still
        self.records = Records()
        self.bound_in = BoundIn()
        self.variables = set(parameters) | bound_in(body)
        self.extra: dict[int, set[str]] = {}            # further reads at a statement
        self.extra_shapes: dict[int, set[str]] = {}     # arrays of which it reads the shape as well
        self.owner: dict[str, tuple[int, ...]] = {}     # name -> path of blocks that holds it all
        self.blocks: dict[int, tuple[list[gast.stmt], gast.stmt | None]] = {}
        self.counters: set[str] = set()
        # What managers and handlers are given may be another thing later on.
        self.handed_out = {name for node in syntax.statements(body) if marker_of(node) is not None
                           for name in definitions(node)}
        self.bindings: dict[str, int] = {}
        # By name, the last statement that binds it, and the loop around that.
        self.binding: dict[str, tuple[gast.stmt, gast.stmt | None]] = {}
        self.parameters = set(parameters)
        self.bound_at: dict[tuple[int, str], int] = {}  # (id of a block, name) -> which statement
        self.shadows: dict[str, str] = {}
        self.read_buffers: set[str] = set()     # classes whose contents some adjoint reads
        self.unread_writes: set[int] = set()    # statements that write over nothing that is read
        self.zeroed: dict[Spot, set[str]] = {}  # where zeros are made in the shape of which names
        self.stable: set[Any] = set()           # tokens of shapes that stay while the function runs
        self.own_reads: dict[int, frozenset[str]] = {}  # by id of a statement: see `reads_itself`

    # What is alive ----------------------------------------------------------------------------
    def find_alive(self, block: list[gast.stmt]) -> bool:
        found = False
        for node in block:
            if isinstance(node, COMPOUND):
                inside = [self.find_alive(node.body), self.find_alive(node.orelse)]
                if any(inside):
                    self.records.alive.add(id(node))
                    found = True
            else:
                found |= id(node) in self.steps
        return found

    # Owner blocks -----------------------------------------------------------------------------
    def find_owners(self, block: list[gast.stmt], path: tuple[int, ...],
                    loop: gast.stmt | None) -> None:
        path = (*path, id(block))
        self.blocks[id(block)] = (block, loop)
        mentions = self.facts.mentions
        for node in block:
            if isinstance(node, gast.If):
                self.occur(mentions[node].reads, path)
                self.find_owners(node.body, path, loop)
                self.find_owners(node.orelse, path, loop)
            elif isinstance(node, (gast.For, gast.While)):
                if isinstance(node, gast.For):
                    self.occur(mentions[node].reads, path)
                    counters = bound_names(node.target)
                    self.counters.update(counters)
                    self.occur(counters, path)
                else:
                    # The condition is evaluated after each iteration too.
                    self.occur(mentions[node].reads, path)
                    if getattr(node, "n_steps", None):
                        self.occur([node.n_steps], path)
                self.find_owners(node.body, path, node)
            else:
                step = self.steps.get(id(node))
                bound = mentions[node].binds
                names = mentions[node].reads.union(bound)
                for name in bound:
                    self.binding[name] = node, loop
                    self.bindings[name] = self.bindings.get(name, 0) + (
                        2 if isinstance(node, gast.AugAssign) else 1)
                if step is not None:
                    names |= (step.reads | step.shapes) & self.variables
                    names |= self.shadows_read(step)
                self.occur(names, path)

    def occur(self, names: Any, path: tuple[int, ...]) -> None:
        for name in names:
            if name not in self.variables:
                continue
            known = self.owner.get(name)
            if known is None:
                self.owner[name] = path
                continue
            if path[:len(known)] == known:
                continue
            common = 0
            while common < min(len(known), len(path)) and known[common] == path[common]:
                common += 1
            self.owner[name] = known[:common]

    def is_local(self, name: str, block: list[gast.stmt]) -> bool:
        """Whether a name lives within one run of a block that is in a loop."""
        owner = self.owner.get(name)
        if not owner or owner[-1] != id(block) or name in self.counters:
            return False
        _, loop = self.blocks[id(block)]
        return loop is not None and name not in self.live.head[id(loop)]

    # Shapes -----------------------------------------------------------------------------------
    def find_stable_shapes(self, body: list[gast.stmt], parameters: list[str]) -> None:
        """The shapes of parameters, and those that are first met outside of loops."""
        self.stable = {_shape(self.facts.names.get(name)) for name in parameters}
        self.find_shapes_in(body, False, {None})

    def find_shapes_in(self, block: list[gast.stmt], in_loop: bool, changing: set[Any]) -> None:
        for node in block:
            if isinstance(node, COMPOUND):
                self.find_shapes_in(node.body, in_loop or not isinstance(node, gast.If), changing)
                self.find_shapes_in(node.orelse, in_loop, changing)
                continue
            shapes = {shape for kind in self.facts.after.get(id(node), {}).values()
                      if (shape := _shape(kind)) is not None}
            if not shapes:                              # numbers, as most are
                continue
            if in_loop:
                changing.update(shapes - self.stable)
            else:
                self.stable.update(shapes - changing)

    def one_shape(self, name: str) -> bool:
        """Whether a variable has one shape whenever it is bound."""
        kind = self.facts.names.get(name)
        if isinstance(kind, Number):
            return True
        if getattr(kind, "dtype", None) not in ("float", "complex"):
            return False                # the zeros of integers are not those of floats
        shape = _shape(kind)
        return shape is not None and kinds.is_settled(shape, self.stable)

    def shapes(self, place: str, key: int) -> set[str]:
        """Variables in the shape of which zeros are made, and which may have had another one."""
        return {n for n in self.zeroed.get((place, key), set()) & self.variables
                if not self.one_shape(n)}

    # What is read, and what is written ------------------------------------------------------------
    def reads(self, node: gast.stmt) -> set[str]:
        """Names that the backward pass reads at a statement, not looking inside compounds."""
        key = id(node)
        found: set[str] = set()
        found.update(self.extra.get(key, ()), self.records.exits.get(key, ()),
                     self.extra_shapes.get(key, ()))
        if node.__class__ not in COMPOUND:
            found |= self.reads_itself(node)
            if not self.is_still:
                found |= self.written_names(node)
        elif id(node) not in self.records.alive:
            found |= self.arrays_written(node)      # which are put back as a whole
        elif isinstance(node, gast.If):
            found |= read_names(node.test)
        elif isinstance(node, gast.For):
            found |= read_names(node.iter)
            if getattr(node, "n_steps", None):
                found.add(node.n_steps)
            if is_checkpointed(node):
                found |= reads_again(node)
        elif isinstance(node, gast.While):
            found.add(node.n_steps)
        return found & self.variables if found else found

    def reads_itself(self, node: gast.stmt) -> frozenset[str]:
        """What the adjoint of a simple statement reads itself, found once for each."""
        found = self.own_reads.get(id(node))
        if found is None:
            step = self.steps.get(id(node))
            read: set[str] = set()
            if step is not None:
                read |= step.reads
                if step.shapes:
                    read.update(n for n in step.shapes if not self.one_shape(n))
                if self.shadows:
                    read |= self.shadows_read(step)
            found = self.own_reads[id(node)] = frozenset(read & self.variables)
        return found

    def only_shapes(self, node: gast.stmt) -> set[str]:
        """Names of which a statement's adjoint reads the shapes, and no more."""
        found = self.extra_shapes.get(id(node), set())
        if isinstance(node, gast.For):
            found = (found - read_names(node.iter)) | self.measured(node)
        step = self.steps.get(id(node))
        if step is not None:
            found = (found | step.shapes) - step.reads - self.shadows_read(step)
        return found - set(self.extra.get(id(node), ())) \
            - set(self.records.exits.get(id(node), ()))

    def measured(self, node: gast.For) -> set[str]:
        """Arrays, and lists that keep their lengths, of which the head of a loop asks for the
        length, and no more."""
        names = [n.id for n in syntax.names_in(node.iter)]
        found = {call.args[0].id for call in syntax.all_of(node.iter, gast.Call)
                 if getattr(call.func, "id", "") == "len" and len(call.args) == 1
                 and isinstance(call.args[0], gast.Name)}
        return {name for name in found if names.count(name) == 1 and (
            isinstance(kind := self.facts.names.get(name), Array)
            or (isinstance(kind, kinds.ListKind) and not self.aliases.is_regrown(name)))}

    def shadows_read(self, step: Any) -> set[str]:
        """The shadows, bound forward, that the adjoint of a statement works in."""
        if not self.shadows or _binds_only(step):
            return set()
        return {self.shadows[n] for n in (*step.operands, step.target) if n in self.shadows}

    def binds(self, node: gast.AugAssign) -> bool:
        """Whether `x += v` binds a number anew, and changes no array."""
        name = getattr(node.target, "id", "")
        return isinstance(self.facts.before[id(node)].get(name), Number)

    def written_names(self, node: gast.stmt) -> set[str]:
        """The name through which a statement writes, if what it overwrites may be put back."""
        if self.is_still or id(node) in self.unread_writes:
            return set()
        change = self.change_of(node)
        if change is not None:
            if token(change.name) not in self.read_buffers:
                return set()
            return {change.name} | (read_names(change.index) & self.variables
                                    if change.index is not None else set())
        name = self.written_through(node)
        if name is None or not self.aliases.is_written(name) \
                or self.aliases.find(name) not in self.read_buffers:
            return set()
        target = syntax.target_of(node)
        return {name} | (read_names(target.slice) & self.variables
                         if isinstance(target, gast.Subscript) else set())

    def buffers_written(self, node: gast.stmt) -> set[str]:
        """Classes of arrays, and lists, of which a statement may change what they hold."""
        found: set[str] = set()
        for one in syntax.statements([node]) if not self.is_still else ():
            if id(one) in self.aliases.changes:
                found |= {token(n) for n in self.aliases.changes[id(one)]}
            name = self.written_through(one)
            if name is not None and self.aliases.is_written(name):
                found.add(self.aliases.find(name))
        return found

    def written_through(self, node: gast.stmt) -> str | None:
        """The name through which a simple statement writes into an array."""
        target = syntax.target_of(node)
        if isinstance(target, (gast.Subscript, gast.Attribute)):
            return getattr(target.value, "id", None)
        if isinstance(node, gast.AugAssign) and not self.binds(node):
            return getattr(node.target, "id", None)
        return None

    def may_be_written(self, node: gast.stmt) -> set[str]:
        """All names in front of a compound statement whose memory may be what it writes into, and
        whose contents some adjoint reads: those through which it writes, and where it binds such a
        one itself, all others whose memory that may be."""
        inside = set(self.bound_in.by(node))
        there = self.live.before.get(id(node), ())
        found: set[str] = set()
        for one in syntax.statements([node]):
            name = self.written_through(one)
            if name is None or id(one) in self.aliases.changes \
                    or not self.aliases.is_written(name) \
                    or self.aliases.find(name) not in self.read_buffers:
                continue                        # what changes in a list is another matter
            found |= {name} if name not in inside else {
                other for other in {name, *self.aliases.reached([name])} & self.variables
                if other not in inside or other in there}
        return found

    def arrays_written(self, node: gast.stmt) -> set[str]:
        """Those of them that are arrays, as far as is known: these can be put back."""
        return self.may_be_written(node) - self.held_in_containers(node)

    def held_in_containers(self, node: gast.stmt) -> set[str]:
        """Those of them that hold arrays, of which it is not known which one is written into."""
        return {name for name in self.may_be_written(node)
                if isinstance(self.facts.names.get(name), (
                    kinds.ListKind, kinds.MapKind, kinds.TupleKind, kinds.DictKind,
                    kinds.RecordKind))}

    def change_of(self, node: gast.stmt) -> Any:
        """What a statement does to a list, if it does."""
        return list_change(node, self.facts.before.get(id(node), {})) \
            if id(node) in self.aliases.changes else None

    def contents_of(self, name: str) -> set[str]:
        """What stands for the changing contents of a variable: its buffer, the items of a list."""
        found = {self.aliases.find(name)} if self.aliases.is_written(name) else set()
        if self.aliases.handed:             # an array that a list holds by now
            found |= {self.aliases.find(one) for one in self.aliases.handed.get(
                self.aliases.find(name), ()) if self.aliases.is_written(one)}
        return found | {token(name)} if self.aliases.is_resized(name) else found

    def shape_of(self, name: str) -> set[str]:
        """The same, of which its shape may depend. That of an array stays, whatever is written."""
        if isinstance(self.facts.names.get(name), Array):
            return set()
        found = {self.aliases.find(name)} if self.aliases.is_written(name) else set()
        return found | {token(name)} if self.aliases.is_regrown(name) else found


def _binds_only(step: Any) -> bool:
    """Whether the forward pass has bound a shadow beside its variable, and that is all."""
    return step.kind == "view" and not step.contributions and not step.operands


def _shape(kind: Any) -> Any:
    """The token for the shape of an array."""
    return kind.shape if isinstance(kind, Array) else None


def definitions_of(node: gast.stmt) -> list[str]:
    return [] if isinstance(node, COMPOUND) else definitions(node)
