"""Which values are read again, or computed again, in place of a record.

For each name that lives within one iteration of a loop: read from the element that it was written
to, computed again, left as it is since all iterations compute the same, or put on a tape at the end
of the iteration; and which names that an iteration takes over from the one before are recorded at
its head. The pass `record` says why.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.changed_at import ChangedAt
from tangent_lite.analyses.dear_calls import is_dear
from tangent_lite.analyses.heads import Head, exit_on, head_of
from tangent_lite.analyses.indexing import is_basic, is_element
from tangent_lite.analyses.lifetimes import Lifetimes, definitions_of
from tangent_lite.analyses.liveness import bound_in, definitions
from tangent_lite.analyses.purity import COMPUTING
from tangent_lite.analyses.rotations import rotations
from tangent_lite.inference import NO_OBJECT
from tangent_lite.kinds import Array, Number
from tangent_lite.markers import attempted, is_attempt
from tangent_lite.modules import package_of
from tangent_lite.syntax import COMPOUND, read_names

CHEAP_ARRAY_OPERATORS = (gast.Add, gast.Sub, gast.Mult)
_OF_WHOLE_NUMBERS = (gast.Add, gast.Sub, gast.Mult, gast.FloorDiv)


class Remaking(Lifetimes):
    """Decides for the names that live within one iteration."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.heads: dict[int, Head] = {}        # by id of the body of a loop
        self.head = Head()                      # of the loop that is looked at
        self.records_calls = False              # what is dear in machine code: see `is_dear`
        self.changed: dict[int, ChangedAt] = {}     # by id of a block
        self.same: dict[str, bool] = {}         # of names: see `is_the_same`
        self.not_held: set[int] = set()         # statements from whose element nothing is read
        # By id of a statement: the variables that its value reads, and whether it is a size.
        self.operands: dict[int, set[str]] = {}
        self.sizes: dict[int, bool] = {}

    def changed_at(self, block: list[gast.stmt]) -> ChangedAt:
        found = self.changed.get(id(block))
        if found is None:
            found = self.changed[id(block)] = ChangedAt(block, self.bound_in.by,
                                                        self.buffers_written)
        return found

    def find_head(self, loop: gast.stmt) -> Head:
        """What is recorded at the head of the iterations of a loop."""
        left_out = self.counters | self.handed_out | set(self.shadows)
        for node in syntax.statements(loop.body):
            if is_attempt(node):
                left_out |= bound_in(attempted(node))
        for block in syntax.all_blocks(loop):
            for rotation in rotations(block):
                left_out = left_out | set(rotation.holders)     # moved back in place of a record
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
        if self.blocks.get(id(block), (block, None))[1] is None:
            # It runs once: no name lives within one run of it (see `is_local`).
            return self.shapes("start", id(block)).union(*below, *map(self.reads, block))
        last: dict[str, int] = {}
        for number, node in enumerate(block):
            for name in self.reads(node) | below[number]:
                last[name] = number
            if not isinstance(node, COMPOUND):
                self.bound_at.update(((id(block), name), number) for name in definitions(node))
        for number in range(len(block) - 1, -1, -1):
            node = block[number]
            names = sorted({n for n in self.bound_in.by(node) if n in last})
            if self.can_unpack_again(block, number, names, last):
                self.compute_again(block, number, last)
                continue
            for name in names:
                if not self.is_local(name, block):
                    continue
                holder = self.holder(block, number, name, last)
                if holder is not None:
                    target = holder.targets[0]
                    read = syntax.assign(name, syntax.subscript(
                        syntax.load(target.value.id), syntax.copy(target.slice)))
                    self.records.held.setdefault(id(holder), []).append(read)
                elif _computes(node) and self.is_exit(block, name):
                    continue                    # which is asked once, at the end of the loop
                elif self.bindings.get(name) == 1 and name in definitions_of(node) \
                        and isinstance(node.targets[0], gast.Name) \
                        and self.can_compute_again(block, number, name, last) \
                        and not self.costs_records(block, number, name, last):
                    self.compute_again(block, number, last)
                elif self.is_exit(block, name) or (
                        name in definitions_of(node) and self.is_the_same(name)):
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
        branches = self.changed_at(block).exits.get(name, [])
        if loop is None or not branches or self.bindings.get(name) != 1:
            return False
        readers = [n for n in syntax.statements(block) if name in self.reads(n)]
        value = exit_on(readers[0]) if len(readers) == 1 else None
        if value is None or not any(readers[0] is n for n in branches):
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
        for place in self.changed_at(block).moved_from(name, max(last[name], number + 1)):
            later: Any = block[place]
            if isinstance(later.targets[0].value, gast.Name) and self.written_names(later) \
                    and id(later) not in self.not_held:
                target = later.targets[0]
                owner = self.facts.before[id(later)].get(target.value.id)
                if isinstance(owner, Array) and owner.dtype == "float" \
                        and is_element(target.slice, owner, later, self.facts):
                    return later
        return None

    def can_compute_again(self, block: list[gast.stmt], number: int, name: str,
                          last: dict[str, int]) -> bool:
        """Whether a name has its value again where the statement that bound it is done again; what
        else that binds is not looked at."""
        node = block[number]
        if not isinstance(node, gast.Assign) or isinstance(node.targets[0], gast.Subscript) \
                or not self.is_cheap(node):
            return False
        operands = self.operands_of(node)
        if any(map(self.aliases.is_mutated, operands)) or operands & self.handed_out:
            return False
        at_head = self.head.unchanged.get(id(node), set()) & operands
        if operands & set(self.head.names) - at_head:
            return False                # the backward pass has only what it was at the head
        is_condition = isinstance(node.value, (gast.Compare, gast.BoolOp)) or kinds.dtype_of(
            self.facts.names.get(name, kinds.UNKNOWN)) == "bool"
        if is_condition and not self.asks_class(node.value) \
                and not all(self.is_exact(o, block, last) for o in operands):
            return False                # made from recomputed floats it might fall differently
        # What is written into the name's own array in between would be lost as well.
        buffers = set() if self.is_size(node) \
            else set().union(*map(self.contents_of, (*operands, name)))
        later = self.changed_at(block).first(operands - at_head, buffers, number + 1)
        if later is None or later > last[name]:
            return True
        item = block[later]
        # A list that grows is shortened again: that it must be as long as it has become.
        is_list = isinstance(self.facts.after[id(node)].get(name), kinds.ListKind)
        if is_list and not self.contents_of(name).isdisjoint(self.buffers_written(item)):
            return False
        # Overwritten here: the last reader may stand here too, as what is overwritten is put back
        # first; but not inside a compound, nor where the result is read.
        step = self.steps.get(id(item))
        compound = isinstance(item, COMPOUND)
        # What is put back needs the name itself, if it stands in the index.
        return later == last[name] and not compound and not (step and step.reads_result) \
            and name not in _index_names(item)

    def is_exact(self, name: str, block: list[gast.stmt], last: dict[str, int]) -> bool:
        """Whether a name has the same value to the last digit in the backward pass: an int, what
        stays as it is from before a block on, what is read from such, and what is recorded."""
        if kinds.dtype_of(self.facts.names.get(name, kinds.UNKNOWN)) == "int":
            return True
        if self.contents_of(name):
            return False
        if not self.is_local(name, block):
            return True
        earlier = self.bound_at.get((id(block), name))
        if earlier is None or self.bindings.get(name) != 1:
            return False
        node: Any = block[earlier]
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            return False
        if isinstance(node.value, (gast.Name, gast.Subscript)):
            return all(self.is_exact(o, block, last) for o in self.operands_of(node))
        return name in last and not self.is_cheap(node)

    def can_unpack_again(self, block: list[gast.stmt], number: int, names: list[str],
                         last: dict[str, int]) -> bool:
        """Whether `W, b = item` can be done again, where the first of the names is needed; all of
        them are needed from there on."""
        node = block[number]
        if not names or not isinstance(node, gast.Assign) \
                or not isinstance(node.targets[0], gast.Tuple) \
                or not isinstance(node.value, gast.Name) \
                or not all(isinstance(t, gast.Name) for t in node.targets[0].elts) \
                or not all(self.is_local(n, block) and self.bindings.get(n) == 1 for n in names):
            return False
        before = {name: last[name] for name in names}
        last.update(dict.fromkeys(names, max(before.values())))
        if all(self.can_compute_again(block, number, name, last) for name in names):
            return True
        last.update(before)
        return False

    def costs_records(self, block: list[gast.stmt], number: int, name: str,
                      last: dict[str, int], fine: set[str] | None = None) -> bool:
        """Whether something would have to be recorded only to compute an array again, or what a
        function gives: then that itself is the cheaper record. fine: see `takes_records`."""
        value: Any = block[number].value
        kind = self.facts.after[id(block[number])].get(name)
        if self.is_size(block[number]):
            return not all(o in last or self.stays(o)
                           for o in self.operands_of(block[number]))
        if isinstance(kind, Number):
            return isinstance(value, gast.Call) and self.takes_records(block, number, name, last)
        return isinstance(kind, Array) and not self.contents_of(name) \
            and isinstance(value, gast.BinOp) and (
                self.takes_records(block, number, name, last, fine)
                or self.is_read_for_it(block, number, last))

    def is_read_for_it(self, block: list[gast.stmt], number: int, last: dict[str, int]) -> bool:
        """Whether an array that changes from one iteration to the next would be recorded only for
        what is done again for a statement: a record of that in its place takes no operations."""
        seen, todo = {number}, [number]
        while todo:
            node: Any = block[todo.pop()]
            for operand in self.operands_of(node).difference(last):
                if not isinstance(self.facts.names.get(operand), Array):
                    continue
                earlier = self.bound_at.get((id(block), operand))
                if earlier is None or not self.is_local(operand, block):
                    if not self.stays(operand) or self.contents_of(operand):
                        return True
                elif earlier not in seen:
                    seen.add(earlier)
                    todo.append(earlier)
        return False

    def takes_records(self, block: list[gast.stmt], number: int, name: str,
                      last: dict[str, int], fine: set[str] | None = None) -> bool:
        """Whether a statement, done again, reads what would not be at hand otherwise.

        fine: what of it was found to take none, which several of its statements may read.
        """
        node: Any = block[number]
        sort = Array if isinstance(self.facts.names.get(name), Array) else Number
        fine = set() if fine is None else fine
        alone = {o for o in self.operands_of(node)
                 if o not in last and self.is_local(o, block)
                 and isinstance(self.facts.names.get(o), sort)}
        for operand in sorted(alone):
            if operand in fine:
                continue
            earlier = self.bound_at.get((id(block), operand))
            if earlier is None or self.bindings.get(operand) != 1:
                return True
            last[operand] = last[name]                  # as if it were read there
            costs = not self.can_compute_again(block, earlier, operand, last) \
                or (self.takes_records(block, earlier, operand, last, fine) if sort is Number
                    else self.costs_records(block, earlier, operand, last, fine))
            del last[operand]
            if costs:
                return True
            fine.add(operand)
        return False

    def compute_again(self, block: list[gast.stmt], number: int, last: dict[str, int]) -> None:
        node = block[number]
        spot = max(last[name] for name in definitions_of(node) if name in last)
        again = syntax.copy_place(syntax.copy(node), node)
        self.records.again.setdefault(id(block[spot]), []).insert(0, again)
        operands = self.operands_of(node)
        extra = self.extra_shapes if self.is_size(node) else self.extra
        extra.setdefault(id(block[spot]), set()).update(operands)
        for operand in operands:
            last[operand] = max(last.get(operand, spot), spot)

    def is_size(self, node: Any) -> bool:
        """Whether a statement binds a name to the length of an array, or of an axis of it, or to
        that of a tuple or a list that stays as long; or computes a whole number of such."""
        found = self.sizes.get(id(node))
        if found is None:
            found = self.sizes[id(node)] = self._is_size(getattr(node, "value", None), node)
        return found

    def operands_of(self, node: Any) -> set[str]:
        """The variables that the value of an assignment reads; nobody changes the set."""
        found = self.operands.get(id(node))
        if found is None:
            found = self.operands[id(node)] = read_names(node.value) & self.variables
        return found

    def _is_size(self, value: Any, node: Any) -> bool:
        if isinstance(value, gast.BinOp) and isinstance(value.op, _OF_WHOLE_NUMBERS):
            parts = [part for part in (value.left, value.right) if not (
                isinstance(part, gast.Constant) and isinstance(part.value, int))]
            return bool(parts) and all(self._is_size(part, node) for part in parts)
        if isinstance(value, gast.Subscript) and isinstance(value.slice, (
                gast.Constant, gast.UnaryOp)):
            value = value.value
            is_shape = isinstance(value, gast.Attribute) and value.attr == "shape"
        else:
            is_shape = isinstance(value, gast.Attribute) and value.attr in ("size", "ndim")
        owner = value.value if is_shape else None
        is_length = isinstance(value, gast.Call) and len(value.args) == 1 and not value.keywords \
            and self.facts.callees.get(id(value), (NO_OBJECT, None))[0] is len
        if is_length:
            owner = value.args[0]
        if not isinstance(owner, gast.Name):
            return False
        kind = self.facts.before[id(node)].get(owner.id)
        return isinstance(kind, Array) or (
            is_length and isinstance(kind, (kinds.TupleKind, kinds.ListKind))
            and not self.contents_of(owner.id) and self.aliases.find(owner.id) not in {
                self.aliases.find(other) for other in self.aliases.resized})

    def stays(self, name: str) -> bool:
        """Whether a name means one thing from the start of a function to its end, or from where
        that begins outside of all loops."""
        bindings = self.bindings.get(name, 0)
        return bindings == 0 or (bindings == 1 and len(self.owner.get(name, ())) <= 1)

    def is_the_same(self, name: str) -> bool:
        """Whether a name means one thing whenever it is bound, however often that is: a number or
        an array that one statement computes of such things alone."""
        known = self.same.get(name)
        if known is None:
            self.same[name] = False             # what is made of itself is another thing each time
            known = self.same[name] = self.finds_the_same(name)
        return known

    def finds_the_same(self, name: str) -> bool:
        node: Any
        node, loop = self.binding.get(name, (None, None))
        if not (isinstance(self.facts.names.get(name), (Number, Array))
                or _is_literal(getattr(node, "value", None))) or self.contents_of(name) \
                or self.aliases.is_mutated(name) or name in self.counters | self.handed_out:
            return False
        if name not in self.bindings:
            return True
        return self.bindings[name] == 1 and name not in self.parameters and (
            loop is None or (
                isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
                and self.only_computes(node.value)
                and all(map(self.is_the_same, self.operands_of(node)))))

    def only_computes(self, value: gast.expr) -> bool:
        """Whether an operation gives the same for the same numbers and arrays; of functions of the
        user's it is not known, whatever rules they have."""
        if isinstance(value, gast.Call):
            function, _ = self.facts.callees.get(id(value), (NO_OBJECT, None))
            entry = registry.lookup(function) if function is not NO_OBJECT else None
            return entry is not None and entry.pure and not entry.writes \
                and (entry.adjoint is not None or entry.constant) \
                and package_of(function) in COMPUTING \
                and read_names(value.func).isdisjoint(self.variables)
        return isinstance(value, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Name)) \
            or _is_literal(value) or (isinstance(value, gast.Subscript) and is_basic(value.slice))

    def is_cheap(self, node: gast.Assign) -> bool:
        """Whether an operation may be run again, and costs no more than a record."""
        value = node.value
        if self.is_size(node):
            return True
        if isinstance(value, (gast.Name, gast.Attribute, gast.Constant)):
            return True
        if not isinstance(node.targets[0], gast.Name):
            return False
        kind = self.facts.after[id(node)].get(node.targets[0].id, kinds.UNKNOWN)
        if self.records_calls and is_dear(
                value, self.facts.callees.get(id(value), (NO_OBJECT, None))[0]):
            return False
        if isinstance(value, gast.Subscript):
            return not isinstance(kind, Array) or is_basic(value.slice)
        if isinstance(value, (gast.Compare, gast.BoolOp)):
            return self.is_asked_again(value, node)
        if isinstance(value, gast.UnaryOp):
            return True
        if isinstance(value, gast.BinOp):
            return isinstance(kind, _PLAIN) or isinstance(value.op, CHEAP_ARRAY_OPERATORS)
        if isinstance(value, gast.JoinedStr):
            return self.reads_plain(value)
        if isinstance(value, gast.Call):
            function, _ = self.facts.callees.get(id(value), (NO_OBJECT, None))
            entry = registry.lookup(function) if function is not NO_OBJECT else None
            return entry is not None and entry.pure and isinstance(kind, _PLAIN) \
                and not entry.writes and self.reads_plain(value) \
                and (entry.adjoint is not None or entry.constant)
        return False

    def is_asked_again(self, value: gast.expr, node: gast.Assign) -> bool:
        """Whether a condition compares names and elements, and does not compute much with them."""
        if isinstance(value, gast.BoolOp):
            return all(self.is_asked_again(part, node) for part in value.values)
        return self.asks_class(value) or (isinstance(value, gast.Compare) and all(
            self._is_size(part, node) or all(isinstance(n, _ASKED) for n in syntax.walk(part))
            for part in (value.left, *value.comparators)))

    def asks_class(self, value: gast.expr) -> bool:
        """Whether a condition is `type(item) is Dense`: so it stays, whatever the object holds."""
        left = value.left if isinstance(value, gast.Compare) else None
        return isinstance(left, gast.Call) and isinstance(value.ops[0], gast.Is) \
            and self.facts.callees.get(id(left), (NO_OBJECT, None))[0] is type \
            and all(isinstance(part, (gast.Name, gast.Constant, gast.Subscript, gast.Load))
                    for argument in left.args for part in syntax.walk(argument))

    def reads_plain(self, value: gast.expr) -> bool:
        """Whether all that an expression reads are numbers and texts."""
        return all(isinstance(self.facts.names.get(n), _PLAIN)
                   for n in read_names(value) if n in self.variables)


_PLAIN = (Number, kinds.Text)
# What is the same whenever it is computed, to the last digit: x[i + 1] - x[i].
_ASKED = (gast.Name, gast.Constant, gast.Load, gast.UnaryOp, gast.USub, gast.Subscript, gast.Tuple,
          gast.BinOp, gast.Add, gast.Sub, gast.Mult, gast.Div, gast.FloorDiv, gast.Mod)
_AT_HAND = (gast.Name, gast.Attribute, gast.Constant, gast.Subscript)


def _computes(node: gast.stmt) -> bool:
    """Whether a condition is asked of more than names and elements."""
    return isinstance(getattr(node, "value", None), (gast.Compare, gast.BoolOp)) and any(
        isinstance(part, gast.BinOp) for part in syntax.walk(node.value))


def _is_literal(node: Any) -> bool:
    """Whether a tuple or a list of literals is written out: `for w in (0.5, 1.0):`."""
    return isinstance(node, (gast.Tuple, gast.List)) and all(
        isinstance(part, gast.Constant) or _is_literal(part) or (
            isinstance(part, gast.UnaryOp) and isinstance(part.operand, gast.Constant))
        for part in node.elts)


def _is_float(kind: Any) -> bool:
    return isinstance(kind, Number) and kind.type == "float"


def _index_names(node: gast.stmt) -> set[str]:
    """Names in the index of the part that a statement writes."""
    target = syntax.target_of(node)
    return read_names(target.slice) if isinstance(target, gast.Subscript) else set()
