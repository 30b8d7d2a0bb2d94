"""Decide what is recorded in the forward pass, and what is computed again in the backward pass.

>>> from tangent_lite.kinds import FLOAT, INT
>>> from tangent_lite.transform import stages
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
  there before what it overwrote is put back;
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

from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.errors import AliasError
from tangent_lite.heads import Head, exit_on, head_of
from tangent_lite.inference import NO_OBJECT
from tangent_lite.kinds import Array, Number
from tangent_lite.lists import list_change, token
from tangent_lite.liveness import BoundIn, Liveness, bound_in, definitions
from tangent_lite.markers import attempted, is_attempt, marker_of
from tangent_lite.segments import Carried, carried, is_checkpointed, new_shadows, reads_again
from tangent_lite.syntax import COMPOUND, bound_names, read_names

Spot = tuple[str, int]      # "at" or "behind" a statement, at the "start" of a block (by id)
CHEAP_ARRAY_OPERATORS = (gast.Add, gast.Sub, gast.Mult)


@dataclass
class Save:
    """What a statement overwrites: a name, or the part of a buffer at index (None: all of it)."""
    name: str
    buffer: bool
    index: gast.expr | None
    in_loop: bool
    element: bool = False           # the part is a number, so that it needs no copy
    change: str | None = None       # what happened to a list: "append", "insert", "pop", "set"; all
    item: str | None = None         # the name of what came out of it


@dataclass
class Records:
    saves: dict[int, list[Save]] = field(default_factory=dict)      # by id of the statement
    again: dict[int, list[gast.stmt]] = field(default_factory=dict)  # computed again, in order
    held: dict[int, list[gast.stmt]] = field(default_factory=dict)  # read from what it has written
    starts: dict[int, list[str]] = field(default_factory=dict)      # by id of the block: on a tape
    ends: dict[int, list[str]] = field(default_factory=dict)        # ... at its end
    exits: dict[int, dict[str, bool]] = field(default_factory=dict)  # by id of a loop: conditions
    #                                         that have this value in the last iteration, if at all
    undefined: list[str] = field(default_factory=list)              # to be set to None at first
    alive: set[int] = field(default_factory=set)                    # compounds with a backward pass
    segments: dict[int, Carried] = field(default_factory=dict)      # loops that run again, by id


def record(body: list[gast.stmt], steps: dict[int, Any], facts: Any, aliases: Any,
           live: Liveness, parameters: list[str], shadows: dict[str, str],
           zeroed: dict[Spot, set[str]] | None = None) -> Records:
    """Decide on the records of a function.

    shadows: variables with a shadow bound forward; zeroed: where the backward pass makes zeros in
    the shape of which variables.
    """
    recorder = _Recorder(body, steps, facts, aliases, live, parameters)
    recorder.shadows = shadows
    recorder.zeroed = zeroed or {}
    recorder.find_stable_shapes(body, parameters)
    recorder.read_buffers = {one for s in steps.values() for n in s.reads | s.buffers | s.shapes
                             for one in recorder.contents_of(n)}
    recorder.read_buffers |= {token(n) for names in recorder.zeroed.values() for n in names
                              if aliases.is_resized(n)}
    recorder.find_alive(body)
    recorder.find_owners(body, (), None)
    recorder.decide(body)
    recorder.walk(body, State(set(), set(), set(parameters)), 0)
    return recorder.records


def may_move(body: list[gast.stmt], active: set[str], facts: Any, aliases: Any) -> bool:
    """Whether variables that have a shape may be bound anew, or not at all, as the program runs, or
    whether lists change their lengths.

    Only then does it matter to the records where the backward pass makes zeros.
    """
    if any(map(aliases.is_resized, active)):
        return True
    bound = bound_in([n for n in body if isinstance(n, COMPOUND)])
    return any(not isinstance(facts.names.get(n), Number) for n in bound & active)


@dataclass
class State:
    """Names and buffer classes that some adjoint so far reads; names certainly bound."""
    names: set[str]
    buffers: set[str]
    bound: set[str]

    def copy(self) -> State:
        return State(set(self.names), set(self.buffers), set(self.bound))


class _Recorder:
    def __init__(self, body: list[gast.stmt], steps: dict[int, Any], facts: Any, aliases: Any,
                 live: Liveness, parameters: list[str]) -> None:
        self.steps, self.facts, self.aliases, self.live = steps, facts, aliases, live
        self.records = Records()
        self.bound_in = BoundIn()
        self.variables = set(parameters) | bound_in(body)
        self.extra: dict[int, set[str]] = {}            # further reads at a statement
        self.owner: dict[str, tuple[int, ...]] = {}     # name -> path of blocks that holds it all
        self.blocks: dict[int, tuple[list[gast.stmt], gast.stmt | None]] = {}
        self.counters: set[str] = set()
        # What managers and handlers are given may be another thing later on.
        self.handed_out = {name for node in syntax.statements(body) if marker_of(node) is not None
                           for name in definitions(node)}
        self.bindings: dict[str, int] = {}
        self.bound_at: dict[tuple[int, str], int] = {}  # (id of a block, name) -> which statement
        self.again_names: set[str] = set()
        self.shadows: dict[str, str] = {}
        self.read_buffers: set[str] = set()     # classes whose contents some adjoint reads
        self.zeroed: dict[Spot, set[str]] = {}  # where zeros are made in the shape of which names
        self.stable: set[Any] = set()           # tokens of shapes that stay while the function runs
        self.heads: dict[int, Head] = {}        # by id of the body of a loop
        self.head = Head()                      # of the loop that is looked at
        self.started: set[str] = set()          # what is recorded at the heads of the loops around

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
            shapes = set(map(_shape, self.facts.after.get(id(node), {}).values()))
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

    def need_shapes(self, place: str, key: int, state: State, made: Any = frozenset()) -> None:
        """Keep what zeros are made in the shape of; made: names that the statement there binds and
        does not read, whose zeros have the shape of what it binds (see `keep_shapes`)."""
        for name in sorted(self.zeroed.get((place, key), set()) & self.variables - made):
            if name not in state.bound:
                self.undefined(name)
        self.keep_shapes(self.shapes(place, key) - made, state)

    def keep_shapes(self, names: set[str], state: State) -> None:
        """From here on these names keep their shapes, and so do lists that grow or shrink."""
        state.names |= names
        state.buffers |= {token(n) for n in names if self.aliases.is_resized(n)}

    # Again, or at the end of the iteration -------------------------------------------------------
    def reads(self, node: gast.stmt) -> set[str]:
        """Names that the backward pass reads at a statement, not looking inside compounds."""
        found = set(self.extra.get(id(node), ())) | set(self.records.exits.get(id(node), ()))
        if isinstance(node, gast.If):
            if id(node) in self.records.alive:
                found |= read_names(node.test)
        elif isinstance(node, gast.For):
            if id(node) in self.records.alive:
                found |= read_names(node.iter)
                if getattr(node, "n_steps", None):
                    found.add(node.n_steps)
                if is_checkpointed(node):
                    found |= reads_again(node)
        elif isinstance(node, gast.While):
            if id(node) in self.records.alive:
                found.add(node.n_steps)
        else:
            step = self.steps.get(id(node))
            if step is not None:
                found |= step.reads
                found |= {n for n in step.shapes if not self.one_shape(n)}
                found |= self.shadows_read(step)
            found |= self.written_names(node)
        return found & self.variables

    def shadows_read(self, step: Any) -> set[str]:
        """The shadows, bound forward, that the adjoint of a statement works in."""
        if not self.shadows:
            return set()
        return {self.shadows[n] for n in (*step.operands, step.target) if n in self.shadows}

    def binds(self, node: gast.AugAssign) -> bool:
        """Whether `x += v` binds a number anew, and changes no array."""
        name = getattr(node.target, "id", "")
        return isinstance(self.facts.before[id(node)].get(name), Number)

    def written_names(self, node: gast.stmt) -> set[str]:
        """The name through which a statement writes, if what it overwrites may be put back."""
        target = node.targets[0] if isinstance(node, gast.Assign) else getattr(node, "target", None)
        name = None
        change = self.change_of(node)
        if change is not None:
            if token(change.name) not in self.read_buffers:
                return set()
            return {change.name} | (read_names(change.index) & self.variables
                                    if change.index is not None else set())
        if isinstance(target, gast.Subscript):
            name = getattr(target.value, "id", None)
        elif isinstance(node, gast.AugAssign) and not self.binds(node):
            name = node.target.id
        if name is None or not self.aliases.is_written(name):
            return set()
        if self.aliases.find(name) not in self.read_buffers:
            return set()
        return {name} | (read_names(target.slice) & self.variables
                         if isinstance(target, gast.Subscript) else set())

    def find_head(self, loop: gast.stmt) -> Head:
        """What is recorded at the head of the iterations of a loop."""
        left_out = self.counters | self.handed_out | set(self.shadows)
        for node in syntax.statements(loop.body):
            if is_attempt(node):
                left_out |= bound_in(attempted(node))
        candidates = {name for name in bound_in(loop.body) & self.live.head[id(loop)] - left_out
                      if not self.contents_of(name) and not self.aliases.is_mutated(name)
                      and self.one_shape(name)}

        def results(node: gast.stmt) -> set[str]:
            step = self.steps.get(id(node))
            return set(definitions(node)) if step is not None and (
                step.reads_result or step.pair is not None) else set()

        found = head_of(loop.body, candidates, self.reads, results)
        self.heads[id(loop.body)] = found
        if found.names:
            self.records.starts[id(loop.body)] = found.names
        return found

    def decide(self, block: list[gast.stmt]) -> set[str]:
        """Decide for the names that live within one run of a block; all reads of the block."""
        _, loop = self.blocks.get(id(block), (block, None))
        outer = self.head
        if loop is not None and block is loop.body:
            self.head = self.find_head(loop)
        found = self.decide_block(block)
        self.head = outer
        return found

    def decide_block(self, block: list[gast.stmt]) -> set[str]:
        below: list[set[str]] = []
        for node in block:
            inside: set[str] = set()
            if isinstance(node, COMPOUND):
                inside = self.decide(node.body) | self.decide(node.orelse)
                inside |= self.shapes("behind", id(node))
            else:
                inside = self.shapes("at", id(node))
            below.append(inside)
        last: dict[str, int] = {}
        for number, node in enumerate(block):
            for name in self.reads(node) | below[number]:
                last[name] = number
            if not isinstance(node, COMPOUND):
                self.bound_at.update(((id(block), name), number) for name in definitions(node))
        for number in range(len(block) - 1, -1, -1):
            node = block[number]
            for name in sorted({n for n in self.bound_in.by(node) if n in last}):
                if not self.is_local(name, block):
                    continue
                holder = self.holder(block, number, name, last)
                if holder is not None:
                    target = holder.targets[0]
                    read = syntax.assign(name, syntax.subscript(
                        syntax.load(target.value.id), syntax.copy(target.slice)))
                    self.records.held.setdefault(id(holder), []).append(read)
                elif self.bindings.get(name) == 1 and name in definitions_of(node) \
                        and self.can_compute_again(block, number, name, last) \
                        and not self.costs_records(block, number, name, last):
                    self.compute_again(block, number, last)
                elif self.is_exit(block, name):
                    continue
                elif name not in self.records.ends.get(id(block), ()):
                    self.records.ends.setdefault(id(block), []).append(name)
        found: set[str] = set()
        for number, node in enumerate(block):
            found |= self.reads(node) | below[number]
        return found | self.shapes("start", id(block))

    def is_exit(self, block: list[gast.stmt], name: str) -> bool:
        """Whether a name is but a condition on which the loop is left: so in all iterations but the
        last it had the other value."""
        _, loop = self.blocks[id(block)]
        readers = [n for n in syntax.statements(block) if name in self.reads(n)]
        value = exit_on(readers[0]) if len(readers) == 1 else None
        if loop is None or value is None or self.bindings.get(name) != 1 \
                or readers[0].test.id != name \
                or not any(readers[0] is n for n in block):
            return False
        self.records.exits.setdefault(id(loop), {})[name] = value
        # It outlives the loop, and is recorded by a loop around this one.
        path = self.owner[name]
        self.owner[name] = path[:path.index(id(loop.body))]
        return True

    def holder(self, block: list[gast.stmt], number: int, name: str,
               last: dict[str, int]) -> gast.Assign | None:
        """The statement that writes a number to an element of an array, behind which no adjoint
        reads it under its name: in front of that it is read from there.

        Of what is an element itself nothing is gained.
        """
        node = block[number]
        if self.bindings.get(name) != 1 or name in self.handed_out \
                or not isinstance(node, gast.Assign) or isinstance(node.value, _AT_HAND) \
                or not _is_float(self.facts.after[id(node)].get(name)):
            return None
        for later in block[max(last[name], number + 1):]:
            if isinstance(later, gast.Assign) and isinstance(later.value, gast.Name) \
                    and later.value.id == name and isinstance(later.targets[0], gast.Subscript) \
                    and isinstance(later.targets[0].value, gast.Name) \
                    and self.written_names(later):
                target = later.targets[0]
                owner = self.facts.before[id(later)].get(target.value.id)
                if isinstance(owner, Array) and owner.dtype == "float" \
                        and _is_element(target.slice, owner, later, self.facts):
                    return later
        return None

    def can_compute_again(self, block: list[gast.stmt], number: int, name: str,
                          last: dict[str, int]) -> bool:
        node = block[number]
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name) \
                or not self.is_cheap(node):
            return False
        operands = read_names(node.value) & self.variables
        if any(map(self.aliases.is_mutated, operands)) or operands & self.handed_out:
            return False
        at_head = self.head.unchanged.get(id(node), set()) & operands
        if operands & set(self.head.names) - at_head:
            return False                # the backward pass has only what it was at the head
        is_condition = isinstance(node.value, gast.Compare) or kinds.dtype_of(
            self.facts.names.get(name, kinds.UNKNOWN)) == "bool"
        if is_condition and any(self.is_local(o, block) for o in operands):
            return False                # made from recomputed numbers it might fall differently
        # What is written into the name's own array in between would be lost as well.
        buffers = set().union(*map(self.contents_of, (*operands, name)))
        for later in range(number + 1, last[name] + 1):
            item = block[later]
            if (operands - at_head).isdisjoint(self.bound_in.by(item)) and not (
                    buffers & self.buffers_written(item)):
                continue
            # Overwritten here: the last reader may stand here too, as what is overwritten is put
            # back first; but not inside a compound, nor where the result is read.
            step = self.steps.get(id(item))
            compound = isinstance(item, COMPOUND)
            # What is put back needs the name itself, if it stands in the index.
            return later == last[name] and not compound and not (step and step.reads_result) \
                and name not in _index_names(item)
        return True

    def costs_records(self, block: list[gast.stmt], number: int, name: str,
                      last: dict[str, int]) -> bool:
        """Whether something would have to be recorded only to compute an array again: then the
        array itself is the cheaper record."""
        node = block[number]
        if not isinstance(self.facts.after[id(node)].get(name), Array) or self.contents_of(name) \
                or not isinstance(node.value, gast.BinOp):
            return False
        alone = {o for o in read_names(node.value) & self.variables
                 if o not in last and self.is_local(o, block)
                 and isinstance(self.facts.names.get(o), Array)}
        for operand in sorted(alone):
            earlier = self.bound_at.get((id(block), operand))
            if earlier is None or self.bindings.get(operand) != 1:
                return True
            last[operand] = last[name]                  # as if it were read there
            costs = not self.can_compute_again(block, earlier, operand, last) \
                or self.costs_records(block, earlier, operand, last)
            del last[operand]
            if costs:
                return True
        return False

    def compute_again(self, block: list[gast.stmt], number: int, last: dict[str, int]) -> None:
        node = block[number]
        name = node.targets[0].id
        spot = last[name]
        self.again_names.add(name)
        again = syntax.copy_place(syntax.copy(node), node)
        self.records.again.setdefault(id(block[spot]), []).insert(0, again)
        operands = read_names(node.value) & self.variables
        self.extra.setdefault(id(block[spot]), set()).update(operands)
        for operand in operands:
            last[operand] = max(last.get(operand, spot), spot)

    def is_cheap(self, node: gast.Assign) -> bool:
        """Whether an operation may be run again, and costs no more than a record."""
        value = node.value
        kind = self.facts.after[id(node)].get(node.targets[0].id, kinds.UNKNOWN)
        if isinstance(value, (gast.Name, gast.Attribute, gast.Constant)):
            return True
        if isinstance(value, gast.Subscript):
            return not isinstance(kind, Array) or _is_basic(value.slice)
        if isinstance(value, gast.Compare):
            return all(isinstance(n, (gast.Compare, gast.Name, gast.Constant, gast.cmpop, gast.Load,
                                      gast.UnaryOp, gast.USub)) for n in syntax.walk(value))
        if isinstance(value, gast.UnaryOp):
            return True
        if isinstance(value, gast.BinOp):
            return isinstance(kind, Number) or isinstance(value.op, CHEAP_ARRAY_OPERATORS)
        if isinstance(value, gast.Call):
            function, _ = self.facts.callees.get(id(value), (NO_OBJECT, None))
            entry = registry.lookup(function) if function is not NO_OBJECT else None
            return entry is not None and entry.pure and isinstance(kind, Number) \
                and not entry.writes and all(
                    isinstance(self.facts.names.get(n), Number) for n in read_names(value)
                    if n in self.variables) and (entry.adjoint is not None or entry.constant)
        return False

    # What overwrites what -----------------------------------------------------------------------
    def buffers_written(self, node: gast.stmt) -> set[str]:
        found: set[str] = set()
        todo = [node]
        while todo:
            one = todo.pop()
            if isinstance(one, COMPOUND):
                todo += one.body + one.orelse
                continue
            if id(one) in self.aliases.changes:
                found |= {token(n) for n in self.aliases.changes[id(one)]}
            target = one.targets[0] if isinstance(one, gast.Assign) else \
                one.target if isinstance(one, gast.AugAssign) else None
            name = None
            if isinstance(target, (gast.Subscript, gast.Attribute)):
                name = getattr(target.value, "id", None)
            elif isinstance(one, gast.AugAssign) and not self.binds(one):
                name = one.target.id
            if name is not None and self.aliases.is_written(name):
                found.add(self.aliases.find(name))
        return found

    def change_of(self, node: gast.stmt) -> Any:
        """What a statement does to a list, if it does."""
        return list_change(node, self.facts.before.get(id(node), {})) \
            if id(node) in self.aliases.changes else None

    def walk(self, block: list[gast.stmt], state: State, depth: int) -> State:
        """To-be-recorded analysis, forward."""
        started = self.started
        for name in self.records.starts.get(id(block), ()):
            if name not in state.bound:
                self.undefined(name)
            state.names.discard(name)
            self.started = self.started | {name}
        self.need_shapes("start", id(block), state)
        for node in block:
            reads = self.reads(node)
            step = self.steps.get(id(node))
            result = None
            if step is not None and step.pair is not None:
                result = step.pair.saved
                reads.discard(result)
            elif step is not None and (step.reads_result or step.kind == "list_pop"):
                result = step.target        # of what comes out of a list the shape is read
                if result not in read_names(node.value):
                    reads.discard(result)
            if isinstance(node, COMPOUND):
                state = self.compound(node, reads, state, depth)
                # Zeros in front of it in the backward pass have the shape of what is here.
                self.need_shapes("behind", id(node), state)
                continue
            self.check_handed_on(node)
            zeroed = ("at", id(node)) in self.zeroed        # few statements are such a place
            made = set(definitions(node)) - read_names(node) if zeroed else set()
            if zeroed:
                self.need_shapes("at", id(node), state, made)
            through = self.written_names(node)
            self.need(reads - through, state)
            state.names |= through & reads
            if step is not None:
                state.buffers |= {one for n in step.buffers for one in self.contents_of(n)}
                self.need(through & (step.reads | self.extra.get(id(node), set())), state)
            bound = definitions(node)
            self.overwrite(node, set(bound), state, depth)
            state.bound.update(bound)
            if zeroed:
                self.keep_shapes(self.shapes("at", id(node)) & made, state)
            if result is not None:
                self.need({result}, state)
            for read in self.records.held.get(id(node), ()):
                state.buffers |= self.contents_of(read.value.value.id)      # as it is from now on
        _, loop = self.blocks[id(block)]
        if loop is not None:
            for name in [n for n in state.names if self.is_local(n, block)]:
                if name not in state.bound and name in self.records.ends.get(id(block), ()):
                    self.undefined(name)
                state.names.discard(name)
            if block is loop.body:
                state.names -= set(self.records.exits.get(id(loop), ()))
        state.names -= self.started - started
        self.started = started
        return state

    def undefined(self, name: str) -> None:
        if name not in self.records.undefined:
            self.records.undefined.append(name)

    def need(self, names: set[str], state: State) -> None:
        for name in names:
            state.names.add(name)
            state.buffers |= self.contents_of(name)

    def check_handed_on(self, node: gast.stmt) -> None:
        """`new = old`, where the list changes its length under the new name: zeros in the shape of
        the old one would have the later length."""
        if isinstance(node, gast.Assign) and isinstance(node.value, gast.Name) \
                and isinstance(node.targets[0], gast.Name) \
                and self.aliases.is_resized(node.targets[0].id) \
                and node.value.id in self.zeroed.get(("at", id(node)), ()):
            raise AliasError("a list gets another name here, under which it grows or shrinks",
                             None, "keep one name, or put .copy() behind it")

    def contents_of(self, name: str) -> set[str]:
        """What stands for the changing contents of a variable: its buffer, the items of a list."""
        found = {self.aliases.find(name)} if self.aliases.is_written(name) else set()
        return found | {token(name)} if self.aliases.is_resized(name) else found

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
        saves = self.records.saves.setdefault(id(node), [])
        written = self.buffers_written(node) & state.buffers
        if not written or any(s.buffer for s in saves):
            return
        if isinstance(node, COMPOUND):
            for buffer in sorted(written):
                name = buffer.removeprefix(token(""))
                saves.append(Save(name, True, None, depth > 0, change="all" if name != buffer
                                  else None))
            return
        step_change = self.change_of(node)
        if step_change is not None:
            saves.append(Save(step_change.name, True, step_change.index, depth > 0, True,
                              step_change.what))
            if step_change.index is not None:
                self.need(read_names(step_change.index) & self.variables, state)
            if step_change.what == "pop" and step_change.item is not None:
                saves[-1].item = step_change.item.id
            return
        target = node.targets[0] if isinstance(node, gast.Assign) else node.target
        if isinstance(target, gast.Subscript):
            owner = self.facts.before[id(node)].get(target.value.id)
            element = _is_element(target.slice, owner, node, self.facts) \
                if isinstance(owner, Array) else isinstance(owner, (
                    kinds.ListKind, kinds.DictKind, kinds.TupleKind))
            saves.append(Save(target.value.id, True, target.slice, depth > 0, element))
            self.need(read_names(target.slice) & self.variables, state)
        else:
            saves.append(Save(target.id, True, None, depth > 0))

    def compound(self, node: gast.stmt, reads: set[str], state: State, depth: int) -> State:
        if id(node) not in self.records.alive:
            self.overwrite(node, set(self.bound_in.by(node)), state, depth)
            if isinstance(node, gast.If):
                state.bound |= self.bound_in(node.body) & self.bound_in(node.orelse)
            return state
        if isinstance(node, gast.If):
            self.need(reads, state)
            if is_attempt(node):
                # A body that is left halfway may have bound them already.
                self.keep(node, bound_in(attempted(node)), state, depth)
            one = self.walk(node.body, state.copy(), depth)
            other = self.walk(node.orelse, state.copy(), depth)
            return State(one.names | other.names, one.buffers | other.buffers,
                         one.bound & other.bound)
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
        while True:
            inner = state.copy()
            inner.bound = bound | set(counters)
            end = self.walk(node.body, inner, depth + 1)
            end.names.difference_update(counters)
            if end.names <= state.names and end.buffers <= state.buffers:
                break
            state.names |= end.names
            state.buffers |= end.buffers
        state.bound = bound
        if is_checkpointed(node):
            self.segment(node, state)
        self.need(reads, state)         # bounds and counts are read when the loop is reversed
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


_AT_HAND = (gast.Name, gast.Attribute, gast.Constant, gast.Subscript)


def _is_float(kind: Any) -> bool:
    return isinstance(kind, Number) and kind.type == "float"


def _shape(kind: Any) -> Any:
    """The token for the shape of an array."""
    return kind.shape if isinstance(kind, Array) else None


def definitions_of(node: gast.stmt) -> list[str]:
    return [] if isinstance(node, COMPOUND) else definitions(node)


def _index_names(node: gast.stmt) -> set[str]:
    """Names in the index of the part that a statement writes."""
    target = node.targets[0] if isinstance(node, gast.Assign) else getattr(node, "target", None)
    return read_names(target.slice) if isinstance(target, gast.Subscript) else set()


def _is_basic(index: gast.expr) -> bool:
    """Whether an index is made of slices and numbers only, as far as the text shows."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return all(isinstance(p, (gast.Slice, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Name))
               for p in parts)


def _is_element(index: gast.expr, owner: Array, node: gast.stmt, facts: Any) -> bool:
    """Whether owner[index] is a number: as many integers as there are dimensions."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    if owner.ndim is None or len(parts) != owner.ndim:
        return False
    known = facts.before[id(node)]

    def is_int(part: gast.expr) -> bool:
        if isinstance(part, gast.Constant):
            return isinstance(part.value, int)
        if isinstance(part, gast.Name):
            kind = known.get(part.id)
            return isinstance(kind, Number) and kind.type == "int"
        if isinstance(part, gast.BinOp):
            return not isinstance(part.op, gast.Div) and is_int(part.left) and is_int(part.right)
        if isinstance(part, gast.UnaryOp):
            return is_int(part.operand)
        return False

    return all(map(is_int, parts))
